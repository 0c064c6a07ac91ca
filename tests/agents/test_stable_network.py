"""The network for Stable Times: what it computes of horses is what the kernels say, and all its faces agree."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from agents.settings import Settings
from agents.stable_gains import own_gains, own_needs, part_of
from agents.stable_network import StableNetwork, StablePolicy
from stabletimes_env import GAME
from stabletimes_env.scoring import horse_points
from stabletimes_env.stable import fits, stand_in_aisle
from stabletimes_env.state import EMPTY
from tablezoo import Batch
from tablezoo.sb3 import SeatVecEnv

TINY_SET = str(Path(__file__).parents[1] / "stabletimes" / "content" / "tiny.toml")
LAYOUT = GAME.observation_layout


def positions(decisions: int) -> Batch:
    sets = ["original", "procedural:1", TINY_SET]
    batch = Batch(GAME, 30, num_players=[1, 2, 3, 4, 5], seed=3, content=sets)
    rng = np.random.default_rng(1)
    for _ in range(decisions):
        batch.step(batch.random_actions(rng))
    return batch


def placed(batch: Batch, lane: int, horse: int, aisle: int) -> tuple[bool, int]:
    """Whether a horse fits in an aisle of the seat asked, and what it would score there, by the kernels."""
    state = batch.states[lane : lane + 1].copy()[0]
    content, seat = batch.contents[int(state["content"])].record[0], int(batch.seat[lane])
    if horse == EMPTY or not fits(state, seat, aisle, int(content["type"][horse])):
        return False, 0
    stall = int(state["aisle_size"][seat, aisle])
    stand_in_aisle(state, content, seat, aisle, horse)
    return True, int(horse_points(state, content, seat, aisle, stall, horse))


@pytest.mark.parametrize("decisions", [0, 20, 60, 95, 130])
def test_gains_are_what_the_kernels_say(decisions: int) -> None:
    batch = positions(decisions)
    observation = torch.as_tensor(LAYOUT.scale(batch.observation))
    fit, gains = own_gains(observation, part_of(observation, "hand"))
    for lane in range(batch.num_games):
        for slot, horse in enumerate(batch.states["hand"][lane, batch.seat[lane]]):
            for aisle in range(4):
                there, points = placed(batch, lane, int(horse), aisle)
                assert bool(fit[lane, slot, aisle]) == there
                assert 10 * gains[lane, slot, aisle] == pytest.approx(points, abs=1e-3)


def test_all_ways_through_the_policy_agree() -> None:
    env = SeatVecEnv(GAME, 8, 2, seed=0)
    policy = StablePolicy(env.observation_space, env.action_space, lambda _: 1e-3)
    observation, masks = torch.as_tensor(env.reset()), env.action_masks()
    actions, values, logs = policy(observation, deterministic=True, action_masks=masks)
    distribution: Any = policy.get_distribution(observation, action_masks=masks)
    assert torch.equal(distribution.mode(), actions)
    assert torch.allclose(distribution.log_prob(actions), logs, atol=1e-5)
    again, logs_again, _ = policy.evaluate_actions(observation, actions, torch.as_tensor(masks))
    assert torch.allclose(again, values)
    assert torch.allclose(logs_again, logs)
    assert torch.allclose(policy.predict_values(observation), values)


def test_a_slot_means_nothing_but_its_horse() -> None:
    """With two hand slots exchanged, the logits of their placements are exchanged."""
    batch = positions(40)
    network = StableNetwork()
    lanes = np.flatnonzero((batch.states["hand"][np.arange(30), batch.seat] != EMPTY).all(axis=1))
    observation = torch.as_tensor(LAYOUT.scale(batch.observation[lanes]))
    exchanged = observation.clone()
    hand, shown = LAYOUT.slice("hand"), LAYOUT.slice("hand_shown")
    for part in (hand, shown):
        slots = observation[:, part].view(len(lanes), 3, -1)
        exchanged[:, part] = slots[:, [1, 0, 2]].reshape(len(lanes), -1)
    place = GAME.action_layout.slice("place")
    with torch.no_grad():
        for weights in network.table.parameters():
            weights.zero_()  # the table as a whole still knows the slots apart
        before, after = (network(views)[0][:, place].view(-1, 3, 4) for views in (observation, exchanged))
    assert torch.allclose(before[:, [1, 0, 2]], after, atol=1e-5)


def test_the_network_is_for_its_game() -> None:
    with pytest.raises(ValueError, match="network: 'horses' is for stabletimes, the game is 'mustang'"):
        Settings("mustang", network="horses")
    with pytest.raises(ValueError, match="'mpl' is unknown; did you mean 'mlp'"):
        Settings("mustang", network="mpl")


@pytest.mark.parametrize("decisions", [0, 40, 110])
def test_needs_are_what_the_rules_say(decisions: int) -> None:
    batch = positions(decisions)
    observation = torch.as_tensor(LAYOUT.scale(batch.observation))
    needs = own_needs(observation, part_of(observation, "hand"))
    for lane in range(batch.num_games):
        state, seat = batch.states[lane], batch.seat[lane]
        content = batch.contents[int(state["content"])].record[0]
        counts = state["disciplines"][seat].astype(int)
        for slot, horse in enumerate(state["hand"][seat]):
            if horse == EMPTY:
                assert not needs[lane, slot].any()
                continue
            own = np.arange(3) == content["discipline"][horse]
            preferred = content["type"][horse] == content["board_type"][state["board"][seat]]
            expected = [min(counts + own) - min(counts), (counts - min(counts))[own].sum() / 4, own.sum(), preferred]
            assert needs[lane, slot].tolist() == pytest.approx([float(value) for value in expected], abs=1e-5)
