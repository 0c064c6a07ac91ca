"""Training: ``python -m agents.train GAME``."""

from __future__ import annotations

if __name__ == "__main__":
    from .command_line import start

    start("train")

import argparse
import contextlib
import signal
from collections.abc import Mapping, Sequence
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import torch
from sb3_contrib import MaskablePPO

from tablezoo.policies import make_policy
from tablezoo.registration import find_game

from .checkpoints import SETTINGS, checkpoint_in, has_checkpoint, read_json, read_latest
from .command_line import PACKAGE, check_place, tell
from .opponents import parse_opponents
from .players import counts_of
from .settings import POOL, Settings, defaults_of, refuse_all
from .training.run import Run, who_plays
from .training.starting import weights_of

# About two minutes on two cores, all in.
DEMO = {"opponent": "random", "steps": 600_000, "eval_every": 200_000, "checkpoint_every": 200_000}


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog=f"python -m {PACKAGE}.train",
        description="Train MaskablePPO in one seat of a game against opponents in the others.",
        epilog="Some games change some defaults: see docs/training.md. "
        f"examples: python -m {PACKAGE}.train mustang --opponent greedy --steps 5000000 --out runs/first; "
        f"python -m {PACKAGE}.train --resume runs/first",
    )
    parser.add_argument("game", nargs="?", help="the game, as in mustang")
    parser.add_argument("--out", type=Path, help="the run's folder; must not be there yet")
    parser.add_argument(
        "--resume", type=Path, metavar="FOLDER",
        help="go on with a run from its newest checkpoint, with its own settings: of those below only --steps (in all, "
        "those trained included) and --threads may be changed",
    )  # fmt: skip
    parser.add_argument("--demo", action="store_true", help="a run of about two minutes; replaces what is in --out")
    for field in fields(Settings):
        if field.name == "game":
            continue
        name = f"--{field.name.replace('_', '-')}"
        if field.name == "exploit":
            words = "train against one opponent that stays as it is, and tell how far it can be exploited"
            parser.add_argument(name, action="store_true", default=None, help=words)
            continue
        if field.name == "start":
            words = "whose weights it begins from, as pretrained:2 or runs/first (default: a fresh network)"
            parser.add_argument(name, metavar="NETWORK", default=None, help=words)
            continue
        many: dict[str, Any] = {"nargs": "+"} if isinstance(field.default, tuple) else {}
        kind: Any = {"net": int, "content": str, "option": str}.get(field.name, type(field.default))
        if field.name == "players":
            many, kind = {"metavar": "N-M"}, _counts
        default: Any = field.default
        shown = (" ".join(map(str, default)) or "none") if isinstance(default, tuple) else default
        parser.add_argument(name, type=kind, default=None, help=f"default: {shown}", **many)
    return parser


def _counts(text: str) -> tuple[int, ...]:
    try:
        return counts_of(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def _chosen(arguments: argparse.Namespace) -> dict[str, Any]:
    values = {field.name: getattr(arguments, field.name) for field in fields(Settings)}
    chosen = {name: value for name, value in values.items() if value is not None}
    return {name: tuple(value) if isinstance(value, list) else value for name, value in chosen.items()}


def _open_run(arguments: argparse.Namespace) -> tuple[Run, bool]:
    """Return the run that the command line asks for, and whether it goes on with an old one."""
    chosen = _chosen(arguments)
    if arguments.resume is not None:
        return _old_run(arguments, chosen), True
    if arguments.game is None or arguments.out is None:
        raise ValueError("a game and --out FOLDER are needed, or --resume FOLDER")
    settings = {**defaults_of(chosen["game"]), **(DEMO if arguments.demo else {}), **chosen}
    if settings.get("exploit"):
        settings["opponent"] = _checkpoint_of(settings.get("opponent", Settings.opponent), chosen["game"])
    if settings.get("start"):
        settings["start"] = _pinned(settings["start"])
    refuse_all(
        [
            lambda: Settings(**settings),
            lambda: _check_opponents(settings),
            lambda: _check_start(settings),
            lambda: _check_net(chosen, settings),
            lambda: _check_out(arguments.out, arguments.demo),
        ]
    )
    return Run(Settings(**settings), arguments.out), False


def _checkpoint_of(text: str, game: str) -> str:
    """Return the checkpoint itself for a run's folder, since that run may go on; another text as it is."""
    if "/" not in text and Path(text).is_dir():
        with contextlib.suppress(ValueError):  # no name: told where it is parsed, if it is no folder either
            make_policy(text, find_game(game))
            return text
    return _pinned(text)


def _pinned(text: str) -> str:
    return str(checkpoint_in(Path(text))) if Path(text).is_dir() else text


def _old_run(arguments: argparse.Namespace, chosen: dict[str, Any]) -> Run:
    folder: Path = arguments.resume
    settings = Settings.from_json(read_json(folder / SETTINGS), folder / SETTINGS)
    if chosen.pop("game", settings.game) != settings.game:
        raise ValueError(f"{folder} is a run of {settings.game}, not of {arguments.game}")
    if set(chosen) - {"steps", "threads"} or arguments.out or arguments.demo:
        raise ValueError("--resume goes on with the run's own settings; only --steps and --threads may be changed")
    changed = replace(settings, **chosen)
    trained = read_latest(folder).steps if has_checkpoint(folder) else 0
    if chosen.get("steps", trained) < trained:
        raise ValueError(f"--steps {changed.steps}: {folder} has trained {trained} already; expected {trained} or more")
    return Run(changed, folder)


def _check_opponents(settings: Mapping[str, Any]) -> None:
    """Look the opponents up, also where other settings are wrong; a wrong game or number of players is told already."""
    try:
        game = find_game(settings["game"])
    except ValueError:
        return
    text = settings.get("opponent", Settings.opponent)
    players = settings.get("players", Settings.players)
    for count in players if text else ():
        known = game.min_players <= count <= game.max_players
        listed = not text.startswith(POOL) and "," in text
        if not listed or count == max(players):  # a list is for the most players; fewer take its first
            parse_opponents(text, game, count if known else None)


def _check_start(settings: Mapping[str, Any]) -> None:
    try:
        game = find_game(settings["game"])
    except ValueError:
        return  # told already
    if settings.get("start"):
        weights_of(settings["start"], game)


def _check_net(chosen: Mapping[str, Any], settings: Mapping[str, Any]) -> None:
    network = settings.get("network", Settings.network)
    if "net" in chosen and network != "mlp":
        raise ValueError(f"--net is for --network mlp, the network here is {network}")


def _check_out(folder: Path, demo: bool) -> None:
    if folder.exists() and not demo:
        raise ValueError(f"{folder} is there already: choose another --out, or --resume {folder}")
    if folder.exists() and not folder.is_dir():
        raise ValueError(f"--out {folder} is a file; expected a folder")
    check_place("--out", folder)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; see ``--help``. Returns 0, 2 for a bad call, 130 after Ctrl-C."""
    chosen = _parser().parse_args(arguments)
    try:
        run, resumed = _open_run(chosen)
    except _REFUSALS as error:
        return tell(error)
    try:
        try:
            model = run.resume() if resumed else run.start(replace_demo=chosen.demo)
        except _REFUSALS as error:
            return tell(error)
        return _train(run, model)
    finally:
        run.lock.give_back()


_REFUSALS = (ValueError, TypeError, OSError, MemoryError)


def _train(run: Run, model: MaskablePPO) -> int:
    _print_heading(run, model)
    threads = torch.get_num_threads()
    torch.set_num_threads(run.settings.threads)
    handler = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        run.train(model)
    except KeyboardInterrupt:
        return 130
    finally:
        signal.signal(signal.SIGTERM, handler or signal.SIG_DFL)
        torch.set_num_threads(threads)
    return 0


def _print_heading(run: Run, model: MaskablePPO) -> None:
    s = run.settings
    layers = " x ".join(map(str, s.net)) if s.network == "mlp" else s.network
    print(
        f"{run.game.title}, {who_plays(s)}: {s.steps:,} steps, seed {s.seed}\n"
        f"{s.envs} games at once, {s.threads} threads, network {layers}, n_steps {s.n_steps}, "
        f"batch_size {s.batch_size}, n_epochs {s.n_epochs}, lr {s.lr:g} to {s.lr_end:g}, on {model.device}"
    )
    if s.start:
        print(f"begins with the weights of {s.start}")
    played = s.played(model.num_timesteps)
    if played > max(s.steps, model.num_timesteps):
        print(f"{played:,} steps will be played: rollouts are whole, of {s.envs} x {s.n_steps} = {s.rollout:,} each")
