"""What holds for all tests: no windows, and no more threads than the workers have cores."""

from __future__ import annotations

import os

# Before NumPy, torch or matplotlib are imported, here and in the processes that tests start.
os.environ.setdefault("MPLBACKEND", "Agg")
if "PYTEST_XDIST_WORKER" in os.environ:
    os.environ.setdefault("OMP_NUM_THREADS", "1")
