"""Golden playthroughs: whole games, a decision a line, that may change only on purpose.

``python -m tests.stabletimes.test_golden --write`` writes them anew; the difference is reviewed like code.
"""

from __future__ import annotations

import functools
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from stabletimes_env import GAME
from tests.goldens import Golden, compare, told, write

FOLDER = Path(__file__).parent
golden = functools.partial(Golden, GAME, FOLDER)

GOLDENS = [
    golden("players_1", 1, 10, {}),
    golden("players_2", 2, 11, {}),
    golden("players_3", 3, 12, {}),
    golden("players_4", 4, 13, {}),
    golden("players_5", 5, 14, {}),
    golden("options", 3, 15, {"boards": [4, 0, 2], "start_seat": 1}),
    golden("content", 3, 16, {"boards": ["Rivals", "Sets", "Kinds"]}, "rules.toml"),
    golden("cut", 2, 17, {"max_turns": 12}),
]


def narrow(legal: NDArray[Any], rng: np.random.Generator) -> NDArray[Any]:
    """Where there is a stop and more, leave in half of the decisions the stop alone, else all the rest."""
    if legal[-1] != GAME.num_actions - 1 or legal.size == 1:
        return legal
    return legal[-1:] if rng.random() < 0.5 else legal[:-1]


@pytest.mark.parametrize("golden", GOLDENS, ids=lambda golden: golden.name)
def test_the_game_is_played_as_it_was(golden: Golden) -> None:
    compare(golden)


def test_the_goldens_cover_what_a_game_has() -> None:
    text = told(GOLDENS)
    for word in ("take the top one of the deck", "take the top one of field", "place the horse", "discard", "stop"):
        assert word in text
    assert "cut in turn 12" in text
    assert text.count("ended in turn") == len(GOLDENS) - 1


def test_no_golden_is_left_over() -> None:
    assert {path.name for path in (FOLDER / "goldens").iterdir()} == {golden.path.name for golden in GOLDENS}


if __name__ == "__main__":
    write(GOLDENS, narrow)
