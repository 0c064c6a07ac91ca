"""What a person is told of others' decisions is what the seat could see, and no more."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from benchmarks.games.leduc import LEDUC
from fable_env import GAME as FABLE
from fable_env.describe import action_words as fable_words
from fable_env.state import A_USE, VISIT
from mustang_env import GAME as MUSTANG
from mustang_env.describe import phase_of
from mustang_env.state import A_DECLINE, ANSWER, PLAY, TURN
from mustang_env.state import SWAP as CHOOSES_SWAP
from stabletimes_env import GAME as STABLE_TIMES
from stabletimes_env.state import A_STOP
from tablezoo import Batch, Game
from tablezoo.telling import Step, choice_words, notes_of, told_since

WATCHER = 0
GAMES = (MUSTANG, STABLE_TIMES, FABLE)


def content_of(batch: Batch):
    return batch.contents[0].record[0]


def told(batch: Batch, *steps: Step) -> list[str]:
    return told_since(batch.game, steps, WATCHER, content_of(batch))


def decisions(game: Game, players: int, seed: int, number: int = 400, **options) -> Iterator[tuple[Batch, Batch, Step]]:
    """Random play: the batch before and after each decision, and the step."""
    batch = Batch(game, 1, players, seed=seed, autoreset=False, **options)
    rng = np.random.default_rng(seed)
    for _ in range(number):
        if batch.seat[0] < 0:
            return
        before = batch.clone()
        action = int(batch.random_actions(rng)[0])
        batch.step([action])
        yield before, batch, (before.states[0].copy(), action, batch.states[0].copy())


@pytest.mark.parametrize("game", GAMES, ids=str)
def test_where_a_seat_sees_the_same_it_is_told_the_same(game: Game) -> None:
    compared, number = 0, 600 if game is STABLE_TIMES else 150
    options = {"stage": 20} if game is FABLE else {}
    for before, after, step in decisions(game, 3, 11, number, **options):
        action = step[1]
        if before.seat[0] == WATCHER:
            continue
        deals = before.determinize(WATCHER, seed=3, games=np.zeros(8, np.int64))
        lanes = np.flatnonzero((deals.seat == before.seat[0]) & deals.action_mask[:, action])
        earlier = deals.states.copy()
        deals.step(np.full(lanes.size, action), games=lanes)
        for lane in lanes:
            if deals.describe(int(lane), WATCHER) == after.describe(0, WATCHER):
                assert told(before, (earlier[lane], action, deals.states[lane])) == told(before, step)
                compared += 1
    assert compared > 60


@pytest.mark.parametrize("game", GAMES, ids=str)
def test_each_seats_turn_is_told(game: Game) -> None:
    """Over a turn of somebody else's there is always something to tell, and it names whose it was."""
    steps: dict[int, list[Step]] = {}
    batch = Batch(game, 1, 3, seed=5)
    for _, _, step in decisions(game, 3, 5):
        steps.setdefault(int(step[0]["turn"]), []).append(step)
    turns = [turn for turn in sorted(steps)[:-1] if steps[turn][0][0]["seat"] != WATCHER]
    assert len(turns) > 10
    named = sum(any("player_" in line for line in told(batch, *steps[turn])) for turn in turns)
    assert named > 0.9 * len(turns)


def test_a_target_or_a_swap_that_was_only_named_is_not_told() -> None:
    named = [
        told(before, step)
        for before, after, step in decisions(MUSTANG, 3, 2)
        if phase_of(step[0]) == TURN and phase_of(step[2]) in (PLAY, CHOOSES_SWAP) and before.seat[0] == after.seat[0]
    ]
    assert len(named) > 30
    assert not any(named)


def test_an_owner_who_declines_and_one_who_cannot_answer_are_told_alike() -> None:
    alike = 0
    for seed in range(6):
        asked = None
        for before, after, step in decisions(MUSTANG, 3, seed):
            if asked is not None and step[1] == A_DECLINE:
                unasked = (asked[0], asked[1], step[2])
                assert told(before, asked, step) == told(before, unasked)
                assert told(before, asked) == []
                alike += 1
            waits = phase_of(after.states[0]) == ANSWER and WATCHER not in (after.seat[0], before.seat[0])
            asked = step if waits else None
    assert alike > 5


def test_the_owner_is_told_of_a_theft_when_asked() -> None:
    found = [
        told(before, step)
        for seed in range(4)
        for before, after, step in decisions(MUSTANG, 2, seed)
        if phase_of(after.states[0]) == ANSWER and after.seat[0] == WATCHER
    ]
    assert found
    assert all("player_0 has not answered yet" in lines[0] for lines in found)


def test_a_visit_that_could_not_buy_is_told_like_one_that_did_not() -> None:
    """Whether somebody is asked says whether they can pay, which is hidden."""
    alike, last = 0, None
    for before, _, step in decisions(FABLE, 3, 4, stage=8):
        frame = step[0]["pending"][int(step[0]["pending_size"]) - 1]
        asked = step[0]["pending_size"] and frame[0] == VISIT
        if asked and step[1] == A_USE and last is not None and last[0]["seat"] == step[0]["seat"] != WATCHER:
            both, unasked = told(before, last, step), told(before, (last[0], last[1], step[2]))
            if not any("your hand" in line for line in both):
                assert both == unasked
                alike += 1
        last = step
    assert alike > 2


def test_nobody_is_told_to_have_stopped() -> None:
    steps = [(before, step) for before, _, step in decisions(STABLE_TIMES, 3, 1) if step[1] == A_STOP]
    lines = [line for before, step in steps for line in told(before, step)]
    assert lines
    assert not any("stop" in line for line in lines)


def test_own_new_cards_are_told_to_their_owner_alone() -> None:
    for game in GAMES:
        seen = set()
        for before, _, step in decisions(game, 2, 3):
            for seat in (0, 1):
                lines = told_since(game, [step], seat, content_of(before))
                new = [line for line in lines if "New in your hand" in line]
                changed = sorted(step[2]["hand"][seat].tolist()) != sorted(step[0]["hand"][seat].tolist())
                assert not new or changed
                seen |= {seat} if new else set()
        assert seen == {0, 1}


def test_choices_are_told_as_the_picture_has_them() -> None:
    for game in GAMES:
        for before, _, step in decisions(game, 2, 6, 60):
            words = choice_words(game, before.states[0], content_of(before), step[1])
            assert f"  {step[1]}: {words}" in before.describe(0, int(before.seat[0])).splitlines()
    assert FABLE.telling is not None
    assert fable_words is FABLE.telling.choice


def test_events_and_their_counters_are_told() -> None:
    lines = [
        line for seed in range(12) for before, _, step in decisions(MUSTANG, 3, seed) for line in told(before, step)
    ]
    text = "\n".join(lines)
    for words in (
        "Event: rotten gate",
        "Event: heavy rain",
        "Event: pride of the herd",
        "back on the prairie",
        "to the stable",
        "Out of the game",
    ):
        assert words in text


def test_a_session_tells_its_games() -> None:
    lines = [
        line
        for seed in range(3)
        for before, _, step in decisions(FABLE, 2, seed, session=2)
        for line in told(before, step)
    ]
    assert any("Game 1 of the session is over. Victory points: player_0" in line for line in lines)
    assert any("buys the juice of #" in line for line in lines)
    assert any("asks player_" in line or "takes the" in line or "moves to #" in line for line in lines)


def test_fable_explains_its_signs() -> None:
    batch = Batch(FABLE, 1, 2, seed=0)
    lines = notes_of(FABLE, batch.states[0], content_of(batch))
    assert "  #1 The squirrel empties a bough" in lines
    assert "      action: draw 2 fruits" in lines
    assert "      juice:  3 pineapples and 1 fruit of any type" in lines
    assert notes_of(MUSTANG, Batch(MUSTANG, 1, 2, seed=0).states[0], None) == []


def test_a_game_without_words_for_people_says_who_decided() -> None:
    batch = Batch(LEDUC, 1, seed=0, autoreset=False)
    before, action = batch.states[0].copy(), int(batch.action_mask[0].argmax())
    asked = int(batch.seat[0])
    batch.step([action])
    step = (before, action, batch.states[0].copy())
    assert told_since(LEDUC, [step], 1 - asked, None) == [f"player_{asked} decided; this game does not tell what."]
    assert told_since(LEDUC, [step], asked, None) == []
    assert choice_words(LEDUC, before, None, action) == LEDUC.action_label(action)
