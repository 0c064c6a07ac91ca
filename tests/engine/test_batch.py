"""Batches: dealing, playing, ending, starting again; some lanes or all."""

from __future__ import annotations

import dataclasses
import re

import numpy as np
import pytest

from tablezoo import Batch
from tests.engine.helpers import everything, illegal_action, legal_action, play, play_out, same, write_position
from tests.engine.tiny import DARE, GAME, O_HAND, O_SIZES, VALUES


def test_a_new_batch_stands_at_the_first_decision():
    batch = Batch(GAME, 5, num_players=3, seed=1)
    assert batch.seat.dtype == np.int8
    assert set(batch.seat) <= {0, 1, 2}
    assert batch.action_mask.any(axis=1).all()
    assert not batch.rewards.any()
    assert not batch.terminated.any()
    assert (batch.states["hand"][:, :3].sum(axis=2) == 3).all()


def test_the_observation_is_that_of_the_seat_asked():
    batch = play(Batch(GAME, 8, num_players=4, seed=1), 3)
    assert np.array_equal(batch.observation, batch.observe(batch.seat))
    own = batch.states["hand"][np.arange(8), batch.seat]
    assert np.array_equal(batch.observation[:, O_HAND : O_HAND + 6], own)


def test_a_step_plays_by_the_rules():
    batch = Batch(GAME, 1, num_players=2, seed=0, start_seat=1)
    write_position(batch, 0, [[1, 2, 3], [0, 4, 5]], [[], []], [3, 5])
    batch.refresh()
    assert batch.seat[0] == 1
    assert np.flatnonzero(batch.action_mask[0]).tolist() == [0, 4, 5, DARE]
    batch.step([4])
    assert batch.seat[0] == 0
    assert batch.states["turn"][0] == 1
    assert batch.states["table"][0, 1].tolist() == [0, 0, 0, 0, 1, 0]
    assert batch.states["hand"][0, 1].tolist() == [1, 0, 0, 0, 0, 2]
    assert batch.observation[0, O_SIZES : O_SIZES + 4].tolist() == [3, 3, 0, 0]


def test_a_decision_without_a_choice_is_played():
    """A dared seat with cards of one value may only give one of them once the deck is empty."""
    batch = Batch(GAME, 1, num_players=2, seed=0, start_seat=0)
    write_position(batch, 0, [[1, 2], [4, 4]], [[], []], [])
    batch.refresh()
    batch.step([DARE])
    assert batch.seat[0] == 1
    assert batch.states["pending_size"][0] == 0
    assert batch.states["table"][0, 0].tolist() == [0, 0, 0, 0, 1, 0]


def test_a_finished_game_without_autoreset_pays_once_and_stands_still():
    batch = play_out(Batch(GAME, 4, seed=0, autoreset=False))
    assert (batch.seat == -1).all()
    assert not batch.action_mask.any()
    assert not batch.observation.any()
    before = everything(batch)
    for actions in ([0, 0, 0, 0], [7, 6, 5, 4]):
        batch.step(actions)
        assert not batch.rewards.any()
        assert not batch.terminated.any()
    after = everything(batch)
    for name in ("hand", "table", "turn", "rng", "scores", "winners"):
        assert np.array_equal(before[name], after[name])


def test_an_action_out_of_range_is_ignored_where_the_game_is_over():
    batch = play_out(Batch(GAME, 2, seed=0, autoreset=False))
    batch.step([-5, 1000])
    assert (batch.seat == -1).all()


def test_autoreset_shows_the_end_and_stands_at_the_next_game():
    batch = Batch(GAME, 6, num_players=2, seed=3)
    twin = Batch(GAME, 6, num_players=2, seed=3, autoreset=False)
    rng = np.random.default_rng(0)
    seen = np.zeros(6, bool)
    while not seen.all():
        actions = batch.random_actions(rng)
        batch.step(actions)
        twin.step(actions, games=np.arange(6))
        for lane in np.flatnonzero((batch.terminated | batch.truncated) & ~seen):
            assert np.array_equal(batch.rewards[lane], twin.rewards[lane])
            assert np.array_equal(batch.scores[lane], twin.scores[lane])
            for name in ("hand", "table", "turn", "ended", "seat"):
                assert np.array_equal(batch.final_states[name][lane], twin.states[name][lane])
            final = [batch.observe_final(seat)[lane] for seat in (0, 1)]
            assert np.array_equal(final, [twin.observe(seat)[lane] for seat in (0, 1)])
            assert batch.states["turn"][lane] == 0
            assert batch.seat[lane] >= 0
            assert batch.action_mask[lane].any()
            seen[lane] = True


def test_results_stay_until_the_lanes_next_end():
    batch = Batch(GAME, 1, seed=3)
    rng = np.random.default_rng(0)
    while not batch.terminated[0]:
        batch.step(batch.random_actions(rng))
    scores, winners = batch.scores.copy(), batch.winners.copy()
    batch.step(batch.random_actions(rng))
    assert not batch.terminated[0]
    assert np.array_equal(batch.scores, scores)
    assert np.array_equal(batch.winners, winners)


def test_a_partial_step_leaves_other_lanes_and_their_buffers_alone():
    batch = play(Batch(GAME, 6, num_players=3, seed=2), 4)
    before = everything(batch)
    lanes = np.array([4, 1])
    batch.step([legal_action(batch, 4), legal_action(batch, 1)], games=lanes)
    after = everything(batch)
    others = [0, 2, 3, 5]
    for name in before:
        assert np.array_equal(before[name][others], after[name][others]), name
    assert not np.array_equal(before["hand"][lanes], after["hand"][lanes])


def test_a_step_of_no_lane_changes_nothing():
    batch = Batch(GAME, 3, seed=2)
    before = everything(batch)
    batch.step(np.empty(0, np.int64), games=[])
    assert same(before, everything(batch))


def test_a_partial_reset_deals_these_lanes_only():
    batch = play(Batch(GAME, 4, seed=2), 5)
    before = everything(batch)
    batch.reset(seed=9, games=[2])
    fresh = Batch(GAME, 4, seed=9)
    after = everything(batch)
    for name in before:
        assert np.array_equal(before[name][[0, 1, 3]], after[name][[0, 1, 3]]), name
    assert np.array_equal(after["rng"][2], fresh.states["rng"][2])
    assert np.array_equal(after["observation"][2], fresh.observation[2])


def test_a_reset_without_a_seed_goes_on_with_each_lanes_stream():
    one, other = (Batch(GAME, 3, seed=5) for _ in range(2))
    start = everything(one)
    one.reset()
    other.reset()
    assert same(everything(one), everything(other))
    assert not same(start, everything(one))


@pytest.mark.parametrize("games", [[0, 0], [1, 2, 1]])
def test_a_lane_named_twice_is_refused(games):
    batch = Batch(GAME, 3, seed=0)
    before = everything(batch)
    with pytest.raises(ValueError, match="twice"):
        batch.step([legal_action(batch, lane) for lane in games], games=games)
    with pytest.raises(ValueError, match="twice"):
        batch.reset(games=games)
    assert same(before, everything(batch))


@pytest.mark.parametrize(
    ("games", "error", "words"),
    [
        ([3], IndexError, "lanes outside 0 to 2"),
        ([-1], IndexError, "lanes outside 0 to 2"),
        ([0.0], TypeError, "expected lane indices"),
        ([True, False, True], TypeError, "expected lane indices"),
        ([[0, 1]], TypeError, r"shape \(1, 2\)"),
    ],
)
def test_lanes_that_are_not_there(games, error, words):
    batch = Batch(GAME, 3, seed=0)
    with pytest.raises(error, match=words):
        batch.step(np.zeros(np.size(games), np.int64), games=games)


# --- players -------------------------------------------------------------------------------------------------------


def test_player_counts_are_cycled_over_the_lanes():
    batch = Batch(GAME, 5, num_players=[2, 4, 3], seed=0)
    assert batch.num_players.tolist() == [2, 4, 3, 2, 4]
    play(batch, 30)
    assert (batch.seat < batch.num_players).all()
    for lane, count in enumerate(batch.num_players):
        assert not batch.rewards[lane, count:].any()
        assert (batch.ranks[lane, count:] == -1).all()


@pytest.mark.parametrize(
    ("players", "error", "words"),
    [
        (1, ValueError, "1 is out of range; Twelve takes 2 to 4"),
        (5, ValueError, "5 is out of range"),
        ([2, 7], ValueError, "7 is out of range"),
        ([], ValueError, "empty"),
        (True, TypeError, "True is no integer"),
        (2.0, TypeError, "2.0 is no integer"),
        ("2", TypeError, "'2' is no integer"),
        ([2, None], TypeError, "None is no integer"),
    ],
)
def test_wrong_player_counts(players, error, words):
    with pytest.raises(error, match=words):
        Batch(GAME, 2, num_players=players, seed=0)


@pytest.mark.parametrize(
    ("settings", "error", "words"),
    [
        ({"num_games": 0}, ValueError, "num_games"),
        ({"num_games": 2.5}, TypeError, "num_games"),
        ({"threads": 0}, ValueError, "threads"),
        ({"threads": True}, TypeError, "threads"),
        ({"reward": "zerosum"}, ValueError, "did you mean 'zero_sum'"),
        ({"illegal": "loose"}, ValueError, "did you mean 'lose'"),
        ({"content": "plain"}, ValueError, "no content sets"),
    ],
)
def test_wrong_settings(settings, error, words):
    with pytest.raises(error, match=words):
        Batch(GAME, **{"seed": 0, **settings})


def test_what_is_no_game_is_refused():
    with pytest.raises(TypeError, match="expected a Game"):
        Batch("twelve")


@pytest.mark.parametrize(("seat", "error"), [(2, ValueError), (-1, ValueError), (0.0, TypeError), ([0], TypeError)])
def test_views_of_seats_that_are_not_there(seat, error):
    with pytest.raises(error, match="seat"):
        Batch(GAME, 2, num_players=2, seed=0).observe(seat)


# --- seeds ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", [0, 7, 2**40, 2**64 - 2])
def test_lane_i_is_the_single_game_of_seed_plus_i(seed):
    batch = Batch(GAME, 3, num_players=[2, 3, 4], seed=seed)
    singles = [Batch(GAME, 1, num_players=2 + i, seed=seed + i) for i in range(3)]
    rng = np.random.default_rng(0)
    for _ in range(60):
        for lane, single in enumerate(singles):
            assert np.array_equal(batch.observation[lane], single.observation[0])
            assert np.array_equal(batch.action_mask[lane], single.action_mask[0])
            assert np.array_equal(batch.rewards[lane], single.rewards[0])
        actions = batch.random_actions(rng)
        batch.step(actions)
        for action, single in zip(actions, singles, strict=True):
            single.step([action])


def test_the_same_seed_is_the_same_game_and_zero_is_a_seed():
    zero, again, one, none = (Batch(GAME, 2, seed=seed) for seed in (0, 0, 1, None))
    assert same(everything(zero), everything(again))
    assert not same(everything(zero), everything(one))
    assert not np.array_equal(zero.states["rng"], none.states["rng"])
    again.reset(seed=0)
    assert same(everything(zero), everything(again))


def test_no_global_generator_is_read_or_written():
    np.random.seed(1)  # noqa: NPY002 - it is what the test is about
    before = np.random.get_state()[1].copy()  # noqa: NPY002
    one = play(Batch(GAME, 2, seed=0), 20)
    assert np.array_equal(before, np.random.get_state()[1])  # noqa: NPY002
    np.random.seed(2)  # noqa: NPY002
    assert same(everything(one), everything(play(Batch(GAME, 2, seed=0), 20)))


@pytest.mark.parametrize(
    ("seed", "error", "words"),
    [
        (-1, ValueError, "negative"),
        (True, TypeError, "bool"),
        (1.0, TypeError, "float"),
        ("1", TypeError, "str"),
        (np.array([1]), TypeError, "ndarray"),
    ],
)
def test_wrong_seeds(seed, error, words):
    with pytest.raises(error, match=words):
        Batch(GAME, seed=seed)
    batch = Batch(GAME, seed=0)
    before = everything(batch)
    with pytest.raises(error, match=words):
        batch.reset(seed=seed)
    with pytest.raises(error, match=words):
        batch.determinize(0, seed)
    assert same(before, everything(batch))


# --- options -------------------------------------------------------------------------------------------------------


def test_options_reach_the_game():
    batch = Batch(GAME, 3, num_players=3, seed=0, start_seat=2, hand_size=1, max_turns=4)
    assert (batch.seat == 2).all()
    assert (batch.states["hand"].sum(axis=(1, 2)) == 3).all()
    assert (batch.states["max_turns"] == 4).all()


def test_options_at_reset_hold_for_these_lanes_until_the_next_reset():
    batch = Batch(GAME, 3, num_players=2, seed=0, hand_size=2)
    batch.reset(games=[1], options={"hand_size": 1})
    assert batch.states["hand"].sum(axis=(1, 2)).tolist() == [4, 2, 4]
    batch.reset()
    assert batch.states["hand"].sum(axis=(1, 2)).tolist() == [4, 4, 4]


def test_options_at_reset_ignore_what_is_none():
    batch = Batch(GAME, 1, seed=0)
    batch.reset(seed=1, options={"options": 1, "foo": 2})
    assert same(everything(batch), everything(Batch(GAME, 1, seed=1)))


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"hand_sizes": 1}, "did you mean 'hand_size'"),
        ({"handsize": 1}, "did you mean 'hand_size'"),
        ({"maxturns": 5}, "did you mean 'max_turns'"),
        ({"start_sat": 1}, "did you mean 'start_seat'"),
        ({"hand_size": 9}, "expected an integer from 1 to 3, got 9"),
        ({"hand_size": True}, "got True"),
        ({"max_turns": 0}, "from 1"),
        ({"max_turns": 10**12}, "from 1"),
        ({"start_seat": 2}, "option 'start_seat' with 2 players: expected an integer from 0 to 1"),
        ({"start_seat": -1}, "from 0 to 1"),
    ],
)
def test_near_misses_and_wrong_values_change_nothing(options, words):
    batch = Batch(GAME, 2, num_players=2, seed=0)
    before = everything(batch)
    with pytest.raises(TypeError, match=words):
        batch.reset(seed=5, options=options)
    assert same(before, everything(batch))
    with pytest.raises(TypeError, match=words.split(" with")[0]):
        Batch(GAME, 2, num_players=2, seed=0, **options)


def test_unknown_keywords_name_the_nearest_one():
    with pytest.raises(TypeError, match=r"unknown option 'num_player'.*did you mean 'num_players'"):
        Batch(GAME, num_player=2)
    with pytest.raises(TypeError, match="unknown option 'zzz' of Twelve; known: "):
        Batch(GAME, zzz=2)


def test_an_option_is_checked_for_every_player_count():
    with pytest.raises(TypeError, match="with 2 players"):
        Batch(GAME, 2, num_players=[3, 2], seed=0, start_seat=2)
    batch = Batch(GAME, 2, num_players=[3, 4], seed=0, start_seat=2)
    assert batch.seat.tolist() == [2, 2]


# --- illegal actions -----------------------------------------------------------------------------------------------


def test_an_illegal_action_is_told_with_lane_label_seat_and_what_is_legal():
    batch = Batch(GAME, 3, num_players=2, seed=0, start_seat=1)
    write_position(batch, 2, [[1, 2, 3], [0, 4, 5]], [[], []], [3, 5])
    batch.refresh()
    before = everything(batch)
    words = r"game 2: action 1 \(lay a 1\) is illegal for seat 1; legal: 0 \(lay a 0\); 4 .*; 5 .*; 6 \(dare\)$"
    with pytest.raises(ValueError, match=words):
        batch.step([legal_action(batch, 0), legal_action(batch, 1), 1])
    assert same(before, everything(batch))


@pytest.mark.parametrize("action", [8, -1, 10**9])
def test_an_action_out_of_range_is_told_with_the_range(action):
    for illegal in ("error", "lose"):
        batch = Batch(GAME, 2, seed=0, illegal=illegal)
        before = everything(batch)
        with pytest.raises(ValueError, match=f"game 1: action {action} is out of range 0 to 7"):
            batch.step([legal_action(batch, 0), action])
        assert same(before, everything(batch))


def test_an_illegal_action_loses_if_it_is_so_agreed():
    batch = Batch(GAME, 3, num_players=3, seed=0, illegal="lose", autoreset=False)
    offender = int(batch.seat[1])
    actions = [legal_action(batch, 0), illegal_action(batch, 1), legal_action(batch, 2)]
    batch.step(actions)
    assert batch.terminated.tolist() == [False, True, False]
    assert batch.states["offender"].tolist() == [-1, offender, -1]
    others = [seat for seat in range(3) if seat != offender]
    assert batch.ranks[1, :3].tolist() == [2 if seat == offender else 0 for seat in range(3)]
    assert batch.rewards[1, offender] == -1
    assert batch.rewards[1, others].tolist() == [0.5, 0.5]
    assert batch.winners[1].tolist() == [seat in others for seat in range(4)]


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("reward", ["zero_sum", "win", "rank", "margin", "score", "score_delta", "lead_delta"])
def test_the_offender_gets_the_worst_reward_of_every_kind(reward, players):
    batch = Batch(GAME, 4, num_players=players, seed=0, illegal="lose", autoreset=False, reward=reward)
    play(batch, 3)
    offenders = batch.seat.copy()
    batch.step([illegal_action(batch, lane) for lane in range(4)])
    for lane, offender in enumerate(offenders):
        paid = batch.rewards[lane, :players]
        assert paid[offender] == paid.min()
        assert batch.terminated[lane]
        if reward in ("zero_sum", "rank", "margin"):
            assert abs(paid.sum()) < 1e-6
            assert paid[offender] < 0
        if reward == "win":
            assert paid.sum() == pytest.approx(1)


@pytest.mark.parametrize(
    ("actions", "words"),
    [
        ([0.0, 1.0], "dtype float64"),
        ([True, False], "dtype bool"),
        (["0", "1"], "dtype"),
        ([0], r"shape \(1,\); expected \(2,\)"),
        ([[0, 0]], r"shape \(1, 2\)"),
        (0, r"shape \(\)"),
        (None, "dtype object"),
    ],
)
def test_what_is_no_batch_of_actions(actions, words):
    batch = Batch(GAME, 2, seed=0)
    before = everything(batch)
    with pytest.raises(TypeError, match=words):
        batch.step(actions)
    assert same(before, everything(batch))


@pytest.mark.parametrize("dtype", [np.int8, np.uint8, np.int32, np.uint64, np.int64])
def test_any_integer_dtype_will_do(dtype):
    batch, other = (Batch(GAME, 2, seed=0) for _ in range(2))
    actions = [legal_action(batch, 0), legal_action(batch, 1)]
    batch.step(np.array(actions, dtype))
    other.step(actions)
    assert same(everything(batch), everything(other))


def test_random_actions_are_legal_and_uniform():
    batch = Batch(GAME, 4000, num_players=2, seed=0, start_seat=0)
    write_position(batch, 0, [[1, 2, 3], [0, 4, 5]], [[], []], [3, 5])
    batch.states[...] = batch.states[0]
    batch.refresh()
    actions = batch.random_actions(np.random.default_rng(0))
    found, numbers = np.unique(actions, return_counts=True)
    assert found.tolist() == [1, 2, 3, DARE]
    assert ((numbers - 1000) ** 2 / 1000).sum() < 16.27  # chi-square, 3 degrees, 0.1 %


def test_rollouts_leave_the_batch_alone_and_repeat():
    batch = play(Batch(GAME, 3, num_players=3, seed=1), 2)
    before = everything(batch)
    one, two, third = (batch.rollout(seed, games=[0, 0, 1]) for seed in (4, 4, 5))
    assert same(before, everything(batch))
    assert (one.seat == -1).all()
    assert (one.terminated | one.truncated).all()
    assert same(everything(one), everything(two))
    assert not same(everything(one), everything(third))
    assert one.winners.any(axis=1).all()


def test_the_full_state_has_every_field_but_the_stream():
    batch = Batch(GAME, 2, seed=0)
    layout = GAME.state_layout()
    assert "rng" not in dict(layout)
    assert batch.state().shape == (2, sum(int(np.prod(shape, dtype=int)) for _, shape in layout))
    start = 0
    for name, shape in layout:
        size = int(np.prod(shape, dtype=int))
        assert np.array_equal(batch.state()[:, start : start + size], batch.states[name].reshape(2, -1))
        start += size


def test_the_full_state_leaves_out_what_is_private():
    game = dataclasses.replace(GAME, private=("copies", "hand_size"), package=None)
    left = [name for name, _ in GAME.state_layout() if name not in ("copies", "hand_size")]
    assert [name for name, _ in game.state_layout()] == left
    assert Batch(game, 2, seed=0).state().shape == (2, Batch(GAME, 2, seed=0).state().shape[1] - VALUES - 1)
    with pytest.raises(ValueError, match="has no field 'copy' to be private; did you mean 'copies'"):
        dataclasses.replace(GAME, private=("copy",))


@pytest.mark.parametrize("rng", [None, 0, np.random.RandomState(0), np.random])  # refused
def test_what_is_no_generator(rng):
    with pytest.raises(TypeError, match=r"^rng is .*; expected a numpy\.random\.Generator"):
        Batch(GAME, 1, seed=0).random_actions(rng)


@pytest.mark.parametrize("value", [1, 0, None, "no", "False", np.int64(1)])
def test_autoreset_is_a_bool(value):
    words = f"^{re.escape(f'autoreset is {value!r}; expected True or False')}$"
    with pytest.raises(TypeError, match=words):
        Batch(GAME, 1, autoreset=value)
    batch = Batch(GAME, 1, autoreset=np.False_)
    with pytest.raises(TypeError, match=words):
        batch.autoreset = value
    assert batch.autoreset is False


def test_autoreset_may_be_set():
    batch, twin = Batch(GAME, 4, seed=0), Batch(GAME, 4, seed=0, autoreset=False)
    batch.autoreset = False
    for one in (batch, twin):
        play_out(one)
    assert same(everything(batch), everything(twin))
    assert batch.clone().autoreset is False


def test_what_a_batch_is_made_of_cannot_be_replaced():
    batch = play(Batch(GAME, 2, seed=0), 3)
    names = [name for name in vars(batch) if not name.startswith("_")]
    assert {"game", "num_games", "num_players", "threads", "reward", "illegal", "options", "contents"} <= set(names)
    assert {"states", "final_states", "seat", "observation", "action_mask", "rewards", "winners"} <= set(names)
    for name in names:
        before = getattr(batch, name)
        with pytest.raises(AttributeError, match=f"^{name} of a batch cannot be replaced: write into batch.states"):
            setattr(batch, name, 3)
        assert getattr(batch, name) is before


@pytest.mark.parametrize(
    ("seat", "error"), [(2, ValueError), (-1, ValueError), ("0", TypeError), (1.0, TypeError), (True, TypeError)]
)
def test_a_picture_for_a_seat_that_is_not_there(seat, error):
    batch = Batch(GAME, 2, num_players=[3, 2], seed=0)
    for look in (lambda: batch.describe(1, seat=seat), lambda: batch.observe(seat, games=[1])):
        with pytest.raises(error, match=f"^seat (is )?{re.escape(repr(seat))}"):
            look()
    assert batch.describe(0, seat=2)
    assert batch.describe(1, seat=np.int8(1)) == batch.describe(1, seat=1)


def test_a_seed_for_each_lane():
    batch = Batch(GAME, 3, seed=[7, 8, 9])
    assert same(everything(batch), everything(Batch(GAME, 3, seed=7)))
    before = everything(batch)
    batch.reset(seed=[1, 2, 3], games=[1])
    after = everything(batch)
    assert (after["rng"][[0, 2]] == before["rng"][[0, 2]]).all()
    assert (after["rng"][1] == Batch(GAME, 1, seed=2).states["rng"][0]).all()
    with pytest.raises(ValueError, match="seed lists 2; expected 3, one for each game"):
        batch.reset(seed=(1, 2))
