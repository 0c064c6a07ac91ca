from __future__ import annotations

import pytest

from benchmarks.search import games_under_way, main
from mustang_env import GAME


def test_every_rollout_is_measured(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["mustang", "--iterations", "20", "--rounds", "1"]) == 0
    lines = [line for line in capsys.readouterr().out.splitlines() if "iterations a second" in line]
    assert [line.split()[:2] for line in lines] == [["random", "rollouts,"]] * 2 + [["greedy", "rollouts,"]] * 2
    assert all(float(line.split()[-4].replace(",", "")) > 100 for line in lines)


def test_games_are_half_over() -> None:
    batch = games_under_way(GAME, 3, 5)
    assert (batch.seat >= 0).all()
    assert (batch.states["turn"] > 5).all()


@pytest.mark.parametrize("words", [["chess"], ["mustang", "--players", "9"]])
def test_what_cannot_be_measured_is_refused(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(words) == 2
    assert capsys.readouterr().err.startswith("error:")
