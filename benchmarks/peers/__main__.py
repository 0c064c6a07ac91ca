"""The command ``python -m benchmarks.peers``."""

from __future__ import annotations

from agents.command_line import start

start("compare", "benchmarks.peers")
