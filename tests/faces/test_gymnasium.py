"""The Gymnasium face beside test_gym.py: how rewards arrive, lanes, opponents through ``make``."""

from __future__ import annotations

from typing import Any

import gymnasium as gym
import numpy as np
import pytest

import tablezoo  # noqa: F401  # registers the games
from mustang_env import GAME
from tablezoo import GreedyPolicy, IllegalActionError, OptionError, Pool, RandomPolicy
from tablezoo.gym import SeatEnv, SeatVectorEnv
from tests.faces.helpers import Told, at_random, draw, draw_all

ID = "tablezoo/Mustang-v0"


def outcome(env: Any, rng: np.random.Generator) -> tuple[float, dict[str, Any]]:
    """Play to the end at random; return what the last step paid, and its info. All other steps pay nothing."""
    while True:
        _, reward, terminated, truncated, info = env.step(draw(rng, env.action_masks()))
        if terminated or truncated:
            return reward, info
        assert reward == 0


# --- rewards ----------------------------------------------------------------------------------------------------------


def zero_sum(players: int, winners: Any, seat: int) -> float:
    """Return what the winner and losers of a game get: 1 shared by the ones, -1 by the others."""
    won = int(np.sum(winners))
    if won == players:
        return 0.0
    return 1 / won if winners[seat] else -1 / (players - won)


def test_the_reward_arrives_when_the_game_ends_on_anothers_move():
    """The opponent decides last, within the learner's last step, and that step pays -1 or +1."""
    opponent = at_random()
    env = SeatEnv(GAME, 2, opponents=opponent)
    env.reset(seed=0)
    rng = np.random.default_rng(0)
    paid = []
    while not {-1.0, 1.0} <= set(paid):
        asked = opponent.asked
        _, reward, terminated, _, info = env.step(draw(rng, env.action_masks()))
        if not terminated:
            assert reward == 0
            continue
        if opponent.asked > asked:
            assert reward == zero_sum(2, info["winners"], info["seat"])
            paid.append(reward)
            assert len(paid) < 100
        env.reset()


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


# --- lanes ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "opponents", ["greedy", Pool(["random", "greedy"], [1, 2]), ["greedy", "random", RandomPolicy()]]
)
def test_lane_i_is_the_single_environment_of_seed_plus_i(opponents):
    """Over the ends of games: a lane goes on as the single environment after its reset()."""
    settings: dict[str, Any] = {"num_players": 4, "opponents": opponents, "max_turns": 12}
    envs = gym.make_vec(ID, num_envs=4, **settings)
    singles: Any = [gym.make(ID, **settings).unwrapped for _ in range(4)]
    seen, infos = envs.reset(seed=30)
    alone = [single.reset(seed=30 + lane)[0] for lane, single in enumerate(singles)]
    rng, ends = np.random.default_rng(0), 0
    for _ in range(50):
        assert np.array_equal(seen, alone)
        actions = draw_all(rng, infos["action_mask"])
        seen, rewards, terminated, truncated, infos = envs.step(actions)
        for lane, single in enumerate(singles):
            alone[lane], *rest, info = single.step(int(actions[lane]))
            assert (rewards[lane], terminated[lane], truncated[lane]) == tuple(rest)
            if terminated[lane] or truncated[lane]:
                assert np.array_equal(infos["final_obs"][lane], alone[lane])
                for name in ("scores", "ranks", "winners", "seat", "won"):
                    assert np.array_equal(infos["final_info"][name][lane], info[name])
                alone[lane] = single.reset()[0]
                ends += 1
    assert ends >= 4


# --- seats and opponents ----------------------------------------------------------------------------------------------


def test_the_seat_is_fixed_or_drawn():
    fixed, drawn = (gym.make(ID, num_players=4, seat=seat).unwrapped for seat in (3, None))
    seats = []
    for seed in range(40):
        fixed.reset(seed=seed)
        drawn.reset(seed=seed)
        assert fixed.games.seat[0] == 3
        seats.append(int(drawn.games.seat[0]))
    assert set(seats) == {0, 1, 2, 3}


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


@pytest.mark.parametrize(
    ("opponents", "error", "words"),
    [
        ("greddy", ValueError, "unknown policy 'greddy'; did you mean 'greedy'"),
        ("xyz", ValueError, "unknown policy 'xyz'; known: greedy, random"),
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
        with pytest.raises(ValueError, match="a Pool of 2 takes as many weights, none negative"):
            Pool(["random", "greedy"], weights)


def test_an_opponent_that_chooses_wrongly_is_named():
    cheat = Told(lambda views: np.argmin(views.action_mask, axis=1), "cheat")
    env = SeatEnv(GAME, 2, opponents=cheat, seat=0, start_seat=0)
    env.reset(seed=0)
    with pytest.raises(IllegalActionError, match=r"opponent 'cheat': game 0: action .* is illegal for seat 1"):
        outcome(env, np.random.default_rng(0))


@pytest.mark.parametrize("autoreset", [False, True])
def test_a_step_after_a_reset_that_failed(autoreset):
    """A reset that is refused leaves the game in progress as it is, and playable."""
    env = (gym.make_vec(ID, num_envs=1) if autoreset else gym.make(ID)).unwrapped
    env.reset(seed=0)
    before = env.games.batch.states.tobytes()
    with pytest.raises(OptionError, match="did you mean 'max_turns'"):
        env.reset(seed=1, options={"max_turn": 3})
    assert env.games.batch.states.tobytes() == before
    action = int(env.action_masks().reshape(-1).argmax())
    env.step([action] if autoreset else action)
