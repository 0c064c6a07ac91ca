"""What the command lines of measurements share: numbers, where a plot goes, progress."""

from __future__ import annotations

import argparse
import importlib.util
import sys
from collections.abc import Callable
from pathlib import Path

from agents.command_line import NEEDS_EXTRA, check_place

_PLOT_KINDS = (".png", ".svg", ".pdf")


def number_from(kind: type[int] | type[float], low: float, expected: str) -> Callable[[str], int | float]:
    """Return a converter for argparse that refuses what is below ``low``, in words."""

    def convert(text: str) -> int | float:
        try:
            number = kind(text)
        except ValueError:
            number = None
        if number is None or not low <= number < float("inf"):
            raise argparse.ArgumentTypeError(f"{text!r}: expected {expected}")
        return number

    return convert


COUNT = number_from(int, 1, "an integer of 1 or more")
SEED = number_from(int, 0, "an integer of 0 or more")
SPAN = number_from(float, 0.001, "seconds, 0.001 or more")


def check_plot(option: str, path: Path) -> None:
    """Refuse a plot, asked for by ``option``, that cannot be drawn or written.

    Raises:
        ValueError
    """
    if not installed("matplotlib"):
        raise ValueError(f"{option} {path}: a plot {NEEDS_EXTRA}")
    if path.suffix not in _PLOT_KINDS:
        raise ValueError(f"{option} {path}: expected a file's name that ends with {', '.join(_PLOT_KINDS)}")
    if path.is_dir():
        raise ValueError(f"{option} {path} is a folder; expected a file")
    check_place(option, path)


def installed(module: str) -> bool:
    return importlib.util.find_spec(module) is not None


def progress(text: str) -> None:
    """Show what is going on in one line, where somebody watches."""
    if sys.stderr.isatty():
        print(f"\r\033[K{text}", end="", file=sys.stderr, flush=True)
