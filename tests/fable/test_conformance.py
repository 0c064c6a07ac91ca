"""Fable passes the conformance suite, and faults planted in it are reported."""

from __future__ import annotations

import dataclasses
from functools import cache
from typing import Any

import numpy as np
import pytest

from fable_env import GAME
from tablezoo import Batch
from tablezoo.game import Game, kernel
from tablezoo.testing import CHECKS, ConformanceError, Report, check_game
from tests.fable.places import LAST, LATE, MIDDLE, played
from tests.oracles.fable import (
    ANY,
    BUY,
    CARD,
    CARDS_HELD,
    FRUIT,
    FRUITS,
    GO_ON,
    IN_PLAY,
    LEAST_STACKS,
    LOCATIONS,
    NUMBERED,
    PHASES,
    PLAYER,
    SPEND,
    STACK,
    STEPS,
    STOP,
    TURN_TOKENS,
    TYPES,
    USE,
    WILD_TOKENS,
    Location,
    can_pay,
    in_order,
    location_of,
    locations_in,
    payable,
)
from tests.oracles.fable_duel import Duel

# --- the record, read independently ----------------------------------------------------------------------------------


_READ: dict[tuple[bytes, ...], list[Location]] = {}


def locations_of(content: Any) -> list[Location]:
    """The oracle's locations of a content record; each set is read once."""
    key = tuple(content[name].tobytes() for name in ("step", "number", "fruit", "price"))
    if key not in _READ:
        _READ[key] = locations_in(content)
    return _READ[key]


def phase_of(record: Any) -> str:
    """What is decided."""
    return PHASES[int(frame_of(record)[0])] if record["pending_size"] else "move"


def frame_of(record: Any) -> list[int]:
    frame: list[int] = record["pending"][max(int(record["pending_size"]) - 1, 0)].tolist()
    return frame


def running_step(record: Any, locations: list[Location]) -> Any:
    """The step of the topmost action under way."""
    for kind, _, location, to_come, *_ in reversed(record["pending"][: int(record["pending_size"])].tolist()):
        if PHASES[kind] == "run":
            return locations[location].steps[to_come - 1]
    return None


def items_of(record: Any, seat: int) -> list[int]:
    """What can pay in a purchase: cards, then tokens (F24, F25)."""
    tokens = [int(owner == seat) for owner in record["token_owner"]]
    return [*record["hand"][seat].tolist(), *tokens, int(record["wild_tokens"][seat])]


# --- the game, told independently ------------------------------------------------------------------------------------


def things(record: Any, content: Any) -> dict[str, Any]:
    """How many of each fruit and mix there are anywhere (F3, F4), and what else must hold of all that there is."""
    players = int(record["num_players"])
    cards = record["hand"][:players].astype(int).sum(axis=0)
    for card in record["aside"][:players]:
        cards[int(card)] += card >= 0
    fruits = record["fruit_stack"].astype(int) + record["discards"] + record["turned"]
    owners = record["token_owner"].tolist()
    return {
        "fruits": (cards[:FRUITS] + fruits).tolist(),
        "mixes": (cards[FRUITS:] + record["mix_stack"]).tolist(),
        "sizes": bool((record["hand"].sum(axis=1) == record["hand_size"]).all()),
        "fruit tokens": all(-1 <= owner < players for owner in owners),
        "wild tokens": int(record["wild_tokens"].sum()) <= WILD_TOKENS,
        "double-turn tokens": int(record["turn_tokens"].sum()) <= TURN_TOKENS,
        "absent": not any(record[name][players:].any() for name in ("hand", "hand_size", "juices", "wild_tokens")),
        "locations": _locations_are_right(record),
    }


def _locations_are_right(record: Any) -> bool:
    """F11, F12: what lay there, and what was turned up since, still lies there or was bought."""
    cards = record["cards"].astype(int)
    listed = [*np.flatnonzero(cards).tolist(), *[LOCATIONS] * IN_PLAY][:IN_PLAY]
    if record["stacks"].tolist() != listed or record["num_stacks"] != np.count_nonzero(cards):
        return False
    if record["ended"]:  # the campaign has gone on (F18), or is over (F21)
        over = np.count_nonzero(cards) < LEAST_STACKS
        kept = record["campaign_cards"].tolist(), int(record["campaign_drawn"])
        return kept == (([0] * LOCATIONS, 0) if over else (cards.tolist(), int(record["drawn"])))
    before, now = int(record["campaign_drawn"]), int(record["drawn"])
    turned_up = np.bincount([location_of(card) for card in range(before, now)], minlength=LOCATIONS)
    bought = record["campaign_cards"] + turned_up - cards
    juices = int(record["juices"].sum())
    refilled = now - before == juices or (now == NUMBERED and now - before < juices)
    return bool((bought >= 0).all() and bought.sum() == juices and refilled)


def legal(record: Any, content: Any) -> set[int]:
    """What the seat asked may do, by what the oracle knows of payments and of choosing cards in order."""
    locations = locations_of(content)
    seat, phase = int(record["seat"]), phase_of(record)
    _, _, a, b, c, _ = frame_of(record)
    hand = record["hand"][seat].tolist()
    in_play = list(enumerate(np.flatnonzero(record["cards"]).tolist()))
    if phase == "move":  # F6
        return {STACK + slot for slot, location in in_play if location != record["animal"][seat]}
    if phase == "host":  # F7
        return {PLAYER + steps - 1 for steps, other in others_of(record, seat) if a >> other & 1}
    if phase == "visit":  # F8
        return {USE, BUY} if can_pay(locations[a].price(), items_of(record, seat)) else {USE}
    if phase == "pay":
        return {CARD + item for item in what_may_pay(record, locations, seat)}
    if phase in ("give", "discard"):  # F10b
        return {CARD + card for card in in_order(hand, max(c, 0), b)}
    if phase == "refresh":
        return {CARD + card for card in in_order(hand, max(c, 0), 0)} | {STOP}
    if phase == "player":
        return {PLAYER + steps - 1 for steps, other in others_of(record, seat) if can_be_chosen(record, seat, other)}
    if phase == "fruit":
        return {FRUIT + fruit for fruit in fruits_to_name(record, seat)}
    if phase == "stack":
        return {STACK + slot for slot, location in in_play if can_be_named(record, locations, seat, location)}
    if phase == "offer":
        return {CARD + card for card in range(CARDS_HELD) if hand[card] and stands_for(card, c)}
    if phase == "pass":
        return {CARD + card for card in range(CARDS_HELD) if hand[card]}
    return {STOP, GO_ON} if phase == "gamble" else {STOP, SPEND}


def others_of(record: Any, seat: int) -> list[tuple[int, int]]:
    """How many seats clockwise each other player sits, and who it is."""
    players = int(record["num_players"])
    return [(steps, (seat + steps) % players) for steps in range(1, players)]


def stands_for(card: int, fruit: int) -> bool:
    """F27: a mix is either of its types."""
    return fruit == ANY or fruit in TYPES[card]


def what_may_pay(record: Any, locations: list[Location], seat: int) -> list[int]:
    """F10b, F11a."""
    _, _, row, more, *_ = frame_of(record)
    chosen = [item for item, number in enumerate(record["paid"].tolist()) for _ in range(number)]
    if row < LOCATIONS:
        return payable(locations[row].price(more), chosen, items_of(record, seat))
    cost = next(step for step in locations[row - LOCATIONS].steps if step.word == "cost")
    return payable(cost.price, chosen, record["hand"][seat].tolist())


def can_be_chosen(record: Any, seat: int, other: int) -> bool:
    """F10, F10a, F26."""
    step, number = STEPS[frame_of(record)[2]], frame_of(record)[3]
    sizes = record["hand_size"].tolist()
    if step == "swap_hands":
        return bool(sizes[other] <= sizes[seat] + number)
    if step in ("wild_token", "turn_token"):
        return bool(record[f"{step}s"][other])
    return step == "gift" or sizes[other] > 0


def fruits_to_name(record: Any, seat: int) -> list[int]:
    _, _, a, b, c, _ = frame_of(record)
    if STEPS[a] == "salvage":
        return in_order(record["discards"].tolist(), max(c, 0), b)
    if STEPS[a] == "market":
        return [fruit for fruit in range(FRUITS) if record["turned"][fruit]]
    if STEPS[a] == "fruit_token":  # F24
        return [fruit for fruit in range(FRUITS) if record["token_owner"][fruit] != seat]
    return list(range(FRUITS))


def can_be_named(record: Any, locations: list[Location], seat: int, location: int) -> bool:
    step, number = STEPS[frame_of(record)[2]], frame_of(record)[3]
    if step == "order":
        return can_pay(locations[location].price(number), items_of(record, seat))
    return step == "thief" or not locations[location].copies


# --- what is hidden --------------------------------------------------------------------------------------------------

MOST_DEALS = 60


def hide(record: Any, content: Any, seat: int, rng: np.random.Generator) -> None:
    """Deal anew, in place, what the seat cannot know (rules document, *What a player knows*).

    Other hands and the cards aside keep their sizes and, as the mix stack's size is known, their number of mixes. All
    have seen what others have begun: a payment can be completed, the card aside stands for what a trade asks for. That
    another seat is asked tells that it has a choice. Where no such deal is found soon, the game stays as it is.
    """
    before = {name: record[name].copy() for name in ("hand", "aside", "fruit_stack", "mix_stack", "pending")}
    for _ in range(MOST_DEALS):
        _deal_anew(record, seat, rng)
        if _tells_the_same(record, content, seat):
            return
        for name, was in before.items():
            record[name] = was


def _deal_anew(record: Any, seat: int, rng: np.random.Generator) -> None:
    others = [other for _, other in others_of(record, seat)]
    held: list[int] = []
    for other in others:
        held += _spread(record["hand"][other])
        held += [int(record["aside"][other])] * int(record["aside"][other] >= 0)
    rng.shuffle(held)  # which places hold a mix
    fruits = [card for card in held if card < FRUITS] + _spread(record["fruit_stack"])
    mixes = [card for card in held if card >= FRUITS] + _spread(record["mix_stack"], FRUITS)
    rng.shuffle(fruits)
    rng.shuffle(mixes)
    dealt = [(fruits if card < FRUITS else mixes).pop() for card in held]
    record["fruit_stack"] = np.bincount(np.array(fruits, int), minlength=FRUITS)
    record["mix_stack"] = np.bincount(np.array(mixes, int), minlength=CARDS_HELD)[FRUITS:]
    for other in others:
        size = int(record["hand_size"][other])
        record["hand"][other] = np.bincount(np.array(dealt[:size], int), minlength=CARDS_HELD)
        dealt = dealt[size:]
        if record["aside"][other] >= 0:
            record["aside"][other] = dealt.pop(0)
    top = int(record["pending_size"]) - 1
    if top >= 0 and phase_of(record) == "give" and record["pending"][top, 1] != seat:
        record["pending"][top, 4] = -1  # which card went over was not seen


def _spread(counts: Any, first: int = 0) -> list[int]:
    return [first + kind for kind, number in enumerate(counts.tolist()) for _ in range(number)]


def _tells_the_same(record: Any, content: Any, seat: int) -> bool:
    if record["ended"]:
        return True
    _, _, a, _, _, how = frame_of(record)
    if phase_of(record) == "give" and how == 1 and a != seat:
        trade = running_step(record, locations_of(content))
        if not stands_for(int(record["aside"][a]), trade.fruit):
            return False
    return bool(record["seat"] == seat) or len(legal(record, content)) > 1


TOLD: dict[str, Any] = {"conserved": things, "legal": legal, "hide": hide}


@pytest.mark.rule("F3", "F4")
def test_things_are_complete() -> None:
    found = things(Batch(GAME, seed=1).states[0], None)
    assert found.pop("fruits") == [12] * FRUITS
    assert found.pop("mixes") == [1] * (CARDS_HELD - FRUITS)
    assert all(found.values())


def test_what_is_told_of_a_record_is_what_the_oracle_plays() -> None:
    """So that the checks below do not compare the kernels with a mistake."""
    duel = Duel(8, 3, seed=5)
    rng = np.random.default_rng(5)
    for _ in range(150):
        actions = duel.batch.random_actions(rng)
        for lane, oracle in enumerate(duel.oracles):
            if not oracle.over:
                assert legal(duel.batch.states[lane], duel.batch.contents[0].record[0]) == oracle.legal()
        duel.step(actions)


# --- the suite -------------------------------------------------------------------------------------------------------

#: What cannot be said of several games in an episode: turns are counted through, and each game is cut by itself.
OF_ONE_GAME = ("end", "truncation")


def test_fable_passes_every_check() -> None:
    report = check_game(GAME, games=2, **TOLD)
    assert set(report.passed) | set(report.skipped) == set(CHECKS)
    assert set(report.skipped) <= {"sb3_checker", "sb3_lanes"}


@pytest.mark.rule("F17", "F21", "F23")
@pytest.mark.parametrize(
    ("players", "options"),
    [
        ([5], {"stage": MIDDLE.to_json(), "max_turns": 20}),
        ([3], {"stage": LATE.to_json(), "start_seat": 2}),
        ([2], {"campaign": LAST.to_json()}),
        ([4], {"campaign": "continue", "max_turns": 5, "start_seat": 1}),
    ],
    ids=["middle", "late", "last", "continue"],
)
def test_fable_passes_with_options(players: list[int], options: dict[str, Any]) -> None:
    check_game(GAME, players=players, options=[options], games=2, faces=False, processes=False, **TOLD)


@pytest.mark.rule("F21")
def test_fable_passes_where_a_campaign_gives_the_stream() -> None:
    """All lanes are dealt alike then."""
    only = [name for name in CHECKS if name != "streams"]
    options = [{"campaign": MIDDLE.to_json(), "max_turns": 10}]
    check_game(GAME, players=[4], options=options, games=2, faces=False, processes=False, only=only, **TOLD)


@pytest.mark.rule("F22", "F23")
@pytest.mark.parametrize(
    ("players", "options"),
    [
        ([4], {"session": 2, "max_turns": 12}),
        ([3], {"session": 3, "campaign": LAST.to_json(), "stage": LATE.to_json(), "max_turns": 15}),
    ],
    ids=["two_games", "over_a_campaigns_end"],
)
def test_fable_passes_with_sessions(players: list[int], options: dict[str, Any]) -> None:
    only = [name for name in CHECKS if name not in OF_ONE_GAME]
    check_game(GAME, players=players, options=[options], games=2, faces=False, processes=False, only=only, **TOLD)


@pytest.mark.parametrize("content", ["procedural:1", ["original", "procedural:1"]], ids=["procedural", "by_turns"])
def test_fable_passes_with_content(content: Any) -> None:
    options = [{"stage": MIDDLE.to_json(), "max_turns": 20}]
    check_game(GAME, players=[3], options=options, games=2, content=content, faces=False, processes=False, **TOLD)


@pytest.mark.parametrize("players", [2, 3, 5])
def test_games_imagined_leave_who_is_asked_a_choice(players: int) -> None:
    """A seat is asked only when it has a choice, so a game in which it has none looks different to all."""
    wrong: list[str] = []
    for steps in (10, 25, 40, 60):
        batch = played(30, players, steps, seed=steps, stage=MIDDLE)
        for seat in range(players):
            lanes = np.flatnonzero((batch.seat >= 0) & (batch.seat != seat))
            twin = batch.determinize(seat, 7, np.repeat(lanes, 10))
            choices = twin.action_mask.sum(axis=1)
            wrong += [f"{phase_of(twin.states[lane])} for seat {seat}" for lane in np.flatnonzero(choices < 2)]
    assert not wrong, f"{len(wrong)} deals leave no choice: {sorted(set(wrong))}"


# --- planted faults --------------------------------------------------------------------------------------------------

legal_actions, step = GAME.kernels.legal_actions, GAME.kernels.step
observe, determinize = GAME.kernels.observe, GAME.kernels.determinize
O_SIZES = GAME.observation_layout.offset("hand_sizes")


@kernel
def moves_nowhere(s, c, mask):
    """F6 wants another location: here the animal may stay."""
    legal_actions(s, c, mask)
    if s.pending_size == 0:
        for slot in range(int(s.num_stacks)):
            mask[slot] = True


@kernel
def loses_a_discard(s, c, action):
    """F14: a fruit of the discard pile gets lost."""
    step(s, c, action)
    for fruit in range(5):
        if s.ended == 0 and s.discards[fruit] > 1:
            s.discards[fruit] -= 1
            return


@kernel
def sees_bananas_of_others(s, c, seat, out):
    observe(s, c, seat, out)
    other = (seat + 1) % int(s.num_players)
    out[O_SIZES + 1] = int(s.hand_size[other]) + int(s.hand[other, 0])


@kernel
def keeps_bananas_together(s, c, seat):
    """Deals anew, then makes a banana of another hand again what was one before."""
    other = (seat + 1) % int(s.num_players)
    bananas = int(s.hand[other, 0])
    determinize(s, c, seat)
    for _ in range(12):
        for card in range(1, 5):
            if s.hand[other, 0] < bananas and s.hand[other, card] > 0 and s.fruit_stack[0] > 0:
                s.hand[other, 0] += 1
                s.fruit_stack[0] -= 1
                s.hand[other, card] -= 1
                s.fruit_stack[card] += 1


@cache
def found() -> Report:
    """What the suite says of a game with four faults; it is compiled for this alone, so only once."""
    kernels = dataclasses.replace(
        GAME.kernels,
        legal_actions=moves_nowhere,
        step=loses_a_discard,
        observe=sees_bananas_of_others,
        determinize=keeps_bananas_together,
        candidates=None,
    )
    game: Game = dataclasses.replace(GAME, kernels=kernels, package=None)
    only = ["mask_agrees", "conserved", "leak", "determinize_forgets"]
    with pytest.raises(ConformanceError) as raised:
        check_game(
            game, players=[2], options=[{"max_turns": 40}], games=3, faces=False, processes=False, only=only, **TOLD
        )
    report: Report = raised.value.report
    return report


def test_a_mask_bit_too_many_and_a_lost_fruit() -> None:
    report = found()
    assert {"mask_agrees", "conserved"} <= set(report.failed)
    assert "the mask allows" in str(report)


def test_a_leaked_hand_and_a_determinize_that_knows_it() -> None:
    report = found()
    assert {"leak", "determinize_forgets"} <= set(report.failed)
    assert "sees hand_sizes[1] change" in str(report)


@pytest.mark.rule("F6")
def test_a_game_that_is_over_can_be_imagined_too() -> None:
    """Nobody is asked any more, so nothing says that somebody has a choice."""
    batch = Batch(GAME, 8, 3, seed=1, autoreset=False, stage=LAST)
    rng = np.random.default_rng(1)
    while (running := np.flatnonzero(batch.seat >= 0)).size:
        batch.step(batch.random_actions(rng)[running], games=running)
    for seat in range(3):
        imagined = batch.determinize(seat, seed=seat)
        assert (imagined.observe(seat) == batch.observe(seat)).all()
        assert (imagined.seat == -1).all()
        assert (imagined.states["hand_size"] == batch.states["hand_size"]).all()
