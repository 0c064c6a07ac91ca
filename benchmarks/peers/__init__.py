"""Other libraries beside tablezoo, on one machine in one run: ``python -m benchmarks.peers``."""
