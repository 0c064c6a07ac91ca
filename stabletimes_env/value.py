"""What a position is worth to a seat, for the greedy policy: near enough in points."""

import numpy as np

from stabletimes_env.scoring import horse_points
from stabletimes_env.sets import NUM_AISLES, NUM_DISCIPLINES, STALLS
from stabletimes_env.stable import fits
from stabletimes_env.state import (
    A_DISCARD,
    A_PLACE,
    A_STOP,
    A_SWAP,
    DISCARD,
    EMPTY,
    FROM_DECK,
    HAND,
    NUM_FIELDS,
    OTHER_FIELD,
    PLACE_AGAIN,
    SOURCES,
    SWAP,
)
from tablezoo.game import kernel

WON = 100.0
RIVAL_SHARE = 0.3
HORSE_WORTH = 1.5
"""What a horse in the stable promises beyond its points: preferences that will be met, boards, the race to the end."""
SET_SHARE = 1.2
"""What a horse that a set of disciplines still needs is worth (S20)."""
HAND_SHARE = 0.4


@kernel
def value(s, c, seat):
    """Return own prospects less a share of the strongest rival's; far more or less once the game is over."""
    own = prospects(s, seat)
    if s.num_players == 1:
        rival = 0.0
    else:
        rival = -np.inf
        for other in range(int(s.num_players)):
            if other != seat:
                rival = max(rival, prospects(s, other))
    if s.ended != 0:
        return own - rival + WON * standing(s, seat)
    return own - RIVAL_SHARE * rival + HAND_SHARE * hand_worth(s, c, seat)


@kernel
def standing(s, seat):
    """Return 1 for who has won alone, 0 for who shares a win or plays solo, -1 for all others (S21)."""
    alone = int(s.num_players > 1)
    for other in range(int(s.num_players)):
        if other != seat:
            ahead = int(s.points[other]) - int(s.points[seat])
            if ahead > 0 or (ahead == 0 and s.wilds[other] < s.wilds[seat]):
                return -1
            if ahead == 0 and s.wilds[other] == s.wilds[seat]:
                alone = 0
    return alone


@kernel
def prospects(s, seat):
    """Return a seat's points and, while the game goes on, what its horses promise beyond them."""
    points = float(s.points[seat])
    if s.ended == 0:
        horses = 0
        for discipline in range(NUM_DISCIPLINES):
            points += SET_SHARE * min(int(s.disciplines[seat, discipline]), 4)
        for aisle in range(NUM_AISLES):
            horses += int(s.aisle_size[seat, aisle])
        points += HORSE_WORTH * horses
    return points


@kernel
def hand_worth(s, c, seat):
    """Return a rough guess at what the hand will bring: what each horse would score where it fits best."""
    worth = 0.0
    for slot in range(HAND):
        horse = int(s.hand[seat, slot])
        if horse != EMPTY:
            best = -1.0
            for aisle in range(NUM_AISLES):
                if fits(s, seat, aisle, int(c.type[horse])):
                    points = horse_points(s, c, seat, aisle, int(s.aisle_size[seat, aisle]), horse)
                    filled = int(s.aisle_size[seat, aisle]) / STALLS
                    best = max(best, points + filled)
            worth += best
    return worth


@kernel
def candidates(s, c, mask, depth):
    """Leave greedy few plans: which field a swapped horse covers, and discards that come later, matter little."""
    if s.phase == SWAP:
        for slot in range(HAND):
            keep_first_fields(mask, slot)
    elif s.phase == PLACE_AGAIN and depth > 0:
        forbid_aisles_before(mask, int(s.first_aisle))
    elif s.phase == DISCARD and depth > 0:
        for action in range(A_DISCARD, A_STOP):
            mask[action] = False


@kernel
def forbid_aisles_before(mask, first_aisle):
    """Two horses placed in either order are one plan: the one in the lower aisle goes first."""
    for slot in range(HAND):
        for aisle in range(first_aisle):
            mask[A_PLACE + slot * NUM_AISLES + aisle] = False


@kernel
def keep_first_fields(mask, slot):
    """Leave for each place that a swap can take from (a bit: three fields, the deck) the first field to put on."""
    found = 0
    for field in range(NUM_FIELDS):
        for source in range(SOURCES):
            action = A_SWAP + (slot * NUM_FIELDS + field) * SOURCES + source
            taken = 1 << (NUM_FIELDS if source == FROM_DECK else OTHER_FIELD[field, source])
            mask[action] = mask[action] and found & taken == 0
            if mask[action]:
                found |= taken
