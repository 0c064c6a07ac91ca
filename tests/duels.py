"""What the duels of all games play with; the oracles themselves share nothing, on purpose."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def weighted_actions(
    mask: NDArray[np.bool_], weights: NDArray[np.float64], rng: np.random.Generator
) -> NDArray[np.int64]:
    """Return a legal action a row, drawn by weight; 0 where nothing is legal."""
    summed = np.cumsum(mask * weights, axis=1)
    drawn = rng.random(len(mask))[:, None] * summed[:, -1:]
    return (summed > drawn).argmax(axis=1)


def legal_sets(mask: NDArray[np.bool_]) -> list[set[int]]:
    """Return the legal actions of each row."""
    legal: list[set[int]] = [set() for _ in mask]
    for row, action in zip(*(axis.tolist() for axis in np.nonzero(mask)), strict=True):
        legal[row].add(action)
    return legal
