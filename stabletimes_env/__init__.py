"""Stable Times: place horses in the aisles of a stable for ribbons, for 1 to 5 players."""

from __future__ import annotations

from typing import Any

from stabletimes_env import action_key, describe, determinize, observe, reader, rules, scoring, state, telling, value
from tablezoo.game import Game, Kernels
from tablezoo.registration import register_game

__all__ = ["GAME", "env", "raw_env"]

GAME = Game(
    name="stabletimes",
    title="Stable Times",
    version=0,
    ref="stabletimes_env:GAME",
    package="stabletimes_env",
    min_players=state.MIN_SEATS,
    max_players=state.MAX_SEATS,
    default_players=2,
    state=state.STATE,
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
        candidates=value.candidates,
        action_key=action_key.action_key,
    ),
    observation_layout=observe.OBSERVATION_LAYOUT,
    action_layout=state.ACTION_LAYOUT,
    score_keys=2,
    score_range=scoring.SCORE_RANGE,
    outcome=scoring.outcome,
    content=reader.FORMAT,
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
