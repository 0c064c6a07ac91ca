"""Fields of the engine's that somebody wrote wrongly are told with lane, field, value and what was expected."""

from __future__ import annotations

import dataclasses
import json
import re

import numpy as np
import pytest

from tablezoo import Batch, SaveError
from tests.engine.helpers import everything, play, same
from tests.engine.tiny import CONTENT_GAME, GAME

FAULTS = [
    ("num_players", 1, "2 to 4"),
    ("num_players", 5, "2 to 4"),
    ("num_players", 0, "2 to 4"),
    ("num_players", -3, "2 to 4"),
    ("content", -1, "0 to 1"),
    ("content", 2, "0 to 1"),
    ("ended", 3, "0 to 2"),
    ("ended", 255, "0 to 2"),
    ("seat", 3, "0 to 2"),
    ("seat", -1, "0 to 2"),
    ("offender", 3, "-1 to 2"),
    ("offender", -2, "-1 to 2"),
    ("start_seat", 3, "-1 to 2"),
    ("start_seat", -2, "-1 to 2"),
    ("pending_size", -1, "0 to 1"),
    ("pending_size", 2, "0 to 1"),
]


def made() -> Batch:
    return play(Batch(CONTENT_GAME, 4, num_players=3, seed=0, content=["plain", "steep"]), 3)


@pytest.mark.parametrize(("field", "value", "expected"), FAULTS)
def test_refresh_tells_a_field_that_no_game_can_have(field, value, expected):
    batch = made()
    observation = batch.observation.copy()
    batch.states[field][2] = value
    words = f"states['{field}'] of lane 2 is {value}; expected {expected}"
    with pytest.raises(ValueError, match=f"^{re.escape(words)}$"):
        batch.refresh()
    assert np.array_equal(batch.observation, observation)


def test_every_engine_field_that_is_an_index_is_looked_at():
    engine = GAME.state_dtype.names[: GAME.state_dtype.names.index("last_scores")]
    harmless = {"rng", "turn", "max_turns", "hand_size", "pending"}
    assert set(engine) - harmless == {field for field, *_ in FAULTS}


def test_games_that_are_over_need_no_seat():
    batch = Batch(GAME, 2, seed=0, autoreset=False)
    batch.states["ended"] = 1
    batch.states["seat"] = -1
    batch.refresh()
    assert (batch.seat == -1).all()


@pytest.mark.parametrize("which", ["states", "final_states"])
@pytest.mark.parametrize(("field", "value", "expected"), FAULTS)
def test_a_crafted_file_is_refused(tmp_path, which, field, value, expected):
    path = tmp_path / "batch.npz"
    batch = made()
    batch.final_states[...] = batch.states
    batch.save(path)
    crafted(path, lambda arrays: arrays[which][field].__setitem__(1, value))
    if (which, field, value) == ("final_states", "num_players", 0):
        Batch.load(path)  # a lane where no game has ended yet
        return
    words = f"{path}: {which} that no batch writes: states['{field}'] of lane 1 is {value}; expected {expected}"
    with pytest.raises(SaveError, match=re.escape(words)):
        Batch.load(path)


def test_a_crafted_mask_is_not_believed(tmp_path):
    path = tmp_path / "batch.npz"
    batch = made()
    batch.save(path)

    def lie(arrays):
        arrays["output_0"][...] = True
        arrays["output_2"][...] = 100

    crafted(path, lie)
    assert same(everything(batch), everything(Batch.load(path)))


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"settings": {"num_games": -1}}, "num_games: expected an integer from 1 to"),
        ({"settings": {"num_games": 10**9}}, "states of shape (4,), expected (1000000000,)"),
        ({"settings": {"threads": 0}}, "threads: expected an integer from 1 to 1024, got 0"),
        ({"settings": {"reward": "gold"}}, "reward='gold' is unknown"),
        ({"settings": {"illegal": "loose"}}, "illegal='loose' is unknown"),
        ({"settings": None}, "settings is None, expected a dict"),
        ({"options": [1]}, "options is [1], expected a dict"),
        ({"contents": []}, "no content set"),
        ({"contents": [3]}, "contents is [3], expected dicts"),
        ({"contents": "x"}, "contents is 'x', expected a list"),
        ({"ref": 3}, "ref is 3, expected a str"),
        ({"ref": None}, "ref is None, expected a str"),
    ],
    ids=str,
)
def test_a_crafted_header_is_refused(tmp_path, changes, words):
    path = tmp_path / "batch.npz"
    made().save(path)

    def lie(arrays):
        header = json.loads(arrays["header"].tobytes())
        for name, value in changes.items():
            header[name] = {**header[name], **value} if isinstance(value, dict) else value
        arrays["header"] = np.frombuffer(json.dumps(header).encode(), np.uint8)

    crafted(path, lie)
    with pytest.raises(SaveError, match=re.escape(words)):
        Batch.load(path)


def test_a_setting_that_is_missing(tmp_path):
    path = tmp_path / "batch.npz"
    made().save(path)

    def drop(arrays):
        header = json.loads(arrays["header"].tobytes())
        del header["settings"]["reward"]
        arrays["header"] = np.frombuffer(json.dumps(header).encode(), np.uint8)

    crafted(path, drop)
    with pytest.raises(SaveError, match="settings without 'reward'"):
        Batch.load(path)


def test_content_of_another_kind(tmp_path):
    path = tmp_path / "batch.npz"
    made().save(path)
    crafted(path, lambda arrays: arrays.update(content_0=np.zeros(1, [("copies", np.uint8)])))
    with pytest.raises(SaveError, match=r"content_0 is .* expected "):
        Batch.load(path)


def crafted(path, change) -> None:
    """Write a save again, with ``change(arrays)`` made."""
    with np.load(path) as archive:
        arrays = {name: archive[name].copy() for name in archive.files}
    change(arrays)
    np.savez(path, **arrays)


@pytest.mark.parametrize("name", ["round", "size", "all", "copy"])
def test_a_field_with_the_name_of_an_attribute_of_numpys_records_is_refused(name):
    state = [("cards", np.uint8), (name, np.int8)]
    with pytest.raises(ValueError, match=rf"game 'twelve' has the field '{name}', which NumPy's records have"):
        dataclasses.replace(GAME, state=state)
