"""Networks with random weights, of every game, as models and as files."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import torch
from sb3_contrib import MaskablePPO

from agents.checkpoints import save_checkpoint
from agents.export import policy_file
from agents.policies.policy_file import PolicyFile
from agents.settings import Settings, defaults_of
from agents.training.run import policy_of
from tablezoo import Batch, Views
from tablezoo.game import Game
from tablezoo.registration import find_game
from tablezoo.rng import OPPONENTS, seed_streams
from tablezoo.sb3 import SeatVecEnv


def settings_of(game: str, **changes: Any) -> Settings:
    return Settings(**{"game": game, "net": (32, 24), **defaults_of(game), **changes})


def fresh(game: str, seed: int = 0, activation: type[torch.nn.Module] | None = None, **changes: Any) -> MaskablePPO:
    """A network with random weights and decided opinions."""
    settings = settings_of(game, **changes)
    policy, shape = policy_of(settings)
    if activation is not None:
        shape["activation_fn"] = activation
    env = SeatVecEnv(find_game(game), 2, max(*settings.players, 2), seed=seed)
    model = MaskablePPO(policy, env, seed=seed, device="cpu", policy_kwargs=shape, n_steps=8)
    with torch.no_grad():
        for name, weights in model.policy.named_parameters():
            if name.endswith(("action_net.weight", "out.weight", "stop.weight")):
                weights.mul_(60)
    return model


def fresh_file(game: str, players: list[int], seed: int = 0, **changes: Any) -> PolicyFile:
    settings = settings_of(game, players=tuple(players), **changes)
    return policy_file(fresh(game, seed, **changes), find_game(game), settings.to_json(), players)


def write_run(folder: Path, model: MaskablePPO, settings: Settings) -> Path:
    """A run's folder as far as an export looks at it."""
    folder.mkdir(parents=True)
    save_checkpoint(folder, model, find_game(settings.game), settings.players)
    (folder / "settings.json").write_text(json.dumps(settings.to_json()))
    return folder


def views_at(game: Game, players: int | list[int], lanes: int = 30, decisions: int = 30) -> Views:
    """What the seats asked see after random play."""
    batch = Batch(game, lanes, players, seed=5)
    rng = np.random.default_rng(1)
    for _ in range(decisions):
        batch.step(batch.random_actions(rng))
    return Views(batch, np.arange(lanes), seed_streams(0, lanes, OPPONENTS))
