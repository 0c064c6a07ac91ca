"""The Stable-Baselines3 face: a VecEnv straight over a batch, with masks for MaskablePPO."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

try:
    from stable_baselines3.common.vec_env import VecEnv
    from stable_baselines3.common.vec_env.base_vec_env import VecEnvIndices, VecEnvObs, VecEnvStepReturn
except ModuleNotFoundError as error:
    raise ModuleNotFoundError(
        f"tablezoo.sb3 needs the extra: pip install 'tablezoo[train]' ({error.name} is missing)", name=error.name
    ) from error

from tablezoo.content import ContentSource
from tablezoo.errors import did_you_mean
from tablezoo.game import Game
from tablezoo.keywords import integer_of, refuse_keywords, refuse_unknown
from tablezoo.seats import Opponents, SeatGames, Step
from tablezoo.spaces import observation_box

_METHODS = ("action_masks",)


class SeatVecEnv(VecEnv):
    """N games, each with a learner in one seat, for Stable-Baselines3 and sb3-contrib.

    ``env_method("action_masks")`` returns the whole (N, num_actions) bool array, as MaskablePPO reads it. The ``info``
    of a lane whose game ended holds ``terminal_observation``, ``TimeLimit.truncated``, ``scores``, ``ranks``,
    ``winners``, ``seat``, ``won`` (the learner's share of the win) and ``opponents`` (their names, clockwise from the
    learner). Every array handed out is a copy.

    Args:
        game: what is played.
        num_envs: N.
        num_players, opponents, seat, seed, threads, reward, illegal, content, obs, **options: as in
            :class:`tablezoo.seats.SeatGames`; lane i plays what the Gymnasium environment seeded ``seed + i`` plays.
    """

    def __init__(
        self,
        game: Game,
        num_envs: int = 256,
        num_players: int | Sequence[int] | None = None,
        opponents: Opponents = "random",
        seat: int | None = None,
        seed: int | None = 0,
        *,
        threads: int = 1,
        reward: str | None = None,
        illegal: str = "error",
        obs: str = "float",
        content: ContentSource | Sequence[ContentSource] = None,
        **options: Any,
    ) -> None:
        refuse_unknown(game, options, SeatVecEnv)
        num_envs = integer_of("num_envs", num_envs, 1, 2**31 - 1)
        self.render_mode: str | None = None
        self.games = SeatGames(
            game, num_envs, num_players, opponents=opponents, seat=seat, seed=seed, threads=threads,
            reward=reward, illegal=illegal, content=content, obs=obs, **options,
        )  # fmt: skip
        self._dealt = False
        self._waiting: tuple[NDArray[Any], ...] = ()
        super().__init__(num_envs, observation_box(game, obs), spaces.Discrete(game.num_actions))

    def reset(self) -> VecEnvObs:
        """Deal all games, and return the first observations, (N, observation_size).

        Lane i starts anew from ``seed + i`` after ``seed(seed)``, and in the first reset from the constructor's seed;
        else its stream goes on.
        """
        for options in self._options:
            refuse_keywords(options, SeatVecEnv)
        if any(options != self._options[0] for options in self._options):
            raise ValueError("the lanes of a SeatVecEnv take the same options, got different ones in set_options")
        self.games.reset(seed=self._seeds[0], options=self._options[0])
        self._dealt = True
        self._reset_seeds()
        self._reset_options()
        self.reset_infos = [{} for _ in range(self.num_envs)]
        return self.games.observations()

    def step_async(self, actions: NDArray[Any]) -> None:
        self._waiting = (actions,)

    def step_wait(self) -> VecEnvStepReturn:
        """Play the actions given to ``step_async``; lanes that end are dealt their next game at once.

        Raises:
            gymnasium.error.ResetNeeded: before the first reset.
            RuntimeError: without actions that wait for it.
            TypeError, IllegalActionError: as ``Batch.step``; nothing has moved.
        """
        if not self._dealt:
            raise gymnasium.error.ResetNeeded("no game is dealt: call reset() first")
        if not self._waiting:
            raise RuntimeError("step_wait() has no actions: call step_async(actions) before, or step(actions) for both")
        (actions,), self._waiting = self._waiting, ()
        step = self.games.step(actions)
        infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        for row, lane in enumerate(step.ended):
            infos[lane] = self._outcome(step, row, int(lane))
        return self.games.observations(), step.rewards, step.terminated | step.truncated, infos

    def _outcome(self, step: Step, row: int, lane: int) -> dict[str, Any]:
        players = int(self.games.batch.num_players[lane])
        return {
            "terminal_observation": step.final_observation[row].copy(),
            "TimeLimit.truncated": bool(step.truncated[lane]),
            "scores": step.scores[row, :players].tolist(),
            "ranks": step.ranks[row, :players].tolist(),
            "winners": step.winners[row, :players].tolist(),
            "seat": int(step.seat[row]),
            "won": float(step.won[row]),
            **self.games.told_of(step, row),
        }

    def action_masks(self) -> NDArray[np.bool_]:
        """Return the learners' legal actions, (N, num_actions) bool, a copy."""
        self.games.refuse_unfinished()
        return self.games.batch.action_mask.copy()

    def close(self) -> None:
        """Do nothing: there is no process and no file to close."""

    # --- what SB3 asks of single environments ----------------------------------------------------------------------

    def get_attr(self, attr_name: str, indices: VecEnvIndices = None) -> list[Any]:
        """Return an attribute of this environment for each lane asked for: the lanes are no objects of their own."""
        if not hasattr(self, attr_name):
            known = [name for name in (*vars(self), *_METHODS) if not name.startswith("_")]
            raise AttributeError(f"SeatVecEnv has no attribute {attr_name!r}{did_you_mean(attr_name, known)}")
        return [getattr(self, attr_name)] * len(self._lanes(indices))

    def set_attr(self, attr_name: str, value: Any, indices: VecEnvIndices = None) -> None:
        raise AttributeError(f"the lanes of a SeatVecEnv have no attributes of their own to set, got {attr_name!r}")

    def env_method(
        self, method_name: str, *method_args: Any, indices: VecEnvIndices = None, **method_kwargs: Any
    ) -> Any:
        """Call ``action_masks`` for the lanes asked for: a (k, num_actions) array stands for the list of rows."""
        if method_name not in _METHODS:
            raise AttributeError(f"SeatVecEnv has no method {method_name!r}{did_you_mean(method_name, _METHODS)}")
        return self.action_masks(*method_args, **method_kwargs)[self._lanes(indices)]

    def env_is_wrapped(self, wrapper_class: type[Any], indices: VecEnvIndices = None) -> list[bool]:
        return [False] * len(self._lanes(indices))

    def _lanes(self, indices: VecEnvIndices) -> NDArray[np.int64]:
        return np.arange(self.num_envs)[np.fromiter(self._get_indices(indices), np.int64)]
