"""A content set read from TOML: all its faults told at once (S3, S4, S34, S35)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from numpy.typing import NDArray

from stabletimes_env import procedural, sets
from stabletimes_env.sets import (
    BASIC,
    CONDITIONS,
    CONTENT,
    DISCIPLINES,
    LEAST_POINTS,
    MEASURES,
    MOST_POINTS,
    NAME_BYTES,
    NUM_AISLES,
    NUM_BOARDS,
    NUM_HORSES,
    NUM_TYPES,
    NUM_WILD,
    PLACES,
    SIDES,
    SIDES_OF_BOARD,
    STALL_NAMES,
    TYPE_HORSES,
)
from stabletimes_env.storing import NO_DISCIPLINE_NAME, WILD_TYPE, store
from tablezoo.content import ContentFormat, Faults
from tablezoo.content_table import Table, a_name, check_names, is_name, is_whole, short

EXCEEDED_OPPONENTS = CONDITIONS[sets.EXCEEDED]

PREFERENCE_KEYS: dict[str, tuple[str, ...]] = {
    "flat": (),
    "stall": ("stall",),
    "aisles": ("aisles",),
    "side": ("side",),
    "complete": (),
    "per_type": ("type", "where", "cap"),
    "per_discipline": ("discipline", "where", "cap"),
    "all_different": (),
    "all_equal": (),
    "neighbour": ("type",),
    "per_wild": ("where", "cap"),
    "per_empty": ("where", "cap"),
    "next_door": ("type", "cap"),
}
"""Each kind of preference as a file names it, with its keys beside ``kind`` and ``points``."""


def read(document: Mapping[str, Any], faults: Faults, record: NDArray[Any]) -> None:
    """Check a document, add what is wrong with it to ``faults``, and fill the record if nothing is."""
    top = Table(document, "", faults)
    top.allow("types", "horses", "boards")
    types = _check_types(top)
    _check_horses(top, types)
    _check_boards(top, types)
    if not faults.found:
        store(document, record[0])


# --- types ------------------------------------------------------------------------------------------------------------


def _check_types(top: Table) -> list[str] | None:
    """Return the five types (S2), None if they are not right: what names a type cannot be judged then."""
    expected = f"a list of {NUM_TYPES} different names"
    types = top.value("types", expected)
    if not isinstance(types, list) or len(types) != NUM_TYPES:
        top.wrong("types", expected)
        return None
    wrong = False
    for i, name in enumerate(types):
        fault = _type_fault(name, types[:i])
        if fault:
            top.fault(f"types[{i}]", fault)
            wrong = True
    return None if wrong else types


def _type_fault(name: Any, before: list[Any]) -> str | None:
    if not is_name(name, NAME_BYTES):
        return f"expected {a_name(NAME_BYTES)}, got {short(name)}"
    if name == WILD_TYPE:
        return f"{WILD_TYPE!r} is the word for wild horses; expected a name of a type"
    if name in before:
        return f"expected a name of its own, got {name!r}, which types[{before.index(name)}] has too"
    return None


# --- horses -----------------------------------------------------------------------------------------------------------


def _check_horses(top: Table, types: list[str] | None) -> None:
    expected = f"{NUM_HORSES} horses: {TYPE_HORSES} of each type and {NUM_WILD} wild"
    horses = top.tables("horses", NUM_HORSES, expected)
    check_names(horses, NAME_BYTES)
    _check_type_counts(top, [_check_horse(horse, types) for horse in horses], types)


def _check_type_counts(top: Table, found: list[str | None], types: list[str] | None) -> None:
    """S2: 12 of each type, 9 wild. Not judged while a type is unclear."""
    if not found or types is None or None in found:
        return
    counts = Counter(found)
    for type_ in (*types, WILD_TYPE):
        right = NUM_WILD if type_ == WILD_TYPE else TYPE_HORSES
        if counts[type_] != right:
            top.fault("horses", f"expected {right} of type {type_}, got {counts[type_]}")


def _check_horse(horse: Table, types: list[str] | None) -> str | None:
    """Return the type of the horse, None if it is not one."""
    horse.allow("name", "type", "discipline", "preference")
    type_ = horse.word("type", None if types is None else [*types, WILD_TYPE])
    if type_ == WILD_TYPE:
        if "discipline" in horse.table:
            horse.word("discipline", (*DISCIPLINES, NO_DISCIPLINE_NAME))
    elif horse.table.get("discipline") == NO_DISCIPLINE_NAME:  # S34: typed horses always have one
        horse.fault("discipline", f"only a wild horse may have none; expected one of {', '.join(DISCIPLINES)}")
    else:
        horse.word("discipline", DISCIPLINES)
    preference = horse.inner("preference", 'a table such as { kind = "flat", points = 2 }')
    if preference:
        _check_preference(preference, types)
    return type_


def _check_preference(preference: Table, types: list[str] | None) -> None:
    preference.whole_number("points", LEAST_POINTS, MOST_POINTS)
    kind = preference.word("kind", PREFERENCE_KEYS)
    if kind is None:
        return
    preference.allow("kind", "points", *PREFERENCE_KEYS[kind])
    for key in PREFERENCE_KEYS[kind]:
        _check_asked(preference, key, types)


def _check_asked(preference: Table, key: str, types: list[str] | None) -> None:
    """Check a key that tells what the preference asks for."""
    if key == "type":
        preference.word(key, types)
    elif key == "aisles":
        _check_aisles(preference)
    elif key == "cap":
        _check_cap(preference)
    else:
        words: dict[str, Iterable[str]] = {
            "stall": STALL_NAMES, "side": SIDES, "where": PLACES, "discipline": DISCIPLINES,
        }  # fmt: skip
        preference.word(key, words[key])


def _check_aisles(preference: Table) -> None:
    expected = f"a list of different aisles, 1 to {NUM_AISLES}"
    aisles = preference.value("aisles", expected)
    right = isinstance(aisles, list) and all(is_whole(aisle) and 1 <= aisle <= NUM_AISLES for aisle in aisles)
    if not (right and aisles and len(set(aisles)) == len(aisles)):
        preference.wrong("aisles", expected)


def _check_cap(table: Table) -> None:
    if "cap" in table.table:  # S34: left out it means none
        table.whole_number("cap", 1)


# --- boards -----------------------------------------------------------------------------------------------------------


def _check_boards(top: Table, types: list[str] | None) -> None:
    boards = top.tables("boards", NUM_BOARDS, f"{NUM_BOARDS} boards")
    check_names(boards, NAME_BYTES)
    conditions = [_check_board(board, types) for board in boards]
    if conditions and set(conditions) == {EXCEEDED_OPPONENTS}:  # S30
        top.fault("boards", f"all have {EXCEEDED_OPPONENTS}; expected one at least that can be played solo")


def _check_board(board: Table, types: list[str] | None) -> str | None:
    """Return the condition of the basic side, None if it has none."""
    board.allow("name", "type", *SIDES_OF_BOARD)
    board.word("type", types)
    sides = [board.inner(side, f"a table: the {side} side of the board") for side in SIDES_OF_BOARD]
    conditions = [_check_side(side) for side in sides if side]
    if len(conditions) == len(sides) and None not in conditions:
        _check_upgrade(board)
    return conditions[BASIC] if conditions else None


def _check_side(side: Table) -> str | None:
    """Return its condition, None if it has none."""
    side.whole_number("points", 0, MOST_POINTS)
    _check_cap(side)
    condition = side.word("condition", CONDITIONS)
    if condition == EXCEEDED_OPPONENTS:
        side.allow("condition", "points", "cap", "in")
        side.word("in", MEASURES)
    elif condition is not None:
        side.allow("condition", "points", "cap")
    return condition


def _check_upgrade(board: Table) -> None:
    """S4: both sides have one condition, and the upgraded side scores more."""
    basic, upgraded = (board.table[side] for side in SIDES_OF_BOARD)
    for key in ("condition", "in", "cap"):
        if basic.get(key) != upgraded.get(key):
            ours, theirs = (short(side[key]) if key in side else "none" for side in (upgraded, basic))
            board.fault(f"upgraded.{key}", f"expected {theirs}, as on the basic side, got {ours}")
            break
    points = basic.get("points"), upgraded.get("points")
    if all(is_whole(value) for value in points) and points[1] < points[0]:
        board.fault("upgraded.points", f"expected {points[0]} or more, as the basic side has, got {points[1]}")


FORMAT = ContentFormat(
    dtype=CONTENT,
    package="stabletimes_env",
    default="original",
    read=read,
    generators={"procedural": procedural.document},
)
