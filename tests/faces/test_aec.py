"""The PettingZoo face."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import numpy as np
import pytest
from pettingzoo.test import api_test, parallel_api_test, render_test, seed_test
from pettingzoo.utils import turn_based_aec_to_parallel
from pettingzoo.utils.wrappers import AssertOutOfBoundsWrapper, OrderEnforcingWrapper

import mustang_env
from mustang_env import GAME, mustang_v0
from tablezoo import Batch, IllegalActionError, OptionError
from tablezoo.aec import AECEnv
from tablezoo.game import ENDED
from tablezoo.rewards import REWARDS
from tests.faces.helpers import draw


def play(env: Any, seed: int = 0, decisions: int = 10**9) -> dict[str, float]:
    """Play at random, at most so many decisions; return what ``last()`` paid each agent, dead steps included."""
    rng = np.random.default_rng(seed)
    paid = dict.fromkeys(env.possible_agents, 0.0)
    for agent in env.agent_iter():
        seen, reward, terminated, truncated, _ = env.last()
        over = terminated or truncated
        if not over and decisions == 0:
            break
        paid[agent] += reward
        env.step(None if over else draw(rng, seen["action_mask"]))
        decisions -= not over
    return paid


def is_over(env: Any) -> bool:
    return env.terminations[env.agent_selection] or env.truncations[env.agent_selection]


def play_on(env: Any, decisions: int = 10**9, seed: int = 0) -> Any:
    """Play at random, at most so many decisions, up to the end but not through the dead steps."""
    rng = np.random.default_rng(seed)
    while decisions and not is_over(env):
        env.step(draw(rng, env.last()[0]["action_mask"]))
        decisions -= 1
    return env


def dealt(seed: int = 0, **settings: Any) -> Any:
    env = mustang_env.env(**settings)
    env.reset(seed=seed)
    return env


def picture(env: Any) -> list[Any]:
    """All that an agent can see of a running game."""
    seen = [env.observe(agent) for agent in env.possible_agents]
    return [env.agent_selection, env.state().tolist()] + [{k: v.tolist() for k, v in s.items()} for s in seen]


# --- PettingZoo's own tests -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_pettingzoo_api(players, capsys):
    api_test(mustang_v0.env(num_players=players), num_cycles=1000)


def test_pettingzoo_seed():
    seed_test(mustang_v0.env, 1000)


def test_pettingzoo_render(capsys):
    render_test(mustang_v0.env)


def test_pettingzoos_wrappers_fit():
    env = OrderEnforcingWrapper(AssertOutOfBoundsWrapper(mustang_v0.env(num_players=3)))
    env.reset(seed=0)
    assert sum(play(env).values()) == pytest.approx(0)


def test_pettingzoos_turn_based_adapter_fits(capsys):
    env = mustang_v0.env()
    assert env.metadata["is_parallelizable"] is False
    env.metadata["is_parallelizable"] = True  # what the adapter asks for: it idles all agents but the one at turn
    parallel_api_test(turn_based_aec_to_parallel(env), num_cycles=200)


# --- spaces and observations ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("obs", "dtype"), [("float", np.float32), ("raw", np.uint8)])
def test_observations_lie_in_their_spaces(obs, dtype):
    env = dealt(num_players=3, obs=obs)
    rng = np.random.default_rng(0)
    for _ in range(60):
        for agent in env.agents:
            seen = env.observe(agent)
            assert seen["observation"].dtype == dtype
            assert seen["action_mask"].dtype == np.int8
            assert env.observation_space(agent).contains(seen)
            assert seen["action_mask"].any() == (agent == env.agent_selection)
        env.step(draw(rng, env.last()[0]["action_mask"]))


def test_spaces_are_the_same_objects_and_there_before_reset():
    env = mustang_env.env(num_players=3)
    assert env.possible_agents == ["player_0", "player_1", "player_2"]
    assert env.max_num_agents == 3
    for agent in env.possible_agents:
        assert env.observation_space(agent) is env.observation_space(agent)
        assert env.action_space(agent) is env.action_space(agent)
        assert env.action_space(agent).n == GAME.num_actions
    assert env.state_space is env.state_space
    assert str(env) == env.metadata["name"] == "mustang_v0"
    assert env.render_mode is None
    assert env.unwrapped is env


def test_the_space_samples_legal_actions():
    env = dealt()
    mask = env.last()[0]["action_mask"]
    assert all(mask[env.action_space(env.agent_selection).sample(mask)] for _ in range(20))


def test_the_state_is_full_information():
    env = dealt()
    assert env.state_space.contains(env.state())
    assert np.array_equal(env.state(), Batch(GAME, seed=0).state()[0])


def test_what_is_handed_out_is_never_overwritten():
    env = dealt(num_players=3)
    rng = np.random.default_rng(0)
    kept = []
    for _ in range(50):
        views = [env.last()[0], *(env.observe(agent) for agent in env.agents), {"state": env.state()}]
        arrays = [array for view in views for array in view.values()]
        kept += [(array, array.copy()) for array in arrays]
        for i, array in enumerate(arrays):
            assert array.flags.writeable
            assert not any(np.shares_memory(array, other) for other in arrays[:i])
        env.step(draw(rng, views[0]["action_mask"]))
    assert all(np.array_equal(array, was) for array, was in kept)


def test_writing_into_what_was_handed_out_changes_nothing():
    env = dealt()
    before = picture(env)
    for agent in env.agents:
        for array in env.observe(agent).values():
            array[:] = 1
    assert picture(env) == before


# --- the game and its end ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("lane", [0, 2])
def test_it_plays_a_batchs_lane(lane):
    batch = Batch(GAME, 3, 4, seed=7, autoreset=False)
    env = dealt(seed=7 + lane, num_players=4, obs="raw")
    rng = np.random.default_rng(0)
    while batch.seat[lane] >= 0:
        seen = env.last()[0]
        assert env.agent_selection == f"player_{batch.seat[lane]}"
        assert np.array_equal(seen["observation"], batch.observation[lane])
        assert np.array_equal(seen["action_mask"], batch.action_mask[lane])
        action = draw(rng, seen["action_mask"])
        env.step(action)
        batch.step([action], games=[lane])
    assert all(env.terminations.values())
    assert env.infos["player_0"]["scores"] == batch.scores[lane, :4].tolist()


@pytest.mark.parametrize("reward", REWARDS)
@pytest.mark.parametrize("players", [2, 5])
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
    assert np.abs(earned).sum() > 0 or max_turns == 7


def test_all_end_in_one_step_with_python_bools():
    env = dealt(num_players=3)
    rng = np.random.default_rng(0)
    for agent in env.agent_iter():
        seen, reward, terminated, _, _ = env.last()
        flags = [*env.terminations.values(), *env.truncations.values()]
        assert {type(flag) for flag in flags} == {bool}
        assert type(reward) is float
        assert len(set(env.terminations.values())) == 1
        assert not any(env.truncations.values())
        if terminated:
            assert not any(env.observe(other)["action_mask"].any() for other in env.possible_agents)
        env.step(None if terminated else draw(rng, seen["action_mask"]))
        assert terminated == (agent not in env.agents)
    assert env.agents == []
    assert env.num_agents == 0


def test_infos_tell_the_outcome():
    for seed in range(4):
        env = dealt(seed, num_players=4)
        assert set(map(str, env.infos.values())) == {"{}"}
        play_on(env)
        batch = env._batch
        for seat, info in enumerate(env.infos.values()):
            assert (info["score"], info["rank"]) == (batch.scores[0, seat], batch.ranks[0, seat])
            assert info["scores"] == batch.scores[0, :4].tolist()
            assert info["ranks"] == batch.ranks[0, :4].tolist()
            assert info["winners"] == batch.winners[0, :4].tolist() == [rank == 0 for rank in info["ranks"]]
            assert info["won"] == pytest.approx(batch.winners[0, seat] / batch.winners[0].sum())
            assert [type(info[key]) for key in ("score", "rank", "won")] == [int, int, float]
            assert set(map(type, info["scores"] + info["ranks"])) == {int}
        assert env.last()[4] is env.infos[env.agent_selection]
    scores = [*env.infos["player_0"]["scores"]]
    env.infos["player_0"]["scores"].clear()
    assert env.infos["player_1"]["scores"] == scores


def test_an_agent_that_has_gone_stays_gone():
    env = dealt(num_players=3)
    play_on(env)
    for left in (2, 1, 0):
        agent = env.agent_selection
        env.step(None)
        assert agent not in env.agents
        assert len(env.agents) == left
        assert all(set(held) == set(env.agents) for held in (env.terminations, env.truncations, env.infos))
    env.reset()
    assert env.agents == env.possible_agents


def test_a_cut_game_is_truncated_not_terminated():
    env = play_on(dealt(max_turns=2))
    assert set(env.truncations.values()) == {True}
    assert set(env.terminations.values()) == {False}
    assert env.infos["player_0"]["winners"].count(True) >= 1


def test_the_constructors_seed_is_the_first_resets():
    named, first, second = dealt(seed=5), mustang_env.env(seed=5), mustang_env.env(seed=5)
    for env in (first, second):
        env.reset()
    assert picture(named) == picture(first) == picture(second)
    first.reset()
    assert picture(first) != picture(named)
    first.reset(seed=5)
    assert picture(first) == picture(named)


def test_a_reset_without_a_seed_goes_on_with_the_stream():
    one, other = dealt(seed=3), dealt(seed=3)
    for env in (one, other):
        play(env)
        env.reset()
    assert picture(one) == picture(other)
    assert picture(one) != picture(dealt(seed=3))


def test_options_at_reset():
    env = mustang_env.env(num_players=3)
    env.reset(seed=0, options={"max_turns": 1, "anything": 1})
    play_on(env)
    assert env.truncations["player_0"]


def test_a_game_that_is_over_when_dealt(monkeypatch):
    reset = Batch.reset

    def deal_and_end(self: Batch, **settings: Any) -> None:
        reset(self, **settings)
        self.states["ended"] = ENDED
        self._outputs[4][:] = True
        self.refresh()

    env = mustang_env.env()
    monkeypatch.setattr(Batch, "reset", deal_and_end)
    env.reset(seed=0)
    assert all(env.terminations.values())
    play(env)
    assert env.agents == []


# --- copies -----------------------------------------------------------------------------------------------------------


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


@pytest.mark.parametrize("make", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))], ids=["copy", "pickle"])
def test_a_copy_shares_no_memory(make):
    env = dealt(num_players=4)
    play_on(env, 20)
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
@pytest.mark.parametrize("decisions", [0, 33])
def test_a_copy_keeps_the_game_in_progress(make, decisions):
    env = dealt(num_players=3, reward="score_delta")
    play(env, decisions=decisions)
    twin = make(env)
    before = picture(env)
    assert picture(twin) == before
    assert twin._cumulative_rewards == env._cumulative_rewards
    paid = play(twin, seed=1)
    assert picture(env) == before
    assert play(env, seed=1) == paid
    assert env.agents == twin.agents == []
    for each in (env, twin):
        each.reset()
    assert picture(env) == picture(twin)


@pytest.mark.parametrize("make", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))], ids=["copy", "pickle"])
def test_a_copy_before_reset_and_after_the_end(make):
    fresh = make(mustang_env.env(seed=2))
    assert not hasattr(fresh, "agents")
    fresh.reset()
    assert picture(fresh) == picture(dealt(seed=2))
    over = play_on(dealt())
    twin = make(over)
    assert twin.infos == over.infos
    twin.step(None)
    assert len(over.agents) == 2


# --- pictures ---------------------------------------------------------------------------------------------------------


def test_a_picture_of_the_whole_and_of_a_seat():
    whole = dealt(render_mode="ansi").render()
    seats = [dealt(render_mode="ansi", render_seat=seat).render() for seat in (0, 1)]
    assert whole == GAME.describe(Batch(GAME, seed=0).states[0])
    assert len({whole, *seats}) == 3


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
            play_on(env, 9, seed=3)


def test_a_seats_picture_shows_its_hand_and_only_counts_others():
    env, whole = (dealt(render_mode="ansi", render_seat=seat, num_players=3) for seat in (1, None))
    mine, all_hands = hands(env.render()), hands(whole.render())
    assert mine[1] == all_hands[1]
    assert mine[0] == mine[2] == "hand:   6 cards"
    assert all("[1]" in hand for hand in all_hands)


@pytest.mark.parametrize("seat", [0, 1])
def test_human_prints_what_the_seat_sees_at_every_step(seat, capsys):
    env = dealt(render_mode="human", render_seat=seat)
    for _ in range(3):
        assert capsys.readouterr().out == env._batch.describe(0, seat) + "\n"
        play_on(env, 1)
    capsys.readouterr()
    assert env.render() is None
    assert capsys.readouterr().out == env._batch.describe(0, seat) + "\n"


def test_a_picture_needs_a_render_mode():
    with pytest.warns(UserWarning, match="pass render_mode='ansi' or 'human'"):
        assert dealt().render() is None


# --- bad input that other faces do not know; the rest is in test_bad_input.py -----------------------------------------


@pytest.mark.parametrize(
    ("settings", "error", "words"),
    [
        ({"num_players": [2, 3]}, TypeError, r"num_players \[2, 3\] is no integer"),
        ({"rendermode": "ansi"}, OptionError, "did you mean 'render_mode'"),
        ({"autoreset": True}, OptionError, "unknown option 'autoreset' of Mustang here; .* of Batch"),
        ({"num_games": 2}, OptionError, "unknown option 'num_games'"),
        ({"render_seat": 2}, ValueError, "render_seat: expected an integer from 0 to 1, got 2"),
    ],
)
def test_wrong_settings(settings, error, words):
    with pytest.raises(error, match=words):
        mustang_env.env(**settings)


@pytest.mark.parametrize(
    "use",
    [
        lambda env: env.agents,
        lambda env: env.num_agents,
        lambda env: env.agent_selection,
        lambda env: env.rewards,
        lambda env: env.terminations,
        lambda env: env.truncations,
        lambda env: env.infos,
        lambda env: env.last(),
        lambda env: env.step(0),
        lambda env: env.step(None),
        lambda env: env.observe("player_0"),
        lambda env: env.state(),
        lambda env: env.render(),
        lambda env: list(env.agent_iter()),
    ],
)
def test_any_use_before_reset(use):
    with pytest.raises(AttributeError, match=r"call reset\(\) first"):
        use(mustang_env.env(render_mode="ansi"))


def test_before_reset_nothing_pretends_to_be_there():
    env = mustang_env.env()
    assert not hasattr(env, "agents")
    with pytest.raises(AttributeError, match="AECEnv has no attribute 'agentz'"):
        _ = env.agentz


def test_none_for_a_live_agent():
    env = dealt()
    before = picture(env)
    with pytest.raises(TypeError, match=r"the action for player_[01] is None, but its game is not over"):
        env.step(None)
    assert picture(env) == before


def test_an_illegal_action_is_told_with_label_agent_and_what_is_legal():
    env = dealt()
    mask = env.last()[0]["action_mask"]
    action = int(np.flatnonzero(mask == 0)[0])
    with pytest.raises(IllegalActionError) as raised:
        env.step(action)
    words = str(raised.value)
    assert f"action {action} ({GAME.action_label(action)}) is illegal" in words
    assert words.startswith(env.agent_selection)
    for legal in np.flatnonzero(mask)[:10]:
        assert f"{legal} ({GAME.action_label(int(legal))})" in words


def test_an_illegal_action_loses_if_it_is_so_agreed():
    env = dealt(num_players=3, illegal="lose")
    offender = env.agent_selection
    env.step(int(np.flatnonzero(env.last()[0]["action_mask"] == 0)[0]))
    assert all(env.terminations.values())
    assert env.rewards[offender] == min(env.rewards.values()) == -1
    assert sum(env.rewards.values()) == pytest.approx(0)
    assert env.infos[offender]["won"] == 0
    assert env.infos[offender]["rank"] == max(env.infos[offender]["ranks"])


def test_when_all_agents_are_gone():
    env = dealt()
    play(env)
    with pytest.raises(ValueError, match=r"all agents are gone: call reset\(\)"):
        env.last()
    assert list(env.agent_iter()) == []


def test_an_agent_that_is_not_there():
    with pytest.raises(ValueError, match="no agent 'player_2'; agents are player_0, player_1"):
        dealt().observe("player_2")


@pytest.mark.parametrize("agent", ["player_9", "", None, 0])
def test_spaces_of_an_agent_that_is_not_there(agent):
    env = mustang_env.env()
    for use in (env.observation_space, env.action_space):
        with pytest.raises(ValueError, match=f"no agent {agent!r}; agents are player_0, player_1"):
            use(agent)
