"""Mustang in the conformance suite, and faults planted in it."""

from __future__ import annotations

from typing import Any

import numpy as np

TYPE_TOTAL = [2] * 5 + [3] * 5 + [4] * 5 + [1] * 2
SWAP, PLAY = 1, 2


def things(record: Any, content: Any) -> tuple[list[int], list[int], list[int]]:
    """How many of each card, counter and event card there are anywhere."""
    players = int(record["num_players"])
    ring = (int(record["deck_top"]) + np.arange(int(record["deck_size"]))) % 49
    held = np.concatenate([record["deck"][ring], record["hand"][:players].ravel()])
    cards = np.bincount(held, minlength=42)
    cards[:41] += record["used"]
    counters = (
        record["prairie"].astype(int) + record["removed"] + (record["corral"] + record["stable"])[:players].sum(axis=0)
    )
    for kind, total in enumerate((10, 15, 20)):
        down = record["pile"][kind, total - int(record["pile_size"][kind]) : total]
        counters += np.bincount(down, minlength=17)
    events = int(record["events"].sum())
    undrawn = record["event_deck"][int(record["event_turned"]) : events]
    event_cards = record["event_discards"] + np.bincount(undrawn, minlength=5)
    return cards[:41].tolist(), counters.tolist(), event_cards.tolist()


def hide(record: Any, content: Any, seat: int, rng: np.random.Generator) -> None:
    """Deal anew, in place, what the seat cannot know (rules document, *What a player knows*)."""
    others = [other for other in range(int(record["num_players"])) if other != seat]
    top = record["pending"][record["pending_size"] - 1] if record["pending_size"] else None
    if top is not None and record["seat"] != seat and top[0] in (SWAP, PLAY):
        top[:] = 0
        record["pending_size"] -= 1
    ring = (int(record["deck_top"]) + np.arange(int(record["deck_size"]))) % 49
    hands = [record["hand"][other][record["hand"][other] < 41] for other in others]
    cards = rng.permutation(np.concatenate([*hands, record["deck"][ring]]))
    for other, hand in zip(others, hands, strict=True):
        record["hand"][other][: hand.size] = np.sort(cards[: hand.size])
        cards = cards[hand.size :]
    record["deck"][ring] = cards
    for kind, total in enumerate((10, 15, 20)):
        rng.shuffle(record["pile"][kind, total - int(record["pile_size"][kind]) : total])
    rng.shuffle(record["event_deck"][int(record["event_turned"]) : int(record["events"].sum())])


def test_things_are_complete() -> None:
    """The counting itself: 49 cards, 47 counters (M2, M3)."""
    from mustang_env import GAME
    from tablezoo import Batch

    cards, counters, events = things(Batch(GAME, seed=1).states[0], None)
    assert cards == [1] * 40 + [9]
    assert counters == TYPE_TOTAL
    assert events == [1, 1, 1, 1, 2]
