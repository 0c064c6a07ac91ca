"""Locations in words and in the notation of a file, from the numbers of a content record."""

from __future__ import annotations

from typing import Any

from fable_env.sets import (
    DIFFERENT,
    EQUAL,
    FRUIT_WORDS,
    FRUITS,
    LETTERS,
    NUM_FRUITS,
    SAME,
    STARS,
    STEPS,
    TRADE,
    WITH_FRUIT,
    WITHOUT_NUMBER,
)
from tablezoo.content_table import text_of

MEANINGS = {
    "draw": "draw {fruits}",
    "all_draw": "every other player draws {fruits}",
    "discard": "discard {fruits}",
    "gift": "give {fruits} to another player",
    "gift_each": "give {fruits} to every other player",
    "gamble": "turn up fruits one at a time, {n} at most; keep them unless a type shows twice",
    "trade": "give {paid} to another player, who gives you {fruits}",
    "swap": "another player gives you {fruits}, you return as many",
    "swap_hands": "swap hands with a player who holds at most {fruits} more than you",
    "steal": "take {random} from another player",
    "steal_each": "take {random} from every other player with 4 fruits or more",
    "ask": "name a fruit and a player, who gives you {n} of it",
    "each_gives": "every other player with 4 fruits or more gives you {n}",
    "pass": "all players pass 1 fruit to the left",
    "cost": "pay {paid}",
    "salvage": "take {fruits} of your choice from the discard pile",
    "market": "turn up {fruits}, take all of one type",
    "refresh": "discard any number of fruits, draw as many and {n} more",
    "fill": "draw until you hold {fruits}",
    "missing": "draw 1 fruit for each type you do not hold, {n} at most",
    "per_juice": "draw {fruits} and 1 more for each juice you own",
    "catch_up": "draw 1 fruit and 1 more for each juice the leader is ahead of you, {n} in all at most",
    "fruit_token": "take a fruit token",
    "wild_token": "take a wild token",
    "turn_token": "take a double-turn token",
    "mix": "draw {mixes}",
    "thief": "put the thief on a location",
    "copy": "use the action of another location",
    "order": "buy the juice of any location for {fruits} more than its price",
}
"""What each step does, for those who do not know the notation."""


def location_name(content: Any, location: int) -> str:
    return text_of(content["name"][location])


def location_words(content: Any, location: int) -> str:
    """Return all that stands on a card, such as ``#1 The squirrel empties a bough (draw 2; price PPP*)``."""
    action, price = action_words(content, location), price_signs(content, location)
    return f"#{location + 1} {location_name(content, location)} ({action}; price {price})"


# --- actions ----------------------------------------------------------------------------------------------------------


def action_words(content: Any, location: int) -> str:
    """Return an action in the notation of a file, such as ``draw 1, then swap 3``."""
    return ", then ".join(step_signs(*step) for step in _steps(content, location))


def action_meaning(content: Any, location: int) -> str:
    """Return what an action does, such as ``draw 1 fruit; another player gives you 3 fruits, you return as many``."""
    return "; ".join(step_words(*step) for step in _steps(content, location))


def step_signs(kind: int, number: int, fruit: int) -> str:
    """Return a step in the notation of a file, such as ``trade B 2``."""
    words = [STEPS[kind]]
    if STEPS[kind] in WITH_FRUIT:
        words.append(FRUIT_WORDS[fruit])
    if STEPS[kind] not in WITHOUT_NUMBER:
        words.append(str(number))
    return " ".join(words)


def step_words(kind: int, number: int, fruit: int) -> str:
    """Return what a step does, such as ``give 1 banana to another player, who gives you 2 fruits``."""
    return MEANINGS[STEPS[kind]].format(
        n=number,
        fruits=_count(number, "fruit"),
        random=_count(number, "random fruit"),
        mixes=_count(number, "fruit-mix card"),
        paid=_of_type(1 if kind == TRADE else number, fruit),
    )


def _steps(content: Any, location: int) -> list[tuple[int, int, int]]:
    return [
        (
            int(content["step"][location, place]),
            int(content["number"][location, place]),
            int(content["fruit"][location, place]),
        )
        for place in range(int(content["num_steps"][location]))
    ]


# --- prices -----------------------------------------------------------------------------------------------------------


def price_signs(content: Any, location: int) -> str:
    """Return a price in the notation of a file, such as ``GGG*`` or ``=3 *``."""
    price = [int(signs) for signs in content["price"][location]]
    parts = [f"{sign}{n}" for sign, n in (("=", price[EQUAL]), ("≠", price[DIFFERENT])) if n]
    fixed = "".join(letter * n for letter, n in zip((*LETTERS, "*"), price, strict=False))
    return " ".join([*parts, fixed] if fixed else parts)


def price_words(content: Any, location: int) -> str:
    """Return a price such as ``3 grapes and 1 fruit of any type``."""
    price = [int(signs) for signs in content["price"][location]]
    words = [_of_type(n, fruit) for fruit, n in enumerate(price[:NUM_FRUITS]) if n]
    if price[EQUAL]:
        words.append(_of_type(price[EQUAL], SAME))
    if price[DIFFERENT]:
        words.append(f"{_count(price[DIFFERENT], 'fruit')} of different types")
    if price[STARS]:
        words.append(f"{_count(price[STARS], 'fruit')} of any type")
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


def _of_type(number: int, fruit: int) -> str:
    """Return so many of a fruit, of any or of one type."""
    if fruit < NUM_FRUITS:
        return _count(number, FRUITS[fruit])
    return _count(number, "fruit") + (" of one type" if fruit == SAME else "")


def _count(number: int, thing: str) -> str:
    one = thing.removesuffix("s")  # grapes, the only name that is of many
    if number == 1:
        return f"1 {one}"
    return f"{number} {one.removesuffix('y')}ies" if one.endswith("y") else f"{number} {one}s"
