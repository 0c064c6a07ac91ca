"""The PettingZoo face: one game as an AEC environment."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray
from pettingzoo import AECEnv as PettingZooAECEnv

from tablezoo.actions import as_action
from tablezoo.alone import alone, in_use
from tablezoo.batch import Batch
from tablezoo.content import ContentSource
from tablezoo.errors import IllegalActionError
from tablezoo.game import Game
from tablezoo.keywords import integer_of, one_of, player_count, refuse_keywords, refuse_unknown
from tablezoo.rewards import DENSE
from tablezoo.spaces import OBSERVATIONS, encode, observation_box

RENDER_MODES = ("ansi", "human")

_CALL_RESET = "call reset() first"

_AFTER_RESET = (
    "agents", "num_agents", "agent_selection", "rewards", "_cumulative_rewards", "terminations", "truncations", "infos",
)  # fmt: skip


class AECEnv(PettingZooAECEnv[str, dict[str, NDArray[Any]], int]):
    """A game for PettingZoo, its checks inside: no wrappers are needed.

    An observation is a dict: ``"observation"`` is a (n,) float32 in [0, 1], or uint8 with ``obs="raw"``, in the parts
    of ``game.observation_layout``; ``"action_mask"`` is a (num_actions,) int8, all zero for a seat that is not asked.
    When a game is over, each seat's ``infos`` hold its ``score``, ``rank`` (0 the best) and ``won``, its share of the
    win, and the ``scores``, ``ranks`` and ``winners`` of all. ``copy.deepcopy`` and ``pickle`` keep the game in
    progress.

    Args:
        game: what is played.
        num_players: the game's default if None.
        reward, illegal, content, **options: as in :class:`tablezoo.Batch`.
        render_mode: ``"ansi"``: :meth:`render` returns a text picture; ``"human"``: it is printed at every step.
        render_seat: whose view is rendered; None shows everything.
        obs: ``"float"`` or ``"raw"``.
        seed: of the first reset, if that names none.

    Raises:
        OptionError, OptionValueError, TypeError, ValueError: what was wrong, and what was expected.
    """

    metadata: dict[str, Any]

    def __init__(
        self,
        game: Game,
        num_players: int | None = None,
        *,
        reward: str | None = None,
        render_mode: str | None = None,
        render_seat: int | None = None,
        obs: str = "float",
        illegal: str = "error",
        content: ContentSource = None,
        seed: int | None = None,
        **options: Any,
    ) -> None:
        super().__init__()
        refuse_unknown(game, options, AECEnv)
        if render_mode is not None:
            one_of("render_mode", render_mode, RENDER_MODES)
        count = player_count(game, num_players)
        self.game = game
        self.render_mode = render_mode
        self.render_seat = None if render_seat is None else integer_of("render_seat", render_seat, 0, count - 1)
        self.obs = one_of("obs", obs, OBSERVATIONS)
        self.metadata = {
            "name": game.id,
            "render_modes": list(RENDER_MODES),
            "render_fps": 1,
            "is_parallelizable": False,
        }
        self._batch = Batch(
            game, 1, count, seed=seed, autoreset=False, reward=reward, illegal=illegal, content=content, **options
        )
        self._first_seed = seed
        self.possible_agents = [f"player_{seat}" for seat in range(count)]
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        mask_box = spaces.Box(0, 1, (game.num_actions,), np.int8)
        self.observation_spaces = {
            agent: spaces.Dict({"observation": observation_box(game, obs), "action_mask": mask_box})
            for agent in self.possible_agents
        }
        self.action_spaces = {agent: spaces.Discrete(game.num_actions) for agent in self.possible_agents}
        self.state_space = spaces.Box(-np.inf, np.inf, self._batch.state().shape[1:], np.float32)
        self._no_mask = np.zeros(game.num_actions, np.int8)
        self._bind()

    # --- playing ---------------------------------------------------------------------------------------------------

    @alone
    def reset(self, seed: int | None = None, options: Mapping[str, Any] | None = None) -> None:
        """Deal a game. ``seed`` starts the stream anew, None goes on with it; ``options`` may hold the game's own."""
        refuse_keywords(options, AECEnv)
        self._batch.reset(seed=self._first_seed if seed is None else seed, options=options)
        self._first_seed = None
        self._over = bool(self._terminated[0] or self._truncated[0])
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._skip_agent_selection = None
        self.agent_selection = self.possible_agents[self._seat[0]]
        if self._over:
            self._pay()
            self._end()
        if self.render_mode == "human":
            self.render()

    def step(self, action: Any) -> None:
        """Play ``action`` for ``agent_selection``; None for an agent whose game is over.

        Raises:
            IllegalActionError: out of range or, with ``illegal="error"``, not in the mask; nothing has moved.
            TypeError: no integer, or None for a live agent.
            ValueError: an action for an agent whose game is over, or a step when all agents are gone.
        """
        agent = self.agent_selection
        lock = self._batch._lock
        if not lock.acquire(False):
            raise in_use()
        try:
            if self._over:
                self._step_after_end(action)
                return
            chosen = self._checked(action)
            self._cumulative_rewards[agent] = 0.0
            self._batch.step_one(chosen)
            self._over = bool(self._terminated[0] or self._truncated[0])
            if self._over or self._dense:
                self._pay()
            if self._over:
                self._end()
            else:
                self.agent_selection = self.possible_agents[self._seat[0]]
            if self.render_mode == "human":
                self.render()
        finally:
            lock.release()

    def _checked(self, action: Any) -> int:
        if action is None:
            raise TypeError(f"the action for {self.agent_selection} is None, but its game is not over")
        chosen = as_action(action, self.game.num_actions)
        if self._batch.illegal == "error" and not self._mask[chosen]:
            raise IllegalActionError(f"{self.agent_selection}: {self._batch.explain_illegal(0, chosen)}")
        return chosen

    def _step_after_end(self, action: Any) -> None:
        if not self.agents:
            raise ValueError("the game is over and all agents are gone: call reset() before the next step")
        if action is not None:
            raise ValueError(
                f"the game of {self.agent_selection} is over: its only valid action is None, got {action!r}"
            )
        self._was_dead_step(action)

    def _pay(self) -> None:
        for agent, reward in zip(self.agents, self._paid[0].tolist(), strict=False):
            self.rewards[agent] = reward
            self._cumulative_rewards[agent] += reward

    def _end(self) -> None:
        count = len(self.agents)
        scores = self._batch.scores[0, :count].tolist()
        ranks = self._batch.ranks[0, :count].tolist()
        winners = self._batch.winners[0, :count].tolist()
        for seat, agent in enumerate(self.agents):
            own = {"score": scores[seat], "rank": ranks[seat], "won": winners[seat] / max(sum(winners), 1)}
            own |= self.game.outcome_of(scores[seat], count)
            self.infos[agent] = own | {"scores": [*scores], "ranks": [*ranks], "winners": [*winners]}
            self.terminations[agent] = bool(self._terminated[0])
            self.truncations[agent] = bool(self._truncated[0])
        self._deads_step_first()

    # --- looking ---------------------------------------------------------------------------------------------------

    def last(self, observe: bool = True) -> tuple[dict[str, NDArray[Any]] | None, float, bool, bool, dict[str, Any]]:
        """Return what ``agent_selection`` sees (None unless ``observe``), its reward since its last action, whether its
        game is terminated or truncated, and its info."""
        agent = self.agent_selection
        if not self.agents:
            raise ValueError("the game is over and all agents are gone: call reset()")
        return (
            self.observe(agent) if observe else None,
            self._cumulative_rewards[agent],
            self.terminations[agent],
            self.truncations[agent],
            self.infos[agent],
        )

    def observe(self, agent: str) -> dict[str, NDArray[Any]]:
        """Return what ``agent`` sees: fresh arrays, never overwritten later."""
        self._refuse_before_reset()
        seat = self._seat_of(agent)
        if seat == self._seat[0]:
            return {"observation": encode(self.game, self._seen, self.obs), "action_mask": self._mask.astype(np.int8)}
        raw = self._batch.observe(seat)[0]
        return {"observation": encode(self.game, raw, self.obs), "action_mask": self._no_mask.copy()}

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        self._seat_of(agent)
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        self._seat_of(agent)
        return self.action_spaces[agent]

    def state(self) -> NDArray[np.float32]:
        """Return the full information, hidden cards included, for centralised critics; see ``Batch.state``."""
        self._refuse_before_reset()
        state: NDArray[np.float32] = self._batch.state()[0]
        return state

    def render(self) -> str | None:
        """Return (``"ansi"``) or print (``"human"``) the table, as ``render_seat`` sees it or as a whole."""
        self._refuse_before_reset()
        if self.render_mode is None:
            gymnasium.logger.warn(
                "render() needs a render_mode: pass render_mode='ansi' or 'human' when making the env"
            )
            return None
        picture = self._batch.describe(0, self.render_seat)
        if self.render_mode == "human":
            print(picture)
            return None
        return picture

    def close(self) -> None:
        """Do nothing: there is no window, no file and no process to close."""

    # --- within ----------------------------------------------------------------------------------------------------

    @property
    def _lock(self) -> threading.RLock:
        return self._batch._lock

    def __getattr__(self, name: str) -> Any:
        if name in _AFTER_RESET:
            raise AttributeError(f"{name!r} is not there yet: {_CALL_RESET}")
        raise AttributeError(f"{type(self).__name__} has no attribute {name!r}")

    def __str__(self) -> str:
        return self.game.id

    def _seat_of(self, agent: str) -> int:
        seat = self._seats.get(agent)
        if seat is None:
            raise ValueError(f"no agent {agent!r}; agents are {', '.join(self.possible_agents)}")
        return seat

    def _refuse_before_reset(self) -> None:
        if "agents" not in self.__dict__:
            raise AttributeError(f"the game is not dealt yet: {_CALL_RESET}")

    def _bind(self) -> None:
        """Keep views of the batch's buffers at hand: a step looks at them a dozen times."""
        batch = self._batch
        self._seat = batch.seat
        self._mask = batch.action_mask[0]
        self._seen = batch.observation[0]
        self._paid = batch.rewards
        self._terminated = batch.terminated
        self._truncated = batch.truncated
        self._dense = batch.reward in DENSE
        self._over = bool(batch.states["ended"][0] != 0)

    def __getstate__(self) -> dict[str, Any]:
        views = ("_seat", "_mask", "_seen", "_paid", "_terminated", "_truncated")
        return {name: value for name, value in self.__dict__.items() if name not in views}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._bind()
