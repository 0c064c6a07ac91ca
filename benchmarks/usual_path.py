"""How Connect Four is trained without tablezoo: PettingZoo's environment, one seat of it at a time, eight in a row."""

from __future__ import annotations

import os
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray
from pettingzoo import AECEnv, make
from pettingzoo.env_registry.exceptions import FailedToImport

from benchmarks.games.connect_four import CELLS, COLUMNS

NEEDS_BENCH = "PettingZoo's Connect Four needs the extra: pip install 'tablezoo[bench]'"

_ID = "classic/connect_four-v3"

Observation = NDArray[np.int8]


def make_connect_four() -> Any:
    """Return PettingZoo's environment, with the wrappers that it comes with.

    Raises:
        ModuleNotFoundError: pygame is missing, with what to install.
    """
    os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")  # it would greet on standard output
    try:
        return make("aec", _ID)
    except FailedToImport as error:
        raise ModuleNotFoundError(f"{NEEDS_BENCH} ({error.__cause__})", name="pygame") from error


class OneSeat(gymnasium.Env[Observation, np.int64]):
    """One seat of PettingZoo's Connect Four, with the masks that MaskablePPO asks for.

    The other seat plays uniformly at random inside ``step``. Which seat is the learner's is drawn for each episode. The
    reward is the learner's, also where the other's move ends the game. Observations are flat, the environment's own
    entries in their own order.
    """

    def __init__(self) -> None:
        self.env: AECEnv[str, Any, Any] = make_connect_four()
        self.observation_space = spaces.Box(0, 1, (2 * CELLS,), np.int8)
        self.action_space: spaces.Space[np.int64] = spaces.Discrete(COLUMNS)
        self.learner = ""

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        super().reset(seed=seed)
        self.env.reset(seed=seed)
        self.learner = self.env.possible_agents[self.np_random.integers(2)]
        if self.env.agent_selection != self.learner:
            self._play_other()
        return self._observe(), {}

    def step(self, action: np.int64) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        self.env.step(int(action))
        if not self._is_over():
            self._play_other()
        # The environment pays at the end alone, so that what the last step paid is what the learner got.
        return self._observe(), float(self.env.rewards[self.learner]), self._is_over(), False, {}

    def action_masks(self) -> NDArray[np.bool_]:
        """Return the legal actions of the learner, whose turn it is."""
        mask: NDArray[np.bool_] = self.env.observe(self.learner)["action_mask"].astype(np.bool_)
        return mask

    def _is_over(self) -> bool:
        return self.env.terminations[self.learner]

    def _play_other(self) -> None:
        legal = self.env.observe(self.env.agent_selection)["action_mask"].nonzero()[0]
        self.env.step(int(legal[int(self.np_random.random() * len(legal))]))

    def _observe(self) -> Observation:
        observation: Observation = self.env.observe(self.learner)["observation"].reshape(-1)
        return observation
