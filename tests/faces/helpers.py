"""What several tests of the faces need."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np


def draw(rng: np.random.Generator, mask: Any) -> int:
    """Return a uniformly drawn legal action."""
    legal = np.flatnonzero(mask)
    return int(legal[rng.integers(len(legal))])


def draw_all(rng: np.random.Generator, masks: Any) -> Any:
    return np.array([draw(rng, mask) for mask in masks])


class Told:
    """An opponent that acts in Python; ``asked`` counts the views that it was shown."""

    def __init__(self, choose: Callable[[Any], Any], name: str = "told") -> None:
        self.choose, self.name, self.asked = choose, name, 0

    def act(self, views: Any) -> Any:
        self.asked += len(views)
        return self.choose(views)


def at_random() -> Told:
    """The compiled random opponent's decisions, taken in Python."""
    return Told(lambda views: views.random_actions(), "random in Python")
