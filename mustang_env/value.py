"""What a position is worth to a seat, for the greedy policy: near enough in points.

The weights were found by play against variants of themselves.
"""

from mustang_env.combos import best_values
from mustang_env.scoring import FINISHED_BONUS, ranch_points
from mustang_env.state import BLACK_PRINCE, COWBOY, HAND, NUM_TYPES, POINTS, SNOW_WHITE_MARE
from tablezoo.game import kernel

WON = 100.0
RIVAL_SHARE = 0.8
STABLED_SHARE = 0.05
"""What a counter gains by being safe from thieves, as a share of its points."""
COWBOY_WORTH = 0.5
PAIR_WORTH, THREE_WORTH, FOUR_WORTH, STRAIGHT_WORTH = 0.4, 1.0, 1.6, 1.2


@kernel
def value(s, c, seat):
    """Return own prospects less those of the strongest other seat; far more or less once the game is over."""
    own = prospects(s, seat)
    rival = 0.0
    for other in range(int(s.num_players)):
        if other != seat:
            rival = max(rival, prospects(s, other))
    if s.ended != 0:
        return own - rival + WON * (int(own > rival) - int(own < rival))
    return own - RIVAL_SHARE * rival + hand_worth(s, s.hand[seat])


@kernel
def prospects(s, seat):
    """Return a seat's points and, while the game goes on, a little for what stands safe in the stable."""
    points = float(ranch_points(s, seat))
    if seat == s.finisher:
        points += FINISHED_BONUS
    if s.ended == 0:
        for type_ in range(NUM_TYPES):
            points += STABLED_SHARE * POINTS[type_] * int(s.stable[seat, type_])
    return points


@kernel
def hand_worth(s, hand):
    """Return what the combinations and cowboys in a hand promise for the turns to come."""
    worth = 0.0
    for slot in range(HAND):
        if hand[slot] == COWBOY:
            worth += COWBOY_WORTH
    pair, three, four, straight = best_values(hand)
    if pair > 0:
        worth += PAIR_WORTH
    if three > 0:
        worth += THREE_WORTH
    if four > 0:
        worth += FOUR_WORTH
    special_is_free = s.prairie[BLACK_PRINCE] > 0 or s.prairie[SNOW_WHITE_MARE] > 0
    if special_is_free and straight > 0:
        worth += STRAIGHT_WORTH
    return worth
