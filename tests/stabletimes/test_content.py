"""Content sets: each fault has its own words, line and key; what is right is stored as the file says."""

from __future__ import annotations

import itertools
import re
import subprocess
import sys
import tomllib
from copy import deepcopy
from pathlib import Path

import numpy as np
import pytest

from stabletimes_env import GAME, __main__
from stabletimes_env.procedural import document as procedural_document
from stabletimes_env.reader import FORMAT
from stabletimes_env.sets import BOARD_LAYOUT, CONDITIONS, DISCIPLINES, HORSE_LAYOUT, MEASURES, PREFERENCES
from stabletimes_env.words import (
    board_name,
    board_words,
    horse_name,
    horse_words,
    preference_words,
    side_words,
)
from tablezoo import Batch, ContentError
from tablezoo.content_table import text_of
from tests.stabletimes.table import content_set

ROOT = Path(__file__).resolve().parents[2]
ORIGINAL = tomllib.loads((ROOT / "stabletimes_env" / "content" / "original.toml").read_text(encoding="utf-8"))
TYPES = ["Ash", "Bay", "Cream", "Dun", "Ebony"]
GONE = object()


# --- files with faults ------------------------------------------------------------------------------------------------


def right():
    """A document without faults: flat horses, five boards with one condition each."""
    names = [(type_, number) for type_ in TYPES for number in range(12)] + [("wild", number) for number in range(9)]
    horses = [
        {"name": f"{type_} {number}", "type": type_, "discipline": DISCIPLINES[number % 3], "preference": flat(1)}
        for type_, number in names
    ]
    boards = [
        {"name": f"The {type_}", "type": type_, "basic": side(condition, 1), "upgraded": side(condition, 2)}
        for type_, condition in zip(TYPES, CONDITIONS, strict=False)
    ]
    return {"types": list(TYPES), "horses": horses, "boards": boards}


def flat(points):
    return {"kind": "flat", "points": points}


def side(condition, points, **words):
    return {"condition": condition, "points": points, **words}


def exceeding(**words):
    return {
        f"boards[0].{name}": side("exceeded_opponents", points, **{"in": "horses"}) | words
        for name, points in (("basic", 1), ("upgraded", 2))
    }


def change(document, path, value):
    """Set what stands at a path such as ``horses[12].preference.cap``, or with ``GONE`` remove it."""
    *way, last = [int(key) if key.isdigit() else key for key in re.findall(r"[^.\[\]]+", path)]
    for key in way:
        document = document[key]
    if value is GONE:
        del document[last]
    else:
        document[last] = value


def changed(changes):
    document = right()
    for path, value in changes.items():
        change(document, path, value)
    return document


def toml(value):
    if isinstance(value, dict):
        return f"{{ {', '.join(f'{key} = {toml(inner)}' for key, inner in value.items())} }}"
    if isinstance(value, list):
        return f"[{', '.join(map(toml, value))}]"
    return str(value).lower() if isinstance(value, bool) else f'"{value}"' if isinstance(value, str) else str(value)


def written(document):
    """The document as text: types in line 1, horses from line 11 on, boards from line 101 on."""
    lines = [""] * 200
    for start, (key, value) in zip((1, 10, 100), document.items(), strict=False):
        listed = isinstance(value, list) and key != "types"
        rows = [f"{key} = [", *(f"  {toml(entry)}," for entry in value), "]"] if listed else [f"{key} = {toml(value)}"]
        lines[start - 1 : start - 1 + len(rows)] = rows
    lines[190:] = [f"{key} = {toml(document[key])}" for key in list(document)[3:]]
    return "\n".join(lines) + "\n"


def faults_of(folder, document):
    file = folder / "set.toml"
    file.write_text(written(document), encoding="utf-8")
    with pytest.raises(ContentError) as raised:
        FORMAT.load(file)
    return [fault.removeprefix(f"{file}:") for fault in str(raised.value).splitlines()]


def test_what_the_faults_are_made_of_is_right(tmp_path):
    (tmp_path / "set.toml").write_text(written(right()))
    assert FORMAT.load(tmp_path / "set.toml").hash == content_set(right()).hash
    content_set(changed(exceeding()))


ONE_OF_KINDS = (
    "one of flat, stall, aisles, side, complete, per_type, per_discipline, all_different, all_equal, neighbour, "
    "per_wild, per_empty, next_door"
)
NAME = "a name of 1 to 32 bytes, printable and without spaces around it"
PER_TYPE = {"kind": "per_type", "type": "Bay", "where": "stable", "points": 2, "cap": 3}
PER_RAIL = {"kind": "per_discipline", "discipline": "rail", "where": "stable", "points": 1}
AISLES = {"kind": "aisles", "aisles": [1, 4], "points": 2}


def preference(**words):
    return {"horses[12].preference": {**PER_TYPE, **words}}


def without(key):
    return {"horses[12].preference": {name: value for name, value in PER_TYPE.items() if name != key}}


FAULTS = {
    "a type misspelt": (
        {"horses[3].type": "Ahs"},
        "14: horses[3].type: unknown type 'Ahs'; did you mean 'Ash'?",
    ),
    "no type": (
        {"horses[3].type": GONE},
        "14: horses[3].type: missing; expected one of Ash, Bay, Cream, Dun, Ebony, wild",
    ),
    "68 horses": (
        {"horses[68]": GONE},
        "10: horses: expected 69 horses: 12 of each type and 9 wild, got 68",
        "10: horses: expected 9 of type wild, got 8",
    ),
    "another number of a type": (
        {"horses[3].type": "Bay"},
        "10: horses: expected 12 of type Ash, got 11",
        "10: horses: expected 12 of type Bay, got 13",
    ),
    "a wild horse too many": (
        {"horses[3].type": "wild"},
        "10: horses: expected 12 of type Ash, got 11",
        "10: horses: expected 9 of type wild, got 10",
    ),
    "no horses": (
        {"horses": GONE},
        " horses: missing; expected 69 horses: 12 of each type and 9 wild",
    ),
    "horses that are no list": (
        {"horses": 69},
        "10: horses: expected 69 horses: 12 of each type and 9 wild, got 69",
    ),
    "a horse that is no table": (
        {"horses[3]": "Ash 3"},
        "14: horses[3]: expected a table, got 'Ash 3'",
        "10: horses: expected 12 of type Ash, got 11",
    ),
    "a name twice": (
        {"horses[20].name": "Ash 3"},
        "31: horses[20].name: expected a name of its own, got 'Ash 3', which horses[3] has too",
    ),
    "no name": ({"horses[20].name": GONE}, f"31: horses[20].name: missing; expected {NAME}"),
    "an empty name": ({"horses[20].name": ""}, f"31: horses[20].name: expected {NAME}, got ''"),
    "a blank name": ({"horses[20].name": " "}, f"31: horses[20].name: expected {NAME}, got ' '"),
    "a name that is a number": ({"horses[20].name": 7}, f"31: horses[20].name: expected {NAME}, got 7"),
    "a name too long in bytes": (
        {"horses[20].name": "é" * 17},
        f"31: horses[20].name: expected {NAME}, got '{'é' * 17}'",
    ),
    "a name with a control character": (
        {"horses[20].name": "a\\u0000"},
        f"31: horses[20].name: expected {NAME}, got 'a\\x00'",
    ),
    "a discipline misspelt": (
        {"horses[3].discipline": "flags"},
        "14: horses[3].discipline: unknown discipline 'flags'; did you mean 'flag'?",
    ),
    "a typed horse that leaves its discipline out": (
        {"horses[3].discipline": GONE},
        "14: horses[3].discipline: missing; expected one of rail, block, flag",
    ),
    "a typed horse without a discipline": (
        {"horses[3].discipline": "none"},
        "14: horses[3].discipline: only a wild horse may have none; expected one of rail, block, flag",
    ),
    "a wild horse's discipline misspelt": (
        {"horses[60].discipline": "non"},
        "71: horses[60].discipline: unknown discipline 'non'; did you mean 'none'?",
    ),
    "an unknown key of a horse": (
        {"horses[3].nam": "x"},
        "14: horses[3].nam: unknown key; did you mean 'name'?",
    ),
    "an unknown key of the file": (
        {"titel": "x"},
        "191: titel: unknown key; known: boards, horses, types",
    ),
    "no preference": (
        {"horses[12].preference": GONE},
        '23: horses[12].preference: missing; expected a table such as { kind = "flat", points = 2 }',
    ),
    "a preference that is no table": (
        {"horses[12].preference": 2},
        '23: horses[12].preference: expected a table such as { kind = "flat", points = 2 }, got 2',
    ),
    "a kind misspelt": (
        {"horses[12].preference.kind": "per_typ"},
        "23: horses[12].preference.kind: unknown kind 'per_typ'; did you mean 'per_type'?",
    ),
    "no kind": (
        {"horses[12].preference.kind": GONE},
        f"23: horses[12].preference.kind: missing; expected {ONE_OF_KINDS}",
    ),
    "a kind that is a number": (
        {"horses[12].preference.kind": 4},
        f"23: horses[12].preference.kind: expected {ONE_OF_KINDS}, got 4",
    ),
    "no points": (
        without("points"),
        "23: horses[12].preference.points: missing; expected a whole number, -9 to 20",
    ),
    "no type to count": (
        without("type"),
        "23: horses[12].preference.type: missing; expected one of Ash, Bay, Cream, Dun, Ebony",
    ),
    "nowhere to count": (
        without("where"),
        "23: horses[12].preference.where: missing; expected one of aisle, stable",
    ),
    "wild horses as a type to count": (
        preference(type="wild"),
        "23: horses[12].preference.type: unknown type 'wild'; known: Ash, Bay, Cream, Dun, Ebony",
    ),
    "a place misspelt": (
        preference(where="stabel"),
        "23: horses[12].preference.where: unknown where 'stabel'; did you mean 'stable'?",
    ),
    "an unknown key of a preference": (
        preference(capp=3),
        "23: horses[12].preference.capp: unknown key; did you mean 'cap'?",
    ),
    "a key of another kind": (
        {"horses[12].preference": {**flat(2), "cap": 3}},
        "23: horses[12].preference.cap: unknown key; known: kind, points",
    ),
    "a stall that there is not": (
        {"horses[12].preference": {"kind": "stall", "stall": "low", "points": 1}},
        "23: horses[12].preference.stall: unknown stall 'low'; known: bottom, middle, top",
    ),
    "a side that there is not": (
        {"horses[12].preference": {"kind": "side", "side": "iner", "points": 1}},
        "23: horses[12].preference.side: unknown side 'iner'; did you mean 'inner'?",
    ),
    "boards of five exceeding opponents": (
        {
            f"boards[{number}].{name}": side("exceeded_opponents", points, **{"in": "rail"})
            for number, (name, points) in itertools.product(range(5), (("basic", 1), ("upgraded", 2)))
        },
        "100: boards: all have exceeded_opponents; expected one at least that can be played solo",
    ),
    "a missing side": (
        {"boards[1].upgraded": GONE},
        "102: boards[1].upgraded: missing; expected a table: the upgraded side of the board",
    ),
    "a side that is no table": (
        {"boards[1].basic": 3},
        "102: boards[1].basic: expected a table: the basic side of the board, got 3",
    ),
    "another condition upgraded": (
        {"boards[1].upgraded.condition": "complete_aisles"},
        "102: boards[1].upgraded.condition: expected 'aisle_types', as on the basic side, got 'complete_aisles'",
    ),
    "something else counted upgraded": (
        {**exceeding(), "boards[0].upgraded.in": "flag"},
        "101: boards[0].upgraded.in: expected 'horses', as on the basic side, got 'flag'",
    ),
    "another cap upgraded": (
        {"boards[1].basic.cap": 3, "boards[1].upgraded.cap": 4},
        "102: boards[1].upgraded.cap: expected 3, as on the basic side, got 4",
    ),
    "a cap on one side": (
        {"boards[1].upgraded.cap": 4},
        "102: boards[1].upgraded.cap: expected none, as on the basic side, got 4",
    ),
    "fewer points upgraded": (
        {"boards[1].basic.points": 3},
        "102: boards[1].upgraded.points: expected 3 or more, as the basic side has, got 2",
    ),
    "a condition misspelt": (
        {"boards[1].basic.condition": "aisles_type"},
        "102: boards[1].basic.condition: unknown condition 'aisles_type'; did you mean 'aisle_types'?",
    ),
    "opponents exceeded in nothing": (
        {"boards[0].basic": side("exceeded_opponents", 1), "boards[0].upgraded": exceeding()["boards[0].upgraded"]},
        f"101: boards[0].basic.in: missing; expected one of {', '.join(MEASURES)}",
        "101: boards[0].upgraded.in: expected none, as on the basic side, got 'horses'",
    ),
    "a measure misspelt": (
        exceeding(**{"in": "wild_hores"}),
        "101: boards[0].basic.in: unknown in 'wild_hores'; did you mean 'wild_horses'?",
        "101: boards[0].upgraded.in: unknown in 'wild_hores'; did you mean 'wild_horses'?",
    ),
    "a measure for nothing": (
        {"boards[1].basic.in": "horses"},
        "102: boards[1].basic.in: unknown key; known: cap, condition, points",
        "102: boards[1].upgraded.in: expected 'horses', as on the basic side, got none",
    ),
    "an unknown key of a board": (
        {"boards[1].upgrade": {}},
        "102: boards[1].upgrade: unknown key; did you mean 'upgraded'?",
    ),
    "a board for wild horses": (
        {"boards[1].type": "wild"},
        "102: boards[1].type: unknown type 'wild'; known: Ash, Bay, Cream, Dun, Ebony",
    ),
    "a board's name twice": (
        {"boards[4].name": "The Ash"},
        "105: boards[4].name: expected a name of its own, got 'The Ash', which boards[0] has too",
    ),
    "four boards": ({"boards[4]": GONE}, "100: boards: expected 5 boards, got 4"),
    "no boards": ({"boards": GONE}, " boards: missing; expected 5 boards"),
    "four types": (
        {"types[4]": GONE},
        "1: types: expected a list of 5 different names, got ['Ash', 'Bay', 'Cream', 'Dun']",
    ),
    "types that are no list": ({"types": "Ash"}, "1: types: expected a list of 5 different names, got 'Ash'"),
    "a type twice": (
        {"types[4]": "Ash"},
        "1: types[4]: expected a name of its own, got 'Ash', which types[0] has too",
    ),
    "a type called wild": (
        {"types[4]": "wild"},
        "1: types[4]: 'wild' is the word for wild horses; expected a name of a type",
    ),
    "a type that is a number": ({"types[4]": 5}, f"1: types[4]: expected {NAME}, got 5"),
} | {
    f"aisles {aisles!r}": (
        {"horses[12].preference": {**AISLES, "aisles": aisles}},
        f"23: horses[12].preference.aisles: expected a list of different aisles, 1 to 4, got {said}",
    )
    for aisles, said in (
        ([], "[]"), ([0, 1], "[0, 1]"), ([5], "[5]"), ([2, 2], "[2, 2]"),
        ([True], "[True]"), ([1.0], "[1.0]"), (1, "1"),
    )
}  # fmt: skip

NO_NUMBERS = [("2", "'2'"), (2.0, "2.0"), (True, "true"), ([2], "[2]")]
NUMBERS = {
    "horses[12].preference.points": (23, "a whole number, -9 to 20", [(-10, "-10"), (21, "21")]),
    "horses[12].preference.cap": (23, "a whole number of 1 or more", [(0, "0"), (-1, "-1")]),
    "boards[1].upgraded.points": (102, "a whole number, 0 to 20", [(-1, "-1"), (21, "21")]),
    "boards[1].upgraded.cap": (102, "a whole number of 1 or more", [(0, "0"), (-1, "-1")]),
}


@pytest.mark.parametrize("case", FAULTS)
def test_each_fault_has_its_words_line_and_key(tmp_path, case):
    changes, *expected = FAULTS[case]
    assert faults_of(tmp_path, changed(changes)) == expected


@pytest.mark.parametrize(
    ("path", "value", "said"),
    [(path, *bad) for path, (_, _, out_of_range) in NUMBERS.items() for bad in NO_NUMBERS + out_of_range],
)
def test_a_number_that_is_none_or_out_of_range(tmp_path, path, value, said):
    line, expected, _ = NUMBERS[path]
    document = changed(preference())
    change(document, path.replace("upgraded", "basic"), value)
    change(document, path, value)
    faults = faults_of(tmp_path, document)
    assert f"{line}: {path}: expected {expected}, got {said}" in faults
    assert {fault.split(": ")[1].replace("basic", "upgraded") for fault in faults} == {path}


def test_all_faults_are_told_at_once(tmp_path):
    one_each = {
        "horses[0].type": "Ahs",
        "horses[1].discipline": "flags",
        "horses[2].preference.points": 21,
        "boards[0].name": "",
        "boards[1].upgraded": GONE,
        "more": 1,
    }
    keys = [fault.split(": ")[1] for fault in faults_of(tmp_path, changed(one_each))]
    assert sorted(keys) == sorted(one_each)


def test_what_names_a_type_is_not_judged_while_the_types_are_wrong(tmp_path):
    assert len(faults_of(tmp_path, changed({"types": ["Ash"]}))) == 1


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "set.toml: the file is empty"),
        ("# nothing\n", "set.toml: the file is empty"),
        ("horses = [", "set.toml: not TOML: "),
        ("name;type\nComet;Arabian\n", "set.toml: not TOML: .*line 1"),
    ],
)
def test_files_that_hold_no_content(tmp_path, text, words):
    (tmp_path / "set.toml").write_text(text)
    with pytest.raises(ContentError, match=words):
        FORMAT.load(tmp_path / "set.toml")


def test_a_file_that_is_not_there(tmp_path):
    with pytest.raises(ContentError, match=r"cards\.toml: cannot be read: No such file"):
        Batch(GAME, content=str(tmp_path / "cards.toml"))


# --- what is stored ---------------------------------------------------------------------------------------------------


def asked(wish, types):
    """What a preference asks for: as the record's number, and as the five places of the features."""
    kind = "aisles" if wish["kind"] == "side" else wish["kind"]
    places = [0] * 5
    words = {"stall": ("top", "middle", "bottom"), "type": types, "discipline": DISCIPLINES}
    for key, listed in words.items():
        if key in wish:
            places[listed.index(wish[key])] = 1
            return kind, listed.index(wish[key]), places
    aisles = wish.get("aisles", {"inner": [2, 3], "outer": [1, 4]}.get(wish.get("side"), []))
    for aisle in aisles:
        places[aisle - 1] = 1
    return kind, sum(2 ** (aisle - 1) for aisle in aisles), places


EVERY_WORD = changed(
    {
        f"horses[{number}].preference": wish
        for number, wish in enumerate(
            [
                flat(-9), flat(20), {"kind": "complete", "points": 0}, {"kind": "all_different", "points": 5},
                {"kind": "all_equal", "points": 7}, {"kind": "neighbour", "type": "Ebony", "points": 4},
                *({"kind": "stall", "stall": stall, "points": 3} for stall in ("top", "middle", "bottom")),
                *({"kind": "side", "side": side, "points": 3} for side in ("inner", "outer")),
                {"kind": "aisles", "aisles": [4, 1, 2], "points": 1},
                PER_TYPE, {**PER_TYPE, "where": "aisle", "cap": 1000},
                {"kind": "per_discipline", "discipline": "flag", "where": "stable", "points": 1},
                {"kind": "per_wild", "where": "aisle", "points": 1, "cap": 2},
                {"kind": "per_empty", "where": "stable", "points": -1, "cap": 24},
                {"kind": "next_door", "type": "Dun", "points": 2, "cap": 3},
            ]
        )
    }
    | exceeding(cap=2)
    | {"horses[60].discipline": "none", "horses[61].discipline": GONE, "horses[68].name": "Ünïcode " + "x" * 22}
)  # fmt: skip
DOCUMENTS = {"original": ORIGINAL, "every word": EVERY_WORD, "procedural": procedural_document("3")}
DOCUMENT = pytest.mark.parametrize("document", DOCUMENTS.values(), ids=list(DOCUMENTS))


@DOCUMENT
def test_horses_are_stored_as_the_file_says(document):
    content = content_set(document).record[0]
    types = document["types"]
    assert [text_of(name) for name in content["type_name"]] == types
    for i, horse in enumerate(document["horses"]):
        wish = horse["preference"]
        kind, of, _ = asked(wish, types)
        row = {
            key: int(content[key][i]) for key in ("type", "discipline", "preference", "points", "of", "whole", "cap")
        }
        assert horse_name(content, i) == horse["name"]
        assert row == {
            "type": [*types, "wild"].index(horse["type"]),
            "discipline": [*DISCIPLINES, "none"].index(horse.get("discipline", "none")),
            "preference": PREFERENCES.index(kind),
            "points": wish["points"],
            "of": of,
            "whole": int(wish.get("where") == "stable"),
            "cap": min(wish.get("cap", 24), 24),
        }


@DOCUMENT
def test_the_features_of_horses_tell_all_but_the_name(document):
    features = content_set(document).record[0]["features"].view(np.uint8)
    types = document["types"]
    for row, horse in zip(features[:-1], document["horses"], strict=True):
        wish = horse["preference"]
        kind, _, places = asked(wish, types)
        counts = kind.startswith("per_") or kind == "next_door"
        expected = {
            "type": [int(type_ == horse["type"]) for type_ in (*types, "wild")],
            "discipline": [int(name == horse.get("discipline", "none")) for name in (*DISCIPLINES, "none")],
            "preference": [int(name == kind) for name in PREFERENCES],
            "points": [max(wish["points"], 0)],
            "penalty": [max(-wish["points"], 0)],
            "each": [int(counts)],
            "of": places,
            "whole": [int(wish.get("where") == "stable")],
            "cap": [min(wish.get("cap", 24), 24) if counts else 0],
        }
        assert {part.name: HORSE_LAYOUT.view(row, part.name).tolist() for part in HORSE_LAYOUT.parts} == expected
    assert not features[-1].any()
    assert (features <= HORSE_LAYOUT.high).all()


@DOCUMENT
def test_boards_are_stored_as_the_file_says(document):
    content = content_set(document).record[0]
    for i, board in enumerate(document["boards"]):
        basic, upgraded = board["basic"], board["upgraded"]
        measures = [int(measure == basic.get("in")) for measure in MEASURES]
        cap = min(basic.get("cap", 24), 24)
        assert board_name(content, i) == board["name"]
        assert content["board_type"][i] == document["types"].index(board["type"])
        assert content["board_condition"][i] == CONDITIONS.index(basic["condition"])
        assert content["board_measure"][i] == (measures.index(1) if any(measures) else 0)
        assert content["board_points"][i].tolist() == [basic["points"], upgraded["points"]]
        assert content["board_cap"][i] == cap
        row = content["board_features"][i].view(np.uint8)
        assert {part.name: BOARD_LAYOUT.view(row, part.name).tolist() for part in BOARD_LAYOUT.parts} == {
            "type": [int(type_ == board["type"]) for type_ in document["types"]],
            "condition": [int(condition == basic["condition"]) for condition in CONDITIONS],
            "measure": measures,
            "points": [basic["points"], upgraded["points"]],
            "cap": [cap],
        }
        assert (row <= BOARD_LAYOUT.high).all()


# --- the sets that come with the game ---------------------------------------------------------------------------------


def horses_of(document, type_):
    return [horse for horse in document["horses"] if horse["type"] == type_]


@pytest.mark.parametrize("document", [ORIGINAL, DOCUMENTS["procedural"]], ids=["original", "procedural"])
def test_a_set_of_the_game_is_even(document):
    rails = [horse["discipline"] for horse in document["horses"]]
    assert [rails.count(discipline) for discipline in (*DISCIPLINES, "none")] == [22, 22, 22, 3]
    for type_ in document["types"]:
        own = [horse["discipline"] for horse in horses_of(document, type_)]
        assert [own.count(discipline) for discipline in DISCIPLINES] == [4, 4, 4]
    assert sorted(board["type"] for board in document["boards"]) == sorted(document["types"])
    assert [board["basic"]["condition"] for board in document["boards"]].count("exceeded_opponents") == 1
    assert all(board["basic"]["points"] < board["upgraded"]["points"] for board in document["boards"])


@pytest.mark.parametrize("source", ["original", "procedural:0", "procedural:1", "procedural:2"])
@pytest.mark.rule("S3")
def test_each_horse_is_unique(source):
    content = FORMAT.load(source).record[0]
    assert len(np.unique(content["features"], axis=0)) == 70
    assert len({bytes(name) for name in content["name"]}) == 69


def test_the_original_uses_every_word_and_names_suncourt_villa():
    content = FORMAT.load(None)
    assert content.name == "original"
    assert set(content.record[0]["preference"].tolist()) == set(range(len(PREFERENCES)))
    villa = next(board for board in ORIGINAL["boards"] if board["name"] == "Suncourt Villa")
    assert villa["basic"]["condition"] == "exceeded_opponents"


def test_fifty_seeds_make_fifty_valid_sets():
    assert len({FORMAT.load(f"procedural:{seed}").hash for seed in range(50)}) == 50


def test_a_seed_makes_the_same_set_always():
    first, again = FORMAT.load("procedural:7"), FORMAT.load("procedural:7")
    assert first.name == "procedural:7"
    assert np.array_equal(first.record, again.record)


def points_of(document):
    return sum(horse["preference"]["points"] for horse in document["horses"])


@pytest.mark.parametrize("seed", range(5))
def test_a_procedural_set_pays_about_what_the_original_does(seed):
    document = procedural_document(str(seed))
    assert abs(points_of(document) - points_of(ORIGINAL)) <= 20
    for kind in ("complete", "all_different", "neighbour", "per_discipline"):
        counts = [[h["preference"]["kind"] for h in d["horses"]].count(kind) for d in (document, ORIGINAL)]
        assert counts[0] == counts[1]


@pytest.mark.parametrize("seed", ["", "x", "-1", "07", "1.5", " 1", "1_0", "٣", "9" * 20])
def test_a_seed_that_is_none(seed):
    with pytest.raises(ContentError, match=r"content 'procedural:.*': expected a seed, a whole number below 10\*\*19"):
        FORMAT.load(f"procedural:{seed}")


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("procedurl:7", "no content set 'procedurl:7'; did you mean 'procedural:'"),
        ("procedural", "no content set 'procedural'; did you mean 'procedural:'"),
        ("orignal", "no content set 'orignal'; did you mean 'original'"),
    ],
)
def test_a_name_that_is_none(source, words):
    with pytest.raises(ContentError, match=re.escape(words)):
        FORMAT.load(source)


# --- in words ---------------------------------------------------------------------------------------------------------


def words_of(wish, horse=12):
    return preference_words(content_set(changed({f"horses[{horse}].preference": wish})).record[0], horse)


@pytest.mark.parametrize(
    ("wish", "words"),
    [
        (flat(-2), "-2 anywhere"),
        ({"kind": "stall", "stall": "top", "points": 3}, "3 in a top stall"),
        ({"kind": "aisles", "aisles": [3], "points": 3}, "3 in aisle 3"),
        ({"kind": "aisles", "aisles": [4, 1, 2], "points": 3}, "3 in aisle 1, 2 or 4"),
        ({"kind": "side", "side": "inner", "points": 3}, "3 in an inner aisle"),
        (AISLES, "2 in an outer aisle"),
        ({"kind": "complete", "points": 3}, "3 in a complete aisle"),
        ({"kind": "all_different", "points": 5}, "5 in a complete aisle of three different disciplines"),
        ({"kind": "all_equal", "points": 7}, "7 in a complete aisle of one discipline"),
        ({"kind": "neighbour", "type": "Dun", "points": 4}, "4 beside an aisle of type Dun"),
        (PER_TYPE, "2 per other Bay in its stable, 3 of them at most"),
        ({**PER_TYPE, "type": "Dun", "cap": 30}, "2 per Dun in its stable"),
        ({**PER_RAIL, "where": "aisle"}, "1 per other rail horse in its aisle"),
        ({**PER_RAIL, "discipline": "flag"}, "1 per flag horse in its stable"),
        ({"kind": "per_wild", "where": "stable", "points": 1}, "1 per wild horse in its stable"),
        ({"kind": "per_empty", "where": "aisle", "points": 1}, "1 per empty stall in its aisle"),
        (
            {"kind": "next_door", "type": "Dun", "points": 1, "cap": 2},
            "1 per Dun in a stable next door, 2 of them at most",
        ),
    ],
    ids=str,
)
def test_preferences_in_words(wish, words):
    assert words_of(wish) == words


def test_a_wild_horse_never_counts_itself():
    assert words_of({"kind": "per_wild", "where": "stable", "points": 1}, 60) == "1 per other wild horse in its stable"
    assert words_of(PER_TYPE, 60) == "2 per other Bay in its stable, 3 of them at most"


def test_horses_and_boards_in_words():
    content = content_set(changed({"horses[68].discipline": GONE} | exceeding(**{"in": "preferred_horses"}))).record[0]
    assert horse_words(content, 12) == "Bay 0 (Bay, rail: 1 anywhere)"
    assert horse_words(content, 68) == "wild 8 (wild, no discipline: 1 anywhere)"
    assert board_words(content, 1, False) == "The Bay (Bay, basic side: 1 per type among its aisles)"
    assert board_words(content, 1, True) == "The Bay (Bay, upgraded side: 2 per type among its aisles)"
    assert side_words(content, 0, False) == "1 per opponent with fewer horses of type Ash"


@pytest.mark.parametrize("measure", MEASURES)
def test_all_that_opponents_are_exceeded_in_has_words(measure):
    content = content_set(changed(exceeding(**{"in": measure, "cap": 2}))).record[0]
    assert re.fullmatch(r"1 per opponent with fewer [a-zA-Z ]+, 2 of them at most", side_words(content, 0, False))


# --- the command ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("source", ["original", "procedural:7"])
def test_check_prints_a_set_without_faults(capsys, source):
    assert __main__.main(["check", source]) == 0
    output, errors = capsys.readouterr()
    content = FORMAT.load(source).record[0]
    assert output.startswith(f"{source}: a content set without faults\n")
    assert errors == ""
    for horse in range(69):
        assert re.search(
            f"^{re.escape(horse_name(content, horse))} .*{re.escape(preference_words(content, horse))}$",
            output,
            re.MULTILINE,
        )
    for board in range(5):
        row = next(line for line in output.splitlines() if line.startswith(f"{board_name(content, board)} "))
        assert side_words(content, board, False) in row
        assert side_words(content, board, True) in row
    assert "disciplines  22 rail, 22 block, 22 flag, 3 no discipline" in output


def test_check_prints_all_faults(tmp_path, capsys):
    file = tmp_path / "my_cards.toml"
    file.write_text(written(changed({"horses[3].type": "Ahs", "boards[1].upgraded": GONE})))
    assert __main__.main(["check", str(file)]) == 1
    output, errors = capsys.readouterr()
    assert output == ""
    assert errors.splitlines() == [
        f"{file}:14: horses[3].type: unknown type 'Ahs'; did you mean 'Ash'?",
        f"{file}:102: boards[1].upgraded: missing; expected a table: the upgraded side of the board",
    ]


@pytest.mark.parametrize("source", ["cards.toml", "orignal", "procedural:x"])
def test_check_of_what_is_not_there(tmp_path, monkeypatch, capsys, source):
    monkeypatch.chdir(tmp_path)
    assert __main__.main(["check", source]) == 1
    assert source in capsys.readouterr().err


def test_check_is_a_command():
    run = subprocess.run(
        [sys.executable, "-m", "stabletimes_env", "check", "procedural:x"], cwd=ROOT, capture_output=True, text=True
    )
    assert run.returncode == 1
    assert run.stderr.startswith("content 'procedural:x': expected a seed")


def test_a_game_is_played_with_each_set():
    batch = Batch(
        GAME, 3, num_players=2, seed=0, content=["original", "procedural:1", content_set(deepcopy(EVERY_WORD))]
    )
    assert [content.name for content in batch.contents] == ["original", "procedural:1", "rules"]
    assert batch.rollout(seed=1).terminated.all()
