"""Sharing a batch's lanes among threads: the loops release the GIL, each thread takes a run of lanes."""

from __future__ import annotations

import itertools
import os
import threading
from collections.abc import Callable
from queue import SimpleQueue
from typing import Any

import numpy as np
from numpy.typing import NDArray

Work = Callable[[NDArray[np.int64], slice, int], Any]

#: Below so many lanes a thread, waking another thread costs more than it brings (measured: about 12 µs).
LANES_PER_THREAD = 128
#: The same where each lane is searched ...
SEARCHED_PER_THREAD = 4
#: ... and where next to nothing is done to it.
GLANCED_AT_PER_THREAD = 1024


class _Pool:
    """Threads that wait for work; a future of the standard library would take twice as long to hand over."""

    def __init__(self) -> None:
        self.jobs: SimpleQueue[tuple[Work, NDArray[np.int64], slice, int, SimpleQueue[BaseException | None]]]
        self.jobs = SimpleQueue()

    def start(self, size: int) -> None:
        for number in range(size):
            threading.Thread(target=self._run, name=f"tablezoo-{number}", daemon=True).start()

    def _run(self) -> None:
        while True:
            work, lanes, run, thread, done = self.jobs.get()
            try:
                work(lanes, run, thread)
            except BaseException as error:  # the caller raises it
                done.put(error)
            else:
                done.put(None)
            del work, lanes, done  # a waiting thread keeps no batch alive


_pools: dict[int, _Pool] = {}
if hasattr(os, "register_at_fork"):
    # A forked child has none of its parent's threads: it starts its own at first use.
    os.register_at_fork(after_in_child=_pools.clear)


def share(lanes: NDArray[np.int64], threads: int, work: Work, grain: int = LANES_PER_THREAD) -> None:
    """Call ``work(lanes[part], part, thread)`` for parts that cover the lanes, at the same time.

    Results are the same for every number of threads, since a lane touches only its own rows. No thread is woken for
    fewer than ``grain`` lanes. What a part raises is raised once all are done.
    """
    parts = max(1, min(threads, lanes.size // grain))
    if parts == 1:
        work(lanes, slice(0, lanes.size), 0)
        return
    edges = [lanes.size * part // parts for part in range(parts + 1)]
    runs = [slice(a, b) for a, b in itertools.pairwise(edges)]
    pool = _pools.get(parts) or _start_pool(parts)
    done: SimpleQueue[BaseException | None] = SimpleQueue()
    for part, run in enumerate(runs[1:], start=1):
        pool.jobs.put((work, lanes[run], run, part, done))
    try:
        work(lanes[runs[0]], runs[0], 0)
    finally:
        errors = [error for error in (done.get() for _ in runs[1:]) if error is not None]
    if errors:
        raise errors[0]


def _start_pool(parts: int) -> _Pool:
    """Return the pool for so many parts; of several callers at once, one starts it."""
    new = _Pool()
    pool = _pools.setdefault(parts, new)
    if pool is new:
        pool.start(parts - 1)
    return pool
