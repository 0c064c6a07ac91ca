"""The record of a game of Stable Times, the names of its numbers, and the action space."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stabletimes_env.sets import (
    EXCEEDED,
    NUM_AISLES,
    NUM_BOARDS,
    NUM_DISCIPLINES,
    NUM_HORSES,
    NUM_PREFERENCES,
    NUM_TYPES,
    STALLS,
)
from tablezoo.content_table import text_of
from tablezoo.errors import did_you_mean
from tablezoo.layout import Layout, Part
from tablezoo.options import Option, integer

MIN_SEATS, MAX_SEATS = 1, 5
NEIGHBOURS = MAX_SEATS - 1

EMPTY = NUM_HORSES
"""Stands for no horse: in a slot, a stall, a field, a deck."""
HAND = 3
NUM_FIELDS = 3
FIELD_DEPTH = 24
"""The pasture never holds more: after S15 at most two of each type and the nine wild ones, 19; a turn adds one by a
swap and two by discards."""
NO_TYPE = NUM_TYPES
"""The type of an aisle that is empty, or of wild horses alone (S11)."""
NO_BOARD = -1
AT_HOME = 1 << (NUM_TYPES + 1)
"""A bit of ``outlook``: something in the stable's other aisles is counted. Those below are types counted next door;
that of NO_TYPE is never set, as nobody counts an aisle without a type."""

# --- phases of a turn -------------------------------------------------------------------------------------------------

SWAP, PLACE, PLACE_AGAIN, DISCARD = range(4)
PHASES = ("swap", "place", "place again", "discard")

STATE: list[Any] = [
    ("deck", np.uint8, (NUM_HORSES,)),  # the top lies at deck_size - 1
    ("deck_size", np.int8),
    ("pile", np.uint8, (NUM_HORSES,)),  # 1: the horse lies on the discard pile (S16)
    ("pile_size", np.int8),
    ("pile_types", np.uint8, (NUM_TYPES + 1, NUM_DISCIPLINES + 1)),  # the pile by type and discipline
    ("pile_preferences", np.uint8, (NUM_PREFERENCES,)),  # the pile by kind of preference
    ("hand", np.uint8, (MAX_SEATS, HAND)),  # sorted, empty slots last
    ("shown", np.uint8, (MAX_SEATS, HAND)),  # 1: all know the horse in this slot (S8)
    ("field", np.uint8, (NUM_FIELDS, FIELD_DEPTH)),  # bottom first
    ("field_size", np.int8, (NUM_FIELDS,)),
    ("stall", np.uint8, (MAX_SEATS, NUM_AISLES, STALLS)),  # top stall first
    ("aisle_size", np.uint8, (MAX_SEATS, NUM_AISLES)),
    ("aisle_type", np.uint8, (MAX_SEATS, NUM_AISLES)),
    ("disciplines", np.uint8, (MAX_SEATS, NUM_DISCIPLINES)),  # horses of each in the stable
    ("wilds", np.uint8, (MAX_SEATS,)),  # wild horses in the stable
    ("outlook", np.uint8, (MAX_SEATS, NUM_AISLES)),  # what the aisle's horses count beyond it, as bits
    ("preferences", np.int16, (MAX_SEATS, NUM_AISLES)),  # what the aisle's horses score (S20)
    ("board", np.int8, (MAX_SEATS,)),
    ("upgraded", np.uint8, (MAX_SEATS,)),
    ("points", np.int16, (MAX_SEATS,)),  # if the game ended now (S20)
    ("phase", np.uint8),
    ("first_aisle", np.int8),  # of the turn's first horse, -1 before (S9)
    ("starter", np.int8),  # the start seat (S7)
    ("triggered", np.uint8),  # 1: the round that is played is the last (S19)
]

# --- the action space -------------------------------------------------------------------------------------------------

SOURCES = 3
FROM_DECK = 0
"""A swap's source: the deck, or the other field with the lower, with the higher number."""
OTHER_FIELD = np.array([[-1, 1, 2], [-1, 0, 2], [-1, 0, 1]], np.int64)
"""The field that a source stands for, by the field put on and the source."""


def _swap_label(slot: int, field: int, source: int) -> str:
    taken = "the deck" if source == FROM_DECK else f"field {OTHER_FIELD[field, source] + 1}"
    return f"put the horse in slot {slot + 1} on field {field + 1} and take the top one of {taken}"


ACTION_LAYOUT = Layout(
    [
        Part(
            "swap",
            (HAND, NUM_FIELDS, SOURCES),
            about="hand slot, field put on, source: the deck, the other field of lower or of higher number (S8)",
            labels=_swap_label,
        ),
        Part(
            "place",
            (HAND, NUM_AISLES),
            about="hand slot, aisle (S9)",
            labels=lambda slot, aisle: f"place the horse in slot {slot + 1} in aisle {aisle + 1}",
        ),
        Part(
            "discard",
            (HAND, NUM_FIELDS),
            about="hand slot, field (S14)",
            labels=lambda slot, field: f"discard the horse in slot {slot + 1} on field {field + 1}",
        ),
        Part("stop", 1, about="no swap (S8), no second horse (S9), no more discards (S14)", labels=lambda _: "stop"),
    ]
)

A_SWAP = ACTION_LAYOUT.offset("swap")
A_PLACE = ACTION_LAYOUT.offset("place")
A_DISCARD = ACTION_LAYOUT.offset("discard")
A_STOP = ACTION_LAYOUT.offset("stop")

# --- options ----------------------------------------------------------------------------------------------------------


def parse_boards(value: Any, num_players: int, content: Any) -> NDArray[np.int8]:
    """Return the board of each seat, (5,) int8 with -1 for those to be drawn, from names or indices (S6).

    Raises:
        TypeError: no sequence of names and integers.
        ValueError: not one a player, an unknown name or index, one twice, or in solo one that counts opponents (S30).
    """
    boards = np.full(MAX_SEATS, NO_BOARD, np.int8)
    if value is None:
        return boards
    if isinstance(value, (str, bytes)) or not isinstance(value, (Sequence, np.ndarray)):
        raise TypeError(f"expected a board for each player, names or indices from 0 to {NUM_BOARDS - 1}, got {value!r}")
    if len(value) != num_players:
        raise ValueError(f"expected {num_players} board(s), one for each player, got {len(value)}")
    names = [text_of(name) for name in content["board_name"]]
    chosen = [_board_index(board, names) for board in value]
    for board in chosen:
        if chosen.count(board) > 1:
            raise ValueError(f"board {names[board]!r} is given twice, no two players have the same")
        if num_players == 1 and content["board_condition"][board] == EXCEEDED:
            raise ValueError(f"board {names[board]!r} counts opponents, it cannot be used in solo")
    boards[:num_players] = chosen
    return boards


def _board_index(board: Any, names: list[str]) -> int:
    if not isinstance(board, str):
        return integer(board, 0, NUM_BOARDS - 1)
    if board not in names:
        raise ValueError(f"unknown board {board!r}{did_you_mean(board, names)}")
    return names.index(board)


OPTIONS = (
    Option(
        "boards",
        None,
        np.int8,
        (MAX_SEATS,),
        parse_boards,
        "the board of each seat: a sequence of names or of indices in the content set; None: drawn from the seed",
    ),
)
