"""PettingZoo: the documented loop over ``agent_iter`` and ``last``, on ``raw_env``, without the wrappers that check."""

from __future__ import annotations

import importlib
import random
from typing import Any

DISTRIBUTIONS = ("pettingzoo", "rlcard", "open_spiel", "numpy")

_GAMES = {
    "connect_four": "connect_four_v3",
    "leduc": "leduc_holdem_v4",
    "gin_rummy": "gin_rummy_v4",
    "hanabi": "hanabi_v5",
}


def make(game: str, size: int) -> AecCase:
    return AecCase(importlib.import_module(f"pettingzoo.classic.{_GAMES[game]}").raw_env())


class AecCase:
    """Whole games of random legal play, with resets and the steps of the dead."""

    def __init__(self, env: Any) -> None:
        self._env = env
        self._random = random.Random(0)
        env.reset(seed=0)
        seen = env.last()[0]
        self.observation = f"{'x'.join(map(str, seen['observation'].shape))} {seen['observation'].dtype}"
        self.actions = len(seen["action_mask"])

    def play(self) -> int:
        env, uniform = self._env, self._random.random
        decisions = 0
        env.reset()
        for _ in env.agent_iter():
            observation, _, termination, truncation, _ = env.last()
            if termination or truncation:
                env.step(None)
                continue
            legal = observation["action_mask"].nonzero()[0]
            env.step(legal[int(uniform() * len(legal))])
            decisions += 1
        return decisions
