"""Tournaments as a user plays them: what is played, told and written, and what is refused before any game."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from agents.checkpoints import CheckpointError
from agents.evaluate import play_match
from agents.tournament import MATRIX, PLAN, RESULTS, TABLES, main, play
from agents.tournaments.blocks import Blocks
from agents.tournaments.plan import Entrant, Plan
from agents.tournaments.report import to_json
from agents.tournaments.standings import Results
from mustang_env import GAME
from tablezoo import GreedyPolicy, Policy, RandomPolicy, Views
from tablezoo.registration import find_game

from .helpers import error_of, train

ROOT = Path(__file__).parents[2]


def figures(results: Results) -> dict[str, Any]:
    """All that does not depend on the clock."""
    told = to_json(results)
    del told["times"], told["versions"]
    return told


def line_up_of(results: Results, *labels: str) -> int:
    return [results.plan.labels(line_up) for line_up in results.plan.line_ups].index(list(labels))


# --- what is played --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("game", "players"), [("mustang", 2), ("mustang", 3), ("stabletimes", 1), ("fable", 2)])
def test_line_ups_play_the_deals_of_a_match_with_this_seed(game: str, players: int) -> None:
    results = play(find_game(game), ["random", "greedy"], players, games=7, seed=3)
    plan = results.plan
    assert plan.deals == -(-7 // players)
    for line_up, match in zip(plan.line_ups, results.matches, strict=True):
        whole = play_match(plan.game, plan.labels(line_up), plan.deals, seed=3)
        assert np.array_equal(match.scores, whole.scores)
        assert np.array_equal(match.ranks, whole.ranks)


def test_everybody_is_told() -> None:
    results = play(GAME, ["greedy", "random", GreedyPolicy(1, "hasty")], games=40, seed=1)
    assert [entrant.label for entrant in results.plan.entrants] == ["greedy", "random", "hasty"]
    assert results.win_rate(0)[0] > 0.6
    assert results.order[-1] == 1
    assert results.ratings[0].mu > results.ratings[1].mu
    assert line_up_of(results, "greedy", "hasty") == 1
    assert results.mean_score(0)[0] > results.mean_score(1)[0]


@pytest.mark.parametrize("most", [1, 3])
def test_the_size_of_blocks_changes_nothing(most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: dict[str, Any] = {"players": 3, "games": 21, "seed": 5, "max_turns": 30}
    expected = figures(play(GAME, ["random", "greedy"], **asked))
    monkeypatch.setattr("agents.tournaments.blocks._MOST_DEALS", most)
    assert figures(play(GAME, ["random", "greedy"], threads=2, **asked)) == expected


def test_slow_agents_get_small_blocks_and_all_get_on_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    @dataclass
    class Slow:
        name: str = "slow"

        def act(self, views: Views) -> NDArray[np.int64]:
            now[0] += 0.5 * len(views)  # of a clock that stands still but for this
            return views.random_actions()

    now, sizes, behind = [0.0], [], []
    monkeypatch.setattr("agents.tournament.perf_counter", lambda: now[0])
    add = Blocks.add

    def note(blocks: Blocks, block: Any) -> None:
        sizes.append((block.line_up, block.deals))
        add(blocks, block)
        behind.append(max(blocks._deals) - min(blocks._deals))

    monkeypatch.setattr(Blocks, "add", note)
    play(GAME, ["random", "random", Slow()], games=600)
    quick = [deals for line_up, deals in sizes if line_up == 0]
    slow = [deals for line_up, deals in sizes if line_up == 1]
    assert quick == [1, 4, 16, 64, 215]
    assert set(slow) == {1}
    assert sum(quick) == sum(slow) == 300
    assert behind[-1] == 0


def test_a_first_decision_is_not_timed() -> None:
    class Compiled:
        name = "compiled"
        calls: list[int]

        def act(self, views: Views) -> NDArray[np.int64]:
            self.calls.append(len(views))
            return views.random_actions()

    policy = Compiled()
    policy.calls = []
    results = play(GAME, [policy, "random"], games=4)
    effort = results.effort(0)
    assert (sum(policy.calls[1:]), len(policy.calls) - 1) == (effort.decisions, effort.calls)


def test_agents_of_one_name_stay_apart(finished: Path, tmp_path: Path) -> None:
    twin = tmp_path / finished.name
    assert train(twin, "--steps", "256", "--seed", "8") == 0
    agents: list[Policy | str] = [str(finished), str(twin), "random", "random", RandomPolicy(), "greedy"]
    plan = Plan.of(GAME, agents)
    assert [entrant.label for entrant in plan.entrants] == [
        str(finished), str(twin), "random", "random #2", "random #3", "greedy",
    ]  # fmt: skip
    weights = [entrant.fingerprint for entrant in plan.entrants[:2]]
    assert weights[0] != weights[1]
    assert weights[0] == Plan.of(GAME, [str(finished), "random"]).entrants[0].fingerprint
    results = play(GAME, [GreedyPolicy(1, "x"), RandomPolicy("x")], games=20)
    assert [entrant.label for entrant in results.plan.entrants] == ["x", "x #2"]
    assert results.win_rate(0)[0] > 0.8 > results.win_rate(1)[0]


def test_what_tells_agents_apart() -> None:
    assert Entrant("a", GreedyPolicy(2), None).fingerprint == "GreedyPolicy(determinizations=2, name='greedy')"

    @dataclass
    class Threaded:
        threads: int
        inner: object
        name: str = "threaded"

        def act(self, views: Views) -> NDArray[np.int64]:
            return views.random_actions()

    # Neither threads, which change nothing, nor objects, whose words hold addresses.
    assert Entrant("a", Threaded(3, object()), None).fingerprint == "Threaded(name='threaded')"


def test_content_and_options_reach_the_games(tmp_path: Path) -> None:
    sets = ["original", "procedural:1"]
    results = play(find_game("stabletimes"), ["random", "greedy"], 1, games=6, content=sets, folder=tmp_path / "t")
    whole = play_match(find_game("stabletimes"), ["greedy"], 6, content=sets)
    assert np.array_equal(results.matches[1].scores, whole.scores)
    told = json.loads((tmp_path / "t" / RESULTS).read_text())["tournament"]["content"]
    assert [one["name"] for one in told] == sets
    assert told[0]["hash"] != told[1]["hash"]


def test_options_of_numpy_are_written(tmp_path: Path) -> None:
    play(GAME, ["random", "greedy"], games=4, folder=tmp_path / "t", max_turns=np.int64(9))
    assert json.loads((tmp_path / "t" / PLAN).read_text())["options"] == {"max_turns": 9}


# --- the command line ------------------------------------------------------------------------------------------------


def test_prints_and_writes_all(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "t"
    words = "mustang --agents random greedy --players 3 --games 10 --seed 2 --threads 1 --option max_turns=40"
    assert main([*words.split(), "--out", str(folder)]) == 0
    told = capsys.readouterr()
    assert told.err == ""
    lines = told.out.splitlines()
    assert lines[0] == (
        "Mustang, 3 players, 2 agents, seed 2: 2 line-ups, each 12 games (4 shared deals, all seats rotated), "
        "24 games in all"
    )
    assert [line.split()[0] for line in lines[4:6]] == ["greedy", "random"]
    assert (folder / TABLES).read_text() in told.out.replace("in all\n\n", "in all\n\n", 1)
    assert (folder / MATRIX).read_bytes().startswith(b"\x89PNG")
    data = json.loads((folder / RESULTS).read_text())
    assert data["tournament"]["options"] == {"max_turns": 40}
    assert data["tournament"]["seed"] == 2
    assert data["command"].startswith(
        "python -m agents.tournament mustang --agents random greedy --players 3 --games 10"
    )
    # The command is one that plays it again.
    again = data["command"].split()[3:]
    assert main(again) == 0
    assert "24 games are played already" in capsys.readouterr().out


def test_without_a_folder_each_tournament_has_its_own(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    words = ["mustang", "--agents", "random", "random", "--games", "4", "--threads", "1"]
    assert main(words) == 0
    assert "already" not in capsys.readouterr().out
    assert main(words) == 0
    assert "4 games are played already" in capsys.readouterr().out
    assert main([*words, "--seed", "1"]) == 0
    assert "already" not in capsys.readouterr().out
    names = sorted(path.name for path in (tmp_path / "runs").iterdir())
    assert len(names) == 2
    assert all(name.startswith("tournament_mustang_2p_") for name in names)


def test_solo_has_scores_and_tiers(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = "stabletimes --agents random greedy --players 1 --games 30 --threads 1 --out"
    assert main([*words.split(), str(tmp_path / "t")]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("Stable Times, solo, 2 agents, seed 0: 2 line-ups, each 30 games (30 shared deals), 60")
    assert "Master" in lines[2]
    assert lines[4].startswith("greedy")


def test_names_alone_import_no_torch(tmp_path: Path) -> None:
    code = (
        "import sys\nfrom agents.tournament import main\n"
        "code = main(sys.argv[1:])\n"
        "heavy = {'torch', 'stable_baselines3', 'sb3_contrib', 'tensorboard'} & set(sys.modules)\n"
        "sys.exit(code or (f'imported {heavy}' if heavy else 0))"
    )
    words = ["mustang", "--agents", "random", "random", "--games", "4", "--out", str(tmp_path / "t")]
    done = subprocess.run([sys.executable, "-c", code, *words], cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("--agents random greedy", "a game and --agents A B ... are needed, or --resume FOLDER"),
        ("mustang", "a game and --agents A B ... are needed, or --resume FOLDER"),
        ("mustag --agents random greedy", "unknown game 'mustag'; did you mean 'mustang'?"),
        ("mustang --agents random", "agents: their number: expected an integer from 2 to 32, got 1"),
        ("mustang --agents random gredy", "unknown policy 'gredy'; did you mean 'greedy'? (a path would do too"),
        (
            "mustang --agents random runs/nowhere",
            "runs/nowhere: not there; expected a checkpoint (.zip) or the folder of",
        ),
        ("mustang --agents random greedy --players 6", "num_players 6 is out of range; Mustang takes 2 to 5"),
        ("mustang --agents random greedy --games 3", "games: expected an integer from 4 to 2147483647, got 3"),
        ("mustang --agents random greedy --seed -1", "seed: expected an integer from 0 to 9223372036854775807, got -1"),
        ("mustang --agents random greedy --threads 0", "--threads: expected an integer from 1 to 1024, got 0"),
        ("mustang --agents random greedy --option max_turn=3", "unknown option 'max_turn'; did you mean 'max_turns'?"),
        (
            "mustang --agents random greedy --option max_turns=x",
            "option 'max_turns' with 2 players: expected an integer",
        ),
        ("mustang --agents random greedy --option max_turns", "option 'max_turns': expected NAME=VALUE, as in"),
        (
            "mustang --agents random greedy --content original",
            "this game has no content sets; got content=['original']",
        ),
        ("stabletimes --agents random greedy --content orginal", "no content set 'orginal'; did you mean 'original'?"),
        ("--resume runs/nowhere", "runs/nowhere/tournament.json: not there; expected the folder of a tournament"),
        ("--resume x --games 3 --seed 4", "only --threads may be changed, got --games, --seed"),
        ("mustang --resume x", "only --threads may be changed, got mustang"),
        (
            "mustang --agents gredy nowhere/x --players 9 --seed -5",
            "num_players 9 is out of range; Mustang takes 2 to 5; unknown policy 'gredy'; did you mean 'greedy'? "
            "(a path would do too: of a run's folder, a checkpoint or an .npz); "
            "nowhere/x: not there; expected a checkpoint (.zip) or the folder of a training run; "
            "seed: expected an integer from 0 to 9223372036854775807, got -5",
        ),
    ],
)
def test_errors_are_a_line_and_make_no_folder(
    arguments: str, message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert message in error_of(capsys, main(arguments.split()))
    assert list(tmp_path.iterdir()) == []


def test_checkpoints_that_do_not_fit_are_told_before_any_game(
    run_folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "t"
    words = ["--agents", str(run_folder), "random", "--games", "4", "--out", str(out)]
    assert main(["fable", *words]) == 2
    assert "trained for mustang_v0, not for fable_v0" in capsys.readouterr().err
    checkpoint = next(run_folder.glob("*.zip"))
    checkpoint.write_bytes(checkpoint.read_bytes()[:2000])
    assert main(["mustang", *words]) == 2
    assert f"{checkpoint}: no checkpoint of MaskablePPO, or damaged" in capsys.readouterr().err
    assert not out.exists()


def test_places_that_are_no_tournaments(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "file").write_text("")
    words = ["mustang", "--agents", "random", "random", "--games", "4", "--threads", "1", "--out"]
    for place, message in (
        (tmp_path, f"{tmp_path} is there already and no tournament's: it holds file"),
        (tmp_path / "file", f"{tmp_path / 'file'} is a file; expected a folder"),
        (tmp_path / "file" / "t", f"--out {tmp_path / 'file' / 't'}: {tmp_path / 'file'} is no folder"),
    ):
        assert main([*words, str(place)]) == 2
        assert capsys.readouterr().err == f"error: {message}\n"
    # An empty folder will do, and one that a kill left before its first file was whole.
    (tmp_path / "new").mkdir()
    for name in ("lock", f"{PLAN}.partial-77"):
        (tmp_path / "new" / name).write_text("")
    assert main([*words, str(tmp_path / "new")]) == 0


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"seed": 1}, "seed: 0 there, 1 here"),
        ({"games": 6}, "games: 4 there, 6 here"),
        ({"players": 3, "games": 6}, "players: 2 there, 3 here; games: 4 there, 6 here"),
        ({"agents": ["random", "random"]}, "agents: random greedy there, random random #2 here"),
        (
            {"agents": ["random", GreedyPolicy(2)]},
            "agents: greedy is GreedyPolicy(determinizations=4, name='greedy') there, "
            "GreedyPolicy(determinizations=2, name='greedy') here",
        ),
        ({"max_turns": 9}, 'options: {} there, {"max_turns": 9} here'),
        (
            {"game": find_game("fable")},
            'game: "mustang_v0" there, "fable_v0" here; content: none there, original here',
        ),
    ],
)
def test_a_folder_of_another_tournament_is_refused_with_the_difference(
    changes: dict[str, Any], message: str, tmp_path: Path
) -> None:
    folder = tmp_path / "t"
    asked: dict[str, Any] = {"game": GAME, "agents": ["random", "greedy"], "games": 4, "folder": folder}
    play(**asked)
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    with pytest.raises(CheckpointError) as raised:
        play(**asked | changes)
    assert str(raised.value) == f"{folder} holds another tournament; {message}"
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before


def test_other_content_and_another_version_are_other_tournaments(tmp_path: Path) -> None:
    asked: dict[str, Any] = {"agents": ["random", "greedy"], "players": 1, "games": 2, "folder": tmp_path / "t"}
    play(find_game("stabletimes"), **asked, content="procedural:1")
    told = json.loads((tmp_path / "t" / PLAN).read_text())
    with pytest.raises(CheckpointError, match="content: procedural:1 there, original here"):
        play(find_game("stabletimes"), **asked)
    told["content"][0]["hash"] = "0"
    (tmp_path / "t" / PLAN).write_text(json.dumps(told | {"tablezoo": "0.0.9"}))
    with pytest.raises(
        CheckpointError, match=r'tablezoo: "0\.0\.9" there, "0\.1\.0" here; content: procedural:1 is 0 there'
    ):
        play(find_game("stabletimes"), **asked, content="procedural:1")


def test_a_run_that_was_trained_on_is_another_agent(run_folder: Path, tmp_path: Path) -> None:
    play(GAME, [str(run_folder), "random"], games=4, folder=tmp_path / "t")
    assert train_on(run_folder) == 0
    with pytest.raises(CheckpointError, match=r"agents: run is weights \w{16} there, weights \w{16} here"):
        play(GAME, [str(run_folder), "random"], games=4, folder=tmp_path / "t")


def train_on(folder: Path) -> int:
    from agents.train import main as train_main

    return train_main(["--resume", str(folder), "--steps", "768"])


@pytest.mark.parametrize(
    ("changes", "error", "words"),
    [
        ({"game": "mustang"}, TypeError, "game is 'mustang'; expected a Game"),
        ({"agents": ["random", 3]}, ValueError, "policy 3 is of type int; expected a name or an object"),
        ({"agents": ["random", ""]}, ValueError, "an agent without a name"),
        ({"agents": []}, ValueError, "agents: their number: expected an integer from 2 to 32, got 0"),
        ({"games": 2.5}, ValueError, "games: expected an integer"),
        ({"threads": 0}, ValueError, "threads: expected an integer from 1 to 1024, got 0"),
    ],
)
def test_calls_that_cannot_be(changes: dict[str, Any], error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        play(**{"game": GAME, "agents": ["random", "greedy"], **changes})
