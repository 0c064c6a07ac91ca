from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from benchmarks.faces import FACES, draw_legal
from benchmarks.starts import Start, _start_process, measure_start
from benchmarks.throughput import main
from benchmarks.windows import median, time_call
from tablezoo.registration import find_game

FAST = ["--players", "2", "--games", "8", "--threads", "1", "--windows", "2", "--seconds", "0.01", "--no-starts"]
KEYS = {"game", "face", "players", "games", "threads", "decisions_per_s", "floor_ratio"}


def test_json_is_all_of_standard_output(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["mustang", "--json", *FAST]) == 0
    printed = capsys.readouterr()
    rows = json.loads(printed.out)
    assert [(row["face"], row["games"]) for row in rows] == [("batch", 8), ("aec", 1), ("sb3", 8), ("sb3", 256)]
    for row in rows:
        assert row.keys() >= KEYS
        assert row["game"] == "mustang"
        assert row["players"] == 2
        assert row["windows"] == 2
        assert 0 < row["decisions_per_s_min"] <= row["decisions_per_s"] <= row["decisions_per_s_max"]
        assert row["choose_ns"] > 0
        assert (row["floor_ratio"] is None) == (row["face"] != "batch")
    assert "processor" in printed.err
    assert "cores" in printed.err


def test_every_combination_is_measured_once(capsys: pytest.CaptureFixture[str]) -> None:
    asked = ["--players", "2", "5", "--games", "1", "2", "--threads", "1", "2", "--faces", "batch"]
    main(["mustang", "--json", "--windows", "1", "--seconds", "0.001", "--no-starts", *asked])
    rows = json.loads(capsys.readouterr().out)
    measured = [(row["players"], row["games"], row["threads"]) for row in rows]
    assert measured == [(p, g, t) for p in (2, 5) for g in (1, 2) for t in (1, 2)]


def test_the_figure_of_the_batch_is_the_step_alone(capsys: pytest.CaptureFixture[str]) -> None:
    main(["mustang", "--json", *FAST, "--faces", "batch", "--windows", "1"])
    (row,) = json.loads(capsys.readouterr().out)
    assert not row["choice_included"]
    assert row["decisions_per_s"] == pytest.approx(1e9 / row["step_ns"])
    assert row["with_choice_per_s"] == pytest.approx(1e9 / (row["step_ns"] + row["choose_ns"]))
    assert row["floor_ratio"] == pytest.approx(row["floor_ns"] / row["step_ns"])
    assert row["clone_us"] > 0
    assert row["clone_one_us"] > 0


def test_table_names_machine_and_units(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    plot = tmp_path / "made" / "plot.png"
    assert main(["mustang", *FAST, "--faces", "batch", "aec", "--plot", str(plot)]) == 0
    printed = capsys.readouterr()
    for word in ("processor", "load average", "numba", "decisions/s", "µs a game", "floor/step", str(plot)):
        assert word in printed.out
    assert printed.err == ""
    assert plot.read_bytes().startswith(b"\x89PNG")


def test_quick_prints_a_short_table_and_draws_nothing(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    main(["mustang", "--quick", "--faces", "batch", "--windows", "1", "--seconds", "0.01"])
    table = capsys.readouterr().out
    assert "decisions/s" in table
    assert "clone" not in table
    assert list(tmp_path.iterdir()) == []


def test_starts_are_processes_that_share_one_fresh_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    caches: list[str] = []

    def start(name: str, face: str, players: int, cache: str) -> tuple[float, float]:
        assert (name, face, players) == ("mustang", "batch", 2)
        assert caches or not list(Path(cache).iterdir())
        caches.append(cache)
        return 0.5, 10.0 / len(caches)

    monkeypatch.setattr("benchmarks.starts._start_process", start)
    assert measure_start("mustang", "batch", 2, lambda text: None) == Start(0.5, cold_s=10.0, warm_s=10.0 / 3)
    assert len(set(caches)) == 1
    assert not Path(caches[0]).exists()


def test_a_start_prints_the_seconds_of_imports_and_of_the_way_to_the_first_step() -> None:
    command = [sys.executable, "-m", "benchmarks.starts", "mustang", "batch", "2"]
    printed = subprocess.run(command, cwd=Path(__file__).parents[2], capture_output=True, text=True, check=True)
    imports_s, first_step_s = json.loads(printed.stdout)
    assert imports_s > 0
    assert first_step_s > 0


def test_a_start_that_fails_tells_why(tmp_path: Path) -> None:
    with pytest.raises(RuntimeError, match="unknown game 'mustan'"):
        _start_process("mustan", "batch", 2, str(tmp_path))


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["mustan"], "unknown game 'mustan'; did you mean 'mustang'?"),
        (["no game"], "unknown game 'no game'"),
        (["mustang", "--players", "7"], "num_players 7 is out of range; Mustang takes 2 to 5"),
        (["mustang", "--players", "two"], "'two': expected an integer of 1 or more"),
        (["mustang", "--games", "0"], "'0': expected an integer of 1 or more"),
        (["mustang", "--threads", "-1"], "'-1': expected an integer of 1 or more"),
        (["mustang", "--windows", "1.5"], "'1.5': expected an integer of 1 or more"),
        (["mustang", "--seconds", "nan"], "'nan': expected seconds, 0.001 or more"),
        (["mustang", "--faces", "rllib"], "invalid choice: 'rllib'"),
        ([], "the following arguments are required: game"),
    ],
)
def test_bad_arguments_are_refused_in_words(
    arguments: list[str], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as refused:
        main(arguments)
    assert refused.value.code == 2
    printed = capsys.readouterr()
    assert words in printed.err
    assert printed.out == ""


def test_sb3_asked_for_but_not_installed(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("benchmarks.throughput.installed", lambda module: module != "stable_baselines3")
    with pytest.raises(SystemExit):
        main(["mustang", "--faces", "sb3"])
    assert "pip install 'tablezoo[train]'" in capsys.readouterr().err
    main(["mustang", "--json", *FAST])
    printed = capsys.readouterr()
    assert {row["face"] for row in json.loads(printed.out)} == {"batch", "aec"}
    assert "sb3 rows are left out" in printed.err


def test_help_explains_every_figure(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["--help"])
    text = capsys.readouterr().out
    for word in (*FACES, "floor_ratio", "choice", "clone", "starts", "examples:"):
        assert word in text


def test_games_are_found_by_package_and_by_registered_name() -> None:
    assert find_game("mustang") is find_game("Mustang-v0")


def test_draw_legal_is_uniform_over_each_row() -> None:
    masks = np.zeros((3000, 5), np.bool_)
    masks[:, [1, 4]] = True
    masks[::3] = [True, False, False, False, False]
    drawn = draw_legal(masks, np.random.default_rng(0))
    assert masks[np.arange(3000), drawn].all()
    assert np.bincount(drawn, minlength=5)[[1, 4]].min() > 900


def test_median_is_none_unless_all_windows_have_the_figure() -> None:
    assert median([3.0, 1.0, 2.0]) == 2.0
    assert median([1.0, None]) is None
    assert median([]) is None


def test_time_call_calls_at_least_once() -> None:
    calls: list[int] = []
    assert time_call(lambda: calls.append(1), 0.0) >= 0
    assert calls


@pytest.mark.parametrize(
    ("place", "words"),
    [
        ("file/plot.png", "--plot {}/file/plot.png: {}/file is no folder"),
        ("folder.png", "--plot {}/folder.png is a folder; expected a file"),
        ("plot", "--plot {}/plot: expected a file's name that ends with .png, .svg, .pdf"),
        ("plot.xyz", "--plot {}/plot.xyz: expected a file's name that ends with"),
    ],
)
def test_where_the_plot_goes_is_checked_first(
    place: str, words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("")
    (tmp_path / "folder.png").mkdir()
    monkeypatch.setattr("benchmarks.throughput.measure", lambda *_: pytest.fail("measured first"))
    with pytest.raises(SystemExit) as ended:
        main(["mustang", *FAST, "--faces", "batch", "--plot", str(tmp_path / place)])
    assert ended.value.code == 2
    assert words.format(tmp_path, tmp_path) in capsys.readouterr().err
