"""Counters on the prairie and in the ranches, and how they move (M6, M12, M16, M26)."""

from mustang_env.scoring import count_kind, has_herd
from mustang_env.state import A_CORRAL, NUM_TYPES, PILE_TOTAL
from tablezoo.game import kernel


@kernel
def take_from_pile(s, kind):
    """Take the top counter off a pile that has one; return its type."""
    type_ = int(s.pile[kind, PILE_TOTAL[kind] - int(s.pile_size[kind])])
    s.pile_size[kind] -= 1
    return type_


@kernel
def turn_up_counter(s, kind):
    """Lay the top counter of a pile face up on the prairie, if there is one."""
    if s.pile_size[kind] > 0:
        s.prairie[take_from_pile(s, kind)] += 1


@kernel
def is_gone(s, kind):
    """Return whether the prairie has no counter of a kind left, face up or in the pile (M26)."""
    return s.pile_size[kind] == 0 and count_kind(s.prairie, kind) == 0


@kernel
def has_counters(s, seat):
    """Return whether a seat has a counter in the corral."""
    for type_ in range(NUM_TYPES):
        if s.corral[seat, type_] > 0:
            return True
    return False


@kernel
def allow_corral(s, seat, mask):
    """Allow every counter of the own corral (M16, M21, M23)."""
    for type_ in range(NUM_TYPES):
        mask[A_CORRAL + type_] = s.corral[seat, type_] > 0


@kernel
def move_to_stable(s, seat, type_):
    """Move a counter from corral to stable (M16, M23); return whether the stable now holds a herd (M26)."""
    s.corral[seat, type_] -= 1
    s.stable[seat, type_] += 1
    return has_herd(s.stable[seat])
