"""The small stacks of locations and the location stack (F2, F5, F12, F13)."""

from fable_env.sets import IN_PLAY, NO_LOCATION, NUM_CARDS, NUM_LOCATIONS, end_of, location_of
from fable_env.state import SUPPLY
from tablezoo.game import kernel

of_card, end = kernel(location_of), kernel(end_of)


@kernel
def list_stacks(s):
    """Bring the list of small stacks, by number, up to date with the cards."""
    number = 0
    for location in range(NUM_LOCATIONS):
        if s.cards[location] > 0:
            s.stacks[number] = location
            number += 1
    s.num_stacks = number
    for slot in range(number, IN_PLAY):
        s.stacks[slot] = NO_LOCATION


@kernel
def slot_of(s, location):
    """Return where a location stands in the list of small stacks, -1 if it is sold out."""
    for slot in range(int(s.num_stacks)):
        if s.stacks[slot] == location:
            return slot
    return -1


@kernel
def turn_up_location(s):
    """F12: lay the next card of the location stack on its small stack, while the location stack lasts."""
    if s.drawn < NUM_CARDS:
        s.cards[next_location(s)] += 1
        s.drawn += 1


@kernel
def next_location(s):
    """F2: return the location of the top card of a location stack that lasts."""
    return of_card(int(s.drawn))


@kernel
def next_on_top(s):
    """F2: return how many cards of the next location lie on top of a location stack that lasts."""
    return end(next_location(s)) - int(s.drawn)


@kernel
def take_juice(s, seat, location):
    """F11: take the top card of a small stack as a juice; F12, F13."""
    s.juices[seat] += 1
    s.cards[location] -= 1
    turn_up_location(s)
    if s.cards[location] == 0:
        sell_out(s, location)
    list_stacks(s)


@kernel
def sell_out(s, location):
    """F13: animals and thief go back in front of their owners, the thief idle until placed again."""
    for seat in range(int(s.num_players)):
        if s.animal[seat] == location:
            s.animal[seat] = SUPPLY
    if s.thief == location:
        s.thief = SUPPLY
