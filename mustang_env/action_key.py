"""What an action means, whatever hand it is chosen from: for search over deals."""

from mustang_env.state import A_CARDS, EMPTY, NUM_SETS, SET_SIZE, SET_SLOTS
from tablezoo.game import kernel


@kernel
def action_key(s, c, action):
    """Return a number that two actions share if they mean the same: hand slots stand for their cards."""
    key = int(action)
    if A_CARDS <= action < A_CARDS + NUM_SETS:
        hand = s.hand[int(s.seat)]
        index = action - A_CARDS
        key = A_CARDS
        for i in range(SET_SIZE[index]):
            key = key * (EMPTY + 1) + int(hand[SET_SLOTS[index, i]]) + 1
    return key
