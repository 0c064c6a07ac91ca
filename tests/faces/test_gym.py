"""The Gymnasium face, single and vectorised."""

from __future__ import annotations

import copy
import functools
import pickle
from typing import Any

import gymnasium as gym
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode, SyncVectorEnv

import tablezoo  # noqa: F401  # registers the games
from mustang_env import GAME
from tablezoo import GreedyPolicy, OptionError, Pool, RandomPolicy
from tablezoo.gym import SeatEnv, SeatVectorEnv
from tests.faces.helpers import at_random, draw, draw_all

ID = "tablezoo/Mustang-v0"


def dealt(seed: int = 0, **settings: Any) -> SeatEnv:
    env = SeatEnv(GAME, **settings)
    env.reset(seed=seed)
    return env


def play(env: Any, seed: int = 0) -> list[Any]:
    """Play at random to the end of the game; return all steps."""
    rng = np.random.default_rng(seed)
    steps: list[Any] = []
    while not steps or not (steps[-1][2] or steps[-1][3]):
        steps.append(env.step(draw(rng, env.action_masks())))
    return steps


def zero_sum(players: int, winners: Any, seat: int) -> float:
    """Return what the winner and losers of a game get: 1 shared by the ones, -1 by the others."""
    won = int(np.sum(winners))
    if won == players:
        return 0.0
    return 1 / won if winners[seat] else -1 / (players - won)


def outcome(env: Any, rng: np.random.Generator) -> tuple[float, dict[str, Any]]:
    """Play to the end at random; return what the last step paid, and its info. All other steps pay nothing."""
    while True:
        _, reward, terminated, truncated, info = env.step(draw(rng, env.action_masks()))
        if terminated or truncated:
            return reward, info
        assert reward == 0


def plain(value: Any) -> Any:
    """``value`` with lists in place of arrays, so that it can be compared."""
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    if isinstance(value, np.ndarray) and value.dtype == object:
        return [plain(item) for item in value]
    return value.tolist() if isinstance(value, (np.ndarray, np.generic)) else value


# --- the checkers -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "settings", [{}, {"num_players": 5, "obs": "raw"}, {"opponents": "greedy", "seat": 1}], ids=str
)
def test_gymnasium_checks_it(settings, capsys):
    """Rendering included, and without any warning: warnings are errors here."""
    check_env(gym.make(ID, illegal="lose", render_mode="ansi", **settings).unwrapped)


def test_stable_baselines_checks_it():
    checker = pytest.importorskip("stable_baselines3.common.env_checker")
    checker.check_env(gym.make(ID, illegal="lose").unwrapped)


# --- one game ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("obs", "dtype"), [("float", np.float32), ("raw", np.uint8)])
def test_observations_lie_in_their_space(obs, dtype):
    env = SeatEnv(GAME, 3, obs=obs)
    first, _ = env.reset(seed=0)
    for seen in [first, *(step[0] for step in play(env))]:
        assert seen.dtype == dtype
        assert env.observation_space.contains(seen)
        assert seen.any()


def test_the_mask_is_what_spaces_sample_by():
    env = SeatEnv(GAME)
    _, info = env.reset(seed=0)
    assert info["action_mask"].dtype == np.int8
    assert env.action_masks().dtype == np.bool_
    assert np.array_equal(info["action_mask"], env.action_masks())
    env.action_space.seed(0)
    assert all(info["action_mask"][env.action_space.sample(info["action_mask"])] for _ in range(20))


def test_the_end():
    env = dealt(num_players=3)
    steps = play(env)
    seen, reward, terminated, truncated, info = steps[-1]
    assert (type(reward), type(terminated), type(truncated)) == (float, bool, bool)
    assert terminated
    assert not truncated
    assert all(step[1] == 0 for step in steps[:-1])
    assert all("scores" not in step[4] for step in steps[:-1])
    assert info["scores"].shape == info["ranks"].shape == info["winners"].shape == (3,)
    assert info["won"] == (info["winners"][info["seat"]] / info["winners"].sum())
    assert (reward > 0) == info["winners"][info["seat"]]
    assert not info["action_mask"].any()
    raw = env.games.batch.observe(info["seat"])[0]
    assert np.array_equal(seen, GAME.observation_layout.scale(raw))


def test_a_cut_game_is_truncated():
    _, _, terminated, truncated, info = play(dealt(max_turns=3))[-1]
    assert truncated
    assert not terminated
    assert info["won"] in (0.0, 0.5, 1.0)


def test_what_is_handed_out_is_never_overwritten():
    env = SeatEnv(GAME)
    kept = []
    rng = np.random.default_rng(0)
    seen, info = env.reset(seed=0)
    for _ in range(120):
        arrays = [seen, env.action_masks(), *(value for value in info.values() if isinstance(value, np.ndarray))]
        kept += [(array, array.copy()) for array in arrays]
        assert all(array.flags.writeable for array in arrays)
        if not info["action_mask"].any():
            seen, info = env.reset()
            continue
        seen, _, _, _, info = env.step(draw(rng, info["action_mask"]))
    assert all(np.array_equal(array, was) for array, was in kept)


@pytest.mark.parametrize("make", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))], ids=["copy", "pickle"])
@pytest.mark.parametrize("opponents", ["random", Pool(["random", "greedy"])], ids=["random", "pool"])
def test_a_copy_keeps_the_game_in_progress(make, opponents):
    env = dealt(num_players=3, opponents=opponents)
    rng = np.random.default_rng(1)
    for _ in range(8):
        env.step(draw(rng, env.action_masks()))
    twin = make(env)
    assert plain(play(twin)) == plain(play(env))
    assert plain(twin.reset()) == plain(env.reset())


def test_seeds():
    def first(env: Any, **settings: Any) -> Any:
        return plain(env.reset(**settings))

    assert first(SeatEnv(GAME), seed=0) == first(SeatEnv(GAME), seed=0) == first(SeatEnv(GAME, seed=0))
    assert first(SeatEnv(GAME), seed=0) != first(SeatEnv(GAME), seed=1)
    one, other = dealt(), dealt()
    assert first(one) == first(other) != first(SeatEnv(GAME), seed=0)


def test_options_at_reset():
    env = SeatEnv(GAME)
    env.reset(seed=0, options={"max_turns": 3, "anything": 1})
    assert play(env)[-1][3]


def test_pictures_are_the_learners(capsys):
    env = dealt(render_mode="ansi", seat=1)
    assert env.render() == GAME.describe(env.games.batch.states[0], 1)
    human = dealt(render_mode="human")
    assert capsys.readouterr().out.startswith("Mustang")
    human.step(draw(np.random.default_rng(0), human.action_masks()))
    assert capsys.readouterr().out.startswith("Mustang")
    assert human.render() is None
    with pytest.warns(UserWarning, match="pass render_mode="):
        assert dealt().render() is None


# --- opponents --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "opponents",
    ["random", "greedy", GreedyPolicy(2), at_random(), ["random", "greedy"], Pool(["random", at_random()], [1, 3])],
    ids=["random", "greedy", "policy", "python", "list", "pool"],
)
def test_opponents_of_every_kind_play(opponents):
    env: Any = gym.make(ID, num_players=3, opponents=opponents, seed=0).unwrapped
    env.reset()
    reward, info = outcome(env, np.random.default_rng(0))
    assert reward == pytest.approx(zero_sum(3, info["winners"], info["seat"]))


# --- many games -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "settings",
    [
        {"num_players": 2},
        {"num_players": 4, "opponents": Pool(["random", "greedy"], [1, 2]), "reward": "score_delta"},
        {"num_players": 4, "opponents": "greedy", "max_turns": 12},
        {"num_players": 4, "opponents": ["greedy", "random", RandomPolicy()], "max_turns": 12},
    ],
    ids=["two", "pool", "greedy", "list"],
)
def test_it_is_gymnasiums_vector_of_single_environments(settings):
    """Step by step, all of it, the last observations and infos of finished games included."""
    ours = SeatVectorEnv(GAME, 3, **settings)
    singles = [functools.partial(SeatEnv, GAME, **settings)] * 3
    theirs = SyncVectorEnv(singles, autoreset_mode=AutoresetMode.SAME_STEP)
    assert ours.metadata["autoreset_mode"] == theirs.metadata["autoreset_mode"]
    assert ours.observation_space == theirs.observation_space
    assert ours.action_space == theirs.action_space
    seen, infos = ours.reset(seed=5)
    assert plain((seen, infos)) == plain(theirs.reset(seed=5))
    rng = np.random.default_rng(0)
    ended = 0
    for _ in range(150):
        actions = draw_all(rng, infos["action_mask"])
        step = ours.step(actions)
        other = theirs.step(actions)
        *_, infos = step
        assert plain(step) == plain(other)
        assert [array.dtype for array in step[:4]] == [array.dtype for array in other[:4]]
        ended += (step[2] | step[3]).sum()
    assert ended > 3


def test_final_observations_are_of_the_games_that_ended():
    envs = SeatVectorEnv(GAME, 20, 2, max_turns=4)
    _, infos = envs.reset(seed=0)
    rng = np.random.default_rng(0)
    for _ in range(40):
        seen, rewards, terminated, truncated, infos = envs.step(draw_all(rng, infos["action_mask"]))
        ended = terminated | truncated
        assert ("final_obs" in infos) == ended.any()
        assert not rewards[~ended].any()
        if ended.any():
            assert np.array_equal(infos["_final_obs"], ended)
            assert np.array_equal(infos["_final_info"], ended)
            for lane in np.flatnonzero(ended):
                assert infos["final_obs"][lane].shape == (GAME.observation_size,)
                assert not np.array_equal(infos["final_obs"][lane], seen[lane])
        assert infos["action_mask"].any(axis=1).all()


@pytest.mark.parametrize("opponents", ["random", "greedy"])
def test_a_vectors_rewards_arrive_in_the_step_that_ends_the_game(opponents):
    envs = SeatVectorEnv(GAME, 24, 3, opponents=opponents)
    _, infos = envs.reset(seed=0)
    rng = np.random.default_rng(0)
    ended = 0
    for _ in range(80):
        _, rewards, terminated, truncated, infos = envs.step(draw_all(rng, infos["action_mask"]))
        done = terminated | truncated
        assert not rewards[~done].any()
        if done.any():
            told = infos["final_info"]
            for lane in np.flatnonzero(done):
                assert rewards[lane] == pytest.approx(zero_sum(3, told["winners"][lane], told["seat"][lane]))
            ended += int(done.sum())
    assert ended > 10


def test_what_the_vector_hands_out_is_never_overwritten():
    envs = SeatVectorEnv(GAME, 4, 2, max_turns=3)
    kept: list[Any] = []

    def keep(value: Any) -> None:
        if isinstance(value, dict):
            for item in value.values():
                keep(item)
        elif isinstance(value, np.ndarray) and value.dtype == object:
            for item in value:
                keep(item)
        elif isinstance(value, np.ndarray):
            kept.append((value, value.copy()))

    _, infos = envs.reset(seed=0)
    rng = np.random.default_rng(0)
    for _ in range(40):
        step = envs.step(draw_all(rng, infos["action_mask"]))
        *_, infos = step
        for part in (*step, envs.action_masks()):
            keep(part)
    assert all(np.array_equal(array, was) for array, was in kept)


def test_gymnasiums_vector_wrappers_fit():
    envs = gym.wrappers.vector.RecordEpisodeStatistics(gym.make_vec(ID, num_envs=5))
    _, infos = envs.reset(seed=0)
    rng = np.random.default_rng(0)
    ended = []
    for _ in range(100):
        *_, infos = envs.step(draw_all(rng, infos["action_mask"]))
        if "episode" in infos:
            ended += infos["episode"]["r"][infos["_episode"]].tolist()
    assert {-1.0, 1.0} <= set(ended) <= {-1.0, 0.0, 1.0}


def test_pictures_of_all_learners():
    envs = gym.make_vec(ID, num_envs=2, render_mode="ansi", seat=0)
    envs.reset(seed=0)
    pictures = envs.render()
    assert pictures is not None
    assert [picture == SeatEnv.render(dealt(lane, seat=0, render_mode="ansi")) for lane, picture in enumerate(pictures)]


# --- bad input that other faces do not know; the rest is in test_bad_input.py -----------------------------------------


@pytest.mark.parametrize(
    ("settings", "error", "words"),
    [
        ({"num_players": [2, 3]}, TypeError, r"num_players \[2, 3\] is no integer"),
        ({"opponent": "greedy"}, OptionError, "unknown option 'opponent' of Mustang; did you mean 'opponents'"),
        ({"max_turn": 3}, OptionError, "did you mean 'max_turns'"),
        ({"num_games": 3}, OptionError, "unknown option 'num_games'"),
        ({"seat": 2}, ValueError, "seat: expected an integer from 0 to 1, got 2, as there are 2 players"),
    ],
)
def test_wrong_settings(settings, error, words):
    with pytest.raises(error, match=words):
        SeatEnv(GAME, **settings)
    with pytest.raises(error, match=words):
        gym.make(ID, **settings)


@pytest.mark.parametrize(
    ("settings", "error", "words"),
    [
        ({"num_envs": 0}, ValueError, "num_envs: expected an integer from 1"),
        ({"num_envs": 2.0}, TypeError, "num_envs: expected an integer"),
        ({"opponent": "greedy"}, OptionError, "did you mean 'opponents'"),
        ({"render_mode": "human"}, ValueError, "render_mode='human' is unknown; known: ansi"),
        ({"max_episode_steps": 5}, OptionError, "max_turns= cuts them by the rules"),
    ],
)
def test_wrong_settings_of_a_vector(settings, error, words):
    with pytest.raises(error, match=words):
        SeatVectorEnv(GAME, **settings)


@pytest.mark.parametrize(
    ("opponents", "error", "words"),
    [
        ("greddy", ValueError, "unknown policy 'greddy'; did you mean 'greedy'"),
        ("xyz", ValueError, "unknown policy 'xyz'; known: flat, greedy, pretrained, random, search"),
        (None, TypeError, "policy None is of type NoneType; expected a name or an object with act"),
        (3, TypeError, "policy 3 is of type int; expected a name or an object with act"),
        (["random"], ValueError, "opponents lists 1; expected 2, one for each other seat"),
        (["random"] * 3, ValueError, "opponents lists 3; expected 2"),
        (["random", 3], TypeError, "policy 3 is of type int"),
        (Pool(["random", "greddy"]), ValueError, "unknown policy 'greddy'; did you mean 'greedy'"),
    ],
)
def test_wrong_opponents(opponents, error, words):
    for make in (gym.make, gym.make_vec):
        with pytest.raises(error, match=words):
            make(ID, num_players=3, opponents=opponents)


def test_wrong_pools():
    with pytest.raises(ValueError, match="a Pool needs at least one policy"):
        Pool([])
    for weights in ([1], [1, -1], [0, 0], [1, 2, 3]):
        with pytest.raises(ValueError, match="a Pool of 2 takes as many weights, finite, none negative"):
            Pool(["random", "greedy"], weights)


@pytest.mark.parametrize(
    "make", [lambda: SeatEnv(GAME, render_mode="ansi"), lambda: gym.make_vec(ID, render_mode="ansi")]
)
def test_any_use_before_reset(make):
    env = make()
    for use in (lambda: env.step(0), env.render, env.action_masks):
        with pytest.raises(gym.error.ResetNeeded, match=r"call reset\(\) first"):
            use()


def test_an_illegal_action_loses_if_it_is_so_agreed():
    env = dealt(illegal="lose")
    _, reward, terminated, _, info = env.step(int(np.flatnonzero(~env.action_masks())[0]))
    assert (reward, terminated, info["won"]) == (-1.0, True, 0.0)


def test_a_vector_takes_a_seed_for_each_game():
    listed, same, odd = (gym.make_vec(ID, num_envs=3) for _ in range(3))
    seen, _ = listed.reset(seed=[5, 6, 7])
    assert np.array_equal(seen, same.reset(seed=5)[0])
    seeds = [40, 3, 40]
    seen, info = odd.reset(seed=seeds)
    for lane, seed in enumerate(seeds):
        alone = gym.make(ID)
        alone_seen, alone_info = alone.reset(seed=seed)
        for _ in range(8):
            assert np.array_equal(seen[lane], alone_seen)
            assert np.array_equal(info["action_mask"][lane], alone_info["action_mask"])
            action = info["action_mask"].argmax(axis=1)
            alone_seen, _, ended, cut, alone_info = alone.step(int(action[lane]))
            seen, _, _, _, info = odd.step(action)
            assert not ended
            assert not cut
        seen, info = odd.reset(seed=seeds)


def test_a_seed_of_none_lets_a_games_streams_go_on():
    env, twin = (SeatVectorEnv(GAME, 2, opponents=at_random()) for _ in range(2))
    for one in (env, twin):
        one.reset(seed=1)
    env.reset(seed=[None, 9])
    twin.reset()
    assert env.games.batch.states[0] == twin.games.batch.states[0]
    assert np.array_equal(env.games._streams[0], twin.games._streams[0])
    twin.reset(seed=[9, 9])
    assert env.games.batch.states[1] == twin.games.batch.states[1]


@pytest.mark.parametrize(
    ("seed", "error", "words"),
    [
        ([1], ValueError, "seed lists 1; expected 2, one for each game"),
        ([1, 2, 3], ValueError, "seed lists 3; expected 2"),
        ([1, -2], ValueError, "seed -2 is negative; expected an integer of 0 or more, or None"),
        ([1, 2.0], TypeError, "seed 2.0 is of type float"),
        ([1, True], TypeError, "seed True is of type bool"),
        ("12", TypeError, "seed '12' is of type str"),
    ],
)
def test_wrong_seeds_of_a_vector(seed, error, words):
    env = SeatVectorEnv(GAME, 2, seed=0)
    env.reset()
    before = env.games.batch.states.copy(), env.games._streams.copy()
    with pytest.raises(error, match=words):
        env.reset(seed=seed)
    assert np.array_equal(env.games.batch.states, before[0])
    assert np.array_equal(env.games._streams, before[1])
