"""Nothing of a content set is baked into the compiled code: sets are data that lanes and batches differ in."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from stabletimes_env import GAME
from tablezoo import Batch
from tablezoo.compiling import UNCOMPILED
from tablezoo.specialise import loops_of

FOLDER = Path(__file__).parent / "content"
SETS = ["original", str(FOLDER / "tiny.toml"), str(FOLDER / "rules.toml"), "procedural:5"]


def played(batch: Batch, decisions: int = 60) -> Batch:
    rng = np.random.default_rng(0)
    for _ in range(decisions):
        batch.step(batch.random_actions(rng))
    return batch


def test_lanes_play_their_own_set() -> None:
    together = played(Batch(GAME, 8, 2, seed=0, content=SETS))
    for index, content in enumerate(SETS):
        alone = played(Batch(GAME, 8, 2, seed=0, content=content))
        lanes = np.arange(index, 8, len(SETS))
        assert np.array_equal(together.observation[lanes], alone.observation[lanes])
        assert np.array_equal(together.scores[lanes], alone.scores[lanes])
    assert len({together.observation[lane].tobytes() for lane in range(8)}) == 8


@pytest.mark.skipif(UNCOMPILED, reason="nothing is compiled")
def test_another_set_compiles_nothing() -> None:
    played(Batch(GAME, 2, seed=0))
    loops = loops_of(GAME)
    before = len(loops.step_lanes.signatures)  # type: ignore[attr-defined]  # a dispatcher of Numba's
    for content in SETS:
        played(Batch(GAME, 2, seed=0, content=content))
    played(Batch(GAME, 8, [1, 2, 3, 4, 5], seed=0, content=SETS))
    assert len(loops.step_lanes.signatures) == before == 1  # type: ignore[attr-defined]


def test_a_saved_batch_keeps_its_sets(tmp_path: Path) -> None:
    batch = played(Batch(GAME, 8, 3, seed=0, content=SETS))
    batch.save(tmp_path / "games.npz")
    again = Batch.load(tmp_path / "games.npz")
    assert [content.hash for content in again.contents] == [content.hash for content in batch.contents]
    assert np.array_equal(played(again).observation, played(batch).observation)
