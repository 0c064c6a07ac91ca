"""Fable rule by rule, the steps of an action that concern other players.

Written from the rules document's words, not from the kernels.
"""

from __future__ import annotations

import numpy as np
import pytest

from tests.fable.table import Table, outcomes, used

ALL = {"name B", "name C", "name G", "name P", "name S"}

# --- gifts -----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("F9", "F10b")
def test_gift_names_a_player_then_fruits_in_order():
    table = used(["B C G", "", "S"], "gift 2")
    assert table.legal == {"seat 1", "seat 2"}
    assert table.do("seat 2").legal == {"B", "C"}
    table.do("B")
    assert table.legal == {"C", "G"}
    assert table.do("G").hands == ["C", "", "B G S"]


@pytest.mark.rule("F9")
def test_gift_with_two_players_and_one_fruit_asks_nothing():
    assert used(["BG", ""], "gift 1").hands == ["", "BG"]


@pytest.mark.rule("F9", "F10a")
def test_gift_each_goes_round_clockwise():
    table = Table(["", "B C G P", "", ""], {1: "gift_each 1"}, mover=1, starter=1).do("#1", "P", "C", "B")
    assert table.hands == ["B", "G", "P", "C"]


@pytest.mark.rule("F9", "F10a", "F10b")
def test_gift_each_of_several_fruits():
    table = used(["B C G P S", "", ""], "gift_each 2", "C", "S")
    assert table.hands == ["B G P", "C S", ""]
    assert table.legal == {"B", "G"}
    assert table.do("B", "P").hands == ["G", "C S", "B P"]


@pytest.mark.rule("F9", "F10a")
@pytest.mark.parametrize(("hand", "sizes"), [("B", [0, 1, 0, 0]), ("B B", [0, 2, 0, 0]), ("B B B", [0, 2, 1, 0])])
def test_gift_each_with_too_few_fruits_gives_what_there_is_in_turn(hand, sizes):
    assert used([hand, "", "", ""], "gift_each 2").sizes == sizes


# --- trade -----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("F9")
def test_trade_gives_a_fruit_of_the_type_for_n_of_the_others_choice():
    table = used(["B B C", "G P S S", "", "G"], "trade B 2")
    assert table.legal == {"seat 1", "seat 3"}
    table.do("seat 1")  # which banana is no choice
    assert (table.seat, table.legal) == (1, {"G", "P", "S"})
    table.do("P")  # a strawberry is all that may follow
    assert table.hands == ["B C P S", "B G S", "", "G"]
    assert table.moving == 1


@pytest.mark.rule("F9", "F10b")
def test_the_fruit_traded_cannot_come_back():
    """It lies aside until the other has given: who has one fruit gives that."""
    table = used(["B", "C"], "trade B 2")
    assert table.hands == ["C", "B"]
    table = used(["B C", "G"], "trade any 3", "C")
    assert table.hands == ["B G", "C"]


@pytest.mark.rule("F9", "F10a")
def test_trade_for_all_that_the_other_has():
    assert used(["B", "G PS", "C"], "trade B 9", "seat 1").hands == ["G PS", "B", "C"]


@pytest.mark.rule("F10b")
def test_the_fruit_traded_is_in_no_hand_while_the_other_chooses():
    table = used(["B C", "G P S"], "trade any 2", "B")
    assert table.seat == 1
    assert table.hands == ["C", "G P S"]
    assert table.sees(0, "aside") == [1, *[0] * 14]
    assert table.sees(1, "aside") == [0] * 15
    table.do("G", "S")
    assert table.hands == ["C G S", "B P"]


@pytest.mark.rule("F9")
def test_trade_of_any_fruit():
    table = used(["B G PS", "S"], "trade any 1")
    assert table.legal == {"B", "G", "PS"}
    assert table.do("G").hands == ["B S PS", "G"]


@pytest.mark.rule("F27a")
def test_a_mix_card_can_be_traded_as_either_type():
    table = used(["B BC C", "S"], "trade B 1")
    assert table.legal == {"B", "BC"}
    assert table.do("BC").hands == ["B C S", "BC"]
    assert used(["BC", "S"], "trade C 1").hands == ["S", "BC"]


# --- swaps -----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("F9")
def test_swap_gets_n_of_the_others_choice_and_returns_as_many_the_new_ones_included():
    table = used(["B", "C G P S", ""], "swap 3")
    assert (table.seat, table.legal) == (1, {"C", "G"})  # nobody else has a fruit
    table.do("C", "P")
    assert (table.seat, table.hands) == (0, ["B C P S", "G", ""])
    assert table.legal == {"B", "C"}
    table.do("C")
    assert (table.hands, table.moving) == (["B", "C G P S", ""], 1)


@pytest.mark.rule("F9", "F10a")
def test_swap_with_who_has_fewer_returns_no_more_than_was_given():
    table = used(["B B", "C"], "swap 3")
    assert (table.seat, table.hands, table.legal) == (0, ["B B C", ""], {"B", "C"})
    assert table.do("B").hands == ["B C", "B"]


@pytest.mark.rule("F9")
def test_swap_with_an_empty_hand_gives_all_back():
    assert used(["", "C"], "swap 2").hands == ["", "C"]


@pytest.mark.rule("F9")
@pytest.mark.parametrize("number", [1, 2, 3])
def test_swap_hands_with_a_player_who_holds_at_most_n_more(number):
    table = used(["B", "C C", "G G G", "P P P P", "S"], f"swap_hands {number}")
    assert table.legal == {"seat 4", *(f"seat {seat}" for seat in range(1, number + 1))}
    table.do("seat 1")
    assert table.hands == ["C C", "B", "G G G", "P P P P", "S"]


@pytest.mark.rule("F9", "F10a", "F27")
def test_swap_hands_with_an_empty_hand_and_for_one():
    assert used(["B PS", ""], "swap_hands 1").hands == ["", "B PS"]
    assert used(["", "B PS"], "swap_hands 2").hands == ["B PS", ""]


@pytest.mark.rule("F9", "F24")
def test_swap_hands_leaves_tokens_and_juices_where_they_are():
    table = used(["B", "C"], "swap_hands 1", tokens={0: "G", 1: "wild"}, juices={1: 2})
    assert (table.hands, table.tokens(0), table.tokens(1), table.juices) == (["C", "B"], "G", "wild", [0, 2])


# --- steals ----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("F9", "F10a")
def test_steal():
    table = used(["B", "C C C", "", "S"], "steal 2")
    assert table.legal == {"seat 1", "seat 3"}
    assert table.do("seat 1").hands == ["B C C", "C", "", "S"]
    assert used(["B", "C C C", "", "S"], "steal 2", "seat 3").hands == ["B S", "C C C", "", ""]


@pytest.mark.rule("F9", "F10a")
def test_each_pair_is_stolen_with_equal_chance():
    """Of B C G the three pairs: 400 +- 16 of 1200."""
    found = outcomes(Table(["", "B C G"], {1: "steal 2"}), "#1", 1200)
    assert set(found) == {("B C", "G"), ("B G", "C"), ("C G", "B")}
    assert all(abs(number - 400) < 80 for number in found.values())


@pytest.mark.rule("F9", "F27a")
def test_steal_each_from_every_other_player_with_four_fruits_or_more():
    table = used(["S S S S", "B B B", "C C C C", "G G G PS", "P P P P P"], "steal_each 1")
    assert table.sizes == [7, 3, 3, 3, 4]
    assert table.hand(0).split().count("C") == 1
    assert table.moving == 1


@pytest.mark.rule("F9")
def test_steal_each_of_more():
    assert used(["", "B B B B"], "steal_each 3").hands == ["B B B", "B"]
    assert used(["", "B B B B"], "steal_each 9").hands == ["B B B B", ""]


# --- ask, each_gives, pass -------------------------------------------------------------------------------------------


@pytest.mark.rule("F9")
def test_ask_names_a_player_then_a_fruit():
    table = used(["B", "C C C G", "", "S"], "ask 2")
    assert table.legal == {"seat 1", "seat 3"}
    assert table.do("seat 1").legal == ALL
    assert table.do("name C").hands == ["B C C", "C G", "", "S"]


@pytest.mark.rule("F9", "F27a")
@pytest.mark.parametrize(
    ("fruit", "hands"), [("B", ["B", "G BC"]), ("C", ["", "B G BC"]), ("G", ["G", "B BC"]), ("S", ["", "B G BC"])]
)
def test_ask_gets_plain_fruits_alone_and_maybe_none(fruit, hands):
    assert used(["", "B G BC"], "ask 2", f"name {fruit}").hands == hands


@pytest.mark.rule("F9", "F27a")
def test_each_gives_from_every_other_player_with_four_fruits_or_more():
    table = used(["S S S S", "B B B", "C C C PS", "G P P P"], "each_gives 1")
    assert (table.seat, table.legal) == (2, {"C", "PS"})
    table.do("PS")
    assert (table.seat, table.legal) == (3, {"G", "P"})
    table.do("G")
    assert table.hands == ["G S S S S PS", "B B B", "C C C", "P P P"]
    assert table.moving == 1


@pytest.mark.rule("F9", "F10b")
def test_each_gives_of_more():
    table = used(["", "B C G P"], "each_gives 3", "B")
    assert (table.seat, table.legal) == (1, {"C", "G"})
    assert used(["", "B B C C"], "each_gives 5").hands == ["B B C C", ""]


@pytest.mark.rule("F9")
def test_pass_goes_to_the_left_and_the_mover_chooses_first():
    table = Table(["B C", "G P", "S PS"], {1: "pass, draw 1"}, mover=1, starter=1, fruits="").do("#1")
    assert (table.seat, table.legal) == (1, {"G", "P"})
    table.do("P")
    assert (table.seat, table.legal) == (2, {"S", "PS"})
    assert table.hands == ["B C", "G", "S PS"]
    table.do("PS")
    assert (table.seat, table.legal) == (0, {"B", "C"})
    table.do("B")
    assert table.hands == ["C PS", "B G", "P S"]
    assert table.moving == 2


@pytest.mark.rule("F9", "F10b")
def test_pass_is_chosen_unseen():
    tables = [used(["B C", "G P", "S S"], "pass", card) for card in "BC"]
    assert [table.seat for table in tables] == [1, 1]
    for seat in (1, 2):
        assert np.array_equal(*(table.batch.observe(seat) for table in tables))
    assert not np.array_equal(*(table.batch.observe(0) for table in tables))


@pytest.mark.rule("F9")
def test_who_has_no_fruit_passes_none_and_gets_one():
    assert used(["B", "", "C"], "pass").hands == ["C", "B", ""]
    assert used(["", "", "C", ""], "pass").hands == ["", "", "", "C"]


@pytest.mark.rule("F9")
def test_what_comes_in_a_pass_cannot_be_passed_on():
    """All move at once: with two players the fruits change places."""
    assert used(["B", "C"], "pass").hands == ["C", "B"]
    assert used(["B", "C", "G", "P", "S"], "pass").hands == ["S", "B", "C", "G", "P"]


@pytest.mark.rule("F9", "F10a")
def test_a_copied_pass_asks_all_five():
    table = Table(["B C"] * 5, {1: "copy, draw 1", 2: "pass"}, stacks={1: 4, 2: 4}, fruits="S").do("#1")
    table.do("C", "C", "B", "B", "C")
    assert table.hands == ["B C S", "B C", "C C", "B C", "B B"]
