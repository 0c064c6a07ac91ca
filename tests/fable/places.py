"""Places in campaigns, and games in their middle."""

from __future__ import annotations

from typing import Any

from fable_env import GAME, Campaign
from tablezoo import Batch
from tablezoo.testing.case import RandomPlay

#: Half of the location stack is gone; who starts is told, and what is drawn.
MIDDLE = Campaign(
    {
        2: 1, 5: 2, 8: 1, 11: 2, 13: 1, 16: 2, 19: 1, 21: 1, 22: 1, 23: 1, 24: 2, 25: 1, 26: 1, 27: 2, 28: 2, 29: 1,
        30: 2,
    },
    drawn=120, games=17, start_seat=1, stream="0123456789abcdeffedcba9876543210",
)  # fmt: skip

#: The location stack is empty, few small stacks are left.
LATE = Campaign({31: 1, 40: 1, 46: 2, 50: 3, 52: 2, 54: 2, 56: 2, 59: 5}, drawn=240, games=52)

#: One purchase may end the campaign, and soon nobody can move on.
LAST = Campaign({46: 1, 48: 1, 50: 1, 53: 1, 55: 1, 59: 2}, drawn=240, games=58, start_seat=0)


def played(games: int, players: int, steps: int, seed: int = 0, **options: Any) -> Batch:
    """Games in their middle."""
    batch = Batch(GAME, games, num_players=players, seed=seed, **{"autoreset": False, **options})
    play = RandomPlay(batch, seed)
    for _ in range(steps):
        batch.step(play.actions())
    return batch
