"""The network for Stable Times: what it computes of horses is what the kernels say, and all its faces agree."""

from __future__ import annotations

from collections.abc import Iterator
from copy import copy
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from agents.horses.counting import NEVER
from agents.horses.gains import Outlook, outlook, own_needs, part_of
from agents.horses.network import StableNetwork, StablePolicy
from agents.settings import Settings
from stabletimes_env import GAME
from stabletimes_env.rules import place
from stabletimes_env.scoring import horse_points
from stabletimes_env.sets import NUM_AISLES
from stabletimes_env.stable import fits
from stabletimes_env.state import EMPTY, HAND, PLACE, SWAP
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


class Position:
    """A lane's game as the seat asked has it, for playing on by the game's own kernels."""

    def __init__(self, batch: Batch, lane: int) -> None:
        self.seat = int(batch.seat[lane])
        self.content = batch.contents[int(batch.states["content"][lane])].record[0]
        self.state = batch.states[lane : lane + 1].copy()[0]

    @property
    def hand(self) -> list[int]:
        return [int(horse) for horse in self.state["hand"][self.seat]]

    @property
    def phase(self) -> int:
        return int(self.state["phase"])

    def with_hand(self, hand: list[int]) -> Position:
        """The same position with these horses in the hand, before the turn's first placement."""
        other = copy(self)
        other.state = self.state.copy()
        other.state["hand"][self.seat] = (hand + [EMPTY] * HAND)[:HAND]
        other.state["phase"], other.state["first_aisle"] = PLACE, -1
        return other

    def fits(self, horse: int, aisle: int) -> bool:
        return horse != EMPTY and bool(fits(self.state, self.seat, aisle, int(self.content["type"][horse])))

    def placed(self, horse: int, aisle: int) -> tuple[int, int]:
        """What a horse would score in an aisle, and the change of the seat's points."""
        other = self.with_hand([horse]).after(0, aisle)
        stall = int(self.state["aisle_size"][self.seat, aisle])
        scored = horse_points(other.state, self.content, self.seat, aisle, stall, horse)
        return int(scored), int(other.state["points"][self.seat]) - int(self.state["points"][self.seat])

    def after(self, slot: int, aisle: int) -> Position:
        """The position with a horse of the hand in an aisle, where the next one may be placed."""
        other = self.with_hand(self.hand)
        place(other.state, other.content, other.seat, slot, aisle)
        return other

    def turns(self, longest: int = 2) -> Iterator[tuple[int, int, int]]:
        """Each way to place one horse or two (S9): the first's place in the hand and its aisle, the points' change."""
        before = int(self.state["points"][self.seat])
        for slot, aisle in self.placements():
            one = self.after(slot, aisle)
            yield slot, aisle, int(one.state["points"][self.seat]) - before
            for second, beside in one.placements() if longest == 2 else ():
                if beside != aisle:
                    yield slot, aisle, int(one.after(second, beside).state["points"][self.seat]) - before

    def placements(self) -> Iterator[tuple[int, int]]:
        for slot, horse in enumerate(self.hand):
            yield from ((slot, aisle) for aisle in range(NUM_AISLES) if self.fits(horse, aisle))

    def most(self) -> int:
        return max((change for _, _, change in self.turns()), default=0)


def outlook_of(batch: Batch) -> Outlook:
    return outlook(torch.as_tensor(LAYOUT.scale(batch.observation)))


def tops(position: Position) -> list[int]:
    sizes, fields = position.state["field_size"], position.state["field"]
    return [int(fields[field, size - 1]) if size else EMPTY for field, size in enumerate(sizes)]


@pytest.mark.parametrize("decisions", [0, 20, 60, 95, 130])
def test_placements_bring_what_the_rules_say(decisions: int) -> None:
    batch = positions(decisions)
    ahead = outlook_of(batch)
    for lane in range(batch.num_games):
        position = Position(batch, lane)
        for choice, horse in enumerate(position.hand + tops(position)):
            for aisle in range(NUM_AISLES):
                fit = position.fits(horse, aisle)
                expected = position.placed(horse, aisle) if fit else (0, 0)
                assert bool(ahead.fits[lane, choice, aisle]) == fit
                assert 10 * ahead.gains[lane, choice, aisle] == pytest.approx(expected[0], abs=1e-3)
                assert 10 * ahead.changes[lane, choice, aisle] == pytest.approx(expected[1], abs=1e-3)


@pytest.mark.parametrize("decisions", [0, 20, 60, 95, 130])
def test_plans_bring_what_the_rules_say(decisions: int) -> None:
    batch = positions(decisions)
    turns = outlook_of(batch).most_points()
    for lane in range(batch.num_games):
        position = Position(batch, lane)
        plans = np.full((HAND, NUM_AISLES), 10 * NEVER)
        for slot, aisle, change in position.turns(2 if position.phase in (SWAP, PLACE) else 1):
            plans[slot, aisle] = max(plans[slot, aisle], change)
        assert 10 * turns.plans[lane].numpy() == pytest.approx(plans, abs=1e-3)


@pytest.mark.parametrize("decisions", [0, 45, 70, 120])
def test_swaps_bring_what_the_rules_say(decisions: int) -> None:
    batch = positions(decisions)
    turns = outlook_of(batch).most_points()
    swapping = 0
    for lane in range(batch.num_games):
        position = Position(batch, lane)
        if position.phase != SWAP:
            continue
        swapping += 1
        assert 10 * turns.stay[lane].item() == pytest.approx(position.most(), abs=1e-3)
        for slot in range(HAND):
            kept = [horse for other, horse in enumerate(position.hand) if other != slot]
            for source, horse in enumerate([*tops(position), EMPTY]):
                most = position.with_hand([*kept, horse]).most()
                assert 10 * turns.swaps[lane, slot, source].item() == pytest.approx(most, abs=1e-3)
    assert swapping > 2


@pytest.mark.parametrize("decisions", [0, 60, 120])
def test_promises_count_once_for_each_horse_that_is_placed(decisions: int) -> None:
    """Where all placements promise the same, and points are worth nothing, the best turns place as many as they can."""
    ahead = outlook_of(positions(decisions))
    promise = torch.ones_like(ahead.changes)
    promised, paid = ahead.turns(0.0, promise), ahead.most_points()
    assert torch.equal(ahead.turns(1.0, 0 * promise).plans, paid.plans)
    assert torch.equal(ahead.turns(2.0, 0 * promise).swaps, 2 * paid.swaps)
    two = (ahead.pairs > NEVER)[:, :3].flatten(1).any(dim=1)  # of the hand alone
    one = ahead.fits[:, :HAND].flatten(1).any(dim=1)
    assert torch.equal(promised.plans.flatten(1).amax(dim=1).clamp(min=0), one.float() + two.float())


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
