"""A set of locations that has been checked, stored as the kernels get it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any

import numpy as np

from fable_env.notation import Step, read_price, read_step
from fable_env.sets import (
    ANY,
    COPY,
    COST,
    DIFFERENT,
    EQUAL,
    LOCATION_LAYOUT,
    NO_STEP,
    NUM_FRUITS,
    NUM_LOCATIONS,
    PRICE,
    SAME,
    STARS,
    STEPS,
    TYPE_SETS,
    WITH_FRUIT,
    words_of,
)
from tablezoo.content_table import store_text


def store(document: Mapping[str, Any], content: Any) -> None:
    """Fill one record, all zeros so far, from a document without faults."""
    content["step"] = NO_STEP
    for i, location in enumerate(document["locations"]):
        steps = [step for text in location["action"] if (step := read_step(text, []))]
        price = read_price(location["price"], []) or []
        store_text(content["name"][i], location["name"])
        _store_action(content, i, steps)
        content["price"][i] = price
        _store_features(content, i, steps)
        _store_payment(content, i, price)
        for step in steps:
            if step.kind == COST:
                _store_payment(content, NUM_LOCATIONS + i, _price_of_cost(step))


def _store_action(content: Any, location: int, steps: Sequence[Step]) -> None:
    content["num_steps"][location] = len(steps)
    content["copies"][location] = any(step.kind == COPY for step in steps)
    for place, step in enumerate(steps):
        content["step"][location, place] = step.kind
        content["number"][location, place] = step.number
        content["fruit"][location, place] = step.fruit


def _store_features(content: Any, location: int, steps: Sequence[Step]) -> None:
    features, view = content["features"][location].view(np.uint8), LOCATION_LAYOUT.view
    for place, step in enumerate(steps):
        view(features, "steps")[step.kind] = step.number
        view(features, "places")[step.kind] = place + 1
        if STEPS[step.kind] in WITH_FRUIT:
            view(features, "fruit")[step.fruit] = 1
    view(features, "price")[...] = content["price"][location]


# --- what a payment is judged by (F11a) -------------------------------------------------------------------------------


def _price_of_cost(step: Step) -> list[int]:
    """Return a ``cost`` as a price: its cards are discarded in the same way."""
    price = [0] * PRICE
    price[{ANY: STARS, SAME: EQUAL}.get(step.fruit, step.fruit)] = step.number
    return price


def _store_payment(content: Any, row: int, price: Sequence[int]) -> None:
    content["signs"][row] = sum(price)
    content["stars"][row] = price[STARS]
    for reading, asked in enumerate(_readings(price)):
        content["readings"][row] = reading + 1
        content["asked"][row, reading] = words_of(
            [sum(signs for fruit, signs in enumerate(asked) if types >> fruit & 1) for types in range(TYPE_SETS)]
        )


def _readings(price: Sequence[int]) -> Iterator[list[int]]:
    """Yield how many signs ask for each fruit, for each way to read ``=n`` or ``≠n``."""
    size, each = (1, price[EQUAL]) if price[EQUAL] else (price[DIFFERENT], 1)
    for chosen in combinations(range(NUM_FRUITS), size):
        yield [signs + each * (fruit in chosen) for fruit, signs in enumerate(price[:NUM_FRUITS])]
