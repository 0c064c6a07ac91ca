"""A trained network as a policy that acts on a whole batch."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from sb3_contrib import MaskablePPO

from tablezoo.game import Game
from tablezoo.policies import Views

from ..checkpoints import load_model
from .choosing import choose


class SB3Policy:
    """A MaskablePPO model.

    Args:
        model: trained on float observations of the game that it is to play.
        name: how tables call it.
        deterministic: whether it takes the likeliest action, or draws from each view's stream.
    """

    def __init__(self, model: MaskablePPO, name: str = "ppo", deterministic: bool = False) -> None:
        self.model = model
        self.name = name
        self.deterministic = deterministic

    @classmethod
    def load(cls, path: str | Path, game: Game, deterministic: bool = False) -> SB3Policy:
        """Return the policy of a checkpoint, or of a run's newest one; see :func:`load_model` for the errors."""
        return cls(load_model(Path(path), game), Path(path).stem, deterministic)

    @property
    def fingerprint(self) -> str:
        """A hash of the weights, and how it chooses: policies that share it play alike."""
        weights = hashlib.sha256()
        for name, weight in self.model.policy.state_dict().items():
            weights.update(name.encode() + weight.cpu().numpy().tobytes())
        return f"weights {weights.hexdigest()[:16]}" + ", deterministic" * self.deterministic

    def act(self, views: Views) -> NDArray[np.int64]:
        """Return (m,) actions: one forward pass for all views."""
        return choose(views, self.probabilities(views), self.deterministic)

    def probabilities(self, views: Views) -> NDArray[np.float64]:
        """Return (m, num_actions) probabilities, exactly 0 for illegal actions."""
        policy = self.model.policy
        policy.set_training_mode(False)
        with torch.no_grad():
            distribution: Any = policy.get_distribution(self._tensor(views), action_masks=views.action_mask)
        probabilities = distribution.distribution.probs.cpu().numpy().astype(np.float64)
        return np.where(views.action_mask, probabilities, 0.0)

    def values(self, views: Views) -> NDArray[np.float64]:
        """Return (m,): the return that the network expects, in its training's scaled rewards."""
        policy = self.model.policy
        policy.set_training_mode(False)
        with torch.no_grad():
            values = policy.predict_values(self._tensor(views))
        return values[:, 0].cpu().numpy().astype(np.float64)

    def _tensor(self, views: Views) -> torch.Tensor:
        return torch.as_tensor(self.shown(views), device=self.model.policy.device)

    def shown(self, views: Views) -> NDArray[np.float32]:
        """Return (m, size) what the model sees of the views."""
        return views.game.observation_layout.scale(views.observation)
