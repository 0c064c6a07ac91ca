"""The PettingZoo face beside test_aec.py: copies that share no memory, pictures that hide, pay that waits, registry."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import numpy as np
import pytest
from pettingzoo.env_registry import registration

import mustang_env
from mustang_env import GAME
from tablezoo import Batch
from tablezoo.aec import AECEnv
from tablezoo.rewards import REWARDS
from tests.faces.helpers import draw


def dealt(seed: int = 0, **settings: Any) -> Any:
    env = mustang_env.env(**settings)
    env.reset(seed=seed)
    return env


def over(env: Any) -> bool:
    return env.terminations[env.agent_selection] or env.truncations[env.agent_selection]


def play(env: Any, decisions: int = 10**9, seed: int = 0) -> None:
    """Play at random, at most so many decisions, up to the end but not through the dead steps."""
    rng = np.random.default_rng(seed)
    while decisions and not over(env):
        env.step(draw(rng, env.last()[0]["action_mask"]))
        decisions -= 1


def arrays_of(value: Any, seen: set[int]) -> list[Any]:
    """Return all arrays within a value's attributes, lists, tuples and dicts; views of the game package left out."""
    if id(value) in seen or value is GAME:
        return []
    seen.add(id(value))
    if isinstance(value, np.ndarray):
        return [value]
    if isinstance(value, dict):
        parts = list(value.values())
    elif isinstance(value, (list, tuple)):
        parts = list(value)
    elif isinstance(value, (AECEnv, Batch)):
        parts = list(vars(value).values())
    else:
        return []
    return [array for part in parts for array in arrays_of(part, seen)]


# --- registry ---------------------------------------------------------------------------------------------------------


def test_the_registry_makes_it_with_keywords():
    env = registration.make("aec", "tablezoo/mustang-v0", num_players=3, max_turns=9, obs="raw", render_mode="ansi")
    assert isinstance(env.unwrapped, AECEnv)
    env.reset(seed=0)
    direct = dealt(num_players=3, max_turns=9, obs="raw", render_mode="ansi")
    assert env.render() == direct.render()
    assert np.array_equal(env.observe("player_2")["observation"], direct.observe("player_2")["observation"])


# --- copies -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("make", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))], ids=["copy", "pickle"])
def test_a_copy_shares_no_memory(make):
    env = dealt(num_players=4)
    play(env, 20)
    twin = make(env)
    contents = {id(content.record) for content in env._batch.contents}
    mine, theirs = (
        [array for array in arrays_of(each, set()) if array.flags.writeable and id(array) not in contents]
        for each in (env, twin)
    )
    assert len(mine) >= 10
    assert len(mine) == len(theirs)
    assert not [a for a in mine for b in theirs if np.shares_memory(a, b)]
    assert np.array_equal(env._batch.states, twin._batch.states)
    for name in ("rewards", "_cumulative_rewards", "terminations", "truncations", "infos", "agents"):
        assert getattr(env, name) == getattr(twin, name)
        assert getattr(env, name) is not getattr(twin, name)


@pytest.mark.parametrize("make", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))], ids=["copy", "pickle"])
def test_a_copy_s_views_are_of_its_own_game(make):
    """A copy whose handles still looked at the old buffers would step its game and show the other's."""
    env = dealt(num_players=2)
    play(env, 12)
    twin = make(env)
    before = env._batch.states.tobytes(), env.last()[0]["observation"].copy()
    play(twin)
    assert over(twin)
    assert not over(env)
    assert (env._batch.states.tobytes(), env.last()[0]["observation"].tolist()) == (before[0], before[1].tolist())


# --- pay and flags ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("reward", REWARDS)
@pytest.mark.parametrize("players", [3, 5])
@pytest.mark.parametrize("max_turns", [1000, 7], ids=["ends", "cut"])
def test_last_pays_the_engines_return_however_the_game_ends(reward, players, max_turns):
    settings: dict[str, Any] = {"reward": reward, "max_turns": max_turns}
    env = dealt(1, num_players=players, **settings)
    batch = Batch(GAME, 1, players, seed=1, autoreset=False, **settings)
    rng = np.random.default_rng(0)
    paid, earned = dict.fromkeys(env.possible_agents, 0.0), np.zeros(GAME.max_players)
    for agent in env.agent_iter():
        seen, pay, terminated, truncated, _ = env.last()
        assert [type(flag) for flag in (terminated, truncated)] == [bool, bool]
        paid[agent] += pay
        if terminated or truncated:
            env.step(None)
            continue
        action = draw(rng, seen["action_mask"])
        env.step(action)
        batch.step([action])
        earned += batch.rewards[0]
    assert batch.seat[0] < 0
    assert bool(batch.truncated[0]) == (max_turns == 7)
    assert list(paid.values()) == pytest.approx(earned[:players].tolist(), abs=1e-5)


def test_infos_are_the_engines_results():
    for seed in range(4):
        env = dealt(seed, num_players=4)
        assert set(map(str, env.infos.values())) == {"{}"}
        play(env)
        batch = env._batch
        for seat, agent in enumerate(env.possible_agents):
            info = env.infos[agent]
            assert (info["score"], info["rank"]) == (batch.scores[0, seat], batch.ranks[0, seat])
            assert info["winners"] == batch.winners[0, :4].tolist()
            assert info["won"] == pytest.approx(batch.winners[0, seat] / batch.winners[0].sum())
            assert [type(info[key]) for key in ("score", "rank", "won")] == [int, int, float]
            assert env.last()[4] is env.infos[env.agent_selection]


def test_an_agent_that_has_gone_stays_gone():
    env = dealt(num_players=3)
    play(env)
    for left in (2, 1, 0):
        agent = env.agent_selection
        env.step(None)
        assert agent not in env.agents
        assert len(env.agents) == left
        assert all(set(held) == set(env.agents) for held in (env.terminations, env.truncations, env.infos))
    env.reset()
    assert env.agents == env.possible_agents


# --- pictures ---------------------------------------------------------------------------------------------------------


def hands(picture: str) -> list[str]:
    return [line.strip() for line in picture.splitlines() if line.startswith("  hand:")]


@pytest.mark.parametrize("players", [2, 5])
def test_a_seats_picture_is_the_same_whatever_is_hidden_from_it(players):
    """What a seat cannot know is dealt anew; its picture stays, the spectators' does not."""
    envs = [dealt(render_mode="ansi", render_seat=seat, num_players=players) for seat in range(players)]
    for _ in range(6):
        whole = GAME.describe(envs[0]._batch.states[0])
        for seat, env in enumerate(envs):
            shown = env.render()
            others = env._batch.determinize(seat, 5, games=[0] * 3)
            assert [others.describe(i, seat) for i in range(3)] == [shown] * 3
            assert whole not in [others.describe(i) for i in range(3)]
        for env in envs:
            play(env, 9, seed=3)


def test_a_seats_picture_shows_its_hand_and_only_counts_others():
    env, whole = (dealt(render_mode="ansi", render_seat=seat, num_players=3) for seat in (1, None))
    mine, all_hands = hands(env.render()), hands(whole.render())
    assert mine[1] == all_hands[1]
    assert mine[0] == mine[2] == "hand:   6 cards"
    assert all("[1]" in hand for hand in all_hands)


@pytest.mark.parametrize("seat", [0, 1])
def test_human_prints_what_the_seat_sees(seat, capsys):
    env = dealt(render_mode="human", render_seat=seat)
    capsys.readouterr()
    play(env, 1)
    assert capsys.readouterr().out == env._batch.describe(0, seat) + "\n"
