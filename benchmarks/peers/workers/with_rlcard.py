"""RLCard: the documented loop over ``Env.step``, which ``Env.run`` with random agents is slower than."""

from __future__ import annotations

import random
from typing import Any

import rlcard

DISTRIBUTIONS = ("rlcard", "numpy")

_GAMES = {
    "leduc": "leduc-holdem",
    "mahjong": "mahjong",
    "uno": "uno",
}


def make(game: str, size: int) -> StepCase:
    return StepCase(rlcard.make(_GAMES[game], config={"seed": 0}))


class StepCase:
    """Whole games of random legal play; a state comes with its observation and, as a dict, its legal actions."""

    def __init__(self, env: Any) -> None:
        self._env = env
        self._random = random.Random(0)
        seen = env.reset()[0]["obs"]
        self.observation = f"{'x'.join(map(str, seen.shape))} {seen.dtype}"
        self.actions = env.num_actions

    def play(self) -> int:
        env, uniform = self._env, self._random.random
        decisions = 0
        state, _ = env.reset()
        while not env.is_over():
            legal = list(state["legal_actions"])
            state, _ = env.step(legal[int(uniform() * len(legal))])
            decisions += 1
        return decisions
