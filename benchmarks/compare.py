"""Whether the working tree is slower than a revision: ``python -m benchmarks.compare --base HEAD~1``."""

from __future__ import annotations

if __name__ == "__main__":
    from agents.command_line import start

    start("compare", "benchmarks")

import argparse
import signal
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from agents.command_line import align, tell
from agents.lock import FolderLock
from benchmarks.command import COUNT, SPAN, number_from, progress
from benchmarks.machine import describe_machine
from benchmarks.paired import FEWEST_ROUNDS, Comparison
from benchmarks.sides import Side, SideError, commit_of, count_changes, describe_commit
from tablezoo.registration import find_game

ROOT = Path(__file__).parents[1]
FOLDER = Path("runs/compare")

GAMES = ("mustang", "stabletimes", "fable")
_BATCH_PLAYERS = (2, 4)

#: A configuration: game, face, players, games at once, threads.
Key = tuple[str, str, int, int, int]
_COLUMNS = ("game", "face", "players", "games", "threads")
Rates = dict[Key, list[float]]

_ABOUT = """\
Compares the speed of the working tree, with what is not committed, with that of a revision.

Both are laid side by side under runs/compare, each with an environment of its own, made with the versions of its
constraints.txt, and a cache of compiled code of its own. A round measures both, one right after the other, each
configuration in a new process with the side's own benchmarks.throughput; who comes first changes each round. A first
round, which compiles, does not count.

  BASE, now   the median of each side's rounds.
  now / BASE  the median of the rounds' ratios, which drift of the machine leaves alone; below 1 is slower than BASE.
  interval    of that median, 95 % or a little more, by the sign test (of nine rounds, the second lowest to the second
              highest ratio): nothing is assumed of how a busy machine's times spread, and one disturbed round of nine
              does not count.
  too slow    more than 10 % slower, and the whole interval below 0.90: the command fails.
  unclear     the median is below 0.90, the interval reaches beyond it: measure again on a quiet machine.

Exit status: 0, 1 where a configuration is too slow, 2 where nothing could be compared.
Environments and caches stay in runs/compare for the next time; the folder can be removed at any time.
"""


@dataclass(frozen=True)
class Job:
    """What one process measures: arguments of ``benchmarks.throughput``."""

    game: str
    arguments: tuple[str, ...]


@dataclass
class Measured:
    """The rates of both sides, a round each; ``missing`` are games that the base's benchmark does not know."""

    base: Rates = field(default_factory=dict)
    now: Rates = field(default_factory=dict)
    missing: set[str] = field(default_factory=set)

    def comparisons(self) -> dict[Key, Comparison | None]:
        """Return what each configuration of the working tree comes to; None for those that the base lacks."""
        return {key: self._compare(key) for key in self.now}

    def _compare(self, key: Key) -> Comparison | None:
        return Comparison.of(self.base[key], self.now[key]) if key in self.base else None


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; return its exit status."""
    asked = _parser().parse_args(argv)
    stopping = signal.signal(signal.SIGTERM, signal.default_int_handler)  # what was laid is removed then too
    try:
        jobs = make_jobs(asked.games or GAMES, asked.windows, asked.seconds)
        commit = commit_of(ROOT, asked.base)
        print("\n".join([*describe_machine(), *_describe_sides(commit), ""]), flush=True)
        with two_sides(commit, ROOT / FOLDER) as (base, now):
            measured = measure(base, now, jobs, asked.rounds)
    except (ValueError, OSError, SideError) as error:
        progress("")
        return tell(error)
    finally:
        signal.signal(signal.SIGTERM, stopping or signal.SIG_DFL)
    comparisons = measured.comparisons()
    print("\n".join([*table(comparisons), "", conclusion(comparisons)]))
    return int(any(found and found.is_too_slow for found in comparisons.values()))


def make_jobs(games: Sequence[str], windows: int, seconds: float) -> list[Job]:
    """Return what is measured: the batch of all games; the other faces, which share their code, of the first game.

    Raises:
        ValueError: a game that there is not.
    """
    span = ("--threads", "1", "--windows", str(windows), "--seconds", str(seconds))
    jobs = []
    for name in games:
        game = find_game(name)
        players = [str(count) for count in _BATCH_PLAYERS if game.min_players <= count <= game.max_players]
        jobs.append(Job(name, (name, "--faces", "batch", "--players", *players, "--games", "1024", *span)))
    faces = ("--faces", "aec", "sb3", "--players", "2", "--games", "256")
    return [*jobs, Job(games[0], (games[0], *faces, *span))]


@contextmanager
def two_sides(commit: str, folder: Path) -> Iterator[tuple[Side, Side]]:
    """Lay a commit and the working tree side by side; remove their files in the end, whatever happens."""
    folder.mkdir(parents=True, exist_ok=True)
    lock = FolderLock(folder)
    lock.take()
    base, now = Side("BASE", folder / "base"), Side("the working tree", folder / "now")
    try:
        base.lay_revision(ROOT, commit)
        now.lay_working_tree(ROOT)
        for side in (base, now):
            progress(f"making the environment of {side.name}")
            side.install()
        yield base, now
    finally:
        base.remove_files()
        now.remove_files()
        lock.give_back()


def measure(base: Side, now: Side, jobs: Sequence[Job], rounds: int) -> Measured:
    """Return the rates of ``rounds`` rounds over all jobs, after one that compiles.

    Raises:
        SideError: a side's benchmark failed.
    """
    measured = Measured()
    for job in jobs:
        progress(f"compiling, or loading what is compiled: {job.game}")
        now.measure(job.arguments)
        if not _knows(base, job):
            measured.missing.add(job.game)
    for number in range(1, rounds + 1):
        for place, job in enumerate(jobs, start=1):
            progress(f"round {number}/{rounds}: {job.game}, {place}/{len(jobs)}")
            _measure_pair(base, now, job, number, measured)
    progress("")
    return measured


def _knows(base: Side, job: Job) -> bool:
    """Measure a job in the base, for nothing but to have it compiled; return whether it knows the game."""
    try:
        base.measure(job.arguments)
    except SideError as error:
        if f"unknown game {job.game!r}" in str(error):
            return False
        raise
    return True


def _measure_pair(base: Side, now: Side, job: Job, number: int, measured: Measured) -> None:
    """Measure a job on both sides, the base first in odd rounds; drift within the pair then cancels out."""
    pair = [(base, measured.base), (now, measured.now)]
    if job.game in measured.missing:
        del pair[0]
    for side, rates in pair if number % 2 else reversed(pair):
        for row in side.measure(job.arguments):
            rates.setdefault(_key(row), []).append(row["decisions_per_s"])


def _key(row: Mapping[str, Any]) -> Key:
    return row["game"], row["face"], row["players"], row["games"], row["threads"]


def table(comparisons: Mapping[Key, Comparison | None]) -> list[str]:
    """Return the comparisons as lines of aligned text."""
    head = [*_COLUMNS, "BASE", "now", "now / BASE", "interval", "verdict"]
    units = [*[""] * len(_COLUMNS), "decisions/s", "decisions/s", "", "95 %", ""]
    body = [[*map(str, key), *_cells(found)] for key, found in comparisons.items()]
    return align([head, units, *body])


def _cells(found: Comparison | None) -> list[str]:
    if found is None:
        return ["-", "-", "-", "-", "not in BASE"]
    span = f"{found.low:.3f} to {found.high:.3f}"
    return [f"{found.base:,.0f}", f"{found.now:,.0f}", f"{found.ratio:.3f}", span, found.verdict]


def conclusion(comparisons: Mapping[Key, Comparison | None]) -> str:
    """Return what it all comes to, in a sentence."""
    verdicts = [found.verdict for found in comparisons.values() if found]
    slow, unclear = verdicts.count("too slow"), verdicts.count("unclear")
    if slow:
        return f"FAILED: {slow} of {len(verdicts)} configurations are more than 10 % slower than BASE"
    if not verdicts:
        return "nothing to compare: BASE has none of these games"
    doubt = f"; {unclear} may be: measure again on a quiet machine" if unclear else ""
    return f"no configuration is clearly more than 10 % slower than BASE{doubt}"


def _describe_sides(commit: str) -> list[str]:
    changes = count_changes(ROOT)
    since = f"with {changes} file{'s' * (changes > 1)} changed since" if changes else "with nothing changed since"
    return [
        f"BASE       {describe_commit(ROOT, commit)}",
        f"now        the working tree, {since} {describe_commit(ROOT, 'HEAD')}",
    ]


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.compare",
        description=_ABOUT,
        epilog="example: python -m benchmarks.compare mustang --base HEAD~1 --rounds 11",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add = parser.add_argument
    rounds = number_from(int, FEWEST_ROUNDS, f"an integer of {FEWEST_ROUNDS} or more")
    add("games", nargs="*", metavar="GAME", help=f"which games (default: {' '.join(GAMES)})")
    add("--base", required=True, metavar="REV", help="what to compare with: a commit, a branch, a tag")
    add("--rounds", type=rounds, default=9, metavar="N", help="rounds that count (default: 9)")
    add("--windows", type=COUNT, default=3, metavar="N", help="windows a configuration and process (default: 3)")
    add("--seconds", type=SPAN, default=0.2, metavar="S", help="length of a window (default: 0.2)")
    return parser
