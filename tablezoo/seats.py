"""One seat against others: the core of the Gymnasium and Stable-Baselines3 faces, without a Python loop over games."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import gymnasium
import numpy as np
from numpy.typing import ArrayLike, NDArray

from tablezoo.actions import as_actions
from tablezoo.alone import alone
from tablezoo.batch import Batch
from tablezoo.content import ContentSource
from tablezoo.errors import IllegalActionError
from tablezoo.game import Game
from tablezoo.keywords import one_of, refuse_keywords
from tablezoo.options import integer
from tablezoo.policies import EXTERNAL, GREEDY, RANDOM, GreedyPolicy, Policy, Pool, RandomPolicy, Views, policy_maker
from tablezoo.rewards import DENSE
from tablezoo.rng import OPPONENTS, fresh_seed, seed_lanes
from tablezoo.spaces import OBSERVATIONS, encode

#: What ``opponents=`` takes: a name, a policy or a Pool for all other seats, or a sequence of these, one a seat.
Opponents = str | Policy | Pool | Sequence[Any]

#: The policies that a seat may get, as indices, and their weights, cumulated.
_Choice = tuple[list[int], NDArray[np.float64]]

_EXTERNAL_ONLY = -1

#: So many games in a row may end before the learner is asked; then it is taken for a game that never asks it.
_SKIPPED_IN_A_ROW = 1000


@dataclass(frozen=True)
class Step:
    """What one step brought to the learner, a row a lane.

    Attributes:
        rewards: (n,) float32, what its seat got, on its own move and on the others' that followed; with the first step
            of a game also what it got before it was asked.
        terminated, truncated: (n,) bool.
        ended: (k,) lanes where a game ended; the rest has a row for each of these:
        final_observation: (k, observation_size), the learner's last view.
        seat: (k,) int8; scores: (k, P) int32; ranks: (k, P) int8; winners: (k, P) bool.
        won: (k,) float32, the learner's share of the win.
        line_up: (k, P) int16, who sat in each seat, as an index of :attr:`SeatGames.policies`; -1 for the learner and
            for seats that nobody has.
    """

    rewards: NDArray[np.float32]
    terminated: NDArray[np.bool_]
    truncated: NDArray[np.bool_]
    ended: NDArray[np.int64]
    final_observation: NDArray[Any]
    seat: NDArray[np.int8]
    scores: NDArray[np.int32]
    ranks: NDArray[np.int8]
    winners: NDArray[np.bool_]
    won: NDArray[np.float32]
    line_up: NDArray[np.int16]


class SeatGames:
    """N games, each with a learner in one seat; the other seats are played inside :meth:`step`.

    Lane i plays exactly what lane 0 does with ``seed + i``. All that is drawn for opponents, seats and pools comes from
    a second stream a lane.

    Args:
        game, num_games, num_players, seed, threads, reward, illegal, content, **options: as in :class:`Batch`.
        opponents: ``"random"``, ``"greedy"``, another name as in :func:`tablezoo.policies.make_policy`, a policy, a
            :class:`Pool` of which one is drawn for each seat and episode, or a sequence of these for the seats
            clockwise from the learner's.
        seat: the learner's; None draws it for each episode.
        obs: ``"float"`` for float32 in [0, 1], ``"raw"`` for uint8.

    Attributes:
        batch: the games; only its views are for reading.
        seat: (N,) int8, the learner's seats.
        skipped: how many games, since seeds were set, ended before the learner was asked, and were dealt again.
        policies: whom ``opponents`` names, and who else still plays a game.
    """

    def __init__(
        self,
        game: Game,
        num_games: int,
        num_players: int | Sequence[int] | None = None,
        *,
        opponents: Opponents = "random",
        seat: int | None = None,
        seed: int | None = None,
        threads: int = 1,
        reward: str | None = None,
        illegal: str = "error",
        content: ContentSource | Sequence[ContentSource] = None,
        obs: str = "float",
        **options: Any,
    ) -> None:
        self.game = game
        self.obs = one_of("obs", obs, OBSERVATIONS)
        self.batch = Batch(
            game, num_games, num_players, seed=0, threads=threads, autoreset=False,
            reward=reward, illegal=illegal, content=content, **options,
        )  # fmt: skip
        fewest = int(self.batch.num_players.min())
        try:
            self._fixed_seat = None if seat is None else integer(seat, 0, fewest - 1)
        except (TypeError, ValueError) as error:
            raise type(error)(f"seat: {error}, as there are {fewest} players; None draws it for each episode") from None
        self.policies, self._choices = self._parse(opponents)
        self._set_codes()
        self._all = np.arange(num_games)
        self.seat: NDArray[np.int8] = np.zeros(num_games, np.int8)
        self._codes = np.zeros((num_games, game.max_players), np.int8)
        self._policy_of = np.full((num_games, game.max_players), _EXTERNAL_ONLY, np.int16)
        self.skipped = 0
        self._dense = self.batch.reward in DENSE
        self._owed = np.zeros(num_games, np.float32)  # what learners got before they were first asked
        self._streams = np.zeros((num_games, 2), np.uint64)
        self._unfinished: str | None = None
        self._first_seed: int | None = None
        self.reset(seed=fresh_seed() if seed is None else seed)
        self._first_seed = seed

    # --- playing ---------------------------------------------------------------------------------------------------

    @alone
    def reset(self, seed: int | Sequence[int | None] | None = None, options: Mapping[str, Any] | None = None) -> None:
        """Deal all games; ``seed`` starts both streams of each lane anew: an int, or one (or None) a lane.

        Without one, the constructor's holds for the first reset; later ones go on with the streams.
        """
        refuse_keywords(options, SeatGames)
        seed = self._first_seed if seed is None else seed
        self.batch.reset(seed=seed, options=options)
        self._first_seed = None
        if seed is not None:
            self.skipped = 0
            streams, seeded = seed_lanes(seed, self.batch.num_games, OPPONENTS)
            self._streams[seeded] = streams[seeded]
        with self._to_the_end("reset"):
            self._seat_players(self._all)

    @alone
    def step(self, actions: ArrayLike, autoreset: bool = True) -> Step:
        """Play the learner's actions and the others' up to its next decision.

        Args:
            actions: (N,) integers; those of finished games are ignored.
            autoreset: whether lanes that ended are dealt their next game at once.

        Raises:
            TypeError, IllegalActionError: as ``Batch.step``.
            gymnasium.error.ResetNeeded: an opponent failed in the last step, or in the last reset.
        """
        self.refuse_unfinished()
        batch = self.batch
        batch.advance(self._codes, self._streams, None, as_actions(actions, batch.num_games), self._determinizations)
        self._first_seed = None
        with self._to_the_end("step"):
            rewards = batch.rewards[self._all, self.seat]
            if self._dense:
                rewards += self._owed
                self._owed[:] = 0
            if self._has_python_policies:
                self._play_others(self._all, rewards)
            terminated = batch.terminated.copy()
            truncated = batch.truncated.copy()
            step = self._ends(rewards, terminated, truncated)
            if autoreset and step.ended.size:
                batch.reset(games=step.ended)
                self._seat_players(step.ended)
        return step

    @alone
    def set_opponents(self, opponents: Opponents) -> None:
        """Take other opponents, as the constructor does, from each lane's next deal on; who plays a game, ends it.

        Raises:
            ValueError, TypeError: opponents that cannot be; the old ones stay.
        """
        before = self.policies
        self.policies, self._choices = self._parse(opponents)
        renumbered = np.full(len(before) + 1, _EXTERNAL_ONLY, np.int16)  # the last is that of index -1
        for index in np.unique(self._policy_of[self._policy_of >= 0]):
            renumbered[index] = _index_of(before[index], self.policies)
        self._policy_of = renumbered[self._policy_of]
        self._set_codes()
        self._codes[...] = self._code[self._policy_of]

    def told_of(self, step: Step, row: int) -> dict[str, Any]:
        """Return what there is to tell of the game of a row of ``step.ended`` that is no array.

        ``opponents``, their names, clockwise from the learner; and what the game itself tells of the learner's score.
        """
        players, seat = int(self.batch.num_players[step.ended[row]]), int(step.seat[row])
        others = (seat + np.arange(1, players)) % players
        names = [self.policies[index].name for index in step.line_up[row, others]]
        return {"opponents": names, **self.game.outcome_of(int(step.scores[row, seat]), players)}

    def refuse_unfinished(self) -> None:
        """Raise ResetNeeded where the last step, or the last reset, stopped on the way: others may be asked then."""
        if self._unfinished is not None:
            raise gymnasium.error.ResetNeeded(f"{self._unfinished}; call reset()")

    def observations(self) -> NDArray[Any]:
        """Return (N, observation_size), what each learner sees: a fresh array; zeros where the game is over."""
        return encode(self.game, self.batch.observation, self.obs)

    # --- within ----------------------------------------------------------------------------------------------------

    @contextmanager
    def _to_the_end(self, what: str) -> Iterator[None]:
        """Note where what is played within does not come to its end, since a policy raises, say, or by Ctrl-C."""
        self._unfinished = f"the last {what} was interrupted"
        try:
            yield
        except Exception:
            self._unfinished = f"an opponent failed in the last {what}"
            raise
        self._unfinished = None

    @property
    def _lock(self) -> threading.RLock:
        return self.batch._lock

    def _parse(self, opponents: Opponents) -> tuple[list[Policy], list[_Choice]]:
        """Return the policies that opponents name, and for each relative seat of which of them it gets one."""
        others = self.game.max_players - 1
        if isinstance(opponents, Sequence) and not isinstance(opponents, str):
            needed = int(self.batch.num_players.max()) - 1
            if len(opponents) != needed:
                raise ValueError(f"opponents lists {len(opponents)}; expected {needed}, one for each other seat")
            given = [*opponents, *[opponents[-1]] * (others - needed)] if needed else []
        else:
            given = [opponents] * others
        make = policy_maker(self.game)
        policies: list[Policy] = []
        choices: list[_Choice] = []
        for spec in given:
            members = list(spec.policies) if isinstance(spec, Pool) else [spec]
            weights = list(spec.weights) if isinstance(spec, Pool) and spec.weights else [1.0] * len(members)
            indices = [_index_of(make(member), policies) for member in members]
            cumulated = np.cumsum(weights)
            choices.append((indices, cumulated / cumulated[-1]))
        return policies, choices

    def _set_codes(self) -> None:
        """Note how each policy is played: all but the usual ones act in Python."""
        greedy = {policy.determinizations for policy in self.policies if isinstance(policy, GreedyPolicy)}
        self._determinizations = next(iter(greedy)) if len(greedy) == 1 else 0
        codes = [self._code_of(policy) for policy in self.policies]
        self._code = np.array([*codes, EXTERNAL], np.int8)
        self._has_python_policies = EXTERNAL in codes

    def _code_of(self, policy: Policy) -> int:
        """Return how the compiled loop plays a policy; EXTERNAL for those that act in Python."""
        if type(policy) is RandomPolicy:
            return RANDOM
        if type(policy) is GreedyPolicy and self._determinizations:
            return GREEDY
        return EXTERNAL

    def _seat_players(self, lanes: NDArray[np.int64]) -> None:
        """Draw seats and opponents for freshly dealt lanes and play on to the learners' first decisions."""
        for _ in range(_SKIPPED_IN_A_ROW):
            self._draw_seats(lanes)
            self.batch.advance(self._codes, self._streams, lanes, None, self._determinizations)
            self._owed[lanes] = self.batch.rewards[lanes, self.seat[lanes]]
            if self._has_python_policies:
                self._play_others(lanes, self._owed)
            lanes = lanes[self.batch.seat[lanes] < 0]
            if not lanes.size:
                return
            self.skipped += lanes.size
            self.batch.reset(games=lanes)
        raise RuntimeError(f"{_SKIPPED_IN_A_ROW} games in a row ended before the learner was asked, in lane {lanes[0]}")

    def _draw_seats(self, lanes: NDArray[np.int64]) -> None:
        players = self.batch.num_players[lanes]
        if self._fixed_seat is None:
            self.seat[lanes] = np.minimum(
                (self.batch._uniforms(lanes, self._streams) * players).astype(np.int8), players - 1
            )
        else:
            self.seat[lanes] = self._fixed_seat
        self._policy_of[lanes] = _EXTERNAL_ONLY
        for steps, (indices, cumulated) in enumerate(self._choices, start=1):
            there = players > steps
            seats = (self.seat[lanes] + steps) % players
            chosen = np.full(lanes.size, indices[0], np.int16)
            if len(indices) > 1:
                chosen = np.array(indices, np.int16)[
                    np.searchsorted(cumulated, self.batch._uniforms(lanes, self._streams), side="right")
                ]
            self._policy_of[lanes[there], seats[there]] = chosen[there]
        self._codes[lanes] = self._code[self._policy_of[lanes]]

    def _play_others(self, lanes: NDArray[np.int64], rewards: NDArray[np.float32]) -> None:
        """Let policies that act in Python move, each on all its lanes at once, until only learners are asked."""
        batch = self.batch
        while True:
            asked = batch.seat[lanes]
            waiting = lanes[(asked >= 0) & (asked != self.seat[lanes])]
            if not waiting.size:
                return
            actions = np.empty(waiting.size, np.int64)
            whose = self._policy_of[waiting, batch.seat[waiting]]
            for index in np.unique(whose):
                mine = whose == index
                actions[mine] = self._chosen_by(self.policies[index], waiting[mine])
            batch.advance(self._codes, self._streams, waiting, actions, self._determinizations)
            rewards[waiting] += batch.rewards[waiting, self.seat[waiting]]

    def _chosen_by(self, policy: Policy, lanes: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return what a policy chooses in ``lanes``; one that is no legal action raises with the policy's name."""
        given = policy.act(Views(self.batch, lanes, self._streams))
        try:
            actions = as_actions(given, lanes.size)
            self.batch._check_legal(lanes, actions)
        except (TypeError, IllegalActionError) as error:
            raise type(error)(f"opponent {policy.name!r}: {error}") from None
        return actions

    def _ends(self, rewards: NDArray[np.float32], terminated: NDArray[np.bool_], truncated: NDArray[np.bool_]) -> Step:
        batch = self.batch
        ended = np.flatnonzero(terminated | truncated)
        seat = self.seat[ended]
        winners = batch.winners[ended]
        shares = np.maximum(winners.sum(axis=1), 1)
        return Step(
            rewards,
            terminated,
            truncated,
            ended,
            encode(self.game, batch.observe(seat, ended), self.obs) if ended.size else self._no_observation(),
            seat,
            batch.scores[ended],
            batch.ranks[ended],
            winners,
            (winners[np.arange(ended.size), seat] / shares).astype(np.float32),
            self._policy_of[ended],
        )

    def _no_observation(self) -> NDArray[Any]:
        return encode(self.game, np.zeros((0, self.game.observation_size), np.uint8), self.obs)


def _index_of(policy: Policy, policies: list[Policy]) -> int:
    """Return a policy's place among others; one that is not there yet is put behind them."""
    for index, known in enumerate(policies):
        if known is policy or (isinstance(policy, (RandomPolicy, GreedyPolicy)) and known == policy):
            return index
    policies.append(policy)
    return len(policies) - 1
