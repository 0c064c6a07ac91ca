"""Golden playthroughs: whole games, a decision a line, that may change only on purpose.

``python -m tests.mustang.test_golden --write`` writes them anew; the difference is reviewed like code.
"""

from __future__ import annotations

import functools
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from mustang_env import GAME
from tests.goldens import Golden, compare, told, write

FOLDER = Path(__file__).parent
golden = functools.partial(Golden, GAME, FOLDER)

GOLDENS = [
    golden("players_2", 2, 11, {}),
    golden("players_3", 3, 12, {}),
    golden("players_4", 4, 13, {}),
    golden("players_5", 5, 14, {}),
    golden("events", 3, 15, {"events": ["rotten_gate", "heavy_rain", "delivery"], "start_seat": 1}),
    golden("cut", 2, 16, {"max_turns": 12}),
]


def narrow(legal: NDArray[Any], rng: np.random.Generator) -> NDArray[Any]:
    """Leave seldom a swap where there is more."""
    return legal[1:] if legal[0] == 0 and legal.size > 1 and rng.random() < 0.9 else legal


@pytest.mark.parametrize("golden", GOLDENS, ids=lambda golden: golden.name)
def test_the_game_is_played_as_it_was(golden: Golden) -> None:
    compare(golden)


def test_the_goldens_cover_what_a_game_has() -> None:
    text = told(GOLDENS)
    for word in ("swap cards", "on the prairie", "top counter of the", "steal the", "out of your corral", "decline"):
        assert word in text
    assert "cut in turn 12" in text
    assert text.count("ended in turn") == len(GOLDENS) - 1


def test_no_golden_is_left_over() -> None:
    assert {path.name for path in (FOLDER / "goldens").iterdir()} == {golden.path.name for golden in GOLDENS}


if __name__ == "__main__":
    write(GOLDENS, narrow)
