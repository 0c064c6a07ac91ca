"""JSON from anywhere: one kind of error for all that is none."""

from __future__ import annotations

import json
from typing import Any


def parse_json(text: str | bytes) -> Any:
    """Return what a JSON text says.

    Raises:
        ValueError: no JSON, or nested more deeply than Python reads.
    """
    try:
        return json.loads(text)
    except RecursionError as error:
        raise ValueError(str(error)) from error
