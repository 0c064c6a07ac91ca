"""The Stable-Baselines3 face."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest

from mustang_env import GAME
from tablezoo import OptionError, Pool
from tablezoo.gym import SeatEnv
from tests.engine.helpers import run_python
from tests.faces.helpers import Told, draw_all

pytest.importorskip("stable_baselines3")
pytest.importorskip("sb3_contrib")

from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.evaluation import evaluate_policy
from sb3_contrib.common.maskable.utils import get_action_masks, is_masking_supported
from stable_baselines3.common.monitor import Monitor
from stable_baselines3.common.vec_env import VecMonitor

from tablezoo.sb3 import SeatVecEnv


def masks_of(env: SeatVecEnv, indices: Any = None) -> Any:
    return env.env_method("action_masks", indices=indices)


def ready(count: int = 3, players: Any = 2, **settings: Any) -> SeatVecEnv:
    env = SeatVecEnv(GAME, count, players, **settings)
    env.reset()
    return env


def played(env: Any, steps: int, seed: int = 0) -> list[Any]:
    """Return all that random steps of the learner bring, infos included but for the opponents' names."""
    rng = np.random.default_rng(seed)
    rows: list[Any] = [env.reset().tolist()]
    for _ in range(steps):
        masks = env.env_method("action_masks")
        seen, rewards, dones, infos = env.step(draw_all(rng, masks))
        for info in infos:
            info.pop("opponents", None)
        told = [{k: v.tolist() if isinstance(v, np.ndarray) else v for k, v in info.items()} for info in infos]
        rows.append([seen.tolist(), rewards.tolist(), dones.tolist(), masks.tolist(), told])
    return rows


def ends(rows: list[Any]) -> int:
    return sum(bool(info) for row in rows[1:] for info in row[4])


# --- the games --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "settings",
    [
        {"num_players": 2},
        {"num_players": 4, "opponents": "greedy", "obs": "raw"},
        {"num_players": 3, "opponents": Pool(["random", "greedy"]), "seat": 1, "reward": "score_delta"},
        {"num_players": 5, "opponents": ["greedy", "random", "random", "greedy"], "max_turns": 9},
    ],
    ids=str,
)
def test_lane_i_is_the_gymnasium_environment_of_seed_plus_i(settings):
    env = SeatVecEnv(GAME, 4, seed=20, **settings)
    singles = [SeatEnv(GAME, **settings) for _ in range(4)]
    expected = [single.reset(seed=20 + lane)[0] for lane, single in enumerate(singles)]
    seen, rng, ended = env.reset(), np.random.default_rng(0), 0
    for _ in range(120):
        masks = masks_of(env)
        assert np.array_equal(seen, expected)
        assert np.array_equal(masks, [single.action_masks() for single in singles])
        actions = draw_all(rng, masks)
        seen, rewards, dones, infos = env.step(actions)
        for lane, single in enumerate(singles):
            expected[lane], reward, terminated, truncated, info = single.step(actions[lane])
            assert (rewards[lane], dones[lane]) == (pytest.approx(reward), terminated or truncated)
            if not dones[lane]:
                assert infos[lane] == {}
                continue
            assert np.array_equal(infos[lane].pop("terminal_observation"), expected[lane])
            assert infos[lane].pop("TimeLimit.truncated") == truncated
            others = infos[lane]["opponents"]
            assert len(others) == len(infos[lane]["winners"]) - 1
            assert set(others) <= {policy.name for policy in single.games.policies}
            del info["action_mask"]
            told = {key: value.tolist() if isinstance(value, np.ndarray) else value for key, value in info.items()}
            assert infos[lane] == told
            expected[lane] = single.reset()[0]
            ended += 1
    assert ended >= 4


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
def test_threads_do_not_matter(opponents):
    """Enough lanes that two threads share them."""
    count, steps = (600, 3) if opponents == "random" else (40, 8)
    one, two = (
        played(SeatVecEnv(GAME, count, [2, 3, 4, 5], opponents, seed=0, threads=threads, max_turns=3), steps)
        for threads in (1, 2)
    )
    assert one == two
    assert ends(one) > 0


def test_seeds():
    assert np.array_equal(ready(seed=3).reset_infos, [{}, {}, {}])
    one, other = SeatVecEnv(GAME, 3, seed=3), SeatVecEnv(GAME, 3, seed=9)
    assert other.seed(3) == [3, 4, 5]
    first = one.reset()
    assert np.array_equal(first, other.reset())
    second = one.reset()
    assert not np.array_equal(first, second)
    assert np.array_equal(second, other.reset())
    one.seed(3)
    assert np.array_equal(first, one.reset())


def test_types():
    env = ready(4)
    assert env.reset().dtype == np.float32
    seen, rewards, dones, infos = env.step(masks_of(env).argmax(axis=1))
    assert seen.shape == (4, GAME.observation_size)
    assert env.observation_space.contains(seen[0])
    assert (rewards.dtype, dones.dtype, masks_of(env).dtype) == (np.float32, np.bool_, np.bool_)
    assert len({id(info) for info in infos}) == 4


def test_what_is_handed_out_is_never_overwritten():
    env = SeatVecEnv(GAME, 5, max_turns=4, seed=0)
    rng = np.random.default_rng(0)
    kept = [(first := env.reset(), first.copy())]
    for _ in range(60):
        masks = masks_of(env)
        seen, rewards, dones, infos = env.step(draw_all(rng, masks))
        last = [info["terminal_observation"] for info in infos if info]
        kept += [(array, array.copy()) for array in (masks, seen, rewards, dones, *last)]
        assert all(array.flags.writeable for array in (masks, seen, rewards, dones))
    assert all(np.array_equal(array, was) for array, was in kept)


def test_writing_into_what_was_handed_out_changes_nothing():
    env, other = ready(seed=0), ready(seed=0)
    actions = masks_of(env).argmax(axis=1)
    masks_of(env)[:] = True
    for array in env.step(actions)[:3]:
        array[:] = 1
    other.step(actions)
    assert np.array_equal(masks_of(env), masks_of(other))
    assert np.array_equal(env.games.observations(), other.games.observations())


def test_a_pickle_goes_on_as_the_original():
    env = ready(seed=0)
    twin = pickle.loads(pickle.dumps(env))
    rng = np.random.default_rng(0)
    for _ in range(30):
        actions = draw_all(rng, masks_of(env))
        for mine, theirs in zip(env.step(actions)[:3], twin.step(actions)[:3], strict=True):
            assert np.array_equal(mine, theirs)


def test_skipped_games_are_counted_and_shown():
    env = SeatVecEnv(GAME, 20, 5, seat=0, max_turns=1, seed=0)
    env.reset()
    first = env.get_attr("games")[0].skipped
    assert first > 0
    env.step(env.env_method("action_masks").argmax(axis=1))
    assert env.games.skipped >= first
    assert SeatVecEnv(GAME, 4, 2, seed=0).games.skipped == 0


# --- what Stable-Baselines3 asks --------------------------------------------------------------------------------------


def test_masks_of_some_lanes():
    env = ready(5)
    masks = masks_of(env)
    assert (masks.shape, masks.dtype) == ((5, GAME.num_actions), np.bool_)
    assert np.array_equal(get_action_masks(env), masks)
    for indices, lanes in (
        (None, [0, 1, 2, 3, 4]), (2, [2]), ([3, 1], [3, 1]), (range(1, 3), [1, 2]), (-1, [4]), ([], []),
        (np.array([4]), [4]),
    ):  # fmt: skip
        assert np.array_equal(masks_of(env, indices), masks[lanes])
        assert len(env.get_attr("num_envs", indices)) == len(lanes)


def test_attributes():
    env = ready(3)
    assert env.has_attr("action_masks")
    assert env.has_attr("games")
    assert not env.has_attr("gamez")
    assert env.get_attr("games", [0, 1]) == [env.games] * 2
    assert is_masking_supported(env)
    assert env.get_attr("render_mode", [0, 2]) == [None, None]
    assert len(env.get_attr("action_masks")) == 3
    assert env.env_is_wrapped(Monitor) == [False] * 3
    assert env.env_is_wrapped(Monitor, 1) == [False]


def test_maskable_ppo_learns_twice_the_same_and_is_evaluated():
    def learnt() -> Any:
        env = VecMonitor(SeatVecEnv(GAME, 16, 2, "random", seed=0, max_turns=40))
        model = MaskablePPO(
            "MlpPolicy", env, n_steps=64, batch_size=256, n_epochs=1, seed=0, device="cpu", gamma=1.0,
            policy_kwargs={"net_arch": [32]},
        )  # fmt: skip
        model.learn(2048)
        assert model.num_timesteps == 2048
        episodes = [(episode["r"], episode["l"]) for episode in model.ep_info_buffer or ()]
        return model, env, [episodes, [tensor.tolist() for tensor in model.policy.parameters()]]

    model, env, told = learnt()
    episodes, _ = told
    assert len(episodes) > 10
    assert {round(reward, 5) for reward, _ in episodes} <= {-1.0, 0.0, 1.0}
    assert learnt()[2] == told
    returns, lengths = evaluate_policy(model, env, n_eval_episodes=8, return_episode_rewards=True)
    assert set(np.round(returns, 3)) <= {-1.0, 0.0, 1.0}
    assert min(lengths) > 1


# --- bad input that other faces do not know; the rest is in test_bad_input.py -----------------------------------------


@pytest.mark.parametrize(
    ("settings", "error", "words"),
    [
        ({"num_envs": 0}, ValueError, "num_envs: expected an integer from 1"),
        ({"num_envs": True}, TypeError, "num_envs: expected an integer"),
        ({"opponent": "greedy"}, OptionError, "unknown option 'opponent' of Mustang; did you mean 'opponents'"),
        ({"autoreset": False}, OptionError, "unknown option 'autoreset'"),
        ({"opponents": "greddy"}, ValueError, "did you mean 'greedy'"),
        ({"seat": 2}, ValueError, "seat: expected an integer from 0 to 1, got 2"),
        ({"threads": 0}, ValueError, "threads: expected an integer from 1"),
    ],
)
def test_wrong_settings(settings, error, words):
    with pytest.raises(error, match=words):
        SeatVecEnv(GAME, **settings)


def test_what_single_environments_would_have():
    env = ready(3)
    with pytest.raises(AttributeError, match="SeatVecEnv has no attribute 'action_mask'; did you mean 'action_masks'"):
        env.get_attr("action_mask")
    with pytest.raises(AttributeError, match="SeatVecEnv has no method 'action_mask'; did you mean 'action_masks'"):
        env.env_method("action_mask")
    with pytest.raises(AttributeError, match="SeatVecEnv has no method 'reset_all'; known: action_masks"):
        env.env_method("reset_all")
    for name in ("games", "gamez"):
        with pytest.raises(AttributeError, match=f"have no attributes of their own to set, got '{name}'"):
            env.set_attr(name, 1)
    with pytest.raises(IndexError, match="out of bounds"):
        masks_of(env, [3])


def test_options_at_reset_are_the_same_for_all_lanes():
    env = ready(3)
    env.set_options({"max_turns": 2})
    env.reset()
    assert set(env.games.batch.states["max_turns"]) == {2}
    env.set_options([{"max_turns": 2}, {}, {}])
    with pytest.raises(ValueError, match="take the same options"):
        env.reset()


def test_a_step_waits_for_actions():
    env = SeatVecEnv(GAME, 2, seed=0)
    env.reset()
    before = env.games.batch.states.copy()
    with pytest.raises(RuntimeError, match=r"step_wait\(\) has no actions: call step_async\(actions\) before"):
        env.step_wait()
    assert (env.games.batch.states == before).all()
    env.step_async(env.action_masks().argmax(axis=1))
    env.step_wait()
    with pytest.raises(RuntimeError, match="has no actions"):
        env.step_wait()


def test_without_the_extra_it_says_what_to_install():
    code = """
import sys
sys.modules["stable_baselines3"] = None
try:
    import tablezoo.sb3
except ImportError as error:
    print(error)
"""
    assert run_python(code).startswith("tablezoo.sb3 needs the extra: pip install 'tablezoo[train]' (stable_baselines3")


def test_an_outcome_names_the_opponents_clockwise():
    env = SeatVecEnv(GAME, 6, 3, opponents=["random", "greedy"], seed=0, max_turns=6)
    env.reset()
    rng, seen = np.random.default_rng(0), 0
    for _ in range(60):
        _, _, _, infos = env.step(draw_all(rng, masks_of(env)))
        for info in filter(None, infos):
            assert info["opponents"] == ["random", "greedy"]
            seen += 1
    assert seen > 3
