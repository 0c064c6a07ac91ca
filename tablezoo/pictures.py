"""What the text pictures of all games are drawn with."""

from __future__ import annotations

from typing import Any

import numpy as np

from tablezoo.batch import Batch
from tablezoo.content import ContentSet
from tablezoo.game import Game


def table_at(game: Game, state: Any, content: Any = None) -> Batch:
    """Return a batch of one that stands at ``state``: the rules say there what is legal and what is seen.

    The loops are cached on disk; kernels called one by one would be compiled anew in each process.
    """
    played = None if game.content is None else ContentSet("shown", np.array([content]))
    batch = Batch(game, 1, num_players=int(state["num_players"]), seed=0, content=played)
    batch.states[0] = state
    batch.states["content"] = 0
    batch.refresh()
    return batch
