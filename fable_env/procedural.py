"""``content="procedural:7"``: a random set, the same for the same seed, about as strong as the original one.

Each kind of step is the heart of one location at least. Around its heart an action gets draws, burdens and, later in
the location stack, mixes, chosen among all that bring its worth, in fruits for a turn, into the band that the original
set has there: it rises along the stack. The first six locations are a first game, without tokens, mixes, thief or other
actions to copy or buy; the next six still do without. Prices have the forms of the original set, as often as there: in
a first game five of three equal fruits and one of four different types, at the end the cheap ones. Which fruits they
ask for is drawn, each about as often as any other.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cache
from itertools import combinations, product
from typing import Any, TypeVar

from fable_env.sets import LETTERS, NUM_LOCATIONS, STEPS
from tablezoo.draws import Draws

T = TypeVar("T")
Part = tuple[str, str, int]
"""A step: its word, its fruit ("" without one, "f" for a fruit to be drawn) and its number (0 without one)."""
Action = tuple[Part, ...]

# --- what stands where in the location stack --------------------------------------------------------------------------

SIMPLE = ("draw", "trade", "swap", "gamble", "gift", "discard", "steal", "market", "refresh", "cost")
"""Hearts of a first game."""
LATER = ("fruit_token", "wild_token", "turn_token", "mix", "thief", "copy", "order")
"""Steps that need what a first game lies without."""
FIRST, EARLY = 6, 12
"""How many locations belong to a first game; how many are without steps that come later."""
EXTRA = NUM_LOCATIONS - len(STEPS)
"""Locations that are left when each kind of step has one."""

# --- what an action is worth ------------------------------------------------------------------------------------------

NUMBERS: dict[str, tuple[int, ...]] = {
    "draw": (2, 3, 4), "all_draw": (1, 2), "discard": (1, 2), "gift": (1, 2), "gift_each": (1,),
    "gamble": (3, 4, 5), "trade": (2, 3), "swap": (1, 2, 3), "swap_hands": (1, 2, 3), "steal": (1, 2),
    "steal_each": (1,), "ask": (1, 2), "each_gives": (1,), "cost": (1, 2), "salvage": (1, 2, 3),
    "market": (4, 5, 6, 7), "refresh": (1, 2, 3), "fill": (4, 5, 6), "missing": (3, 4), "per_juice": (1, 2),
    "catch_up": (3, 4), "mix": (1, 2, 3), "order": (1, 2),
}  # fmt: skip
"""Numbers that a heart can have."""
FRUITS_OF = {"trade": ("f", "f", "any"), "cost": ("f", "any", "same")}
"""Fruits that a heart can have."""
AROUND: tuple[Part, ...] = (
    *(("draw", "", n) for n in range(1, 6)),
    ("all_draw", "", 1), ("gift", "", 1), ("discard", "", 1), ("cost", "any", 1), ("cost", "f", 1),
    ("mix", "", 1),
)  # fmt: skip
"""What can stand around a heart."""
ORDER = (
    "cost", "gift_each", "thief", "swap_hands", "pass", "fill", "trade", "fruit_token", "wild_token", "turn_token",
    "steal", "draw", "mix", "missing", "per_juice", "catch_up", "market", "salvage", "gamble", "ask",
    "each_gives", "steal_each", "refresh", "swap", "copy", "order", "gift", "discard", "all_draw",
)  # fmt: skip
"""What comes first in an action: what is paid, then what would be less after a draw, last what is given away."""
ALONE = (LATER, ("all_draw", "gift", "gift_each", "discard", "cost"), ("trade", "cost"))
"""Of these groups one word stands in an action at most: what needs more than fruits, burdens, what names a fruit."""
WORTH = {
    "draw": (0.0, 1.0), "all_draw": (0.0, -0.5), "discard": (0.0, -0.7), "gift": (0.0, -1.0), "gift_each": (0.0, -2.0),
    "gamble": (1.6, 0.0), "trade": (-0.6, 1.0), "swap": (0.0, 0.4), "swap_hands": (1.0, 0.5), "steal": (0.0, 1.3),
    "steal_each": (0.0, 1.5), "ask": (0.3, 0.6), "each_gives": (0.0, 1.4), "pass": (0.3, 0.0), "cost": (0.0, -0.9),
    "salvage": (0.0, 1.2), "market": (0.7, 0.3), "refresh": (0.3, 1.0), "fill": (-1.0, 0.6), "missing": (1.6, 0.2),
    "per_juice": (1.0, 1.0), "catch_up": (1.5, 0.0), "fruit_token": (1.2, 0.0), "wild_token": (1.6, 0.0),
    "turn_token": (1.4, 0.0), "mix": (0.0, 1.2), "thief": (0.7, 0.0), "copy": (2.2, 0.0), "order": (1.4, -0.2),
}  # fmt: skip
"""What a step is worth in fruits, and how much more for each of its number: what three players would about get."""
STAGES = ((FIRST, 1.4, 2.4), (EARLY, 1.8, 2.8), (40, 2.0, 3.3), (NUM_LOCATIONS, 2.1, 3.7))
"""Up to which location an action is worth how much at least and at most; so are nearly all of the original set."""
SIZES = (1, 1, 1, 1, 2, 2, 2, 3)
"""How many steps an action has; most hearts cannot stand alone, so about as often as in the original set."""
FIRST_STEPS = 2
"""How many it has at most in a first game."""

# --- prices -----------------------------------------------------------------------------------------------------------

FIRST_PRICES = ("aaa*",) * 5 + ("≠4",)
PRICES = (
    ("aabb",) * 14 + ("aab*",) * 15 + ("≠4",) * 6 + ("=4",) * 3 + ("=3 *",) * 3 + ("ab**",) * 2
    + ("****", "****", "aa**", "aabc", "abc*")
)  # fmt: skip
LAST_PRICES = ("=3", "=3", "≠3 *", "aa*", "***")
"""Forms of prices, each letter for another fruit."""

# --- names ------------------------------------------------------------------------------------------------------------

ANIMALS = (
    "adder", "badger", "bat", "bear", "beaver", "bee", "beetle", "bison", "boar", "buzzard", "chipmunk", "cicada",
    "coati", "crane", "cricket", "crow", "cuckoo", "deer", "dormouse", "dove", "elk", "falcon", "finch", "firefly",
    "fox", "frog", "gecko", "goat", "grouse", "hare", "hedgehog", "heron", "hornet", "jay", "kite", "lemur", "lizard",
    "lynx", "magpie", "marmot", "marten", "mole", "monkey", "moose", "mouse", "newt", "otter", "owl", "parrot",
    "pheasant", "polecat", "porcupine", "rabbit", "raccoon", "raven", "robin", "shrew", "skunk", "sloth", "snail",
    "spider", "squirrel", "stag", "stoat", "tapir", "thrush", "toad", "tortoise", "turtle", "vole", "weasel", "wolf",
    "wolverine", "wren",
)  # fmt: skip
DEEDS = {
    "draw": ("picks a basketful", "goes gathering", "shakes a branch", "climbs for fruit"),
    "all_draw": ("spreads a feast", "invites everyone", "treats the clearing"),
    "discard": ("sorts its store", "drops the overripe", "weeds its basket"),
    "gift": ("brings a present", "shares a bite", "repays a favour"),
    "gift_each": ("feeds the neighbours", "gives all round", "hands out treats"),
    "gamble": ("tempts its luck", "reaches too far", "dares another leap"),
    "trade": ("strikes a bargain", "barters at the brook", "makes a deal"),
    "swap": ("swaps baskets", "evens the piles", "tries another's fruit"),
    "swap_hands": ("switches the sacks", "trades places", "turns the tables"),
    "steal": ("snatches a morsel", "picks a pocket", "raids a nest"),
    "steal_each": ("robs the rich", "visits the wealthy", "tours the larders"),
    "ask": ("asks a question", "demands an answer", "wants to know"),
    "each_gives": ("collects its toll", "claims its share", "passes the hat"),
    "pass": ("hands it down the line", "passes to the left", "starts a round"),
    "cost": ("pays up front", "buys and sells", "invests a snack"),
    "salvage": ("gleans the leftovers", "combs the compost", "digs up a hoard"),
    "market": ("holds a market", "opens its stall", "spreads its wares"),
    "refresh": ("starts anew", "rinses its harvest", "trades old for new"),
    "fill": ("fills its cheeks", "stocks for winter", "tops up the larder"),
    "missing": ("seeks what it lacks", "visits every tree", "completes its meal"),
    "per_juice": ("counts its bottles", "lives off its cellar", "toasts its juices"),
    "catch_up": ("catches up", "closes the gap", "gains on the leader"),
    "fruit_token": ("writes a voucher", "stamps a token", "keeps a tab"),
    "wild_token": ("grants a wish", "weaves a charm", "finds a clover"),
    "turn_token": ("winds the clock", "moves twice", "hurries ahead"),
    "mix": ("stirs its kettle", "blends two nectars", "presses fruit"),
    "thief": ("posts a lookout", "hires a thief", "guards its path"),
    "copy": ("mimics a neighbour", "repeats a tune", "follows the tracks"),
    "order": ("delivers an order", "sends for juice", "shops from afar"),
}
"""What the dweller of a location does, by the heart of its action."""


def document(argument: str) -> dict[str, Any]:
    """Return the document of a random set.

    Raises:
        ContentError: the argument is no seed.
    """
    draws = Draws("procedural", argument)
    hearts = _hearts(draws)
    actions, prices, animals = _actions(draws, hearts), _prices(draws), draws.shuffled(ANIMALS)
    return {
        "locations": [
            {"name": f"The {animal} {draws.one_of(DEEDS[heart])}", "action": action, "price": price}
            for animal, heart, action, price in zip(animals, hearts, actions, prices, strict=False)
        ]
    }


# --- actions ----------------------------------------------------------------------------------------------------------


def _hearts(draws: Draws) -> list[str]:
    """Return the heart of each location: each kind of step once at least, three times at most."""
    left = [*STEPS, *draws.some_of(STEPS * 2, EXTRA)]
    first = _taken(draws, left, SIMPLE, FIRST)
    early = _taken(draws, left, [word for word in STEPS if word not in LATER], EARLY - FIRST)
    return [*first, *early, *draws.shuffled(left)]


def _taken(draws: Draws, left: list[str], words: Sequence[str], count: int) -> list[str]:
    """Take so many different ones of ``words`` from what is left."""
    taken = draws.some_of([word for word in words if word in left], count)
    for word in taken:
        left.remove(word)
    return taken


def _actions(draws: Draws, hearts: Sequence[str]) -> list[list[str]]:
    """Return an action around each heart; none is like another."""
    choices = [_choices(heart, _stage(location)) for location, heart in enumerate(hearts)]
    made: dict[int, Action] = {}
    for location in sorted(range(NUM_LOCATIONS), key=lambda location: len(choices[location])):  # scarce ones first
        new = [action for action in choices[location] if action not in made.values()]
        size = draws.one_of([size for size in SIZES if any(len(action) == size for action in new)])
        made[location] = draws.one_of([action for action in new if len(action) == size])
    return [[_step(draws, *part) for part in action] for _, action in sorted(made.items())]


def _stage(location: int) -> int:
    return next(stage for stage, (end, _, _) in enumerate(STAGES) if location < end)


def _step(draws: Draws, word: str, fruit: str, number: int) -> str:
    fruit = draws.one_of(LETTERS) if fruit == "f" else fruit
    return " ".join(part for part in (word, fruit, str(number or "")) if part)


@cache
def _choices(heart: str, stage: int) -> list[Action]:
    """Return all that an action around a heart can be at a stage."""
    _, least, most = STAGES[stage]
    around = _around(stage)
    choices = [
        tuple(sorted((middle, *others), key=lambda part: ORDER.index(part[0])))
        for size in range(FIRST_STEPS if stage == 0 else max(SIZES))
        for middle, others in product(_hearts_of(heart), combinations(around, size))
    ]
    return [action for action in choices if _goes_together(action) and least <= sum(map(_worth, action)) <= most]


def _hearts_of(heart: str) -> list[Part]:
    fruits, numbers = FRUITS_OF.get(heart, ("",)), NUMBERS.get(heart, (0,))
    return [(heart, fruit, n) for fruit, n in product(fruits, numbers) if fruit != "same" or n > 1]


def _around(stage: int) -> list[Part]:
    """Return what can stand around a heart at a stage."""
    if stage == 0:
        return [part for part in AROUND if part[0] in (*SIMPLE, "all_draw")]
    return [part for part in AROUND if stage > 1 or part[0] not in LATER]


def _goes_together(action: Action) -> bool:
    """Whether no word stands twice, nor two of what should stand alone."""
    words = {word for word, _, _ in action}
    return len(words) == len(action) and all(len(words.intersection(alone)) <= 1 for alone in ALONE)


def _worth(part: Part) -> float:
    word, _, number = part
    at_first, each = WORTH[word]
    return at_first + each * number


# --- prices -----------------------------------------------------------------------------------------------------------


def _prices(draws: Draws) -> list[str]:
    """Return a price for each location; each fruit is asked for about as often as any other."""
    forms = [*draws.shuffled(FIRST_PRICES), *draws.shuffled(PRICES), *draws.shuffled(LAST_PRICES)]
    asked: Counter[str] = Counter()
    prices = []
    for form in forms:
        seldom = sorted(draws.shuffled(LETTERS), key=lambda letter: asked[letter])
        price = form.translate(dict(zip(map(ord, "abc"), seldom, strict=False)))
        asked.update(price)
        prices.append(price)
    return prices
