"""A batch is one thread's at a time: another's call is refused in words, whatever it is, and crashes nothing."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

import numpy as np
import pytest

from tablezoo import Batch, Views
from tablezoo.aec import AECEnv
from tablezoo.gym import SeatEnv, SeatVectorEnv
from tablezoo.rng import seed_streams
from tablezoo.seats import SeatGames
from tests.engine.helpers import everything, run_python, same
from tests.engine.tiny import GAME

WORDS = "this batch is being used by another thread"

CALLS: dict[str, tuple[Any, ...]] = {
    "reset": (),
    "step": ([0, 0],),
    "advance": (np.zeros((2, 4), np.int8), seed_streams(0, 2)),
    "rollout": (0,),
    "random_actions": (np.random.default_rng(0),),
    "observe": (0,),
    "observe_final": (0,),
    "state": (),
    "refresh": (),
    "describe": (),
    "clone": (),
    "determinize": (0, 1),
    "save": ("never.npz",),
    "__deepcopy__": ({},),
    "__reduce__": (),
}
#: What touches no record: the caller of step_one holds the lock, the words of an error read the mask alone.
WITHOUT = {"load", "step_one", "explain_illegal"}


@contextmanager
def held(batch: Batch) -> Iterator[None]:
    """Another thread's call on the batch goes on meanwhile."""
    with ThreadPoolExecutor(1) as pool:
        pool.submit(batch._lock.acquire).result()
        try:
            yield
        finally:
            pool.submit(batch._lock.release).result()


def test_the_list_of_calls_is_whole():
    public = {name for name, _ in inspect.getmembers(Batch, inspect.isroutine) if not name.startswith("_")}
    assert public - WITHOUT == {name for name in CALLS if not name.startswith("_")}


@pytest.mark.parametrize("name", CALLS)
def test_every_call_is_refused_while_another_thread_is_within(name):
    batch = Batch(GAME, 2, seed=0)
    before = everything(batch)
    with held(batch), pytest.raises(RuntimeError, match=WORDS):
        getattr(batch, name)(*CALLS[name])
    assert same(before, everything(batch))
    batch.step(batch.action_mask.argmax(axis=1))


@pytest.mark.parametrize("name", ["random_actions", "greedy_actions", "determinize"])
def test_views_are_refused_too(name):
    batch = Batch(GAME, 2, seed=0)
    views = Views(batch, np.arange(2), seed_streams(0, 2))
    with held(batch), pytest.raises(RuntimeError, match=WORDS):
        getattr(views, name)(*([] if name == "random_actions" else [2]))


@pytest.mark.parametrize("make", [SeatGames, SeatEnv, SeatVectorEnv, AECEnv])
def test_environments_are_refused_too(make):
    env = make(GAME, **({"num_games": 1} if make is SeatGames else {}))
    env.reset(seed=0)
    batch = env._batch if make is AECEnv else env.batch if make is SeatGames else env.games.batch
    action = int(batch.action_mask[0].argmax())
    chosen = action if make in (AECEnv, SeatEnv) else [action]
    before = everything(batch)
    with held(batch):
        for call in (env.reset, lambda: env.step(chosen)):
            with pytest.raises(RuntimeError, match=WORDS):
                call()
    assert same(before, everything(batch))
    env.step(chosen)


def test_a_call_that_fails_lets_the_next_thread_in():
    batch = Batch(GAME, 2, seed=0)
    for call in (lambda: batch.step([99, 99]), lambda: batch.observe(9), lambda: batch.reset(seed=-1)):
        with pytest.raises(ValueError, match=r"out of range|negative"):
            call()
    with ThreadPoolExecutor(1) as pool:
        pool.submit(batch.step, batch.action_mask.argmax(axis=1)).result()


CROWD = """
import sys, threading
import numpy as np
from tablezoo import Batch
from tablezoo.aec import AECEnv
from mustang_env import GAME
sys.setswitchinterval(1e-5)
batch = Batch(GAME, 64, 4, seed=0)
env = AECEnv(GAME, 4)
env.reset(seed=0)
odd, stop = [], threading.Event()
def crowd(seed):
    rng = np.random.default_rng(seed)
    while not stop.is_set():
        for call in (lambda: batch.step(batch.random_actions(rng)), lambda: batch.observe(0),
                     lambda: batch.determinize(1, 2), lambda: single(rng)):
            try:
                call()
            except ValueError:  # chosen for a position that has passed
                pass
            except RuntimeError as error:
                if "being used by another thread" not in str(error):
                    odd.append(error)
            except Exception as error:
                odd.append(error)
def single(rng):
    legal = env._mask.nonzero()[0]
    if env.terminations[env.agent_selection] or not legal.size:
        env.reset()
    else:
        env.step(int(rng.choice(legal)))
threads = [threading.Thread(target=crowd, args=(i,)) for i in range(6)]
for thread in threads: thread.start()
stop.wait(4)
stop.set()
for thread in threads: thread.join()
batch.step(batch.random_actions(np.random.default_rng(0)))
print(odd[:3])
"""


def test_a_crowd_of_threads_crashes_nothing():
    assert run_python(CROWD) == "[]\n"
