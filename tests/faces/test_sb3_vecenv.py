"""The Stable-Baselines3 face beside test_sb3.py: streams, cut games, threads, learning."""

from __future__ import annotations

from typing import Any

import gymnasium as gym
import numpy as np
import pytest

import tablezoo  # noqa: F401  # registers the games
from mustang_env import GAME
from tests.faces.helpers import Told, draw_all

pytest.importorskip("stable_baselines3")
pytest.importorskip("sb3_contrib")

from sb3_contrib import MaskablePPO
from stable_baselines3.common.vec_env import VecMonitor

from tablezoo.sb3 import SeatVecEnv


def played(env: Any, steps: int, seed: int = 0) -> list[Any]:
    """Return all that random steps of the learner bring, infos included."""
    rng = np.random.default_rng(seed)
    rows: list[Any] = [env.reset().tolist()]
    for _ in range(steps):
        masks = env.env_method("action_masks")
        seen, rewards, dones, infos = env.step(draw_all(rng, masks))
        told = [{k: v.tolist() if isinstance(v, np.ndarray) else v for k, v in info.items()} for info in infos]
        rows.append([seen.tolist(), rewards.tolist(), dones.tolist(), masks.tolist(), told])
    return rows


def ends(rows: list[Any]) -> int:
    return sum(bool(info) for row in rows[1:] for info in row[4])


# --- opponents in Python and compiled ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "choose", "players", "steps"),
    [
        ("random", lambda views: views.random_actions(), 4, 60),
        ("random", lambda views: views.random_actions(), 2, 60),
        ("greedy", lambda views: views.greedy_actions(4), 3, 40),
    ],
)
def test_a_policy_in_python_plays_as_the_compiled_one(name, choose, players, steps):
    compiled = played(SeatVecEnv(GAME, 8, players, name, seed=3, max_turns=25), steps)
    python = played(SeatVecEnv(GAME, 8, players, Told(choose), seed=3, max_turns=25), steps)
    assert compiled == python
    assert ends(compiled) > 3


@pytest.mark.parametrize("opponents", ["random", "greedy"])
def test_lanes_are_gymnasiums_made_by_name(opponents):
    env = SeatVecEnv(GAME, 5, 2, opponents, seed=10)
    singles: Any = [gym.make("tablezoo/Mustang-v0", opponents=opponents, num_players=2).unwrapped for _ in range(5)]
    seen = env.reset()
    assert np.array_equal(seen, [single.reset(seed=10 + lane)[0] for lane, single in enumerate(singles)])
    rng, over = np.random.default_rng(1), 0
    for _ in range(150):
        actions = draw_all(rng, env.env_method("action_masks"))
        seen, rewards, dones, infos = env.step(actions)
        for lane, single in enumerate(singles):
            alone, reward, terminated, truncated, _ = single.step(int(actions[lane]))
            assert (reward, terminated or truncated) == (rewards[lane], dones[lane])
            if dones[lane]:
                over += 1
                assert np.array_equal(alone, infos[lane]["terminal_observation"])
                alone, _ = single.reset()
            assert np.array_equal(alone, seen[lane])
    assert over >= 5


@pytest.mark.parametrize("opponents", ["random", "greedy"])
def test_threads_do_not_matter(opponents):
    """Enough lanes that two threads share them."""
    count, steps = (600, 3) if opponents == "random" else (40, 8)
    one, two = (
        played(SeatVecEnv(GAME, count, [2, 3, 4, 5], opponents, seed=0, threads=threads, max_turns=3), steps)
        for threads in (1, 2)
    )
    assert one == two
    assert ends(one) > 0


# --- ends -------------------------------------------------------------------------------------------------------------


def test_cut_games_say_so_and_others_do_not():
    cut = [info for row in played(SeatVecEnv(GAME, 6, 2, max_turns=5, seed=0), 30)[1:] for info in row[4] if info]
    assert len(cut) > 6
    assert {info["TimeLimit.truncated"] for info in cut} == {True}
    whole = [info for row in played(SeatVecEnv(GAME, 6, 2, seed=0), 100)[1:] for info in row[4] if info]
    assert len(whole) > 3
    assert {info["TimeLimit.truncated"] for info in whole} == {False}


def test_the_terminal_observation_is_the_last_games_not_the_next_ones():
    env = SeatVecEnv(GAME, 8, 2, max_turns=4, seed=0)
    env.reset()
    rng, over = np.random.default_rng(0), 0
    for _ in range(30):
        seen, _, dones, infos = env.step(draw_all(rng, env.env_method("action_masks")))
        for lane in np.flatnonzero(dones):
            last = infos[lane]["terminal_observation"]
            assert env.observation_space.contains(last)
            assert not np.array_equal(last, seen[lane])
            assert not np.shares_memory(last, seen)
            over += 1
        assert env.env_method("action_masks").any(axis=1).all()
    assert over > 8


def test_skipped_games_are_counted_and_shown():
    env = SeatVecEnv(GAME, 20, 5, seat=0, max_turns=1, seed=0)
    env.reset()
    first = env.get_attr("games")[0].skipped
    assert first > 0
    env.step(env.env_method("action_masks").argmax(axis=1))
    assert env.games.skipped >= first
    assert SeatVecEnv(GAME, 4, 2, seed=0).games.skipped == 0


# --- what Stable-Baselines3 asks --------------------------------------------------------------------------------------


def test_masks_by_index():
    env = SeatVecEnv(GAME, 4, 2, seed=0)
    env.reset()
    masks = env.env_method("action_masks")
    assert (masks.shape, masks.dtype) == ((4, GAME.num_actions), np.bool_)
    for indices, lanes in ((None, [0, 1, 2, 3]), (2, [2]), ([3, 0], [3, 0]), (range(1, 3), [1, 2]), (-1, [3])):
        assert np.array_equal(env.env_method("action_masks", indices=indices), masks[lanes])
        assert len(env.get_attr("num_envs", indices)) == len(lanes)
    masks[:] = False
    assert env.env_method("action_masks").any(axis=1).all()


def test_attributes_by_name():
    env = SeatVecEnv(GAME, 3, 2, seed=0)
    assert env.has_attr("action_masks")
    assert env.has_attr("games")
    assert not env.has_attr("gamez")
    assert env.get_attr("games", [0, 1]) == [env.games] * 2
    with pytest.raises(AttributeError, match="SeatVecEnv has no attribute 'gamez'; did you mean 'games'"):
        env.get_attr("gamez")
    for name in ("games", "gamez"):
        with pytest.raises(AttributeError, match=f"have no attributes of their own to set, got '{name}'"):
            env.set_attr(name, 1)
    with pytest.raises(AttributeError, match="SeatVecEnv has no method 'reset_all'; known: action_masks"):
        env.env_method("reset_all")


def test_maskable_ppo_learns_twice_the_same_through_a_monitor():
    def learnt() -> Any:
        env = VecMonitor(SeatVecEnv(GAME, 16, 2, "random", seed=0, max_turns=40))
        model = MaskablePPO(
            "MlpPolicy", env, n_steps=64, batch_size=256, n_epochs=1, seed=0, device="cpu", gamma=1.0,
            policy_kwargs={"net_arch": [32]},
        )  # fmt: skip
        model.learn(2048)
        assert model.num_timesteps == 2048
        episodes = [(episode["r"], episode["l"]) for episode in model.ep_info_buffer or ()]
        return episodes, [tensor.tolist() for tensor in model.policy.parameters()]

    episodes, weights = learnt()
    assert len(episodes) > 10
    assert {round(reward, 5) for reward, _ in episodes} <= {-1.0, 0.0, 1.0}
    assert learnt() == (episodes, weights)
