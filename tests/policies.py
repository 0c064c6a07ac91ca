"""What the policies promise of any game: each game's tests say of which positions."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tablezoo import Batch, GreedyPolicy, RandomPolicy, Views
from tablezoo.game import Game
from tablezoo.policies import EXTERNAL, GREEDY, RANDOM, Policy
from tablezoo.rng import OPPONENTS, seed_streams


def views_of(batch: Batch, seed: int = 0) -> tuple[Views, NDArray[np.uint64]]:
    streams = seed_streams(seed, batch.num_games, OPPONENTS)
    return Views(batch, np.flatnonzero(batch.seat >= 0), streams), streams


def shares(game: Game, players: int, deals: int, seed: int) -> NDArray[np.float64]:
    """Greedy in each seat in turn over the same deals, random in the others; its share of the win, (deals, players)."""
    won = np.zeros((deals, players))
    for seat in range(players):
        batch = Batch(game, deals, num_players=players, seed=seed, autoreset=False)
        codes = np.full((deals, game.max_players), RANDOM, np.int8)
        codes[:, seat] = GREEDY
        batch.advance(codes, seed_streams(seed, deals, OPPONENTS))
        won[:, seat] = batch.winners[:, seat] / batch.winners.sum(axis=1)
    return won


def greedy_beats_random(game: Game, players: int, least: float) -> None:
    """Assert it of the lower end of the 95 % interval, clustered by deal."""
    share = shares(game, players, 150, seed=7_000).mean(axis=1)
    low = share.mean() - 1.96 * share.std(ddof=1) / np.sqrt(share.size)
    assert low >= least, f"greedy wins {share.mean():.3f}, at least {low:.3f}"


def greedy_decides_the_same_whatever_is_hidden(batch: Batch) -> None:
    """Assert that what is dealt anew changes no decision and draws as much from the streams."""
    views, streams = views_of(batch)
    decided = GreedyPolicy().act(views)
    for seed in (1, 2):
        lanes = np.flatnonzero(batch.seat >= 0)
        twin = batch.determinize(batch.seat[lanes], seed, lanes)
        assert not np.array_equal(twin.states["deck"], batch.states["deck"][lanes])
        their_streams = seed_streams(0, batch.num_games, OPPONENTS)[lanes]
        their_decisions = GreedyPolicy().act(Views(twin, np.arange(lanes.size), their_streams))
        assert np.array_equal(their_decisions, decided)
        assert np.array_equal(their_streams, streams[lanes])


def greedy_is_legal_and_leaves_the_games_alone(batch: Batch) -> None:
    before = batch.states.copy()
    views, _ = views_of(batch)
    actions = GreedyPolicy(2).act(views)
    assert views.action_mask[np.arange(len(views)), actions].all()
    assert all(np.array_equal(before[name], batch.states[name]) for name in before.dtype.names or ())


def compiled_opponents_decide_as_the_policies_do(
    game: Game, policy: Policy, code: int, players: int, most: int
) -> None:
    batch, twin = (Batch(game, 6, num_players=players, seed=0, autoreset=False, max_turns=most) for _ in range(2))
    streams, their_streams = (seed_streams(0, 6, OPPONENTS) for _ in range(2))
    codes = np.full((6, 5), code, np.int8)
    codes[:, 0] = EXTERNAL
    rng = np.random.default_rng(0)
    batch.advance(codes, streams)
    while True:
        while (others := np.flatnonzero(twin.seat > 0)).size:
            twin.step(policy.act(Views(twin, others, their_streams)), games=others)
        assert np.array_equal(batch.observation, twin.observation)
        assert np.array_equal(batch.seat, twin.seat)
        assert np.array_equal(streams, their_streams)
        learners = np.flatnonzero(batch.seat == 0)
        if learners.size == 0:
            break
        actions = batch.random_actions(rng)[learners]
        batch.advance(codes, streams, games=learners, actions=actions)
        twin.step(actions, games=learners)
    assert np.array_equal(batch.scores, twin.scores)
    assert np.array_equal(batch.rewards, twin.rewards)


def random_is_uniform_over_the_legal_actions(batch: Batch) -> None:
    """Assert it of the one position that ``batch`` stands at."""
    many = batch.clone(np.zeros(6000, int))
    views, _ = views_of(many)
    counts = np.bincount(RandomPolicy().act(views), minlength=batch.game.num_actions)
    legal = batch.action_mask[0]
    assert not counts[~legal].any()
    expected = 6000 / legal.sum()
    degrees = legal.sum() - 1
    assert ((counts[legal] - expected) ** 2 / expected).sum() < degrees + 4.5 * np.sqrt(2 * degrees) + 6
