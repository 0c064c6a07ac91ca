"""Tournaments: everybody against everybody on shared deals; ``python -m agents.tournament GAME --agents A B C``."""

from __future__ import annotations

if __name__ == "__main__":
    from .command_line import start

    start("tournament")

import argparse
import json
import shlex
from collections.abc import Sequence
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np
from tqdm import tqdm

from tablezoo.batch import Batch
from tablezoo.content import ContentSource
from tablezoo.game import Game
from tablezoo.keywords import integer_of
from tablezoo.options import options_of_words
from tablezoo.policies import Policy, Views
from tablezoo.registration import find_game
from tablezoo.rng import OPPONENTS, seed_streams

from .checkpoints import CheckpointError, read_json
from .command_line import PACKAGE, check_place, tell
from .evaluate import play_match
from .files import write_json, write_whole
from .lock import LOCK, FolderLock
from .settings import THREADS
from .tournaments.blocks import Block, Blocks
from .tournaments.heat_map import draw_matrix
from .tournaments.plan import Plan, differences
from .tournaments.report import tables, to_json
from .tournaments.standings import Results

PLAN, BLOCKS = "tournament.json", "blocks.jsonl"
RESULTS, TABLES, MATRIX = "results.json", "results.txt", "matrix.png"
#: What starts a tournament over the folder it is in, or has been killed before it wrote the first file.
_NOTHING_YET = (LOCK, f"{PLAN}.partial-")


def play(
    game: Game,
    agents: Sequence[Policy | str],
    players: int | None = None,
    games: int = 1000,
    seed: int = 0,
    threads: int = 1,
    *,
    folder: str | Path | None = None,
    progress: bool = False,
    content: ContentSource | Sequence[ContentSource] = None,
    **options: Any,
) -> Results:
    """Play a tournament, or what is left of the one in a folder, and return its results.

    Args:
        agents: two or more, each a policy, a name, or the path of a checkpoint or a run.
        players: how many sit at a table; the game's default if None. Who meets whom:
            :func:`agents.tournaments.line_ups.line_ups`.
        games: of each line-up; rounded up to whole deals, each played in every rotation.
        seed: of the deals, which all line-ups share, and of what the policies draw.
        folder: where finished blocks and the results are kept; made if it is not there. None keeps nothing.
        progress: whether a bar is shown.
        content, threads, **options: as in ``Batch``.

    Raises:
        ValueError, TypeError: a tournament that cannot be; all that is wrong is told.
        CheckpointError: the folder is in use, damaged, or another tournament's.
    """
    integer_of("threads", threads, *THREADS)
    plan = Plan.of(game, agents, players, games, seed, content, options)
    if folder is None:
        return _play(plan, Blocks(plan), threads, progress)
    store = Store(Path(folder))
    try:
        blocks = store.open(plan)
        results = _play(plan, blocks, threads, progress)
        store.write(results)
    finally:
        store.lock.give_back()
    return results


class Store:
    """A tournament's folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.lock = FolderLock(folder)
        self.command: str | None = None

    def open(self, plan: Plan, command: str | None = None) -> Blocks:
        """Take the folder, and return the blocks that it has of a tournament; the folder is made if it is not there.

        Args:
            command: how the tournament was asked for; a folder keeps the one it was made with.

        Raises:
            CheckpointError: in use, damaged, another tournament's or no tournament's.
        """
        path = self.folder / PLAN
        if self.folder.exists() and not self.folder.is_dir():
            raise CheckpointError(f"{self.folder} is a file; expected a folder")
        if self.folder.exists() and not path.exists() and (found := self._foreign()):
            raise CheckpointError(f"{self.folder} is there already and no tournament's: it holds {found}")
        here = plan.to_json()
        self.folder.mkdir(parents=True, exist_ok=True)
        self.lock.take()
        if not path.exists():
            write_json(path, here | {"command": command})
        told = read_json(path)
        self.command = told.pop("command", None)
        if odd := differences(told, here):
            raise CheckpointError(f"{self.folder} holds another tournament; {'; '.join(odd)}")
        return Blocks.read(plan, self.folder / BLOCKS)

    def write(self, results: Results) -> None:
        """Write the results: JSON, tables and the picture."""
        write_json(self.folder / RESULTS, to_json(results, self.command))
        write_whole(self.folder / TABLES, tables(results))
        draw_matrix(results, self.folder / MATRIX)

    def _foreign(self) -> str | None:
        """Return the name of something in a folder that is no tournament's yet."""
        names = sorted(path.name for path in self.folder.iterdir())
        return next((name for name in names if not name.startswith(_NOTHING_YET)), None)


def _play(plan: Plan, blocks: Blocks, threads: int, progress: bool) -> Results:
    """Play all that is left, block by block."""
    if blocks.next_part() is not None:
        _warm_up(plan)
    # No bar where there is no terminal, as in training.
    hidden = None if progress else True
    with tqdm(total=plan.games_in_all, initial=blocks.games, unit="game", disable=hidden) as bar:
        while (turn := blocks.next_part()) is not None:
            number, part = turn
            line_up = plan.line_ups[number]
            bar.set_postfix_str(", ".join(plan.labels(line_up)))
            started = perf_counter()
            match = play_match(
                plan.game, [plan.entrants[agent].policy for agent in line_up.agents], plan.deals, plan.seed, threads,
                part=part, content=plan.contents or None, **plan.options,
            )  # fmt: skip
            blocks.add(Block(number, part.start, perf_counter() - started, match))
            bar.update(match.games)
    return Results(plan, blocks.matches())


def _warm_up(plan: Plan) -> None:
    """Have each agent decide once: what is compiled or loaded at a first decision is not taken for its time."""
    batch = Batch(plan.game, 1, plan.players, seed=0, content=plan.contents or None, **plan.options)
    for entrant in plan.entrants:
        actions = entrant.policy.act(Views(batch, np.array([0]), seed_streams(0, 1, OPPONENTS)))
    batch.step(actions)


# --- the command line ------------------------------------------------------------------------------------------------


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog=f"python -m {PACKAGE}.tournament",
        description="Play everybody against everybody on shared deals, all seats rotated: win rates with 95 % "
        "intervals, by seat too, a rating, a pairwise matrix, mean scores and times of decisions. Ctrl-C loses no "
        "finished block: the same command goes on.",
        epilog=f"example: python -m {PACKAGE}.tournament mustang --agents random greedy runs/first --games 2000",
    )
    parser.add_argument("game", nargs="?", help="the game, as in mustang")
    parser.add_argument(
        "--agents", nargs="+", help="two or more: names (random, greedy) or paths of runs or checkpoints"
    )
    parser.add_argument("--players", type=int, help="seats at a table (default: the game's); 1 compares scores")
    parser.add_argument("--games", type=int, help="of each line-up, rounded up to whole deals (default: 1000)")
    parser.add_argument("--seed", type=int, help="default: 0")
    parser.add_argument("--content", nargs="+", help="content sets, which the deals take in turn")
    parser.add_argument("--option", nargs="+", metavar="NAME=VALUE", help="the game's options")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument(
        "--out", type=Path, metavar="FOLDER",
        help="where games and results are kept (default: in runs/); the same tournament goes on there",
    )  # fmt: skip
    parser.add_argument(
        "--resume",
        type=Path,
        metavar="FOLDER",
        help="go on with the tournament in a folder; only --threads may be changed",
    )
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; see ``--help``. Returns 0, 2 for a bad call, 130 after Ctrl-C."""
    chosen = _parser().parse_args(arguments)
    try:
        integer_of("--threads", chosen.threads, *THREADS)
        plan = _plan_of(chosen) if chosen.resume is None else _plan_in(chosen)
        folder = chosen.resume or chosen.out or _usual_folder(plan)
        check_place("--out", folder)
    except (ValueError, TypeError, OSError) as error:
        return tell(error)
    store = Store(folder)
    try:
        try:
            blocks = store.open(plan, _command(plan, folder))
        except (ValueError, TypeError, OSError) as error:
            return tell(error)
        return _run(plan, store, blocks, chosen.threads)
    finally:
        store.lock.give_back()


def _run(plan: Plan, store: Store, blocks: Blocks, threads: int) -> int:
    print(plan.heading())
    if blocks.torn:
        print(f"{blocks.path}: the last block was torn and is played again")
    if blocks.games:
        print(f"{blocks.games:,} games are played already")
    print(flush=True)
    try:
        results = _play(plan, blocks, threads, progress=True)
        store.write(results)
    except KeyboardInterrupt:
        print(f"\nstopped: {blocks.games:,} of {plan.games_in_all:,} games are played and kept")
        print(f"resume: python -m {PACKAGE}.tournament --resume {shlex.quote(str(store.folder))}")
        return 130
    except OSError as error:
        return tell(f"{error}; {blocks.games:,} games are played and kept in {store.folder}")
    print(tables(results).partition("\n\n")[2])
    for words, name in (("all figures", RESULTS), ("these tables", TABLES), ("matrix", MATRIX)):
        print(f"{words:13s} {store.folder / name}")
    return 0


def _plan_of(chosen: argparse.Namespace) -> Plan:
    """Return the plan that the command line asks for."""
    if chosen.game is None or not chosen.agents:
        raise ValueError("a game and --agents A B ... are needed, or --resume FOLDER")
    return Plan.of(
        find_game(chosen.game),
        chosen.agents,
        chosen.players,
        1000 if chosen.games is None else chosen.games,
        chosen.seed or 0,
        chosen.content,
        options_of_words(chosen.option or []),
    )


def _plan_in(chosen: argparse.Namespace) -> Plan:
    """Return the plan of the tournament in a folder, its agents and content looked up again."""
    folder: Path = chosen.resume
    asked = [
        f"--{name}"
        for name in ("agents", "players", "games", "seed", "content", "option", "out")
        if _asked(chosen, name)
    ]
    if chosen.game is not None or asked:
        raise ValueError(
            f"--resume goes on with the tournament as it is; only --threads may be changed, "
            f"got {', '.join(asked) or chosen.game}"
        )
    told = read_json(folder / PLAN, "the folder of a tournament")
    try:
        game = find_game(told["game"].rpartition("_v")[0])
        agents = [one["given"] for one in told["agents"]]
        content = [one["given"] for one in told["content"]]
        found = told["players"], told["games"], told["seed"], content or None, told["options"]
    except (KeyError, TypeError, AttributeError) as error:
        raise CheckpointError(f"{folder / PLAN} is damaged, or of another version: {error}") from error
    if None in agents:
        raise ValueError(f"{folder}: agents that were handed over as objects; go on with agents.tournament.play(...)")
    return Plan.of(game, agents, *found)


def _asked(chosen: argparse.Namespace, name: str) -> bool:
    return getattr(chosen, name) is not None


def _usual_folder(plan: Plan) -> Path:
    return Path("runs") / f"tournament_{plan.game.name}_{plan.players}p_{plan.digest()}"


def _command(plan: Plan, folder: Path) -> str:
    """Return the command that plays the same tournament."""
    words = ["python", "-m", f"{PACKAGE}.tournament", plan.game.name, "--agents"]
    words += [str(entrant.given) for entrant in plan.entrants]
    words += ["--players", str(plan.players), "--games", str(plan.games), "--seed", str(plan.seed)]
    if plan.sources and plan.sources != (None,):
        words += ["--content", *map(str, plan.sources)]
    if plan.options:
        words += ["--option", *(f"{name}={json.dumps(value)}" for name, value in plan.options.items())]
    return shlex.join([*words, "--out", str(folder)])
