"""Matches: shared deals, rotated seats, honest intervals, and the command line."""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from agents.evaluate import EVALUATION_SEEDS, Z95, MatchResult, describe_rate, join, main, play_match, versus
from agents.training.run import seed_of
from mustang_env import GAME
from tablezoo import Batch, GreedyPolicy, Policy, RandomPolicy, Views
from tablezoo.registration import find_game

from .helpers import error_of


class Spy:
    """Plays at random; notes the batch as it found it first, and where it was asked."""

    name = "spy"

    def __init__(self) -> None:
        self.first: NDArray[Any] | None = None
        self.asked: set[tuple[int, int]] = set()

    def act(self, views: Views) -> NDArray[np.int64]:
        if self.first is None:
            self.first = views._batch.states.copy()
        self.asked |= set(zip(views._games.tolist(), views.seat.tolist(), strict=True))
        return views.random_actions()


def constructed(means: NDArray[np.float64]) -> MatchResult:
    """Two agents; (deals, rotations) shares of the first, 0 or 1."""
    ranks = np.stack([1 - means, means], axis=2).astype(np.int8)
    return MatchResult(("a", "b"), ranks, np.zeros(ranks.shape, np.int64))


@pytest.mark.parametrize("players", [2, 3, 5])
def test_rotations_share_deals_and_everyone_sits_everywhere(players: int) -> None:
    deals = 6
    spies = [Spy() for _ in range(players)]
    play_match(GAME, spies, deals)
    # Whoever is asked in the first round of calls sees the batch before any step.
    states = next(spy.first for spy in spies if spy.first is not None and (spy.first["turn"] == 0).all())
    blocks = states.reshape(players, deals)
    for name in states.dtype.names or ():
        assert all(np.array_equal(block[name], blocks[0][name]) for block in blocks), name
    assert len({state["deck"].tobytes() for state in blocks[0]}) == deals
    for index, spy in enumerate(spies):
        assert spy.asked == {(lane, (index + lane // deals) % players) for lane in range(players * deals)}


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_shares_sum_to_one_and_scores_belong_to_their_agents(players: int) -> None:
    result = play_match(GAME, [GreedyPolicy(1), *[RandomPolicy()] * (players - 1)], 12)
    assert result.shares.shape == result.scores.shape == (12, players, players)
    assert result.games == 12 * players
    assert np.allclose(result.shares.sum(axis=2), 1)
    # A winner has the highest score, whatever seat it sat in.
    best = result.scores == result.scores.max(axis=2, keepdims=True)
    assert best[result.shares > 0].all()
    assert result.shares[:, :, 0].mean() > 1.2 / players
    assert result.scores[:, :, 0].mean() > result.scores[:, :, 1].mean()


@pytest.mark.parametrize("players", [2, 3])
def test_random_against_random_is_an_even_share(players: int) -> None:
    result = play_match(GAME, [RandomPolicy()] * players, 400, seed=0)
    assert sum(result.win_rate(agent)[0] for agent in range(players)) == pytest.approx(1)
    for agent in range(players):
        rate, half = result.win_rate(agent)
        assert 0.01 < half < 0.06
        assert abs(rate - 1 / players) < half


def test_versus_fills_the_other_seats() -> None:
    result = versus(GAME, RandomPolicy("mine"), RandomPolicy(), players=4, deals=2, seed=0)
    assert result.names == ("mine", "random", "random", "random")


def test_the_interval_is_taken_over_deals() -> None:
    same = constructed(np.array([[1.0, 1.0], [1.0, 1.0], [0.0, 0.0], [0.0, 0.0]]))
    rate, half = same.win_rate()
    assert rate == 0.5
    # Four deals, not eight games.
    assert half == pytest.approx(Z95 * np.sqrt(1 / 3) / 2)
    # Where each deal is won once, luck of the deal says nothing: no spread.
    once = constructed(np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 0.0]]))
    assert once.win_rate() == (0.5, 0.0)
    assert once.win_rate(1) == (0.5, 0.0)
    assert describe_rate(once) == " 50.0 % ± 0.0"
    assert np.isnan(constructed(np.array([[1.0, 0.0]])).win_rate()[1])


@pytest.mark.parametrize("deals", [1, 2, 50, 1000])
@pytest.mark.parametrize("won", [0.0, 1.0])
def test_a_rate_at_the_edge_has_an_interval(won: float, deals: int) -> None:
    rate, half = constructed(np.full((deals, 2), won)).win_rate()
    assert rate == won
    # Wilson's equation: the rate seen lies Z95 deviations from the one at the interval's end.
    assert half**2 == pytest.approx(Z95**2 * half * (1 - half) / deals)
    assert "± 0.0" not in describe_rate(constructed(np.full((50, 2), won)))


def test_a_match_that_is_always_won_prints_an_interval(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["mustang", "--agents", "greedy", "random", "--deals", "5", "--threads", "1"]) == 0
    for line in capsys.readouterr().out.splitlines()[1:]:
        assert "± 0.0   " not in line


def test_seeds_reproduce_and_differ() -> None:
    line_up: list[Policy] = [RandomPolicy(), GreedyPolicy(1)]
    one, same = play_match(GAME, line_up, 20, seed=3), play_match(GAME, line_up, 20, seed=3, threads=2)
    other = play_match(GAME, line_up, 20, seed=4)
    assert np.array_equal(one.scores, same.scores)
    assert np.array_equal(one.shares, same.shares)
    assert not np.array_equal(one.scores, other.scores)


@pytest.mark.parametrize(
    ("game", "line_up", "content"),
    [
        ("mustang", ["greedy", "random"], None),
        ("mustang", ["random", "greedy", "random"], None),
        ("stabletimes", ["greedy"], ["original", "procedural:1", "procedural:2"]),
    ],
)
def test_parts_laid_together_are_the_match(game: str, line_up: list[str], content: Any) -> None:
    whole = play_match(find_game(game), line_up, 11, seed=3, content=content)
    for cuts in ([0, 1, 11], [0, 4, 5, 9, 11], [0, 11]):
        parts = [
            play_match(find_game(game), line_up, 11, seed=3, content=content, part=range(*cut))
            for cut in itertools.pairwise(cuts)
        ]
        joined = join(parts)
        assert joined.names == whole.names
        assert np.array_equal(joined.ranks, whole.ranks)
        assert np.array_equal(joined.scores, whole.scores)
        assert [e.decisions for e in joined.efforts] == [e.decisions for e in whole.efforts]


@pytest.mark.parametrize(
    ("part", "error", "words"),
    [
        (3, TypeError, "part is 3; expected a range of deals"),
        (range(2, 2), ValueError, r"part is range\(2, 2\); expected deals one after the other, from 0 to 5"),
        (range(6), ValueError, "from 0 to 5"),
        (range(-1, 2), ValueError, "from 0 to 5"),
        (range(0, 4, 2), ValueError, "one after the other"),
    ],
)
def test_parts_that_are_none(part: Any, error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        play_match(GAME, ["random", "random"], 5, part=part)


def test_shares_of_a_seat_are_those_of_its_rotation() -> None:
    result = play_match(GAME, [GreedyPolicy(1), RandomPolicy(), RandomPolicy()], 4)
    # In rotation r the first of the line-up has seat r, the next one the seat after it.
    for seat in range(3):
        assert np.array_equal(result.seat_shares(0, seat), result.shares[:, seat, 0])
        assert np.array_equal(result.seat_shares(1, seat), result.shares[:, (seat + 2) % 3, 1])


def test_efforts_count_decisions_and_calls() -> None:
    class Counting(Spy):
        def __init__(self) -> None:
            super().__init__()
            self.lengths: list[int] = []

        def act(self, views: Views) -> NDArray[np.int64]:
            self.lengths.append(len(views))
            return super().act(views)

    spies = [Counting(), Counting()]
    result = play_match(GAME, spies, 5)
    assert [effort.decisions for effort in result.efforts] == [sum(spy.lengths) for spy in spies]
    assert [effort.calls for effort in result.efforts] == [len(spy.lengths) for spy in spies]
    assert all(effort.seconds > 0 for effort in result.efforts)


def test_options_reach_the_games() -> None:
    spy = Spy()
    play_match(GAME, [spy, RandomPolicy()], 2, max_turns=7)
    assert spy.first is not None
    assert (spy.first["max_turns"] == 7).all()


def test_training_never_deals_what_evaluations_do() -> None:
    training = [seed_of(seed, 0, steps) % EVALUATION_SEEDS for seed in range(20) for steps in (0, 2048)]
    assert len(set(training)) == len(training)
    assert max(training) < EVALUATION_SEEDS - 10_000


def test_names_are_policies_too() -> None:
    named = versus(GAME, "greedy", "random", 2, deals=3, seed=1)
    assert named.names == ("greedy", "random")
    made = versus(GAME, GreedyPolicy(), RandomPolicy(), 2, deals=3, seed=1)
    assert np.array_equal(named.scores, made.scores)


@pytest.mark.parametrize(
    ("changes", "error", "words"),
    [
        ({"policy": "gredy"}, ValueError, "unknown policy 'gredy'; did you mean 'greedy'"),
        ({"opponent": 3}, TypeError, "policy 3 is of type int; expected a name or an object"),
        ({"policy": RandomPolicy}, TypeError, "policy RandomPolicy is a class"),
        ({"deals": 0}, ValueError, "deals: expected an integer from 1 to 2147483647, got 0"),
        ({"deals": 2.0}, TypeError, "deals: expected an integer"),
        ({"seed": -1}, ValueError, "seed: expected an integer from 0 to 9223372036854775807, got -1"),
        ({"seed": None}, TypeError, "seed: expected an integer"),
        ({"players": 1}, ValueError, "num_players 1 is out of range; Mustang takes 2 to 5"),
        ({"players": "2"}, TypeError, "num_players '2' is no integer"),
        ({"game": "mustang"}, TypeError, "game is 'mustang'; expected a Game"),
    ],
)
def test_matches_that_cannot_be(changes: dict[str, Any], error: type[Exception], words: str) -> None:
    fitting = {"game": GAME, "policy": "random", "opponent": "random", "players": 2, "deals": 2, "seed": 0}
    with pytest.raises(error, match=words):
        versus(**{**fitting, **changes})


# --- the command line ------------------------------------------------------------------------------------------------


def test_prints_a_line_an_agent(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["mustang", "--agents", "greedy", "random", "--deals", "30", "--players", "3", "--threads", "1"]) == 0
    heading, *lines = capsys.readouterr().out.splitlines()
    assert heading == "Mustang, 3 players, 30 deals, 90 games, all seats rotated"
    assert [line.split()[0] for line in lines] == ["greedy", "random", "random"]
    assert all("wins" in line and "±" in line and "mean score" in line for line in lines)
    assert float(lines[0].split()[2]) > 50


def test_plays_a_trained_agent(finished: Path, capsys: pytest.CaptureFixture[str]) -> None:
    newest = next(finished.glob("*.zip"))
    assert main(["mustang", "--agents", str(finished), str(newest), "random", "--deals", "2", "--threads", "1"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines[1:]] == [finished.name, newest.stem, "random"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("mustag --agents random", "unknown game 'mustag'; did you mean 'mustang'?"),
        (
            "mustang --agents gredy",
            "unknown policy 'gredy'; did you mean 'greedy'? (a path would do too: of a run's folder",
        ),
        ("mustang --agents random random random --players 2", "3 agents for 2 players"),
        ("mustang --agents" + " random" * 6, "num_players 6 is out of range; Mustang takes 2 to 5"),
        ("mustang --agents random --players 0", "num_players 0 is out of range; Mustang takes 2 to 5"),
        ("mustang --agents random --deals 1", "--deals: expected an integer from 2 to 1073741823, got 1"),
        ("mustang --agents random --deals 2000000000", "--deals: expected an integer from 2 to 1073741823, got 2000"),
        ("mustang --agents random --threads 0", "--threads: expected an integer from 1 to 1024, got 0"),
        ("mustang --agents random --seed -1", "--seed: expected an integer from 0 to 9223372036854775807, got -1"),
        ("mustang --agents runs/nowhere", "runs/nowhere: not there; expected a checkpoint (.zip) or the folder of"),
        ("mustang --agents nowhere.zip", "nowhere.zip: not there; expected a checkpoint (.zip) or the folder of"),
        ("mustang --agents tests", "tests/latest.json: not there; expected the folder of a training run"),
    ],
)
def test_errors_are_a_line(
    arguments: str, message: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(Path(__file__).parents[2])
    assert message in error_of(capsys, main(arguments.split()))


def test_more_deals_than_there_is_memory_for(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: Any, **__: Any) -> None:
        raise MemoryError("Unable to allocate 9 TiB")

    monkeypatch.setattr("agents.evaluate.Batch", refuse)
    assert main(["mustang", "--agents", "random", "--deals", "10"]) == 2
    assert capsys.readouterr().err == "error: --deals 10 are too many at once: Unable to allocate 9 TiB\n"


def test_each_rotation_plays_the_deals_with_the_same_sets() -> None:
    batches: list[Batch] = []

    class Witness(Spy):
        def act(self, views: Views) -> NDArray[np.int64]:
            batches.append(views._batch)
            return super().act(views)

    sets = ["original", "procedural:1", "procedural:2"]
    play_match(find_game("stabletimes"), [Witness(), Spy()], deals=5, seed=1, content=sets)
    played = [batches[0].contents[int(index)].name for index in batches[0].states["content"]]
    assert played[:5] == played[5:] == [sets[deal % 3] for deal in range(5)]
