"""A trained network as a policy that plays with NumPy alone."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from tablezoo.game import Game
from tablezoo.policies import Views
from tablezoo.registration import find_game

from ..checkpoints import CheckpointError
from .choosing import choose
from .mlp_numpy import MlpNumpy
from .policy_file import About, PolicyFile

#: So many views go through a network at once: fewer take longer each, more make large arrays in between.
BLOCK = 256


class Network(Protocol):
    """What computes, for (m, observation_size) float32 scaled observations."""

    def logits(self, observation: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return (m, num_actions)."""

    def values(self, observation: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return (m,)."""


class NumpyPolicy:
    """A network that was trained with MaskablePPO; it decides as :class:`agents.policies.sb3_policy.SB3Policy` does.

    Args:
        file: the network.
        game: what it plays; None for the one that the file names.
        name: how tables call it.
        deterministic: whether it takes the likeliest action, or draws from each view's stream.

    Attributes:
        about: what the file says of it.

    Raises:
        CheckpointError: a file of another game or of other layouts, or with arrays that no network has.
    """

    def __init__(
        self, file: PolicyFile, game: Game | None = None, name: str = "ppo", deterministic: bool = False
    ) -> None:
        self.game = _game_of(file) if game is None else game
        file.check_game(self.game)
        self.about: About = file.about
        self.network = _network_of(file)
        self.name = name
        self.deterministic = deterministic

    @property
    def fingerprint(self) -> str:
        """What tells it from other policies of its name."""
        return f"{self.about.checksum} deterministic={self.deterministic}"

    @classmethod
    def load(cls, path: str | Path, game: Game | None = None, deterministic: bool = False) -> NumpyPolicy:
        """Return the policy in an .npz that ``python -m agents.export`` wrote.

        Raises:
            CheckpointError: not there, no policy, damaged, or of a game or layouts that do not fit.
        """
        return cls(PolicyFile.load(Path(path)), game, Path(path).stem, deterministic)

    def act(self, views: Views) -> NDArray[np.int64]:
        """Return (m,) actions."""
        return choose(views, self.probabilities(views), self.deterministic)

    def probabilities(self, views: Views) -> NDArray[np.float64]:
        """Return (m, num_actions) probabilities, exactly 0 for illegal actions."""
        self.check_views(views)
        return self.probabilities_of(views.observation, views.action_mask)

    def values(self, views: Views) -> NDArray[np.float64]:
        """Return (m,): the return that the network expects, in its training's scaled rewards."""
        self.check_views(views)
        return self.values_of(views.observation)

    def probabilities_of(self, observation: NDArray[np.uint8], action_mask: NDArray[np.bool_]) -> NDArray[np.float64]:
        """Return (m, num_actions) probabilities for (m, observation_size) raw observations, 0 for illegal actions."""
        if not len(observation):
            return np.zeros(action_mask.shape)
        return masked_softmax(self._in_blocks(self.network.logits, observation), action_mask)

    def values_of(self, observation: NDArray[np.uint8]) -> NDArray[np.float64]:
        """Return (m,) values for (m, observation_size) raw observations."""
        if not len(observation):
            return np.zeros(0)
        return self._in_blocks(self.network.values, observation).astype(np.float64)

    def _in_blocks(
        self, compute: Callable[[NDArray[np.float32]], NDArray[np.float32]], observation: NDArray[np.uint8]
    ) -> NDArray[np.float32]:
        scale = self.game.observation_layout.scale
        parts = [compute(scale(observation[at : at + BLOCK])) for at in range(0, len(observation), BLOCK)]
        return parts[0] if len(parts) == 1 else np.concatenate(parts)

    def check_views(self, views: Views) -> None:
        """Raise ValueError for views of another game."""
        if views.game is not self.game:
            raise ValueError(f"policy {self.name} plays {self.game.id}; the views are of {views.game.id}")


def masked_softmax(logits: NDArray[np.float32], action_mask: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Return (m, actions) probabilities of (m, actions) logits, 0 where the mask is False."""
    legal = np.where(action_mask, logits, -np.inf)
    legal -= legal.max(axis=1, keepdims=True)
    likely = np.exp(legal, out=legal)
    likely /= likely.sum(axis=1, keepdims=True)
    return likely.astype(np.float64)


def _game_of(file: PolicyFile) -> Game:
    """Return the game that a file names.

    Raises:
        CheckpointError: there is none of that name here.
    """
    name = file.about.game.rpartition("_v")[0]
    try:
        return find_game(name)
    except ValueError as error:
        raise CheckpointError(f"{file.source}: trained for {file.about.game}: {error}") from error


def _network_of(file: PolicyFile) -> Network:
    kind = file.about.network.get("kind")
    if kind == "mlp":
        return MlpNumpy(file)
    if kind == "horses":
        from ..horses.in_numpy import StableNumpy  # players of other games need not load Stable Times

        return StableNumpy(file)
    raise CheckpointError(f"{file.source}: its network is {kind!r}; this version knows mlp and horses")
