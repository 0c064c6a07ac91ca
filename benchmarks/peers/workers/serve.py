"""Play one library's games on demand: ``python serve.py with_pgx.py 2`` plays on two cores.

Requests and replies are lines of JSON. The first line that comes out holds the versions; then

    {"make": ["connect_four", 1024]}     ->  {"observation": "6x7x2 bool", "actions": 7}
    {"measure": 0, "seconds": 0.5}       ->  {"decisions": 1310720, "seconds": 0.51}

where cases are numbered as they were made. What a request raises is the reply ``{"error": ...}``. The process ends when
its input does.

The file with the library defines ``DISTRIBUTIONS``, whose versions matter, and ``make(game, size)``, which returns an
object with ``observation``, ``actions`` and ``play()``: it plays a bout, and returns how many decisions that took.
"""

from __future__ import annotations

import importlib.util
import json
import os
import sys
import traceback
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path
from time import perf_counter
from typing import Any, Protocol, TextIO

#: Seconds of play before a case counts as warm: compiled, its games no longer all at their first decision.
_WARM_S = 0.3

#: How many threads, or devices, libraries make; tablezoo's file reads the first.
_POOLS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS", "JAX_NUM_CPU_DEVICES")


class Case(Protocol):
    """One game at one batch size, under way."""

    observation: str
    actions: int

    def play(self) -> int: ...


def main() -> None:
    """Serve requests until the input ends."""
    path, threads = Path(sys.argv[1]), int(sys.argv[2])
    replies = _claim_output()
    keep_to(threads)
    library = _load(path)
    versions = {name: metadata.version(name) for name in library.DISTRIBUTIONS}
    _write(replies, {"versions": versions})
    cases: list[Case] = []
    for request in _requests():
        try:
            reply = _answer(library, cases, request)
        except Exception as error:  # whatever a library raises is told; the other cases go on
            traceback.print_exc()
            reply = {"error": f"{type(error).__name__}: {error}"}
        _write(replies, reply)


def keep_to(threads: int) -> None:
    """Keep this process to as many cores as it may use threads; before the library is imported, which looks at both."""
    for pool in _POOLS:
        os.environ[pool] = str(threads)
    if sys.platform == "linux":
        os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:threads])


def measure(case: Case, seconds: float) -> tuple[int, float]:
    """Return the decisions of whole bouts that take ``seconds``, and the seconds that they took; a bout goes before."""
    case.play()
    decisions = 0
    started = now = perf_counter()
    while now < started + seconds:
        decisions += case.play()
        now = perf_counter()
    return decisions, now - started


def _answer(library: Any, cases: list[Case], request: dict[str, Any]) -> dict[str, Any]:
    if "make" in request:
        case = library.make(*request["make"])
        measure(case, _WARM_S)
        cases.append(case)
        return {"observation": case.observation, "actions": case.actions}
    decisions, seconds = measure(cases[request["measure"]], request["seconds"])
    return {"decisions": decisions, "seconds": seconds}


def _claim_output() -> TextIO:
    """Return the standard output for replies alone: what libraries print goes to the standard error."""
    replies = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    return replies


def _load(path: Path) -> Any:
    spec = importlib.util.spec_from_file_location(path.stem, path)
    if spec is None or spec.loader is None:
        raise ImportError(f"{path} is no Python file")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _requests() -> Iterator[dict[str, Any]]:
    for line in sys.stdin:
        yield json.loads(line)


def _write(replies: TextIO, reply: dict[str, Any]) -> None:
    print(json.dumps(reply), file=replies, flush=True)


if __name__ == "__main__":
    main()
