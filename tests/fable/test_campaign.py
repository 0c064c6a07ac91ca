"""Campaigns: the object and its file, the options, what a reset goes on with, and whole campaigns of random play.

As a script it plays as many campaigns as asked for with each number of players:
``python -m tests.fable.test_campaign --campaigns 1000``.
"""

from __future__ import annotations

import argparse
import copy
import json
import pickle
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest
from numpy.typing import NDArray

import fable_env
from fable_env import GAME, Campaign, reference
from tablezoo import Batch, OptionError, OptionValueError
from tablezoo.sb3 import SeatVecEnv
from tablezoo.testing.case import RandomPlay
from tests.fable.places import LAST, LATE, MIDDLE

PLAYERS = [2, 3, 4, 5]
STREAM = "00000000000000010000000000000002"
FIRST_STACKS = dict.fromkeys(range(1, 7), 4)
NUMBERED, IN_PLAY, LEAST_STACKS = 240, 24, 6


def make(num_games: int = 1, players: int | list[int] = 2, seed: int = 0, **options: Any) -> Batch:
    return Batch(GAME, num_games, players, seed=seed, **{"autoreset": False, **options})


def play(batch: Batch, seed: int = 0, decisions: int = 100_000) -> Batch:
    """Play on at random, to the ends of all games or for so many decisions."""
    at_random = RandomPlay(batch, seed)
    while (batch.seat >= 0).any() and decisions:
        batch.step(at_random.actions())
        decisions -= 1
    return batch


def place(batch: Batch, lane: int = 0) -> Campaign:
    """The campaign of a lane, which is not over."""
    found = Campaign.of(batch.states[lane])
    assert found is not None
    return found


def stacks_of(record: Any) -> dict[int, int]:
    return {int(location) + 1: int(record["cards"][location]) for location in np.flatnonzero(record["cards"])}


def location_of(card: int) -> int:
    """F2: four cards a location, eight of the last; the number of the location of a card of the location stack."""
    return min(card // 4 + 1, 59)


# --- the object ------------------------------------------------------------------------------------------------------


@pytest.mark.rule("F5")
def test_the_first_place_is_the_rulebooks() -> None:
    first = Campaign.first()
    assert first.stacks == FIRST_STACKS
    assert (first.drawn, first.games, first.start_seat, first.stream) == (24, 0, None, None)
    assert first == Campaign(FIRST_STACKS)


def test_stacks_are_kept_by_number_and_apart_from_what_was_given() -> None:
    given = {6: 4, 5: 4, 4: 4, 3: 4, 2: 4, 1: 4}
    campaign = Campaign(given)
    del given[1]
    assert list(campaign.stacks) == [1, 2, 3, 4, 5, 6]


PLACES = [Campaign.first(), MIDDLE, LATE, LAST, Campaign(FIRST_STACKS, 24, 255, 4, STREAM)]


@pytest.mark.parametrize("campaign", PLACES, ids=["first", "middle", "late", "last", "told"])
def test_a_campaign_goes_to_json_and_back(campaign: Campaign, tmp_path: Path) -> None:
    told = campaign.to_json()
    assert Campaign.from_json(told) == campaign
    assert Campaign.from_json(json.loads(json.dumps(told))) == campaign
    assert told["format"] == "fable-campaign"
    assert (told["games"], told["drawn"], told["stream"]) == (campaign.games, campaign.drawn, campaign.stream)
    assert told["start_seat"] == campaign.start_seat
    assert told["stacks"] == {str(number): cards for number, cards in campaign.stacks.items()}
    campaign.save(tmp_path / "campaign.json")
    assert Campaign.load(tmp_path / "campaign.json") == campaign
    assert [path.name for path in tmp_path.iterdir()] == ["campaign.json"]
    assert json.loads((tmp_path / "campaign.json").read_text(encoding="utf-8")) == told
    assert pickle.loads(pickle.dumps(campaign)) == campaign
    assert copy.deepcopy(campaign) == campaign


def test_numpys_integers_are_as_good_as_pythons(tmp_path: Path) -> None:
    counted = dict(zip(np.arange(1, 7), np.full(6, 4, np.uint8), strict=True))
    campaign = Campaign(counted, np.int16(24), np.int64(3), np.int8(1))  # type: ignore[arg-type]  # as records hold them
    assert campaign == Campaign(FIRST_STACKS, 24, 3, 1)
    campaign.save(tmp_path / "campaign.json")
    assert Campaign.load(tmp_path / "campaign.json") == campaign


def test_equal_campaigns_are_one_in_a_set() -> None:
    assert len({*PLACES, *(Campaign.from_json(place.to_json()) for place in PLACES)}) == len(PLACES)


def test_saving_replaces_a_file_and_takes_a_path_as_text(tmp_path: Path) -> None:
    path = str(tmp_path / "campaign.json")
    MIDDLE.save(path)
    LATE.save(path)
    assert Campaign.load(path) == LATE


def test_without_its_stream_a_campaign_is_the_same_place() -> None:
    bare = MIDDLE.without_stream()
    assert bare.stream is None
    assert bare.to_json() == {**MIDDLE.to_json(), "stream": None}
    assert MIDDLE.stream is not None


def test_a_campaign_prints_what_matters() -> None:
    told = str(MIDDLE)
    for words in ("17 games", "120 cards on the location stack", "player_1", "5 x 2", "30 x 2"):
        assert words in told
    assert "drawn" in str(LATE)
    assert "0 cards on the location stack" in str(LATE)
    assert "Campaign" in repr(LATE)


def test_the_campaign_of_a_record_is_before_its_game_and_then_behind_it() -> None:
    batch = make(4, [2, 3, 4, 5])
    for lane in range(4):
        before = place(batch, lane)
        assert before.stacks == FIRST_STACKS
        assert (before.drawn, before.games) == (24, 0)
        assert before.start_seat == batch.states["starter"][lane]
    play(batch)
    for lane in range(4):
        record, after = batch.states[lane], place(batch, lane)
        assert after.stacks == stacks_of(record)
        assert (after.drawn, after.games) == (record["drawn"], 1)
        assert after.stream == "".join(f"{int(word):016x}" for word in record["rng"])


@pytest.mark.rule("F21")
def test_a_campaign_that_is_over_is_none() -> None:
    batch = make(20, campaign=LAST)
    play(batch)
    over = [Campaign.of(record) is None for record in batch.states]
    assert over == [np.count_nonzero(record["cards"]) < LEAST_STACKS for record in batch.states]
    assert any(over)


# --- what is no campaign ---------------------------------------------------------------------------------------------

GOOD: dict[str, Any] = {"stacks": FIRST_STACKS, "drawn": 24, "games": 0, "start_seat": None, "stream": None}
SIX_AND_MORE = {**FIRST_STACKS, 7: 1}

FAULTS: list[tuple[dict[str, Any], str]] = [
    ({"drawn": 23}, "drawn: .*24 to 240.*23"),
    ({"drawn": 241}, "drawn: .*24 to 240.*241"),
    ({"drawn": "24"}, "drawn: .*integer.*'24'"),
    ({"drawn": True}, "drawn: .*integer.*True"),
    ({"games": -1}, "games: .*0 to 255.*-1"),
    ({"games": 256}, "games: .*0 to 255.*256"),
    ({"games": 1.0}, "games: .*integer.*1.0"),
    ({"start_seat": 5}, "start_seat: .*0 to 4.*5"),
    ({"start_seat": -1}, "start_seat: .*0 to 4.*-1"),
    ({"start_seat": "0"}, "start_seat: .*integer.*'0'"),
    ({"stacks": {**FIRST_STACKS, 0: 4}}, "stacks: .*1 to 59.*0"),
    ({"stacks": {**FIRST_STACKS, 60: 4}, "drawn": 240}, "stacks: .*1 to 59.*60"),
    ({"stacks": {**FIRST_STACKS, 1: 0}}, "stacks: location 1: .*1 to 4.*0"),
    ({"stacks": {**FIRST_STACKS, 6: 5}}, "stacks: location 6: .*1 to 4.*5"),
    ({"stacks": {**FIRST_STACKS, 59: 9}, "drawn": 240}, "stacks: location 59: .*1 to 8.*9"),
    ({"stacks": {**FIRST_STACKS, 6: "4"}}, "stacks: location 6: .*integer.*'4'"),
    ({"stacks": {**FIRST_STACKS, 7: 1, 6: 3}}, "stacks: location 7: 1 cards.*0 were turned up"),
    ({"stacks": {**FIRST_STACKS, 7: 3, 6: 1}, "drawn": 26}, "stacks: location 7: 3 cards.*2 were turned up"),
    ({"stacks": {**FIRST_STACKS, 6: 3}}, "stacks: expected 24 cards in all.*23"),
    ({"stacks": {**FIRST_STACKS, 7: 1}, "drawn": 25}, "stacks: expected 24 cards in all.*25"),
    ({"stacks": {**FIRST_STACKS, 7: 1}, "drawn": 240}, "stacks: expected 24 cards in all.*25"),
    ({"stacks": {55: 4, 56: 4, 57: 4, 58: 4, 59: 8}, "drawn": 240}, "stacks: expected 6 stacks or more|6 or more"),
    ({"stacks": {}, "drawn": 240}, "6 or more"),
    ({"stacks": [4] * 6}, "stacks: expected a mapping, location number to cards, got .4, 4"),
    ({"stacks": {"1": 4, 2: 4}}, "stacks: a location: expected an integer from 1 to 59, got '1'"),
    ({"stacks": None}, "stacks: expected a mapping.*None"),
    ({"stream": "0" * 32}, "stream: .*zero"),
    ({"stream": "0" * 31 + "g"}, "stream: expected 32 hexadecimal digits"),
    ({"stream": "1" * 31}, "stream: expected 32 hexadecimal digits"),
    ({"stream": "1" * 33}, "stream: expected 32 hexadecimal digits"),
    ({"stream": 5}, "stream: expected 32 hexadecimal digits.*5"),
]


@pytest.mark.rule("F2", "F5", "F21")
@pytest.mark.parametrize(("change", "words"), FAULTS, ids=lambda fault: str(fault)[:60])
def test_what_no_campaign_can_be_is_refused(change: dict[str, Any], words: str) -> None:
    Campaign(**GOOD)
    with pytest.raises((TypeError, ValueError), match=words):
        Campaign(**{**GOOD, **change})


TOLD: dict[str, Any] = Campaign.first().to_json()


def without(key: str) -> dict[str, Any]:
    return {name: value for name, value in TOLD.items() if name != key}


FILE_FAULTS: list[tuple[Any, str]] = [
    ([], r"expected an object, got \[\]"),
    ("first", "expected an object, got 'first'"),
    (None, "expected an object, got None"),
    *((without(key), f"{key} is missing") for key in TOLD),
    ({**TOLD, "player": 1}, "unknown key 'player'"),
    ({**without("start_seat"), "start_seats": 1}, "unknown key 'start_seats'.*did you mean 'start_seat'"),
    ({**TOLD, "format": "campaign"}, "expected format 'fable-campaign' version 1, got 'campaign' 1"),
    ({**TOLD, "version": 2}, "expected format 'fable-campaign' version 1, got 'fable-campaign' 2"),
    ({**TOLD, "stacks": [4] * 6}, "stacks: expected an object, location number to cards"),
    ({**TOLD, "stacks": {"one": 4}}, "stacks: expected a location number from 1 to 59, got 'one'"),
    ({**TOLD, "stacks": {1: 4}}, "stacks: expected a location number from 1 to 59, got 1"),
    ({**TOLD, "stacks": {"60": 4}}, "stacks: .*1 to 59.*60"),
    ({**TOLD, "drawn": 24.0}, "drawn: .*integer.*24.0"),
    ({**TOLD, "games": None}, "games: .*integer.*None"),
]


@pytest.mark.parametrize(("told", "words"), FILE_FAULTS, ids=lambda fault: str(fault)[-60:])
def test_what_no_file_may_hold_is_refused_with_its_key_and_file(told: Any, words: str, tmp_path: Path) -> None:
    Campaign.from_json(TOLD)
    with pytest.raises((TypeError, ValueError), match=words):
        Campaign.from_json(told)
    if json.loads(json.dumps(told)) != told:
        return  # no file can hold it
    path = tmp_path / "broken.json"
    path.write_text(json.dumps(told), encoding="utf-8")
    with pytest.raises(ValueError, match=f"broken.json: no campaign: .*{words}"):
        Campaign.load(path)
    with pytest.raises(OptionValueError, match=f"option 'campaign' with 2 players: .*broken.json.*{words}"):
        make(campaign=path)


def test_a_file_that_is_no_json_or_not_there_is_told(tmp_path: Path) -> None:
    path = tmp_path / "torn.json"
    path.write_text('{"format": "fable-camp', encoding="utf-8")
    with pytest.raises(ValueError, match=r"torn\.json: no campaign"):
        Campaign.load(path)
    path.write_text("[" * 100_000, encoding="utf-8")
    with pytest.raises(ValueError, match=r"torn\.json: no campaign"):
        Campaign.load(path)
    path.write_bytes(b'{"format": "\xff"}')
    with pytest.raises(ValueError, match=r"torn\.json: no campaign: .*utf-8"):
        Campaign.load(path)
    with pytest.raises(FileNotFoundError, match=r"gone\.json"):
        Campaign.load(tmp_path / "gone.json")
    for option in ("campaign", "stage"):
        named: dict[str, Any] = {option: str(tmp_path / "gone.json")}
        with pytest.raises(OptionValueError, match=rf"option '{option}' with 2 players: .*gone\.json: cannot be read"):
            make(**named)


# --- options ---------------------------------------------------------------------------------------------------------

STAGES = r"expected an integer from 0 to \d+, two of them \(first, last\) to draw from, a Campaign or the path"
WRONG: list[tuple[dict[str, Any], str]] = [
    ({"campaign": "continued"}, 'expected "fresh", "continue", a Campaign or the path of its JSON file.*continued'),
    ({"campaign": None}, 'expected "fresh", "continue", a Campaign.*None'),
    ({"campaign": 3}, 'expected "fresh", "continue", a Campaign.*3'),
    ({"campaign": {}}, "is missing"),
    ({"campaign": Campaign(FIRST_STACKS, start_seat=2)}, "start seat is 2; expected 0 to 1"),
    ({"stage": Campaign(FIRST_STACKS, start_seat=2)}, "start seat is 2; expected 0 to 1"),
    *(({"stage": wrong}, STAGES) for wrong in (0.0, True, "first", None, (), (0, 0, 0), (0, "1"), range(3))),
    ({"stage": np.array([0, 1])}, STAGES),
    ({"stage": -1}, "expected an integer from 0 to .*-1"),
    ({"stage": 1000}, "expected an integer from 0 to .*1000"),
    ({"stage": (0, 1000)}, "expected an integer from 0 to .*1000"),
    ({"session": 0}, "expected an integer from 1 to 10, got 0"),
    ({"session": 11}, "expected an integer from 1 to 10, got 11"),
    ({"session": 2.0}, "expected an integer from 1 to 10, got 2.0"),
    ({"session": True}, "expected an integer from 1 to 10, got True"),
    ({"session": None}, "expected an integer from 1 to 10, got None"),
]


@pytest.mark.rule("F21", "F23")
@pytest.mark.parametrize(("options", "words"), WRONG, ids=lambda fault: str(fault)[:50])
def test_a_wrong_option_is_refused_by_constructors_and_by_reset(options: dict[str, Any], words: str) -> None:
    (name,) = options
    told = f"option '{name}' with 2 players: .*{words}"
    with pytest.raises(OptionValueError, match=told):
        make(**options)
    for face in (lambda: fable_env.env(num_players=2, **options), lambda: seat_env(**options)):
        with pytest.raises(OptionValueError, match=told):
            face()
    batch = make()
    before = batch.states.copy()
    with pytest.raises(OptionValueError, match=told):
        batch.reset(options=options)
    assert all(np.array_equal(before[field], batch.states[field]) for field in before.dtype.names or ())


def seat_env(**options: Any) -> Any:
    return gymnasium.make("tablezoo/Fable-v0", disable_env_checker=True, **options).unwrapped


def test_a_range_of_stages_must_not_run_backwards() -> None:
    last = len(reference(2)) - 1
    if last > 0:
        with pytest.raises(OptionValueError, match="expected the first stage of a range before the last"):
            make(stage=(last, 0))
    make(stage=(last, last))
    make(stage=[0, last])
    with pytest.raises(OptionValueError, match=f"expected an integer from 0 to {last}, got {last + 1}"):
        make(stage=last + 1)


def test_a_misspelt_option_is_told() -> None:
    for wrong, right in (("campain", "campaign"), ("stages", "stage"), ("sessions", "session")):
        with pytest.raises(TypeError, match=f"{wrong}.*did you mean '{right}'"):
            make(**{wrong: 1})
        with pytest.raises(OptionError, match=f"did you mean '{right}'"):
            make().reset(options={wrong: 1})


@pytest.mark.parametrize("players", PLAYERS)
def test_the_reference_campaign_is_a_campaign(players: int) -> None:
    stages = reference(players)
    assert stages[0].stacks == FIRST_STACKS
    assert stages[0].drawn == 24
    assert [stage.games for stage in stages] == list(range(len(stages)))
    assert [stage.drawn for stage in stages] == sorted(stage.drawn for stage in stages)
    assert all(Campaign.from_json(stage.to_json()) == stage for stage in stages)
    for wrong in (1, 6, "2", None):
        with pytest.raises(OptionValueError, match="num_players: expected 2 to 5"):
            reference(wrong)


# --- faces -----------------------------------------------------------------------------------------------------------


class Face:
    """One game behind any face: what the tests below do is the same to all."""

    def reset(self, seed: int | None = None, options: Any = None) -> None: ...

    def play(self, seed: int = 0) -> None:
        """Play the game to its end, or to the deal that follows at once."""

    @property
    def record(self) -> Any:
        raise NotImplementedError


class BatchFace(Face):
    def __init__(self, players: int, **options: Any) -> None:
        self.batch = make(1, players, **options)

    def reset(self, seed: int | None = None, options: Any = None) -> None:
        self.batch.reset(seed=seed, options=options)

    def play(self, seed: int = 0) -> None:
        play(self.batch, seed)

    @property
    def record(self) -> Any:
        return self.batch.states[0]


class AecFace(Face):
    def __init__(self, players: int, **options: Any) -> None:
        self.env = fable_env.env(num_players=players, **options)
        self.env.reset(seed=0)

    def reset(self, seed: int | None = None, options: Any = None) -> None:
        self.env.reset(seed=seed, options=options)

    def play(self, seed: int = 0) -> None:
        rng = np.random.default_rng(seed)
        for _ in self.env.agent_iter(max_iter=100_000):
            observation, _, terminated, truncated, _ = self.env.last()
            over = terminated or truncated
            self.env.step(None if over else int(rng.choice(np.flatnonzero(observation["action_mask"]))))

    @property
    def record(self) -> Any:
        return self.env._batch.states[0]


class GymFace(Face):
    def __init__(self, players: int, **options: Any) -> None:
        self.env = seat_env(num_players=players, **options)
        self.env.reset(seed=0)

    def reset(self, seed: int | None = None, options: Any = None) -> None:
        self.env.reset(seed=seed, options=options)

    def play(self, seed: int = 0) -> None:
        rng = np.random.default_rng(seed)
        over = False
        while not over:
            action = int(rng.choice(np.flatnonzero(self.env.action_masks())))
            _, _, terminated, truncated, _ = self.env.step(action)
            over = terminated or truncated

    @property
    def record(self) -> Any:
        return self.env.games.batch.states[0]


FACES = [BatchFace, AecFace, GymFace]
each_face = pytest.mark.parametrize("face", FACES, ids=["batch", "aec", "gym"])


@pytest.mark.rule("F18", "F19", "F23")
@each_face
def test_continue_plays_the_next_game_of_the_campaign(face: Callable[..., Any]) -> None:
    table = face(3, campaign="continue")
    for game in range(4):
        record = table.record
        assert record["campaign_games"] == game
        assert record["drawn"] == record["campaign_drawn"]
        table.play(game)
        behind = Campaign.of(table.record)
        assert behind is not None
        assert behind.games == game + 1
        table.reset()
        now = table.record
        assert now["campaign_cards"].tolist() == [behind.stacks.get(number, 0) for number in range(1, 60)]
        assert now["campaign_drawn"] == behind.drawn
        assert now["starter"] == behind.start_seat
        assert now["campaign_games"] == game + 1


@pytest.mark.rule("F23")
@each_face
def test_a_fresh_campaign_begins_with_each_reset(face: Callable[..., Any]) -> None:
    table = face(2)
    for game in range(3):
        table.play(game)
        table.reset()
        before = Campaign.of(table.record)
        assert before is not None
        assert before.stacks == FIRST_STACKS
        assert (before.drawn, before.games) == (24, 0)


@pytest.mark.rule("F21", "F23")
@each_face
def test_a_seed_starts_afresh_and_the_same_again(face: Callable[..., Any]) -> None:
    table = face(2, campaign="continue")
    table.reset(seed=7)
    first = table.record.copy()
    table.play(1)
    table.reset()
    assert table.record["campaign_games"] == 1
    table.reset(seed=7)
    again = table.record
    assert all(np.array_equal(first[name], again[name]) for name in first.dtype.names)
    assert again["campaign_games"] == 0


@pytest.mark.rule("F21", "F23")
@each_face
def test_a_campaign_given_is_entered_and_goes_on(face: Callable[..., Any]) -> None:
    table = face(2, campaign=MIDDLE)
    entered = Campaign.of(table.record)
    assert entered is not None
    assert entered.to_json() == MIDDLE.to_json()
    assert table.record["starter"] == MIDDLE.start_seat
    table.play()
    behind = Campaign.of(table.record)
    assert behind is not None
    assert behind.games == MIDDLE.games + 1


@pytest.mark.rule("F21", "F23")
def test_resets_by_hand_enter_the_given_campaign_anew_but_autoreset_goes_on() -> None:
    """The constructor's options hold for each reset; what follows a game by itself is the campaign's next one."""
    batch = make(campaign=MIDDLE, autoreset=True)
    games = 0
    at_random = RandomPlay(batch, 0)
    while games < 3:
        batch.step(at_random.actions())
        if batch.terminated[0] or batch.truncated[0]:
            games += 1
            behind = Campaign.of(batch.final_states[0])
            assert behind is not None
            assert place(batch).games == MIDDLE.games + games
            assert place(batch) == behind
    batch.reset()
    assert place(batch) == MIDDLE


@pytest.mark.rule("F21", "F23")
def test_reset_options_enter_a_campaign_once_then_autoreset_goes_on_with_it() -> None:
    batch = make(3, 2, campaign="continue", autoreset=True)
    batch.reset(options={"campaign": MIDDLE}, games=[1])
    assert [int(games) for games in batch.states["campaign_games"]] == [0, 17, 0]
    ended, before = np.zeros(3, int), np.array([0, 17, 0])
    at_random = RandomPlay(batch, 0)
    while ended.min() < 2:
        batch.step(at_random.actions())
        ended += batch.terminated | batch.truncated
        assert batch.states["campaign_games"].tolist() == (ended + before).tolist()
    batch.reset()
    assert batch.states["campaign_games"].tolist() == (ended + before).tolist()


@each_face
def test_reset_options_enter_a_campaign_and_a_reset_without_goes_on(face: Callable[..., Any]) -> None:
    table = face(2, campaign="continue")
    table.play()
    table.reset(options={"campaign": MIDDLE})
    assert table.record["campaign_games"] == 17
    table.play()
    table.reset()
    assert table.record["campaign_games"] == 18
    table.reset(options={"campaign": "fresh"})
    assert table.record["campaign_games"] == 0
    assert table.record["drawn"] == 24


@pytest.mark.rule("F21")
@each_face
def test_a_stage_is_where_a_fresh_campaign_begins(face: Callable[..., Any]) -> None:
    table = face(2, stage=LATE)
    for game in range(2):
        entered = Campaign.of(table.record)
        assert entered is not None
        assert (entered.stacks, entered.drawn, entered.games) == (LATE.stacks, 240, 52)
        table.play(game)
        table.reset()


@pytest.mark.rule("F21")
def test_a_stage_given_as_a_campaign_ignores_its_stream_but_not_its_start_seat() -> None:
    """Else every fresh game would be dealt alike."""
    batch = make(40, stage=MIDDLE)
    assert len({batch.states["hand"][lane].tobytes() for lane in range(40)}) > 20
    assert (batch.states["starter"] == 1).all()
    bare = make(40, stage=MIDDLE.without_stream())
    assert np.array_equal(batch.states["hand"], bare.states["hand"])
    assert np.array_equal(batch.states["rng"], bare.states["rng"])
    before = batch.states["hand"].copy()
    batch.reset()
    assert not np.array_equal(batch.states["hand"], before)


@pytest.mark.rule("F21")
def test_an_entered_campaign_is_dealt_from_its_stream() -> None:
    batch = make(10, campaign=MIDDLE)
    assert len({batch.states["hand"][lane].tobytes() for lane in range(10)}) == 1
    bare = make(40, campaign=MIDDLE.without_stream())
    assert len({bare.states["hand"][lane].tobytes() for lane in range(40)}) > 20


@pytest.mark.rule("F5", "F19")
def test_who_starts_is_told_by_the_campaign_then_by_the_option_then_drawn() -> None:
    assert (make(20, campaign=MIDDLE, start_seat=0).states["starter"] == 1).all()
    assert (make(20, stage=MIDDLE, start_seat=0).states["starter"] == 1).all()
    assert (make(20, stage=LATE, start_seat=1).states["starter"] == 1).all()
    assert (make(20, start_seat=1).states["starter"] == 1).all()
    for options in ({}, {"stage": LATE}, {"campaign": LATE}, {"stage": len(reference(2)) - 1}):
        assert set(make(60, **options).states["starter"].tolist()) == {0, 1}


@pytest.mark.rule("F21")
@pytest.mark.parametrize("players", PLAYERS)
def test_a_range_of_stages_is_drawn_from(players: int) -> None:
    stages = reference(players)
    last = len(stages) - 1
    batch = make(60 * len(stages), players, stage=(0, last))
    games = batch.states["campaign_games"]
    assert set(games.tolist()) == set(range(last + 1))
    assert np.bincount(games).min() > 25
    for lane in range(0, batch.num_games, 7):
        there = place(batch, lane)
        assert there.stacks == stages[int(games[lane])].stacks
        assert there.drawn == stages[int(games[lane])].drawn


@pytest.mark.rule("F21")
@pytest.mark.parametrize("campaign", ["continue", LAST], ids=["continue", "entered"])
def test_a_campaign_that_is_over_starts_afresh_as_the_stage_says(campaign: Any) -> None:
    batch = make(20, campaign=campaign, stage=LAST if campaign == "continue" else 0, autoreset=True)
    at_random = RandomPlay(batch, 0)
    afresh = 0
    for _ in range(400):
        batch.step(at_random.actions())
        for lane in np.flatnonzero(batch.terminated | batch.truncated):
            if Campaign.of(batch.final_states[lane]) is None:
                afresh += 1
                there = place(batch, int(lane))
                assert there.stacks == (LAST.stacks if campaign == "continue" else FIRST_STACKS)
                assert there.games == (LAST.games if campaign == "continue" else 0)
    assert afresh > 10


@pytest.mark.rule("F21")
def test_the_games_of_a_campaign_are_counted_up_to_255() -> None:
    batch = make(campaign=Campaign(FIRST_STACKS, games=254), autoreset=True)
    counted: list[int] = []
    at_random = RandomPlay(batch, 0)
    while len(counted) < 3:
        batch.step(at_random.actions())
        if batch.terminated[0] or batch.truncated[0]:
            counted.append(int(batch.states["campaign_games"][0]))
    assert counted == [255, 255, 255]


# --- sessions --------------------------------------------------------------------------------------------------------


@pytest.mark.rule("F22", "F23")
@pytest.mark.parametrize("campaign", ["fresh", "continue"])
@pytest.mark.parametrize("players", PLAYERS)
def test_a_session_is_so_many_games_of_one_campaign_and_scored_by_victory_points(players: int, campaign: str) -> None:
    batch = make(3, players, session=3, campaign=campaign)
    assert (batch.states["campaign_games"] == 0).all()
    before = batch.states.copy()
    at_random = RandomPlay(batch, 0)
    while (batch.seat >= 0).any():
        batch.step(at_random.actions())
        for lane in np.flatnonzero(batch.states["game"] != before["game"]):
            then, now = before[lane], batch.states[lane]
            assert now["game"] == then["game"] + 1
            gained = (now["points"].astype(int) - then["points"])[:players].tolist()
            assert set(gained) <= {0, 1, 2}
            assert 2 in gained
            if not now["ended"]:
                assert now["campaign_games"] == now["game"]
                assert now["first_turn"] == now["turn"]
                assert not now["juices"].any()
        before = batch.states.copy()
    assert (batch.states["game"] == 3).all()
    assert np.array_equal(batch.scores[:, :players], batch.states["points"][:, :players])
    batch.reset()
    assert (batch.states["campaign_games"] == (3 if campaign == "continue" else 0)).all()
    assert not batch.states["points"].any()


@pytest.mark.rule("F21", "F22", "F23")
def test_a_session_goes_on_over_a_campaigns_end() -> None:
    batch = play(make(20, session=4, campaign=LAST, stage=MIDDLE))
    assert (batch.states["game"] == 4).all()
    assert set(batch.states["campaign_games"].tolist()) & {18, 19, 20}


# --- what a copy for search may not tell ------------------------------------------------------------------------------


def dealt_again(batch: Batch, lane: int, **options: Any) -> bool:
    """Whether a new game with these options is dealt as the lane's game was, decisions and draws included."""
    twin = make(1, int(batch.num_players[lane]), seed=77, **options)
    return np.array_equal(twin.states["hand"][0], batch.states["hand"][lane])


@pytest.mark.rule("F21")
@pytest.mark.parametrize("options", [{}, {"campaign": "continue"}, {"campaign": MIDDLE}], ids=["fresh", "own", "given"])
def test_a_copy_for_search_does_not_tell_how_its_game_was_dealt(options: dict[str, Any]) -> None:
    batch = make(6, 3, seed=5, **options)
    copies = batch.determinize(0, seed=1)
    for lane in range(6):
        assert dealt_again(batch, lane, campaign=place(batch, lane))
        assert not dealt_again(batch, lane, campaign=place(copies, lane))
        assert place(copies, lane).without_stream() == place(batch, lane).without_stream()


@pytest.mark.rule("F21")
@pytest.mark.parametrize("as_file", [False, True])
def test_a_copy_for_search_that_is_reset_is_not_dealt_as_the_campaign_says(as_file: bool, tmp_path: Path) -> None:
    MIDDLE.save(tmp_path / "middle.json")
    batch = make(6, 3, seed=5, campaign=str(tmp_path / "middle.json") if as_file else MIDDLE.to_json())
    copies = batch.determinize(0, seed=1)
    assert not dealt_again(batch, 0, **copies.options)
    copies.reset()
    assert place(copies).without_stream() == MIDDLE.without_stream()
    assert len({copies.states["hand"][lane].tobytes() for lane in range(6)}) > 1
    batch.reset()
    assert place(batch) == MIDDLE


# --- saved and restored ----------------------------------------------------------------------------------------------


def trace(batch: Batch, games: int, seed: int) -> list[bytes]:
    """All that happens in so many games: each seat's view and each result."""
    seen: list[bytes] = []
    at_random = RandomPlay(batch, seed)
    while games:
        seen.append(batch.observation.tobytes() + batch.action_mask.tobytes() + batch.seat.tobytes())
        batch.step(at_random.actions())
        if batch.seat[0] < 0:
            seen.append(batch.scores.tobytes() + batch.rewards.tobytes())
            batch.reset()
            games -= 1
    return seen


@pytest.mark.rule("F21")
@pytest.mark.parametrize("players", PLAYERS)
def test_a_campaign_saved_at_any_games_start_goes_on_in_the_same_way(players: int, tmp_path: Path) -> None:
    batch = make(1, players, seed=players, campaign="continue", max_turns=60)
    for game in range(4):
        path = tmp_path / f"{game}.json"
        place(batch).save(path)
        others = [
            make(1, players, seed=99, campaign="continue", max_turns=60),
            make(1, players, seed=98, campaign="continue", max_turns=60),
        ]
        for other, given in zip(others, (path, Campaign.load(path)), strict=True):
            other.reset(options={"campaign": given})
        twin = batch.clone()
        told = trace(twin, 2, seed=game)
        assert all(trace(other, 2, seed=game) == told for other in others)
        play(batch, game)
        batch.reset()


@pytest.mark.rule("F21")
def test_a_campaign_saved_at_a_games_end_goes_on_in_the_same_way(tmp_path: Path) -> None:
    batch = play(make(1, 3, campaign="continue"))
    place(batch).save(tmp_path / "campaign.json")
    other = make(1, 3, seed=5, campaign="continue")
    other.reset(options={"campaign": tmp_path / "campaign.json"})
    batch.reset()
    assert trace(other, 2, seed=1) == trace(batch, 2, seed=1)


@pytest.mark.rule("F21")
def test_a_fresh_campaign_that_began_at_a_drawn_stage_is_restored_too() -> None:
    batch = make(1, 2, seed=3, stage=(0, len(reference(2)) - 1), campaign="continue")
    other = make(1, 2, seed=9, campaign="continue")
    other.reset(options={"campaign": place(batch)})
    assert batch.states["starter"][0] == other.states["starter"][0]
    assert np.array_equal(batch.states["cards"], other.states["cards"])


@pytest.mark.rule("F21")
@pytest.mark.parametrize("seed", range(6))
def test_a_fresh_game_is_restored_exactly(seed: int) -> None:
    """What was drawn to begin it, who starts among it, must not be drawn in another way."""
    batch = make(1, 4, seed=seed, campaign="continue")
    other = make(1, 4, seed=77, campaign="continue")
    other.reset(options={"campaign": place(batch)})
    for name in ("starter", "hand", "fruit_stack", "rng"):
        assert np.array_equal(batch.states[name], other.states[name]), name


@pytest.mark.parametrize("name", ["campaign", "stage"])
def test_a_batch_with_a_campaign_in_its_options_is_saved_and_pickled(name: str, tmp_path: Path) -> None:
    options: dict[str, Any] = {name: MIDDLE.without_stream()}
    batch = play(make(4, [2, 3], autoreset=True, **options), decisions=60)
    batch.save(tmp_path / "games.npz")
    copies = [Batch.load(tmp_path / "games.npz"), pickle.loads(pickle.dumps(batch)), copy.deepcopy(batch)]
    told = play(batch, 1, 150).states
    assert batch.states["campaign_games"].max() > 17 or name == "stage"
    for other in copies:
        now = play(other, 1, 150).states
        assert all(np.array_equal(told[field], now[field]) for field in told.dtype.names or ())
    batch.reset()
    for other in copies:
        other.reset()
        assert all(np.array_equal(batch.states[field], other.states[field]) for field in told.dtype.names or ())


def test_the_aec_environment_with_a_campaign_is_pickled_and_copied() -> None:
    env = fable_env.env(num_players=2, campaign=MIDDLE)
    env.reset(seed=1)
    for twin in (pickle.loads(pickle.dumps(env)), copy.deepcopy(env)):
        assert twin._batch.states["campaign_games"][0] == 17
        twin.reset()
        assert place(twin._batch) == MIDDLE


# --- many lanes ------------------------------------------------------------------------------------------------------


@pytest.mark.rule("F21")
def test_each_lane_has_its_own_campaign() -> None:
    """Lane i plays the campaign that a single game seeded with its seed plays."""
    together = make(6, [2, 3, 4], seed=20, campaign="continue", autoreset=True)
    alone = [make(1, 2 + lane % 3, seed=20 + lane, campaign="continue", autoreset=True) for lane in range(6)]
    plays = [RandomPlay(batch, 20 + lane) for lane, batch in enumerate(alone)]
    at_random = RandomPlay(together, 20)
    for _ in range(700):
        together.step(at_random.actions())
        for single, its_play in zip(alone, plays, strict=True):
            single.step(its_play.actions())
    assert together.states["campaign_games"].min() > 0
    for lane, single in enumerate(alone):
        for name in ("campaign_cards", "campaign_drawn", "campaign_games", "campaign_start", "campaign_stream", "hand"):
            assert np.array_equal(together.states[name][lane], single.states[name][0]), name
    assert len({together.states["campaign_cards"][lane].tobytes() for lane in range(6)}) == 6


@pytest.mark.rule("F21", "F23")
def test_training_lanes_go_on_with_their_campaigns() -> None:
    envs = SeatVecEnv(GAME, 6, 2, campaign="continue", seed=3, max_turns=40)
    envs.reset()
    states = envs.games.batch.states
    ended = np.zeros(6, int)
    rng = np.random.default_rng(0)
    while ended.min() < 2:
        masks = envs.action_masks()
        envs.step_async(np.array([rng.choice(np.flatnonzero(mask)) for mask in masks]))
        _, _, dones, _ = envs.step_wait()
        ended += dones
        assert (states["campaign_games"] >= ended).all()
    assert (states["campaign_games"] == ended).all() or envs.games.skipped > 0
    envs.reset()
    assert (states["campaign_games"] >= ended).all()
    envs.seed(3)
    envs.reset()
    assert (states["campaign_games"] == 0).all()
    entering = SeatVecEnv(GAME, 4, 3, campaign=MIDDLE, seed=3)
    assert (entering.games.batch.states["campaign_games"] >= 17).all()
    entering.set_options({"campaign": LATE})
    entering.reset()
    assert (entering.games.batch.states["campaign_games"] >= 52).all()


# --- whole campaigns -------------------------------------------------------------------------------------------------


def whole_campaigns(players: int, campaigns: int, seed: int) -> NDArray[np.int64]:
    """Play campaigns to their ends, a lane each, and check each game's start and end; return how many games each had.

    All 240 location cards are always accounted for: bought, in small stacks, or on the location stack.
    """
    batch = Batch(GAME, campaigns, players, seed=seed, campaign="continue", autoreset=True)
    bought = np.zeros(campaigns, np.int64)
    games = np.zeros(campaigns, np.int64)
    going = np.ones(campaigns, bool)
    _check_starts(batch.states, bought)
    rng = np.random.default_rng(seed)
    while going.any():
        lanes = np.flatnonzero(going)
        actions = batch.random_actions(rng)
        batch.step(actions[lanes], games=lanes)
        ended = lanes[(batch.terminated | batch.truncated)[lanes]]
        if not ended.size:
            continue
        assert not batch.truncated[ended].any(), f"a game of lane {ended[batch.truncated[ended]][0]} was cut"
        final = batch.final_states[ended]
        bought[ended] += final["juices"].sum(axis=1)
        games[ended] += 1
        _check_account(final, bought[ended])
        over = np.count_nonzero(final["cards"], axis=1) < LEAST_STACKS
        assert np.array_equal(over, final["campaign_drawn"] == 0)
        going[ended[over]] = False
        on = ended[~over]
        assert np.array_equal(batch.states["campaign_games"][on], np.minimum(games[on], 255))
        assert np.array_equal(batch.states["cards"][on], final["cards"][~over])
        _check_starts(batch.states[on], bought[on])
    return games


def _check_starts(states: NDArray[Any], bought: NDArray[np.int64]) -> None:
    """F18: while the location stack lasts, 24 cards lie in small stacks at a game's start."""
    in_stacks = states["cards"].sum(axis=1)
    assert (in_stacks[states["drawn"] < NUMBERED] == IN_PLAY).all()
    assert (in_stacks <= IN_PLAY).all()
    _check_account(states, bought + states["juices"].sum(axis=1))


def _check_account(states: NDArray[Any], bought: NDArray[np.int64]) -> None:
    in_stacks = states["cards"].sum(axis=1, dtype=np.int64)
    assert (bought + in_stacks + (NUMBERED - states["drawn"]) == NUMBERED).all()
    for cards, drawn in zip(states["cards"], states["drawn"], strict=True):
        turned_up = np.bincount([location_of(card) for card in range(int(drawn))], minlength=60)[1:]
        assert (cards <= turned_up).all()


@pytest.mark.rule("F2", "F12", "F18", "F21")
@pytest.mark.parametrize("players", PLAYERS)
def test_whole_campaigns_account_for_all_cards_and_end(players: int) -> None:
    games = whole_campaigns(players, 40, seed=1000 * players)
    assert games.min() >= 5


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--campaigns", type=int, default=1000)
    parser.add_argument("--players", type=int, nargs="*", default=PLAYERS)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    for players in arguments.players:
        begun = time.perf_counter()
        games = whole_campaigns(players, arguments.campaigns, arguments.seed)
        print(
            f"{players} players: {games.size} campaigns, {games.sum()} games, "
            f"{games.min()} to {games.max()} a campaign, mean {games.mean():.1f}, "
            f"in {time.perf_counter() - begun:.0f} s"
        )


if __name__ == "__main__":
    main()
