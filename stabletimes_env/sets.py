"""A content set as the kernels get it: the words of both languages as numbers, and the record that holds them."""

from __future__ import annotations

from typing import Any

import numpy as np

from tablezoo.layout import Layout, Part

# --- horses (S2, S3) ------------------------------------------------------------------------------------------------

NUM_TYPES, TYPE_HORSES, NUM_WILD = 5, 12, 9
NUM_HORSES = NUM_TYPES * TYPE_HORSES + NUM_WILD
WILD = NUM_TYPES
"""The type of a wild horse."""

DISCIPLINES = ("rail", "block", "flag")
NUM_DISCIPLINES = len(DISCIPLINES)
NO_DISCIPLINE = NUM_DISCIPLINES

NUM_AISLES, STALLS = 4, 3
TOP, MIDDLE, BOTTOM = range(STALLS)
STALL_NAMES = ("top", "middle", "bottom")
INNER = 0b0110
"""A bit an aisle: aisles 2 and 3 are inner (S34)."""
OUTER = 0b1001
SIDES = {"inner": INNER, "outer": OUTER}
PLACES = ("aisle", "stable")

# --- preferences: what a horse scores (S3, S34, S35) ----------------------------------------------------------------

FLAT = 0
STALL = 1
"""``of``: the stall."""
AISLES = 2
"""``of``: a bit an aisle; also written as a side, inner or outer."""
COMPLETE = 3
PER_TYPE = 4
"""``of``: the type; ``whole``: 1 counts in the whole stable, 0 in the aisle."""
PER_DISCIPLINE = 5
"""``of``: the discipline; ``whole`` as above."""
ALL_DIFFERENT = 6
ALL_EQUAL = 7
NEIGHBOUR = 8
"""``of``: the type of an aisle beside the horse's."""
PER_WILD = 9
PER_EMPTY = 10
NEXT_DOOR = 11
"""``of``: the type counted in the stables of the neighbouring players."""
PREFERENCES = (
    "flat", "stall", "aisles", "complete", "per_type", "per_discipline",
    "all_different", "all_equal", "neighbour", "per_wild", "per_empty", "next_door",
)  # fmt: skip
NUM_PREFERENCES = len(PREFERENCES)
LEAST_POINTS, MOST_POINTS = -9, 20
NO_CAP = 2 * NUM_AISLES * STALLS
"""What a count never exceeds: all stalls of two neighbouring players."""

# --- conditions: what a board scores (S4, S34, S35) -----------------------------------------------------------------

COMPLETE_AISLES, AISLE_TYPES, PREFERRED_HORSES, DISCIPLINE_SETS, EQUAL_NEIGHBOURS, EXCEEDED = range(6)
CONDITIONS = (
    "complete_aisles", "aisle_types", "preferred_horses", "discipline_sets", "equal_neighbours", "exceeded_opponents",
)  # fmt: skip
NUM_CONDITIONS = len(CONDITIONS)
HORSES, WILD_HORSES, RAIL, BLOCK, FLAG = range(5, 10)
"""Measures that only ``exceeded_opponents`` counts by; the conditions before it are measures too."""
MEASURES = (*CONDITIONS[:EXCEEDED], "horses", "wild_horses", *DISCIPLINES)
NUM_MEASURES = len(MEASURES)

NUM_BOARDS = 5
BASIC, UPGRADED = range(2)
SIDES_OF_BOARD = ("basic", "upgraded")

WORD = 8
"""Features are stored and copied eight at a time."""

# --- what a player sees of a horse and of a board -------------------------------------------------------------------

HORSE_LAYOUT = Layout(
    [
        Part("type", NUM_TYPES + 1, 1, "the five types, wild"),
        Part("discipline", NUM_DISCIPLINES + 1, 1, "jump rail, block, flag, none"),
        Part("preference", NUM_PREFERENCES, 1, "the kind of its preference"),
        Part("points", 1, MOST_POINTS, "its points, if it brings any"),
        Part("penalty", 1, -LEAST_POINTS, "the points it costs, if it does"),
        Part("each", 1, 1, "whether they count for each of what the preference asks for"),
        Part("of", 5, 1, "what the preference asks for: stall, aisles, type or discipline"),
        Part("whole", 1, 1, "whether it counts in the whole stable"),
        Part("cap", 1, NO_CAP, "the most it counts, 24 without a cap; 0 where nothing is counted"),
    ]
)
HORSE_FEATURES = HORSE_LAYOUT.size
HORSE_WORDS = HORSE_FEATURES // WORD

BOARD_LAYOUT = Layout(
    [
        Part("type", NUM_TYPES, 1, "the preferred type"),
        Part("condition", NUM_CONDITIONS, 1, "what it scores for"),
        Part("measure", NUM_MEASURES, 1, "what opponents are exceeded in, if that is the condition"),
        Part("points", 2, MOST_POINTS, "its points on the basic and on the upgraded side"),
        Part("cap", 1, NO_CAP, "the most it counts, 24 without a cap"),
    ]
)
BOARD_FEATURES = BOARD_LAYOUT.size
BOARD_WORDS = BOARD_FEATURES // WORD

# --- the record -----------------------------------------------------------------------------------------------------

NAME_BYTES = 32

CONTENT: np.dtype[Any] = np.dtype(
    [
        # Row NUM_HORSES stands for no horse: an empty slot has no features.
        ("features", np.uint64, (NUM_HORSES + 1, HORSE_WORDS)),
        ("type", np.uint8, (NUM_HORSES,)),
        ("discipline", np.uint8, (NUM_HORSES,)),
        ("preference", np.uint8, (NUM_HORSES,)),
        ("points", np.int8, (NUM_HORSES,)),
        ("of", np.uint8, (NUM_HORSES,)),
        ("whole", np.uint8, (NUM_HORSES,)),
        ("cap", np.uint8, (NUM_HORSES,)),
        ("board_features", np.uint64, (NUM_BOARDS, BOARD_WORDS)),
        ("board_type", np.uint8, (NUM_BOARDS,)),
        ("board_condition", np.uint8, (NUM_BOARDS,)),
        ("board_measure", np.uint8, (NUM_BOARDS,)),
        ("board_points", np.uint8, (NUM_BOARDS, 2)),
        ("board_cap", np.uint8, (NUM_BOARDS,)),
        # UTF-8, filled up with zeros.
        ("name", np.uint8, (NUM_HORSES, NAME_BYTES)),
        ("board_name", np.uint8, (NUM_BOARDS, NAME_BYTES)),
        ("type_name", np.uint8, (NUM_TYPES, NAME_BYTES)),
    ]
)
