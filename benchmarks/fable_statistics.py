"""How Fable's locations are played: ``python -m benchmarks.fable_statistics --agents random greedy``.

Each agent plays whole campaigns in all seats. For each location: how often it is moved to, and then its action used or
its juice bought, for each game in which it lies in play (what copies and orders do is not counted); game lengths, games
a campaign, and games that end in a tie.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from agents.opponents import parse_agent
from fable_env import GAME
from fable_env.campaign import PLAYER_COUNTS
from fable_env.sets import NUM_LOCATIONS
from fable_env.state import A_BUY, A_STACK, MOVE, VISIT
from fable_env.words import action_words, location_name, price_signs
from tablezoo import Batch, Policy
from tablezoo.game import TRUNCATED
from tablezoo.keywords import integer_of
from tablezoo.policies import Views
from tablezoo.rng import OPPONENTS, seed_streams


@dataclass
class Counts:
    """What happened: arrays by location, lists by game or by campaign."""

    games_in_play: NDArray[np.int64] = field(default_factory=lambda: np.zeros(NUM_LOCATIONS, np.int64))
    moves: NDArray[np.int64] = field(default_factory=lambda: np.zeros(NUM_LOCATIONS, np.int64))
    purchases: NDArray[np.int64] = field(default_factory=lambda: np.zeros(NUM_LOCATIONS, np.int64))
    turns: list[int] = field(default_factory=list)
    decisions: int = 0
    campaigns: list[int] = field(default_factory=list)
    ties: int = 0
    cut: int = 0


def play_campaigns(policy: Policy, players: int, campaigns: int, seed: int) -> Counts:
    """Return what happens in whole campaigns that one policy plays in all seats."""
    counts = Counts()
    batch = Batch(GAME, campaigns, players, seed=seed, threads=2, autoreset=False, campaign="continue")
    streams = seed_streams(seed, campaigns, OPPONENTS)
    running = np.arange(campaigns)
    played = np.zeros(campaigns, np.int64)
    seen = batch.states["cards"] > 0
    while running.size:
        views = Views(batch, running, streams)
        actions = policy.act(views)
        count_decisions(counts, batch.states[running], actions)
        batch.step(actions, games=running)
        seen[running] |= batch.states["cards"][running] > 0
        over = running[batch.seat[running] < 0]
        if over.size:
            count_games(counts, batch, over, seen[over])
            # After a campaign's end the next game would be a fresh campaign's (F21): these lanes are done.
            done = batch.states["campaign_drawn"][over] == 0
            played[over] += 1
            counts.campaigns += played[over[done]].tolist()
            running = np.setdiff1d(running, over[done])
            batch.reset(games=over[~done])
            seen[over] = batch.states["cards"][over] > 0
    return counts


def count_decisions(counts: Counts, states: NDArray[np.void], actions: NDArray[np.int64]) -> None:
    """Count moves and purchases by location; where nothing can be bought the engine itself uses the action."""
    counts.decisions += len(states)
    size = states["pending_size"]
    frames = states["pending"][np.arange(len(states)), np.maximum(size - 1, 0)]
    phase = np.where(size == 0, MOVE, frames[:, 0])
    moving = phase == MOVE
    slots = actions[moving] - A_STACK
    np.add.at(counts.moves, states["stacks"][moving][np.arange(slots.size), slots], 1)
    np.add.at(counts.purchases, frames[(phase == VISIT) & (actions == A_BUY), 2], 1)


def count_games(counts: Counts, batch: Batch, over: NDArray[np.int64], seen: NDArray[np.bool_]) -> None:
    """Count what is known at the end of games."""
    counts.games_in_play += seen.sum(axis=0)
    counts.turns += batch.states["turn"][over].tolist()
    counts.ties += int((batch.winners[over].sum(axis=1) > 1).sum())
    counts.cut += int((batch.states["ended"][over] == TRUNCATED).sum())


# --- words ------------------------------------------------------------------------------------------------------------


def summary(counts: Counts) -> str:
    """Return lengths of games and campaigns, and the share of ties, in a line."""
    turns, campaigns, games = np.array(counts.turns), np.array(counts.campaigns), len(counts.turns)
    return (
        f"  {games} games in {campaigns.size} campaigns of {campaigns.mean():.1f} games ({campaigns.min()} to "
        f"{campaigns.max()}); turns a game {turns.mean():.1f} (median {np.median(turns):.0f}, most {turns.max()}), "
        f"decisions {counts.decisions / games:.0f}; cut {counts.cut}; ties {100 * counts.ties / games:.1f} %"
    )


def location_lines(counts: Counts) -> list[str]:
    """Return a line for each location: moves, uses and purchases a game in which it lies in play."""
    content = Batch(GAME, seed=0).contents[0].record[0]
    lines = ["    # in play  moves   uses  bought  action; price; name"]
    for location in range(NUM_LOCATIONS):
        games = max(int(counts.games_in_play[location]), 1)
        moves, bought = int(counts.moves[location]) / games, int(counts.purchases[location]) / games
        words = (
            f"{action_words(content, location)}; {price_signs(content, location)}; {location_name(content, location)}"
        )
        lines.append(f"  {location + 1:3d} {games:7d} {moves:6.2f} {moves - bought:6.2f}  {bought:6.2f}  {words}")
    return lines


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; see ``--help``."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.fable_statistics", description=__doc__)
    parser.add_argument("--agents", nargs="+", default=["random", "greedy"], help="names, or paths to checkpoints")
    parser.add_argument("--players", nargs="+", type=int, default=list(PLAYER_COUNTS))
    parser.add_argument("--campaigns", type=int, default=100, help="for each agent and number of players")
    parser.add_argument("--seed", type=int, default=0)
    chosen = parser.parse_args(arguments)
    try:
        integer_of("--campaigns", chosen.campaigns, 1, 2**31 - 1)
        integer_of("--seed", chosen.seed, 0, 2**62 - 1)
        for players in chosen.players:
            GAME.players(players, 1)
        for name in chosen.agents:
            policy = parse_agent(name, GAME)
            together = Counts()
            for players in chosen.players:
                counts = play_campaigns(policy, players, chosen.campaigns, chosen.seed)
                print(f"{name}, {players} players\n{summary(counts)}", flush=True)
                add_counts(together, counts)
            print(f"{name}, by location, all numbers of players together")
            print("\n".join(location_lines(together)))
    except (ValueError, TypeError, OSError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    return 0


def add_counts(together: Counts, counts: Counts) -> None:
    """Add what happened to locations."""
    for name in ("games_in_play", "moves", "purchases"):
        getattr(together, name).__iadd__(getattr(counts, name))


if __name__ == "__main__":
    sys.exit(main())
