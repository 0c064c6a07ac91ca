"""Mustang passes the conformance suite, and faults planted in it are reported."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import pytest

from mustang_env import GAME, rules
from mustang_env.determinize import determinize
from mustang_env.observe import O_DECK, observe
from mustang_env.state import A_DECLINE, COWBOY, EMPTY, HAND
from tablezoo import Batch
from tablezoo.game import Game, kernel
from tablezoo.testing import CHECKS, ConformanceError, Report, check_game
from tests.mustang.table import ANSWER, PLAY, RAIN, SWAP, TURN
from tests.oracles.mustang import CARDS_FOR, CORRAL, Oracle, combination, kind_of, plays, slot_sets
from tests.oracles.mustang_duel import situation_of

TYPE_TOTAL = [2] * 5 + [3] * 5 + [4] * 5 + [1] * 2

# --- the game, told independently ------------------------------------------------------------------------------------


def things(record: Any, content: Any) -> tuple[list[int], list[int], list[int]]:
    """How many of each card, counter and event card there are anywhere."""
    players = int(record["num_players"])
    ring = (int(record["deck_top"]) + np.arange(int(record["deck_size"]))) % 49
    held = np.concatenate([record["deck"][ring], record["hand"][:players].ravel()])
    cards = np.bincount(held, minlength=42)
    cards[:41] += record["used"]
    counters = (
        record["prairie"].astype(int) + record["removed"] + (record["corral"] + record["stable"])[:players].sum(axis=0)
    )
    for kind, total in enumerate((10, 15, 20)):
        down = record["pile"][kind, total - int(record["pile_size"][kind]) : total]
        counters += np.bincount(down, minlength=17)
    events = int(record["events"].sum())
    undrawn = record["event_deck"][int(record["event_turned"]) : events]
    event_cards = record["event_discards"] + np.bincount(undrawn, minlength=5)
    return cards[:41].tolist(), counters.tolist(), event_cards.tolist()


def hide(record: Any, content: Any, seat: int, rng: np.random.Generator) -> None:
    """Deal anew, in place, what the seat cannot know (rules document, *What a player knows*)."""
    others = [other for other in range(int(record["num_players"])) if other != seat]
    top = record["pending"][record["pending_size"] - 1] if record["pending_size"] else None
    if top is not None and record["seat"] != seat and top[0] in (SWAP, PLAY):
        top[:] = 0
        record["pending_size"] -= 1
    ring = (int(record["deck_top"]) + np.arange(int(record["deck_size"]))) % 49
    hands = [record["hand"][other][record["hand"][other] < 41] for other in others]
    cards = rng.permutation(np.concatenate([*hands, record["deck"][ring]]))
    for other, hand in zip(others, hands, strict=True):
        record["hand"][other][: hand.size] = np.sort(cards[: hand.size])
        cards = cards[hand.size :]
    record["deck"][ring] = cards
    for kind, total in enumerate((10, 15, 20)):
        rng.shuffle(record["pile"][kind, total - int(record["pile_size"][kind]) : total])
    rng.shuffle(record["event_deck"][int(record["event_turned"]) : int(record["events"].sum())])


def legal(record: Any, content: Any) -> set[int]:
    """What the seat asked may do, by the oracle's combinations."""
    pending = record["pending"][record["pending_size"] - 1] if record["pending_size"] else [TURN] * 6
    phase, a = int(pending[0]), int(pending[2])
    seat = int(record["seat"])
    hand = tuple(int(card) for card in record["hand"][seat] if card != EMPTY)
    if phase == TURN:
        return Oracle(situation_of(record), shuffle=list).legal()
    if phase == SWAP:
        return {action for action, slots in slot_sets(hand) if len(slots) <= 2}
    if phase == PLAY:
        kind = a - 18 if 18 <= a < 21 else kind_of((a - 1 if a < 18 else a - 21) % 17)
        return {play.action for play in plays(hand) if len(play.slots) == CARDS_FOR[kind]}
    if phase == ANSWER:
        laid = [int(card) for card in record["last_cards"] if card != EMPTY]
        beaten = (len(laid), combination(laid))
        return {play.action for play in plays(hand) if play.strength > beaten} | {A_DECLINE}
    own = {CORRAL + type_ for type_ in range(17) if record["corral"][seat, type_]}
    return own | {A_DECLINE} if phase == RAIN else own


TOLD: dict[str, Any] = {"conserved": things, "legal": legal, "hide": hide}


def test_things_are_complete() -> None:
    cards, counters, events = things(Batch(GAME, seed=1).states[0], None)
    assert cards == [1] * 40 + [9]
    assert counters == TYPE_TOTAL
    assert events == [1, 1, 1, 1, 2]


# --- the suite -------------------------------------------------------------------------------------------------------


def test_mustang_passes_every_check() -> None:
    report = check_game(GAME, games=3, **TOLD)
    assert set(report.passed) | set(report.skipped) == set(CHECKS)
    assert set(report.skipped) <= {"sb3_checker", "sb3_lanes"}


@pytest.mark.parametrize(
    "options",
    [
        {"events": ["rotten_gate", "pride_of_the_herd"], "max_turns": 60},
        {"events": {"heavy_rain": 1, "delivery": 2}, "start_seat": 1},
    ],
)
def test_mustang_passes_with_options(options: dict[str, Any]) -> None:
    check_game(GAME, players=[2, 5], options=[options], games=2, faces=False, processes=False, **TOLD)


# --- planted faults --------------------------------------------------------------------------------------------------


@kernel
def answers_of_equal_value(s, c, mask):
    """M14 wants a strictly higher value: here an equal one will do."""
    rules.legal_actions(s, c, mask)
    if s.pending_size > 0 and s.pending[int(s.pending_size) - 1, 0] == 3:
        rules.allow_sets(s.hand[int(s.seat)], int(s.pending[0, 2]), int(s.pending[0, 3]) - 1, mask)


@kernel
def sees_cowboys_of_others(s, c, seat, out):
    observe(s, c, seat, out)
    cowboys = 0
    for slot in range(HAND):
        cowboys += s.hand[(seat + 1) % int(s.num_players), slot] == COWBOY
    out[O_DECK] += cowboys


@kernel
def loses_swapped_cards(s, c, action):
    swaps = s.pending_size > 0 and s.pending[0, 0] == 1
    rules.step(s, c, action)
    if swaps and s.ended == 0 and s.deck_size > 4:
        s.deck_size -= 1


@kernel
def keeps_the_event_deck(s, c, seat):
    kept = s.event_deck[int(s.event_turned)]
    determinize(s, c, seat)
    for i in range(int(s.event_turned), s.event_deck.size):
        if s.event_deck[i] == kept:
            s.event_deck[i] = s.event_deck[int(s.event_turned)]
            s.event_deck[int(s.event_turned)] = kept
            return


def planted(**kernels: Any) -> Game:
    return dataclasses.replace(GAME, kernels=dataclasses.replace(GAME.kernels, **kernels), package=None)


def found(game: Game, *only: str) -> Report:
    with pytest.raises(ConformanceError) as raised:
        check_game(game, players=[2], games=3, faces=False, processes=False, only=only, **TOLD)
    report: Report = raised.value.report
    return report


def test_a_mask_bit_too_many_and_a_lost_card() -> None:
    game = planted(legal_actions=answers_of_equal_value, step=loses_swapped_cards)
    report = found(game, "mask_agrees", "conserved")
    assert report.failed == ["mask_agrees", "conserved"]
    assert "the mask allows" in str(report)


def test_a_leaked_hand_and_a_determinize_that_knows_the_next_event() -> None:
    game = planted(observe=sees_cowboys_of_others, determinize=keeps_the_event_deck)
    report = found(game, "leak", "determinize_forgets")
    assert report.failed == ["leak", "determinize_forgets"]
    assert "sees deck[0] change" in str(report)
