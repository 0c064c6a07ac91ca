"""What an action means, whatever hand it is chosen from: for search over deals."""

from stabletimes_env.sets import NUM_AISLES
from stabletimes_env.state import A_DISCARD, A_PLACE, A_STOP, EMPTY, NUM_FIELDS, SOURCES
from tablezoo.game import kernel


@kernel
def action_key(s, c, action):
    """Return a number that two actions share if they mean the same: hand slots stand for their horses."""
    if action == A_STOP:
        return A_STOP
    start, choices = 0, NUM_FIELDS * SOURCES
    if action >= A_DISCARD:
        start, choices = A_DISCARD, NUM_FIELDS
    elif action >= A_PLACE:
        start, choices = A_PLACE, NUM_AISLES
    horse = int(s.hand[int(s.seat), (action - start) // choices])
    return (start + (action - start) % choices) * (EMPTY + 1) + horse + A_STOP + 1
