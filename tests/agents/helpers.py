"""Tiny runs."""

from __future__ import annotations

import json
import shlex
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from sb3_contrib import MaskablePPO

from agents.checkpoints import LATEST, METRICS
from agents.train import main
from mustang_env import GAME
from tablezoo import Batch, Views
from tablezoo.rng import OPPONENTS, seed_streams
from tablezoo.sb3 import SeatVecEnv

#: 256 steps a rollout.
TINY = shlex.split(
    "--players 2 --opponent random --envs 16 --n-steps 16 --batch-size 128 --n-epochs 1 --net 16 --threads 1 "
    "--eval-deals 2 --final-deals 2"
)


def train(folder: Path, *words: str) -> int:
    """Run the training's command line, tiny unless told otherwise; returns its exit code."""
    return main(["mustang", *TINY, "--out", str(folder), *words])


def latest(folder: Path) -> dict[str, Any]:
    data: dict[str, Any] = json.loads((folder / LATEST).read_text())
    return data


def change_json(path: Path, **values: Any) -> None:
    path.write_text(json.dumps({**json.loads(path.read_text()), **values}))


def metrics(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (folder / METRICS).read_text().splitlines()]


def fresh_model(seed: int = 0) -> MaskablePPO:
    """A network with random weights."""
    env = SeatVecEnv(GAME, 2, 2, seed=seed)
    return MaskablePPO("MlpPolicy", env, seed=seed, device="cpu", policy_kwargs={"net_arch": [32]}, n_steps=8)


def error_of(capsys: pytest.CaptureFixture[str], code: int) -> str:
    """The one line that a refused call prints."""
    told = capsys.readouterr()
    assert code == 2
    assert not told.out
    assert told.err.startswith("error: ")
    assert told.err.count("\n") == 1
    return told.err


def views_of(batch: Batch, seed: int = 0, lanes: NDArray[np.int64] | None = None) -> tuple[Views, NDArray[np.uint64]]:
    streams = seed_streams(seed, batch.num_games, OPPONENTS)
    return Views(batch, np.flatnonzero(batch.seat >= 0) if lanes is None else lanes, streams), streams
