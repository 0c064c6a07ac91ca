"""The policies at Mustang: greedy plays well, sees nothing hidden, and is the same compiled or not."""

from __future__ import annotations

import pytest

from mustang_env import GAME
from tablezoo import Batch, GreedyPolicy, RandomPolicy
from tablezoo.policies import GREEDY, RANDOM, Policy
from tablezoo.testing.case import RandomPlay
from tests.policies import (
    compiled_opponents_decide_as_the_policies_do,
    greedy_beats_random,
    greedy_decides_the_same_whatever_is_hidden,
    greedy_is_legal_and_leaves_the_games_alone,
    random_is_uniform_over_the_legal_actions,
)

from .table import played


@pytest.mark.parametrize(("players", "least"), [(2, 0.8), (4, 0.5)])
def test_greedy_beats_random(players: int, least: float) -> None:
    greedy_beats_random(GAME, players, least)


@pytest.mark.parametrize("players", [2, 4])
@pytest.mark.parametrize("steps", [0, 25, 60])
def test_greedy_decides_the_same_whatever_is_hidden(players: int, steps: int) -> None:
    greedy_decides_the_same_whatever_is_hidden(played(40, players, steps))


def test_greedy_is_legal_and_leaves_the_games_alone() -> None:
    greedy_is_legal_and_leaves_the_games_alone(played(40, 3, 30))


@pytest.mark.parametrize(("policy", "code"), [(RandomPolicy(), RANDOM), (GreedyPolicy(), GREEDY)])
@pytest.mark.parametrize("players", [2, 5])
def test_compiled_opponents_decide_as_the_policies_do(policy: Policy, code: int, players: int) -> None:
    compiled_opponents_decide_as_the_policies_do(GAME, policy, code, players, most=40)


def test_random_is_uniform_over_the_legal_actions() -> None:
    batch = Batch(GAME, 1, num_players=2, seed=5)
    play = RandomPlay(batch, 1)
    while batch.action_mask[0].sum() < 6:
        batch.step(play.actions())
    random_is_uniform_over_the_legal_actions(batch)
