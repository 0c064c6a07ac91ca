"""A campaign: what one game of Fable hands on to the next (F18 to F23), as an object, a file and an option."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fable_env.sets import IN_PLAY, NUM_CARDS, NUM_LOCATIONS, OF_LAST, OF_LOCATION, location_of
from tablezoo.errors import OptionValueError, did_you_mean
from tablezoo.options import Option, integer
from tablezoo.plain_json import parse_json

LEAST_STACKS = 6
"""With fewer small stacks at a game's end a campaign is over (F21)."""
MOST_GAMES, MOST_SESSION = 255, 10
PLAYER_COUNTS = (2, 3, 4, 5)
FORMAT, VERSION = "fable-campaign", 1

# --- a place in a campaign, as the kernels get it: bytes of an option -------------------------------------------------

KIND, LOW, HIGH, DRAWN, START, GAMES, HAS_STREAM, STREAM, CARDS = 0, 1, 2, 3, 4, 5, 6, 7, 23
PLACE_BYTES = CARDS + NUM_LOCATIONS
"""START is the seat and one more, 0: to be drawn. STREAM, up to CARDS, is two words, lowest byte first."""

FRESH, CONTINUE, ENTER, ENTERED = range(4)
"""KIND of ``campaign``: each game starts afresh, goes on; the given place is entered, or was, and goes on since."""
FIRST, RECORDED, GIVEN = range(3)
"""KIND of ``stage``: the first game; a game of the reference campaign from LOW to HIGH; the given place."""


@dataclass(frozen=True)
class Campaign:
    """A campaign between two games; equal ones have equal hashes.

    Attributes:
        stacks: cards in each small stack, by location number from 1 to 59; 24 in all, fewer at a campaign's end. Not to
            be changed: make another campaign.
        drawn: how many of the 240 location cards have left the location stack.
        games: games played so far.
        start_seat: who starts the next game (F19), None: drawn.
        stream: 32 hexadecimal digits, what the next deal is drawn from; None: from the environment's own stream.

    Raises:
        TypeError, ValueError: no state that a campaign can be in; the message says what is wrong.
    """

    stacks: Mapping[int, int]
    drawn: int = IN_PLAY
    games: int = 0
    start_seat: int | None = None
    stream: str | None = None

    def __post_init__(self) -> None:
        self._set("drawn", integer_in("drawn", self.drawn, IN_PLAY, NUM_CARDS))
        self._set("games", integer_in("games", self.games, 0, MOST_GAMES))
        if self.start_seat is not None:
            self._set("start_seat", integer_in("start_seat", self.start_seat, 0, max(PLAYER_COUNTS) - 1))
        self._set("stacks", _checked_stacks(self.stacks))
        left = _cards_left(self.drawn)
        for number, cards in self.stacks.items():
            if cards > left[number - 1]:
                raise ValueError(
                    f"stacks: location {number}: {cards} cards, but only {left[number - 1]} were turned up"
                )
        total = sum(self.stacks.values())
        if total != IN_PLAY and (self.drawn < NUM_CARDS or total > IN_PLAY):
            raise ValueError(f"stacks: expected {IN_PLAY} cards in all while the location stack lasts, got {total}")
        if len(self.stacks) < LEAST_STACKS:
            raise ValueError(f"stacks: expected {LEAST_STACKS} or more, with fewer a campaign is over (F21)")
        if self.stream is not None:
            _stream_words(self.stream)

    def _set(self, name: str, value: Any) -> None:
        object.__setattr__(self, name, value)

    def __hash__(self) -> int:
        return hash((tuple(self.stacks.items()), self.drawn, self.games, self.start_seat, self.stream))

    @classmethod
    def first(cls) -> Campaign:
        """Return a campaign before its first game (F5)."""
        return cls(dict.fromkeys(range(1, 1 + IN_PLAY // OF_LOCATION), OF_LOCATION))

    @classmethod
    def of(cls, record: Any) -> Campaign | None:
        """Return the campaign of a record of ``Batch.states``: before the game played there, after its end behind it.

        None if the campaign is over, so that a fresh one comes next (F21).
        """
        if record["campaign_drawn"] == 0:
            return None
        cards = np.asarray(record["campaign_cards"])
        start = int(record["campaign_start"])
        words = np.asarray(record["campaign_stream"])
        return cls(
            {int(location) + 1: int(cards[location]) for location in np.flatnonzero(cards)},
            int(record["campaign_drawn"]),
            int(record["campaign_games"]),
            None if start < 0 else start,
            "".join(f"{int(word):016x}" for word in words),
        )

    @classmethod
    def load(cls, path: str | Path) -> Campaign:
        """Return the campaign that :meth:`save` wrote.

        Raises:
            FileNotFoundError, ValueError: no such file, no JSON, or not a campaign; the message names file and key.
        """
        data = Path(path).read_bytes()
        try:
            return cls.from_json(parse_json(data.decode("utf-8")))
        except (TypeError, ValueError) as error:
            raise ValueError(f"{path}: no campaign: {error}") from error

    def save(self, path: str | Path) -> None:
        """Write a small JSON file; it appears whole or not at all."""
        path = Path(path)
        partial = path.with_name(f"{path.name}.partial-{os.getpid()}")
        partial.write_text(json.dumps(self.to_json(), indent=2) + "\n", encoding="utf-8")
        os.replace(partial, path)

    def to_json(self) -> dict[str, Any]:
        return {
            "format": FORMAT,
            "version": VERSION,
            "games": self.games,
            "drawn": self.drawn,
            "start_seat": self.start_seat,
            "stream": self.stream,
            "stacks": {str(number): cards for number, cards in self.stacks.items()},
        }

    @classmethod
    def from_json(cls, data: Any) -> Campaign:
        """Return the campaign that ``to_json`` wrote.

        Raises:
            TypeError, ValueError: what is wrong, by key.
        """
        if not isinstance(data, Mapping):
            raise TypeError(f"expected an object, got {data!r}")
        known = ("format", "version", "games", "drawn", "start_seat", "stream", "stacks")
        for key in data:
            if key not in known:
                raise ValueError(f"unknown key {key!r}{did_you_mean(key, known)}")
        for key in known:
            if key not in data:
                raise ValueError(f"{key} is missing")
        if (data["format"], data["version"]) != (FORMAT, VERSION):
            raise ValueError(
                f"expected format {FORMAT!r} version {VERSION}, got {data['format']!r} {data['version']!r}"
            )
        if not isinstance(data["stacks"], Mapping):
            raise TypeError(f"stacks: expected an object, location number to cards, got {data['stacks']!r}")
        stacks = {}
        for number, cards in data["stacks"].items():
            if not (isinstance(number, str) and number.isdecimal()):
                raise ValueError(f"stacks: expected a location number from 1 to {NUM_LOCATIONS}, got {number!r}")
            stacks[int(number)] = cards
        return cls(stacks, data["drawn"], data["games"], data["start_seat"], data["stream"])

    def without_stream(self) -> Campaign:
        """Return this campaign with deals that come from each environment's own stream."""
        return replace(self, stream=None)

    def __str__(self) -> str:
        start = "is drawn" if self.start_seat is None else f"is player_{self.start_seat}"
        stacks = ", ".join(f"{number} x {cards}" for number, cards in self.stacks.items())
        return (
            f"Campaign after {self.games} games: {NUM_CARDS - self.drawn} cards on the location stack; "
            f"who starts {start}\n  stacks, location x cards: {stacks}"
        )

    def bytes_of_place(self, kind: int) -> NDArray[np.uint8]:
        place = np.zeros(PLACE_BYTES, np.uint8)
        place[KIND] = kind
        place[DRAWN] = self.drawn
        place[START] = 0 if self.start_seat is None else self.start_seat + 1
        place[GAMES] = self.games
        if self.stream is not None:
            place[HAS_STREAM] = 1
            place[STREAM:CARDS] = np.array(_stream_words(self.stream), "<u8").view(np.uint8)
        for number, cards in self.stacks.items():
            place[CARDS + number - 1] = cards
        return place


def _checked_stacks(stacks: Any) -> dict[int, int]:
    """Return the small stacks by number, all in Python's integers."""
    if not isinstance(stacks, Mapping):
        raise TypeError(f"stacks: expected a mapping, location number to cards, got {stacks!r}")
    checked = {}
    for key, cards in stacks.items():
        number = integer_in("stacks: a location", key, 1, NUM_LOCATIONS)
        most = OF_LAST if number == NUM_LOCATIONS else OF_LOCATION
        checked[number] = integer_in(f"stacks: location {number}", cards, 1, most)
    return dict(sorted(checked.items()))


def integer_in(name: str, value: Any, low: int, high: int) -> int:
    """Return ``value`` as a Python integer.

    Raises:
        TypeError, ValueError: no integer from ``low`` to ``high``; the message names ``name``.
    """
    try:
        return integer(value, low, high)
    except (TypeError, ValueError) as error:
        raise type(error)(f"{name}: {error}") from error


def _cards_left(drawn: int) -> list[int]:
    """Return how many cards of each location were turned up when ``drawn`` have left the location stack."""
    left = [0] * NUM_LOCATIONS
    for card in range(drawn):
        left[location_of(card)] += 1
    return left


def _stream_words(stream: Any) -> list[int]:
    if not isinstance(stream, str) or len(stream) != 32 or set(stream) - set("0123456789abcdef"):
        raise ValueError(f"stream: expected 32 hexadecimal digits or null, got {stream!r}")
    words = [int(stream[:16], 16), int(stream[16:], 16)]
    if not any(words):
        raise ValueError("stream: all digits are zero; a stream is never all zeros")
    return words


# --- the reference campaigns ------------------------------------------------------------------------------------------


@cache
def reference(num_players: int) -> tuple[Campaign, ...]:
    """Return the reference campaign of a player count, recorded before each of its games; greedy play made it.

    Raises:
        OptionValueError: no player count of Fable.
    """
    if num_players not in PLAYER_COUNTS:
        raise OptionValueError(f"num_players: expected 2 to 5, got {num_players!r}")
    file = resources.files("fable_env") / "reference.json"
    recorded = json.loads(file.read_text(encoding="utf-8"))[str(num_players)]
    return tuple(Campaign.from_json({"format": FORMAT, "version": VERSION, **stage}) for stage in recorded)


MOST_STAGES = max(len(reference(players)) for players in PLAYER_COUNTS)
REFERENCE = np.zeros((max(PLAYER_COUNTS) + 1, MOST_STAGES, PLACE_BYTES), np.uint8)
"""The reference campaigns for the kernels, by players and games played."""
for _players in PLAYER_COUNTS:
    for _stage, _campaign in enumerate(reference(_players)):
        REFERENCE[_players, _stage] = _campaign.bytes_of_place(GIVEN)


# --- options ----------------------------------------------------------------------------------------------------------


def parse_campaign(value: Any, num_players: int, _content: Any) -> NDArray[np.uint8]:
    """Return the bytes of ``campaign=``: "fresh", "continue", or a campaign that is entered and goes on."""
    if isinstance(value, str) and value in ("fresh", "continue"):
        place = np.zeros(PLACE_BYTES, np.uint8)
        place[KIND] = CONTINUE if value == "continue" else FRESH
        return place
    campaign = _campaign_in(value, num_players)
    if campaign is None:
        raise TypeError(f'expected "fresh", "continue", a Campaign or the path of its JSON file, got {value!r}')
    return campaign.bytes_of_place(ENTER)


def parse_stage(value: Any, num_players: int, _content: Any) -> NDArray[np.uint8]:
    """Return the bytes of ``stage=``: where a campaign that starts afresh begins."""
    campaign = _campaign_in(value, num_players)
    if campaign is not None:
        return campaign.bytes_of_place(GIVEN)
    last = len(reference(num_players)) - 1
    bounds = list(value) if isinstance(value, (tuple, list)) else [value, value]
    if len(bounds) != 2 or not all(_is_integer(bound) for bound in bounds):
        raise TypeError(
            f"expected an integer from 0 to {last}, two of them (first, last) to draw from, a Campaign or the path of "
            f"its JSON file, got {value!r}"
        )
    low, high = (integer(bound, 0, last) for bound in bounds)
    if low > high:
        raise ValueError(f"expected the first stage of a range before the last, got {value!r}")
    place = np.zeros(PLACE_BYTES, np.uint8)
    place[KIND] = FIRST if high == 0 else RECORDED
    place[LOW], place[HIGH] = low, high
    return place


def _is_integer(value: Any) -> bool:
    return isinstance(value, (int, np.integer)) and not isinstance(value, bool)


def _campaign_in(value: Any, num_players: int) -> Campaign | None:
    """Return the campaign that an option's value is or names; None if it is neither."""
    if isinstance(value, Mapping):
        value = Campaign.from_json(value)
    elif isinstance(value, (str, Path)) and (isinstance(value, Path) or value.endswith(".json")):
        try:
            value = Campaign.load(value)
        except OSError as error:
            raise ValueError(f"{value}: cannot be read: {error.strerror or error}") from error
    if not isinstance(value, Campaign):
        return None
    if value.start_seat is not None and value.start_seat >= num_players:
        raise ValueError(f"the campaign's start seat is {value.start_seat}; expected 0 to {num_players - 1}")
    return value


def _without_stream(value: Any) -> Any:
    """Return a value of ``campaign=`` that enters the same place, but is dealt from each environment's own stream."""
    try:
        campaign = _campaign_in(value, max(PLAYER_COUNTS))
    except ValueError:  # a file that is no longer there cannot be entered either
        campaign = None
    return value if campaign is None else campaign.without_stream()


def _parse_session(value: Any, _num_players: int, _content: Any) -> int:
    return integer(value, 1, MOST_SESSION)


CAMPAIGN_OPTION = Option(
    "campaign",
    "fresh",
    np.uint8,
    (PLACE_BYTES,),
    parse_campaign,
    '"fresh": each reset starts afresh; "continue": it plays the next game of its campaign; or a Campaign (or its '
    "JSON file) that is entered and goes on; where it names who starts, start_seat does not count",
    imagined=_without_stream,
)
STAGE_OPTION = Option(
    "stage",
    0,
    np.uint8,
    (PLACE_BYTES,),
    parse_stage,
    "where a fresh start begins: games into the reference campaign, (first, last) to draw from, or a Campaign",
)
SESSION_OPTION = Option(
    "session", 1, np.uint8, (), _parse_session, "games in an episode; more than one are scored by victory points (F22)"
)
