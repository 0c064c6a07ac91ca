"""The finished blocks of a tournament: each is kept whole or not at all."""

from __future__ import annotations

import json
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ..checkpoints import CheckpointError, append_row, read_rows
from ..evaluate import Effort, MatchResult, join
from ..files import write_whole
from .plan import Plan

#: What a block should take, and the most deals it has: little is lost with it, and progress is seen.
_SECONDS = 2.0
_MOST_DEALS = 1024
_GROWTH = 4


@dataclass(frozen=True)
class Block:
    """Deals of one line-up, each played in all rotations.

    Attributes:
        line_up: its number in the plan; ``first``: the first deal; ``seconds``: what the block took.
    """

    line_up: int
    first: int
    seconds: float
    match: MatchResult

    @property
    def deals(self) -> int:
        return len(self.match.ranks)

    def to_row(self) -> dict[str, Any]:
        row = {
            "line_up": self.line_up,
            "first": self.first,
            "seconds": self.seconds,
            "ranks": self.match.ranks.tolist(),
            "scores": self.match.scores.tolist(),
            "efforts": [[effort.decisions, effort.calls, effort.seconds] for effort in self.match.efforts],
        }
        return row | {"check": _check(row)}

    @classmethod
    def from_row(cls, row: dict[str, Any], names: Sequence[str]) -> Block:
        match = MatchResult(
            tuple(names),
            np.array(row["ranks"], np.int8),
            np.array(row["scores"], np.int64),
            tuple(Effort(*effort) for effort in row["efforts"]),
        )
        return cls(row["line_up"], row["first"], row["seconds"], match)


class Blocks:
    """All blocks that are finished, in memory and, with a path, in a file that is written to as they come."""

    def __init__(self, plan: Plan, path: Path | None = None) -> None:
        self.plan = plan
        self.path = path
        self._of: list[list[Block]] = [[] for _ in plan.line_ups]
        self._deals = [0] * len(plan.line_ups)
        self.torn = False

    @classmethod
    def read(cls, plan: Plan, path: Path) -> Blocks:
        """Return the blocks in a file; what a kill left of one at its end is dropped, in the file too.

        Raises:
            CheckpointError: the file cannot be read or is damaged; it stays as it is.
        """
        blocks = cls(plan, path)
        rows, blocks.torn = read_rows(path, _is_block, "a block of a tournament, as it was written")
        for number, row in enumerate(rows, start=1):
            blocks._keep(row, f"{path}, line {number}")
        if rows or blocks.torn:
            write_whole(path, "".join(f"{json.dumps(row)}\n" for row in rows))
        return blocks

    def add(self, block: Block) -> None:
        """Keep a block more; from then on no kill loses it."""
        if self.path is not None:
            append_row(self.path, block.to_row())
        self._count(block)

    @property
    def games(self) -> int:
        """How many games are played."""
        return sum(self._deals) * self.plan.players

    def next_part(self) -> tuple[int, range] | None:
        """Return the line-up whose turn it is, the one that is behind the others, and its next deals; None at the end.

        The deals are as many as should take some two seconds, by the line-up's last block: what is kept decides alone,
        so that a tournament that goes on is cut as it would have been.
        """
        first = min(self._deals)
        line_up = self._deals.index(first)
        if first == self.plan.deals:
            return None
        size = 1
        if self._of[line_up]:
            last = self._of[line_up][-1]
            pace = last.deals * _SECONDS / max(last.seconds, 1e-6)
            size = int(min(max(pace, 1), _GROWTH * last.deals, _MOST_DEALS))
        return line_up, range(first, min(first + size, self.plan.deals))

    def matches(self) -> tuple[MatchResult, ...]:
        """Return each line-up's match, once all are played."""
        return tuple(join([block.match for block in blocks]) for blocks in self._of)

    def _keep(self, row: dict[str, Any], where: str) -> None:
        if not row["line_up"] < len(self._of):
            raise CheckpointError(f"{where}: a block of line-up {row['line_up']}; there are {len(self._of)}")
        block = Block.from_row(row, self.plan.labels(self.plan.line_ups[row["line_up"]]))
        first = self._deals[block.line_up]
        if block.first != first or first + block.deals > self.plan.deals:
            last = block.first + block.deals - 1
            raise CheckpointError(f"{where}: deals {block.first} to {last}, where deal {first} was expected")
        self._count(block)

    def _count(self, block: Block) -> None:
        self._of[block.line_up].append(block)
        self._deals[block.line_up] += block.deals


def _is_block(row: Any) -> bool:
    """Return whether it is what ``to_row`` made, to the last digit."""
    if not isinstance(row, dict):
        return False
    return row.get("check") == _check({name: value for name, value in row.items() if name != "check"})


def _check(row: dict[str, Any]) -> int:
    return zlib.crc32(json.dumps(row).encode())
