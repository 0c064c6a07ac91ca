"""The notation of actions and prices: ``"trade B 2"`` and ``"GGG*"`` to numbers."""

from __future__ import annotations

import re
from collections import Counter
from typing import NamedTuple

from fable_env.sets import (
    COST,
    DIFFERENT,
    EQUAL,
    FRUIT_WORDS,
    GAMBLE,
    LETTERS,
    MISSING,
    MOST,
    MOST_SIGNS,
    NUM_FRUITS,
    PRICE,
    SAME,
    STARS,
    STEPS,
    WITH_FRUIT,
    WITHOUT_NUMBER,
)
from tablezoo.errors import did_you_mean

# --- steps ------------------------------------------------------------------------------------------------------------

MOST_OF = {GAMBLE: NUM_FRUITS, MISSING: NUM_FRUITS}
"""Steps whose number ends with the types of fruit: a sixth card would repeat one."""


class Step(NamedTuple):
    """A step of an action as numbers: its kind, its number (1 without one) and its fruit (0 without one)."""

    kind: int
    number: int
    fruit: int


def read_step(text: str, faults: list[str]) -> Step | None:
    """Return the step that a text such as ``trade B 2`` stands for; None, with words in ``faults``, if it is none."""
    words = text.split()
    word, *rest = words or [""]
    if word not in STEPS:
        faults.append(f"unknown step {word!r}{did_you_mean(word, STEPS)}")
        return None
    before = len(faults)
    fruit = _read_fruit(word, rest, faults)
    number = _read_number(word, fruit, rest, faults)
    if rest:
        taken = " ".join(words[: -len(rest)])
        faults.append(f"{word}: expected nothing after {taken!r}, got {rest[0]!r}")
    return Step(STEPS.index(word), number, fruit) if len(faults) == before else None


def fruits_of(word: str) -> tuple[str, ...]:
    """Return the fruits that a step can name."""
    return FRUIT_WORDS if word == STEPS[COST] else FRUIT_WORDS[:SAME]


def _read_fruit(word: str, rest: list[str], faults: list[str]) -> int:
    """Take the fruit of a step from the front of the words left, 0 if it takes none."""
    if word not in WITH_FRUIT:
        return 0
    known = fruits_of(word)
    if not rest or rest[0].isdecimal():
        faults.append(f"{word}: the fruit is missing; expected one of {', '.join(known)}, as in '{word} B 2'")
        return 0
    fruit = rest.pop(0)
    if fruit not in known:
        faults.append(f"{word}: unknown fruit {fruit!r}; expected one of {', '.join(known)}")
        return 0
    return known.index(fruit)


def _read_number(word: str, fruit: int, rest: list[str], faults: list[str]) -> int:
    """Take the number of a step from the front of the words left, 1 if it takes none."""
    if word in WITHOUT_NUMBER:
        return 1
    least, most = 2 if fruit == SAME else 1, MOST_OF.get(STEPS.index(word), MOST)
    if not rest:
        faults.append(f"{word}: the number is missing; expected {least} to {most}")
        return 1
    number = rest.pop(0)
    if number not in [str(n) for n in range(least, most + 1)]:
        faults.append(f"{word}: expected a number, {least} to {most}, got {number!r}")
        return 1
    return int(number)


# --- prices -----------------------------------------------------------------------------------------------------------

SIGNS = "B, C, G, P, S, *, =n or ≠n"
COMBINATIONS = {"=": (EQUAL, MOST_SIGNS), "≠": (DIFFERENT, NUM_FRUITS)}
"""Column of a price and highest number of each; the lowest is 2."""

_SIGN = re.compile(r"(?P<sort>=|≠|!=)\s*(?P<number>[0-9]*)|(?P<one>\S)")


def read_price(text: str, faults: list[str]) -> list[int] | None:
    """Return the columns of a price such as ``=3 *``; None, with words in ``faults``, if it is none."""
    before = len(faults)
    price, combinations, unknown = [0] * PRICE, [], []
    for sign in _SIGN.finditer(text):
        if sign["sort"]:
            sort = sign["sort"].replace("!=", "≠")
            combinations.append(sort + sign["number"])
            price[COMBINATIONS[sort][0]] = _read_combination(sort, sign["number"], faults)
        elif sign["one"] in LETTERS:
            price[LETTERS.index(sign["one"])] += 1
        elif sign["one"] == "*":
            price[STARS] += 1
        else:
            unknown.append(sign["one"])
    faults.extend(f"unknown sign {sign!r}; expected {SIGNS}" for sign in Counter(unknown))
    if len(combinations) > 1:
        faults.append(f"expected one '=n' or '≠n' at most, got {' '.join(combinations)}")
    if len(faults) == before and not 1 <= sum(price) <= MOST_SIGNS:
        faults.append(f"expected 1 to {MOST_SIGNS} signs, got {sum(price) or 'none'}")
    return price if len(faults) == before else None


def _read_combination(sort: str, number: str, faults: list[str]) -> int:
    most = COMBINATIONS[sort][1]
    if number not in [str(n) for n in range(2, most + 1)]:
        faults.append(f"expected a number, 2 to {most}, after {sort!r}, got {number or 'none'}")
        return 0
    return int(number)
