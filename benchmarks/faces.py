"""The faces under measurement: the batch, the PettingZoo loop, the Stable-Baselines3 environment."""

from __future__ import annotations

import copy
import importlib
import math
from collections.abc import Callable, Mapping
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.windows import Case, Window, time_call
from tablezoo import Batch, Game

FACES = ("batch", "aec", "sb3")

#: Environments in the Stable-Baselines3 row that is always measured.
SB3_ENVS = 256

#: The share of a window's length spent on each side measurement (floor, copies).
_ASIDE = 0.1

_PREPARED_MASKS = 2000


def make_cases(
    game: Game,
    faces: list[str],
    players: list[int],
    games: list[int],
    threads: list[int],
    seed: int,
    options: Mapping[str, Any] | None = None,
) -> list[Case]:
    """Return the configurations to measure, face by face; ``options`` are the game's."""
    given = dict(options or {})
    cases: list[Case] = []
    for face in faces:
        for count in players:
            if face == "aec":
                cases.append(AecCase(game, count, seed, given))
                continue
            sizes = games if face == "batch" else sorted({SB3_ENVS, *games})
            make = BatchCase if face == "batch" else SeatCase
            cases.extend(make(game, count, size, workers, seed, given) for size in sizes for workers in threads)
    return cases


class BatchCase:
    """Random legal play through :meth:`Batch.step` with autoreset."""

    face = "batch"
    choice_included = False

    def __init__(
        self, game: Game, players: int, games: int, threads: int, seed: int, options: Mapping[str, Any]
    ) -> None:
        self.players, self.games, self.threads = players, games, threads
        self.batch = Batch(game, games, players, seed=seed, threads=threads, **options)
        self.rng = np.random.default_rng(seed)
        self.floor = Floor(self.batch)
        self.records = self.batch.states.copy()
        self._play(100)

    def measure(self, seconds: float) -> Window:
        self._play(2)
        steps, step_s, choose_s = self._play_for(seconds)
        aside = _ASIDE * seconds
        decisions = steps * self.games
        return Window(
            decisions,
            step_ns=1e9 * step_s / decisions,
            choose_ns=1e9 * choose_s / decisions,
            floor_ns=1e9 * time_call(self.floor.write, aside) / self.games,
            clone_us=1e6 * time_call(self.batch.clone, aside) / self.games,
            clone_one_us=1e6 * time_call(lambda: self.batch.clone([0]), aside),
            record_us=1e6 * time_call(self._copy_records, aside) / self.games,
        )

    def _play(self, steps: int) -> None:
        for _ in range(steps):
            self.batch.step(self.batch.random_actions(self.rng))

    def _play_for(self, seconds: float) -> tuple[int, float, float]:
        """Return the number of steps, the time spent in them, and the time spent choosing."""
        batch, rng = self.batch, self.rng
        steps, step_s, choose_s = 0, 0.0, 0.0
        while step_s + choose_s < seconds:
            before = perf_counter()
            actions = batch.random_actions(rng)
            chosen = perf_counter()
            batch.step(actions)
            stepped = perf_counter()
            choose_s += chosen - before
            step_s += stepped - chosen
            steps += 1
        return steps, step_s, choose_s

    def _copy_records(self) -> None:
        self.records[...] = self.batch.states


class Floor:
    """The memory floor: what NumPy needs to write a step's outputs, and nothing else.

    The outputs are those of every step: observation, mask, seat, rewards, terminated, truncated. Each takes
    one ``np.copyto`` from an array that stands ready to another of the same shape and dtype, on one thread.
    """

    def __init__(self, batch: Batch) -> None:
        outputs: list[NDArray[Any]] = [batch.observation, batch.action_mask, batch.seat, batch.rewards]
        outputs += [batch.terminated, batch.truncated]
        self._pairs = [(np.zeros_like(output), output.copy()) for output in outputs]

    def write(self) -> None:
        for target, source in self._pairs:
            np.copyto(target, source)


class AecCase:
    """PettingZoo's documented loop: whole episodes with resets, last() and the steps of the dead."""

    face = "aec"
    choice_included = True
    games = 1
    threads = 1

    def __init__(self, game: Game, players: int, seed: int, options: Mapping[str, Any]) -> None:
        self.players = players
        self.env = importlib.import_module(game.ref.partition(":")[0]).env(num_players=players, **options)
        self.env.reset(seed=seed)
        self.rng = np.random.default_rng(seed)
        self.masks: list[NDArray[np.int8]] = []
        while len(self.masks) < _PREPARED_MASKS:
            self._play_episode(self.masks)

    def measure(self, seconds: float) -> Window:
        decisions, started = 0, perf_counter()
        while (elapsed := perf_counter() - started) < seconds:
            decisions += self._play_episode()
        aside = _ASIDE * seconds
        choose_s = time_call(self._choose_all, aside) / len(self.masks)
        return Window(
            decisions,
            step_ns=1e9 * (elapsed / decisions - choose_s),
            choose_ns=1e9 * choose_s,
            clone_us=1e6 * time_call(lambda: copy.deepcopy(self.env), aside),
        )

    def _play_episode(self, masks: list[NDArray[np.int8]] | None = None) -> int:
        """Play a game and return its number of decisions; note their masks if a list is given."""
        env, rng, decisions = self.env, self.rng, 0
        env.reset()
        for _agent in env.agent_iter():
            observation, _reward, terminated, truncated, _info = env.last()
            if terminated or truncated:
                env.step(None)
                continue
            mask = observation["action_mask"]
            legal = mask.nonzero()[0]
            env.step(legal[int(rng.random() * len(legal))])
            decisions += 1
            if masks is not None:
                masks.append(mask)
        env.reset()
        return decisions

    def _choose_all(self) -> None:
        rng = self.rng
        for mask in self.masks:
            legal = mask.nonzero()[0]
            legal[int(rng.random() * len(legal))]


class SeatCase:
    """Learner steps of :class:`tablezoo.sb3.SeatVecEnv` against random opponents, without a network.

    A step is ``env.step`` and the masks that MaskablePPO asks for before it.
    """

    face = "sb3"
    choice_included = False

    def __init__(
        self, game: Game, players: int, games: int, threads: int, seed: int, options: Mapping[str, Any]
    ) -> None:
        from tablezoo.sb3 import SeatVecEnv  # brings in torch: only where it is measured

        self.players, self.games, self.threads = players, games, threads
        self.env = SeatVecEnv(
            game, num_envs=games, num_players=players, opponents="random", seed=seed, threads=threads, **options
        )
        self.env.reset()
        self.rng = np.random.default_rng(seed)
        self._play_for(steps=20)

    def measure(self, seconds: float) -> Window:
        self._play_for(steps=2)
        steps, step_s, choose_s = self._play_for(seconds)
        decisions = steps * self.games
        return Window(decisions, step_ns=1e9 * step_s / decisions, choose_ns=1e9 * choose_s / decisions)

    def _play_for(self, seconds: float = math.inf, steps: float = math.inf) -> tuple[int, float, float]:
        """Return the number of steps, the time spent in them, and the time spent choosing."""
        played, step_s, choose_s = 0, 0.0, 0.0
        while played < steps and step_s + choose_s < seconds:
            before = perf_counter()
            masks: Any = self.env.env_method("action_masks")
            read = perf_counter()
            actions = draw_legal(masks, self.rng)
            chosen = perf_counter()
            self.env.step(actions)
            stepped = perf_counter()
            choose_s += chosen - read
            step_s += stepped - chosen + read - before
            played += 1
        return played, step_s, choose_s


def draw_legal(masks: NDArray[np.bool_], rng: np.random.Generator) -> NDArray[np.int64]:
    """Return (n,) actions, each uniform over the legal ones of its row of ``masks`` (n, actions)."""
    rows, legal = masks.nonzero()
    counts = np.bincount(rows, minlength=len(masks))
    drawn = (rng.random(len(masks)) * counts).astype(np.int64)
    actions: NDArray[np.int64] = legal[np.cumsum(counts) - counts + drawn]
    return actions


def make_first_step(game: Game, face: str, players: int) -> Callable[[], None]:
    """Import what a face needs; return the call that makes it, deals, and plays one step."""
    rng = np.random.default_rng(0)
    if face == "batch":

        def first_step() -> None:
            batch = Batch(game, 64, players, seed=0)
            batch.step(batch.random_actions(rng))
    elif face == "aec":
        module = importlib.import_module(game.ref.partition(":")[0])

        def first_step() -> None:
            env = module.env(num_players=players)
            env.reset(seed=0)
            env.step(env.last()[0]["action_mask"].nonzero()[0][0])
    else:
        from tablezoo.sb3 import SeatVecEnv

        def first_step() -> None:
            env = SeatVecEnv(game, num_envs=64, num_players=players, opponents="random", seed=0)
            env.reset()
            masks: Any = env.env_method("action_masks")
            env.step(draw_legal(masks, rng))

    return first_step
