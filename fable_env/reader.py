"""A set of locations read from TOML: all its faults told at once (F2, F9, F11)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from numpy.typing import NDArray

from fable_env import procedural
from fable_env.notation import Step, read_price, read_step
from fable_env.sets import (
    CONTENT,
    COPY,
    COST,
    MOST_STEPS,
    NAME_BYTES,
    NUM_LOCATIONS,
    OF_LAST,
    OF_LOCATION,
    STEPS,
    TRADE,
)
from fable_env.storing import store
from tablezoo.content import ContentFormat, Faults
from tablezoo.content_table import Table, check_names, is_whole, short

LAST = f"locations[{NUM_LOCATIONS - 1}]"
A_STEP, A_PRICE = "a step such as 'draw 2'", "a price such as 'GGG*'"
AN_ACTION = f"a list of 1 to {MOST_STEPS} steps, such as ['draw 1', 'swap 3']"
NOT_TOGETHER = {TRADE, COST}
"""Both name a fruit, and a player sees only one fruit of a location."""


def read(document: Mapping[str, Any], faults: Faults, record: NDArray[Any]) -> None:
    """Check a document, add what is wrong with it to ``faults``, and fill the record if nothing is."""
    top = Table(document, "", faults)
    top.allow("locations")
    locations = top.tables("locations", NUM_LOCATIONS, f"{NUM_LOCATIONS} locations")
    check_names(locations, NAME_BYTES)
    kinds = [_check_location(location) for location in locations]
    if kinds and all(COPY in of_location for of_location in kinds):
        top.fault("locations", "all have copy; expected one at least that can be copied")
    if not faults.found:
        store(document, record[0])


def _check_location(location: Table) -> list[int | None]:
    """Return the kinds of the steps of its action, None for what is no step."""
    location.allow("name", "action", "price", "cards")
    kinds = _check_action(location)
    _check_price(location)
    _check_cards(location)
    return kinds


def _check_action(location: Table) -> list[int | None]:
    action = location.value("action", AN_ACTION)
    if not isinstance(action, list) or not action:
        location.wrong("action", AN_ACTION)
        return []
    if len(action) > MOST_STEPS:
        location.fault("action", f"expected 1 to {MOST_STEPS} steps, got {len(action)}")
    steps = [_check_step(location, f"action[{i}]", text) for i, text in enumerate(action)]
    kinds = [step.kind if step else None for step in steps]
    _check_together(location, kinds)
    return kinds


def _check_step(location: Table, key: str, text: Any) -> Step | None:
    if not isinstance(text, str):
        location.fault(key, f"expected {A_STEP}, got {short(text)}")
        return None
    faults: list[str] = []
    step = read_step(text, faults)
    for fault in faults:
        location.fault(key, fault)
    return step


def _check_together(location: Table, kinds: Sequence[int | None]) -> None:
    """What a player sees of a location has one number for each kind of step, and one fruit."""
    for i, kind in enumerate(kinds):
        if kind is not None and kind in kinds[:i]:
            first = kinds.index(kind)
            location.fault(f"action[{i}]", f"expected {STEPS[kind]} once, but action[{first}] is one too")
    if NOT_TOGETHER.issubset(kinds):
        location.fault("action", f"expected one fruit at most, but both {STEPS[TRADE]} and {STEPS[COST]} name one")


def _check_price(location: Table) -> None:
    price = location.value("price", A_PRICE)
    if not isinstance(price, str):
        location.wrong("price", A_PRICE)
        return
    faults: list[str] = []
    read_price(price, faults)
    for fault in faults:
        location.fault("price", fault)


def _check_cards(location: Table) -> None:
    """F2: the key may be left out, as the rules leave no choice."""
    if "cards" not in location.table:
        return
    right = OF_LAST if location.path == LAST else OF_LOCATION
    cards = location.table["cards"]
    if not is_whole(cards) or cards != right:
        location.wrong("cards", f"{right}, which the rules lay down for this location")


FORMAT = ContentFormat(
    dtype=CONTENT,
    package="fable_env",
    default="original",
    read=read,
    generators={"procedural": procedural.document},
)
