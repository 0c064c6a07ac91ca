"""The one door to Numba: rules are plain Python until ``kernel`` compiles them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, cast

import numba
from numba import config

F = TypeVar("F", bound=Callable[..., Any])

#: True when NUMBA_DISABLE_JIT is set: kernels and loops then run as plain Python.
UNCOMPILED: bool = bool(config.DISABLE_JIT)  # type: ignore[attr-defined]  # set by Numba at run time

#: True when NUMBA_BOUNDSCHECK is set: an index out of bounds then raises instead of reading on.
BOUNDSCHECK: bool = bool(config.BOUNDSCHECK)  # type: ignore[attr-defined]  # as above


def kernel(function: F) -> F:
    """Compile a kernel with Numba; under NUMBA_DISABLE_JIT=1 it stays plain Python.

    A kernel is scalar Python over one record: it allocates nothing, never recurses, and is never cached by itself
    (Numba would not notice an edited helper in another file); the loops that call it are, see :mod:`tablezoo.loops`.
    """
    return cast(F, _compile(function))


def view_kernel(function: F) -> F:
    """Compile a kernel that returns a view of an array; see :func:`kernel`.

    Numba writes its body into each caller: a call that returns an array counts references and takes 13 ns.
    """
    return cast(F, _compile(function, counted=True, inline="always"))


def loop(function: F, *, cache: bool, allocates: bool, inline: bool) -> F:
    """Compile a loop that was specialised for a game, or a part of loops that goes into each of them."""
    return cast(F, _compile(function, counted=allocates, cache=cache, inline="always" if inline else "never"))


def _compile(function: Callable[..., Any], counted: bool = False, cache: bool = False, inline: str = "never") -> Any:
    # Without Numba's reference counting, an atomic increment at each call that gets a row, a step takes 10 to 20 % less
    # time; and what allocates does not compile. All arrays belong to the caller, who outlives the call.
    jit: Any = numba.njit  # its stub knows nothing of _nrt, a name private to Numba that stands nowhere else
    return jit(nogil=True, _nrt=counted, cache=cache, inline=inline)(function)


def python_function(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return the plain Python function behind a kernel."""
    plain: Callable[..., Any] = getattr(function, "py_func", function)
    return plain
