"""Finding games by name, so that a new game needs no line here."""

from __future__ import annotations

import importlib.util
import pkgutil
from importlib import metadata
from pathlib import Path

from tablezoo.errors import did_you_mean
from tablezoo.game import Game, load_game

_SUFFIX = "_env"
_CLONE = Path(__file__).parents[1]


def find_game(name: str) -> Game:
    """Return the game that the package ``<name>_env`` holds as GAME, or that is registered as ``Name-v0``.

    Raises:
        ValueError: there is none; the message names a near miss, or all that there are.
    """
    plain = _plain(name)
    if plain.isidentifier() and importlib.util.find_spec(plain + _SUFFIX) is not None:
        return load_game(f"{plain}{_SUFFIX}:GAME")
    registered = {_plain(entry.name): entry.value for entry in metadata.entry_points(group="tablezoo.games")}
    if plain in registered:
        return load_game(registered[plain])
    raise ValueError(f"unknown game {name!r}{did_you_mean(name, {*registered, *_games_here()})}")


def _plain(name: str) -> str:
    """Return a name as games call themselves: ``mustang`` for ``Mustang-v0``."""
    return name.partition("-v")[0].lower()


def _games_here() -> set[str]:
    packages = (module.name for module in pkgutil.iter_modules([str(_CLONE)]))
    return {package.removesuffix(_SUFFIX) for package in packages if package.endswith(_SUFFIX)}
