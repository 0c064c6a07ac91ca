"""Sets made from a seed: always valid, each different, like the original one in kind and in strength."""

from __future__ import annotations

import functools
from collections import Counter

import numpy as np
import pytest

from fable_env.procedural import document
from fable_env.reader import FORMAT
from fable_env.sets import STEPS
from tablezoo import ContentError
from tablezoo.content_table import text_of

SEEDS = range(50)
ORIGINAL = FORMAT.load(None).record[0]
COMPONENTS = {"fruit_token", "wild_token", "turn_token", "mix", "thief", "copy", "order"}


@functools.cache
def made(seed):
    return FORMAT.load(f"procedural:{seed}").record[0]


def words_of(content, location):
    return [STEPS[kind] for kind in content["step"][location, : content["num_steps"][location]]]


def test_fifty_seeds_make_fifty_valid_sets():
    assert len({content.tobytes() for content in map(made, SEEDS)}) == 50


def test_a_seed_makes_the_same_set_always():
    first, again = FORMAT.load("procedural:7"), FORMAT.load("procedural:7")
    assert first.name == "procedural:7"
    assert np.array_equal(first.record, again.record)
    assert document("7")["locations"][::29] == [
        {"name": "The deer spreads its wares", "action": ["market 7", "discard 1"], "price": "BBB*"},
        {"name": "The lynx snatches a morsel", "action": ["steal 1", "draw 2"], "price": "****"},
        {"name": "The beetle robs the rich", "action": ["draw 2", "steal_each 1"], "price": "***"},
    ]


@pytest.mark.parametrize("seed", SEEDS)
def test_every_step_occurs(seed):
    content = made(seed)
    assert {word for i in range(59) for word in words_of(content, i)} == set(STEPS)


@pytest.mark.rule("F5")
@pytest.mark.parametrize("seed", SEEDS)
def test_a_first_game_is_one(seed):
    content = made(seed)
    for i in range(12):
        assert not COMPONENTS.intersection(words_of(content, i))
    assert content["num_steps"][:6].max() <= 2
    assert sorted(content["price"][:6].tolist()) == sorted(ORIGINAL["price"][:6].tolist())


@pytest.mark.parametrize("seed", SEEDS)
def test_no_location_is_like_another(seed):
    content = made(seed)
    assert len({text_of(name) for name in content["name"]}) == 59
    actions = np.concatenate([content[field] for field in ("step", "number", "fruit")], axis=1)
    assert len(np.unique(actions, axis=0)) == 59


# --- as much worth as the original one --------------------------------------------------------------------------------


def forms(content):
    """How often each form of price occurs, whatever the fruits."""
    return Counter((*sorted(price[:5]), *price[5:]) for price in content["price"].tolist())


@pytest.mark.parametrize("seed", SEEDS)
def test_prices_have_the_forms_of_the_original_set(seed):
    content = made(seed)
    assert forms(content) == forms(ORIGINAL)
    asked = content["price"][:, :5].sum(axis=0).astype(int)
    assert asked.max() - asked.min() <= 3


def fruits_of(content, locations):
    """What the actions of locations bring in plain draws, less what they cost, give and lose, on the average."""
    signs = {"draw": 1, "cost": -1, "discard": -1, "gift": -1, "trade": 1, "mix": 1, "salvage": 1, "steal": 1}
    total = 0
    for i, place in np.ndindex(content["step"][locations].shape):
        kind = int(content["step"][locations][i, place])
        if kind < len(STEPS):
            total += signs.get(STEPS[kind], 0) * int(content["number"][locations][i, place])
    return total / len(content["step"][locations])


@pytest.mark.parametrize("half", [slice(0, 30), slice(30, 59)], ids=["early", "late"])
def test_actions_bring_about_as_many_fruits_as_those_of_the_original_set(half):
    mean = np.mean([fruits_of(content, half) for content in map(made, SEEDS)])
    assert abs(mean - fruits_of(ORIGINAL, half)) < 0.3


def test_actions_have_about_as_many_steps_as_those_of_the_original_set():
    for size in (1, 2, 3):
        mean = np.mean([(content["num_steps"] == size).sum() for content in map(made, SEEDS)])
        assert abs(mean - (ORIGINAL["num_steps"] == size).sum()) < 8


@pytest.mark.parametrize("seed", ["", "x", "-1", "07", "1.5", " 1", "1_0", "٣", "9" * 20])
def test_a_seed_that_is_none(seed):
    with pytest.raises(ContentError, match=r"content 'procedural:.*': expected a seed, a whole number below 10\*\*19"):
        FORMAT.load(f"procedural:{seed}")
