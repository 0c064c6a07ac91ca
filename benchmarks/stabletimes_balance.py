"""How balanced a content set of Stable Times is: ``python -m benchmarks.stabletimes_balance --agents greedy``.

At four players each agent plays all seats, boards drawn: a board's win rate is its share of the wins (25 % is even). In
solo each agent plays alone: its mean score, and how many of its games reach each tier (S33).
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from agents.evaluate import EVALUATION_SEEDS, Z95, play_out
from agents.opponents import parse_agent
from stabletimes_env import GAME
from stabletimes_env.scoring import TIERS
from stabletimes_env.sets import NUM_BOARDS
from stabletimes_env.words import board_name
from tablezoo import Batch, Policy
from tablezoo.keywords import integer_of
from tablezoo.rng import OPPONENTS, seed_streams

PLAYERS = 4


def games_of(policy: Policy, players: int, games: int, seed: int, content: str) -> Batch:
    """Return games that one policy has played in all seats."""
    batch = Batch(GAME, games, players, seed=EVALUATION_SEEDS + seed, threads=2, autoreset=False, content=content)
    streams = seed_streams(seed, games, OPPONENTS)
    play_out(batch, [policy], np.zeros((games, players), np.int64), streams)
    return batch


def with_interval(values: NDArray[np.float64]) -> str:
    """Return a mean with the half-width of its 95 % interval."""
    return f"{values.mean():5.1f} ± {Z95 * values.std(ddof=1) / np.sqrt(values.size):.1f}"


def board_lines(batch: Batch) -> list[str]:
    """Return each board's share of the wins, the score of its seats, and how often it is flipped."""
    content = batch.contents[0].record[0]
    winners = batch.winners[:, :PLAYERS]
    shares = 100 * winners / winners.sum(axis=1, keepdims=True)
    boards, upgraded = batch.states["board"][:, :PLAYERS], batch.states["upgraded"][:, :PLAYERS]
    lines, rates = [], []
    for board in range(NUM_BOARDS):
        mine = boards == board
        rates.append(shares[mine].mean())
        lines.append(
            f"  {board_name(content, board):20s} wins {with_interval(shares[mine])} %   "
            f"score {with_interval(batch.scores[:, :PLAYERS][mine])}   upgraded {100 * upgraded[mine].mean():.0f} %"
        )
    return [*lines, f"  from the weakest to the strongest board: {max(rates) - min(rates):.1f} points"]


def solo_line(batch: Batch) -> str:
    """Return the mean solo score and the share of games that reach each tier."""
    scores = batch.scores[:, 0]
    tiers = "   ".join(f"{tier} ({least}+) {100 * (scores >= least).mean():.1f} %" for least, tier in TIERS)
    return f"  score {with_interval(scores)}   {tiers}"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; see ``--help``."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.stabletimes_balance", description=__doc__)
    parser.add_argument("--agents", nargs="+", default=["random", "greedy"], help="names, or paths to checkpoints")
    parser.add_argument("--games", type=int, default=5000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--content", default=GAME.content.default if GAME.content else None)
    parser.add_argument("--only", choices=["boards", "solo"], help="one of the two measurements alone")
    chosen = parser.parse_args(arguments)
    try:
        integer_of("--games", chosen.games, 2, 2**31 - 1)
        integer_of("--seed", chosen.seed, 0, 2**62 - 1)
        agents = {name: parse_agent(name, GAME) for name in chosen.agents}
        for name, policy in agents.items():
            if chosen.only != "solo":
                print(f"{name}, {PLAYERS} players, {chosen.games} games")
                boards = games_of(policy, PLAYERS, chosen.games, chosen.seed, chosen.content)
                print("\n".join(board_lines(boards)))
            if chosen.only != "boards":
                print(f"{name}, solo, {chosen.games} games")
                print(solo_line(games_of(policy, 1, chosen.games, chosen.seed, chosen.content)))
    except (ValueError, TypeError, OSError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
