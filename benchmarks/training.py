"""How much faster Connect Four is learned on tablezoo's batch than the usual way: ``python -m benchmarks.training``."""

from __future__ import annotations

if __name__ == "__main__":
    from agents.command_line import start

    start("training", "benchmarks")

import argparse
import json
import math
import statistics
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch

from agents.command_line import align, tell
from benchmarks.command import COUNT, SEED, number_from, progress
from benchmarks.learning import NETWORK, PATHS, ROLLOUT, TABLEZOO, TARGET, USUAL, Learned, Updates, learn
from benchmarks.machine import describe_machine
from benchmarks.usual_path import make_connect_four

_TARGET = f"{100 * TARGET:.0f} %"
DEFAULTS, LARGE = Updates(64, 10), Updates(4096, 4)

_ABOUT = f"""\
Trains MaskablePPO in Connect Four against random play on two paths to the same game:

  {TABLEZOO.title:<12} tablezoo.sb3.SeatVecEnv, {TABLEZOO.num_envs} games in one batch
  {USUAL.title:<12} PettingZoo's connect_four_v3, {USUAL.num_envs} of them in a DummyVecEnv, each behind the usual
               wrapper for one seat

Alike on both: MaskablePPO("MlpPolicy") with layers of {" and ".join(map(str, NETWORK))}, rollouts of {ROLLOUT:,}
learner steps, all settings of the update, the number of steps, the seeds, one thread. The paths take
turns, seed by seed.

  updates       batch_size/n_epochs: {DEFAULTS} is SB3's default, whose learner hides the environment;
                {LARGE} takes so little time that the environment shows.
  frames/s      learner steps a second, in collecting and updating.
  rollout only  learner steps a second in collecting alone: environment, masks, the network's choice.
  to {_TARGET}       until an evaluation showed a win rate of {_TARGET}, a draw being half a win. There is one
                after each rollout, and it does not count into the time: both paths' policies play on
                tablezoo's batch against random play, each seat in half of the games.

Each path first trains a rollout that does not count. What all seeds come to is told by medians.
"""


@dataclass(frozen=True)
class Plan:
    """What is trained: each of the updates with each of the seeds on both paths."""

    updates: list[Updates]
    seeds: list[int]
    steps: int
    deals: int


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; return its exit status."""
    asked = _parser().parse_args(argv)
    try:
        make_connect_four()
    except ModuleNotFoundError as error:
        return tell(str(error))
    plan = make_plan(asked)
    print("\n".join(describe_machine()), file=sys.stderr if asked.json else sys.stdout, flush=True)
    runs: list[Learned] = []
    try:
        with one_torch_thread():
            for run in train(plan):
                runs.append(run)
                progress("")
                print(describe(run), file=sys.stderr, flush=True)
    finally:  # after Ctrl-C, what was finished
        progress("")
        _print_report(runs, asked.json)
    return 0


def _print_report(runs: Sequence[Learned], as_json: bool) -> None:
    if as_json:
        print(json.dumps({"runs": [run.to_json() for run in runs], "summary": summarise(runs)}, indent=1))
    elif runs:
        print("\n".join(["", *runs_table(runs), "", *summary_table(summarise(runs))]))


def train(plan: Plan) -> Iterator[Learned]:
    """Train on both paths in turn, and hand out each run as it is done."""
    for path in PATHS:
        progress(f"warming up: {path.title}")
        learn(path, LARGE, seed=0, steps=1, deals=2, report=_ignore)
    for seed in plan.seeds:
        for updates in plan.updates:
            for path in PATHS:
                yield learn(path, updates, seed, plan.steps, plan.deals, _shown(plan))


def _ignore(_run: Learned) -> None:
    """Show nothing."""


def _shown(plan: Plan) -> Callable[[Learned], None]:
    return lambda run: progress(f"{describe(run)}, of {plan.steps:,}")


@contextmanager
def one_torch_thread() -> Iterator[None]:
    """Have torch use one thread."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(threads)


def describe(run: Learned) -> str:
    """Return how a run stands, in a line."""
    return (
        f"{run.path.title}, {run.updates}, seed {run.seed}: {run.steps:,} steps in {run.seconds:.0f} s, "
        f"{run.frames_per_s:,.0f} frames/s, wins {100 * run.win_rate:.1f} %"
    )


_RUN_COLUMNS = (
    "path",
    "updates",
    "seed",
    "steps",
    "frames/s",
    "rollout only",
    f"to {_TARGET}, s",
    "wins in the end",
)


def runs_table(runs: Sequence[Learned]) -> list[str]:
    """Return all runs as lines of aligned text."""
    return align([_RUN_COLUMNS, *(_cells(run) for run in runs)])


def _cells(run: Learned) -> list[str]:
    return [
        run.path.title,
        str(run.updates),
        str(run.seed),
        f"{run.steps:,}",
        f"{run.frames_per_s:,.0f}",
        f"{run.rollout_frames_per_s:,.0f}",
        "not reached" if run.seconds_to_target is None else f"{run.seconds_to_target:.1f}",
        f"{100 * run.win_rate:.1f} %",
    ]


_FIGURES = ("frames_per_s", "rollout_frames_per_s", "seconds_to_target")
_FIGURE_TITLES = ("frames/s", "rollout only, frames/s", f"seconds to {_TARGET}")


def summarise(runs: Sequence[Learned]) -> list[dict[str, Any]]:
    """Return each figure's medians over the seeds on both paths and the first over the second, for each of the updates.

    A median is None where half of the runs did not reach the target, a ratio where one of its medians is.
    """
    rows = []
    for updates in dict.fromkeys(str(run.updates) for run in runs):
        for figure in _FIGURES:
            ours, usual = (
                _median([getattr(run, figure) for run in runs if run.path is path and str(run.updates) == updates])
                for path in PATHS
            )
            ratio = None if ours is None or usual is None else ours / usual
            rows.append({"updates": updates, "figure": figure, "tablezoo": ours, "usual": usual, "ratio": ratio})
    return rows


def _median(values: Sequence[float | None]) -> float | None:
    """Return the median of values of which those that are None are above all others; None if it is one of these."""
    if not values:
        return None
    middle = statistics.median(math.inf if value is None else value for value in values)
    return middle if middle < math.inf else None


def summary_table(rows: Sequence[dict[str, Any]]) -> list[str]:
    """Return the medians as lines of aligned text."""
    titles = dict(zip(_FIGURES, _FIGURE_TITLES, strict=True))
    body = [
        [row["updates"], titles[row["figure"]], *map(_figure, (row["tablezoo"], row["usual"])), _ratio(row["ratio"])]
        for row in rows
    ]
    return align([["updates", "median of the seeds", TABLEZOO.title, USUAL.title, "ratio"], *body])


def _figure(value: float | None) -> str:
    if value is None:
        return "not reached"
    return f"{value:,.0f}" if value >= 1000 else f"{value:.1f}"


def _ratio(value: float | None) -> str:
    return "-" if value is None else f"{value:.2f}"


def make_plan(asked: argparse.Namespace) -> Plan:
    """Return what the arguments ask for."""
    quick = asked.quick
    count = asked.seeds or (1 if quick else 3)
    return Plan(
        updates=asked.updates or [DEFAULTS, LARGE],
        seeds=[int(word) for word in np.random.SeedSequence(asked.seed).generate_state(count)],
        steps=asked.steps or (ROLLOUT if quick else _STEPS),
        deals=asked.deals or (100 if quick else _DEALS),
    )


_STEPS = 300_000

#: Each is played twice: a win rate is known to ± 2 %.
_DEALS = 800


def updates_from(text: str) -> Updates:
    """Return the updates that a text such as ``4096/4`` means."""
    batch_size, slash, n_epochs = text.partition("/")
    if not (slash and batch_size.isdecimal() and n_epochs.isdecimal()):
        raise argparse.ArgumentTypeError(f"{text!r}: expected batch_size/n_epochs, as in {LARGE}")
    updates = Updates(int(batch_size), int(n_epochs))
    if updates.batch_size < 2 or ROLLOUT % updates.batch_size or updates.n_epochs < 1:
        raise argparse.ArgumentTypeError(f"{text!r}: expected a batch that divides {ROLLOUT}, and an epoch or more")
    return updates


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.training",
        description=_ABOUT,
        epilog="example: python -m benchmarks.training --updates 4096/4 --json > training.json",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    deals = number_from(int, 2, "an integer of 2 or more")
    add = parser.add_argument
    add("--updates", nargs="+", type=updates_from, metavar="B/E", help=f"which (default: {DEFAULTS} {LARGE})")
    add("--steps", type=COUNT, metavar="N", help=f"learner steps a run, in whole rollouts (default: {_STEPS:,})")
    add("--seeds", type=COUNT, metavar="N", help="how many (default: 3)")
    add("--deals", type=deals, metavar="N", help=f"half of the games of an evaluation (default: {_DEALS})")
    add("--seed", type=SEED, default=0, metavar="N", help="what the seeds are spread from (default: 0)")
    add("--quick", action="store_true", help="one seed and one rollout, to see that it runs; nothing is learned")
    add("--json", action="store_true", help="standard output is the figures as JSON alone; the rest is on stderr")
    return parser
