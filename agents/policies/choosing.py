"""How a network's policy chooses, whatever computes its probabilities."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tablezoo.policies import Views


def choose(views: Views, probabilities: NDArray[np.float64], deterministic: bool) -> NDArray[np.int64]:
    """Return (m,) actions: the likeliest ones, or drawn from each view's stream.

    Args:
        views: of m seats.
        probabilities: (m, num_actions), 0 for illegal actions.
        deterministic: whether nothing is drawn.
    """
    if deterministic:
        return np.asarray(probabilities.argmax(axis=1), np.int64)
    cumulated = np.cumsum(probabilities, axis=1)
    drawn = views.uniforms() * cumulated[:, -1]
    return np.asarray((cumulated > drawn[:, None]).argmax(axis=1), np.int64)
