"""Mustang once more: plain Python objects, written from the rules document and its numbers alone.

A game is one generator, :meth:`Oracle._play`, that reads from top to bottom like the rulebook and stops at each
decision (:meth:`Oracle._ask`). Nothing here is shared with the kernels but the encoding of cards, counters and actions.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Generator, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache
from itertools import combinations
from typing import Any

# --- the encoding ----------------------------------------------------------------------------------------------------

COWBOY = 40
NO_CARD = 41
HAND = 6

STALLION, MARE, FOAL, SPECIAL = range(4)
BLACK_PRINCE, SNOW_WHITE = 15, 16
TYPES = 17
#: Cards of the combination for each kind (M9): a pair for a foal, ...
CARDS_FOR = {STALLION: 4, MARE: 3, FOAL: 2, SPECIAL: 5}

GATE, PRIDE, RAIN, DELIVERY, SUNNY = range(5)

SWAP = 0
CATCH = 1
CATCH_PILE = 18
STEAL = 21
CORRAL = 89
CARDS = 106
DECLINE = 168

#: Sets of hand slots, by size, then lexicographically: action CARDS + i names SLOT_SETS[i].
SLOT_SETS = [slots for size in range(1, 6) for slots in combinations(range(HAND), size)]

PHASES = ("turn", "swap", "play", "answer", "gate", "rain", "over")
LAST_ACTIONS = ("swap", "catch", "catch_pile", "steal", "stable")


def kind_of(counter: int) -> int:
    return SPECIAL if counter >= BLACK_PRINCE else counter // 5


def types_of(kind: int) -> range:
    return range(5 * kind, 5 * kind + 5) if kind != SPECIAL else range(BLACK_PRINCE, TYPES)


def value_of(card: int) -> int:
    return card // 5 + 1


def suit_of(card: int) -> int:
    return card % 5


# --- combinations (M9, M10, M17) -------------------------------------------------------------------------------------


def combination(cards: Sequence[int]) -> int:
    """Return the value that ``cards`` have as the combination of their number (M9), 0 if they are none.

    Two cards can only be a pair, three only three of a kind, four only four of a kind, five only a straight flush.
    """
    natural = [card for card in cards if card != COWBOY]
    if not natural:
        return 8  # M10: cowboys alone have the highest value
    values = [value_of(card) for card in natural]
    if len(cards) < 5:
        return values[0] if len(set(values)) == 1 else 0  # M10a
    same_suit = len({suit_of(card) for card in natural}) == 1
    different = len(set(values)) == len(values)
    if not same_suit or not different or max(values) - min(values) > 4:
        return 0
    return min(min(values) + 4, 8)  # M10a


@lru_cache(maxsize=200_000)
def _combination(cards: tuple[int, ...]) -> int:
    return combination(cards)


@dataclass(frozen=True)
class Play:
    """A set of hand slots that makes a combination: its action, its slots, its strength (size, then value)."""

    action: int
    slots: tuple[int, ...]
    strength: tuple[int, int]


def slot_sets(hand: tuple[int, ...]) -> list[tuple[int, tuple[int, ...]]]:
    """Return (action, slots) of all sets of cards in ``hand`` that count as different actions (M17)."""
    return _slot_sets(tuple([card == COWBOY for card in hand]))


@cache
def _slot_sets(is_cowboy: tuple[bool, ...]) -> list[tuple[int, tuple[int, ...]]]:
    cowboys = [slot for slot, cowboy in enumerate(is_cowboy) if cowboy]
    found = []
    for index, slots in enumerate(SLOT_SETS):
        if any(slot >= len(is_cowboy) for slot in slots):
            continue
        used = [slot for slot in slots if is_cowboy[slot]]
        if used == cowboys[: len(used)]:  # M17: the cowboys that come first in the hand
            found.append((CARDS + index, slots))
    return found


@lru_cache(maxsize=200_000)
def plays(hand: tuple[int, ...]) -> list[Play]:
    """Return all combinations in ``hand``."""
    found = []
    for action, slots in slot_sets(hand):
        value = _combination(tuple([hand[slot] for slot in slots])) if len(slots) >= 2 else 0
        if value > 0:
            found.append(Play(action, slots, (len(slots), value)))
    return found


# --- what is dealt ---------------------------------------------------------------------------------------------------


@dataclass
class Situation:
    """Everything between two turns. Index 0 is the top of the deck, of each pile and of the event deck."""

    hands: list[list[int]]
    deck: list[int]
    piles: list[list[int]]
    prairie: Counter[int]
    event_deck: list[int]
    dealer: int
    events: list[int]
    max_turns: int = 1000
    used: list[int] = field(default_factory=list)
    corrals: list[Counter[int]] = field(default_factory=list)
    stables: list[Counter[int]] = field(default_factory=list)
    removed: Counter[int] = field(default_factory=Counter)
    event_discards: list[int] = field(default_factory=list)
    turn: int = 0
    mover: int | None = None


#: M3: how many counters there are of a stallion, a mare, a foal of one suit; M2: the cowboy deck.
COPIES = (2, 3, 4)
DECK = [*range(COWBOY), *[COWBOY] * 9]


def deal(
    num_players: int,
    events: list[int],
    shuffle: Callable[[list[int]], list[int]],
    below: Callable[[int], int],
    dealer: int | None = None,
    max_turns: int = 1000,
) -> Situation:
    """Set up a game (M6, M7): piles, cowboy deck and event deck are shuffled in this order, then the dealer drawn."""
    piles = []
    for kind, copies in enumerate(COPIES):
        piles.append(shuffle([counter for counter in types_of(kind) for _ in range(copies)]))
    deck = shuffle(list(DECK))
    event_deck = shuffle([event for event, count in enumerate(events) for _ in range(count)])
    if dealer is None:
        dealer = below(num_players)
    prairie = Counter([BLACK_PRINCE, SNOW_WHITE, *(pile.pop(0) for pile in piles)])
    hands: list[list[int]] = [[] for _ in range(num_players)]
    for distance in range(num_players):
        hands[(dealer + distance) % num_players] = sorted(deck.pop(0) for _ in range(HAND))
    empty: list[Counter[int]] = [Counter() for _ in range(num_players)]
    return Situation(
        hands, deck, piles, prairie, event_deck, dealer, events, max_turns, corrals=empty, stables=empty, mover=dealer
    )


@dataclass(frozen=True)
class LastAction:
    """What the table remembers of the last action, and of that one only."""

    actor: int
    what: str
    counter: int | None = None
    owner: int | None = None
    value: int = 0
    cards: tuple[int, ...] = ()
    answer: tuple[int, ...] = ()
    cowboys: int = 0
    swapped: int = 0


class Oracle:
    """One game from a situation on.

    Args:
        situation: the deal (M6, M7), or any moment between two turns; it is copied.
        shuffle: returns its list in a new order; called for M20 and M20a.

    Attributes:
        asked: the seat asked, None when the game is over.
        phase: one of ``PHASES``.
        ended, truncated: how it is over.
        happened: how often each notable thing happened, for coverage.
    """

    def __init__(self, situation: Situation, shuffle: Callable[[list[int]], list[int]]) -> None:
        seats = len(situation.hands)
        self.num_players = seats
        self.shuffle = shuffle
        self.hands = [sorted(hand) for hand in situation.hands]
        self.deck = list(situation.deck)
        self.used = list(situation.used)
        self.piles = [list(pile) for pile in situation.piles]
        self.prairie = Counter(situation.prairie)
        self.corrals = [Counter(corral) for corral in situation.corrals or [Counter()] * seats]
        self.stables = [Counter(stable) for stable in situation.stables or [Counter()] * seats]
        self.removed = Counter(situation.removed)
        self.events = list(situation.events)
        self.event_deck = list(situation.event_deck)
        self.event_discards = list(situation.event_discards)
        self.dealer = situation.dealer
        self.max_turns = situation.max_turns
        self.turn = situation.turn
        self.mover = situation.dealer if situation.mover is None else situation.mover  # M7

        self.events_due = 0
        self.finisher: int | None = None
        self.ended = False
        self.truncated = False
        self.last: LastAction | None = None
        self.target: tuple[str, int | None, int] | None = None
        self.rain_moves = 0
        self.happened: Counter[str] = Counter()

        self.asked: int | None = None
        self.phase = "turn"
        self._choices: dict[int, Any] = {}
        self._game = self._play()
        next(self._game, None)

    # --- deciding ----------------------------------------------------------------------------------------------------

    @property
    def over(self) -> bool:
        return self.ended or self.truncated

    def legal(self) -> set[int]:
        """Return the actions of the seat asked; none when the game is over."""
        return set(self._choices)

    def step(self, action: int) -> None:
        """Play one legal action of the seat asked, and what follows from it without a choice."""
        if action not in self._choices:
            raise ValueError(f"action {action} is illegal for seat {self.asked}: legal are {sorted(self._choices)}")
        try:
            self._game.send(action)
        except StopIteration:
            self._choices = {}

    def _ask(self, seat: int, phase: str, choices: dict[int, Any]) -> Generator[None, int, Any]:
        """Let ``seat`` choose; what it has no choice about, it is not asked."""
        if len(choices) == 1:
            return next(iter(choices.values()))
        self.asked, self.phase, self._choices = seat, phase, choices
        action = yield
        self.asked, self._choices = None, {}
        return choices[action]

    # --- the game ----------------------------------------------------------------------------------------------------

    def _play(self) -> Generator[None, int, None]:
        while not self.over:
            yield from self._turn(self.mover)
            if not self.ended:  # M20: no event is turned up once the game has ended
                yield from self._events()
            if not self.ended:
                self.turn += 1
                self.mover = self._clockwise(self.mover, 1)  # M20a: whatever the event
                self.truncated = self.turn >= self.max_turns  # M29
        self.asked, self.phase = None, "over"
        self.happened.update(f"bonus of {self._suit_bonus(seat)}" for seat in range(self.num_players))

    def _turn(self, me: int) -> Generator[None, int, None]:
        """One of four actions (M8, M9, M13, M16); there is no pass (M19)."""
        what, detail = yield from self._ask(me, "turn", self._turn_choices(me))
        if what == "swap":
            yield from self._swap(me)
        elif what == "stable":
            self._to_stable(me, detail)
            self.last = LastAction(me, "stable", counter=detail)
            self.happened["stabled"] += 1
            if self._is_herd(self.stables[me]):
                self._finish(me, "herd end")
        elif what == "steal":
            yield from self._steal(me, *detail)
        else:
            yield from self._catch(me, what, detail)

    def _turn_choices(self, me: int) -> dict[int, tuple[str, Any]]:
        affordable = {len(play.slots) for play in plays(tuple(self.hands[me]))}
        kinds = {kind for kind, cards in CARDS_FOR.items() if cards in affordable}
        choices: dict[int, tuple[str, Any]] = {SWAP: ("swap", None)}
        for counter in self._present(self.prairie):  # M11
            if kind_of(counter) in kinds:
                choices[CATCH + counter] = ("catch", counter)
        for kind, pile in enumerate(self.piles):
            if kind in kinds and pile:
                choices[CATCH_PILE + kind] = ("catch_pile", kind)
        for distance in range(1, self.num_players):  # M13
            owner = self._clockwise(me, distance)
            for counter in self._present(self.corrals[owner]):
                if kind_of(counter) in kinds:
                    choices[STEAL + (distance - 1) * TYPES + counter] = ("steal", (owner, counter))
        for counter in self._present(self.corrals[me]):  # M16
            choices[CORRAL + counter] = ("stable", counter)
        return choices

    def _swap(self, me: int) -> Generator[None, int, None]:
        hand = self.hands[me]
        sets = {action: slots for action, slots in slot_sets(tuple(hand)) if len(slots) <= 2}
        slots = yield from self._ask(me, "swap", sets)
        swapped = self._take(me, slots)  # M8a: named before any is drawn
        self.happened[f"swap {len(swapped)} of a deck of {min(len(self.deck), 3)}"] += 1
        for left in range(len(swapped) - 1, -1, -1):  # M8: first drawn ...
            self._deal_one(me)
            if not self.deck and left > 0:
                self.happened["reshuffle within a swap"] += 1
                self._new_deck()  # M8a: deck of 1, swap 2
        self.deck += swapped  # M8: ... then the swapped cards go under the deck, in hand order
        hand.sort()
        self.last = LastAction(me, "swap", swapped=len(swapped))

    def _catch(self, me: int, how: str, detail: int) -> Generator[None, int, None]:
        kind = detail if how == "catch_pile" else kind_of(detail)
        self.target = (how, None if how == "catch_pile" else detail, kind)
        play = yield from self._choose_play(me, kind)
        self.target = None
        cards = self._discard(me, play.slots)
        counter = self.piles[kind].pop(0) if how == "catch_pile" else detail
        if how == "catch":
            self._move(counter, self.prairie, self.corrals[me])
        else:
            self.corrals[me][counter] += 1
        self.last = LastAction(me, how, counter=counter, value=play.strength[1], cards=cards)
        self._note_play(f"{how} {('stallion', 'mare', 'foal', 'special')[kind]}", cards)
        if how == "catch" and kind != SPECIAL and sum(self.prairie[t] for t in types_of(kind)) > 0:
            self.happened["catch beside others of the kind"] += 1
        if kind != SPECIAL and not self._on_prairie(kind):
            self._finish(me, "last counter")  # M26
            if len(self.deck) <= len(cards):
                self.happened["end before an empty deck"] += 1  # M26a
            return
        if how == "catch":
            self._turn_up(kind)  # M12
        self._refill(me)

    def _steal(self, thief: int, owner: int, counter: int) -> Generator[None, int, None]:
        kind = kind_of(counter)
        distance = (owner - thief) % self.num_players
        self.target = (f"steal {distance}", counter, kind)
        play = yield from self._choose_play(thief, kind)
        self.target = None
        cards = self._discard(thief, play.slots)
        value = play.strength[1]
        self.last = LastAction(thief, "steal", counter=counter, owner=owner, value=value, cards=cards)
        self._note_play("theft of a " + ("stallion", "mare", "foal", "special")[kind], cards)

        # M14: the same kind at a strictly higher value, or a higher kind at any; sizes rank as their kinds do.
        answers: dict[int, Play | None] = {
            better.action: better for better in plays(tuple(self.hands[owner])) if better.strength > play.strength
        }
        could = bool(answers)
        answers[DECLINE] = None
        answer = yield from self._ask(owner, "answer", answers)
        if answer is None:
            self._move(counter, self.corrals[owner], self.corrals[thief])  # M15
            self.happened["theft declined" if could else "theft that nothing beats"] += 1
            self.happened["Black Prince stolen"] += counter == BLACK_PRINCE
            self.happened["Snow White Mare stolen"] += counter == SNOW_WHITE
        else:
            answered = self._discard(owner, answer.slots)
            cowboys = [slot for slot, card in enumerate(self.hands[thief]) if card == COWBOY]
            self._discard(thief, cowboys)  # M15
            self.last = LastAction(thief, "steal", counter, owner, value, cards, answer=answered, cowboys=len(cowboys))
            same = len(answered) == len(cards)
            self._note_play("answer of the same kind" if same else "answer of a higher kind", answered)
            self.happened["thief discards cowboys"] += bool(cowboys)
            self.happened["owner keeps cowboys"] += COWBOY in self.hands[owner]
        self._refill(thief)  # M18: the thief first, then the owner
        self._refill(owner)

    def _choose_play(self, me: int, kind: int) -> Generator[None, int, Play]:
        size = CARDS_FOR[kind]
        sets = {play.action: play for play in plays(tuple(self.hands[me])) if len(play.slots) == size}
        chosen: Play = yield from self._ask(me, "play", sets)
        return chosen

    # --- cards -------------------------------------------------------------------------------------------------------

    def _take(self, seat: int, slots: Iterable[int]) -> list[int]:
        """Take cards out of a hand; return them in hand order."""
        hand = self.hands[seat]
        chosen = set(slots)
        taken = [card for slot, card in enumerate(hand) if slot in chosen]
        hand[:] = [card for slot, card in enumerate(hand) if slot not in chosen]
        return taken

    def _discard(self, seat: int, slots: Iterable[int]) -> tuple[int, ...]:
        taken = self._take(seat, slots)
        self.used += taken  # M18
        return tuple(taken)

    def _deal_one(self, seat: int) -> None:
        self.hands[seat].append(self.deck.pop(0))

    def _refill(self, seat: int) -> None:
        while len(self.hands[seat]) < HAND:
            self._deal_one(seat)
            if not self.deck:
                self._new_deck()
        self.hands[seat].sort()

    def _new_deck(self) -> None:
        """M20: the used pile, shuffled; an event is due."""
        self.deck = self.shuffle(sorted(self.used))
        self.used = []
        self.events_due += 1
        self.happened["new deck"] += 1

    # --- counters ----------------------------------------------------------------------------------------------------

    @staticmethod
    def _present(place: Counter[int]) -> list[int]:
        return [counter for counter in range(TYPES) if place[counter] > 0]

    @staticmethod
    def _move(counter: int, source: Counter[int], target: Counter[int]) -> None:
        assert source[counter] > 0
        source[counter] -= 1
        target[counter] += 1

    def _to_stable(self, seat: int, counter: int) -> None:
        self._move(counter, self.corrals[seat], self.stables[seat])

    def _face_up(self, kind: int) -> int:
        return sum(self.prairie[counter] for counter in types_of(kind))

    def _on_prairie(self, kind: int) -> bool:
        return self._face_up(kind) > 0 or len(self.piles[kind]) > 0

    def _turn_up(self, kind: int) -> None:
        """Replace a face-up counter while the pile lasts (M12); the special horses have no pile."""
        if kind != SPECIAL and self.piles[kind]:
            self.prairie[self.piles[kind].pop(0)] += 1

    @staticmethod
    def _is_herd(stable: Counter[int]) -> bool:
        """M26: a stallion, two mares, three foals of any suits; the special horses are neither."""
        count = [sum(stable[counter] for counter in types_of(kind)) for kind in (STALLION, MARE, FOAL)]
        return count[STALLION] >= 1 and count[MARE] >= 2 and count[FOAL] >= 3

    def _finish(self, seat: int | None, how: str) -> None:
        self.ended = True
        self.finisher = seat
        self.happened[how] += 1

    # --- events (M20 to M25) -----------------------------------------------------------------------------------------

    def _events(self) -> Generator[None, int, None]:
        assert self.events_due <= 1  # M20a
        while self.events_due and not self.ended:
            self.events_due -= 1
            if not self.event_deck:  # M20a
                cards = [event for event, count in enumerate(self.events) for _ in range(count)]
                self.event_deck = self.shuffle(cards)
                self.event_discards = []
                self.happened["event deck reshuffled"] += 1
            event = self.event_deck.pop(0)
            self.event_discards.append(event)
            self.happened[f"event {event}"] += 1
            if event == GATE:
                yield from self._rotten_gate()
            elif event == PRIDE:
                self._pride_of_the_herd()
            elif event == RAIN:
                yield from self._heavy_rain()
            elif event == DELIVERY:
                self._delivery()

    def _rotten_gate(self) -> Generator[None, int, None]:
        for seat in self._from_the_dealer():  # M21
            choices = {CORRAL + counter: counter for counter in self._present(self.corrals[seat])}
            if not choices:
                continue
            counter = yield from self._ask(seat, "gate", choices)
            self._move(counter, self.corrals[seat], self.prairie)
            self.happened["gate"] += 1
            self.happened["special horse through the gate"] += kind_of(counter) == SPECIAL

    def _pride_of_the_herd(self) -> None:
        left = [self._face_up(kind) for kind in (STALLION, MARE, FOAL)]  # M22
        self.happened["special horse leaves the game"] += self._face_up(SPECIAL) > 0
        self.happened["several of a kind leave"] += max(left) > 1
        self.removed.update(self.prairie)
        self.prairie = Counter()
        for kind, count in enumerate(left):
            for _ in range(count):
                self._turn_up(kind)
        if any(self._face_up(kind) == 0 for kind in (STALLION, MARE, FOAL)):
            self._finish(None, "end by the pride of the herd")

    def _heavy_rain(self) -> Generator[None, int, None]:
        herds: list[int] = []
        for seat in self._from_the_dealer():  # M23
            for self.rain_moves in (2, 1):
                choices: dict[int, int | None] = {
                    CORRAL + counter: counter for counter in self._present(self.corrals[seat])
                }
                choices[DECLINE] = None
                counter = yield from self._ask(seat, "rain", choices)
                if counter is None:
                    break
                self._to_stable(seat, counter)
                self.happened[f"rain, move {3 - self.rain_moves}"] += 1
                if self._is_herd(self.stables[seat]) and seat not in herds:
                    herds.append(seat)
                    self.finisher = herds[0]  # M27; the others complete the event
        self.rain_moves = 0
        if herds:
            self._finish(herds[0], "herd in the rain")
        self.happened["two herds in one rain"] += len(herds) > 1

    def _delivery(self) -> None:
        for seat in self._from_the_dealer():  # M24
            stable = self.stables[seat]
            entitled = all(any(stable[counter] for counter in types_of(kind)) for kind in (STALLION, MARE))
            if entitled and self.piles[FOAL]:
                self.corrals[seat][self.piles[FOAL].pop(0)] += 1
                self.happened["delivered"] += 1
            self.happened["nothing to deliver"] += entitled and not self.piles[FOAL]

    def _from_the_dealer(self) -> list[int]:
        return [self._clockwise(self.dealer, distance) for distance in range(self.num_players)]

    def _clockwise(self, seat: int, distance: int) -> int:
        return (seat + distance) % self.num_players

    # --- the end (M26 to M29) ----------------------------------------------------------------------------------------

    def points(self, seat: int) -> int:
        """M27 without the bonus for finishing."""
        worth = {STALLION: 3, MARE: 2, FOAL: 1, SPECIAL: 5}
        owned = self.corrals[seat] + self.stables[seat]
        total = sum(worth[kind_of(counter)] * count for counter, count in owned.items())
        return total + self._suit_bonus(seat)

    def _suit_bonus(self, seat: int) -> int:
        stable = self.stables[seat]
        suits = [(stable[suit], stable[5 + suit], stable[10 + suit]) for suit in range(5)]
        if any(stallions >= 1 and mares >= 2 and foals >= 3 for stallions, mares, foals in suits):
            return 7
        if any(stallions >= 1 and mares >= 1 for stallions, mares, _ in suits):
            return 2
        return 0

    def score_keys(self) -> list[tuple[int, int, int]]:
        """Return score, whether a special horse is held, and stallions in the stable, a row a seat (M28)."""
        keys = []
        for seat in range(self.num_players):
            stable = self.stables[seat]
            owned = self.corrals[seat] + stable
            score = self.points(seat) + (3 if seat == self.finisher else 0)
            special = owned[BLACK_PRINCE] + owned[SNOW_WHITE] > 0
            keys.append((score, int(special), sum(stable[counter] for counter in types_of(STALLION))))
        return keys

    def ranks(self) -> list[int]:
        keys = self.score_keys()
        return [sum(other > mine for other in keys) for mine in keys]

    def winners(self) -> list[bool]:
        return [rank == 0 for rank in self.ranks()]

    # --- what a player knows -----------------------------------------------------------------------------------------

    def what_seat_knows(self, seat: int) -> dict[str, Any]:
        """Return all that ``seat`` knows, by the names and shapes of the observation's parts."""
        order = [self._clockwise(seat, distance) for distance in range(self.num_players)]
        hand = self.hands[seat]
        own = self.mover == seat
        phase = self.phase if own or self.phase not in ("swap", "play") else "turn"
        target = self.target if own and self.phase == "play" else None
        last = self.last
        best = dict.fromkeys((2, 3, 4, 5), 0)
        for play in plays(tuple(hand)):
            best[play.strength[0]] = max(best[play.strength[0]], play.strength[1])

        def who(of: int | None) -> list[int]:
            return [int(of is not None and of == other) for other in order] + [0] * (5 - len(order))

        def each(numbers: Sequence[Counter[int]]) -> list[list[int]]:
            return [counts(numbers[other], TYPES) for other in order] + [[0] * TYPES] * (5 - len(order))

        target_places = ("catch", "catch_pile", "steal 1", "steal 2", "steal 3", "steal 4")
        return {
            "seats": [1] * len(order) + [0] * (5 - len(order)),
            "phase": one_of(PHASES.index(phase), len(PHASES)),
            "asked": who(self.asked),
            "mover": who(None if self.over else self.mover),
            "dealer": who(self.dealer),
            "hand": [card_features(hand[slot]) if slot < len(hand) else [0] * 14 for slot in range(HAND)],
            "best": list(best.values()),
            "prairie": counts(self.prairie, TYPES),
            "piles": [len(pile) for pile in self.piles],
            "corral": each(self.corrals),
            "stable": each(self.stables),
            "points": [self.points(other) for other in order] + [0] * (5 - len(order)),
            "removed": counts(self.removed, TYPES),
            "used": counts(self.used, 41),
            "deck": [len(self.deck)],
            "event_discards": counts(self.event_discards, 5),
            "events": self.events,
            "event_deck": [len(self.event_deck)],
            "target_place": one_of(target_places.index(target[0]) if target else None, 6),
            "target_type": one_of(target[1] if target else None, TYPES),
            "target_kind": one_of(target[2] if target else None, 4),
            "rain_moves": [self.rain_moves if self.phase == "rain" else 0],
            "turns_left": [min(self.max_turns - self.turn, 100)],
            "last_actor": who(last.actor if last else None),
            "last_action": one_of(LAST_ACTIONS.index(last.what) if last else None, len(LAST_ACTIONS)),
            "last_type": one_of(last.counter if last else None, TYPES),
            "last_owner": who(last.owner if last else None),
            "last_value": [last.value if last else 0],
            "last_cards": counts(last.cards if last else (), 41),
            "last_answer": counts(last.answer if last else (), 41),
            "last_cowboys": [last.cowboys if last else 0],
            "last_swapped": [last.swapped if last else 0],
        }

    # --- coverage ----------------------------------------------------------------------------------------------------

    def _note_play(self, what: str, cards: Sequence[int]) -> None:
        self.happened[what] += 1
        if all(card == COWBOY for card in cards):
            self.happened[f"{len(cards)} cowboys alone"] += 1


def counts(things: Counter[int] | Iterable[int], size: int) -> list[int]:
    counted = [0] * size
    for thing, number in (things if isinstance(things, Counter) else Counter(things)).items():
        counted[thing] = number
    return counted


def one_of(index: int | None, size: int) -> list[int]:
    return [int(index is not None and i == index) for i in range(size)]


def card_features(card: int) -> list[int]:
    """Return value 1 to 8, suit, cowboy."""
    if card == COWBOY:
        return [0] * 13 + [1]
    return one_of(value_of(card) - 1, 8) + one_of(suit_of(card), 5) + [0]
