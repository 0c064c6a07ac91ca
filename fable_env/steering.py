"""Hands dealt towards a price: so dear a one that hands as they come hardly ever pay it."""

import numpy as np

from fable_env.hands import gain, lose
from fable_env.payment import asked_by
from fable_env.sets import FIRST_TOKEN, NUM_FRUITS, NUM_LOCATIONS, ORDER, WORD
from fable_env.state import PAY, STACK, VISIT
from tablezoo.game import kernel
from tablezoo.pending import top, top_kind
from tablezoo.rng import below

NO_PRICE = -1


@kernel
def steer(s, c):
    """Give the seat asked fruits that it lacks for a price, on which its choice hangs, for others of its hand.

    Which juice to order is a choice only where two can be paid: two prices are looked at.
    """
    row, also = price_asked(s), price_asked(s)
    if row == NO_PRICE:
        return
    reading, of_also = below(s.rng, int(c.readings[row])), below(s.rng, int(c.readings[also]))
    seat = int(s.seat)
    for _ in range(int(s.hand_size[seat])):
        spare, lacking = -1, -1
        start = below(s.rng, NUM_FRUITS)
        for i in range(NUM_FRUITS):
            fruit = (start + i) % NUM_FRUITS
            needed = max(signs_for(c, row, reading, fruit), signs_for(c, also, of_also, fruit))
            left = count_for(s, seat, row, fruit) - needed
            if left > 0 and s.hand[seat, fruit] > 0:
                spare = fruit
            elif left < 0 and s.fruit_stack[fruit] > 0:
                lacking = fruit
        if spare < 0 or lacking < 0:
            return
        lose(s, seat, spare)
        s.fruit_stack[spare] += 1
        s.fruit_stack[lacking] -= 1
        gain(s, seat, lacking)


@kernel
def price_asked(s):
    """Return the row of a price on which the choice hangs, of juices to order any; NO_PRICE if there is none."""
    phase = top_kind(s)
    if phase in (VISIT, PAY):
        return int(top(s)[2])
    if phase == STACK and top(s)[2] == ORDER:
        return int(s.stacks[below(s.rng, int(s.num_stacks))])
    return NO_PRICE


@kernel
def signs_for(c, row, reading, fruit):
    """Return how many signs of a price ask for one fruit."""
    types = 1 << fruit
    word = asked_by(c, row, reading)[types // WORD]
    return np.int64((word >> np.uint64(8 * (types % WORD))) & np.uint64(255))


@kernel
def count_for(s, seat, row, fruit):
    """Return how many of a fruit a seat has, or has paid, for a price; F24: no token for a cost."""
    number = int(s.hand[seat, fruit]) + int(s.paid[fruit]) + int(s.paid[FIRST_TOKEN + fruit])
    if row < NUM_LOCATIONS and s.token_owner[fruit] == seat:
        number += 1
    return number
