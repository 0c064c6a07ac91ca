"""The core of the one-learner faces: seats, opponents, rewards, streams."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from mustang_env import GAME
from tablezoo import Batch, GreedyPolicy, IllegalActionError, Pool, RandomPolicy
from tablezoo.seats import SeatGames
from tests.engine import tiny
from tests.faces.helpers import Told, at_random, draw_all


class Played:
    """What ``steps`` random steps of a learner bring, a row a step; each lane's choices come from a generator of its
    own, so that they do not depend on other lanes."""

    def __init__(self, games: SeatGames, steps: int, seed: int = 0) -> None:
        count = games.batch.num_games
        rngs = [np.random.default_rng(seed + lane) for lane in range(count)]
        self.observations, self.rewards, self.dones, self.seats, self.won = [], [], [], [], []
        for _ in range(steps):
            masks = games.batch.action_mask
            actions = np.array([rng.choice(np.flatnonzero(mask)) for rng, mask in zip(rngs, masks, strict=True)])
            step = games.step(actions)
            won = np.zeros(count)
            won[step.ended] = step.won
            self.observations.append(games.observations())
            self.rewards.append(step.rewards)
            self.dones.append(step.terminated | step.truncated)
            self.seats.append(games.seat.copy())
            self.won.append(won)

    def arrays(self, lanes: Any = slice(None)) -> list[Any]:
        return [
            np.array(rows)[:, lanes] for rows in (self.observations, self.rewards, self.dones, self.seats, self.won)
        ]


def same(one: list[Any], other: list[Any]) -> bool:
    return all(np.array_equal(a, b) for a, b in zip(one, other, strict=True))


def named(policy: Any) -> Any:
    return Told(policy.act, f"{policy.name} in Python")


# --- lanes ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "opponents",
    ["random", "greedy", at_random, Pool(["random", "greedy"]), Pool(["random", GreedyPolicy(1)], [1, 3])],
    ids=["random", "greedy", "python", "pool", "weighted"],
)
@pytest.mark.parametrize("seat", [None, 1])
def test_lane_i_is_lane_0_of_seed_plus_i(opponents, seat):
    def make(count: int, seed: int) -> SeatGames:
        given = opponents() if callable(opponents) else opponents
        return SeatGames(tiny.GAME, count, 3, opponents=given, seat=seat, seed=seed)

    together = Played(make(4, 10), 40)
    assert np.array(together.dones).any(axis=0).all()
    for lane in range(4):
        alone = Played(make(1, 10 + lane), 40, seed=lane)
        assert same(together.arrays([lane]), alone.arrays())


def test_lanes_of_mixed_player_counts_are_their_single_games():
    together = Played(SeatGames(GAME, 4, [2, 3, 4, 5], seed=3), 60)
    for lane, players in enumerate([2, 3, 4, 5]):
        alone = Played(SeatGames(GAME, 1, players, seed=3 + lane), 60, seed=lane)
        assert same(together.arrays([lane]), alone.arrays())


def test_threads_do_not_matter():
    one, two = (Played(SeatGames(GAME, 600, 2, seed=0, threads=threads), 5) for threads in (1, 2))
    assert same(one.arrays(), two.arrays())


def test_seeds():
    first, second = SeatGames(GAME, 3, seed=4), SeatGames(GAME, 3, seed=4)
    second.reset()  # the constructor's seed holds for the first reset
    assert same(Played(first, 30).arrays(), Played(second, 30).arrays())
    again = SeatGames(GAME, 3, seed=9)
    again.reset(seed=4)
    assert same(Played(again, 30).arrays(), Played(SeatGames(GAME, 3, seed=4), 30).arrays())
    third, fourth = SeatGames(GAME, 3, seed=4), SeatGames(GAME, 3, seed=4)
    for games in (third, fourth):
        Played(games, 3)
        games.reset()
    assert same(Played(third, 30).arrays(), Played(fourth, 30).arrays())
    assert not same(Played(third, 30).arrays(), Played(SeatGames(GAME, 3, seed=4), 30).arrays())


def test_unseeded_games_differ():
    assert not np.array_equal(SeatGames(GAME, 4).observations(), SeatGames(GAME, 4).observations())


# --- opponents --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("policy", [RandomPolicy(), GreedyPolicy(2)], ids=["random", "greedy"])
def test_a_policy_in_python_plays_as_the_compiled_one(policy):
    compiled = SeatGames(tiny.GAME, 5, 3, opponents=policy, seed=1)
    python = SeatGames(tiny.GAME, 5, 3, opponents=named(policy), seed=1)
    assert same(Played(compiled, 40).arrays(), Played(python, 40).arrays())


def test_a_list_names_the_seats_clockwise_from_the_learner():
    asked: dict[int, set[int]] = {}
    games: Any = None

    def watch(steps: int) -> Told:
        def choose(views: Any) -> Any:
            asked.setdefault(steps, set()).update(((views.seat - games.seat[0]) % 3).tolist())
            return views.random_actions()

        return Told(choose, f"the one {steps} on")

    opponents = [watch(1), watch(2)]
    games = SeatGames.__new__(SeatGames)
    games.seat = np.zeros(1, np.int8)
    games.__init__(GAME, 1, 3, opponents=opponents, seat=0, seed=0)  # it is watched from the first deal on
    Played(games, 120)
    assert asked == {1: {1}, 2: {2}}
    assert all(policy.asked > 20 for policy in opponents)


def test_a_list_may_mix_what_is_compiled_and_what_is_not():
    mixed = SeatGames(tiny.GAME, 5, 3, opponents=["greedy", at_random()], seed=1)
    compiled = SeatGames(tiny.GAME, 5, 3, opponents=["greedy", "random"], seed=1)
    assert same(Played(mixed, 40).arrays(), Played(compiled, 40).arrays())


def test_greedies_of_different_depths_keep_theirs():
    policies = [GreedyPolicy(1), GreedyPolicy(3)]
    both = SeatGames(tiny.GAME, 5, 3, opponents=policies, seed=1)
    python = SeatGames(tiny.GAME, 5, 3, opponents=[named(policy) for policy in policies], seed=1)
    assert same(Played(both, 40).arrays(), Played(python, 40).arrays())


def test_a_pool_is_drawn_for_each_episode_by_its_weights():
    members = [at_random(), at_random()]
    games = SeatGames(tiny.GAME, 40, 2, opponents=Pool(members, [1, 3]), seed=0)
    drawn = []
    for _ in range(40):
        games.reset()
        drawn += games._policy_of[np.arange(40), 1 - games.seat].tolist()
    assert np.mean(drawn) == pytest.approx(0.75, abs=0.04)
    never = at_random()
    Played(SeatGames(tiny.GAME, 40, 2, opponents=Pool([at_random(), never], [1, 0]), seed=0), 20)
    assert never.asked == 0


def test_a_policy_sees_no_batch_and_many_lanes_at_once():
    sizes = []

    def choose(views: Any) -> Any:
        sizes.append(len(views))
        assert views.action_mask.any(axis=1).all()
        return views.random_actions()

    Played(SeatGames(GAME, 16, 2, opponents=Told(choose), seed=0), 30)
    assert max(sizes) > 10


# --- seats ------------------------------------------------------------------------------------------------------------


def test_the_seat_is_fixed_or_drawn_for_each_episode():
    fixed = Played(SeatGames(GAME, 8, 3, seat=2, seed=0), 60)
    assert np.array(fixed.dones).any()
    assert set(np.array(fixed.seats).ravel()) == {2}
    games = SeatGames(GAME, 300, 3, seed=0)
    drawn = []
    for _ in range(10):
        games.reset()
        drawn += games.seat.tolist()
    assert np.bincount(drawn) / len(drawn) == pytest.approx(np.full(3, 1 / 3), abs=0.03)


def test_seats_stay_within_a_lanes_players():
    games = SeatGames(GAME, 40, [2, 5], seed=0)
    for _ in range(5):
        games.reset()
        assert (games.seat < games.batch.num_players).all()
        assert np.array_equal(games.batch.seat, games.seat)


def test_games_that_end_before_the_learner_is_asked_are_skipped_and_counted():
    games = SeatGames(GAME, 20, 5, seat=0, max_turns=1, seed=0)
    assert games.skipped > 20
    assert np.array_equal(games.batch.seat, games.seat)
    before = games.skipped
    played = Played(games, 10)
    assert np.array(played.dones).any()
    assert games.skipped > before
    games.reset(seed=0)
    assert games.skipped == before


def test_a_learner_that_is_never_asked():
    with pytest.raises(RuntimeError, match="1000 games in a row ended before the learner was asked, in lane 0"):
        SeatGames(GAME, 2, 3, seat=2, start_seat=0, max_turns=1, seed=0)


# --- rewards ----------------------------------------------------------------------------------------------------------


def test_the_reward_arrives_when_the_game_ends_on_anothers_move():
    """Each game pays the learner once, by its outcome, whoever moved last."""
    opponent = at_random()
    games = SeatGames(GAME, 1, 2, opponents=opponent, seed=0)
    rng = np.random.default_rng(0)
    outcomes = []
    while len(outcomes) < 200:
        asked = opponent.asked
        step = games.step(draw_all(rng, games.batch.action_mask), autoreset=False)
        if not step.ended.size:
            assert step.rewards[0] == 0
            continue
        expected = 0 if step.winners[0, :2].all() else 1 if step.winners[0, step.seat[0]] else -1
        outcomes.append((opponent.asked > asked, float(step.rewards[0])))
        assert step.rewards[0] == expected
        games.reset()
    assert {(True, 1.0), (True, -1.0), (False, 1.0), (False, -1.0)} <= set(outcomes)


@pytest.mark.parametrize("early", [0.0, 0.5])
@pytest.mark.parametrize("opponents", ["random", at_random], ids=["compiled", "python"])
def test_a_dense_reward_adds_up_to_the_score(opponents, early, monkeypatch):
    """What a learner got before it was first asked, here ``early``, comes with its first step."""
    advance = Batch.advance

    def advance_and_pay(self: Batch, codes: Any, streams: Any, games: Any, actions: Any, depth: int) -> Any:
        played = advance(self, codes, streams, games, actions, depth)
        if actions is None:
            self._outputs[3][games] += early
        return played

    monkeypatch.setattr(Batch, "advance", advance_and_pay)
    given = opponents() if callable(opponents) else opponents
    games = SeatGames(GAME, 30, 3, opponents=given, reward="score_delta", seed=0)
    rng = np.random.default_rng(0)
    earned, ended = np.zeros(30), 0
    low, high = GAME.score_range
    while ended < 60:
        step = games.step(draw_all(rng, games.batch.action_mask))
        earned += step.rewards
        for lane, scores, seat in zip(step.ended, step.scores, step.seat, strict=True):
            assert earned[lane] == pytest.approx(early + (scores[seat] - low) / (high - low), abs=1e-5)
        earned[step.ended] = 0
        ended += step.ended.size


def test_a_cut_game_is_truncated():
    games = SeatGames(GAME, 10, 2, max_turns=3, seed=0)
    rng = np.random.default_rng(0)
    cut = 0
    for _ in range(60):
        step = games.step(draw_all(rng, games.batch.action_mask))
        assert not step.terminated.any()
        assert np.array_equal(np.flatnonzero(step.truncated), step.ended)
        cut += step.ended.size
    assert cut > 20


def test_the_final_observation_is_the_learners():
    games = SeatGames(GAME, 1, 3, seed=0, obs="raw")
    rng = np.random.default_rng(0)
    while not (step := games.step(draw_all(rng, games.batch.action_mask), autoreset=False)).ended.size:
        pass
    assert np.array_equal(step.final_observation, games.batch.observe(int(games.seat[0])))
    assert not games.observations().any()
    assert games.step([0], autoreset=False).rewards[0] == 0


# --- bad input --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("settings", "error", "words"),
    [
        ({"opponents": "greddy"}, ValueError, "unknown policy 'greddy'; did you mean 'greedy'"),
        ({"opponents": 3}, TypeError, "policy 3 is of type int; expected a name or an object with act"),
        ({"opponents": ["random"]}, ValueError, "opponents lists 1; expected 2, one for each other seat"),
        ({"opponents": []}, ValueError, "opponents lists 0; expected 2"),
        ({"opponents": Pool(["random", "greddy"])}, ValueError, "unknown policy 'greddy'"),
        ({"seat": 3}, ValueError, "seat: expected an integer from 0 to 2, got 3, as there are 3 players"),
        ({"seat": True}, TypeError, "seat: expected an integer"),
        ({"obs": "floats"}, ValueError, "did you mean 'float'"),
    ],
)
def test_wrong_settings(settings, error, words):
    with pytest.raises(error, match=words):
        SeatGames(GAME, 2, 3, **settings)


@pytest.mark.parametrize(
    ("choose", "error", "words"),
    [
        (lambda views: np.zeros(len(views)), TypeError, "opponent 'bad': actions have dtype float64"),
        (lambda views: np.zeros(len(views), bool), TypeError, "opponent 'bad': actions have dtype bool"),
        (lambda views: [0], TypeError, r"opponent 'bad': actions have shape \(1,\)"),
        (lambda views: np.argmin(views.action_mask, axis=1), IllegalActionError, "opponent 'bad': game 0: action"),
        (lambda views: np.full(len(views), 169), IllegalActionError, "opponent 'bad': game 0: .* out of range"),
    ],
)
def test_an_opponent_that_chooses_wrongly_is_named(choose, error, words):
    with pytest.raises(error, match=words):
        Played(SeatGames(GAME, 8, 2, opponents=Told(choose, "bad"), seed=0), 20)


def test_an_opponents_illegal_action_loses_if_it_is_so_agreed():
    bad = Told(lambda views: np.argmin(views.action_mask, axis=1))
    games = SeatGames(GAME, 4, 2, opponents=bad, illegal="lose", seat=0, start_seat=0, seed=0)
    rng = np.random.default_rng(0)
    won = 0
    for _ in range(30):
        step = games.step(draw_all(rng, games.batch.action_mask))
        assert (step.rewards[step.ended] == 1).all()
        won += step.ended.size
    assert won > 0


def test_an_illegal_action_moves_nothing():
    games = SeatGames(GAME, 3, 2, seed=0)
    before = games.batch.states.copy(), games._streams.copy()
    actions = games.batch.action_mask.argmax(axis=1)
    actions[1] = int(np.flatnonzero(~games.batch.action_mask[1])[0])
    with pytest.raises(IllegalActionError, match=f"game 1: action {actions[1]} "):
        games.step(actions)
    assert np.array_equal(games.batch.states, before[0])
    assert np.array_equal(games._streams, before[1])


# --- other opponents --------------------------------------------------------------------------------------------------


def test_other_opponents_come_with_the_next_deals() -> None:
    games = SeatGames(GAME, 16, 3, opponents=Pool([named(RandomPolicy()), "greedy"]), seed=0)
    old = [policy.name for policy in games.policies]
    sitting = games._policy_of.copy()
    games.set_opponents(Pool([GreedyPolicy(2), named(RandomPolicy()), "random"]))
    names = [policy.name for policy in games.policies]
    assert names[:3] == ["greedy", "random in Python", "random"]
    for lane, seats in enumerate(sitting):
        now = games._policy_of[lane]
        assert [old[one] for one in seats if one >= 0] == [names[one] for one in now if one >= 0]
    seen = set()
    for _ in range(3000):
        step = games.step(games.batch.random_actions(np.random.default_rng(0)))
        seen |= {games.policies[one] for one in games._policy_of[step.ended].flat if one >= 0}
        if len(seen) == 3:
            break
    assert seen <= set(games.policies[:3])
    assert len(seen) == 3


def test_two_greedies_of_different_depth_are_both_played_right() -> None:
    """The loop plays one depth: where two are in play, both act in Python, and as before."""
    games = SeatGames(GAME, 8, 2, opponents=GreedyPolicy(4), seed=1)
    assert not games._has_python_policies
    games.set_opponents(GreedyPolicy(1))
    assert games._has_python_policies
    other = SeatGames(GAME, 8, 2, opponents=GreedyPolicy(4), seed=1)
    for _ in range(5):
        actions = games.batch.action_mask.argmax(axis=1)
        one, two = games.step(actions), other.step(actions)
        if one.ended.size:
            break
        np.testing.assert_array_equal(games.observations(), other.observations())
        np.testing.assert_array_equal(one.rewards, two.rewards)


@pytest.mark.parametrize("wrong", ["nobody", ["random", "random"], 3])
def test_opponents_that_cannot_be_leave_the_old_ones(wrong: Any) -> None:
    games = SeatGames(GAME, 4, 2, opponents="greedy", seed=0)
    with pytest.raises((ValueError, TypeError)):
        games.set_opponents(wrong)
    assert [policy.name for policy in games.policies] == ["greedy"]
    games.step(games.batch.action_mask.argmax(axis=1))


def test_a_step_tells_who_sat_where() -> None:
    games = SeatGames(GAME, 32, [2, 4] * 16, opponents=Pool(["random", "greedy"]), seed=0)
    sitting = games._policy_of.copy()
    for _ in range(3000):
        step = games.step(games.batch.random_actions(np.random.default_rng(0)))
        np.testing.assert_array_equal(step.line_up, sitting[step.ended])
        if step.ended.size:
            assert (np.take_along_axis(step.line_up, step.seat[:, None].astype(int), axis=1) == -1).all()
            break
        sitting = games._policy_of.copy()
    else:
        raise AssertionError("no game ended")
