"""What a command line says of opponents and agents."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tablezoo.game import Game
from tablezoo.policies import Policy, Pool, make_policy

POOL = "pool:"


def parse_agent(text: str, game: Game) -> Policy:
    """Return the policy that a name or a path stands for.

    A known name is never taken for a path, whatever lies in the working directory; ``./random`` is a path.

    Raises:
        ValueError: empty, or an unknown name.
        CheckpointError: a path without a fitting checkpoint.
    """
    if not text:
        raise ValueError("an agent without a name; expected a name, as in greedy, or a path")
    if "/" in text or text.endswith(".zip"):
        return _trained(text, game)
    try:
        return make_policy(text, game)
    except ValueError as error:
        if not Path(text).exists():
            raise ValueError(f"{error} (a path would do too: of a run's folder or a checkpoint)") from None
    return _trained(text, game)


def _trained(path: str, game: Game) -> Policy:
    from .sb3_policy import SB3Policy  # torch takes seconds to import, and need not be there for names

    return SB3Policy.load(path, game)


def parse_opponents(text: str, game: Game, players: int | None) -> Any:
    """Return what ``opponents=`` takes.

    ``NAME``: the same for all other seats; ``A,B``: one a seat, clockwise from the learner; ``pool:A,B``: one drawn for
    each seat and episode. Each is a name or a path to a checkpoint. With ``players=None`` their number is not checked.

    Raises:
        ValueError: an empty or unknown name, or a list of the wrong length.
        CheckpointError: a path without a fitting checkpoint.
    """
    listed = text.removeprefix(POOL).split(",")
    if "" in listed:
        raise ValueError(f"--opponent {text!r} has an empty place; expected NAME, A,B or {POOL}A,B")
    if text.startswith(POOL):
        return Pool([parse_agent(part, game) for part in listed])
    if players is not None and len(listed) not in (1, players - 1):
        expected = f"1 or {players - 1}" if players > 2 else "1"
        raise ValueError(f"--opponent {text!r} lists {len(listed)}; with {players} players expected {expected}")
    parts = [parse_agent(part, game) for part in listed]
    return parts[0] if len(parts) == 1 else parts
