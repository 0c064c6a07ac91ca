"""What must hold of the engine's fields in a record that somebody wrote: kernels take them for indices, unchecked."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tablezoo.game import RUNNING, TRUNCATED, Game


def check_header(game: Game, states: NDArray[Any], num_contents: int) -> None:
    """Raise ValueError for the first lane with a field of the engine's that no game can have.

    The game's own fields are not looked at: what fits there, its rules alone know.
    """
    players = states["num_players"].astype(np.int64)
    most, running = players - 1, states["ended"] == RUNNING
    _check(states, "num_players", game.min_players, game.max_players)
    _check(states, "content", 0, num_contents - 1)
    _check(states, "ended", RUNNING, TRUNCATED)
    _check(states, "seat", np.where(running, 0, -1), most)
    _check(states, "offender", -1, most)
    _check(states, "start_seat", -1, most)
    _check(states, "pending_size", 0, game.pending_depth)


def _check(states: NDArray[Any], field: str, low: ArrayLike, high: ArrayLike) -> None:
    values = states[field]
    wrong = np.flatnonzero((values < low) | (values > high))
    if wrong.size:
        lane = int(wrong[0])
        least, most = (int(np.broadcast_to(edge, values.shape)[lane]) for edge in (low, high))
        raise ValueError(f"states[{field!r}] of lane {lane} is {values[lane]}; expected {least} to {most}")
