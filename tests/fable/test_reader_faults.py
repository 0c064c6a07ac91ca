"""Each fault of a content set has its own words, with its line and key; all are told at once."""

from __future__ import annotations

from typing import Any

import pytest

from fable_env.reader import FORMAT
from fable_env.sets import STEPS
from tablezoo import ContentError
from tests.fable.documents import GONE, change, changed, content_set, right, written

NAME = "a name of 1 to 40 bytes, printable and without spaces around it"
AN_ACTION = "a list of 1 to 4 steps, such as ['draw 1', 'swap 3']"
A_PRICE = "a price such as 'GGG*'"
FRUITS = "one of B, C, G, P, S, any"
SIGNS = "B, C, G, P, S, *, =n or ≠n"


def faults_of(folder, document):
    file = folder / "set.toml"
    file.write_text(written(document), encoding="utf-8")
    with pytest.raises(ContentError) as raised:
        FORMAT.load(file)
    return [fault.removeprefix(f"{file}:") for fault in str(raised.value).splitlines()]


def test_what_the_faults_are_made_of_is_right(tmp_path):
    (tmp_path / "set.toml").write_text(written(right()))
    assert FORMAT.load(tmp_path / "set.toml").hash == content_set(right()).hash


# --- the file and its locations ---------------------------------------------------------------------------------------

FAULTS: dict[str, Any] = {
    "58 locations": ({"locations[58]": GONE}, "1: locations: expected 59 locations, got 58"),
    "no locations": ({"locations": GONE, "name": "x"}, " locations: missing; expected 59 locations", "101: name: "),
    "locations that are no list": ({"locations": 59}, "1: locations: expected 59 locations, got 59"),
    "a location that is no table": ({"locations[3]": "x"}, "5: locations[3]: expected a table, got 'x'"),
    "an unknown key of the file": ({"location": "x"}, "101: location: unknown key; did you mean 'locations'?"),
    "an unknown key": ({"locations[3].prise": "x"}, "5: locations[3].prise: unknown key; did you mean 'price'?"),
    "a name twice": (
        {"locations[20].name": "Place 4"},
        "22: locations[20].name: expected a name of its own, got 'Place 4', which locations[3] has too",
    ),
    "no name": ({"locations[20].name": GONE}, f"22: locations[20].name: missing; expected {NAME}"),
    "an empty name": ({"locations[20].name": ""}, f"22: locations[20].name: expected {NAME}, got ''"),
    "a name too long in bytes": (
        {"locations[20].name": "é" * 21},
        f"22: locations[20].name: expected {NAME}, got '{'é' * 21}'",
    ),
    "too many cards": (
        {"locations[3].cards": 5},
        "5: locations[3].cards: expected 4, which the rules lay down for this location, got 5",
    ),
    "too few cards of the last": (
        {"locations[58].cards": 4},
        "60: locations[58].cards: expected 8, which the rules lay down for this location, got 4",
    ),
    "cards that are no number": (
        {"locations[3].cards": 4.0},
        "5: locations[3].cards: expected 4, which the rules lay down for this location, got 4.0",
    ),
    "no action": ({"locations[3].action": GONE}, f"5: locations[3].action: missing; expected {AN_ACTION}"),
    "no step": ({"locations[3].action": []}, f"5: locations[3].action: expected {AN_ACTION}, got []"),
    "an action that is a text": (
        {"locations[3].action": "draw 1"},
        f"5: locations[3].action: expected {AN_ACTION}, got 'draw 1'",
    ),
    "five steps": (
        {"locations[3].action": ["draw 1", "swap 2", "ask 1", "pass", "thief"]},
        "5: locations[3].action: expected 1 to 4 steps, got 5",
    ),
    "a step that is a number": (
        {"locations[3].action": ["draw 1", 2]},
        "5: locations[3].action[1]: expected a step such as 'draw 2', got 2",
    ),
    "a kind of step twice": (
        {"locations[3].action": ["draw 1", "swap 2", "draw 2"]},
        "5: locations[3].action[2]: expected draw once, but action[0] is one too",
    ),
    "two copies": (
        {"locations[3].action": ["copy", "copy"]},
        "5: locations[3].action[1]: expected copy once, but action[0] is one too",
    ),
    "two fruits": (
        {"locations[3].action": ["cost B 1", "trade C 2"]},
        "5: locations[3].action: expected one fruit at most, but both trade and cost name one",
    ),
    "copies everywhere": (
        {f"locations[{i}].action": ["draw 1", "copy"] for i in range(59)},
        "1: locations: all have copy; expected one at least that can be copied",
    ),
    "no price": ({"locations[3].price": GONE}, f"5: locations[3].price: missing; expected {A_PRICE}"),
    "a price that is a number": ({"locations[3].price": 4}, f"5: locations[3].price: expected {A_PRICE}, got 4"),
}


@pytest.mark.rule("F2", "F9", "F11")
@pytest.mark.parametrize("case", FAULTS)
def test_each_fault_has_its_words_line_and_key(tmp_path, case):
    changes, *expected = FAULTS[case]
    faults = faults_of(tmp_path, changed(changes))
    assert len(faults) == len(expected)
    for fault in expected:
        assert any(found.startswith(fault) for found in faults), faults
        assert fault in faults or fault.endswith(": ")


# --- steps ------------------------------------------------------------------------------------------------------------

STEP_FAULTS = {
    "drwa 2": ["unknown step 'drwa'; did you mean 'draw'?"],
    "Draw 2": ["unknown step 'Draw'; did you mean 'draw'?"],
    "draw2": ["unknown step 'draw2'; did you mean 'draw'?"],
    "?": [f"unknown step '?'; known: {', '.join(sorted(STEPS))}"],
    "": [f"unknown step ''; known: {', '.join(sorted(STEPS))}"],
    "draw": ["draw: the number is missing; expected 1 to 9"],
    "draw 0": ["draw: expected a number, 1 to 9, got '0'"],
    "draw 10": ["draw: expected a number, 1 to 9, got '10'"],
    "draw -1": ["draw: expected a number, 1 to 9, got '-1'"],
    "draw 2.0": ["draw: expected a number, 1 to 9, got '2.0'"],
    "draw 02": ["draw: expected a number, 1 to 9, got '02'"],
    "draw ٣": ["draw: expected a number, 1 to 9, got '٣'"],
    "draw two": ["draw: expected a number, 1 to 9, got 'two'"],
    "gamble 6": ["gamble: expected a number, 1 to 5, got '6'"],
    "missing 6": ["missing: expected a number, 1 to 5, got '6'"],
    "draw B 2": ["draw: expected a number, 1 to 9, got 'B'", "draw: expected nothing after 'draw B', got '2'"],
    "draw  1   2 3": ["draw: expected nothing after 'draw 1', got '2'"],
    "pass 1": ["pass: expected nothing after 'pass', got '1'"],
    "copy same": ["copy: expected nothing after 'copy', got 'same'"],
    "trade 2": [f"trade: the fruit is missing; expected {FRUITS}, as in 'trade B 2'"],
    "trade B": ["trade: the number is missing; expected 1 to 9"],
    "trade": [
        f"trade: the fruit is missing; expected {FRUITS}, as in 'trade B 2'",
        "trade: the number is missing; expected 1 to 9",
    ],
    "trade X 0": [
        f"trade: unknown fruit 'X'; expected {FRUITS}",
        "trade: expected a number, 1 to 9, got '0'",
    ],
    "trade b 2": [f"trade: unknown fruit 'b'; expected {FRUITS}"],
    "trade same 2": [f"trade: unknown fruit 'same'; expected {FRUITS}"],
    "cost banana 2": [f"cost: unknown fruit 'banana'; expected {FRUITS}, same"],
    "cost same 1": ["cost: expected a number, 2 to 9, got '1'"],
    "cost same": ["cost: the number is missing; expected 2 to 9"],
    "cost 2 B": [
        f"cost: the fruit is missing; expected {FRUITS}, same, as in 'cost B 2'",
        "cost: expected nothing after 'cost 2', got 'B'",
    ],
}


@pytest.mark.rule("F9")
@pytest.mark.parametrize("step", STEP_FAULTS)
def test_a_step_that_is_none(tmp_path, step):
    faults = faults_of(tmp_path, changed({"locations[3].action": ["thief", step]}))
    assert faults == [f"5: locations[3].action[1]: {fault}" for fault in STEP_FAULTS[step]]


# --- prices -----------------------------------------------------------------------------------------------------------

PRICE_FAULTS = {
    "": ["expected 1 to 12 signs, got none"],
    "  ": ["expected 1 to 12 signs, got none"],
    "G" * 13: ["expected 1 to 12 signs, got 13"],
    "=12 *": ["expected 1 to 12 signs, got 13"],
    "≠5 =": ["expected a number, 2 to 12, after '=', got none", "expected one '=n' or '≠n' at most, got ≠5 ="],
    "=1": ["expected a number, 2 to 12, after '=', got 1"],
    "=13": ["expected a number, 2 to 12, after '=', got 13"],
    "=03": ["expected a number, 2 to 12, after '=', got 03"],
    "≠1": ["expected a number, 2 to 5, after '≠', got 1"],
    "≠6": ["expected a number, 2 to 5, after '≠', got 6"],
    "!=6": ["expected a number, 2 to 5, after '≠', got 6"],
    "≠": ["expected a number, 2 to 5, after '≠', got none"],
    "=2 =3": ["expected one '=n' or '≠n' at most, got =2 =3"],
    "=2 !=3": ["expected one '=n' or '≠n' at most, got =2 ≠3"],
    "GgXX*": [f"unknown sign 'g'; expected {SIGNS}", f"unknown sign 'X'; expected {SIGNS}"],
    "3G": [f"unknown sign '3'; expected {SIGNS}"],
    "=2 3": [f"unknown sign '3'; expected {SIGNS}"],
}


@pytest.mark.rule("F11")
@pytest.mark.parametrize("price", PRICE_FAULTS)
def test_a_price_that_is_none(tmp_path, price):
    faults = faults_of(tmp_path, changed({"locations[3].price": price}))
    assert faults == [f"5: locations[3].price: {fault}" for fault in PRICE_FAULTS[price]]


# --- files ------------------------------------------------------------------------------------------------------------


def test_all_faults_are_told_at_once(tmp_path):
    one_each = {
        "locations[0].name": 3,
        "locations[1].price": "=9 ≠9",
        "locations[2].action[0]": "fly 1",
        "locations[3].cards": 3,
        "locations[58].action": [],
        "more": 1,
    }
    keys = [fault.split(": ")[1] for fault in faults_of(tmp_path, changed(one_each))]
    assert set(keys) == set(one_each)


def test_lines_of_headings_and_of_lists_over_many_lines(tmp_path):
    text = "".join(
        f'[[locations]]\nname = "{place["name"]}"\naction = [\n  "draw 1",\n  "swap 2"\n]\nprice = "***"\n\n'
        for place in right()["locations"]
    )
    file = tmp_path / "set.toml"
    file.write_text(text.replace('"swap 2"', '"swop 2"', 2).replace('"swop 2"', '"swap 2"', 1))
    with pytest.raises(ContentError) as raised:
        FORMAT.load(file)
    assert str(raised.value) == f"{file}:13: locations[1].action[1]: unknown step 'swop'; did you mean 'swap'?"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "set.toml: the file is empty"),
        ("# nothing\n", "set.toml: the file is empty"),
        ("locations = [", "set.toml: not TOML: "),
        ("name;price\nBrook;GGG*\n", "set.toml: not TOML: .*line 1"),
    ],
)
def test_files_that_hold_no_content(tmp_path, text, words):
    (tmp_path / "set.toml").write_text(text)
    with pytest.raises(ContentError, match=words):
        FORMAT.load(tmp_path / "set.toml")


def test_a_file_that_is_not_there(tmp_path):
    with pytest.raises(ContentError, match=r"places\.toml: cannot be read: No such file"):
        FORMAT.load(tmp_path / "places.toml")


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("procedural", "no content set 'procedural'; did you mean 'procedural:'"),
        ("orignal", "no content set 'orignal'; did you mean 'original'"),
    ],
)
def test_a_name_that_is_none(source, words):
    with pytest.raises(ContentError, match=words):
        FORMAT.load(source)


@pytest.mark.parametrize("cards", [4, GONE])
def test_what_may_be_left_out(cards):
    document = changed({"locations[58].cards": 8})
    change(document, "locations[3].cards", 4)
    if cards is GONE:
        change(document, "locations[3].cards", GONE)
    content_set(document)
