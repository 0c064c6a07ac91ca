"""Content sets: read, checked with all faults at once, played by the lanes in turn."""

from __future__ import annotations

import dataclasses
import tomllib
from pathlib import Path

import numpy as np
import pytest

from tablezoo import Batch, ContentError
from tablezoo.content import Faults
from tablezoo.toml_lines import key_lines
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
    [
        ("steeep", "did you mean 'steep'"),
        ("nothing like it", "known: plain, steep"),
        ("/no/such/file.toml", "/no/such/file.toml: cannot be read: No such file"),
        (Path("no_suffix"), "no_suffix: cannot be read: No such file"),
        ([], "empty sequence"),
    ],
)
def test_sources_that_are_not_there(source, words):
    with pytest.raises(ContentError, match=words):
        Batch(CONTENT_GAME, seed=0, content=source)


def test_a_binary_file_is_no_content(tmp_path):
    (tmp_path / "set.toml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(ContentError, match="cannot be read: not UTF-8"):
        CONTENT.load(tmp_path / "set.toml")
    with pytest.raises(ContentError, match="cannot be read: Is a directory"):
        CONTENT.load(tmp_path)


def test_a_byte_order_mark_is_passed_over(tmp_path):
    (tmp_path / "set.toml").write_bytes(b'\xef\xbb\xbftitle = "x"\ncopies = [4, 3, 2, 1, 1, 1]\n')
    assert CONTENT.load(tmp_path / "set.toml").hash == CONTENT.load("steep").hash


def test_brackets_without_end_are_no_toml(tmp_path):
    (tmp_path / "set.toml").write_text("copies = " + "[" * 100_000)
    with pytest.raises(ContentError, match="not TOML"):
        CONTENT.load(tmp_path / "set.toml")


# --- generators -------------------------------------------------------------------------------------------------------


def equal_or_not(argument):
    if argument not in ("equal", "spoilt"):
        raise ContentError(f"expected equal or spoilt, got {argument!r}")
    return {"title": "made", "copies": [2, 2, 2, 2, 2, 2 if argument == "equal" else 3]}


GENERATING = dataclasses.replace(CONTENT, generators={"made": equal_or_not})


def test_a_generator_makes_a_document_that_is_read_like_a_file():
    made = GENERATING.load("made:equal")
    assert made.name == "made:equal"
    assert made.hash == CONTENT.load("plain").hash


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("made:spoilt", "^made:spoilt: copies: expected 12 cards in all, got 13$"),
        ("made:", "expected equal or spoilt, got ''"),
        ("maid:equal", "no content set 'maid:equal'; did you mean 'made:'"),
        ("plain:3", "no content set 'plain:3'; did you mean 'plain'"),
        ("made", "no content set 'made'; did you mean 'made:'"),
    ],
)
def test_a_generator_that_is_not_there_or_gets_a_wrong_argument(source, words):
    with pytest.raises(ContentError, match=words):
        GENERATING.load(source)


# --- lines ------------------------------------------------------------------------------------------------------------

TEXT = '''\
# title = "not this"
title = 'x = "y"'  # copies = [
"quoted key" = 1
copies = [2, 2,
  3,  # copies = 4
  ["]", '#'], { a = 1, b = { c = 2 } },
]
long = """
title = 2
\\""" ]
""""
raw = \'\'\'
[cards]
\'\'\'
dotted.key . "is" = 1979-05-27T07:32:00Z

[[cards]]  # one
name = "a"
[cards.face]
points = -1.5
[[cards]]
name = "b"
face = {points = 2,of=[1,2]}
  [[cards.faces]]
  name = "c"
  [[cards.faces]]
  name = "d"
[other]
name = true
'''


@pytest.mark.parametrize(
    ("key", "line"),
    [
        ("title", 2),
        ("quoted key", 3),
        ("copies", 4),
        ("copies[1]", 4),
        ("copies[2]", 5),
        ("copies[3][1]", 6),
        ("copies[4].b.c", 6),
        ("long", 8),
        ("raw", 12),
        ("dotted", 15),
        ("dotted.key.is", 15),
        ("cards", 17),
        ("cards[0]", 17),
        ("cards[0].name", 18),
        ("cards[0].face", 19),
        ("cards[0].face.points", 20),
        ("cards[1]", 21),
        ("cards[1].name", 22),
        ("cards[1].face.points", 23),
        ("cards[1].face.of[1]", 23),
        ("cards[1].faces[0].name", 25),
        ("cards[1].faces[1]", 26),
        ("cards[1].faces[1].name", 27),
        ("other.name", 29),
        ("cards[1].face.missing", 23),  # of the table that should have it
        ("cards[0].missing[2].too", 17),
        ("missing", None),
    ],
)
def test_a_fault_has_the_line_of_its_key(key, line):
    tomllib.loads(TEXT)
    faults = Faults("f.toml", TEXT)
    faults.add(key, "wrong")
    assert faults.found == [f"f.toml:{line}: {key}: wrong" if line else f"f.toml: {key}: wrong"]


@pytest.mark.parametrize(
    "text", ["", "\n\n", "# only", "a=1", "a=[]", "a={}\n", "[a]", "[[a]]\r\nb='c'\r\n", "a.b.c=''", "a=\"\"\nb=''"]
)
def test_lines_of_short_files(text):
    tomllib.loads(text)
    assert set(key_lines(text).values()) <= {1, 2}


def paths(value, path=""):
    entries = []
    if isinstance(value, dict):
        entries = [(f"{path}.{key}" if path else key, inner) for key, inner in value.items()]
    elif isinstance(value, list):
        entries = [(f"{path}[{i}]", inner) for i, inner in enumerate(value)]
    return {path for path, _ in entries}.union(*(paths(inner, path) for path, inner in entries))


def test_every_key_has_a_line():
    assert set(key_lines(TEXT)) == paths(tomllib.loads(TEXT))
