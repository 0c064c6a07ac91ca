"""The policies at Fable: greedy plays well, sees nothing hidden, and is the same compiled or not."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from fable_env import GAME, Campaign
from fable_env.value import (
    CARD,
    FAR,
    JUICE,
    RIVAL_SHARE,
    SPARE_CARD,
    missing_for_a_juice,
    prospects,
    rival_share,
    standing,
)
from tablezoo import Batch, GreedyPolicy, RandomPolicy, Views
from tablezoo.policies import GREEDY, RANDOM, Policy
from tablezoo.rng import OPPONENTS, seed_streams
from tests.fable.places import LATE, MIDDLE, played
from tests.fable.table import Table
from tests.fable.test_conformance import hide
from tests.policies import (
    compiled_opponents_decide_as_the_policies_do,
    greedy_beats_random,
    greedy_is_legal_and_leaves_the_games_alone,
    random_is_uniform_over_the_legal_actions,
)

PLACES: list[dict[str, Any]] = [{}, {"stage": MIDDLE}, {"stage": LATE}]
each_place = pytest.mark.parametrize("options", PLACES, ids=["first", "middle", "late"])


@pytest.mark.parametrize(("players", "least"), [(2, 0.8), (4, 0.5)])
def test_greedy_beats_random(players: int, least: float) -> None:
    greedy_beats_random(GAME, players, least)


@pytest.mark.parametrize("place", [MIDDLE, LATE], ids=["middle", "late"])
def test_greedy_beats_random_at_later_stages(place: Any) -> None:
    """Over the same deals, in each seat."""
    won = []
    for seat in (0, 1):
        batch = Batch(GAME, 60, 2, seed=7_000, autoreset=False, stage=place)
        codes = np.full((60, GAME.max_players), RANDOM, np.int8)
        codes[:, seat] = GREEDY
        batch.advance(codes, seed_streams(7_000, 60, OPPONENTS))
        won.append(batch.winners[:, seat] / batch.winners.sum(axis=1))
    share = np.mean(won, axis=0)
    assert share.mean() - 1.96 * share.std(ddof=1) / np.sqrt(share.size) >= 0.7


@each_place
@pytest.mark.parametrize("players", [2, 4])
def test_greedy_decides_the_same_whatever_is_hidden(players: int, options: dict[str, Any]) -> None:
    """What is hidden is dealt anew, by the game's own deal and by one told apart from it."""
    for steps in (0, 12, 35, 70):
        batch = played(25, players, steps, **options)
        lanes = np.flatnonzero(batch.seat >= 0)
        decided, streams = decisions(batch, lanes)
        twins = [batch.determinize(batch.seat[lanes], seed, lanes) for seed in (1, 2)]
        twins.append(hidden(batch, lanes))
        changed = 0
        for twin in twins:
            changed += not np.array_equal(twin.states["hand"], batch.states["hand"][lanes])
            assert np.array_equal(twin.observation, batch.observation[lanes])
            their_decisions, their_streams = decisions(twin, np.arange(lanes.size), lanes)
            assert np.array_equal(their_decisions, decided)
            assert np.array_equal(their_streams, streams)
        assert changed == len(twins)


def decisions(batch: Batch, lanes: Any, streams_of: Any = None) -> tuple[Any, Any]:
    """What greedy decides, and how far it has drawn from each lane's stream."""
    named = lanes if streams_of is None else streams_of
    streams = np.zeros((batch.num_games, 2), np.uint64)
    streams[lanes] = seed_streams(0, int(named.max()) + 1, OPPONENTS)[named]
    decided = GreedyPolicy().act(Views(batch, lanes, streams))
    return decided, streams[lanes]


def hidden(batch: Batch, lanes: Any) -> Batch:
    """Copies in which hands, the cards aside and the stacks are dealt anew by hand."""
    twin = batch.clone(lanes)
    rng = np.random.default_rng(3)
    for record in twin.states:
        hide(record, batch.contents[0].record[0], int(record["seat"]), rng)
    twin.refresh()
    return twin


def greedy_turn(table: Table) -> Table:
    """Play what greedy decides until the turn is over."""
    mover, turn = table.moving, table.turn
    while not table.over and (table.seat, table.turn) == (mover, turn):
        streams = seed_streams(0, 1, OPPONENTS)
        table.batch.step(GreedyPolicy().act(Views(table.batch, np.zeros(1, np.int64), streams)))
    return table


@pytest.mark.rule("F11a")
@pytest.mark.parametrize(
    ("held", "missing"),
    [("", 3), ("B", 2), ("C C C C", 2), ("B C C C", 1), ("BC PS", 1), ("B B B C", 0), ("P wild", 1)],
)
def test_greedy_counts_what_is_missing_for_the_nearest_juice(held: str, missing: int) -> None:
    """Whatever else is held: the juice asks for two bananas and a fruit, all others for twelve fruits."""
    cards, tokens = held.removesuffix(" wild"), "wild" * held.endswith(" wild")
    table = Table([cards, "G"], None, {1: "BB*"}, tokens={0: tokens})
    counted = missing_for_a_juice(table.batch._records[0], table.batch._contents[0], 0)
    assert counted == pytest.approx(missing + 0.3 * FAR)


@pytest.mark.rule("F15")
@pytest.mark.parametrize(("juices", "worth"), [(3, 4 * CARD), (4, 4 * CARD), (5, 4 * SPARE_CARD)])
def test_greedy_values_fruits_less_that_no_juice_can_need(juices: int, worth: float) -> None:
    """Two players need five juices; a juice that is still needed asks for five fruits at most."""
    table = Table(["B C G P", "B"], juices={0: juices})
    assert prospects(table.batch._records[0], 0) == pytest.approx(worth + JUICE * juices)


@pytest.mark.rule("F17")
@pytest.mark.parametrize(("turns", "share"), [(0, 1), (60, 1), (75, 0.5), (90, 0), (250, 0)])
def test_greedy_minds_rivals_less_in_a_game_that_drags_on(turns: int, share: float) -> None:
    """The turns of the present game alone count."""
    table = Table(["B", "G"], session=2)
    table.record["turn"], table.record["first_turn"] = 300 + turns, 300
    assert rival_share(table.batch._records[0]) == pytest.approx(share * RIVAL_SHARE)


@pytest.mark.rule("F22", "F23")
@pytest.mark.parametrize("session", [1, 2, 3])
@pytest.mark.parametrize("others", [0, 4])
def test_greedy_buys_the_juice_that_wins_a_game(session: int, others: int) -> None:
    """Also where the next game of a session is dealt at once, with nothing of this one left on the table."""
    hands, juices = ["P", "S", "B B C C G"], {0: others, 1: 2, 2: 3}
    table = Table(hands, {2: "draw 5"}, {1: "BBC"}, juices=juices, mover=2, triggered=others == 4, session=session)
    greedy_turn(table)
    if session == 1:
        assert table.ended
        assert table.juices == [others, 2, 4]
    else:
        assert table.record["game"] == 1
        assert table.record["points"][2] == 2


@pytest.mark.rule("F22", "F23")
def test_at_a_sessions_end_greedy_stands_by_its_points() -> None:
    """Not by who has won the last game."""
    table = Table(["", "B", ""], juices={0: 4}, session=3)
    for points, stand in (((0, 2, 1), [-1, 1, -1]), ((3, 3, 0), [1, 1, -1]), ((4, 3, 0), [1, -1, -1])):
        table.record["points"][:3] = points
        assert [standing(table.batch._records[0], seat) for seat in range(3)] == stand


@each_place
def test_greedy_is_legal_and_leaves_the_games_alone(options: dict[str, Any]) -> None:
    greedy_is_legal_and_leaves_the_games_alone(played(40, 3, 30, **options))


@pytest.mark.parametrize(("policy", "code"), [(RandomPolicy(), RANDOM), (GreedyPolicy(), GREEDY)])
@pytest.mark.parametrize("players", [2, 5])
def test_compiled_opponents_decide_as_the_policies_do(policy: Policy, code: int, players: int) -> None:
    compiled_opponents_decide_as_the_policies_do(GAME, policy, code, players, most=20)


def test_random_is_uniform_over_the_legal_actions() -> None:
    batch = Batch(GAME, 1, num_players=2, seed=5)
    assert batch.action_mask[0].sum() == 6
    random_is_uniform_over_the_legal_actions(batch)


SWAPPED_HANDS = Campaign({34: 1, 37: 3, 38: 4, 39: 4, 40: 4, 41: 4, 42: 4}, drawn=168, games=16)
"""Two seats can draw, take a double turn and swap hands, turn after turn."""
ROBBED_EACH = Campaign({48: 3, 50: 4, 52: 4, 55: 2, 58: 4, 59: 1}, drawn=240, games=20)
"""Five seats can rob all others, turn after turn."""


@pytest.mark.parametrize("players", [2, 5])
@pytest.mark.parametrize("options", [*PLACES, {"stage": SWAPPED_HANDS}, {"stage": ROBBED_EACH}])
def test_greedy_ends_its_games(players: int, options: dict[str, Any]) -> None:
    """Without a cut, all seats greedy, also where robbing brings more than any other turn."""
    batch = Batch(GAME, 12, players, seed=3, autoreset=False, **options)
    codes = np.full((12, GAME.max_players), GREEDY, np.int8)
    batch.advance(codes, seed_streams(3, 12, OPPONENTS))
    assert batch.terminated.all()
    assert not batch.truncated.any()
