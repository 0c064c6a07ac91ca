"""Content sets: TOML files that are read, checked and turned into records, which kernels take as an argument."""

from __future__ import annotations

import hashlib
import os
import tomllib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

from tablezoo.errors import ContentError, did_you_mean
from tablezoo.toml_lines import key_lines


class Faults:
    """The faults found in one content set, each with its key and, where the set is a file, its line."""

    def __init__(self, file: str, text: str = "") -> None:
        self.file = file
        self._lines = key_lines(text)
        self.found: list[str] = []

    def add(self, key: str, message: str) -> None:
        """Note a fault at ``key``, a path such as ``horses[12].name``."""
        line = self._line(key)
        where = f"{self.file}:{line}" if line else self.file
        self.found.append(f"{where}: {key}: {message}")

    def _line(self, key: str) -> int | None:
        """Return the line of the key, or of the innermost table or list around one that is not there."""
        while key and key not in self._lines:
            key = key[: max(key.rfind("."), key.rfind("["), 0)]
        return self._lines.get(key)

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
        generators: by name, what makes a document from the argument in ``"name:argument"``. It is checked like a file;
            an argument that it does not take is a ContentError.
    """

    dtype: DTypeLike
    package: str
    default: str
    read: Callable[[Mapping[str, Any], Faults, NDArray[Any]], None]
    generators: Mapping[str, Callable[[str], Mapping[str, Any]]] = field(default_factory=dict)

    def names(self) -> list[str]:
        """Return the names of the sets that come with the game."""
        folder = resources.files(self.package) / "content"
        return sorted(entry.name.removesuffix(".toml") for entry in folder.iterdir() if entry.name.endswith(".toml"))

    def load(self, source: str | Path | ContentSet | None) -> ContentSet:
        """Return the set that a name, a generator with its argument, a path or a set itself stands for.

        Raises:
            ContentError: no such file, not TOML, empty, or with faults; all faults at once.
        """
        if isinstance(source, ContentSet):
            if source.record.dtype != self.dtype:
                raise ContentError(f"content set {source.name!r} is another game's: its record has other fields")
            return source
        if source is not None and not isinstance(source, (str, Path)):
            raise TypeError(f"content={source!r}: expected {_SOURCES}")
        source = self.default if source is None else source
        if isinstance(source, Path) or is_path(source):
            return self._load_file(Path(source))
        if source in self.names():
            return self._load_file(resources.files(self.package) / "content" / f"{source}.toml")
        return self._generate(source)

    def _load_file(self, entry: Traversable) -> ContentSet:
        return self.load_text(text_of_file(entry), str(entry), entry.name.removesuffix(".toml"))

    def load_text(self, text: str, file: str, name: str) -> ContentSet:
        """Return the set that a TOML text holds; faults are told with the name of the ``file`` that it is from.

        Raises:
            ContentError: as :meth:`load`.
        """
        try:
            document = tomllib.loads(text)
        except (ValueError, RecursionError) as error:  # a number too long to read is a bare ValueError
            raise ContentError(f"{file}: not TOML: {error}") from error
        if not document:
            raise ContentError(f"{file}: the file is empty")
        return self._read(document, Faults(file, text), name)

    def _generate(self, source: str) -> ContentSet:
        name, colon, argument = source.partition(":")
        if not colon or name not in self.generators:
            known = [*self.names(), *(f"{name}:" for name in self.generators)]
            near = did_you_mean(name + colon, known)
            raise ContentError(f"no content set {source!r}{near} (the path of a file ends with .toml)")
        return self._read(self.generators[name](argument), Faults(source), source)

    def _read(self, document: Mapping[str, Any], faults: Faults, name: str) -> ContentSet:
        record = np.zeros(1, self.dtype)
        self.read(document, faults, record)
        faults.check()
        return ContentSet(name, record)


def is_path(source: str | Path) -> bool:
    """Whether a source is a file's path, and no name of a set."""
    return isinstance(source, Path) or source.endswith(".toml") or os.path.basename(source) != source


def text_of_file(entry: Traversable) -> str:
    """Return the text of a content file.

    Raises:
        ContentError: it cannot be read, or is no text.
    """
    try:
        return entry.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise ContentError(f"{entry}: cannot be read: {error.strerror or error}") from error
    except UnicodeDecodeError as error:
        raise ContentError(f"{entry}: cannot be read: not UTF-8 text: {error}") from error


#: What kernels of a game without content get in its place.
NO_CONTENT = np.dtype([("unused", np.uint8)])

ContentSource = str | Path | ContentSet | None
_SOURCES = "the name of a content set, a path to one or a ContentSet"


def load_sets(format_: ContentFormat | None, sources: ContentSource | Sequence[ContentSource]) -> list[ContentSet]:
    """Return the content sets of a batch: one, or several that its lanes take in turn.

    Raises:
        ContentError: content for a game that has none, or faults in a file.
    """
    if format_ is None:
        if sources is not None:
            raise ContentError(f"this game has no content sets; got content={sources!r}")
        return [ContentSet("none", np.zeros(1, NO_CONTENT))]
    listed = listed_sources(sources)
    if not listed:
        raise ContentError("content= is an empty sequence; expected a name, a path or a sequence of them")
    return [format_.load(source) for source in listed]


def listed_sources(sources: ContentSource | Sequence[ContentSource]) -> list[ContentSource]:
    """Return the sources that ``content=`` lists, one or several.

    Raises:
        TypeError: what is neither a source nor a sequence of them.
    """
    if sources is None or isinstance(sources, (str, Path, ContentSet)):
        return [sources]
    if isinstance(sources, (bytes, Mapping)) or not isinstance(sources, Iterable):
        raise TypeError(f"content={sources!r}: expected {_SOURCES}, or a sequence of them")
    return list(sources)
