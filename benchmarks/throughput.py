"""Decisions per second of a game through each face: ``python -m benchmarks.throughput mustang``."""

from __future__ import annotations

if __name__ == "__main__":
    from agents.command_line import start

    start("throughput", "benchmarks")

import argparse
import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from agents.command_line import NEEDS_EXTRA
from benchmarks.command import COUNT, SEED, SPAN, check_plot, installed, progress
from benchmarks.faces import FACES, make_cases
from benchmarks.machine import describe_machine
from benchmarks.report import Row, make_row, plot, starts_table, table
from benchmarks.starts import Start, measure_start
from benchmarks.windows import measure_all
from tablezoo import Batch, Game
from tablezoo.options import options_of_words
from tablezoo.registration import find_game

_ABOUT = """\
Decisions per second of random legal play, by face:

  batch  Batch.step with autoreset: action in; the next decision's raw observation, mask, seat, rewards
         and flags out. The figure is the step alone. The actions come from Batch.random_actions: "choice"
         is their time a decision, "with choice" the rate of both together.
  aec    the PettingZoo loop through the game's env(): whole episodes with resets and dead steps. Here the
         figure includes the choice: legal = mask.nonzero()[0]; legal[int(rng.random() * len(legal))].
  sb3    learner steps of SeatVecEnv against random opponents, no network: env.step and
         env_method("action_masks"), the choice apart as for batch. The opponents' decisions are not
         counted. 256 environments are always measured.

Decisions that have one legal action are played by the engine, and are not counted.

  floor       the memory floor, measured in the same windows: the time that NumPy needs, on one thread, to
              copy arrays of the shapes and dtypes of the batch's outputs (observation, mask, seat,
              rewards, terminated, truncated).
  floor/step  floor_ratio: the floor's share of a step; 1 would be a step as fast as bare memory. There is
              none for aec and sb3 (null in JSON).
  clone       a game's share of Batch.clone() of the whole batch; for aec of copy.deepcopy(env).
  of one      batch.clone([0]).
  record      a game's share of copying the bare batch.states.
  starts      from the end of a new process's imports to its first step: cold with an empty cache, warm
              with a full one.

Each round measures every configuration, so that drift of the machine hits all alike; figures are medians
over the rounds. Compare revisions on one idle machine only.
"""

_EXAMPLES = """\
examples:
  python -m benchmarks.throughput mustang
  python -m benchmarks.throughput mustang --players 4 --games 1024 --threads 1 --faces batch
  python -m benchmarks.throughput mustang --json > now.json
  python -m benchmarks.throughput mustang --quick
"""

_PLOT = "runs/throughput-{}.png"
_LEGEND = [
    "decisions/s: batch and sb3 without the choice of the actions, aec with it; all terms: --help",
]


@dataclass(frozen=True)
class Settings:
    """What is measured, and for how long; ``plot`` is None where nothing is drawn."""

    faces: list[str]
    players: list[int]
    games: list[int]
    threads: list[int]
    windows: int
    seconds: float
    seed: int
    starts: bool
    options: dict[str, Any]
    plot: Path | None


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; return its exit status."""
    parser = _parser()
    asked = parser.parse_args(argv)
    try:
        game = find_game(asked.game)
        settings = make_settings(game, asked)
    except (TypeError, ValueError) as error:
        parser.error(str(error))
    header = describe_machine()
    if asked.json:
        print("\n".join(header), file=sys.stderr)
    rows, starts = measure(game, settings)
    if asked.json:
        print(json.dumps(rows, indent=1))
    else:
        lines = [f"{game.title}: random legal play", *header, "", *table(rows, short=asked.quick)]
        if starts:
            lines += ["", *starts_table(starts)]
        print("\n".join([*lines, "", *_LEGEND]))
    if settings.plot is not None:
        plot(game.title, rows, settings.plot)
        print(f"plot: {settings.plot}", file=sys.stderr if asked.json else sys.stdout)
    return 0


def measure(game: Game, settings: Settings) -> tuple[list[Row], dict[str, Start]]:
    """Return the figures of all configurations, and the starts of the faces."""
    progress("compiling, or loading what is compiled")
    cases = make_cases(
        game, settings.faces, settings.players, settings.games, settings.threads, settings.seed, settings.options
    )
    windows = measure_all(cases, settings.windows, settings.seconds, progress)
    faces = settings.faces if settings.starts else []
    starts = {face: measure_start(game.name, face, settings.players[0], progress) for face in faces}
    progress("")
    rows = [make_row(game.name, case, found, starts.get(case.face)) for case, found in zip(cases, windows, strict=True)]
    return rows, starts


def make_settings(game: Game, asked: argparse.Namespace) -> Settings:
    """Return the settings that the arguments ask for.

    Raises:
        TypeError, ValueError: players that the game does not take, or a face that is not installed.
    """
    quick = asked.quick
    usual = {game.default_players} if quick else {game.min_players, game.max_players}
    players = asked.players or sorted(usual)
    game.players(players, 1)
    options = options_of_words(asked.option)
    for count in players:  # what is wrong with one is told before anything is measured
        Batch(game, 1, count, seed=0, **options)
    draws = not (asked.json or quick) and installed("matplotlib")
    plot = asked.plot or (Path(_PLOT.format(game.name)) if draws else None)
    if plot is not None:
        check_plot("--plot" if asked.plot else "the plot", plot)
    return Settings(
        faces=_faces(asked.faces),
        players=players,
        games=asked.games or ([1, 1024] if quick else [1, 64, 1024, 8192]),
        threads=asked.threads or ([1] if quick else [1, 2]),
        windows=asked.windows,
        seconds=asked.seconds or (0.2 if quick else 0.5),
        seed=asked.seed,
        starts=not (quick or asked.no_starts),
        options=options,
        plot=plot,
    )


def _faces(asked: list[str] | None) -> list[str]:
    if installed("stable_baselines3"):
        return asked or list(FACES)
    if asked is None:
        print("stable-baselines3 is not installed: the sb3 rows are left out", file=sys.stderr)
        return [face for face in FACES if face != "sb3"]
    if "sb3" in asked:
        raise ValueError(f"the face sb3 {NEEDS_EXTRA}")
    return asked


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.throughput",
        description=_ABOUT,
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add = parser.add_argument
    add("game", help="the game's name, e.g. mustang")
    add("--faces", nargs="+", choices=FACES, metavar="FACE", help="batch, aec, sb3 (default: all installed)")
    add("--players", nargs="+", type=COUNT, metavar="N", help="numbers of players (default: fewest and most)")
    add("--games", nargs="+", type=COUNT, metavar="N", help="batch sizes (default: 1 64 1024 8192)")
    add("--threads", nargs="+", type=COUNT, metavar="N", help="numbers of threads (default: 1 2)")
    add("--windows", type=COUNT, default=5, metavar="N", help="windows a configuration (default: 5)")
    add("--seconds", type=SPAN, metavar="S", help="length of a window (default: 0.5, with --quick 0.2)")
    add("--seed", type=SEED, default=0, metavar="N", help="where deals and choices come from (default: 0)")
    add("--option", nargs="+", default=[], metavar="NAME=VALUE", help="the game's options, as in max_turns=100")
    add("--no-starts", action="store_true", help="leave out cold and warm starts, a minute or so")
    add("--quick", action="store_true", help="a short table in some ten seconds: no starts, no plot")
    add("--json", action="store_true", help="standard output is the rows as JSON alone; the rest is on stderr")
    add(
        "--plot",
        type=Path,
        metavar="PATH",
        help=f"where the plot goes, .png, .svg or .pdf (default: {_PLOT.format('GAME')})",
    )
    return parser
