"""Golden playthroughs: whole games, a decision a line, that may change only on purpose.

``python -m tests.fable.test_golden --write`` writes them anew; the difference is reviewed like code.
"""

from __future__ import annotations

import functools
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from fable_env import GAME
from tests.fable.places import LAST, LATE, MIDDLE
from tests.fable.test_conformance import locations_of, phase_of, running_step
from tests.goldens import Golden, actions_in, compare, told, write
from tests.oracles.fable import BUY, PHASES, PLAYER, SPEND, STACK, USE

FOLDER = Path(__file__).parent
golden = functools.partial(Golden, GAME, FOLDER)

GOLDENS = [
    golden("players_2", 2, 11, {}),
    golden("players_3", 3, 67, {}),
    golden("players_4", 4, 13, {}),
    golden("players_5", 5, 14, {}),
    golden("middle_2", 2, 39, {"stage": MIDDLE.to_json()}),
    golden("middle_3", 3, 58, {"stage": MIDDLE.to_json()}),
    golden("middle_4", 4, 45, {"campaign": MIDDLE.to_json()}),
    golden("middle_5", 5, 24, {"campaign": MIDDLE.to_json()}),
    golden("late_2", 2, 38, {"campaign": LATE.to_json()}),
    golden("late_3", 3, 33, {"stage": LATE.to_json(), "start_seat": 2}),
    golden("late_4", 4, 33, {"stage": LATE.to_json()}),
    golden("late_5", 5, 34, {"stage": LATE.to_json()}),
    golden("session", 3, 41, {"session": 3, "campaign": LAST.to_json(), "stage": LATE.to_json()}),
    golden("cut", 2, 42, {"max_turns": 12}),
]

#: Steps that ask somebody.
ASKING = (
    "discard", "gift", "gift_each", "gamble", "trade", "swap", "swap_hands", "steal", "ask", "each_gives", "pass",
    "cost", "salvage", "market", "refresh", "fruit_token", "thief", "copy", "order",
)  # fmt: skip


def narrow(legal: NDArray[Any], rng: np.random.Generator) -> NDArray[Any]:
    """Buy often where it can be, and mostly spend a double-turn token."""
    for wanted, often in ((BUY, 0.5), (SPEND, 0.8)):
        if wanted in legal and rng.random() < often:
            return np.array([wanted])
    return legal


@pytest.mark.parametrize("golden", GOLDENS, ids=lambda golden: golden.name)
def test_the_game_is_played_as_it_was(golden: Golden) -> None:
    compare(golden)


def test_the_goldens_cover_what_a_game_has() -> None:
    text = told(GOLDENS)
    for action in (STACK, USE, BUY, PLAYER):
        assert GAME.action_label(action) in text
    for words in ("mix", "token", "name ", "stop", "turn up another fruit", "spend a double-turn token"):
        assert words in text
    assert "cut in turn 12" in text
    assert text.count("ended in turn") == len(GOLDENS) - 1


def test_the_goldens_ask_in_each_phase_and_for_each_step() -> None:
    asked = {what for golden in GOLDENS for what in asked_in(golden)}
    assert asked >= {phase for phase in PHASES if phase not in ("run", "over")}
    missing = sorted(set(ASKING) - asked)
    assert not missing, f"never asked for: {missing}"


def asked_in(golden: Golden) -> set[str]:
    """Return the phases, and the steps, in which somebody is asked in a golden."""
    batch = golden.batch()
    locations = locations_of(batch.contents[0].record[0])
    asked: set[str] = set()
    for action in actions_in(golden.path.read_text(encoding="utf-8")):
        record = batch.states[0]
        step = running_step(record, locations)
        asked |= {phase_of(record)} | ({step.word} if step else set())
        batch.step([action])
    return asked


def test_no_golden_is_left_over() -> None:
    assert {path.name for path in (FOLDER / "goldens").iterdir()} == {golden.path.name for golden in GOLDENS}


if __name__ == "__main__":
    write(GOLDENS, narrow)
