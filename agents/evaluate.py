"""Matches on shared deals with rotated seats, and what they say: ``python -m agents.evaluate GAME --agents A B``."""

from __future__ import annotations

if __name__ == "__main__":
    from .command_line import start

    start("evaluate")

import argparse
import json
import shlex
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tablezoo.batch import Batch
from tablezoo.content import ContentSource, load_sets
from tablezoo.errors import ContentError, OptionError
from tablezoo.game import Game
from tablezoo.keywords import check_game, integer_of
from tablezoo.options import options_of_words
from tablezoo.policies import Policy, Views, policy_maker
from tablezoo.registration import find_game
from tablezoo.rng import OPPONENTS, seed_streams

from .command_line import tell
from .opponents import parse_agent
from .results import row_of
from .settings import COUNT, DEALS, SEED, THREADS

#: Evaluations deal from seeds of 2**62 and more, training from smaller ones: no deal is in both.
EVALUATION_SEEDS = 2**62
Z95 = 1.959964


@dataclass(frozen=True)
class Effort:
    """What a policy's decisions took.

    Attributes:
        decisions: how many; ``calls``: of ``act``, each for a batch of them; ``seconds``: within those calls.
    """

    decisions: int = 0
    calls: int = 0
    seconds: float = 0.0

    def __add__(self, other: Effort) -> Effort:
        return Effort(self.decisions + other.decisions, self.calls + other.calls, self.seconds + other.seconds)


@dataclass
class Timed:
    """A policy that plays as another does, and keeps account of its effort."""

    policy: Policy
    effort: Effort = field(default_factory=Effort)

    @property
    def name(self) -> str:
        return self.policy.name

    def act(self, views: Views) -> NDArray[np.int64]:
        started = perf_counter()
        actions = self.policy.act(views)
        self.effort += Effort(len(views), 1, perf_counter() - started)
        return actions


@dataclass(frozen=True)
class MatchResult:
    """What a line-up achieved.

    Attributes:
        names: the line-up.
        ranks: (deals, rotations, players) int8, the rank of each of the line-up in each game, 0 the best.
        scores: (deals, rotations, players) int64, its raw scores.
        efforts: what the decisions of each of the line-up took; empty if nobody kept account.
    """

    names: tuple[str, ...]
    ranks: NDArray[np.int8]
    scores: NDArray[np.int64]
    efforts: tuple[Effort, ...] = ()

    @property
    def shares(self) -> NDArray[np.float64]:
        """(deals, rotations, players), what each of the line-up got of each win: 1/k of one that k share."""
        winners = self.ranks == 0
        return winners / winners.sum(axis=2, keepdims=True)

    @property
    def games(self) -> int:
        deals, rotations, _ = self.ranks.shape
        return int(deals * rotations)

    def win_rate(self, agent: int = 0) -> tuple[float, float]:
        """Return an agent's mean share and the half-width of its 95 % interval; see :func:`rate_of`."""
        return rate_of(self.shares[:, :, agent])

    def seat_shares(self, agent: int, seat: int) -> NDArray[np.float64]:
        """Return (deals,) an agent's shares in the games in which it has this seat."""
        return self.shares[:, (seat - agent) % len(self.names), agent]

    def mean_score(self, agent: int = 0) -> tuple[float, float]:
        """Return an agent's mean score and the half-width of its 95 % interval, clustered by deal too."""
        return mean_of(self.scores[:, :, agent])


def join(parts: Sequence[MatchResult]) -> MatchResult:
    """Return the match of which these are the parts, in order."""
    return MatchResult(
        parts[0].names,
        np.concatenate([part.ranks for part in parts]),
        np.concatenate([part.scores for part in parts]),
        tuple(sum(efforts, Effort()) for efforts in zip(*(part.efforts for part in parts), strict=True)),
    )


def rate_of(shares: NDArray[np.float64]) -> tuple[float, float]:
    """Return the mean of (deals, games of a deal) shares and the half-width of its 95 % interval.

    The games of one deal are not independent, so the interval is taken over the means of deals. Of a rate of 0 or
    1 the deals have no spread to tell: there the half-width is as far as Wilson's interval reaches for as many
    independent games as there are deals.
    """
    rate, half = mean_of(shares)
    if rate in (0.0, 1.0):
        half = Z95**2 / (len(shares) + Z95**2)
    return rate, half


def mean_of(values: NDArray[Any]) -> tuple[float, float]:
    """Return the mean of (deals, games of a deal) values and the half-width of its 95 % interval over deals."""
    means = values.mean(axis=1)
    spread = means.std(ddof=1) / np.sqrt(means.size) if means.size > 1 else np.nan
    return float(means.mean()), float(Z95 * spread)


def play_match(
    game: Game,
    line_up: Sequence[Policy | str],
    deals: int,
    seed: int = 0,
    threads: int = 1,
    *,
    part: range | None = None,
    content: ContentSource | Sequence[ContentSource] = None,
    **options: Any,
) -> MatchResult:
    """Play every rotation of the line-up over the same deals, all games in one batch.

    Args:
        line_up: a policy, or its name, for each seat; in rotation r seat j is played by ``line_up[(j - r) % players]``.
        deals: how many the match has; all of it are ``deals * players`` games.
        seed: of the deals and of what the policies draw; see ``EVALUATION_SEEDS``.
        part: the deals that are played, as in ``range(20, 30)``; all if None. Parts are what the whole match has there:
            :func:`join` makes it of them.
        content: a set, or a sequence of them that the deals take in turn, the same in each rotation.
        threads, **options: as in ``Batch``.
    """
    check_game(game)
    integer_of("deals", deals, *COUNT)
    integer_of("seed", seed, *SEED)
    played = range(deals) if part is None else _checked_part(part, deals)
    make = policy_maker(game)
    policies = [Timed(make(one)) for one in line_up]
    players, count = len(policies), len(played)
    lanes = np.arange(count * players)
    sets = load_sets(game.content, content)
    of_deal = [sets[deal % len(sets)] for deal in played] if game.content is not None else None
    options["content"] = of_deal and of_deal * players
    batch = Batch(game, lanes.size, players, seed=0, threads=threads, autoreset=False, **options)
    first_deal = int(np.random.SeedSequence(seed).generate_state(1, np.uint64)[0] >> np.uint64(3))
    deal_seed = EVALUATION_SEEDS + first_deal
    streams = []
    for rotation in range(players):
        block = lanes[rotation * count : (rotation + 1) * count]
        batch.reset(seed=deal_seed + played.start - rotation * count, games=block)
        streams.append(seed_streams(deal_seed + rotation * deals + played.start, count, OPPONENTS))
    rotations = lanes // count
    policy_of = (np.arange(players)[None, :] - rotations[:, None]) % players
    play_out(batch, policies, policy_of, np.concatenate(streams))
    order = (np.arange(players)[None, :] + rotations[:, None]) % players
    ranks = np.take_along_axis(batch.ranks[:, :players], order, axis=1)
    scores = np.take_along_axis(batch.scores[:, :players].astype(np.int64), order, axis=1)
    shape = (players, count, players)
    return MatchResult(
        tuple(policy.name for policy in policies),
        ranks.reshape(shape).swapaxes(0, 1),
        scores.reshape(shape).swapaxes(0, 1),
        tuple(policy.effort for policy in policies),
    )


def _checked_part(part: Any, deals: int) -> range:
    if not isinstance(part, range):
        raise TypeError(f"part is {part!r}; expected a range of deals")
    if part.step != 1 or not 0 <= part.start < part.stop <= deals:
        raise ValueError(f"part is {part}; expected deals one after the other, from 0 to {deals}, and at least one")
    return part


def play_out(
    batch: Batch, line_up: Sequence[Policy], policy_of: NDArray[np.int64], streams: NDArray[np.uint64]
) -> None:
    """Play all games to their ends; ``policy_of`` (N, players) says which of the line-up sits where."""
    while (running := np.flatnonzero(batch.seat >= 0)).size:
        whose = policy_of[running, batch.seat[running]]
        actions = np.empty(running.size, np.int64)
        for index in np.unique(whose):
            mine = whose == index
            actions[mine] = line_up[index].act(Views(batch, running[mine], streams))
        batch.step(actions, games=running)


def versus(
    game: Game,
    policy: Policy | str,
    opponent: Policy | str,
    players: int,
    deals: int,
    seed: int,
    threads: int = 1,
    **options: Any,
) -> MatchResult:
    """Return the match of one policy against copies of another in all other seats."""
    check_game(game)
    game.players(players, 1)
    return play_match(game, [policy, *[opponent] * (players - 1)], deals, seed, threads, **options)


def describe_rate(result: MatchResult, agent: int = 0) -> str:
    """Return an agent's win rate with its interval, in words."""
    rate, half = result.win_rate(agent)
    return f"{100 * rate:5.1f} % ± {100 * half:.1f}"


def describe_score(result: MatchResult, agent: int = 0) -> str:
    """Return an agent's mean score with its interval, in words."""
    score, half = result.mean_score(agent)
    return f"{score:.1f} ± {half:.1f} points"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; see ``--help``."""
    parser = argparse.ArgumentParser(
        prog="python -m agents.evaluate",
        description="Play a line-up on shared deals, all seats rotated, and print win rates with 95 % intervals.",
        epilog="example: python -m agents.evaluate mustang --agents runs/demo greedy --deals 1000",
    )
    parser.add_argument("game", help="the game, as in mustang")
    parser.add_argument(
        "--agents", nargs="+", required=True, help="a name (random, greedy, pretrained) or a path, one for each seat"
    )
    parser.add_argument(
        "--players", type=int, help="seats; the last agent fills those without one (default: as listed)"
    )
    parser.add_argument("--deals", type=int, default=1000, help="shared deals, each played once a rotation")
    parser.add_argument("--content", nargs="+", help="content sets, which the games take in turn")
    parser.add_argument("--option", nargs="+", default=[], metavar="NAME=VALUE", help="the game's options")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--json", action="store_true", help="print one line of JSON, as a policy's card takes it")
    parser.add_argument("--note", default="", help="with --json: a remark for the card, as of what an exploiter is")
    chosen = parser.parse_args(arguments)
    try:
        game = find_game(chosen.game)
        players = max(len(chosen.agents), game.min_players) if chosen.players is None else chosen.players
        game.players(players, 1)
        if len(chosen.agents) > players:
            raise ValueError(f"{len(chosen.agents)} agents for {players} players")
        integer_of("--deals", chosen.deals, DEALS[0], DEALS[1] // players)
        integer_of("--seed", chosen.seed, *SEED)
        integer_of("--threads", chosen.threads, *THREADS)
        options = options_of_words(chosen.option)
        listed = [parse_agent(text, game, players) for text in chosen.agents]
    except (ValueError, TypeError, OSError) as error:
        return tell(error)
    line_up = listed + [listed[-1]] * (players - len(listed))
    try:
        result = play_match(game, line_up, chosen.deals, chosen.seed, chosen.threads, content=chosen.content, **options)
    except MemoryError as error:
        return tell(f"--deals {chosen.deals} are too many at once: {error}")
    except (ContentError, OptionError) as error:
        return tell(error)
    if chosen.json:
        words = ["python", "-m", "agents.evaluate", *(sys.argv[1:] if arguments is None else arguments)]
        names = chosen.agents + [chosen.agents[-1]] * (players - len(listed))
        print(json.dumps(row_of(result, game, names, line_up, chosen.seed, shlex.join(words), chosen.note)))
        return 0
    print(f"{game.title}, {players} players, {chosen.deals} deals, {result.games} games, all seats rotated")
    for seat, name in enumerate(result.names):
        wins = f"wins {describe_rate(result, seat)}   " if players > 1 else ""
        print(f"  {name:20s} {wins}mean score {describe_score(result, seat)}")
    return 0
