"""Content sets: read, checked with all faults at once, played by the lanes in turn."""

from __future__ import annotations

import numpy as np
import pytest

from tablezoo import Batch, ContentError
from tests.engine.helpers import everything, play, same
from tests.engine.tiny import CONTENT, CONTENT_GAME, GAME


def test_lanes_take_the_sets_in_turn():
    batch = Batch(CONTENT_GAME, 4, seed=0, content=["plain", "steep"])
    assert batch.states["copies"].tolist() == [[2] * 6, [4, 3, 2, 1, 1, 1]] * 2
    lone = Batch(CONTENT_GAME, 1, seed=1, content="steep")
    assert np.array_equal(lone.observation[0], batch.observation[1])


def test_the_default_set_plays_like_the_game_without_content():
    assert same(everything(play(Batch(CONTENT_GAME, 3, seed=0), 30)), everything(play(Batch(GAME, 3, seed=0), 30)))


def test_names_paths_and_sets_are_the_same(tmp_path):
    path = tmp_path / "mine.toml"
    path.write_text('title = "mine"\ncopies = [4, 3, 2, 1, 1, 1]\n')
    mine, named = CONTENT.load(path), CONTENT.load("steep")
    assert mine.name == "mine"
    assert mine.hash == named.hash != CONTENT.load(None).hash
    assert CONTENT.names() == ["plain", "steep"]
    batches = [Batch(CONTENT_GAME, 2, seed=0, content=source) for source in (path, str(path), mine, ["steep"])]
    for batch in batches[1:]:
        assert same(everything(batches[0]), everything(batch))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "empty"),
        ("copies = [", "not TOML"),
        ('title = "x"', r"copies: expected 6 integers, got None"),
        ('title = "x"\ncopies = [2, 2, 2, 2, 2, 3]', r"set\.toml:2: copies: expected 12 cards in all, got 13"),
        ('copies = [2, 2, 2, 2, 2, 2]\ntitle = "x"\nspeed = 3', r"set\.toml:3: speed: unknown key"),
    ],
)
def test_faults_are_named_with_file_line_and_key(tmp_path, text, words):
    path = tmp_path / "set.toml"
    path.write_text(text)
    with pytest.raises(ContentError, match=words):
        Batch(CONTENT_GAME, seed=0, content=path)


def test_all_faults_are_told_at_once(tmp_path):
    path = tmp_path / "set.toml"
    path.write_text("copies = [2, -1, true, 2, 2, 2]\nspeed = 1\n")
    with pytest.raises(ContentError) as raised:
        CONTENT.load(path)
    assert len(str(raised.value).splitlines()) == 4  # two copies, a key, no title


@pytest.mark.parametrize(
    ("source", "words"),
    [("steeep", "did you mean 'steep'"), ("/no/such/file.toml", "cannot be read"), ([], "empty sequence")],
)
def test_sources_that_are_not_there(source, words):
    with pytest.raises(ContentError, match=words):
        Batch(CONTENT_GAME, seed=0, content=source)


def test_a_binary_file_is_no_content(tmp_path):
    (tmp_path / "set.toml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(ContentError, match="cannot be read"):
        CONTENT.load(tmp_path / "set.toml")
