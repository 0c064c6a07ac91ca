"""The lean head computes what its parent does."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy

from agents.training.networks import MaskedPolicy, ScaledRewards
from mustang_env import GAME
from tablezoo.sb3 import SeatVecEnv
from tablezoo.spaces import encode
from tests.mustang.table import played


@pytest.fixture
def policies() -> tuple[MaskableActorCriticPolicy, MaskedPolicy]:
    """A parent and a child with the same weights, large enough for decided opinions."""
    env = SeatVecEnv(GAME, 1, 2)
    torch.manual_seed(0)
    spaces = (env.observation_space, env.action_space)
    parent = MaskableActorCriticPolicy(*spaces, lambda _: 1e-3, net_arch=[16])
    child = MaskedPolicy(*spaces, lambda _: 1e-3, net_arch=[16])
    weights = parent.state_dict()
    weights["action_net.weight"] *= 100
    child.load_state_dict(weights)
    return parent, child


@pytest.fixture
def decisions() -> tuple[torch.Tensor, np.ndarray]:
    batch = played(256, 3, 40)
    asked = batch.seat >= 0
    return torch.as_tensor(encode(GAME, batch.observation[asked], "float")), batch.action_mask[asked]


def test_the_best_action_its_probability_and_the_value_are_the_parents(policies, decisions) -> None:
    parent, child = policies
    expected = parent(decisions[0], deterministic=True, action_masks=decisions[1])
    found = child(decisions[0], deterministic=True, action_masks=decisions[1])
    for mine, theirs in zip(found, expected, strict=True):
        torch.testing.assert_close(mine, theirs, rtol=1e-5, atol=1e-5)


def test_losses_and_gradients_are_the_parents(policies, decisions) -> None:
    observations, masks = decisions
    actions = torch.as_tensor(masks.argmax(axis=1).astype(np.float32))  # floats, as the rollout buffer holds them
    gradients = []
    for policy in policies:
        values, logs, entropies = policy.evaluate_actions(observations, actions.long(), torch.as_tensor(masks))
        policy.zero_grad()
        (values.mean() + logs.mean() + entropies.mean()).backward()
        gradients.append([weight.grad.clone() for weight in policy.parameters()])
    for mine, theirs in zip(*gradients, strict=True):
        torch.testing.assert_close(mine, theirs, rtol=1e-4, atol=1e-6)


def test_draws_are_legal_and_follow_the_probabilities(policies, decisions) -> None:
    _, child = policies
    observations, masks = decisions[0][:1].expand(20_000, -1), decisions[1][:1].repeat(20_000, axis=0)
    actions, _, logs = child(observations, action_masks=masks)
    assert masks[0, actions.numpy()].all()
    counted = np.bincount(actions.numpy(), minlength=GAME.num_actions) / len(actions)
    expected = np.zeros(GAME.num_actions)
    expected[actions.numpy()] = logs.exp().detach().numpy()
    np.testing.assert_allclose(counted, expected, atol=0.02)


def test_rewards_are_scaled_and_nothing_else() -> None:
    plain, scaled = (SeatVecEnv(GAME, 8, 2, reward="margin", seed=3) for _ in range(2))
    wrapped = ScaledRewards(scaled, 20.0)
    np.testing.assert_array_equal(plain.reset(), wrapped.reset())
    paid = 0
    for _ in range(600):
        masks = np.asarray(wrapped.env_method("action_masks"))
        np.testing.assert_array_equal(masks, plain.action_masks())
        actions = masks.argmax(axis=1)
        seen, rewards, dones, _ = plain.step(actions)
        seen_wrapped, rewards_wrapped, dones_wrapped, _ = wrapped.step(actions)
        np.testing.assert_array_equal(seen, seen_wrapped)
        np.testing.assert_array_equal(dones, dones_wrapped)
        np.testing.assert_allclose(rewards_wrapped, 20 * rewards, rtol=1e-6)
        paid += int((rewards != 0).sum())
    assert paid > 0


@pytest.mark.parametrize("players", [2, 3])
def test_a_win_is_paid_on_top_and_a_loss_is_paid_for(players: int) -> None:
    plain, scaled = (SeatVecEnv(GAME, 8, players, reward="margin", seed=3) for _ in range(2))
    wrapped = ScaledRewards(scaled, 20.0, win_bonus=6.0)
    plain.reset()
    wrapped.reset()
    paid, rng = set(), np.random.default_rng(0)
    for _ in range(600):
        masks = plain.action_masks()
        actions = (masks * rng.random(masks.shape)).argmax(axis=1)
        _, rewards, dones, infos = plain.step(actions)
        bonuses = wrapped.step(actions)[1] - 20 * rewards
        for lane, done in enumerate(dones):
            won = infos[lane]["won"] if done else 1 / players
            assert bonuses[lane] == pytest.approx(6 * won - 6 / players, abs=1e-5)
            paid.add(won)
    assert {0.0, 1.0} <= paid
