"""The one door to Numba: rules are plain Python until ``kernel`` compiles them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar, cast

import numba
from numba import config, types

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
    return cast(F, _kernel(function, _wide))


def common_kernel(function: F) -> F:
    """Compile a kernel that gains nothing from the constants it is called with; see :func:`kernel`.

    Other kernels are compiled once for each constant that a caller writes down: a copy of 310 bytes is faster than one
    of n bytes. This one is compiled once for all.
    """
    return cast(F, _kernel(function, _wide_constants_too))


def _kernel(function: Callable[..., Any], widened: Callable[[Any], Any]) -> Any:
    """Return a kernel that Python can call, and that sends its callers among the kernels to a leaner twin.

    The twin lacks the wrappers for calls from Python, and takes small integers as int64: Numba would compile it anew
    for each width. Together they save a third of the time to a game's first step.
    """
    from_python = _compile(function)
    if UNCOMPILED:
        return from_python
    from_kernels = _compile(function, no_cpython_wrapper=True, no_cfunc_wrapper=True)

    def get_call_template(args: Sequence[Any], kws: dict[str, Any]) -> Any:
        wide = {name: widened(argument) for name, argument in kws.items()}
        return from_kernels.get_call_template([widened(argument) for argument in args], wide)

    from_python.get_call_template = get_call_template
    from_python.get_overload = from_kernels.get_overload
    return from_python


def _wide(argument: Any) -> Any:
    return argument if isinstance(argument, types.IntegerLiteral) else _wide_constants_too(argument)


def _wide_constants_too(argument: Any) -> Any:
    return types.int64 if isinstance(argument, types.Integer) and argument != types.uint64 else argument


def view_kernel(function: F) -> F:
    """Compile a kernel that returns a view of an array; see :func:`kernel`.

    Numba writes its body into each caller: a call that returns an array counts references and takes 13 ns.
    """
    return cast(F, _compile(function, _nrt=True, inline="always"))


def loop(function: F, *, cache: bool, allocates: bool, inline: bool) -> F:
    """Compile a loop that was specialised for a game, or a part of loops that goes into each of them."""
    return cast(F, _compile(function, _nrt=allocates, cache=cache, inline="always" if inline else "never"))


def _compile(function: Callable[..., Any], _nrt: bool = False, **flags: Any) -> Any:
    # Without Numba's reference counting, an atomic increment at each call that gets a row, a step takes 10 to 20 % less
    # time; and what allocates does not compile. All arrays belong to the caller, who outlives the call.
    jit: Any = numba.njit  # its stub knows nothing of _nrt, a name private to Numba that stands nowhere else
    return jit(nogil=True, _nrt=_nrt, **flags)(function)


def python_function(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return the plain Python function behind a kernel."""
    plain: Callable[..., Any] = getattr(function, "py_func", function)
    return plain
