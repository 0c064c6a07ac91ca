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


def refuse_unknown(game: Game, options: Mapping[str, Any], *takers: Callable[..., Any]) -> None:
    """Raise OptionError for a name that is neither an option of ``game`` nor a parameter of one of ``takers``."""
    parameters = {name for taker in takers for name in inspect.signature(taker).parameters}
    known = (parameters - _WITHIN) | {option.name for option in game.all_options}
    for name in options:
        if name not in known:
            raise OptionError(f"unknown option {name!r} of {game.title}{did_you_mean(name, known)}")


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
    if value not in known:
        raise OptionValueError(f"{name}={value!r} is unknown{did_you_mean(str(value), known)}")
    return str(value)
