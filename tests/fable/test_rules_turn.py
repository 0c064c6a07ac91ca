"""Fable rule by rule, a turn: the move, the hosts, what an action requires, who chooses what.

Written from the rules document's words, not from the kernels.
"""

from __future__ import annotations

import numpy as np
import pytest

from tests.fable.table import DEAR, Table, outcomes, used, visiting

# --- the move (F6) ---------------------------------------------------------------------------------------------------


@pytest.mark.rule("F6")
def test_a_move_goes_to_any_location_with_cards_but_the_own():
    table = Table(3, stacks={2: 1, 5: 4, 9: 3, 30: 2}, drawn=120, animals={0: 5, 1: 9})
    assert table.legal == {"#2", "#9", "#30"}


@pytest.mark.rule("F6")
def test_with_two_locations_left_there_is_one_way_to_go():
    table = Table(2, stacks={3: 1, 8: 1}, drawn=240, animals={0: 3, 1: 3})
    assert table.legal == {"#8"}


@pytest.mark.rule("F6")
def test_the_game_ends_at_once_when_nobody_could_move_on():
    """The round is not finished, nobody has the juices needed, and a turn token is not asked for."""
    table = Table(
        ["B", "C C", ""],
        None,
        {1: "B"},
        stacks={1: 1, 4: 3},
        drawn=240,
        tokens={0: "turn"},
        juices={0: 1, 1: 1, 2: 1},
    )
    table.do("#1", "buy")
    assert table.ended
    assert not table.cut
    assert table.juices == table.scores == [2, 1, 1]
    assert table.ranks == [0, 1, 2]


@pytest.mark.rule("F6")
def test_a_last_stack_of_many_cards_is_one_location_all_the_same():
    table = Table(["B", "B"], None, {59: "B"}, stacks={58: 1, 59: 8}, drawn=240).do("#59", "buy")
    assert not table.over
    table = Table(["B", "B"], None, {58: "B"}, stacks={58: 1, 59: 8}, drawn=240).do("#58", "buy")
    assert table.ended


@pytest.mark.rule("F6", "F12")
def test_whether_anybody_can_move_on_is_judged_after_the_next_card_is_turned_up():
    table = Table(["B", "C"], None, {1: "B"}, stacks={1: 1, 4: 3}, drawn=239).do("#1", "buy")
    assert table.stacks == {4: 3, 59: 1}
    assert table.moving == 1


@pytest.mark.rule("F6")
def test_the_rest_of_an_action_is_left_out_when_the_game_ends_within_it():
    table = Table(["B C", ""], {1: "order 1, draw 5"}, {4: "B"}, stacks={1: 2, 4: 1}, drawn=240).do("#1")
    assert table.ended
    assert (table.juices, table.hands) == ([1, 0], ["", ""])


# --- the hosts (F7) --------------------------------------------------------------------------------------------------


@pytest.mark.rule("F7")
def test_a_host_gets_a_fruit_of_the_movers_choice():
    table = Table(["B C", "G"], animals={1: 1}, fruits="").do("#1")
    assert (table.seat, table.legal) == (0, {"B", "C"})
    assert table.do("C").hands == ["B", "C G"]


@pytest.mark.rule("F7")
def test_the_only_fruit_goes_unasked():
    assert visiting(["B", ""], animals={1: 1}).hands == ["", "B"]


@pytest.mark.rule("F7")
def test_who_stands_elsewhere_or_nowhere_gets_nothing():
    assert visiting(["B C", "G", ""], animals={0: 3, 1: 2}).hands == ["B C", "G", ""]


@pytest.mark.rule("F7", "F10a")
def test_hosts_are_paid_clockwise_one_each():
    table = Table(["", "B C G S", "", "P", ""], animals={0: 1, 2: 4, 3: 1, 4: 1}, mover=1, starter=1, fruits="")
    table.do("#1", "G")
    assert table.hands == ["", "B C S", "", "G P", ""]
    table.do("S")
    assert table.hands == ["", "B C", "", "G P", "S"]
    table.do("B")
    assert table.hands == ["B", "C", "", "G P", "S"]


@pytest.mark.rule("F7")
def test_with_just_enough_fruits_the_mover_still_chooses_which_goes_to_whom():
    table = Table(["B C", "", ""], animals={1: 1, 2: 1}, fruits="").do("#1")
    assert table.legal == {"B", "C"}
    assert table.do("C").hands == ["", "C", "B"]


@pytest.mark.rule("F7")
def test_with_too_few_fruits_the_mover_names_a_host_then_a_fruit_until_none_is_left():
    table = Table(["B C", "", "", "", ""], animals=dict.fromkeys(range(1, 5), 1), fruits="").do("#1")
    assert table.legal == {"seat 1", "seat 2", "seat 3", "seat 4"}
    assert table.do("seat 3").legal == {"B", "C"}
    table.do("B")
    assert table.legal == {"seat 1", "seat 2", "seat 4"}  # nobody gets two
    assert table.do("seat 1").hands == ["", "C", "", "B", ""]


@pytest.mark.rule("F7")
def test_only_hosts_can_be_named():
    table = Table(["B", "G", "G", "G"], animals={1: 1, 2: 5, 3: 1}, fruits="").do("#1")
    assert table.legal == {"seat 1", "seat 3"}
    assert table.do("seat 3").hands == ["", "G", "G", "B G"]


@pytest.mark.rule("F7")
@pytest.mark.parametrize("players", [2, 5])
def test_without_a_fruit_nothing_is_paid(players):
    hands = ["", *["G"] * (players - 1)]
    assert visiting(hands, animals=dict.fromkeys(range(1, players), 1)).hands == hands


@pytest.mark.rule("F7", "F27a")
def test_a_mix_card_pays_a_host_and_a_token_does_not():
    table = visiting(["PS", ""], animals={1: 1})
    assert table.hands == ["", "PS"]
    assert table.tokens(0) == "wild"


@pytest.mark.rule("F7")
def test_nobody_else_sees_which_fruit_a_host_gets():
    table = Table(["B C", "", "G"], animals={1: 1}).do("#1")
    other = Table(["B C", "", "G"], animals={1: 1}).do("#1")
    for one, fruit in ((table, "B"), (other, "C")):
        one.record["fruit_stack"] = 0
        one.do(fruit)
    assert np.array_equal(table.batch.observe(2), other.batch.observe(2))
    assert not np.array_equal(table.batch.observe(1), other.batch.observe(1))


@pytest.mark.rule("F7", "F8")
def test_what_a_host_gets_can_no_longer_buy():
    table = Table(["B", "G"], None, {1: "B"}, animals={1: 1}, fruits="").do("#1")
    assert (table.moving, table.juices) == (1, [0, 0])


# --- use or buy (F8) -------------------------------------------------------------------------------------------------


@pytest.mark.rule("F8")
def test_either_the_action_or_the_juice():
    table = Table(["B", ""], {1: "draw 2"}, {1: "B"}, fruits="G G G").do("#1")
    assert table.legal == {"use", "buy"}
    table.do("use")
    assert (table.hand(0), table.juices, table.moving) == ("B G G", [0, 0], 1)
    table = Table(["B", ""], {1: "draw 2"}, {1: "B"}, fruits="G G G").do("#1", "buy")
    assert (table.hand(0), table.juices, table.moving) == ("", [1, 0], 1)


@pytest.mark.rule("F8")
def test_only_the_juice_of_the_location_moved_to_can_be_bought():
    table = Table(["B", ""], None, {1: DEAR, 2: "B"}, fruits="G").do("#1")
    assert (table.hand(0), table.moving) == ("B G", 1)


# --- an action and what it requires (F9, F9a) ------------------------------------------------------------------------


@pytest.mark.rule("F9")
def test_steps_are_taken_in_order():
    table = used(["B", ""], "discard 1, draw 1", fruits="G")
    assert (table.hand(0), table.discards) == ("G", "B")
    assert used(["B", ""], "draw 1, discard 1", fruits="G").legal == {"B", "G"}


@pytest.mark.rule("F9")
def test_each_step_goes_as_far_as_possible():
    table = used(["B", ""], "draw 4, discard 9, fill 2", fruits="G G")
    assert (table.sizes, table.discards, table.moving) == ([2, 0], "", 1)
    assert sorted([*table.hand(0).split(), table.fruits]) == ["B", "G", "G"]


REQUIREMENTS = {
    "no coconut": ("cost C 1", {"hands": ["B BG", "C"]}),
    "one too few": ("cost any 2", {"hands": ["B", "C"]}),
    "no two of a type": ("cost same 2", {"hands": ["B C G", "C"]}),
    "a token is no fruit": ("cost B 1", {"hands": ["C", "B"], "tokens": {0: "B wild"}}),
    "no banana to trade": ("trade B 2", {"hands": ["C CG", "B"]}),
    "nothing to trade": ("trade any 3", {"hands": ["", "B"]}),
    "nobody to trade with": ("trade any 3", {"hands": ["B", "", ""]}),
    "no discards": ("salvage 2", {"hands": ["B", "C"], "discards": ""}),
    "full": ("fill 2", {"hands": ["B PS", "C"]}),
    "no mix left": ("mix 1", {"hands": ["B", "C"], "mixes": ""}),
    "nothing to copy": ("copy", {"hands": ["B", "C"], "stacks": {1: 4, 2: 4}}),
    "nothing to order": ("order 1", {"hands": ["B", "C"], "prices": {2: "B"}}),
}


@pytest.mark.rule("F9", "F9a")
@pytest.mark.parametrize("case", REQUIREMENTS)
@pytest.mark.parametrize("place", ["first", "last"])
def test_one_fruit_instead_of_an_action_whose_requirement_is_not_met(case, place):
    step, situation = REQUIREMENTS[case]
    situation = dict(situation)
    hands = situation.pop("hands")
    action = f"{step}, draw 4" if place == "first" else f"draw 4, {step}"
    table = Table(hands, {1: action, 2: "copy"}, fruits="S " * 8, **situation).do("#1")
    assert table.moving == 1  # nothing was asked
    assert sorted(table.hand(0).split()) == sorted([*hands[0].split(), "S"])
    assert table.hands[1:] == hands[1:]


@pytest.mark.rule("F9a")
def test_a_requirement_that_an_earlier_step_would_meet_fails_before_it():
    table = used(["", ""], "draw 2, cost G 1", fruits="G G G")
    assert table.hand(0) == "G"
    table = used(["B", ""], "discard 1, salvage 1", fruits="G G G")
    assert (table.hand(0), table.discards) == ("B G", "")


@pytest.mark.rule("F9a")
def test_a_cost_that_has_become_impossible_is_left_out():
    table = used(["B C", ""], "discard 2, cost any 1, draw 2", fruits="G G G")
    assert (table.hand(0), table.fruits) == ("G G", "G")


@pytest.mark.rule("F9a")
def test_a_trade_that_has_become_impossible_is_left_out():
    assert used(["B", "C"], "gift 1, trade any 2, draw 2", fruits="G G G").hands == ["G G", "B C"]
    assert used(["B", "C"], "steal 1, trade any 2, draw 2", fruits="G G G").hands == ["B C G G", ""]


@pytest.mark.rule("F9a")
def test_a_salvage_that_has_become_impossible_is_left_out():
    table = used(["", ""], "draw 1, salvage 2", fruits="", discards="B")
    assert (table.hand(0), table.discards, table.moving) == ("B", "", 1)


@pytest.mark.rule("F9a")
def test_a_fill_that_has_become_impossible_is_left_out():
    table = used(["", ""], "draw 4, fill 3", fruits="G " * 9)
    assert table.sizes == [4, 0]


@pytest.mark.rule("F9a")
def test_mixes_that_have_become_impossible_are_left_out():
    """The copied location takes the last one."""
    actions = {1: "copy, mix 1, draw 1", 2: "mix 2", 3: "copy"}
    table = Table(["", ""], actions, stacks={1: 4, 2: 4, 3: 4}, mixes="BC", fruits="G G G").do("#1")
    assert table.hand(0) == "G BC"


@pytest.mark.rule("F9a", "F13")
def test_a_copy_that_has_become_impossible_is_left_out():
    """The only location that can be copied is bought up by the action before."""
    actions = {1: "order 1, copy, draw 2", 3: "copy"}
    table = Table(["B C", ""], actions, {2: "B"}, stacks={1: 4, 2: 1, 3: 4}, drawn=240, fruits="G G G").do("#1")
    assert (table.hand(0), table.juices, table.moving) == ("G G", [1, 0], 1)


@pytest.mark.rule("F9a")
def test_an_order_that_has_become_impossible_is_left_out():
    table = used(["B C", ""], "discard 1, order 1, draw 2", "B", prices={2: "B"}, fruits="G G G")
    assert (table.hand(0), table.juices, table.moving) == ("C G G", [0, 0], 1)


@pytest.mark.rule("F9a")
@pytest.mark.parametrize(
    ("action", "hands", "situation"),
    [
        ("discard 2", ["", "B"], {}),
        ("gift 2", ["", "B"], {}),
        ("gift_each 2", ["", "B", "B"], {}),
        ("swap 2", ["B", "", ""], {}),
        ("swap_hands 2", ["", "", ""], {}),
        ("swap_hands 1", ["", "B B", "B B"], {}),
        ("steal 2", ["B", "", ""], {}),
        ("steal_each 1", ["B", "B C G", "B C G"], {}),
        ("ask 1", ["B", "", ""], {}),
        ("each_gives 1", ["B", "B C G", "B C G"], {}),
        ("pass", ["", "", ""], {}),
        ("market 3", ["", ""], {"fruits": ""}),
        ("gamble 3", ["", ""], {"fruits": ""}),
        ("fruit_token", ["", ""], {"tokens": {0: "B C G P S"}}),
        ("wild_token", ["", ""], {"tokens": {0: "wild wild wild"}}),
        ("turn_token", ["", ""], {"tokens": {0: "turn turn turn"}, "extra": True}),
    ],
)
def test_a_step_that_can_do_nothing_asks_nothing_and_is_no_failed_requirement(action, hands, situation):
    """No fruit is drawn in its place."""
    table = used(hands, action, **{"fruits": "G", **situation})
    assert (table.moving, table.hands) == (1, hands)


# --- other players, and cards in order (F10, F10a, F10b) -------------------------------------------------------------


@pytest.mark.rule("F10")
@pytest.mark.parametrize("players", [3, 5])
@pytest.mark.parametrize("action", ["gift 1", "swap 1", "swap_hands 9", "steal 1", "ask 1", "trade any 1"])
def test_another_player_is_never_oneself(action, players):
    table = Table(["B C"] * players, {1: action}, mover=1, starter=1).do("#1")
    assert table.legal == {f"seat {seat}" for seat in range(players) if seat != 1}


@pytest.mark.rule("F10")
def test_who_must_give_a_fruit_chooses_which():
    table = used(["", "B C G P"], "each_gives 1")
    assert (table.seat, table.legal) == (1, {"B", "C", "G", "P"})
    assert table.do("G").hands == ["G", "B C P"]


@pytest.mark.rule("F10a")
@pytest.mark.parametrize("action", ["swap 1", "steal 1", "ask 1", "trade any 1"])
def test_fruits_are_taken_only_from_a_player_who_has_one(action):
    table = used(["B C", "", "G P", "", "S S"], action)
    assert table.legal == {"seat 2", "seat 4"}


@pytest.mark.rule("F10a")
def test_several_players_act_clockwise_from_the_mover():
    table = Table(["B C G P"] * 4, {1: "each_gives 2"}, mover=2, starter=2).do("#1")
    order = []
    while table.record["pending_size"]:
        order.append(table.seat)
        table.do(min(table.legal))
    assert order == [3, 3, 0, 0, 1, 1]


@pytest.mark.rule("F10a")
def test_who_has_too_few_gives_all():
    assert used(["B", "C G"], "swap 3", "B", "C").hands == ["G", "B C"]
    assert used(["B", "C G"], "steal 5").hands == ["B C G", ""]
    assert used(["B C", ""], "gift 4").hands == ["", "B C"]
    assert used(["B", "C C G"], "ask 4", "name C").hands == ["B C C", "G"]


@pytest.mark.rule("F10a")
def test_each_card_of_a_hand_is_taken_with_equal_chance():
    """Of four cards two are bananas: half of the thefts, and 600 +- 24 of 1200."""
    table = Table(["", "B B C PS", ""], {1: "steal 1"})
    found = outcomes(table, "#1", 1200)
    assert set(found) == {("B", "B C PS", ""), ("C", "B B PS", ""), ("PS", "B B C", "")}
    assert abs(found["B", "B C PS", ""] - 600) < 100
    assert abs(found["C", "B B PS", ""] - 300) < 80


@pytest.mark.rule("F10b")
def test_cards_are_named_in_order_and_only_if_enough_can_follow():
    table = used(["B C G PS", ""], "discard 2")
    assert table.legal == {"B", "C", "G"}
    assert table.do("C").legal == {"G", "PS"}
    table = used(["B C G PS", ""], "discard 3")
    assert table.legal == {"B", "C"}
    assert table.do("C").hands == ["B", ""]


@pytest.mark.rule("F10b")
def test_equal_cards_may_follow_each_other():
    """The first must be a banana, since no card could follow the coconut."""
    table = used(["B B C", ""], "discard 2")
    assert (table.hand(0), table.legal) == ("B C", {"B", "C"})


@pytest.mark.rule("F10b")
def test_mixes_come_after_fruits_in_their_own_order():
    table = used(["S BC BG PS", ""], "discard 2")
    assert table.legal == {"S", "BC", "BG"}
    assert table.do("BC").legal == {"BG", "PS"}


@pytest.mark.rule("F10b")
def test_giving_all_asks_nothing():
    table = used(["B C GP", "S"], "discard 3")
    assert (table.hand(0), table.discards, table.moving) == ("", "B C", 1)
    assert used(["B C GP", "S"], "gift 3").hands == ["", "B C S GP"]


@pytest.mark.rule("F10b")
def test_each_card_moves_as_it_is_chosen():
    table = used(["B C G", ""], "discard 2", "B")
    assert (table.hand(0), table.discards) == ("C G", "B")
    assert used(["B C G", "", ""], "gift 2", "seat 2", "B").hands == ["C G", "", "B"]


@pytest.mark.rule("F10b")
def test_each_purpose_has_an_order_of_its_own():
    """After a grape for one player a banana for the next; after a coconut back a banana in a discard."""
    table = used(["B C G", "", ""], "gift_each 1", "G")
    assert table.legal == {"B", "C"}
    table = used(["B C G", "P"], "swap 1, discard 1", "P")
    assert table.legal == {"B", "C", "G"}
