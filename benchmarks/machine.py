"""What a figure was measured on."""

from __future__ import annotations

import math
import os
import platform
import sys
from importlib import metadata
from pathlib import Path

_LIBRARIES = ("numpy", "numba", "pettingzoo", "gymnasium", "stable-baselines3")

#: The load average from which on the header warns.
_BUSY = 0.5


def describe_machine() -> list[str]:
    """Return lines that tell the processor, its cores and load, and the versions of what matters."""
    lines = [
        f"processor  {_processor()}, {cores()} cores, load average {_load():.2f}",
        f"versions   Python {platform.python_version()} on {platform.system()}, {', '.join(_versions())}",
    ]
    if _load() > _BUSY:
        lines.append("note       others work on this machine: figures are lower than they could be, and vary")
    return lines


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        lines = []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor() or platform.machine()


def cores() -> int:
    """Return how many cores this process may use."""
    if sys.platform == "linux":
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _load() -> float:
    return os.getloadavg()[0] if hasattr(os, "getloadavg") else math.nan


def _versions() -> list[str]:
    found = []
    for library in ("tablezoo", *_LIBRARIES):
        try:
            found.append(f"{library} {metadata.version(library)}")
        except metadata.PackageNotFoundError:
            continue
    return found
