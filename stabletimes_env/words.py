"""Horses and boards in words, from the numbers of a content record."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from stabletimes_env import sets
from stabletimes_env.sets import (
    CONDITIONS,
    DISCIPLINES,
    EXCEEDED,
    MEASURES,
    NO_CAP,
    NO_DISCIPLINE,
    NUM_AISLES,
    PREFERENCES,
    SIDES,
    STALL_NAMES,
    WILD,
)
from tablezoo.content_table import text_of

BOARD_COUNTS = {
    "complete_aisles": "complete aisle",
    "aisle_types": "type among its aisles",
    "preferred_horses": "{type}",
    "discipline_sets": "set of disciplines",
    "equal_neighbours": "pair of neighbouring aisles of one type",
}
FEWER = {
    "complete_aisles": "complete aisles",
    "aisle_types": "types among its aisles",
    "preferred_horses": "horses of type {type}",
    "discipline_sets": "sets of disciplines",
    "equal_neighbours": "pairs of neighbouring aisles of one type",
    "horses": "horses",
    "wild_horses": "wild horses",
} | {discipline: f"{discipline} horses" for discipline in DISCIPLINES}


# --- horses -----------------------------------------------------------------------------------------------------------


def horse_name(content: Any, horse: int) -> str:
    return text_of(content["name"][horse])


def type_name(content: Any, type_: int) -> str:
    return "wild" if type_ == WILD else text_of(content["type_name"][type_])


def discipline_name(discipline: int) -> str:
    return "no discipline" if discipline == NO_DISCIPLINE else DISCIPLINES[discipline]


def horse_words(content: Any, horse: int) -> str:
    """Return all that stands on a card, such as ``Comet (Arabian, rail: 3 in a top stall)``."""
    type_ = type_name(content, int(content["type"][horse]))
    discipline = discipline_name(int(content["discipline"][horse]))
    return f"{horse_name(content, horse)} ({type_}, {discipline}: {preference_words(content, horse)})"


def preference_words(content: Any, horse: int) -> str:
    """Return what a horse scores, such as ``2 per Shire in its stable, 3 of them at most``."""
    kind, of = int(content["preference"][horse]), int(content["of"][horse])
    words = f"{int(content['points'][horse])} {_preference(content, horse, PREFERENCES[kind], of)}"
    return words + _cap(int(content["cap"][horse]))


def _preference(content: Any, horse: int, kind: str, of: int) -> str:
    where = f"in its {sets.PLACES[int(content['whole'][horse])]}"
    other = "other " if _counts_its_like(content, horse) else ""
    if kind == "flat":
        return "anywhere"
    if kind == "stall":
        return f"in a {STALL_NAMES[of]} stall"
    if kind == "aisles":
        return _aisles(of)
    if kind == "complete":
        return "in a complete aisle"
    if kind == "all_different":
        return "in a complete aisle of three different disciplines"
    if kind == "all_equal":
        return "in a complete aisle of one discipline"
    if kind == "neighbour":
        return f"beside an aisle of type {type_name(content, of)}"
    if kind == "per_type":
        return f"per {other}{type_name(content, of)} {where}"
    if kind == "per_discipline":
        return f"per {other}{DISCIPLINES[of]} horse {where}"
    if kind == "per_wild":
        return f"per {other}wild horse {where}"
    if kind == "per_empty":
        return f"per empty stall {where}"
    return f"per {type_name(content, of)} in a stable next door"


def _counts_its_like(content: Any, horse: int) -> bool:
    """Whether a horse is, or can be, one of those that it counts; it never counts itself (S34)."""
    kind, of = int(content["preference"][horse]), int(content["of"][horse])
    type_ = int(content["type"][horse])
    if kind == sets.PER_TYPE:
        return type_ in (of, WILD)
    if kind == sets.PER_DISCIPLINE:
        return int(content["discipline"][horse]) == of
    return kind == sets.PER_WILD and type_ == WILD


def _aisles(bits: int) -> str:
    for side, aisles in SIDES.items():
        if bits == aisles:
            return f"in an {side} aisle"
    return f"in aisle {_either([str(aisle + 1) for aisle in range(NUM_AISLES) if bits >> aisle & 1])}"


def _either(words: Sequence[str]) -> str:
    return " or ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


def _cap(cap: int) -> str:
    return f", {cap} of them at most" if cap < NO_CAP else ""


# --- boards -----------------------------------------------------------------------------------------------------------


def board_name(content: Any, board: int) -> str:
    return text_of(content["board_name"][board])


def board_words(content: Any, board: int, upgraded: bool) -> str:
    """Return a board with one side up, such as ``Suncourt Villa (Shire, basic side: 2 per complete aisle)``."""
    type_ = type_name(content, int(content["board_type"][board]))
    side = sets.SIDES_OF_BOARD[int(upgraded)]
    return f"{board_name(content, board)} ({type_}, {side} side: {side_words(content, board, upgraded)})"


def side_words(content: Any, board: int, upgraded: bool) -> str:
    """Return what one side of a board scores, such as ``2 per complete aisle``."""
    points = int(content["board_points"][board, int(upgraded)])
    condition = int(content["board_condition"][board])
    type_ = type_name(content, int(content["board_type"][board]))
    if condition == EXCEEDED:
        counted = f"opponent with fewer {FEWER[MEASURES[int(content['board_measure'][board])]]}"
    else:
        counted = BOARD_COUNTS[CONDITIONS[condition]]
    return f"{points} per {counted.format(type=type_)}" + _cap(int(content["board_cap"][board]))
