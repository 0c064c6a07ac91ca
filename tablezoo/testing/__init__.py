"""The conformance suite: what every game keeps, checked for the games here and for your own.

``check_game(GAME, conserved=count_cards, report=print)`` raises :class:`ConformanceError` if something is wrong.
"""

from __future__ import annotations

from tablezoo.testing.report import ConformanceError, Failure, Report
from tablezoo.testing.suite import CHECKS, check_game

__all__ = ["CHECKS", "ConformanceError", "Failure", "Report", "check_game"]
