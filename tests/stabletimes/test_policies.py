"""The policies at Stable Times: greedy plays well, sees nothing hidden, and is the same compiled or not."""

from __future__ import annotations

import itertools
from collections import Counter

import numpy as np
import pytest
from numpy.typing import NDArray

from stabletimes_env import GAME
from stabletimes_env.state import PLACE, PLACE_AGAIN
from tablezoo import Batch, GreedyPolicy, RandomPolicy, Views
from tablezoo.policies import EXTERNAL, GREEDY, RANDOM, Policy
from tablezoo.rng import OPPONENTS, seed_streams
from tests.stabletimes.table import EMPTY, RULES_FILE, Table, numbers, played


def views_of(batch: Batch, seed: int = 0) -> tuple[Views, NDArray[np.uint64]]:
    streams = seed_streams(seed, batch.num_games, OPPONENTS)
    return Views(batch, np.flatnonzero(batch.seat >= 0), streams), streams


def shares(players: int, deals: int, seed: int) -> NDArray[np.float64]:
    """Greedy in each seat in turn over the same deals, random in the others; its share of the win, (deals, players)."""
    won = np.zeros((deals, players))
    for seat in range(players):
        batch = Batch(GAME, deals, num_players=players, seed=seed, autoreset=False)
        codes = np.full((deals, GAME.max_players), RANDOM, np.int8)
        codes[:, seat] = GREEDY
        batch.advance(codes, seed_streams(seed, deals, OPPONENTS))
        won[:, seat] = batch.winners[:, seat] / batch.winners.sum(axis=1)
    return won


@pytest.mark.parametrize(("players", "least"), [(2, 0.8), (4, 0.5)])
def test_greedy_beats_random(players: int, least: float) -> None:
    """The lower end of the 95 % interval, clustered by deal."""
    share = shares(players, 150, seed=7_000).mean(axis=1)
    low = share.mean() - 1.96 * share.std(ddof=1) / np.sqrt(share.size)
    assert low >= least, f"greedy wins {share.mean():.3f}, at least {low:.3f}"


def test_greedy_beats_random_alone() -> None:
    """Over the same deals; a solo game is won by nobody else, so its points are looked at."""
    scored = []
    for code in (RANDOM, GREEDY):
        batch = Batch(GAME, 100, num_players=1, seed=7_000, autoreset=False)
        batch.advance(np.full((100, GAME.max_players), code, np.int8), seed_streams(7_000, 100, OPPONENTS))
        scored.append(batch.scores[:, 0])
    gained = scored[1] - scored[0]
    assert gained.mean() - 1.96 * gained.std(ddof=1) / 10 > 5


@pytest.mark.parametrize("players", [1, 2, 4])
@pytest.mark.parametrize("steps", [0, 10, 20])
def test_greedy_decides_the_same_whatever_is_hidden(players: int, steps: int) -> None:
    batch = played(40, players, steps)
    views, streams = views_of(batch)
    decided = GreedyPolicy().act(views)
    for seed in (1, 2):
        lanes = np.flatnonzero(batch.seat >= 0)
        twin = batch.determinize(batch.seat[lanes], seed, lanes)
        assert not np.array_equal(twin.states["deck"], batch.states["deck"][lanes])
        their_streams = seed_streams(0, 40, OPPONENTS)[lanes]
        their_decisions = GreedyPolicy().act(Views(twin, np.arange(lanes.size), their_streams))
        assert np.array_equal(their_decisions, decided)
        assert np.array_equal(their_streams, streams[lanes])


@pytest.mark.parametrize("players", [2, 5])
def test_greedy_decides_the_same_whatever_the_deck_holds(players: int) -> None:
    """The hidden horses of deck and hands change places by hand, not by the game's own deal."""
    batch = played(30, players, 20, content=RULES_FILE)
    views, _ = views_of(batch)
    decided = GreedyPolicy().act(views)
    twin = batch.clone()
    rng = np.random.default_rng(0)
    for record in twin.states:
        hidden = []
        for seat in range(players):
            if seat != record["seat"]:
                hidden += [(record["hand"][seat], slot) for slot in range(3) if known_to_none(record, seat, slot)]
        hidden += [(record["deck"], cell) for cell in range(int(record["deck_size"]))]
        horses = rng.permutation([place[number] for place, number in hidden])
        for (place, number), horse in zip(hidden, horses, strict=True):
            place[number] = horse
        for seat in range(players):
            order = np.argsort(record["hand"][seat])
            for name in ("hand", "shown"):
                record[name][seat] = record[name][seat][order]
    twin.refresh()
    assert not np.array_equal(twin.states["deck"], batch.states["deck"])
    assert not np.array_equal(twin.states["hand"], batch.states["hand"])
    assert np.array_equal(twin.observation, batch.observation)
    assert np.array_equal(GreedyPolicy().act(views_of(twin)[0]), decided)


def known_to_none(record: np.void, seat: int, slot: int) -> bool:
    return bool(record["hand"][seat][slot] != EMPTY and not record["shown"][seat][slot])


def test_greedy_is_legal_and_leaves_the_games_alone() -> None:
    batch = played(40, 3, 30)
    before = batch.states.copy()
    views, _ = views_of(batch)
    actions = GreedyPolicy(2).act(views)
    assert views.action_mask[np.arange(len(views)), actions].all()
    assert all(np.array_equal(before[name], batch.states[name]) for name in before.dtype.names or ())


@pytest.mark.parametrize(("policy", "code"), [(RandomPolicy(), RANDOM), (GreedyPolicy(), GREEDY)])
@pytest.mark.parametrize("players", [2, 5])
def test_compiled_opponents_decide_as_the_policies_do(policy: Policy, code: int, players: int) -> None:
    batch, twin = (Batch(GAME, 6, num_players=players, seed=0, autoreset=False, max_turns=20) for _ in range(2))
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


def test_random_is_uniform_over_the_legal_actions() -> None:
    batch = Batch(GAME, 1, num_players=2, seed=5)
    assert batch.action_mask[0].sum() == 28
    many = batch.clone(np.zeros(6000, int))
    views, _ = views_of(many)
    counts = np.bincount(RandomPolicy().act(views), minlength=GAME.num_actions)
    legal = batch.action_mask[0]
    assert not counts[~legal].any()
    expected = 6000 / legal.sum()
    degrees = legal.sum() - 1
    assert ((counts[legal] - expected) ** 2 / expected).sum() < degrees + 4.5 * np.sqrt(2 * degrees) + 6


@pytest.mark.rule("S13")
@pytest.mark.parametrize("phase", [PLACE, PLACE_AGAIN])
def test_deals_imagined_leave_who_is_asked_a_choice_and_are_uniform(phase: int) -> None:
    """Every hand that leaves seat 0 a choice comes equally often, and no other does."""
    stable = "a1 a2 a3 | a4 a5 a6 | b1 b2 b3 | c1"
    held = ["c2 c3 d1", "e1 e2 e3"]
    first = 1 if phase == PLACE_AGAIN else 0
    deck = "c4 d2 d3 w1 e4"
    fields = ["d10", "e10", "d11"]
    table = Table(held, fields=fields, stables={0: stable}, phase=phase, first_aisle=first, shown={0: "c3"}, deck=deck)
    copies = table.batch.determinize(1, 5, np.zeros(6000, int))
    fits = 1 if phase == PLACE_AGAIN else 2
    counts = Counter(tuple(hand) for hand in copies.states["hand"][:, 0].tolist())
    hidden = sorted(horse for horse in numbers(f"c2 d1 {deck}"))
    known = numbers("c3")
    possible = [tuple(sorted([*pair, *known])) for pair in itertools.combinations(hidden, 2)]
    placeable = set(numbers("c2 c3 c4 w1"))
    allowed = [hand for hand in possible if sum(horse in placeable for horse in hand) >= fits]
    assert set(counts) == set(allowed)
    expected = 6000 / len(allowed)
    assert sum((counts[hand] - expected) ** 2 / expected for hand in allowed) < 3 * len(allowed)
