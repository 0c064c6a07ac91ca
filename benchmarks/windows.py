"""Windows of time: each round measures every configuration, so that drift of the machine hits all alike."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from time import perf_counter
from typing import Protocol


@dataclass(frozen=True)
class Window:
    """What one window of one configuration took; None where a face has no such figure.

    Attributes:
        decisions: how many decisions were played.
        step_ns: nanoseconds a decision, all but the choice of the actions.
        choose_ns: choosing them.
        floor_ns: NumPy copying the same outputs.
        clone_us: microseconds a game for a copy by the face's own means, all games at once.
        clone_one_us: the same for one game out of the batch.
        record_us: microseconds a game for a copy of the bare records.
    """

    decisions: int
    step_ns: float
    choose_ns: float
    floor_ns: float | None = None
    clone_us: float | None = None
    clone_one_us: float | None = None
    record_us: float | None = None


class Case(Protocol):
    """One configuration, ready to play: warm, compiled, in the middle of its games."""

    face: str
    players: int
    games: int
    threads: int
    #: Whether choosing belongs to the loop that ``decisions_per_s`` tells of.
    choice_included: bool

    def measure(self, seconds: float) -> Window: ...


def measure_all(
    cases: Sequence[Case], windows: int, seconds: float, progress: Callable[[str], None]
) -> list[list[Window]]:
    """Return the windows of each case, taken in rounds over all cases."""
    measured: list[list[Window]] = [[] for _ in cases]
    for number in range(1, windows + 1):
        for case, found in zip(cases, measured, strict=True):
            progress(f"window {number}/{windows}: {case.face}, {case.players} players, {case.games} games")
            found.append(case.measure(seconds))
    return measured


def time_call(call: Callable[[], object], seconds: float) -> float:
    """Return the seconds that one call takes, the mean over about ``seconds``."""
    calls = 0
    started = now = perf_counter()
    while calls == 0 or now < started + seconds:
        call()
        calls += 1
        now = perf_counter()
    return (now - started) / calls


def median(values: Sequence[float | None]) -> float | None:
    """Return the median; None if there is a window without the figure."""
    known = [value for value in values if value is not None]
    return statistics.median(known) if known and len(known) == len(values) else None
