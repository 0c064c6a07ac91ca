"""Mustang: catch, steal and stable wild horses with combinations of cards, for 2 to 5 players."""

from __future__ import annotations

from typing import Any

from mustang_env import action_key, describe, determinize, observe, rules, scoring, state, telling, value
from tablezoo.game import Game, Kernels
from tablezoo.registration import register_game

__all__ = ["GAME", "env", "raw_env"]

GAME = Game(
    name="mustang",
    title="Mustang",
    version=0,
    ref="mustang_env:GAME",
    package="mustang_env",
    min_players=state.MIN_SEATS,
    max_players=state.MAX_SEATS,
    default_players=state.MIN_SEATS,
    state=state.STATE,
    pending_depth=state.MAX_SEATS,
    options=state.OPTIONS,
    default_max_turns=1000,
    kernels=Kernels(
        reset=rules.reset,
        legal_actions=rules.legal_actions,
        step=rules.step,
        observe=observe.observe,
        score=scoring.score,
        value=value.value,
        determinize=determinize.determinize,
        action_key=action_key.action_key,
    ),
    observation_layout=observe.OBSERVATION_LAYOUT,
    action_layout=state.ACTION_LAYOUT,
    score_keys=3,
    score_range=scoring.SCORE_RANGE,
    describe=describe.describe,
    telling=telling.TELLING,
)

register_game(GAME)


def raw_env(**kwargs: Any) -> Any:
    """Return the PettingZoo AEC environment; see :class:`tablezoo.aec.AECEnv` for the keywords."""
    from tablezoo.aec import AECEnv

    return AECEnv(GAME, **kwargs)


def env(**kwargs: Any) -> Any:
    """Return the same as :func:`raw_env`: its checks lie inside, so that it needs no wrappers."""
    return raw_env(**kwargs)
