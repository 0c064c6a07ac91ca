"""OpenSpiel from Python: one state at a time, its observer writing into one NumPy buffer, the documented fast way."""

from __future__ import annotations

import random
from typing import Any

import pyspiel
from open_spiel.python.observation import make_observation

DISTRIBUTIONS = ("open_spiel", "numpy")

_GAMES = {
    "connect_four": "connect_four",
    "leduc": "leduc_poker",
    "gin_rummy": "gin_rummy",
    "hanabi": "hanabi",
}


def make(game: str, size: int) -> StateCase:
    return StateCase(pyspiel.load_game(_GAMES[game]))


class StateCase:
    """Whole games of random legal play, chance sampled."""

    def __init__(self, game: Any) -> None:
        self._game = game
        self._observation = make_observation(game)
        self._random = random.Random(0)
        tensor = self._observation.tensor
        self.observation = f"{tensor.size} {tensor.dtype}"
        self.actions = game.num_distinct_actions()

    def play(self) -> int:
        uniform, observe = self._random.random, self._observation.set_from
        state = self._game.new_initial_state()
        decisions = 0
        while not state.is_terminal():
            if state.is_chance_node():
                state.apply_action(self._draw(state.chance_outcomes()))
                continue
            observe(state, state.current_player())
            state.legal_actions_mask()
            legal = state.legal_actions()
            state.apply_action(legal[int(uniform() * len(legal))])
            decisions += 1
        return decisions

    def _draw(self, outcomes: list[tuple[int, float]]) -> int:
        actions, chances = zip(*outcomes, strict=True)
        drawn: int = self._random.choices(actions, chances)[0]
        return drawn
