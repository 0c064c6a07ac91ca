"""One thread at a time: a second one's call on the same batch is refused, not queued, since it would find other games
than those it chose its actions for."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, Concatenate, ParamSpec, TypeVar, cast

P = ParamSpec("P")
R = TypeVar("R")


def in_use() -> RuntimeError:
    """Return what a thread is told that calls a batch while another thread does."""
    return RuntimeError(
        "this batch is being used by another thread: a call of that thread has not returned yet; "
        "give each thread a batch (or an environment) of its own, or guard this one with a lock"
    )


def alone(method: Callable[Concatenate[Any, P], R]) -> Callable[Concatenate[Any, P], R]:
    """Let one thread at a time into the methods of an object that has a ``_lock``, an RLock.

    The fast paths (``Batch.step``, ``AECEnv.step``) do the same in line: a decorator's call costs as much as its lock.
    """

    @functools.wraps(method)
    def guarded(self: Any, *args: P.args, **keywords: P.kwargs) -> R:
        lock = self._lock
        if not lock.acquire(False):
            raise in_use()
        try:
            return method(self, *args, **keywords)
        finally:
            lock.release()

    return cast(Callable[Concatenate[Any, P], R], guarded)
