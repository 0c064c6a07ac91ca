"""The stack of pending decisions in a record.

A frame is six int16: kind, seat, a, b, c, d; what they mean is the game's. An owner who answers a theft, each player
who pays for an event, a location's third step: each is a frame, so that a game can be stopped, saved and searched at
any decision. Kinds are 1 or more by convention: 0 stands for "nothing is pending".
"""

from tablezoo.compiling import common_kernel, kernel, view_kernel

FRAME = 6


@common_kernel
def push(s, kind, seat, a, b, c, d):
    """Put a frame on top. The game declares a depth (``pending_depth``) that its rules never exceed."""
    size = int(s.pending_size)
    s.pending[size, 0] = kind
    s.pending[size, 1] = seat
    s.pending[size, 2] = a
    s.pending[size, 3] = b
    s.pending[size, 4] = c
    s.pending[size, 5] = d
    s.pending_size = size + 1


@kernel
def pop(s):
    """Take the top frame off and blank its row, so that equal positions are equal records."""
    size = int(s.pending_size) - 1
    for i in range(6):
        s.pending[size, i] = 0
    s.pending_size = size


@view_kernel
def top(s):
    """Return the top frame, a (6,) int16 view; undefined while nothing is pending."""
    return s.pending[int(s.pending_size) - 1]


@kernel
def top_kind(s):
    """Return the kind of the top frame, 0 while nothing is pending."""
    size = int(s.pending_size)
    if size == 0:
        return 0
    return int(s.pending[size - 1, 0])
