"""A learner trained against the clock: MaskablePPO on one of two environments of the same game."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.vec_env import DummyVecEnv, VecEnv

from agents.evaluate import versus
from agents.policies.sb3_policy import SB3Policy
from benchmarks.games.connect_four import CONNECT_FOUR, OBSERVATION_LAYOUT
from benchmarks.usual_path import OneSeat
from tablezoo.policies import Views
from tablezoo.sb3 import SeatVecEnv

#: Decisions in a rollout, the same on both paths.
ROLLOUT = 16_384

#: The layers of the networks for policy and value; SB3's default.
NETWORK = [64, 64]

#: The win rate to reach against random play, a draw being half a win.
TARGET = 0.80


@dataclass(frozen=True)
class Updates:
    """What is done with a rollout; all else is SB3's default."""

    batch_size: int
    n_epochs: int

    def __str__(self) -> str:
        return f"{self.batch_size}/{self.n_epochs}"


@dataclass(frozen=True)
class TrainingPath:
    """A way from the game to the learner.

    Attributes:
        title: how tables call it.
        num_envs: environments that are stepped at once; together they fill a rollout.
        make_env: makes them; SB3 seeds them.
        make_policy: makes of a model what plays on tablezoo's Connect Four.
    """

    title: str
    num_envs: int
    make_env: Callable[[], VecEnv]
    make_policy: Callable[[MaskablePPO], SB3Policy]


class UsualPolicy(SB3Policy):
    """A model that learned from PettingZoo's observations: it is shown tablezoo's in that order."""

    def shown(self, views: Views) -> NDArray[np.float32]:
        return as_pettingzoo(views.observation).astype(np.float32)


def as_pettingzoo(observation: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return (m, 84) observations as PettingZoo has them, flat: for each cell the own disc, then the other's."""
    planes = [OBSERVATION_LAYOUT.view(observation, part) for part in ("own", "other")]
    return np.stack(planes, axis=-1).reshape(len(observation), -1)


def _make_batch() -> VecEnv:
    return SeatVecEnv(CONNECT_FOUR, TABLEZOO.num_envs, 2, "random", reward="zero_sum")


def _make_usual() -> VecEnv:
    return DummyVecEnv([OneSeat] * USUAL.num_envs)


TABLEZOO = TrainingPath("SeatVecEnv", 512, _make_batch, SB3Policy)
USUAL = TrainingPath("PettingZoo", 8, _make_usual, UsualPolicy)
PATHS = (TABLEZOO, USUAL)


@dataclass
class Learned:
    """What one run came to.

    Attributes:
        seconds: in collecting and updating, without evaluations; ``rollout_seconds`` in collecting alone.
        curve: after each rollout the steps, the seconds and the win rate.
    """

    path: TrainingPath
    updates: Updates
    seed: int
    steps: int = 0
    seconds: float = 0.0
    rollout_seconds: float = 0.0
    curve: list[tuple[int, float, float]] = field(default_factory=list)

    @property
    def frames_per_s(self) -> float:
        return self.steps / self.seconds

    @property
    def rollout_frames_per_s(self) -> float:
        return self.steps / self.rollout_seconds

    @property
    def win_rate(self) -> float:
        """The last evaluation's."""
        return self.curve[-1][2]

    @property
    def seconds_to_target(self) -> float | None:
        """Seconds until an evaluation showed TARGET; None if none did."""
        return next((seconds for _, seconds, rate in self.curve if rate >= TARGET), None)

    @property
    def steps_to_target(self) -> int | None:
        return next((steps for steps, _, rate in self.curve if rate >= TARGET), None)

    def to_json(self) -> dict[str, Any]:
        """Return all figures under plain names."""
        return {
            "path": self.path.title,
            "batch_size": self.updates.batch_size,
            "n_epochs": self.updates.n_epochs,
            "seed": self.seed,
            "steps": self.steps,
            "seconds": self.seconds,
            "frames_per_s": self.frames_per_s,
            "rollout_frames_per_s": self.rollout_frames_per_s,
            "seconds_to_target": self.seconds_to_target,
            "steps_to_target": self.steps_to_target,
            "win_rate": self.win_rate,
            "curve": self.curve,
        }


class RolloutClock(BaseCallback):
    """Adds up the seconds that collecting takes."""

    def __init__(self) -> None:
        super().__init__()
        self.seconds = 0.0

    def _on_rollout_start(self) -> None:
        self._started = perf_counter()

    def _on_step(self) -> bool:
        return True

    def _on_rollout_end(self) -> None:
        self.seconds += perf_counter() - self._started


def learn(
    path: TrainingPath, updates: Updates, seed: int, steps: int, deals: int, report: Callable[[Learned], None]
) -> Learned:
    """Train from nothing for whole rollouts of at least ``steps`` decisions; evaluate after each, off the clock.

    Args:
        seed: of the network, the games and the evaluations.
        deals: games an evaluation, each seat's.
        report: is shown the run after each rollout.
    """
    env = path.make_env()
    model = make_model(env, updates, seed)
    run, clock = Learned(path, updates, seed), RolloutClock()
    while run.steps < steps:
        started = perf_counter()
        model.learn(ROLLOUT, callback=clock, reset_num_timesteps=False)
        run.seconds += perf_counter() - started
        run.rollout_seconds = clock.seconds
        run.steps = model.num_timesteps
        run.curve.append((run.steps, run.seconds, win_rate(path.make_policy(model), deals, seed)))
        report(run)
    env.close()
    return run


def make_model(env: VecEnv, updates: Updates, seed: int) -> MaskablePPO:
    """Return a fresh model, as SB3 makes it but for rollouts and updates; the environment is seeded too."""
    return MaskablePPO(
        "MlpPolicy", env, n_steps=ROLLOUT // env.num_envs, batch_size=updates.batch_size,
        n_epochs=updates.n_epochs, policy_kwargs={"net_arch": NETWORK}, seed=seed, device="cpu",
    )  # fmt: skip


def win_rate(policy: SB3Policy, deals: int, seed: int) -> float:
    """Return what a policy wins against random play on tablezoo's batch, each seat in half of the games."""
    return versus(CONNECT_FOUR, policy, "random", players=2, deals=deals, seed=seed).win_rate()[0]
