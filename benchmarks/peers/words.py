"""What others' programs print, made short."""

from __future__ import annotations

_LINES = 4


def last_lines(printed: str) -> str:
    """Return the last lines of what a program printed that are not empty, in one."""
    lines = [line.strip() for line in printed.splitlines() if line.strip()]
    return " | ".join(lines[-_LINES:]) or "it printed nothing"
