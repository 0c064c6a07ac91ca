"""What holds for all tests and the processes they start: no windows, and one thread for torch's tiny networks."""

from __future__ import annotations

import os

# Before NumPy, torch or matplotlib are imported.
os.environ.setdefault("MPLBACKEND", "Agg")
os.environ.setdefault("OMP_NUM_THREADS", "1")
