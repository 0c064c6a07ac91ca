"""The options of a game: what its constructor and ``reset(options=)`` take beside the engine's own keywords."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import DTypeLike

from tablezoo.errors import OptionError, OptionValueError, did_you_mean
from tablezoo.plain_json import parse_json


@dataclass(frozen=True)
class Option:
    """One option, kept in a field of its own name in each record.

    Attributes:
        name: the keyword and the record's field.
        default: the value when none is given, in the user's form.
        dtype, shape: of the field.
        parse: ``parse(value, num_players, content)`` returns what the field holds, or raises TypeError or ValueError
            with words that say what was expected; ``content`` is the content record that the lane plays with.
        about: a line for the docs.
        imagined: ``imagined(value)`` returns what the options of a determinized batch have in place of a value that
            would bring hidden cards back at a reset; None if no value can.
    """

    name: str
    default: Any
    dtype: DTypeLike
    shape: tuple[int, ...]
    parse: Callable[[Any, int, Any], Any]
    about: str
    imagined: Callable[[Any], Any] | None = None


def integer(value: Any, low: int, high: int) -> int:
    """Return ``value`` if it is an integer in [low, high] (a bool is none)."""
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, (int, np.integer)):
        raise TypeError(f"expected an integer from {low} to {high}, got {value!r}")
    if not low <= value <= high:
        raise ValueError(f"expected an integer from {low} to {high}, got {value}")
    return int(value)


def _start_seat(value: Any, num_players: int, _content: Any) -> int:
    return -1 if value is None else integer(value, 0, num_players - 1)


def _max_turns(value: Any, _num_players: int, _content: Any) -> int:
    return integer(value, 1, 2**31 - 1)


def engine_options(default_max_turns: int) -> tuple[Option, ...]:
    """Return the options that every game has."""
    start = Option("start_seat", None, np.int8, (), _start_seat, "the seat that starts; None: drawn from the seed")
    turns = Option("max_turns", default_max_turns, np.int32, (), _max_turns, "complete turns before truncation")
    return (start, turns)


def parse_options(
    options: Sequence[Option], given: Mapping[str, Any], num_players: int, content: Any
) -> dict[str, Any]:
    """Return the field values of all options: those given, the defaults for the rest.

    Raises:
        OptionError: an unknown name.
        OptionValueError: a value that the option does not take.
    """
    known = {option.name for option in options}
    for name in given:
        if name not in known:
            raise OptionError(f"unknown option {name!r}{did_you_mean(name, known)}")
    values = {option.name: given.get(option.name, option.default) for option in options}
    return {option.name: parse_value(option, values[option.name], num_players, content) for option in options}


def parse_value(option: Option, value: Any, num_players: int, content: Any) -> Any:
    """Return one option's field value; see :func:`parse_options` for the errors."""
    try:
        return option.parse(value, num_players, content)
    except (TypeError, ValueError) as error:
        raise OptionValueError(f"option {option.name!r} with {num_players} players: {error}") from error


def options_of_words(words: Sequence[str]) -> dict[str, Any]:
    """Return the options that a command line names: ``NAME=VALUE``, the value in JSON, or else a bare word.

    Raises:
        ValueError: no ``=``, or a name twice.
    """
    named: dict[str, Any] = {}
    for word in words:
        name, equals, value = word.partition("=")
        if not name or not equals:
            raise ValueError(f"option {word!r}: expected NAME=VALUE, as in max_turns=100")
        if name in named:
            raise ValueError(f"option {name!r} is given twice")
        try:
            named[name] = parse_json(value)
        except ValueError:
            named[name] = value
    return named


def imagined_options(options: Sequence[Option], given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options of a determinized batch: those given, but for what would bring hidden cards back."""
    ways = {option.name: option.imagined for option in options}
    return {name: value if (way := ways.get(name)) is None else way(value) for name, value in given.items()}


def known_keys(options: Sequence[Option], given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the entries of ``reset(options=)`` that are options; keys of others pass by, near misses raise."""
    names = [option.name for option in options]
    chosen = {}
    for name, value in given.items():
        if name in names:
            chosen[name] = value
        elif isinstance(name, str) and (near := difflib.get_close_matches(name, names, n=1, cutoff=0.75)):
            raise OptionError(f"unknown option {name!r} in reset(options=); did you mean {near[0]!r}?")
    return chosen
