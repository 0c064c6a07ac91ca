"""Fable rule by rule, what pays a price: fruits, mix cards, tokens, and the extra turn of a double-turn token.

Written from the rules document's words, not from the kernels.
"""

from __future__ import annotations

from typing import Any

import pytest

from tests.fable.table import FIRST_SIX, Table, used


def buying(price: str, hand: str, *texts: str, tokens: str = "", **situation: Any) -> Table:
    """Return a game in which the mover buys at location 1."""
    return Table([hand, ""], None, {1: price}, tokens={0: tokens}, **situation).do("#1", "buy", *texts)


def can_buy(price: str, hand: str, tokens: str = "") -> bool:
    table = Table([hand, ""], None, {1: price}, tokens={0: tokens}, fruits="").do("#1")
    assert table.seat == (0 if table.record["pending_size"] else 1)
    return table.seat == 0 and table.legal == {"use", "buy"}


# --- buying (F11, F12) -----------------------------------------------------------------------------------------------


@pytest.mark.rule("F11", "F12")
def test_a_purchase_discards_the_price_and_takes_the_top_card():
    table = buying("GGG*", "B G G G", discards="S")
    assert (table.hand(0), table.discards, table.juices) == ("", "B G G G S", [1, 0])
    assert table.stacks == {**FIRST_SIX, 1: 3, 7: 1}
    assert (int(table.record["drawn"]), table.animals, table.moving) == (25, [1, None], 1)


@pytest.mark.rule("F11")
def test_a_star_is_paid_with_any_fruit_of_the_buyers_choice():
    table = buying("GGG*", "B C G G G S")
    assert table.legal == {"B", "C", "G"}
    table.do("C")
    assert (table.hand(0), table.discards) == ("B S", "C G G G")


@pytest.mark.rule("F11")
def test_without_a_choice_nothing_is_asked():
    table = buying("BC", "B B C C S")
    assert (table.hand(0), table.juices, table.moving) == ("B C S", [1, 0], 1)


@pytest.mark.rule("F12")
def test_the_next_card_is_laid_on_its_stack_or_starts_a_new_one():
    assert buying("B", "B", stacks={1: 4, 7: 2, 8: 1}, drawn=26).stacks == {1: 3, 7: 3, 8: 1}
    assert buying("B", "B", stacks={1: 4, 7: 2}, drawn=28).stacks == {1: 3, 7: 2, 8: 1}
    assert buying("B", "B", stacks={1: 4, 8: 2}, drawn=27).stacks == {1: 3, 7: 1, 8: 2}


@pytest.mark.rule("F12")
def test_with_an_empty_location_stack_nothing_is_turned_up():
    table = buying("B", "B", stacks={1: 4, 59: 2}, drawn=240)
    assert table.stacks == {1: 3, 59: 2}
    assert int(table.record["drawn"]) == 240


@pytest.mark.rule("F12")
def test_an_action_turns_no_location_up():
    table = used(["B", ""], "draw 1")
    assert (table.stacks, int(table.record["drawn"])) == (FIRST_SIX, 24)


# --- what can pay (F11a) ---------------------------------------------------------------------------------------------


@pytest.mark.rule("F11", "F11a", "F27", "F24", "F25")
@pytest.mark.parametrize(
    ("price", "hand", "tokens", "enough"),
    [
        # fruits
        ("BB", "B B", "", True),
        ("BB", "B", "", False),
        ("BB", "B C C C", "", False),
        ("BBC", "B B C", "", True),
        ("BBC", "B C C", "", False),
        # stars
        ("**", "B S", "", True),
        ("**", "B", "", False),
        ("B*", "C C C", "", False),
        ("BC**", "B C G G", "", True),
        ("BC**", "B B B B", "", False),
        ("BC**", "B C B", "", False),
        # mixes: either type, one sign each
        ("BB", "B BC", "", True),
        ("BB", "BC BG", "", True),
        ("BC", "BC", "", False),
        ("BC", "BC B", "", True),
        ("BC", "BC C", "", True),
        ("BC", "BC G", "", False),
        ("BBCC", "B BC BG CG", "", True),
        ("BBCC", "B B BG CG", "", False),
        ("BBCC", "BG BP CG CP", "", True),
        ("BC*", "BC CG PS", "", True),
        ("BCG", "BC BG CG", "", True),
        ("BBG", "BC CG CP", "", False),
        # equal ones
        ("=3", "C C C", "", True),
        ("=3", "B B C C G", "", False),
        ("=3", "B BC BG", "", True),
        ("=3", "BC BG CG", "", False),
        ("=3", "BC BG BP", "", True),
        ("=3 *", "C C C", "", False),
        ("=3 *", "C C C C", "", True),
        ("=3 *", "C C C S", "", True),
        ("=3 *", "C C BC B", "", True),
        ("=3 *", "C C B B", "", False),
        ("=4", "S S PS", "", False),
        ("=4", "S S PS GS", "", True),
        # different ones
        ("≠3", "B C G", "", True),
        ("≠3", "B B C C", "", False),
        ("≠3", "B BC BG", "", True),
        ("≠3", "B C BC", "", False),
        ("≠3", "BC BG CG", "", True),
        ("≠4", "BC BG CG B", "", False),
        ("≠4", "BC BG CG PS", "", True),
        ("≠3 *", "B C G", "", False),
        ("≠3 *", "B C G G", "", True),
        ("≠3 *", "B B C C", "", False),
        # with fruits besides
        ("=2 B", "B B B", "", True),
        ("=2 B", "B C C", "", True),
        ("=2 B", "C C C", "", False),
        ("=2 B", "B B C", "", False),
        ("≠2 B", "B B C", "", True),
        ("≠2 B", "B B B", "", False),
        ("≠2 B", "C G BC", "", True),
        # tokens
        ("BB", "B", "B", True),
        ("BB", "B", "C", False),
        ("B*", "B", "C", True),
        ("BC", "", "B C", True),
        ("=3", "G G", "G", True),
        ("≠4", "B C G", "P", True),
        ("≠4", "B C G", "G", False),
        ("BB", "B", "wild", True),
        ("BB", "", "wild wild", True),
        ("=4", "S S", "wild wild", True),
        ("≠4", "S S", "wild wild", False),
        ("≠4", "S P", "wild wild", True),
        ("≠4", "PS P", "wild wild", True),
        ("****", "", "wild wild B C", True),
        ("BB", "B", "turn turn", False),
    ],
)
def test_what_can_pay_a_price(price, hand, tokens, enough):
    assert can_buy(price, hand, tokens) == enough


@pytest.mark.rule("F11a")
@pytest.mark.parametrize(
    ("cost", "hand", "enough"),
    [
        ("same 3", "B BC BG", True),
        ("same 3", "BC BG CG", False),
        ("any 3", "B BC PS", True),
        ("any 3", "B BC", False),
        ("C 2", "BC CG", True),
        ("C 2", "BC GP C", True),
        ("C 2", "BG GP C", False),
    ],
)
def test_what_can_pay_a_cost(cost, hand, enough):
    """The action then draws four, and without it one."""
    table = Table([hand, ""], {1: f"cost {cost}, draw 4"}, fruits="S " * 9).do("#1")
    while table.record["pending_size"]:
        table.do(min(table.legal))
    paid = int(cost[-1])
    assert table.sizes[0] == (len(hand.split()) - paid + 4 if enough else len(hand.split()) + 1)


@pytest.mark.rule("F11a")
def test_a_payment_has_exactly_as_many_items_as_signs():
    """A wild token or a mix card does not come on top."""
    table = buying("BC", "B C BC S", "B", "C", tokens="wild")
    assert (table.hand(0), table.tokens(0), table.juices) == ("S BC", "wild", [1, 0])


@pytest.mark.rule("F11a", "F10b")
def test_a_mix_card_may_pay_where_a_fruit_could():
    """Of B C BC any two pay B and C; they are named in order."""
    table = buying("BC", "B C BC")
    assert table.legal == {"B", "C"}
    assert table.do("C").hand(0) == "B"
    table = buying("BC", "B C BC", "B")
    assert table.legal == {"C", "BC"}
    assert table.do("BC").hand(0) == "C"


@pytest.mark.rule("F11a", "F10b")
def test_only_what_can_be_completed_is_offered():
    """A banana comes first in any case, and the grape last."""
    table = buying("BG*", "B B C G")
    assert (table.discards, table.legal) == ("B", {"B", "C"})
    assert table.do("B").hand(0) == "C"


@pytest.mark.rule("F11a")
def test_chosen_items_that_can_stand_for_nothing_else_never_exceed_signs_and_stars():
    """Two bananas would be one too many: there is no star."""
    table = buying("BCG", "B B C BG CG")
    assert table.legal == {"B", "C"}
    assert table.do("B").legal == {"C", "BG"}
    assert buying("BC*", "B B C BG CG", "B").legal == {"B", "C", "BG"}


@pytest.mark.rule("F11a", "F10b")
def test_equal_signs_bind_to_the_type_chosen():
    table = buying("=3", "B B C C BC")
    assert table.legal == {"B", "C"}
    assert table.do("B").hand(0) == "C C"
    assert buying("=3", "B B C C BC", "C").hand(0) == "B B"


@pytest.mark.rule("F11a", "F10b")
def test_equal_signs_and_a_star_leave_the_type_open_until_it_shows():
    """The banana that is paid in any case is the star of three coconuts, or the first of three bananas."""
    table = buying("=3 *", "B B B C C C")
    assert (table.discards, table.legal) == ("B", {"B", "C"})
    table.do("C")
    assert (table.hand(0), table.juices, table.discards) == ("B B", [1, 0], "B C C C")
    table = buying("=3 *", "B B B C C C", "B")
    assert (table.hand(0), table.juices, table.discards) == ("C C", [1, 0], "B B B C")


@pytest.mark.rule("F11a", "F10b")
def test_different_signs_take_each_type_once():
    table = buying("≠3", "B B C G P")
    assert table.legal == {"B", "C"}
    table.do("B")
    assert table.legal == {"C", "G"}
    assert table.do("G").hand(0) == "B C"


@pytest.mark.rule("F11a", "F10b")
def test_fruits_before_mixes_before_tokens_before_wild():
    table = buying("BB", "B BC", tokens="B wild")
    assert table.legal == {"B", "BC", "B token"}
    assert table.do("BC").legal == {"B token", "wild"}
    table.do("wild")
    assert (table.hand(0), table.tokens(0), table.discards) == ("B", "B", "")
    table = buying("BB", "B BC", "B token", tokens="B wild")
    assert (table.hand(0), table.tokens(0)) == ("B BC", "")


@pytest.mark.rule("F10b", "F11")
def test_each_item_is_paid_as_it_is_chosen():
    table = buying("**", "B C G", "B", tokens="C")
    assert (table.hand(0), table.discards, table.juices) == ("C G", "B", [0, 0])
    assert table.sees(1, "paid") == [1, *[0] * 20]


# --- tokens (F24, F25) -----------------------------------------------------------------------------------------------


@pytest.mark.rule("F24")
def test_a_fruit_token_pays_one_fruit_of_its_type_and_returns_to_the_supply():
    table = buying("BC", "C", tokens="B")
    assert (table.hand(0), table.tokens(0), table.discards) == ("", "", "C")
    assert int(table.record["token_owner"][0]) == -1


@pytest.mark.rule("F24")
def test_several_tokens_may_pay_at_once():
    table = buying("BCG*", "", tokens="B C G wild")
    assert (table.tokens(0), table.juices, table.discards) == ("", [1, 0], "")


@pytest.mark.rule("F24")
def test_a_fruit_token_pays_a_star_too_and_need_not_pay():
    table = buying("**", "B C", tokens="S")
    assert table.legal == {"B", "C"}
    assert table.do("B").legal == {"C", "S token"}
    table.do("C")
    assert table.tokens(0) == "S"


@pytest.mark.rule("F24")
def test_another_players_token_pays_nothing():
    table = Table(["B", ""], None, {1: "BB"}, tokens={1: "B wild"}, fruits="").do("#1")
    assert (table.moving, table.juices) == (1, [0, 0])


@pytest.mark.rule("F24", "F7", "F10a")
def test_a_token_is_no_fruit_in_hand():
    """It is not counted, stolen, asked for, discarded or given."""
    assert used(["", ""], "fill 1", tokens={0: "B wild"}, fruits="G").hand(0) == "G"
    table = used(["", ""], "steal 2, ask 1, swap 1", tokens={1: "B wild"})
    assert (table.hands, table.tokens(1)) == (["", ""], "B wild")
    table = used(["B", ""], "discard 2", tokens={0: "B wild"})
    assert (table.hand(0), table.tokens(0)) == ("", "B wild")


@pytest.mark.rule("F25")
def test_a_wild_token_pays_any_one_fruit_and_returns_to_the_supply():
    table = buying("GG", "G", tokens="wild wild")
    assert table.legal == {"G", "wild"}
    table.do("G")
    assert (table.hand(0), table.tokens(0)) == ("", "wild")
    table = buying("GG", "G", "wild", tokens="wild wild")
    assert (table.hand(0), table.tokens(0)) == ("G", "")


# --- the extra turn (F25) --------------------------------------------------------------------------------------------


@pytest.mark.rule("F25")
def test_a_double_turn_token_gives_another_turn_at_once():
    table = Table(["", "", ""], tokens={0: "turn"}).do("#1")
    assert (table.seat, table.legal) == (0, {"stop", "spend"})
    table.do("spend")
    assert (table.moving, table.tokens(0), table.turn) == (0, "", 0)
    assert "#1" not in table.legal
    table.do("#2")
    assert (table.moving, table.turn) == (1, 1)


@pytest.mark.rule("F25")
def test_a_double_turn_token_can_be_kept():
    table = Table(["", ""], tokens={0: "turn"}).do("#1", "stop")
    assert (table.moving, table.tokens(0)) == (1, "turn")


@pytest.mark.rule("F25")
def test_no_extra_turn_follows_an_extra_turn():
    table = Table(["", ""], tokens={0: "turn turn"}).do("#1", "spend", "#2")
    assert (table.moving, table.tokens(0)) == (1, "turn")
    table.do("#1", "#3")  # in the next turn it can be spent
    assert (table.seat, table.legal) == (0, {"stop", "spend"})


@pytest.mark.rule("F25")
def test_a_token_taken_in_the_turn_will_do():
    table = used(["", ""], "turn_token")
    assert (table.seat, table.legal) == (0, {"stop", "spend"})


@pytest.mark.rule("F25")
def test_a_token_taken_in_an_extra_turn_is_kept():
    table = used(["", ""], "turn_token", extra=True)
    assert (table.moving, table.tokens(0)) == (1, "turn")


@pytest.mark.rule("F25", "F8")
def test_an_extra_turn_follows_a_purchase_too():
    table = buying("B", "B", tokens="turn")
    assert table.legal == {"stop", "spend"}
    table.do("spend")
    assert (table.moving, table.juices) == (0, [1, 0])


@pytest.mark.rule("F25")
def test_who_has_no_token_is_not_asked():
    assert Table(["", ""], tokens={1: "turn"}).do("#1").moving == 1


# --- mix cards (F27) -------------------------------------------------------------------------------------------------


@pytest.mark.rule("F27")
def test_a_mix_card_paid_goes_back_to_the_mix_stack():
    table = buying("BG", "BC G", mixes="PS")
    assert (table.hand(0), table.discards, table.mixes) == ("", "G", "BC PS")


@pytest.mark.rule("F27")
def test_a_mix_card_is_given_swapped_stolen_and_counted_like_any_fruit():
    assert used(["PS", ""], "gift 1").hands == ["", "PS"]
    assert used(["", "PS"], "steal 1").hands == ["PS", ""]
    assert used(["B", "PS"], "swap 1", "PS").hands == ["B", "PS"]
    assert used(["B", "PS"], "pass").hands == ["PS", "B"]
    assert used(["BC PS", ""], "fill 3", fruits="G G").sizes == [3, 0]
