"""A library's process: it is asked, one request at a time, and may die or hang."""

from __future__ import annotations

import contextlib
import json
import os
import select
import signal
import subprocess
import tempfile
from pathlib import Path
from typing import Any

from benchmarks.peers.words import last_lines

_SERVE = Path(__file__).parent / "workers" / "serve.py"

#: Seconds that a start, or making and warming a case, may take: much is compiled then.
MAKING_LIMIT_S = 600.0

#: Seconds that a window may take beyond its length.
WINDOW_LIMIT_S = 60.0


class CaseError(Exception):
    """The library raised; its process goes on."""


class WorkerError(Exception):
    """The process is gone, or was ended since it hung."""


class Worker:
    """A process that plays one library's games with a number of threads, in a folder of its own.

    ``path`` is where its Python finds modules beyond its environment's.

    Raises:
        WorkerError: it did not start.
    """

    def __init__(self, python: Path, player: Path, threads: int, path: str = "") -> None:
        self.closed = False
        self._folder = tempfile.TemporaryDirectory(prefix="tablezoo-peer-")
        self._errors = Path(self._folder.name) / "errors.txt"
        with self._errors.open("w") as errors:
            self._process = subprocess.Popen(
                [str(python), str(_SERVE), str(player), str(threads)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=errors,
                text=True,
                cwd=self._folder.name,
                env={**os.environ, "PYTHONPATH": path},
                start_new_session=True,  # Ctrl-C is for us to answer; a hang ends with all that it started
            )
        try:
            self.versions: dict[str, str] = self._read(MAKING_LIMIT_S)["versions"]
        except BaseException:  # Ctrl-C too: nobody else knows of the process yet
            self.close()
            raise

    def make(self, game: str, size: int) -> dict[str, Any]:
        """Make and warm a case; return its observation and number of actions.

        Raises:
            CaseError, WorkerError
        """
        return self._ask({"make": [game, size]}, MAKING_LIMIT_S)

    def measure(self, case: int, seconds: float) -> tuple[int, float]:
        """Return the decisions of one window of a case, by the order of making, and the seconds that they took.

        Raises:
            CaseError, WorkerError
        """
        reply = self._ask({"measure": case, "seconds": seconds}, WINDOW_LIMIT_S + seconds)
        return reply["decisions"], reply["seconds"]

    def close(self) -> None:
        """End the process and all that it started."""
        if self.closed:
            return
        self.closed = True
        with contextlib.suppress(ProcessLookupError):  # it has ended by itself
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                with contextlib.suppress(BrokenPipeError):  # a request that nobody read
                    pipe.close()
        self._folder.cleanup()

    def _ask(self, request: dict[str, Any], limit_s: float) -> dict[str, Any]:
        assert self._process.stdin is not None
        try:
            print(json.dumps(request), file=self._process.stdin, flush=True)
        except BrokenPipeError:
            raise self._gone() from None
        reply = self._read(limit_s)
        if "error" in reply:
            raise CaseError(reply["error"])
        return reply

    def _read(self, limit_s: float) -> dict[str, Any]:
        """Return the reply to the one request that is open."""
        assert self._process.stdout is not None
        if not select.select([self._process.stdout], [], [], limit_s)[0]:
            self.close()
            raise WorkerError(f"no answer in {limit_s:g} s")
        line = self._process.stdout.readline()
        if not line:
            raise self._gone()
        reply: dict[str, Any] = json.loads(line)
        return reply

    def _gone(self) -> WorkerError:
        code = self._process.wait()
        printed = last_lines(self._errors.read_text(errors="replace"))
        self.close()
        return WorkerError(f"ended with code {code}: {printed}")
