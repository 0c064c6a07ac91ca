"""What a finished game pays, checked by hand, ties included."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from tablezoo import Batch
from tests.engine.helpers import write_position
from tests.engine.tiny import GAME


def ended(tables: list[list[int]], luck: list[int], reward: str, **settings) -> Batch:
    """A game that has just ended: seat 0 had one card, a 0, and laid it; what the tables hold is given."""
    players = len(tables)
    batch = Batch(GAME, 1, num_players=players, seed=0, start_seat=0, autoreset=False, reward=reward, **settings)
    write_position(batch, 0, [[0]] + [[1, 2]] * (players - 1), tables, [])
    batch.states["luck"][0, :players] = luck
    batch.refresh()
    batch.step([0])
    assert batch.terminated[0]
    return batch


# Tables worth 5, 9, 9 and 2.
TABLES = [[5], [4, 5], [5, 4], [2]]
CASES = [
    ("zero_sum", [0, 0, 0, 0], [-0.5, 0.5, 0.5, -0.5]),
    ("zero_sum", [1, 0, 1, 1], [-1 / 3, -1 / 3, 1, -1 / 3]),
    ("win", [0, 0, 0, 0], [0, 0.5, 0.5, 0]),
    ("win", [0, 1, 0, 0], [0, 1, 0, 0]),
    ("rank", [0, 0, 0, 0], [-1 / 3, 2 / 3, 2 / 3, -1]),
    ("rank", [0, 0, 1, 0], [-1 / 3, 1 / 3, 1, -1]),
    ("margin", [0, 0, 1, 0], [(5 - 6.25) / 30, (9 - 6.25) / 30, (9 - 6.25) / 30, (2 - 6.25) / 30]),
    ("score", [0, 0, 1, 0], [5 / 30, 9 / 30, 9 / 30, 2 / 30]),
]


@pytest.mark.parametrize(("reward", "luck", "paid"), CASES)
def test_rewards(reward, luck, paid):
    batch = ended(TABLES, luck, reward)
    assert batch.rewards.dtype == np.float32
    assert np.allclose(batch.rewards[0], paid, atol=1e-6)
    assert batch.scores[0].tolist() == [5, 9, 9, 2]


def test_ranks_and_winners():
    assert ended(TABLES, [0, 0, 0, 0], "win").ranks[0].tolist() == [2, 0, 0, 3]
    lucky = ended(TABLES, [1, 0, 1, 0], "win")
    assert lucky.ranks[0].tolist() == [2, 1, 0, 3]
    assert lucky.winners[0].tolist() == [False, False, True, False]


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize(
    ("reward", "each"), [("zero_sum", 0), ("rank", 0), ("margin", 0), ("score", 0.1), ("win", None)]
)
def test_when_all_win(players, reward, each):
    batch = ended([[3]] * players, [0] * players, reward)
    assert np.allclose(batch.rewards[0, :players], 1 / players if each is None else each)
    assert not batch.rewards[0, players:].any()
    assert batch.winners[0].tolist() == [seat < players for seat in range(4)]
    assert batch.ranks[0].tolist() == [0 if seat < players else -1 for seat in range(4)]


def test_score_delta_pays_each_step_what_it_changed():
    batch = Batch(GAME, 1, num_players=2, seed=0, start_seat=0, autoreset=False, reward="score_delta")
    write_position(batch, 0, [[3, 4, 5], [1, 2, 2]], [[], []], [0, 0])
    batch.refresh()
    batch.step([4])
    assert np.allclose(batch.rewards[0], [4 / 30, 0, 0, 0])
    batch.step([2])
    assert np.allclose(batch.rewards[0], [0, 2 / 30, 0, 0])


def test_lead_delta_pays_a_change_less_the_mean_of_the_others():
    batch = Batch(GAME, 1, num_players=3, seed=0, start_seat=0, autoreset=False, reward="lead_delta")
    write_position(batch, 0, [[3, 4, 5], [1, 2, 2], [1, 2, 3]], [[], [], []], [0, 0])
    batch.refresh()
    batch.step([4])
    assert np.allclose(batch.rewards[0], [4 / 30, -2 / 30, -2 / 30, 0])
    batch.step([2])
    assert np.allclose(batch.rewards[0], [-1 / 30, 2 / 30, -1 / 30, 0])


def played(reward: str) -> tuple[Batch, NDArray[np.float64]]:
    """Games of two to four players, and what each seat was paid in all."""
    batch = Batch(GAME, 16, num_players=[2, 3, 4], seed=0, autoreset=False, reward=reward)
    total = np.zeros((16, 4))
    rng = np.random.default_rng(0)
    while (batch.seat >= 0).any():
        batch.step(batch.random_actions(rng))
        total += batch.rewards
    return batch, total


def test_score_delta_adds_up_to_the_score():
    batch, total = played("score_delta")
    assert np.allclose(total, batch.scores / 30, atol=1e-5)


def test_lead_delta_adds_up_to_the_lead():
    batch, total = played("lead_delta")
    others = batch.num_players - 1
    means = (batch.scores.sum(axis=1) - batch.scores.T) / others
    leads = np.where(np.arange(4)[:, None] <= others, batch.scores.T - means, 0)
    assert np.allclose(total, leads.T / 30, atol=1e-5)


def test_a_cut_game_pays_by_standing():
    batch = Batch(GAME, 1, num_players=2, seed=0, start_seat=0, autoreset=False, max_turns=1)
    write_position(batch, 0, [[3, 4, 5], [1, 2, 2]], [[], [1]], [0, 0])
    batch.refresh()
    batch.step([3])
    assert batch.truncated[0]
    assert not batch.terminated[0]
    assert batch.rewards[0].tolist() == [1, -1, 0, 0]


def test_the_default_is_zero_sum():
    assert Batch(GAME, seed=0).reward == "zero_sum"
    assert GAME.default_reward == "zero_sum"
