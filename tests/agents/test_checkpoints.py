"""Run folders: what lies in them is told in words where it does not fit, and loading leaves no trace."""

from __future__ import annotations

import json
import random
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from agents.checkpoints import LATEST, METRICS, CheckpointError, append_row, load_model, read_latest, read_metrics
from agents.policies.sb3_policy import SB3Policy
from agents.train import main
from mustang_env import GAME

from .helpers import change_json, latest, metrics


def test_loading_leaves_all_random_generators_as_they_are(finished: Path) -> None:
    random.seed(1)
    np.random.seed(2)  # noqa: NPY002  # the global state is what is looked at
    torch.manual_seed(3)
    before = random.getstate(), repr(np.random.get_state()), torch.get_rng_state()  # noqa: NPY002
    for path in (finished, next(finished.glob("*.zip"))):
        SB3Policy.load(path, GAME)
    assert random.getstate() == before[0]
    assert repr(np.random.get_state()) == before[1]  # noqa: NPY002
    assert torch.equal(torch.get_rng_state(), before[2])


# --- latest.json -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("value", [None, 3.5, True, [], {}], ids=str)
@pytest.mark.parametrize(("name", "words"), [("checkpoint", "a string"), ("steps", "an integer"), ("game", "a string")])
def test_a_key_of_latest_json_that_is_missing_or_odd(
    run_folder: Path, name: str, words: str, value: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    data = latest(run_folder)
    if value is None:
        del data[name]
        (run_folder / LATEST).write_text(json.dumps(data))
    else:
        change_json(run_folder / LATEST, **{name: value})
    given = "nothing" if value is None else repr(value)
    message = f"{run_folder / LATEST}: {name}: expected {words}, as a training run writes it, got {given}"
    with pytest.raises(CheckpointError, match=re.escape(message)):
        load_model(run_folder, GAME)
    assert main(["--resume", str(run_folder)]) == 2
    assert capsys.readouterr().err == f"error: {message}\n"


@pytest.mark.parametrize("named", ["", "nowhere.zip", "tensorboard", METRICS, LATEST])
def test_latest_json_names_what_is_no_checkpoint(run_folder: Path, named: str) -> None:
    change_json(run_folder / LATEST, checkpoint=named)
    message = f"{run_folder / named}: no checkpoint of MaskablePPO, or damaged: "
    with pytest.raises(CheckpointError, match=re.escape(message)):
        load_model(run_folder, GAME)


def test_a_run_stopped_before_latest_json_goes_on_from_its_newest_file(run_folder: Path) -> None:
    (run_folder / LATEST).unlink()
    for name in ("step_0000000099.zip", "step_0000000512.zip.bak", "step_9.zip", "odd.zip"):
        (run_folder / name).write_bytes(b"")
    (run_folder / "folder.zip").mkdir()
    found = read_latest(run_folder)
    assert (found.checkpoint, found.steps, found.game) == ("step_0000000512.zip", 512, None)
    assert load_model(run_folder, GAME).num_timesteps == 512
    assert main(["--resume", str(run_folder), "--steps", "768"]) == 0
    assert latest(run_folder)["steps"] == 768


def test_a_folder_of_nothing(tmp_path: Path) -> None:
    with pytest.raises(CheckpointError, match=r"latest\.json: not there; expected the folder of a training run"):
        load_model(tmp_path, GAME)


# --- metrics.jsonl ---------------------------------------------------------------------------------------------------


def test_what_is_appended_is_read(tmp_path: Path) -> None:
    path = tmp_path / METRICS
    assert read_metrics(path) == ([], False)
    rows = [{"steps": steps, "deals": 2, "win_rates": {"random": [0.5, 0.1]}} for steps in (1, 2)]
    for row in rows:
        append_row(path, row)
    assert read_metrics(path) == (rows, False)
    whole = path.read_bytes()
    cut = whole.index(b"\n") + 1
    for length in range(cut + 1, len(whole) - 2):
        path.write_bytes(whole[:length])
        assert read_metrics(path) == (rows[:1], True)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('{"steps": ', "cannot be read: "),
        ("[" * 100_000, "cannot be read: "),
        ("[]", "expected steps and win_rates or scores, as an evaluation writes them"),
        ("3", "expected steps and win_rates or scores"),
        ('{"win_rates": {}}', "expected steps and win_rates or scores"),
        ('{"steps": "1", "win_rates": {}}', "expected steps and win_rates or scores"),
        ('{"steps": 1, "win_rates": [1, 2]}', "expected steps and win_rates or scores"),
        ('{"steps": 1, "win_rates": {"random": 0.5}}', "expected steps and win_rates or scores"),
    ],
)
def test_an_odd_line_is_told_with_its_number(
    run_folder: Path, line: str, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    row = json.dumps(metrics(run_folder)[0])
    text = f"{row}\n{line}\n{row}\n"
    (run_folder / METRICS).write_text(text)
    assert main(["--resume", str(run_folder)]) == 2
    assert capsys.readouterr().err.startswith(f"error: {run_folder / METRICS}, line 2: {message}")
    assert (run_folder / METRICS).read_text() == text


def test_metrics_that_are_no_file(run_folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (run_folder / METRICS).unlink()
    (run_folder / METRICS).mkdir()
    assert main(["--resume", str(run_folder)]) == 2
    told = capsys.readouterr().err
    assert "metrics.jsonl: cannot be read: " in told
    assert told.count(str(run_folder)) == 1
