"""tablezoo: ``Batch.random_actions`` and ``Batch.step`` with autoreset."""

from __future__ import annotations

import importlib
import os

import numpy as np

from tablezoo import Batch, Game

DISTRIBUTIONS = ("tablezoo", "numpy", "numba")

#: Where each game is.
_GAMES = {
    "connect_four": "benchmarks.games.connect_four:CONNECT_FOUR",
    "leduc": "benchmarks.games.leduc:LEDUC",
    "mustang": "mustang_env:GAME",
    "stabletimes": "stabletimes_env:GAME",
    "fable": "fable_env:GAME",
}

#: Decisions in a bout, at least: some milliseconds.
_BOUT = 16384


def make(game: str, size: int) -> BatchCase:
    module, _, name = _GAMES[game].partition(":")
    return BatchCase(getattr(importlib.import_module(module), name), size)


class BatchCase:
    """Random legal play; each step writes the next decision's observation, mask, rewards and flags."""

    def __init__(self, game: Game, size: int) -> None:
        self._batch = Batch(game, size, seed=0, threads=int(os.environ["OMP_NUM_THREADS"]))
        self._rng = np.random.default_rng(0)
        self._size = size
        self._steps = max(1, _BOUT // size)
        self.observation = f"{self._batch.observation.shape[1]} {self._batch.observation.dtype}"
        self.actions = self._batch.action_mask.shape[1]

    def play(self) -> int:
        batch, rng = self._batch, self._rng
        for _ in range(self._steps):
            batch.step(batch.random_actions(rng))
        return self._steps * self._size
