"""Run folders: settings, checkpoints that appear whole or not at all, and the metrics of each evaluation."""

from __future__ import annotations

import contextlib
import json
import os
import re
import zipfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tablezoo.game import Game
from tablezoo.plain_json import parse_json

from .files import write_json

if TYPE_CHECKING:  # who only reads a folder, or tells an error, does without what training needs
    from sb3_contrib import MaskablePPO
    from stable_baselines3.common.vec_env import VecEnv

    from .training.networks import MaskedPolicy

#: What lies in a run's folder beside its checkpoints.
SETTINGS, METRICS, CURVE = "settings.json", "metrics.jsonl", "learning_curve.png"
LATEST = "latest.json"
_CHECKPOINT = re.compile(r"step_(\d{10})\.zip")


class CheckpointError(ValueError):
    """A checkpoint that is damaged, missing or of another game."""


@dataclass(frozen=True)
class Fingerprint:
    """What a policy must share with a game to play it."""

    game: str
    observation_size: int
    num_actions: int

    @classmethod
    def of(cls, game: Game) -> Fingerprint:
        return cls(game.id, game.observation_size, game.num_actions)


@dataclass(frozen=True)
class Latest:
    """What a run's folder says of its newest checkpoint.

    Attributes:
        checkpoint: the file's name; ``steps``: how many the model has trained.
        game: the id of the game it was trained for; None where only the file is left.
    """

    checkpoint: str
    steps: int
    game: str | None


def read_json(path: Path, expected: str = "the folder of a training run") -> dict[str, Any]:
    """Return a JSON object, from a folder that is as ``expected``.

    Raises:
        CheckpointError: not there, or no JSON object.
    """
    try:
        data = parse_json(path.read_text(encoding="utf-8"))
    except FileNotFoundError as error:
        raise CheckpointError(f"{path}: not there; expected {expected}") from error
    except (OSError, ValueError) as error:
        raise CheckpointError(f"{path}: cannot be read: {_words(error)}") from error
    if not isinstance(data, dict):
        raise CheckpointError(f"{path}: expected a JSON object")
    return data


def append_row(path: Path, row: Mapping[str, Any]) -> None:
    """Write one line of JSON more, and have it on the disk; what a kill leaves of it is known by its missing end."""
    with path.open("ab") as file:
        file.write(f"{json.dumps(row)}\n".encode())
        file.flush()
        os.fsync(file.fileno())


def read_metrics(path: Path) -> tuple[list[dict[str, Any]], bool]:
    """Return all evaluations of a training run; see :func:`read_rows`."""
    return read_rows(path, _is_evaluation, "steps and win_rates or scores, as an evaluation writes them")


def read_rows(path: Path, fits: Callable[[Any], bool], expected: str) -> tuple[list[dict[str, Any]], bool]:
    """Return all lines of JSON, and whether there was a torn one behind them, as a kill leaves it, which is left out.

    Raises:
        CheckpointError: the file cannot be read, or holds something that does not fit, where ``expected`` was.
    """
    try:
        text = path.read_bytes().decode(errors="replace") if path.exists() else ""
    except OSError as error:
        raise CheckpointError(f"{path}: cannot be read: {_words(error)}") from error
    lines = text.splitlines()
    rows: list[dict[str, Any]] = []
    for number, line in enumerate(lines, start=1):
        try:
            row = parse_json(line)
        except ValueError as error:
            if number == len(lines) and not text.endswith("\n"):
                return rows, True
            raise CheckpointError(f"{path}, line {number}: cannot be read: {error}") from error
        if not fits(row):
            raise CheckpointError(f"{path}, line {number}: expected {expected}")
        rows.append(row)
    return rows, False


def _is_evaluation(row: Any) -> bool:
    if not isinstance(row, dict) or type(row.get("steps")) is not int:
        return False
    measured = row.get("win_rates", row.get("scores"))
    return isinstance(measured, dict) and all(isinstance(pair, list) and len(pair) == 2 for pair in measured.values())


def save_checkpoint(run: Path, model: MaskablePPO, game: Game, players: Sequence[int]) -> Path:
    """Write the model beside the older checkpoints, then point ``latest.json`` at it."""
    steps = int(model.num_timesteps)
    path = run / f"step_{steps:010d}.zip"
    partial = run / f".partial_{os.getpid()}.zip"
    model.save(partial)
    os.replace(partial, path)
    fingerprint = vars(Fingerprint.of(game))
    write_json(run / LATEST, {"checkpoint": path.name, "steps": steps, "players": list(players), **fingerprint})
    return path


def has_checkpoint(run: Path) -> bool:
    """Return whether a run has come as far as its first checkpoint."""
    return (run / LATEST).exists() or bool(_checkpoints(run))


def read_latest(run: Path) -> Latest:
    """Return what a run's folder says of its newest checkpoint.

    Raises:
        CheckpointError: no folder of a run, without a checkpoint, or damaged.
    """
    path = run / LATEST
    if not path.exists() and (written := _checkpoints(run)):
        steps, name = max(written)  # stopped between the two files
        return Latest(name, steps, None)
    data = read_json(path)
    for name, kind, words in (("checkpoint", str, "a string"), ("steps", int, "an integer"), ("game", str, "a string")):
        if type(data.get(name)) is not kind:
            given = repr(data[name]) if name in data else "nothing"
            raise CheckpointError(f"{path}: {name}: expected {words}, as a training run writes it, got {given}")
    return Latest(data["checkpoint"], data["steps"], data["game"])


def _checkpoints(run: Path) -> list[tuple[int, str]]:
    """Return steps and names of the checkpoints in a folder."""
    names = [path.name for path in run.iterdir()] if run.is_dir() else []
    return [(int(match[1]), name) for name in names if (match := _CHECKPOINT.fullmatch(name))]


def checkpoint_in(path: Path) -> Path:
    """Return the model's file for a path to it, or to the folder of a run."""
    if not path.exists():
        raise CheckpointError(f"{path}: not there; expected a checkpoint (.zip) or the folder of a training run")
    return path / read_latest(path).checkpoint if path.is_dir() else path


def _policy_class(file: Path) -> type[MaskedPolicy]:
    """Return the class that a checkpoint's policy has here: the name of this package differs when it is installed."""
    with zipfile.ZipFile(file) as archive:
        of_policy = parse_json(archive.read("data")).get("policy_class", {})
    if str(of_policy.get("__module__", "")).endswith((".horses.network", ".stable_network")):  # its former name
        from .horses.network import StablePolicy

        return StablePolicy
    from .training.networks import MaskedPolicy

    return MaskedPolicy


def _words(error: Exception) -> str:
    """Return what an error says, without the path that the message names already."""
    return (isinstance(error, OSError) and error.strerror) or str(error)


def _older_whole(file: Path) -> str:
    """Return in words which checkpoint beside a damaged one is the newest whole one, and how to go on with that."""
    others = [name for _, name in sorted(_checkpoints(file.parent)) if name < file.name]
    whole = next((name for name in reversed(others) if _is_whole(file.parent / name)), None)
    if whole is None:
        return ""
    return (
        f"; {file.parent / whole} is whole: name it as the agent, or move {file.name} and {LATEST} away "
        f"and --resume goes on from it"
    )


def _is_whole(file: Path) -> bool:
    try:
        with zipfile.ZipFile(file) as archive:
            return archive.testzip() is None
    except Exception:  # damaged archives raise all there is
        return False


def load_model(path: Path, game: Game, env: VecEnv | None = None, **keywords: Any) -> MaskablePPO:
    """Return the model of a checkpoint or of a run's newest one, to play or, with an environment, to train on.

    A checkpoint is a Stable-Baselines3 zip with pickled parts: load only what you trust. Without an environment all
    global random generators stay as they are.

    Raises:
        CheckpointError: damaged, missing, or of a game of another name, version or shape.
    """
    import torch
    from sb3_contrib import MaskablePPO

    file = checkpoint_in(path)
    wanted = Fingerprint.of(game)
    if (file.parent / LATEST).exists():
        of_run = read_latest(file.parent).game
        if of_run != wanted.game:
            raise CheckpointError(f"{file}: trained for {of_run}, not for {wanted.game}")
    chosen = {"device": "cpu", **keywords}
    draws: contextlib.AbstractContextManager[Any] = contextlib.nullcontext()
    if env is None:
        chosen["seed"] = None  # with the checkpoint's own, SB3 would seed Python's, NumPy's and torch's generators
        draws = torch.random.fork_rng(devices=[])  # the network's first weights, soon replaced, are drawn
    try:
        with draws:
            model = MaskablePPO.load(file, custom_objects={"policy_class": _policy_class(file)}, **chosen)
    except Exception as error:  # damaged pickles and archives raise all there is
        words = " ".join(f"{type(error).__name__}: {_words(error)}".split())
        older = _older_whole(file)
        raise CheckpointError(f"{file}: no checkpoint of MaskablePPO, or damaged: {words}{older}") from error
    size = model.observation_space.shape
    actions = getattr(model.action_space, "n", None)
    if size != (wanted.observation_size,) or actions != wanted.num_actions:
        raise CheckpointError(
            f"{file}: its policy takes observations of {size} and {actions} actions; "
            f"{wanted.game} has ({wanted.observation_size},) and {wanted.num_actions}"
        )
    if env is not None:
        model.set_env(env)
    return model
