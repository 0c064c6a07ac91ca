"""Fable rule by rule, components and setup: what is on the table before the first move.

Written from the rules document's words, not from the kernels.
"""

from __future__ import annotations

import numpy as np
import pytest

from fable_env import GAME
from fable_env.words import action_words, price_signs
from tablezoo import Batch
from tablezoo.errors import ContentError
from tests.fable.table import CARDS, FIRST_SIX, NOBODY, NOWHERE, Table, content_set, plain, turn_of

PLAYERS = [2, 3, 4, 5]


# --- components ------------------------------------------------------------------------------------------------------


@pytest.mark.rule("F1")
@pytest.mark.parametrize("players", PLAYERS)
def test_two_to_five_players_take_turns_clockwise(players):
    starter = players - 1
    table = Table(players, mover=starter, starter=starter)
    order = []
    for _ in range(players + 1):
        order.append(table.moving)
        turn_of(table)
    assert order == [(starter + i) % players for i in range(players + 1)]


@pytest.mark.rule("F1")
@pytest.mark.parametrize("players", [1, 6])
def test_other_player_counts_are_refused(players):
    with pytest.raises(ValueError, match="Fable takes 2 to 5"):
        Batch(GAME, num_players=players)


@pytest.mark.rule("F2", "F12")
@pytest.mark.parametrize(
    ("drawn", "next_location"),
    [(24, 7), (27, 7), (28, 8), (100, 26), (227, 57), (228, 58), (231, 58), (232, 59), (236, 59), (239, 59)],
)
def test_the_location_stack_runs_from_the_first_location_to_the_last(drawn, next_location):
    table = Table(["B", "C"], None, {1: "B"}, drawn=drawn).do("#1", "buy")
    expected = {**FIRST_SIX, 1: 3}
    expected[next_location] = expected.get(next_location, 0) + 1
    assert table.stacks == expected


@pytest.mark.rule("F2", "F12")
@pytest.mark.parametrize(("number", "drawn", "cards"), [(7, 24, 4), (58, 228, 4), (59, 232, 8)])
def test_four_cards_of_each_location_and_eight_of_the_last(number, drawn, cards):
    """Bought one after the other, each for a banana, so many cards of a location turn up in a row."""
    table = Table(["B " * 6, "B " * 6], None, dict.fromkeys(range(1, 60), "B"), drawn=drawn)
    rows = []
    for number_bought in range(cards):
        table.do("#1" if number_bought % 4 < 2 else "#2", "buy")
        rows.append(table.stacks.get(number, 0))
        table.record["animal"] = NOWHERE
        table.batch.refresh()
    assert rows == list(range(1, cards + 1))
    assert int(table.record["drawn"]) == drawn + cards
    assert (drawn + cards == 240) == (number == 59)


@pytest.mark.rule("F2")
@pytest.mark.parametrize("missing", [0, 30, 58])
def test_a_set_with_a_location_too_few_is_refused(missing):
    document = plain()
    del document["locations"][missing]
    with pytest.raises(ContentError, match="59 locations"):
        content_set(document)


@pytest.mark.rule("F2")
def test_all_see_the_next_location_and_how_many_cards_of_it_are_left():
    actions = {8: "draw 7"}
    for seat in (0, 1):
        table = Table(2, actions, drawn=29)
        seen = table.sees(seat, "next")
        of_its_kind = table.batch.contents[0].record[0]["features"][7].view(np.uint8).tolist()
        assert [a - b for a, b in zip(seen, of_its_kind, strict=True) if a != b] == [3]
        assert table.sees(seat, "location_stack") == [211]


@pytest.mark.rule("F2")
@pytest.mark.parametrize(
    ("number", "action", "price"),
    [(1, "draw 2", "PPP*"), (2, "trade B 2", None), (3, "draw 1, then swap 3", "GGG*")],
)
def test_what_is_known_of_the_published_locations(number, action, price):
    assert GAME.content is not None
    own = GAME.content.load(None).record[0]
    assert action_words(own, number - 1) == action
    assert price in (None, price_signs(own, number - 1))


@pytest.mark.rule("F3", "F5")
@pytest.mark.parametrize("players", PLAYERS)
def test_twelve_fruits_of_each_of_five_types(players):
    record = Batch(GAME, num_players=players, seed=3).states[0]
    assert (record["hand"][:, :5].sum(0) + record["fruit_stack"]).tolist() == [12] * 5
    assert not record["hand"][:, 5:].any()
    assert not record["discards"].any()


@pytest.mark.rule("F4")
def test_one_mix_card_for_each_pair_of_fruits():
    table = Table(["", ""], {1: "mix 9"}, mixes=None).do("#1")
    first = set(table.hand(0).split())
    assert len(first) == 9
    assert first | set(table.mixes.split()) == {"BC", "BG", "BP", "BS", "CG", "CP", "CS", "GP", "GS", "PS"}


@pytest.mark.rule("F4", "F5", "F20")
@pytest.mark.parametrize("players", PLAYERS)
def test_tokens_mixes_and_thief_lie_in_the_supply(players):
    record = Batch(GAME, num_players=players, seed=4).states[0]
    assert record["mix_stack"].tolist() == [1] * 10
    assert record["token_owner"].tolist() == [NOBODY] * 5
    assert not record["wild_tokens"].any()
    assert not record["turn_tokens"].any()
    assert (record["thief"], record["thief_owner"]) == (NOWHERE, NOBODY)


@pytest.mark.rule("F4")
def test_a_token_of_each_fruit():
    table = Table(["", ""], {1: "fruit_token"}).do("#1")
    assert table.legal == {"name B", "name C", "name G", "name P", "name S"}


@pytest.mark.rule("F4", "F26")
@pytest.mark.parametrize("kind", ["wild", "turn"])
def test_three_tokens_that_all_take_from_the_supply(kind):
    """With two of three elsewhere the third still comes from the supply; a fourth there is not."""
    table = Table(["", "", ""], {1: f"{kind}_token"}, tokens={1: kind, 2: kind}).do("#1")
    assert [table.tokens(seat) for seat in range(3)] == [kind] * 3
    table = Table(["", "", ""], {1: f"{kind}_token"}, tokens={1: f"{kind} {kind}", 2: kind}).do("#1")
    assert table.legal == {"seat 1", "seat 2"}


# --- setup -----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("F5")
@pytest.mark.parametrize("players", PLAYERS)
def test_a_first_game_has_the_first_six_locations_two_fruits_each_and_no_animal_anywhere(players):
    record = Batch(GAME, num_players=players, seed=5).states[0]
    assert record["cards"].tolist() == [4] * 6 + [0] * 53
    assert record["drawn"] == 24
    assert record["hand_size"].tolist() == [2] * players + [0] * (5 - players)
    assert record["fruit_stack"].sum() == 60 - 2 * players
    assert (record["animal"] == NOWHERE).all()
    assert not record["juices"].any()
    assert (record["mover"], record["seat"], record["turn"]) == (record["starter"], record["starter"], 0)


@pytest.mark.rule("F5")
@pytest.mark.parametrize("players", PLAYERS)
def test_the_start_seat_is_drawn_from_the_seed_and_moves_first(players):
    batch = Batch(GAME, 60, num_players=players, seed=6)
    assert (batch.states["starter"] == batch.seat).all()
    assert set(batch.seat.tolist()) == set(range(players))
    assert (batch.seat == Batch(GAME, 60, num_players=players, seed=6).seat).all()


@pytest.mark.rule("F5")
@pytest.mark.parametrize("starter", [0, 2])
def test_the_start_seat_can_be_fixed(starter):
    assert set(Batch(GAME, 20, num_players=3, seed=7, start_seat=starter).seat.tolist()) == {starter}


@pytest.mark.rule("F5")
def test_fruits_are_dealt_from_the_start_seat_on():
    """The same seed deals the same cards, so another start seat turns the hands round."""
    deals = [
        Batch(GAME, num_players=4, seed=8, start_seat=starter).states[0]["hand"][:4].tolist() for starter in range(4)
    ]
    for starter, hands in enumerate(deals):
        assert hands[starter:] + hands[:starter] == deals[0]


@pytest.mark.rule("F5", "F14")
def test_the_fruits_are_shuffled():
    """8000 fruits dealt: 1600 of each type are expected, give or take 36."""
    dealt = Batch(GAME, 2000, num_players=2, seed=9).states["hand"].sum((0, 1))
    assert dealt[5:].sum() == 0
    assert dealt[:5].sum() == 8000
    assert (abs(dealt[:5].astype(int) - 1600) < 180).all()


@pytest.mark.rule("F5", "F6")
def test_animals_start_beside_the_board_and_may_go_anywhere():
    table = Table(3)
    assert table.animals == [None] * 3
    assert table.legal == {f"#{number}" for number in range(1, 7)}


def test_cards_of_these_tests_are_in_the_order_of_the_rules():
    assert CARDS[:5] == list("BCGPS")
    assert CARDS[5:] == sorted(CARDS[5:])
