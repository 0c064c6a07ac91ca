"""Cold and warm start of a face: what a new process takes to its first step, beyond its imports.

``python -m benchmarks.starts mustang aec 2`` prints one start as JSON, the cache where NUMBA_CACHE_DIR says.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter

_WARM_RUNS = 3
_LIMIT_S = 600


@dataclass(frozen=True)
class Start:
    """Seconds to the first step of a new process, beside ``imports_s`` for its imports.

    Attributes:
        cold_s: with an empty cache, everything compiled.
        warm_s: with the cache that the cold start left, the median of three.
    """

    imports_s: float
    cold_s: float
    warm_s: float


def measure_start(name: str, face: str, players: int, progress: Callable[[str], None]) -> Start:
    """Return what starting a game's face takes; each start is a process of its own."""
    with tempfile.TemporaryDirectory(prefix="tablezoo-cold-") as cache:
        progress(f"cold start: {face}")
        cold = _start_process(name, face, players, cache)
        progress(f"warm start: {face}")
        warm = [_start_process(name, face, players, cache) for _ in range(_WARM_RUNS)]
    imports, first_steps = (statistics.median(column) for column in zip(*warm, strict=True))
    return Start(imports, cold[1], first_steps)


def _start_process(name: str, face: str, players: int, cache: str) -> tuple[float, float]:
    command = [sys.executable, "-m", "benchmarks.starts", name, face, str(players)]
    done = subprocess.run(
        command,
        env={**os.environ, "NUMBA_CACHE_DIR": cache},
        cwd=Path(__file__).parents[1],
        capture_output=True,
        text=True,
        timeout=_LIMIT_S,
    )
    if done.returncode != 0:
        raise RuntimeError(f"{' '.join(command)} failed:\n{done.stderr}")
    imports_s, first_step_s = json.loads(done.stdout)
    return imports_s, first_step_s


def main() -> None:
    """Start once, and print the seconds that imports and the way to the first step took."""
    name, face, players = sys.argv[1], sys.argv[2], int(sys.argv[3])
    started = perf_counter()
    from tablezoo.registration import find_game

    game = find_game(name)
    from benchmarks.faces import make_first_step

    first_step = make_first_step(game, face, players)
    imported = perf_counter()
    first_step()
    print(json.dumps([imported - started, perf_counter() - imported]))


if __name__ == "__main__":
    main()
