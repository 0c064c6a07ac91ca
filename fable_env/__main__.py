"""``python -m fable_env check my_locations.toml``: is a set of locations right, and what does it say?"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Sequence
from typing import Any

from fable_env.reader import FORMAT
from fable_env.sets import NUM_LOCATIONS, STEPS
from fable_env.words import action_meaning, location_name, price_words
from tablezoo.content import ContentSet
from tablezoo.errors import ContentError


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m fable_env", description="Content sets of Fable.")
    commands = parser.add_subparsers(dest="command", required=True)
    check = commands.add_parser("check", help="tell all faults of a content set, or what it says")
    check.add_argument("set", help="a .toml file, the name of a set, or procedural:SEED")
    return _check(parser.parse_args(arguments).set)


def _check(source: str) -> int:
    try:
        content = FORMAT.load(source)
    except ContentError as error:
        print(error, file=sys.stderr)
        return 1
    print("\n".join(_told(content)))
    return 0


def _told(content: ContentSet) -> list[str]:
    record = content.record[0]
    return [f"{content.name}: a content set without faults", "", *_locations(record), "", *_counts(record)]


def _locations(record: Any) -> list[str]:
    rows = [
        (
            str(location + 1),
            location_name(record, location),
            price_words(record, location),
            action_meaning(record, location),
        )
        for location in range(NUM_LOCATIONS)
    ]
    return _columns([("#", "location", "price", "action"), *rows])


def _columns(rows: Sequence[Sequence[str]]) -> list[str]:
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    return ["  ".join(f"{cell:<{width}}" for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]


def _counts(record: Any) -> list[str]:
    """Return how many locations have each step, and how many prices have so many signs."""
    steps = Counter(int(kind) for kind in record["step"].flat)
    signs = Counter(int(number) for number in record["signs"][:NUM_LOCATIONS])
    rows = [
        ("steps", ", ".join(f"{steps[kind]} {name}" for kind, name in enumerate(STEPS) if steps[kind])),
        ("prices", ", ".join(f"{signs[number]} of {number}" for number in sorted(signs))),
    ]
    return _columns(rows)


if __name__ == "__main__":
    sys.exit(main())
