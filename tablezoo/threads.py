"""Sharing a batch's lanes among threads: the loops release the GIL, each thread takes a run of lanes."""

from __future__ import annotations

import itertools
import os
import threading
from collections.abc import Callable
from queue import SimpleQueue
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

Work = Callable[[NDArray[np.int64], slice, int], Any]

#: Waking other threads has to save so many microseconds: handing work over and back takes about 12.
WORTH_WAKING_US = 30.0


class Pace:
    """How long some work takes a lane, learned from the work itself: it decides when another thread is worth waking.

    Args:
        us: microseconds a lane, before anything is known.
    """

    def __init__(self, us: float = 0.25) -> None:
        self.us = us

    def parts(self, lanes: int, threads: int) -> int:
        """Return among how many threads to share so many lanes: all, or as many as save enough, or one."""
        for parts in range(min(threads, lanes), 1, -1):
            if lanes * self.us * (1 - 1 / parts) >= WORTH_WAKING_US * (parts - 1):
                return parts
        return 1

    def learn(self, lanes: int, us: float) -> None:
        """Learn from work on so many lanes; a call that was interrupted, or compiled first, hardly counts."""
        if lanes:
            self.us += 0.2 * (min(us / lanes, 2 * self.us) - self.us)


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


def share(lanes: NDArray[np.int64], threads: int, work: Work, pace: Pace) -> None:
    """Call ``work(lanes[part], part, thread)`` for parts that cover the lanes, at the same time.

    Results are the same for every number of threads, since a lane touches only its own rows. No thread is woken where
    that would take longer, by ``pace``. What a part raises is raised once all are done.
    """
    if threads == 1 or lanes.size * pace.us < WORTH_WAKING_US:  # small batches are spared the clock
        work(lanes, slice(0, lanes.size), 0)
        return
    parts = pace.parts(lanes.size, threads)
    if parts == 1:
        started = perf_counter()
        work(lanes, slice(0, lanes.size), 0)
        pace.learn(lanes.size, 1e6 * (perf_counter() - started))
        return
    edges = [lanes.size * part // parts for part in range(parts + 1)]
    runs = [slice(a, b) for a, b in itertools.pairwise(edges)]
    pool = _pools.get(parts) or _start_pool(parts)
    done: SimpleQueue[BaseException | None] = SimpleQueue()
    for part, run in enumerate(runs[1:], start=1):
        pool.jobs.put((work, lanes[run], run, part, done))
    try:
        started = perf_counter()
        work(lanes[runs[0]], runs[0], 0)
        pace.learn(edges[1], 1e6 * (perf_counter() - started))
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
