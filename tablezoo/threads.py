"""Sharing a batch's lanes among threads: the loops release the GIL, each thread takes a run of lanes."""

from __future__ import annotations

import itertools
import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
from numpy.typing import NDArray

#: Below so many lanes a thread, waking another thread costs more than it brings (measured: about 20 µs).
LANES_PER_THREAD = 128
#: The same where each lane is searched.
SEARCHED_PER_THREAD = 4

_pools: dict[int, ThreadPoolExecutor] = {}
if hasattr(os, "register_at_fork"):
    # A forked child has none of its parent's threads: it starts its own at first use.
    os.register_at_fork(after_in_child=_pools.clear)


def share(
    lanes: NDArray[np.int64],
    threads: int,
    work: Callable[[NDArray[np.int64], slice, int], Any],
    grain: int = LANES_PER_THREAD,
) -> None:
    """Call ``work(lanes[part], part, thread)`` for parts that cover the lanes, at the same time.

    Results are the same for every number of threads, since a lane touches only its own rows. No thread is woken for
    fewer than ``grain`` lanes.
    """
    parts = max(1, min(threads, lanes.size // grain))
    if parts == 1:
        work(lanes, slice(0, lanes.size), 0)
        return
    edges = [lanes.size * part // parts for part in range(parts + 1)]
    runs = [slice(a, b) for a, b in itertools.pairwise(edges)]
    pool = _pools.get(parts)
    if pool is None:
        pool = _pools.setdefault(parts, ThreadPoolExecutor(parts - 1, thread_name_prefix="tablezoo"))
    others = [pool.submit(work, lanes[run], run, part) for part, run in enumerate(runs[1:], start=1)]
    work(lanes[runs[0]], runs[0], 0)
    for other in others:
        other.result()
