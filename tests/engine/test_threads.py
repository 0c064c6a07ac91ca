"""Work shared among threads: every lane once, errors when all are done, several callers at once."""

from __future__ import annotations

import threading
import time

import numpy as np
import pytest

from tablezoo.threads import Pace, share

LANES = np.arange(1000, 2000)


class Fixed(Pace):
    """Learns nothing."""

    def learn(self, lanes: int, us: float) -> None:
        pass


SLOW, QUICK = Fixed(1000.0), Fixed(0.02)


@pytest.mark.parametrize("threads", [1, 2, 3, 7])
def test_every_lane_is_worked_on_once(threads: int) -> None:
    worked = np.zeros(2000, int)
    parts = []

    def work(lanes: np.ndarray, run: slice, thread: int) -> None:
        worked[lanes] += 1
        assert (LANES[run] == lanes).all()
        parts.append(thread)

    share(LANES, threads, work, SLOW)
    assert (worked[1000:] == 1).all()
    assert not worked[:1000].any()
    assert sorted(parts) == list(range(threads))


def test_quick_work_wakes_no_thread() -> None:
    names = []
    share(LANES, 8, lambda *_: names.append(threading.current_thread().name), QUICK)
    assert names == [threading.current_thread().name]


@pytest.mark.parametrize(
    ("us", "lanes", "threads", "parts"),
    [(0.25, 64, 2, 1), (0.25, 1024, 2, 2), (0.04, 1024, 2, 1), (0.04, 8192, 2, 2), (50.0, 4, 8, 4), (50.0, 1, 8, 1)],
)  # fmt: skip
def test_so_many_threads_are_worth_it(us: float, lanes: int, threads: int, parts: int) -> None:
    assert Pace(us).parts(lanes, threads) == parts


def test_a_pace_is_learned_from_the_work_and_hardly_from_a_call_that_was_compiled_first() -> None:
    pace = Pace(1.0)
    pace.learn(1000, 20e6)
    assert pace.us < 1.3
    for _ in range(100):
        pace.learn(1000, 50.0)
    assert 0.05 <= pace.us < 0.051


@pytest.mark.parametrize("failing", [0, 1])
def test_an_error_is_raised_once_all_parts_are_done(failing: int) -> None:
    done = []

    def work(_lanes: np.ndarray, _run: slice, thread: int) -> None:
        if thread == failing:
            raise ValueError(f"part {thread}")
        time.sleep(0.05)
        done.append(thread)

    with pytest.raises(ValueError, match=f"part {failing}"):
        share(LANES, 2, work, SLOW)
    assert done == [1 - failing]
    share(LANES, 2, lambda _lanes, _run, thread: done.append(thread), SLOW)
    assert sorted(done[1:]) == [0, 1]


def test_several_callers_share_the_threads() -> None:
    totals = [np.zeros(2000, int) for _ in range(8)]

    def call(total: np.ndarray) -> None:
        def work(lanes: np.ndarray, *_: object) -> None:
            total[lanes] += 1

        for _ in range(200):
            share(LANES, 3, work, Pace(SLOW.us))

    callers = [threading.Thread(target=call, args=(total,)) for total in totals]
    for caller in callers:
        caller.start()
    for caller in callers:
        caller.join()
    assert all((total[1000:] == 200).all() for total in totals)
