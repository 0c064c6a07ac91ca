"""The content set of a game that is kept: enough of it to load it again elsewhere, and to know that it is the same."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from tablezoo.content import ContentFormat, ContentSet, is_path, text_of_file
from tablezoo.errors import ContentError


@dataclass(frozen=True)
class PlayedContent:
    """A content set.

    Attributes:
        source: its name, a generator with its argument, or the name of its file.
        hash: of the set's record, 16 hexadecimal digits.
        text: what the file holds; None for a name or a generator.
    """

    source: str
    hash: str
    text: str | None = None

    @classmethod
    def of(cls, format_: ContentFormat, source: str | Path | None) -> PlayedContent:
        """Return what a name, a generator or a path stands for.

        Raises:
            ContentError: there is no such set, or it has faults.
        """
        source = format_.default if source is None else source
        if not is_path(source):
            return cls(str(source), format_.load(source).hash)
        text = text_of_file(Path(source))
        return cls(Path(source).name, format_.load_text(text, str(source), Path(source).stem).hash, text)

    def load(self, format_: ContentFormat) -> ContentSet:
        """Return the set.

        Raises:
            ContentError: it is not there, has faults, or is not the one that was played.
        """
        if self.text is None:
            loaded = format_.load(self.source)
        else:
            loaded = format_.load_text(self.text, self.source, Path(self.source).stem)
        if loaded.hash != self.hash:
            raise ContentError(f"content {self.source!r} has the hash {loaded.hash} here; played with {self.hash}")
        return loaded
