"""Golden playthroughs of any game: how they are played, told, compared and written."""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tablezoo import Batch
from tablezoo.game import Game

#: ``narrow(legal, rng)`` returns the legal actions that a lively game chooses from.
Narrow = Callable[[NDArray[Any], np.random.Generator], NDArray[Any]]


@dataclass(frozen=True)
class Golden:
    """A game of ``folder``'s tests: its name, players, seed and options, and a content set if not the game's own."""

    game: Game
    folder: Path
    name: str
    players: int
    seed: int
    options: dict[str, Any]
    content: str | None = None

    @property
    def path(self) -> Path:
        return self.folder / "goldens" / f"{self.name}.txt"

    def batch(self) -> Batch:
        content = None if self.content is None else self.folder / "content" / self.content
        return Batch(
            self.game, 1, num_players=self.players, seed=self.seed, autoreset=False, content=content, **self.options
        )


def lines_of(golden: Golden, actions: Iterator[int]) -> list[str]:
    """Play ``actions`` and tell what happens: what each seat that is asked sees, as a hash, and what it does."""
    batch, game = golden.batch(), golden.game
    lines = [f"{game.id}, players {golden.players}, seed {golden.seed}, options {golden.options}"]
    if golden.content is not None:
        lines[0] += f", content {golden.content}"
    while batch.seat[0] >= 0:
        seen = hashlib.sha256(batch.observation.tobytes() + batch.action_mask.tobytes()).hexdigest()[:8]
        action = next(actions)
        turn, seat = batch.states["turn"][0], batch.seat[0]
        lines.append(f"turn {turn} seat {seat} sees {seen} plays {action} {game.action_label(action)}")
        batch.step([action])
    end = "ended" if batch.terminated[0] else "cut"
    results = (batch.scores, batch.ranks, batch.rewards)
    scores, ranks, rewards = ([f"{value:g}" for value in array[0, : golden.players]] for array in results)
    lines.append(
        f"{end} in turn {batch.states['turn'][0]}: scores {' '.join(scores)}, ranks {' '.join(ranks)}, "
        f"rewards {' '.join(rewards)}"
    )
    return lines


def actions_in(text: str) -> Iterator[int]:
    """Yield the actions that a golden tells."""
    for line in text.splitlines():
        if " plays " in line:
            yield int(line.partition(" plays ")[2].split()[0])


def chosen_actions(golden: Golden, narrow: Narrow) -> list[int]:
    """Return the actions of a lively game, uniform among those that ``narrow`` leaves of the legal ones."""
    batch = golden.batch()
    rng = np.random.default_rng(golden.seed)
    actions = []
    while batch.seat[0] >= 0:
        actions.append(int(rng.choice(narrow(np.flatnonzero(batch.action_mask[0]), rng))))
        batch.step([actions[-1]])
    return actions


def compare(golden: Golden) -> None:
    """Assert that a game is played as it was written down."""
    text = golden.path.read_text(encoding="utf-8")
    assert lines_of(golden, actions_in(text)) == text.splitlines(), (
        f"{golden.path.name} is played differently; if that is intended, bump the version and run "
        f"python -m tests.{golden.folder.name}.test_golden --write"
    )


def told(goldens: Sequence[Golden]) -> str:
    """Return the text of all goldens."""
    return "\n".join(golden.path.read_text(encoding="utf-8") for golden in goldens)


def write(goldens: Sequence[Golden], narrow: Narrow) -> None:
    """Play the goldens anew and write them: the command ``python -m tests.GAME.test_golden --write``."""
    folder = goldens[0].folder
    if sys.argv[1:] != ["--write"]:
        sys.exit(f"usage: python -m tests.{folder.name}.test_golden --write")
    for golden in goldens:
        golden.path.parent.mkdir(exist_ok=True)
        text = "\n".join(lines_of(golden, iter(chosen_actions(golden, narrow)))) + "\n"
        golden.path.write_text(text, encoding="utf-8")
        print(f"{golden.path.name}: {text.count(' plays ')} decisions")
