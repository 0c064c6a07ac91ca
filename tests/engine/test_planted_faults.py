"""The conformance suite reports faults planted in the tiny game, each by the name of its check.

What a kernel does wrong is planted in a kernel, what the engine could do wrong in the engine.
"""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import pytest

from tablezoo import loops
from tablezoo.batch import Batch
from tablezoo.compiling import UNCOMPILED
from tablezoo.game import Game, kernel
from tablezoo.options import Option
from tablezoo.rewards import pay
from tablezoo.rng import below
from tablezoo.testing import ConformanceError, Report, check_game
from tests.engine import tiny
from tests.engine.tiny import DARE, O_SIZES, VALUES, YIELD, make_game


def checked(game: Game, *only: str, **settings: Any) -> Report:
    """Return what the suite finds, without other processes and faces, which cannot import a planted game."""
    told: dict[str, Any] = {"conserved": tiny.cards_in_game, "legal": tiny.legal_reference, "hide": tiny.hide}
    chosen: dict[str, Any] = {"players": [3], "games": 3, "faces": False, "processes": False, **told, **settings}
    try:
        return check_game(game, only=only, **chosen)
    except ConformanceError as error:
        return error.report


# --- masks ---------------------------------------------------------------------------------------------------------


@kernel
def one_bit_too_many(s, c, mask):
    tiny.legal_actions(s, c, mask)
    if s.pending_size == 0 and s.turn % 3 == 1:
        mask[YIELD] = True


@kernel
def one_card_too_many(s, c, mask):
    tiny.legal_actions(s, c, mask)
    if s.turn == 2:
        for value in range(VALUES):
            if not mask[value]:
                mask[value] = True
                return


@kernel
def one_bit_too_few(s, c, mask):
    tiny.legal_actions(s, c, mask)
    if mask[YIELD] and s.turn > 0:
        mask[YIELD] = tiny.count(mask[:VALUES]) < 2


def test_a_mask_bit_too_many():
    report = checked(make_game(legal_actions=one_bit_too_many), "mask_agrees")
    assert "mask_agrees" in report.failed
    assert any("the mask allows 7 (yield)" in str(failure) for failure in report.failures)
    where = next(failure for failure in report.failures if failure.check == "mask_agrees")
    assert where.lane is not None
    assert where.seed == where.lane
    assert where.decision is not None
    assert "players 3" in str(where)


def test_a_card_that_nobody_holds_may_be_laid():
    report = checked(make_game(legal_actions=one_card_too_many), "every_action", legal=None)
    assert "every_action" in report.failed


def test_a_mask_bit_too_few():
    report = checked(make_game(legal_actions=one_bit_too_few), "mask_agrees")
    assert "mask_agrees" in report.failed
    assert any("the mask forbids 7 (yield)" in str(failure) for failure in report.failures)


# --- hidden information --------------------------------------------------------------------------------------------


@kernel
def sees_next_hand(s, c, seat, out):
    tiny.observe(s, c, seat, out)
    if s.hand[(seat + 1) % int(s.num_players), 5] > 0:
        out[O_SIZES + 1] = 1


@kernel
def mask_tells_deck(s, c, mask):
    tiny.legal_actions(s, c, mask)
    if s.pending_size == 0 and s.deck_size > 0 and s.deck[int(s.deck_size) - 1] == 0:
        mask[DARE] = tiny.count(mask[:VALUES]) < 2


@kernel
def deals_nothing(s, c, seat):
    pass


@kernel
def keeps_the_top_card(s, c, seat):
    size = int(s.deck_size)
    top = s.deck[size - 1] if size > 0 else 0
    tiny.determinize(s, c, seat)
    for i in range(size):
        if s.deck[i] == top:
            s.deck[i] = s.deck[size - 1]
            s.deck[size - 1] = top


def describes_all(record: Any, seat: int | None = None, content: Any = None) -> str:
    return tiny.describe(record, None, content)


def test_a_leaked_hand():
    with pytest.raises(ConformanceError, match=r"FAILED  leak: seat 0 sees hand_sizes\[1\] change") as raised:
        check_game(make_game(observe=sees_next_hand), players=[2], faces=False, processes=False)
    assert raised.value.report.failed == ["leak"]


def test_a_mask_that_tells_a_hidden_card():
    report = checked(make_game(legal_actions=mask_tells_deck), "leak")
    assert any(failure.check == "leak" and "the mask of seat" in failure.message for failure in report.failures)


def test_a_picture_that_shows_other_hands():
    report = checked(dataclasses.replace(tiny.GAME, describe=describes_all), "leak")
    assert any("the picture for seat" in failure.message for failure in report.failures)


def test_determinize_that_deals_nothing_anew():
    assert "determinize" in checked(make_game(determinize=deals_nothing), "determinize").failed


def test_determinize_that_knows_the_top_card():
    assert "determinize_forgets" in checked(make_game(determinize=keeps_the_top_card), "determinize_forgets").failed


# --- cards and streams ---------------------------------------------------------------------------------------------


@kernel
def loses_a_card(s, c, action):
    if action == YIELD and s.deck_size > 1:
        s.deck_size -= 1
    tiny.step(s, c, action)


@kernel
def determinize_loses_a_card(s, c, seat):
    tiny.determinize(s, c, seat)
    if s.deck_size > 2:
        s.deck_size -= 1


@kernel
def draws_from_a_global_generator(s, c):
    tiny.reset(s, c)
    s.seat = np.random.randint(0, int(s.num_players))  # noqa: NPY002 - the fault that is planted


@kernel
def one_stream_for_all(s, c):
    tiny.reset(s, c)
    s.rng[0] = 5
    s.rng[1] = 7


@kernel
def copies_share_a_stream(s, c, seat):
    tiny.determinize(s, c, seat)
    s.rng[0] = 5
    s.rng[1] = 7


def test_a_lost_card():
    report = checked(make_game(step=loses_a_card), "conserved", "every_action")
    assert {"conserved", "every_action"} <= set(report.failed)


def test_a_card_lost_by_determinize():
    assert "determinize" in checked(make_game(determinize=determinize_loses_a_card), "determinize").failed


@pytest.mark.skipif(UNCOMPILED, reason="uncompiled, NumPy's global generator is one for all lanes as well")
def test_a_global_generator():
    assert "lane_equals_single" in checked(make_game(reset=draws_from_a_global_generator), "lane_equals_single").failed


def test_a_shared_random_stream():
    report = checked(make_game(reset=one_stream_for_all), "streams", "lane_equals_single", "determinize_streams")
    assert "streams" in report.failed


def test_copies_that_share_a_stream():
    report = checked(make_game(determinize=copies_share_a_stream), "determinize_streams")
    assert report.failed == ["determinize_streams"]


def test_copies_that_keep_the_originals_stream(monkeypatch):
    def with_the_same_future(self: Batch, lanes: Any, seat: Any, streams: Any) -> Batch:
        return determinized(self, lanes, seat, self.states["rng"][lanes])

    determinized = Batch._determinized
    monkeypatch.setattr(Batch, "_determinized", with_the_same_future)
    assert "determinize_streams" in checked(tiny.GAME, "determinize_streams").failed


DEALT_FROM: Any = ("dealt_from", np.uint64, (2,))
IN_BYTES: Any = ("dealt_from", np.uint8, (9,))
STREAM = 0x0123456789ABCDEF


@kernel
def keeps_what_it_is_dealt_from(s, c):
    s.dealt_from[0] = s.rng[0]
    s.dealt_from[1] = s.rng[1]
    tiny.reset(s, c)


@kernel
def keeps_a_word_in_bytes(s, c):
    for i in range(8):
        s.dealt_from[1 + i] = (s.rng[1] >> np.uint64(8 * i)) & np.uint64(255)
    tiny.reset(s, c)


@kernel
def deals_from_what_was_given(s, c):
    if s.given[0] != 0:
        s.rng[0] = s.given[0]
        s.rng[1] = s.given[1]
    tiny.reset(s, c)


@kernel
def forgets_what_was_given(s, c, seat):
    tiny.determinize(s, c, seat)
    s.given[0] = 0
    s.given[1] = 0


@kernel
def deals_nothing_but_another_stream(s, c, seat):
    s.dealt_from[0] = s.rng[0]
    s.dealt_from[1] = s.rng[1]


@pytest.mark.parametrize(
    ("field", "reset"),
    [(DEALT_FROM, keeps_what_it_is_dealt_from), (IN_BYTES, keeps_a_word_in_bytes)],
    ids=["words", "bytes"],
)
def test_a_copy_that_tells_what_the_original_was_dealt_from(field, reset):
    game = dataclasses.replace(make_game(reset=reset), state=[field, *tiny.STATE])
    report = checked(game, "determinize_streams")
    assert report.failed == ["determinize_streams"]
    assert "tells the original's stream" in str(report)


@pytest.mark.parametrize("imagined", [None, lambda value: 0])
def test_a_copy_that_is_dealt_as_the_original_was_once_it_is_reset(imagined):
    given = Option("given", 0, np.uint64, (2,), lambda value, *_: (value, value), "a stream", imagined)
    game = make_game(reset=deals_from_what_was_given, determinize=forgets_what_was_given)
    game = dataclasses.replace(game, options=(*tiny.GAME.options, given))
    report = checked(game, "determinize_streams", options=[{"given": STREAM}])
    assert report.failed == ([] if imagined else ["determinize_streams"])
    assert ("once it is reset, tells the original's stream" in str(report)) == (imagined is None)


def test_determinize_that_deals_nothing_but_private_fields():
    game = make_game(reset=keeps_what_it_is_dealt_from, determinize=deals_nothing_but_another_stream)
    game = dataclasses.replace(game, state=[DEALT_FROM, *tiny.STATE], private=("dealt_from",))
    assert checked(game, "determinize").failed == ["determinize"]


# --- ends and rewards ----------------------------------------------------------------------------------------------


@kernel
def ends_late(s, c, action):
    tiny.step(s, c, action)
    if s.ended == 1 and s.turn % 2 == 0:
        s.ended = 0


@kernel
def is_cut_late(s, c, action):
    tiny.step(s, c, action)
    if s.ended == 2 and s.turn == s.max_turns:
        s.ended = 0


@kernel
def never_ends(s, c, action):
    tiny.step(s, c, action)
    if s.turn == 3:
        s.turn = 2
    s.ended = 0


@kernel
def scores_out_of_range(s, c, keys):
    tiny.score(s, c, keys)
    keys[0, 0] += 40


@kernel
def winners_get_too_much(reward, keys, players, offender, ranks, low, span, rewards):
    pay(reward, keys, players, offender, ranks, low, span, rewards)
    for seat in range(players):
        if ranks[seat] == 0:
            rewards[seat] += 0.25


def test_a_late_end():
    report = checked(make_game(step=ends_late), "mask_agrees", "asked")
    assert report.failed == ["mask_agrees"]


def test_a_late_cut():
    report = checked(make_game(step=is_cut_late), "end", "truncation", options=[{"max_turns": 5}])
    assert report.failed == ["end", "truncation"]


def test_a_game_that_never_ends(monkeypatch):
    monkeypatch.setattr("tablezoo.testing.case.MOST_DECISIONS", 300)
    report = checked(make_game(step=never_ends), "end", "unmasked_play", legal=None)
    assert "end" in report.failed


def test_a_reward_that_does_not_sum(monkeypatch):
    monkeypatch.setattr(loops, "pay", winners_get_too_much)
    report = checked(make_game(), "rewards", "unmasked_play")
    assert "rewards" in report.failed


def test_a_score_out_of_its_range():
    report = checked(make_game(score=scores_out_of_range), "rewards")
    assert report.failed == ["rewards"]
    assert "is scaled by 0 to 30" in str(report)


# --- bounds, buffers, copies ---------------------------------------------------------------------------------------


@kernel
def sees_too_much(s, c, seat, out):
    tiny.observe(s, c, seat, out)
    out[O_SIZES] = 4


def test_an_observation_over_its_highest_value():
    report = checked(make_game(observe=sees_too_much), "bounds")
    assert "hand_sizes[0] is 4" in str(report)


def test_a_buffer_that_is_handed_out_twice(monkeypatch):
    observe = Batch.observe
    buffers: dict[int, Any] = {}

    def into_one_buffer(self: Batch, seat: Any) -> Any:
        buffer = buffers.setdefault(id(self), np.zeros((self.num_games, self.game.observation_size), np.uint8))
        buffer[...] = observe(self, seat)
        return buffer

    monkeypatch.setattr(Batch, "observe", into_one_buffer)
    assert checked(tiny.GAME, "buffers").failed == ["buffers"]


def test_a_buffer_that_can_be_written(monkeypatch):
    allocate = Batch._allocate

    def writable(self: Batch) -> None:
        allocate(self)
        self.observation = self._outputs[1]

    monkeypatch.setattr(Batch, "_allocate", writable)
    assert checked(tiny.GAME, "buffers").failed == ["buffers"]


def test_a_clone_that_shares_its_states(monkeypatch):
    like = Batch._like

    def aliased(self: Batch, states: Any) -> Batch:
        copy = like(self, states)
        if states.shape == self.states.shape:
            copy.__dict__["states"] = self.states
            copy._records = self._records
            copy._raw = self._raw
        return copy

    monkeypatch.setattr(Batch, "_like", aliased)
    assert checked(tiny.GAME, "clones").failed == ["clones"]


def test_lanes_that_depend_on_others(monkeypatch):
    step = Batch.step

    def crosstalk(self: Batch, actions: Any, games: Any = None) -> None:
        step(self, actions, games)
        if self.num_games > 2 and self.states["turn"][0] == 2:
            self.states["rng"][1] ^= np.uint64(1)

    monkeypatch.setattr(Batch, "step", crosstalk)
    assert checked(tiny.GAME, "lane_equals_single").failed == ["lane_equals_single"]


@kernel
def one_key_for_all_cards(s, c, action):
    return min(action, DARE) if action >= DARE else 0


@kernel
def its_index(s, c, action):
    return action


def test_two_actions_of_one_key():
    report = checked(make_game(action_key=one_key_for_all_cards), "action_keys")
    assert report.failed == ["action_keys"]
    assert "have one action_key" in str(report.failures[0])
    assert checked(make_game(action_key=its_index), "action_keys").failed == []


# --- looking -------------------------------------------------------------------------------------------------------


@kernel
def observe_leaves_a_mark(s, c, seat, out):
    tiny.observe(s, c, seat, out)
    s.luck[3] = 1 - s.luck[3]


@kernel
def legal_actions_leave_a_mark(s, c, mask):
    tiny.legal_actions(s, c, mask)
    s.luck[3] = 1 - s.luck[3]


@kernel
def score_leaves_a_mark(s, c, keys):
    tiny.score(s, c, keys)
    s.luck[3] = 1


@kernel
def observe_wipes_its_mark(s, c, seat, out):
    s.luck[3] = 1
    tiny.observe(s, c, seat, out)
    s.luck[3] = 0


@kernel
def value_of_an_unsigned_difference(s, c, seat):
    """Compiled, int() of a uint8 has no sign either."""
    return 1.0 * (int(s.hand[seat, 0]) - int(s.hand[1 - seat, 0]))


WIPES = make_game(ref="tests.engine.test_planted_faults:WIPES", observe=observe_wipes_its_mark)
WRAPS = make_game(ref="tests.engine.test_planted_faults:WRAPS", value=value_of_an_unsigned_difference)


@pytest.mark.parametrize(
    ("kernel", "words"),
    [
        ({"observe": observe_leaves_a_mark}, "observe() changes luck"),
        ({"legal_actions": legal_actions_leave_a_mark}, "refresh() changes luck"),
        ({"score": score_leaves_a_mark}, "scoring after each decision changes luck"),
    ],
    ids=["observe", "legal_actions", "score"],
)
def test_a_look_that_leaves_a_mark(kernel, words):
    report = checked(make_game(**kernel), "looking")
    assert report.failed == ["looking"]
    assert words in str(report)


def test_an_observation_that_writes_into_the_record_for_a_moment():
    """Compiled, only another thread that looks at the same moment could tell."""
    assert checked(WIPES, "looking").failed == ([] if not UNCOMPILED else ["looking"])
    report = checked(WIPES, "uncompiled", players=[2], processes=True)
    assert report.failed == ["uncompiled"]
    assert "assignment destination is read-only" in str(report)


@pytest.mark.skipif(UNCOMPILED, reason="uncompiled, nothing wraps")
def test_a_value_that_is_another_one_compiled():
    report = checked(WRAPS, "uncompiled", players=[2], processes=True)
    assert report.failed == ["uncompiled"]
    assert "the games differ" in str(report)


# --- the suite itself ----------------------------------------------------------------------------------------------


@kernel
def raises(s, c, seat):
    below(s.rng, 1)
    raise ValueError("no deal")


def test_an_exception_is_a_failure_by_its_checks_name():
    report = checked(make_game(determinize=raises), "leak", "bounds")
    assert report.failed == ["leak"]
    assert "ValueError: no deal" in str(report)


def test_what_is_not_checked_is_said():
    report = checked(make_game(), "mask_agrees", "conserved", "saves", conserved=None, legal=None)
    assert report.failed == []
    assert report.skipped["mask_agrees"] == "no legal= was given"
    assert "imports another game" in report.skipped["saves"]
    assert "left out by faces=False" in str(report)


def test_an_unknown_check_is_named():
    with pytest.raises(ValueError, match="unknown check 'leaks'; did you mean 'leak'"):
        check_game(tiny.GAME, only=["leaks"])
