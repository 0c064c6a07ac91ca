"""Who meets whom in a tournament."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

ALONE, DUEL, MIXED = "alone", "duel", "mixed"


@dataclass(frozen=True)
class LineUp:
    """Agents at a table.

    Attributes:
        kind: ``alone`` (solo), ``duel`` (one agent against copies of another, with two players against the other
            itself) or ``mixed``.
        agents: the number of the agent in each seat, clockwise, before any rotation.
    """

    kind: str
    agents: tuple[int, ...]


def line_ups(agents: int, players: int) -> list[LineUp]:
    """Return all line-ups of a tournament.

    Solo: each agent alone. Two players: all pairs. More: each agent against copies of each other one, which is what the
    pairwise matrix is made of, and mixed tables. These are all sets of different agents; of more sets than duels as
    many as there are duels, chosen so that everybody meets everybody about as often. With fewer agents than seats they
    are all tables at which each agent sits at least once, duels aside.
    """
    if players == 1:
        return [LineUp(ALONE, (agent,)) for agent in range(agents)]
    if players == 2:
        return [LineUp(DUEL, pair) for pair in itertools.combinations(range(agents), 2)]
    duels = [LineUp(DUEL, (one, *[other] * (players - 1))) for one, other in itertools.permutations(range(agents), 2)]
    mixed = _sets(agents, players, len(duels)) if agents >= players else list(_tables_with_copies(agents, players))
    return duels + [LineUp(MIXED, table) for table in mixed]


def _sets(agents: int, players: int, most: int) -> list[tuple[int, ...]]:
    sets = list(itertools.combinations(range(agents), players))
    return sets if len(sets) <= most else _balanced(sets, agents, most)


def _balanced(sets: list[tuple[int, ...]], agents: int, count: int) -> list[tuple[int, ...]]:
    """Return so many of the sets: the next one is always what has least in common with all those before it."""
    members = np.zeros((len(sets), agents), np.int64)
    np.put_along_axis(members, np.array(sets), 1, axis=1)
    in_common = np.zeros(len(sets), np.int64)
    chosen: list[int] = []
    for _ in range(count):
        best = int(in_common.argmin())
        chosen.append(best)
        in_common += (members @ members[best]) ** 2  # squared: what counts are agents that meet again
        in_common[best] = np.iinfo(np.int64).max // 2
    return [sets[index] for index in sorted(chosen)]


def _tables_with_copies(agents: int, players: int) -> Iterator[tuple[int, ...]]:
    """Yield the tables with each agent at least once that are no duels, its copies spread over the seats."""
    for extra in itertools.combinations_with_replacement(range(agents), players - agents):
        copies = [1 + extra.count(agent) for agent in range(agents)]
        if agents > 2 or min(copies) > 1:
            yield tuple(agent for turn in range(players) for agent in range(agents) if copies[agent] > turn)
