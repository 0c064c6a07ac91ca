"""The Gymnasium face: one learner's seat, alone or many side by side."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from tablezoo.actions import as_action
from tablezoo.errors import OptionError
from tablezoo.game import Game
from tablezoo.keywords import integer_of, one_of, player_count, refuse_keywords, refuse_unknown
from tablezoo.seats import Opponents, SeatGames, Step
from tablezoo.spaces import observation_box

RENDER_MODES = ("ansi", "human")

_CALL_RESET = "call reset() first"


class SeatEnv(gymnasium.Env[NDArray[Any], int]):
    """One game with a learner in one seat; the opponents move inside :meth:`step`.

    ``info["action_mask"]`` tells the legal actions, (num_actions,) int8 as ``action_space.sample`` takes it;
    :meth:`action_masks` returns them as bool. When a game is over, ``info`` also holds ``scores``, ``ranks``,
    ``winners`` ((num_players,) each), ``seat``, ``won``, the learner's share of the win, and ``opponents``, their names
    clockwise from it. Its reward counts also when the game ends on another's move.

    Args:
        game: what is played.
        num_players, opponents, seat, obs, **options: as in :class:`tablezoo.seats.SeatGames`, whose ``reward``,
            ``illegal``, ``content`` and ``seed`` (of the first reset, if that names none) are taken too.
        render_mode: ``"ansi"``: :meth:`render` returns what the learner sees; ``"human"``: printed at every step.
    """

    metadata = {"render_modes": list(RENDER_MODES), "render_fps": 1}  # noqa: RUF012  # as gymnasium.Env declares it

    def __init__(
        self,
        game: Game,
        num_players: int | None = None,
        *,
        opponents: Opponents = "random",
        seat: int | None = None,
        render_mode: str | None = None,
        obs: str = "float",
        **options: Any,
    ) -> None:
        refuse_unknown(game, options, SeatEnv, SeatGames)
        if render_mode is not None:
            one_of("render_mode", render_mode, RENDER_MODES)
        self.render_mode = render_mode
        count = player_count(game, num_players)
        self.games = SeatGames(game, 1, count, opponents=opponents, seat=seat, obs=obs, **options)
        self.observation_space = observation_box(game, obs)
        self.action_space = spaces.Discrete(game.num_actions)  # type: ignore[assignment]  # its samples are np.int64
        self._dealt = self._running = False

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[Any], dict[str, Any]]:
        """Deal a game and play it to the learner's first decision."""
        refuse_keywords(options, SeatEnv, SeatGames)
        super().reset(seed=seed)
        self.games.reset(seed=seed, options=options)
        self._dealt = self._running = True
        self._show()
        return self.games.observations()[0], self._info()

    def step(self, action: Any) -> tuple[NDArray[Any], float, bool, bool, dict[str, Any]]:
        """Play ``action`` and the others' moves up to the learner's next decision.

        Raises:
            gymnasium.error.ResetNeeded: before the first reset, or after the end of a game.
            TypeError, IllegalActionError: no integer; out of range or, with ``illegal="error"``, not legal.
        """
        if not self._running:
            raise gymnasium.error.ResetNeeded(f"no game is running: {_CALL_RESET}")
        chosen = as_action(action, self.games.game.num_actions)
        step = self.games.step(np.array([chosen]), autoreset=False)
        self._running = not step.ended.size
        info = self._info()
        observation = self.games.observations()[0]
        if step.ended.size:
            observation = step.final_observation[0]
            players = int(self.games.batch.num_players[0])
            info |= {name: values[0] for name, values in _outcomes(step, players).items()}
            info |= {"seat": int(step.seat[0]), "won": float(step.won[0]), **self.games.told_of(step, 0)}
        self._show()
        return observation, float(step.rewards[0]), bool(step.terminated[0]), bool(step.truncated[0]), info

    def action_masks(self) -> NDArray[np.bool_]:
        """Return the learner's legal actions, (num_actions,) bool; none when the game is over."""
        _refuse_before_reset(self._dealt)
        self.games.refuse_unfinished()
        mask: NDArray[np.bool_] = self.games.batch.action_mask[0].copy()
        return mask

    def render(self) -> str | None:
        """Return (``"ansi"``) or print (``"human"``) the table as the learner sees it."""
        _refuse_before_reset(self._dealt)
        self.games.refuse_unfinished()
        if self.render_mode is None:
            gymnasium.logger.warn("render() needs a render_mode: pass render_mode='ansi' or 'human'")
            return None
        picture = self.games.batch.describe(0, int(self.games.seat[0]))
        if self.render_mode == "human":
            print(picture)
            return None
        return picture

    def _show(self) -> None:
        if self.render_mode == "human":
            self.render()

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self.games.batch.action_mask[0].astype(np.int8)}


class SeatVectorEnv(gymnasium.vector.VectorEnv[NDArray[Any], NDArray[np.int64], NDArray[Any]]):
    """N such games side by side, straight over a batch; finished ones restart in the same step.

    ``infos["action_mask"]`` is (N, num_actions) int8. In a step that ends games, ``infos["final_obs"]`` holds their
    last observations and ``infos["final_info"]`` what :class:`SeatEnv` tells of an outcome, each beside its ``_`` mask.

    Args:
        game: what is played.
        num_envs: N.
        num_players: an int, or a sequence that is cycled over the games.
        render_mode: ``"ansi"``: :meth:`render` returns what each learner sees.
        obs, **options: as in :class:`SeatEnv`, with its ``opponents`` and ``seat``, and ``threads``.
    """

    metadata = {  # noqa: RUF012  # as gymnasium.vector.VectorEnv declares it
        "render_modes": ["ansi"],
        "autoreset_mode": AutoresetMode.SAME_STEP,
    }

    def __init__(
        self,
        game: Game,
        num_envs: int = 1,
        num_players: int | Sequence[int] | None = None,
        *,
        render_mode: str | None = None,
        max_episode_steps: int | None = None,
        obs: str = "float",
        **options: Any,
    ) -> None:
        if max_episode_steps is not None:
            raise OptionError(
                "max_episode_steps would cut games at a learner's step; max_turns= cuts them by the rules"
            )
        refuse_unknown(game, options, SeatVectorEnv, SeatGames)
        if render_mode is not None:
            one_of("render_mode", render_mode, ("ansi",))
        self.render_mode = render_mode
        self.num_envs = num_envs = integer_of("num_envs", num_envs, 1, 2**31 - 1)
        self.games = SeatGames(game, num_envs, num_players, obs=obs, **options)
        self.single_observation_space = observation_box(game, obs)
        self.single_action_space = spaces.Discrete(game.num_actions)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._running = False

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[Any], dict[str, Any]]:
        """Deal all games; lane i is seeded ``seed + i``, or ``seed[i]``; where that is None, its stream goes on."""
        refuse_keywords(options, SeatVectorEnv, SeatGames)
        self.games.reset(seed=seed, options=options)
        self._running = True
        return self.games.observations(), self._infos()

    def step(
        self, actions: NDArray[np.int64]
    ) -> tuple[NDArray[Any], NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]:
        """Play (N,) actions.

        Raises:
            gymnasium.error.ResetNeeded, TypeError, IllegalActionError: as :class:`SeatEnv`.
        """
        if not self._running:
            raise gymnasium.error.ResetNeeded(f"no game is running: {_CALL_RESET}")
        step = self.games.step(actions)
        infos = self._infos()
        if step.ended.size:
            self._add_outcomes(step, infos)
        return self.games.observations(), step.rewards.astype(np.float64), step.terminated, step.truncated, infos

    def action_masks(self) -> NDArray[np.bool_]:
        """Return the learners' legal actions, (N, num_actions) bool."""
        _refuse_before_reset(self._running)
        self.games.refuse_unfinished()
        return self.games.batch.action_mask.copy()

    def render(self) -> tuple[str, ...] | None:
        """Return each table as its learner sees it."""
        _refuse_before_reset(self._running)
        self.games.refuse_unfinished()
        if self.render_mode is None:
            gymnasium.logger.warn("render() needs a render_mode: pass render_mode='ansi' when making the env")
            return None
        return tuple(self.games.batch.describe(i, int(seat)) for i, seat in enumerate(self.games.seat))

    def _infos(self) -> dict[str, Any]:
        mask = self.games.batch.action_mask.astype(np.int8)
        return {"action_mask": mask, "_action_mask": np.ones(self.num_envs, np.bool_)}

    def _add_outcomes(self, step: Step, infos: dict[str, Any]) -> None:
        there = np.zeros(self.num_envs, np.bool_)
        there[step.ended] = True
        final = np.full(self.num_envs, None, object)
        for lane, observation in zip(step.ended, step.final_observation, strict=True):
            final[lane] = observation.copy()
        infos["final_obs"], infos["_final_obs"] = final, there
        no_masks = np.zeros((self.num_envs, self.games.game.num_actions), np.int8)
        outcome: dict[str, Any] = {"action_mask": no_masks, "_action_mask": there.copy()}
        for name, values in _outcomes(step, int(self.games.batch.num_players.max())).items():
            rows = np.zeros((self.num_envs, *values.shape[1:]), values.dtype)
            rows[step.ended] = values
            outcome[name], outcome[f"_{name}"] = rows, there.copy()
        for row, lane in enumerate(step.ended):
            for name, value in self.games.told_of(step, row).items():
                if name not in outcome:
                    outcome[name], outcome[f"_{name}"] = np.full(self.num_envs, None, object), there.copy()
                outcome[name][lane] = value
        infos["final_info"], infos["_final_info"] = outcome, there.copy()


def _refuse_before_reset(dealt: bool) -> None:
    if not dealt:
        raise gymnasium.error.ResetNeeded(f"no game is dealt: {_CALL_RESET}")


def _outcomes(step: Step, players: int) -> dict[str, NDArray[Any]]:
    """Return what is told of games that ended, a row a game."""
    return {
        "scores": step.scores[:, :players],
        "ranks": step.ranks[:, :players],
        "winners": step.winners[:, :players],
        "seat": step.seat,
        "won": step.won,
    }
