"""Who meets whom: all pairs, each against copies of each other, mixed tables in which all meet about as often."""

from __future__ import annotations

import itertools
from collections import Counter

import pytest

from agents.tournaments.line_ups import ALONE, DUEL, MIXED, LineUp, line_ups


def of_kind(kind: str, agents: int, players: int) -> list[tuple[int, ...]]:
    return [line_up.agents for line_up in line_ups(agents, players) if line_up.kind == kind]


def test_solo_is_each_alone() -> None:
    assert line_ups(3, 1) == [LineUp(ALONE, (agent,)) for agent in range(3)]


@pytest.mark.parametrize("agents", [2, 3, 7])
def test_with_two_players_each_pair_meets_once(agents: int) -> None:
    assert of_kind(DUEL, agents, 2) == list(itertools.combinations(range(agents), 2))
    assert of_kind(MIXED, agents, 2) == []


@pytest.mark.parametrize(("agents", "players"), [(2, 3), (3, 3), (3, 5), (6, 4)])
def test_with_more_players_each_meets_copies_of_each_other(agents: int, players: int) -> None:
    pairs = itertools.permutations(range(agents), 2)
    assert of_kind(DUEL, agents, players) == [(one, *[other] * (players - 1)) for one, other in pairs]


@pytest.mark.parametrize(("agents", "players"), [(3, 3), (4, 3), (5, 5), (6, 3)])
def test_all_sets_of_agents_sit_together_where_they_are_few(agents: int, players: int) -> None:
    assert of_kind(MIXED, agents, players) == list(itertools.combinations(range(agents), players))


@pytest.mark.parametrize(("agents", "players"), [(8, 4), (10, 5), (13, 3)])
def test_of_many_sets_as_many_as_duels_are_chosen_evenly(agents: int, players: int) -> None:
    mixed = of_kind(MIXED, agents, players)
    assert len(mixed) == len(set(mixed)) == agents * (agents - 1)
    assert all(len(set(table)) == players for table in mixed)
    sat = Counter(agent for table in mixed for agent in table)
    met = Counter(pair for table in mixed for pair in itertools.combinations(table, 2))
    assert max(sat.values()) - min(sat.values()) <= 2
    assert len(met) == agents * (agents - 1) / 2
    assert max(met.values()) - min(met.values()) <= 4


@pytest.mark.parametrize(("agents", "players", "count"), [(2, 3, 0), (2, 4, 1), (2, 5, 2), (3, 4, 3), (3, 5, 6)])
def test_with_fewer_agents_than_seats_each_sits_at_every_mixed_table(agents: int, players: int, count: int) -> None:
    mixed = of_kind(MIXED, agents, players)
    assert len({tuple(sorted(table)) for table in mixed}) == len(mixed) == count
    assert all(len(table) == players and set(table) == set(range(agents)) for table in mixed)
    duels = {tuple(sorted(table)) for table in of_kind(DUEL, agents, players)}
    assert duels.isdisjoint(tuple(sorted(table)) for table in mixed)


def test_copies_are_spread_over_the_seats() -> None:
    assert of_kind(MIXED, 2, 4) == [(0, 1, 0, 1)]
