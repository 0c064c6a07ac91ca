"""What a tournament says: figures worked out by hand, ratings, tables, JSON and the picture."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from matplotlib import image
from numpy.typing import NDArray
from openskill.models import PlackettLuce

from agents.evaluate import Z95, Effort, MatchResult, rate_of
from agents.tournaments.heat_map import draw_matrix
from agents.tournaments.plan import Plan
from agents.tournaments.report import tables, to_json
from agents.tournaments.standings import Results
from mustang_env import GAME
from tablezoo.registration import find_game

STABLE = find_game("stabletimes")


def match(ranks: Any, scores: Any = None, seconds: float = 0.5) -> MatchResult:
    """Return a match of (deals, rotations, players) ranks; each member decided 10 times in 2 calls."""
    of_games = np.array(ranks, np.int8)
    points = np.zeros(of_games.shape, np.int64) if scores is None else np.array(scores, np.int64)
    players = of_games.shape[2]
    return MatchResult(("?",) * players, of_games, points, (Effort(10, 2, seconds),) * players)


def won(first: NDArray[Any] | list[list[int]]) -> list[list[list[int]]]:
    """Return ranks of two from who won: 1 where the first of the line-up did."""
    return [[[1 - share, share] for share in deal] for deal in np.asarray(first).tolist()]


def pairs_of_three() -> Results:
    """a beats b in three games of four, c in all; b and c share all of theirs."""
    plan = Plan.of(GAME, ["random", "greedy", "random"], 2, games=4, seed=7)
    tied = [[[0, 0], [0, 0]]] * 2
    return Results(plan, (match(won([[1, 1], [1, 0]])), match(won([[1, 1], [1, 1]])), match(tied)))


def test_pairs_are_mirrored_and_rows_are_means() -> None:
    results = pairs_of_three()
    assert results.plan.labels(results.plan.line_ups[1]) == ["random", "random #2"]
    assert results.even == 0.5
    assert results.pair(0, 1) == pytest.approx((0.75, Z95 * np.std([1, 0.5], ddof=1) / np.sqrt(2)))
    assert results.pair(1, 0)[0] == 0.25
    assert results.pair(1, 0)[1] == results.pair(0, 1)[1]
    assert results.pair(0, 2) == pytest.approx((1.0, Z95**2 / (2 + Z95**2)))
    assert results.pair(1, 2) == results.pair(2, 1) == (0.5, 0.0)
    # Of each deal the games against all are one cluster: 1 and 3/4 for a.
    assert results.win_rate(0) == pytest.approx((7 / 8, Z95 * np.std([1, 0.75], ddof=1) / np.sqrt(2)))
    assert results.win_rate(1)[0] == pytest.approx((0.25 + 0.5) / 2)
    assert results.order == [0, 1, 2]
    assert results.mixed_rate(0) is None


def test_seats_are_told_apart() -> None:
    # In the second rotation the first of the line-up has seat 1.
    results = pairs_of_three()
    assert results.seat_rate(0, 0) == rate_of(np.array([[1.0, 1.0], [1.0, 1.0]]))
    assert results.seat_rate(0, 1) == pytest.approx(rate_of(np.array([[1.0, 1.0], [0.0, 1.0]])))
    # b has seat 1 where a has seat 0.
    assert results.seat_rate(1, 1)[0] == pytest.approx((0 + 0 + 0.5 + 0.5) / 4)
    assert results.seat_rate(1, 0)[0] == pytest.approx((0 + 1 + 0.5 + 0.5) / 4)


def test_duels_and_mixed_tables_of_four() -> None:
    plan = Plan.of(GAME, ["random", "greedy"], 4, games=8)
    assert [line_up.agents for line_up in plan.line_ups] == [(0, 1, 1, 1), (1, 0, 0, 0), (0, 1, 0, 1)]
    first = np.ones((2, 4, 4), np.int8)
    first[0, :, 0] = 0  # alone, a wins the first deal in all rotations; b's copies share the second
    first[1, :, 1:] = 0
    second = np.ones((2, 4, 4), np.int8)
    second[:, :, 0] = 0  # alone, b wins all
    mixed = np.ones((2, 4, 4), np.int8)
    mixed[:, :, 3] = 0  # the second b wins all
    results = Results(plan, (match(first), match(second), match(mixed)))
    assert results.even == 0.25
    assert results.pair(0, 1)[0] == 0.5
    assert results.pair(1, 0)[0] == results.win_rate(1)[0] == 1.0
    # A share for each seat: two of b's are half of the wins each.
    assert results.mixed_rate(0) == pytest.approx((0.0, Z95**2 / (2 + Z95**2)))
    assert results.mixed_rate(1) == (0.5, 0.0)
    assert results.effort(0) == Effort(60, 12, 3.0)  # of six seats in all
    assert results.order == [1, 0]


def test_ratings_are_openskills() -> None:
    results = pairs_of_three()
    model = PlackettLuce(tau=0.0)
    rated = [model.rating() for _ in range(3)]
    for deal in range(2):
        for rotation in range(2):
            for one, other, ranks in (
                (0, 1, won([[1, 1], [1, 0]])[deal][rotation]),
                (0, 2, [0.0, 1.0]),
                (1, 2, [0.0, 0.0]),
            ):
                teams = [[rated[one]], [rated[other]]]
                [[rated[one]], [rated[other]]] = model.rate(teams, ranks=[float(rank) for rank in ranks])
    assert [(r.mu, r.sigma) for r in results.ratings] == [(r.mu, r.sigma) for r in rated]
    assert results.ratings[0].mu > results.ratings[1].mu > results.ratings[2].mu


def test_copies_share_what_their_seats_get() -> None:
    plan = Plan.of(GAME, ["random", "greedy"], 3, games=6)
    one = np.tile(np.array([0, 1, 2], np.int8), (2, 3, 1))
    other = np.tile(np.array([2, 0, 0], np.int8), (2, 3, 1))
    results = Results(plan, (match(one), match(other)))
    model = PlackettLuce(tau=0.0)
    a, b = model.rating(), model.rating()
    for _ in range(6):
        # a alone is first; then b alone is last.
        [[a], [b1], [b2]] = model.rate([[a], [b], [copy.deepcopy(b)]], ranks=[0, 1, 2])
        b = model.rating(mu=(b1.mu + b2.mu) / 2, sigma=(b1.sigma + b2.sigma) / 2)
        [[b], [a1], [a2]] = model.rate([[b], [a], [copy.deepcopy(a)]], ranks=[2, 0, 0])
        a = model.rating(mu=(a1.mu + a2.mu) / 2, sigma=(a1.sigma + a2.sigma) / 2)
    assert [(r.mu, r.sigma) for r in results.ratings] == [(a.mu, a.sigma), (b.mu, b.sigma)]
    assert a.mu > 25 > b.mu


def test_solo_compares_scores_and_tiers() -> None:
    plan = Plan.of(STABLE, ["random", "greedy"], 1, games=4)
    low, high = [[[20]], [[36]], [[43]], [[60]]], [[[20]], [[45]], [[42]], [[70]]]
    results = Results(plan, (match(np.zeros((4, 1, 1)), low), match(np.zeros((4, 1, 1)), high)))
    assert results.mean_score(0)[0] == pytest.approx(39.75)
    assert results.order == [1, 0]
    # More in two deals, one tie, one less.
    assert results.pair(1, 0)[0] == pytest.approx(2.5 / 4)
    assert results.pair(0, 1)[0] == pytest.approx(1.5 / 4)
    tiers = {name: rate for name, (rate, _) in results.outcomes(0)["tier"].items()}
    assert tiers == {"Master": 0.25, "Pro": 0.25, "Amateur": 0.25, "none": 0.25}
    assert list(tiers) == ["Master", "Pro", "Amateur", "none"]
    assert results.outcomes(1)["tier"]["Amateur"][0] == 0.0
    text = tables(results)
    heads = text.splitlines()[2].split("  ")
    assert [head.strip() for head in heads if head][:4] == ["agent", "mean score", "Master", "Pro"]
    assert "rating" not in text
    assert "seat" not in text
    told = json.loads(json.dumps(to_json(results)))
    assert told["agents"][0]["outcomes"]["tier"]["Master"][0] == 0.25
    assert "rating" not in told["agents"][0]


def test_tables_tell_games_figures_and_times() -> None:
    text = tables(pairs_of_three())
    lines = text.splitlines()
    assert lines[0] == (
        "Mustang, 2 players, 3 agents, seed 7: 3 line-ups, each 4 games (2 shared deals, all seats rotated), "
        "12 games in all"
    )
    best = next(line for line in lines if line.startswith("random "))
    assert "87.5 % ± 24.5" in best
    assert best.split()[-2:] == ["50", "5"]  # 0.5 seconds for 10 decisions, in 2 calls
    assert "share of the wins of the row's agent against the column's (even: 50 %)" in lines
    assert lines[-1].split()[:3] == ["random", "#2", "0.0"]
    assert "clustered by deal" in text


def test_times_that_are_hardly_there_are_told_as_such() -> None:
    plan = Plan.of(GAME, ["random", "greedy"], 2, games=4)
    text = tables(Results(plan, (match(won([[1, 1], [1, 0]]), seconds=1e-9),)))
    assert "< 0.001" in text


def test_json_tells_what_was_played_with_what(tmp_path: Path) -> None:
    results = pairs_of_three()
    told = json.loads(json.dumps(to_json(results, "python -m agents.tournament ...")))
    assert told["tournament"] == results.plan.to_json()
    assert told["command"] == "python -m agents.tournament ..."
    assert {"python", "tablezoo", "numpy", "numba", "openskill"} <= set(told["versions"])
    assert [agent["name"] for agent in told["agents"]] == ["random", "greedy", "random #2"]
    assert told["matrix"]["rows"][0] == [None, list(results.pair(0, 1)), list(results.pair(0, 2))]
    assert told["line_ups"][0]["agents"] == ["random", "greedy"]
    assert told["line_ups"][0]["win_rates"][0][0] == 0.75
    assert told["times"][0] == {"name": "random", "ms_a_decision": 50.0, "decisions_a_call": 5.0, "seconds": 1.0}


def test_the_picture_shows_who_beats_whom(tmp_path: Path) -> None:
    path = tmp_path / "matrix.png"
    draw_matrix(pairs_of_three(), path)
    pixels = image.imread(path)[..., :3]
    blue = (pixels[..., 2] > pixels[..., 0] + 0.2).mean()
    red = (pixels[..., 0] > pixels[..., 2] + 0.2).mean()
    assert blue > 0.03
    assert red > 0.03
