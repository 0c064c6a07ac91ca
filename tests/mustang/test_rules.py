"""Mustang rule by rule: each test sets a situation up and checks what the rules document says of it.

Written from the document's words, not from the kernels.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest

from mustang_env import GAME
from tablezoo import Batch
from tests.mustang.table import (
    A_CARDS,
    A_CORRAL,
    A_DECLINE,
    A_PILE,
    A_STEAL,
    A_SWAP,
    ANSWER,
    COWBOY,
    DULL,
    EMPTY,
    GATE,
    PLAY,
    RAIN,
    SWAP,
    Table,
    cards,
    catch,
    catch_pile,
    corral,
    counter,
    counters,
    steal,
)

#: A dull hand but for a pair of fives, which no other dull hand holds.
PAIR = "1r 2b 3g 4y 5g 5y"


def with_event(*events: str, players: int = 2, **situation: Any) -> Table:
    """Seat 0 catches the foal on the pile's top with its pair, which draws the deck's last cards: an event follows."""
    hands = [PAIR, *DULL[1:players]]
    table = Table(hands, deck="7b 7w", events=list(events), tops={"foal": "wF"}, **situation)
    return table.lay(catch_pile("foal"), "5g 5y")


def standing(**situation: Any) -> Table:
    """A game that is cut as it stands: seat 0's swap was its last turn."""
    table = Table(max_turns=1, **situation)
    table.swap("1r")
    assert table.cut
    return table


# --- components ----------------------------------------------------------------------------------------------------


@pytest.mark.rule("M1")
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_two_to_five_players_take_turns_clockwise(players):
    table = Table(players, mover=players - 2, dealer=players - 2)
    order = []
    for _ in range(players + 1):
        order.append(table.seat)
        hand = table.hand(table.seat).split()
        table.swap(hand[0])
    assert order == [(players - 2 + i) % players for i in range(players + 1)]


@pytest.mark.rule("M1")
@pytest.mark.parametrize("players", [0, 1, 6])
def test_other_player_counts_are_refused(players):
    with pytest.raises(ValueError, match="Mustang takes 2 to 5"):
        Batch(GAME, num_players=players)


@pytest.mark.rule("M2", "M7")
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_forty_nine_cards_are_in_the_game(players):
    record = Batch(GAME, num_players=players, seed=3).states[0]
    assert record["deck_size"] == 49 - 6 * players
    assert not record["used"].any()
    dealt = record["hand"][:players].ravel().tolist()
    ring = (int(record["deck_top"]) + np.arange(49 - 6 * players)) % 49
    assert Counter(dealt + record["deck"][ring].tolist()) == Counter([*range(40), *[COWBOY] * 9])
    assert (record["hand"][players:] == EMPTY).all()


@pytest.mark.rule("M3", "M6")
def test_forty_seven_counters_two_three_and_four_a_suit():
    record = Batch(GAME, seed=4).states[0]
    assert record["pile_size"].tolist() == [9, 14, 19]
    lying = Counter({type_: int(number) for type_, number in enumerate(record["prairie"])})
    for kind, total in enumerate((10, 15, 20)):
        lying.update(record["pile"][kind, 1:total].tolist())
    assert [lying[type_] for type_ in range(17)] == [2] * 5 + [3] * 5 + [4] * 5 + [1, 1]
    assert lying.total() == 47


@pytest.mark.rule("M4")
def test_six_events_of_five_kinds_a_sunny_day_twice():
    record = Batch(GAME, seed=0).states[0]
    assert record["events"].tolist() == [1, 1, 1, 1, 2]
    assert Counter(record["event_deck"][:6].tolist()) == Counter([0, 1, 2, 3, 4, 4])


@pytest.mark.rule("M4")
@pytest.mark.parametrize(
    ("events", "counts"),
    [
        ({"sunny_day": 1}, [0, 0, 0, 0, 1]),
        (["delivery", "delivery", "heavy_rain"], [0, 0, 1, 2, 0]),
        ({"rotten_gate": 12}, [12, 0, 0, 0, 0]),
    ],
)
def test_the_event_deck_is_an_option(events, counts):
    record = Batch(GAME, seed=0, events=events).states[0]
    assert record["events"].tolist() == counts
    total = sum(counts)
    assert np.bincount(record["event_deck"][:total], minlength=5).tolist() == counts


@pytest.mark.rule("M4")
@pytest.mark.parametrize(
    ("events", "words"),
    [
        ({}, "1 to 12"),
        ([], "1 to 12"),
        ({"sunny_day": 13}, "12"),
        (["sunny_dy"], "did you mean 'sunny_day'"),
        ({"sunny_day": -1, "delivery": 2}, "integer from 0"),
        ({"sunny_day": 1.0}, "integer"),
        ("sunny_day", "event names"),
        (3, "event names"),
    ],
)
def test_event_decks_that_cannot_be(events, words):
    with pytest.raises((TypeError, ValueError), match=words):
        Batch(GAME, seed=0, events=events)


@pytest.mark.rule("M5", "M13")
def test_corrals_can_be_robbed_and_stables_cannot():
    table = Table([PAIR, DULL[1]], corrals={1: "rF bF"}, stables={1: "gF yF", 0: "wF"})
    stealing = {action for action in table.legal if A_STEAL <= action < A_CORRAL}
    assert stealing == {steal(1, "rF"), steal(1, "bF")}


# --- setup ---------------------------------------------------------------------------------------------------------


@pytest.mark.rule("M6")
def test_one_counter_of_each_pile_and_the_special_horses_lie_face_up():
    batch = Batch(GAME, 400, seed=0)
    prairie = batch.states["prairie"]
    for kind in range(3):
        assert (prairie[:, 5 * kind : 5 * kind + 5].sum(axis=1) == 1).all()
        suits = prairie[:, 5 * kind : 5 * kind + 5].sum(axis=0)
        assert ((suits - 80) ** 2 / 80).sum() < 18.47  # chi-square, 4 degrees, 0.1 %
    assert (prairie[:, 15:] == 1).all()


@pytest.mark.rule("M7")
def test_the_dealer_is_drawn_from_the_seed_and_acts_first():
    batch = Batch(GAME, 1000, num_players=5, seed=0)
    assert np.array_equal(batch.seat, batch.states["dealer"])
    dealers = np.bincount(batch.seat, minlength=5)
    assert ((dealers - 200) ** 2 / 200).sum() < 18.47
    assert np.array_equal(batch.seat, Batch(GAME, 1000, num_players=5, seed=0).seat)


@pytest.mark.rule("M7")
def test_the_dealer_can_be_fixed():
    batch = Batch(GAME, 20, num_players=3, seed=0, start_seat=2)
    assert (batch.seat == 2).all()
    assert (batch.states["dealer"] == 2).all()


@pytest.mark.rule("M7")
def test_six_cards_each_and_every_card_as_often():
    batch = Batch(GAME, 2000, num_players=4, seed=0)
    hands = batch.states["hand"][:, :4]
    assert (hands < EMPTY).all()
    held = np.bincount(hands[:, 3].ravel(), minlength=41)
    expected = 2000 * 6 / 49 * np.array([1] * 40 + [9])
    assert ((held - expected) ** 2 / expected).sum() < 73.4  # chi-square, 40 degrees, 0.1 %


# --- swap ----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("M8")
def test_a_swap_draws_first_and_puts_the_given_cards_under_the_deck():
    table = Table(2, top="8w 8y 8g")
    rest = table.deck[3:]
    table.swap("1r 5w")
    assert table.hand(0) == "2b 3g 4y 7r 8y 8w"
    assert table.deck == [*cards("8g"), *rest, *cards("1r"), *cards("5w")]
    assert not table.used
    assert table.seat == 1


@pytest.mark.rule("M8")
def test_one_or_two_cards_are_swapped():
    table = Table(2).ask(SWAP, 0)
    hand = DULL[0].split()
    pairs = {f"{a} {b}" for i, a in enumerate(hand) for b in hand[i + 1 :]}
    assert table.legal_sets == {*hand, *pairs}
    assert len(table.legal) == 21


@pytest.mark.rule("M8")
def test_others_see_how_many_cards_were_swapped_and_not_which():
    one, other = Table(3).swap("1r 5w"), Table(3).swap("2b 3g")
    for seat in (1, 2):
        assert np.array_equal(one.batch.observe(seat), other.batch.observe(seat))
        assert one.sees(seat, "last_swapped") == [2]
        assert sum(one.sees(seat, "last_cards")) == 0


@pytest.mark.rule("M8", "M20")
def test_a_swap_that_refills_the_deck_has_not_run_it_out():
    table = Table(2, deck="8w", events=["rotten_gate", "sunny_day"])
    used = table.used
    table.swap("1r")
    assert table.hand(0) == "2b 3g 4y 5w 7r 8w"
    assert table.deck == cards("1r")
    assert table.used == used
    assert table.event_deck == ["rotten_gate", "sunny_day"]


@pytest.mark.rule("M8a")
def test_a_deck_of_two_and_a_swap_of_two():
    table = Table(2, deck="8w 8y", events=["rotten_gate", "sunny_day"])
    used = table.used
    table.swap("1r 5w")
    assert table.hand(0) == "2b 3g 4y 7r 8y 8w"
    assert table.deck == [*cards("1r"), *cards("5w")]
    assert table.used == used
    assert table.event_deck == ["rotten_gate", "sunny_day"]


@pytest.mark.rule("M8a", "M20")
def test_a_deck_of_one_and_a_swap_of_two():
    """One is drawn, the used pile is shuffled, one more is drawn, then the two go under, and an event is turned up."""
    table = Table(2, deck="8w", events=["sunny_day", "rotten_gate"])
    used = table.used
    table.swap("1r 5w")
    held = Counter(cards(table.hand(0)))
    drawn = held - Counter(cards("2b 3g 4y 7r 8w"))
    assert drawn.total() == 1
    assert drawn <= used
    assert Counter(table.deck[:-2]) == used - drawn
    assert table.deck[-2:] == [*cards("1r"), *cards("5w")]
    assert not table.used
    assert table.event_deck == ["rotten_gate"]
    assert table.seat == 1


@pytest.mark.rule("M8a")
def test_the_cards_to_swap_are_named_before_any_is_drawn():
    table = Table(2, top="8w").do(A_SWAP)
    assert table.seat == 0
    assert table.phase == SWAP
    assert table.hand(0) == DULL[0]
    assert table.deck[0] == cards("8w")[0]


@pytest.mark.rule("M8a")
@pytest.mark.parametrize(("given", "lowest"), [("5w 1r", "5w"), ("7r C", "C"), ("C C", "C")])
def test_swapped_cards_go_under_in_hand_order(given, lowest):
    table = Table(["1r 2b 5w 7r C C", DULL[1]]).swap(given)
    assert table.deck[-1] == cards(lowest)[0]
    assert sorted(table.deck[-2:]) == cards(given)


# --- catch ---------------------------------------------------------------------------------------------------------

RICH = "3r 3b 3g 3y 7r 8b"
OTHER = "1b 2g 4w 5y 6r 8w"


@pytest.mark.rule("M9")
@pytest.mark.parametrize(
    ("hand", "kinds"),
    [
        (DULL[0], set()),
        (PAIR, {"foal"}),
        ("1r 2b 5g 5y 5w C", {"foal", "mare", "stallion"}),
        ("1r 2b 3g 5g 5y 5w", {"foal", "mare"}),
        (RICH, {"foal", "mare", "stallion"}),
        ("2r 3r 4r 5r 6r 8b", {"special"}),
        ("1r 2b 4y 5w 7r C", {"foal"}),
        ("1r 2b 4y 5w C C", {"foal", "mare"}),
    ],
)
def test_what_a_hand_can_catch(hand, kinds):
    table = Table([hand, "1b 2g 3w 4w 6w 8y"])
    reached = {"stallion": {"rS"}, "mare": {"rM"}, "foal": {"rF"}, "special": {"BP", "SW"}}
    wanted = {catch(word) for kind in kinds for word in reached[kind]}
    wanted |= {catch_pile(kind) for kind in kinds - {"special"}}
    assert table.legal == wanted | {A_SWAP}


@pytest.mark.rule("M9")
@pytest.mark.parametrize(("word", "size"), [("rF", 2), ("rM", 3), ("rS", 4), ("BP", 5)])
def test_exactly_as_many_cards_as_the_combination_has(word, size):
    table = Table(["C C C C C C", DULL[1]]).ask(PLAY, 0, catch(word))
    assert table.legal_sets == {" ".join("C" * size)}
    table = Table(["3r 3b 3g 3y C C", "1b 2g 4w 5w 6r 8b"]).ask(PLAY, 0, catch(word))
    assert {len(text.split()) for text in table.legal_sets} <= {size}


@pytest.mark.rule("M9", "M18")
def test_a_catch_moves_the_counter_and_the_cards():
    table = Table([RICH, OTHER], prairie="rS rM bF BP SW", top="1w 2w 6w")
    table.lay(catch("bF"), "3b 3y")
    assert table.ranch("corral", 0) == counters("bF")
    assert table.used == Counter(cards("3b 3y"))
    assert table.hand(0) == "1w 2w 3r 3g 7r 8b"
    assert table.seat == 1
    assert table.record["turn"] == 1


@pytest.mark.rule("M10", "M10a")
@pytest.mark.parametrize(
    ("laid", "target", "value"),
    [
        ("4g 4y", catch("rF"), 4),
        ("4g C", catch("rF"), 4),
        ("C C", catch("rF"), 8),
        ("1g 1y 1w", catch("rM"), 1),
        ("2w C C", catch("rM"), 2),
        ("C C C", catch("rM"), 8),
        ("7g 7y C C", catch("rS"), 7),
        ("C C C C", catch("rS"), 8),
        ("2r 3r 4r 5r 6r", catch("BP"), 6),
        ("4w 5w 6w 7w 8w", catch("SW"), 8),
        ("2r 3r C 5r 6r", catch("BP"), 6),
        ("2r 3r C C C", catch("BP"), 6),
        ("3r 7r C C C", catch("BP"), 7),
        ("1r C C C C", catch("BP"), 5),
        ("4r C C C C", catch("BP"), 8),
        ("5r C C C C", catch("BP"), 8),
        ("8r C C C C", catch("BP"), 8),
        ("6g 7g C C C", catch("BP"), 8),
        ("5r 6r 7r 8r C", catch("BP"), 8),
        ("2r 3r 4r 5r C", catch("BP"), 6),
        ("1r 2r 3r 4r C", catch("BP"), 5),
        ("C C C C C", catch("BP"), 8),
    ],
)
def test_the_value_of_a_combination(laid, target, value):
    spare = [word for word in ["8y", "7b", "5y", "3y", "2y", "1b"] if word not in laid][: 6 - len(laid.split())]
    other = [word for word in ["1w", "2b", "3b", "4b", "6b", "8b", "1y", "2g"] if word not in laid][:6]
    table = Table([" ".join([laid, *spare]), " ".join(other)])
    table.lay(target, laid)
    assert table.record["last_value"] == value
    assert table.sees(1, "last_value") == [value]


@pytest.mark.rule("M10a")
@pytest.mark.parametrize(
    "hand",
    [
        "1r 6r C C C 8b",  # six values apart
        "2r 3r 4r 5r 6b 8b",  # two suits
        "2r 3b C C C 8g",  # two suits, with cowboys
        "2r 2b C C C 8g",  # a value twice
        "1r 2r 7r 8r C 5b",  # not round the corner
        "1r 8r C C C 5b",
        "4r 5r 7r 8r 2b 1b",  # four cards
        "1r 2b 3g 4y 5w C",  # a straight of many suits is nothing
    ],
)
def test_what_is_no_straight_flush(hand):
    table = Table([hand, "1y 2y 3y 4w 6w 8w"])
    assert not {catch("BP"), catch("SW")} & table.legal
    assert not table.ask(PLAY, 0, catch("BP")).legal


@pytest.mark.rule("M10", "M10a")
def test_the_straight_flushes_of_a_hand():
    table = Table(["2r 3r 5r 6r C C", DULL[1].replace("6r", "6y")]).ask(PLAY, 0, catch("SW"))
    assert table.legal_sets == {"2r 3r 5r 6r C", "2r 3r 5r C C", "2r 3r 6r C C", "2r 5r 6r C C", "3r 5r 6r C C"}


@pytest.mark.rule("M11")
def test_any_face_up_counter_of_the_kind_or_the_piles_top():
    table = Table([PAIR, DULL[1]], prairie="rS bS rM rF gF gF BP")
    assert table.legal == {A_SWAP, catch("rF"), catch("gF"), catch_pile("foal")}


@pytest.mark.rule("M11")
def test_the_piles_top_counter_is_seen_by_all_once_caught():
    table = Table([PAIR, *DULL[1:3]], tops={"foal": "yF wF"})
    up = table.lying()
    table.lay(catch_pile("foal"), "5g 5y")
    assert table.ranch("corral", 0) == counters("yF")
    assert table.pile("foal")[0] == counter("wF")
    assert table.lying() == up
    for seat in (1, 2):
        assert table.sees(seat, "last_type")[counter("yF")] == 1
        assert table.sees(seat, "corral")[3 - seat][counter("yF")] == 1


@pytest.mark.rule("M11")
def test_counter_or_pile_is_named_before_an_unseen_counter_is_seen():
    table = Table([RICH, OTHER], tops={"foal": "yF"}).do(catch_pile("foal"))
    assert table.phase == PLAY
    assert not any(table.sees(0, "target_type"))
    assert table.pile("foal")[0] == counter("yF")


@pytest.mark.rule("M11")
@pytest.mark.parametrize("word", ["BP", "SW"])
def test_a_straight_flush_takes_the_special_horse_of_ones_choice(word):
    table = Table(["2r 3r 4r 5r 6r 8b", DULL[1].replace("6r", "6y").replace("8b", "8r")])
    assert {catch("BP"), catch("SW")} <= table.legal
    assert catch("rS") not in table.legal
    table.lay(catch(word), "2r 3r 4r 5r 6r")
    assert table.ranch("corral", 0) == counters(word)


@pytest.mark.rule("M11")
def test_a_straight_flush_takes_the_one_that_lies_there():
    table = Table(["2r 3r 4r 5r 6r 8b", DULL[1].replace("6r", "6y").replace("8b", "8r")], prairie="rS rM rF SW")
    assert {action for action in table.legal if catch("BP") <= action <= catch("SW")} == {catch("SW")}


@pytest.mark.rule("M12")
def test_a_face_up_counter_is_replaced_from_its_pile():
    table = Table([PAIR, DULL[1]], tops={"foal": "yF wF"})
    table.lay(catch("rF"), "5g 5y")
    assert table.ranch("corral", 0) == counters("rF")
    assert table.lying() == counters("rS rM yF BP SW")
    assert table.pile("foal")[0] == counter("wF")


@pytest.mark.rule("M12")
def test_each_of_several_face_up_counters_is_replaced():
    table = Table([PAIR, DULL[1]], prairie="rS rM rF bF bF BP SW", tops={"foal": "yF"})
    table.lay(catch("bF"), "5g 5y")
    assert table.lying() == counters("rS rM rF bF yF BP SW")


@pytest.mark.rule("M12", "M26")
def test_an_empty_pile_replaces_nothing():
    table = Table([PAIR, DULL[1]], prairie="rS rM rF bF BP SW", piles={"foal": ""})
    assert catch_pile("foal") not in table.legal
    table.lay(catch("bF"), "5g 5y")
    assert table.lying() == counters("rS rM rF BP SW")
    assert not table.over


@pytest.mark.rule("M12", "M26")
def test_special_horses_are_never_replaced_and_their_end_ends_nothing():
    hands = ["2r 3r 4r 5r 6r 8b", DULL[1].replace("6r", "6y").replace("8b", "8r")]
    table = Table(hands, prairie="rS rM rF SW")
    sizes = table.record["pile_size"].tolist()
    table.lay(catch("SW"), "2r 3r 4r 5r 6r")
    assert table.lying() == counters("rS rM rF")
    assert table.record["pile_size"].tolist() == sizes
    assert table.seat == 1


# --- steal ---------------------------------------------------------------------------------------------------------


@pytest.mark.rule("M13")
def test_a_theft_names_owner_and_counter_and_needs_its_combination():
    table = Table([PAIR, *DULL[1:4]], corrals={0: "wF", 1: "rF", 2: "rF bM", 3: "gF BP gS"}, prairie="SW")
    stealing = {action for action in table.legal if A_STEAL <= action < A_CORRAL}
    assert stealing == {steal(1, "rF"), steal(2, "rF"), steal(3, "gF")}


@pytest.mark.rule("M13")
def test_seats_are_counted_clockwise_from_the_thief():
    table = Table([DULL[2], DULL[1], PAIR], mover=2, corrals={0: "rF", 1: "bF"})
    assert {action for action in table.legal if A_STEAL <= action < A_CORRAL} == {steal(1, "rF"), steal(2, "bF")}
    table.lay(steal(2, "bF"), "5g 5y")
    assert table.ranch("corral", 2) == counters("bF")
    assert table.ranch("corral", 1) == Counter()


@pytest.mark.rule("M13", "M26")
def test_a_theft_takes_nothing_from_the_prairie_and_ends_nothing():
    table = Table([PAIR, DULL[1]], prairie="rS rM BP SW", piles={"foal": ""}, corrals={1: "rF"})
    table.lay(steal(1, "rF"), "5g 5y")
    assert table.ranch("corral", 0) == counters("rF")
    assert table.lying() == counters("rS rM BP SW")
    assert not table.over


def theft(thief: str, owner: str, laid: str, word: str, **situation: Any) -> Table:
    """Seat 0 steals ``word`` from seat 1."""
    table = Table([thief, owner], corrals={1: word}, **situation)
    return table.lay(steal(1, word), laid)


@pytest.mark.rule("M14")
def test_an_answer_is_higher_or_of_a_higher_kind():
    table = theft(PAIR, "4b 4w 6r 6b 1b C", "5g 5y", "rF")
    assert table.seat == 1
    assert table.phase == ANSWER
    pairs = {"6r 6b", "6r C", "6b C"}
    threes = {"6r 6b C", "4b 4w C"}
    assert table.legal_sets == pairs | threes
    assert A_DECLINE in table.legal


@pytest.mark.rule("M14")
def test_the_same_value_is_not_higher():
    table = theft(PAIR, "5r 5b 1b 2g 3y C", "5g 5y", "rF")
    assert table.legal_sets == {"5r 5b C"}


@pytest.mark.rule("M14")
def test_any_higher_kind_beats_at_any_value():
    owner = "1b 1g 1w C 2w 3w"
    table = theft("8r 8g 2b 3g 4y 5y", owner, "8r 8g", "rF")
    assert table.legal_sets == {"1b 1g 1w", "1b 1g C", "1b 1w C", "1g 1w C", "1b 1g 1w C"}
    table = theft("8r 8g 8y 3g 4y 5y", owner, "8r 8g 8y", "rM")
    assert table.legal_sets == {"1b 1g 1w C"}
    table = theft("8r 8g 8y 8w 4y 5y", "1w 2w 3w 4w C 7b", "8r 8g 8y 8w", "rS")
    assert table.legal_sets == {"1w 2w 3w 4w C"}


@pytest.mark.rule("M14")
def test_straight_flushes_go_by_their_top_card():
    thief = "2r 3r 4r 5r 6r 8g"  # tops at 6
    table = theft(thief, "3b 4b 5b 6b 7b 2b", "2r 3r 4r 5r 6r", "BP", prairie="SW")
    assert table.legal_sets == {"3b 4b 5b 6b 7b"}
    assert table.seat == 1
    lower = theft(thief, "1w 3w 4w 5w C C", "2r 3r 4r 5r 6r", "BP", prairie="SW")
    assert lower.legal_sets == {"3w 4w 5w C C"}


@pytest.mark.rule("M14")
def test_a_straight_of_mixed_suits_answers_nothing():
    table = theft(PAIR, "1b 2w 3w 4w 6r 7b", "5g 5y", "rF")
    assert table.ranch("corral", 0) == counters("rF")  # not even asked: there is nothing to choose
    assert table.seat == 1
    assert table.phase != ANSWER


@pytest.mark.rule("M14")
def test_the_owner_alone_is_asked_and_once():
    hands = [PAIR, "6r 6b 1b 2g 3y 4w", "8g 8y 8w C C C"]
    table = Table(hands, corrals={1: "rF"}, top="7b 7g 7y 7w").lay(steal(1, "rF"), "5g 5y")
    assert table.seat == 1
    table.answer("6r 6b")
    assert table.seat == 1
    assert table.between_turns
    assert table.record["turn"] == 1


@pytest.mark.rule("M14", "M15")
def test_an_owner_may_decline():
    table = theft(PAIR, "6r 6b 1b 2g 3y 4w", "5g 5y", "rF")
    table.do(A_DECLINE)
    assert table.ranch("corral", 0) == counters("rF")
    assert table.ranch("corral", 1) == Counter()
    assert table.hand(1) == "1b 2g 3y 4w 6r 6b"


@pytest.mark.rule("M14")
def test_declining_and_having_no_answer_look_alike_to_others():
    hands = [PAIR, "6r 6b 1b 2g 3y 4w", "1g 2y 3w 5r 6g 8g"]
    declined = Table(hands, corrals={1: "rF"}).lay(steal(1, "rF"), "5g 5y").do(A_DECLINE)
    hands[1] = "6r 7b 1b 2g 3y 4w"
    unable = Table(hands, corrals={1: "rF"}).lay(steal(1, "rF"), "5g 5y")
    for seat in (0, 2):
        differing = [
            part.name
            for part in GAME.observation_layout.parts
            if declined.sees(seat, part.name) != unable.sees(seat, part.name)
        ]
        # The thief draws from decks that hold different cards here.
        assert set(differing) <= ({"hand", "best"} if seat == 0 else set())


@pytest.mark.rule("M14a")
@pytest.mark.parametrize("laid", ["8r 8g", "8r C", "C C"])
def test_nothing_of_the_same_kind_beats_an_eight(laid):
    spare = "2b 3g 4y 5y"
    table = theft(f"{laid} {spare}", "8b 8w C C 1b 2g", laid, "rF")
    assert not any(len(text.split()) == 2 for text in table.legal_sets)
    assert "8b 8w C" in table.legal_sets
    assert "1b C C" in table.legal_sets


@pytest.mark.rule("M14a")
def test_cowboys_alone_answer_as_eight():
    table = theft("7g 7y 2b 3g 4y 5y", "C C 1b 2g 3y 4w", "7g 7y", "rF")
    assert "C C" in table.legal_sets
    assert "1b C" not in table.legal_sets


@pytest.mark.rule("M15", "M18")
def test_answered_the_counter_stays_and_the_thief_discards_its_cowboys():
    thief, owner = "5g 5y C C 1r 2b", "6r 6b C 2g 3y 4w"
    table = Table([thief, owner], corrals={1: "rF"}, top="7b 7g 7y 7w 8g 8y 8w")
    table.lay(steal(1, "rF"), "5g 5y").answer("6r 6b")
    assert table.ranch("corral", 1) == counters("rF")
    assert table.ranch("corral", 0) == Counter()
    assert table.used == Counter(cards("5g 5y C C 6r 6b"))
    assert table.hand(0) == "1r 2b 7b 7g 7y 7w"
    assert table.hand(1) == "2g 3y 4w 8g 8y C"
    assert table.record["last_cowboys"] == 2
    assert table.sees(1, "last_cowboys") == [2]


@pytest.mark.rule("M15", "M18")
def test_unanswered_the_thief_keeps_its_cowboys_and_draws_for_its_cards():
    table = theft("5g 5y C C 1r 2b", DULL[1], "5g 5y", "rF", top="7b 7g 7y")
    assert table.ranch("corral", 0) == counters("rF")
    assert table.hand(0) == "1r 2b 7b 7g C C"
    assert table.used == Counter(cards("5g 5y"))


@pytest.mark.rule("M15")
def test_cowboys_that_were_laid_are_not_discarded_twice():
    table = Table(["5g C C 1r 2b 3g", "6r 6b 1b 2g 3y 4w"], corrals={1: "rF"}, top="7b 7g 7y 7w 8g 8y")
    table.lay(steal(1, "rF"), "5g C").answer("6r 6b")
    assert table.record["last_cowboys"] == 1
    assert table.used == Counter(cards("5g C C 6r 6b"))


# --- stable --------------------------------------------------------------------------------------------------------


@pytest.mark.rule("M16")
def test_a_counter_goes_to_the_own_stable_and_takes_no_cards():
    table = Table(3, corrals={0: "rF BP", 1: "gF"}, stables={0: "rF"}, prairie="rS rM bF")
    assert {action for action in table.legal if A_CORRAL <= action < A_CARDS} == {corral("rF"), corral("BP")}
    table.do(corral("BP"))
    assert table.ranch("corral", 0) == counters("rF")
    assert table.ranch("stable", 0) == counters("rF BP")
    assert table.hand(0) == DULL[0]
    assert not table.used
    assert table.seat == 1


@pytest.mark.rule("M17")
def test_two_sets_that_both_serve_are_two_actions():
    table = Table(["3r 3b 3g 7r 8b C", "1b 2g 3w 4w 6r 8y"]).ask(PLAY, 0, catch("rF"))
    assert table.legal_sets == {"3r 3b", "3r 3g", "3b 3g", "3r C", "3b C", "3g C", "7r C", "8b C"}
    assert len(table.legal) == 8


@pytest.mark.rule("M17")
def test_cowboys_are_alike_and_the_first_of_the_hand_are_taken():
    table = Table(["3r 7r 8b C C C", "1b 2g 3w 4w 6r 8y"]).ask(PLAY, 0, catch("rM"))
    assert table.legal_sets == {"3r C C", "7r C C", "8b C C", "C C C"}
    assert len(table.legal) == 4
    assert table.set_action("3r C C") in table.legal


@pytest.mark.rule("M17", "M8")
def test_swaps_of_cowboys_are_alike_too():
    table = Table(["3r 7r 8b C C C", "1b 2g 3w 4w 6r 8y"]).ask(SWAP, 0)
    singles, pairs = {"3r", "7r", "8b", "C"}, {"3r 7r", "3r 8b", "7r 8b", "3r C", "7r C", "8b C", "C C"}
    assert table.legal_sets == singles | pairs
    assert len(table.legal) == 11


@pytest.mark.rule("M17")
def test_counters_of_one_kind_and_suit_in_one_place_are_one_action():
    table = Table([PAIR, DULL[1]], prairie="rF rF rS rM BP SW", corrals={0: "bF bF", 1: "gF gF"})
    assert table.legal == {A_SWAP, catch("rF"), catch_pile("foal"), steal(1, "gF"), corral("bF")}


@pytest.mark.rule("M17", "M21", "M23")
@pytest.mark.parametrize("phase", [GATE, RAIN])
def test_counters_alike_are_one_choice_in_events_too(phase):
    table = Table(2, corrals={0: "bF bF rM"}).ask(phase, 0, 2)
    assert table.legal - {A_DECLINE} == {corral("bF"), corral("rM")}


# --- used pile and drawing -----------------------------------------------------------------------------------------


@pytest.mark.rule("M18")
def test_the_thief_draws_first_then_the_owner():
    table = Table([PAIR, "6r 6b 1b 2g 3y 4w"], corrals={1: "rF"}, top="7b 7w 8g 8y")
    table.lay(steal(1, "rF"), "5g 5y")
    assert table.hand(0) == "1r 2b 3g 4y"  # nothing is drawn before the answer
    table.answer("6r 6b")
    assert table.hand(0) == "1r 2b 3g 4y 7b 7w"
    assert table.hand(1) == "1b 2g 3y 4w 8g 8y"


@pytest.mark.rule("M18", "M20")
def test_all_cards_of_both_sides_lie_on_the_pile_before_the_first_is_drawn():
    """The thief draws the deck's last card: what is shuffled then holds both sides' cards and its own cowboys."""
    thief, owner = "5g 5y C C 1r 2b", "6r 6b 1b 2g 3y 4w"
    table = Table([thief, owner], corrals={1: "rF"}, deck="7b", events=["sunny_day"])
    used = table.used + Counter(cards("5g 5y C C 6r 6b"))
    table.lay(steal(1, "rF"), "5g 5y").answer("6r 6b")
    held = Counter(cards(table.hand(0)) + cards(table.hand(1)))
    drawn = held - Counter(cards("1r 2b 7b 1b 2g 3y 4w"))
    assert drawn.total() == 5
    assert Counter(table.deck) + drawn == used
    assert not table.used


@pytest.mark.rule("M18")
@pytest.mark.parametrize(("word", "laid"), [("rF", "3r 3b"), ("rM", "3r 3b 3g"), ("rS", "3r 3b 3g 3y")])
def test_hands_hold_six_cards_between_turns(word, laid):
    table = Table([RICH, OTHER]).lay(catch(word), laid)
    assert len(table.hand(0).split()) == 6
    assert list(table.record["hand"][0]) == sorted(table.record["hand"][0])


@pytest.mark.rule("M19")
@pytest.mark.parametrize("hand", [DULL[0], PAIR, "C C C C C C"])
def test_a_swap_is_always_possible_and_there_is_no_pass(hand):
    table = Table([hand, DULL[1]], corrals={0: "rF"}, deck="8g")
    assert A_SWAP in table.legal
    assert A_DECLINE not in table.legal


# --- deck and events -----------------------------------------------------------------------------------------------


@pytest.mark.rule("M20")
def test_when_the_last_card_is_drawn_the_used_pile_becomes_the_deck():
    table = Table([PAIR, DULL[1]], deck="7b 7w", events=["sunny_day", "delivery"])
    used = table.used + Counter(cards("5g 5y"))
    table.lay(catch("rF"), "5g 5y")
    assert table.hand(0) == "1r 2b 3g 4y 7b 7w"
    assert Counter(table.deck) == used
    assert not table.used
    assert table.event_deck == ["delivery"]
    assert table.seat == 1


@pytest.mark.rule("M20")
def test_drawing_goes_on_after_the_shuffle():
    table = Table([RICH, OTHER], deck="1w", events=["sunny_day"])
    table.lay(catch("rS"), "3r 3b 3g 3y")
    assert len(table.hand(0).split()) == 6
    assert "1w" in table.hand(0)
    assert len(table.deck) == 49 - 12
    assert table.event_deck == []


@pytest.mark.rule("M20")
def test_a_deck_with_a_card_left_has_not_run_out():
    table = Table([PAIR, DULL[1]], deck="7b 7w 8g", events=["sunny_day"])
    table.lay(catch("rF"), "5g 5y")
    assert table.deck == cards("8g")
    assert table.event_deck == ["sunny_day"]


@pytest.mark.rule("M20")
def test_new_decks_are_shuffled_uniformly():
    batch = Table([PAIR, DULL[1]], deck="7b 7w").batch.clone(np.zeros(3000, int))
    batch.states["rng"] = Batch(GAME, 3000, seed=9).states["rng"]
    batch.step(np.full(3000, catch("rF")))
    top = np.bincount(batch.states["deck"][np.arange(3000), batch.states["deck_top"]], minlength=41)
    held = Counter(cards(PAIR) + cards(DULL[1])) - Counter(cards("5g 5y")) + Counter(cards("7b 7w"))
    expected = np.array([(9 if card == COWBOY else 1) - held[card] for card in range(41)]) * 3000 / 37
    there = expected > 0
    assert not top[~there].any()
    assert ((top - expected)[there] ** 2 / expected[there]).sum() < 59.7  # chi-square, 30 degrees, 0.1 %


@pytest.mark.rule("M20", "M26a")
def test_no_event_is_turned_up_once_the_game_has_ended():
    table = Table([PAIR, DULL[1]], deck="7b 7w", events=["delivery"], piles={"foal": ""})
    used = table.used
    table.lay(catch("rF"), "5g 5y")
    assert table.ended
    assert table.event_deck == ["delivery"]
    assert table.used == used + Counter(cards("5g 5y"))
    assert table.deck == [*cards("7b"), *cards("7w")]
    assert table.hand(0) == "1r 2b 3g 4y"


@pytest.mark.rule("M20", "M21")
def test_the_event_comes_before_the_next_turn():
    table = with_event("rotten_gate", players=3, corrals={2: "rM bM"}, dealer=0)
    assert table.phase == GATE
    assert table.seat == 2
    assert table.record["turn"] == 0
    table.do(corral("bM"))
    assert table.seat == 1
    assert table.record["turn"] == 1


@pytest.mark.rule("M20a")
def test_the_event_deck_is_reshuffled_when_a_card_is_due_and_none_is_left():
    table = with_event()
    assert len(table.event_deck) == 5
    assert table.record["event_discards"].sum() == 1


@pytest.mark.rule("M20a")
def test_the_event_deck_is_not_reshuffled_before():
    table = with_event("sunny_day")
    assert table.event_deck == []
    assert table.record["event_discards"].tolist() == [1, 1, 1, 1, 2]


@pytest.mark.rule("M20a")
def test_a_reshuffled_event_deck_is_uniform():
    batch = Table([PAIR, DULL[1]], deck="7b 7w", events=[]).batch.clone(np.zeros(3000, int))
    batch.states["rng"] = Batch(GAME, 3000, seed=9).states["rng"]
    batch.step(np.full(3000, catch("rF")))
    turned = batch.states["event_discards"].sum(axis=0)
    expected = np.array([500, 500, 500, 500, 1000])
    assert ((turned - expected) ** 2 / expected).sum() < 18.47  # chi-square, 4 degrees, 0.1 %


@pytest.mark.rule("M20a", "M18")
def test_the_deck_runs_out_once_in_an_action_at_most():
    """Five players hold all they can; a defended theft of special horses uses as many cards as an action can."""
    thief, owner = "2r 3r 4r 5r 6r C", "3b 4b 5b 6b 7b C"
    hands = [thief, owner, "1g 2y 3w 5g 6g 8g", "1y 2w 4g 5y 7g 8y", "1w 3g 4y 6y 7y 8w"]
    table = Table(hands, corrals={1: "BP"}, prairie="rS rM rF", deck="1r 2b", events=["sunny_day", "delivery"])
    table.lay(steal(1, "BP"), "2r 3r 4r 5r 6r").answer("3b 4b 5b 6b 7b")
    assert len(table.deck) == 19
    assert table.event_deck == ["delivery"]
    assert [len(table.hand(seat).split()) for seat in range(5)] == [6] * 5


@pytest.mark.rule("M20a")
@pytest.mark.parametrize("event", ["rotten_gate", "pride_of_the_herd", "heavy_rain", "delivery", "sunny_day"])
@pytest.mark.parametrize("dealer", [0, 1, 2])
def test_events_draw_no_cards_and_the_next_turn_is_the_next_seats(event, dealer):
    stables = {0: "rS rM", 2: "bS bM"}
    table = with_event(event, players=3, dealer=dealer, corrals={0: "gM yM", 2: "gF yF"}, stables=stables)
    while table.phase in (GATE, RAIN):
        table.do(min(table.legal))
    assert [len(table.hand(seat).split()) for seat in range(3)] == [6, 6, 6]
    assert len(table.deck) == 49 - 18
    assert table.seat == 1
    assert table.record["turn"] == 1


@pytest.mark.rule("M21")
def test_a_rotten_gate_asks_from_the_dealer_clockwise_whoever_has_a_choice():
    corrals = {0: "rM bM", 1: "gM", 3: "yM BP rF"}
    table = with_event("rotten_gate", players=4, dealer=2, corrals=corrals, prairie="rS rM rF SW")
    assert (table.phase, table.seat) == (GATE, 3)
    assert table.legal == {corral("yM"), corral("BP"), corral("rF")}
    table.do(corral("BP"))
    assert table.sees(0, "prairie")[counter("BP")] == 1  # each sees what those before chose
    assert (table.phase, table.seat) == (GATE, 0)
    assert table.legal == {corral("rM"), corral("bM"), corral("wF")}  # the foal just caught may go too
    table.do(corral("wF"))
    assert table.seat == 1
    assert table.between_turns
    assert [table.ranch("corral", seat) for seat in range(4)] == [
        counters("rM bM"), Counter(), Counter(), counters("yM rF"),
    ]  # fmt: skip


@pytest.mark.rule("M21", "M12")
def test_counters_through_the_gate_lie_face_up_beside_the_others():
    table = with_event("rotten_gate", corrals={1: "bM"}, prairie="rS rM rF")
    assert table.between_turns
    assert table.lying() == counters("rS rM rF wF bM")
    assert table.ranch("corral", 0) == table.ranch("corral", 1) == Counter()


@pytest.mark.rule("M21")
def test_stables_are_behind_the_gate():
    table = with_event("rotten_gate", corrals={}, stables={1: "bM rF"})
    assert table.ranch("stable", 1) == counters("bM rF")


@pytest.mark.rule("M22")
def test_the_pride_of_the_herd_leaves_and_is_replaced_one_for_one():
    table = with_event("pride_of_the_herd", prairie="rS rM bM rF gF bF BP SW")
    assert table.lying("removed") == counters("rS rM bM rF gF bF BP SW")
    lying = table.lying()
    assert [sum(lying[type_] for type_ in range(5 * kind, 5 * kind + 5)) for kind in range(4)] == [1, 2, 3, 0]
    assert table.seat == 1
    assert table.sees(1, "removed")[counter("BP")] == 1


@pytest.mark.rule("M22")
def test_the_pride_is_replaced_while_the_pile_lasts():
    table = Table(
        [PAIR, DULL[1]], deck="7b 7w", events=["pride_of_the_herd"], piles={"mare": "gM"}, prairie="rS rM bM rF"
    )
    table.lay(catch("rF"), "5g 5y")
    mares = {type_: number for type_, number in table.lying().items() if 5 <= type_ < 10}
    assert mares == counters("gM")
    assert not table.over


@pytest.mark.rule("M22", "M27")
@pytest.mark.parametrize("kind", ["stallion", "mare", "foal"])
def test_a_kind_that_the_indians_took_ends_the_game_and_nobody_finished_it(kind):
    piles = {kind: "wF" if kind == "foal" else ""}
    table = Table([PAIR, DULL[1]], deck="7b 7w", events=["pride_of_the_herd"], piles=piles)
    table.lay(catch_pile("foal"), "5g 5y")
    assert table.ended
    assert not table.cut
    assert table.scores == [1, 0]
    assert table.record["finisher"] == -1


@pytest.mark.rule("M22")
def test_special_horses_that_leave_end_nothing():
    table = with_event("pride_of_the_herd", prairie="rS rM rF SW")
    assert table.seat == 1


@pytest.mark.rule("M23")
def test_heavy_rain_moves_none_one_or_two_counters_one_after_the_other():
    corrals = {0: "rM bM gM", 1: "rF", 2: "BP SW"}
    table = with_event("heavy_rain", players=3, dealer=0, corrals=corrals, prairie="rS yM yF")
    assert (table.phase, table.seat) == (RAIN, 0)
    assert table.legal == {corral("rM"), corral("bM"), corral("gM"), corral("wF"), A_DECLINE}
    assert table.sees(0, "rain_moves") == [2]
    table.do(corral("wF"))
    assert (table.phase, table.seat) == (RAIN, 0)
    assert table.sees(0, "rain_moves") == [1]
    table.do(corral("rM"))
    assert (table.phase, table.seat) == (RAIN, 1)
    table.do(A_DECLINE)
    assert (table.phase, table.seat) == (RAIN, 2)
    table.do(corral("BP")).do(A_DECLINE)
    assert table.between_turns
    assert [table.ranch("stable", seat) for seat in range(3)] == [counters("rM wF"), Counter(), counters("BP")]
    assert [table.ranch("corral", seat) for seat in range(3)] == [counters("bM gM"), counters("rF"), counters("SW")]


@pytest.mark.rule("M23")
def test_a_third_counter_stays_in_the_rain():
    table = with_event("heavy_rain", corrals={0: "rM bM gM"}, prairie="rS yM yF")
    table.do(corral("rM")).do(corral("bM"))
    assert table.between_turns
    assert table.ranch("corral", 0) == counters("gM wF")


HERD_BUT_ONE = "rS rM bM rF bF"


@pytest.mark.rule("M23", "M26a", "M27")
def test_all_players_complete_the_rain_and_the_first_herd_has_finished_the_game():
    table = with_event(
        "heavy_rain",
        players=3,
        dealer=1,
        corrals={0: "gF", 1: "bS yF", 2: "gM yM"},
        stables={0: HERD_BUT_ONE, 1: "gS gM yM rF bF"},
        prairie="yS wM yF BP SW",
    )
    assert table.seat == 1
    table.do(corral("yF"))
    assert not table.over  # a herd is there, and the rain goes on
    table.do(A_DECLINE)
    assert (table.phase, table.seat) == (RAIN, 2)
    table.do(corral("gM")).do(corral("yM"))
    assert (table.phase, table.seat) == (RAIN, 0)
    table.do(corral("gF"))
    assert not table.over
    table.do(A_DECLINE)
    assert table.ended
    assert table.record["finisher"] == 1
    assert table.scores == [10 + 2 + 1, 3 + 4 + 3 + 3 + 2 + 3, 4]


@pytest.mark.rule("M23")
def test_the_last_one_in_the_rain_may_finish_the_game():
    table = with_event("heavy_rain", dealer=1, corrals={0: "gF"}, stables={0: HERD_BUT_ONE}, prairie="yS wM yF BP SW")
    assert table.seat == 0
    table.do(corral("gF")).do(corral("wF"))
    assert table.ended
    assert table.record["finisher"] == 0


@pytest.mark.rule("M24")
def test_a_delivery_brings_the_top_foals_from_the_dealer_clockwise():
    stables = {0: "rS bM", 1: "rM bS", 2: "gS gS", 3: "yS yM"}
    hands = [PAIR, *DULL[1:4]]
    foals = {"foal": "wF yF gF bF"}
    table = Table(hands, deck="7b 7w", events=["delivery"], dealer=3, stables=stables, tops=foals, prairie="wS wM rF")
    table.lay(catch_pile("foal"), "5g 5y")
    assert [table.ranch("corral", seat) for seat in range(4)] == [
        counters("wF gF"), counters("bF"), Counter(), counters("yF"),
    ]  # fmt: skip
    assert table.lying() == counters("wS wM rF")
    assert table.seat == 1


@pytest.mark.rule("M24", "M26")
def test_a_delivery_lasts_as_long_as_the_pile_and_ends_nothing():
    table = Table(
        [PAIR, DULL[1]],
        deck="7b 7w",
        events=["delivery"],
        dealer=1,
        stables={0: "rS bM", 1: "bS rM"},
        piles={"foal": "wF yF"},
        prairie="gS gM rF bF",
    )
    table.lay(catch_pile("foal"), "5g 5y")
    assert table.ranch("corral", 1) == counters("yF")
    assert table.ranch("corral", 0) == counters("wF")
    assert table.lying() == counters("gS gM rF bF")
    assert not table.over


@pytest.mark.rule("M24")
def test_a_delivery_counts_the_stable_alone():
    table = with_event("delivery", corrals={0: "rS", 1: "bS bM"}, stables={0: "rM"}, prairie="gS gM rF")
    assert table.ranch("corral", 0) == counters("rS wF")
    assert table.ranch("corral", 1) == counters("bS bM")


@pytest.mark.rule("M24", "M26")
def test_special_horses_are_neither_stallion_nor_mare_for_a_delivery():
    table = with_event("delivery", stables={0: "BP rM", 1: "bS SW"}, prairie="gS gM rF")
    assert table.ranch("corral", 0) == counters("wF")
    assert table.ranch("corral", 1) == Counter()


@pytest.mark.rule("M25")
def test_a_sunny_day_changes_nothing():
    table = with_event("sunny_day", corrals={1: "rM bM"}, stables={0: "rS"})
    assert table.lying() == counters("rS rM rF BP SW")
    assert table.ranch("corral", 1) == counters("rM bM")
    assert table.seat == 1


# --- the end -------------------------------------------------------------------------------------------------------

LAST = [("stallion", "rS", "3r 3b 3g 3y"), ("mare", "rM", "3r 3b 3g"), ("foal", "rF", "3r 3b")]


@pytest.mark.rule("M26", "M27")
@pytest.mark.parametrize(("kind", "word", "laid"), LAST)
def test_the_last_counter_of_a_kind_ends_the_game(kind, word, laid):
    table = Table([RICH, OTHER], piles={kind: ""})
    table.lay(catch(word), laid)
    assert table.ended
    assert table.seat == -1
    assert table.record["finisher"] == 0
    assert table.scores[0] == {"rS": 3, "rM": 2, "rF": 1}[word] + 3


@pytest.mark.rule("M26")
@pytest.mark.parametrize(("kind", "word", "laid"), LAST)
def test_a_kind_with_a_counter_left_face_up_or_in_its_pile_goes_on(kind, word, laid):
    last = {"stallion": "wS", "mare": "wM", "foal": "wF"}[kind]
    hands = [RICH, OTHER]
    assert not Table(hands, piles={kind: last}).lay(catch_pile(kind), laid).over
    table = Table(hands, piles={kind: last}).lay(catch(word), laid)
    assert not table.over
    assert table.lying()[counter(last)] == 1


@pytest.mark.rule("M26")
def test_the_last_counter_may_come_from_the_pile():
    table = Table([PAIR, DULL[1]], prairie="rS rM BP SW", piles={"foal": "wF"})
    assert table.lay(catch_pile("foal"), "5g 5y").ended


@pytest.mark.rule("M26", "M16")
def test_a_herd_in_the_stable_ends_the_game():
    table = Table(3, corrals={0: "gF wM"}, stables={0: HERD_BUT_ONE}, prairie="yS yM yF BP SW")
    table.do(corral("gF"))
    assert table.ended
    assert table.record["finisher"] == 0
    assert table.record["turn"] == 0


@pytest.mark.rule("M26")
@pytest.mark.parametrize(
    ("stable", "moved"),
    [("rS rM bM rF bF", "gM"), ("rM bM rF bF gF", "BP"), ("rS rM rF bF gF", "SW"), ("rS bS rF bF gF", "rM")],
)
def test_what_is_no_herd(stable, moved):
    table = Table(2, corrals={0: moved}, stables={0: stable}, prairie="yS yM yF")
    assert not table.do(corral(moved)).over


@pytest.mark.rule("M26")
def test_a_herd_outside_the_stable_ends_nothing():
    table = Table([PAIR, DULL[1]], corrals={0: HERD_BUT_ONE}, prairie="yS yM gF BP SW")
    assert not table.lay(catch("gF"), "5g 5y").over


@pytest.mark.rule("M26a")
def test_at_once_is_before_anything_is_turned_up_or_drawn():
    table = Table([RICH, OTHER], prairie="rS rM rF BP SW", piles={"mare": ""}, deck="7b 7w")
    used, deck, events = table.used, table.deck, table.event_deck
    table.lay(catch("rM"), "3r 3b 3g")
    assert table.ended
    assert table.deck == deck
    assert table.used == used + Counter(cards("3r 3b 3g"))
    assert table.hand(0) == "3y 7r 8b"
    assert table.event_deck == events
    assert table.record["turn"] == 0


@pytest.mark.rule("M26a", "M16")
def test_a_herd_ends_the_game_before_the_next_turn():
    table = Table(2, corrals={0: "gF"}, stables={0: HERD_BUT_ONE}, prairie="yS yM yF BP SW", max_turns=1)
    table.do(corral("gF"))
    assert table.ended
    assert not table.cut


# --- score ---------------------------------------------------------------------------------------------------------


@pytest.mark.rule("M27")
@pytest.mark.parametrize(
    ("in_corral", "in_stable", "score"),
    [
        ("", "", 0),
        ("BP", "", 5),
        ("", "SW", 5),
        ("rS", "", 3),
        ("rM", "", 2),
        ("rF", "", 1),
        ("BP SW rS rM rF", "", 16),
        ("bF gF", "yF yF", 4),
        ("", "rS rM", 7),
        ("", "rS rM rM", 9),
        ("", "rS bM", 5),
        ("", "rS rM bS bM", 12),
        ("rS", "rM", 5),
        ("rM", "rS", 5),
        ("", "BP rM", 7),
        ("", "rS SW", 8),
    ],
)
def test_points(in_corral, in_stable, score):
    table = standing(corrals={0: in_corral}, stables={0: in_stable}, prairie="yS yM yF")
    assert table.scores == [score, 0]
    assert table.sees(1, "points") == [0, score, 0, 0, 0]


@pytest.mark.rule("M27")
@pytest.mark.parametrize(
    ("stable", "moved", "score"),
    [
        ("rS rM rM rF rF", "rF", 10 + 7 + 3),
        ("rS rM rM rF rF bS", "rF", 13 + 7 + 3),  # whatever else stands there
        ("rS rM rM rF rF BP", "rF", 15 + 7 + 3),
        ("rS rM rM rF rF", "bF", 10 + 2 + 3),
        ("rS rM bM rF rF", "rF", 10 + 2 + 3),
        ("rS bM gM rF bF", "gF", 10 + 3),
        ("rS bS bM bM bF rF", "bF", 13 + 2 + 3),
    ],
)
def test_a_herd_of_one_suit_adds_seven_and_not_two_beside(stable, moved, score):
    table = Table(2, corrals={0: moved}, stables={0: stable}, prairie="yS yM yF")
    table.do(corral(moved))
    assert table.ended
    assert table.scores == [score, 0]


@pytest.mark.rule("M27")
def test_the_herds_foals_may_be_the_fourth_of_their_suit():
    table = Table(2, corrals={0: "rM"}, stables={0: "rS rM rF rF rF rF"}, prairie="yS yM yF")
    assert table.do(corral("rM")).scores == [3 + 4 + 4 + 7 + 3, 0]


@pytest.mark.rule("M28")
@pytest.mark.parametrize(
    ("ranches", "ranks"),
    [
        ({0: "rF", 1: "bF bF", 2: "gF gF gF"}, [2, 1, 0]),
        ({0: "rS bM", 1: "BP", 2: "rF rF rF rF gF"}, [1, 0, 2]),  # five points each: the special horse
        ({0: "rS yS", 1: "BP gF", 2: "SW bF"}, [2, 0, 0]),  # a special horse each, no stallion: shared
        ({0: "rS bM", 1: "bM bM gF", 2: "bS wF wF"}, [0, 2, 0]),  # a stallion each: shared
        ({0: "rS bS yM", 1: "BP gS", 2: "SW gM gF"}, [2, 0, 1]),  # eight each, one each: then stallions
        ({0: "BP SW", 1: "rS bS gS wF", 2: "rS bS yF gS"}, [0, 1, 1]),
    ],
)
def test_ties_go_to_a_special_horse_then_to_stallions(ranches, ranks):
    table = standing(hands=3, stables=ranches, prairie="yS yM yF")
    assert table.ranks == ranks
    assert table.batch.winners[0, :3].tolist() == [rank == 0 for rank in ranks]


@pytest.mark.rule("M28")
def test_both_special_horses_are_no_better_than_one():
    table = standing(hands=3, stables={0: "BP rF", 1: "SW bF", 2: "gF"}, prairie="yS yM yF")
    assert table.ranks == [0, 0, 2]
    table = standing(hands=3, stables={0: "BP SW", 1: "rS bS gS wF", 2: "gF"}, prairie="yS yM yF")
    assert table.ranks == [0, 1, 2]


@pytest.mark.rule("M28")
def test_only_stallions_in_the_stable_break_ties():
    table = standing(hands=2, corrals={0: "rS"}, stables={1: "bS"}, prairie="yS yM yF")
    assert table.ranks == [1, 0]


@pytest.mark.rule("M28")
def test_special_horses_count_in_the_corral_too():
    table = standing(hands=2, corrals={0: "BP"}, stables={1: "bS gM"}, prairie="yS yM yF")
    assert table.ranks == [0, 1]


# --- cut -----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("M29")
@pytest.mark.parametrize("players", [2, 5])
def test_a_game_is_cut_after_so_many_turns_of_all_seats(players):
    table = Table(players, max_turns=7)
    for turn in range(7):
        assert not table.over
        assert table.record["turn"] == turn
        table.swap(table.hand(table.seat).split()[0])
    assert table.cut
    assert not table.ended
    assert table.record["turn"] == 7


@pytest.mark.rule("M29")
def test_a_cut_game_is_scored_as_it_stands_without_the_finishing_bonus():
    table = standing(stables={0: "rS rM", 1: "BP"}, prairie="yS yM yF")
    assert table.scores == [7, 5]
    assert table.batch.rewards[0, :2].tolist() == [1, -1]


@pytest.mark.rule("M29")
def test_the_cut_waits_for_the_turns_event():
    table = with_event("rotten_gate", corrals={1: "rM bM"}, max_turns=1)
    assert not table.over
    assert table.phase == GATE
    table.do(corral("rM"))
    assert table.cut
    assert table.scores == [0, 2]


@pytest.mark.rule("M29", "M26")
def test_a_game_that_ends_in_its_last_turn_has_ended():
    table = Table([PAIR, DULL[1]], piles={"foal": ""}, max_turns=1)
    table.lay(catch("rF"), "5g 5y")
    assert table.ended
    assert not table.cut
    assert table.scores == [4, 0]


@pytest.mark.rule("M29", "M22")
def test_an_event_that_ends_the_game_comes_before_the_cut():
    table = Table([PAIR, DULL[1]], deck="7b 7w", events=["pride_of_the_herd"], piles={"mare": ""}, max_turns=1)
    table.lay(catch("rF"), "5g 5y")
    assert table.ended
    assert not table.cut


@pytest.mark.rule("M29")
def test_a_thousand_turns_are_the_default_and_one_the_least():
    assert Batch(GAME, seed=0).states["max_turns"][0] == 1000
    with pytest.raises(TypeError, match="from 1"):
        Batch(GAME, seed=0, max_turns=0)


# --- what a player knows -------------------------------------------------------------------------------------------


@pytest.mark.rule("M11", "M14")
def test_a_target_is_hidden_until_the_cards_are_laid():
    hands = [RICH, OTHER, "1g 2y 3w 5r 6b 8g"]
    corrals = {1: "rF gF"}
    undecided = Table(hands, corrals=corrals)
    views = [undecided.batch.observe(seat)[0] for seat in (1, 2)]
    for target in (catch("rF"), steal(1, "gF"), catch_pile("mare"), A_SWAP):
        table = Table(hands, corrals=corrals).do(target)
        assert table.seat == 0
        assert np.array_equal([table.batch.observe(seat)[0] for seat in (1, 2)], views)
    assert len({Table(hands, corrals=corrals).do(t).batch.observe(0).tobytes() for t in (catch("rF"), A_SWAP)}) == 2


@pytest.mark.rule("M14", "M18")
def test_a_theft_that_waits_is_seen_by_all():
    hands = [PAIR, "6r 6b 1b 2g 3y 4w", "1g 2y 3w 5r 7g 8g"]
    table = Table(hands, corrals={1: "rF"}).lay(steal(1, "rF"), "5g 5y")
    for seat in range(3):
        assert table.sees(seat, "phase")[ANSWER] == 1
        assert table.sees(seat, "asked")[(1 - seat) % 3] == 1
        assert table.sees(seat, "last_type")[counter("rF")] == 1
        assert table.sees(seat, "last_owner")[(1 - seat) % 3] == 1
        assert table.sees(seat, "last_value") == [5]
        assert [card for card, number in enumerate(table.sees(seat, "last_cards")) if number] == cards("5g 5y")
        assert [card for card, number in enumerate(table.sees(seat, "used")) if number] == cards("5g 5y")


@pytest.mark.rule("M12", "M11")
def test_all_counters_on_the_piles_are_possible_tops_after_determinize():
    table = Table([PAIR, DULL[1]])
    copies = table.batch.determinize(0, 0, np.zeros(400, int))
    tops = np.unique(copies.states["pile"][:, 2, 20 - len(table.pile("foal"))])
    assert tops.tolist() == [10, 11, 12, 13, 14]
    assert A_PILE + 2 in table.legal
