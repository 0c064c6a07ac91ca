"""How a frozen policy fares as Fable's rules drift: ``python -m benchmarks.fable_drift --agent runs/first_stage``.

The policy plays every recorded stage of the reference campaign against frozen opponents, on shared deals with all seats
rotated; intervals are 95 %, clustered by deal. A policy that wins as much at the last stages as at the first would say
that the drift is too small to study. ``--json`` prints the figures alone, and a plot is drawn.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path

from agents.evaluate import versus
from agents.opponents import parse_agent
from fable_env import GAME, reference
from tablezoo.keywords import integer_of

Rates = list[tuple[int, float, float]]
"""Stage, win rate and the half-width of its interval."""


def measure(agent: str, opponent: str, players: int, stages: Sequence[int], deals: int, seed: int) -> Rates:
    """Return the win rates of one agent against copies of another at each stage."""
    policy, rival = parse_agent(agent, GAME), parse_agent(opponent, GAME)
    rates = []
    for stage in stages:
        result = versus(GAME, policy, rival, players, deals, seed, threads=2, stage=stage)
        rates.append((stage, *result.win_rate()))
    return rates


def plot(measured: dict[str, Rates], players: int, opponent: str, path: Path) -> None:
    """Draw win rates over stages with their intervals."""
    from matplotlib import pyplot as plt

    figure, axes = plt.subplots(figsize=(8, 4.5))
    for name, rates in measured.items():
        stages, means, halves = zip(*rates, strict=True)
        axes.errorbar(stages, [100 * mean for mean in means], [100 * half for half in halves], label=name, capsize=2)
    axes.axhline(100 / players, color="grey", linestyle=":", label="even share")
    axes.set(xlabel="games into the reference campaign", ylabel=f"win rate against {opponent} (%)", ylim=(0, 100))
    axes.set_title(f"Fable, {players} players: frozen policies at later stages")
    axes.legend()
    figure.tight_layout()
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, dpi=120)
    plt.close(figure)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; see ``--help``."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.fable_drift", description=__doc__)
    parser.add_argument("--agent", nargs="+", required=True, help="frozen policies: paths of runs, or names")
    parser.add_argument("--opponent", default="greedy", help="who sits at all other seats")
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--stages", nargs="+", type=int, help="games into the campaign (default: all recorded)")
    parser.add_argument("--deals", type=int, default=500, help="shared deals a stage, each played in all rotations")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--json", action="store_true", help="print the figures as JSON alone")
    parser.add_argument("--plot", type=Path, default=Path("runs/fable_drift.png"))
    chosen = parser.parse_args(arguments)
    try:
        GAME.players(chosen.players, 1)
        integer_of("--deals", chosen.deals, 2, 2**31 - 1)
        integer_of("--seed", chosen.seed, 0, 2**63 - 1)
        stages = chosen.stages or range(len(reference(chosen.players)))
        measured = {
            agent: measure(agent, chosen.opponent, chosen.players, stages, chosen.deals, chosen.seed)
            for agent in chosen.agent
        }
        plot(measured, chosen.players, chosen.opponent, chosen.plot)
    except (ValueError, TypeError, OSError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    if chosen.json:
        print(json.dumps(measured))
        return 0
    for agent, rates in measured.items():
        print(f"{agent} against {chosen.opponent}, {chosen.players} players, {chosen.deals} deals a stage")
        print("\n".join(f"  stage {stage:2d}   {100 * mean:5.1f} % ± {100 * half:.1f}" for stage, mean, half in rates))
    print(f"plot: {chosen.plot}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
