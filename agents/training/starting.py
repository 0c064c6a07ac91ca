"""What a run begins from, if not from chance: the weights of a network that has learned something already."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from sb3_contrib import MaskablePPO

from tablezoo.game import Game

from ..checkpoints import CheckpointError, load_model
from ..opponents import PRETRAINED
from ..policies.policy_file import PolicyFile
from ..pretrained import SUFFIX, path_of

Weights = Mapping[str, NDArray[Any]]


def weights_of(text: str, game: Game) -> Weights:
    """Return a network's weights, by the names that they have in its policy's state.

    Args:
        text: ``pretrained:VARIANT``, the path of an .npz, of a checkpoint or of a run's folder.

    Raises:
        ValueError: an unknown variant, or no network at all.
        CheckpointError: a path without a fitting policy or checkpoint.
    """
    word, _, variant = text.partition(":")
    if word == PRETRAINED and variant:
        text = str(path_of(game, variant))
    if text.endswith(SUFFIX):
        file = PolicyFile.load(Path(text))
        file.check_game(game)
        return file.arrays
    if not ("/" in text or text.endswith(".zip") or Path(text).exists()):
        expected = f"{PRETRAINED}:VARIANT, or the path of an {SUFFIX}, a checkpoint or a run's folder"
        raise ValueError(f"start {text!r} is no network; expected {expected}")
    state = load_model(Path(text), game).policy.state_dict()
    return {name: weights.numpy(force=True) for name, weights in state.items()}


def begin_from(model: MaskablePPO, text: str, game: Game) -> None:
    """Give a fresh model the weights of another network; what its optimizer has learned of them is not taken over.

    Raises:
        ValueError, CheckpointError: as :func:`weights_of`; or a network of another kind or of other layers.
    """
    given, own = weights_of(text, game), model.policy.state_dict()
    odd = [
        f"{name} is {_shape(given.get(name))}, here {_shape(own.get(name))}"
        for name in sorted(set(given) | set(own))
        if _shape(given.get(name)) != _shape(own.get(name))
    ]
    if odd:
        raise CheckpointError(f"start {text}: another network than the run's, see --network and --net: {odd[0]}")
    model.policy.load_state_dict({name: torch.as_tensor(np.array(weights)) for name, weights in given.items()})


def _shape(weights: Any) -> str:
    return "not there" if weights is None else str(tuple(weights.shape))
