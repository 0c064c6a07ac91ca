"""A kept game on the screen, decision by decision."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from tablezoo.batch import Batch
from tablezoo.telling import Step, choice_words, told_since

from .terminal import ask, heading, is_terminal, picture, prepare, say

if TYPE_CHECKING:
    from ..replay import Frame, Replay


@dataclass(frozen=True)
class Shown:
    """What of a game is shown.

    Attributes:
        seat: whose decisions, as that seat saw them; None shows all, and everything on the table.
        every: each how manyth of these decisions.
        last: of all decisions only the last so many; None for all.
    """

    seat: int | None = None
    every: int = 1
    last: int | None = None


def show(replay: Replay, shown: Shown) -> None:
    """Print a game's frames, and verify it on the way. On a terminal it waits for Enter after each.

    Raises:
        ReplayError, ContentError, OptionError: as :meth:`agents.replay.Replay.frames`, behind what went well.
    """
    prepare()
    _say_head(replay)
    waits = is_terminal()
    first = 0 if shown.last is None else len(replay.moves) - shown.last
    steps: list[Step] = []
    before: Frame | None = None
    met = 0
    for frame in replay.frames():
        if before is not None:
            steps.append(_step(before, frame))
        if frame.action is None:
            _say_end(replay, frame, shown.seat, steps)
        elif shown.seat in (None, frame.seat):
            if frame.number >= first and met % shown.every == 0:
                _say_decision(replay, frame, shown.seat, steps)
                waits = waits and _goes_on()
            steps = []
            met += 1
        before = frame


def _step(before: Frame, after: Frame) -> Step:
    assert before.action is not None  # only the last frame has none
    return before.table.states[0], before.action, after.table.states[0]


def _goes_on() -> bool:
    """Wait for Enter; return whether to wait again."""
    try:
        return ask("[Enter: on, q: to the end] ").lower() not in ("q", "quit")
    except EOFError:
        return False


def _say_head(replay: Replay) -> None:
    content = "" if replay.content is None else f", content {replay.content.source}"
    options = "".join(f", {name}={value}" for name, value in replay.options.items())
    seats = ", ".join(f"player_{seat}: {who}" for seat, who in enumerate(replay.seats))
    say(f"{replay.game.title}, seed {replay.seed}{content}{options}; {len(replay.moves)} decisions", seats)


def _say_decision(replay: Replay, frame: Frame, seat: int | None, steps: list[Step]) -> None:
    assert frame.action is not None
    who = f"player_{frame.seat} ({replay.seats[frame.seat]})"
    say("", heading(f"decision {frame.number + 1} of {len(replay.moves)}: {who}"))
    _say_since(frame.table, seat, steps)
    say(*picture(frame.table, seat))
    chosen = choice_words(replay.game, frame.table.states[0], content_of(frame.table), frame.action)
    say(f"chosen: {chosen}")


def _say_end(replay: Replay, frame: Frame, seat: int | None, steps: list[Step]) -> None:
    say("", heading("the end" if replay.over else f"left after {len(replay.moves)} decisions"))
    _say_since(frame.table, seat, steps)
    say(*picture(frame.table, seat))
    if replay.over:
        say(*result_lines(frame.table, replay.seats))
    say("")


def _say_since(table: Batch, seat: int | None, steps: list[Step]) -> None:
    if seat is not None and steps:
        told = told_since(table.game, steps, seat, content_of(table))
        say(*told, *([""] if told else []))


def content_of(table: Batch) -> Any:
    """Return the content record that a batch of one plays with."""
    return table.contents[int(table.states[0]["content"])].record[0]


def result_lines(table: Batch, seats: tuple[str, ...]) -> list[str]:
    """Return how a finished game of a batch of one ended: scores, the best first."""
    order = np.argsort(table.ranks[0, : len(seats)], kind="stable")
    lines = []
    for seat in map(int, order):
        won = "  won" if table.winners[0, seat] and len(seats) > 1 else ""
        lines.append(f"  player_{seat} ({seats[seat]}): score {int(table.scores[0, seat])}{won}")
    return ["Result:", *lines]
