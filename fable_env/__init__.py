"""Fable: move among locations whose set changes as players buy them, for 2 to 5 players."""

from __future__ import annotations

from typing import Any

from fable_env import describe, determinize, observe, reader, rules, scoring, state, telling, value
from fable_env.campaign import Campaign, reference
from tablezoo.game import Game, Kernels
from tablezoo.registration import register_game

__all__ = ["GAME", "Campaign", "env", "raw_env", "reference"]

GAME = Game(
    name="fable",
    title="Fable",
    version=0,
    ref="fable_env:GAME",
    package="fable_env",
    min_players=state.MIN_SEATS,
    max_players=state.MAX_SEATS,
    default_players=2,
    lasting=state.LASTING,
    private=state.PRIVATE,
    state=state.STATE,
    pending_depth=state.PENDING_DEPTH,
    options=state.OPTIONS,
    default_max_turns=300,
    kernels=Kernels(
        reset=rules.reset,
        legal_actions=rules.legal_actions,
        step=rules.step,
        observe=observe.observe,
        score=scoring.score,
        value=value.value,
        determinize=determinize.determinize,
        candidates=value.candidates,
    ),
    observation_layout=observe.OBSERVATION_LAYOUT,
    action_layout=state.ACTION_LAYOUT,
    score_keys=2,
    score_range=scoring.SCORE_RANGE,
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
