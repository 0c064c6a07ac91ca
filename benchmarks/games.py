"""Finding games by name, so that a new game needs no line here."""

from __future__ import annotations

import importlib.util
import pkgutil
from importlib import metadata
from pathlib import Path

from tablezoo.errors import did_you_mean
from tablezoo.game import Game, load_game

_SUFFIX = "_env"


def find_game(name: str) -> Game:
    """Return the game that is registered under ``name``, or that the package ``<name>_env`` holds as GAME.

    Raises:
        ValueError: there is none; the message names a near miss, or all that there are.
    """
    refs = {entry.name: entry.value for entry in metadata.entry_points(group="tablezoo.games")}
    if name in refs:
        return load_game(refs[name])
    if name.isidentifier() and importlib.util.find_spec(name + _SUFFIX) is not None:
        return load_game(f"{name}{_SUFFIX}:GAME")
    raise ValueError(f"unknown game {name!r}{did_you_mean(name, {*refs, *_packages_here()})}")


def _packages_here() -> set[str]:
    root = str(Path(__file__).parents[1])
    found = pkgutil.iter_modules([root])
    return {module.name.removesuffix(_SUFFIX) for module in found if module.name.endswith(_SUFFIX)}
