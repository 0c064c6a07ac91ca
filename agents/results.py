"""The results of matches as lines of JSON, which name the network that played by its checksum."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tablezoo.game import Game
from tablezoo.policies import Policy

from .checkpoints import CheckpointError, read_rows
from .policies.numpy_policy import NumpyPolicy
from .pretrained import ByPlayers

if TYPE_CHECKING:
    from .evaluate import MatchResult

#: What a line holds, and for each agent; of which kind.
_ROW: dict[str, type] = {"game": str, "players": int, "deals": int, "games": int, "seed": int, "agents": list}
_ROW |= {"command": str, "note": str}
_AGENT: dict[str, tuple[type, ...]] = {
    "agent": (str,),
    "checksum": (str, type(None)),
    "win_rate": (list, type(None)),
    "mean_score": (list,),
}


def row_of(
    result: MatchResult,
    game: Game,
    names: Sequence[str],
    line_up: Sequence[Policy],
    seed: int,
    command: str,
    note: str,
) -> dict[str, Any]:
    """Return a match as JSON has it.

    Args:
        names: what each of the line-up was called on the command line; ``command``: the whole of that.
        note: a remark.
    """
    players = len(line_up)
    agents = [
        {
            "agent": names[seat],
            "checksum": _checksum(policy, players),
            "win_rate": result.win_rate(seat) if players > 1 else None,
            "mean_score": result.mean_score(seat),
        }
        for seat, policy in enumerate(line_up)
    ]
    told = {"game": game.id, "players": players, "deals": result.shares.shape[0], "games": result.games, "seed": seed}
    return {**told, "agents": agents, "command": command, "note": note}


def _checksum(policy: Policy, players: int) -> str | None:
    """Return the checksum of the file whose network plays; None for a policy that comes from none."""
    if isinstance(policy, ByPlayers):
        policy = policy.of(players)
    return policy.about.checksum if isinstance(policy, NumpyPolicy) else None


def read_results(path: Path) -> list[dict[str, Any]]:
    """Return the lines that ``python -m agents.evaluate ... --json`` printed.

    Raises:
        CheckpointError: the file cannot be read, or a line of it holds something else.
    """
    expected = "a match, as python -m agents.evaluate --json prints it"
    if not path.exists():
        raise CheckpointError(f"{path}: not there; expected lines, each {expected}")
    rows, torn = read_rows(path, _is_row, expected)
    if torn:
        raise CheckpointError(f"{path}, line {len(rows) + 1}: cannot be read, and no line ends it; expected {expected}")
    return rows


def _is_row(row: Any) -> bool:
    if not isinstance(row, dict) or any(type(row.get(key)) is not kind for key, kind in _ROW.items()):
        return False
    return all(
        isinstance(agent, dict)
        and all(type(agent.get(key)) in kinds for key, kinds in _AGENT.items())
        and all(len(agent[key]) == 2 for key in ("win_rate", "mean_score") if agent[key] is not None)
        for agent in row["agents"]
    )
