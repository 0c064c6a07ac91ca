"""Stable Times rule by rule: each test sets a situation up and checks what the rules document says of it.

Written from the document's words, not from the kernels.
"""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import numpy as np
import pytest

import stabletimes_env
from stabletimes_env import GAME
from tablezoo import Batch, OptionValueError
from tablezoo.content_table import text_of
from tablezoo.errors import ContentError
from tablezoo.gym import SeatEnv, SeatVectorEnv
from tablezoo.testing.case import RandomPlay
from tests.stabletimes.table import (
    DISCARD,
    EMPTY,
    NAMES,
    PLACE,
    PLACE_AGAIN,
    RULES,
    RULES_FILE,
    STALLS,
    SWAP,
    Table,
    board,
    content_set,
    flat,
    numbers,
    plain,
    played,
    scorer_of,
    scores,
    wish,
)

PLAYERS = [1, 2, 3, 4, 5]
HANDS = ["a1 b1 c1", "a2 b2 c2", "a3 b3 c3", "a4 b4 c4", "a5 b5 c5"]

#: A hand of Ebony finds no room in it.
NO_ROOM = "a10 | b10 | c10 | d10"
THREE_COMPLETE = "a10 a11 a12 | b10 b11 b12 | c10 c11"


def same_set(text: str, other: str) -> bool:
    return sorted(text.split()) == sorted(other.split())


def skip_turn(table: Table) -> Table:
    """Play the turn of the seat asked: no swap, one horse placed, no discard."""
    turn = table.turn
    while not table.over and table.turn == turn:
        table.do("stop" if "stop" in table.legal else min(table.legal))
    return table


def standing(stables: list[str], **situation: Any) -> Table:
    """A game that is cut as it stands: an empty hand cannot be placed (S13a), so the only turn changes no stable."""
    table = Table([""] * len(stables), stables=dict(enumerate(stables)), fields=[""] * 3, max_turns=1, **situation)
    table.do("stop")
    assert table.cut
    return table


# --- components ------------------------------------------------------------------------------------------------------


@pytest.mark.rule("S1", "S7")
@pytest.mark.parametrize("players", PLAYERS)
def test_one_to_five_players_take_turns_clockwise(players):
    starter = players - 1
    table = Table(players, mover=starter, starter=starter)
    order = []
    for _ in range(players + 1):
        order.append(table.seat)
        skip_turn(table)
    assert order == [(starter + i) % players for i in range(players + 1)]


@pytest.mark.rule("S1")
@pytest.mark.parametrize("players", [0, 6])
def test_other_player_counts_are_refused(players):
    with pytest.raises(ValueError, match="Stable Times takes 1 to 5"):
        Batch(GAME, num_players=players)


@pytest.mark.rule("S2", "S7")
@pytest.mark.parametrize("players", PLAYERS)
def test_sixty_nine_horses_are_in_the_game(players):
    record = Batch(GAME, num_players=players, seed=3).states[0]
    fields = 3 if players > 1 else 2
    size = 69 - 3 * players - fields
    assert record["deck_size"] == size
    lying = [*record["deck"][:size], *record["hand"][:players].ravel(), *record["field"][:fields, 0]]
    assert sorted(map(int, lying)) == list(range(69))
    assert (record["hand"][players:] == EMPTY).all()
    assert (record["stall"] == EMPTY).all()
    assert not record["pile"].any()


@pytest.mark.rule("S2")
@pytest.mark.parametrize("document", [None, RULES], ids=["own", "rules"])
def test_twelve_of_each_type_and_nine_wild(document):
    assert GAME.content is not None
    record = (GAME.content.load(None) if document is None else content_set(document)).record[0]
    assert np.bincount(record["type"]).tolist() == [12, 12, 12, 12, 12, 9]


@pytest.mark.rule("S2", "S4")
@pytest.mark.parametrize("key", ["horses", "boards"])
def test_a_set_with_a_horse_or_a_board_too_few_is_refused(key):
    document = deepcopy(RULES)
    del document[key][0]
    with pytest.raises(ContentError, match=key):
        content_set(document)


@pytest.mark.rule("S3")
def test_the_own_hand_shows_type_discipline_and_preference():
    table = Table(["a12 c10 w9", "a2 b2 c2"], document=RULES)
    assert table.sees(0, "hand") == table.features("a12", "c10", "w9")
    assert table.sees(1, "hand") == table.features("a2", "b2", "c2")


@pytest.mark.rule("S3")
def test_no_two_horses_have_one_name():
    document = deepcopy(RULES)
    document["horses"][5]["name"] = "a1"
    with pytest.raises(ContentError, match="a1"):
        content_set(document)


@pytest.mark.rule("S4")
def test_boards_have_a_type_a_condition_and_two_sides():
    table = Table(2, document=RULES, boards=["Rivals", "Preferred"])
    rows = table.batch.contents[0].record[0]["board_features"].view(np.uint8).tolist()
    assert table.sees(0, "boards")[:2] == [rows[4], rows[2]]
    assert table.sees(1, "boards")[:2] == [rows[2], rows[4]]


@pytest.mark.rule("S4")
@pytest.mark.parametrize(
    "fault",
    [
        {"upgraded": {"condition": "aisle_types", "points": 9}},
        {"upgraded": {"condition": "complete_aisles", "points": 2}},
        {"upgraded": None},
    ],
    ids=["another condition", "fewer points", "no upgraded side"],
)
def test_sides_of_a_board_that_do_not_fit_are_refused(fault):
    document = deepcopy(RULES)
    document["boards"][0].update(fault)
    document["boards"][0] = {key: value for key, value in document["boards"][0].items() if value is not None}
    with pytest.raises(ContentError, match="upgraded"):
        content_set(document)


@pytest.mark.rule("S4", "S30")
def test_suncourt_villa_counts_opponents():
    with pytest.raises(OptionValueError, match="Suncourt Villa"):
        Batch(GAME, num_players=1, boards=["Suncourt Villa"])
    drawn = Batch(GAME, 500, num_players=1, seed=0)
    names = drawn.contents[0].record[0]["board_name"]
    assert "Suncourt Villa" not in {text_of(names[number]) for number in drawn.states["board"][:, 0]}


@pytest.mark.rule("S5")
def test_four_aisles_of_three_stalls_and_three_fields():
    table = Table(2, stables={1: "a10 a11 a12 | b10 | | d10"}, fields=["d1", "e1 d2", ""])
    assert table.sees(1, "stables")[0] == [
        table.features("a10", "a11", "a12"),
        table.features("b10", "", ""),
        table.features("", "", ""),
        table.features("d10", "", ""),
    ]
    assert table.sees(1, "fields")[1][:3] == table.features("d2", "e1", "")
    assert table.sees(1, "field_sizes") == [1, 2, 0]


# --- setup -----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("S6")
@pytest.mark.parametrize("players", [2, 3, 5])
def test_boards_are_drawn_all_different_basic_side_up(players):
    states = Batch(GAME, 1000, num_players=players, seed=0).states
    boards = states["board"]
    assert all(len(set(row[:players])) == players for row in boards.tolist())
    assert (boards[:, players:] == -1).all()
    for seat in range(players):
        counts = np.bincount(boards[:, seat], minlength=5)
        assert ((counts - 200) ** 2 / 200).sum() < 18.47  # chi-square, 4 degrees, 0.1 %
    assert not states["upgraded"].any()
    assert np.array_equal(boards, Batch(GAME, 1000, num_players=players, seed=0).states["board"])


@pytest.mark.rule("S6")
def test_boards_can_be_fixed_by_name_and_by_index():
    states = Batch(GAME, 20, num_players=3, seed=0, content=RULES_FILE, boards=["Sets", 0, "Rivals"]).states
    assert (states["board"][:, :3] == [3, 0, 4]).all()


@pytest.mark.rule("S6")
@pytest.mark.parametrize(
    ("boards", "words"),
    [
        (["Sets", "Sets"], "twice"),
        (["Sets", 3], "twice"),
        (["Sets"], "expected 2"),
        (["Sets", "Kinds", "Rivals"], "expected 2"),
        (["Stes", "Kinds"], "did you mean 'Sets'"),
        ([0, 5], "from 0 to 4"),
        ([0, True], "from 0 to 4"),
        ("Sets", "for each player"),
        (3, "for each player"),
    ],
)
def test_boards_that_cannot_be(boards, words):
    with pytest.raises(OptionValueError, match=words):
        Batch(GAME, num_players=2, content=RULES_FILE, boards=boards)


@pytest.mark.rule("S7")
def test_the_start_seat_is_drawn_from_the_seed_and_acts_first():
    batch = Batch(GAME, 1000, num_players=5, seed=0)
    assert np.array_equal(batch.seat, batch.states["starter"])
    counts = np.bincount(batch.seat, minlength=5)
    assert ((counts - 200) ** 2 / 200).sum() < 18.47
    assert np.array_equal(batch.seat, Batch(GAME, 1000, num_players=5, seed=0).seat)


@pytest.mark.rule("S7")
def test_the_start_seat_can_be_fixed():
    batch = Batch(GAME, 20, num_players=3, seed=0, start_seat=2)
    assert (batch.seat == 2).all()
    assert (batch.states["starter"] == 2).all()


@pytest.mark.rule("S7")
def test_three_horses_each_one_on_each_field_and_every_horse_as_often():
    states = Batch(GAME, 2300, num_players=4, seed=0).states
    assert (states["hand"][:, :4] < EMPTY).all()
    assert (np.diff(states["hand"][:, :4].astype(int), axis=2) > 0).all()
    assert (states["field_size"] == 1).all()
    for horses, each in ((states["hand"][:, 3], 100), (states["field"][:, :, 0], 100)):
        counts = np.bincount(horses.ravel(), minlength=69)
        assert ((counts - each) ** 2 / each).sum() < 110.8  # chi-square, 68 degrees, 0.1 %


@pytest.mark.rule("S7", "S15")
def test_equal_types_on_the_fields_stay_until_the_first_turn_ends():
    batch = Batch(GAME, 1000, seed=0, content=RULES_FILE)
    types = batch.states["field"][:, :, 0] // 12
    alike = (types[:, 0] == types[:, 1]) & (types[:, 1] == types[:, 2]) & (types[:, 0] < 5)
    assert 5 < alike.sum() < 50  # one deal in 48
    assert not batch.states["pile"].any()
    table = Table(2, fields=["d1", "d2", "d3"])
    skip_turn(table)
    assert table.pile == "d1 d2 d3"


# --- swap ------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("S8")
def test_a_swap_puts_any_horse_on_any_field_and_takes_from_another_or_the_deck():
    table = Table(2)
    swaps = {
        f"swap {horse} on {field} for {source}"
        for horse in ("a1", "b1", "c1")
        for field in (1, 2, 3)
        for source in ("deck", 1, 2, 3)
        if source != field
    }
    assert len(swaps) == 27
    assert table.legal == swaps | {"stop"}


@pytest.mark.rule("S8")
@pytest.mark.parametrize(
    ("field", "source", "taken", "fields"),
    [
        (1, 2, "e2", ["d1 a1", "e1", "d2"]),
        (1, 3, "d2", ["d1 a1", "e1 e2", ""]),
        (2, 1, "d1", ["", "e1 e2 a1", "d2"]),
        (2, 3, "d2", ["d1", "e1 e2 a1", ""]),
        (3, 1, "d1", ["", "e1 e2", "d2 a1"]),
        (3, 2, "e2", ["d1", "e1", "d2 a1"]),
    ],
)
def test_a_swap_takes_the_top_horse_of_the_other_field(field, source, taken, fields):
    table = Table(2, fields=["d1", "e1 e2", "d2"]).do(f"swap a1 on {field} for {source}")
    assert same_set(table.hand(0), f"b1 c1 {taken}")
    assert table.fields == fields
    assert (table.phase, table.seat) == (PLACE, 0)


@pytest.mark.rule("S8")
def test_a_swap_may_take_the_deck_s_top():
    table = Table(2, top="w1 w2").do("swap b1 on 3 for deck")
    assert table.hand(0) == "a1 c1 w1"
    assert table.fields == ["d1", "e1", "d2 b1"]
    assert table.deck.startswith("w2 ")


@pytest.mark.rule("S8")
def test_a_swap_is_optional_and_made_once():
    table = Table(2).do("stop")
    assert (table.phase, table.hand(0)) == (PLACE, "a1 b1 c1")
    table = Table(2, top="w1").do("swap b1 on 3 for deck")
    assert not any(words.startswith("swap") for words in table.legal)


@pytest.mark.rule("S8")
def test_a_horse_taken_from_a_field_is_known_to_all():
    table = Table(3).do("swap a1 on 1 for 2")
    assert table.shown(0) == "e1"
    assert table.sees(0, "hand_shown") == [0, 0, 1]
    assert table.sees(1, "shown")[1] == table.features("e1", "", "")
    assert table.sees(2, "shown")[0] == table.features("e1", "", "")


@pytest.mark.rule("S8")
def test_a_horse_taken_from_the_deck_is_not_known():
    table = Table(2, top="e5").do("swap a1 on 1 for deck")
    assert table.shown(0) == ""
    assert not np.any(table.sees(1, "shown"))


@pytest.mark.rule("S8")
def test_a_known_horse_stays_known_while_it_is_in_that_hand():
    table = Table(2, top="a8").do("swap a1 on 1 for 2", "place b1 in 1", "stop", "stop")
    assert table.hand(0) == "a8 c1 e1"
    assert table.shown(0) == "e1"
    assert table.sees(0, "hand_shown") == [0, 0, 1]
    assert table.sees(1, "shown")[0] == table.features("e1", "", "")


@pytest.mark.rule("S8")
@pytest.mark.parametrize(
    "way",
    [
        ("stop", "place e1 in 1", "stop", "stop"),
        ("stop", "place a1 in 1", "place e1 in 2", "stop"),
        ("stop", "place a1 in 1", "stop", "discard e1 on 2", "stop"),
        ("swap e1 on 2 for deck", "place a1 in 1", "stop", "stop"),
    ],
)
def test_what_leaves_the_hand_leaves_nothing_known_in_its_slot(way):
    table = Table(["a1 b1 e1", "a2 b2 c2"], fields=["d1", "c5", "d2"], shown={0: "e1"}, top="e8 e9 e10").do(*way)
    assert table.seat == 1
    assert len(table.hand(0).split()) == 3
    assert table.shown(0) == ""


@pytest.mark.rule("S8")
def test_the_known_horse_s_slot_tells_nothing():
    seen = []
    for hand in ("a1 b1 c1", "a4 c1 e5", "c1 d8 w9"):
        table = Table([hand, "a2 b2 c2"], shown={0: "c1"})
        assert table.shown(0) == "c1"
        seen.append(table.batch.observe(1)[0])
    assert np.array_equal(seen[0], seen[1])
    assert np.array_equal(seen[0], seen[2])


@pytest.mark.rule("S8", "S16")
def test_deals_imagined_keep_the_known_horse_and_mix_the_rest():
    table = Table(2, shown={0: "b1"}, pile="w1 w2 w3")
    copies = table.batch.determinize(1, 0, np.zeros(200, int)).states
    hidden = {*table.deck.split(), "a1", "c1"}
    for record in copies:
        hand = [NAMES[horse] for horse in record["hand"][0]]
        assert "b1" in hand
        assert [NAMES[horse] for horse in record["hand"][0][record["shown"][0] == 1]] == ["b1"]
        assert hidden.issuperset(set(hand) - {"b1"})
        assert hand == sorted(hand, key=NAMES.index)
    assert len({tuple(record["hand"][0]) for record in copies}) > 150
    assert (copies["hand"][:, 1] == table.record["hand"][1]).all()
    assert (copies["pile"] == table.record["pile"]).all()


@pytest.mark.rule("S8a")
def test_the_field_put_on_may_be_empty_and_the_one_taken_from_not():
    table = Table(2, fields=["", "e1", ""])
    deck = {f"swap {horse} on {field} for deck" for horse in ("a1", "b1", "c1") for field in (1, 2, 3)}
    fields = {f"swap {horse} on {field} for 2" for horse in ("a1", "b1", "c1") for field in (1, 3)}
    assert table.legal == deck | fields | {"stop"}
    table.do("swap a1 on 3 for 2")
    assert table.fields == ["", "", "a1"]


@pytest.mark.rule("S8a")
def test_a_field_whose_only_horse_was_taken_stays_empty_until_the_turn_ends():
    table = Table(2, top="w1 w2 w3").do("swap a1 on 1 for 2")
    assert table.fields == ["d1 a1", "", "d2"]
    table.do("place b1 in 1", "place c1 in 2")
    assert table.fields == ["d1 a1", "", "d2"]
    table.do("stop")
    assert same_set(table.hand(0), "e1 w1 w2")
    assert table.fields == ["d1 a1", "w3", "d2"]


@pytest.mark.rule("S8a", "S16")
def test_an_empty_deck_can_be_named_while_the_pile_has_a_horse():
    table = Table(2, deck="", pile="w5")
    assert "swap a1 on 1 for deck" in table.legal
    table.do("swap a1 on 1 for deck")
    assert table.hand(0) == "b1 c1 w5"
    assert (table.deck, table.pile) == ("", "")


@pytest.mark.rule("S8a")
def test_an_empty_deck_and_pile_cannot_be_named():
    table = Table(2, fields=["d1", "", ""], deck="", pile="")
    assert table.legal == {f"swap {horse} on {field} for 1" for horse in ("a1", "b1", "c1") for field in (2, 3)} | {
        "stop"
    }


@pytest.mark.rule("S8a")
def test_where_nothing_can_be_taken_there_is_no_swap():
    assert Table(2, fields=["", "", ""], deck="", pile="").legal == {"stop"}


# --- place -----------------------------------------------------------------------------------------------------------


def places(*horses: str, aisles: tuple[int, ...] = (1, 2, 3, 4)) -> set[str]:
    return {f"place {horse} in {aisle}" for horse in horses for aisle in aisles}


@pytest.mark.rule("S9")
def test_the_first_placement_is_compulsory():
    table = Table(2).do("stop")
    assert table.phase == PLACE
    assert table.legal == places("a1", "b1", "c1")


@pytest.mark.rule("S9")
def test_the_second_is_optional_and_in_another_aisle():
    table = Table(2).do("stop", "place b1 in 2")
    assert table.phase == PLACE_AGAIN
    assert table.legal == places("a1", "c1", aisles=(1, 3, 4)) | {"stop"}
    assert table.sees(1, "first_aisle") == [0, 1, 0, 0]
    table.do("stop")
    assert table.phase == DISCARD


@pytest.mark.rule("S9")
def test_two_horses_are_placed_at_most():
    table = Table(2).do("stop", "place b1 in 2", "place a1 in 4")
    assert (table.phase, table.seat) == (DISCARD, 0)
    assert table.stable(0) == ["", "b1", "", "a1"]
    assert table.hand(0) == "c1"


@pytest.mark.rule("S9")
def test_two_of_one_type_go_to_two_aisles():
    table = Table(["a1 a4 a7", "a2 b2 c2"], stables={0: "a10 | b10 | c10"}, phase=PLACE).do("place a1 in 1")
    assert table.legal == {"place a4 in 4", "place a7 in 4", "stop"}


@pytest.mark.rule("S9")
def test_where_no_second_fits_none_is_asked_for():
    table = Table(["a1 a4 e1", "a2 b2 c2"], fields=["d1", "d2", "e2"], stables={0: NO_ROOM}, phase=PLACE)
    assert table.legal == {"place a1 in 1", "place a4 in 1"}
    table.do("place a1 in 1")
    assert table.phase == DISCARD


@pytest.mark.rule("S9")
def test_the_second_is_judged_with_the_first_in_place():
    table = Table(2, phase=PLACE).do("place a1 in 1")
    assert table.stable(0) == ["a1", "", "", ""]
    assert table.sees(0, "stables")[0][0] == table.features("a1", "", "")
    assert table.sees(0, "hand") == table.features("b1", "c1", "")


@pytest.mark.rule("S10")
def test_an_aisle_fills_from_the_top_and_holds_three():
    table = Table(["a1 a2 a3", "b1 b2 b3"], phase=PLACE, top="a4 b8 a5 b9 a6")
    for horse in ("a3", "a1", "a2"):
        table.do(f"place {horse} in 2", "stop", "stop", "stop")  # own turn up to its end, and no swap of seat 1
        table.do(min(table.legal), "stop", "stop", "stop")
    assert table.stable(0) == ["", "a3 a1 a2", "", ""]
    assert table.legal == places("a4", "a5", "a6", aisles=(1, 3, 4))


@pytest.mark.rule("S10")
def test_an_aisle_holds_one_type_and_a_type_any_number_of_aisles():
    table = Table(["a1 b1 c1", "a2 b2 c2"], stables={0: "a10 a11 a12 | b10 | a7 | c10"}, phase=PLACE)
    assert table.legal == {"place a1 in 3", "place b1 in 2", "place c1 in 4"}
    table = Table(["a1 b1 c1", "a2 b2 c2"], stables={0: "a10 | a11 | a12"}, phase=PLACE)
    assert table.legal == places("a1") | places("b1", "c1", aisles=(4,))


@pytest.mark.rule("S11")
def test_a_wild_horse_goes_wherever_there_is_room():
    table = Table(
        ["e1 w1", "a2 b2 c2"], fields=["d1", "d2", "c1"], stables={0: "a10 a11 a12 | b10 w2 | w3"}, phase=PLACE
    )
    assert table.legal == places("w1", aisles=(2, 3, 4)) | places("e1", aisles=(3, 4))


@pytest.mark.rule("S11")
def test_wild_horses_alone_have_no_type_until_a_typed_one_joins():
    table = Table(["b1 w2", "a2 b2 c2"], stables={0: "w1"}, phase=PLACE)
    assert table.sees(1, "aisle_types")[1][0] == [0, 0, 0, 0, 0]
    table.do("place w2 in 1")
    assert table.sees(1, "aisle_types")[1][0] == [0, 0, 0, 0, 0]
    table = Table(["b1 b4", "a2 b2 c2"], stables={0: "w1 w2"}, phase=PLACE).do("place b1 in 1")
    assert table.sees(1, "aisle_types")[1][0] == [0, 1, 0, 0, 0]


@pytest.mark.rule("S11")
def test_an_aisle_a_wild_horse_started_takes_the_type_of_the_first_that_joins():
    table = Table(["a1 b1", "a2 b2 c2"], stables={0: "w1 b10"}, phase=PLACE)
    assert table.legal == places("a1", aisles=(2, 3, 4)) | places("b1")


@pytest.mark.rule("S11", "S19")
def test_three_wild_horses_are_complete_and_of_no_type():
    complete, preferred, types = (
        board(words, 3, 3) for words in ("complete_aisles", "preferred_horses", "aisle_types")
    )
    document = plain(boards=[complete, preferred, types])
    assert scores(["w7 w8 w9"], document, boards=[0]) == [3]
    assert scores(["w7 w8 w9"], document, boards=[1]) == [0]
    assert scores(["w7 w8 w9"], document, boards=[2]) == [0]


@pytest.mark.rule("S12")
def test_a_horse_placed_stays():
    batch = Batch(GAME, 20, num_players=3, seed=0, autoreset=False)
    play = RandomPlay(batch, 0)
    while (batch.seat >= 0).any():
        before = batch.states["stall"].copy()
        batch.step(play.actions())
        placed = before != EMPTY
        assert (batch.states["stall"][placed] == before[placed]).all()


# --- a hand that cannot be placed ------------------------------------------------------------------------------------


@pytest.mark.rule("S13")
def test_a_hand_that_cannot_be_placed_goes_to_the_pile_and_the_turn_ends():
    table = Table(["e1 e2 e3", *HANDS[1:3]], fields=["d1", "b8", "d2"], stables={0: NO_ROOM}, top="w1 w2 w3 w4")
    table.do("stop")
    assert table.seat == 1
    assert (table.turn, table.phase) == (1, SWAP)
    assert table.hand(0) == "w1 w2 w3"
    assert table.pile == "e1 e2 e3"
    assert table.fields == ["d1", "b8", "d2"]
    assert table.stable(0) == ["a10", "b10", "c10", "d10"]
    assert table.deck.startswith("w4 ")


@pytest.mark.rule("S13")
def test_a_hand_is_judged_after_the_swap():
    stuck = {"fields": ["d1", "b8", "d2"], "stables": {0: NO_ROOM}}
    table = Table(["e1 e2 e3", "a2 b2 c2"], **stuck)
    assert "stop" in table.legal
    assert len(table.legal) == 28
    table.do("swap e1 on 1 for 2")
    assert table.seat == 0
    assert table.stable(0) == ["a10", "b10 b8", "c10", "d10"]  # its one place
    assert table.hand(0) == "e2 e3"
    table = Table(["d8 e2 e3", "a2 b2 c2"], **{**stuck, "fields": ["d1", "e8", "c8"]}, top="w1 w2 w3")
    table.do("swap d8 on 1 for 2")
    assert table.seat == 1
    assert table.pile == "e2 e3 e8"
    assert table.hand(0) == "w1 w2 w3"
    assert table.fields[0] == "d1 d8"


@pytest.mark.rule("S13")
def test_one_horse_that_can_be_placed_is_enough():
    table = Table(["a1 e2 e3", "a2 b2 c2"], fields=["d1", "b8", "d2"], stables={0: NO_ROOM}).do("stop")
    assert (table.seat, table.phase) == (0, DISCARD)
    assert table.stable(0)[0] == "a10 a1"


@pytest.mark.rule("S13", "S15")
def test_the_pasture_is_still_seen_to():
    table = Table(
        ["e1 e2 e3", "a2 b2 c2"], fields=["d1 e4", "d2", ""], stables={0: NO_ROOM}, top="w1 w2 w3 d3 a5 b5 c5"
    )
    table.do("stop")
    assert table.hand(0) == "w1 w2 w3"
    assert table.pile == "d1 d2 d3 e1 e2 e3 e4"
    assert table.fields == ["a5", "b5", "c5"]


@pytest.mark.rule("S13", "S8")
def test_nothing_is_known_of_a_hand_drawn_anew():
    table = Table(["e1 e2 e3", "a2 b2 c2"], fields=["d1", "b8", "d2"], stables={0: NO_ROOM}, shown={0: "e2"}).do("stop")
    assert table.shown(0) == ""
    assert not np.any(table.sees(1, "shown"))


@pytest.mark.rule("S13a")
def test_an_empty_hand_cannot_be_placed():
    table = Table(["", "a2 b2 c2"], top="w1 w2 w3")
    assert table.legal == {"stop"}
    table.do("stop")
    assert table.hand(0) == "w1 w2 w3"
    assert table.pile == ""
    assert table.stable(0) == [""] * 4
    assert (table.seat, table.turn) == (1, 1)


@pytest.mark.rule("S13a", "S16")
def test_the_horses_just_discarded_are_among_those_shuffled():
    table = Table(["e1 e2 e3", "a2 b2 c2"], fields=["d1", "b8", "d2"], stables={0: NO_ROOM}, deck="w1", pile="w2 w3")
    table.do("stop")
    assert same_set(f"{table.hand(0)} {table.deck}", "w1 w2 w3 e1 e2 e3")
    assert len(table.hand(0).split()) == 3
    assert "w1" in table.hand(0)
    assert table.pile == ""


# --- discard ---------------------------------------------------------------------------------------------------------


@pytest.mark.rule("S14")
def test_any_horses_left_go_on_any_fields_one_at_a_time():
    table = Table(2).do("stop", "place a1 in 1", "stop")
    assert table.phase == DISCARD
    assert table.legal == {f"discard {horse} on {field}" for horse in ("b1", "c1") for field in (1, 2, 3)} | {"stop"}
    table.do("discard c1 on 3")
    assert table.fields == ["d1", "e1", "d2 c1"]
    assert table.legal == {f"discard b1 on {field}" for field in (1, 2, 3)} | {"stop"}


@pytest.mark.rule("S14")
def test_a_field_may_be_chosen_again_and_an_empty_hand_is_not_asked():
    table = Table(2, top="w1 w2 w3").do("stop", "place a1 in 1", "stop", "discard c1 on 3", "discard b1 on 3")
    assert table.fields == ["d1", "e1", "d2 c1 b1"]
    assert table.seat == 1
    assert table.hand(0) == "w1 w2 w3"


@pytest.mark.rule("S14")
def test_discarding_is_optional():
    table = Table(2, top="w1").do("stop", "place a1 in 1", "stop", "stop")
    assert table.seat == 1
    assert table.hand(0) == "b1 c1 w1"
    assert table.fields == ["d1", "e1", "d2"]


@pytest.mark.rule("S14", "S15")
def test_an_empty_field_may_be_chosen_and_then_gets_no_horse():
    table = Table(2, fields=["", "e1", ""], phase=DISCARD, first_aisle=1, top="w1 w2 w3")
    table.do("discard b1 on 3", "stop")
    assert table.hand(0) == "a1 c1 w1"
    assert table.fields == ["w2", "e1", "b1"]


# --- replenish -------------------------------------------------------------------------------------------------------


@pytest.mark.rule("S15")
def test_the_hand_comes_first_then_empty_fields_in_their_order():
    table = Table(2, fields=["", "e1", ""], top="w1 w2 w3 w4 w5")
    table.do("stop", "place a1 in 1", "place b1 in 2", "stop")
    assert table.hand(0) == "c1 w1 w2"
    assert table.fields == ["w3", "e1", "w4"]
    assert table.deck.startswith("w5 ")


@pytest.mark.rule("S15")
@pytest.mark.parametrize(
    "fields",
    [
        ["d1", "d2", "d3"],
        ["d1 e1", "d2", "d3 c9"],
        ["d1 d2 e1", "e2", "d3"],
        ["d1 d2 d3", "e1", "e2"],
        ["d1 d2 w1", "d3 d4 w2", "e1"],
    ],
)
def test_three_of_a_type_anywhere_clear_all_fields(fields):
    table = skip_turn(Table(2, fields=fields, top="w4 a8 b8 c8"))
    assert same_set(table.pile, " ".join(fields))
    assert table.fields == ["a8", "b8", "c8"]
    assert "w4" in table.hand(0)


@pytest.mark.rule("S15")
@pytest.mark.parametrize(
    "fields", [["w1", "w2", "w3"], ["d1 w1", "d2 w2", "w3"], ["d1 d2 e1 e2", "c8 c9 b8 b9", "a8 a9"]]
)
def test_wild_horses_are_of_no_type_and_two_of_a_type_stay(fields):
    table = skip_turn(Table(2, fields=fields, top="w4"))
    assert table.fields == fields
    assert table.pile == ""


@pytest.mark.rule("S15")
def test_the_horse_of_an_empty_field_counts():
    table = skip_turn(Table(2, fields=["d1", "", "d2"], top="w4 d3 a8 b8 c8"))
    assert table.pile == "d1 d2 d3"
    assert table.fields == ["a8", "b8", "c8"]


@pytest.mark.rule("S15")
def test_the_new_horses_are_not_looked_at_again():
    table = skip_turn(Table(2, fields=["d1", "d2", "d3"], top="w4 e8 e9 e10"))
    assert table.fields == ["e8", "e9", "e10"]
    assert table.pile == "d1 d2 d3"
    skip_turn(table)
    assert table.pile == "d1 d2 d3 e8 e9 e10"


@pytest.mark.rule("S15")
def test_the_fields_are_looked_at_when_the_turn_ends():
    table = Table(["b1 c1 d3", "a2 b2 c2"]).do("swap d3 on 2 for deck")
    assert table.fields == ["d1", "e1 d3", "d2"]
    skip_turn(table)
    assert table.pile == "d1 d2 d3 e1"


@pytest.mark.rule("S15", "S14")
def test_horses_discarded_on_the_fields_count():
    table = Table(["b1 d3 d4", "a2 b2 c2"], fields=["d1", "e1", "c8"], phase=DISCARD, first_aisle=1)
    table.do("discard d3 on 1", "discard d4 on 2", "stop")
    assert table.pile == "c8 d1 d3 d4 e1"


# --- deck and pile ---------------------------------------------------------------------------------------------------


@pytest.mark.rule("S16")
def test_a_deck_that_runs_out_is_not_shuffled_before_a_horse_is_to_be_drawn():
    table = skip_turn(Table(2, deck="w1", pile="w2 w3 w4"))
    assert "w1" in table.hand(0)
    assert (table.deck, table.pile) == ("", "w2 w3 w4")
    assert table.seat == 1
    assert not table.triggered


@pytest.mark.rule("S16")
def test_the_pile_is_shuffled_into_the_deck_when_a_horse_is_to_be_drawn():
    table = Table(2, deck="w1", pile="w2 w3 w4 w5").do("stop", "place a1 in 1", "place b1 in 2", "stop")
    drawn = set(table.hand(0).split()) - {"c1", "w1"}
    assert len(drawn) == 1
    assert same_set(f"{table.deck} {' '.join(drawn)}", "w2 w3 w4 w5")
    assert table.pile == ""


@pytest.mark.rule("S16")
def test_what_is_shuffled_is_what_lies_there_at_that_moment():
    """The hand takes the deck's last horse; then the fields are cleared, and get horses of those just cleared."""
    table = skip_turn(Table(2, fields=["d1 e1", "d2", "d3"], deck="w1", pile="w2"))
    assert "w1" in table.hand(0)
    assert same_set(f"{' '.join(table.fields)} {table.deck}", "d1 d2 d3 e1 w2")
    assert table.pile == ""


@pytest.mark.rule("S16")
def test_what_cannot_be_drawn_is_not_drawn():
    table = skip_turn(Table(3, fields=["d1", "", ""], deck="w1", pile=""))
    assert same_set(table.hand(0), "b1 c1 w1")
    assert table.fields == ["d1", "", ""]
    skip_turn(table)
    assert len(table.hand(1).split()) == 2
    assert table.fields == ["d1", "", ""]


@pytest.mark.rule("S16")
def test_the_next_fields_in_order_stay_short():
    table = skip_turn(Table(3, fields=["", "d1", ""], deck="w1 w2", pile=""))
    assert table.fields == ["w2", "d1", ""]


@pytest.mark.rule("S16", "S15")
def test_a_short_hand_and_a_short_field_are_filled_at_their_next_replenishing():
    table = Table(["a1", "a2 b2 c2"], fields=["d1", "", "e1"], top="w1 w2 w3 w4", phase=PLACE).do("place a1 in 1")
    assert table.hand(0) == "w1 w2 w3"
    assert table.fields == ["d1", "w4", "e1"]


@pytest.mark.rule("S16")
def test_shuffles_are_uniform():
    table = Table(["a1 b1", "a2 b2 c2"], deck="", phase=PLACE)
    lying = numbers(table.pile)
    batch = table.batch.clone(np.zeros(3000, int))
    batch.states["rng"] = Batch(GAME, 3000, seed=9).states["rng"]
    for _ in range(3):
        batch.step(np.argmax(batch.action_mask, axis=1) if batch.states["phase"][0] == PLACE else np.full(3000, 48))
    assert (batch.seat == 1).all()
    size = int(batch.states["deck_size"][0])
    for cell in (0, size - 1):
        counts = np.bincount(batch.states["deck"][:, cell], minlength=69)
        expected = 3000 / len(lying)
        assert counts[lying].sum() == 3000
        chi = ((counts[lying] - expected) ** 2 / expected).sum()
        degrees = len(lying) - 1
        assert chi < degrees + 4 * np.sqrt(2 * degrees)


@pytest.mark.rule("S16")
def test_all_know_what_lies_on_the_pile():
    table = Table(3, pile="a4 a5 w1 w7 a10 d12", document=RULES)
    for seat in range(3):
        rail, block, flag, none = np.array(table.sees(seat, "pile")).T.tolist()
        assert rail == [2, 0, 0, 0, 0, 1]
        assert block == [1, 0, 0, 0, 0, 0]
        assert flag == [0, 0, 0, 1, 0, 0]
        assert none == [0, 0, 0, 0, 0, 1]
        assert table.sees(seat, "pile_preferences") == [4, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0]


@pytest.mark.rule("S17")
def test_covered_horses_are_seen_by_all_in_their_order():
    table = Table(3, fields=["d1 e1 a6", "d2", "b6 w1 c6 w2 a7 b7 c7 w3"], document=RULES)
    for seat in range(3):
        fields = table.sees(seat, "fields")
        assert fields[0] == table.features("a6", "e1", "d1", "", "", "")
        assert fields[2] == table.features("w3", "c7", "b7", "a7", "w2", "c6")
        assert table.sees(seat, "field_types") == [[1, 0, 0, 1, 1, 0], [0, 0, 0, 1, 0, 0], [1, 2, 2, 0, 0, 3]]
        assert table.sees(seat, "field_sizes") == [3, 1, 8]


# --- the upgrade -----------------------------------------------------------------------------------------------------


def placing(stable: str, horse: str, aisle: int = 1, **situation: Any) -> Table:
    """Seat 0, whose board prefers Ash, has placed a horse, with two more in hand."""
    fields = ["d1", "e1", "d2"]
    table = Table([f"{horse} e9 w8", "a10 b10 c10"], stables={0: stable}, fields=fields, phase=PLACE, **situation)
    return table.do(f"place {horse} in {aisle}")


@pytest.mark.rule("S18")
@pytest.mark.parametrize(
    ("stable", "horse", "aisle"),
    [
        ("a1 a2 | b1 b2 b3", "a3", 1),
        ("a1 w2 | b1 b2 b3", "a3", 1),
        ("w1 w2 | b1 b2 b3", "a3", 1),
        ("a1 a2 | b1 b2 b3", "w3", 1),
        ("a1 a2 a3 | b1 b2", "b3", 2),  # the disciplines come last, anywhere
        ("a1 a2 a3 | b1 | c2", "w3", 4),
        ("a1 a2 a3 | a4 a5", "a6", 2),
        ("b1 b2 b3 | | | a1 a2", "a3", 4),
        ("a1 a2 w7 | b1 b2 b3", "c3", 3),
    ],
)
def test_a_board_is_flipped_at_once_and_unasked(stable, horse, aisle):
    table = placing(stable, horse, aisle)
    assert (table.seat, table.phase) == (0, PLACE_AGAIN)
    assert table.upgraded == [1, 0]
    assert table.sees(1, "upgraded")[:2] == [0, 1]


@pytest.mark.rule("S18")
@pytest.mark.parametrize(
    ("stable", "horse", "aisle"),
    [
        ("a1 a2 | b1 b2", "a3", 1),  # one flag
        ("a1 a2 | b1 b2 b3", "w7", 1),  # one flag: w7 has no discipline
        ("a1 | b1 b2 b3 | c2 c3", "a4", 1),  # no complete aisle of Ash
        ("a1 | a2 a3 | b1 b2 b3", "a4", 1),  # Ash, but not in one aisle
        ("w1 w2 | b1 b2 b3", "w3", 1),  # of no type
        ("b1 b2 | c1 c2 c3", "b3", 1),  # of another type
    ],
)
def test_what_flips_no_board(stable, horse, aisle):
    assert placing(stable, horse, aisle).upgraded == [0, 0]


@pytest.mark.rule("S18")
def test_the_second_placement_flips_too():
    table = Table(["a3 b3 e9", "a10 b10 c10"], stables={0: "a1 a2 | b1 b2"}, phase=PLACE)
    assert table.do("place a3 in 1").upgraded == [0, 0]
    assert table.do("place b3 in 2").upgraded == [1, 0]


@pytest.mark.rule("S18")
def test_a_board_flips_for_its_own_seat_alone():
    """The board of seat 1 prefers Bay."""
    stables = {0: "a1 a2 | c1 c2 c3", 1: "b1 b2 | c4 c5 c6"}
    table = Table(["a3 e9", "b3 e8"], stables=stables, mover=1, starter=1, phase=PLACE, fields=["d1", "e1", "d2"])
    assert table.do("place b3 in 1").upgraded == [0, 1]


@pytest.mark.rule("S18", "S20")
def test_a_flipped_board_scores_its_upgraded_side_at_once():
    document = plain(boards=[board("complete_aisles", 3, 5)])
    table = placing("a1 a2 | b1 b2 b3", "a3", document=document)
    assert table.points == table.own_points == [2 * 5 + 2 * 5, 0]
    table = placing("a1 a2 | b1 b2 b4", "a3", document=document)
    assert table.points == table.own_points == [2 * 3 + 5, 0]


@pytest.mark.rule("S18")
def test_a_board_is_never_flipped_back():
    table = Table(2, upgraded={0})
    for _ in range(6):
        skip_turn(table)
        assert table.upgraded == [1, 0]


# --- the end ---------------------------------------------------------------------------------------------------------


@pytest.mark.rule("S19")
@pytest.mark.parametrize("last", ["c12", "w1"])
def test_three_complete_aisles_bring_the_end_on_and_the_round_is_finished(last):
    hands = [f"{last} d9", *HANDS[1:3]]
    table = Table(hands, stables={0: THREE_COMPLETE}, phase=PLACE)
    table.do(f"place {last} in 3")
    assert not table.triggered  # the turn is played on
    table.do("stop", "stop")
    assert table.triggered
    assert table.sees(1, "triggered") == [1]
    assert table.seat == 1
    skip_turn(table)
    assert table.seat == 2
    skip_turn(table)
    assert table.ended
    assert not table.cut
    assert table.turn == 3


@pytest.mark.rule("S19")
@pytest.mark.parametrize(
    ("stable", "horse", "aisle", "triggered"),
    [
        ("a10 a11 a12 | b10 b11 | c10 c11", "c12", 3, False),
        ("a10 a11 | b10 b11 b12 | c10 c11 c12 | d10", "d11", 4, False),
        ("a10 a11 | b10 b11 b12 | w1 w2 w3", "a12", 1, True),
        ("a10 a11 a12 | a7 a8 a9 | a4 | a5 a6", "w1", 4, True),
        ("a10 a11 a12 | b10 b11 b12 | c10 c11 c12 | d10 d11", "d12", 4, True),
    ],
)
def test_how_many_aisles_are_complete(stable, horse, aisle, triggered):
    table = Table([horse, "a1 b1 c1"], stables={0: stable}, fields=["d1", "e1", "d2"], phase=PLACE)
    table.do(f"place {horse} in {aisle}")
    assert table.triggered is triggered


@pytest.mark.rule("S19", "S16")
@pytest.mark.parametrize("players", PLAYERS)
def test_an_empty_deck_and_pile_bring_the_end_on(players):
    table = skip_turn(Table(players, deck="w1", pile=""))
    for _ in range(players - 1):
        assert table.triggered
        assert not table.over
        skip_turn(table)
    assert table.ended
    assert table.turn == players


@pytest.mark.rule("S19")
def test_five_players_use_up_deck_and_pile():
    stables = {
        0: "a4 a5 a6 | b4 b5 b6 | c4 c5 | d4 d5",
        1: "a7 a8 a9 | b7 b8 b9 | c6 c7 | d6 d7",
        2: "a10 a11 a12 | b10 b11 b12 | c8 | d8",
        3: "e1 e2 e3 | e4 e5 e6 | c10 c11 | d10 d11",
        4: "e7 e8 e9 | e10 e11 e12 | w1 w2 | w3 d9",
    }
    hands = [*HANDS[:3], "d3 w6 w7", "c12 w8 w9"]
    table = Table(hands, stables=stables, fields=["d1 c9", "d2 w4", "w5"], deck="d12", mover=2, starter=2)
    assert table.pile == ""  # all horses are in the game
    skip_turn(table)
    assert table.stable(2)[2] == "c8 c3"
    assert table.triggered
    assert table.seat == 3


@pytest.mark.rule("S19")
@pytest.mark.parametrize(("deck", "pile"), [("w1", "w2"), ("w1 w2", "")])
def test_a_deck_or_a_pile_with_a_horse_brings_nothing_on(deck, pile):
    assert not skip_turn(Table(2, deck=deck, pile=pile)).triggered


@pytest.mark.rule("S19a")
def test_the_turn_that_brings_the_end_on_is_played_in_full():
    table = Table(["c12 d9 e9", *HANDS[1:2]], stables={0: THREE_COMPLETE}, phase=PLACE, top="w1 w2 w3")
    table.do("place c12 in 3")
    assert table.phase == PLACE_AGAIN
    table.do("place d9 in 4")
    assert table.phase == DISCARD
    table.do("discard e9 on 1")
    assert table.hand(0) == "w1 w2 w3"
    assert table.seat == 1


@pytest.mark.rule("S19a")
@pytest.mark.parametrize("starter", [0, 1, 2])
def test_in_the_last_seat_s_turn_the_end_is_at_once(starter):
    mover = (starter + 2) % 3
    hands = list(HANDS[:3])
    hands[mover] = "c12"
    table = Table(hands, stables={mover: THREE_COMPLETE}, mover=mover, starter=starter, phase=PLACE)
    table.do("place c12 in 3")
    assert table.ended
    assert table.turn == 3


@pytest.mark.rule("S19a")
def test_a_round_goes_from_the_start_seat_to_the_one_before_it():
    table = Table(["a1 b1 c1", "c12", "a3 b3 c3"], stables={1: THREE_COMPLETE}, mover=1, starter=2, phase=PLACE)
    assert table.turn == 2
    table.do("place c12 in 3")
    assert table.ended
    table = Table(["a1 b1 c1", "c12", "a3 b3 c3"], stables={1: THREE_COMPLETE}, mover=1, starter=0, phase=PLACE)
    table.do("place c12 in 3")
    assert (table.over, table.seat) == (False, 2)
    assert skip_turn(table).ended


@pytest.mark.rule("S19a", "S16")
def test_fields_cleared_after_a_draw_that_failed_refill_the_pile_and_nothing_is_brought_on():
    table = skip_turn(Table(3, fields=["d1 e1", "d2 e2", "d3 a6"], deck="", pile=""))
    assert len(table.hand(0).split()) == 2
    assert [len(field.split()) for field in table.fields] == [1, 1, 1]
    assert same_set(f"{' '.join(table.fields)} {table.deck}", "d1 d2 d3 e1 e2 a6")
    assert not table.triggered


@pytest.mark.rule("S19a")
def test_the_end_comes_whatever_lies_on_the_pile_later():
    """Seat 0 draws the last horse; in seat 1's turn the fields are cleared, and a new deck is left."""
    hands = ["a1 b1 c1", "d3 e1 e2"]
    stables = {1: "a10 | b10 | c10 | a9"}
    table = Table(hands, fields=["d1", "e4 b8", "d2 e5"], stables=stables, deck="w1", pile="")
    skip_turn(table)
    assert table.triggered
    assert table.seat == 1
    table.do("swap d3 on 1 for 2", "stop")  # b8 goes into its one place
    assert len(table.deck.split()) == 2
    assert table.triggered
    assert table.ended


@pytest.mark.rule("S19a")
def test_both_are_judged_after_the_replenishing():
    """Deck and pile are empty while the turn is played, and not when it ends."""
    table = Table(["e1 e2 e3", "a2 b2 c2"], fields=["d1", "b8", "d2"], stables={0: NO_ROOM}, deck="", pile="")
    table.do("swap e1 on 1 for 2", "stop")  # b8, then in its one place; two Ebonies stay in hand
    assert table.triggered
    table = Table(["e1 e2 e3", "a2 b2 c2"], fields=["d1", "d3", "d2 d4"], stables={0: NO_ROOM}, deck="", pile="")
    table.do("stop")  # the hand goes to the pile and is drawn again; the four Duns refill the pile
    assert not table.triggered
    assert len(table.deck.split()) == 1


# --- score -----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("S20")
@pytest.mark.parametrize(
    ("stable", "score"),
    [
        ("a1 a2 a3", 5),
        ("a1 a2 | b3", 5),
        ("a1 a2 | b1 b2", 0),
        ("a1 a2 a3 | b1 b2", 5),
        ("a1 a2 a3 | b1 b2 b3", 10),
        ("a1 a2 w3", 5),
        ("a1 a2 w7", 0),  # no discipline
        ("w1 w2 w3", 5),
        ("a1 a2 a3 | b1 b2 b3 | c1 c2 c3 | d1 d2 d3", 20),
    ],
)
def test_five_points_for_each_set_of_disciplines(stable, score):
    assert scores([stable]) == [score]


@pytest.mark.rule("S20")
def test_preferences_board_and_sets_are_added_up():
    document = plain({"a1": flat(4), "b2": flat(-3), "w3": flat(2)}, [board("complete_aisles", 3, 7)])
    assert scores(["a1 a2 a3 | b2 w3", "b1"], document) == [4 - 3 + 2 + 3 + 5, 0]


@pytest.mark.rule("S20", "S18")
@pytest.mark.parametrize(("flipped", "points"), [((), 3), ((0,), 7)])
def test_the_side_that_is_up_scores(flipped, points):
    document = plain(boards=[board("complete_aisles", 3, 7)])
    assert scores(["a1 a4 a7", "b1"], document, upgraded=flipped) == [points, 0]


@pytest.mark.rule("S20")
def test_hands_score_nothing():
    document = plain({"a1": flat(4), "b1": flat(20)})
    table = Table(["a1 b1", "a2 b2 c2"], phase=PLACE, document=document, max_turns=1).do(
        "place a1 in 1", "stop", "stop"
    )
    assert "b1" in table.hand(0)
    assert table.scores == [4, 0]


@pytest.mark.rule("S20")
def test_points_so_far_are_seen_by_all():
    document = plain({"a1": flat(4), "b1": flat(-3)})
    table = Table(["c1", "c2", "c3"], stables={0: "a1", 1: "b1"}, phase=PLACE, document=document)
    assert table.sees(1, "points")[:3] == [50 - 3, 50, 50 + 4]


@pytest.mark.rule("S20", "S34", "S35")
@pytest.mark.parametrize("players", PLAYERS)
def test_random_games_score_as_the_scorer_says(players):
    batch = Batch(GAME, 60, num_players=players, seed=players, autoreset=False, content=RULES_FILE)
    play = RandomPlay(batch, 1)
    while (batch.seat >= 0).any():
        batch.step(play.actions())
    for record, got in zip(batch.states, batch.scores.tolist(), strict=True):
        upgraded = record["upgraded"][:players].tolist()
        assert scorer_of(record, RULES).points(upgraded) == got[:players]


@pytest.mark.rule("S21")
@pytest.mark.parametrize(
    ("stables", "ranks"),
    [
        (["a1", "a2", "a3"], [2, 1, 0]),  # 1, 2 and 3 points
        (["a3", "w3", "a2"], [0, 1, 2]),  # 3, 3 (a wild horse), 2
        (["w3", "b3", "a3"], [2, 0, 0]),  # the wild horse loses the tie, the others share
        (["w3 w9", "w6", "b3"], [2, 1, 0]),  # two, one, none
        (["a1", "b1", "a2"], [1, 1, 0]),
        (["a1", "a2", "b2"], [2, 0, 0]),
        (["w3", "w6", "a1"], [0, 0, 2]),  # as many wild horses
    ],
)
def test_ties_go_to_the_fewest_wild_horses_and_then_are_shared(stables, ranks):
    document = plain({f"{kind}{n}": flat(n) for kind in "ab" for n in (1, 2, 3)} | {"w3": flat(3), "w6": flat(3)})
    table = standing(stables, document=document)
    assert table.ranks == ranks
    assert table.batch.winners[0, :3].tolist() == [rank == 0 for rank in ranks]


@pytest.mark.rule("S21")
def test_wild_horses_matter_only_between_equal_scores():
    document = plain({"w1": flat(3), "a1": flat(2)})
    assert standing(["w1 w7 w8", "a1"], document=document).ranks == [0, 1]


@pytest.mark.rule("S21")
def test_wild_horses_in_hand_break_no_tie():
    table = Table(["", "w1 w2 w3"], stables={0: "a1", 1: "b1"}, fields=["", "", ""], max_turns=1).do("stop")
    assert table.ranks == [0, 0]


# --- cut -------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("S22")
@pytest.mark.parametrize("players", PLAYERS)
def test_a_game_is_cut_after_so_many_turns_of_all_seats(players):
    table = Table(players, max_turns=4)
    for turn in range(4):
        assert not table.over
        assert table.turn == turn
        assert table.sees(0, "turns_left") == [4 - turn]
        skip_turn(table)
    assert table.cut
    assert not table.ended
    assert table.turn == 4


@pytest.mark.rule("S22")
def test_a_cut_game_is_scored_as_it_stands():
    document = plain({"a1": flat(4), "b1": flat(-3)})
    table = standing(["a1", "b1"], document=document)
    assert table.scores == [4, -3]
    assert table.batch.rewards[0, :2].tolist() == [1, -1]


@pytest.mark.rule("S22")
def test_the_turn_that_is_the_last_is_played_in_full():
    table = Table(2, max_turns=1, top="w1 w2").do("stop", "place a1 in 1", "place b1 in 2")
    assert not table.over
    table.do("stop")
    assert table.cut
    assert table.hand(0) == "c1 w1 w2"


@pytest.mark.rule("S22")
def test_a_game_that_ends_with_its_last_turn_has_ended():
    table = Table(["a1 b1 c1", "c12"], stables={1: THREE_COMPLETE}, mover=1, phase=PLACE, max_turns=2)
    table.do("place c12 in 3")
    assert table.ended
    assert not table.cut
    table = Table(["c12", "a1 b1 c1"], stables={0: THREE_COMPLETE}, phase=PLACE, max_turns=1)
    table.do("place c12 in 3")
    assert table.cut
    assert not table.ended


@pytest.mark.rule("S22")
@pytest.mark.parametrize("players", PLAYERS)
def test_play_never_meets_the_default(players):
    batch = played(100, players, 0)
    play = RandomPlay(batch, 0)
    while (batch.seat >= 0).any():
        batch.step(play.actions())
    assert (batch.states["max_turns"] == 1000).all()
    assert batch.states["turn"].max() <= 75


@pytest.mark.rule("S22")
def test_one_turn_is_the_least():
    with pytest.raises(OptionValueError, match="from 1"):
        Batch(GAME, seed=0, max_turns=0)


# --- solo ------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("S30", "S6")
def test_boards_that_count_opponents_are_not_drawn_in_solo():
    boards = [
        board("exceeded_opponents", 1, measure="horses"),
        board("aisle_types", 1),
        board("exceeded_opponents", 1, measure="rail"),
    ]
    drawn = Batch(GAME, 600, num_players=1, seed=0, content=content_set(plain(boards=boards))).states["board"]
    assert np.bincount(drawn[:, 0], minlength=5)[[0, 2]].tolist() == [0, 0]
    counts = np.bincount(drawn[:, 0], minlength=5)[[1, 3, 4]]
    assert ((counts - 200) ** 2 / 200).sum() < 13.82  # chi-square, 2 degrees, 0.1 %


@pytest.mark.rule("S30")
def test_a_board_that_counts_opponents_is_refused_in_solo_and_no_other():
    for name in ("Complete", "Kinds", "Preferred", "Sets"):
        assert Batch(GAME, num_players=1, content=RULES_FILE, boards=[name]).seat[0] == 0
    with pytest.raises(OptionValueError, match="Rivals"):
        Batch(GAME, num_players=1, content=RULES_FILE, boards=["Rivals"])
    assert Batch(GAME, num_players=2, content=RULES_FILE, boards=["Rivals", "Sets"]).seat[0] >= 0


@pytest.mark.rule("S31")
def test_two_fields_in_solo():
    record = Batch(GAME, num_players=1, seed=0).states[0]
    assert record["field_size"].tolist() == [1, 1, 0]
    table = Table(1)
    swaps = {
        f"swap {horse} on {pair}"
        for horse in ("a1", "b1", "c1")
        for pair in ("1 for deck", "2 for deck", "1 for 2", "2 for 1")
    }
    assert table.legal == swaps | {"stop"}
    table.do("stop", "place a1 in 1", "stop")
    assert table.legal == {f"discard {horse} on {field}" for horse in ("b1", "c1") for field in (1, 2)} | {"stop"}
    table.do("stop")
    assert table.record["field_size"].tolist() == [1, 1, 0]
    assert table.sees(0, "field_sizes") == [1, 1, 0]


@pytest.mark.rule("S31", "S8")
def test_swaps_between_the_two_fields():
    table = Table(1, top="w1 w2").do("swap a1 on 2 for 1")
    assert same_set(table.hand(0), "b1 c1 d1")
    assert table.fields == ["", "e1 a1"]
    table.do("place b1 in 1", "stop", "stop")
    assert table.fields == ["w2", "e1 a1"]


@pytest.mark.rule("S32")
@pytest.mark.parametrize("fields", [["d1", "d2"], ["d1 e1", "d2 c9"], ["d1 e1 d2", "e2 c9"], ["d1 d2 d3", "w1"]])
def test_two_of_a_type_clear_the_fields_in_solo(fields):
    table = skip_turn(Table(1, fields=fields, top="w4 a8 a9"))
    assert same_set(table.pile, " ".join(fields))
    assert table.fields == ["a8", "a9"]  # not looked at again
    skip_turn(table)
    assert set(table.pile.split()) >= {"a8", "a9"}


@pytest.mark.rule("S32")
@pytest.mark.parametrize("fields", [["d1", "e1"], ["w1", "w2"], ["d1 w1", "w2 e1 c9"]])
def test_what_stays_on_the_fields_in_solo(fields):
    assert skip_turn(Table(1, fields=fields, top="w4")).fields == fields


@pytest.mark.rule("S33", "S19a")
def test_the_turn_that_brings_the_end_on_is_the_last_in_solo():
    table = Table(["c12 d9"], stables={0: THREE_COMPLETE}, phase=PLACE, fields=["d1", "e1"], turn=9)
    table.do("place c12 in 3")
    assert not table.over
    table.do("stop", "stop")
    assert table.ended
    assert table.turn == 10


@pytest.mark.rule("S33")
@pytest.mark.parametrize(
    ("score", "tier"),
    [
        (90, "Master"),
        (52, "Master"),
        (51, "Pro"),
        (42, "Pro"),
        (41, "Amateur"),
        (35, "Amateur"),
        (34, "none"),
        (-5, "none"),
    ],
)
def test_the_tiers_of_a_score(score, tier):
    assert GAME.outcome_of(score, 1) == {"tier": tier}


@pytest.mark.rule("S33")
def test_there_are_no_tiers_with_opponents():
    assert GAME.outcome_of(60, 2) == {}
    env = stabletimes_env.env(num_players=2, max_turns=2)
    play_out(env, 0)
    assert all("tier" not in info for info in env.infos.values())


def tier_of(score: int) -> str:
    return "Master" if score >= 52 else "Pro" if score >= 42 else "Amateur" if score >= 35 else "none"


def play_out(env: Any, seed: int) -> None:
    """Play a PettingZoo environment at random until its game is over."""
    env.reset(seed=seed)
    rng = np.random.default_rng(seed)
    while not any(env.terminations.values()) and not any(env.truncations.values()):
        mask = env.observe(env.agent_selection)["action_mask"]
        env.step(int(rng.choice(np.flatnonzero(mask))))


#: A stable worth 40 or so once three of its aisles are complete: random play from its deal on meets all tiers.
RICH = plain({name: flat(points) for name, points in zip(NAMES, [6, 0, 3, 8, 5] * 14, strict=False)})


@pytest.mark.rule("S33")
def test_info_names_the_tier_in_pettingzoo():
    env = stabletimes_env.env(num_players=1, content=content_set(RICH))
    met = set()
    for seed in range(30):
        play_out(env, seed)
        info = env.infos["player_0"]
        assert info["tier"] == tier_of(info["score"])
        met.add(info["tier"])
    assert len(met) >= 3


@pytest.mark.rule("S33")
def test_info_names_the_tier_in_gymnasium():
    env = SeatEnv(GAME, num_players=1, content=content_set(RICH))
    _, info = env.reset(seed=3)
    rng = np.random.default_rng(3)
    over = False
    while not over:
        _, _, terminated, truncated, info = env.step(int(rng.choice(np.flatnonzero(env.action_masks()))))
        over = terminated or truncated
    assert info["tier"] == tier_of(info["scores"][0])
    vector = SeatVectorEnv(GAME, 4, num_players=1, content=content_set(RICH))
    _, infos = vector.reset(seed=3)
    while "final_info" not in infos:
        actions = [int(rng.choice(np.flatnonzero(mask))) for mask in infos["action_mask"]]
        *_, infos = vector.step(np.array(actions))
    final = infos["final_info"]
    for lane in np.flatnonzero(infos["_final_info"]):
        assert final["tier"][lane] == tier_of(final["scores"][lane, 0])


@pytest.mark.rule("S33")
def test_info_names_the_tier_in_stable_baselines():
    sb3 = pytest.importorskip("tablezoo.sb3")
    env = sb3.SeatVecEnv(GAME, 4, num_players=1, content=content_set(RICH))
    env.seed(5)
    env.reset()
    rng = np.random.default_rng(5)
    done = np.zeros(4, bool)
    infos: list[dict[str, Any]] = []
    while not done.any():
        _, _, done, infos = env.step(np.array([rng.choice(np.flatnonzero(mask)) for mask in env.action_masks()]))
    for lane in np.flatnonzero(done):
        assert infos[lane]["tier"] == tier_of(infos[lane]["scores"][0])


# --- preferences -----------------------------------------------------------------------------------------------------

# Horses 1, 4, 7 and 10 of each type have the discipline rail: stables of these have no set (S20).


def score_of(stable: str, horse: str, preference: dict[str, Any], *others: str) -> int:
    """What seat 0 scores with this stable, where one horse alone has a preference."""
    return scores([stable, *others], plain({horse: preference}))[0]


@pytest.mark.rule("S3", "S20")
@pytest.mark.parametrize("points", [4, 0, -9, 20])
def test_flat(points):
    assert score_of("b1 | a1", "a1", flat(points)) == points


@pytest.mark.rule("S34")
@pytest.mark.parametrize("stall", STALLS)
def test_stall_the_top_is_filled_first(stall):
    for horse, place in (("a1", "top"), ("a4", "middle"), ("a7", "bottom")):
        assert score_of("b1 | a1 a4 a7", horse, wish("stall", 3, stall=stall)) == (3 if place == stall else 0)


@pytest.mark.rule("S34")
@pytest.mark.parametrize(
    ("preference", "paid"),
    [
        (wish("aisles", 4, aisles=[1, 3]), [4, 0, 4, 0]),
        (wish("aisles", 4, aisles=[2]), [0, 4, 0, 0]),
        (wish("aisles", 4, aisles=[1, 2, 3, 4]), [4, 4, 4, 4]),
        (wish("side", 2, side="inner"), [0, 2, 2, 0]),
        (wish("side", 2, side="outer"), [2, 0, 0, 2]),
    ],
)
def test_aisles_inner_and_outer(preference, paid):
    stables = ["a1", "b1 | a1", "b1 | b4 | a1", "b1 | b4 | b7 | a1"]
    assert [score_of(stable, "a1", preference) for stable in stables] == paid


@pytest.mark.rule("S34")
@pytest.mark.parametrize(
    ("stable", "horse", "score"),
    [
        ("a1 a4 a7", "a1", 3),
        ("a1 a4 a7", "a7", 3),
        ("a1 a4", "a1", 0),
        ("a1 a4 | b1 b4 b7", "a1", 0),
        ("a1 w1 w4", "a1", 3),
        ("w1 w4 w7", "w1", 3),
    ],
)
def test_a_complete_aisle(stable, horse, score):
    assert score_of(stable, horse, wish("complete", 3)) == score


@pytest.mark.rule("S34")
@pytest.mark.parametrize(
    ("stable", "horse", "words", "count"),
    [
        ("a1 a4 a7", "a1", {"type": "Ash", "where": "aisle"}, 2),  # never the horse itself
        ("a1", "a1", {"type": "Ash", "where": "aisle"}, 0),
        ("a1 a4 | a7 | b1", "a1", {"type": "Ash", "where": "aisle"}, 1),
        ("a1 a4 | a7 | b1", "a1", {"type": "Ash", "where": "stable"}, 2),
        ("a1 | b1 b4 | b7", "a1", {"type": "Bay", "where": "stable"}, 3),
        ("a1 | b1 b4 | b7", "a1", {"type": "Bay", "where": "aisle"}, 0),
        ("a1 w1 a4", "a1", {"type": "Ash", "where": "aisle"}, 2),  # the wild horse counts as an Ash
        ("w1 a1", "a1", {"type": "Ash", "where": "stable"}, 1),
        ("a1 | b1 w1", "a1", {"type": "Ash", "where": "stable"}, 0),
        ("a1 | b1 w1", "a1", {"type": "Bay", "where": "stable"}, 2),
        ("a1 | w1 w4", "a1", {"type": "Ash", "where": "stable"}, 0),  # of no type there
        ("a1 w1 a4", "w1", {"type": "Ash", "where": "aisle"}, 2),  # not itself, though it counts as an Ash
        ("w1 w4 w7", "w1", {"type": "Ash", "where": "stable"}, 0),
        ("w1 w4 a1", "w1", {"type": "Ash", "where": "stable"}, 2),
        ("a1 a4 | a7 a10", "a1", {"type": "Ash", "where": "stable", "cap": 2}, 2),
        ("a1 a4 | a7 a10", "a1", {"type": "Ash", "where": "stable", "cap": 4}, 3),
    ],
)
def test_per_horse_of_a_type(stable, horse, words, count):
    assert score_of(stable, horse, wish("per_type", 2, **words)) == 2 * count


@pytest.mark.rule("S35")
@pytest.mark.parametrize(("points", "cap", "score"), [(3, 2, 6), (3, 1, 3), (-2, 2, -4), (3, 9, 9)])
def test_a_cap_limits_what_is_counted_not_the_points(points, cap, score):
    assert score_of("a1 a4 | a7 a10", "a1", wish("per_type", points, type="Ash", where="stable", cap=cap)) == score


@pytest.mark.rule("S34")
@pytest.mark.parametrize(
    ("stable", "horse", "words", "count"),
    [
        ("a1 a4 a7", "a1", {"discipline": "rail", "where": "aisle"}, 2),  # never the horse itself
        ("a1 a2 a4", "a1", {"discipline": "rail", "where": "aisle"}, 1),
        ("a1 a2 a5", "a1", {"discipline": "block", "where": "aisle"}, 2),
        ("a1 a2 | b1 | c4", "a1", {"discipline": "rail", "where": "stable"}, 2),
        ("a1 a2 | b1 | c4", "a1", {"discipline": "rail", "where": "aisle"}, 0),
        ("a1 w1 w7", "a1", {"discipline": "rail", "where": "aisle"}, 1),  # w7 has none
        ("w1 w4 w7", "w1", {"discipline": "rail", "where": "aisle"}, 1),
        ("w1 w4 w7", "w7", {"discipline": "rail", "where": "aisle"}, 2),
        ("a1 a4 | b1 b4 | c1", "a1", {"discipline": "rail", "where": "stable", "cap": 3}, 3),
    ],
)
def test_per_horse_of_a_discipline(stable, horse, words, count):
    assert score_of(stable, horse, wish("per_discipline", 2, **words)) == 2 * count


@pytest.mark.rule("S35")
@pytest.mark.parametrize(
    ("stable", "horse", "score"),
    [
        ("a1 a2 a3", "a1", 4 + 5),  # 5 for the set
        ("a3 a1 a2", "a1", 4 + 5),
        ("a1 a2", "a1", 0),  # not complete
        ("a1 a2 | b3", "a1", 0 + 5),
        ("a1 a2 a4", "a1", 0),
        ("a1 a2 w3", "a1", 4 + 5),
        ("a1 a2 w7", "a1", 0),  # w7 has no discipline
        ("w1 w2 w3", "w1", 4 + 5),  # of no type, and complete
        ("a1 a2 w7", "w7", 0),
    ],
)
def test_all_different_disciplines(stable, horse, score):
    assert score_of(stable, horse, wish("all_different", 4)) == score


@pytest.mark.rule("S35")
@pytest.mark.parametrize(
    ("stable", "horse", "score"),
    [
        ("a1 a4 a7", "a1", 6),
        ("a1 a4", "a1", 0),
        ("a1", "a1", 0),
        ("a1 a4 a2", "a1", 0),
        ("a1 a4 w1", "a1", 6),
        ("a1 a4 w7", "a1", 0),
        ("a1 w4 w1", "w1", 6),
        ("w7 w8 w9", "w7", 0),  # none has one
    ],
)
def test_all_equal_disciplines(stable, horse, score):
    assert score_of(stable, horse, wish("all_equal", 6)) == score


@pytest.mark.rule("S34")
@pytest.mark.parametrize(
    ("stable", "score"),
    [
        ("b1 | a1", 3),
        ("a1 | b1", 3),
        ("b1 | a1 | b4", 3),  # once
        ("b1 b4 b7 | a1", 3),
        ("c1 | a1 | b4", 3),
        ("b1 | | a1", 0),
        ("a1 | | b1", 0),
        ("b1 | | | a1", 0),  # aisles 1 and 4 are no neighbours
        ("a1 | c1", 0),
        ("w1 | a1", 0),  # of no type
        ("w1 b1 | a1", 3),
        ("| | b1 | a1", 3),
    ],
)
def test_a_neighbouring_aisle_of_a_type(stable, score):
    assert score_of(stable, "a1", wish("neighbour", 3, type="Bay")) == score


@pytest.mark.rule("S34")
def test_the_own_aisle_is_not_its_neighbour():
    assert score_of("a1 a4", "a1", wish("neighbour", 3, type="Ash")) == 0
    assert score_of("a1 | a4", "a1", wish("neighbour", 3, type="Ash")) == 3


@pytest.mark.rule("S34")
@pytest.mark.parametrize(
    ("stable", "horse", "words", "count"),
    [
        ("a1 w1 w4", "a1", {"where": "aisle"}, 2),  # wild also where it counts as an Ash
        ("a1 w1 | w4 | b1 w7", "a1", {"where": "aisle"}, 1),
        ("a1 w1 | w4 | b1 w7", "a1", {"where": "stable"}, 3),
        ("w1 w4 | w7", "w1", {"where": "stable"}, 2),  # never the horse itself
        ("w1 w4 | w7", "w1", {"where": "aisle"}, 1),
        ("w1 | a1", "w1", {"where": "stable"}, 0),
        ("a1 w1 | w4 | b1 w7", "a1", {"where": "stable", "cap": 2}, 2),
    ],
)
def test_per_wild_horse(stable, horse, words, count):
    assert score_of(stable, horse, wish("per_wild", 2, **words)) == 2 * count


@pytest.mark.rule("S34")
@pytest.mark.parametrize(
    ("stable", "words", "count"),
    [
        ("a1", {"where": "aisle"}, 2),
        ("a1 a4", {"where": "aisle"}, 1),
        ("a1 a4 w1 | b1", {"where": "aisle"}, 0),
        ("a1 | b1 b4", {"where": "stable"}, 9),
        ("a1 | b1 b4", {"where": "stable", "cap": 4}, 4),
        ("a1 a4 a7 | b1 b4 b7 | c1 c4 c7 | d1 d4 d7", {"where": "stable"}, 0),
    ],
)
def test_per_empty_stall(stable, words, count):
    assert score_of(stable, "a1", wish("per_empty", 2, **words)) == 2 * count


NEXT_DOOR = wish("next_door", 1, type="Bay")


@pytest.mark.rule("S35")
@pytest.mark.parametrize(
    ("others", "count"),
    [
        (["b1 b4 | b7"], 3),  # with two players the other one, once
        (["b1", "b4 b7"], 3),  # with three both
        (["b1", "b4 b7 b10", "b2 b5"], 3),  # with four not the one across
        (["b1", "b4 b7", "b10 b2", "b5"], 2),
        (["c1 | c4"], 0),
        (["b1 w1"], 2),  # the wild horse counts as a Bay
        (["w1 w4"], 0),
    ],
)
def test_horses_next_door(others, count):
    assert score_of("a1 | b8", "a1", NEXT_DOOR, *others) == count


@pytest.mark.rule("S35")
def test_nobody_is_next_door_in_solo():
    assert score_of("a1 | b1 b4", "a1", NEXT_DOOR) == 0


@pytest.mark.rule("S35")
def test_a_cap_next_door_holds_for_both_neighbours_together():
    capped = wish("next_door", 2, type="Bay", cap=3)
    assert score_of("a1", "a1", capped, "b1 b4", "b7 b10") == 6


@pytest.mark.rule("S35")
@pytest.mark.parametrize("seat", [0, 1, 2, 3])
def test_neighbours_are_the_seats_before_and_after(seat):
    stables = ["a1" if other == seat else f"b{other + 1}" for other in range(4)]
    assert scores(stables, plain({"a1": NEXT_DOOR}))[seat] == 2


# --- boards ----------------------------------------------------------------------------------------------------------


def board_score(stable: str, own: dict[str, Any], *others: str, **situation: Any) -> int:
    """What seat 0 scores with this stable, where its board alone scores."""
    return scores([stable, *others], plain(boards=[own]), **situation)[0]


@pytest.mark.rule("S34", "S35")
@pytest.mark.parametrize(
    ("stable", "cap", "score"),
    [
        ("a1 a4", None, 0),
        ("a1 a4 a7 | b1 b4 b7 | c1", None, 6),
        ("a1 w1 a7 | w4 w7 w8", None, 6),
        ("a1 a4 a7 | b1 b4 b7 | c1 c4 c7", 2, 6),
    ],
)
def test_complete_aisles(stable, cap, score):
    assert board_score(stable, board("complete_aisles", 3, preferred="Ebony", cap=cap)) == score


@pytest.mark.rule("S35")
@pytest.mark.parametrize(
    ("stable", "cap", "score"),
    [
        ("a1", None, 2),
        ("a1 | a4 | b1 | w1", None, 4),
        ("w1 | w4", None, 0),
        ("w1 b1 | b4", None, 2),
        ("a1 | b1 | c1 | d1", None, 8),
        ("a1 | b1 | c1 | d1", 3, 6),
    ],
)
def test_aisle_types(stable, cap, score):
    assert board_score(stable, board("aisle_types", 2, cap=cap)) == score


@pytest.mark.rule("S34")
@pytest.mark.parametrize(
    ("stable", "cap", "score"),
    [
        ("a1 | a4 | b1", None, 4),
        ("a1 w1 | b1 w4", None, 4),  # wild horses among Ashes count
        ("a1 | w1 w4", None, 2),  # others do not
        ("b1 | c1", None, 0),
        ("a1 a4 | a7 a10", 3, 6),
    ],
)
def test_preferred_horses(stable, cap, score):
    assert board_score(stable, board("preferred_horses", 2, cap=cap)) == score


@pytest.mark.rule("S35", "S20")
@pytest.mark.parametrize(
    ("stable", "cap", "score"),
    [
        ("a1 a2", None, 0),
        ("a1 a2 | b3 b6", None, 2 + 5),
        ("a1 a2 a3 | b1 b2 b3", None, 4 + 10),
        ("a1 a2 a3 | b1 b2 b3", 1, 2 + 10),
        ("a1 a2 w7", None, 0),
        ("a1 a2 w3", None, 2 + 5),
    ],
)
def test_discipline_sets(stable, cap, score):
    assert board_score(stable, board("discipline_sets", 2, preferred="Ebony", cap=cap)) == score


@pytest.mark.rule("S35")
@pytest.mark.parametrize(
    ("stable", "cap", "score"),
    [
        ("a1 | a4", None, 4),  # complete or not
        ("a1 | a4 | a7", None, 8),
        ("a1 | a4 | a7 | a10", 2, 8),
        ("a1 | b1 | a4", None, 0),
        ("a1 | | a4", None, 0),
        ("a1 | b1 | c1 | a4", None, 0),
        ("a1 | a4 | b1 | b4", None, 8),
        ("w1 | w4", None, 0),  # no type is no equal type
        ("a1 | w1", None, 0),
        ("a1 | w1 a4", None, 4),
    ],
)
def test_equal_neighbours(stable, cap, score):
    assert board_score(stable, board("equal_neighbours", 4, cap=cap)) == score


@pytest.mark.rule("S35")
@pytest.mark.parametrize(
    ("measure", "stable", "others", "exceeded"),
    [
        ("horses", "a1 a4", ["b1", "c1 c4"], 1),  # strictly more
        ("horses", "a1 a4", ["b1", ""], 2),
        ("horses", "a1", ["b1 b4"], 0),
        ("wild_horses", "a1 w1", ["b1 b4 b7", "c1 w4"], 1),
        ("complete_aisles", "a1 a4 a7", ["b1 b4 | b7 b10", "c1 c4 c7"], 1),
        ("complete_aisles", "w1 w4 w7", ["b1 b4 | b7 b10"], 1),
        ("aisle_types", "a1 | b1", ["c1 | c4 | w1", "d1 | e1"], 1),
        ("preferred_horses", "a1 | w1", ["b1 b4", "a4 a7", "c1 | b7"], 2),  # Ashes in all stables
        ("preferred_horses", "a1 w1", ["b1 b4 b7", "a4"], 2),
        ("discipline_sets", "a1 a2 a3", ["b1 b2 b4 | c1 c2", "d1 d2 d3"], 1),
        ("equal_neighbours", "a1 | a4", ["b1 | | b4", "c1 | c4"], 1),
        ("rail", "a1 a4 a2", ["b1 b2 b5", "c1 c4"], 1),
        ("block", "a2 a5 w2", ["b2 b5 b1", "c2 w5 c5"], 1),
        ("flag", "a3 | w3", ["b3 w7 w8", "c3 c6"], 1),
    ],
)
def test_exceeded_opponents(measure, stable, others, exceeded):
    own = board("exceeded_opponents", 3, measure=measure)
    sets = 5 * (measure == "discipline_sets")
    assert board_score(stable, own, *others) == 3 * exceeded + sets


@pytest.mark.rule("S35")
def test_a_cap_limits_the_opponents_counted():
    own = board("exceeded_opponents", 3, measure="horses", cap=1)
    assert board_score("a1 a4", own, "b1", "c1") == 3


@pytest.mark.rule("S35")
def test_all_four_opponents_can_be_exceeded():
    own = board("exceeded_opponents", 3, measure="horses")
    assert board_score("a1 a4", own, "b1", "c1", "d1", "e1") == 12


@pytest.mark.rule("S4", "S18")
@pytest.mark.parametrize(
    ("own", "stable", "count"),
    [
        (board("complete_aisles", 3, 4), "a1 a4 a7", 1),
        (board("aisle_types", 3, 4), "a1 | b1", 2),
        (board("preferred_horses", 3, 4), "a1 | b1", 1),
        (board("discipline_sets", 3, 4), "a1 a2 | b3", 1),
        (board("equal_neighbours", 3, 4), "a1 | a4", 1),
        (board("exceeded_opponents", 3, 4, measure="horses"), "a1 a4", 1),
        (board("preferred_horses", 3, 4, cap=2), "a1 a4 | a7", 2),
    ],
)
def test_the_upgraded_side_scores_the_same_condition_higher(own, stable, count):
    sets = 5 * (own["basic"]["condition"] == "discipline_sets")
    assert board_score(stable, own, "c1") == 3 * count + sets
    assert board_score(stable, own, "c1", upgraded=[0]) == 4 * count + sets


@pytest.mark.rule("S35")
def test_only_stables_count_not_hands():
    own = board("exceeded_opponents", 3, measure="horses")
    table = Table(["a4", "b1 b4 b7"], stables={0: "a1"}, phase=PLACE, document=plain(boards=[own]), max_turns=1)
    table.do("place a4 in 1")
    assert table.scores == [3, 0]


# --- what content may say --------------------------------------------------------------------------------------------


@pytest.mark.rule("S34")
@pytest.mark.parametrize("points", [-10, 21, 1.5, "3"])
def test_points_of_a_horse_that_cannot_be(points):
    with pytest.raises(ContentError, match="points"):
        content_set(plain({"a1": flat(points)}))


@pytest.mark.rule("S34")
@pytest.mark.parametrize("points", [-1, 21])
def test_points_of_a_board_that_cannot_be(points):
    with pytest.raises(ContentError, match="points"):
        content_set(plain(boards=[board("aisle_types", points, points)]))


@pytest.mark.rule("S34")
@pytest.mark.parametrize("cap", [0, -1, 1.5])
def test_caps_that_cannot_be(cap):
    with pytest.raises(ContentError, match="cap"):
        content_set(plain({"a1": wish("per_wild", 1, where="aisle", cap=cap)}))
    with pytest.raises(ContentError, match="cap"):
        content_set(plain(boards=[board("aisle_types", 1, 1, cap=cap)]))


@pytest.mark.rule("S34")
def test_typed_horses_have_a_discipline_and_wild_ones_may_have_none():
    document = plain()
    document["horses"][0]["discipline"] = "none"
    with pytest.raises(ContentError, match="discipline"):
        content_set(document)
    document = plain()
    del document["horses"][60]["discipline"]
    assert content_set(document).record[0]["discipline"][60] == 3


@pytest.mark.rule("S34")
@pytest.mark.parametrize(
    "preference",
    [
        {"kind": "per_type", "type": "Oak", "where": "aisle", "points": 1},
        {"kind": "per_type", "type": "Ash", "points": 1},
        {"kind": "aisles", "aisles": [5], "points": 1},
        {"kind": "flat"},
        {"kind": "flat", "points": 1, "cap": 2},
        {"kind": "speed", "points": 1},
    ],
)
def test_words_that_mean_nothing_are_refused(preference):
    with pytest.raises(ContentError, match="preference"):
        content_set(plain({"a1": preference}))
