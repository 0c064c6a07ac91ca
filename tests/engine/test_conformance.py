"""The tiny game passes the conformance suite."""

from __future__ import annotations

from tablezoo.testing import CHECKS, check_game
from tests.engine import tiny

TOLD = {"conserved": tiny.cards_in_game, "legal": tiny.legal_reference, "hide": tiny.hide}


def test_the_tiny_game_passes_every_check():
    report = check_game(tiny.GAME, players=[2, 4], options=[{}], **TOLD)
    assert set(report.passed) | set(report.skipped) == set(CHECKS)
    assert set(report.skipped) <= {"sb3_checker", "sb3_lanes"}


def test_its_options_and_content_pass():
    check_game(tiny.GAME, options=[{"hand_size": 1, "max_turns": 7}], faces=False, processes=False, **TOLD)
    check_game(tiny.CONTENT_GAME, content=["plain", "steep"], players=[3], faces=False, processes=False, **TOLD)
