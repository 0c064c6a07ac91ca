"""Games that are over when dealt: dealt again with autoreset, told without."""

from __future__ import annotations

import numpy as np
import pytest

from tablezoo import Batch
from tablezoo.aec import AECEnv
from tablezoo.game import ENDED, TRUNCATED, kernel
from tablezoo.rng import below
from tests.engine.helpers import everything, play, same
from tests.engine.tiny import deal, make_game, reset


@kernel
def often_over(s, c):
    """One deal in two is over at once, with a card on a table; one in four of these is cut."""
    reset(s, c)
    if below(s.rng, 2) == 0:
        s.table[0, 3] = 1
        s.ended = TRUNCATED if below(s.rng, 4) == 0 else ENDED


@kernel
def always_over(s, c):
    deal(s)
    s.table[1, 5] = 1
    s.ended = ENDED


OFTEN = make_game(reset=often_over)
ALWAYS = make_game(reset=always_over)


@pytest.mark.parametrize("reward", ["zero_sum", "score_delta", "lead_delta"])
def test_with_autoreset_they_are_dealt_again(reward):
    batch = Batch(OFTEN, 100, seed=0, reward=reward)
    ended = 0
    for step in range(60):
        assert (batch.seat >= 0).all()
        assert batch.action_mask.any(axis=1).all()
        play(batch, 1, seed=step)
        ended += int((batch.terminated | batch.truncated).sum())
    assert ended > 100
    batch.reset()
    assert (batch.seat >= 0).all()
    assert not (batch.terminated | batch.truncated).any()


def test_the_lanes_stream_decides_which_is_dealt():
    one, two = Batch(OFTEN, 300, seed=5, threads=1), Batch(OFTEN, 300, seed=5, threads=2)
    alone = Batch(OFTEN, 1, seed=7)
    for _ in range(20):
        assert same(everything(one), everything(two))
        assert one.states[2] == alone.states[0]
        actions = one.action_mask.argmax(axis=1)
        for batch in (one, two):
            batch.step(actions)
        alone.step(actions[2:3])


def test_without_autoreset_flags_and_results_are_there():
    batch = Batch(OFTEN, 200, seed=0, autoreset=False)
    over = batch.seat < 0
    assert 50 < over.sum() < 150
    assert np.array_equal(over, batch.terminated | batch.truncated)
    assert batch.terminated.any()
    assert batch.truncated.any()
    assert np.array_equal(batch.truncated, batch.states["ended"] == TRUNCATED)
    assert (batch.scores[over] == [3, 0, 0, 0]).all()
    assert (batch.ranks[over] == [0, 1, -1, -1]).all()
    assert (batch.winners[over] == [True, False, False, False]).all()
    assert (batch.rewards[over] == [1, -1, 0, 0]).all()
    assert not batch.rewards[~over].any()
    assert (batch.ranks[~over] == -1).all()
    batch.step(batch.action_mask.argmax(axis=1))
    assert not batch.rewards[over].any()
    assert not (batch.terminated | batch.truncated)[over].any()


def test_where_every_deal_is_over():
    with pytest.raises(RuntimeError, match="1000 deals in a row were over at once: autoreset finds no game"):
        Batch(ALWAYS, 3, seed=0)
    batch = Batch(ALWAYS, 3, seed=0, autoreset=False)
    assert (batch.scores == [0, 5, 0, 0]).all()
    assert batch.terminated.all()


def test_a_step_says_so_too():
    batch = Batch(OFTEN, 300, seed=0, threads=2)
    batch._loops = Batch(ALWAYS, 1, seed=0, autoreset=False)._loops
    with pytest.raises(RuntimeError, match="1000 deals in a row were over at once"):
        play(batch, 200)


def test_agents_are_paid_for_a_deal_that_is_over():
    env = AECEnv(ALWAYS)
    env.reset(seed=0)
    assert set(env.rewards.values()) == {1.0, -1.0}
    told = []
    for agent in env.agent_iter():
        _, reward, termination, _, info = env.last()
        assert termination
        told.append((agent, reward, info["won"]))
        env.step(None)
    assert sorted(told) == [("player_0", -1.0, 0.0), ("player_1", 1.0, 1.0)]
