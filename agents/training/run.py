"""A training run and its folder: MaskablePPO on ``SeatVecEnv``, checkpoints, evaluations, a resume."""

from __future__ import annotations

import json
import shlex
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import torch
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.logger import configure
from stable_baselines3.common.vec_env import VecEnv, VecMonitor
from tqdm import tqdm

from tablezoo.game import Game
from tablezoo.registration import find_game
from tablezoo.sb3 import SeatVecEnv

from ..checkpoints import (
    CURVE,
    METRICS,
    SETTINGS,
    CheckpointError,
    append_row,
    checkpoint_in,
    has_checkpoint,
    load_model,
    read_latest,
    read_metrics,
    save_checkpoint,
)
from ..command_line import PACKAGE
from ..evaluate import EVALUATION_SEEDS
from ..files import write_json, write_whole
from ..lock import FolderLock
from ..opponents import parse_opponents
from ..players import span_of, told_players
from ..policies.sb3_policy import SB3Policy
from ..settings import Settings
from .curve import draw_curve
from .measuring import measure, told_exploit
from .networks import MaskedPolicy, ScaledRewards
from .past import compare
from .self_play import SelfPlay
from .starting import begin_from


class Run:
    """One training run and its folder."""

    def __init__(self, settings: Settings, folder: Path) -> None:
        self.settings = settings
        self.folder = folder
        self.game: Game = find_game(settings.game)
        self.lock = FolderLock(folder)
        self.self_play = SelfPlay(settings, folder, self.game) if settings.plays_itself else None
        self.metrics: list[dict[str, Any]] = []

    def start(self, replace_demo: bool = False) -> MaskablePPO:
        """Return a fresh model; the folder is made and the settings are written."""
        model = self._fresh_model()
        if replace_demo and self.folder.exists():
            move_away(self.folder)
        self.folder.mkdir(parents=True)
        self.lock.take()
        write_json(self.folder / SETTINGS, self.settings.to_json())
        return model

    def resume(self) -> MaskablePPO:
        """Return the newest checkpoint's model, to go on from; games are dealt anew, from seeds not used before.

        A run that has no checkpoint yet starts over.
        """
        self.lock.take()
        rows, torn = read_metrics(self.folder / METRICS)
        s = self.settings
        if has_checkpoint(self.folder):
            steps = read_latest(self.folder).steps
            if self.self_play is not None:
                self.self_play.restore(steps)
            # With the seed that the checkpoint holds, SB3 would draw what it drew at the start once more.
            model = load_model(
                self.folder, self.game, self._env(steps), device=s.device, seed=seed_of(s.seed, 1, steps) % 2**32
            )
            print(f"resumed from step {steps:,}, checkpoint {checkpoint_in(self.folder)}")
            model.lr_schedule = model.learning_rate = _schedule(s.lr, s.lr_end)
        else:
            steps = 0
            if self.self_play is not None:
                self.self_play.forget(steps)
            model = self._fresh_model()
            print(f"{self.folder} holds no checkpoint yet: the run starts over with its settings")
        if torn:
            print(f"{self.folder / METRICS}: the last line was torn and is dropped")
        kept = [row for row in rows if row["steps"] <= steps]
        if rows or torn:
            write_whole(self.folder / METRICS, "".join(f"{json.dumps(row)}\n" for row in kept))
        self.metrics = list({row["steps"]: row for row in kept}.values())  # the last of each step counts
        write_json(self.folder / SETTINGS, s.to_json())  # where --steps was raised, the next resume knows
        return model

    def train(self, model: MaskablePPO) -> None:
        """Train what is left of the steps, evaluate, and say what there is now. Ctrl-C saves and stops."""
        if self._is_finished(model):
            print(f"nothing left to train: {model.num_timesteps:,} steps are done and evaluated; "
                  f"to go on: {self._command('--steps', 'MORE', '--resume')}")  # fmt: skip
            self._look_back()  # which a kill may have prevented
            self._say_what_next()
            return
        model.set_logger(configure(str(self.folder / "tensorboard"), ["tensorboard"]))
        left = self.settings.steps - model.num_timesteps
        started = time.perf_counter()
        first = model.num_timesteps
        try:
            if left > 0:
                model.learn(left, callback=Watch(self), reset_num_timesteps=False)
            self.save(model)
            seconds = time.perf_counter() - started
            if left > 0:
                frames = (model.num_timesteps - first) / seconds
                print(f"trained {model.num_timesteps - first:,} steps in {seconds:.0f} s, evaluations in between "
                      f"included: {frames:,.0f} steps a second")  # fmt: skip
            self.evaluate(model, self.settings.final_deals, final=True)
            self._look_back()
        except KeyboardInterrupt:
            path = self.save(model)
            print(f"\nstopped at {model.num_timesteps:,} steps; saved {path}\nresume: {self._command('--resume')}")
            raise
        self._say_what_next()

    def save(self, model: MaskablePPO) -> Path:
        """Write a checkpoint, and with it what else a resume needs; return its path."""
        if self.self_play is not None:
            self.self_play.save()
        return save_checkpoint(self.folder, model, self.game, self.settings.players)

    def _is_finished(self, model: MaskablePPO) -> bool:
        """Return whether all steps are trained and the last evaluation is there."""
        steps, s = model.num_timesteps, self.settings
        last = [row for row in self.metrics if row["steps"] == steps and row.get("deals") == s.final_deals]
        return steps >= s.steps and bool(last)

    def evaluate(self, model: MaskablePPO, deals: int, final: bool = False) -> None:
        """Measure the policy, note what was found and redraw the curve."""
        s = self.settings
        measured = measure(s, self.game, SB3Policy(model, "learner"), deals, seed_of(s.seed, 2 if final else 3))
        row = {"steps": int(model.num_timesteps), "deals": deals, measured.kind: measured.figures}
        self.metrics = [old for old in self.metrics if old["steps"] != row["steps"]] + [row]
        append_row(self.folder / METRICS, row)
        for name, (value, _) in measured.figures.items():
            model.logger.record(f"evaluation/{measured.kind.removesuffix('s')}_{name}", value)
        model.logger.dump(model.num_timesteps)
        draw_curve(self.metrics, self.folder / CURVE, self._title(), s.players)
        tqdm.write(f"{model.num_timesteps:>12,} steps   {measured.words}")
        if final and s.exploit:
            print("\n".join(told_exploit(s, measured)))

    def _look_back(self) -> None:
        """Compare the snapshots of a run against itself."""
        if self.self_play is None:
            return
        games = self.settings.players[0] * self.settings.eval_deals
        try:
            told = compare(self.settings, self.folder, self.game, self.self_play.files(), games)
        except CheckpointError as error:
            told = [f"the snapshots are not compared: {error}"]
        print("\n".join(told))

    def _title(self) -> str:
        s = self.settings
        return f"{self.game.title}, {who_plays(s)}, MaskablePPO"

    def _fresh_model(self) -> MaskablePPO:
        s = self.settings
        policy, shape = policy_of(s)
        model = MaskablePPO(
            policy, self._env(0), learning_rate=_schedule(s.lr, s.lr_end), n_steps=s.n_steps,
            batch_size=s.batch_size, n_epochs=s.n_epochs, gamma=s.gamma, gae_lambda=s.gae_lambda, ent_coef=s.ent_coef,
            clip_range=s.clip_range, policy_kwargs=shape,
            seed=seed_of(s.seed, 1) % 2**32, device=s.device,
        )  # fmt: skip
        if s.start:
            begin_from(model, s.start, self.game)
        return model

    def _env(self, steps: int) -> VecEnv:
        s = self.settings
        opponents = self.self_play.pool() if self.self_play else parse_opponents(s.opponent, self.game, max(s.players))
        seed = seed_of(s.seed, 0, steps) % EVALUATION_SEEDS
        counts = [s.players[lane % len(s.players)] for lane in range(s.envs)]
        env = SeatVecEnv(
            self.game, s.envs, counts, opponents, seed=seed, threads=s.threads, reward=s.reward,
            **s.dealt,
        )  # fmt: skip
        self.games = env.games
        return ScaledRewards(VecMonitor(env), s.reward_scale, s.win_bonus)

    def _command(self, *words: str) -> str:
        return " ".join(["python -m", f"{PACKAGE}.train", *words, str(self.folder)])

    def _say_what_next(self) -> None:
        s = self.settings
        name, players, most = s.game, span_of(s.players), max(s.players)
        folder = shlex.quote(str(self.folder))
        line_up = [folder, shlex.quote(s.opponent) if s.exploit else "greedy"][:most]
        print(
            f"\ncheckpoint      {self.folder / read_latest(self.folder).checkpoint}\n"
            f"learning curve  {self.folder / CURVE}\n"
            f"what to try next:\n"
            f"  tensorboard --logdir {self.folder / 'tensorboard'}\n"
            f"  python -m {PACKAGE}.evaluate {name} --agents {' '.join(line_up)} --players {most} --deals 1000"
        )
        if most > 1:
            print(
                f"  python -m {PACKAGE}.train {name} --players {players} --opponent {folder} --exploit "
                f"--out runs/exploiter\n"
                f"  python -m {PACKAGE}.train {name} --players {players} --opponent self --out runs/self"
            )


class Watch(BaseCallback):
    """Shows progress, saves checkpoints and evaluates between rollouts."""

    def __init__(self, run: Run) -> None:
        super().__init__()
        self.run_ = run
        self._bar: tqdm[Any] | None = None

    def _on_training_start(self) -> None:
        self._saved = self._evaluated = self.model.num_timesteps
        total = self.run_.settings.steps
        # No bar where there is no terminal: logs get a line an evaluation.
        self._bar = tqdm(total=total, initial=self._saved, unit="step", unit_scale=True, disable=None)

    def _on_step(self) -> bool:
        if self.run_.self_play is not None:
            infos, ended = self.locals["infos"], np.flatnonzero(self.locals["dones"])
            self.run_.self_play.count([infos[lane] for lane in ended])
        return True

    def _on_rollout_end(self) -> None:
        assert self._bar is not None
        steps, settings = self.model.num_timesteps, self.run_.settings
        self._bar.update(steps - self._bar.n)
        model: Any = self.model
        if self.run_.self_play is not None:
            self.run_.self_play.move_on(model, self.run_.games)
        if steps - self._saved >= settings.checkpoint_every:
            self.run_.save(model)
            self._saved = steps
        if steps - self._evaluated >= settings.eval_every:
            self.run_.evaluate(model, settings.eval_deals)
            self._evaluated = steps

    def _on_training_end(self) -> None:
        assert self._bar is not None
        self._bar.close()


def policy_of(settings: Settings) -> tuple[type[MaskedPolicy], dict[str, Any]]:
    """Return the policy's class and what it is made with."""
    if settings.network == "horses":
        from ..horses.network import StablePolicy  # a run of another game need not load this one

        return StablePolicy, {}
    return MaskedPolicy, {"net_arch": list(settings.net), "activation_fn": torch.nn.ReLU}


def who_plays(settings: Settings) -> str:
    if settings.players == (1,):
        return "solo"
    whom = "its own past" if settings.plays_itself else settings.opponent
    return f"{told_players(settings.players)}, against {whom}"


def _schedule(start: float, end: float) -> Callable[[float], float]:
    """Return a learning rate that falls in a straight line over the run."""
    return lambda left: end + (start - end) * left


def seed_of(*words: int) -> int:
    """Return a seed spread from the run's: for each purpose another."""
    return int(np.random.SeedSequence(words).generate_state(1, np.uint64)[0] >> np.uint64(1))


def move_away(folder: Path) -> None:
    """Give an earlier demo's folder another name: nothing is deleted."""
    lock = FolderLock(folder)
    lock.take()  # or it is in use
    lock.give_back()
    number = 1
    while (moved := folder.with_name(f"{folder.name}-{number}")).exists():
        number += 1
    folder.rename(moved)
    print(f"the earlier {folder} is now {moved}")
