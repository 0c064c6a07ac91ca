"""Copies of loops for each game, with a disk cache that can be neither stale nor another game's.

The engine's loops are those of :mod:`tablezoo.loops`; another module may bring loops of its own, which are written with
the same names for a game's kernels, and may call the engine's parts.

Numba caches a function under its file, its qualified name and its bytecode, and looks at nothing that the function
calls. So every copy gets a qualified name that tells what it calls: the game, and a digest over all that is reachable
from loops and kernels in memory (bytecode, constants, the values of globals), with Numba's own flags. The loops alone
are cached, never the kernels. What cannot be digested is compiled anew in each process: games whose kernels are
closures, or that read a global which is neither a number, a string, an array, a module nor a function.
"""

from __future__ import annotations

import enum
import functools
import hashlib
import types
from collections.abc import Callable, Collection
from typing import Any

import numba
import numpy as np
from numba.core.registry import CPUDispatcher

from tablezoo import loops
from tablezoo.compiling import BOUNDSCHECK, UNCOMPILED, loop, python_function
from tablezoo.game import Game

_LIBRARIES = ("numpy", "math", "numba", "builtins")


class Loops:
    """A game's own loops, each an attribute: ``loops.step_lanes(...)``; compiled, or loaded from disk, at first use.

    Args:
        game: whose kernels the loops call.
        module: where the loops are written. Its functions whose names end in ``_lanes`` become attributes; the others
            are parts of them. ``ALLOCATING`` names those that make arrays; ``VARIANTS`` tells of copies by name: of
            which loop, and what stands for some of its globals.
    """

    check_lanes: Callable[..., int]
    reset_lanes: Callable[..., None]
    step_lanes: Callable[..., None]
    advance_lanes: Callable[..., None]
    play_on_lanes: Callable[..., None]
    refresh_lanes: Callable[..., None]
    observe_lanes: Callable[..., None]
    determinize_lanes: Callable[..., None]
    branch_lanes: Callable[..., None]
    random_lanes: Callable[..., None]
    uniform_lanes: Callable[..., None]
    greedy_lanes: Callable[..., None]

    def __init__(self, game: Game, module: types.ModuleType = loops) -> None:
        kernels = game.kernels.named()
        bound: dict[str, Any] = {f"GAME_{name.upper()}": function for name, function in kernels.items()}
        sizes = (game.num_actions, game.observation_size, game.max_players)
        bound |= dict(zip(("GAME_ACTIONS", "GAME_OBSERVED", "GAME_SEATS"), sizes, strict=True))
        parts = _functions(loops) if module is loops else [*_parts(loops), *_functions(module)]
        stand_ins = [function for _, others in module.VARIANTS.values() for function in others.values()]
        digest = None if game.package is None else digest_of([*parts, *stand_ins, *kernels.values()], *sizes)
        self._name = f"{game.name}.{digest or 'uncached'}"
        self._cached = digest is not None and not UNCOMPILED
        self._module = module
        namespaces = {source.__name__: {**vars(source), **bound} for source in (loops, module)}
        made = {part: self._make(part.__name__, part, namespaces[part.__module__]) for part in parts}
        for namespace in namespaces.values():
            namespace |= {name: made[value] for name, value in namespace.items() if _is_among(value, made)}
        for name, (original, others) in module.VARIANTS.items():
            namespace = namespaces[module.__name__]
            instead = {other: made.get(stand_in, stand_in) for other, stand_in in others.items()}
            self._make(name, vars(module)[original], {**namespace, **instead})

    def _make(self, name: str, function: Callable[..., Any], namespace: dict[str, Any]) -> Callable[..., Any]:
        """Return the game's copy of a loop, with ``namespace`` for globals; one called from outside is an attribute."""
        copy = types.FunctionType(function.__code__, namespace, name, function.__defaults__)
        copy.__module__ = function.__module__
        copy.__qualname__ = f"{self._name}.{name}"
        entry = name.endswith("_lanes")
        allocates = name in loops.ALLOCATING or name in self._module.ALLOCATING
        made = loop(copy, cache=entry and self._cached, allocates=allocates, inline=not entry)
        if entry:
            setattr(self, name, made)
        return made


def cached_loop(function: Callable[..., Any]) -> Callable[..., Any]:
    """Compile a loop over kernels that is no game's own, and that allocates nothing; it is cached as those are."""
    digest = digest_of([function])
    copy = types.FunctionType(function.__code__, function.__globals__, function.__name__, function.__defaults__)
    copy.__module__, copy.__doc__ = function.__module__, function.__doc__
    copy.__qualname__ = f"{digest or 'uncached'}.{function.__qualname__}"
    return loop(copy, cache=digest is not None and not UNCOMPILED, allocates=False, inline=False)


@functools.cache
def loops_of(game: Game, module: types.ModuleType = loops) -> Loops:
    """Return the loops of a game, made once a process."""
    return Loops(game, module)


def _functions(module: types.ModuleType) -> list[Callable[..., Any]]:
    """Return a module's own plain functions (its kernels are compiled already) but for stand-ins of kernels."""
    return [
        value
        for name, value in vars(module).items()
        if isinstance(value, types.FunctionType)
        and value.__module__ == module.__name__
        and not name.startswith("GAME_")
        and value is not loops._unbound
    ]


def _parts(module: types.ModuleType) -> list[Callable[..., Any]]:
    return [function for function in _functions(module) if not function.__name__.endswith("_lanes")]


def _is_among(value: Any, functions: Collection[Callable[..., Any]]) -> bool:
    return isinstance(value, types.FunctionType) and value in functions


def digest_of(functions: list[Callable[..., Any]], *values: Any) -> str | None:
    """Return a digest over all code and data that the functions can reach, and over values beside; None if some of it
    cannot be told."""
    walk = _Walk()
    walk.add(UNCOMPILED)
    walk.add(BOUNDSCHECK)
    walk.add(numba.__version__)
    for thing in (*functions, *values):
        walk.add(thing)
    return walk.hash.hexdigest()[:20] if walk.complete else None


class _Walk:
    """Feeds a hash with functions and values, each function once."""

    def __init__(self) -> None:
        self.hash = hashlib.sha256()
        self.complete = True
        self._seen: dict[int, int] = {}
        self._kept: list[Any] = []

    def add(self, value: Any) -> None:
        """Add a value of any kind that a kernel can hold in a global or a constant."""
        function = python_function(value) if isinstance(value, CPUDispatcher) else value
        if isinstance(function, types.FunctionType):
            self._add_function(function)
        elif isinstance(value, types.CodeType):
            self._add_code(value)
        elif isinstance(value, np.ndarray) and not value.dtype.hasobject:
            self._note("array", value.dtype.str, value.dtype.descr, value.shape, value.tobytes())
        elif isinstance(value, (tuple, frozenset)):
            items = sorted(value, key=repr) if isinstance(value, frozenset) else value
            self._note(type(value).__name__, len(value))
            for item in items:
                self.add(item)
        elif isinstance(value, enum.EnumMeta):
            members: dict[str, enum.Enum] = dict(value.__members__)
            self._note("enum", [(name, repr(member.value)) for name, member in members.items()])
        elif value is None or isinstance(value, (bool, int, float, complex, str, bytes, np.generic, np.dtype)):
            self._note(type(value).__name__, repr(value))
        elif _of_library(value):
            self._note("library", getattr(value, "__module__", ""), getattr(value, "__name__", None) or repr(value))
        else:
            self.complete = False

    def _note(self, *things: Any) -> None:
        self.hash.update(repr(things).encode())

    def _add_function(self, function: types.FunctionType) -> None:
        if id(function) in self._seen:
            self._note("seen", self._seen[id(function)])
            return
        self._seen[id(function)] = len(self._seen)
        self._kept.append(function)
        self._note("function", function.__module__, function.__qualname__)
        if function.__closure__:
            self.complete = False
        self.add(function.__defaults__)
        self._add_code(function.__code__)
        for name in self._names(function.__code__):
            if name in function.__globals__:
                self._note("global", name)
                self._add_global(function.__globals__[name], function.__code__)

    def _add_global(self, value: Any, code: types.CodeType) -> None:
        if not isinstance(value, types.ModuleType) or _of_library(value):
            self.add(value)
            return
        for name in self._names(code):
            if hasattr(value, name):
                self._note("attribute", value.__name__, name)
                self._add_global(getattr(value, name), code)

    def _add_code(self, code: types.CodeType) -> None:
        self._note("code", code.co_code, code.co_names, code.co_varnames, code.co_flags)
        for constant in code.co_consts:
            self.add(constant)

    def _names(self, code: types.CodeType) -> list[str]:
        nested = [c for c in code.co_consts if isinstance(c, types.CodeType)]
        return sorted(set(code.co_names).union(*(self._names(c) for c in nested)))


def _of_library(value: Any) -> bool:
    name = value.__name__ if isinstance(value, types.ModuleType) else getattr(value, "__module__", None)
    if name is None and isinstance(value, (types.BuiltinFunctionType, np.ufunc)):
        return True
    return isinstance(name, str) and name.split(".", 1)[0] in _LIBRARIES
