"""What pays a price or a cost: each card or token stands for one sign, chosen one at a time (F10b, F11a).

Whether a payment can be completed is decided by counting, for each of the 32 sets of types. The counts of eight sets
stand in one word, a byte each, so that four words hold them all: no count reaches 128, so none touches its neighbour,
and where the highest bit outlives a subtraction there is no count too few.
"""

import numpy as np

from fable_env.hands import held
from fable_env.sets import FIRST_TOKEN, ITEM_TYPES, NUM_ITEMS, NUM_LOCATIONS, TYPE_SETS, words_of
from fable_env.state import A_CARD, A_STACK
from tablezoo.game import common_kernel, kernel

ABLE = np.array(
    [words_of([int(types & of != 0) for of in range(TYPE_SETS)]) for types in ITEM_TYPES.tolist()], np.uint64
)
"""By item and set of types: 1 if the item can stand for one of them."""
BOUND = np.array(
    [words_of([int(types & ~of == 0) for of in range(TYPE_SETS)]) for types in ITEM_TYPES.tolist()], np.uint64
)
"""By item and set of types: 1 if the item can stand for no other."""

HIGHEST_BITS, ONES = np.uint64(0x8080808080808080), np.uint64(0x0101010101010101)

# --- counts of all sets of types --------------------------------------------------------------------------------------


@kernel
def no_counts():
    return (np.uint64(0), np.uint64(0), np.uint64(0), np.uint64(0))


@kernel
def with_items(counts, of, item, number):
    """Return the counts with a number of equal items more, each counted as ``of`` says."""
    n = np.uint64(number)
    return (
        counts[0] + of[item, 0] * n,
        counts[1] + of[item, 1] * n,
        counts[2] + of[item, 2] * n,
        counts[3] + of[item, 3] * n,
    )


@kernel
def with_more(counts, number):
    """Return the counts, each greater by a number."""
    n = ONES * np.uint64(number)
    return (counts[0] + n, counts[1] + n, counts[2] + n, counts[3] + n)


@kernel
def reach(counts, wanted):
    """Return whether no count is below the one wanted."""
    kept = (
        ((counts[0] | HIGHEST_BITS) - wanted[0])
        & ((counts[1] | HIGHEST_BITS) - wanted[1])
        & ((counts[2] | HIGHEST_BITS) - wanted[2])
        & ((counts[3] | HIGHEST_BITS) - wanted[3])
    )
    return kept & HIGHEST_BITS == HIGHEST_BITS


@kernel
def asked_by(c, row, reading):
    """Return how many signs of a row ask for a type of each set, in one way to read it."""
    return (
        c.asked[row, reading, 0],
        c.asked[row, reading, 1],
        c.asked[row, reading, 2],
        c.asked[row, reading, 3],
    )


# --- what can be paid -------------------------------------------------------------------------------------------------


@kernel
def kinds_that_pay(row):
    """F24: tokens pay prices (rows below NUM_LOCATIONS), but no cost."""
    return NUM_ITEMS if row < NUM_LOCATIONS else FIRST_TOKEN


@kernel
def count_all(s, seat, kinds):
    """Return how many items a seat has that can stand for each set of types, and how many in all."""
    able = no_counts()
    number = 0
    for item in range(kinds):
        have = held(s, seat, item)
        able = with_items(able, ABLE, item, have)
        number += have
    return able, number


@common_kernel
def covers(c, row, able, number, more):
    """F11a: whether items cover the signs of a row and ``more`` smoothies."""
    if number < int(c.signs[row]) + more:
        return False
    for reading in range(int(c.readings[row])):
        if reach(able, asked_by(c, row, reading)):
            return True
    return False


@kernel
def can_pay(s, c, seat, row, more):
    """Return whether a seat can pay a row of prices and ``more`` smoothies."""
    able, number = count_all(s, seat, kinds_that_pay(row))
    return covers(c, row, able, number, more)


@kernel
def can_order(s, c, seat, more):
    """Return whether a seat can buy any juice in play for its price and ``more`` smoothies."""
    able, number = count_all(s, seat, NUM_ITEMS)
    for slot in range(int(s.num_stacks)):
        if covers(c, int(s.stacks[slot]), able, number, more):
            return True
    return False


@kernel
def allow_payable(s, c, seat, more, mask):
    """Allow each small stack whose juice the seat can pay with ``more`` smoothies besides (``order``)."""
    able, number = count_all(s, seat, NUM_ITEMS)
    for slot in range(int(s.num_stacks)):
        mask[A_STACK + slot] = covers(c, int(s.stacks[slot]), able, number, more)


@kernel
def allow_payment(s, c, seat, row, more, last, mask):
    """F10b, F11a: each item from the last chosen on, if with those after it and those chosen it completes the price."""
    signs = int(c.signs[row]) + more
    stars = int(c.stars[row]) + more
    able = no_counts()
    bound = no_counts()
    number = 0
    for item in range(NUM_ITEMS):
        paid = int(s.paid[item])
        able = with_items(able, ABLE, item, paid)
        bound = with_items(bound, BOUND, item, paid)
        number += paid
    for item in range(kinds_that_pay(row) - 1, max(last, 0) - 1, -1):
        have = held(s, seat, item)
        if have > 0:
            able = with_items(able, ABLE, item, have)
            number += have
            chosen = with_items(bound, BOUND, item, 1)
            mask[A_CARD + item] = number >= signs and completes(c, row, able, chosen, stars)


@kernel
def completes(c, row, able, bound, stars):
    """F11a: for some reading signs asked <= items able, and items chosen that are bound <= asked + stars."""
    for reading in range(int(c.readings[row])):
        asked = asked_by(c, row, reading)
        if reach(able, asked) and reach(with_more(asked, stars), bound):
            return True
    return False
