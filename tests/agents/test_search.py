from __future__ import annotations

import math
import time
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import fable_env
import mustang_env
import stabletimes_env
from agents import search, search_loops
from agents.evaluate import play_match, versus
from agents.opponents import parse_agent
from agents.search import SearchPolicy
from benchmarks.games.connect_four import CONNECT_FOUR
from benchmarks.games.leduc import LEDUC
from tablezoo import Batch, Game
from tablezoo.policies import Views
from tablezoo.rng import OPPONENTS, seed_streams

GAMES = [mustang_env.GAME, stabletimes_env.GAME, fable_env.GAME]
named = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
FOLD = 0
GREEDY_FEW = SearchPolicy(iterations=5, rollout="greedy")


def under_way(game: Game, players: int, decisions: int, lanes: int = 4, seed: int = 0) -> Batch:
    """Games after some random decisions; none has ended."""
    batch = Batch(game, lanes, players, seed=seed, autoreset=False)
    for number in range(decisions):
        batch.step(Views(batch, np.arange(lanes), seed_streams(number, lanes, OPPONENTS)).random_actions())
    assert (batch.seat >= 0).all()
    return batch


def views(batch: Batch, seed: int = 0) -> Views:
    return Views(batch, np.arange(batch.num_games), seed_streams(seed, batch.num_games, OPPONENTS))


def four(moves: str) -> Batch:
    """Connect Four after some columns."""
    batch = Batch(CONNECT_FOUR, 1, seed=0, autoreset=False)
    for column in moves:
        batch.step([int(column)])
    return batch


# --- what it decides --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("moves", "best"), [("010101", {0}), ("0102016", {0}), ("3343", {2, 5})])
def test_search_sees_what_a_few_moves_bring(moves: str, best: set[int]) -> None:
    """It wins, it prevents a loss, it opens on two sides."""
    found = SearchPolicy(iterations=3000, rounds=math.inf).search(views(four(moves)))
    assert found.best()[0] in best


def test_search_beats_random_play_and_flat_monte_carlo() -> None:
    search = SearchPolicy(iterations=300, rounds=math.inf)
    flat = SearchPolicy(iterations=300, rounds=math.inf, flat=True)
    assert versus(CONNECT_FOUR, search, "random", 2, deals=25, seed=0).win_rate()[0] >= 0.95
    assert play_match(CONNECT_FOUR, [search, flat], deals=25, seed=0).win_rate()[0] > 0.6


@named
def test_search_beats_greedy_play(game: Game) -> None:
    options = {"stage": 0} if game.name == "fable" else {}
    rate, half = versus(
        game, SearchPolicy(iterations=1000, threads=2), "greedy", 2, deals=120, seed=1, **options
    ).win_rate()
    assert rate - half > 0.5


def test_nobody_folds_a_pair() -> None:
    batch = Batch(LEDUC, 64, seed=3, autoreset=False)
    layout = LEDUC.observation_layout
    pairs = 0
    while (lanes := np.flatnonzero(batch.seat >= 0)).size:
        seen = batch.observation[lanes]
        pair = (seen[:, layout.slice("hand")] & seen[:, layout.slice("board")]).any(axis=1)
        found = SearchPolicy(iterations=300, rounds=math.inf).act(Views(batch, lanes, seed_streams(0, 64, OPPONENTS)))
        assert not (found[pair] == FOLD).any()
        pairs += pair.sum()
        batch.step(found, games=lanes)
    assert pairs > 10


# --- what it may see --------------------------------------------------------------------------------------------------


@named
@pytest.mark.parametrize("policy", [SearchPolicy(iterations=60), GREEDY_FEW], ids=["random", "greedy"])
def test_what_a_seat_cannot_see_changes_nothing(game: Game, policy: SearchPolicy) -> None:
    batch = under_way(game, 3, 20)
    others = [batch.determinize(batch.seat, seed) for seed in (1, 2)]
    assert (others[0].states != others[1].states).any()
    found = [policy.search(views(other)) for other in (batch, *others)]
    for other in found[1:]:
        np.testing.assert_array_equal(found[0].visits, other.visits)
        np.testing.assert_array_equal(found[0].means, other.means)


@named
def test_searching_changes_no_game(game: Game) -> None:
    batch = under_way(game, 2, 10)
    before = batch.states.copy()
    SearchPolicy(iterations=50).act(views(batch))
    assert (batch.states == before).all()


def test_actions_are_told_apart_by_what_they_mean(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two deals in which the actions 0 and 1 have changed places have the same two children."""
    nodes, node_keys, totals = np.zeros((8, 5), np.int32), np.zeros(8, np.int64), np.zeros(8)
    taken, keys, size = np.zeros(2, np.int32), np.zeros(2, np.int64), np.zeros(1, np.int64)
    mask = np.ones(2, bool)
    search_loops.add_node(nodes, node_keys, totals, size, -1, 0)

    def untried(swapped: int, seat: int = 0) -> int:
        monkeypatch.setattr(search_loops, "GAME_ACTION_KEY", lambda s, c, action: 70 + (action ^ swapped))
        monkeypatch.setattr(search_loops, "GAME_SEATS", 5)
        s = SimpleNamespace(seat=seat)
        return search_loops.match_children(s, None, mask, 0, 1, taken, keys, nodes, node_keys)

    assert untried(0) == 2
    for action in range(2):
        search_loops.add_node(nodes, node_keys, totals, size, 0, keys[action])
    assert untried(0) == 0
    children = taken.copy()
    assert untried(1) == 0
    assert taken.tolist() == children[::-1].tolist()
    assert untried(0, seat=1) == 2  # another seat's actions are others
    assert nodes[children, search_loops.AVAILABLE].tolist() == [2, 2]


# --- rewards and the tree ---------------------------------------------------------------------------------------------


def promised(values: list[float], scales: Any, monkeypatch: pytest.MonkeyPatch) -> list[float]:
    monkeypatch.setattr(search_loops, "GAME_VALUE", lambda s, c, seat: values[seat])
    rewards = np.zeros(len(values))
    search_loops.promise_seats(SimpleNamespace(num_players=len(values)), None, scales, rewards)
    return rewards.tolist()


def test_values_are_odds_around_what_is_usual(monkeypatch: pytest.MonkeyPatch) -> None:
    """Four seats whose values lie around 1, 2, 3 and 4, each with a spread of 1; no sampled game ended."""
    scales = np.zeros((4, 5))
    for seat in range(4):
        for value in (seat, seat + 2):
            search_loops.note(scales[seat], value)
    assert promised([1, 2, 3, 4], scales, monkeypatch) == pytest.approx([0.25] * 4)
    more = promised([2, 2, 3, 4], scales, monkeypatch)[0]
    assert more / (1 - more) == pytest.approx(np.e / 3)


def test_who_wins_the_games_that_end_is_usually_ahead(monkeypatch: pytest.MonkeyPatch) -> None:
    scales = np.zeros((2, 5))
    for seat in range(2):
        search_loops.note(scales[seat], 0.0)
        search_loops.note(scales[seat], 2.0)
        scales[seat, search_loops.ENDED] = 9
        scales[seat, search_loops.WON] = 9 - 9 * seat
    assert promised([1, 1], scales, monkeypatch) == pytest.approx([0.95, 0.05])


def test_without_samples_a_value_says_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    assert promised([70, -70], np.zeros((2, 5)), monkeypatch) == pytest.approx([0.5, 0.5])


def test_a_full_tree_goes_on_counting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search, "_MOST_NODES", 7)
    batch = under_way(mustang_env.GAME, 2, 8)
    found = SearchPolicy(iterations=300).search(views(batch))
    assert (found.visits.sum(axis=1) > 7).all()
    assert ((found.visits > 0).sum(axis=1) <= 7).all()
    assert (found.visits[~batch.action_mask] == 0).all()


def test_paths_have_an_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search, "_DEPTH", 2)
    batch = under_way(fable_env.GAME, 3, 8)
    assert (SearchPolicy(iterations=400).search(views(batch)).visits.sum(axis=1) == 400).all()


def test_sessions_of_several_games_are_searched() -> None:
    batch = Batch(fable_env.GAME, 4, 2, seed=3, autoreset=False, stage=0, session=3)
    rng = np.random.default_rng(0)
    while (lanes := np.flatnonzero(batch.seat >= 0)).size:
        if rng.random() < 0.05:
            found = SearchPolicy(iterations=40).search(Views(batch, lanes, seed_streams(0, 4, OPPONENTS)))
            assert (found.visits.sum(axis=1) == 40).all()
        batch.step(batch.random_actions(rng)[lanes], games=lanes)


# --- budgets, streams and threads -------------------------------------------------------------------------------------


@named
def test_a_stream_decides_and_neither_threads_nor_other_games(game: Game) -> None:
    batch = under_way(game, 2, 10, lanes=5)
    one = SearchPolicy(iterations=60).search(views(batch))
    two = SearchPolicy(iterations=60, threads=2).search(views(batch))
    np.testing.assert_array_equal(one.visits, two.visits)
    streams = seed_streams(0, 5, OPPONENTS)
    alone = SearchPolicy(iterations=60).search(Views(batch, np.array([3]), streams))
    np.testing.assert_array_equal(one.visits[3], alone.visits[0])


@named
def test_all_iterations_are_visits_of_legal_actions(game: Game) -> None:
    batch = under_way(game, 4, 12)
    found = SearchPolicy(iterations=123).search(views(batch))
    assert (found.visits.sum(axis=1) == 123).all()
    assert (found.visits[~batch.action_mask] == 0).all()
    assert (found.means >= 0).all()
    assert (found.means <= 1).all()


def test_flat_tries_every_action_as_often() -> None:
    batch = under_way(mustang_env.GAME, 2, 8)
    visits = SearchPolicy(iterations=100, flat=True).search(views(batch)).visits
    for row, legal in zip(visits, batch.action_mask, strict=True):
        assert np.ptp(row[legal]) <= 1


def test_a_budget_in_seconds_is_kept() -> None:
    batch = under_way(mustang_env.GAME, 2, 8)
    policy = SearchPolicy(seconds=0.1)
    policy.act(views(batch))  # compiled
    started = time.perf_counter()
    visits = policy.search(views(batch)).visits
    assert 0.39 < time.perf_counter() - started < 2
    assert (visits.sum(axis=1) > 100).all()


def test_search_plays_alone_too() -> None:
    """Solo, to the end: the means are the scores, scaled by their range."""
    batch = under_way(stabletimes_env.GAME, 1, 6)
    found = SearchPolicy(iterations=200, rounds=math.inf).search(views(batch))
    low, high = stabletimes_env.GAME.score_range
    best = low + (high - low) * found.means.max(axis=1)
    assert (best > batch.scores[:, 0]).all()


def test_nothing_asked_is_nothing_searched() -> None:
    batch = under_way(mustang_env.GAME, 2, 3)
    none: NDArray[Any] = np.zeros(0, np.int64)
    found = SearchPolicy(iterations=10).search(Views(batch, none, seed_streams(0, 4, OPPONENTS)))
    assert found.best().shape == (0,)


# --- names and errors -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "policy"),
    [
        ("search", SearchPolicy()),
        ("search:50", SearchPolicy(iterations=50)),
        ("search:0.1s", SearchPolicy(seconds=0.1)),
        ("flat:50", SearchPolicy(iterations=50, flat=True)),
    ],
)
def test_agents_are_named_with_their_budget(text: str, policy: SearchPolicy) -> None:
    assert parse_agent(text, mustang_env.GAME) == policy
    assert parse_agent(policy.name, mustang_env.GAME).name == policy.name


@pytest.mark.parametrize(
    "text", ["search:", "search:0", "search:-3", "search:x", "search:0s", "search:nans", "flat:1.5"]
)
def test_budgets_that_are_none_are_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"expected (search|flat):200"):
        parse_agent(text, mustang_env.GAME)


@pytest.mark.parametrize(
    ("keywords", "words"),
    [
        ({"iterations": 10, "seconds": 1.0}, "iterations or seconds"),
        ({"iterations": 0}, "iterations: expected"),
        ({"iterations": 1.5}, "iterations: expected"),
        ({"seconds": -1}, "seconds: expected"),
        ({"rounds": 0}, "rounds: expected"),
        ({"rollout": "best"}, "rollout"),
        ({"seconds": "x"}, "seconds: expected a number above 0, got 'x'"),
        ({"seconds": True}, "seconds: expected"),
        ({"flat": "no"}, "flat: expected true or false"),
        ({"exploration": -0.1}, "exploration: expected"),
        ({"threads": 0}, "threads: expected"),
    ],
)
def test_values_that_no_search_can_have_are_refused(keywords: dict[str, Any], words: str) -> None:
    with pytest.raises((ValueError, TypeError), match=words):
        SearchPolicy(**keywords)
