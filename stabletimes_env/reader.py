"""A content set read from TOML: all its faults told at once, then stored as the kernels get it (S3, S4, S34, S35)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stabletimes_env import procedural, sets
from stabletimes_env.sets import (
    BASIC,
    BOARD_LAYOUT,
    CONDITIONS,
    CONTENT,
    DISCIPLINES,
    HORSE_LAYOUT,
    LEAST_POINTS,
    MEASURES,
    MOST_POINTS,
    NAME_BYTES,
    NO_CAP,
    NO_DISCIPLINE,
    NUM_AISLES,
    NUM_BOARDS,
    NUM_HORSES,
    NUM_TYPES,
    NUM_WILD,
    PLACES,
    PREFERENCES,
    SIDES,
    SIDES_OF_BOARD,
    STALL_NAMES,
    TYPE_HORSES,
    WILD,
)
from tablezoo.content import ContentFormat, Faults
from tablezoo.errors import did_you_mean

WILD_TYPE, NO_DISCIPLINE_NAME = "wild", "none"
A_NAME = f"a name of 1 to {NAME_BYTES} bytes, printable and without spaces around it"
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
    top = _Table(document, "", faults)
    top.allow("types", "horses", "boards")
    types = _check_types(top)
    _check_horses(top, types)
    _check_boards(top, types)
    if not faults.found:
        _store(document, record[0])


# --- a table of the file, and what its keys hold ----------------------------------------------------------------------


class _Table:
    """A table of the document: each method tells what is wrong with one key and returns its value, None if wrong."""

    def __init__(self, table: Mapping[str, Any], path: str, faults: Faults) -> None:
        self.table, self.path, self._faults = table, path, faults

    def fault(self, key: str, message: str) -> None:
        self._faults.add(f"{self.path}.{key}" if self.path else key, message)

    def wrong(self, key: str, expected: str) -> None:
        """Tell what was expected, unless the key is missing, which :meth:`value` tells."""
        if key in self.table:
            self.fault(key, f"expected {expected}, got {_short(self.table[key])}")

    def allow(self, *keys: str) -> None:
        for key in self.table:
            if key not in keys:
                self.fault(key, f"unknown key{did_you_mean(key, keys)}")

    def value(self, key: str, expected: str) -> Any:
        if key not in self.table:
            self.fault(key, f"missing; expected {expected}")
        return self.table.get(key)

    def inner(self, key: str, expected: str) -> _Table | None:
        value = self.value(key, expected)
        if isinstance(value, Mapping):
            return _Table(value, f"{self.path}.{key}", self._faults)
        self.wrong(key, expected)
        return None

    def tables(self, key: str, count: int, expected: str) -> list[_Table]:
        """Return the tables of a list, however many there are."""
        values = self.value(key, expected)
        if not isinstance(values, list):
            self.wrong(key, expected)
            return []
        if len(values) != count:
            self.fault(key, f"expected {expected}, got {len(values)}")
        for i, value in enumerate(values):
            if not isinstance(value, Mapping):
                self.fault(f"{key}[{i}]", f"expected a table, got {_short(value)}")
        return [
            _Table(table, f"{key}[{i}]", self._faults) for i, table in enumerate(values) if isinstance(table, Mapping)
        ]

    def name(self, key: str = "name") -> str | None:
        name = self.value(key, A_NAME)
        if _is_name(name):
            return str(name)
        self.wrong(key, A_NAME)
        return None

    def word(self, key: str, words: Iterable[str] | None) -> str | None:
        """Read one of ``words``, any word if they are not known."""
        expected = "a word" if words is None else f"one of {', '.join(words)}"
        value = self.value(key, expected)
        if not isinstance(value, str):
            self.wrong(key, expected)
        elif words is not None and value not in words:
            self.fault(key, f"unknown {key} {value!r}{did_you_mean(value, words)}")
        else:
            return value
        return None

    def whole_number(self, key: str, least: int, most: int | None = None) -> None:
        expected = f"a whole number, {least} to {most}" if most is not None else f"a whole number of {least} or more"
        value = self.value(key, expected)
        if not (_is_whole(value) and value >= least and (most is None or value <= most)):
            self.wrong(key, expected)


def _short(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    words = repr(value)
    return words if len(words) <= 60 else words[:57] + "..."


def _is_whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_name(value: Any) -> bool:
    if not isinstance(value, str) or not value.isprintable() or value != value.strip():
        return False
    return 1 <= len(value.encode()) <= NAME_BYTES


def _check_names(tables: Sequence[_Table]) -> None:
    first: dict[str, str] = {}
    for table in tables:
        name = table.name()
        if name in first:
            table.fault("name", f"expected a name of its own, got {name!r}, which {first[name]} has too")
        elif name is not None:
            first[name] = table.path


# --- types ------------------------------------------------------------------------------------------------------------


def _check_types(top: _Table) -> list[str] | None:
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
    if not _is_name(name):
        return f"expected {A_NAME}, got {_short(name)}"
    if name == WILD_TYPE:
        return f"{WILD_TYPE!r} is the word for wild horses; expected a name of a type"
    if name in before:
        return f"expected a name of its own, got {name!r}, which types[{before.index(name)}] has too"
    return None


# --- horses -----------------------------------------------------------------------------------------------------------


def _check_horses(top: _Table, types: list[str] | None) -> None:
    expected = f"{NUM_HORSES} horses: {TYPE_HORSES} of each type and {NUM_WILD} wild"
    horses = top.tables("horses", NUM_HORSES, expected)
    _check_names(horses)
    _check_type_counts(top, [_check_horse(horse, types) for horse in horses], types)


def _check_type_counts(top: _Table, found: list[str | None], types: list[str] | None) -> None:
    """S2: 12 of each type, 9 wild. Not judged while a type is unclear."""
    if not found or types is None or None in found:
        return
    counts = Counter(found)
    for type_ in (*types, WILD_TYPE):
        right = NUM_WILD if type_ == WILD_TYPE else TYPE_HORSES
        if counts[type_] != right:
            top.fault("horses", f"expected {right} of type {type_}, got {counts[type_]}")


def _check_horse(horse: _Table, types: list[str] | None) -> str | None:
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


def _check_preference(preference: _Table, types: list[str] | None) -> None:
    preference.whole_number("points", LEAST_POINTS, MOST_POINTS)
    kind = preference.word("kind", PREFERENCE_KEYS)
    if kind is None:
        return
    preference.allow("kind", "points", *PREFERENCE_KEYS[kind])
    for key in PREFERENCE_KEYS[kind]:
        _check_asked(preference, key, types)


def _check_asked(preference: _Table, key: str, types: list[str] | None) -> None:
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


def _check_aisles(preference: _Table) -> None:
    expected = f"a list of different aisles, 1 to {NUM_AISLES}"
    aisles = preference.value("aisles", expected)
    right = isinstance(aisles, list) and all(_is_whole(aisle) and 1 <= aisle <= NUM_AISLES for aisle in aisles)
    if not (right and aisles and len(set(aisles)) == len(aisles)):
        preference.wrong("aisles", expected)


def _check_cap(table: _Table) -> None:
    if "cap" in table.table:  # S34: left out it means none
        table.whole_number("cap", 1)


# --- boards -----------------------------------------------------------------------------------------------------------


def _check_boards(top: _Table, types: list[str] | None) -> None:
    boards = top.tables("boards", NUM_BOARDS, f"{NUM_BOARDS} boards")
    _check_names(boards)
    conditions = [_check_board(board, types) for board in boards]
    if conditions and set(conditions) == {EXCEEDED_OPPONENTS}:  # S30
        top.fault("boards", f"all have {EXCEEDED_OPPONENTS}; expected one at least that can be played solo")


def _check_board(board: _Table, types: list[str] | None) -> str | None:
    """Return the condition of the basic side, None if it has none."""
    board.allow("name", "type", *SIDES_OF_BOARD)
    board.word("type", types)
    sides = [board.inner(side, f"a table: the {side} side of the board") for side in SIDES_OF_BOARD]
    conditions = [_check_side(side) for side in sides if side]
    if len(conditions) == len(sides) and None not in conditions:
        _check_upgrade(board)
    return conditions[BASIC] if conditions else None


def _check_side(side: _Table) -> str | None:
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


def _check_upgrade(board: _Table) -> None:
    """S4: both sides have one condition, and the upgraded side scores more."""
    basic, upgraded = (board.table[side] for side in SIDES_OF_BOARD)
    for key in ("condition", "in", "cap"):
        if basic.get(key) != upgraded.get(key):
            ours, theirs = (_short(side[key]) if key in side else "none" for side in (upgraded, basic))
            board.fault(f"upgraded.{key}", f"expected {theirs}, as on the basic side, got {ours}")
            break
    points = basic.get("points"), upgraded.get("points")
    if all(_is_whole(value) for value in points) and points[1] < points[0]:
        board.fault("upgraded.points", f"expected {points[0]} or more, as the basic side has, got {points[1]}")


# --- storing what has been checked ------------------------------------------------------------------------------------


def _store(document: Mapping[str, Any], content: Any) -> None:
    types = document["types"]
    for i, type_ in enumerate(types):
        _store_name(content["type_name"][i], type_)
    for i, horse in enumerate(document["horses"]):
        _store_horse(content, i, horse, types)
        _store_horse_features(content, i)
    for i, board in enumerate(document["boards"]):
        _store_board(content, i, board, types)
        _store_board_features(content, i)


def _store_name(cells: NDArray[Any], name: str) -> None:
    encoded = list(name.encode())
    cells[: len(encoded)] = encoded


def _store_horse(content: Any, horse: int, table: Mapping[str, Any], types: list[str]) -> None:
    preference = table["preference"]
    kind = "aisles" if preference["kind"] == "side" else preference["kind"]
    discipline = table.get("discipline", NO_DISCIPLINE_NAME)
    _store_name(content["name"][horse], table["name"])
    content["type"][horse] = WILD if table["type"] == WILD_TYPE else types.index(table["type"])
    content["discipline"][horse] = NO_DISCIPLINE if discipline == NO_DISCIPLINE_NAME else DISCIPLINES.index(discipline)
    content["preference"][horse] = PREFERENCES.index(kind)
    content["points"][horse] = preference["points"]
    content["of"][horse] = _asked(preference, types)
    content["whole"][horse] = preference.get("where") == "stable"
    content["cap"][horse] = min(preference.get("cap", NO_CAP), NO_CAP)


def _asked(preference: Mapping[str, Any], types: list[str]) -> int:
    """Return ``of``: the stall, aisles, type or discipline that the preference asks for, 0 for none."""
    if "type" in preference:
        return types.index(preference["type"])
    if "discipline" in preference:
        return DISCIPLINES.index(preference["discipline"])
    if "stall" in preference:
        return STALL_NAMES.index(preference["stall"])
    if "side" in preference:
        return SIDES[preference["side"]]
    return sum(1 << (aisle - 1) for aisle in preference.get("aisles", ()))


def _store_horse_features(content: Any, horse: int) -> None:
    features, view = content["features"][horse].view(np.uint8), HORSE_LAYOUT.view
    points = int(content["points"][horse])
    kind, of = int(content["preference"][horse]), int(content["of"][horse])
    counts = "cap" in PREFERENCE_KEYS[PREFERENCES[kind]]
    view(features, "type")[content["type"][horse]] = 1
    view(features, "discipline")[content["discipline"][horse]] = 1
    view(features, "preference")[kind] = 1
    view(features, "points")[...] = max(points, 0)
    view(features, "penalty")[...] = max(-points, 0)
    view(features, "each")[...] = counts
    if kind == sets.AISLES:
        view(features, "of")[:NUM_AISLES] = [of >> aisle & 1 for aisle in range(NUM_AISLES)]
    elif kind in (sets.STALL, sets.PER_TYPE, sets.PER_DISCIPLINE, sets.NEIGHBOUR, sets.NEXT_DOOR):
        view(features, "of")[of] = 1
    view(features, "whole")[...] = content["whole"][horse]
    view(features, "cap")[...] = content["cap"][horse] if counts else 0


def _store_board(content: Any, board: int, table: Mapping[str, Any], types: list[str]) -> None:
    basic = table["basic"]
    _store_name(content["board_name"][board], table["name"])
    content["board_type"][board] = types.index(table["type"])
    content["board_condition"][board] = CONDITIONS.index(basic["condition"])
    content["board_measure"][board] = MEASURES.index(basic["in"]) if "in" in basic else 0
    content["board_points"][board] = [table[side]["points"] for side in SIDES_OF_BOARD]
    content["board_cap"][board] = min(basic.get("cap", NO_CAP), NO_CAP)


def _store_board_features(content: Any, board: int) -> None:
    features, view = content["board_features"][board].view(np.uint8), BOARD_LAYOUT.view
    view(features, "type")[content["board_type"][board]] = 1
    view(features, "condition")[content["board_condition"][board]] = 1
    if content["board_condition"][board] == sets.EXCEEDED:
        view(features, "measure")[content["board_measure"][board]] = 1
    view(features, "points")[...] = content["board_points"][board]
    view(features, "cap")[...] = content["board_cap"][board]


FORMAT = ContentFormat(
    dtype=CONTENT,
    package="stabletimes_env",
    default="original",
    read=read,
    generators={"procedural": procedural.document},
)
