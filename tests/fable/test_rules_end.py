"""Fable rule by rule, the end of a game, the campaign and sessions.

Written from the rules document's words, not from the kernels.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from fable_env import GAME, Campaign, reference
from tablezoo import Batch, OptionValueError
from tests.fable.table import FIRST_SIX, NOBODY, NOWHERE, Table, turn_of

NEEDED = {2: 5, 3: 4, 4: 3, 5: 3}
SEVEN = {1: 4, 2: 4, 3: 4, 4: 4, 5: 4, 6: 3, 7: 1}


def last_turn(
    hands: list[str], juices: dict[int, int] | None = None, starter: int = 0, play: bool = True, **situation: Any
) -> Table:
    """Return a game after its last turn, in which nobody has drawn or paid anything; before it if not ``play``."""
    mover = (starter - 1) % len(hands)
    situation = {"fruits": "", "triggered": True, **situation}
    table = Table(hands, juices=juices, starter=starter, mover=mover, **situation)
    return table.do("#1") if play else table


# --- the last round (F15) --------------------------------------------------------------------------------------------


@pytest.mark.rule("F15")
@pytest.mark.parametrize("players", NEEDED)
def test_so_many_juices_bring_the_end_on_and_the_round_is_finished(players):
    table = Table(players, None, {1: "B"}, juices={0: NEEDED[players] - 1}).do("#1", "buy")
    assert table.triggered
    for seat in range(1, players):
        assert table.moving == seat
        turn_of(table)
    assert table.ended
    assert not table.cut
    assert table.turn == players


@pytest.mark.rule("F15")
@pytest.mark.parametrize("players", NEEDED)
def test_one_juice_less_does_not(players):
    table = Table(players, None, {1: "B"}, juices={0: NEEDED[players] - 2}).do("#1", "buy")
    assert not table.triggered
    for _ in range(players):
        turn_of(table)
    assert not table.over


@pytest.mark.rule("F15")
@pytest.mark.parametrize(("starter", "mover"), [(0, 2), (1, 0), (2, 1)])
def test_the_player_to_the_right_of_the_start_player_has_the_last_turn(starter, mover):
    """In that turn, the end is at once."""
    table = Table(3, None, {1: "B"}, juices={mover: 3}, starter=starter, mover=mover).do("#1", "buy")
    assert table.ended


@pytest.mark.rule("F15")
def test_juices_bought_in_the_last_round_count():
    table = Table(["B", "B"], None, {1: "B", 2: "B"}, juices={0: 4, 1: 4}).do("#1", "buy", "#2", "buy")
    assert (table.ended, table.scores, table.ranks) == (True, [5, 5], [0, 0])


@pytest.mark.rule("F15", "F25")
def test_an_extra_turn_may_follow_the_last_juice():
    """The end is judged when the turn is over, the extra one included."""
    table = Table(["B", "C"], None, {1: "B"}, juices={0: 4}, tokens={0: "turn"}, starter=1).do("#1", "buy")
    assert (table.seat, table.legal, table.triggered) == (0, {"stop", "spend"}, False)
    table.do("spend")
    assert table.moving == 0
    table.do("#2")
    assert table.ended


@pytest.mark.rule("F15", "F25")
def test_declined_the_extra_turn_the_game_is_over():
    table = Table(["B", "C"], None, {1: "B"}, juices={0: 4}, tokens={0: "turn"}, starter=1).do("#1", "buy", "stop")
    assert table.ended


@pytest.mark.rule("F15", "F25")
def test_an_extra_turn_in_the_last_round():
    """In it the last player can still catch up."""
    table = last_turn(["", "B"], {0: 5, 1: 4}, prices={2: "B"}, tokens={1: "turn"})
    assert table.legal == {"stop", "spend"}
    table.do("spend", "#2", "buy")
    assert (table.ended, table.scores) == (True, [5, 5])


# --- who wins (F16) --------------------------------------------------------------------------------------------------


@pytest.mark.rule("F16")
@pytest.mark.parametrize(
    ("juices", "hands", "ranks"),
    [
        ([1, 2], ["B B B B", ""], [1, 0]),
        ([2, 2], ["B", "B B"], [1, 0]),
        ([2, 2], ["B B", "C PS"], [0, 0]),
        ([3, 1, 2], ["", "B B B", ""], [0, 2, 1]),
        ([2, 1, 1, 2], ["B", "", "C", "G"], [0, 3, 2, 0]),
        ([0, 0, 0, 0, 0], ["B"] * 5, [0] * 5),
        ([3, 3, 3, 1, 1], ["", "B", "B", "C", "C C"], [2, 0, 0, 4, 3]),
    ],
)
def test_juices_then_fruits_in_hand_then_the_win_is_shared(juices, hands, ranks):
    table = last_turn(hands, dict(enumerate(juices)))
    assert (table.ended, table.scores, table.ranks) == (True, juices, ranks)


@pytest.mark.rule("F16", "F24", "F27a")
def test_mix_cards_are_fruits_in_hand_and_tokens_are_not():
    assert last_turn(["B", "BC PS"]).ranks == [1, 0]
    table = last_turn(["B B", "C"], tokens={1: "B C wild wild"})
    assert table.ranks == [0, 1]


# --- a game that is cut (F17) ----------------------------------------------------------------------------------------


@pytest.mark.rule("F17")
@pytest.mark.parametrize("players", [2, 3, 5])
def test_a_game_is_cut_after_so_many_turns_of_all_seats(players):
    table = Table(players, max_turns=7)
    for _ in range(7):
        assert not table.over
        turn_of(table)
    assert (table.cut, table.ended, table.turn) == (True, False, 7)


@pytest.mark.rule("F17")
def test_three_hundred_turns_by_default():
    table = Table(2, turn=298)
    turn_of(table)
    assert not table.over
    turn_of(table)
    assert table.cut


@pytest.mark.rule("F17", "F16")
def test_a_cut_game_is_scored_as_it_stands():
    table = Table(["B", "C C", "G"], juices={0: 1, 1: 1, 2: 2}, fruits="", max_turns=1).do("#1")
    assert (table.cut, table.scores, table.ranks) == (True, [1, 1, 2], [2, 1, 0])


@pytest.mark.rule("F17", "F25")
def test_an_extra_turn_is_within_the_turn_before_it():
    table = Table(["", ""], tokens={0: "turn"}, max_turns=1).do("#1", "spend")
    assert (table.moving, table.over) == (0, False)
    assert table.do("#2").cut


@pytest.mark.rule("F17")
def test_a_game_that_ends_with_the_last_turn_is_not_cut():
    table = last_turn(["B", "C"], {0: 5}, max_turns=2)
    assert (table.turn, table.ended, table.cut) == (2, True, False)
    table = Table(["B", ""], None, {1: "B"}, stacks={1: 1, 2: 4}, drawn=240, max_turns=1).do("#1", "buy")
    assert (table.ended, table.cut) == (True, False)


@pytest.mark.rule("F17", "F18", "F19")
def test_the_campaign_goes_on_from_a_cut_game():
    table = Table(["B B", "C"], stacks=SEVEN, drawn=25, juices={0: 1}, fruits="", max_turns=1, campaign="continue")
    table.do("#1").batch.reset()
    assert (table.stacks, int(table.record["drawn"]), table.moving) == (SEVEN, 25, 1)


# --- what the next game starts with (F18, F20) -----------------------------------------------------------------------


@pytest.mark.rule("F18", "F20")
@pytest.mark.parametrize("players", [2, 5])
def test_the_next_game_starts_with_the_cards_in_the_small_stacks_and_nothing_else(players):
    table = last_turn(
        ["B B C"] + ["PS"] + [""] * (players - 2),
        {0: 1, 1: 5},
        stacks=SEVEN,
        drawn=30,
        campaign="continue",
        tokens={0: "B wild", 1: "C wild"},
        thief=(3, 1),
        animals={0: 2, 1: 4},
        discards="G G G",
    )
    assert table.ended
    table.batch.reset()
    assert table.stacks == SEVEN
    assert sum(table.stacks.values()) == 24
    assert int(table.record["drawn"]) == 30
    assert table.sizes == [2] * players
    assert table.record["fruit_stack"].sum() == 60 - 2 * players
    assert table.discards == ""
    assert table.juices == [0] * players
    assert table.animals == [None] * players
    assert (table.record["thief"], table.record["thief_owner"]) == (NOWHERE, NOBODY)
    assert [table.tokens(seat) for seat in range(players)] == [""] * players
    assert table.record["mix_stack"].tolist() == [1] * 10
    assert not table.triggered


@pytest.mark.rule("F18", "F12")
def test_a_juice_bought_is_out_and_the_card_turned_up_for_it_is_in():
    table = Table(["B", ""], None, {1: "B"}, juices={0: 4}, starter=1, campaign="continue").do("#1", "buy")
    assert table.ended
    table.batch.reset()
    assert table.stacks == {1: 3, 2: 4, 3: 4, 4: 4, 5: 4, 6: 4, 7: 1}
    assert int(table.record["drawn"]) == 25


# --- who starts the next game (F19) ----------------------------------------------------------------------------------


@pytest.mark.rule("F19")
@pytest.mark.parametrize(
    ("juices", "hands", "starter", "loser"),
    [
        ([3, 5], ["B B", ""], 0, 0),
        ([5, 3], ["", "B B"], 1, 1),
        ([1, 4, 0], ["", "", "B B"], 0, 2),
        ([4, 1, 1], ["", "B", "C C"], 0, 1),
        ([4, 1, 1], ["", "B", ""], 0, 2),
        # tied: the first clockwise after the winner
        ([1, 4, 1], ["B", "", "C"], 0, 2),
        ([1, 1, 4], ["B", "C", ""], 1, 0),
        ([4, 1, 1], ["", "B", "C"], 2, 1),
        ([1, 1, 1, 3], ["B", "C", "BC", ""], 2, 0),
        # of several winners, the first from the start seat on
        ([3, 1, 3, 1], ["", "", "", ""], 1, 3),
        ([3, 1, 3, 1], ["", "", "", ""], 3, 1),
        ([3, 1, 3, 1], ["", "", "", ""], 2, 3),
        ([3, 1, 3, 1], ["", "B", "", ""], 0, 3),
        # all have won
        ([2, 2, 2], ["B", "C", "G"], 1, 2),
        ([5, 5], ["B", "C"], 1, 0),
    ],
)
def test_the_loser_starts_the_next_game(juices, hands, starter, loser):
    table = last_turn(hands, dict(enumerate(juices)), starter, campaign="continue")
    assert table.ended
    table.batch.reset()
    assert (table.moving, int(table.record["starter"])) == (loser, loser)


# --- campaigns are kept, entered and over (F21) ----------------------------------------------------------------------


@pytest.mark.rule("F21")
def test_a_campaign_can_be_saved_and_restored_exactly(tmp_path):
    """The next game is the same one, to the last card."""
    table = last_turn(["B", "C C", ""], {0: 4}, stacks=SEVEN, drawn=40, campaign="continue")
    saved = Campaign.of(table.record)
    assert saved is not None
    assert (saved.stacks, saved.drawn, saved.start_seat, saved.games) == (SEVEN, 40, 2, 1)
    saved.save(tmp_path / "campaign.json")
    assert Campaign.load(tmp_path / "campaign.json") == saved
    table.batch.reset()
    entered = Batch(GAME, num_players=3, seed=99, campaign=tmp_path / "campaign.json")
    for name in ("cards", "drawn", "hand", "fruit_stack", "starter", "rng"):
        assert np.array_equal(entered.states[name], table.batch.states[name])


@pytest.mark.rule("F21")
def test_a_campaign_can_be_started_afresh():
    table = last_turn(["B", ""], {0: 5}, stacks=SEVEN, drawn=40, campaign="continue")
    table.batch.reset(options={"campaign": "fresh"})
    assert (table.stacks, int(table.record["drawn"])) == (FIRST_SIX, 24)
    table = last_turn(["B", ""], {0: 5}, stacks=SEVEN, drawn=40, campaign="continue")
    table.batch.reset(seed=3)
    assert (table.stacks, int(table.record["drawn"])) == (FIRST_SIX, 24)


@pytest.mark.rule("F21", "F23")
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_any_recorded_stage_can_be_entered(players):
    for stage, recorded in enumerate(reference(players)):
        record = Batch(GAME, num_players=players, seed=1, stage=stage).states[0]
        cards = {number + 1: int(cards) for number, cards in enumerate(record["cards"]) if cards}
        assert (cards, int(record["drawn"])) == (recorded.stacks, recorded.drawn)
        assert len(cards) >= 6
        assert sum(cards.values()) == 24 or recorded.drawn == 240


@pytest.mark.rule("F21", "F23", "F5")
@pytest.mark.parametrize("players", [2, 5])
def test_a_recorded_stage_is_a_fresh_game_whose_start_seat_is_drawn(players):
    stage = len(reference(players)) - 1
    drawn = Batch(GAME, 60, num_players=players, seed=2, stage=stage)
    assert set(drawn.seat.tolist()) == set(range(players))
    fixed = Batch(GAME, 20, num_players=players, seed=2, stage=stage, start_seat=1)
    assert set(fixed.seat.tolist()) == {1}


@pytest.mark.rule("F21")
def test_with_an_empty_location_stack_the_campaign_plays_on_with_what_is_left():
    left = {3: 1, 8: 2, 20: 1, 40: 1, 58: 3, 59: 5}
    table = last_turn(["B", "C", ""], {0: 4}, stacks=left, drawn=240, campaign="continue", play=False).do("#3")
    table.batch.reset()
    assert (table.stacks, int(table.record["drawn"])) == (left, 240)


@pytest.mark.rule("F21")
@pytest.mark.parametrize("cut", [False, True])
def test_with_fewer_than_six_stacks_at_a_games_end_the_campaign_is_over(cut):
    left = {3: 4, 8: 2, 20: 1, 58: 3, 59: 5}
    table = last_turn(
        ["B", "C"],
        {0: 1 if cut else 5},
        stacks=left,
        drawn=240,
        campaign="continue",
        play=False,
        triggered=not cut,
        max_turns=2 if cut else 300,
    )
    table.do("#3")
    assert (table.ended, table.cut) == (not cut, cut)
    assert Campaign.of(table.record) is None
    table.batch.reset()
    assert (table.stacks, int(table.record["drawn"])) == (FIRST_SIX, 24)


@pytest.mark.rule("F21")
def test_the_sixth_stack_may_have_been_sold_out_in_the_very_game():
    left = {1: 1, 8: 2, 20: 1, 40: 1, 58: 3, 59: 5}
    table = Table(["B", ""], None, {1: "B"}, stacks=left, drawn=240, juices={0: 4}, starter=1, campaign="continue")
    table.do("#1", "buy")
    assert table.ended
    assert Campaign.of(table.record) is None


# --- sessions (F22, F23) ---------------------------------------------------------------------------------------------


def points_of(table: Table) -> list[int]:
    return table.record["points"][: table.players].tolist()


@pytest.mark.rule("F22")
@pytest.mark.parametrize(
    ("juices", "hands", "points"),
    [
        ([5, 3], ["", "B B"], [2, 0]),
        ([5, 5], ["B", ""], [2, 0]),
        ([5, 5], ["B", "C"], [2, 2]),
        ([4, 1, 2], ["", "", ""], [2, 0, 1]),
        ([4, 1, 1], ["", "B", "C"], [2, 0, 0]),
        ([4, 1, 1], ["", "B", ""], [2, 1, 0]),
        ([4, 4, 1], ["", "", "B"], [2, 2, 0]),
        ([3, 2, 1, 0, 2], ["", "", "", "", "B"], [2, 1, 1, 0, 1]),
        ([3, 0, 0, 3, 2], ["", "", "", "", ""], [2, 0, 0, 2, 1]),
        ([0, 0, 0, 0, 0], ["B", "C", "G", "P", "S"], [2, 2, 2, 2, 2]),
    ],
)
def test_two_points_for_winners_none_for_the_last_one_for_all_others(juices, hands, points):
    table = last_turn(hands, dict(enumerate(juices)), session=2)
    assert not table.over
    assert points_of(table) == points


@pytest.mark.rule("F22", "F23")
def test_a_session_returns_the_sum_of_the_points_of_its_games():
    table = last_turn(["", "", ""], {0: 4, 1: 2}, session=3, play=False)
    table.record["points"][:3] = [1, 4, 1]
    table.record["game"] = 2
    table.do("#1")
    assert (table.ended, table.scores, table.ranks) == (True, [3, 5, 1], [1, 0, 2])


@pytest.mark.rule("F23", "F22")
def test_equal_points_share_a_rank_whatever_is_in_hand():
    table = last_turn(["B B", "C"], {0: 5, 1: 4}, session=2, play=False)
    table.record["points"][:2] = [0, 2]
    table.record["game"] = 1
    table.do("#1")
    assert (table.ended, table.scores, table.ranks) == (True, [2, 2], [0, 0])


@pytest.mark.rule("F23")
def test_an_episode_is_one_game_by_default_and_returns_its_juices():
    assert last_turn(["B", ""], {0: 5, 1: 2}).scores == [5, 2]


@pytest.mark.rule("F23", "F18", "F19")
def test_the_next_game_of_a_session_is_dealt_at_once_and_the_loser_starts_it():
    """Whatever ``campaign`` says: the games of a session are a campaign."""
    table = last_turn(["B", "", ""], {0: 4, 1: 1, 2: 1}, stacks=SEVEN, drawn=50, session=2)
    assert (table.over, table.moving) == (False, 1)
    assert (table.stacks, int(table.record["drawn"])) == (SEVEN, 50)
    assert (table.sizes, table.juices) == ([2, 2, 2], [0, 0, 0])
    assert table.turn == 3  # turns count on


@pytest.mark.rule("F20", "F23", "F5")
@pytest.mark.parametrize("extra", [False, True])
def test_tokens_mixes_thief_and_animals_go_back_within_a_session_too(extra):
    table = last_turn(
        ["B PS", "BC", "C"],
        {0: 4},
        session=2,
        tokens={0: "B wild turn", 1: "C S", 2: "turn"},
        thief=(3, 1),
        animals={0: 2, 1: 4},
        discards="G",
        extra=extra,
    )
    if not extra:
        table.do("stop")
    assert [table.tokens(seat) for seat in range(3)] == ["", "", ""]
    assert (table.thief, table.animals) == ((None, NOBODY), [None] * 3)
    assert table.record["mix_stack"].tolist() == [1] * 10
    assert table.discards == ""
    assert table.record["hand"].sum() == sum(table.sizes) == 6
    assert table.record["fruit_stack"].sum() == 54
    assert (table.triggered, bool(table.record["extra"]), table.moving) == (False, False, 1)


@pytest.mark.rule("F23", "F15")
def test_the_next_game_of_a_session_is_played_to_its_own_end():
    """The seat before its own start seat has the last turn."""
    table = last_turn(["B", "", ""], {0: 4, 1: 1}, session=2)
    assert table.moving == 2
    table.record["juices"][2] = 4
    for seat, location in ((2, "#1"), (0, "#2"), (1, "#3")):
        assert table.moving == seat
        table.do(location)
    assert table.sizes == [3, 3, 3]
    assert (table.ended, table.scores) == (True, [2, 1, 2])


@pytest.mark.rule("F23", "F17")
def test_each_game_of_a_session_has_so_many_turns():
    table = Table(["B", ""], session=2, max_turns=3)
    for turns in range(6):
        assert (table.over, int(table.record["game"])) == (False, turns // 3)
        turn_of(table)
    assert (table.cut, table.ended) == (True, False)


@pytest.mark.rule("F23", "F21")
def test_a_session_goes_on_over_a_campaigns_end():
    left = {3: 4, 8: 2, 20: 1, 58: 3, 59: 5}
    table = last_turn(["B", "C"], {0: 5}, stacks=left, drawn=240, session=2, play=False).do("#3")
    assert not table.over
    assert (table.stacks, int(table.record["drawn"])) == (FIRST_SIX, 24)
    assert points_of(table) == [2, 0]


@pytest.mark.rule("F23")
def test_a_reset_starts_afresh_goes_on_or_enters_a_given_stage():
    given = Campaign(SEVEN, 40, 5, start_seat=1)
    batch = Batch(GAME, num_players=3, seed=1, campaign=given)
    record = batch.states[0]
    assert (int(record["drawn"]), int(record["starter"]), int(record["cards"][6])) == (40, 1, 1)
    batch.reset(options={"campaign": "fresh"})
    assert int(record["drawn"]) == 24
    batch.reset(options={"campaign": "fresh", "stage": given})
    assert (int(record["drawn"]), int(record["starter"])) == (40, 1)


@pytest.mark.rule("F23", "F18")
def test_a_given_campaign_is_entered_once_and_goes_on_from_there():
    given = Campaign({2: 4, 3: 4, 4: 4, 5: 4, 6: 4, 7: 4}, 28)
    table = last_turn(["B", ""], {0: 5}, stacks=SEVEN, drawn=40, campaign=given, autoreset=True)
    assert table.turn == 0
    assert (table.stacks, int(table.record["drawn"])) == (SEVEN, 40)


@pytest.mark.rule("F23", "F21")
def test_without_continue_each_reset_starts_afresh():
    table = last_turn(["B", ""], {0: 5}, stacks=SEVEN, drawn=40)
    table.batch.reset()
    assert (table.stacks, int(table.record["drawn"])) == (FIRST_SIX, 24)


@pytest.mark.rule("F17", "F23")
@pytest.mark.parametrize(("option", "value"), [("max_turns", 0), ("session", 0), ("campaign", "old"), ("stage", 999)])
def test_options_that_cannot_be(option, value):
    with pytest.raises((OptionValueError, TypeError, ValueError), match=option):
        Batch(GAME, **{option: value})
