"""Write the generated parts of the docs: ``python -m docs.generate``; with ``--check``, only say what is stale.

A generated part stands between ``<!-- begin: NAME -->`` and ``<!-- end: NAME -->``; what is between is replaced.
Rules documents get the tests that cite each rule into their last column.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import numpy as np

from docs.rule_tests import ROOT, citing_tests, fill_tests
from fable_env import GAME as FABLE
from mustang_env import GAME as MUSTANG
from stabletimes_env import GAME as STABLE_TIMES
from tablezoo import Game

_PART = re.compile(r"(<!-- begin: (\S+) -->\n).*?(<!-- end: \2 -->)", re.DOTALL)

GAMES = {"mustang": MUSTANG, "stabletimes": STABLE_TIMES, "fable": FABLE}


def observation_table(game: Game) -> str:
    """Return the parts of what a seat sees."""
    return game.observation_layout.table()


def action_table(game: Game) -> str:
    """Return the parts of the action space, each with the words for its first and its last action."""
    layout = game.action_layout
    rows = ["| part | from | to | shape | meaning | first and last in words |", "|---|---|---|---|---|---|"]
    for part in layout.parts:
        first = layout.offset(part.name)
        last = first + part.size - 1
        words = dict.fromkeys([layout.label(first), layout.label(last)])
        shape = " x ".join(map(str, part.dims))
        rows.append(f"| {part.name} | {first} | {last} | {shape} | {part.about} | {'; '.join(words)} |")
    return "\n".join(rows)


def option_table(game: Game) -> str:
    """Return the game's options with their defaults."""
    rows = ["| option | default | meaning |", "|---|---|---|"]
    rows += [f"| `{option.name}` | `{option.default!r}` | {option.about} |" for option in game.all_options]
    return "\n".join(rows)


def record_table(game: Game) -> str:
    """Return the fields of the game's record."""
    rows = ["| field | dtype | shape |", "|---|---|---|"]
    for name in game.state_dtype.names or ():
        field = game.state_dtype[name]
        shape = " x ".join(map(str, field.shape)) or "scalar"
        rows.append(f"| `{name}` | {np.dtype(field.base).name} | {shape} |")
    return "\n".join(rows)


def sizes(game: Game) -> str:
    """Return the sizes of the spaces, in a line."""
    return (
        f"Observation: {game.observation_size} entries. Actions: {game.num_actions}. "
        f"Players: {game.min_players} to {game.max_players}. Record: {game.state_dtype.itemsize} bytes."
    )


TABLES: dict[str, Callable[[Game], str]] = {
    "observation": observation_table,
    "actions": action_table,
    "options": option_table,
    "record": record_table,
    "sizes": sizes,
}


def generated(name: str) -> str:
    """Return a generated part by its name, ``GAME-TABLE``.

    Raises:
        KeyError: there is no such game or table.
    """
    game, _, table = name.partition("-")
    return TABLES[table](GAMES[game])


def render(text: str) -> str:
    """Return a page with its generated parts as the code has them now."""
    return _PART.sub(lambda match: f"{match[1]}{generated(match[2])}\n{match[3]}", text)


def pages() -> Iterator[tuple[Path, str]]:
    """Yield every page with generated parts, and what it should hold."""
    for page in [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]:
        yield page, render(page.read_text(encoding="utf-8"))
    for game in GAMES:
        page = ROOT / f"{game}_env" / "RULES.md"
        yield page, fill_tests(page.read_text(encoding="utf-8"), citing_tests(ROOT / "tests" / game))


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; return its exit status."""
    parser = argparse.ArgumentParser(
        prog="python -m docs.generate", description="Write the generated parts of the docs."
    )
    parser.add_argument("--check", action="store_true", help="write nothing; fail if a page is stale")
    asked = parser.parse_args(argv)
    stale = [(page, text) for page, text in pages() if page.read_text(encoding="utf-8") != text]
    for page, text in stale:
        print(f"{'stale' if asked.check else 'written'}: {page.relative_to(ROOT)}")
        if not asked.check:
            page.write_text(text, encoding="utf-8")
    return 1 if asked.check and stale else 0


if __name__ == "__main__":
    sys.exit(main())
