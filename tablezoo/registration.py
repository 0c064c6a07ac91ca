"""Ids for Gymnasium and PettingZoo, registered without importing the games."""

from __future__ import annotations

import importlib.util
import pkgutil
from importlib import metadata
from pathlib import Path
from typing import Any

import gymnasium
from pettingzoo.env_registry.registration import aec_registry
from pettingzoo.env_registry.registration import register as register_pettingzoo

from tablezoo.errors import did_you_mean
from tablezoo.game import Game, load_game

NAMESPACE = "tablezoo"
GAMES = "tablezoo.games"
_SUFFIX = "_env"
_CLONE = Path(__file__).parents[1]


def register_installed() -> None:
    """Register all games of the entry-point group ``tablezoo.games``; none is imported.

    An entry is named as in ``Mustang-v0`` and points at the game, ``mustang_env:GAME``.
    """
    for entry in metadata.entry_points(group=GAMES):
        register(entry.name, entry.value)


def register_game(game: Game) -> None:
    """Register a game that is imported, installed or not; as often as you like."""
    register(f"{game.title.replace(' ', '')}-v{game.version}", game.ref)


def register(name: str, ref: str) -> None:
    """Register ``tablezoo/Name-v0`` in Gymnasium and ``tablezoo/name-v0`` in PettingZoo, for the game at ``ref``."""
    gymnasium_id = f"{NAMESPACE}/{name}"
    pettingzoo_id = gymnasium_id.lower()
    here = __name__
    if gymnasium_id not in gymnasium.registry:
        gymnasium.register(
            gymnasium_id,
            entry_point=f"{here}:make_seat_env",
            vector_entry_point=f"{here}:make_seat_vector_env",
            kwargs={"ref": ref},
            disable_env_checker=True,
            order_enforce=False,
        )
    if pettingzoo_id not in aec_registry:
        register_pettingzoo("aec", pettingzoo_id, entry_point=f"{here}:make_aec_env", kwargs={"ref": ref})


def make_seat_env(ref: str, **kwargs: Any) -> Any:
    """Return the single Gymnasium environment of the game that ``ref`` names."""
    from tablezoo.gym import SeatEnv

    return SeatEnv(load_game(ref), **kwargs)


def make_seat_vector_env(ref: str, num_envs: int = 1, **kwargs: Any) -> Any:
    """Return the vector environment of the game that ``ref`` names."""
    from tablezoo.gym import SeatVectorEnv

    return SeatVectorEnv(load_game(ref), num_envs, **kwargs)


def make_aec_env(ref: str, **kwargs: Any) -> Any:
    """Return the PettingZoo environment of the game that ``ref`` names."""
    from tablezoo.aec import AECEnv

    return AECEnv(load_game(ref), **kwargs)


def find_game(name: str) -> Game:
    """Return the game that the package ``<name>_env`` holds as GAME, or that is registered as ``Name-v0``.

    Raises:
        ValueError: there is none; the message names a near miss, or all that there are.
    """
    plain = plain_name(name)
    if plain.isidentifier() and importlib.util.find_spec(plain + _SUFFIX) is not None:
        return load_game(f"{plain}{_SUFFIX}:GAME")
    registered = {plain_name(entry.name): entry.value for entry in metadata.entry_points(group=GAMES)}
    if plain in registered:
        return load_game(registered[plain])
    raise ValueError(f"unknown game {name!r}{did_you_mean(name, {*registered, *games_here()})}")


def plain_name(name: str) -> str:
    """Return a name as games call themselves: ``mustang`` for ``Mustang-v0``."""
    return name.partition("-v")[0].lower()


def games_here() -> set[str]:
    """Return the names of the games in this clone."""
    packages = (module.name for module in pkgutil.iter_modules([str(_CLONE)]))
    return {package.removesuffix(_SUFFIX) for package in packages if package.endswith(_SUFFIX)}
