"""The docs' tables are what the code says."""

from __future__ import annotations

import re

import pytest

from docs.generate import GAMES, TABLES, generated, main, pages, render
from docs.rule_tests import ROOT

PAGES = sorted((ROOT / "docs").glob("*.md"))
MARKER = re.compile(r"<!-- (begin|end): (\S+) -->")


@pytest.mark.parametrize("page", [page for page, _ in pages()], ids=lambda page: page.name)
def test_generated_parts_are_current(page):
    current = dict(pages())[page]
    assert page.read_text(encoding="utf-8") == current, "run `make docs`"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_markers_come_in_pairs(page):
    markers = MARKER.findall(page.read_text(encoding="utf-8"))
    names = [name for kind, name in markers if kind == "begin"]
    assert markers == [(kind, name) for name in names for kind in ("begin", "end")]


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("table", TABLES)
def test_each_game_shows_each_table(game, table):
    assert f"<!-- begin: {game}-{table} -->" in (ROOT / "docs" / f"{game}.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))
def test_tables_cover_the_spaces(game):
    for layout, table in [(game.observation_layout, "observation"), (game.action_layout, "actions")]:
        places = re.findall(r"^\| \w+ \| (\d+) \| (\d+) \|", generated(f"{game.name}-{table}"), re.MULTILINE)
        entries = [i for first, last in places for i in range(int(first), int(last) + 1)]
        assert entries == list(range(layout.size))


def test_a_stale_part_is_replaced():
    page = "before\n<!-- begin: mustang-options -->\nold\n<!-- end: mustang-options -->\nafter\n"
    assert "old" not in render(page)
    assert render(render(page)) == render(page)
    assert render(page).startswith("before\n")
    assert render(page).endswith("\nafter\n")


def test_check_writes_nothing(capsys):
    before = {page: page.read_text(encoding="utf-8") for page, _ in pages()}
    assert main(["--check"]) == 0
    assert before == {page: page.read_text(encoding="utf-8") for page, _ in pages()}
