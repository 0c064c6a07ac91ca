"""Documents of content for tests: one without faults, changes to it, and its text with known lines."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import numpy as np

from fable_env.reader import FORMAT
from fable_env.sets import CONTENT
from tablezoo.content import ContentSet, Faults

GONE = object()


def right() -> dict[str, Any]:
    """Return a document without faults: ``Place 1`` to ``Place 59``, all with one action and one price."""
    return {"locations": [{"name": f"Place {n}", "action": ["draw 1"], "price": "***"} for n in range(1, 60)]}


def with_actions(*actions: list[str]) -> dict[str, Any]:
    return changed({f"locations[{i}].action": action for i, action in enumerate(actions)})


def with_prices(*prices: str) -> dict[str, Any]:
    return changed({f"locations[{i}].price": price for i, price in enumerate(prices)})


def changed(changes: Mapping[str, Any]) -> dict[str, Any]:
    document = right()
    for path, value in changes.items():
        change(document, path, value)
    return document


def change(document: Any, path: str, value: Any) -> None:
    """Set what stands at a path such as ``locations[12].price``, or with ``GONE`` remove it."""
    *way, last = [int(key) if key.isdigit() else key for key in re.findall(r"[^.\[\]]+", path)]
    for key in way:
        document = document[key]
    if value is GONE:
        del document[last]
    else:
        document[last] = value


def written(document: Mapping[str, Any]) -> str:
    """Return a document as text: one location a line, location #1 in line 2, other keys from line 101 on."""
    lines = [""] * 110
    locations = document.get("locations", GONE)
    if isinstance(locations, list):
        rows = ["locations = [", *(f"  {toml(location)}," for location in locations), "]"]
        lines[: len(rows)] = rows
    elif locations is not GONE:
        lines[0] = f"locations = {toml(locations)}"
    lines[100:] = [f"{key} = {toml(value)}" for key, value in document.items() if key != "locations"]
    return "\n".join(lines) + "\n"


def toml(value: Any) -> str:
    if isinstance(value, dict):
        return f"{{ {', '.join(f'{key} = {toml(inner)}' for key, inner in value.items())} }}"
    if isinstance(value, list):
        return f"[{', '.join(map(toml, value))}]"
    return str(value).lower() if isinstance(value, bool) else f'"{value}"' if isinstance(value, str) else str(value)


def content_set(document: Mapping[str, Any]) -> ContentSet:
    """Return the content set of a document, which has no faults."""
    record, faults = np.zeros(1, CONTENT), Faults("rules")
    FORMAT.read(document, faults, record)
    faults.check()
    return ContentSet("rules", record)
