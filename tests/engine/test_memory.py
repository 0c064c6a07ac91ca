"""Memory does not grow over many games."""

from __future__ import annotations

import gc
import os
from pathlib import Path

import numpy as np
import pytest

from tablezoo import Batch
from tests.engine.tiny import GAME


def resident_bytes() -> int:
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="reads /proc")
def test_memory_does_not_grow_over_ten_thousand_games():
    rng = np.random.default_rng(0)

    def games(number: int) -> None:
        batch = Batch(GAME, 64, num_players=[2, 3, 4], seed=0)
        over = 0
        while over < number:
            batch.step(batch.random_actions(rng))
            over += int((batch.terminated | batch.truncated).sum())
            batch.observe(0)
            batch.state()
            batch.clone([0]).determinize(0, over)

    games(500)
    gc.collect()
    before = resident_bytes()
    games(10_000)
    gc.collect()
    assert resident_bytes() - before < 5 * 2**20
