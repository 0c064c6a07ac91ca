"""What pays a price or a cost: each card or token stands for one sign, chosen one at a time (F10b, F11a)."""

import numpy as np

from fable_env.hands import held
from fable_env.sets import FIRST_TOKEN, ITEM_TYPES, NUM_ITEMS, NUM_LOCATIONS, TYPE_SETS
from fable_env.state import A_CARD, A_STACK
from tablezoo.game import common_kernel, kernel

ABLE = np.array([[int(types & of != 0) for of in range(TYPE_SETS)] for types in ITEM_TYPES.tolist()], np.uint8)
"""By item and set of types: 1 if the item can stand for one of them."""
BOUND = np.array([[int(types & ~of == 0) for of in range(TYPE_SETS)] for types in ITEM_TYPES.tolist()], np.uint8)
"""By item and set of types: 1 if the item can stand for no other."""


@kernel
def kinds_that_pay(row):
    """F24: tokens pay prices (rows below NUM_LOCATIONS), but no cost."""
    return NUM_ITEMS if row < NUM_LOCATIONS else FIRST_TOKEN


@kernel
def count_item(counts, of, item, number):
    """Add a number of equal items to the counts of what can stand for each set of types."""
    for types in range(TYPE_SETS):
        counts[types] += of[item, types] * number


@kernel
def forget_counts(s):
    for types in range(TYPE_SETS):
        s.able[types] = 0
        s.bound[types] = 0


@kernel
def count_all(s, seat, kinds):
    """Fill ``s.able`` from all that a seat holds; return how many items these are."""
    number = 0
    for item in range(kinds):
        have = held(s, seat, item)
        if have > 0:
            count_item(s.able, ABLE, item, have)
            number += have
    return number


@common_kernel
def covers(s, c, row, number, more):
    """F11a: whether the items counted in ``s.able`` cover the signs of a row and ``more`` smoothies."""
    if number < int(c.signs[row]) + more:
        return False
    for reading in range(int(c.readings[row])):
        missing = False
        for types in range(TYPE_SETS):
            missing |= c.asked[row, reading, types] > s.able[types]
        if not missing:
            return True
    return False


@kernel
def can_pay(s, c, seat, row, more):
    """Return whether a seat can pay a row of prices and ``more`` smoothies."""
    number = count_all(s, seat, kinds_that_pay(row))
    payable = covers(s, c, row, number, more)
    forget_counts(s)
    return payable


@kernel
def can_order(s, c, seat, more):
    """Return whether a seat can buy any juice in play for its price and ``more`` smoothies."""
    number = count_all(s, seat, NUM_ITEMS)
    payable = False
    for slot in range(int(s.num_stacks)):
        if covers(s, c, int(s.stacks[slot]), number, more):
            payable = True
            break
    forget_counts(s)
    return payable


@kernel
def allow_payable(s, c, seat, more, mask):
    """Allow each small stack whose juice the seat can pay with ``more`` smoothies besides (``order``)."""
    number = count_all(s, seat, NUM_ITEMS)
    for slot in range(int(s.num_stacks)):
        mask[A_STACK + slot] = covers(s, c, int(s.stacks[slot]), number, more)
    forget_counts(s)


@kernel
def allow_payment(s, c, seat, row, more, last, mask):
    """F10b, F11a: each item from the last chosen on, if with those after it and those chosen it completes the price."""
    signs = int(c.signs[row]) + more
    stars = int(c.stars[row]) + more
    number = 0
    for item in range(NUM_ITEMS):
        paid = int(s.paid[item])
        if paid > 0:
            count_item(s.able, ABLE, item, paid)
            count_item(s.bound, BOUND, item, paid)
            number += paid
    for item in range(kinds_that_pay(row) - 1, max(last, 0) - 1, -1):
        have = held(s, seat, item)
        if have > 0:
            count_item(s.able, ABLE, item, have)
            number += have
            mask[A_CARD + item] = number >= signs and completes(s, c, row, item, stars)
    forget_counts(s)


@kernel
def completes(s, c, row, item, stars):
    """F11a, with ``item`` chosen besides: for some reading signs asked <= items able, items bound <= asked + stars."""
    for reading in range(int(c.readings[row])):
        wrong = False
        for types in range(TYPE_SETS):
            asked = c.asked[row, reading, types]
            wrong |= asked > s.able[types]
            wrong |= s.bound[types] + BOUND[item, types] > asked + stars
        if not wrong:
            return True
    return False
