"""What a check plays: one setting of a game, and the positions of random games of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tablezoo.batch import Batch
from tablezoo.game import Game
from tablezoo.policies import Views
from tablezoo.rng import seed_streams
from tablezoo.testing.report import Failure

#: A game that is not over after so many decisions of random play counts as never ending.
MOST_DECISIONS = 50_000

#: Failures of one check in one case that are told; more would say the same.
MOST_TOLD = 3

Record = Any


@dataclass
class Case:
    """One setting of a game: what is played, and what its author says about it.

    Attributes:
        game, players, options, games, seed, content: as :class:`tablezoo.Batch` takes them; ``games`` lanes are played.
        conserved, legal, hide: see :func:`tablezoo.testing.check_game`.
        hidden: whether the game has hidden information.
        samples: about how many decisions of a game the slow checks look at.
        failures: what the check at work found.
    """

    game: Game
    players: int | tuple[int, ...]
    options: Mapping[str, Any] = field(default_factory=dict)
    games: int = 4
    seed: int = 0
    content: Any = None
    conserved: Callable[[Record, Record], Any] | None = None
    legal: Callable[[Record, Record], set[int]] | None = None
    hide: Callable[[Record, Record, int, np.random.Generator], None] | None = None
    hidden: bool = True
    samples: int = 12
    check: str = ""
    failures: list[Failure] = field(default_factory=list)

    def __str__(self) -> str:
        options = "".join(f", {name}={value!r}" for name, value in self.options.items())
        return f"players {self.players}{options}"

    def fail(self, message: str, lane: int | None = None, decision: int | None = None) -> None:
        """Note that something is wrong."""
        seed = None if lane is None else self.seed + lane
        self.failures.append(Failure(self.check, message, str(self), lane, seed, decision))

    @property
    def enough(self) -> bool:
        """Whether as much was found wrong as is told."""
        return len(self.failures) >= MOST_TOLD

    def batch(self, **settings: Any) -> Batch:
        """Return the case's games at their first decision, without autoreset if nothing else is said."""
        chosen: dict[str, Any] = {
            "num_games": self.games,
            "num_players": list(self.players) if isinstance(self.players, tuple) else self.players,
            "seed": self.seed,
            "autoreset": False,
            "content": self.content,
            **self.options,
            **settings,
        }
        return Batch(self.game, **chosen)

    def played(self, **settings: Any) -> Iterator[tuple[int, Batch]]:
        """Play the games at random until all are over; yield the decisions played and the batch, first and last
        positions included."""
        batch = self.batch(**settings)
        play = RandomPlay(batch, self.seed)
        decision = 0
        yield decision, batch
        while (batch.seat >= 0).any():
            if decision == MOST_DECISIONS:
                self.fail(f"not over after {decision} decisions", int(np.argmax(batch.seat >= 0)), decision)
                return
            batch.step(play.actions())
            decision += 1
            yield decision, batch

    def sampled(self, **settings: Any) -> Iterator[tuple[int, Batch]]:
        """As :meth:`played`, but only some positions: the first, ever rarer ones, and the last."""
        position: tuple[int, Batch] | None = None
        due = 0
        for position in self.played(**settings):
            if self.enough:
                return
            if position[0] == due:
                due += 1 + due * 2 // self.samples
                yield position
        if position is not None and position[0] != due:
            yield position

    def content_of(self, batch: Batch, lane: int) -> Record:
        """Return the content record that a lane plays with."""
        return batch.contents[int(batch.states[lane]["content"])].record[0]

    def smaller(self, games: int, samples: int) -> Case:
        """Return the same case with fewer games and samples, for the slowest checks; it notes what is wrong here."""
        return replace(self, games=min(games, self.games), samples=min(samples, self.samples))


class RandomPlay:
    """Uniform legal actions; those of a lane depend on its seed alone, whatever else the batch holds."""

    def __init__(self, batch: Batch, seed: int) -> None:
        self.batch = batch
        self.streams = seed_streams(seed, batch.num_games, domain=5)

    def actions(self) -> NDArray[np.int64]:
        """Return (N,) actions, 0 where nobody is asked."""
        actions = np.zeros(self.batch.num_games, np.int64)
        asked = np.flatnonzero(self.batch.action_mask.any(axis=1))
        actions[asked] = Views(self.batch, asked, self.streams).random_actions()
        return actions


OUTPUTS = ("seat", "observation", "action_mask", "rewards", "terminated", "truncated", "scores", "ranks", "winners")


def outputs(batch: Batch, lanes: ArrayLike | None = None) -> dict[str, NDArray[Any]]:
    """Return copies of all that a batch hands out, of some lanes or all."""
    chosen = slice(None) if lanes is None else np.asarray(lanes)
    return {name: np.array(getattr(batch, name)[chosen]) for name in OUTPUTS}


def differing(one: Mapping[str, NDArray[Any]], other: Mapping[str, NDArray[Any]]) -> str:
    """Return the names of the entries that differ, joined; empty if none does."""
    return ", ".join(name for name in one if not np.array_equal(one[name], other[name]))


def fields(states: NDArray[Any]) -> dict[str, NDArray[Any]]:
    """Return copies of a structured array's fields (its padding says nothing)."""
    return {name: np.array(states[name]) for name in states.dtype.names or ()}


def seats_of(batch: Batch) -> Iterator[tuple[int, NDArray[np.int64]]]:
    """Yield each seat with the lanes that have it."""
    for seat in range(batch.game.max_players):
        lanes = np.flatnonzero(batch.num_players > seat)
        if lanes.size:
            yield seat, lanes
