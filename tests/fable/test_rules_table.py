"""Fable rule by rule, what lies on the table: sold-out stacks, the piles, the thief.

Written from the rules document's words, not from the kernels.
"""

from __future__ import annotations

import pytest

from tests.fable.table import FIRST_SIX, Table, outcomes, used, visiting

# --- sold-out stacks (F13) -------------------------------------------------------------------------------------------


@pytest.mark.rule("F13")
def test_animals_on_a_sold_out_stack_go_back_before_their_owners():
    table = Table(["B B", "", ""], None, {1: "B"}, stacks={**FIRST_SIX, 1: 1}, animals={0: 3, 1: 1, 2: 4}, drawn=26)
    table.do("#1", "buy")
    assert table.stacks == {2: 4, 3: 4, 4: 4, 5: 4, 6: 4, 7: 1}
    assert table.animals == [None, None, 4]
    assert table.moving == 1
    assert table.legal == {"#2", "#3", "#4", "#5", "#6", "#7"}


@pytest.mark.rule("F13")
def test_a_stack_with_a_card_left_keeps_its_animals():
    table = Table(["B B", "", ""], None, {1: "B"}, stacks={**FIRST_SIX, 1: 2}, animals={1: 1}).do("#1", "buy")
    assert table.stacks[1] == 1
    assert table.animals == [1, 1, None]


@pytest.mark.rule("F13", "F12")
def test_a_stack_is_sold_out_only_if_the_card_turned_up_is_of_another():
    table = Table(["B B", ""], None, {7: "B"}, stacks={1: 4, 2: 4, 7: 1}, animals={1: 7}, thief=(7, 1), drawn=27)
    table.do("#7", "buy")
    assert table.stacks == {1: 4, 2: 4, 7: 1}
    assert (table.animals, table.thief) == ([7, 7], (7, 1))


@pytest.mark.rule("F13", "F28")
def test_a_thief_on_a_sold_out_stack_is_idle_until_placed_again():
    table = Table(["B", "C"], {2: "thief"}, {1: "B"}, stacks={**FIRST_SIX, 1: 1}, thief=(1, 0)).do("#1", "buy")
    assert table.thief == (None, 0)
    assert table.sees(0, "idle_thief") == [1]
    table.do("#2", "#3")
    assert table.thief == (3, 1)


@pytest.mark.rule("F13", "F28")
def test_an_idle_thief_takes_nothing():
    table = visiting(["B C", "G", ""], thief=(None, 1))
    assert table.hands == ["B C", "G", ""]


# --- the piles (F14) -------------------------------------------------------------------------------------------------


@pytest.mark.rule("F14")
def test_a_hand_can_be_of_any_size():
    table = used(["B B B B B B B B C C C C C C C C BC BG", ""], "draw 9", "use")
    assert table.sizes == [27, 0]


@pytest.mark.rule("F14")
def test_the_discards_are_shuffled_in_when_a_fruit_is_to_be_drawn_and_none_is_there():
    table = used(["", ""], "draw 2", fruits="B", discards="C C")
    assert (table.hand(0), table.fruits, table.discards) == ("B C", "C", "")


@pytest.mark.rule("F14")
def test_the_discards_are_not_shuffled_before():
    table = used(["", ""], "draw 1", fruits="B", discards="C C")
    assert (table.hand(0), table.fruits, table.discards) == ("B", "", "C C")


@pytest.mark.rule("F14")
def test_with_both_empty_nothing_is_drawn():
    table = used(["", ""], "draw 3, all_draw 1", fruits="B")
    assert (table.hands, table.moving) == (["B", ""], 1)


@pytest.mark.rule("F14")
def test_a_reshuffled_pile_is_uniform():
    """Three bananas and a coconut: 900 +- 15 of 1200."""
    found = outcomes(Table(["", ""], {1: "draw 1"}, fruits="", discards="B B B C"), "#1", 1200)
    assert set(found) == {("B", ""), ("C", "")}
    assert abs(found["B", ""] - 900) < 75


@pytest.mark.rule("F14")
def test_fruits_turned_up_are_not_shuffled_in():
    """Both bananas lie turned up when the pile is shuffled; the sixth fruit is not there."""
    table = used(["", ""], "market 6", fruits="B B", discards="C G")
    assert table.legal == {"name B", "name C", "name G"}
    assert (table.fruits, table.discards) == ("", "")
    table.do("name C")
    assert (table.hand(0), table.discards) == ("C", "B B G")


@pytest.mark.rule("F14")
def test_others_draw_clockwise_while_there_are_fruits():
    assert used(["", "", "", ""], "all_draw 2", fruits="B B B", mover=2, starter=2).sizes == [1, 0, 0, 2]


# --- the thief (F28) -------------------------------------------------------------------------------------------------


@pytest.mark.rule("F28")
def test_the_thief_goes_to_a_location_of_choice_the_own_and_where_it_lies_included():
    table = used(["B", "C"], "thief", thief=(4, 1))
    assert table.legal == {"#1", "#2", "#3", "#4", "#5", "#6"}
    assert table.do("#4").thief == (4, 0)


@pytest.mark.rule("F28")
def test_whoever_moves_to_the_thief_owes_a_fruit_to_the_one_who_put_it():
    table = Table(["B C", "", "G"], animals={2: 5}, thief=(1, 2), fruits="").do("#1")
    assert table.legal == {"B", "C"}
    assert table.do("B").hands == ["C", "", "B G"]


@pytest.mark.rule("F28")
def test_who_put_the_thief_owes_nothing():
    assert visiting(["B C", ""], thief=(1, 0)).hands == ["B C", ""]


@pytest.mark.rule("F28", "F7")
def test_the_placer_is_paid_in_turn_with_the_hosts():
    table = Table(["B C G S", "", "", ""], animals={1: 1, 3: 1}, thief=(1, 2), fruits="").do("#1", "C", "G", "B")
    assert table.hands == ["S", "C", "G", "B"]


@pytest.mark.rule("F28")
def test_one_fruit_in_all_if_the_placer_stands_there_too():
    table = visiting(["B C", "", ""], "B", animals={1: 1}, thief=(1, 1))
    assert table.hands == ["C", "B", ""]


@pytest.mark.rule("F28", "F7")
def test_with_too_few_fruits_the_placer_is_one_to_choose_from():
    table = Table(["B", "", "", ""], animals={1: 1}, thief=(1, 3), fruits="").do("#1")
    assert table.legal == {"seat 1", "seat 3"}
    assert table.do("seat 3").hands == ["", "", "", "B"]


@pytest.mark.rule("F28")
def test_the_thief_pays_its_last_placer():
    table = used(["B", "C", "G"], "thief", "#2", thief=(2, 2), fruits="")
    assert (table.thief, table.moving) == ((2, 0), 1)
    assert table.do("#2").hands == ["B C", "", "G"]


@pytest.mark.rule("F28")
def test_the_thief_stays_where_it_is_when_it_has_been_paid():
    table = Table(["B", "C", ""], thief=(1, 2), fruits="").do("#1")
    assert (table.thief, table.moving) == ((1, 2), 1)
    table.do("#2", "#1")
    assert table.thief == (1, 2)
