"""Tables and menus in a terminal: pictures that fit its width, choices with numbers, lines from a person."""

from __future__ import annotations

import contextlib
import io
import shutil
import sys
import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby

import numpy as np

from tablezoo.batch import Batch
from tablezoo.game import Game
from tablezoo.telling import choice_words

WIDTH = 100
"""Columns of text at most; a narrower terminal has fewer."""
_INDENT = 4
_GAP = 3
_FEW = 8


def prepare() -> None:
    """Let no letter that a terminal lacks, or that was mistyped, end a game; give the line being typed its editing."""
    for stream in (sys.stdin, sys.stdout):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
    if is_terminal():
        with contextlib.suppress(ImportError):  # Windows has none
            import readline  # noqa: F401


def is_terminal() -> bool:
    """Whether a person sits at both ends."""
    return sys.stdin.isatty() and sys.stdout.isatty()


def width() -> int:
    """Return how many columns a line may have."""
    return min(WIDTH, shutil.get_terminal_size().columns) if sys.stdout.isatty() else WIDTH


def say(*lines: str) -> None:
    """Print lines, each folded where it is too long, what follows indented below it."""
    for line in lines:
        print("\n".join(_folded(line, width())))
    sys.stdout.flush()


def _folded(line: str, columns: int) -> list[str]:
    if len(line) <= columns:
        return [line]
    indent = len(line) - len(line.lstrip()) + _INDENT
    return textwrap.wrap(line, columns, subsequent_indent=" " * indent, break_on_hyphens=False)


def heading(words: str) -> str:
    """Return words in a rule across the page."""
    return f"--- {words} ".ljust(width(), "-")


@contextlib.contextmanager
def meanwhile(words: str) -> Iterator[None]:
    """Show words on a terminal while something takes its time, and take them away behind it."""
    if is_terminal():
        print(words, end="\r", flush=True)
    try:
        yield
    finally:
        if is_terminal():
            print(" " * len(words), end="\r", flush=True)


def ask(prompt: str) -> str:
    """Return a line that a person types.

    Raises:
        EOFError: Ctrl-D, or the end of the input.
    """
    line = input(prompt)
    if not sys.stdin.isatty():
        print(line)  # a terminal has shown it already
    return line.strip()


# --- the table --------------------------------------------------------------------------------------------------------


def choices_at(table: Batch) -> dict[int, str]:
    """Return the legal actions of a batch of one, each in words."""
    record = table.states[0]
    content = table.contents[int(record["content"])].record[0]
    legal = np.flatnonzero(table.action_mask[0])
    return {int(action): choice_words(table.game, record, content, int(action)) for action in legal}


def picture(table: Batch, seat: int | None) -> list[str]:
    """Return the text picture of a batch of one as ``seat`` sees it (None: the whole), without the list of choices."""
    lines = table.describe(0, seat).splitlines()
    if table.seat[0] >= 0:
        listed = [f"  {action}: {words}" for action, words in choices_at(table).items()]
        if lines[len(lines) - len(listed) :] == listed:
            lines = lines[: len(lines) - len(listed)]
    return lines


# --- the menu ---------------------------------------------------------------------------------------------------------


def menu(game: Game, choices: Mapping[int, str]) -> list[str]:
    """Return the choices, numbered from 1 in the order of the mapping; a few have a line each.

    Of more, those of one part of the action space that differ in their last index alone stand together; what their
    words begin with alike is said once.
    """
    numbered = list(enumerate(choices.items(), start=1))
    if len(numbered) <= _FEW:
        return entries((number, words) for number, (_, words) in numbered)
    lines: list[str] = []
    for _, part in groupby(numbered, key=lambda entry: _place(game, entry[1][0])[0]):
        groups = [
            _split([(number, words) for number, (_, words) in group])
            for _, group in groupby(part, key=lambda entry: _place(game, entry[1][0])[1][:-1])
        ]
        widest = max(len(cell) for _, cells in groups for cell in cells)
        for shared, cells in groups:
            lines += ([f"  {shared}"] if shared else []) + _in_columns(cells, widest + _GAP)
    return lines


def _place(game: Game, action: int) -> tuple[str, tuple[int, ...]]:
    part, inner = game.action_layout.part_of(action)
    return part.name, inner


def _split(group: Sequence[tuple[int, str]]) -> tuple[str, list[str]]:
    """Return the words that all choices begin with, and each choice's number with what is its own."""
    shared = _shared([words for _, words in group]) if len(group) > 1 else ""
    return shared.rstrip(), [_entry(number, words[len(shared) :]) for number, words in group]


def _shared(listed: Sequence[str]) -> str:
    """Return the words that all begin with. Each keeps words of its own, more than a number."""
    shared: list[str] = []
    for at in zip(*(words.split(" ")[:-1] for words in listed), strict=False):
        if len(set(at)) > 1:
            break
        shared.append(at[0])
    if shared and all(words.split(" ")[len(shared) :][0].isdecimal() for words in listed):
        shared.pop()
    return "".join(f"{word} " for word in shared)


def _entry(number: int, words: str) -> str:
    return f"{number:>4}  {words}"


def _in_columns(cells: Sequence[str], widest: int) -> list[str]:
    columns = max(1, (width() + _GAP) // widest)
    rows = -(-len(cells) // columns)
    return ["".join(f"{cell:<{widest}}" for cell in cells[row::rows]).rstrip() for row in range(rows)]


def matching(choices: Mapping[int, str], words: str) -> list[tuple[int, str]]:
    """Return number and words of the choices that have all of the words, in any order and case."""
    wanted = words.lower().split()
    return [
        (number, choice)
        for number, choice in enumerate(choices.values(), start=1)
        if all(word in choice.lower() for word in wanted)
    ]


def entries(found: Iterable[tuple[int, str]]) -> list[str]:
    """Return numbered choices, one a line."""
    return [_entry(number, words) for number, words in found]
