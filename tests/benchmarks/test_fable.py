"""The scripts that measure Fable: reference campaigns, play statistics, drift."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from benchmarks import fable_drift, fable_reference, fable_statistics
from fable_env import Campaign, reference
from fable_env.campaign import LEAST_STACKS, PLAYER_COUNTS
from tablezoo import GreedyPolicy, RandomPolicy


@pytest.mark.parametrize("players", PLAYER_COUNTS)
def test_the_reference_campaigns_are_what_the_script_plays(players: int) -> None:
    """With another greedy or other rules: ``python -m benchmarks.fable_reference --write`` writes them anew."""
    assert tuple(fable_reference.play_campaign(GreedyPolicy(), players, 0)) == reference(players)


@pytest.mark.rule("F21")
def test_a_reference_campaign_goes_from_the_first_game_to_its_end() -> None:
    for players in PLAYER_COUNTS:
        stages = reference(players)
        assert stages[0] == Campaign.first()
        assert [stage.games for stage in stages] == list(range(len(stages)))
        drawn = [stage.drawn for stage in stages]
        assert drawn == sorted(drawn)
        assert all(len(stage.stacks) >= LEAST_STACKS for stage in stages)


def test_statistics_count_what_was_played() -> None:
    counts = fable_statistics.play_campaigns(RandomPolicy(), 3, 2, 0)
    assert len(counts.campaigns) == 2
    assert sum(counts.campaigns) == len(counts.turns)
    assert (counts.purchases <= counts.moves).all()
    assert counts.games_in_play.max() <= len(counts.turns)
    assert (counts.games_in_play[:6] >= 2).all()
    assert counts.cut == 0


def test_the_scripts_print_what_they_found(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert fable_statistics.main(["--agents", "random", "--campaigns", "1", "--players", "2"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 2 + 1 + 1 + 59
    plot = tmp_path / "drift.png"
    asked = ["--agent", "random", "--opponent", "random", "--stages", "0", "9", "--deals", "20", "--plot", str(plot)]
    assert fable_drift.main([*asked, "--json"]) == 0
    (rates,) = json.loads(capsys.readouterr().out).values()
    assert [stage for stage, _, _ in rates] == [0, 9]
    assert np.allclose([rate for _, rate, _ in rates], 0.5, atol=0.35)
    assert plot.stat().st_size > 1000


@pytest.mark.parametrize(
    ("main", "words"),
    [
        (fable_statistics.main, ["--campaigns", "0"]),
        (fable_reference.main, ["--agent", "nonsense"]),
        (fable_drift.main, ["--agent", "random", "--stages", "99"]),
        (fable_drift.main, ["--agent", "random", "--players", "7"]),
    ],
)
def test_what_cannot_be_measured_is_refused(
    main: Callable[[list[str]], int], words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(words) == 2
    assert capsys.readouterr().err.startswith("error: ")
