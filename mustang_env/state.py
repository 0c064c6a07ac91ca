"""The record of a game of Mustang, the names of its numbers, and the action space."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tablezoo.errors import did_you_mean
from tablezoo.layout import Layout, Part
from tablezoo.options import Option, integer

MIN_SEATS, MAX_SEATS = 2, 5

# --- cards (M2): 0..39 are (value - 1) * 5 + suit, every cowboy is 40, an empty slot of a hand 41 -

SUITS = ("red", "blue", "green", "yellow", "white")
COWBOY, EMPTY = 40, 41
NUM_COWBOYS, NUM_CARDS, HAND = 9, 49, 6
HIGHEST_VALUE = 8
VALUE = np.array([card // 5 + 1 for card in range(COWBOY)] + [0, 0], np.int64)
SUIT = np.array([card % 5 for card in range(COWBOY)] + [5, 5], np.int64)

# --- counters (M3): 0..4 stallions by suit, 5..9 mares, 10..14 foals, then the special horses

STALLION, MARE, FOAL, SPECIAL = range(4)
KINDS = ("stallion", "mare", "foal", "special horse")
NUM_TYPES = 17
BLACK_PRINCE, SNOW_WHITE_MARE = 15, 16
KIND = np.array([STALLION] * 5 + [MARE] * 5 + [FOAL] * 5 + [SPECIAL] * 2, np.int64)
FIRST_TYPE = np.array([0, 5, 10, 15, 17], np.int64)
"""The types of a kind are ``FIRST_TYPE[kind]`` up to, without it, ``FIRST_TYPE[kind + 1]``."""
TYPE_TOTAL = np.array([2] * 5 + [3] * 5 + [4] * 5 + [1] * 2, np.int64)
PILE_TOTAL = np.array([10, 15, 20], np.int64)
POINTS = np.array([3] * 5 + [2] * 5 + [1] * 5 + [5] * 2, np.int64)
SIZE = np.array([4, 3, 2, 5], np.int64)
"""Cards in the combination of each kind (M9)."""

# --- events (M4) ----------------------------------------------------------------------------------

ROTTEN_GATE, PRIDE_OF_THE_HERD, HEAVY_RAIN, DELIVERY, SUNNY_DAY = range(5)
EVENTS = ("rotten_gate", "pride_of_the_herd", "heavy_rain", "delivery", "sunny_day")
MAX_EVENTS = 12
RAIN_MOVES = 2

# --- phases: the kind of the top pending frame ----------------------------------------------------

TURN = 0
"""Nothing is pending: ``seat`` chooses what to do with its turn."""
SWAP = 1
"""``seat`` chooses the cards to swap."""
PLAY = 2
"""``seat`` chooses the cards for its catch or theft; a: the target's action."""
ANSWER = 3
"""``seat`` answers the theft of one of its counters; a: cards in the thief's combination, b: its value."""
GATE = 4
"""``seat`` chooses the counter that gets free."""
RAIN = 5
"""``seat`` chooses a counter for the stable; a: moves left."""
PHASES = ("turn", "swap", "play", "answer", "gate", "rain")

# --- what was done last ---------------------------------------------------------------------------

NOTHING, SWAPPED, CAUGHT, CAUGHT_UNSEEN, STOLE, STABLED = range(6)

STATE: list[Any] = [
    # The cowboy deck is a ring: the top lies at deck_top, those below follow, index 0 after index 48.
    ("deck", np.uint8, (NUM_CARDS,)),
    ("deck_top", np.int8),
    ("deck_size", np.int8),
    ("used", np.uint8, (41,)),  # how many of each card lie on the used pile (M18)
    ("hand", np.uint8, (MAX_SEATS, HAND)),  # sorted, empty slots last
    ("pile", np.uint8, (3, 20)),  # face-down, by kind; the top lies at PILE_TOTAL[kind] - pile_size[kind]
    ("pile_size", np.int8, (3,)),
    ("prairie", np.uint8, (NUM_TYPES,)),  # face-up counters by type (M6)
    ("corral", np.uint8, (MAX_SEATS, NUM_TYPES)),
    ("stable", np.uint8, (MAX_SEATS, NUM_TYPES)),
    ("removed", np.uint8, (NUM_TYPES,)),  # counters out of the game (M22)
    ("event_deck", np.uint8, (MAX_EVENTS,)),  # the top lies at event_turned
    ("event_turned", np.int8),
    ("event_discards", np.uint8, (5,)),  # turned up since the event deck was shuffled, by event
    ("event_due", np.uint8),  # 1: the deck ran out in this action (M20)
    ("dealer", np.int8),
    ("mover", np.int8),  # whose turn it is, whoever is asked
    ("finisher", np.int8),  # who finished the game (M27), else -1
    # The last action, public; a theft that waits for its answer is the last action.
    ("last_actor", np.int8),
    ("last_action", np.uint8),  # NOTHING..STABLED
    ("last_type", np.int8),  # the counter caught, wanted or stabled, else -1
    ("last_owner", np.int8),  # whom the theft was aimed at, else -1
    ("last_value", np.int8),  # the value of the combination played (M10), 0 without one
    ("last_cards", np.uint8, (5,)),  # the cards played, the rest EMPTY
    ("last_answer", np.uint8, (5,)),  # the answer to a theft, EMPTY if there is none
    ("last_cowboys", np.int8),  # how many the thief discarded (M15)
    ("last_swapped", np.int8),  # how many cards were swapped
]

# --- sets of hand slots ---------------------------------------------------------------------------

SETS = [slots for size in range(1, 6) for slots in combinations(range(HAND), size)]
NUM_SETS = len(SETS)
SET_FIRST = np.array([0, 0, 6, 21, 41, 56, 62], np.int64)
"""The sets of ``size`` cards are ``SET_FIRST[size]`` up to, without it, ``SET_FIRST[size + 1]``."""
SET_SIZE = np.array([len(slots) for slots in SETS], np.int64)
SET_MASK = np.array([sum(1 << slot for slot in slots) for slots in SETS], np.int64)
"""Bit i of a set's mask stands for slot i."""
SET_SLOTS = np.array([(*slots, *(5 - len(slots)) * [0]) for slots in SETS], np.int64)


# --- the action space -----------------------------------------------------------------------------


def counter_name(type_: int) -> str:
    """Return a counter's name in words, without an article."""
    if type_ >= BLACK_PRINCE:
        return "Black Prince" if type_ == BLACK_PRINCE else "Snow White Mare"
    return f"{SUITS[type_ % 5]} {KINDS[type_ // 5]}"


def card_name(card: int) -> str:
    """Return a card's name in words."""
    return "cowboy" if card == COWBOY else f"{SUITS[SUIT[card]]} {VALUE[card]}"


def neighbour_name(steps: int) -> str:
    """Return how the player ``steps`` seats clockwise is called."""
    return "the player to your left" if steps == 1 else f"the player {steps} to your left"


def _set_label(index: int) -> str:
    slots = [str(slot + 1) for slot in SETS[index]]
    return f"the card in slot {slots[0]}" if len(slots) == 1 else f"the cards in slots {', '.join(slots)}"


ACTION_LAYOUT = Layout(
    [
        Part("swap", 1, about="swap one or two cards (M8), asked next", labels=lambda _: "swap cards"),
        Part(
            "catch",
            NUM_TYPES,
            about="catch a face-up counter of this type (M11)",
            labels=lambda type_: f"catch the {counter_name(type_)} on the prairie",
        ),
        Part(
            "catch_pile",
            3,
            about="catch the top face-down counter of this kind's pile (M11)",
            labels=lambda kind: f"catch the top counter of the {KINDS[kind]} pile",
        ),
        Part(
            "steal",
            (4, NUM_TYPES),
            about="steal a counter of this type from the corral of the player 1 to 4 seats clockwise (M13)",
            labels=lambda seat, type_: f"steal the {counter_name(type_)} from {neighbour_name(seat + 1)}",
        ),
        Part(
            "corral",
            NUM_TYPES,
            about="a counter of the own corral: to the stable (M16, M23), or through the rotten gate (M21)",
            labels=lambda type_: f"move the {counter_name(type_)} out of your corral",
        ),
        Part(
            "cards",
            NUM_SETS,
            about="a set of hand slots to swap (M8) or to play (M9, M14), by size, then by slots",
            labels=_set_label,
        ),
        Part("decline", 1, about="no answer to a theft (M14), no more moves (M23)", labels=lambda _: "decline"),
    ]
)

A_SWAP = ACTION_LAYOUT.offset("swap")
A_CATCH = ACTION_LAYOUT.offset("catch")
A_PILE = ACTION_LAYOUT.offset("catch_pile")
A_STEAL = ACTION_LAYOUT.offset("steal")
A_CORRAL = ACTION_LAYOUT.offset("corral")
A_CARDS = ACTION_LAYOUT.offset("cards")
A_DECLINE = ACTION_LAYOUT.offset("decline")


# --- options --------------------------------------------------------------------------------------


def parse_events(value: Any, _num_players: int, _content: Any) -> NDArray[np.uint8]:
    """Return the event deck's composition, (5,) uint8, from a mapping name -> count or a sequence of names.

    Raises:
        TypeError: neither of the two, or a count that is no integer.
        ValueError: an unknown name, or not 1 to 12 cards in all.
    """
    counts = np.zeros(len(EVENTS), np.uint8)
    if isinstance(value, Mapping):
        named = [(name, _event_count(name, count)) for name, count in value.items()]
    elif isinstance(value, Sequence) and not isinstance(value, (str, bytes)):
        named = [(name, 1) for name in value]
    else:
        raise TypeError(f"expected event names, or a mapping from them to counts, got {value!r}")
    for name, _ in named:
        if not isinstance(name, str):
            raise TypeError(f"expected event names, got {name!r}")
        if name not in EVENTS:
            raise ValueError(f"unknown event {name!r}{did_you_mean(name, EVENTS)}")
    total = sum(count for _, count in named)
    if not 1 <= total <= MAX_EVENTS:
        raise ValueError(f"expected 1 to {MAX_EVENTS} event cards, got {total}")
    for name, count in named:
        counts[EVENTS.index(name)] += count
    return counts


def _event_count(name: Any, count: Any) -> int:
    try:
        return integer(count, 0, MAX_EVENTS)
    except (TypeError, ValueError) as error:
        raise type(error)(f"event {name!r}: {error}") from None


OPTIONS = (
    Option(
        "events",
        dict(zip(EVENTS, (1, 1, 1, 1, 2), strict=True)),
        np.uint8,
        (len(EVENTS),),
        parse_events,
        "the event deck: a mapping from event names to counts, or a sequence of names; 1 to 12 cards",
    ),
)
