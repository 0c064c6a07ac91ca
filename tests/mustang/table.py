"""Situations of Mustang, told in short words and written into a record.

Cards are ``"3r"`` (value, then red, blue, green, yellow or white) or ``"C"`` for a cowboy; counters ``"rS"``, ``"bM"``,
``"gF"`` (suit, then stallion, mare or foal), ``"BP"`` and ``"SW"`` for the Black Prince and the Snow White Mare.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from itertools import combinations
from typing import Any

import numpy as np

from mustang_env import GAME
from tablezoo import Batch
from tablezoo.testing.case import RandomPlay

SUITS = "rbgyw"
COWBOY, EMPTY = 40, 41
EVENTS = ("rotten_gate", "pride_of_the_herd", "heavy_rain", "delivery", "sunny_day")
TURN, SWAP, PLAY, ANSWER, GATE, RAIN = range(6)
PILES = (10, 15, 20)
KINDS = {"stallion": 0, "mare": 1, "foal": 2}

SETS = [slots for size in range(1, 6) for slots in combinations(range(6), size)]
A_SWAP, A_CATCH, A_PILE, A_STEAL, A_CORRAL, A_CARDS, A_DECLINE = 0, 1, 18, 21, 89, 106, 168

ALL_CARDS = Counter([*range(40), *[COWBOY] * 9])
ALL_COUNTERS = Counter({type_: (2, 3, 4, 1)[min(type_ // 5, 3)] for type_ in range(17)})

#: Hands in which nothing makes a combination.
DULL = ["1r 2b 3g 4y 5w 7r", "1b 2g 3y 4w 6r 8b", "1g 2y 3w 5r 6b 8g", "1y 2w 4r 5b 7g 8y", "1w 3r 4b 6g 7y 8w"]


def cards(text: str) -> list[int]:
    return sorted(COWBOY if word == "C" else (int(word[0]) - 1) * 5 + SUITS.index(word[1]) for word in text.split())


def counter(word: str) -> int:
    return {"BP": 15, "SW": 16}[word] if word in ("BP", "SW") else "SMF".index(word[1]) * 5 + SUITS.index(word[0])


def counters(text: str) -> Counter[int]:
    return Counter(counter(word) for word in text.split())


def catch(word: str) -> int:
    return A_CATCH + counter(word)


def catch_pile(kind: str) -> int:
    return A_PILE + KINDS[kind]


def steal(steps: int, word: str) -> int:
    return A_STEAL + 17 * (steps - 1) + counter(word)


def corral(word: str) -> int:
    return A_CORRAL + counter(word)


class Table:
    """A batch of one game in a situation of one's own; all cards and counters that are not named lie in their piles.

    Args:
        hands: a text a player, or the number of players, who then hold dull hands.
        prairie, removed: counters face up, and out of the game.
        corrals, stables: counters by seat.
        piles: the counters that lie face down, by kind, the top first; the others of the kind are out of the game.
        tops: the counters on top of a pile, by kind.
        deck: the whole deck, top first; the other cards are used. None: all cards not in hands, those in ``top`` first.
        events: the event deck, top first; the other event cards have been turned up.
        mover, dealer, turn: whose turn it is (and who is asked), who deals, turns complete.
        options: of the game and of the batch.
    """

    def __init__(
        self,
        hands: list[str] | int = 2,
        *,
        prairie: str = "rS rM rF BP SW",
        removed: str = "",
        corrals: Mapping[int, str] | None = None,
        stables: Mapping[int, str] | None = None,
        piles: Mapping[str, str] | None = None,
        tops: Mapping[str, str] | None = None,
        deck: str | None = None,
        top: str = "",
        events: list[str] | None = None,
        mover: int = 0,
        dealer: int = 0,
        turn: int = 0,
        **options: Any,
    ) -> None:
        held = DULL[:hands] if isinstance(hands, int) else hands
        self.batch = Batch(GAME, 1, num_players=len(held), seed=1, autoreset=False, start_seat=dealer, **options)
        self.record = self.batch.states[0]
        ranches = {"corral": corrals or {}, "stable": stables or {}}
        self._place_counters(counters(prairie), counters(removed), ranches, piles or {}, tops or {})
        self._place_cards([cards(hand) for hand in held], deck, top)
        if events is not None:
            self._place_events(events)
        self.record["mover"] = self.record["seat"] = mover
        self.record["turn"] = turn
        self.batch.refresh()

    # --- writing the record ------------------------------------------------------------------------------------------

    def _place_counters(
        self,
        prairie: Counter[int],
        removed: Counter[int],
        ranches: Mapping[str, Mapping[int, str]],
        piles: Mapping[str, str],
        tops: Mapping[str, str],
    ) -> None:
        left = ALL_COUNTERS.copy()
        left.subtract(prairie)
        left.subtract(removed)
        for name, seats in ranches.items():
            self.record[name] = 0
            for seat, text in seats.items():
                left.subtract(counters(text))
                for type_, number in counters(text).items():
                    self.record[name][seat, type_] = number
        assert min(left.values()) >= 0, "a counter is named too often"
        for kind, number in KINDS.items():
            own = Counter({type_: left[type_] for type_ in range(5 * number, 5 * number + 5)})
            first = [counter(word) for word in piles.get(kind, tops.get(kind, "")).split()]
            rest = sorted((own - Counter(first)).elements())
            if kind in piles:
                removed = removed + Counter(rest)
                rest = []
            pile = first + rest
            self.record["pile_size"][number] = len(pile)
            self.record["pile"][number, PILES[number] - len(pile) : PILES[number]] = pile
        special = Counter({type_: left[type_] for type_ in (15, 16)})
        for name, lying in (("prairie", prairie), ("removed", removed + special)):
            self.record[name] = [lying[type_] for type_ in range(17)]

    def _place_cards(self, hands: list[list[int]], deck: str | None, top: str) -> None:
        left = ALL_CARDS.copy()
        for seat, hand in enumerate(hands):
            self.record["hand"][seat] = hand + [EMPTY] * (6 - len(hand))
            left.subtract(hand)
        named = [cards(word)[0] for word in (top if deck is None else deck).split()]
        left.subtract(named)
        assert min(left.values()) >= 0, "a card is named twice"
        rest = sorted(left.elements())
        lying = named + rest if deck is None else named
        self.record["deck"] = EMPTY
        self.record["deck"][: len(lying)] = lying
        self.record["deck_top"], self.record["deck_size"] = 0, len(lying)
        self.record["used"] = 0 if deck is None else np.bincount(np.array(rest, int), minlength=41)

    def _place_events(self, names: list[str]) -> None:
        deck = [EVENTS.index(name) for name in names]
        turned = self.record["events"].astype(int) - np.bincount(np.array(deck, int), minlength=5)
        assert turned.min() >= 0, "more events than the option has"
        total = int(self.record["events"].sum())
        order = [*np.repeat(np.arange(5), turned), *deck]
        self.record["event_deck"][:total] = order
        self.record["event_turned"] = total - len(deck)
        self.record["event_discards"] = turned

    def ask(self, phase: int, seat: int, a: int = 0, b: int = 0) -> Table:
        """Have ``seat`` asked in a phase of its own."""
        self.record["pending"][0] = [phase, seat, a, b, 0, 0]
        self.record["pending_size"] = 1
        self.record["seat"] = seat
        self.batch.refresh()
        return self

    # --- playing -----------------------------------------------------------------------------------------------------

    def do(self, action: int) -> Table:
        self.batch.step([action])
        return self

    def swap(self, text: str) -> Table:
        """Swap these cards of the seat asked; one that can do nothing else is asked for the cards at once."""
        if self.phase == TURN:
            self.do(A_SWAP)
        return self.do(self.set_action(text))

    def lay(self, target: int, text: str) -> Table:
        """Catch or steal ``target`` with these cards; where there is no choice of cards, they are these."""
        mover = self.seat
        action = self.set_action(text)
        laid = cards(text)
        self.do(target)
        if self.phase == PLAY and self.seat == mover:
            self.do(action)
        assert sorted(card for card in self.record["last_cards"] if card != EMPTY) == laid
        return self

    def answer(self, text: str) -> Table:
        return self.do(self.set_action(text))

    def set_action(self, text: str) -> int:
        """Return the action that names these cards of the seat asked, by the first cowboys."""
        hand = [int(card) for card in self.record["hand"][self.seat]]
        slots = []
        for card in cards(text):
            slots.append(next(slot for slot in range(6) if hand[slot] == card and slot not in slots))
        return A_CARDS + SETS.index(tuple(sorted(slots)))

    # --- looking -----------------------------------------------------------------------------------------------------

    @property
    def seat(self) -> int:
        return int(self.batch.seat[0])

    @property
    def phase(self) -> int:
        size = int(self.record["pending_size"])
        return int(self.record["pending"][size - 1, 0]) if size else TURN

    @property
    def between_turns(self) -> bool:
        """Whether a new turn has begun; a seat that can only swap is asked for its cards already."""
        return self.phase in (TURN, SWAP)

    @property
    def legal(self) -> set[int]:
        return {int(action) for action in np.flatnonzero(self.batch.action_mask[0])}

    @property
    def legal_sets(self) -> set[str]:
        """The sets of cards that may be laid or swapped, as sorted texts."""
        hand = self.record["hand"][self.seat]
        chosen = [SETS[action - A_CARDS] for action in self.legal if A_CARDS <= action < A_DECLINE]
        return {text_of([int(hand[slot]) for slot in slots]) for slots in chosen}

    def hand(self, seat: int) -> str:
        return text_of([int(card) for card in self.record["hand"][seat] if card != EMPTY])

    @property
    def deck(self) -> list[int]:
        """The deck, the top first."""
        ring = (int(self.record["deck_top"]) + np.arange(int(self.record["deck_size"]))) % 49
        return [int(card) for card in self.record["deck"][ring]]

    @property
    def used(self) -> Counter[int]:
        return Counter({card: int(number) for card, number in enumerate(self.record["used"]) if number})

    def ranch(self, place: str, seat: int) -> Counter[int]:
        return self.of_types(self.record[place][seat])

    def lying(self, place: str = "prairie") -> Counter[int]:
        return self.of_types(self.record[place])

    @staticmethod
    def of_types(numbers: Any) -> Counter[int]:
        return Counter({type_: int(number) for type_, number in enumerate(numbers) if number})

    def pile(self, kind: str) -> list[int]:
        number = KINDS[kind]
        size = int(self.record["pile_size"][number])
        return [int(type_) for type_ in self.record["pile"][number, PILES[number] - size : PILES[number]]]

    @property
    def event_deck(self) -> list[str]:
        left = self.record["event_deck"][int(self.record["event_turned"]) : int(self.record["events"].sum())]
        return [EVENTS[event] for event in left]

    @property
    def ended(self) -> bool:
        return bool(self.batch.terminated[0])

    @property
    def cut(self) -> bool:
        return bool(self.batch.truncated[0])

    @property
    def over(self) -> bool:
        return self.seat == -1

    @property
    def scores(self) -> list[int]:
        return [int(score) for score in self.batch.scores[0, : self.batch.num_players[0]]]

    @property
    def ranks(self) -> list[int]:
        return [int(rank) for rank in self.batch.ranks[0, : self.batch.num_players[0]]]

    def sees(self, seat: int, part: str) -> Any:
        """A part of what a seat sees."""
        return GAME.observation_layout.view(self.batch.observe(seat)[0], part).tolist()


def text_of(numbers: list[int]) -> str:
    return " ".join("C" if card == COWBOY else f"{card // 5 + 1}{SUITS[card % 5]}" for card in sorted(numbers))


def played(games: int, players: int, steps: int, seed: int = 0) -> Batch:
    """Games in their middle."""
    batch = Batch(GAME, games, num_players=players, seed=seed, autoreset=False)
    play = RandomPlay(batch, seed)
    for _ in range(steps):
        batch.step(play.actions())
    return batch
