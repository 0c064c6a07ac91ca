"""All libraries started, then windows in rounds over all their games, so that drift of the machine hits all alike."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.peers.catalogue import TABLEZOO, Peer
from benchmarks.peers.environments import InstallError, prepare
from benchmarks.peers.processes import CaseError, Worker, WorkerError

_ROOT = Path(__file__).parents[2]


@dataclass(frozen=True)
class Settings:
    """What is measured, and for how long; tablezoo always is."""

    peers: Sequence[Peer]
    games: Sequence[str]
    sizes: Sequence[int]
    threads: Sequence[int]
    windows: int
    seconds: float
    folder: Path


@dataclass(frozen=True)
class Failure:
    """What could not be measured, and why."""

    peer: Peer
    what: str
    why: str


@dataclass
class Measured:
    """A library's game at one batch size and number of threads; ``windows`` holds decisions and seconds."""

    peer: Peer
    game: str
    size: int
    threads: int
    versions: dict[str, str]
    observation: str = ""
    actions: int = 0
    windows: list[tuple[int, float]] = field(default_factory=list)

    def __str__(self) -> str:
        batch = f"{self.size} games, " if self.peer.batched else ""
        return f"{self.game}, {batch}{self.threads} thread{'s' * (self.threads > 1)}"


@dataclass(frozen=True)
class _Case:
    """Something measured, with the process that measures it and its number there."""

    measured: Measured
    worker: Worker
    number: int


def measure(settings: Settings, progress: Callable[[str], None]) -> tuple[list[Measured], list[Failure]]:
    """Return what was measured in all windows, and what was not; whatever fails stops nothing else."""
    with ExitStack() as stack:
        run = _Run(settings, progress, stack)
        for peer in (TABLEZOO, *settings.peers):
            run.start(peer)
        for number in range(1, settings.windows + 1):
            run.play_round(f"window {number}/{settings.windows}")
    return [case.measured for case in run.cases], run.failures


class _Run:
    """The cases that still go on, and what has failed; processes end with the stack."""

    def __init__(self, settings: Settings, progress: Callable[[str], None], stack: ExitStack) -> None:
        self.cases: list[_Case] = []
        self.failures: list[Failure] = []
        self._settings, self._progress, self._stack = settings, progress, stack

    def start(self, peer: Peer) -> None:
        """Install a library where that is needed; start its processes; make and warm its cases."""
        games = [game for game in peer.games if game in self._settings.games]
        if not games:
            return
        try:
            python = self._python(peer)
            for threads in self._settings.threads if peer.threaded else [1]:
                self._progress(f"starting {peer.title}")
                worker = Worker(python, peer.worker, threads, path=str(_ROOT) if peer is TABLEZOO else "")
                self._stack.callback(worker.close)
                self._make(peer, games, threads, worker)
        except InstallError as error:
            self._fail(peer, "could not be installed", error)
        except WorkerError as error:
            self._fail(peer, "did not start", error)

    def play_round(self, title: str) -> None:
        """Take a window of each case; those that fail, and those of a process that ends, are out."""
        going = []
        for case in self.cases:
            if case.worker.closed:
                continue
            self._progress(f"{title}: {case.measured.peer.title}, {case.measured}")
            try:
                case.measured.windows.append(case.worker.measure(case.number, self._settings.seconds))
                going.append(case)
            except CaseError as error:
                self._fail(case.measured.peer, str(case.measured), error)
            except WorkerError as error:
                self._fail(case.measured.peer, f"ended at {case.measured}", error)
        self.cases = [case for case in going if not case.worker.closed]

    def _python(self, peer: Peer) -> Path:
        if peer is TABLEZOO:
            return Path(sys.executable)
        return prepare(peer, self._settings.folder, self._progress)

    def _make(self, peer: Peer, games: Sequence[str], threads: int, worker: Worker) -> None:
        made = 0
        sizes = self._settings.sizes if peer.batched else [1]
        for measured in [Measured(peer, game, size, threads, worker.versions) for game in games for size in sizes]:
            self._progress(f"warming {peer.title}: {measured}")
            try:
                told = worker.make(measured.game, measured.size)
            except CaseError as error:
                self._fail(peer, str(measured), error)
                continue
            except WorkerError as error:
                self._fail(peer, f"ended at {measured}", error)
                return
            measured.observation, measured.actions = told["observation"], told["actions"]
            self.cases.append(_Case(measured, worker, made))
            made += 1

    def _fail(self, peer: Peer, what: str, error: Exception) -> None:
        self.failures.append(Failure(peer, what, str(error)))
