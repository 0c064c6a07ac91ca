"""Checks that need processes of their own: the same seed is the same game wherever and however it runs."""

from __future__ import annotations

import json
import os
import subprocess
import sys

from tablezoo.testing.case import Case
from tablezoo.testing.copies import importable
from tablezoo.testing.digest import digest
from tablezoo.testing.report import Skipped

#: Decisions compared; uncompiled play is slow.
DECISIONS = 120


def seeds_elsewhere(case: Case) -> None:
    """Other processes, with other hash seeds, play the same games."""
    for hash_seed in ("0", "4242"):
        _compare(case, {"PYTHONHASHSEED": hash_seed})


def uncompiled(case: Case) -> None:
    """The rules as plain Python play the same games."""
    _compare(case, {"NUMBA_DISABLE_JIT": "1", "PYTHONWARNINGS": "error"})


def boundscheck(case: Case) -> None:
    """No kernel indexes out of bounds: compiled with bounds checks, the games are the same."""
    _compare(case, {"NUMBA_BOUNDSCHECK": "1"})


def _compare(case: Case, environment: dict[str, str]) -> None:
    importable(case.game)
    try:
        text = json.dumps({**_arguments(case), "decisions": DECISIONS})
    except TypeError as error:
        raise Skipped(f"the case cannot be told to another process: {error}") from error
    command = [sys.executable, "-m", "tablezoo.testing.playthrough", text]
    path = os.pathsep.join(entry or os.getcwd() for entry in sys.path)
    done = subprocess.run(
        command, env={**os.environ, "PYTHONPATH": path, **environment}, capture_output=True, text=True, check=False
    )
    words = " ".join(f"{name}={value}" for name, value in environment.items())
    if done.returncode != 0:
        case.fail(f"with {words}: {done.stderr.strip()[-600:]}")
        return
    ours, theirs = digest(case, DECISIONS), json.loads(done.stdout)
    for decision, (one, other) in enumerate(zip(ours, theirs, strict=True)):
        if one != other:
            case.fail(f"with {words} the games differ", None, decision)
            return


def _arguments(case: Case) -> dict[str, object]:
    return {
        "ref": case.game.ref,
        "players": case.players,
        "options": dict(case.options),
        "games": case.games,
        "seed": case.seed,
        "content": case.content,
    }
