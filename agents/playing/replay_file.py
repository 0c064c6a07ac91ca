"""What a replay's file must hold before a game is dealt from it. Nothing in a file is run."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from importlib import metadata
from pathlib import Path
from typing import Any

from tablezoo.errors import did_you_mean
from tablezoo.game import Game
from tablezoo.plain_json import parse_json
from tablezoo.registration import GAMES, find_game, games_here, plain_name

FORMAT, VERSION = "tablezoo-replay", 1
_DIGEST = re.compile(r"[0-9a-f]{16}")


class ReplayError(ValueError):
    """A file that is no replay or of another game or version, or a game that does not go as it was played."""


def read_object(path: Path) -> dict[str, Any]:
    """Return a JSON object.

    Raises:
        ReplayError: not there, or no JSON object.
    """
    try:
        data = parse_json(path.read_text(encoding="utf-8"))
    except FileNotFoundError as error:
        raise ReplayError("not there; expected a JSON file") from error
    except OSError as error:
        raise ReplayError(f"cannot be read: {error.strerror or error}") from error
    except ValueError as error:
        raise ReplayError(f"no JSON: {error}") from error
    if not isinstance(data, dict):
        raise ReplayError(f"expected a JSON object, got a {type(data).__name__}")
    return data


# --- keys and types ---------------------------------------------------------------------------------------------------


def _is_integer(value: Any) -> bool:
    return type(value) is int and -(2**63) <= value < 2**63


def _is_digest(value: Any) -> bool:
    return isinstance(value, str) and _DIGEST.fullmatch(value) is not None


def _is_content(value: Any) -> bool:
    if value is None:
        return True
    fits = isinstance(value, dict) and set(value) == {"source", "hash", "text"}
    return fits and isinstance(value["source"], str) and _is_digest(value["hash"]) and _is_text(value["text"])


def _is_text(value: Any) -> bool:
    return value is None or isinstance(value, str)


def _is_list_of(fits: Callable[[Any], bool]) -> Callable[[Any], bool]:
    return lambda value: isinstance(value, list) and all(fits(one) for one in value)


def _is_word(value: Any) -> bool:
    return isinstance(value, str)


#: The keys of a file, what each must be, in words and as a check.
_KEYS: dict[str, tuple[str, Callable[[Any], bool]]] = {
    "library": ("a string", _is_word),
    "game": ("a string, as in mustang_v0", _is_word),
    "players": ("an integer", _is_integer),
    "seed": ("an integer of 0 or more", lambda value: type(value) is int and value >= 0),
    "seats": ("a list of strings", _is_list_of(_is_word)),
    "options": ("an object", lambda value: isinstance(value, dict)),
    "content": ("null, or an object with source, hash and text", _is_content),
    "over": ("true or false", lambda value: isinstance(value, bool)),
    "begin": ("16 hexadecimal digits", _is_digest),
    "actions": ("a list of integers", _is_list_of(_is_integer)),
    "digests": ("a list of 16 hexadecimal digits each", _is_list_of(_is_digest)),
}


def checked(data: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return a replay's object if it has all keys, no others, each with a value of its type.

    Raises:
        ReplayError: what is wrong, by key.
    """
    if data.get("format") != FORMAT:
        raise ReplayError(f"no replay: its format is {data.get('format')!r}, expected {FORMAT!r}")
    if data.get("version") != VERSION:
        raise ReplayError(f"written in format version {data.get('version')!r}; this is version {VERSION}")
    for key in sorted(set(data) - {"format", "version", *_KEYS}):
        raise ReplayError(f"unknown key {key!r}{did_you_mean(key, _KEYS)}")
    for key, (words, fits) in _KEYS.items():
        if key not in data:
            raise ReplayError(f"{key} is missing; expected {words}")
        if not fits(data[key]):
            raise ReplayError(f"{key}: expected {words}, got {_short(data[key], fits)}")
    _check_lengths(data)
    return data


def _short(value: Any, fits: Callable[[Any], bool]) -> str:
    """Return a value, or of a list the first one that alone does not fit."""
    if isinstance(value, list):
        for i, one in enumerate(value):
            if not fits([one]):
                return f"{_short(one, fits)} as number {i + 1}"
    words = repr(value)
    return words if len(words) <= 60 else f"{words[:60]}..."


def _check_lengths(data: Mapping[str, Any]) -> None:
    if len(data["seats"]) != data["players"]:
        raise ReplayError(f"seats names {len(data['seats'])}, but players is {data['players']}")
    actions, digests = len(data["actions"]), len(data["digests"])
    if actions != digests:
        few = "actions are missing" if actions < digests else "digests are missing"
        raise ReplayError(f"{actions} actions with {digests} digests: {few}")
    if data["over"] and not actions:
        raise ReplayError("over is true, but there are no actions: actions are missing")


# --- the game ---------------------------------------------------------------------------------------------------------


def game_of(game_id: str, expected: Game | None) -> Game:
    """Return the game that a file names: the one expected, or one that is installed or in this clone.

    Raises:
        ReplayError: an unknown game, another one than expected, or another version of it.
    """
    game = _installed(game_id) if expected is None else expected
    if game.id != game_id:
        raise ReplayError(f"a game of {game_id}; {'expected' if expected else 'here is'} {game.id}")
    return game


def _installed(game_id: str) -> Game:
    name = game_id.partition("_v")[0]
    here = {plain_name(entry.name) for entry in metadata.entry_points(group=GAMES)} | games_here()
    if name not in here:  # a file imports nothing else
        raise ReplayError(f"unknown game {game_id!r}{did_you_mean(name, here)}")
    return find_game(name)
