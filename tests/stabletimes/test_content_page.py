"""The examples in the content writer's page are valid content, and score what the page says."""

from __future__ import annotations

import re
import tomllib
from copy import deepcopy
from pathlib import Path

import pytest

from stabletimes_env.reader import FORMAT, PREFERENCE_KEYS
from stabletimes_env.sets import CONDITIONS
from tablezoo import ContentError
from tests.stabletimes.table import PLAIN, content_set, plain, scores

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "stabletimes_content.md").read_text(encoding="utf-8")
ORIGINAL = tomllib.loads((ROOT / "stabletimes_env" / "content" / "original.toml").read_text(encoding="utf-8"))

BLOCK = re.compile(r"^```toml\n(.*?)^```\n(.*?)(?=^```|^#|\Z)", re.DOTALL | re.MULTILINE)
EXAMPLES = [(match[1], match[2]) for match in BLOCK.finditer(PAGE)]
PREFERENCES = [example for example in EXAMPLES if example[0].startswith("preference")]
BOARDS = [example for example in EXAMPLES if example[0].startswith("basic")]

TEST_TYPES = dict(zip(ORIGINAL["types"], PLAIN["types"], strict=True))
STABLES = ["a1 a2 w3 | b1 b4 | b2", "d3 | c2 c3 c4 | e1 e2 e3", "d1 d2 | c1"]
SETS = 5
"""What the example's one set of disciplines scores beside the preference or board."""


def ids(examples):
    return [toml.splitlines()[0] for toml, _ in examples]


def said(words):
    """The scores that the page tells of an example."""
    return [int(number) for number in re.findall(r"\*\*(-?\d+)\*\*", words)]


def in_test_types(toml):
    """The example with the types of the set that ``scores`` plays with."""
    for type_, other in TEST_TYPES.items():
        toml = toml.replace(f'"{type_}"', f'"{other}"')
    return tomllib.loads(toml)


@pytest.mark.parametrize("toml", [toml for toml, _ in EXAMPLES], ids=ids(EXAMPLES))
def test_the_example_can_be_read(toml):
    example, document = tomllib.loads(toml), deepcopy(ORIGINAL)
    if "preference" in example:
        document["horses"][0] |= example
    elif "basic" in example:
        document["boards"][0] |= example
    elif "boards" in example:
        document["boards"][1] = example["boards"][0]
    elif "horses" in example:
        document["horses"][0], document["horses"][-1] = example["horses"]
    else:
        document |= example
    content_set(document)


@pytest.mark.parametrize(("toml", "words"), PREFERENCES, ids=ids(PREFERENCES))
def test_a_preference_scores_what_the_page_says(toml, words):
    document = plain({"a1": in_test_types(toml)["preference"]})
    assert [scores(STABLES, document)[0] - SETS] == said(words)[:1]


@pytest.mark.parametrize(("toml", "words"), BOARDS, ids=ids(BOARDS))
def test_a_board_scores_what_the_page_says(toml, words):
    document = plain(boards=[{"type": "Ash", **in_test_types(toml)}])
    assert [scores(STABLES, document, upgraded=side)[0] - SETS for side in ([], [0])] == said(words)


def test_the_page_shows_each_kind_of_preference_and_each_condition():
    kinds = {tomllib.loads(toml)["preference"]["kind"] for toml, _ in PREFERENCES}
    conditions = {tomllib.loads(toml)["basic"]["condition"] for toml, _ in BOARDS}
    assert kinds == set(PREFERENCE_KEYS)
    assert conditions == set(CONDITIONS)


def test_the_faults_shown_read_so(tmp_path, monkeypatch):
    shown = re.search(r"^```text\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE)[1].splitlines()
    horse = '  { name = "N", type = "Arabian", discipline = "rail", preference = { kind = "flat", points = 1 } },'
    horses = [horse] * 8
    horses[2] = horse.replace('"flat"', '"per_wild", where = "aisle", cap = -1')
    horses[7] = horse.replace("Arabian", "Arabain")
    monkeypatch.chdir(tmp_path)
    Path("my_cards.toml").write_text("\n".join([f"types = {ORIGINAL['types']}", *[""] * 4, "horses = [", *horses, "]"]))
    with pytest.raises(ContentError) as raised:
        FORMAT.load("my_cards.toml")
    assert set(shown) <= set(str(raised.value).splitlines())
