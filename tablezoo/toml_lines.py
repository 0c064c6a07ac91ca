"""Where the keys of a TOML file stand; ``tomllib`` tells it only of text that is not TOML."""

from __future__ import annotations

import re
from typing import Any

_BLANK = re.compile(r"(?:[\s,]|#[^\n]*)*")
_INLINE_BLANK = re.compile(r"[ \t]*")
_STRING = re.compile(
    r'"""(?:[^\\]|\\.)*?"{3,5}'
    r"|'''.*?'{3,5}"
    r'|"(?:[^"\\]|\\.)*"'
    r"|'[^']*'",
    re.DOTALL,
)
_SCALAR = re.compile(r"[^,\]}#\n]*")
_BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")


def key_lines(text: str) -> dict[str, int]:
    """Return the line of each key and array entry of valid TOML, by its path, such as ``horses[12].name``."""
    return _Scanner(text).lines()


class _Scanner:
    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0
        self._counted_at, self._line = 0, 1
        self._found: dict[str, int] = {}
        self._tables: dict[str, int] = {}  # the number of [[tables]] so far

    def lines(self) -> dict[str, int]:
        path = ""
        while self._skip(_BLANK) < len(self._text):
            if self._text[self._at] == "[":
                path = self._header()
            else:
                self._pair(path)
        return self._found

    def _skip(self, pattern: re.Pattern[str]) -> int:
        match: Any = pattern.match(self._text, self._at)
        self._at = match.end()
        return self._at

    def _take(self, sign: str) -> bool:
        taken = self._text.startswith(sign, self._at)
        self._at += len(sign) if taken else 0
        return taken

    def _note(self, path: str) -> None:
        self._line += self._text.count("\n", self._counted_at, self._at)
        self._counted_at = self._at
        self._found.setdefault(path, self._line)

    def _header(self) -> str:
        """Read ``[table]`` or ``[[table]]``; return the path of its keys."""
        is_list = self._take("[[")
        if not is_list:
            self._take("[")
        *parents, last = self._keys()
        self._take("]]" if is_list else "]")
        path = ""
        for parent in parents:
            path = self._latest(_join(path, parent))
        path = _join(path, last)
        self._note(path)
        if is_list:
            self._tables[path] = self._tables.get(path, -1) + 1
            path = self._latest(path)
            self._note(path)
        return path

    def _latest(self, path: str) -> str:
        return f"{path}[{self._tables[path]}]" if path in self._tables else path

    def _keys(self) -> list[str]:
        """Read a key, dotted or not."""
        keys = []
        while True:
            self._skip(_INLINE_BLANK)
            start = self._at
            if self._text[start] in "\"'":
                self._skip(_STRING)
                keys.append(self._text[start + 1 : self._at - 1])
            else:
                self._skip(_BARE_KEY)
                keys.append(self._text[start : self._at])
            self._skip(_INLINE_BLANK)
            if not self._take("."):
                return keys

    def _pair(self, path: str) -> None:
        for key in self._keys():
            path = _join(path, key)
            self._note(path)
        self._take("=")
        self._value(path)

    def _value(self, path: str) -> None:
        self._skip(_INLINE_BLANK)
        if self._take("["):
            self._array(path)
        elif self._take("{"):
            while self._skip(_BLANK) and not self._take("}"):
                self._pair(path)
        elif self._text[self._at] in "\"'":
            self._skip(_STRING)
        else:
            self._skip(_SCALAR)

    def _array(self, path: str) -> None:
        count = 0
        while self._skip(_BLANK) and not self._take("]"):
            entry = f"{path}[{count}]"
            self._note(entry)
            self._value(entry)
            count += 1


def _join(path: str, key: str) -> str:
    return f"{path}.{key}" if path else key
