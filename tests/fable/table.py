"""Situations of Fable, told in short words and written into a record.

Locations have their numbers, 1 to 59. Their content is plain, one fruit drawn and a price that nobody can pay, but for
what a test says of them: ``Table(["B B", "C"], {1: "draw 1, swap 3"}, {1: "GGG*"})``. A hand is ``"B C BC"``: fruits,
and mix cards by their two types; tokens are ``"B wild turn"``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from fable_env import GAME
from fable_env.sets import CONTENT
from tablezoo import Batch
from tablezoo.content import ContentSet, Faults
from tablezoo.rng import seed_streams

LETTERS = "BCGPS"
CARDS = [*LETTERS, "BC", "BG", "BP", "BS", "CG", "CP", "CS", "GP", "GS", "PS"]
ITEMS = [*CARDS, *(f"{letter} token" for letter in LETTERS), "wild"]
"""What is held, in the order of F10b."""
LOCATIONS = 59
NOBODY = NOWHERE = NOTHING = -1
DEAR = "*" * 12
"""A price that takes twelve fruits: too dear for the hands of these tests."""
FIRST_SIX = dict.fromkeys(range(1, 7), 4)
WORDS = [
    *(f"slot {slot}" for slot in range(24)),
    "use",
    "buy",
    *ITEMS,
    *(f"left {steps}" for steps in range(1, 5)),
    *(f"name {letter}" for letter in LETTERS),
    "stop",
    "on",
    "spend",
]
"""The actions by their numbers; slots and players depend on the situation, see :attr:`Table.legal`."""

# --- content ---------------------------------------------------------------------------------------------------------


def plain(actions: Mapping[int, str] | None = None, prices: Mapping[int, str] | None = None) -> dict[str, Any]:
    """Return a content document with these actions (``"draw 1, swap 3"``) and prices at some locations."""
    return {
        "locations": [
            {
                "name": f"Place {number}",
                "action": (actions or {}).get(number, "draw 1").split(", "),
                "price": (prices or {}).get(number, DEAR),
            }
            for number in range(1, LOCATIONS + 1)
        ]
    }


def content_set(document: Mapping[str, Any]) -> ContentSet:
    assert GAME.content is not None
    faults, record = Faults("rules.toml", ""), np.zeros(1, CONTENT)
    GAME.content.read(document, faults, record)
    faults.check()
    return ContentSet("rules", record)


# --- words and numbers -----------------------------------------------------------------------------------------------


def counts(text: str, names: Sequence[str]) -> list[int]:
    """Return how often each name stands in a text."""
    words = text.split()
    assert set(words) <= set(names), f"{text!r} holds other words than {names}"
    return [words.count(name) for name in names]


def text_of(numbers: Iterable[int], names: Sequence[str]) -> str:
    """Return the names in their order, each as often as the number says."""
    return " ".join(name for name, number in zip(names, numbers, strict=True) for _ in range(int(number)))


# --- a game ----------------------------------------------------------------------------------------------------------


class Table:
    """A game in a situation that a test has set up; somebody is about to move.

    Args:
        hands: a hand for each seat, or how many seats there are, which hold a banana each then.
        actions, prices: at these locations; see :func:`plain`. A set in their place with ``content=``.
        stacks: cards of each location in play; those that ``drawn`` leaves out of it are thought of as bought.
        drawn: cards that have left the location stack.
        animals: where the animals of some seats stand.
        thief: where it lies (None: idle) and who put it there.
        tokens: by seat; the rest is in the supply.
        fruits: the fruit stack; if None, all fruits that are nowhere else.
        mixes: the mix stack; if None, all mixes that are nowhere else.
        turn: turns played before this one; if None, as many as the round has had.
        options: of the game.
    """

    def __init__(
        self,
        hands: Sequence[str] | int,
        actions: Mapping[int, str] | None = None,
        prices: Mapping[int, str] | None = None,
        *,
        stacks: Mapping[int, int] = FIRST_SIX,
        drawn: int = 24,
        animals: Mapping[int, int] | None = None,
        thief: tuple[int | None, int] | None = None,
        tokens: Mapping[int, str] | None = None,
        juices: Mapping[int, int] | None = None,
        discards: str = "",
        fruits: str | None = None,
        mixes: str | None = None,
        mover: int = 0,
        starter: int = 0,
        triggered: bool = False,
        extra: bool = False,
        turn: int | None = None,
        content: ContentSet | None = None,
        seed: int = 1,
        **options: Any,
    ) -> None:
        held = ["B"] * hands if isinstance(hands, int) else list(hands)
        self.players = len(held)
        chosen = content or content_set(plain(actions, prices))
        self.batch = Batch(
            GAME, 1, num_players=self.players, seed=seed,  content=chosen,
            **{"start_seat": starter, "autoreset": False, **options},
        )  # fmt: skip
        record = self.record = self.batch.states[0]
        self._lay_stacks(stacks, drawn)
        self._lay_cards(held, discards, fruits, mixes)
        self._lay_tokens(tokens or {})
        for seat in range(self.players):
            record["juices"][seat] = (juices or {}).get(seat, 0)
            record["animal"][seat] = (animals or {}).get(seat, 0) - 1
        where, owner = thief or (None, NOBODY)
        record["thief"], record["thief_owner"] = NOWHERE if where is None else where - 1, owner
        record["mover"] = record["seat"] = mover
        record["starter"] = record["campaign_start"] = starter
        record["triggered"], record["extra"] = triggered, extra
        record["turn"] = (mover - starter) % self.players if turn is None else turn
        self.batch.refresh()

    def _lay_stacks(self, stacks: Mapping[int, int], drawn: int) -> None:
        self.record["cards"] = [stacks.get(number, 0) for number in range(1, LOCATIONS + 1)]
        listed = sorted(number - 1 for number in stacks)
        self.record["stacks"] = listed + [LOCATIONS] * (24 - len(listed))
        self.record["num_stacks"] = len(listed)
        self.record["drawn"] = drawn

    def _lay_cards(self, hands: Sequence[str], discards: str, fruits: str | None, mixes: str | None) -> None:
        self.record["hand"] = 0
        for seat, hand in enumerate(hands):
            self.record["hand"][seat] = counts(hand, CARDS)
            self.record["hand_size"][seat] = len(hand.split())
        used = np.add(self.record["hand"].sum(0), [*counts(discards, LETTERS), *[0] * 10])
        assert used[:5].max() <= 12, "there are twelve fruits of a type"
        assert used[5:].max() <= 1, "there is one mix card of each pair"
        self.record["discards"] = counts(discards, LETTERS)
        self.record["fruit_stack"] = 12 - used[:5] if fruits is None else counts(fruits, LETTERS)
        self.record["mix_stack"] = 1 - used[5:] if mixes is None else counts(mixes, CARDS[5:])

    def _lay_tokens(self, tokens: Mapping[int, str]) -> None:
        self.record["token_owner"] = NOBODY
        self.record["wild_tokens"] = self.record["turn_tokens"] = 0
        for seat, text in tokens.items():
            for word in text.split():
                if word in LETTERS:
                    self.record["token_owner"][LETTERS.index(word)] = seat
                else:
                    self.record[f"{word}_tokens"][seat] += 1

    # --- playing -----------------------------------------------------------------------------------------------------

    def do(self, *texts: str) -> Table:
        """Play decisions in the words of :attr:`legal`."""
        for text in texts:
            actions = {self._words(int(action)): int(action) for action in np.flatnonzero(self.batch.action_mask[0])}
            assert text in actions, f"{text!r} is none of {sorted(actions)}, which seat {self.seat} may do"
            self.batch.step([actions[text]])
        return self

    def _words(self, action: int) -> str:
        word = WORDS[action]
        if word.startswith("slot"):
            return f"#{int(self.record['stacks'][int(word[5:])]) + 1}"
        if word.startswith("left"):
            return f"seat {(self.seat + int(word[-1])) % self.players}"
        return word

    # --- looking -----------------------------------------------------------------------------------------------------

    @property
    def legal(self) -> set[str]:
        """What the seat asked may do: ``"#3"`` (a location), ``"use"``, ``"buy"``, ``"B"``, ``"PS"``, ``"B token"``,
        ``"wild"``, ``"seat 2"``, ``"name G"``, ``"stop"``, ``"on"`` (turn up another), ``"spend"``."""
        return {self._words(int(action)) for action in np.flatnonzero(self.batch.action_mask[0])}

    @property
    def seat(self) -> int:
        return int(self.batch.seat[0])

    @property
    def moving(self) -> int:
        """Whose turn begins: the seat that is asked where to move."""
        assert self.record["pending_size"] == 0, f"seat {self.seat} is asked for {self.legal}"
        assert self.seat == self.record["mover"] or self.over
        return self.seat

    @property
    def turn(self) -> int:
        return int(self.record["turn"])

    def hand(self, seat: int) -> str:
        assert self.record["hand"][seat].sum() == self.record["hand_size"][seat]
        return text_of(self.record["hand"][seat], CARDS)

    @property
    def hands(self) -> list[str]:
        return [self.hand(seat) for seat in range(self.players)]

    @property
    def sizes(self) -> list[int]:
        """How many fruits each hand holds."""
        return self.record["hand_size"][: self.players].tolist()

    def tokens(self, seat: int) -> str:
        own = [letter for letter, owner in zip(LETTERS, self.record["token_owner"], strict=True) if owner == seat]
        own += ["wild"] * int(self.record["wild_tokens"][seat]) + ["turn"] * int(self.record["turn_tokens"][seat])
        return " ".join(own)

    @property
    def juices(self) -> list[int]:
        return self.record["juices"][: self.players].tolist()

    @property
    def discards(self) -> str:
        return text_of(self.record["discards"], LETTERS)

    @property
    def fruits(self) -> str:
        """The fruit stack."""
        return text_of(self.record["fruit_stack"], LETTERS)

    @property
    def mixes(self) -> str:
        """The mix stack."""
        return text_of(self.record["mix_stack"], CARDS[5:])

    @property
    def stacks(self) -> dict[int, int]:
        """Cards in each small stack."""
        cards = {number + 1: int(number_of) for number, number_of in enumerate(self.record["cards"]) if number_of}
        listed = self.record["stacks"][: int(self.record["num_stacks"])]
        assert [number + 1 for number in listed.tolist()] == sorted(cards)
        return cards

    @property
    def animals(self) -> list[int | None]:
        """Where the animals stand; None before their owners."""
        return [None if at == NOWHERE else at + 1 for at in self.record["animal"][: self.players].tolist()]

    @property
    def thief(self) -> tuple[int | None, int]:
        """Where it lies (None: nowhere), and who put it last."""
        where = int(self.record["thief"])
        return None if where == NOWHERE else where + 1, int(self.record["thief_owner"])

    @property
    def triggered(self) -> bool:
        return bool(self.record["triggered"])

    @property
    def over(self) -> bool:
        return self.seat == -1

    @property
    def ended(self) -> bool:
        return bool(self.batch.terminated[0])

    @property
    def cut(self) -> bool:
        return bool(self.batch.truncated[0])

    @property
    def scores(self) -> list[int]:
        return self.batch.scores[0, : self.players].tolist()

    @property
    def ranks(self) -> list[int]:
        return self.batch.ranks[0, : self.players].tolist()

    def sees(self, seat: int, part: str) -> Any:
        """A part of what a seat sees."""
        return GAME.observation_layout.view(self.batch.observe(seat)[0], part).tolist()


def used(hands: Sequence[str] | int, action: str, *texts: str, **situation: Any) -> Table:
    """Return a game after the mover has gone to location 1, which has this action, and decided the rest."""
    return Table(hands, {1: action}, **situation).do("#1", *texts)


def visiting(hands: Sequence[str] | int, *texts: str, **situation: Any) -> Table:
    """Return a game after a move to location 1, up to the choice between its action and its juice.

    The mover has a wild token, so that there is that choice.
    """
    table = Table(hands, None, {1: "*"}, tokens={situation.get("mover", 0): "wild"}, **situation).do("#1", *texts)
    assert table.legal == {"use", "buy"}
    return table


def outcomes(table: Table, text: str, tries: int = 600) -> Counter[tuple[str, ...]]:
    """Return which hands come of a decision, and how often, with a stream of its own for each try."""
    copies = table.batch.clone(np.zeros(tries, int))
    copies.states["rng"] = seed_streams(1, tries)
    action = next(number for number in range(len(WORDS)) if table._words(number) == text)
    copies.step(np.full(tries, action))
    hands = copies.states["hand"][:, : table.players]
    return Counter(tuple(text_of(hand, CARDS) for hand in of_one) for of_one in hands)


def turn_of(table: Table) -> Table:
    """Play a turn of whoever moves: the first location that may be chosen, and its action."""
    mover, turn = table.moving, table.turn
    table.do(min(table.legal))
    while not table.over and (table.seat, table.turn) == (mover, turn):
        table.do("use" if "use" in table.legal else min(table.legal))
    return table
