"""Mustang's kernels against its oracle: everything compared at each decision, on dealt games and set-up situations.

As a script it compares as many games as asked for: ``python -m tests.mustang.test_oracle --games 100000 --players 2``.
"""

from __future__ import annotations

import argparse
import functools
import time
from collections import Counter
from typing import Any

import numpy as np
import pytest

from mustang_env import GAME
from tablezoo import Batch
from tablezoo.rng import below, seed_streams
from tests.oracles.mustang import (
    BLACK_PRINCE,
    CARDS,
    CATCH,
    CATCH_PILE,
    COPIES,
    CORRAL,
    COWBOY,
    DECK,
    DECLINE,
    SLOT_SETS,
    SNOW_WHITE,
    STEAL,
    SWAP,
    TYPES,
    Oracle,
    Situation,
    combination,
    deal,
)
from tests.oracles.mustang_duel import Duel, random_situation, situation_of, stream_shuffle

ALL_EVENTS = ("rotten_gate", "pride_of_the_herd", "heavy_rain", "delivery", "sunny_day")
GATE, PRIDE, RAIN, DELIVERY, SUNNY = ({event: 2} for event in ALL_EVENTS)

#: Options, and the decisions compared with each and each number of players: first from the deal ...
DEALT: dict[str, tuple[dict[str, Any], int]] = {
    "default": ({}, 15_000),
    "start_seat": ({"start_seat": 1}, 5_000),
    "gate": ({"events": GATE}, 5_000),
    "pride": ({"events": PRIDE}, 5_000),
    "rain": ({"events": RAIN}, 5_000),
    "delivery": ({"events": DELIVERY}, 5_000),
    "twelve_events": ({"events": [*ALL_EVENTS, *ALL_EVENTS, "heavy_rain", "rotten_gate"]}, 5_000),
    "7_turns": ({"max_turns": 7}, 5_000),
    "1_turn": ({"max_turns": 1}, 2_000),
}
#: ... then from the middle of games.
MIDDLE: dict[str, tuple[dict[str, Any], int]] = {
    "default": ({}, 20_000),
    "gate": ({"events": GATE}, 5_000),
    "pride": ({"events": PRIDE}, 5_000),
    "rain": ({"events": RAIN}, 5_000),
    "delivery": ({"events": DELIVERY}, 5_000),
    "40_turns": ({"max_turns": 40}, 5_000),
}
assert 4 * sum(decisions for cases in (DEALT, MIDDLE) for _, decisions in cases.values()) >= 300_000

#: What must have happened from the deal, with the default options ...
COMMON = {
    "swap 1 of a deck of 3", "swap 2 of a deck of 3", "reshuffle within a swap", "catch stallion", "catch mare",
    "catch foal", "catch special", "catch_pile stallion", "catch_pile mare", "catch_pile foal", "theft of a foal",
    "theft of a mare", "theft declined", "theft that nothing beats", "answer of the same kind",
    "answer of a higher kind", "thief discards cowboys", "owner keeps cowboys", "stabled", "new deck",
    "event deck reshuffled", "event 0", "event 1", "event 2", "event 3", "event 4", "gate", "rain, move 1",
    "rain, move 2", "delivered", "several of a kind leave", "special horse leaves the game",
    "catch beside others of the kind", "2 cowboys alone", "herd end", "last counter", "end before an empty deck",
    "end by the pride of the herd",
}  # fmt: skip
#: ... and from the middle besides.
RARE = {
    "swap 1 of a deck of 1", "swap 1 of a deck of 2", "swap 2 of a deck of 1", "swap 2 of a deck of 2",
    "3 cowboys alone", "4 cowboys alone", "theft of a stallion", "theft of a special", "Black Prince stolen",
    "Snow White Mare stolen", "special horse through the gate", "nothing to deliver", "herd in the rain", "truncated",
    "bonus of 2", "bonus of 7",
}  # fmt: skip
OPTION_COVERAGE = {
    "gate": {"event 0", "gate", "event deck reshuffled"},
    "pride": {"event 1", "special horse leaves the game", "end by the pride of the herd", "event deck reshuffled"},
    "rain": {"event 2", "rain, move 2", "event deck reshuffled"},
    "delivery": {"event 3", "delivered", "event deck reshuffled"},
    "7_turns": {"truncated"},
    "1_turn": {"truncated"},
    "40_turns": {"truncated", "herd end", "last counter"},
}


@pytest.mark.parametrize("case", DEALT)
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_dealt_games(players: int, case: str) -> None:
    options, decisions = DEALT[case]
    duel = Duel(16, players, seed=1000 * players, **options)
    duel.run(np.random.default_rng([players, *case.encode()]), decisions)
    _report(duel, f"{players} players, {case}", decisions)
    _assert_happened(duel, COMMON if case == "default" else OPTION_COVERAGE.get(case, set()))
    if case == "1_turn":
        assert duel.happened["truncated"] == duel.games


@pytest.mark.parametrize("case", MIDDLE)
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_from_the_middle(players: int, case: str) -> None:
    options, decisions = MIDDLE[case]
    rng = np.random.default_rng([players, *case.encode()])
    duel = Duel(16, players, players, situations=functools.partial(random_situation, rng), **options)
    duel.run(rng, decisions)
    _report(duel, f"{players} players from the middle, {case}", decisions)
    _assert_happened(duel, COMMON | RARE if case == "default" else OPTION_COVERAGE.get(case, set()))


@pytest.mark.rule("M1", "M2", "M3", "M4", "M6", "M7")
@pytest.mark.parametrize("options", [{}, {"start_seat": 1}, {"events": {"heavy_rain": 3, "delivery": 9}}], ids=str)
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_the_deal_is_the_one_of_the_rules(players: int, options: dict[str, Any]) -> None:
    batch = Batch(GAME, 50, players, seed=3, **options)
    streams = seed_streams(3, 50)
    for record, stream in zip(batch.states, streams, strict=True):
        events = record["events"].tolist()
        draw = functools.partial(below, stream)
        dealt = deal(players, events, stream_shuffle(stream), draw, options.get("start_seat"))
        assert situation_of(record) == dealt
        assert record["rng"].tolist() == stream.tolist()


@pytest.mark.rule("M2", "M3", "M18", "M19")
def test_the_oracle_alone_keeps_all_cards_and_counters() -> None:
    """The oracle plays alone, from a deal of its own, and keeps all cards and counters."""
    rng = np.random.default_rng(0)

    def mixed(things: list[int]) -> list[int]:
        return [int(thing) for thing in rng.permutation(things)]

    for game in range(20):
        oracle = Oracle(deal(2 + game % 4, [1, 1, 1, 1, 2], mixed, lambda n: int(rng.integers(n))), mixed)
        while not oracle.over:
            oracle.step(int(rng.choice(sorted(oracle.legal()))))
            cards = oracle.deck + oracle.used + [card for hand in oracle.hands for card in hand]
            assert sorted(cards) == DECK
            counters = sum([*oracle.corrals, *oracle.stables, oracle.prairie, oracle.removed], Counter())
            counters.update(counter for pile in oracle.piles for counter in pile)
            assert counters == _all_counters()


def _report(duel: Duel, what: str, decisions: int) -> None:
    print(f"{what}: {duel.compared} decisions of {duel.games} games compared")
    assert duel.compared >= decisions
    assert duel.games > 0


def _assert_happened(duel: Duel, expected: set[str]) -> None:
    missing = sorted(what for what in expected if duel.happened[what] == 0)
    assert not missing, f"never happened: {missing}"


# --- set-up situations -----------------------------------------------------------------------------------------------

SUITS = "rbgyw"
STALLIONS, MARES, FOALS = ({suit: 5 * kind + i for i, suit in enumerate(SUITS)} for kind in range(3))


def cards(words: str) -> list[int]:
    """Return a sorted hand from words like ``3r 3b *``: value and suit, a star for a cowboy."""
    return sorted(COWBOY if word == "*" else (int(word[0]) - 1) * 5 + SUITS.index(word[1]) for word in words.split())


def set_of(*slots: int) -> int:
    """Return the action that chooses these hand slots."""
    return CARDS + SLOT_SETS.index(slots)


def chosen_slots(duel: Duel) -> set[tuple[int, ...]]:
    """Return the sets of slots that the seat asked may choose."""
    return {SLOT_SETS[action - CARDS] for action in duel.oracles[0].legal() if CARDS <= action < DECLINE}


def set_up(
    *hands: str,
    deck: int = 10,
    face_up: list[int] | None = None,
    piles: tuple[int, int, int] = (2, 2, 2),
    corrals: list[list[int]] | None = None,
    stables: list[list[int]] | None = None,
    events: dict[str, int] | None = None,
    dealer: int = 0,
    mover: int = 0,
    turn: int = 0,
    max_turns: int = 1000,
) -> Duel:
    """Return a duel of one game in a situation; ``piles`` are sizes, and what is nowhere has left the game."""
    seats = [cards(hand) for hand in hands]
    rest = list((Counter(DECK) - Counter(card for hand in seats for card in hand)).elements())
    composition = [(events or SUNNY).get(event, 0) for event in ALL_EVENTS]
    prairie = Counter([0, 5, 10] if face_up is None else face_up)
    owned = [Counter(counters) for counters in [*(corrals or []), *(stables or [])]]
    left = _all_counters() - sum([*owned, prairie], Counter())
    piled = []
    for kind, size in enumerate(piles):
        of_kind = [counter for counter in left.elements() if counter // 5 == kind and counter < BLACK_PRINCE]
        piled.append(of_kind[:size])
        left -= Counter(of_kind[:size])
    situation = Situation(
        hands=seats,
        deck=rest[:deck],
        used=rest[deck:],
        piles=piled,
        prairie=prairie,
        corrals=[Counter(counters) for counters in corrals or [[]] * len(hands)],
        stables=[Counter(counters) for counters in stables or [[]] * len(hands)],
        removed=left,
        event_deck=[event for event, count in enumerate(composition) for _ in range(count)],
        events=composition,
        dealer=dealer,
        mover=mover,
        turn=turn,
        max_turns=max_turns,
    )
    return Duel(1, len(hands), seed=7, situations=lambda _: situation)


def _all_counters() -> Counter[int]:
    counters = Counter({5 * kind + suit: copies for kind, copies in enumerate(COPIES) for suit in range(5)})
    counters.update([BLACK_PRINCE, SNOW_WHITE])
    return counters


def steal(counter: int, distance: int = 1) -> int:
    return STEAL + (distance - 1) * TYPES + counter


PAIR_OF_THREES = "1g 2y 3r 3b 5w 6g"  # the only combination in it: slots 2 and 3
NOTHING = "1r 2b 4g 5y 7w 8r"
NOTHING_EITHER = "1b 2g 4y 5r 7b 8w"


def event_after_a_theft(event: dict[str, int], **changes: Any) -> Duel:
    """Return a duel in which seat 0 has just stolen foal b from seat 1, which turned up ``event``."""
    duel = set_up(PAIR_OF_THREES, NOTHING, deck=2, events=event, **changes)
    duel.play(steal(FOALS["b"]))
    assert duel.oracles[0].happened["new deck"] == 1
    return duel


@pytest.mark.rule("M8", "M8a", "M20")
@pytest.mark.parametrize(
    ("deck", "slots", "left", "events"),
    [(1, (0,), 1, 0), (1, (0, 5), None, 1), (2, (0, 5), 2, 0), (2, (1,), 2, 0), (3, (0, 1), 3, 0)],
)
def test_swap_of_a_short_deck(deck: int, slots: tuple[int, ...], left: int | None, events: int) -> None:
    duel = set_up(NOTHING, NOTHING_EITHER, deck=deck)
    before = duel.oracles[0].hands[0].copy()
    duel.play(set_of(*slots))  # a swap is all that this hand allows
    oracle = duel.oracles[0]
    assert oracle.deck[-len(slots) :] == [before[slot] for slot in slots]
    assert oracle.happened["event 4"] == events
    # A new deck is all that is not in a hand: 49 less 12.
    assert len(oracle.deck) == (37 if left is None else left)


@pytest.mark.rule("M9", "M10", "M10a")
@pytest.mark.parametrize(
    ("words", "value"),
    [
        ("3r 3b", 3), ("3r 4r", 0), ("7w *", 7), ("* *", 8), ("2r 2b 2g", 2), ("2r * *", 2), ("* * *", 8),
        ("2r 2b 3g", 0), ("8r 8b 8g 8y", 8), ("1r * * *", 1), ("* * * *", 8), ("1r 2r 3r 4r", 0),
        ("1r 2r 3r 4r 5r", 5), ("1r 2r 3r 4r 5b", 0), ("1r * * * 5r", 5), ("1r * * * *", 5), ("1r * * * 6r", 0),
        ("4r 5r 6r 7r *", 8), ("5r 6r 7r 8r *", 8), ("6r 7r 8r * *", 8), ("8r * * * *", 8), ("7r 8r 1r * *", 0),
        ("3r 3r 4r 5r *", 0), ("3r 3b 3g 3y *", 0), ("* * * * *", 8), ("3g 5g * * *", 7),
    ],
)  # fmt: skip
def test_values(words: str, value: int) -> None:
    """The oracle's own values, by hand; the kernels are compared with them in every game."""
    assert combination(cards(words)) == value


@pytest.mark.rule("M10", "M11", "M26")
def test_five_cowboys_catch_a_special_horse_that_ends_nothing() -> None:
    duel = set_up("1r * * * * *", NOTHING_EITHER, face_up=[0, 5, 10, SNOW_WHITE])
    duel.play(CATCH + SNOW_WHITE, set_of(1, 2, 3, 4, 5))
    oracle = duel.oracles[0]
    assert oracle.last is not None
    assert oracle.last.value == 8
    assert oracle.corrals[0] == Counter([SNOW_WHITE])
    assert not oracle.over
    assert sum(oracle.prairie.values()) == 3  # not replaced


@pytest.mark.rule("M13", "M14", "M15")
def test_a_theft_is_answered_by_more_alone() -> None:
    duel = set_up(PAIR_OF_THREES, "3g 3y 4r 4b 4g 8w", corrals=[[], [FOALS["b"]]])
    duel.play(steal(FOALS["b"]))
    assert chosen_slots(duel) == {(2, 3), (2, 4), (3, 4), (2, 3, 4)}
    assert DECLINE in duel.oracles[0].legal()
    duel.play(set_of(2, 3, 4))
    assert duel.oracles[0].corrals == [Counter(), Counter([FOALS["b"]])]


@pytest.mark.rule("M14", "M14a", "M17")
def test_nothing_of_the_same_kind_beats_an_eight() -> None:
    duel = set_up("1g 2y 5r 6b 8r 8b", "1r 2b 4g 6y * *", corrals=[[], [FOALS["b"]]])
    duel.play(steal(FOALS["b"]))
    assert chosen_slots(duel) == {(0, 4, 5), (1, 4, 5), (2, 4, 5), (3, 4, 5)}


@pytest.mark.rule("M14")
def test_a_straight_flush_beats_four_of_a_kind() -> None:
    duel = set_up("1r 2y 8r 8b 8g 8y", "1w 2w 3w 4w 5w 7r", corrals=[[], [STALLIONS["b"]]])
    duel.play(steal(STALLIONS["b"]))
    assert chosen_slots(duel) == {(0, 1, 2, 3, 4)}


@pytest.mark.rule("M13", "M15")
def test_the_black_prince_is_stolen() -> None:
    duel = set_up("1w 2w 3w 4w 5w 7r", "2b 3b 4b 5b * 8w", corrals=[[], [BLACK_PRINCE]])
    duel.play(steal(BLACK_PRINCE))
    assert chosen_slots(duel) == {(0, 1, 2, 3, 5)}  # up to 6
    duel.play(DECLINE)
    assert duel.oracles[0].corrals == [Counter([BLACK_PRINCE]), Counter()]


@pytest.mark.rule("M15", "M18", "M20", "M20a")
def test_an_answered_thief_discards_all_cowboys_before_anyone_draws() -> None:
    duel = set_up("1g 2y 3r 3b * *", "1w 2w 4r 4b 5g *", deck=3, corrals=[[], [FOALS["b"]]])
    before = len(duel.oracles[0].used)
    duel.play(steal(FOALS["b"]), set_of(2, 3), set_of(2, 3))
    oracle = duel.oracles[0]
    assert oracle.last is not None
    assert oracle.last.cowboys == 2
    assert COWBOY in oracle.hands[1]
    assert oracle.used == []  # all six were shuffled into the new deck, of which three were drawn
    assert len(oracle.deck) == before + 6 - 3
    assert oracle.event_discards == [4]


@pytest.mark.rule("M17")
def test_cowboys_are_alike() -> None:
    duel = set_up("1r 1b 2g * * *", NOTHING_EITHER)
    duel.play(SWAP)
    singles = {(0,), (1,), (2,), (3,)}
    pairs = {(0, 1), (0, 2), (1, 2), (0, 3), (1, 3), (2, 3), (3, 4)}
    assert chosen_slots(duel) == singles | pairs


@pytest.mark.rule("M11", "M12", "M26", "M26a", "M27")
def test_the_last_foal_ends_the_game_at_once() -> None:
    duel = set_up(PAIR_OF_THREES, NOTHING, deck=2, face_up=[0, 5, 10], piles=(2, 2, 0), events=PRIDE)
    duel.play(CATCH + 10)
    oracle = duel.oracles[0]
    assert oracle.ended
    assert len(oracle.hands[0]) == 4
    assert len(oracle.deck) == 2
    assert oracle.event_discards == []
    assert duel.batch.scores[0, 0] == 1 + 3


@pytest.mark.rule("M11", "M26")
def test_an_empty_pile_beside_a_face_up_foal_ends_nothing() -> None:
    duel = set_up(PAIR_OF_THREES, NOTHING, piles=(2, 2, 1))
    duel.play(CATCH_PILE + 2)
    assert not duel.oracles[0].over
    assert duel.oracles[0].piles[2] == []


@pytest.mark.rule("M12", "M21")
def test_several_face_up_counters_of_a_kind_are_each_replaced() -> None:
    duel = set_up(PAIR_OF_THREES, NOTHING, face_up=[0, 5, 10, 10, 11], piles=(2, 2, 1))
    duel.play(CATCH + 10)
    oracle = duel.oracles[0]
    assert sum(oracle.prairie[counter] for counter in range(10, 15)) == 3
    assert oracle.piles[2] == []


@pytest.mark.rule("M21")
def test_a_rotten_gate_goes_from_the_dealer_and_takes_special_horses_too() -> None:
    corrals = [[STALLIONS["r"]], [FOALS["b"], BLACK_PRINCE, MARES["g"]]]
    duel = event_after_a_theft(GATE, corrals=corrals, dealer=1)
    oracle = duel.oracles[0]
    assert oracle.asked == 1
    assert oracle.legal() == {CORRAL + BLACK_PRINCE, CORRAL + MARES["g"]}
    duel.play(CORRAL + BLACK_PRINCE)
    assert oracle.asked == 0
    assert oracle.prairie[BLACK_PRINCE] == 1
    duel.play(CORRAL + FOALS["b"])
    assert oracle.asked == 1
    assert oracle.phase == "turn"


@pytest.mark.rule("M22")
def test_the_pride_of_the_herd_is_replaced_one_for_one() -> None:
    up = [0, 5, 10, 10, 12, SNOW_WHITE]
    duel = event_after_a_theft(PRIDE, corrals=[[], [FOALS["b"]]], face_up=up, piles=(2, 2, 2))
    oracle = duel.oracles[0]
    assert not oracle.over
    assert oracle.prairie[SNOW_WHITE] == 0
    assert oracle.removed[SNOW_WHITE] == 1
    assert [len(pile) for pile in oracle.piles] == [1, 1, 0]
    assert sum(oracle.prairie.values()) == 4


@pytest.mark.rule("M22", "M27")
def test_the_pride_of_the_herd_ends_the_game_without_a_bonus() -> None:
    duel = event_after_a_theft(PRIDE, corrals=[[], [FOALS["b"]]], piles=(2, 0, 2))
    assert duel.oracles[0].ended
    assert duel.oracles[0].finisher is None
    assert duel.batch.scores[0].tolist() == [1, 0, 0, 0, 0]


@pytest.mark.rule("M23", "M26a", "M27")
def test_heavy_rain_is_played_to_its_end() -> None:
    herd = [STALLIONS["r"], MARES["r"], MARES["b"], FOALS["r"], FOALS["g"]]
    other = [STALLIONS["b"], MARES["g"], MARES["y"], FOALS["y"], FOALS["w"]]
    corrals = [[FOALS["y"]], [FOALS["b"], FOALS["w"], MARES["w"], MARES["b"]]]
    duel = event_after_a_theft(RAIN, corrals=corrals, stables=[herd, other], dealer=1)
    oracle = duel.oracles[0]
    assert oracle.asked == 1
    duel.play(CORRAL + FOALS["w"])
    assert not oracle.over
    duel.play(CORRAL + MARES["w"])
    assert oracle.asked == 0
    duel.play(CORRAL + FOALS["y"], DECLINE)
    assert oracle.ended
    assert oracle.finisher == 1
    assert oracle.happened["two herds in one rain"] == 1


@pytest.mark.rule("M24")
def test_delivery_goes_from_the_dealer_while_foals_last() -> None:
    stables = [[STALLIONS["r"], MARES["r"]], [STALLIONS["b"], MARES["g"]]]
    duel = event_after_a_theft(DELIVERY, corrals=[[], [FOALS["b"]]], stables=stables, piles=(2, 2, 1), dealer=1)
    oracle = duel.oracles[0]
    assert sum(oracle.corrals[1].values()) == 1
    assert oracle.corrals[0] == Counter([FOALS["b"]])
    assert not oracle.over


@pytest.mark.rule("M24", "M26")
def test_delivery_takes_special_horses_for_neither() -> None:
    stables = [[BLACK_PRINCE, MARES["r"]], [STALLIONS["b"], SNOW_WHITE]]
    duel = event_after_a_theft(DELIVERY, corrals=[[], [FOALS["b"]]], stables=stables)
    assert len(duel.oracles[0].piles[2]) == 2


@pytest.mark.rule("M27", "M28", "M29")
@pytest.mark.parametrize(
    ("stables", "scores", "ranks"),
    [
        # +2 once for a stallion and mares of a suit, though there are two such suits
        ([[0, 5, 1, 6], [0, 6], []], [12, 5, 0], [0, 1, 2]),
        # a special horse decides between equal scores
        ([[BLACK_PRINCE], [10, 11, 12, 7], [SNOW_WHITE]], [5, 5, 5], [0, 2, 0]),
        # then stallions in the stable
        ([[BLACK_PRINCE, 1], [SNOW_WHITE, 5, 10], [0, 2, 7]], [8, 8, 10], [1, 2, 0]),
        ([[0, 1], [5, 6, 7], []], [6, 6, 0], [0, 1, 2]),
        # both special horses are no better than one
        ([[BLACK_PRINCE, SNOW_WHITE], [], []], [10, 0, 0], [0, 1, 1]),
    ],
)
def test_scores_and_ranks(stables: list[list[int]], scores: list[int], ranks: list[int]) -> None:
    duel = set_up(PAIR_OF_THREES, NOTHING, NOTHING_EITHER, stables=stables, max_turns=1)
    duel.play(SWAP, set_of(0))
    assert duel.oracles[0].truncated
    assert duel.batch.scores[0, :3].tolist() == scores
    assert duel.batch.ranks[0, :3].tolist() == ranks


@pytest.mark.rule("M16", "M26", "M27", "M29")
@pytest.mark.parametrize(("mares", "foals", "bonus"), [("rr", "rrr", 7), ("rr", "rrb", 2), ("gb", "bbb", 0)])
def test_a_herd_ends_the_game_in_its_last_turn_too(mares: str, foals: str, bonus: int) -> None:
    stable = [STALLIONS["r"], *(MARES[suit] for suit in mares), *(FOALS[suit] for suit in foals[:2])]
    corrals, stables = [[FOALS[foals[2]]], []], [stable, []]
    duel = set_up(PAIR_OF_THREES, NOTHING, corrals=corrals, stables=stables, face_up=[0, 5, 10], max_turns=1)
    duel.play(CORRAL + FOALS[foals[2]])
    assert duel.oracles[0].ended
    assert not duel.oracles[0].truncated
    assert duel.batch.scores[0, 0] == 3 + 4 + 3 + 3 + bonus


@pytest.mark.rule("M20", "M29")
def test_truncation_comes_after_the_event() -> None:
    duel = event_after_a_theft(RAIN, corrals=[[], [FOALS["b"]]], turn=4, max_turns=5)
    assert not duel.oracles[0].over
    duel.play(DECLINE)
    assert duel.oracles[0].truncated


# --- a long run ------------------------------------------------------------------------------------------------------


def main() -> None:
    parser = argparse.ArgumentParser(description="Compare Mustang's kernels with its oracle.")
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--events", nargs="+", help="event names; the usual ones if left out")
    parser.add_argument("--max-turns", type=int, default=1000)
    parser.add_argument("--every", type=int, default=1, help="compare whole records in one step of so many")
    parser.add_argument("--middle", action="store_true", help="start in the middle of games")
    arguments = parser.parse_args()
    options: dict[str, Any] = {"max_turns": arguments.max_turns, "every": arguments.every}
    if arguments.events:
        options["events"] = arguments.events
    rng = np.random.default_rng(np.random.SeedSequence(arguments.seed))
    situations = functools.partial(random_situation, rng) if arguments.middle else None
    started = time.perf_counter()
    duel = Duel(64, arguments.players, arguments.seed, situations=situations, **options)
    duel.run(rng, games=arguments.games)
    seconds = time.perf_counter() - started
    for what, times in sorted(duel.happened.items()):
        print(f"{times:12,}  {what}")
    print(f"{duel.compared:,} decisions of {duel.games:,} games compared without a difference in {seconds:.0f} s")


if __name__ == "__main__":
    main()
