"""Kernels that count what placements bring to the own stable, from what a seat sees.

An observation shows the own stable, the hand and the tops of the fields as they are. They are read back into a game's
record, with a content set of the horses that are seen, and the game's own kernels count the points: with a horse or two
more in the stable (S9), its preference, those of the horses that stand there already, the board, flipped where that is
earned (S18), and the sets of disciplines (S20) are all counted anew.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from stabletimes_env import GAME
from stabletimes_env.observe import FIELD_SHOWN
from stabletimes_env.scoring import aisle_points, horse_points, stable_points
from stabletimes_env.sets import (
    AISLES,
    BOARD_LAYOUT,
    CONTENT,
    HORSE_FEATURES,
    HORSE_LAYOUT,
    NO_CAP,
    NO_DISCIPLINE,
    NUM_AISLES,
    NUM_CONDITIONS,
    NUM_DISCIPLINES,
    NUM_MEASURES,
    NUM_PREFERENCES,
    NUM_TYPES,
    STALLS,
    WILD,
)
from stabletimes_env.stable import earns_upgrade, fits, stand_in_aisle
from stabletimes_env.state import EMPTY, HAND, MAX_SEATS, NUM_FIELDS, PLACE, SWAP
from tablezoo.compiling import UNCOMPILED, kernel
from tablezoo.specialise import cached_loop
from tablezoo.threads import Pace, share

LAYOUT = GAME.observation_layout
NUM_STALLS = NUM_AISLES * STALLS
CHOICES = HAND + NUM_FIELDS
"""The horses that can come to the own stable in a turn: the hand's, then the top of each field."""
PAIRS = [(one, other) for other in range(CHOICES) for one in range(min(other, HAND))]
"""The pairs of them that can be placed in one turn: two of the fields' horses cannot come (S8)."""
NEVER = -100.0
"""Stands for what cannot be done, in tens of points."""

TENS = 0.1
"""Points are told in tens."""

# Where the parts of what is told begin.
T_FITS = 0
T_GAINS = T_FITS + CHOICES * NUM_AISLES
T_CHANGES = T_GAINS + CHOICES * NUM_AISLES
T_PAIRS = T_CHANGES + CHOICES * NUM_AISLES
TOLD = T_PAIRS + len(PAIRS) * NUM_AISLES * NUM_AISLES

# Where the parts of an observation and of a horse begin.
O_HAND, O_FIELDS, O_STABLES, O_BOARDS = (LAYOUT.offset(name) for name in ("hand", "fields", "stables", "boards"))
O_SEATS, O_PHASE, O_AISLE_TYPES = (LAYOUT.offset(name) for name in ("seats", "phase", "aisle_types"))
O_DISCIPLINES, O_WILDS, O_UPGRADED = (LAYOUT.offset(name) for name in ("disciplines", "wilds", "upgraded"))
FIELD_STEP = FIELD_SHOWN * HORSE_FEATURES
H_TYPE, H_DISCIPLINE, H_PREFERENCE, H_POINTS, H_PENALTY, H_EACH, H_OF, H_WHOLE, H_CAP = (
    HORSE_LAYOUT.offset(part.name) for part in HORSE_LAYOUT.parts
)
B_TYPE, B_CONDITION, B_MEASURE, B_POINTS, B_CAP = (BOARD_LAYOUT.offset(part.name) for part in BOARD_LAYOUT.parts)
HIGH = LAYOUT.high
_PACE = Pace(20.0)


def tell(rows: NDArray[np.float32], threads: int = 1) -> NDArray[np.float32]:
    """Return what placements bring, (m, TOLD) by the parts ``T_FITS`` and so on, for (m, size) scaled observations."""
    told = np.zeros((len(rows), TOLD), np.float32)
    share(np.arange(len(rows)), threads, lambda _, part, __: _tell(rows[part], told[part]), _PACE)
    return told


def _tell(rows: NDArray[np.float32], told: NDArray[np.float32]) -> None:
    states, contents = np.zeros(1, GAME.state_dtype), np.zeros(1, CONTENT)
    if UNCOMPILED:
        states, contents = states.view(np.recarray), contents.view(np.recarray)
    tell_rows(rows, states, contents, told)


# --- reading the own stable back --------------------------------------------------------------------------------------


@kernel
def raw(row, i):
    """Return an entry of an observation as it was before it was scaled."""
    return int(row[i] * HIGH[i] + 0.5)


@kernel
def which(row, start, size):
    """Return which of some entries is set; ``size`` if none is."""
    for i in range(size):
        if row[start + i] > 0.5:
            return i
    return size


@kernel
def read_table(row, s, c):
    """Read what the own points hang on: the own stable and board, and how full and of which type all aisles are."""
    s.num_players = 0
    for seat in range(MAX_SEATS):
        s.num_players += raw(row, O_SEATS + seat)
    for seat in range(int(s.num_players)):
        s.wilds[seat] = raw(row, O_WILDS + seat)
        for discipline in range(NUM_DISCIPLINES):
            s.disciplines[seat, discipline] = raw(row, O_DISCIPLINES + seat * NUM_DISCIPLINES + discipline)
        for aisle in range(NUM_AISLES):
            read_aisle(row, s, c, seat, aisle)
    s.upgraded[0] = raw(row, O_UPGRADED)
    read_board(row, s, c)


@kernel
def read_aisle(row, s, c, seat, aisle):
    """Read an aisle; its horses, and thereby their preferences, only if it is an own one."""
    s.aisle_type[seat, aisle] = which(row, O_AISLE_TYPES + (seat * NUM_AISLES + aisle) * NUM_TYPES, NUM_TYPES)
    s.aisle_size[seat, aisle] = 0
    for stall in range(STALLS):
        number = aisle * STALLS + stall
        at = O_STABLES + (seat * NUM_STALLS + number) * HORSE_FEATURES
        if which(row, at + H_TYPE, NUM_TYPES + 1) <= NUM_TYPES:
            s.aisle_size[seat, aisle] += 1
            if seat == 0:
                read_horse(row, at, c, number)
                s.stall[0, aisle, stall] = number


@kernel
def read_horse(row, at, c, horse):
    """Read a horse's features into the content set, under a number; return whether there is one."""
    c.type[horse] = which(row, at + H_TYPE, NUM_TYPES + 1)
    c.discipline[horse] = which(row, at + H_DISCIPLINE, NUM_DISCIPLINES + 1)
    c.preference[horse] = which(row, at + H_PREFERENCE, NUM_PREFERENCES)
    c.points[horse] = raw(row, at + H_POINTS) - raw(row, at + H_PENALTY)
    c.whole[horse] = raw(row, at + H_WHOLE)
    c.cap[horse] = raw(row, at + H_CAP) if row[at + H_EACH] > 0.5 else NO_CAP
    if c.preference[horse] == AISLES:
        c.of[horse] = 0
        for aisle in range(NUM_AISLES):
            c.of[horse] |= raw(row, at + H_OF + aisle) << aisle
    else:
        c.of[horse] = which(row, at + H_OF, NUM_TYPES)
    return c.type[horse] <= NUM_TYPES


@kernel
def read_board(row, s, c):
    s.board[0] = 0
    c.board_type[0] = which(row, O_BOARDS + B_TYPE, NUM_TYPES)
    c.board_condition[0] = which(row, O_BOARDS + B_CONDITION, NUM_CONDITIONS)
    c.board_measure[0] = which(row, O_BOARDS + B_MEASURE, NUM_MEASURES)
    for side in range(2):
        c.board_points[0, side] = raw(row, O_BOARDS + B_POINTS + side)
    c.board_cap[0] = raw(row, O_BOARDS + B_CAP)


# --- counting ---------------------------------------------------------------------------------------------------------


@cached_loop
def tell_rows(rows: Any, states: Any, contents: Any, told: Any) -> None:
    """Write what placements bring for each row; ``states`` and ``contents``, of one record each, are scratch."""
    s = states[0]
    c = contents[0]
    for i in range(len(rows)):
        read_table(rows[i], s, c)
        read_choices(rows[i], s, c)
        now = own_points(s, c)
        tell_placements(s, c, now, told[i])
        told[i, T_PAIRS:] = NEVER
        if rows[i, O_PHASE + SWAP] > 0.5:
            tell_pairs(s, c, now, CHOICES, told[i])
        elif rows[i, O_PHASE + PLACE] > 0.5:
            tell_pairs(s, c, now, HAND, told[i])


@kernel
def own_points(s, c):
    """Count the own stable as a whole (S20): what was read back has no aisles counted before."""
    for aisle in range(NUM_AISLES):
        s.preferences[0, aisle] = aisle_points(s, c, 0, aisle)
    return stable_points(s, c, 0)


@kernel
def read_choices(row, s, c):
    """Read the horses of the hand, and as those of a second hand the tops of the fields."""
    for choice in range(CHOICES):
        field = choice - HAND
        at = O_HAND + choice * HORSE_FEATURES if field < 0 else O_FIELDS + field * FIELD_STEP
        there = read_horse(row, at, c, NUM_STALLS + choice)
        s.hand[choice // HAND, choice % HAND] = NUM_STALLS + choice if there else EMPTY


@kernel
def horse_of(s, choice):
    return int(s.hand[choice // HAND, choice % HAND])


@kernel
def can_stand(s, c, choice, aisle):
    horse = horse_of(s, choice)
    return horse != EMPTY and fits(s, 0, aisle, int(c.type[horse]))


@kernel
def enter(s, c, choice, aisle):
    """Place a horse in the own stable (S10), and flip the board where that earns it (S18)."""
    stand_in_aisle(s, c, 0, aisle, horse_of(s, choice))
    if s.upgraded[0] == 0 and earns_upgrade(s, 0, int(c.board_type[0])):
        s.upgraded[0] = 1


@kernel
def leave(s, c, aisle, type_, upgraded):
    """Take the horse that entered an aisle last out again; the aisle's type and the board's side are as before."""
    s.aisle_size[0, aisle] -= 1
    horse = int(s.stall[0, aisle, int(s.aisle_size[0, aisle])])
    s.wilds[0] -= c.type[horse] == WILD
    if c.discipline[horse] != NO_DISCIPLINE:
        s.disciplines[0, int(c.discipline[horse])] -= 1
    s.aisle_type[0, aisle] = type_
    s.upgraded[0] = upgraded


@kernel
def tell_placements(s, c, now, told):
    """Write for each horse and aisle whether it fits, what it scores there, and how the own points change."""
    upgraded = s.upgraded[0]
    for choice in range(CHOICES):
        for aisle in range(NUM_AISLES):
            if can_stand(s, c, choice, aisle):
                at = choice * NUM_AISLES + aisle
                type_ = s.aisle_type[0, aisle]
                stall = int(s.aisle_size[0, aisle])
                enter(s, c, choice, aisle)
                change = own_points(s, c) - now
                told[T_FITS + at] = 1
                told[T_GAINS + at] = TENS * horse_points(s, c, 0, aisle, stall, horse_of(s, choice))
                told[T_CHANGES + at] = TENS * change
                leave(s, c, aisle, type_, upgraded)


@kernel
def tell_pairs(s, c, now, choices, told):
    """Write for each pair of the first ``choices`` horses how the own points change with both, in different aisles."""
    upgraded = s.upgraded[0]
    pair = 0
    for other in range(choices):
        for one in range(min(other, HAND)):
            for aisle in range(NUM_AISLES):
                if can_stand(s, c, one, aisle):
                    type_ = s.aisle_type[0, aisle]
                    enter(s, c, one, aisle)
                    at = T_PAIRS + (pair * NUM_AISLES + aisle) * NUM_AISLES
                    tell_second(s, c, now, other, aisle, at, told)
                    leave(s, c, aisle, type_, upgraded)
            pair += 1


@kernel
def tell_second(s, c, now, choice, first_aisle, at, told):
    """Write for each aisle but that of the turn's first horse how the own points change with a second horse in it."""
    upgraded = s.upgraded[0]
    for aisle in range(NUM_AISLES):
        if aisle != first_aisle and can_stand(s, c, choice, aisle):
            type_ = s.aisle_type[0, aisle]
            enter(s, c, choice, aisle)
            told[at + aisle] = TENS * (own_points(s, c) - now)
            leave(s, c, aisle, type_, upgraded)
