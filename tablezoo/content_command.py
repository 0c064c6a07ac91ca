"""The command of a game with content sets: ``python -m GAME_env check my_set.toml``."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence

from tablezoo.content import ContentFormat, ContentSet
from tablezoo.errors import ContentError


def run(
    arguments: Sequence[str] | None,
    package: str,
    title: str,
    content: ContentFormat,
    told: Callable[[ContentSet], list[str]],
) -> int:
    """Print all faults of the set that the arguments name, or what it says, in the lines of ``told``.

    Returns:
        the exit status: 0, or 1 for a set with faults.
    """
    parser = argparse.ArgumentParser(prog=f"python -m {package}", description=f"Content sets of {title}.")
    commands = parser.add_subparsers(dest="command", required=True)
    check = commands.add_parser("check", help="tell all faults of a content set, or what it says")
    check.add_argument("set", help="a .toml file, the name of a set, or procedural:SEED")
    try:
        loaded = content.load(parser.parse_args(arguments).set)
    except ContentError as error:
        print(error, file=sys.stderr)
        return 1
    print("\n".join([f"{loaded.name}: a content set without faults", "", *told(loaded)]))
    return 0


def columns(rows: Sequence[Sequence[str]]) -> list[str]:
    """Return a line a row, its cells below each other."""
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    return ["  ".join(f"{cell:<{width}}" for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]
