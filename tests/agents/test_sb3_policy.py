"""A network as a policy: legal, the same as SB3's own prediction, and drawn from the view's stream alone."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from sb3_contrib import MaskablePPO

from agents.policies.sb3_policy import SB3Policy
from mustang_env import GAME
from tablezoo import Policy, Views
from tablezoo.rng import OPPONENTS, seed_streams
from tests.mustang.table import played

from .helpers import fresh_model, views_of


@pytest.fixture(scope="module")
def model() -> MaskablePPO:
    return fresh_model()


def test_is_a_policy(model: MaskablePPO) -> None:
    assert isinstance(SB3Policy(model), Policy)


@pytest.mark.parametrize("players", [2, 5])
def test_probabilities_are_zero_where_illegal(model: MaskablePPO, players: int) -> None:
    views, _ = views_of(played(100, players, 30))
    probabilities = SB3Policy(model).probabilities(views)
    assert probabilities.shape == (len(views), GAME.num_actions)
    assert (probabilities[~views.action_mask] == 0).all()
    assert (probabilities[views.action_mask] > 0).all()
    assert np.allclose(probabilities.sum(axis=1), 1, atol=1e-5)


@pytest.mark.parametrize("players", [2, 5])
def test_decides_as_the_model_predicts(model: MaskablePPO, players: int) -> None:
    views, streams = views_of(played(200, players, 40))
    before = streams.copy()
    observation = GAME.observation_layout.scale(views.observation)
    assert observation.dtype == np.float32
    assert observation.max() <= 1
    predicted, _ = model.predict(observation, deterministic=True, action_masks=views.action_mask)
    decided = SB3Policy(model, deterministic=True).act(views)
    assert np.array_equal(decided, predicted)
    assert np.array_equal(streams, before)
    assert len(set(decided.tolist())) > 3


def test_draws_come_from_the_views_streams_only(model: MaskablePPO) -> None:
    batch = played(60, 3, 20)
    policy = SB3Policy(model)
    some = np.flatnonzero(batch.seat >= 0)[::2]
    views, streams = views_of(batch, lanes=some)
    before = streams.copy()
    torch.manual_seed(1)
    torch_before = torch.get_rng_state()
    numpy_before = repr(np.random.get_state())  # noqa: NPY002
    drawn = policy.act(views)
    assert drawn.dtype == np.int64
    assert views.action_mask[np.arange(len(views)), drawn].all()
    assert torch.equal(torch.get_rng_state(), torch_before)
    assert repr(np.random.get_state()) == numpy_before  # noqa: NPY002
    moved = (streams != before).any(axis=1)
    assert np.array_equal(np.flatnonzero(moved), some)

    # The same streams draw the same whatever torch's generator and the other lanes do.
    torch.manual_seed(2)
    assert np.array_equal(policy.act(views_of(batch, lanes=some)[0]), drawn)
    alone = np.concatenate([policy.act(views_of(batch, lanes=some[i : i + 1])[0]) for i in range(len(some))])
    assert np.array_equal(alone, drawn)
    assert not np.array_equal(policy.act(views_of(batch, seed=99, lanes=some)[0]), drawn)


def test_draws_follow_the_probabilities(model: MaskablePPO) -> None:
    batch = played(1500, 2, 15)
    views, _ = views_of(batch)
    policy = SB3Policy(model)
    probabilities = policy.probabilities(views)
    counts = np.zeros(GAME.num_actions)
    repeats = 4
    for seed in range(repeats):
        streams = seed_streams(10_000 * (seed + 1), batch.num_games, OPPONENTS)
        drawn = policy.act(Views(batch, np.flatnonzero(batch.seat >= 0), streams))
        counts += np.bincount(drawn, minlength=GAME.num_actions)
    expected = repeats * probabilities.sum(axis=0)
    spread = np.sqrt(repeats * (probabilities * (1 - probabilities)).sum(axis=0))
    assert (np.abs(counts - expected) <= 4.5 * spread + 1).all()
