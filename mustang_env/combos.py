"""Combinations of cards (M9, M10): which sets of hand slots serve, and how high they rank.

A hand is sorted: natural cards first, by value, then cowboys. So cards of one value stand side by side, and a
set's cards are of one value if its first and last natural card are. Of cowboys, alike as they are, a set must
take the first ones in the hand (M17).
"""

import numpy as np

from mustang_env.state import A_CARDS, COWBOY, EMPTY, HAND, HIGHEST_VALUE, SET_FIRST, SET_MASK, SUIT, VALUE
from tablezoo.game import kernel

LOWEST_SLOT = np.array([0] + [(m & -m).bit_length() - 1 for m in range(1, 1 << HAND)], np.int64)
HIGHEST_SLOT = np.array([0] + [m.bit_length() - 1 for m in range(1, 1 << HAND)], np.int64)
STRAIGHT = 5
SUIT_NIBBLE = np.array([1 << 4 * suit for suit in SUIT[:COWBOY]] + [0, 0], np.int64)
"""Added up over a hand, these count its cards of each suit, four bits a suit."""
FULL_SET = (1 << HAND) - 1


@kernel
def count_naturals(hand):
    """Return how many cards of the hand are no cowboys; they stand first."""
    naturals = 0
    while naturals < HAND and hand[naturals] < COWBOY:
        naturals += 1
    return naturals


@kernel
def takes_first_cowboys(chosen, naturals):
    """Return whether the cowboys among the chosen slots are the first ones of the hand (M17)."""
    cowboys = chosen >> naturals
    return cowboys & (cowboys + 1) == 0


@kernel
def group_value(hand, chosen, naturals):
    """Return the value of a set as so many of a kind, 8 if it is all cowboys (M10); 0 if it is none."""
    fixed = chosen & ((1 << naturals) - 1)
    if fixed == 0:
        return HIGHEST_VALUE
    value = VALUE[hand[LOWEST_SLOT[fixed]]]
    return value if VALUE[hand[HIGHEST_SLOT[fixed]]] == value else 0


@kernel
def straight_value(hand, chosen, naturals):
    """Return the top value of a five-card set as a straight flush (M10a); 0 if it is none."""
    lowest = -1
    highest = 0
    for slot in range(naturals):
        if chosen >> slot & 1 == 0:
            continue
        card = hand[slot]
        if lowest < 0:
            lowest = int(card)
        elif SUIT[card] != SUIT[lowest] or VALUE[card] == highest:
            return 0
        highest = VALUE[card]
    if lowest < 0:
        return HIGHEST_VALUE
    if highest > VALUE[lowest] + 4:
        return 0
    return min(VALUE[lowest] + 4, HIGHEST_VALUE)


@kernel
def set_value(hand, chosen, size, naturals):
    """Return the value of a set of ``size`` slots as its kind of combination; 0 if it is none, or if it takes
    other cowboys than the first."""
    if not takes_first_cowboys(chosen, naturals):
        return 0
    if size == STRAIGHT:
        return straight_value(hand, chosen, naturals)
    return group_value(hand, chosen, naturals)


@kernel
def best_values(hand):
    """Return the highest value of a pair, three and four of a kind and straight flush in a hand; 0 for none."""
    cowboys = 0
    suits = 0
    for slot in range(HAND):
        cowboys += hand[slot] == COWBOY
        suits += SUIT_NIBBLE[hand[slot]]
    pair = HIGHEST_VALUE if cowboys >= 2 else 0
    three = HIGHEST_VALUE if cowboys >= 3 else 0
    four = HIGHEST_VALUE if cowboys >= 4 else 0
    previous = 0
    equal = 0
    for slot in range(HAND):
        value = VALUE[hand[slot]]
        equal = equal + 1 if value == previous else 1
        previous = value
        reach = equal + cowboys if value > 0 else 0
        pair = max(pair, value if reach >= 2 else 0)
        three = max(three, value if reach >= 3 else 0)
        four = max(four, value if reach >= 4 else 0)
    some_suit_reaches_five = (suits + (3 + cowboys) * 0x11111) & 0x88888
    return pair, three, four, best_straight(hand) if some_suit_reaches_five else 0


@kernel
def best_straight(hand):
    """Return the highest straight flush of a full hand: one card stays, a natural one or the last cowboy."""
    if hand[HAND - 1] == EMPTY:
        return 0
    naturals = count_naturals(hand)
    best = 0
    for slot in range(naturals):
        best = max(best, straight_value(hand, FULL_SET ^ (1 << slot), naturals))
    if naturals < HAND:
        best = max(best, straight_value(hand, FULL_SET >> 1, naturals))
    return best


@kernel
def allow_sets(hand, size, above, mask):
    """Allow the sets of ``size`` cards that are a combination of a value greater than ``above``."""
    naturals = count_naturals(hand)
    for index in range(SET_FIRST[size], SET_FIRST[size + 1]):
        mask[A_CARDS + index] = set_value(hand, SET_MASK[index], size, naturals) > above
