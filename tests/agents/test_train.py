"""Training's command line: what a run leaves, how it stops and goes on, and what it says of what does not fit."""

from __future__ import annotations

import importlib
import json
import os
import re
import signal
import subprocess
import sys
import time
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import matplotlib
import numpy as np
import pytest
import torch
from matplotlib import image
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator  # type: ignore[import-untyped]

from agents.checkpoints import CURVE, LATEST, METRICS, SETTINGS, CheckpointError, load_model
from agents.evaluate import main as evaluate
from agents.lock import LOCK
from agents.opponents import parse_agent, parse_opponents
from agents.policies.sb3_policy import SB3Policy
from agents.settings import Settings
from agents.train import main
from agents.training import curve
from agents.training.run import Run
from mustang_env import GAME
from tablezoo.policies import GreedyPolicy, Pool, RandomPolicy
from tablezoo.sb3 import SeatVecEnv
from tests.engine.tiny import GAME as TINY_GAME

from .helpers import TINY, change_json, error_of, fresh_model, latest, metrics, train

ROOT = Path(__file__).parents[2]

# As python -m agents.train, also where whoever started the tests has made them ignore Ctrl-C.
COMMAND = (
    "import runpy, signal; signal.signal(signal.SIGINT, signal.default_int_handler); "
    "runpy.run_module('agents.train', run_name='__main__', alter_sys=True)"
)


def resume(folder: Path, *words: str) -> int:
    return main(["--resume", str(folder), *words])


# --- what a run leaves -----------------------------------------------------------------------------------------------


def test_a_run_leaves_all_there_is_to_know(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "runs" / "first"
    options = ["--steps", "2000", "--eval-every", "1024", "--checkpoint-every", "512", "--net", "16", "8"]
    assert train(folder, *options, "--seed", "5", "--lr", "0.002") == 0
    printed = capsys.readouterr().out
    assert "Mustang, 2 players, against random: 2,000 steps, seed 5" in printed
    assert "16 games at once, 1 threads, network 16 x 8, n_steps 16, batch_size 128, n_epochs 1" in printed
    assert "lr 0.002 to 0.0001" in printed
    assert "2,048 steps will be played: rollouts are whole, of 16 x 16 = 256 each" in printed
    assert "trained 2,048 steps" in printed
    assert re.search(r"against random +\d+\.\d % ± \d+\.\d \(4 games\) +against greedy ", printed)
    newest = folder / "step_0000002048.zip"
    for told in (newest, folder / CURVE, f"tensorboard --logdir {folder / 'tensorboard'}", "agents.evaluate mustang"):
        assert str(told) in printed

    settings = json.loads((folder / SETTINGS).read_text())
    assert settings["game"] == "mustang"
    assert (settings["steps"], settings["seed"], settings["net"], settings["lr"]) == (2000, 5, [16, 8], 0.002)
    assert Settings.from_json(settings).to_json() == settings

    assert latest(folder) == {
        "checkpoint": newest.name, "steps": 2048, "players": [2],
        "game": "mustang_v0", "observation_size": GAME.observation_size, "num_actions": GAME.num_actions,
    }  # fmt: skip
    assert sorted(file.name for file in folder.glob("*.zip")) == [f"step_{n:010d}.zip" for n in (512, 1024, 1536, 2048)]
    assert load_model(folder, GAME).num_timesteps == 2048

    rows = metrics(folder)
    assert {row["steps"] for row in rows} == {1024, 2048}
    for row in rows:
        assert row["deals"] == 2
        assert set(row["win_rates"]) == {"random", "greedy"}
        assert all(0 <= rate <= 1 and half >= 0 for rate, half in row["win_rates"].values())

    assert (folder / CURVE).read_bytes().startswith(b"\x89PNG\r\n\x1a\n")
    picture = image.imread(folder / CURVE)
    assert picture.shape[:2] == (600, 960)
    assert picture.std() > 0.02

    events = EventAccumulator(str(folder / "tensorboard"))
    events.Reload()
    tags = events.Tags()["scalars"]
    assert {"evaluation/win_rate_random", "evaluation/win_rate_greedy", "train/loss", "train/learning_rate"} <= set(
        tags
    )
    assert {event.step for event in events.Scalars("evaluation/win_rate_random")} == {1024, 2048}

    left = {file.name for file in folder.iterdir()} - {file.name for file in folder.glob("*.zip")}
    assert left == {SETTINGS, LATEST, METRICS, CURVE, "tensorboard"}

    # The last evaluation, of more deals in earnest, stands for the one before at the same step.
    run = Run(Settings.from_json(settings), folder)
    run.resume()
    assert [row["steps"] for row in rows] == [1024, 2048, 2048]
    assert [row["steps"] for row in run.metrics] == [1024, 2048]
    assert metrics(folder) == rows


def test_a_curve_leaves_the_users_backend(tmp_path: Path) -> None:
    before = matplotlib.get_backend()
    try:
        matplotlib.use("svg")
        importlib.reload(curve).draw_curve(
            [{"steps": 1, "win_rates": {"random": [0.5, 0.1]}}], tmp_path / CURVE, "title", (2,)
        )
        assert matplotlib.get_backend() == "svg"
    finally:
        matplotlib.use(before)
    assert (tmp_path / CURVE).read_bytes().startswith(b"\x89PNG")


def test_the_same_seed_trains_the_same(finished: Path, tmp_path: Path) -> None:
    assert train(tmp_path / "again", "--steps", "512") == 0
    assert train(tmp_path / "other", "--steps", "512", "--seed", "1") == 0
    one, again, other = (
        load_model(f, GAME).policy.state_dict() for f in (finished, tmp_path / "again", tmp_path / "other")
    )
    assert all(torch.equal(one[name], again[name]) for name in one)
    assert not all(torch.equal(one[name], other[name]) for name in one)


# --- going on --------------------------------------------------------------------------------------------------------


def test_resume_goes_on_with_more_steps(run_folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert resume(run_folder, "--steps", "1024") == 0
    printed = capsys.readouterr().out
    assert f"resumed from step 512, checkpoint {run_folder / 'step_0000000512.zip'}\n" in printed
    assert "will be played" not in printed
    assert "trained 512 steps" in printed
    assert latest(run_folder)["steps"] == 1024
    assert [row["steps"] for row in metrics(run_folder)] == [512, 1024]
    # The next resume knows that there were to be more.
    assert json.loads((run_folder / SETTINGS).read_text())["steps"] == 1024
    assert load_model(run_folder, GAME).num_timesteps == 1024


def test_resume_of_a_finished_run_changes_nothing(run_folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = {file: file.read_bytes() for file in run_folder.iterdir() if file.is_file()}
    assert resume(run_folder) == 0
    printed = capsys.readouterr().out
    assert "resumed from step 512, checkpoint " in printed
    assert "nothing left to train: 512 steps are done and evaluated; to go on: " in printed
    assert f"python -m agents.train --steps MORE --resume {run_folder}\n" in printed
    assert "trained 0" not in printed
    assert {file: file.read_bytes() for file in run_folder.iterdir() if file.is_file()} == before


def test_rollouts_are_whole_when_a_run_goes_on_too(run_folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert resume(run_folder, "--steps", "700") == 0
    assert "768 steps will be played: rollouts are whole" in capsys.readouterr().out
    assert latest(run_folder)["steps"] == 768


def test_fewer_steps_than_are_trained_are_refused(run_folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = {file: file.read_bytes() for file in run_folder.iterdir() if file.is_file()}
    told = error_of(capsys, resume(run_folder, "--steps", "511"))
    assert told == f"error: --steps 511: {run_folder} has trained 512 already; expected 512 or more\n"
    assert {file: file.read_bytes() for file in run_folder.iterdir() if file.is_file()} == before


def test_help_tells_what_a_resume_may_change(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["--help"])
    assert "only --steps (in all, those trained included) and --threads may be changed" in " ".join(
        capsys.readouterr().out.split()
    )


# --- one process a folder --------------------------------------------------------------------------------------------


def test_a_folder_in_use_is_left_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "run"
    with running(folder) as process:
        assert (folder / LOCK).read_text() == f"{process.pid}\n"
        process.send_signal(signal.SIGSTOP)
        before = {file: file.read_bytes() for file in folder.iterdir() if file.is_file()}
        for code in (lambda: resume(folder), lambda: train(folder, "--demo")):
            assert error_of(capsys, code()) == f"error: {folder} is in use by process {process.pid}\n"
        assert {file: file.read_bytes() for file in folder.iterdir() if file.is_file()} == before
        assert os.listdir(tmp_path) == ["run"]


@pytest.mark.parametrize("pid", ["1", str(os.getpid()), "999999999", "", "odd"], ids=["1", "own", "high", "", "odd"])
def test_a_lock_that_was_left_behind_is_taken_over(run_folder: Path, pid: str) -> None:
    (run_folder / LOCK).write_text(pid)
    assert resume(run_folder) == 0
    assert not (run_folder / LOCK).exists()


def test_a_run_that_fails_gives_its_folder_back(
    run_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: Any) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(Run, "train", fail)
    for call in (lambda: resume(run_folder), lambda: train(tmp_path / "other")):
        with pytest.raises(ZeroDivisionError):
            call()
    assert not (run_folder / LOCK).exists()
    assert not (tmp_path / "other" / LOCK).exists()


def test_resume_deals_other_games_and_draws_anew(run_folder: Path) -> None:
    settings = Settings.from_json(json.loads((run_folder / SETTINGS).read_text()))
    started = Run(settings, run_folder.with_name("fresh")).start()
    assert started.env is not None
    first, start_draw = started.env.reset(), torch.rand(8)
    resumed = Run(settings, run_folder).resume()
    assert resumed.env is not None
    drawn, later = torch.rand(8), resumed.env.reset()
    assert isinstance(first, np.ndarray)
    assert isinstance(later, np.ndarray)
    shared = {row.tobytes() for row in first} & {row.tobytes() for row in later}
    assert len(shared) < 4
    assert not torch.equal(start_draw, drawn)
    assert started.seed != resumed.seed


def test_resume_drops_metrics_that_the_checkpoint_has_not_reached(run_folder: Path) -> None:
    with (run_folder / METRICS).open("a") as file:
        file.write(json.dumps({**metrics(run_folder)[0], "steps": 9999}) + "\n")
    assert resume(run_folder, "--steps", "768") == 0
    assert [row["steps"] for row in metrics(run_folder)] == [512, 768]


@pytest.mark.parametrize(
    "torn", ['{"steps": 9', "\0\0\0", '{"steps": 512, "deals": 2, "win_rates": {"random": [0.5, 0.']
)
def test_resume_drops_a_torn_last_line(run_folder: Path, torn: str, capsys: pytest.CaptureFixture[str]) -> None:
    before = metrics(run_folder)
    with (run_folder / METRICS).open("a") as file:
        file.write(torn)
    assert resume(run_folder, "--steps", "768") == 0
    assert f"{run_folder / METRICS}: the last line was torn and is dropped\n" in capsys.readouterr().out
    assert metrics(run_folder)[:-1] == before
    assert metrics(run_folder)[-1]["steps"] == 768


def test_a_last_line_that_lacks_only_its_end_is_kept(run_folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = metrics(run_folder)
    (run_folder / METRICS).write_text((run_folder / METRICS).read_text().rstrip("\n"))
    assert resume(run_folder, "--steps", "768") == 0
    assert "torn" not in capsys.readouterr().out
    assert metrics(run_folder)[:-1] == before


def test_a_run_without_a_checkpoint_starts_over(
    finished: Path, run_folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """As a kill leaves it before the first: nothing but settings, perhaps an evaluation."""
    for file in (run_folder / latest(run_folder)["checkpoint"], run_folder / LATEST, run_folder / CURVE):
        file.unlink()
    (run_folder / ".partial_1.zip").write_bytes(b"half")
    assert resume(run_folder) == 0
    printed = capsys.readouterr().out
    assert printed.startswith(f"{run_folder} holds no checkpoint yet: the run starts over with its settings\n")
    assert "trained 512 steps" in printed
    assert metrics(run_folder) == metrics(finished)
    one, again = (load_model(folder, GAME).policy.state_dict() for folder in (finished, run_folder))
    assert all(torch.equal(one[name], again[name]) for name in one)


def test_a_resume_that_fails_changes_nothing(run_folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with (run_folder / METRICS).open("a") as file:
        file.write(json.dumps({**metrics(run_folder)[0], "steps": 9999}) + '\n{"steps')
    truncate(run_folder / latest(run_folder)["checkpoint"])
    before = {file: file.read_bytes() for file in run_folder.iterdir() if file.is_file()}
    assert "damaged" in error_of(capsys, resume(run_folder, "--steps", "768"))
    assert {file: file.read_bytes() for file in run_folder.iterdir() if file.is_file()} == before


def test_a_new_demo_moves_the_old_one_away(run_folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = {file.name: file.read_bytes() for file in run_folder.iterdir() if file.is_file()}
    moved = run_folder.with_name("run-1")
    assert "unknown policy 'gredy'" in error_of(capsys, train(run_folder, "--demo", "--opponent", "gredy"))
    assert not moved.exists()
    assert train(run_folder, "--demo", "--steps", "256") == 0
    assert f"the earlier {run_folder} is now {moved}\n" in capsys.readouterr().out
    assert {file.name: file.read_bytes() for file in moved.iterdir() if file.is_file()} == before
    assert latest(run_folder)["steps"] == 256


@contextmanager
def running(folder: Path) -> Iterator[subprocess.Popen[str]]:
    """An endless run in another process, past its second checkpoint."""
    words = [*TINY, "--steps", "100000000", "--checkpoint-every", "256", "--eval-every", "1000000000"]
    process = subprocess.Popen(
        [sys.executable, "-c", COMMAND, "mustang", *words, "--out", str(folder)],
        cwd=ROOT, env={**os.environ, "OMP_NUM_THREADS": "1"},
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    try:
        deadline = time.monotonic() + 240
        while not ((folder / LATEST).exists() and latest(folder)["steps"] >= 512):
            if process.poll() is not None:
                pytest.fail("the run ended by itself:\n" + "\n".join(process.communicate()))
            assert time.monotonic() < deadline, "no checkpoint within four minutes"
            time.sleep(0.02)
        yield process
    finally:
        process.kill()
        process.communicate()


def test_a_killed_run_goes_on_from_its_checkpoint(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "run"
    with running(folder) as process:
        process.kill()
        assert process.wait() == -signal.SIGKILL
    steps = latest(folder)["steps"]
    assert steps >= 512
    assert steps % 256 == 0
    assert resume(folder, "--steps", str(steps + 512)) == 0
    assert "trained 512 steps" in capsys.readouterr().out
    assert latest(folder)["steps"] == steps + 512
    assert [row["steps"] for row in metrics(folder)] == [steps + 512]


def test_ctrl_c_saves_and_says_where(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "run"
    with running(folder) as process:
        process.send_signal(signal.SIGINT)
        told, complaints = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "Traceback" not in complaints
    stopped = re.search(r"stopped at ([\d,]+) steps; saved (.+)\nresume: (.+)\n", told)
    assert stopped, told
    steps = int(stopped[1].replace(",", ""))
    saved = Path(stopped[2])
    assert saved.parent == folder
    assert saved.name == latest(folder)["checkpoint"]
    assert latest(folder)["steps"] == steps == load_model(saved, GAME).num_timesteps
    python, dash_m, module, *words = stopped[3].split()
    assert (python, dash_m, module) == ("python", "-m", "agents.train")
    assert main([*words, "--steps", str(steps + 256)]) == 0
    assert "trained 256 steps" in capsys.readouterr().out


def test_ctrl_c_in_the_last_evaluation_says_so_too(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def stop(*_: Any, **__: Any) -> None:
        raise KeyboardInterrupt

    folder = tmp_path / "run"
    with monkeypatch.context() as patch:
        patch.setattr(Run, "evaluate", stop)
        assert train(folder, "--steps", "256") == 130
    assert "stopped at 256 steps; saved " in capsys.readouterr().out
    assert resume(folder) == 0
    assert "256 steps   against random" in capsys.readouterr().out


@pytest.mark.parametrize("stopped", [False, True])
def test_signals_and_threads_are_afterwards_as_before(
    stopped: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = []

    def look(*_: Any, **__: Any) -> None:
        seen.append((signal.getsignal(signal.SIGTERM), torch.get_num_threads()))
        if stopped:
            raise KeyboardInterrupt

    before = signal.getsignal(signal.SIGTERM), torch.get_num_threads()
    monkeypatch.setattr(Run, "train", look)
    assert train(tmp_path / "run", "--threads", str(before[1] + 1)) == (130 if stopped else 0)
    assert seen == [(signal.default_int_handler, before[1] + 1)]
    assert (signal.getsignal(signal.SIGTERM), torch.get_num_threads()) == before


# --- what is refused -------------------------------------------------------------------------------------------------


def test_an_old_folder_is_not_overwritten(finished: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = {file: file.stat().st_mtime_ns for file in finished.iterdir()}
    told = error_of(capsys, train(finished))
    assert f"{finished} is there already: choose another --out, or --resume {finished}" in told
    assert {file: file.stat().st_mtime_ns for file in finished.iterdir()} == before


@pytest.mark.parametrize("words", [["--lr", "0.1"], ["--seed", "0"], ["--net", "8", "8"], ["--demo"], ["--out", "x"]])
def test_resume_keeps_its_settings(finished: Path, words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    told = error_of(capsys, resume(finished, *words))
    assert "--resume goes on with the run's own settings; only --steps and --threads may be changed" in told


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["mustag", "--out", "OUT"], "unknown game 'mustag'; did you mean 'mustang'?"),
        (["mustang"], "a game and --out FOLDER are needed, or --resume FOLDER"),
        (["--out", "OUT"], "a game and --out FOLDER are needed, or --resume FOLDER"),
        (["mustang", "--out", "OUT", "--players", "6"], "num_players 6 is out of range; Mustang takes 2 to 5"),
        (["mustang", "--out", "OUT", "--n-steps", "0"], "n_steps: expected an integer from 1 to 2147483647, got 0"),
        (["mustang", "--out", "OUT", "--opponent", "gredy"], "unknown policy 'gredy'; did you mean 'greedy'?"),
        (["mustang", "--out", "OUT", "--opponent", "pool:random,gredy"], "unknown policy 'gredy'"),
        (["mustang", "--out", "OUT", "--opponent", "no/where"], "no/where: not there; expected a checkpoint (.zip)"),
        (
            ["mustang", "--out", "OUT", "--players", "4", "--opponent", "random,greedy"],
            "--opponent 'random,greedy' lists 2; with 4 players expected 1 or 3",
        ),
        (
            ["mustang", "--out", "OUT", "--opponent", "random,greedy"],
            "--opponent 'random,greedy' lists 2; with 2 players expected 1\n",
        ),
        *(
            (["mustang", "--out", "OUT", "--opponent", text], f"--opponent {text!r} has an empty place; expected NAME")
            for text in ("pool:", "pool:random,", "random,", ",")
        ),
        (["mustang", "--out", "OUT", "--opponent", ""], "opponent: expected a word, got ''"),
        (["mustang", "--out", f"{__file__}/run"], f"--out {__file__}/run: {__file__} is no folder"),
        (["mustang", "--demo", "--out", __file__], f"--out {__file__} is a file; expected a folder"),
        (["--resume", "OUT"], "settings.json: not there; expected the folder of a training run"),
    ],
)
def test_bad_calls_are_refused_before_anything_is_written(
    words: list[str], message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    code = main([str(out) if word == "OUT" else word for word in words])
    assert message in error_of(capsys, code)
    assert not out.exists()


def test_more_games_than_there_is_memory_for(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: Any, **__: Any) -> None:
        raise MemoryError("Unable to allocate 9 TiB")

    monkeypatch.setattr("agents.training.run.SeatVecEnv", refuse)
    assert "Unable to allocate 9 TiB" in error_of(capsys, train(tmp_path / "run"))
    assert not (tmp_path / "run").exists()


# --- checkpoints that do not fit -------------------------------------------------------------------------------------


def truncate(path: Path) -> None:
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def garble(path: Path) -> None:
    path.write_bytes(b"no zip at all")


def empty(path: Path) -> None:
    zipfile.ZipFile(path, "w").close()


def flip(path: Path) -> None:
    """A byte within the weights, which the archive's checksum gives away."""
    data = bytearray(path.read_bytes())
    with zipfile.ZipFile(path) as archive:
        start = archive.getinfo("policy.pth").header_offset
    data[start + 2000] ^= 0xFF
    path.write_bytes(data)


@pytest.mark.parametrize("damage", [truncate, garble, empty, flip])
def test_a_damaged_checkpoint(run_folder: Path, damage: Any, capsys: pytest.CaptureFixture[str]) -> None:
    file = run_folder / latest(run_folder)["checkpoint"]
    damage(file)
    message = f"{file}: no checkpoint of MaskablePPO, or damaged: "
    assert message in error_of(capsys, resume(run_folder))
    assert message in error_of(capsys, evaluate(["mustang", "--agents", str(file), "--deals", "2"]))
    with pytest.raises(CheckpointError, match="no checkpoint of MaskablePPO, or damaged"):
        SB3Policy.load(run_folder, GAME)


@pytest.mark.parametrize("damage", [truncate, garble, Path.unlink])
def test_a_damaged_checkpoint_names_an_older_whole_one(
    run_folder: Path, damage: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    newest, older = run_folder / "step_0000000512.zip", run_folder / "step_0000000256.zip"
    older.write_bytes(newest.read_bytes())
    garble(run_folder / "step_0000000300.zip")
    damage(newest)
    told = error_of(capsys, resume(run_folder))
    assert told.endswith(
        f"; {older} is whole: name it as the agent, or move step_0000000512.zip and latest.json away "
        f"and --resume goes on from it\n"
    )
    assert told.count(str(newest)) == 1
    assert evaluate(["mustang", "--agents", str(older), "random", "--deals", "2"]) == 0
    newest.unlink(missing_ok=True)
    (run_folder / LATEST).unlink()
    (run_folder / "step_0000000300.zip").unlink()
    capsys.readouterr()
    assert resume(run_folder) == 0
    assert f"resumed from step 256, checkpoint {older}\n" in capsys.readouterr().out


def test_a_checkpoint_of_another_game(run_folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    change_json(run_folder / LATEST, game="mustang_v9")
    message = "trained for mustang_v9, not for mustang_v0"
    assert message in error_of(capsys, resume(run_folder))
    assert message in error_of(capsys, evaluate(["mustang", "--agents", str(run_folder), "--deals", "2"]))
    assert message in error_of(capsys, train(tmp_path / "next", "--opponent", str(run_folder)))
    file = run_folder / latest(run_folder)["checkpoint"]
    with pytest.raises(CheckpointError, match=message):
        SB3Policy.load(file, GAME)
    # The model itself fits: only the run says what it is of.
    assert SB3Policy.load(file.rename(tmp_path / file.name), GAME).name == file.stem


def test_a_model_of_other_sizes(run_folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    model = type(fresh_model())("MlpPolicy", SeatVecEnv(TINY_GAME, 2, 2), n_steps=8, device="cpu")
    alone = tmp_path / "tiny.zip"
    model.save(alone)
    message = (
        f"its policy takes observations of ({TINY_GAME.observation_size},) and {TINY_GAME.num_actions} actions; "
        f"mustang_v0 has ({GAME.observation_size},) and {GAME.num_actions}"
    )
    assert message in error_of(capsys, evaluate(["mustang", "--agents", str(alone), "--deals", "2"]))
    model.save(run_folder / latest(run_folder)["checkpoint"])
    assert message in error_of(capsys, resume(run_folder))


def test_folders_that_lack_something(run_folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    settings = json.loads((run_folder / SETTINGS).read_text())
    (run_folder / SETTINGS).write_text(json.dumps({**settings, "colour": "red"}))
    assert f"{run_folder / SETTINGS} does not fit this version; unknown: colour" in error_of(capsys, resume(run_folder))
    (run_folder / SETTINGS).write_text('{"game": ')
    assert "settings.json: cannot be read: " in error_of(capsys, resume(run_folder))
    (run_folder / SETTINGS).write_text("[]")
    assert "settings.json: expected a JSON object" in error_of(capsys, resume(run_folder))
    (run_folder / SETTINGS).write_text(json.dumps(settings))

    (run_folder / latest(run_folder)["checkpoint"]).unlink()
    assert "step_0000000512.zip: no checkpoint" in error_of(capsys, resume(run_folder))
    (run_folder / SETTINGS).unlink()
    assert "settings.json: not there; expected the folder of a training run" in error_of(capsys, resume(run_folder))


# --- opponents -------------------------------------------------------------------------------------------------------


def test_what_opponents_may_be(finished: Path) -> None:
    assert parse_opponents("greedy", GAME, 4) == GreedyPolicy()
    assert parse_opponents("greedy,random", GAME, 3) == [GreedyPolicy(), RandomPolicy()]
    assert parse_opponents("random", GAME, 2) == RandomPolicy()
    pool = parse_opponents("pool:random,greedy", GAME, 5)
    assert isinstance(pool, Pool)
    assert list(pool.policies) == [RandomPolicy(), GreedyPolicy()]
    newest = next(finished.glob("*.zip"))
    for path in (finished, newest):
        trained = parse_opponents(str(path), GAME, 3)
        assert isinstance(trained, SB3Policy)
        assert trained.name == path.stem
    mixed = parse_opponents(f"pool:random,{finished}", GAME, 3)
    assert [policy.name for policy in mixed.policies] == ["random", finished.name]
    with pytest.raises(ValueError, match="'random,random' lists 2; with 4 players expected 1 or 3"):
        parse_opponents("random,random", GAME, 4)


def test_names_win_over_folders(run_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(run_folder.parent)
    run_folder.rename("greedy")
    assert parse_agent("greedy", GAME) == GreedyPolicy()
    assert isinstance(parse_agent("./greedy", GAME), SB3Policy)
    Path("greedy").rename("mine")
    assert isinstance(parse_agent("mine", GAME), SB3Policy)
    with pytest.raises(ValueError, match="unknown policy 'mne'"):
        parse_agent("mne", GAME)


def test_an_agent_needs_a_name() -> None:
    with pytest.raises(ValueError, match="an agent without a name; expected a name, as in greedy, or a path"):
        parse_agent("", GAME)


@pytest.mark.parametrize(
    "opponent", ["greedy", "random,greedy", "pool:random,greedy", "FINISHED", "pool:FINISHED,random"]
)
def test_trains_against(opponent: str, finished: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = opponent.replace("FINISHED", str(finished))
    assert train(tmp_path / "run", "--steps", "256", "--players", "3", "--opponent", text) == 0
    assert f"Mustang, 3 players, against {text}: 256 steps" in capsys.readouterr().out
    assert latest(tmp_path / "run")["players"] == [3]
