"""Clones are exact, determinized copies are not; saves go on; threads, forks and callers do not meet."""

from __future__ import annotations

import copy
import json
import multiprocessing
import pickle
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from tablezoo import Batch, SaveError
from tablezoo.game import load_game
from tests.engine.helpers import everything, play, same
from tests.engine.tiny import CONTENT_GAME, GAME, make_game


def test_a_clone_has_the_same_future():
    batch = play(Batch(GAME, 5, num_players=3, seed=0), 3)
    twin = batch.clone()
    assert same(everything(batch), everything(twin))
    assert same(everything(play(batch, 40)), everything(play(twin, 40)))


def test_a_clone_of_some_lanes_may_repeat_them():
    batch = play(Batch(GAME, 4, num_players=[2, 3], seed=0), 3)
    some = batch.clone([3, 1, 3])
    for name, array in everything(some).items():
        assert np.array_equal(array, everything(batch)[name][[3, 1, 3]]), name
    assert some.num_players.tolist() == [3, 3, 3]


def test_deepcopy_is_a_clone():
    batch = play(Batch(GAME, 2, seed=0), 3)
    twin = copy.deepcopy(batch)
    play(twin, 5)
    assert not same(everything(batch), everything(twin))


def test_determinize_deals_anew_and_draws_otherwise():
    batch = play(Batch(GAME, 3, num_players=2, seed=0), 1)
    copies = batch.determinize(0, 0, np.repeat(np.arange(3), 50))
    original = batch.clone(np.repeat(np.arange(3), 50))
    assert np.array_equal(copies.observe(0), original.observe(0))
    assert np.array_equal(copies.states["hand"][:, 0], original.states["hand"][:, 0])
    differ = (copies.states["hand"][:, 1] != original.states["hand"][:, 1]).any(axis=1)
    assert 0.5 < differ.mean() < 1
    assert len(np.unique(copies.states["rng"], axis=0)) == 150


def test_determinize_is_uniform_over_what_the_seat_cannot_tell_apart():
    """Seat 0 sees its own three cards: the nine others are each as likely the other's, three out of nine."""
    batch = Batch(GAME, 1, num_players=2, seed=0)
    batch.states["hand"][0, 0] = [1, 1, 1, 0, 0, 0]
    batch.states["hand"][0, 1] = [1, 1, 1, 0, 0, 0]
    batch.states["deck"][0] = [3, 3, 4, 4, 5, 5, 0, 0, 0, 0, 0, 0]
    batch.states["deck_size"] = 6
    copies = batch.determinize(0, 3, np.zeros(6000, int))
    mean = copies.states["hand"][:, 1].mean(axis=0)
    assert np.allclose(mean, [1 / 3, 1 / 3, 1 / 3, 2 / 3, 2 / 3, 2 / 3], atol=0.03)
    top = np.bincount(copies.states["deck"][:, 5], minlength=6) / 6000
    assert np.allclose(top, [1 / 9, 1 / 9, 1 / 9, 2 / 9, 2 / 9, 2 / 9], atol=0.02)


def test_determinize_for_each_lanes_own_seat():
    batch = play(Batch(GAME, 4, num_players=4, seed=0), 2)
    copies = batch.determinize(batch.seat, 1)
    assert np.array_equal(copies.observation, batch.observation)
    assert np.array_equal(copies.action_mask, batch.action_mask)


# --- saves ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", [GAME, CONTENT_GAME])
def test_a_save_goes_on_as_the_original(tmp_path, game):
    content = ["plain", "steep"] if game is CONTENT_GAME else None
    options = {"hand_size": 2, "max_turns": 30}
    batch = play(Batch(game, 4, num_players=[2, 3], seed=0, reward="rank", content=content, **options), 7)
    batch.save(tmp_path / "batch.npz")
    loaded = Batch.load(tmp_path / "batch.npz")
    assert same(everything(batch), everything(loaded))
    for one in (batch, loaded):
        play(one, 20)
        one.reset(seed=4)
        play(one, 20)
    assert same(everything(batch), everything(loaded))
    assert loaded.reward == "rank"
    assert (loaded.states["hand_size"] == 2).all()
    assert [one.name for one in loaded.contents] == [one.name for one in batch.contents]


def test_a_pickle_goes_on_as_the_original():
    batch = play(Batch(GAME, 3, seed=0), 7)
    loaded = pickle.loads(pickle.dumps(batch))
    assert same(everything(play(batch, 20)), everything(play(loaded, 20)))


def test_a_save_replaces_what_was_there_as_a_whole(tmp_path):
    path = tmp_path / "batch.npz"
    path.write_bytes(b"old")
    Batch(GAME, seed=0).save(path)
    assert [file.name for file in tmp_path.iterdir()] == ["batch.npz"]
    assert Batch.load(path).num_games == 1


def rewritten(path, **changes) -> None:
    """Write a save again, with other entries in its header."""
    with np.load(path) as archive:
        arrays = dict(archive)
    header = json.loads(arrays["header"].tobytes())
    header.update(changes)
    arrays["header"] = np.frombuffer(json.dumps(header).encode(), np.uint8)
    np.savez(path, **arrays)


@pytest.fixture
def saved(tmp_path):
    path = tmp_path / "batch.npz"
    play(Batch(GAME, 3, seed=0), 4).save(path)
    return path


def test_a_file_that_is_none(tmp_path):
    with pytest.raises(FileNotFoundError):
        Batch.load(tmp_path / "nothing.npz")


@pytest.mark.parametrize("data", [b"", b"hello", b"PK\x03\x04 and no more", bytes(1000)])
def test_a_file_that_is_no_save(saved, data):
    saved.write_bytes(data)
    with pytest.raises(SaveError, match=r"batch\.npz: no save of a batch") as raised:
        Batch.load(saved)
    assert "pickle" not in str(raised.value)
    assert str(raised.value).count(str(saved)) == 1


def test_a_truncated_file(saved):
    whole = saved.read_bytes()
    for size in (len(whole) // 3, len(whole) - 30):
        saved.write_bytes(whole[:size])
        with pytest.raises(SaveError, match="damaged"):
            Batch.load(saved)


def test_a_damaged_file_is_never_loaded_wrongly(saved):
    whole = saved.read_bytes()
    right = everything(Batch.load(saved))
    rng = np.random.default_rng(0)
    refused = 0
    for place in rng.integers(len(whole), size=60):
        damaged = bytearray(whole)
        damaged[place] ^= 0x55
        saved.write_bytes(bytes(damaged))
        try:
            loaded = Batch.load(saved)
        except SaveError:
            refused += 1
        else:
            assert same(right, everything(loaded))
    assert refused > 30


def test_another_archive(tmp_path):
    np.savez(tmp_path / "other.npz", a=np.zeros(3))
    with pytest.raises(SaveError, match="'header' is missing"):
        Batch.load(tmp_path / "other.npz")


def test_an_archive_with_pickles_is_not_unpickled(tmp_path):
    np.savez(tmp_path / "other.npz", header=np.array([print, 1], object))
    with pytest.raises(SaveError):
        Batch.load(tmp_path / "other.npz")


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"format": "something"}, "no save of a batch"),
        ({"version": 99}, "format version 99"),
        ({"game": "twelve_v7"}, "saved by twelve_v7"),
        ({"dtype": "[('a', '<i4')]"}, "records differ"),
        ({"ref": "tests.engine.tiny:CONTENT_GAME"}, "saved by twelve_v0"),
        ({"ref": "tests.engine.tiny:NO_GAME"}, "NO_GAME"),
        ({"ref": "no_such_package:GAME"}, "neither imported nor installed"),
        ({"ref": "antigravity:GAME"}, "neither imported nor installed"),
    ],
)
def test_a_save_of_another_format_version_or_game(saved, changes, words):
    rewritten(saved, **changes)
    with pytest.raises(SaveError, match=words):
        Batch.load(saved)


def test_each_fault_has_its_own_words(saved):
    found = []
    for changes in ({"format": "x"}, {"version": 9}, {"game": "twelve_v7"}, {"contents": [{"name": "x", "hash": "0"}]}):
        Batch(GAME, 3, seed=0).save(saved)
        rewritten(saved, **changes)
        with pytest.raises(SaveError) as raised:
            Batch.load(saved)
        found.append(str(raised.value))
    assert len(set(found)) == len(found)


# --- games ---------------------------------------------------------------------------------------------------------


def test_a_game_pickles_as_an_import_reference():
    text = pickle.dumps(GAME)
    assert len(text) < 200
    assert pickle.loads(text) is GAME
    assert copy.deepcopy(GAME) is GAME
    assert copy.copy(GAME) is GAME
    assert load_game("tests.engine.tiny:GAME") is GAME


def test_a_game_that_cannot_be_imported_does_not_pickle():
    with pytest.raises(TypeError, match="only importable games are pickled"):
        pickle.dumps(make_game())
    with pytest.raises(ValueError, match="has no game 'GAMES'; did you mean 'GAME'"):
        load_game("tests.engine.tiny:GAMES")


# --- threads and processes -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("games", [1, 2, 255, 256, 700])
def test_threads_change_nothing(games):
    one, two = (play(Batch(GAME, games, num_players=[2, 3], seed=0, threads=t), 30) for t in (1, 2))
    assert same(everything(one), everything(two))


def test_callers_at_the_same_time_do_not_meet():
    def playing(seed: int):
        return everything(play(Batch(GAME, 300, num_players=3, seed=seed, threads=2), 40))

    with ThreadPoolExecutor(4) as pool:
        together = list(pool.map(playing, range(8)))
    for seed, found in enumerate(together):
        assert same(found, playing(seed))


def _in_a_child(batch: Batch, seed: int, queue) -> None:
    queue.put((everything(play(batch, 10)), everything(play(Batch(GAME, 300, seed=seed, threads=2), 10))))


@pytest.mark.filterwarnings("ignore:.*use of fork.*:DeprecationWarning")
@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_children_play_the_same(method):
    batch = play(Batch(GAME, 300, seed=0, threads=2), 5)  # the parent's threads are running
    context = multiprocessing.get_context(method)
    queue = context.Queue()
    child = context.Process(target=_in_a_child, args=(batch, 3, queue))
    child.start()
    found = queue.get(timeout=60)
    child.join(timeout=60)
    assert child.exitcode == 0
    assert same(found[0], everything(play(batch, 10)))
    assert same(found[1], everything(play(Batch(GAME, 300, seed=3, threads=2), 10)))
