"""Numbers of players: on command lines, in words, and as a run can have them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from tablezoo.game import Game


def counts_of(text: str) -> tuple[int, ...]:
    """Return the numbers of players that a text lists, as ``2``, ``2-5`` or ``2,4``.

    Raises:
        ValueError: another text, or numbers that do not rise.
    """
    parts = [re.fullmatch(r"(\d{1,3})(?:-(\d{1,3}))?", part) for part in text.split(",")]
    spans = [range(int(part[1]), int(part[2] or part[1]) + 1) for part in parts if part]
    counts = [count for span in spans for count in span]
    if None in parts or not all(spans) or counts != sorted(set(counts)):
        raise ValueError(f"{text!r}: expected numbers of players that rise, as in 2, 2-5 or 2,4")
    return tuple(counts)


def check_players(counts: Any, game: Game) -> None:
    """Refuse what is no ascending tuple of numbers of players that a run of a game can have.

    Raises:
        ValueError, TypeError
    """
    if not isinstance(counts, tuple) or not counts:
        raise TypeError(f"players: expected a tuple of numbers, got {counts!r}")
    for count in counts:
        game.players(count, 1)
    if list(counts) != sorted(set(counts)):
        raise ValueError(f"players: expected numbers that rise, got {', '.join(map(str, counts))}")
    if 1 in counts and len(counts) > 1:
        raise ValueError("players: 1 goes with no other number: there is nobody to beat")


def told_players(players: Sequence[int]) -> str:
    """Return numbers of players in words: ``2 players``, ``2-5 players``, ``1 player``."""
    return f"{span_of(players)} player{'s' * (list(players) != [1])}"


def span_of(players: Sequence[int]) -> str:
    """Return ascending numbers as ``2``, ``2-5``, or ``2,4`` where there are gaps."""
    first, last = players[0], players[-1]
    if len(players) > 1 and list(players) == list(range(first, last + 1)):
        return f"{first}-{last}"
    return ",".join(map(str, players))
