"""What a tournament is made of, and by what it is known again."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass
from functools import cached_property
from typing import Any

import numpy as np

import tablezoo
from tablezoo.content import ContentSet, ContentSource, listed_sources, load_sets
from tablezoo.game import Game
from tablezoo.keywords import check_game, integer_of, player_count
from tablezoo.options import parse_options
from tablezoo.policies import Policy, make_policy

from ..opponents import parse_agent
from ..settings import DEALS, SEED, refuse_all
from .line_ups import LineUp, line_ups

#: Line-ups grow with the square of the number of agents.
AGENTS = (2, 32)


@dataclass(frozen=True)
class Entrant:
    """An agent that takes part.

    Attributes:
        label: what tables call it; no two are called alike.
        policy: who plays.
        given: the name or path it was asked for by; None for a policy handed over as an object.
    """

    label: str
    policy: Policy
    given: str | None

    @property
    def fingerprint(self) -> str | None:
        """What tells it from others of its name: the policy's own ``fingerprint``, or the plain values of a dataclass;
        None if it has neither."""
        told = getattr(self.policy, "fingerprint", None)
        if told is not None or not is_dataclass(self.policy):
            return told
        # Threads share the work, they do not change it.
        values = {field.name: getattr(self.policy, field.name) for field in fields(self.policy)}
        plain = [
            f"{name}={value!r}" for name, value in values.items() if isinstance(value, _PLAIN) and name != "threads"
        ]
        return f"{type(self.policy).__name__}({', '.join(plain)})"


_PLAIN = (str, int, float, bool, type(None))


@dataclass(frozen=True)
class Plan:
    """All that decides a tournament's results. Made by :meth:`of`.

    Attributes:
        games: those asked for, of each line-up; what is played are whole deals.
        sources: the content sets as they were asked for; ``contents``: the sets.
        options: the game's.
    """

    game: Game
    entrants: tuple[Entrant, ...]
    players: int
    games: int
    seed: int
    sources: tuple[ContentSource, ...]
    contents: tuple[ContentSet, ...]
    options: Mapping[str, Any]

    @classmethod
    def of(
        cls,
        game: Game,
        agents: Sequence[Policy | str],
        players: int | None = None,
        games: int = 1000,
        seed: int = 0,
        content: ContentSource | Sequence[ContentSource] = None,
        options: Mapping[str, Any] | None = None,
    ) -> Plan:
        """Return the plan of a tournament; see :func:`agents.tournament.play`.

        Raises:
            ValueError: all that is wrong with it, unknown names and checkpoints that do not fit among it.
        """
        check_game(game)
        policies: list[Policy] = []
        contents: list[ContentSet] = []
        refuse_all(
            [
                lambda: _check_players(game, players, games),
                lambda: integer_of("agents: their number", len(agents), *AGENTS),
                *(lambda agent=agent: policies.append(_policy_of(agent, game)) for agent in agents),
                lambda: integer_of("seed", seed, *SEED),
                lambda: contents.extend(load_sets(game.content, content)),
                lambda: _check_options(game, players, contents, options or {}),
            ]
        )
        given = [agent if isinstance(agent, str) else None for agent in agents]
        entrants = [Entrant(*each) for each in zip(_labels(policies, given), policies, given, strict=True)]
        has_content = game.content is not None
        return cls(
            game,
            tuple(entrants),
            player_count(game, players),
            games,
            seed,
            tuple(listed_sources(content)) if has_content else (),
            tuple(contents) if has_content else (),
            dict(options or {}),
        )

    @cached_property
    def line_ups(self) -> list[LineUp]:
        return line_ups(len(self.entrants), self.players)

    @property
    def deals(self) -> int:
        """How many each line-up plays, once in each rotation: as many as make the games asked for, or a few more."""
        return -(-self.games // self.players)

    @property
    def games_each(self) -> int:
        """How many games a line-up plays."""
        return self.deals * self.players

    @property
    def games_in_all(self) -> int:
        return self.games_each * len(self.line_ups)

    def labels(self, line_up: LineUp) -> list[str]:
        return [self.entrants[agent].label for agent in line_up.agents]

    def to_json(self) -> dict[str, Any]:
        """Return all that decides the results, as JSON has it."""
        sources = [source if isinstance(source, str) else None for source in self.sources]
        data = {
            "game": self.game.id,
            "tablezoo": tablezoo.__version__,
            "agents": [{"name": e.label, "given": e.given, "fingerprint": e.fingerprint} for e in self.entrants],
            "players": self.players,
            "games": self.games,
            "seed": self.seed,
            "content": [
                {"name": one.name, "given": source, "hash": one.hash}
                for one, source in zip(self.contents, sources, strict=True)
            ],
            "options": dict(self.options),
        }
        return json.loads(json.dumps(data, default=_plain))

    def digest(self) -> str:
        """Return eight hexadecimal digits that other tournaments hardly share."""
        return hashlib.sha256(json.dumps(self.to_json(), sort_keys=True).encode()).hexdigest()[:8]

    def heading(self) -> str:
        """Return in words what is played, and how many games each line-up gets."""
        table = "solo" if self.players == 1 else f"{self.players} players"
        rotated = "" if self.players == 1 else ", all seats rotated"
        who = f"{self.game.title}, {table}, {len(self.entrants)} agents, seed {self.seed}"
        each = f"{self.games_each:,} games ({self.deals:,} shared deals{rotated})"
        return f"{who}: {len(self.line_ups)} line-ups, each {each}, {self.games_in_all:,} games in all"


def differences(there: Mapping[str, Any], here: Mapping[str, Any]) -> list[str]:
    """Return in words what two plans, as ``to_json`` tells them, differ in."""
    found = []
    for key in here:
        ours, theirs = here[key], there.get(key)
        if key in ("agents", "content") and isinstance(theirs, list):
            found += _differing_lists(key, theirs, ours)
        elif ours != theirs:
            found.append(f"{key}: {_told(theirs)} there, {_told(ours)} here")
    return found


def _differing_lists(key: str, theirs: list[dict[str, Any]], ours: list[dict[str, Any]]) -> list[str]:
    names = [[one.get("name") for one in listed] for listed in (theirs, ours)]
    if names[0] != names[1]:
        return [f"{key}: {_told(names[0])} there, {_told(names[1])} here"]
    mark = "fingerprint" if key == "agents" else "hash"
    pairs = zip(theirs, ours, strict=True)
    return [
        f"{key}: {one['name']} is {old.get(mark)} there, {one[mark]} here"
        for old, one in pairs
        if old.get(mark) != one[mark]
    ]


def _told(value: Any) -> str:
    if isinstance(value, list):
        return " ".join(map(str, value)) or "none"
    return json.dumps(value)


def _policy_of(agent: Policy | str, game: Game) -> Policy:
    return parse_agent(agent, game) if isinstance(agent, str) else make_policy(agent, game)


def _labels(policies: Sequence[Policy], given: Sequence[str | None]) -> list[str]:
    """Return the policies' names; where several share one, what they were asked for by, then with numbers."""
    names = [policy.name for policy in policies]
    labels: list[str] = []
    for name, text in zip(names, given, strict=True):
        plain = text if text is not None and names.count(name) > 1 else name
        label, number = plain, 1
        while label in labels:
            number += 1
            label = f"{plain} #{number}"
        labels.append(label)
    return labels


def _check_players(game: Game, players: int | None, games: int) -> None:
    count = player_count(game, players)
    integer_of("games", games, DEALS[0] * count, DEALS[1])


def _check_options(game: Game, players: int | None, contents: Sequence[ContentSet], options: Mapping[str, Any]) -> None:
    try:
        count = player_count(game, players)
    except (TypeError, ValueError):
        return  # told already
    for content in contents:
        parse_options(game.all_options, options, count, content.record[0])


def _plain(value: Any) -> Any:
    if isinstance(value, (np.generic, np.ndarray)):
        return value.tolist()
    raise TypeError(f"an option has the value {value!r}, which cannot be written to a file")
