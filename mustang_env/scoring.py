"""What a ranch is worth (M26 to M28)."""

from mustang_env.state import BLACK_PRINCE, FOAL, MARE, SNOW_WHITE_MARE, STALLION
from tablezoo.game import kernel

FINISHED_BONUS = 3
PAIR_BONUS = 2
HERD_BONUS = 7
SCORE_RANGE = (0, 100)


@kernel
def count_kind(counters, kind):
    """Return how many counters of a kind (stallion, mare, foal) a row of 17 types holds."""
    first = 5 * kind
    total = 0
    for suit in range(5):
        total += counters[first + suit]
    return total


@kernel
def has_herd(stable):
    """Return whether a stallion, two mares and three foals stand in the stable (M26)."""
    mares = count_kind(stable, MARE)
    return count_kind(stable, STALLION) >= 1 and mares >= 2 and count_kind(stable, FOAL) >= 3


@kernel
def suit_bonus(stable):
    """Return 7 for a herd of one suit in the stable, else 2 for a stallion and a mare of one suit (M27)."""
    pair = False
    herd = False
    for suit in range(5):
        paired = (stable[suit] >= 1) & (stable[5 + suit] >= 1)
        pair |= paired
        herd |= paired & (stable[5 + suit] >= 2) & (stable[10 + suit] >= 3)
    return HERD_BONUS if herd else PAIR_BONUS * pair


@kernel
def counter_points(counters):
    """Return what a row of 17 types is worth (M27)."""
    points = 5 * (int(counters[BLACK_PRINCE]) + int(counters[SNOW_WHITE_MARE]))
    for suit in range(5):
        points += 3 * int(counters[suit]) + 2 * int(counters[5 + suit]) + int(counters[10 + suit])
    return points


@kernel
def ranch_points(s, seat):
    """Return the points of a seat's ranch, the bonus for finishing the game aside (M27)."""
    return counter_points(s.corral[seat]) + counter_points(s.stable[seat]) + suit_bonus(s.stable[seat])


@kernel
def score(s, c, keys):
    """Write each seat's points, whether it holds a special horse, and its stallions in the stable (M28)."""
    for seat in range(int(s.num_players)):
        keys[seat, 0] = ranch_points(s, seat)
        if seat == s.finisher:
            keys[seat, 0] += FINISHED_BONUS
        special = 0
        for type_ in range(BLACK_PRINCE, SNOW_WHITE_MARE + 1):
            special += int(s.corral[seat, type_]) + int(s.stable[seat, type_])
        keys[seat, 1] = min(special, 1)
        keys[seat, 2] = count_kind(s.stable[seat], STALLION)
