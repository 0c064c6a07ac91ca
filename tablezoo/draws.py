"""Draws for content sets that are made from a seed, the same in every version of Python."""

from __future__ import annotations

import re
from collections.abc import Sequence
from random import Random
from typing import TypeVar

from tablezoo.errors import ContentError

T = TypeVar("T")

_SEED = re.compile(r"0|[1-9][0-9]{0,18}")


class Draws:
    """Draws by ``random()`` alone, which is the same in every version of Python.

    Args:
        generator: the name before the colon, as in ``procedural:7``.
        argument: what stands behind it, a seed.

    Raises:
        ContentError: the argument is no seed.
    """

    def __init__(self, generator: str, argument: str) -> None:
        if not _SEED.fullmatch(argument):
            source = f"{generator}:{argument}"
            raise ContentError(f"content {source!r}: expected a seed, a whole number below 10**19, as in {generator}:7")
        self._random = Random(int(argument)).random

    def one_of(self, things: Sequence[T]) -> T:
        return things[int(self._random() * len(things))]

    def some_of(self, things: Sequence[T], count: int) -> list[T]:
        return self.shuffled(things)[:count]

    def shuffled(self, things: Sequence[T]) -> list[T]:
        left = list(things)
        return [left.pop(int(self._random() * len(left))) for _ in things]
