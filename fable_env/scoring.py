"""Who stands where (F16), and what an episode scores (F22, F23)."""

from fable_env.campaign import MOST_SESSION
from tablezoo.game import kernel

SCORE_RANGE = (0, 2 * MOST_SESSION)


@kernel
def score(s, c, keys):
    """F16: juices, then fruits in hand, mixes included (F27a); F22: victory points in a session."""
    for seat in range(int(s.num_players)):
        if s.session > 1:
            keys[seat, 0] = s.points[seat]
        else:
            keys[seat, 0] = s.juices[seat]
            keys[seat, 1] = s.hand_size[seat]


@kernel
def stands_below(s, seat, other):
    """F16: whether a seat has fewer juices than another, or as many and fewer fruits."""
    if s.juices[seat] != s.juices[other]:
        return s.juices[seat] < s.juices[other]
    return s.hand_size[seat] < s.hand_size[other]


@kernel
def is_winner(s, seat):
    for other in range(int(s.num_players)):
        if stands_below(s, seat, other):
            return False
    return True
