"""What a command line says of opponents and agents."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tablezoo.game import Game
from tablezoo.policies import Policy, Pool, make_policy

from .sb3_policy import SB3Policy

POOL = "pool:"


def parse_agent(text: str, game: Game) -> Policy:
    """Return the policy that a name or a path stands for.

    Raises:
        ValueError: an unknown name.
        CheckpointError: a path without a fitting checkpoint.
    """
    if "/" in text or text.endswith(".zip") or Path(text).exists():
        return SB3Policy.load(text, game)
    return make_policy(text, game)


def parse_opponents(text: str, game: Game, players: int) -> Any:
    """Return what ``opponents=`` takes.

    ``NAME``: the same for all other seats; ``A,B``: one a seat, clockwise from the learner; ``pool:A,B``: one drawn for
    each seat and episode. Each is a name or a path to a checkpoint.

    Raises:
        ValueError: an unknown name, or a list of the wrong length.
    """
    if text.startswith(POOL):
        return Pool([parse_agent(part, game) for part in text.removeprefix(POOL).split(",")])
    parts = [parse_agent(part, game) for part in text.split(",")]
    if len(parts) == 1:
        return parts[0]
    if len(parts) != players - 1:
        raise ValueError(f"--opponent {text!r} lists {len(parts)}; with {players} players expected 1 or {players - 1}")
    return parts
