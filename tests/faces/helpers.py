"""What several tests of the faces need."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from tablezoo.errors import IllegalActionError

#: What is no action, with the error and the words it gets; ``n`` actions there are 169.
WRONG_ACTIONS = [
    (True, TypeError, "bool"),
    (np.True_, TypeError, "bool"),
    (1.0, TypeError, "float"),
    (np.float32(1), TypeError, "float32"),
    ("1", TypeError, "str"),
    ([1], TypeError, "list"),
    (np.array([1]), TypeError, r"shape \(1,\)"),
    (np.zeros((1, 1), int), TypeError, r"shape \(1, 1\)"),
    (-1, IllegalActionError, "action -1 is out of range: expected an integer from 0 to 168"),
    (169, IllegalActionError, "action 169 is out of range: expected an integer from 0 to 168"),
]


def wrong_tensors() -> list[tuple[Any, type[Exception], str]]:
    torch = pytest.importorskip("torch")
    return [
        (torch.tensor(True), TypeError, "dtype torch.bool"),
        (torch.tensor(1.0), TypeError, "dtype torch.float32"),
        (torch.tensor([3]), TypeError, r"shape \(1,\)"),
        (torch.tensor(-1), IllegalActionError, "out of range"),
    ]


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
