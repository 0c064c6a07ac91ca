"""The wheel holds the engine, the games and the agents; games play from it in an environment of its own."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
import venv
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
GAMES = ("mustang_env", "stabletimes_env", "fable_env")
SOURCES = ("pyproject.toml", "README.md", "LICENSE", "tablezoo", *GAMES, "agents")
PACKAGES = {"tablezoo", *GAMES, "tablezoo_agents"}
PRETRAINED = list((ROOT / "agents" / "pretrained").iterdir())

PLAY = """
import importlib.metadata, pathlib, sys
for name in ("torch", "stable_baselines3", "sb3_contrib", "tensorboard", "tqdm", "matplotlib", "openskill"):
    sys.modules[name] = None  # what the base install has not
import gymnasium, numpy as np
import mustang_env, stabletimes_env, tablezoo, tablezoo_agents
from tablezoo import Batch
from tablezoo.registration import find_game
from tablezoo_agents import pretrained

home = pathlib.Path(sys.prefix).resolve()
for module in (mustang_env, stabletimes_env, tablezoo, tablezoo_agents, pretrained):
    assert home in pathlib.Path(module.__file__).resolve().parents, module.__file__
assert importlib.metadata.version("tablezoo") == tablezoo.__version__
for name in ("Mustang", "StableTimes", "Fable"):
    game = find_game(name.lower())
    batch = Batch(game, 4, num_players=[2, 3, 4, 5], seed=0, autoreset=False)
    rng = np.random.default_rng(0)
    while (batch.seat >= 0).any():
        batch.step(batch.random_actions(rng))
    assert batch.winners.any(axis=1).all()
    env = gymnasium.make(f"tablezoo/{name}-v0", num_players=2, opponents="pretrained")
    _, info = env.reset(seed=0)
    over = False
    while not over:
        _, _, terminated, truncated, info = env.step(int(info["action_mask"].argmax()))
        over = terminated or truncated
    assert info["opponents"] == ["pretrained"]
    print("played", name, batch.scores.max(axis=1).tolist())
assert (pretrained.FOLDER / "README.md").is_file()
for name, variants in pretrained.available().items():
    print("loaded", name, [pretrained.load(name, variant).about.players for variant in variants])
"""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """Build the sdist from a copy of the sources, and the wheel from the sdist, so that both are whole."""
    folder = tmp_path_factory.mktemp("wheel")
    copy, built = folder / "sources", folder / "dist"
    copy.mkdir()
    for name in SOURCES:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, copy / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(ROOT / name, copy / name)
    run([sys.executable, "-m", "build", "--no-isolation", "--outdir", str(built), str(copy)], folder)
    (found,) = built.glob("*.whl")
    return found


@pytest.fixture(scope="module")
def python(wheel, tmp_path_factory):
    """Install the wheel alone in a fresh environment that borrows the libraries it depends on."""
    folder = tmp_path_factory.mktemp("installed")
    venv.create(folder / "venv", with_pip=False, symlinks=True)
    python = folder / "venv" / "bin" / "python"
    run(
        [sys.executable, "-m", "pip", "--python", str(python), "install", "--no-index", "--no-deps", str(wheel)], folder
    )
    (packages,) = (folder / "venv").glob("lib/python*/site-packages")
    libraries = dict.fromkeys(sysconfig.get_path(name) for name in ("purelib", "platlib"))
    (packages / "libraries.pth").write_text("\n".join(libraries) + "\n")
    return python


def run(command, folder, **settings):
    clean = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "NUMBA", "COV_"))}
    clean |= settings
    done = subprocess.run(command, cwd=folder, env=clean, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_top_level_names(wheel):
    names = {name.partition("/")[0] for name in zipfile.ZipFile(wheel).namelist()}
    info = {name for name in names if name.endswith(".dist-info")}
    assert names - info == PACKAGES
    assert len(info) == 1


def test_contents(wheel):
    names = zipfile.ZipFile(wheel).namelist()
    rules = {f"{package}/RULES.md" for package in GAMES}
    assert {"tablezoo/py.typed", "stabletimes_env/content/original.toml", *rules} <= set(names)
    assert any(name.endswith(".dist-info/licenses/LICENSE") for name in names)
    for package in PACKAGES:
        folder = ROOT / package.removeprefix("tablezoo_")
        sources = {f"{package}/{file.relative_to(folder)}" for file in folder.rglob("*.py")}
        assert sources <= set(names)
    assert {f"tablezoo_agents/pretrained/{file.name}" for file in PRETRAINED} <= set(names)


def test_a_game_plays_from_the_wheel(python, tmp_path):
    script = tmp_path / "play.py"
    script.write_text(PLAY)
    uncompiled = {"NUMBA_DISABLE_JIT": "1"}  # the wheel is under test here, and compiling takes half a minute
    played = run([str(python), "-I", str(script)], tmp_path, **uncompiled)
    assert "played Mustang" in played
    assert "played StableTimes" in played
    assert "played Fable" in played
    assert played.count("loaded") == len({file.name.partition("-")[0] for file in PRETRAINED if file.suffix == ".npz"})


def test_training_starts_from_the_wheel(python, tmp_path):
    assert "--steps" in run([str(python), "-I", "-m", "tablezoo_agents.train", "--help"], tmp_path)
