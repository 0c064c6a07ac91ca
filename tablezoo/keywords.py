"""What the constructors of the batch and the faces check alike: names of keywords, their values, how many play."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from tablezoo.errors import OptionError, OptionValueError, did_you_mean
from tablezoo.game import Game
from tablezoo.options import integer

#: Parameters of constructors that are no keywords of a face's user.
_WITHIN = {"self", "game", "num_games", "options"}


#: Keywords of some faces alone, and who takes them.
FACES = {
    "num_games": "Batch",
    "autoreset": "Batch",
    "num_envs": "make_vec and SeatVecEnv",
    "threads": "Batch, make_vec and SeatVecEnv",
    "opponents": "the Gymnasium environments and SeatVecEnv",
    "seat": "the Gymnasium environments and SeatVecEnv",
    "obs": "the environments, not Batch",
    "render_mode": "the PettingZoo and Gymnasium environments",
    "render_seat": "the PettingZoo environment",
}


def check_game(game: Any) -> None:
    """Raise TypeError for what is no game."""
    if not isinstance(game, Game):
        raise TypeError(f"game is {game!r}; expected a Game, as a game package holds in GAME")


def refuse_unknown(game: Game, options: Mapping[str, Any], *takers: Callable[..., Any]) -> None:
    """Raise OptionError for a name that is neither an option of ``game`` nor a parameter of one of ``takers``."""
    check_game(game)
    known = keywords_of(*takers) | {option.name for option in game.all_options}
    if game.content is None:
        known -= {"content"}
    for name in options:
        if name not in known:
            elsewhere = f" here; it is a keyword of {FACES[name]}" if name in FACES else ""
            raise OptionError(f"unknown option {name!r} of {game.title}{elsewhere or did_you_mean(name, known, 0.7)}")


def keywords_of(*takers: Callable[..., Any]) -> set[str]:
    """Return the names of the keywords that constructors take beside the game's options."""
    return {name for taker in takers for name in inspect.signature(taker).parameters} - _WITHIN


def refuse_keywords(options: Any, *takers: Callable[..., Any]) -> None:
    """Raise OptionError for a key of ``reset(options=)`` that the constructor takes and reset does not.

    Raises:
        TypeError: ``options`` is no mapping.
    """
    if options is None:
        return
    if not isinstance(options, Mapping):
        raise TypeError(f"options is {options!r}; expected a mapping from the game's options to values")
    refused = [name for name in options if name in keywords_of(*takers) or name in ("num_games", "num_envs")]
    if "seed" in refused:
        raise OptionError("'seed' in reset(options=): the seed is an argument of its own, reset(seed=)")
    if refused:
        raise OptionError(f"{refused[0]!r} in reset(options=): it is fixed when the environment is made")


def player_count(game: Game, num_players: int | None) -> int:
    """Return how many play a single game; the game's default if None.

    Raises:
        TypeError, ValueError: no integer, or outside the game's range.
    """
    if num_players is not None and not isinstance(num_players, (int, np.integer)):
        wanted = f"{game.title} takes {game.min_players} to {game.max_players}"
        raise TypeError(f"num_players {num_players!r} is no integer; {wanted}")
    return int(game.players(num_players, 1)[0])


def integer_of(name: str, value: Any, low: int, high: int) -> int:
    """Return the keyword ``name``'s value if it is an integer in [low, high]."""
    try:
        return integer(value, low, high)
    except (TypeError, ValueError) as error:
        raise type(error)(f"{name}: {error}") from None


def one_of(name: str, value: Any, known: Sequence[str]) -> str:
    """Return the keyword ``name``'s value if it is one of those known."""
    if not isinstance(value, str):
        words = f"known: {', '.join(sorted(known))}; expected one of these words"
        raise OptionValueError(f"{name}={value!r} is unknown; {words}, got a value of type {type(value).__name__}")
    if value not in known:
        raise OptionValueError(f"{name}={value!r} is unknown{did_you_mean(value, known)}")
    return value


def flag(name: str, value: Any) -> bool:
    """Return the keyword ``name``'s value if it is a bool."""
    if not isinstance(value, (bool, np.bool_)):
        raise TypeError(f"{name} is {value!r}; expected True or False")
    return bool(value)
