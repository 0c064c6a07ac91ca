"""What a seat sees is what the rules say it knows: every part of the observation, computed anew by the oracle."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from mustang_env import GAME
from tests.duels import weighted_actions
from tests.oracles.mustang import Oracle
from tests.oracles.mustang_duel import WAYS, Duel, random_situation

LAYOUT = GAME.observation_layout


def known(oracle: Oracle, seat: int) -> NDArray[np.uint8]:
    """Return what the oracle says that ``seat`` sees, as a flat vector."""
    parts = oracle.what_seat_knows(seat)
    assert list(parts) == [part.name for part in LAYOUT.parts]
    return np.concatenate([np.array(parts[part.name], np.uint8).reshape(part.size) for part in LAYOUT.parts])


def compare_views(duel: Duel) -> NDArray[np.uint8]:
    """Compare each seat's view of each lane; return the highest value seen in each place."""
    highest = np.zeros(LAYOUT.size, np.uint8)
    for seat in range(duel.oracles[0].num_players):
        seen = duel.batch.observe(seat)
        for lane, oracle in enumerate(duel.oracles):
            expected = known(oracle, seat)
            highest = np.maximum(highest, expected)
            if not np.array_equal(seen[lane], expected):
                for part in LAYOUT.parts:
                    where = f"{part.name}, seat {seat}, asked {oracle.asked}, phase {oracle.phase}, {oracle.last}"
                    mine = LAYOUT.view(expected, part.name).tolist()
                    assert LAYOUT.view(seen[lane], part.name).tolist() == mine, where
            if oracle.asked == seat:
                assert np.array_equal(duel.batch.observation[lane], expected)
    return highest


@pytest.mark.rule("M10", "M20", "M22", "M23", "M27", "M29")
@pytest.mark.parametrize("middle", [False, True], ids=["dealt", "middle"])
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_each_seat_sees_what_the_rules_let_it_know(players: int, middle: bool) -> None:
    rng = np.random.default_rng([players, middle])
    situations: Any = functools.partial(random_situation, rng) if middle else None
    duel = Duel(8, players, seed=players, situations=situations, max_turns=150)
    ways = WAYS[np.arange(8) % len(WAYS)]
    highest = compare_views(duel)
    while duel.compared < 2_000:
        duel.step(weighted_actions(duel.batch.action_mask, ways, rng))
        highest = np.maximum(highest, compare_views(duel))
        over = np.flatnonzero(duel.batch.seat < 0)
        if over.size:
            duel.again(over)
    assert (highest <= LAYOUT.high).all()
    blank = [part.name for part in LAYOUT.parts if not LAYOUT.view(highest, part.name).any()]
    assert not blank, f"parts that never showed anything: {blank}"
