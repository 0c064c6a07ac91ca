"""What the readers of all games' content share: the tables of a document, and what their keys hold."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from tablezoo.content import Faults
from tablezoo.errors import did_you_mean


class Table:
    """A table of a content document. Each method tells what is wrong with one key and returns its value, None if wrong.

    Attributes:
        table: the keys and what they hold.
        path: where the table stands, such as ``horses[12].preference``; empty for the document itself.
    """

    def __init__(self, table: Mapping[str, Any], path: str, faults: Faults) -> None:
        self.table, self.path, self._faults = table, path, faults

    def fault(self, key: str, message: str) -> None:
        """Note a fault at ``key``, which may go on into a list: ``types[3]``."""
        self._faults.add(self._path_of(key), message)

    def _path_of(self, key: str) -> str:
        return f"{self.path}.{key}" if self.path else key

    def wrong(self, key: str, expected: str) -> None:
        """Tell what was expected, unless the key is missing, which :meth:`value` tells."""
        if key in self.table:
            self.fault(key, f"expected {expected}, got {short(self.table[key])}")

    def allow(self, *keys: str) -> None:
        """Tell of all other keys."""
        for key in self.table:
            if key not in keys:
                self.fault(key, f"unknown key{did_you_mean(key, keys)}")

    def value(self, key: str, expected: str) -> Any:
        """Return whatever stands there; only that it is missing is a fault."""
        if key not in self.table:
            self.fault(key, f"missing; expected {expected}")
        return self.table.get(key)

    def inner(self, key: str, expected: str) -> Table | None:
        """Return the table that a key holds."""
        value = self.value(key, expected)
        if isinstance(value, Mapping):
            return Table(value, self._path_of(key), self._faults)
        self.wrong(key, expected)
        return None

    def tables(self, key: str, count: int, expected: str) -> list[Table]:
        """Return the tables of a list, however many there are."""
        values = self.value(key, expected)
        if not isinstance(values, list):
            self.wrong(key, expected)
            return []
        if len(values) != count:
            self.fault(key, f"expected {expected}, got {len(values)}")
        for i, value in enumerate(values):
            if not isinstance(value, Mapping):
                self.fault(f"{key}[{i}]", f"expected a table, got {short(value)}")
        return [
            Table(table, self._path_of(f"{key}[{i}]"), self._faults)
            for i, table in enumerate(values)
            if isinstance(table, Mapping)
        ]

    def name(self, most_bytes: int, key: str = "name") -> str | None:
        """Read a name that fits into a record."""
        expected = a_name(most_bytes)
        name = self.value(key, expected)
        if is_name(name, most_bytes):
            return str(name)
        self.wrong(key, expected)
        return None

    def word(self, key: str, words: Iterable[str] | None) -> str | None:
        """Read one of ``words``, any word if they are not known."""
        expected = "a word" if words is None else f"one of {', '.join(words)}"
        value = self.value(key, expected)
        if not isinstance(value, str):
            self.wrong(key, expected)
        elif words is not None and value not in words:
            self.fault(key, f"unknown {key} {value!r}{did_you_mean(value, words)}")
        else:
            return value
        return None

    def whole_number(self, key: str, least: int, most: int | None = None) -> int | None:
        """Read a whole number from ``least`` to ``most``; ``2.0`` and ``true`` are none."""
        expected = f"a whole number, {least} to {most}" if most is not None else f"a whole number of {least} or more"
        value = self.value(key, expected)
        if is_whole(value) and value >= least and (most is None or value <= most):
            return int(value)
        self.wrong(key, expected)
        return None


def check_names(tables: Sequence[Table], most_bytes: int) -> None:
    """Check that each table has a ``name``, and none another's."""
    first: dict[str, str] = {}
    for table in tables:
        name = table.name(most_bytes)
        if name in first:
            table.fault("name", f"expected a name of its own, got {name!r}, which {first[name]} has too")
        elif name is not None:
            first[name] = table.path


def a_name(most_bytes: int) -> str:
    """Return what is expected of a name, in words."""
    return f"a name of 1 to {most_bytes} bytes, printable and without spaces around it"


def is_name(value: Any, most_bytes: int) -> bool:
    """Whether a value is such a name."""
    if not isinstance(value, str) or not value.isprintable() or value != value.strip():
        return False
    return 1 <= len(value.encode()) <= most_bytes


def is_whole(value: Any) -> bool:
    """Whether a value of the document is a whole number."""
    return isinstance(value, int) and not isinstance(value, bool)


def short(value: Any) -> str:
    """Return a value of the document for an error, cut if it is long."""
    if isinstance(value, bool):
        return str(value).lower()
    words = repr(value)
    return words if len(words) <= 60 else words[:57] + "..."


def store_text(cells: Any, text: str) -> None:
    """Write a name into bytes of a record that are zeros so far."""
    encoded = list(text.encode())
    cells[: len(encoded)] = encoded


def text_of(name: Any) -> str:
    """Return a name that :func:`store_text` wrote."""
    return bytes(np.asarray(name)).rstrip(b"\0").decode("utf-8")
