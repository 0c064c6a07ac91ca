"""PufferLib's C games: one native environment that holds the whole batch, its buffers shared with NumPy."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from pufferlib.ocean.go.go import Go
from pufferlib.ocean.tripletriad.tripletriad import TripleTriad

DISTRIBUTIONS = ("pufferlib", "numpy")

#: Decisions in a bout, at least.
_BOUT = 16384

#: Steps between two logs; each is a dict, and has no part in play.
_QUIET = 1 << 20


def make(game: str, size: int) -> NativeCase:
    if game == "go":
        return NativeCase(Go(num_envs=size, log_interval=_QUIET), size, go_mask)
    return NativeCase(TripleTriad(num_envs=size, report_interval=_QUIET), size, triple_triad_mask)


class NativeCase:
    """Random play by masks that are read off the observations: these games have none of their own."""

    def __init__(self, env: Any, size: int, mask: Any) -> None:
        self._env, self._size, self._mask = env, size, mask
        self._rng = np.random.default_rng(0)
        self._steps = max(1, _BOUT // size)
        env.reset(seed=0)
        self.observation = f"{env.observations.shape[1]} {env.observations.dtype}"
        self.actions = int(env.single_action_space.n)

    def play(self) -> int:
        env = self._env
        decisions = 0
        for _ in range(self._steps):
            decisions += self._size - int(np.count_nonzero(env.terminals))  # the step after an end only resets
            env.step(draw_legal(self._mask(env.observations), self._rng))
        return decisions


def go_mask(seen: NDArray[np.float32]) -> NDArray[np.bool_]:
    """Return what is legal on a 7 x 7 board but for suicide and ko, which no observation tells: pass, empty points."""
    masks = np.ones((len(seen), 50), np.bool_)
    masks[:, 1:] = (seen[:, :49] + seen[:, 49:98]) == 0
    return masks


def triple_triad_mask(seen: NDArray[np.float32]) -> NDArray[np.bool_]:
    """Return what is legal: cards in hand while none is chosen, then empty places; all once the game is over."""
    choosing = seen[:, 24:25] < 0
    masks = np.empty((len(seen), 14), np.bool_)
    masks[:, :5] = choosing & (seen[:, 104:109] == 0)
    masks[:, 5:] = ~choosing & (seen[:, 14:23] == 0)
    masks[~masks.any(axis=1)] = True
    return masks


def draw_legal(masks: NDArray[np.bool_], rng: np.random.Generator) -> NDArray[np.intp]:
    """Return actions, each uniform over the legal ones of its row."""
    rows, legal = masks.nonzero()
    counts = np.bincount(rows, minlength=len(masks))
    drawn = (rng.random(len(masks)) * counts).astype(np.intp)
    return legal[np.cumsum(counts) - counts + drawn]
