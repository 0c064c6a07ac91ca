"""Training and evaluation for one player alone, and on content sets: scores are compared, not wins."""

from __future__ import annotations

from pathlib import Path

import pytest

from agents import evaluate
from agents.checkpoints import CURVE
from agents.settings import Settings, defaults_of
from agents.train import main

from .helpers import TINY, metrics

_NET = TINY.index("--net")
SOLO = ["--players", "1", *TINY[4:_NET], *TINY[_NET + 2 :]]


@pytest.fixture(scope="module")
def solo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("solo") / "run"
    assert (
        main(["stabletimes", *SOLO, "--steps", "512", "--content", "procedural:1", "original", "--out", str(folder)])
        == 0
    )
    return folder


def test_a_solo_run_compares_scores(solo: Path) -> None:
    (row,) = metrics(solo)
    assert list(row["scores"]) == ["learner", "random", "greedy"]
    assert row["scores"]["greedy"][0] > row["scores"]["random"][0]
    assert "win_rates" not in row
    assert (solo / CURVE).stat().st_size > 10_000


def test_a_solo_run_goes_on(solo: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--resume", str(solo), "--steps", "768"]) == 0
    printed = capsys.readouterr().out
    assert "Stable Times, solo: 768 steps" in printed
    assert "learner" in printed
    assert "points" in printed
    assert f"--agents {solo} --players 1" in printed


def test_an_evaluation_on_sets_never_met(solo: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["stabletimes", "--agents", str(solo), "--players", "1", "--deals", "4", "--content", "procedural:8"]
    assert evaluate.main(words) == 0
    printed = capsys.readouterr().out
    assert "mean score" in printed
    assert "wins" not in printed


def test_unknown_content_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["stabletimes", *SOLO, "--steps", "512", "--content", "orignal", "--out", str(tmp_path / "run")]) == 2
    assert "did you mean 'original'" in capsys.readouterr().err
    assert not (tmp_path / "run").exists()
    assert evaluate.main(["stabletimes", "--agents", "greedy", "--deals", "2", "--content", "orignal"]) == 2
    assert "did you mean 'original'" in capsys.readouterr().err


def test_defaults_that_a_game_changes() -> None:
    assert defaults_of("mustang") == {}
    assert Settings("stabletimes", (1,), **defaults_of("stabletimes")).reward == "lead_delta"
    assert defaults_of("stabletimes")["network"] == "horses"
