"""What others' programs print, made short."""

from __future__ import annotations

import re

_EXCEPTION = re.compile(r"[\w.]+(Error|Exception): ")

_LINES = 4


def last_lines(printed: str) -> str:
    """Return the last lines of what a program printed that are not empty, in one."""
    return " | ".join(_lines(printed)[-_LINES:]) or "it printed nothing"


def reason(printed: str) -> str:
    """Return the exception that a program printed last, or its last lines; pip ends with many words about others'."""
    exceptions = [line for line in _lines(printed) if _EXCEPTION.match(line)]
    return exceptions[-1] if exceptions else last_lines(printed)


def _lines(printed: str) -> list[str]:
    return [line.strip() for line in printed.splitlines() if line.strip()]
