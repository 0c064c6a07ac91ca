"""Run folders: settings, checkpoints that appear whole or not at all, and the metrics of each evaluation."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sb3_contrib import MaskablePPO
from stable_baselines3.common.vec_env import VecEnv

from tablezoo.game import Game

from .networks import MaskedPolicy

LATEST = "latest.json"

#: Taken from here and not from the checkpoint: its pickle names the module as it was called where it was written.
_OURS = {"policy_class": MaskedPolicy}


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


def write_json(path: Path, data: Any) -> None:
    """Write a JSON file that is there whole or not at all."""
    partial = path.with_name(f"{path.name}.partial-{os.getpid()}")
    partial.write_text(json.dumps(data, indent=2) + "\n", encoding="utf-8")
    os.replace(partial, path)


def read_json(path: Path) -> dict[str, Any]:
    """Return a JSON object.

    Raises:
        CheckpointError: not there, or no JSON object.
    """
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError as error:
        raise CheckpointError(f"{path}: not there; expected the folder of a training run") from error
    except (OSError, ValueError) as error:
        raise CheckpointError(f"{path}: cannot be read: {error}") from error
    if not isinstance(data, dict):
        raise CheckpointError(f"{path}: expected a JSON object")
    return data


def save_checkpoint(run: Path, model: MaskablePPO, game: Game, players: int) -> Path:
    """Write the model beside the older checkpoints, then point ``latest.json`` at it."""
    steps = int(model.num_timesteps)
    path = run / f"step_{steps:010d}.zip"
    partial = run / f".partial_{os.getpid()}.zip"
    model.save(partial)
    os.replace(partial, path)
    fingerprint = vars(Fingerprint.of(game))
    write_json(run / LATEST, {"checkpoint": path.name, "steps": steps, "players": players, **fingerprint})
    return path


def checkpoint_in(path: Path) -> Path:
    """Return the model's file for a path to it, or to the folder of a run."""
    if not path.exists():
        raise CheckpointError(f"{path}: not there; expected a checkpoint (.zip) or the folder of a training run")
    return path / str(read_json(path / LATEST).get("checkpoint")) if path.is_dir() else path


def load_model(path: Path, game: Game, env: VecEnv | None = None, **keywords: Any) -> MaskablePPO:
    """Return the model of a checkpoint or of a run's newest one, to play or, with an environment, to train on.

    A checkpoint is a Stable-Baselines3 zip with pickled parts: load only what you trust.

    Raises:
        CheckpointError: damaged, missing, or of a game of another name, version or shape.
    """
    file = checkpoint_in(path)
    wanted = Fingerprint.of(game)
    if (file.parent / LATEST).exists():
        of_run = read_json(file.parent / LATEST).get("game")
        if of_run != wanted.game:
            raise CheckpointError(f"{file}: trained for {of_run}, not for {wanted.game}")
    try:
        model = MaskablePPO.load(file, custom_objects=_OURS, **{"device": "cpu", **keywords})
    except Exception as error:  # damaged pickles and archives raise all there is
        raise CheckpointError(f"{file}: no checkpoint of MaskablePPO, or damaged: {error}") from error
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
