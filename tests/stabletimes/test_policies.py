"""The policies at Stable Times: greedy plays well, sees nothing hidden, and is the same compiled or not."""

from __future__ import annotations

import itertools
from collections import Counter

import numpy as np
import pytest

from stabletimes_env import GAME
from stabletimes_env.state import PLACE, PLACE_AGAIN
from stabletimes_env.value import standing
from tablezoo import Batch, GreedyPolicy, RandomPolicy
from tablezoo.policies import GREEDY, RANDOM, Policy
from tablezoo.rng import OPPONENTS, seed_streams
from tests.policies import (
    compiled_opponents_decide_as_the_policies_do,
    greedy_beats_random,
    greedy_decides_the_same_whatever_is_hidden,
    greedy_is_legal_and_leaves_the_games_alone,
    random_is_uniform_over_the_legal_actions,
    views_of,
)
from tests.stabletimes.table import EMPTY, RULES_FILE, Table, numbers, played


@pytest.mark.parametrize(("players", "least"), [(2, 0.8), (4, 0.5)])
def test_greedy_beats_random(players: int, least: float) -> None:
    greedy_beats_random(GAME, players, least)


@pytest.mark.rule("S21")
def test_greedy_knows_that_fewer_wild_horses_win_a_tie() -> None:
    batch = Batch(GAME, num_players=2, seed=0)
    record = batch.states[0]
    record["points"][:2] = 7
    for wilds, stand in (((0, 1), [1, -1]), ((2, 1), [-1, 1]), ((1, 1), [0, 0])):
        record["wilds"][:2] = wilds
        assert [standing(batch._records[0], seat) for seat in (0, 1)] == stand


def test_greedy_beats_random_alone() -> None:
    """Over the same deals; a solo game is won by nobody else, so its points are looked at."""
    scored = []
    for code in (RANDOM, GREEDY):
        batch = Batch(GAME, 100, num_players=1, seed=7_000, autoreset=False)
        batch.advance(np.full((100, GAME.max_players), code, np.int8), seed_streams(7_000, 100, OPPONENTS))
        scored.append(batch.scores[:, 0])
    gained = scored[1] - scored[0]
    assert gained.mean() - 1.96 * gained.std(ddof=1) / 10 > 5


@pytest.mark.parametrize("players", [1, 2, 4])
@pytest.mark.parametrize("steps", [0, 10, 20])
def test_greedy_decides_the_same_whatever_is_hidden(players: int, steps: int) -> None:
    greedy_decides_the_same_whatever_is_hidden(played(40, players, steps))


@pytest.mark.parametrize("players", [2, 5])
def test_greedy_decides_the_same_whatever_the_deck_holds(players: int) -> None:
    """The hidden horses of deck and hands change places by hand, not by the game's own deal."""
    batch = played(30, players, 20, content=RULES_FILE)
    views, _ = views_of(batch)
    decided = GreedyPolicy().act(views)
    twin = batch.clone()
    rng = np.random.default_rng(0)
    for record in twin.states:
        hidden = []
        for seat in range(players):
            if seat != record["seat"]:
                hidden += [(record["hand"][seat], slot) for slot in range(3) if known_to_none(record, seat, slot)]
        hidden += [(record["deck"], cell) for cell in range(int(record["deck_size"]))]
        horses = rng.permutation([place[number] for place, number in hidden])
        for (place, number), horse in zip(hidden, horses, strict=True):
            place[number] = horse
        for seat in range(players):
            order = np.argsort(record["hand"][seat])
            for name in ("hand", "shown"):
                record[name][seat] = record[name][seat][order]
    twin.refresh()
    assert not np.array_equal(twin.states["deck"], batch.states["deck"])
    assert not np.array_equal(twin.states["hand"], batch.states["hand"])
    assert np.array_equal(twin.observation, batch.observation)
    assert np.array_equal(GreedyPolicy().act(views_of(twin)[0]), decided)


def known_to_none(record: np.void, seat: int, slot: int) -> bool:
    return bool(record["hand"][seat][slot] != EMPTY and not record["shown"][seat][slot])


def test_greedy_is_legal_and_leaves_the_games_alone() -> None:
    greedy_is_legal_and_leaves_the_games_alone(played(40, 3, 30))


@pytest.mark.parametrize(("policy", "code"), [(RandomPolicy(), RANDOM), (GreedyPolicy(), GREEDY)])
@pytest.mark.parametrize("players", [2, 5])
def test_compiled_opponents_decide_as_the_policies_do(policy: Policy, code: int, players: int) -> None:
    compiled_opponents_decide_as_the_policies_do(GAME, policy, code, players, most=20)


def test_random_is_uniform_over_the_legal_actions() -> None:
    batch = Batch(GAME, 1, num_players=2, seed=5)
    assert batch.action_mask[0].sum() == 28
    random_is_uniform_over_the_legal_actions(batch)


@pytest.mark.rule("S13")
@pytest.mark.parametrize("phase", [PLACE, PLACE_AGAIN])
def test_deals_imagined_leave_who_is_asked_a_choice_and_are_uniform(phase: int) -> None:
    """Every hand that leaves seat 0 a choice comes equally often, and no other does."""
    stable = "a1 a2 a3 | a4 a5 a6 | b1 b2 b3 | c1"
    held = ["c2 c3 d1", "e1 e2 e3"]
    first = 1 if phase == PLACE_AGAIN else 0
    deck = "c4 d2 d3 w1 e4"
    fields = ["d10", "e10", "d11"]
    table = Table(held, fields=fields, stables={0: stable}, phase=phase, first_aisle=first, shown={0: "c3"}, deck=deck)
    copies = table.batch.determinize(1, 5, np.zeros(6000, int))
    fits = 1 if phase == PLACE_AGAIN else 2
    counts = Counter(tuple(hand) for hand in copies.states["hand"][:, 0].tolist())
    hidden = sorted(horse for horse in numbers(f"c2 d1 {deck}"))
    known = numbers("c3")
    possible = [tuple(sorted([*pair, *known])) for pair in itertools.combinations(hidden, 2)]
    placeable = set(numbers("c2 c3 c4 w1"))
    allowed = [hand for hand in possible if sum(horse in placeable for horse in hand) >= fits]
    assert set(counts) == set(allowed)
    expected = 6000 / len(allowed)
    assert sum((counts[hand] - expected) ** 2 / expected for hand in allowed) < 3 * len(allowed)
