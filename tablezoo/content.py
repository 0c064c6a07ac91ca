"""Content sets: TOML files that are read, checked and turned into records, which kernels take as an argument."""

from __future__ import annotations

import hashlib
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

from tablezoo.errors import ContentError, did_you_mean


class Faults:
    """The faults found in one content file, each with its key and, where it can be found, its line."""

    def __init__(self, file: str, text: str) -> None:
        self.file = file
        self._lines = text.splitlines()
        self.found: list[str] = []

    def add(self, key: str, message: str, value: str | None = None) -> None:
        """Note a fault at ``key``; ``value`` helps to find its line where a key stands many times."""
        line = self._line(key, value)
        where = f"{self.file}:{line}" if line else self.file
        self.found.append(f"{where}: {key}: {message}")

    def _line(self, key: str, value: str | None) -> int | None:
        last = key.rsplit(".", 1)[-1].split("[", 1)[0]
        for number, line in enumerate(self._lines, start=1):
            named = line.split("=", 1)[0].strip().strip("[]") == last
            if named and (value is None or value in line):
                return number
        return None

    def check(self) -> None:
        """Raise ContentError with all faults if there is one."""
        if self.found:
            raise ContentError("\n".join(self.found))


@dataclass(frozen=True)
class ContentSet:
    """A content set: its name, one record of the game's content dtype, and a hash of the record's bytes."""

    name: str
    record: NDArray[Any]

    @property
    def hash(self) -> str:
        return hashlib.sha256(self.record.tobytes()).hexdigest()[:16]


@dataclass(frozen=True)
class ContentFormat:
    """How a game's content is stored and read.

    Attributes:
        dtype: of the record that kernels get.
        package: the package whose ``content/`` folder holds the named sets.
        default: the name of the set used when none is asked for.
        read: ``read(document, faults, record)`` fills a zeroed (1,) array of ``dtype`` from a parsed TOML document and
            adds what is wrong to ``faults``.
    """

    dtype: DTypeLike
    package: str
    default: str
    read: Callable[[Mapping[str, Any], Faults, NDArray[Any]], None]

    def names(self) -> list[str]:
        """Return the names of the sets that come with the game."""
        folder = resources.files(self.package) / "content"
        return sorted(entry.name.removesuffix(".toml") for entry in folder.iterdir() if entry.name.endswith(".toml"))

    def load(self, source: str | Path | ContentSet | None) -> ContentSet:
        """Return the set that a name, a path or a set itself stands for.

        Raises:
            ContentError: no such file, not TOML, empty, or with faults; all faults at once.
        """
        if isinstance(source, ContentSet):
            return source
        file, text = self._text(self.default if source is None else source)
        try:
            document = tomllib.loads(text)
        except tomllib.TOMLDecodeError as error:
            raise ContentError(f"{file}: not TOML: {error}") from error
        if not document:
            raise ContentError(f"{file}: the file is empty")
        faults = Faults(file, text)
        record = np.zeros(1, self.dtype)
        self.read(document, faults, record)
        faults.check()
        return ContentSet(Path(file).stem, record)

    def _text(self, source: str | Path) -> tuple[str, str]:
        named = isinstance(source, str) and not source.endswith(".toml") and "/" not in source
        if named and source not in self.names():
            raise ContentError(f"no content set {source!r}{did_you_mean(str(source), self.names())}, or a .toml path")
        entry = resources.files(self.package) / "content" / f"{source}.toml" if named else Path(source)
        try:
            return str(entry), entry.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise ContentError(f"{entry}: cannot be read: {error}") from error


#: What kernels of a game without content get in its place.
NO_CONTENT = np.dtype([("unused", np.uint8)])

ContentSource = str | Path | ContentSet | None


def load_sets(format_: ContentFormat | None, sources: ContentSource | Sequence[ContentSource]) -> list[ContentSet]:
    """Return the content sets of a batch: one, or several that its lanes take in turn.

    Raises:
        ContentError: content for a game that has none, or faults in a file.
    """
    if format_ is None:
        if sources is not None:
            raise ContentError(f"this game has no content sets; got content={sources!r}")
        return [ContentSet("none", np.zeros(1, NO_CONTENT))]
    one = sources is None or isinstance(sources, (str, Path, ContentSet))
    listed: list[Any] = [sources] if one else list(sources)  # type: ignore[arg-type]  # narrowed by ``one``
    if not listed:
        raise ContentError("content= is an empty sequence; expected a name, a path or a sequence of them")
    return [format_.load(source) for source in listed]
