"""Policies: they act on views of a whole batch, and never on the batch itself."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import metadata
from typing import Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tablezoo.batch import Batch
from tablezoo.errors import did_you_mean
from tablezoo.game import Game
from tablezoo.keywords import integer_of
from tablezoo.loops import EXTERNAL, GREEDY, RANDOM

__all__ = ["EXTERNAL", "GREEDY", "RANDOM", "GreedyPolicy", "Policy", "Pool", "RandomPolicy", "Views", "make_policy"]


#: How many deals a policy may look at.
_COPIES = (1, 2**31 - 1)


class Views:
    """What the seats asked in some lanes of a batch see and may draw on; m is their number.

    Attributes:
        game: what is played.
        observation: (m, observation_size) uint8, raw; a copy.
        action_mask: (m, num_actions) bool; a copy.
        seat: (m,) int8, who is asked; num_players: (m,) int8.

    Args:
        batch: where the games are.
        games: (m,) lane indices, where somebody is asked.
        streams: (N, 2) uint64, a stream a lane of the batch; what a policy draws advances them.
    """

    def __init__(self, batch: Batch, games: ArrayLike, streams: NDArray[np.uint64]) -> None:
        if not isinstance(batch, Batch):
            raise TypeError(f"batch is {batch!r}; expected a Batch")
        lanes = batch._lanes(games)
        batch._check_streams(streams)
        self._batch = batch
        self._games = lanes
        self._streams = streams
        self.game: Game = batch.game
        self.observation: NDArray[np.uint8] = batch.observation[lanes]
        self.action_mask: NDArray[np.bool_] = batch.action_mask[lanes]
        self.seat: NDArray[np.int8] = batch.seat[lanes]
        self.num_players: NDArray[np.int8] = batch.num_players[lanes]

    def __len__(self) -> int:
        return len(self._games)

    def random_actions(self) -> NDArray[np.int64]:
        """Return (m,) actions drawn uniformly among the legal ones, each from its lane's stream."""
        return self._batch._random(self._games, self._streams)

    def greedy_actions(self, determinizations: int) -> NDArray[np.int64]:
        """Return (m,) actions that begin the best plan to the end of the turn; see :class:`GreedyPolicy`."""
        integer_of("determinizations", determinizations, *_COPIES)
        return self._batch._greedy(self._games, self._streams, determinizations)

    def uniforms(self) -> NDArray[np.float64]:
        """Return (m,) numbers in [0, 1), each from its lane's stream."""
        return self._batch._uniforms(self._games, self._streams)

    def determinize(self, k: int) -> Batch:
        """Return a batch of m * k games that look the same to the seats asked, all else dealt anew; copy j of view i
        stands in lane i * k + j."""
        integer_of("k", k, *_COPIES)
        seeds = self._batch._branches(self._games, self._streams, k).reshape(-1, 2)
        lanes = np.repeat(self._games, k)
        return self._batch._determinized(lanes, np.repeat(self.seat, k), seeds)


@runtime_checkable
class Policy(Protocol):
    """Anything that chooses: ``act(views)`` returns (m,) legal actions, one for each view."""

    @property
    def name(self) -> str: ...

    def act(self, views: Views) -> NDArray[np.int64]: ...


@dataclass(frozen=True)
class RandomPolicy:
    """Uniform over the legal actions."""

    name: str = "random"

    def act(self, views: Views) -> NDArray[np.int64]:
        return views.random_actions()


@dataclass(frozen=True)
class GreedyPolicy:
    """The best plan to the end of its own turn, by the game's ``value``, averaged over deals that it cannot tell apart.

    Attributes:
        determinizations: how many deals are looked at.
    """

    determinizations: int = 4
    name: str = "greedy"

    def __post_init__(self) -> None:
        integer_of("determinizations", self.determinizations, *_COPIES)

    def act(self, views: Views) -> NDArray[np.int64]:
        return views.greedy_actions(self.determinizations)


@dataclass(frozen=True)
class Pool:
    """Policies of which an environment draws one for each opponent's seat and episode.

    Attributes:
        policies: at least one, each a name or a policy; ``weights``: how often each is drawn, equal if empty.
    """

    policies: Sequence[Policy | str]
    weights: Sequence[float] = ()

    def __post_init__(self) -> None:
        if isinstance(self.policies, str) or not isinstance(self.policies, Sequence):
            raise TypeError(f"a Pool of {self.policies!r}: expected a sequence of names or policies")
        if not self.policies:
            raise ValueError("a Pool needs at least one policy")
        fits = len(self.weights) == len(self.policies) and min(self.weights) >= 0 < sum(self.weights) < math.inf
        if self.weights and not fits:
            expected = "as many weights, finite, none negative and not all 0"
            raise ValueError(f"a Pool of {len(self.policies)} takes {expected}; got {self.weights}")


def make_policy(spec: Any, game: Game) -> Policy:
    """Return the policy that a name stands for, or the policy itself.

    Names beyond ``random`` and ``greedy`` come from the entry-point group ``tablezoo.policies``, as those of the agents
    that come along do. An entry is called with the game, and of a name as in ``pretrained:2`` with what stands behind
    the colon as well.

    Raises:
        ValueError: an unknown name.
        TypeError: neither a name nor a policy; a policy's class, or one that has no name.
    """
    if isinstance(spec, str):
        if spec == "random":
            return RandomPolicy()
        if spec == "greedy":
            return GreedyPolicy()
        plugins = {entry.name: entry for entry in metadata.entry_points(group="tablezoo.policies")}
        name, colon, which = spec.partition(":")
        if name not in plugins:
            known = {"random", "greedy", *plugins}
            raise ValueError(f"unknown policy {spec!r}{did_you_mean(spec, known)}")
        return _checked(plugins[name].load()(game, *([which] if colon else [])))
    return _checked(spec)


def policy_maker(game: Game) -> Callable[[Any], Policy]:
    """Return what makes policies as :func:`make_policy` does, and of a name the same one again.

    Where a name has several seats, its decisions are then made in one batch, and its file is read once.
    """
    named = cache(lambda name: make_policy(name, game))
    return lambda spec: named(spec) if isinstance(spec, str) else make_policy(spec, game)


def _checked(policy: Any) -> Policy:
    if isinstance(policy, type):
        raise TypeError(f"policy {policy.__name__} is a class; expected an instance, as in {policy.__name__}()")
    if isinstance(policy, Policy):
        return policy
    if callable(getattr(policy, "act", None)):
        raise TypeError(f"policy {policy!r} has act(views), but no name; expected an attribute `name` beside it")
    kind = type(policy).__name__
    raise TypeError(f"policy {policy!r} is of type {kind}; expected a name or an object with act(views) and a name")
