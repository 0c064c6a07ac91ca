"""What command lines share. It imports nothing that takes time: Ctrl-C is told in a line from the start."""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn

#: What the commands' package is called: ``agents`` in a clone, ``tablezoo_agents`` where installed.
PACKAGE = __spec__.parent
#: What the extra brings that commands import.
_EXTRA = {"torch", "stable_baselines3", "sb3_contrib", "tensorboard", "tqdm", "matplotlib", "openskill"}
NEEDS_EXTRA = "needs the extra: pip install 'tablezoo[train]'"


def start(name: str, package: str | None = None) -> NoReturn:
    """Import a module of this package, or of another, and run its ``main`` as a command; end the process with its code.

    Ctrl-C at any time, and an extra that is not installed, are told in one line. Where nobody reads on, as behind
    ``| head``, it ends silently.
    """
    package = package or PACKAGE
    try:
        code = importlib.import_module(f"{package}.{name}").main()
    except ModuleNotFoundError as error:
        if str(error.name).partition(".")[0] not in _EXTRA:
            raise
        code = tell(f"python -m {package}.{name} {NEEDS_EXTRA} ({error.name} is missing)")
    except KeyboardInterrupt:
        print("stopped", file=sys.stderr)
        code = 130
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # what is flushed at exit goes there
        code = 141
    sys.exit(code)


def tell(error: Exception | str) -> int:
    """Print an error in one line, and return the exit code that goes with it."""
    print(f"error: {error}", file=sys.stderr)
    return 2


def align(cells: Sequence[Sequence[str]], left: int = 1) -> list[str]:
    """Return rows of cells as lines, every column as wide as its widest cell; the first ``left`` begin at the left."""
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    lines = []
    for row in cells:
        padded = [cell.ljust(width) for cell, width in zip(row[:left], widths, strict=False)]
        padded += [cell.rjust(width) for cell, width in zip(row[left:], widths[left:], strict=True)]
        lines.append("  ".join(padded).rstrip())
    return lines


def check_place(option: str, path: Path) -> None:
    """Refuse a path, given as ``option``, where nothing can be written; folders that are not there can be made.

    Raises:
        ValueError
    """
    folder = path.absolute().parent
    while not os.path.lexists(folder):
        folder = folder.parent
    if not folder.is_dir():
        raise ValueError(f"{option} {path}: {folder} is no folder")
    if not os.access(folder, os.W_OK | os.X_OK):
        raise ValueError(f"{option} {path}: nothing can be written in {folder}")
