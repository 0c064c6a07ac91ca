"""The text picture: all that a person needs to play, and no more than a seat may know.

What is expected is told from the record and from the content file, not with the picture's own words for them.
"""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from collections.abc import Iterator
from functools import cache
from importlib import resources
from typing import Any

import numpy as np
import pytest

from fable_env import GAME
from tablezoo import Batch
from tests.duels import weighted_actions
from tests.fable.places import LAST, LATE, MIDDLE, played
from tests.fable.test_conformance import frame_of, hide, locations_of, phase_of, running_step
from tests.fable.test_observation import ASKED, Onlooker, begin
from tests.oracles.fable import (
    CARD,
    CARDS_HELD,
    FRUIT,
    FRUITS,
    IN_PLAY,
    LOCATIONS,
    MIXES,
    NEEDED,
    NUMBERED,
    PLAYER,
    STACK,
    STEPS,
    STOP,
    TOKEN,
    TURN_TOKENS,
    WILD,
    WILD_TOKENS,
    location_of,
)
from tests.oracles.fable_duel import WAYS

NAMES = ("banana", "coconut", "grapes", "pineapple", "strawberry")
LETTERS = [*"BCGPS", *(f"{'BCGPS'[one]}/{'BCGPS'[other]}" for one, other in MIXES)]


@cache
def file() -> list[dict[str, Any]]:
    """The locations as the content file has them."""
    text = resources.files("fable_env") / "content" / "original.toml"
    return tomllib.loads(text.read_text(encoding="utf-8"))["locations"]


def letters(counts: Any) -> list[str]:
    """Cards as letters, sorted."""
    return sorted(LETTERS[card] for card, number in enumerate(counts) for _ in range(int(number)))


def item_name(item: int) -> str:
    if item == WILD:
        return "wild token"
    if item >= TOKEN:
        return f"{NAMES[item - TOKEN]} token"
    return NAMES[item] if item < FRUITS else "-".join(NAMES[fruit] for fruit in MIXES[item - FRUITS]) + " mix"


# --- reading a picture -----------------------------------------------------------------------------------------------


class Picture:
    """A picture's lines by what they are about."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.lines = text.splitlines()
        self.headline = self.lines[0]
        self.stacks = [line.strip() for line in self.lines if re.match(r"  \[\d+\]", line)]
        self.actions = {int(number): words for number, words in re.findall(r"^  (\d+): (.*)$", text, re.MULTILINE)}
        self.question = next((line for line in self.lines if " is asked " in line), "")

    def line(self, start: str) -> str:
        """The one line that starts so."""
        (found,) = [line for line in self.lines if line.startswith(start)]
        return found

    def has(self, start: str) -> bool:
        return any(line.startswith(start) for line in self.lines)

    def player(self, seat: int) -> list[str]:
        """The lines about a player, stripped."""
        first = next(i for i, line in enumerate(self.lines) if re.match(rf"player_{seat}( \(|:)", line))
        about = [self.lines[first]]
        for line in self.lines[first + 1 :]:
            if not line.startswith("  "):
                break
            about.append(line.strip())
        return about


def positions(players: int, decisions: int, rng: np.random.Generator, **options: Any) -> Iterator[tuple[Batch, int]]:
    """Moments of all kinds, some behind an end, in all phases."""
    batch = Batch(GAME, 12, players, seed=players, autoreset=False, **options)
    ways = WAYS[np.arange(12) % len(WAYS)]
    for decision in range(decisions):
        if decision % 14 == 0:
            batch.reset()
            begin(batch, np.arange(12), rng)
        for lane in range(12):
            yield batch, lane
        batch.step(weighted_actions(batch.action_mask, ways, rng))


def picture_of(batch: Batch, lane: int, seat: int | None) -> Picture:
    return Picture(batch.describe(lane, seat))


# --- the table -------------------------------------------------------------------------------------------------------


@pytest.mark.rule("F2", "F4", "F12", "F15", "F28")
@pytest.mark.parametrize("players", [2, 5])
def test_the_table_is_shown_as_it_lies(players: int) -> None:
    rng = np.random.default_rng([players, 2])
    for batch, lane in positions(players, 28, rng, session=2, max_turns=80):
        picture = picture_of(batch, lane, int(rng.integers(players)))
        record = batch.states[lane]
        _check_headline(picture, record)
        _check_locations(picture, record)
        _check_supply(picture, record)
        for seat in range(players):
            _check_player(picture, record, seat)


def _check_headline(picture: Picture, record: Any) -> None:
    players = int(record["num_players"])
    turns = int(record["turn"]) - int(record["first_turn"])
    assert f"{players} players" in picture.headline
    assert f"{turns} turns done" in picture.headline
    assert f"{int(record['max_turns'])}" in picture.headline
    assert f"{NEEDED[players]} juices" in picture.headline
    assert f"{int(record['game'])} of {int(record['session'])} games done" in picture.headline
    assert ("this round is the last" in picture.headline) == bool(record["triggered"] and not record["ended"])


def _check_locations(picture: Picture, record: Any) -> None:
    in_play = np.flatnonzero(record["cards"]).tolist()
    assert len(picture.stacks) == len(in_play)
    for slot, (line, number) in enumerate(zip(picture.stacks, in_play, strict=True)):
        assert line.startswith(f"[{slot + 1}] {int(record['cards'][number])} x #{number + 1} ")
        _check_card(line, number)
        there = [f"player_{seat}" for seat in range(int(record["num_players"])) if record["animal"][seat] == number]
        thief = f"the thief of player_{int(record['thief_owner'])}"
        there += [thief] if record["thief"] == number else []
        marks = line.partition(" <- ")[2]
        assert sorted(marks.split(", ")) == sorted(there or [""])
    top = picture.line("Location stack: ")
    left = NUMBERED - int(record["drawn"])
    if left:
        assert top.startswith(f"Location stack: {left} cards")
        number = location_of(int(record["drawn"]))
        on_top = sum(location_of(card) == number for card in range(int(record["drawn"]), NUMBERED))
        assert f"next {on_top} x #{number + 1} " in top
        _check_card(top, number)
    else:
        assert "empty" in top


def _check_card(line: str, number: int) -> None:
    """All that stands on a card, as in the content file."""
    location = file()[number]
    assert location["name"] in line
    action = line.partition(location["name"])[2]
    places = [action.index(step) for step in location["action"]]
    assert places == sorted(places)
    (price,) = re.findall(r"; price ([^)]*)\)", action)
    assert signs_in(price) == signs_in(location["price"])


def signs_in(price: str) -> list[str]:
    """The signs of a price, whatever their order."""
    return sorted(re.findall(r"[=≠]\d+|\S", price))


def _check_supply(picture: Picture, record: Any) -> None:
    supply = picture.line("Fruit stack: ")
    assert f"Fruit stack: {int(record['fruit_stack'].sum())};" in supply
    assert f"mix stack: {int(record['mix_stack'].sum())};" in supply
    assert cards_in(supply.partition("discard pile: ")[2]) == letters(record["discards"])
    tokens = picture.line("Tokens to be had: ").partition(": ")[2]
    for fruit, owner in enumerate(record["token_owner"]):
        assert (f"{NAMES[fruit]} token" in tokens) == (owner < 0)
    for kind, name, in_all in (("wild_tokens", "wild", WILD_TOKENS), ("turn_tokens", "double-turn", TURN_TOKENS)):
        left = in_all - int(record[kind].sum())
        assert (f"{left} {name}" in tokens) == (left > 0)
        assert (name in tokens) == (left > 0)
    assert picture.has("Turned up: ") == bool(record["turned"].any())
    if record["turned"].any():
        assert cards_in(picture.line("Turned up: ").partition(": ")[2]) == letters(record["turned"])


def cards_in(text: str) -> list[str]:
    return sorted(word for word in text.split() if word != "none")


def _check_player(picture: Picture, record: Any, seat: int) -> None:
    first, *rest = picture.player(seat)
    about = "\n".join(rest)
    assert f"{int(record['juices'][seat])} juices" in first
    assert ("start seat" in first) == (record["starter"] == seat)
    animal = int(record["animal"][seat])
    assert (f"at #{animal + 1} {file()[animal]['name']}" if animal >= 0 else "off the board") in first
    assert f"hand: {int(record['hand_size'][seat])} cards" in about
    for fruit, owner in enumerate(record["token_owner"]):
        assert (f"{NAMES[fruit]} token" in about) == (owner == seat)
    for kind, name in (("wild_tokens", "wild"), ("turn_tokens", "double-turn")):
        number = int(record[kind][seat])
        assert (f"{number} {name}" in about) == (number > 0)
    assert ("aside:" in about) == (record["aside"][seat] >= 0)
    assert ("thief, idle" in about) == bool(record["thief_owner"] == seat and record["thief"] < 0)
    assert f"victory points: {int(record['points'][seat])}" in about


def test_a_game_of_its_own_has_no_victory_points() -> None:
    picture = picture_of(Batch(GAME, 1, 3, seed=1), 0, 0)
    assert "victory points" not in picture.text
    assert "games done" not in picture.text


# --- hands -----------------------------------------------------------------------------------------------------------


def hand_in(picture: Picture, seat: int) -> list[str]:
    """The cards that a picture shows of a hand."""
    (line,) = [line for line in picture.player(seat) if line.startswith("hand: ")]
    return cards_in(line.partition("cards: ")[2])


@pytest.mark.parametrize("players", [2, 3, 5])
def test_a_seats_picture_shows_its_own_cards_alone(players: int) -> None:
    rng = np.random.default_rng([players, 3])
    for batch, lane in positions(players, 16, rng):
        record = batch.states[lane]
        whole = picture_of(batch, lane, None)
        for seat in range(players):
            own = picture_of(batch, lane, seat)
            assert "you" in own.player(seat)[0]
            for other in range(players):
                cards = letters(record["hand"][other])
                assert hand_in(whole, other) == cards
                assert hand_in(own, other) == (cards if other == seat else [])
                card = int(record["aside"][other])
                if card >= 0:
                    assert f"aside: {LETTERS[card]}" in whole.player(other)
                    assert f"aside: {LETTERS[card] if other == seat else 'one card'}" in own.player(other)
        stacks = whole.line("Fruit stack: ")
        shown = re.findall(r"\(([^)]*)\)", stacks)
        assert [cards_in(text) for text in shown] == [
            letters(record["fruit_stack"]),
            letters([*[0] * FRUITS, *record["mix_stack"]]),
        ]
        assert "(" not in own.line("Fruit stack: ")


@pytest.mark.parametrize("players", [2, 4])
def test_a_seats_picture_is_the_same_whatever_is_hidden_from_it(players: int) -> None:
    rng = np.random.default_rng([players, 4])
    differs = 0
    for batch, lane in positions(players, 10, rng):
        for seat in range(players):
            shown = batch.describe(lane, seat)
            twin = batch.clone([lane])
            hide(twin.states[0], batch.contents[0].record[0], seat, rng)
            twin.refresh()
            assert twin.describe(0, seat) == shown
            assert batch.determinize(seat, 5, [lane]).describe(0, seat) == shown
            differs += twin.describe(0) != batch.describe(lane)
    assert differs > 50


# --- the decision ----------------------------------------------------------------------------------------------------


def words_of(record: Any, action: int) -> str:
    """What an action is called for the one who is asked."""
    if action < IN_PLAY:
        number = int(np.flatnonzero(record["cards"])[action - STACK])
        return f"#{number + 1} {file()[number]['name']}"
    if CARD <= action < PLAYER:
        return item_name(action - CARD)
    if PLAYER <= action < FRUIT:
        return f"player_{(int(record['seat']) + action - PLAYER + 1) % int(record['num_players'])}"
    if FRUIT <= action < STOP:
        return NAMES[action - FRUIT]
    return GAME.action_label(action)


#: What the question must tell in each phase, beside who is asked.
ABOUT = {
    "move": "move",
    "host": "host",
    "visit": "action.*juice",
    "pay": "pay",
    "give": "give",
    "discard": "discard",
    "refresh": "discard",
    "gamble": "turn up",
    "offer": "give",
    "pass": "left",
    "extra": "turn",
}
#: ... and where a player, a fruit or a stack is named, for what.
FOR_STEP = {
    "gift": "give", "trade": "trade", "swap": "swap", "swap_hands": "swap hands", "steal": "steal", "ask": "ask",
    "market": "turned up", "salvage": "discard pile", "thief": "thief", "copy": "action", "order": "juice",
    "fruit_token": "fruit token", "wild_token": "wild token", "turn_token": "(turn|double-turn) token",
}  # fmt: skip


@pytest.mark.parametrize("players", [2, 3, 5])
def test_who_is_asked_reads_what_is_decided_and_what_may_be_done(players: int) -> None:
    rng = np.random.default_rng([players, 5])
    phases: Counter[str] = Counter()
    there = {phase for phase in ASKED if phase not in ("host", "player") or players > 2}
    for batch, lane in positions(players, 400, rng):
        if phases.total() > 500 and there <= set(phases):
            return
        record = batch.states[lane]
        if record["ended"]:
            continue
        asked = int(record["seat"])
        picture = picture_of(batch, lane, asked)
        legal = np.flatnonzero(batch.action_mask[lane]).tolist()
        assert picture.actions == {action: words_of(record, action) for action in legal}
        assert picture.actions == picture_of(batch, lane, None).actions
        other = picture_of(batch, lane, (asked + 1) % players)
        assert not other.actions
        assert other.question == picture.question
        assert picture.question.startswith(f"player_{asked} is asked ")
        _check_question(picture.question, record)
        phases[phase_of(record)] += 1
    raise AssertionError(f"never asked: {there - set(phases)}")


def _check_question(question: str, record: Any) -> None:
    phase = phase_of(record)
    _, _, a, b, c, _ = frame_of(record)
    about = FOR_STEP[STEPS[a]] if phase in ("player", "fruit", "stack") else ABOUT[phase]
    assert re.search(about, question), f"{phase}: {question}"
    if phase in ("give", "offer"):
        assert f"player_{a}" in question
    if phase == "give":
        assert f"{b} to go" in question
    if phase == "offer":
        assert (NAMES[c] if c < FRUITS else "any") in question
    if phase == "fruit" and STEPS[a] == "ask":
        assert f"player_{c}" in question
    if phase == "pay":
        _check_card(question, a % LOCATIONS)
        assert (f"and {b} fruits more" in question) == (b > 0)
        chosen = [item_name(item) for item, number in enumerate(record["paid"]) for _ in range(int(number))]
        told = question.partition("paid so far: ")[2].removesuffix(".")
        assert told == (", ".join(chosen) or "none")


@pytest.mark.parametrize("players", [2, 3])
def test_who_is_asked_reads_how_many_are_to_go_and_of_which_action(players: int) -> None:
    """Else one could not tell the first of three cards from the last one, or whose steps a copy goes through."""
    rng = np.random.default_rng([players, 6])
    missing: dict[str, str] = {}
    for batch, lane in positions(players, 84, rng):
        record = batch.states[lane]
        if record["ended"]:
            continue
        asked = int(record["seat"])
        picture = picture_of(batch, lane, asked)
        onlooker = Onlooker(record, batch.contents[0].record[0], asked)
        (left,) = onlooker.see_left()
        step = running_step(record, locations_of(batch.contents[0].record[0]))
        what = f"{onlooker.phase} {step.word if step else ''}"
        if left and onlooker.phase != "pay" and not re.search(rf"\b{left}\b", picture.question):
            missing[f"{what}: {left} to go"] = picture.question
        here = onlooker.here()
        if step is None or here is None or here == record["animal"][int(record["mover"])]:
            continue
        if f"#{here + 1} " not in picture.question:
            missing[f"{what}: action of a location where the mover is not"] = picture.question
    assert not missing, "\n".join(f"{what}: {question}" for what, question in sorted(missing.items()))


@pytest.mark.parametrize("options", [{}, {"max_turns": 3}, {"session": 2, "max_turns": 5}, {"stage": LAST}])
def test_the_end_is_told(options: dict[str, Any]) -> None:
    batch = played(4, 2, 400, **options)
    for lane in np.flatnonzero(batch.seat < 0):
        picture = picture_of(batch, int(lane), 0)
        assert not picture.question
        assert not picture.actions
        assert picture.lines[-1].startswith("The game ")
        assert ("cut" in picture.lines[-1]) == (batch.states["ended"][lane] == 2)
    assert (batch.seat < 0).any()


@pytest.mark.rule("F18", "F21")
@pytest.mark.parametrize(("place", "game"), [(MIDDLE, 18), (LATE, 53)], ids=["middle", "late"])
def test_the_place_in_the_campaign_is_told(place: Any, game: int) -> None:
    batch = Batch(GAME, 1, 2, seed=1, stage=place, autoreset=False)
    assert f"game {game} of its campaign" in batch.describe(0, 0)
    over = played(1, 2, 600, stage=place)
    assert over.seat[0] < 0
    assert f"game {game} of its campaign" in over.describe(0, 0)


@pytest.mark.rule("F21")
def test_a_game_that_ends_its_campaign_is_told_as_its_last() -> None:
    batch = played(20, 2, 600, stage=LAST)
    over = batch.states["campaign_drawn"] == 0
    told = {lane: picture_of(batch, lane, 0).headline for lane in range(20)}
    assert all(("the last game of its campaign" in told[lane]) == over[lane] for lane in told)
    assert all(("game 59 of its campaign" in told[lane]) != over[lane] for lane in told)
    assert over.any()


def test_other_content_is_shown_by_its_own_names() -> None:
    original, other = (Batch(GAME, 1, 2, seed=1, content=content) for content in ("original", "procedural:1"))
    assert file()[0]["name"] in original.describe(0, 0)
    assert len(picture_of(other, 0, 0).stacks) == 6
    assert picture_of(other, 0, 0).stacks != picture_of(original, 0, 0).stacks


def test_all_cards_have_letters_of_their_own() -> None:
    assert len(set(LETTERS)) == CARDS_HELD
