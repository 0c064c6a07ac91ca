"""Connect Four: two seats drop discs into seven columns; four in a line win. A game with nothing hidden.

Read it with ``docs/your_own_game.md``.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from tablezoo import Game, Kernels, Layout, Part
from tablezoo.game import ENDED, TRUNCATED, kernel

ROWS, COLUMNS = 6, 7
CELLS = ROWS * COLUMNS
NOBODY = -1
NONE = np.uint64(0)

STATE: list[Any] = [
    ("disc", np.uint8, (2, CELLS)),  # each seat's, 1 where one lies; row by row from the top
    ("stones", np.uint64, (2,)),  # the same as bits: column by column, from the bottom, with an empty row on top
    ("height", np.int8, (COLUMNS,)),  # discs in each column
    ("winner", np.int8),  # NOBODY until somebody has won
]

OBSERVATION_LAYOUT = Layout(
    [
        Part("own", (ROWS, COLUMNS), 1, "own discs, from the top row down"),
        Part("other", (ROWS, COLUMNS), 1, "the other seat's discs"),
        Part("asked", 1, 1, "1 if the observer is asked"),
    ]
)
ACTION_LAYOUT = Layout([Part("drop", COLUMNS, about="a column", labels=lambda column: f"drop into column {column}")])


@kernel
def reset(s, c):
    s.winner = NOBODY
    s.seat = max(int(s.start_seat), 0)


@kernel
def legal_actions(s, c, mask):
    for column in range(COLUMNS):
        mask[column] = s.height[column] < ROWS


@kernel
def step(s, c, action):
    seat = int(s.seat)
    row = ROWS - 1 - int(s.height[action])
    s.disc[seat, row * COLUMNS + action] = 1
    s.stones[seat] |= np.uint64(1) << np.uint64(action * (ROWS + 1) + int(s.height[action]))
    s.height[action] += 1
    s.turn += 1
    if has_four(s.stones[seat]):
        s.winner = seat
        s.ended = ENDED
    elif s.turn == CELLS:
        s.ended = ENDED
    elif s.turn >= s.max_turns:
        s.ended = TRUNCATED
    s.seat = 1 - seat


@kernel
def has_four(stones):
    """Return whether four bits stand in line: in a column, a row or a diagonal, a step of 1, 7, 6 or 8 bits."""
    found = NONE
    for step in (np.uint64(1), np.uint64(ROWS + 1), np.uint64(ROWS), np.uint64(ROWS + 2)):
        pairs = stones & (stones >> step)
        found |= pairs & (pairs >> (step + step))
    return found != NONE


@kernel
def observe(s, c, seat, out):
    for cell in range(CELLS):
        out[cell] = s.disc[seat, cell]
        out[CELLS + cell] = s.disc[1 - seat, cell]
    out[2 * CELLS] = s.seat == seat and s.ended == 0


@kernel
def score(s, c, keys):
    if s.winner != NOBODY:
        keys[int(s.winner), 0] = 1


@kernel
def value(s, c, seat):
    """Return 1 for a win, -1 for a loss; else who holds more of the middle column, in small change."""
    if s.winner != NOBODY:
        return 1.0 if s.winner == seat else -1.0
    lead = 0
    for cell in range(COLUMNS // 2, CELLS, COLUMNS):
        lead += int(s.disc[seat, cell]) - int(s.disc[1 - seat, cell])
    return 0.01 * lead


@kernel
def determinize(s, c, seat):
    pass  # nothing is hidden


def describe(state: NDArray[Any], _seat: int | None, _content: NDArray[Any]) -> str:
    """Return the board in characters: seat 0 plays x, seat 1 plays o."""
    board = (state["disc"][0] + 2 * state["disc"][1]).reshape(ROWS, COLUMNS)
    rows = ["  ".join(".xo"[disc] for disc in row) for row in board]
    return "\n".join([*rows, "  ".join(str(column) for column in range(COLUMNS)), _standing(state)])


def _standing(state: NDArray[Any]) -> str:
    if state["winner"] != NOBODY:
        return f"seat {state['winner']} has four in a line"
    return "a draw" if state["ended"] else f"seat {state['seat']} drops a disc"


CONNECT_FOUR = Game(
    name="connect_four",
    title="Connect Four",
    ref="benchmarks.games.connect_four:CONNECT_FOUR",
    package="benchmarks.games",
    min_players=2,
    max_players=2,
    default_players=2,
    state=STATE,
    kernels=Kernels(reset, legal_actions, step, observe, score, value, determinize),
    observation_layout=OBSERVATION_LAYOUT,
    action_layout=ACTION_LAYOUT,
    score_range=(0, 1),
    describe=describe,
)
