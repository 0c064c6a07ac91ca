"""Work shared among threads: every lane once, errors when all are done, several callers at once."""

from __future__ import annotations

import threading
import time

import numpy as np
import pytest

from tablezoo.threads import share

LANES = np.arange(1000, 2000)


@pytest.mark.parametrize("threads", [1, 2, 3, 7])
def test_every_lane_is_worked_on_once(threads: int) -> None:
    worked = np.zeros(2000, int)
    parts = []

    def work(lanes: np.ndarray, run: slice, thread: int) -> None:
        worked[lanes] += 1
        assert (LANES[run] == lanes).all()
        parts.append(thread)

    share(LANES, threads, work)
    assert (worked[1000:] == 1).all()
    assert not worked[:1000].any()
    assert sorted(parts) == list(range(threads))


def test_few_lanes_wake_no_thread() -> None:
    names = []
    share(LANES[:100], 8, lambda *_: names.append(threading.current_thread().name))
    assert names == [threading.current_thread().name]


@pytest.mark.parametrize("failing", [0, 1])
def test_an_error_is_raised_once_all_parts_are_done(failing: int) -> None:
    done = []

    def work(_lanes: np.ndarray, _run: slice, thread: int) -> None:
        if thread == failing:
            raise ValueError(f"part {thread}")
        time.sleep(0.05)
        done.append(thread)

    with pytest.raises(ValueError, match=f"part {failing}"):
        share(LANES, 2, work)
    assert done == [1 - failing]
    share(LANES, 2, lambda _lanes, _run, thread: done.append(thread))
    assert sorted(done[1:]) == [0, 1]


def test_several_callers_share_the_threads() -> None:
    totals = [np.zeros(2000, int) for _ in range(8)]

    def call(total: np.ndarray) -> None:
        def work(lanes: np.ndarray, *_: object) -> None:
            total[lanes] += 1

        for _ in range(200):
            share(LANES, 3, work)

    callers = [threading.Thread(target=call, args=(total,)) for total in totals]
    for caller in callers:
        caller.start()
    for caller in callers:
        caller.join()
    assert all((total[1000:] == 200).all() for total in totals)
