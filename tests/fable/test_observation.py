"""What a seat sees is what the rules say it knows: every part of the observation, told anew from the record.

What is expected is written from the words of the layouts, part by part, in plain Python.
"""

from __future__ import annotations

import functools
from collections import Counter
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from fable_env import GAME, Campaign, reference
from fable_env.sets import LOCATION_LAYOUT
from tablezoo import Batch
from tests.duels import weighted_actions
from tests.fable.places import LAST, LATE, MIDDLE
from tests.fable.test_conformance import frame_of, items_of, locations_of, phase_of, running_step
from tests.oracles.fable import (
    CARDS_HELD,
    FRUITS,
    IN_PLAY,
    ITEMS,
    LOCATIONS,
    NEEDED,
    NUMBERED,
    PHASES,
    SEATS,
    STEPS,
    Location,
    can_pay,
    location_of,
)
from tests.oracles.fable_duel import WAYS, random_document, random_table, table_of, write_table

LAYOUT = GAME.observation_layout
LAST_STACK = 8
"""F2: cards of the last location."""

Parts = dict[str, Any]


# --- what is seen, told from the record ------------------------------------------------------------------------------


class Onlooker:
    """What ``seat`` sees of a record: a method a part, by the part's name."""

    def __init__(self, record: Any, content: Any, seat: int) -> None:
        self.record = record
        self.seat = seat
        self.players = int(record["num_players"])
        self.clockwise = [(seat + steps) % self.players for steps in range(self.players)]
        self.locations = locations_of(content)
        self.over = bool(record["ended"])
        self.phase = "over" if self.over else phase_of(record)
        _, _, self.a, self.b, self.c, _ = frame_of(record)
        self.in_play = np.flatnonzero(record["cards"]).tolist()
        self.asked_seat = int(record["seat"])

    def sees(self) -> NDArray[np.uint8]:
        """Return all parts, in the layout's order."""
        parts = [np.array(getattr(self, f"see_{part.name}")(), np.uint8) for part in LAYOUT.parts]
        for told, part in zip(parts, LAYOUT.parts, strict=True):
            assert told.size == part.size, part.name
        return np.concatenate([told.ravel() for told in parts])

    def at(self, *seats: int) -> list[int]:
        """Mark seats, the own first, then clockwise."""
        return self.by_seat([int(seat in seats) for seat in range(SEATS)])

    def by_seat(self, numbers: Any) -> list[int]:
        return [*(int(numbers[seat]) for seat in self.clockwise), *[0] * (SEATS - self.players)]

    # Locations.

    def see_stacks(self) -> list[list[int]]:
        record = self.record
        rows = []
        for number in self.in_play:
            animals = self.at(*(seat for seat in range(self.players) if record["animal"][seat] == number))
            thief = int(record["thief"] == number)
            rows.append(features(self.locations[number], int(record["cards"][number]), animals, thief))
        return rows + [[0] * LOCATION_LAYOUT.size] * (IN_PLAY - len(rows))

    def see_next(self) -> list[int]:
        """The location stack is not shuffled: how many cards on top of it are of the next location."""
        left = [location_of(card) for card in range(int(self.record["drawn"]), NUMBERED)]
        return features(self.locations[left[0]], left.count(left[0])) if left else [0] * LOCATION_LAYOUT.size

    def here(self) -> int | None:
        """The location visited, paid for, or whose action goes on: the topmost of these."""
        if self.over:
            return None
        for kind, _, of, *_ in reversed(self.record["pending"][: int(self.record["pending_size"])].tolist()):
            if PHASES[kind] in ("visit", "run", "pay"):
                return int(of) % LOCATIONS
        return None

    def see_current(self) -> list[int]:
        here = self.here()
        return [0] * LOCATION_LAYOUT.size if here is None else features(self.locations[here])

    def see_here(self) -> list[int]:
        return [int(number == self.here()) for number in self.in_play] + [0] * (IN_PLAY - len(self.in_play))

    def see_payable(self) -> list[int]:
        items = items_of(self.record, self.seat)
        able = [int(can_pay(self.locations[number].price(), items)) for number in self.in_play]
        return able + [0] * (IN_PLAY - len(able))

    def see_num_stacks(self) -> list[int]:
        return [len(self.in_play)]

    def see_location_stack(self) -> list[int]:
        return [NUMBERED - int(self.record["drawn"])]

    # The turn.

    def see_seats(self) -> list[int]:
        return [int(seat < self.players) for seat in range(SEATS)]

    def see_phase(self) -> list[int]:
        return [int(phase == self.phase) for phase in PHASES]

    def see_asked(self) -> list[int]:
        return self.at() if self.over else self.at(self.asked_seat)

    def see_mover(self) -> list[int]:
        return self.at() if self.over else self.at(int(self.record["mover"]))

    def see_starter(self) -> list[int]:
        return self.at(int(self.record["starter"]))

    def see_triggered(self) -> list[int]:
        return [int(self.record["triggered"])]

    def see_extra(self) -> list[int]:
        return [int(self.record["extra"])]

    def see_turns_left(self) -> list[int]:
        left = int(self.record["max_turns"]) - (int(self.record["turn"]) - int(self.record["first_turn"]))
        return [min(max(left, 0), 100)]

    def see_needed(self) -> list[int]:
        return [NEEDED[self.players]]

    def see_games(self) -> list[int]:
        return [int(self.record["campaign_games"])]

    def see_session(self) -> list[int]:
        return [int(self.record["session"]) - int(self.record["game"])]

    def see_points(self) -> list[int]:
        return self.by_seat(self.record["points"])

    # The decision.

    def step(self) -> Any:
        return None if self.over else running_step(self.record, self.locations)

    def see_step(self) -> list[int]:
        step = self.step()
        return [int(step is not None and word == step.word) for word in STEPS]

    def see_step_fruit(self) -> list[int]:
        step = self.step()
        named = step is not None and step.word in ("trade", "cost")
        return [int(named and fruit == step.fruit) for fruit in range(FRUITS + 2)]

    def see_number(self) -> list[int]:
        step = self.step()
        return [0 if step is None else step.number]

    def see_left(self) -> list[int]:
        """How many cards are still to be chosen one after the other, or may be turned up; what stopping replaces."""
        if self.phase in ("give", "discard", "gamble") or self.salvages():
            return [self.b]
        if self.phase == "refresh":
            return [self.a]
        if self.phase == "pay":
            return [self.price().size - int(self.record["paid"].sum())]
        return [0]

    def salvages(self) -> bool:
        return self.phase == "fruit" and STEPS[self.a] == "salvage"

    def price(self) -> Any:
        if self.a < LOCATIONS:
            return self.locations[self.a].price(self.b)
        return next(step for step in self.locations[self.a - LOCATIONS].steps if step.word == "cost").price

    def see_to(self) -> list[int]:
        """Who gets the cards; whom a trade or an ask concerns; the hosts still to be paid."""
        if self.phase == "host":
            return self.at(*(seat for seat in range(self.players) if self.a >> seat & 1))
        if self.phase in ("give", "offer"):
            return self.at(self.a)
        if self.phase == "fruit" and STEPS[self.a] == "ask":
            return self.at(self.c)
        return self.at()

    def see_last(self) -> list[int]:
        """None before it may follow (F10b); all see what is laid down or salvaged, none but the giver what is given."""
        in_order = self.phase in ("pay", "discard", "refresh") or self.salvages()
        in_order |= self.phase == "give" and self.asked_seat == self.seat
        return [int(in_order and item == self.c) for item in range(ITEMS)]

    def see_paid(self) -> list[int]:
        return self.record["paid"].tolist() if self.phase == "pay" else [0] * ITEMS

    def see_turned(self) -> list[int]:
        return self.record["turned"].tolist()

    # Cards and tokens.

    def see_aside(self) -> list[int]:
        return [int(self.record["aside"][self.seat] == card) for card in range(CARDS_HELD)]

    def see_asides(self) -> list[int]:
        return self.at(*(seat for seat in range(self.players) if self.record["aside"][seat] >= 0))

    def see_hand(self) -> list[int]:
        return self.record["hand"][self.seat].tolist()

    def see_hand_sizes(self) -> list[int]:
        return self.by_seat(self.record["hand"].sum(axis=1))

    def see_fruit_tokens(self) -> list[list[int]]:
        owners = self.record["token_owner"]
        held = [[int(owner == seat) for owner in owners] for seat in self.clockwise]
        return held + [[0] * FRUITS] * (SEATS - self.players)

    def see_wild_tokens(self) -> list[int]:
        return self.by_seat(self.record["wild_tokens"])

    def see_turn_tokens(self) -> list[int]:
        return self.by_seat(self.record["turn_tokens"])

    def see_juices(self) -> list[int]:
        return self.by_seat(self.record["juices"])

    def see_thief(self) -> list[int]:
        return self.at(int(self.record["thief_owner"]))

    def see_idle_thief(self) -> list[int]:
        return [int(self.record["thief"] < 0 <= self.record["thief_owner"])]

    def see_discards(self) -> list[int]:
        return self.record["discards"].tolist()

    def see_fruit_stack(self) -> list[int]:
        return [int(self.record["fruit_stack"].sum())]

    def see_mix_stack(self) -> list[int]:
        return [int(self.record["mix_stack"].sum())]


def features(location: Location, cards: int = 0, animals: Any = (), thief: int = 0) -> list[int]:
    """What is seen of a location: its steps, their order, the fruit they name, its price, and what stands there."""
    numbers, places = [0] * len(STEPS), [0] * len(STEPS)
    fruit = [0] * (FRUITS + 2)
    for place, step in enumerate(location.steps, start=1):
        numbers[STEPS.index(step.word)] = step.number
        places[STEPS.index(step.word)] = place
        if step.word in ("trade", "cost"):
            fruit[step.fruit] = 1
    animals = list(animals) or [0] * SEATS
    told = [*numbers, *places, *fruit, *location.signs, cards, *animals, thief]
    assert len(told) == LOCATION_LAYOUT.size
    return told


# --- comparing -------------------------------------------------------------------------------------------------------


class Seen:
    """What was compared: how often each phase, and the highest value seen in each place."""

    def __init__(self) -> None:
        self.phases: Counter[str] = Counter()
        self.highest: NDArray[np.uint8] = np.zeros(LAYOUT.size, np.uint8)

    def compare(self, batch: Batch, lanes: Any) -> None:
        """Compare each seat's view of the lanes."""
        for seat in range(int(batch.num_players[0])):
            views = batch.observe(seat, lanes)
            for lane, view in zip(lanes, views, strict=True):
                record = batch.states[lane]
                onlooker = Onlooker(record, batch.contents[int(record["content"])].record[0], seat)
                expected = onlooker.sees()
                if not np.array_equal(view, expected):
                    self._tell(onlooker, view, expected)
                if batch.seat[lane] == seat:
                    assert np.array_equal(batch.observation[lane], expected)
                self.highest = np.maximum(self.highest, expected)
                whose = "" if onlooker.over else " of its own" if onlooker.asked_seat == seat else " of another"
                self.phases[onlooker.phase + whose] += 1

    @staticmethod
    def _tell(onlooker: Onlooker, view: NDArray[np.uint8], expected: NDArray[np.uint8]) -> None:
        for part in LAYOUT.parts:
            sees, should = (LAYOUT.view(array, part.name).tolist() for array in (view, expected))
            where = (
                f"{part.name}: seat {onlooker.seat} of {onlooker.players}, {onlooker.asked_seat} asked {onlooker.phase}"
            )
            assert sees == should, where


def begin(batch: Batch, lanes: Any, rng: np.random.Generator) -> None:
    """Set the lanes to any moment between two turns, and play on where it leaves no choice."""
    for lane in lanes:
        write_table(batch.states[lane], random_table(rng, table_of(batch.states[lane])))
    batch.refresh()
    forced = [lane for lane in lanes if batch.action_mask[lane].sum() == 1]
    if forced:
        batch.step(batch.action_mask[forced].argmax(axis=1), games=forced)


def look_on(batch: Batch, rng: np.random.Generator, views: int, every: int, middle: bool) -> Seen:
    """Play, each lane in a way of its own, and compare every so many decisions; so many views, some behind an end."""
    seen = Seen()
    ways = WAYS[np.arange(batch.num_games) % len(WAYS)]
    lanes = np.arange(batch.num_games)
    if middle:
        begin(batch, lanes, rng)
    played = 0
    while seen.phases.total() < views or not seen.phases["over"]:
        over = np.flatnonzero(batch.seat < 0)
        looked_at = lanes if played % every == 0 else over
        seen.compare(batch, looked_at)
        if over.size:
            batch.reset(games=over)
            if middle:
                begin(batch, over, rng)
        batch.step(weighted_actions(batch.action_mask, ways, rng))
        played += 1
        if middle and played % 12 == 0:
            batch.reset()
            begin(batch, lanes, rng)
    return seen


ASKED = [phase for phase in PHASES if phase not in ("run", "over")]


@pytest.mark.rule("F5", "F7", "F10b", "F12", "F14", "F15", "F24", "F25", "F27", "F28")
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_each_seat_sees_what_the_rules_let_it_know(players: int) -> None:
    """From any moment of a game on, in each phase, when it is asked and when another is."""
    rng = np.random.default_rng([players, 1])
    batch = Batch(GAME, 16, players, seed=players, autoreset=False, session=3, max_turns=120)
    seen = look_on(batch, rng, 5_000, every=2, middle=True)
    there = [phase for phase in ASKED if phase not in ("host", "player") or players > 2]
    wanted = {f"{phase} of {whose}" for phase in there for whose in ("its own", "another")} | {"over"}
    assert wanted <= set(seen.phases), wanted - set(seen.phases)
    assert (seen.highest <= LAYOUT.high).all()
    blank = [part.name for part in LAYOUT.parts if not LAYOUT.view(seen.highest, part.name).any()]
    assert not blank, f"parts that never showed anything: {blank}"


def stages(players: int) -> tuple[int, int]:
    return 0, len(reference(players)) - 1


@pytest.mark.rule("F18", "F21", "F22", "F23")
@pytest.mark.parametrize("players", [2, 3, 4, 5])
@pytest.mark.parametrize("stage", ["first", "stages", MIDDLE, LATE, LAST], ids=lambda stage: str(stage)[:21])
def test_each_seat_sees_all_stages_of_a_campaign(players: int, stage: Any) -> None:
    """From the deal to behind the end."""
    place = stage if isinstance(stage, Campaign) else stages(players) if stage == "stages" else 0
    options: dict[str, Any] = {"stage": place, "campaign": "continue", "session": 1 + players % 2, "max_turns": 30}
    batch = Batch(GAME, 8, players, seed=players, autoreset=False, **options)
    seen = look_on(batch, np.random.default_rng(players), 400, every=9, middle=False)
    assert (seen.highest <= LAYOUT.high).all()


def test_each_seat_sees_any_content(tmp_path: Any) -> None:
    rng = np.random.default_rng(5)
    files = [tmp_path / f"{number}.toml" for number in range(4)]
    for file in files:
        file.write_text(random_document(rng), encoding="utf-8")
    batch = Batch(GAME, 16, 3, seed=1, autoreset=False, content=files)
    seen = look_on(batch, rng, 2_000, every=2, middle=True)
    assert (seen.highest <= LAYOUT.high).all()


def test_the_full_state_holds_no_stream_no_bytes_of_options_and_no_room_to_work_in() -> None:
    batch = Batch(GAME, 8, 4, seed=0, stage=MIDDLE, campaign="continue", max_turns=30)
    rng = np.random.default_rng(0)
    names = {name for name, _ in GAME.state_layout()}
    assert not names & {"rng", "campaign_stream", "campaign", "stage", "allowed"}
    assert {"campaign_cards", "session", "hand", "fruit_stack", "pending"} <= names
    for _ in range(300):
        batch.step(batch.random_actions(rng))
        assert np.abs(batch.state()).max() <= 1_000


# --- the words themselves --------------------------------------------------------------------------------------------


def test_the_layout_has_the_parts_told_here() -> None:
    told = [name.removeprefix("see_") for name in vars(Onlooker) if name.startswith("see_")]
    assert sorted(told) == sorted(part.name for part in LAYOUT.parts)


def test_what_is_seen_can_be_read_from_the_highest_values() -> None:
    """F2 to F4: what there is of everything."""
    high = functools.partial(LAYOUT.view, LAYOUT.high)
    assert high("hand").tolist() == [12] * FRUITS + [1] * (CARDS_HELD - FRUITS)
    assert high("discards").tolist() == [12] * FRUITS
    assert high("fruit_stack").tolist() == [60]
    assert high("mix_stack").tolist() == [10]
    assert high("location_stack").tolist() == [NUMBERED]
    assert set(high("wild_tokens").tolist()) == set(high("turn_tokens").tolist()) == {3}
    assert high("needed").tolist() == [5]
    assert LOCATION_LAYOUT.view(LOCATION_LAYOUT.high, "cards").tolist() == [LAST_STACK]
