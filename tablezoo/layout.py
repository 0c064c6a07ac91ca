"""Named parts of a flat vector: the observation's and the action space's."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tablezoo.errors import did_you_mean


@dataclass(frozen=True)
class Part:
    """One named part of a layout.

    Attributes:
        name: how code and docs call it.
        shape: its shape; an int stands for (int,).
        high: the highest raw value of each entry, broadcast to the shape (observations; 1 for one-hots).
        about: what it means, a line for the docs.
        labels: for actions, a function from the index within the part to words.
    """

    name: str
    shape: int | tuple[int, ...]
    high: ArrayLike = 1
    about: str = ""
    labels: Callable[..., str] | None = None

    @property
    def dims(self) -> tuple[int, ...]:
        return (self.shape,) if isinstance(self.shape, int) else tuple(self.shape)

    @property
    def size(self) -> int:
        return int(np.prod(self.dims, dtype=np.int64))


class Layout:
    """The parts of a flat vector, in order.

    Attributes:
        parts: the parts.
        size: the vector's length.
        high: (size,) uint8, the highest raw value of each entry.
    """

    def __init__(self, parts: Sequence[Part]) -> None:
        self.parts = tuple(parts)
        self._offsets: dict[str, int] = {}
        size = 0
        for part in self.parts:
            if part.name in self._offsets:
                raise ValueError(f"the layout names {part.name!r} twice")
            self._offsets[part.name] = size
            size += part.size
        self.size = size
        highs = [np.broadcast_to(np.asarray(part.high, np.uint8), part.dims).ravel() for part in self.parts]
        self.high: NDArray[np.uint8] = np.concatenate(highs)
        self.high.flags.writeable = False
        self._scale = (1.0 / np.maximum(self.high, 1)).astype(np.float32)

    def _part(self, name: str) -> Part:
        if name not in self._offsets:
            raise KeyError(f"the layout has no part {name!r}{did_you_mean(name, self._offsets)}")
        return next(part for part in self.parts if part.name == name)

    def offset(self, name: str) -> int:
        """Return where a part begins."""
        self._part(name)
        return self._offsets[name]

    def slice(self, name: str) -> slice:
        """Return a part's place in the flat vector."""
        return slice(self.offset(name), self.offset(name) + self._part(name).size)

    def view(self, array: NDArray[Any], name: str) -> NDArray[Any]:
        """Return a part of ``array`` ((..., size)) in the part's own shape ((..., *shape)), without a copy."""
        return array[..., self.slice(name)].reshape(*array.shape[:-1], *self._part(name).dims)

    def scale(self, raw: NDArray[np.uint8]) -> NDArray[np.float32]:
        """Return raw values ((..., size) uint8) as fresh float32 in [0, 1]: each divided by its highest."""
        scaled: NDArray[np.float32] = raw * self._scale
        return scaled

    def part_of(self, index: int) -> tuple[Part, tuple[int, ...]]:
        """Return the part that holds a flat index, and the index within it.

        Raises:
            IndexError: not below ``size``, or negative.
            TypeError: no integer.
        """
        if isinstance(index, (bool, np.bool_)) or not isinstance(index, (int, np.integer)):
            raise TypeError(f"index {index!r} is of type {type(index).__name__}; expected 0 to {self.size - 1}")
        if not 0 <= index < self.size:
            raise IndexError(f"index {index} is out of range: the layout has {self.size} entries")
        for part in self.parts:
            start = self._offsets[part.name]
            if index < start + part.size:
                inner = np.unravel_index(index - start, part.dims)
                return part, tuple(int(i) for i in inner)
        raise AssertionError("unreachable: the parts cover the layout")

    def label(self, index: int) -> str:
        """Return the words for a flat index."""
        part, inner = self.part_of(index)
        if part.labels is not None:
            return part.labels(*inner)
        return part.name if part.size == 1 else f"{part.name}[{', '.join(map(str, inner))}]"

    def digest(self) -> str:
        """Return 16 hex digits that tell layouts apart: over the parts' names, shapes and highest values, in order."""
        told = [(part.name, part.dims, self.high[self.slice(part.name)].tolist()) for part in self.parts]
        return hashlib.sha256(repr(told).encode()).hexdigest()[:16]

    def table(self) -> str:
        """Return a Markdown table of the parts: name, place, shape, highest value, meaning."""
        rows = ["| part | from | to | shape | highest | meaning |", "|---|---|---|---|---|---|"]
        for part in self.parts:
            start = self._offsets[part.name]
            high = np.unique(np.asarray(part.high))
            highest = str(high[0]) if high.size == 1 else f"{high.min()} to {high.max()}"
            shape = " x ".join(map(str, part.dims))
            rows.append(f"| {part.name} | {start} | {start + part.size - 1} | {shape} | {highest} | {part.about} |")
        return "\n".join(rows)
