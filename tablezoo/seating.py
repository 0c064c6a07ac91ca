"""Seats around the table, clockwise."""

from tablezoo.compiling import kernel


@kernel
def seat_after(s, seat, steps):
    """Return the seat that sits ``steps`` (no more than the players) clockwise of ``seat``."""
    other = seat + steps
    return other if other < s.num_players else other - int(s.num_players)


@kernel
def steps_to(s, seat, other):
    """Return how many seats clockwise of ``seat`` the seat ``other`` sits."""
    steps = int(other) - seat
    return steps if steps >= 0 else steps + int(s.num_players)
