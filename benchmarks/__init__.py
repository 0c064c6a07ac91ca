"""Measurements of speed; run from a clone, e.g. ``python -m benchmarks.throughput mustang``."""
