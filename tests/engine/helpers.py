"""What several tests of the engine need."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tablezoo import Batch
from tablezoo.testing.case import RandomPlay, differing, fields, outputs
from tests.engine import tiny

ROOT = Path(__file__).resolve().parents[2]


def everything(batch: Batch) -> dict[str, NDArray[Any]]:
    """Copies of all outputs and all fields of the records."""
    return outputs(batch) | fields(batch.states)


def same(one: dict[str, NDArray[Any]], other: dict[str, NDArray[Any]]) -> bool:
    return not differing(one, other)


def play(batch: Batch, steps: int, seed: int = 0) -> Batch:
    """Play random actions, each lane its own."""
    chosen = RandomPlay(batch, seed)
    for _ in range(steps):
        batch.step(chosen.actions())
    return batch


def play_out(batch: Batch, seed: int = 0) -> Batch:
    """Play random actions until all games are over; for batches without autoreset."""
    chosen = RandomPlay(batch, seed)
    while (batch.seat >= 0).any():
        batch.step(chosen.actions())
    return batch


def legal_action(batch: Batch, lane: int = 0) -> int:
    return int(np.flatnonzero(batch.action_mask[lane])[0])


def illegal_action(batch: Batch, lane: int = 0) -> int:
    return int(np.flatnonzero(~batch.action_mask[lane])[0])


def write_position(batch: Batch, lane: int, hands: list[list[int]], tables: list[list[int]], deck: list[int]) -> None:
    """Set a lane of the tiny game: the values in each hand and on each table, the deck's top last."""
    record = batch.states[lane]
    for seat, (hand, table) in enumerate(zip(hands, tables, strict=True)):
        record["hand"][seat] = np.bincount(np.array(hand, int), minlength=tiny.VALUES)
        record["table"][seat] = np.bincount(np.array(table, int), minlength=tiny.VALUES)
    record["deck"] = 0
    record["deck"][: len(deck)] = deck
    record["deck_size"] = len(deck)


def run_python(code: str, *, timeout: float = 120, **environment: str) -> str:
    """Return what a program prints in a process of its own, in which the repository can be imported."""
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code],
        env={**os.environ, "PYTHONPATH": str(ROOT), **environment},
        capture_output=True,
        text=True,
        timeout=timeout,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout
