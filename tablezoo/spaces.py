"""How the faces hand out observations: as floats in [0, 1], or raw."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from tablezoo.game import Game

OBSERVATIONS = ("float", "raw")


def observation_box(game: Game, obs: str) -> spaces.Box:
    """Return the space of one observation, (observation_size,)."""
    layout = game.observation_layout
    if obs == "raw":
        return spaces.Box(np.zeros(layout.size, np.uint8), layout.high.copy(), dtype=np.uint8)
    return spaces.Box(0.0, 1.0, (layout.size,), np.float32)


def encode(game: Game, raw: NDArray[np.uint8], obs: str) -> NDArray[Any]:
    """Return raw observations ((..., observation_size) uint8) as ``obs`` has them: always a fresh array."""
    return raw.copy() if obs == "raw" else game.observation_layout.scale(raw)
