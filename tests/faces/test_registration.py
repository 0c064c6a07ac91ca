"""Ids in Gymnasium's and PettingZoo's registries."""

from __future__ import annotations

import gymnasium as gym
import numpy as np
import pettingzoo
import pytest
from pettingzoo.env_registry.registration import aec_registry

import tablezoo
from mustang_env import GAME
from tablezoo.aec import AECEnv
from tablezoo.gym import SeatEnv, SeatVectorEnv
from tablezoo.registration import find_game, register_game, register_installed
from tests.engine import tiny
from tests.engine.helpers import run_python


def test_gymnasium_makes_it():
    env = gym.make("tablezoo/Mustang-v0", num_players=3, opponents="greedy", obs="raw", max_turns=50)
    assert isinstance(env.unwrapped, SeatEnv)
    assert env.unwrapped.games.game is GAME
    assert env.unwrapped.games.batch.options == {"max_turns": 50}
    assert env.spec is not None
    assert env.spec.id == "tablezoo/Mustang-v0"


def test_gymnasium_makes_many():
    envs = gym.make_vec("tablezoo/Mustang-v0", num_envs=7, num_players=4)
    assert isinstance(envs.unwrapped, SeatVectorEnv)
    assert envs.num_envs == 7
    sync = gym.make_vec("tablezoo/Mustang-v0", num_envs=2, vectorization_mode="sync", num_players=4)
    assert sync.single_observation_space == envs.single_observation_space


@pytest.mark.parametrize("name", ["tablezoo/mustang-v0", "tablezoo/mustang_v0"])
def test_pettingzoo_makes_it(name):
    env = pettingzoo.make("aec", name, num_players=3, max_turns=9, obs="raw", render_mode="ansi")
    assert isinstance(env.unwrapped, AECEnv)
    env.reset(seed=0)
    assert env.agents == ["player_0", "player_1", "player_2"]
    assert env.observe("player_2")["observation"].dtype == np.uint8
    assert env.render().startswith("Mustang, 3 players, 0 turns done, cut after 9")


def test_importing_tablezoo_registers_without_importing_a_game():
    printed = run_python(
        "import sys, tablezoo, gymnasium\n"
        "from pettingzoo.env_registry.registration import aec_registry\n"
        "print('tablezoo/Mustang-v0' in gymnasium.registry, 'tablezoo/mustang-v0' in aec_registry)\n"
        "print('mustang_env' in sys.modules)\n"
        "gymnasium.make('tablezoo/Mustang-v0')\n"
        "print('mustang_env' in sys.modules)"
    )
    assert printed.split() == ["True", "True", "False", "True"]


def test_a_game_that_is_not_installed_registers_itself():
    """As in a clone: without any entry point, importing the game is enough, also by Gymnasium's ``module:id``."""
    printed = run_python(
        "from importlib import metadata\n"
        "from unittest import mock\n"
        "import gymnasium, pettingzoo\n"
        "with mock.patch.object(metadata, 'entry_points', lambda **_: ()):\n"
        "    import tablezoo\n"
        "print('tablezoo/Mustang-v0' in gymnasium.registry)\n"
        "print(gymnasium.make('mustang_env:tablezoo/Mustang-v0').unwrapped.games.game.id)"
    )
    assert printed.split() == ["False", "mustang_v0"]


def test_registering_again_changes_nothing():
    before = dict(gym.registry), dict(aec_registry)
    register_installed()
    register_game(GAME)
    assert (dict(gym.registry), dict(aec_registry)) == before


def test_a_users_own_game(monkeypatch):
    register_game(tiny.GAME)
    try:
        env = gym.make("tablezoo/Twelve-v0", num_players=3, hand_size=2)
        assert env.unwrapped.games.game is tiny.GAME
        assert pettingzoo.make("aec", "tablezoo/twelve-v0").unwrapped.game is tiny.GAME
    finally:
        del gym.registry["tablezoo/Twelve-v0"], aec_registry["tablezoo/twelve-v0"]


def test_games_by_name():
    assert find_game("mustang") is GAME
    with pytest.raises(ValueError, match="unknown game 'mustangs'; did you mean 'mustang'"):
        find_game("mustangs")


def test_the_package_says_what_it_has():
    assert all(hasattr(tablezoo, name) for name in tablezoo.__all__)
