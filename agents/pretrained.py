"""The policies that come along: ``load("mustang")``. They play with NumPy alone, without what training needs."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from tablezoo.errors import did_you_mean
from tablezoo.game import Game
from tablezoo.policies import Views
from tablezoo.registration import find_game

from .players import told_players
from .policies.choosing import choose
from .policies.numpy_policy import NumpyPolicy

#: Where the files lie, each ``GAME-VARIANT.npz`` with its card ``GAME-VARIANT.md``.
FOLDER = Path(__file__).with_suffix("")
SUFFIX = ".npz"
_STEM = re.compile(r"([a-z][a-z0-9_]*)-([a-z0-9-]+)")


class ByPlayers:
    """Networks of one game, of which each plays the numbers of players that it was trained for.

    Where several were trained for a number, the one trained for the fewest numbers plays.

    Args:
        policies: all of one game, at least one.
        name: how tables call it.
        deterministic: whether it takes the likeliest actions, or draws from each view's stream.
    """

    def __init__(self, policies: Sequence[NumpyPolicy], name: str = "pretrained", deterministic: bool = False) -> None:
        self.game = policies[0].game
        self.name = name
        self.deterministic = deterministic
        self._policies = sorted(policies, key=lambda policy: (len(policy.about.players), policy.name))
        self._of = {count: policy for policy in reversed(self._policies) for count in policy.about.players}

    @property
    def fingerprint(self) -> str:
        """What tells it from other policies of its name."""
        return ", ".join(policy.fingerprint for policy in self._policies)

    @property
    def players(self) -> list[int]:
        """The numbers of players that it plays, ascending."""
        return sorted(self._of)

    def of(self, players: int) -> NumpyPolicy:
        """Return the policy that plays games of so many.

        Raises:
            ValueError: none was trained for them; the message lists those that are there.
        """
        if players not in self._of:
            raise ValueError(
                f"no pretrained policy of {self.game.title} was trained for {told_players([players])}; there are "
                + ", ".join(f"{policy.name} ({told_players(policy.about.players)})" for policy in self._policies)
                + "; one of them by name plays all the same, as in pretrained:VARIANT"
            )
        return self._of[players]

    def act(self, views: Views) -> NDArray[np.int64]:
        """Return (m,) actions."""
        return choose(views, self.probabilities(views), self.deterministic)

    def probabilities(self, views: Views) -> NDArray[np.float64]:
        """Return (m, num_actions) probabilities, exactly 0 for illegal actions."""
        made = np.zeros(views.action_mask.shape)
        for policy, mine in self._shared_out(views):
            made[mine] = policy.probabilities_of(views.observation[mine], views.action_mask[mine])
        return made

    def values(self, views: Views) -> NDArray[np.float64]:
        """Return (m,): the return that each network expects, in its own training's scaled rewards."""
        made = np.zeros(len(views))
        for policy, mine in self._shared_out(views):
            made[mine] = policy.values_of(views.observation[mine])
        return made

    def _shared_out(self, views: Views) -> list[tuple[NumpyPolicy, NDArray[np.bool_]]]:
        self._policies[0].check_views(views)
        return [(self.of(int(count)), views.num_players == count) for count in np.unique(views.num_players)]


def available() -> dict[str, list[str]]:
    """Return the variants that come along, by the game's name."""
    found: dict[str, list[str]] = {}
    for stem in sorted(path.stem for path in FOLDER.glob(f"*{SUFFIX}")):
        if match := _STEM.fullmatch(stem):
            found.setdefault(match[1], []).append(match[2])
    return found


def load(
    what: str | Path | Game, variant: str | None = None, *, deterministic: bool = False
) -> NumpyPolicy | ByPlayers:
    """Return a pretrained policy.

    Args:
        what: a game or its name, as in ``mustang``; or the path of an .npz that ``python -m agents.export`` wrote.
        variant: one of a game's files, as in ``2-5``, which then plays all numbers of players; None for a policy that
            has each number of players played by the file that was trained for it.
        deterministic: whether it takes the likeliest actions, or draws from each view's stream.

    Raises:
        ValueError: an unknown game or variant, a game without pretrained policies.
        CheckpointError: a file that is not there, damaged, changed, or of a game or layouts that do not fit.
    """
    if is_path(what):
        if variant is not None:
            raise ValueError(f"{what} with variant {variant!r}: a file has no variants")
        return NumpyPolicy.load(str(what), deterministic=deterministic)
    game = what if isinstance(what, Game) else find_game(str(what))
    variants = available().get(game.name, [])
    if not variants:
        there = ", ".join(f"{name} {each}" for name, each_of in available().items() for each in each_of)
        raise ValueError(
            f"no pretrained policy of {game.title}; there {f'are: {there}' if there else 'is none of any game'}"
        )
    if variant is None:
        return ByPlayers([_load(game, each, deterministic) for each in variants], deterministic=deterministic)
    return _load(game, variant, deterministic)


def is_path(what: str | Path | Game) -> bool:
    """Return whether something names a file rather than a game."""
    return isinstance(what, Path) or (
        isinstance(what, str) and (what.endswith(SUFFIX) or os.sep in what or "/" in what)
    )


def path_of(game: Game, variant: str) -> Path:
    """Return where a game's file lies.

    Raises:
        ValueError: it has no such variant.
    """
    if variant not in (variants := available().get(game.name, [])):
        raise ValueError(f"no pretrained policy {variant!r} of {game.title}{did_you_mean(variant, variants)}")
    return FOLDER / f"{game.name}-{variant}{SUFFIX}"


def _load(game: Game, variant: str, deterministic: bool) -> NumpyPolicy:
    return NumpyPolicy.load(path_of(game, variant), game, deterministic)
