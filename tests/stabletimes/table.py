"""Situations of Stable Times, told in short words and written into a record; and a scorer to check against.

Horses have the names of ``content/rules.toml``: ``"a1"`` to ``"a12"`` are of the type Ash, then come Bay, Cream, Dun,
Ebony, and ``"w1"`` to ``"w9"`` are wild. Their disciplines are rail, block, flag in turn; w7 to w9 have none. Aisles
and fields have the numbers 1 to 4 and 1 to 3, as in the rules. A stable is ``"a1 a2 | b1"``: aisle by aisle, the top
stall first; a field is ``"a1 b2"``, the top horse last.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterable, Mapping, Sequence
from copy import deepcopy
from pathlib import Path
from typing import Any

import numpy as np

from stabletimes_env import GAME
from stabletimes_env.sets import CONTENT
from tablezoo import Batch
from tablezoo.content import ContentSet, Faults
from tablezoo.testing.case import RandomPlay

RULES_FILE = Path(__file__).parent / "content" / "rules.toml"
RULES: dict[str, Any] = tomllib.loads(RULES_FILE.read_text(encoding="utf-8"))

NAMES: list[str] = [horse["name"] for horse in RULES["horses"]]
TYPES: list[str] = RULES["types"]
DISCIPLINES = ("rail", "block", "flag")
STALLS = ("top", "middle", "bottom")
EMPTY, NO_TYPE = 69, 5
AT_HOME = 64
SWAP, PLACE, PLACE_AGAIN, DISCARD = range(4)
A_PLACE, A_DISCARD, A_STOP = 27, 39, 48


# --- content ---------------------------------------------------------------------------------------------------------


def wish(kind: str, points: int, **words: Any) -> dict[str, Any]:
    """Return a preference."""
    return {"kind": kind, "points": points, **words}


def flat(points: int) -> dict[str, Any]:
    return wish("flat", points)


def board(
    condition: str, basic: int, upgraded: int = 20, preferred: str = "Ash", measure: str = "", cap: int | None = None
) -> dict[str, Any]:
    """Return a board, but for its name."""
    words: dict[str, Any] = {"condition": condition}
    if measure:
        words["in"] = measure
    if cap is not None:
        words["cap"] = cap
    return {"type": preferred, "basic": words | {"points": basic}, "upgraded": words | {"points": upgraded}}


def plain(
    preferences: Mapping[str, Mapping[str, Any]] | None = None, boards: Sequence[Mapping[str, Any]] = ()
) -> dict[str, Any]:
    """Return content in which horses and boards score nothing, but for those given (boards from the first on)."""
    document = deepcopy(RULES)
    for horse in document["horses"]:
        horse["preference"] = dict((preferences or {}).get(horse["name"], flat(0)))
    for number, own in enumerate(document["boards"]):
        own.update(boards[number] if number < len(boards) else board("complete_aisles", 0, 0, own["type"]))
    return document


def content_set(document: Mapping[str, Any]) -> ContentSet:
    assert GAME.content is not None
    faults, record = Faults("rules.toml", ""), np.zeros(1, CONTENT)
    GAME.content.read(document, faults, record)
    faults.check()
    return ContentSet("rules", record)


PLAIN = plain()


# --- the score, once more --------------------------------------------------------------------------------------------

Aisle = list[str]
Stable = list[Aisle]


class Scorer:
    """What stables are worth by S20, S34 and S35, told as those rules tell it."""

    def __init__(self, document: Mapping[str, Any], stables: Sequence[Stable], boards: Sequence[int]) -> None:
        self.horses: dict[str, dict[str, Any]] = {horse["name"]: horse for horse in document["horses"]}
        self.stables = stables
        self.boards = [document["boards"][number] for number in boards]

    def points(self, upgraded: Sequence[bool]) -> list[int]:
        sides = ["upgraded" if flipped else "basic" for flipped in upgraded]
        return [self.seat_points(seat, sides[seat]) for seat in range(len(self.stables))]

    def seat_points(self, seat: int, side: str) -> int:
        stable = self.stables[seat]
        places = [(aisle, stall) for aisle in range(4) for stall in range(len(stable[aisle]))]
        horses = sum(self.preference(seat, aisle, stall) for aisle, stall in places)
        scored = self.boards[seat][side]
        number = min(self.condition(seat, scored), scored.get("cap", 99))
        return horses + scored["points"] * number + 5 * self.measure(stable, "discipline_sets")

    def flips(self, seat: int) -> bool:
        """Whether the stable has what S18 asks for."""
        stable = self.stables[seat]
        complete = any(len(aisle) == 3 and self.type_of(aisle) == self.boards[seat]["type"] for aisle in stable)
        return complete and self.measure(stable, "discipline_sets") >= 2

    def type_of(self, aisle: Aisle) -> str | None:
        return next((self.horses[name]["type"] for name in aisle if not self.is_wild(name)), None)

    def outlook(self, aisle: Aisle) -> int:
        """What the horses of an aisle count beyond it: a bit for each type next door, AT_HOME for other aisles."""
        bits = 0
        for wish in (self.horses[name]["preference"] for name in aisle):
            if wish["kind"] == "next_door":
                bits |= 1 << TYPES.index(wish["type"])
            elif wish["kind"] == "neighbour" or wish.get("where") == "stable":
                bits |= AT_HOME
        return bits

    def is_wild(self, name: str) -> bool:
        return self.horses[name]["type"] == "wild"

    def discipline(self, name: str) -> str:
        return self.horses[name].get("discipline", "none")

    def preference(self, seat: int, number: int, stall: int) -> int:
        stable = self.stables[seat]
        aisle = stable[number]
        name = aisle[stall]
        wish = self.horses[name]["preference"]
        where = [aisle] if wish.get("where") == "aisle" else stable
        others = [[other for other in place if other != name] for place in where]
        disciplines = [self.discipline(other) for other in aisle]
        whole = len(aisle) == 3 and "none" not in disciplines
        beside = [stable[other] for other in (number - 1, number + 1) if 0 <= other < 4]
        counts: dict[str, Callable[[], int]] = {
            "flat": lambda: 1,
            "stall": lambda: STALLS[stall] == wish["stall"],
            "aisles": lambda: number + 1 in wish["aisles"],
            "side": lambda: (number in (1, 2)) == (wish["side"] == "inner"),
            "complete": lambda: len(aisle) == 3,
            "all_different": lambda: whole and len(set(disciplines)) == 3,
            "all_equal": lambda: whole and len(set(disciplines)) == 1,
            "neighbour": lambda: wish["type"] in [self.type_of(other) for other in beside],
            "per_type": lambda: self.of_type(where, wish["type"]) - (self.type_of(aisle) == wish["type"]),
            "per_discipline": lambda: sum(self.discipline(other) == wish["discipline"] for other in chain(others)),
            "per_wild": lambda: sum(map(self.is_wild, chain(others))),
            "per_empty": lambda: sum(3 - len(place) for place in where),
            "next_door": lambda: sum(self.of_type(self.stables[other], wish["type"]) for other in self.next_to(seat)),
        }
        return wish["points"] * min(int(counts[wish["kind"]]()), wish.get("cap", 99))

    def next_to(self, seat: int) -> set[int]:
        return {(seat + step) % len(self.stables) for step in (1, -1)} - {seat}

    def of_type(self, aisles: Iterable[Aisle], type_: str) -> int:
        return sum(len(aisle) for aisle in aisles if self.type_of(aisle) == type_)

    def condition(self, seat: int, words: Mapping[str, Any]) -> int:
        type_ = self.boards[seat]["type"]
        if words["condition"] != "exceeded_opponents":
            return self.measure(self.stables[seat], words["condition"], type_)
        numbers = [self.measure(stable, words["in"], type_) for stable in self.stables]
        return sum(numbers[seat] > number for number in numbers)

    def measure(self, stable: Stable, what: str, type_: str = "") -> int:
        horses = chain(stable)
        types = [self.type_of(aisle) for aisle in stable]
        disciplines = [self.discipline(name) for name in horses]
        counts: dict[str, Callable[[], int]] = {
            "complete_aisles": lambda: sum(len(aisle) == 3 for aisle in stable),
            "aisle_types": lambda: len(set(types) - {None}),
            "preferred_horses": lambda: self.of_type(stable, type_),
            "discipline_sets": lambda: min(map(disciplines.count, DISCIPLINES)),
            "equal_neighbours": lambda: sum(types[n] is not None and types[n] == types[n + 1] for n in range(3)),
            "horses": lambda: len(horses),
            "wild_horses": lambda: sum(map(self.is_wild, horses)),
        }
        return disciplines.count(what) if what in DISCIPLINES else counts[what]()


def chain(aisles: Iterable[Aisle]) -> list[str]:
    return [name for aisle in aisles for name in aisle]


# --- situations ------------------------------------------------------------------------------------------------------


def stable_of(text: str) -> Stable:
    aisles = [aisle.split() for aisle in text.split("|")]
    return aisles + [[] for _ in range(4 - len(aisles))]


def numbers(text: str) -> list[int]:
    return [NAMES.index(name) for name in text.split()]


def text_of(horses: Iterable[Any]) -> str:
    return " ".join(NAMES[horse] for horse in horses if horse != EMPTY)


class Table:
    """A batch of one game in a situation of one's own.

    Args:
        hands: a text a player, or the number of players, who then hold an Ash, a Bay and a Cream each.
        fields: a text a field, the top horse last.
        stables, shown: by seat; ``shown`` names horses in hand that all know.
        deck: the whole deck, the top first. None: all horses that are nowhere else, those in ``top`` first.
        pile: the discard pile. None: nothing, or if the deck is given, all horses that are nowhere else. With both
            given the other horses are out of the game.
        phase, first_aisle: of the turn; ``first_aisle`` 1 to 4, or 0 before the first horse is placed.
        mover, starter, turn: whose turn it is, who started, turns complete.
        triggered: whether the round is the last.
        upgraded: seats whose boards are flipped, beside those that S18 flips.
        document: the content, as in a file.
        options: of the game and of the batch; ``boards`` are the first ones if not given.
    """

    def __init__(
        self,
        hands: Sequence[str] | int = 2,
        *,
        fields: Sequence[str] | None = None,
        stables: Mapping[int, str] | None = None,
        shown: Mapping[int, str] | None = None,
        deck: str | None = None,
        top: str = "",
        pile: str | None = None,
        phase: int = SWAP,
        first_aisle: int = 0,
        mover: int = 0,
        starter: int = 0,
        turn: int | None = None,
        triggered: bool = False,
        upgraded: Iterable[int] = (),
        document: Mapping[str, Any] = PLAIN,
        **options: Any,
    ) -> None:
        held = [f"a{n} b{n} c{n}" for n in range(1, hands + 1)] if isinstance(hands, int) else hands
        players = len(held)
        options = {"boards": range(players), "start_seat": starter, **options}
        content = content_set(document)
        self.document = document
        self.batch = Batch(GAME, 1, num_players=players, seed=1, autoreset=False, content=content, **options)
        self.record = self.batch.states[0]
        self.record["hand"], self.record["shown"], self.record["stall"] = EMPTY, 0, EMPTY
        lying = ["d1", "e1", "d2"][: 3 if players > 1 else 2] if fields is None else fields
        left = set(range(len(NAMES)))
        for number, hand in enumerate(held):
            self._lay(self.record["hand"][number], sorted(numbers(hand)), left)
        for number, text in (shown or {}).items():
            self.record["shown"][number] = np.isin(self.record["hand"][number], numbers(text))
        self.record["field"] = EMPTY
        self.record["field_size"] = 0
        for number, text in enumerate(lying):
            self._lay(self.record["field"][number], numbers(text), left)
            self.record["field_size"][number] = len(text.split())
        for seat, text in (stables or {}).items():
            for number, aisle in enumerate(stable_of(text)):
                self._lay(self.record["stall"][seat, number], numbers(" ".join(aisle)), left)
        self._lay_rest(left, deck, top, pile)
        self._write_caches(set(upgraded))
        self.record["phase"], self.record["first_aisle"], self.record["triggered"] = phase, first_aisle - 1, triggered
        self.record["starter"], self.record["seat"] = starter, mover
        self.record["turn"] = (mover - starter) % players if turn is None else turn
        self.batch.refresh()

    @staticmethod
    def _lay(place: Any, horses: list[int], left: set[int]) -> None:
        assert left.issuperset(horses), f"named twice: {text_of(set(horses) - left)}"
        left.difference_update(horses)
        place[: len(horses)] = horses

    def _lay_rest(self, left: set[int], deck: str | None, top: str, pile: str | None) -> None:
        cells = np.full(len(NAMES), EMPTY, np.uint8)
        lying = numbers(pile or "")
        self._lay(cells, lying, left)
        first = numbers(top if deck is None else deck)
        self._lay(cells, first, left)
        if deck is None:
            first += sorted(left)
        elif pile is None:
            lying = sorted(left)
        self.record["deck"] = EMPTY
        self.record["deck"][: len(first)] = first[::-1]
        self.record["deck_size"] = len(first)
        self.record["pile"] = np.isin(np.arange(len(NAMES)), lying)
        self.record["pile_size"] = len(lying)
        content = self.batch.contents[0].record[0]
        self.record["pile_types"] = 0
        self.record["pile_preferences"] = 0
        np.add.at(self.record["pile_types"], (content["type"][lying], content["discipline"][lying]), 1)
        np.add.at(self.record["pile_preferences"], content["preference"][lying], 1)

    def _write_caches(self, flipped: set[int]) -> None:
        scorer = self.scorer
        for name in ("aisle_size", "disciplines", "wilds", "outlook", "preferences", "upgraded", "points"):
            self.record[name] = 0
        self.record["aisle_type"] = NO_TYPE
        for seat, stable in enumerate(scorer.stables):
            for number, aisle in enumerate(stable):
                type_ = scorer.type_of(aisle)
                self.record["aisle_size"][seat, number] = len(aisle)
                self.record["aisle_type"][seat, number] = NO_TYPE if type_ is None else TYPES.index(type_)
                self.record["outlook"][seat, number] = scorer.outlook(aisle)
                points = [scorer.preference(seat, number, stall) for stall in range(len(aisle))]
                self.record["preferences"][seat, number] = sum(points)
            self.record["disciplines"][seat] = [scorer.measure(stable, discipline) for discipline in DISCIPLINES]
            self.record["wilds"][seat] = scorer.measure(stable, "wild_horses")
            self.record["upgraded"][seat] = seat in flipped or scorer.flips(seat)
        self.record["points"][: self.players] = self.own_points

    # --- playing -----------------------------------------------------------------------------------------------------

    def do(self, *texts: str) -> Table:
        """Play decisions in the words of :attr:`legal`."""
        for text in texts:
            actions = {self._words(action): action for action in range(A_STOP + 1)}
            assert text in actions, f"{text!r} is none of the actions of {self.hand(self.seat)!r}"
            self.batch.step([actions[text]])
        return self

    def _words(self, action: int) -> str:
        hand = [*self.hand(self.seat).split(), *["nothing"] * 3]
        if action == A_STOP:
            return "stop"
        if action >= A_DISCARD:
            slot, field = divmod(action - A_DISCARD, 3)
            return f"discard {hand[slot]} on {field + 1}"
        if action >= A_PLACE:
            slot, aisle = divmod(action - A_PLACE, 4)
            return f"place {hand[slot]} in {aisle + 1}"
        slot, field, source = action // 9, action // 3 % 3, action % 3
        taken = ["deck", *(str(other) for other in (1, 2, 3) if other != field + 1)]
        return f"swap {hand[slot]} on {field + 1} for {taken[source]}"

    # --- looking -----------------------------------------------------------------------------------------------------

    @property
    def players(self) -> int:
        return int(self.record["num_players"])

    @property
    def legal(self) -> set[str]:
        """What the seat asked may do: ``"swap a1 on 2 for deck"`` (or for a field's number), ``"place a1 in 4"``,
        ``"discard a1 on 3"``, ``"stop"``."""
        return {self._words(int(action)) for action in np.flatnonzero(self.batch.action_mask[0])}

    @property
    def seat(self) -> int:
        return int(self.batch.seat[0])

    @property
    def phase(self) -> int:
        return int(self.record["phase"])

    @property
    def turn(self) -> int:
        return int(self.record["turn"])

    def hand(self, seat: int) -> str:
        return text_of(self.record["hand"][seat])

    def shown(self, seat: int) -> str:
        return text_of(self.record["hand"][seat][self.record["shown"][seat] == 1])

    def stable(self, seat: int) -> list[str]:
        return [text_of(aisle) for aisle in self.record["stall"][seat]]

    @property
    def fields(self) -> list[str]:
        number = 3 if self.players > 1 else 2
        sizes = self.record["field_size"]
        return [text_of(self.record["field"][field, : sizes[field]]) for field in range(number)]

    @property
    def deck(self) -> str:
        """The deck, the top first."""
        return text_of(self.record["deck"][: int(self.record["deck_size"])][::-1])

    @property
    def pile(self) -> str:
        return text_of(np.flatnonzero(self.record["pile"]))

    @property
    def scorer(self) -> Scorer:
        return scorer_of(self.record, self.document)

    @property
    def own_points(self) -> list[int]:
        """The points of each seat by the scorer above."""
        return self.scorer.points(self.record["upgraded"][: self.players].tolist())

    @property
    def points(self) -> list[int]:
        return self.record["points"][: self.players].tolist()

    @property
    def upgraded(self) -> list[int]:
        return self.record["upgraded"][: self.players].tolist()

    @property
    def triggered(self) -> bool:
        return bool(self.record["triggered"])

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
        return self.batch.scores[0, : self.players].tolist()

    @property
    def ranks(self) -> list[int]:
        return self.batch.ranks[0, : self.players].tolist()

    def sees(self, seat: int, part: str) -> Any:
        """A part of what a seat sees."""
        return GAME.observation_layout.view(self.batch.observe(seat)[0], part).tolist()

    def features(self, *horses: str) -> list[list[int]]:
        """What a seat sees of these horses; zeros for ``""``."""
        rows = self.batch.contents[0].record[0]["features"].view(np.uint8)
        return [rows[NAMES.index(horse) if horse else EMPTY].tolist() for horse in horses]


def scorer_of(record: Any, document: Mapping[str, Any]) -> Scorer:
    """Return the scorer of the stables in a record, whose horses may be any content's."""
    names = [horse["name"] for horse in document["horses"]]
    players = int(record["num_players"])
    stables = [
        [[names[horse] for horse in aisle if horse != EMPTY] for aisle in stable]
        for stable in record["stall"][:players]
    ]
    return Scorer(document, stables, record["board"][:players].tolist())


def scores(stables: Sequence[str], document: Mapping[str, Any] = PLAIN, **situation: Any) -> list[int]:
    """Return what stables score, whichever aisle's bottom horse is placed last; and have the scorer agree."""
    results = []
    for seat, text in enumerate(stables):
        for number, aisle in enumerate(stable_of(text)):
            if not aisle:
                continue
            before = [stable_of(other) for other in stables]
            last = before[seat][number].pop()
            table = Table(
                [last if other == seat else "" for other in range(len(stables))],
                stables={other: " | ".join(map(" ".join, stable)) for other, stable in enumerate(before)},
                fields=["", "", ""][: 3 if len(stables) > 1 else 2],
                phase=PLACE,
                mover=seat,
                starter=seat,
                max_turns=1,
                document=document,
                **situation,
            )
            table.do(f"place {last} in {number + 1}")
            assert table.over
            assert table.points == table.scores == table.own_points, f"{last} placed last"
            results.append(table.scores)
    assert all(result == results[0] for result in results)
    return results[0]


def played(games: int, players: int, steps: int, seed: int = 0, **options: Any) -> Batch:
    """Games in their middle."""
    batch = Batch(GAME, games, num_players=players, seed=seed, autoreset=False, **options)
    play = RandomPlay(batch, seed)
    for _ in range(steps):
        batch.step(play.actions())
    return batch
