"""Aisles and stalls: where a horse may stand, and when a board is flipped (S9 to S13, S18)."""

from stabletimes_env.sets import NEIGHBOUR, NEXT_DOOR, NO_DISCIPLINE, NUM_AISLES, NUM_DISCIPLINES, STALLS, WILD
from stabletimes_env.state import AT_HOME, EMPTY, HAND, NO_TYPE
from tablezoo.game import kernel

UPGRADE_HORSES = 2


@kernel
def fits(s, seat, aisle, type_):
    """S10: an aisle holds three horses of one type; S11: a wild horse is of any."""
    if s.aisle_size[seat, aisle] == STALLS:
        return False
    if type_ == WILD or s.aisle_type[seat, aisle] == NO_TYPE:
        return True
    return s.aisle_type[seat, aisle] == type_


@kernel
def count_placements(s, c, seat):
    """Return in how many ways a horse of the hand can be placed, not in the aisle of the turn's first horse (S9)."""
    count = 0
    for slot in range(HAND):
        horse = int(s.hand[seat, slot])
        if horse != EMPTY:
            for aisle in range(NUM_AISLES):
                count += aisle != s.first_aisle and fits(s, seat, aisle, int(c.type[horse]))
    return count


@kernel
def stand_in_aisle(s, c, seat, aisle, horse):
    """S10: a horse goes into the highest stall that is empty; S11: a typed one gives the aisle its type."""
    s.stall[seat, aisle, int(s.aisle_size[seat, aisle])] = horse
    s.aisle_size[seat, aisle] += 1
    if c.type[horse] == WILD:
        s.wilds[seat] += 1
    else:
        s.aisle_type[seat, aisle] = c.type[horse]
    s.outlook[seat, aisle] |= outlook_of(c, horse)
    if c.discipline[horse] != NO_DISCIPLINE:
        s.disciplines[seat, int(c.discipline[horse])] += 1


@kernel
def outlook_of(c, horse):
    """Return the bits of what a horse counts beyond its aisle (S34, S35)."""
    if c.preference[horse] == NEXT_DOOR:
        return 1 << int(c.of[horse])
    return AT_HOME if c.preference[horse] == NEIGHBOUR or c.whole[horse] != 0 else 0


@kernel
def earns_upgrade(s, seat, preferred):
    """S18: a complete aisle of the preferred type, and two horses of each discipline."""
    for discipline in range(NUM_DISCIPLINES):
        if s.disciplines[seat, discipline] < UPGRADE_HORSES:
            return False
    for aisle in range(NUM_AISLES):
        if s.aisle_size[seat, aisle] == STALLS and s.aisle_type[seat, aisle] == preferred:
            return True
    return False


@kernel
def complete_aisles(s, seat):
    """Return how many aisles hold three horses (S11, S19)."""
    complete = 0
    for aisle in range(NUM_AISLES):
        complete += s.aisle_size[seat, aisle] == STALLS
    return complete
