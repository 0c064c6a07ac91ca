"""The examples in the content writer's page are valid content, and cost what the page says."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from fable_env.procedural import document
from fable_env.reader import FORMAT
from fable_env.sets import LETTERS, STEPS
from tablezoo import ContentError
from tests.fable.documents import changed, content_set, right
from tests.fable.test_content import pays

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "fable_content.md").read_text(encoding="utf-8")

BLOCK = re.compile(r"^```toml\n(.*?)^```\n(.*?)(?=^```|^#|\Z)", re.DOTALL | re.MULTILINE)
EXAMPLES = [(tomllib.loads(match[1]), " ".join(match[2].split())) for match in BLOCK.finditer(PAGE)]
ACTIONS = [(example["action"], words) for example, words in EXAMPLES if "action" in example]
PRICES = [(example["price"], words) for example, words in EXAMPLES if list(example) == ["price"]]


@pytest.mark.parametrize("example", [example for example, _ in EXAMPLES], ids=str)
def test_the_example_can_be_read(example):
    location = example["locations"][0] if "locations" in example else example
    content_set(changed({f"locations[0].{key}": value for key, value in location.items()}))


def test_the_page_shows_each_step_and_each_sort_of_price():
    assert {step.split()[0] for action, _ in ACTIONS for step in action} == set(STEPS)
    assert {sign for price, _ in PRICES for sign in price} >= set("*=≠")


REQUIREMENTS = {"fill", "salvage", "cost", "trade", "mix", "copy", "order"}


@pytest.mark.rule("F9a")
def test_the_page_tells_of_each_requirement():
    told = [{step.split()[0] for step in action} for action, words in ACTIONS if "Requirement: " in words]
    assert set.union(*told) >= REQUIREMENTS
    assert all(words & REQUIREMENTS for words in told)


@pytest.mark.rule("F11", "F11a")
@pytest.mark.parametrize(("price", "words"), PRICES, ids=[price for price, _ in PRICES])
def test_a_price_is_paid_as_the_page_says(price, words):
    yes, no = re.fullmatch(r".*: pay (.*), not (.*)\.", words).groups()
    for hands, expected in ((yes, True), (no, False)):
        for hand in re.findall(r"`([A-Z]+)`", hands):
            assert pays(price, [LETTERS.index(letter) for letter in hand]) == expected, hand


def test_the_faults_shown_read_so(tmp_path, monkeypatch):
    shown = re.search(r"^```text\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE)[1].splitlines()
    places = [
        f'[[locations]]\nname = "{place["name"]}"\naction = ["draw 1"]\nprice = "***"\n'
        for place in right()["locations"]
    ]
    places[1] = '[[locations]]\nname = "A brook"\naction = ["drwa 1", "swap 12"]\nprice = "GGX*"\n'
    monkeypatch.chdir(tmp_path)
    Path("my_locations.toml").write_text("\n".join(places))
    with pytest.raises(ContentError) as raised:
        FORMAT.load("my_locations.toml")
    assert str(raised.value).splitlines() == shown


def test_a_random_set_written_out_as_the_page_shows_is_that_set(tmp_path, capsys):
    code = re.findall(r"^```python\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE)[-1]
    exec(code, {})
    (tmp_path / "mine.toml").write_text(capsys.readouterr().out)
    assert FORMAT.load(tmp_path / "mine.toml").hash == FORMAT.load("procedural:7").hash
    assert len(document("7")["locations"]) == 59
