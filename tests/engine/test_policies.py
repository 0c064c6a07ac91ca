"""Policies see views and nothing else; compiled opponents decide as the policy objects do."""

from __future__ import annotations

import re

import numpy as np
import pytest

from tablezoo import Batch, GreedyPolicy, Pool, RandomPolicy, Views, make_policy
from tablezoo.policies import EXTERNAL, GREEDY, RANDOM, Policy
from tablezoo.rng import OPPONENTS, seed_streams
from tests.engine.helpers import everything, play, same, write_position
from tests.engine.tiny import GAME


def views_of(batch: Batch, seed: int = 0, games=None) -> tuple[Views, np.ndarray]:
    streams = seed_streams(seed, batch.num_games, OPPONENTS)
    lanes = np.arange(batch.num_games) if games is None else np.asarray(games)
    return Views(batch, lanes, streams), streams


def copies_of(hands, tables, deck, number, **settings) -> Batch:
    batch = Batch(GAME, number, num_players=len(hands), seed=0, start_seat=0, **settings)
    write_position(batch, 0, hands, tables, deck)
    rng = batch.states["rng"].copy()
    batch.states[...] = batch.states[0]
    batch.states["rng"] = rng
    batch.refresh()
    return batch


def test_views_are_copies_of_what_the_seats_see():
    batch = play(Batch(GAME, 6, num_players=[2, 3], seed=0), 2)
    views, _ = views_of(batch, games=[4, 1])
    assert len(views) == 2
    assert np.array_equal(views.observation, batch.observation[[4, 1]])
    assert views.num_players.tolist() == [2, 3]
    kept = views.observation.copy()
    play(batch, 5)
    assert np.array_equal(views.observation, kept)


def test_a_policy_finds_no_batch_in_its_views():
    views, _ = views_of(Batch(GAME, 2, seed=0))
    public = [name for name in dir(views) if not name.startswith("_")]
    assert not any(isinstance(getattr(views, name), Batch) for name in public)


def test_views_draw_from_their_own_lanes_streams():
    batch = play(Batch(GAME, 6, num_players=3, seed=0), 2)
    views, streams = views_of(batch)
    before = streams.copy()
    some, their_streams = views_of(batch, games=[5, 2])
    all_actions, some_actions = views.random_actions(), some.random_actions()
    assert some_actions.tolist() == all_actions[[5, 2]].tolist()
    assert np.array_equal(their_streams[[0, 1, 3, 4]], before[[0, 1, 3, 4]])
    assert np.array_equal(their_streams[[5, 2]], streams[[5, 2]])
    assert (streams != before).any(axis=1).all()


def test_determinized_views_look_the_same_and_do_not_share_a_future():
    batch = play(Batch(GAME, 3, num_players=3, seed=0), 2)
    views, _ = views_of(batch)
    copies = views.determinize(4)
    assert copies.num_games == 12
    assert np.array_equal(copies.observation, np.repeat(views.observation, 4, axis=0))
    assert np.array_equal(copies.action_mask, np.repeat(views.action_mask, 4, axis=0))
    streams = np.concatenate([copies.states["rng"], batch.states["rng"]])
    assert len(np.unique(streams, axis=0)) == 15
    again = views.determinize(4)
    assert not np.array_equal(copies.states["rng"], again.states["rng"])


def test_random_is_uniform_over_the_legal_actions():
    batch = copies_of([[1, 2, 3], [0, 4, 5]], [[], []], [3, 5], 4000)
    views, _ = views_of(batch)
    actions, numbers = np.unique(RandomPolicy().act(views), return_counts=True)
    assert actions.tolist() == [1, 2, 3, 6]
    assert ((numbers - 1000) ** 2 / 1000).sum() < 16.27  # chi-square, 3 degrees, 0.1 %


def test_greedy_lays_its_best_card():
    """Daring brings one of the other's cards at best, a 4 here; laying the 5 is better than that."""
    batch = copies_of([[0, 1, 5], [3, 4, 4]], [[], []], [0, 0], 50)
    views, _ = views_of(batch)
    assert GreedyPolicy(determinizations=8).act(views).tolist() == [5] * 50


def test_greedy_looks_beyond_its_own_action_to_the_end_of_its_turn():
    """What the other holds can be told here, and each of its cards is worth more than the own: so dare for one."""
    batch = copies_of([[0, 0, 1], [5, 5, 4]], [[1, 2, 2], [3, 3, 4]], [], 50)
    views, _ = views_of(batch)
    assert GreedyPolicy().act(views).tolist() == [6] * 50


def test_greedy_decides_the_same_whatever_is_hidden():
    batch = play(Batch(GAME, 60, num_players=[2, 3, 4], seed=0), 3)
    views, streams = views_of(batch)
    decided = GreedyPolicy().act(views)
    for seed in (1, 2):
        twin = batch.determinize(batch.seat, seed)
        their_views, their_streams = views_of(twin)
        assert np.array_equal(GreedyPolicy().act(their_views), decided)
        assert np.array_equal(streams, their_streams)


def test_greedy_changes_nothing_and_threads_do_not_matter():
    one, two = (play(Batch(GAME, 60, num_players=3, seed=0, threads=threads), 3) for threads in (1, 2))
    before = everything(one)
    decided = [GreedyPolicy().act(views_of(batch)[0]) for batch in (one, two)]
    assert np.array_equal(*decided)
    assert same(before, everything(one))


@pytest.mark.parametrize(("policy", "code"), [(RandomPolicy(), RANDOM), (GreedyPolicy(), GREEDY)])
def test_compiled_opponents_decide_as_the_policies_do(policy: Policy, code: int):
    batch, twin = (Batch(GAME, 12, num_players=3, seed=0, autoreset=False) for _ in range(2))
    streams, their_streams = (seed_streams(0, 12, OPPONENTS) for _ in range(2))
    codes = np.full((12, 4), EXTERNAL, np.int8)
    codes[:, 1:] = code
    rng = np.random.default_rng(0)
    batch.advance(codes, streams)
    paid = np.zeros((12, 4), np.float32)
    while True:
        while (others := np.flatnonzero(twin.seat > 0)).size:
            twin.step(policy.act(Views(twin, others, their_streams)), games=others)
            paid[others] += twin.rewards[others]
        assert np.array_equal(batch.observation, twin.observation)
        assert np.array_equal(batch.seat, twin.seat)
        assert np.array_equal(streams, their_streams)
        over = batch.seat < 0
        assert np.array_equal(batch.rewards[over], paid[over])
        asked = np.flatnonzero(batch.seat == 0)
        if asked.size == 0:
            break
        actions = batch.random_actions(rng)[asked]
        batch.advance(codes, streams, games=asked, actions=actions)
        paid[asked] = 0
        twin.step(actions, games=asked)
        paid[asked] += twin.rewards[asked]
    assert np.array_equal(batch.scores, twin.scores)


def test_advance_counts_what_it_played_and_stops_where_nobody_is_left():
    batch = Batch(GAME, 4, num_players=2, seed=0)
    streams = seed_streams(0, 4, OPPONENTS)
    played = batch.advance(np.full((4, 4), RANDOM, np.int8), streams)
    assert (played > 0).all()
    assert (batch.seat == -1).all()
    assert (batch.terminated | batch.truncated).all()
    assert not batch.advance(np.full((4, 4), RANDOM, np.int8), streams).any()


def test_an_illegal_first_action_moves_nothing():
    batch = Batch(GAME, 2, num_players=2, seed=0, start_seat=0)
    before = everything(batch)
    with pytest.raises(ValueError, match="game 1: action 7"):
        batch.advance(np.zeros((2, 4), np.int8), seed_streams(0, 2), actions=[int(batch.action_mask[0].argmax()), 7])
    assert same(before, everything(batch))


def test_policies_by_name():
    assert make_policy("random", GAME).name == "random"
    assert make_policy("greedy", GAME).name == "greedy"
    own = GreedyPolicy(2)
    assert make_policy(own, GAME) is own
    with pytest.raises(ValueError, match="unknown policy 'greedi'; did you mean 'greedy'"):
        make_policy("greedi", GAME)
    with pytest.raises(TypeError, match="of type int"):
        make_policy(3, GAME)


class Nameless:
    def act(self, views):
        return views.random_actions()


class Named(Nameless):
    name = "mine"


@pytest.mark.parametrize(
    ("policy", "words"),
    [
        (Nameless(), "has act(views), but no name; expected an attribute `name` beside it"),
        (Named, "policy Named is a class; expected an instance, as in Named()"),
        (RandomPolicy, "policy RandomPolicy is a class; expected an instance, as in RandomPolicy()"),
        (Nameless, "policy Nameless is a class"),
        (None, "policy None is of type NoneType; expected a name or an object with act(views) and a name"),
    ],
)
def test_what_is_no_policy(policy, words):
    with pytest.raises(TypeError, match=re.escape(words)):
        make_policy(policy, GAME)
    assert make_policy(Named(), GAME).name == "mine"


@pytest.mark.parametrize("number", [0, -1, "x", 2.0, True, None, 2**31])
def test_how_many_deals_are_looked_at(number):
    views, streams = views_of(Batch(GAME, 2, seed=0))
    codes = np.full((2, 4), GREEDY, np.int8)
    calls = [
        (lambda: GreedyPolicy(number), "determinizations"),
        (lambda: views.greedy_actions(number), "determinizations"),
        (lambda: views.determinize(number), "k"),
        (lambda: Batch(GAME, 2, seed=0).advance(codes, streams, determinizations=number), "determinizations"),
    ]
    for call, name in calls:
        with pytest.raises((TypeError, ValueError), match=f"^{name}: expected an integer from 1 to 2147483647, got "):
            call()


@pytest.mark.parametrize("policies", ["greedy", 3, None, {"greedy"}])
def test_a_pool_is_a_sequence(policies):
    with pytest.raises(TypeError, match=r"^a Pool of .*: expected a sequence of names or policies$"):
        Pool(policies)


STREAMS = r"^streams is .*; expected an array of uint64 of shape \(2, 2\)$"


@pytest.mark.parametrize(
    "streams", [None, [[1, 2], [3, 4]], np.zeros((2, 2)), np.zeros((1, 2), np.uint64), np.zeros(2, np.uint64)], ids=str
)
def test_streams_that_are_none(streams):
    batch = Batch(GAME, 2, seed=0)
    with pytest.raises(TypeError, match=STREAMS):
        Views(batch, [0], streams)
    with pytest.raises(TypeError, match=STREAMS):
        batch.advance(np.zeros((2, 4), np.int8), streams)


@pytest.mark.parametrize(
    "codes", [None, np.zeros((2, 4)), np.zeros((2, 3), np.int8), np.zeros((1, 4), np.int8)], ids=str
)
def test_codes_that_are_none(codes):
    with pytest.raises(TypeError, match=r"^codes is .*; expected an array of int8 of shape \(2, 4\)$"):
        Batch(GAME, 2, seed=0).advance(codes, seed_streams(0, 2))


def test_views_of_what_is_not_there():
    batch, streams = Batch(GAME, 2, seed=0), seed_streams(0, 2)
    with pytest.raises(TypeError, match=r"^batch is .*; expected a Batch$"):
        Views(GAME, [0], streams)
    with pytest.raises(IndexError, match="games names lanes outside 0 to 1"):
        Views(batch, [2], streams)
    assert Views(batch, [1], streams).random_actions().shape == (1,)


@pytest.mark.parametrize(
    "pool", [{"policies": []}, {"policies": ["random"], "weights": [1, 2]}, {"policies": ["random"], "weights": [-1]}]
)
def test_pools_that_cannot_be_drawn_from(pool):
    with pytest.raises(ValueError, match="Pool"):
        Pool(**pool)
