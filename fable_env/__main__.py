"""``python -m fable_env check my_locations.toml``: is a set of locations right, and what does it say?"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Sequence
from typing import Any

from fable_env.reader import FORMAT
from fable_env.sets import NUM_LOCATIONS, STEPS
from fable_env.words import action_meaning, location_name, price_words
from tablezoo.content import ContentSet
from tablezoo.content_command import columns, run


def main(arguments: Sequence[str] | None = None) -> int:
    return run(arguments, "fable_env", "Fable", FORMAT, _told)


def _told(content: ContentSet) -> list[str]:
    record = content.record[0]
    return [*_locations(record), "", *_counts(record)]


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
    return columns([("#", "location", "price", "action"), *rows])


def _counts(record: Any) -> list[str]:
    """Return how many locations have each step, and how many prices have so many signs."""
    steps = Counter(int(kind) for kind in record["step"].flat)
    signs = Counter(int(number) for number in record["signs"][:NUM_LOCATIONS])
    rows = [
        ("steps", ", ".join(f"{steps[kind]} {name}" for kind, name in enumerate(STEPS) if steps[kind])),
        ("prices", ", ".join(f"{signs[number]} of {number}" for number in sorted(signs))),
    ]
    return columns(rows)


if __name__ == "__main__":
    sys.exit(main())
