"""A set of locations as the kernels get it: steps and prices as numbers, and the record that holds them."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Any

import numpy as np

from tablezoo.layout import Layout, Part

# --- fruits and mixes (F3, F4) ----------------------------------------------------------------------------------------

FRUITS = ("banana", "coconut", "grapes", "pineapple", "strawberry")
LETTERS = "BCGPS"
NUM_FRUITS = len(FRUITS)
OF_FRUIT = 12
"""Fruits of each type."""
MIXES = list(combinations(range(NUM_FRUITS), 2))
NUM_MIXES = len(MIXES)

# --- items: what is held, and what pays, in the order of F10b ---------------------------------------------------------

FIRST_MIX, FIRST_TOKEN, WILD = 5, 15, 20
NUM_CARDS_HELD = FIRST_TOKEN
"""Fruits and mixes: what counts as a fruit in hand (F27)."""
NUM_ITEMS = 21
TYPE_SETS = 1 << NUM_FRUITS
"""Sets of types are bit masks: bit t stands for fruit t."""
ITEM_TYPES = np.array(
    [1 << t for t in range(NUM_FRUITS)]
    + [1 << a | 1 << b for a, b in MIXES]
    + [1 << t for t in range(NUM_FRUITS)]
    + [TYPE_SETS - 1],
    np.uint8,
)
"""The types that an item can stand for."""

WORD = 8
"""Features of locations, and counts of sets of types, are stored and handled eight at a time."""


def words_of(counts: Sequence[int]) -> list[int]:
    """Return small numbers as words of eight, a byte each, the lowest first."""
    return [sum(n << 8 * i for i, n in enumerate(counts[at : at + WORD])) for at in range(0, len(counts), WORD)]


# --- locations (F2, F5) -----------------------------------------------------------------------------------------------

NUM_LOCATIONS, NUM_CARDS, OF_LOCATION, OF_LAST = 59, 240, 4, 8
NO_LOCATION = NUM_LOCATIONS
IN_PLAY = 24
"""Cards in small stacks at a game's start, and the most small stacks that there can be."""

# --- steps of an action -----------------------------------------------------------------------------------------------

STEPS = (
    "draw", "all_draw", "discard", "gift", "gift_each", "gamble", "trade", "swap", "swap_hands", "steal",
    "steal_each", "ask", "each_gives", "pass", "cost", "salvage", "market", "refresh", "fill", "missing",
    "per_juice", "catch_up", "fruit_token", "wild_token", "turn_token", "mix", "thief", "copy", "order",
)  # fmt: skip
NUM_STEPS = len(STEPS)
(
    DRAW, ALL_DRAW, DISCARD, GIFT, GIFT_EACH, GAMBLE, TRADE, SWAP, SWAP_HANDS, STEAL,
    STEAL_EACH, ASK, EACH_GIVES, PASS, COST, SALVAGE, MARKET, REFRESH, FILL, MISSING,
    PER_JUICE, CATCH_UP, FRUIT_TOKEN, WILD_TOKEN, TURN_TOKEN, MIX, THIEF, COPY, ORDER,
) = range(NUM_STEPS)  # fmt: skip
NO_STEP = NUM_STEPS
WITHOUT_NUMBER = ("pass", "fruit_token", "wild_token", "turn_token", "thief", "copy")
WITH_FRUIT = ("trade", "cost")
MOST_STEPS = 4
"""Steps in one action."""
MOST = 9
"""The highest number of a step."""
ANY, SAME = NUM_FRUITS, NUM_FRUITS + 1
"""What stands in place of a fruit: any one; equal ones (``cost`` alone)."""
FRUIT_WORDS = (*LETTERS, "any", "same")

# --- prices -----------------------------------------------------------------------------------------------------------

STARS, EQUAL, DIFFERENT = range(NUM_FRUITS, NUM_FRUITS + 3)
"""Columns of a price after the signs of each fruit: smoothies, n of ``=n``, n of ``≠n``."""
PRICE = NUM_FRUITS + 3
MOST_SIGNS = 12
NUM_PRICES = 2 * NUM_LOCATIONS
"""Rows of what can be asked for: the price of each juice, then what the ``cost`` of each location asks."""
MOST_READINGS = 10
"""Ways to read ``=n`` (5 types) or ``≠n`` (10 sets of 2 or of 3 types)."""

# --- what a player sees of a location ---------------------------------------------------------------------------------

LOCATION_LAYOUT = Layout(
    [
        Part("steps", NUM_STEPS, MOST, "the number of each step of its action, 1 for steps without one"),
        Part("places", NUM_STEPS, MOST_STEPS, "which step is the first, the second, ..."),
        Part("fruit", len(FRUIT_WORDS), 1, "the fruit of its trade or cost: one of five, any, equal ones"),
        Part("price", PRICE, MOST_SIGNS, "signs of each fruit in its price, smoothies, equal ones, different ones"),
        Part("cards", 1, OF_LAST, "cards left in its small stack"),
        Part("animals", 5, 1, "whose animal stands there, the own first, then clockwise"),
        Part("thief", 1, 1, "whether the thief lies there"),
    ]
)
LOCATION_FEATURES = LOCATION_LAYOUT.size
LOCATION_WORDS = LOCATION_FEATURES // WORD

# --- the record -------------------------------------------------------------------------------------------------------

NAME_BYTES = 40

CONTENT: np.dtype[Any] = np.dtype(
    [
        # Cards, animals and thief are zeros here; row NO_LOCATION stands for no location.
        ("features", np.uint64, (NUM_LOCATIONS + 1, LOCATION_WORDS)),
        ("num_steps", np.uint8, (NUM_LOCATIONS,)),
        ("step", np.uint8, (NUM_LOCATIONS, MOST_STEPS)),  # NO_STEP after the last
        ("number", np.uint8, (NUM_LOCATIONS, MOST_STEPS)),  # 1 for steps without a number
        ("fruit", np.uint8, (NUM_LOCATIONS, MOST_STEPS)),  # of a trade or cost: a fruit, ANY or SAME; else 0
        ("copies", np.uint8, (NUM_LOCATIONS,)),  # 1: one of its steps is ``copy``
        ("price", np.uint8, (NUM_LOCATIONS, PRICE)),
        # F11a, by price: how many signs, how many of them smoothies (``any`` of a cost), and for each reading and
        # each set of types how many signs ask for one of these types, eight sets in a word.
        ("signs", np.uint8, (NUM_PRICES,)),
        ("stars", np.uint8, (NUM_PRICES,)),
        ("readings", np.uint8, (NUM_PRICES,)),
        ("asked", np.uint64, (NUM_PRICES, MOST_READINGS, TYPE_SETS // WORD)),
        ("name", np.uint8, (NUM_LOCATIONS, NAME_BYTES)),  # UTF-8, filled up with zeros
    ]
)


def location_of(card: int) -> int:
    """Return the location, counted from 0, of a card of the location stack (F2)."""
    return min(card // OF_LOCATION, NUM_LOCATIONS - 1)


def end_of(location: int) -> int:
    """Return the first card of the location stack behind those of a location (F2)."""
    return NUM_CARDS if location == NUM_LOCATIONS - 1 else (location + 1) * OF_LOCATION
