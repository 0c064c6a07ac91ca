"""A content set that has been checked, stored as the kernels get it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from stabletimes_env import sets
from stabletimes_env.sets import (
    BOARD_LAYOUT,
    CONDITIONS,
    DISCIPLINES,
    HORSE_LAYOUT,
    MEASURES,
    NO_CAP,
    NO_DISCIPLINE,
    NUM_AISLES,
    PREFERENCES,
    SIDES,
    SIDES_OF_BOARD,
    STALL_NAMES,
    WILD,
)
from tablezoo.content_table import store_text

WILD_TYPE, NO_DISCIPLINE_NAME = "wild", "none"
"""What a file calls a horse without a type, and one without a discipline."""
COUNTING = (sets.PER_TYPE, sets.PER_DISCIPLINE, sets.PER_WILD, sets.PER_EMPTY, sets.NEXT_DOOR)
"""Preferences that score for each one counted."""


def store(document: Mapping[str, Any], content: Any) -> None:
    """Fill one record, all zeros so far, from a document without faults."""
    types = document["types"]
    for i, type_ in enumerate(types):
        store_text(content["type_name"][i], type_)
    for i, horse in enumerate(document["horses"]):
        _store_horse(content, i, horse, types)
        _store_horse_features(content, i)
    for i, board in enumerate(document["boards"]):
        _store_board(content, i, board, types)
        _store_board_features(content, i)


def _store_horse(content: Any, horse: int, table: Mapping[str, Any], types: list[str]) -> None:
    preference = table["preference"]
    kind = "aisles" if preference["kind"] == "side" else preference["kind"]
    discipline = table.get("discipline", NO_DISCIPLINE_NAME)
    store_text(content["name"][horse], table["name"])
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
    counts = kind in COUNTING
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
    store_text(content["board_name"][board], table["name"])
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
