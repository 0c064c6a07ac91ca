"""What the project says of itself in several places agrees."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

import tablezoo
from tablezoo.game import load_game

ROOT = Path(__file__).resolve().parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
PINNED = (ROOT / "constraints.txt").read_text(encoding="utf-8")


def normal(name):
    return re.sub(r"[-_.]+", "-", name).lower()


def test_the_version_is_told_alike():
    assert f"\nversion: {tablezoo.__version__}\n" in (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert f"\n## {tablezoo.__version__}" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")


def test_the_base_install_is_light():
    names = {re.split(r"[><=]", requirement)[0] for requirement in PROJECT["project"]["dependencies"]}
    assert names == {"numpy", "numba", "gymnasium", "pettingzoo"}


def test_every_dependency_has_a_tested_version():
    extras = PROJECT["project"]["optional-dependencies"]
    required = [*PROJECT["project"]["dependencies"], *extras["train"], *extras["bench"], *extras["dev"]]
    names = {normal(re.split(r"[><=\[]", requirement)[0]) for requirement in required} - {"tablezoo"}
    pinned = {normal(line.partition("==")[0]) for line in PINNED.splitlines() if "==" in line}
    assert sorted(names - pinned) == []


def test_every_game_that_is_listed_can_be_imported():
    for name, ref in PROJECT["project"]["entry-points"]["tablezoo.games"].items():
        game = load_game(ref)
        assert (f"{game.title.replace(' ', '')}-v{game.version}", game.ref) == (name, ref)


@pytest.mark.parametrize("page", ["README.md", "docs/training.md"])
def test_figures_are_filled_in(page):
    assert "FILL" not in (ROOT / page).read_text(encoding="utf-8")
