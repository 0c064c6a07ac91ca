"""What a tournament says: rates, scores, ratings and efforts, each with its interval where it has one."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray
from openskill.models import PlackettLuce

from ..evaluate import Effort, MatchResult, mean_of, rate_of
from .line_ups import DUEL, MIXED
from .plan import Plan

#: A mean or a rate, and the half-width of its 95 % interval, clustered by deal.
Figure = tuple[float, float]


@dataclass(frozen=True)
class Rating:
    """A skill by the Plackett-Luce model of openskill: ``mu``, its deviation ``sigma``; a fresh one is 25, 25 / 3."""

    mu: float
    sigma: float


@dataclass(frozen=True)
class Results:
    """The matches of a finished tournament. Agents go by their number in the plan.

    Attributes:
        plan: what was played.
        matches: one for each of the plan's line-ups.
    """

    plan: Plan
    matches: tuple[MatchResult, ...]

    @property
    def even(self) -> float:
        """What the matrix holds where agents are alike: in solo half of the comparisons, else an even share."""
        return 1 / max(self.plan.players, 2)

    def pair(self, one: int, other: int) -> Figure:
        """Return the share of the wins that an agent gets against copies of another in all other seats.

        In solo: the share of deals in which it scores more than the other, a tie counts half.
        """
        return rate_of(self._shares(one, other))

    def win_rate(self, agent: int) -> Figure:
        """Return an agent's share over its duels with all others, each counting alike."""
        return rate_of(np.concatenate([self._shares(agent, other) for other in self._others(agent)], axis=1))

    def seat_rate(self, agent: int, seat: int) -> Figure:
        """Return the same over the games in which the agent has this seat."""
        found = [self._duels[agent, other] for other in self._others(agent)]
        return rate_of(np.stack([match.seat_shares(place, seat) for match, place in found], axis=1))

    def mixed_rate(self, agent: int) -> Figure | None:
        """Return an agent's share for each seat it has at mixed tables; None if there are none."""
        shares = [match.shares[:, :, place] for match, place in self._places(agent, MIXED)]
        return rate_of(np.concatenate(shares, axis=1)) if shares else None

    def mean_score(self, agent: int) -> Figure:
        """Return an agent's mean score over its duels, or alone."""
        if self.plan.players == 1:
            return mean_of(self.matches[agent].scores[:, :, 0])
        found = [self._duels[agent, other] for other in self._others(agent)]
        return mean_of(np.concatenate([match.scores[:, :, place] for match, place in found], axis=1))

    def outcomes(self, agent: int) -> dict[str, dict[str, Figure]]:
        """Return how often an agent's solo games end in each of what the game tells, as tiers, the best first."""
        return {
            name: {word: rate_of(self._told(agent, name) == word) for word in words}
            for name, words in self.words.items()
        }

    def effort(self, agent: int) -> Effort:
        """Return what all decisions of an agent took."""
        efforts = [
            match.efforts[place]
            for line_up, match in zip(self.plan.line_ups, self.matches, strict=True)
            for place, sitting in enumerate(line_up.agents)
            if sitting == agent
        ]
        return sum(efforts, Effort())

    @cached_property
    def ratings(self) -> list[Rating]:
        """Each agent's rating, after all games of all line-ups.

        Of the deals each is rated in all line-ups and rotations before the next one. Agents do not change: no deviation
        is added between games (``tau`` 0). An agent in several seats gets the mean of what each of them would.
        """
        model = PlackettLuce(tau=0.0)
        rated = [Rating(model.mu, model.sigma)] * len(self.plan.entrants)
        ranks = [match.ranks.tolist() for match in self.matches]
        agents = [line_up.agents for line_up in self.plan.line_ups]
        for deal in range(self.plan.deals):
            for rotation in range(self.plan.players):
                for table, of_table in zip(agents, ranks, strict=True):
                    # An object for each seat: openskill would update one that two seats share twice.
                    teams = [[model.rating(rated[agent].mu, rated[agent].sigma)] for agent in table]
                    after = [team[0] for team in model.rate(teams, ranks=of_table[deal][rotation])]
                    for agent in set(table):
                        own = [new for sitting, new in zip(table, after, strict=True) if sitting == agent]
                        mu, sigma = (sum(getattr(new, name) for new in own) / len(own) for name in ("mu", "sigma"))
                        rated[agent] = Rating(mu, sigma)
        return rated

    @cached_property
    def order(self) -> list[int]:
        """The agents, the best first: by win rate, in solo by mean score."""
        agents = range(len(self.plan.entrants))
        measure = self.mean_score if self.plan.players == 1 else self.win_rate
        return sorted(agents, key=lambda agent: -measure(agent)[0])

    def _others(self, agent: int) -> list[int]:
        return [other for other in range(len(self.plan.entrants)) if other != agent]

    def _places(self, agent: int, kind: str) -> list[tuple[MatchResult, int]]:
        """Return where an agent sits in line-ups of a kind: the match, and the place in its line-up."""
        return [
            (match, place)
            for line_up, match in zip(self.plan.line_ups, self.matches, strict=True)
            for place, sitting in enumerate(line_up.agents)
            if line_up.kind == kind and sitting == agent
        ]

    @cached_property
    def _duels(self) -> dict[tuple[int, int], tuple[MatchResult, int]]:
        """The match of an agent against copies of another, and the agent's place in its line-up."""
        found = {}
        for line_up, match in zip(self.plan.line_ups, self.matches, strict=True):
            if line_up.kind == DUEL:
                one, other = line_up.agents[:2]
                found[one, other] = match, 0
                if self.plan.players == 2:
                    found[other, one] = match, 1
        return found

    def _shares(self, one: int, other: int) -> NDArray[np.float64]:
        """Return (deals, rotations), what an agent gets of each win against another."""
        if self.plan.players > 1:
            match, place = self._duels[one, other]
            return match.shares[:, :, place]
        mine, theirs = (self.matches[agent].scores[:, :, 0] for agent in (one, other))
        return (mine > theirs) + 0.5 * (mine == theirs)

    def _told(self, agent: int, name: str) -> NDArray[Any]:
        """Return (deals, 1) what the game tells of an agent's solo scores under a name."""
        scores = self.matches[agent].scores[:, :, 0]
        of_score = {score: self.plan.game.outcome_of(score, 1).get(name) for score in np.unique(scores).tolist()}
        return np.vectorize(of_score.__getitem__, otypes=[object])(scores)

    @cached_property
    def words(self) -> dict[str, list[str]]:
        """What the game tells of solo scores, by name: all that was seen, the best first."""
        if self.plan.players > 1:
            return {}
        seen: dict[str, dict[str, None]] = {}
        for score in np.unique(np.concatenate([match.scores for match in self.matches]))[::-1].tolist():
            for name, word in self.plan.game.outcome_of(score, 1).items():
                seen.setdefault(name, {})[word] = None
        return {name: list(words) for name, words in seen.items()}
