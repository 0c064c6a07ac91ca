"""``content="procedural:7"``: a random set, the same for the same seed, about as much worth as the original one.

What a preference is worth depends on its kind, on how much it asks for and on its points, so these are not drawn
freely. Each type gets the twelve preferences that the original set gives its types, kind by kind, with the points that
go with them there: in games of greedy players most of them score about 2 where they are placed. Drawn is what changes
the worth little, since types, disciplines and aisles are alike: which discipline goes with which preference, which
type, discipline, stall or aisles a preference asks for, and which of a few preferences of about equal worth stands in a
slot. The same holds for the wild horses. A board's points go with its condition; those of a board that counts opponents
go with what it counts, and are more where players are more often equal.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, TypeVar

from stabletimes_env import sets
from stabletimes_env.sets import DISCIPLINES, NUM_BOARDS, NUM_TYPES, SIDES
from tablezoo.draws import Draws

T = TypeVar("T")
Preference = dict[str, Any]

BREEDS = (
    "Andalusian", "Arabian", "Camargue", "Clydesdale", "Criollo", "Fjord", "Friesian", "Haflinger",
    "Icelandic", "Lipizzan", "Mustang", "Pinto", "Shetland", "Shire", "Trakehner", "Welsh Cob",
)  # fmt: skip
HOUSES = ("Court", "Farm", "Grange", "Hall", "Lodge", "Manor", "Mews", "Villa", "Yard")
STARTS = (
    "Bel", "Cor", "Dan", "El", "Fal", "Gar", "Hal", "Is", "Jar", "Kel", "Lor", "Mar",
    "Nor", "Or", "Per", "Quin", "Ros", "Sil", "Tam", "Ul", "Var", "Wil", "Yar", "Zan",
)  # fmt: skip
ENDS = (
    "adin", "amber", "anda", "ara", "aven", "ello", "enna", "eron", "esta", "ian", "iko", "illa",
    "imar", "indo", "istle", "oban", "olan", "omir", "onda", "oro", "ubin", "una", "urel", "ys",
)  # fmt: skip

BOARD_POINTS = {
    "complete_aisles": (2, 4),
    "aisle_types": (1, 3),
    "preferred_horses": (1, 3),
    "discipline_sets": (2, 4),
    "equal_neighbours": (7, 12),
}
EXCEEDED_POINTS = {
    "complete_aisles": (4, 7),
    "aisle_types": (4, 6),
    "preferred_horses": (2, 5),
    "discipline_sets": (4, 7),
    "equal_neighbours": (4, 7),
    "horses": (6, 9),
    "wild_horses": (3, 6),
} | dict.fromkeys(DISCIPLINES, (4, 6))


def document(argument: str) -> dict[str, Any]:
    """Return the document of a random set.

    Raises:
        ContentError: the argument is no seed.
    """
    draws = Draws("procedural", argument)
    types = draws.some_of(BREEDS, NUM_TYPES)
    names = _names(draws)
    horses = [horse for type_ in types for horse in _typed_horses(draws, type_, types, names)]
    return {
        "types": types,
        "horses": horses + _wild_horses(draws, types, names),
        "boards": _boards(draws, types, names),
    }


# --- horses -----------------------------------------------------------------------------------------------------------


def _typed_horses(draws: Draws, type_: str, types: Sequence[str], names: Iterator[str]) -> list[dict[str, Any]]:
    preferences = _typed_preferences(draws, type_, types)
    disciplines = draws.shuffled(DISCIPLINES * (len(preferences) // len(DISCIPLINES)))
    return _horses(draws, type_, disciplines, preferences, names)


def _wild_horses(draws: Draws, types: Sequence[str], names: Iterator[str]) -> list[dict[str, Any]]:
    preferences = _wild_preferences(draws, types)
    disciplines = draws.shuffled((*DISCIPLINES, "none") * 2 + ("none",))
    return _horses(draws, "wild", disciplines, preferences, names)


def _horses(
    draws: Draws, type_: str, disciplines: Sequence[str], preferences: Sequence[Preference], names: Iterator[str]
) -> list[dict[str, Any]]:
    return [
        {"name": next(names), "type": type_, "discipline": discipline, "preference": preference}
        for discipline, preference in zip(disciplines, preferences, strict=True)
    ]


def _preference(kind: str, points: int, **asked: Any) -> Preference:
    return {"kind": kind, "points": points, **asked}


def _typed_preferences(draws: Draws, own: str, types: Sequence[str]) -> list[Preference]:
    """Return the twelve of a type: each of another kind or scope, so that no two of its horses are the same (S3)."""
    others = [type_ for type_ in types if type_ != own]
    seldom = [
        _preference("next_door", 1, type=draws.one_of(others), cap=3),
        _preference("next_door", 1, type=draws.one_of(others), cap=3),
        _preference("per_wild", 1, where="stable", cap=3),
        _preference("per_empty", 1, where="stable", cap=3),
        _preference("per_empty", 2, where="aisle", cap=2),
    ]
    own_aisle = [
        _preference("per_type", 1, type=own, where="aisle"),
        _preference("per_type", 2, type=own, where="aisle", cap=1),
    ]
    return [
        _preference("flat", draws.one_of((1, 2, 2, 3))),
        _stall(draws),
        _aisles(draws),
        _preference("complete", 3),
        draws.one_of(own_aisle),
        _preference("per_type", 1, type=draws.one_of(others), where="stable", cap=3),
        _preference("per_discipline", 2, discipline=draws.one_of(DISCIPLINES), where="aisle"),
        _preference("per_discipline", 1, discipline=draws.one_of(DISCIPLINES), where="stable", cap=4),
        _preference("all_different", 5),
        _preference("all_equal", 7),
        _preference("neighbour", 4, type=draws.one_of(others)),
        draws.one_of(seldom),
    ]


def _stall(draws: Draws) -> Preference:
    stall, points = draws.one_of((("top", 3), ("middle", 3), ("bottom", 4)))
    return _preference("stall", points, stall=stall)


def _aisles(draws: Draws) -> Preference:
    """Return one aisle for more points, or two, or a side, for fewer."""
    form = draws.one_of(("one", "two", "side"))
    if form == "side":
        return _preference("side", 3, side=draws.one_of(list(SIDES)))
    aisles = draws.some_of(range(1, sets.NUM_AISLES + 1), 1 if form == "one" else 2)
    return _preference("aisles", 5 if form == "one" else 3, aisles=sorted(aisles))


def _wild_preferences(draws: Draws, types: Sequence[str]) -> list[Preference]:
    """Return the nine of the wild horses, which fit anywhere and so are worth less than others."""
    stall, side = draws.one_of(sets.STALL_NAMES), draws.one_of(list(SIDES))
    return [
        _preference("flat", 1),
        _preference("flat", -1),
        _preference("complete", 2),
        draws.one_of([_preference("stall", 2, stall=stall), _preference("side", 2, side=side)]),
        _preference("neighbour", 3, type=draws.one_of(types)),
        _preference("per_type", 1, type=draws.one_of(types), where="aisle", cap=2),
        _preference("per_wild", 3, where="aisle", cap=1),
        _preference("per_wild", -1, where="stable"),
        _preference("per_empty", -1, where="stable", cap=3),
    ]


# --- boards -----------------------------------------------------------------------------------------------------------


def _boards(draws: Draws, types: Sequence[str], names: Iterator[str]) -> list[dict[str, Any]]:
    """Return one board that counts opponents and four that do not, each with a preferred type of its own."""
    conditions = [sets.CONDITIONS[sets.EXCEEDED], *draws.some_of(list(BOARD_POINTS), NUM_BOARDS - 1)]
    return [
        {"name": f"{next(names)} {draws.one_of(HOUSES)}", "type": type_, **_sides(draws, condition)}
        for type_, condition in zip(draws.shuffled(types), draws.shuffled(conditions), strict=True)
    ]


def _sides(draws: Draws, condition: str) -> dict[str, Any]:
    words, pays = {"condition": condition}, BOARD_POINTS.get(condition)
    if pays is None:
        words["in"] = draws.one_of(sets.MEASURES)
        pays = EXCEEDED_POINTS[words["in"]]
    return {side: {**words, "points": points} for side, points in zip(sets.SIDES_OF_BOARD, pays, strict=True)}


# --- names ------------------------------------------------------------------------------------------------------------


def _names(draws: Draws) -> Iterator[str]:
    """Yield names that are all different."""
    return iter(draws.shuffled([start + end for start in STARTS for end in ENDS]))
