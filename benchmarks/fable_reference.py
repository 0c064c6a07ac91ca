"""The reference campaigns of Fable: ``python -m benchmarks.fable_reference --write`` plays and records them anew.

One campaign for each player count, from the first game until it is over (F21), all seats played by one policy, recorded
before each game. They are the stages of the option ``stage`` and of the benchmarks; ``fable_env/reference.json`` keeps
them. Who starts a game that is entered by its stage is drawn, so the records hold no start seat and no stream.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from agents.evaluate import play_out
from agents.opponents import parse_agent
from fable_env import GAME, Campaign
from fable_env.campaign import PLAYER_COUNTS
from tablezoo import Batch, Policy
from tablezoo.keywords import integer_of
from tablezoo.rng import OPPONENTS, seed_streams

FILE = Path(__file__).parents[1] / "fable_env" / "reference.json"


def play_campaign(policy: Policy, players: int, seed: int) -> list[Campaign]:
    """Return the campaign that one policy plays in all seats, as it stands before each of its games."""
    batch = Batch(GAME, 1, players, seed=seed, autoreset=False, campaign="continue")
    streams = seed_streams(seed, 1, OPPONENTS)
    before: list[Campaign] = []
    while True:
        campaign = Campaign.of(batch.states[0])
        assert campaign is not None  # a game was dealt
        before.append(replace(campaign, start_seat=None, stream=None))
        play_out(batch, [policy], np.zeros((1, players), np.int64), streams)
        if Campaign.of(batch.states[0]) is None:
            return before
        batch.reset()


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; see ``--help``."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.fable_reference", description=__doc__)
    parser.add_argument("--agent", default="greedy", help="who plays all seats: a name, or the path of a checkpoint")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--write", action="store_true", help=f"write {FILE.name}; else only say what would be written")
    chosen = parser.parse_args(arguments)
    try:
        seed = integer_of("--seed", chosen.seed, 0, 2**62 - 1)
        policy = parse_agent(chosen.agent, GAME)
    except (ValueError, TypeError, OSError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    recorded = {}
    for players in PLAYER_COUNTS:
        stages = play_campaign(policy, players, seed)
        cards = ", ".join(str(240 - stage.drawn) for stage in stages)
        print(f"{players} players: {len(stages)} games; cards left on the location stack before each: {cards}")
        kept = ("games", "drawn", "start_seat", "stream", "stacks")
        recorded[str(players)] = [{key: stage.to_json()[key] for key in kept} for stage in stages]
    if chosen.write:
        FILE.write_text(json.dumps(recorded) + "\n", encoding="utf-8")
        print(f"wrote {FILE}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
