"""Golden playthroughs: whole games, a decision a line, that may change only on purpose.

``python -m tests.stabletimes.test_golden --write`` writes them anew; the difference is reviewed like code.
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from stabletimes_env import GAME
from tablezoo import Batch

FOLDER = Path(__file__).parent / "goldens"
CONTENT = Path(__file__).parent / "content"


@dataclass(frozen=True)
class Golden:
    """A game: its name, players, seed and options, and a content set of the tests if not the game's own."""

    name: str
    players: int
    seed: int
    options: dict[str, Any]
    content: str | None = None

    @property
    def path(self) -> Path:
        return FOLDER / f"{self.name}.txt"

    def batch(self) -> Batch:
        content = None if self.content is None else CONTENT / self.content
        return Batch(
            GAME, 1, num_players=self.players, seed=self.seed, autoreset=False, content=content, **self.options
        )


GOLDENS = [
    Golden("players_1", 1, 10, {}),
    Golden("players_2", 2, 11, {}),
    Golden("players_3", 3, 12, {}),
    Golden("players_4", 4, 13, {}),
    Golden("players_5", 5, 14, {}),
    Golden("options", 3, 15, {"boards": [4, 0, 2], "start_seat": 1}),
    Golden("content", 3, 16, {"boards": ["Rivals", "Sets", "Kinds"]}, "rules.toml"),
    Golden("cut", 2, 17, {"max_turns": 12}),
]


def lines_of(golden: Golden, actions: Iterator[int]) -> list[str]:
    """Play ``actions`` and tell what happens: what each seat that is asked sees, as a hash, and what it does."""
    batch = golden.batch()
    lines = [f"{GAME.id}, players {golden.players}, seed {golden.seed}, options {golden.options}"]
    if golden.content is not None:
        lines[0] += f", content {golden.content}"
    while batch.seat[0] >= 0:
        seen = hashlib.sha256(batch.observation.tobytes() + batch.action_mask.tobytes()).hexdigest()[:8]
        action = next(actions)
        turn, seat = batch.states["turn"][0], batch.seat[0]
        lines.append(f"turn {turn} seat {seat} sees {seen} plays {action} {GAME.action_label(action)}")
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


def chosen_actions(golden: Golden) -> list[int]:
    """Return the actions of a lively game: uniform among the legal ones, but in half of the decisions no stop."""
    batch = golden.batch()
    rng = np.random.default_rng(golden.seed)
    actions = []
    while batch.seat[0] >= 0:
        legal = np.flatnonzero(batch.action_mask[0])
        stop = legal[-1] == GAME.num_actions - 1
        if stop and legal.size > 1:
            legal = legal[-1:] if rng.random() < 0.5 else legal[:-1]
        actions.append(int(rng.choice(legal)))
        batch.step([actions[-1]])
    return actions


@pytest.mark.parametrize("golden", GOLDENS, ids=lambda golden: golden.name)
def test_the_game_is_played_as_it_was(golden: Golden) -> None:
    text = golden.path.read_text(encoding="utf-8")
    assert lines_of(golden, actions_in(text)) == text.splitlines(), (
        f"{golden.path.name} is played differently; if that is intended, bump the version and run "
        "python -m tests.stabletimes.test_golden --write"
    )


def test_the_goldens_cover_what_a_game_has() -> None:
    told = "\n".join(golden.path.read_text(encoding="utf-8") for golden in GOLDENS)
    for word in ("take the top one of the deck", "take the top one of field", "place the horse", "discard", "stop"):
        assert word in told
    assert "cut in turn 12" in told
    assert told.count("ended in turn") == len(GOLDENS) - 1


def test_no_golden_is_left_over() -> None:
    assert {path.name for path in FOLDER.iterdir()} == {golden.path.name for golden in GOLDENS}


if __name__ == "__main__":
    if sys.argv[1:] != ["--write"]:
        sys.exit("usage: python -m tests.stabletimes.test_golden --write")
    FOLDER.mkdir(exist_ok=True)
    for golden in GOLDENS:
        text = "\n".join(lines_of(golden, iter(chosen_actions(golden)))) + "\n"
        golden.path.write_text(text, encoding="utf-8")
        print(f"{golden.path.name}: {text.count(' plays ')} decisions")
