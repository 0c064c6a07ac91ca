"""Content sets of Fable: the original one is the table of the rules, and what a file says is stored and told so."""

from __future__ import annotations

import itertools
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from random import Random

import numpy as np
import pytest

from fable_env import __main__
from fable_env.procedural import document as procedural_document
from fable_env.reader import FORMAT
from fable_env.sets import ITEM_TYPES, LOCATION_LAYOUT, STEPS
from fable_env.words import (
    MEANINGS,
    action_meaning,
    action_words,
    location_name,
    location_words,
    price_signs,
    price_words,
    step_signs,
    step_words,
)
from tablezoo.content_table import text_of
from tests.fable.documents import changed, content_set, with_actions, with_prices, written

ROOT = Path(__file__).resolve().parents[2]

# --- a notation of the tests' own -------------------------------------------------------------------------------------

ALONE = {"pass", "fruit_token", "wild_token", "turn_token", "thief", "copy"}
FRUIT = ["B", "C", "G", "P", "S", "any", "same"]


def in_parts(step):
    """A step as word, number and fruit."""
    word, *rest = step.split()
    return word, 1 if word in ALONE else int(rest[-1]), FRUIT.index(rest[0]) if word in ("trade", "cost") else 0


def in_columns(price):
    """Signs of B, C, G, P, S, *, then n of ``=n`` and of ``≠n``."""
    same, different = re.search(r"(?<!!)= ?([0-9]+)", price), re.search(r"(?:≠|!=) ?([0-9]+)", price)
    return [price.count(sign) for sign in "BCGPS*"] + [int(found[1]) if found else 0 for found in (same, different)]


def readings(price):
    """What a price can ask for, but for smoothies: a tuple of types for each way to read ``=n`` or ``≠n``."""
    *letters, _, same, different = in_columns(price)
    fixed = tuple(fruit for fruit, number in enumerate(letters) for _ in range(number))
    if same:
        return [fixed + (fruit,) * same for fruit in range(5)]
    if different:
        return [fixed + fruits for fruits in itertools.combinations(range(5), different)]
    return [fixed]


# --- the original set -------------------------------------------------------------------------------------------------

TABLE = """
 1  draw 2                              PPP*
 2  trade B 2                           SSS*
 3  draw 1; swap 3                      GGG*
 4  gamble 5                            BBB*
 5  draw 3; gift 1                      CCC*
 6  cost C 1; draw 4                    ≠4
 7  salvage 2                           PPSS
 8  draw 3; discard 1                   GGCC
 9  draw 3; all_draw 1                  BBP*
10  steal 1; draw 1                     SSG*
11  refresh 2                           CCB*
12  market 4                            ≠4
13  fruit_token; draw 1                 PPG*
14  draw 1; ask 1                       SSB*
15  trade S 3                           GG**
16  missing 3                           =4
17  draw 1; each_gives 1                BC**
18  fruit_token; draw 2                 CCPS
19  mix 1; draw 1                       PPBB
20  cost any 1; mix 1; draw 2           GGS*
21  draw 1; salvage 2                   ≠4
22  fill 5                              SSCC
23  pass; draw 3                        =3 *
24  cost G 1; mix 3                     BCP*
25  thief; draw 2                       GGPP
26  steal 2; draw 1; gift 1             BBS*
27  thief; steal 1                      =3 *
28  draw 2; swap 2                      CCG*
29  gift_each 1; fill 6                 =4
30  draw 1; ask 2                       PPC*
31  wild_token; draw 1                  SSPP
32  cost same 2; wild_token; draw 3     BBGG
33  market 6                            CCSS
34  copy                                GP**
35  draw 1; catch_up 4                  GGB*
36  draw 4; all_draw 1                  PPS*
37  draw 1; turn_token                  BBCC
38  cost any 1; draw 2; turn_token      ≠4
39  salvage 3                           SSG*
40  cost any 1; swap_hands 3            ****
41  per_juice 2                         CCP*
42  cost P 1; draw 2; turn_token        GGBB
43  thief; fruit_token; draw 1          PPCC
44  draw 1; mix 1; swap 2               ≠4
45  draw 1; gamble 5                    SSBB
46  draw 2; order 1                     =3 *
47  trade any 3                         GGSS
48  draw 1; steal_each 1                CCBB
49  draw 1; mix 2                       PPG*
50  draw 1; copy                        ≠4
51  cost any 2; draw 5                  =4
52  draw 2; each_gives 1; all_draw 1    BBS*
53  draw 3                              ≠3 *
54  thief; wild_token; draw 1           =3
55  market 7                            ****
56  turn_token; draw 1                  SS*
57  mix 3                               =3
58  fill 6                              ≠4
59  draw 5; all_draw 2                  ***
"""


def rows():
    for line in TABLE.strip("\n").splitlines():
        found = re.fullmatch(r" *([0-9]+)  (.*?) {2,}(\S.*)", line)
        yield int(found[1]), found[2].split("; "), found[3]


ROWS = list(rows())
ORIGINAL = FORMAT.load(None).record[0]


@pytest.mark.rule("F2", "F9", "F11")
@pytest.mark.parametrize(("number", "steps", "price"), ROWS, ids=[str(number) for number, _, _ in ROWS])
def test_the_original_set_is_the_table_of_the_rules(number, steps, price):
    at = number - 1
    stored = [
        (STEPS[ORIGINAL["step"][at, place]], ORIGINAL["number"][at, place], ORIGINAL["fruit"][at, place])
        for place in range(ORIGINAL["num_steps"][at])
    ]
    assert stored == [in_parts(step) for step in steps]
    assert ORIGINAL["price"][at].tolist() == in_columns(price)


def test_the_table_has_all_locations_and_every_step():
    assert [number for number, _, _ in ROWS] == list(range(1, 60))
    assert {step.split()[0] for _, steps, _ in ROWS for step in steps} == set(STEPS)
    assert FORMAT.load(None).name == "original"
    assert FORMAT.names() == ["original"]


def test_each_location_has_a_dweller_of_its_own():
    names = [text_of(name) for name in ORIGINAL["name"]]
    assert all(re.fullmatch(r"The [a-z]+ [a-z ]+", name) for name in names)
    assert len({name.split()[1] for name in names}) == 59


# --- what is stored ---------------------------------------------------------------------------------------------------

EVERY_STEP = with_actions(
    ["draw 9"], ["all_draw 2", "draw 1", "discard 1", "pass"], ["gift 1", "gift_each 2"], ["gamble 1"],
    ["trade any 9"], ["trade G 1", "swap 2"], ["swap_hands 9"], ["steal 1", "steal_each 2"], ["ask 3", "each_gives 1"],
    ["cost same 9"], ["draw 1", "cost S 1", "salvage 2"], ["cost any 2", "market 3"], ["refresh 1", "fill 9"],
    ["missing 5", "per_juice 1"], ["catch_up 3", "fruit_token", "wild_token", "turn_token"], ["mix 9", "thief"],
    ["copy"], ["  order   2 ", "copy"],
)  # fmt: skip
EVERY_PRICE = with_prices(
    "BCGPS*", "=2", "≠2", "≠5", "!=3 PP", "=12", "=4 *BB", "* = 3 *", "************", " S B ", "≠ 4*", "PBP*P", "C"
)
DOCUMENTS = {
    "original": tomllib.loads((ROOT / "fable_env" / "content" / "original.toml").read_text(encoding="utf-8")),
    "every step": EVERY_STEP,
    "every price": EVERY_PRICE,
    "procedural": procedural_document("3"),
}
DOCUMENT = pytest.mark.parametrize("document", DOCUMENTS.values(), ids=list(DOCUMENTS))


@DOCUMENT
@pytest.mark.rule("F9")
def test_actions_are_stored_as_the_file_says(document):
    content = content_set(document).record[0]
    for i, location in enumerate(document["locations"]):
        steps = [in_parts(step) for step in location["action"]]
        left = 4 - len(steps)
        assert location_name(content, i) == location["name"]
        assert content["num_steps"][i] == len(steps)
        assert content["step"][i].tolist() == [STEPS.index(word) for word, _, _ in steps] + [29] * left
        assert content["number"][i].tolist() == [number for _, number, _ in steps] + [0] * left
        assert content["fruit"][i].tolist() == [fruit for _, _, fruit in steps] + [0] * left
        assert content["copies"][i] == ("copy" in location["action"])


@DOCUMENT
def test_the_features_tell_all_but_the_name(document):
    features = content_set(document).record[0]["features"].view(np.uint8)
    for row, location in zip(features[:-1], document["locations"], strict=True):
        steps = [in_parts(step) for step in location["action"]]
        numbers = {word: number for word, number, _ in steps}
        places = {word: place for place, (word, _, _) in enumerate(steps, start=1)}
        fruits = {FRUIT[fruit] for word, _, fruit in steps if word in ("trade", "cost")}
        assert {part.name: LOCATION_LAYOUT.view(row, part.name).tolist() for part in LOCATION_LAYOUT.parts} == {
            "steps": [numbers.get(word, 0) for word in STEPS],
            "places": [places.get(word, 0) for word in STEPS],
            "fruit": [int(fruit in fruits) for fruit in FRUIT],
            "price": in_columns(location["price"]),
            "cards": [0],
            "animals": [0] * 5,
            "thief": [0],
        }
    assert not features[-1].any()
    assert (features <= LOCATION_LAYOUT.high).all()


def as_price(cost):
    """A step ``cost f n`` as a price."""
    _, fruit, number = cost.split()
    return f"={number}" if fruit == "same" else ("*" if fruit == "any" else fruit) * int(number)


@DOCUMENT
@pytest.mark.rule("F11a")
def test_what_a_payment_is_judged_by(document):
    content = content_set(document).record[0]
    for i, location in enumerate(document["locations"]):
        costs = [as_price(step) for step in location["action"] if step.split()[0] == "cost"]
        for row, price in ((i, location["price"]), (59 + i, costs[0] if costs else None)):
            asked = [] if price is None else readings(price)
            expected = np.zeros((10, 32), np.uint8)
            for reading, types in itertools.product(range(len(asked)), range(32)):
                expected[reading, types] = sum(types >> fruit & 1 for fruit in asked[reading])
            assert content["signs"][row] == (0 if price is None else sum(in_columns(price)))
            assert content["stars"][row] == (0 if price is None else price.count("*"))
            assert content["readings"][row] == len(asked)
            assert np.array_equal(content["asked"][row].view(np.uint8), expected)


def pays(price, hand):
    """Whether as many items as the price has signs can stand one each for its signs: tried one by one (F11a)."""
    stars = price.count("*")
    return any(
        all(ITEM_TYPES[item] >> fruit & 1 for item, fruit in zip(items, asked, strict=True))
        for asked in readings(price)
        if len(hand) >= len(asked) + stars
        for items in itertools.permutations(hand, len(asked))
    )


@pytest.mark.rule("F11a")
@pytest.mark.parametrize(
    "price", ["PPP*", "BC**", "≠4", "=3 *", "=3", "≠3 *", "PPSS", "****", "=2 BB", "!=2 S", "≠5", "CCPS"]
)
def test_counting_by_what_is_asked_finds_what_pays(price):
    content = content_set(with_prices(price)).record[0]
    draws = Random(price)
    found = set()
    for _ in range(300):
        hand = draws.choices([*range(5), *range(5), *range(21)], k=draws.randint(2, 6))
        able = [sum(bool(ITEM_TYPES[item] & types) for item in hand) for types in range(32)]
        counted = len(hand) >= content["signs"][0] and any(
            (content["asked"][0, reading].view(np.uint8) <= able).all() for reading in range(content["readings"][0])
        )
        assert counted == pays(price, hand), hand
        found.add(counted)
    assert found == {True, False}


# --- in words ---------------------------------------------------------------------------------------------------------

STEP_WORDS = {
    "draw 1": "draw 1 fruit",
    "draw 2": "draw 2 fruits",
    "all_draw 1": "every other player draws 1 fruit",
    "gift_each 1": "give 1 fruit to every other player",
    "gamble 5": "turn up fruits one at a time, 5 at most; keep them unless a type shows twice",
    "trade S 3": "give 1 strawberry to another player, who gives you 3 fruits",
    "trade any 1": "give 1 fruit to another player, who gives you 1 fruit",
    "swap 3": "another player gives you 3 fruits, you return as many",
    "swap_hands 3": "swap hands with a player who holds at most 3 fruits more than you",
    "steal 2": "take 2 random fruits from another player",
    "cost G 1": "pay 1 grape",
    "cost S 2": "pay 2 strawberries",
    "cost G 3": "pay 3 grapes",
    "cost any 2": "pay 2 fruits",
    "cost same 2": "pay 2 fruits of one type",
    "mix 2": "draw 2 fruit-mix cards",
    "order 1": "buy the juice of any location for 1 fruit more than its price",
    "turn_token": "take a double-turn token",
}


@pytest.mark.parametrize("step", STEP_WORDS)
def test_steps_in_words(step):
    word, number, fruit = in_parts(step)
    assert step_words(STEPS.index(word), number, fruit) == STEP_WORDS[step]
    assert step_signs(STEPS.index(word), number, fruit) == step


def test_all_steps_have_words():
    assert tuple(MEANINGS) == STEPS
    for kind in range(len(STEPS)):
        assert "{" not in step_words(kind, 2, 0)


PRICES = {
    "PPP*": ("PPP*", "3 pineapples and 1 fruit of any type"),
    "PBBG*": ("BBGP*", "2 bananas, 1 grape, 1 pineapple and 1 fruit of any type"),
    "!=4": ("≠4", "4 fruits of different types"),
    "* =3": ("=3 *", "3 fruits of one type and 1 fruit of any type"),
    "****": ("****", "4 fruits of any type"),
    "=2BB*": ("=2 BB*", "2 bananas, 2 fruits of one type and 1 fruit of any type"),
}


@pytest.mark.parametrize("price", PRICES)
def test_prices_in_signs_and_in_words(price):
    content = content_set(with_prices(price)).record[0]
    assert (price_signs(content, 0), price_words(content, 0)) == PRICES[price]


def test_locations_in_words():
    content = content_set(changed({"locations[2].action": ["draw 1", "swap 3"], "locations[2].price": "GGG*"})).record[
        0
    ]
    assert location_name(content, 2) == "Place 3"
    assert action_words(content, 2) == "draw 1, then swap 3"
    assert action_meaning(content, 2) == "draw 1 fruit; another player gives you 3 fruits, you return as many"
    assert location_words(content, 2) == "#3 Place 3 (draw 1, then swap 3; price GGG*)"


# --- the command ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("source", ["original", "procedural:7"])
def test_check_prints_a_set_without_faults(capsys, source):
    assert __main__.main(["check", source]) == 0
    output, errors = capsys.readouterr()
    content = FORMAT.load(source).record[0]
    assert output.startswith(f"{source}: a content set without faults\n")
    assert errors == ""
    for i in range(59):
        told = [location_name(content, i), price_words(content, i), action_meaning(content, i)]
        assert re.search(rf"^{i + 1} +{' +'.join(map(re.escape, told))}$", output, re.MULTILINE)
    assert re.search(r"^prices +4 of 3, 55 of 4$", output, re.MULTILINE)
    assert re.search(r"^steps +[0-9]+ draw, ", output, re.MULTILINE)


def test_check_prints_all_faults(tmp_path, capsys):
    file = tmp_path / "my_locations.toml"
    file.write_text(written(changed({"locations[3].action": ["drwa 1"], "locations[9].price": "≠7"})), encoding="utf-8")
    assert __main__.main(["check", str(file)]) == 1
    output, errors = capsys.readouterr()
    assert output == ""
    assert errors.splitlines() == [
        f"{file}:5: locations[3].action[0]: unknown step 'drwa'; did you mean 'draw'?",
        f"{file}:11: locations[9].price: expected a number, 2 to 5, after '≠', got 7",
    ]


@pytest.mark.parametrize("source", ["places.toml", "orignal", "procedural:x"])
def test_check_of_what_is_not_there(tmp_path, monkeypatch, capsys, source):
    monkeypatch.chdir(tmp_path)
    assert __main__.main(["check", source]) == 1
    assert source in capsys.readouterr().err


def test_check_is_a_command():
    run = subprocess.run(
        [sys.executable, "-m", "fable_env", "check", "procedural:x"], cwd=ROOT, capture_output=True, text=True
    )
    assert run.returncode == 1
    assert run.stderr.startswith("content 'procedural:x': expected a seed")
