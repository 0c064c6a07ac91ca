"""What a run may be made of: each fault is told, and all of them at once."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch

from agents.checkpoints import CheckpointError
from agents.settings import Settings
from agents.train import main

FITTING = Settings("mustang")

HERE = "cpu, cuda" if torch.cuda.is_available() else "cpu (torch finds no GPU here)"

FAULTS = [
    ("game", "mustag", "unknown game 'mustag'; did you mean 'mustang'?"),
    ("game", 3, "game: expected a word, got 3"),
    ("players", 2, "players: expected a tuple of numbers, got 2"),
    ("players", (), "players: expected a tuple of numbers, got ()"),
    ("players", (3, 2), "players: expected numbers that rise, got 3, 2"),
    ("players", (9,), "num_players 9 is out of range; Mustang takes 2 to 5"),
    ("players", (2.0,), "num_players 2.0 is no integer; Mustang takes 2 to 5"),
    ("opponent", "", "opponent: expected a word, got ''"),
    ("steps", 0, "steps: expected an integer from 1 to 9999999999, got 0"),
    ("steps", -5, "steps: expected an integer from 1 to 9999999999, got -5"),
    ("steps", "many", "steps: expected an integer from 1 to 9999999999, got 'many'"),
    ("seed", -1, "seed: expected an integer from 0 to 9223372036854775807, got -1"),
    ("envs", 0, "envs: expected an integer from 1 to 2147483647, got 0"),
    ("threads", 0, "threads: expected an integer from 1 to 1024, got 0"),
    ("n_steps", 0, "n_steps: expected an integer from 1 to 2147483647, got 0"),
    ("n_steps", True, "n_steps: expected an integer from 1 to 2147483647, got True"),
    ("batch_size", 0, "batch_size: expected an integer from 2 to 2147483647, got 0"),
    ("batch_size", 1, "batch_size: expected an integer from 2 to 2147483647, got 1"),
    ("batch_size", 2049, "batch_size: expected a divisor of envs x n_steps = 256 x 64 = 16384, got 2049"),
    ("batch_size", 32768, "batch_size: expected a divisor of envs x n_steps = 256 x 64 = 16384, got 32768"),
    ("n_epochs", 0, "n_epochs: expected an integer from 1 to 2147483647, got 0"),
    ("lr", 0.0, "lr: expected a number above 0, got 0.0"),
    ("lr", -1.0, "lr: expected a number above 0, got -1.0"),
    ("lr", float("inf"), "lr: expected a number above 0, got inf"),
    ("lr", "fast", "lr: expected a number above 0, got 'fast'"),
    ("lr_end", float("nan"), "lr_end: expected a number of 0 or more, got nan"),
    ("gamma", 2.0, "gamma: expected a number from 0 to 1, got 2.0"),
    ("gae_lambda", -0.1, "gae_lambda: expected a number from 0 to 1, got -0.1"),
    ("ent_coef", -1.0, "ent_coef: expected a number of 0 or more, got -1.0"),
    ("clip_range", 0.0, "clip_range: expected a number above 0, got 0.0"),
    ("reward_scale", 0.0, "reward_scale: expected a number above 0, got 0.0"),
    ("win_bonus", -1.0, "win_bonus: expected a number of 0 or more, got -1.0"),
    ("net", (0,), "net: expected an integer from 1 to 2147483647, got 0"),
    ("net", (), "net: expected the sizes of one layer or more, got ()"),
    ("net", 64, "net: expected the sizes of one layer or more, got 64"),
    ("reward", "wins", "reward='wins' is unknown; did you mean 'win'?"),
    ("eval_every", 0, "eval_every: expected an integer from 1 to 9999999999, got 0"),
    ("eval_deals", 1, "eval_deals: expected an integer from 2 to 2147483647, got 1"),
    ("final_deals", 0, "final_deals: expected an integer from 2 to 2147483647, got 0"),
    ("final_deals", 1, "final_deals: expected an integer from 2 to 2147483647, got 1"),
    ("checkpoint_every", 0, "checkpoint_every: expected an integer from 1 to 9999999999, got 0"),
    ("device", "tpu", f"device: expected auto, {HERE} or what else torch has, got 'tpu'"),
    ("device", "meta", f"device: expected auto, {HERE} or what else torch has, got 'meta'"),
]


@pytest.mark.parametrize(("name", "value", "message"), FAULTS, ids=str)
def test_a_fault_is_told(name: str, value: Any, message: str) -> None:
    with pytest.raises(ValueError) as raised:  # noqa: PT011  # the whole message is compared
        replace(FITTING, **{name: value})
    assert str(raised.value) == message
    data = {**FITTING.to_json(), name: list(value) if isinstance(value, tuple) else value}
    with pytest.raises(CheckpointError) as raised:
        Settings.from_json(data)
    assert str(raised.value) == f"settings.json: {message}"


@pytest.mark.parametrize(
    "values",
    [
        {"lr": 1, "lr_end": 0.0, "gamma": 1, "gae_lambda": 0.0, "ent_coef": 0.0, "clip_range": 3.0, "device": "auto"},
        {"envs": 1, "n_steps": 2, "batch_size": 2, "n_epochs": 1, "steps": 1, "eval_deals": 2, "net": (1,)},
    ],
    ids=str,
)
def test_what_is_at_the_edge_fits(values: dict[str, Any]) -> None:
    settings = replace(FITTING, **values)
    assert Settings.from_json(settings.to_json()) == settings


def test_the_command_line_tells_all_faults_and_makes_no_folder(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = "mustang --players 9 --n-steps 0 --batch-size 0 --lr 0 --net 0 --device tpu --final-deals 1"
    assert main([*words.split(), "--out", str(tmp_path / "run")]) == 2
    told = capsys.readouterr()
    assert not told.out
    assert told.err == (
        "error: num_players 9 is out of range; Mustang takes 2 to 5; "
        "n_steps: expected an integer from 1 to 2147483647, got 0; "
        "batch_size: expected an integer from 2 to 2147483647, got 0; "
        "final_deals: expected an integer from 2 to 2147483647, got 1; "
        "lr: expected a number above 0, got 0.0; net: expected an integer from 1 to 2147483647, got 0; "
        f"device: expected auto, {HERE} or what else torch has, got 'tpu'\n"
    )
    assert not (tmp_path / "run").exists()


def test_faults_of_opponents_and_of_the_folder_are_told_with_the_others(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").write_text("")
    words = "mustang --opponent nonsense --batch-size 77 --players 9"
    assert main([*words.split(), "--out", str(tmp_path / "file" / "run")]) == 2
    assert capsys.readouterr().err == (
        "error: num_players 9 is out of range; Mustang takes 2 to 5; "
        "batch_size: expected a divisor of envs x n_steps = 256 x 64 = 16384, got 77; "
        "unknown policy 'nonsense'; known: flat, greedy, pretrained, random, search (a path would do too: of a "
        "run's folder, a checkpoint or an .npz); "
        f"--out {tmp_path / 'file' / 'run'}: {tmp_path / 'file'} is no folder\n"
    )


@pytest.mark.skipif(torch.cuda.is_available(), reason="there is a GPU")
@pytest.mark.parametrize("device", ["cuda", "cuda:0"])
def test_a_gpu_that_is_not_there_is_refused(device: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["mustang", "--device", device, "--out", str(tmp_path / "run")]) == 2
    expected = "expected auto, cpu (torch finds no GPU here) or what else torch has"
    assert capsys.readouterr().err == f"error: device: {expected}, got {device!r}\n"


def test_settings_of_another_version_name_their_folder_and_what_is_odd() -> None:
    data = FITTING.to_json()
    del data["lr"], data["seed"]
    for changed, words in (
        ({**data}, "missing: lr, seed"),
        ({**FITTING.to_json(), "colour": 1}, "unknown: colour"),
        ({**data, "colour": 1}, "missing: lr, seed; unknown: colour"),
    ):
        with pytest.raises(CheckpointError) as raised:
            Settings.from_json(changed, Path("runs/old/settings.json"))
        assert str(raised.value) == f"runs/old/settings.json does not fit this version; {words}"
