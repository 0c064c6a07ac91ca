"""Checks of copies and buffers: nothing handed out changes later, no copy touches its original."""

from __future__ import annotations

import pickle
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tablezoo.batch import Batch
from tablezoo.game import Game, load_game
from tablezoo.testing.case import OUTPUTS, Case, RandomPlay, differing, fields, outputs
from tablezoo.testing.report import Skipped


def clones(case: Case) -> None:
    """A clone plays on exactly as the original does, and neither touches the other."""
    for decision, batch in case.smaller(games=4, samples=4).sampled(autoreset=True, max_turns=10):
        if decision > 200:
            return
        before = fields(batch.states) | outputs(batch)
        copy, other = batch.clone(), batch.clone()
        plays = [RandomPlay(copy, case.seed + 1), RandomPlay(other, case.seed + 1)]
        for _ in range(20):
            copy.step(plays[0].actions())
        changed = differing(before, fields(batch.states) | outputs(batch))
        if changed:
            case.fail(f"playing a clone changes the original's {changed}", None, decision)
            return
        for _ in range(20):
            other.step(plays[1].actions())
        changed = differing(fields(copy.states) | outputs(copy), fields(other.states) | outputs(other))
        if changed:
            case.fail(f"two clones played alike differ in {changed}", None, decision)
            return


def buffers(case: Case) -> None:
    """Views are read-only, what a method returns is never overwritten, and refreshing an untouched batch changes
    nothing."""
    batch = case.batch(autoreset=True)
    play = RandomPlay(batch, case.seed)
    kept: list[tuple[str, int, NDArray[Any], NDArray[Any]]] = []
    for decision in range(30):
        handed: dict[str, NDArray[Any]] = {
            "observe()": batch.observe(0),
            "state()": batch.state(),
            "random_actions()": batch.random_actions(np.random.default_rng(decision)),
        }
        kept += [(name, decision, array, array.copy()) for name, array in handed.items()]
        batch.step(play.actions())
        before = outputs(batch)
        batch.refresh()
        changed = differing(before, outputs(batch))
        if changed:
            case.fail(f"refresh() changes {changed}", None, decision + 1)
            return
    for name, decision, array, was in kept:
        if not np.array_equal(array, was):
            case.fail(f"what {name} returned was overwritten later", None, decision)
            return
    for name in (*OUTPUTS, "num_players"):
        if getattr(batch, name).flags.writeable:
            case.fail(f"{name} can be written from outside")


def saves(case: Case) -> None:
    """A saved or pickled batch plays on as the original does."""
    importable(case.game)
    batch = case.batch(autoreset=True)
    play = RandomPlay(batch, case.seed)
    for _ in range(15):
        batch.step(play.actions())
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "batch.npz"
        batch.save(path)
        restored = {"save and load": Batch.load(path), "pickle": pickle.loads(pickle.dumps(batch))}
    for name, copy in restored.items():
        changed = differing(fields(batch.states) | outputs(batch), fields(copy.states) | outputs(copy))
        if changed:
            case.fail(f"{name} changes {changed}")
            return
    plays = {name: RandomPlay(copy, case.seed + 1) for name, copy in restored.items()}
    play = RandomPlay(batch, case.seed + 1)
    for decision in range(60):
        batch.step(play.actions())
        for name, copy in restored.items():
            copy.step(plays[name].actions())
            changed = differing(outputs(batch), outputs(copy))
            if changed:
                case.fail(f"after {name}, {changed} differ from the original's", None, decision + 1)
                return


def importable(game: Game) -> None:
    """Skipped the check if the game's ``ref`` does not import this very game."""
    try:
        found: Game | None = load_game(game.ref)
    except (ImportError, ValueError) as error:
        raise Skipped(f"the game cannot be imported as {game.ref!r}: {error}") from error
    if found is not game:
        raise Skipped(f"{game.ref!r} imports another game than this")
