"""Decisions per second of tablezoo and of other libraries: ``python -m benchmarks.peers``."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from agents.command_line import check_place
from benchmarks.command import COUNT, SPAN, check_plot, installed, progress
from benchmarks.machine import cores, describe_machine
from benchmarks.peers.catalogue import PEERS, TABLEZOO, TITLES
from benchmarks.peers.measuring import Settings, measure
from benchmarks.peers.report import Row, failure_rows, failures_told, make_rows, plot, table, variants, versions

_ABOUT = """\
Decisions per second of random legal play, of tablezoo and of other libraries, in one run on one machine.

A decision is: a legal action drawn uniformly, the step, and the observation and the mask of the next decision
made; games that end begin anew. All of it is in the figure.

  tablezoo    Batch.random_actions and Batch.step with autoreset
  pgx         jit of many steps of vmap(auto_reset(step, init)), the choice within; on two cores by pmap
  open_spiel  from Python, the observer writing into a NumPy buffer; one game at a time, on one thread
  pettingzoo  agent_iter and last on raw_env; one game at a time, on one thread. pettingzoo_1_26 is the last
              release that has gin rummy
  rlcard      Env.step; one game at a time, on one thread
  pufferlib   a native environment that holds the batch, masks read off its observations

Each library has an environment of its own, made at the first run from the pins in benchmarks/peers/requirements.
What cannot be installed, fails or hangs is reported, and stops nothing else. All processes start before the first
window; then each round takes a window of each case, one at a time, so that drift of the machine hits all alike.
A process is kept to as many cores as it has threads, where the system can do that.

"tablezoo is" tells how many times the library's rate tablezoo's is, for Connect Four and Leduc Hold'em: at the same
batch size and number of threads; for libraries without batches, tablezoo's batch of 1024, on each number of
threads. The libraries' own games are there for scale: different games, no ratio.
"""

_EXAMPLES = """\
examples:
  python -m benchmarks.peers
  python -m benchmarks.peers --peers pgx open_spiel --games connect_four leduc
  python -m benchmarks.peers --json peers.json --plot peers.png
  python -m benchmarks.peers --quick
"""

_STANDARD_OUTPUT = Path("-")
_PLOT = Path("runs/peers.png")


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; return its exit status."""
    parser = _parser()
    asked = parser.parse_args(argv)
    try:
        settings, plotted = make_settings(asked)
    except ValueError as error:
        parser.error(str(error))
    machine = describe_machine()
    measured, failed = measure(settings, progress)
    progress("")
    rows, failures = make_rows(measured), failure_rows(failed)
    told = [*machine, "", *_report(rows, failures)]
    if asked.json == _STANDARD_OUTPUT:
        print("\n".join(told), file=sys.stderr)
    else:
        print("\n".join(told))
    if asked.json is not None:
        _write_json(asked.json, {"machine": machine, "rows": rows, "failures": failures})
    if plotted is not None and rows:
        plot(rows, plotted)
        print(f"plot: {plotted}", file=sys.stderr)
    return 0 if rows else 1


def make_settings(asked: argparse.Namespace) -> tuple[Settings, Path | None]:
    """Return what the arguments ask to measure, and where a plot goes, if one is drawn.

    Raises:
        ValueError
    """
    quick = asked.quick
    settings = Settings(
        peers=[peer for peer in PEERS if asked.peers is None or peer.name in asked.peers],
        games=asked.games or list(TITLES),
        sizes=sorted(set(asked.sizes or ([1, 1024] if quick else [1, 64, 1024, 8192]))),
        threads=sorted(set(asked.threads or ([1] if quick else [1, 2]))),
        windows=asked.windows,
        seconds=asked.seconds or (0.2 if quick else 1.0),
        folder=asked.environments.absolute(),
    )
    _check(settings, asked)
    plotted = asked.plot or (_PLOT if installed("matplotlib") and not quick else None)
    if plotted is not None:
        check_plot("--plot" if asked.plot else "the plot", plotted)
    return settings, plotted


def _check(settings: Settings, asked: argparse.Namespace) -> None:
    """Refuse what cannot be measured or written, before anything is installed."""
    if max(settings.threads) > cores():
        raise ValueError(f"--threads {max(settings.threads)}: this process may use {cores()} cores")
    for game in asked.games or []:
        if not any(game in peer.games for peer in (TABLEZOO, *settings.peers)):
            raise ValueError(f"--games {game}: none of the libraries asked for has it")
    check_place("--environments", settings.folder / "folder")
    if asked.json is not None and asked.json != _STANDARD_OUTPUT:
        if asked.json.is_dir():
            raise ValueError(f"--json {asked.json} is a folder; expected a file")
        check_place("--json", asked.json)


def _report(rows: Sequence[Row], failures: Sequence[Row]) -> list[str]:
    parts = (
        [table(rows), failures_told(failures), variants(rows), versions(rows)] if rows else [failures_told(failures)]
    )
    return [line for part in parts if part for line in [*part, ""]][:-1]


def _write_json(path: Path, told: dict[str, Any]) -> None:
    text = json.dumps(told, indent=1)
    if path == _STANDARD_OUTPUT:
        print(text)
    else:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text + "\n", encoding="utf-8")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.peers",
        description=_ABOUT,
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    names = [peer.name for peer in PEERS]
    add = parser.add_argument
    add("--peers", nargs="+", choices=names, metavar="PEER", help=f"beside tablezoo (default: {' '.join(names)})")
    add("--games", nargs="+", choices=list(TITLES), metavar="GAME", help=f"(default: {' '.join(TITLES)})")
    add("--sizes", nargs="+", type=COUNT, metavar="N", help="batch sizes (default: 1 64 1024 8192)")
    add("--threads", nargs="+", type=COUNT, metavar="N", help="numbers of threads (default: 1 2)")
    add("--windows", type=COUNT, default=5, metavar="N", help="windows a case (default: 5)")
    add("--seconds", type=SPAN, metavar="S", help="length of a window (default: 1, with --quick 0.2)")
    add("--quick", action="store_true", help="one thread, batches of 1 and 1024, short windows, no plot")
    add(
        "--environments",
        type=Path,
        default=Path("runs/peers"),
        metavar="FOLDER",
        help="where the libraries' environments are made, some 2 GB (default: runs/peers)",
    )
    add(
        "--json",
        nargs="?",
        type=Path,
        const=_STANDARD_OUTPUT,
        metavar="FILE",
        help="the rows as JSON into a file; without one, standard output is JSON alone and the rest is on stderr",
    )
    add("--plot", type=Path, metavar="FILE", help=f"where the plot goes, .png, .svg or .pdf (default: {_PLOT})")
    return parser
