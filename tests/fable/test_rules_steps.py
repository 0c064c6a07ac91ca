"""Fable rule by rule, the steps of an action that concern the mover and the table; see ``test_rules_players.py``.

Written from the rules document's words, not from the kernels.
"""

from __future__ import annotations

import pytest

from fable_env.sets import STEPS
from tests.fable.table import Table, outcomes, used

# --- draw, discard, fill, missing, per_juice, catch_up ---------------------------------------------------------------


@pytest.mark.rule("F9")
@pytest.mark.parametrize("number", [1, 2, 9])
def test_draw(number):
    table = used(["B", "C"], f"draw {number}", fruits="G " * 9)
    assert table.hands == [" ".join(["B", *["G"] * number]), "C"]
    assert table.fruits.split() == ["G"] * (9 - number)


@pytest.mark.rule("F9")
@pytest.mark.parametrize("players", [2, 5])
def test_all_draw(players):
    """Every other player."""
    table = used([""] * players, "all_draw 2", fruits="G " * 9)
    assert table.sizes == [0, *[2] * (players - 1)]


@pytest.mark.rule("F9", "F27")
def test_discard():
    table = used(["B S PS", ""], "discard 1", "S")
    assert (table.hand(0), table.discards) == ("B PS", "S")
    table = used(["B S PS", ""], "discard 1", "PS", mixes="BC")
    assert (table.hand(0), table.discards, table.mixes) == ("B S", "", "BC PS")


@pytest.mark.rule("F9")
@pytest.mark.parametrize(("hand", "size"), [("", 5), ("B C G PS", 5)])
def test_fill(hand, size):
    assert used([hand, ""], "fill 5", fruits="G " * 9).sizes == [size, 0]


@pytest.mark.rule("F9", "F9a")
@pytest.mark.parametrize("hand", ["B C G PS S", "B C G P S S"])
def test_fill_for_a_full_hand_is_a_draw_of_one(hand):
    assert used([hand, ""], "fill 5", fruits="G " * 9).sizes == [len(hand.split()) + 1, 0]


@pytest.mark.rule("F9", "F27a")
@pytest.mark.parametrize(
    ("hand", "number", "drawn"),
    [
        ("", 3, 3),
        ("", 5, 5),
        ("B B B", 5, 4),
        ("B C G", 3, 2),
        ("B C G P", 3, 1),
        ("B C G P S", 3, 0),
        ("BC GP PS", 5, 5),
        ("B C G P PS", 5, 1),
    ],
)
def test_missing_counts_types_of_which_no_plain_fruit_is_held(hand, number, drawn):
    """What is drawn may be of any type, and does not count while drawing."""
    table = used([hand, ""], f"missing {number}", fruits="C " * 6)
    assert table.sizes[0] == len(hand.split()) + drawn
    assert table.moving == 1


@pytest.mark.rule("F9")
@pytest.mark.parametrize(("juices", "drawn"), [(0, 2), (1, 3), (3, 5)])
def test_per_juice(juices, drawn):
    assert used(["", ""], "per_juice 2", juices={0: juices, 1: 4}).sizes == [drawn, 0]


@pytest.mark.rule("F9")
@pytest.mark.parametrize(
    ("juices", "drawn"),
    [((0, 0, 0), 1), ((1, 0, 1), 1), ((0, 1, 0), 2), ((1, 0, 3), 3), ((0, 3, 1), 4), ((3, 2, 1), 1)],
)
def test_catch_up(juices, drawn):
    assert used(["", "", ""], "catch_up 4", juices=dict(enumerate(juices))).sizes == [drawn, 0, 0]


@pytest.mark.rule("F9")
def test_catch_up_draws_n_in_all_at_most():
    assert used(["", ""], "catch_up 2", juices={1: 4}).sizes == [2, 0]


# --- cost ------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("F9", "F10b")
def test_cost_of_a_fruit():
    table = used(["B C C", ""], "cost C 1, draw 2", fruits="S S S")
    assert (table.hand(0), table.discards) == ("B C S S", "C")


@pytest.mark.rule("F9", "F10b")
def test_cost_of_any_fruits_asks_for_them_in_order():
    table = used(["B C G", ""], "cost any 2, draw 1", fruits="S")
    assert table.legal == {"B", "C"}
    table.do("C")
    assert (table.hand(0), table.discards) == ("B S", "C G")


@pytest.mark.rule("F9", "F11a")
def test_cost_of_equal_fruits():
    table = used(["B B C C G", ""], "cost same 2, draw 1", fruits="S")
    assert table.legal == {"B", "C"}
    table.do("C")
    assert (table.hand(0), table.discards) == ("B B G S", "C C")


@pytest.mark.rule("F27a", "F11a")
def test_a_mix_card_serves_in_a_cost_as_either_type():
    """It goes back to its own stack; what cannot be completed is not offered."""
    table = used(["B C BC", ""], "cost same 2, draw 1", fruits="S", mixes="")
    assert table.legal == {"B", "C"}
    table.do("B")
    assert (table.hand(0), table.discards, table.mixes) == ("C S", "B", "BC")
    table = used(["CG", ""], "cost G 1, draw 2", fruits="S S S", mixes="")
    assert (table.hand(0), table.mixes) == ("S S", "CG")
    table = used(["C CG", ""], "cost C 1, draw 1", fruits="S")
    assert table.legal == {"C", "CG"}


@pytest.mark.rule("F24", "F25")
def test_tokens_pay_no_cost():
    table = used(["C", ""], "cost any 1, draw 2", tokens={0: "B wild"}, fruits="S S S")
    assert (table.hand(0), table.tokens(0)) == ("S S", "B wild")


# --- gamble ----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("F9")
def test_gamble_turns_the_first_up_unasked_and_then_asks():
    table = used(["B", ""], "gamble 5", fruits="G")
    assert (table.hand(0), table.moving) == ("B G", 1)  # nothing else to turn up: kept
    table = used(["B", ""], "gamble 5", fruits="G G")
    assert table.legal == {"stop", "on"}
    assert table.sees(1, "turned") == [0, 0, 1, 0, 0]
    assert table.hand(0) == "B"
    table.do("stop")
    assert (table.hand(0), table.fruits, table.discards) == ("B G", "G", "")


@pytest.mark.rule("F9")
def test_gamble_loses_all_when_a_type_shows_twice():
    table = used(["G", ""], "gamble 5", "on", fruits="G G", discards="")
    assert (table.hand(0), table.discards, table.moving) == ("G", "G G", 1)


@pytest.mark.rule("F9")
def test_gamble_keeps_all_after_the_nth_unasked():
    table = used(["", ""], "gamble 2", fruits="B", discards="C")
    assert table.legal == {"stop", "on"}
    table.do("on")
    assert (table.hand(0), table.moving) == ("B C", 1)
    assert used(["", ""], "gamble 1", fruits="B B B").hand(0) == "B"


@pytest.mark.rule("F9")
def test_gamble_keeps_all_with_none_left_to_turn_up():
    table = used(["", ""], "gamble 5", "on", fruits="B", discards="C")
    assert (table.hand(0), table.moving) == ("B C", 1)


@pytest.mark.rule("F9")
def test_gamble_loses_on_the_nth_too():
    table = used(["", ""], "gamble 2", "on", fruits="B B B")
    assert (table.hand(0), table.discards) == ("", "B B")


@pytest.mark.rule("F9", "F14")
def test_gamble_goes_on_from_the_discards_without_what_is_turned_up():
    table = used(["", ""], "gamble 5", "on", fruits="B", discards="C C")
    assert table.legal == {"stop", "on"}
    assert (table.fruits, table.discards) == ("C", "")
    table.do("on")
    assert (table.hand(0), table.fruits, table.discards) == ("", "", "B C C")


# --- market, salvage, refresh ----------------------------------------------------------------------------------------


@pytest.mark.rule("F9")
def test_market():
    table = used(["C", ""], "market 4", fruits="B C C S", discards="P")
    assert table.legal == {"name B", "name C", "name S"}
    table.do("name C")
    assert (table.hand(0), table.discards, table.fruits) == ("C C C", "B P S", "")


@pytest.mark.rule("F9")
def test_market_of_fewer_than_asked_for():
    table = used(["", ""], "market 4", fruits="B", discards="C")
    assert table.legal == {"name B", "name C"}


@pytest.mark.rule("F9")
def test_market_of_one_type_asks_nothing():
    table = used(["", ""], "market 3", fruits="B B B B")
    assert (table.hand(0), table.fruits, table.discards) == ("B B B", "B", "")


@pytest.mark.rule("F9", "F10b")
def test_salvage():
    table = used(["", ""], "salvage 2", discards="B C C S")
    assert table.legal == {"name B", "name C"}
    table.do("name C")
    assert (table.hand(0), table.discards) == ("C", "B C S")
    assert table.legal == {"name C", "name S"}
    table.do("name S")
    assert (table.hand(0), table.discards) == ("C S", "B C")


@pytest.mark.rule("F9", "F10b")
@pytest.mark.parametrize(("number", "discards"), [(2, "P S"), (3, "P S"), (9, "P S"), (1, "S S")])
def test_salvage_without_a_choice_asks_nothing(number, discards):
    table = used(["B", ""], f"salvage {number}", discards=discards)
    assert table.moving == 1
    assert table.hand(0) == ("B S" if number == 1 else "B P S")


@pytest.mark.rule("F27a", "F27")
def test_salvage_and_draws_meet_no_mix_card():
    """The two discarded just before lie on their own stack."""
    table = used(["BC", ""], "discard 1, salvage 2", fruits="", discards="B", mixes="")
    assert (table.hand(0), table.mixes) == ("B", "BC")
    table = used(["BC PS", ""], "discard 2, draw 3", fruits="G", mixes="")
    assert (table.hand(0), table.mixes) == ("G", "BC PS")
    table = used(["BC", ""], "discard 1, market 3", fruits="G", mixes="")
    assert (table.hand(0), table.mixes) == ("G", "BC")
    table = used(["BC", ""], "discard 1, gamble 3", fruits="G", mixes="")
    assert (table.hand(0), table.mixes) == ("G", "BC")


@pytest.mark.rule("F9", "F10b")
def test_refresh_discards_any_number_in_order_and_draws_as_many_and_n_more():
    table = used(["B C G PS", ""], "refresh 2", fruits="S " * 9)
    assert table.legal == {"B", "C", "G", "PS", "stop"}
    assert table.do("C").legal == {"G", "PS", "stop"}
    assert table.hand(0) == "B G PS"
    table.do("PS")  # nothing can follow but to stop
    assert (table.hand(0), table.discards, table.moving) == ("B G S S S S", "C", 1)


@pytest.mark.rule("F9")
def test_refresh_shows_how_many_were_discarded_so_far():
    """That, and the number of the step, are what stopping draws."""
    table = used(["B C G PS", ""], "refresh 2", fruits="S " * 9)
    for discarded, card in enumerate(["B", "G", None]):
        for seat in (0, 1):
            assert table.sees(seat, "left") == [discarded]
            assert table.sees(seat, "number") == [2]
        if card:
            table.do(card)


def test_refresh_of_none():
    assert used(["B C", ""], "refresh 2", "stop", fruits="S S S").hand(0) == "B C S S"


@pytest.mark.rule("F9")
@pytest.mark.parametrize("hand", ["", "B", "B B C"])
def test_refresh_of_the_whole_hand_and_of_an_empty_one(hand):
    table = used([hand, ""], "refresh 1", fruits="S " * 9)
    for card in hand.split():
        assert table.legal >= {card, "stop"}
        table.do(card)
    if table.seat == 0:
        table.do("stop")
    assert table.hand(0).split() == ["S"] * (len(hand.split()) + 1)


@pytest.mark.rule("F9")
def test_refresh_asks_no_more_when_nothing_may_follow():
    """After the last card of the order only stopping is left, which asks nothing."""
    table = used(["B C", ""], "refresh 1", "C", fruits="S S S")
    assert (table.hand(0), table.moving) == ("B S S", 1)


# --- mix, tokens, thief ----------------------------------------------------------------------------------------------


@pytest.mark.rule("F9", "F27")
def test_mix():
    table = used(["B", ""], "mix 2", mixes="BC CG GP")
    assert table.sizes == [3, 0]
    assert len(table.mixes.split()) == 1
    assert used(["B", ""], "mix 3", mixes="BC PS").hands == ["B BC PS", ""]


@pytest.mark.rule("F27")
def test_the_mix_stack_has_no_order():
    """Each of four cards in a quarter of the draws: 300 +- 15 of 1200."""
    found = outcomes(Table(["", ""], {1: "mix 1"}, mixes="BC BG CP PS"), "#1", 1200)
    assert set(found) == {(card, "") for card in ("BC", "BG", "CP", "PS")}
    assert all(abs(number - 300) < 75 for number in found.values())


@pytest.mark.rule("F24", "F26")
def test_fruit_token_names_one_that_is_not_held():
    table = used(["", "", ""], "fruit_token", tokens={0: "B G", 1: "C"})
    assert table.legal == {"name C", "name P", "name S"}
    table.do("name P")
    assert [table.tokens(seat) for seat in range(3)] == ["B G P", "C", ""]


@pytest.mark.rule("F24", "F26")
def test_fruit_token_of_another_player_is_taken_from_them():
    table = used(["", "", ""], "fruit_token", "name C", tokens={0: "B", 1: "C", 2: "S"})
    assert [table.tokens(seat) for seat in range(3)] == ["B C", "", "S"]


@pytest.mark.rule("F24")
def test_the_last_fruit_token_is_not_asked_for():
    table = used(["", ""], "fruit_token", tokens={0: "B C G P", 1: "S"})
    assert (table.tokens(0), table.tokens(1), table.moving) == ("B C G P S", "", 1)


@pytest.mark.rule("F25", "F26")
@pytest.mark.parametrize("kind", ["wild", "turn"])
def test_a_token_comes_from_the_supply_while_one_is_there(kind):
    table = used(["", "", ""], f"{kind}_token", tokens={1: kind, 0: kind}, extra=True)
    assert [table.tokens(seat) for seat in range(3)] == [f"{kind} {kind}", kind, ""]


@pytest.mark.rule("F26")
@pytest.mark.parametrize("kind", ["wild", "turn"])
def test_with_none_in_the_supply_a_token_is_taken_from_a_player_of_choice(kind):
    tokens = {0: kind, 1: kind, 3: kind}
    table = used(["", "", "", ""], f"{kind}_token", tokens=tokens, extra=True)
    assert table.legal == {"seat 1", "seat 3"}
    table.do("seat 3")
    assert [table.tokens(seat) for seat in range(4)] == [f"{kind} {kind}", kind, "", ""]


@pytest.mark.rule("F26")
@pytest.mark.parametrize("kind", ["wild", "turn"])
def test_the_only_other_holder_is_not_asked_for(kind):
    table = used(["", "", ""], f"{kind}_token", tokens={0: f"{kind} {kind}", 2: kind}, extra=True)
    assert [table.tokens(seat) for seat in range(3)] == [" ".join([kind] * 3), "", ""]


@pytest.mark.rule("F26")
@pytest.mark.parametrize(
    ("step", "own"),
    [("fruit_token", "B C G P S"), ("wild_token", "wild wild wild"), ("turn_token", "turn turn turn")],
)
def test_who_holds_all_takes_nothing_and_the_action_goes_on(step, own):
    table = used(["", ""], f"{step}, draw 1", tokens={0: own}, fruits="G", extra=True)
    assert (table.tokens(0), table.hand(0), table.moving) == (own, "G", 1)


@pytest.mark.rule("F9", "F28")
def test_the_thief_is_placed_before_the_steps_that_follow():
    table = used(["", ""], "thief, draw 1", fruits="G")
    assert table.hand(0) == ""
    assert table.do("#1").thief == (1, 0)
    assert table.hand(0) == "G"


# --- copy ------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("F9")
def test_copy_uses_the_action_of_a_location_without_copy():
    """The animal stays; the copier's own steps follow. Who stands at the other location is no host."""
    actions = {1: "copy, draw 1", 2: "draw 4", 3: "draw 1, copy"}
    table = Table(["", "C"], actions, stacks={1: 4, 2: 4, 3: 4, 5: 1}, animals={1: 2}, fruits="G " * 9).do("#1")
    assert table.legal == {"#2", "#5"}
    table.do("#2")
    assert (table.sizes, table.animals, table.moving) == ([5, 1], [1, 2], 1)


@pytest.mark.rule("F9")
def test_the_only_location_to_copy_is_not_asked_for():
    table = Table(["", ""], {1: "copy", 2: "draw 4"}, stacks={1: 4, 2: 4}, fruits="G " * 9).do("#1")
    assert table.sizes[0] == 4


@pytest.mark.rule("F9", "F9a")
def test_a_copied_action_is_judged_anew_with_a_draw_of_its_own():
    """The copier's other steps are taken all the same."""
    actions = {1: "draw 2, copy, all_draw 1", 2: "cost B 1, draw 5"}
    table = Table(["C", ""], actions, stacks={1: 4, 2: 4}, fruits="G " * 9).do("#1")
    assert table.sizes == [4, 1]
    table = Table(["B", ""], actions, stacks={1: 4, 2: 4}, fruits="G " * 9).do("#1")
    assert table.sizes == [7, 1]


@pytest.mark.rule("F9a")
def test_what_copying_has_drawn_counts_when_the_copied_action_is_judged():
    actions = {1: "draw 1, copy", 2: "cost G 1, draw 5"}
    table = Table(["", ""], actions, stacks={1: 4, 2: 4}, fruits="G " * 9).do("#1")
    assert table.sizes == [5, 0]


@pytest.mark.rule("F9")
def test_a_copied_action_can_ask():
    actions = {1: "copy, draw 1", 2: "gamble 5"}
    table = Table(["", ""], actions, stacks={1: 4, 2: 4}, fruits="G G G").do("#1", "stop")
    assert table.hand(0) == "G G"


# --- order -----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("F9", "F11")
def test_order_buys_from_anywhere_for_n_stars_more():
    prices = {1: "B", 2: "C", 3: "G", 4: "BBB", 5: "P"}
    table = Table(["B C C", ""], {1: "order 1"}, prices).do("#1", "use")
    assert table.legal == {"#1", "#2"}
    table.do("#2", "B")
    assert (table.hand(0), table.discards, table.juices) == ("C", "B C", [1, 0])
    assert table.stacks == {1: 4, 2: 3, 3: 4, 4: 4, 5: 4, 6: 4, 7: 1}
    assert (table.animals, table.moving) == ([1, None], 1)


@pytest.mark.rule("F9", "F11")
def test_order_of_the_own_juice_and_more_stars():
    table = Table(["B C C G", ""], {1: "order 2"}, {1: "B"}).do("#1", "use")
    assert (table.hand(0), table.legal) == ("C G", {"C", "G"})  # the banana and a coconut are in all choices
    table.do("G")
    assert (table.hand(0), table.juices, table.stacks[1]) == ("C", [1, 0], 3)


@pytest.mark.rule("F9", "F9a")
def test_order_without_the_stars_is_not_affordable():
    table = Table(["B", ""], {1: "order 1"}, {2: "B"}, fruits="G").do("#1")
    assert (table.hand(0), table.juices) == ("B G", [0, 0])


@pytest.mark.rule("F24", "F25")
def test_tokens_pay_an_order():
    table = Table(["", ""], {1: "order 1"}, {2: "B"}, tokens={0: "B wild"}).do("#1")
    assert (table.tokens(0), table.juices) == ("", [1, 0])


@pytest.mark.rule("F12", "F13")
def test_an_order_can_sell_out_a_stack_under_others_and_under_oneself():
    stacks = {1: 4, 2: 1, 3: 4}
    table = Table(["B C", ""], {1: "order 1"}, {2: "B"}, stacks=stacks, drawn=26, animals={1: 2}, thief=(2, 1))
    table.do("#1")
    assert table.stacks == {1: 4, 3: 4, 7: 1}
    assert (table.animals, table.thief) == ([1, None], (None, 1))
    table = Table(["B C", ""], {1: "order 1, draw 1"}, {1: "B"}, stacks={1: 1, 2: 4, 3: 4}, fruits="G")
    table.do("#1", "use")
    assert table.animals == [None, None]
    assert table.hand(0) == "G"  # its other steps go on


@pytest.mark.rule("F9")
def test_a_copied_order_buys_too():
    table = Table(["B C", ""], {1: "copy", 2: "order 1"}, {3: "B"}, stacks={1: 4, 2: 4, 3: 1}).do("#1", "#2")
    assert table.juices == [1, 0]


@pytest.mark.rule("F9")
def test_these_are_all_the_steps_that_there_are():
    """Those of the rules, each of which has tests here or in ``test_rules_players.py``."""
    assert set(STEPS) == {
        *("draw", "all_draw", "discard", "gift", "gift_each", "gamble", "trade", "swap", "swap_hands", "steal"),
        *("steal_each", "ask", "each_gives", "pass", "cost", "salvage", "market", "refresh", "fill", "missing"),
        *("per_juice", "catch_up", "fruit_token", "wild_token", "turn_token", "mix", "thief", "copy", "order"),
    }
