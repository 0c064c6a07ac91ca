"""The base install is light, and the engine knows neither games nor agents."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
import tokenize
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
ENGINE = sorted((ROOT / "tablezoo").rglob("*.py"))
GAMES = ("mustang", "stabletimes", "stable_times", "fable")
AGENTS = ("agents", "tablezoo_agents")
PACKAGES = ("mustang_env", "stabletimes_env", "fable_env")
GAME_FILES = [file for package in PACKAGES for file in sorted((ROOT / package).glob("*.py"))]

#: What training needs, and what has no place in an environment.
HEAVY = ("torch", "stable_baselines3", "sb3_contrib", "tensorboard", "matplotlib", "rich", "tqdm", "pygame", "scipy")
LOADED_BY_NUMBA = {"scipy"}  # wherever it is installed; a developer's OpenSpiel brings it
TRAINED = {ROOT / "tablezoo" / "sb3.py": {"stable_baselines3"}}


def path_of(file):
    return str(file.relative_to(ROOT))


@pytest.mark.parametrize("module", [*PACKAGES, "tablezoo", "tablezoo.testing", "tablezoo.gym", "tablezoo.aec"])
def test_imports_are_light(module):
    code = f"import json, sys, {module}; print(json.dumps(sorted(sys.modules)))"
    run = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    loaded = {name.partition(".")[0] for name in json.loads(run.stdout)}
    assert sorted(loaded & (set(HEAVY) - LOADED_BY_NUMBA)) == []
    assert sorted(loaded & set(AGENTS)) == []


@pytest.mark.parametrize("module", ["agents", "agents.pretrained", "agents.evaluate", "agents.opponents"])
def test_playing_needs_nothing_that_training_does(module):
    code = f"import json, sys, {module}; print(json.dumps(sorted(sys.modules)))"
    run = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    loaded = {name.partition(".")[0] for name in json.loads(run.stdout)}
    assert sorted(loaded & (set(HEAVY) - LOADED_BY_NUMBA)) == []


@pytest.mark.parametrize("file", ENGINE, ids=path_of)
def test_the_engine_names_no_game(file):
    named = [name for name in _words(file) for game in GAMES if game in name.lower()]
    assert named == []


@pytest.mark.parametrize("file", [*ENGINE, *GAME_FILES], ids=path_of)
def test_no_agent_is_imported(file):
    assert _imported(file).isdisjoint(AGENTS)


@pytest.mark.parametrize("file", ENGINE, ids=path_of)
def test_the_engine_imports_what_the_base_install_has(file):
    assert _imported(file) & set(HEAVY) <= TRAINED.get(file, set())


@pytest.mark.parametrize("file", sorted((ROOT / "agents").rglob("*.py")), ids=path_of)
def test_agents_import_each_other_relatively(file):
    """The folder has one name in a clone and another when installed."""
    assert _imported(file).isdisjoint(AGENTS)


def _words(file: Path) -> list[str]:
    """Return the names and strings in a file's code: its docstrings and comments may give examples."""
    tree = ast.parse(file.read_text(encoding="utf-8"))
    documented = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    strings = [
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in documented
    ]
    with file.open("rb") as source:
        names = [token.string for token in tokenize.tokenize(source.readline) if token.type == tokenize.NAME]
    return names + strings


def _imported(file: Path) -> set[str]:
    tree = ast.parse(file.read_text(encoding="utf-8"))
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found.update(alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module is not None:
            found.add(node.module.partition(".")[0])
    return found
