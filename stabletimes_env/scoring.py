"""What a stable is worth: preferences of horses, conditions of boards, sets of disciplines (S20, S34, S35)."""

from stabletimes_env.sets import (
    AISLE_TYPES,
    AISLES,
    ALL_DIFFERENT,
    ALL_EQUAL,
    COMPLETE,
    COMPLETE_AISLES,
    DISCIPLINE_SETS,
    EQUAL_NEIGHBOURS,
    EXCEEDED,
    FLAT,
    HORSES,
    NEIGHBOUR,
    NO_DISCIPLINE,
    NUM_AISLES,
    PER_DISCIPLINE,
    PER_EMPTY,
    PER_TYPE,
    PER_WILD,
    PREFERRED_HORSES,
    RAIL,
    STALL,
    STALLS,
    WILD,
    WILD_HORSES,
)
from stabletimes_env.stable import complete_aisles
from stabletimes_env.state import AT_HOME, NO_TYPE
from tablezoo.game import kernel
from tablezoo.seating import seat_after

SET_POINTS = 5
SCORE_RANGE = (-100, 200)
TIERS = ((52, "Master"), (42, "Pro"), (35, "Amateur"))


def outcome(score: int, num_players: int) -> dict[str, str]:
    """Return the tier of a solo score (S33); nothing with more players."""
    if num_players > 1:
        return {}
    return {"tier": next((tier for least, tier in TIERS if score >= least), "none")}


@kernel
def score(s, c, keys):
    """Write each seat's points (S20) and, for ties, its wild horses: the fewer the better (S21)."""
    for seat in range(int(s.num_players)):
        keys[seat, 0] = s.points[seat]
        keys[seat, 1] = 0 - int(s.wilds[seat])


@kernel
def update_points(s, c, seat, aisle):
    """Count what a horse placed in an aisle bears on: that aisle, those that look at it, and boards."""
    counted_by = 1 << int(s.aisle_type[seat, aisle])
    for other in range(int(s.num_players)):
        if other == seat:
            changed = update_preferences(s, c, other, aisle, AT_HOME)
        else:
            changed = update_preferences(s, c, other, NUM_AISLES, counted_by)
        if changed or c.board_condition[int(s.board[other])] == EXCEEDED:
            s.points[other] = stable_points(s, c, other)


@kernel
def update_preferences(s, c, seat, placed, looked_at):
    """Count the aisle of the horse placed, and those whose outlook holds a bit; return whether there are any."""
    changed = False
    for aisle in range(NUM_AISLES):
        if aisle == placed or s.outlook[seat, aisle] & looked_at != 0:
            s.preferences[seat, aisle] = aisle_points(s, c, seat, aisle)
            changed = True
    return changed


@kernel
def stable_points(s, c, seat):
    """S20: preferences, the face-up side of the board, sets of disciplines."""
    points = board_points(s, c, seat) + SET_POINTS * discipline_sets(s, seat)
    for aisle in range(NUM_AISLES):
        points += int(s.preferences[seat, aisle])
    return points


# --- preferences of horses (S34, S35) ---------------------------------------------------------------------------------


@kernel
def aisle_points(s, c, seat, aisle):
    """Return what the horses of an aisle score."""
    points = 0
    for stall in range(int(s.aisle_size[seat, aisle])):
        points += horse_points(s, c, seat, aisle, stall, int(s.stall[seat, aisle, stall]))
    return points


@kernel
def horse_points(s, c, seat, aisle, stall, horse):
    """Return what a horse scores where it stands."""
    kind = int(c.preference[horse])
    points = int(c.points[horse])
    if kind == FLAT:
        return points
    of = int(c.of[horse])
    if kind == STALL:
        return points * (stall == of)
    if kind == AISLES:
        return points * ((of >> aisle) & 1)
    if kind == COMPLETE:
        return points * (s.aisle_size[seat, aisle] == STALLS)
    if kind == ALL_DIFFERENT:
        return points * (disciplines_in(s, c, seat, aisle) == STALLS)
    if kind == ALL_EQUAL:
        return points * (disciplines_in(s, c, seat, aisle) == 1)
    if kind == NEIGHBOUR:
        return points * has_neighbour(s, seat, aisle, of)
    return points * min(counted(s, c, seat, aisle, horse, kind, of), int(c.cap[horse]))


@kernel
def counted(s, c, seat, aisle, horse, kind, of):
    """Return how many there are of what a horse counts; it never counts itself (S34)."""
    whole = c.whole[horse] != 0
    if kind == PER_TYPE:
        own = int(s.aisle_type[seat, aisle] == of)
        return (horses_of(s, seat, of) if whole else own * int(s.aisle_size[seat, aisle])) - own
    if kind == PER_DISCIPLINE:
        own = int(c.discipline[horse] == of)
        return (int(s.disciplines[seat, of]) if whole else of_discipline(s, c, seat, aisle, of)) - own
    if kind == PER_WILD:
        own = int(c.type[horse] == WILD)
        return (int(s.wilds[seat]) if whole else wilds_in(s, c, seat, aisle)) - own
    if kind == PER_EMPTY:
        return NUM_AISLES * STALLS - horses_in(s, seat) if whole else STALLS - int(s.aisle_size[seat, aisle])
    return next_door(s, seat, of)  # NEXT_DOOR


@kernel
def disciplines_in(s, c, seat, aisle):
    """Return how many different disciplines a complete aisle has, 0 if a horse has none or the aisle has room (S35)."""
    if s.aisle_size[seat, aisle] < STALLS:
        return 0
    found = 0
    for stall in range(STALLS):
        found |= 1 << int(c.discipline[int(s.stall[seat, aisle, stall])])
    if found >= 1 << NO_DISCIPLINE:
        return 0
    return (found & 1) + (found >> 1 & 1) + (found >> 2)


@kernel
def has_neighbour(s, seat, aisle, type_):
    """Return whether an aisle beside this one is of a type (S34)."""
    left = aisle > 0 and s.aisle_type[seat, aisle - 1] == type_
    right = aisle < NUM_AISLES - 1 and s.aisle_type[seat, aisle + 1] == type_
    return left or right


@kernel
def horses_of(s, seat, type_):
    """Return the horses in aisles of a type: wild ones in them are of that type (S34)."""
    count = 0
    for aisle in range(NUM_AISLES):
        if s.aisle_type[seat, aisle] == type_:
            count += int(s.aisle_size[seat, aisle])
    return count


@kernel
def of_discipline(s, c, seat, aisle, discipline):
    count = 0
    for stall in range(int(s.aisle_size[seat, aisle])):
        count += c.discipline[int(s.stall[seat, aisle, stall])] == discipline
    return count


@kernel
def wilds_in(s, c, seat, aisle):
    count = 0
    for stall in range(int(s.aisle_size[seat, aisle])):
        count += c.type[int(s.stall[seat, aisle, stall])] == WILD
    return count


@kernel
def horses_in(s, seat):
    count = 0
    for aisle in range(NUM_AISLES):
        count += int(s.aisle_size[seat, aisle])
    return count


@kernel
def next_door(s, seat, type_):
    """Return the horses of a type in the stables before and after, each stable once (S35)."""
    players = int(s.num_players)
    if players == 1:
        return 0
    count = horses_of(s, seat_after(s, seat, 1), type_)
    if players > 2:
        count += horses_of(s, seat_after(s, seat, players - 1), type_)
    return count


# --- conditions of boards (S34, S35) ----------------------------------------------------------------------------------


@kernel
def board_points(s, c, seat):
    """Return what a board scores with the side that is up."""
    board = int(s.board[seat])
    condition = int(c.board_condition[board])
    preferred = int(c.board_type[board])
    if condition == EXCEEDED:
        count = exceeded_opponents(s, seat, int(c.board_measure[board]), preferred)
    else:
        count = measured(s, seat, condition, preferred)
    return int(c.board_points[board, int(s.upgraded[seat])]) * min(count, int(c.board_cap[board]))


@kernel
def exceeded_opponents(s, seat, measure, preferred):
    """Return how many opponents have strictly less of what is measured (S35)."""
    own = measured(s, seat, measure, preferred)
    exceeded = 0
    for steps in range(1, int(s.num_players)):
        exceeded += own > measured(s, seat_after(s, seat, steps), measure, preferred)
    return exceeded


@kernel
def measured(s, seat, measure, preferred):
    """Return how much a stable has of what a board asks for."""
    if measure == COMPLETE_AISLES:
        return complete_aisles(s, seat)
    if measure == AISLE_TYPES:
        return aisle_types(s, seat)
    if measure == PREFERRED_HORSES:
        return horses_of(s, seat, preferred)
    if measure == DISCIPLINE_SETS:
        return discipline_sets(s, seat)
    if measure == EQUAL_NEIGHBOURS:
        return equal_neighbours(s, seat)
    if measure == HORSES:
        return horses_in(s, seat)
    if measure == WILD_HORSES:
        return int(s.wilds[seat])
    return int(s.disciplines[seat, measure - RAIL])


@kernel
def aisle_types(s, seat):
    """Return how many different types the aisles have."""
    found = 0
    for aisle in range(NUM_AISLES):
        found |= 1 << int(s.aisle_type[seat, aisle])
    count = 0
    for type_ in range(NO_TYPE):
        count += (found >> type_) & 1
    return count


@kernel
def discipline_sets(s, seat):
    """S20: the smallest of the three counts."""
    return min(int(s.disciplines[seat, 0]), int(s.disciplines[seat, 1]), int(s.disciplines[seat, 2]))


@kernel
def equal_neighbours(s, seat):
    count = 0
    for aisle in range(NUM_AISLES - 1):
        type_ = s.aisle_type[seat, aisle]
        count += type_ != NO_TYPE and type_ == s.aisle_type[seat, aisle + 1]
    return count
