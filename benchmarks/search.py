"""Iterations per second of a search in the middle of a game: ``python -m benchmarks.search mustang``."""

from __future__ import annotations

if __name__ == "__main__":
    from agents.command_line import start

    start("search", "benchmarks")

import argparse
import math
import statistics
from collections.abc import Sequence
from time import perf_counter

import numpy as np

from agents.command_line import tell
from agents.search import ROLLOUTS, SearchPolicy
from benchmarks.command import COUNT, SEED
from benchmarks.machine import describe_machine
from tablezoo import Batch, Game
from tablezoo.policies import Views
from tablezoo.registration import find_game
from tablezoo.rng import OPPONENTS, seed_streams

_GAMES = 16


def games_under_way(game: Game, players: int, seed: int) -> Batch:
    """Return games of random play that are about half over, by the decisions of as many others with other seeds."""
    lengths = Batch(game, _GAMES, players, seed=seed + _GAMES, autoreset=False)
    half = _play(lengths, math.inf) // 2
    batch = Batch(game, _GAMES, players, seed=seed, autoreset=False)
    _play(batch, half)
    return batch


def _play(batch: Batch, decisions: float) -> int:
    """Play at random for so many decisions, or until a first game is over; return how many they were."""
    lanes = np.arange(batch.num_games)
    streams = seed_streams(0, batch.num_games, OPPONENTS)
    played = 0
    while played < decisions and (batch.seat >= 0).all():
        batch.step(Views(batch, lanes, streams).random_actions())
        played += 1
    return played


def rates(batch: Batch, policies: Sequence[SearchPolicy], rounds: int) -> list[float]:
    """Return each policy's iterations a second on one thread: medians over rounds that measure all in turn."""
    lanes = np.flatnonzero(batch.seat >= 0)
    streams = seed_streams(1, batch.num_games, OPPONENTS)
    taken: list[list[float]] = [[] for _ in policies]
    for policy in policies:
        policy.act(Views(batch, lanes[:1], streams))  # compiled, or loaded
    for _ in range(rounds):
        for times, policy in zip(taken, policies, strict=True):
            started = perf_counter()
            policy.act(Views(batch, lanes, streams))
            times.append((perf_counter() - started) / lanes.size)
    return [(policy.iterations or 0) / statistics.median(times) for policy, times in zip(policies, taken, strict=True)]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; see ``--help``."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.search",
        description=f"Iterations a second of agents.search, on one thread, in {_GAMES} games of random play that are "
        "about half over: as far as the search looks by itself, and to the end of the game.",
    )
    parser.add_argument("game", help="the game, as in mustang")
    parser.add_argument("--players", type=COUNT, default=2)
    parser.add_argument("--iterations", type=COUNT, default=1000)
    parser.add_argument("--rounds", type=COUNT, default=5, help="of measuring; figures are medians over them")
    parser.add_argument("--seed", type=SEED, default=0)
    chosen = parser.parse_args(arguments)
    try:
        game = find_game(chosen.game)
        game.players(chosen.players, 1)
    except (ValueError, TypeError) as error:
        return tell(error)
    cases = [(rollout, ahead) for rollout in ROLLOUTS for ahead in (None, math.inf)]
    common = {"iterations": chosen.iterations, "threads": 1}
    policies = [SearchPolicy(rollout=rollout, rounds=ahead, **common) for rollout, ahead in cases]
    batch = games_under_way(game, chosen.players, chosen.seed)
    print(f"{game.title}, {chosen.players} players, {chosen.iterations} iterations a decision, one thread")
    print("\n".join(describe_machine()))
    for policy, rate in zip(policies, rates(batch, policies, chosen.rounds), strict=True):
        ahead = policy.rounds_in(game, chosen.players)
        words = "to the end" if ahead == math.inf else f"{ahead:g} round{'s' if ahead != 1 else ''} ahead"
        print(f"  {policy.rollout:6s} rollouts, {words:15s} {rate:10,.0f} iterations a second")
    return 0
