"""Other games that look the same to a seat: all that it cannot know is dealt anew."""

from stabletimes_env.pasture import sort_hand
from stabletimes_env.sets import NUM_HORSES
from stabletimes_env.stable import count_placements
from stabletimes_env.state import EMPTY, HAND, PLACE, PLACE_AGAIN
from tablezoo.game import kernel
from tablezoo.rng import shuffle

MOST_DEALS = 1_000_000
NO_CHOICE = f"{MOST_DEALS} deals left the seat that is asked for a placement without a choice: no play leads here"


@kernel
def determinize(s, c, seat):
    """Deal anew, uniformly, the deck and what nobody has seen of the other hands.

    A seat that is asked for a placement has a choice (S13): what would leave it none is not dealt.
    """
    deal_hidden(s, seat)
    if s.ended == 0 and s.seat != seat:
        for _ in range(MOST_DEALS):
            if has_choice(s, c, int(s.seat)):
                return
            deal_hidden(s, seat)
        raise RuntimeError(NO_CHOICE)


@kernel
def has_choice(s, c, seat):
    """Return whether ``seat`` has two legal actions, in the phases where that hangs on its hand."""
    if s.phase == PLACE:
        return count_placements(s, c, seat) > 1
    return s.phase != PLACE_AGAIN or count_placements(s, c, seat) > 0


@kernel
def deal_hidden(s, seat):
    """Shuffle the deck and the hidden horses together; a horse that all know stays in its hand (S8)."""
    size = int(s.deck_size) + gather_hidden(s, seat)
    shuffle(s.rng, s.deck, size)
    for other in range(int(s.num_players)):
        if other != seat:
            for slot in range(HAND):
                if is_hidden(s, other, slot):
                    size -= 1
                    s.hand[other, slot] = s.deck[size]
                    s.deck[size] = EMPTY
            sort_hand(s, other)


@kernel
def is_hidden(s, other, slot):
    return s.hand[other, slot] != EMPTY and s.shown[other, slot] == 0


@kernel
def gather_hidden(s, seat):
    """Lay the hidden horses into ``deck``, in the order of the content file; return how many come from hands."""
    low = 0
    high = 0
    hands = 0
    for i in range(int(s.deck_size)):
        low, high = with_bit(low, high, int(s.deck[i]))
    for other in range(int(s.num_players)):
        if other != seat:
            for slot in range(HAND):
                if is_hidden(s, other, slot):
                    low, high = with_bit(low, high, int(s.hand[other, slot]))
                    hands += 1
    size = 0
    for horse in range(NUM_HORSES):
        bits = low if horse < HALF else high
        if (bits >> (horse % HALF)) & 1:
            s.deck[size] = horse
            size += 1
    return hands


HALF = 35
"""Horses are bits of two integers, half in each."""


@kernel
def with_bit(low, high, horse):
    bit = 1 << (horse % HALF)
    return (low | bit, high) if horse < HALF else (low, high | bit)
