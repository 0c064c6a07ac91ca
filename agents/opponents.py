"""What a command line says of opponents and agents."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from tablezoo.game import Game
from tablezoo.policies import Policy, Pool, make_policy

from . import pretrained
from .policies.numpy_policy import NumpyPolicy
from .search import flat, search
from .settings import POOL, SELF

#: Whom a run against itself meets besides its snapshots, where it is not told.
RIVALS = "random,greedy,search:50"
PRETRAINED = "pretrained"

#: What is registered as policies too; in a clone what is installed are other modules than these.
_NAMED: dict[str, Callable[[Game, str | None], Policy]] = {PRETRAINED: pretrained.load, "search": search, "flat": flat}


def parse_agent(text: str, game: Game, players: int | None = None) -> Policy:
    """Return the policy that a name or a path stands for.

    ``pretrained`` is the game's pretrained policy, ``pretrained:2-5`` one of its variants; a path is that of an .npz, a
    checkpoint or a run's folder. A known name is never taken for a path, whatever lies in the working directory;
    ``./random`` is a path.

    Raises:
        ValueError: empty, an unknown name, or no pretrained policy for the game, or for ``players`` where given.
        CheckpointError: a path without a fitting policy or checkpoint.
    """
    if not text:
        raise ValueError("an agent without a name; expected a name, as in greedy, or a path")
    name, colon, which = text.partition(":")
    if name in _NAMED:
        policy = _NAMED[name](game, which if colon else None)
        if isinstance(policy, pretrained.ByPlayers) and players is not None:
            policy.of(players)
        return policy
    if text.endswith(pretrained.SUFFIX):
        return NumpyPolicy.load(text, game)
    if "/" in text or text.endswith(".zip"):
        return _trained(text, game)
    try:
        return make_policy(text, game)
    except ValueError as error:
        if not Path(text).exists():
            also = "a path would do too: of a run's folder, a checkpoint or an .npz"
            raise ValueError(f"{error} ({also})") from None
    return _trained(text, game)


def _trained(path: str, game: Game) -> Policy:
    from .policies.sb3_policy import SB3Policy  # who plays without a checkpoint does without torch

    return SB3Policy.load(path, game)


def rivals_of(text: str) -> list[str] | None:
    """Return the fixed rivals of a run against itself, as ``self`` or ``self:A,B`` names them; None for other texts.

    Raises:
        ValueError: an empty place.
    """
    word, colon, listed = text.partition(":")
    if word != SELF:
        return None
    rivals = (listed if colon else RIVALS).split(",")
    if "" in rivals or len(set(rivals)) < len(rivals):
        raise ValueError(f"--opponent {text!r}: expected {SELF}, or {SELF}:A,B with a different name or path each")
    return rivals


def parse_opponents(text: str, game: Game, players: int | None) -> Any:
    """Return what ``opponents=`` takes.

    ``self`` and ``self:A,B`` are the pool that a run against itself begins with: its fixed rivals.

    ``NAME``: the same for all other seats; ``A,B``: one a seat, clockwise from the learner; ``pool:A,B``: one drawn for
    each seat and episode. Each is what :func:`parse_agent` takes. With ``players=None`` their number is not checked.

    Raises:
        ValueError: an empty or unknown name, or a list of the wrong length.
        CheckpointError: a path without a fitting checkpoint.
    """
    if (rivals := rivals_of(text)) is not None:
        return Pool([parse_agent(part, game, players) for part in rivals])
    listed = text.removeprefix(POOL).split(",")
    if "" in listed:
        raise ValueError(f"--opponent {text!r} has an empty place; expected NAME, A,B or {POOL}A,B")
    if text.startswith(POOL):
        return Pool([parse_agent(part, game, players) for part in listed])
    if players is not None and len(listed) not in (1, players - 1):
        expected = f"1 or {players - 1}" if players > 2 else "1"
        raise ValueError(f"--opponent {text!r} lists {len(listed)}; with {players} players expected {expected}")
    parts = [parse_agent(part, game, players) for part in listed]
    return parts[0] if len(parts) == 1 else parts
