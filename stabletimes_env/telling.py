"""What a person at the table reads of each turn: what all could see, and the own new horses."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from stabletimes_env.describe import action_words, horse_names, player_name
from stabletimes_env.sets import NUM_AISLES
from stabletimes_env.state import A_DISCARD, A_STOP, DISCARD, EMPTY, NUM_FIELDS, SOURCES, SWAP
from stabletimes_env.words import horse_words
from tablezoo.telling import Step, Telling


def since(steps: Sequence[Step], seat: int, content: Any) -> list[str]:
    """Return swaps, placements and discards, what they brought about, and the points that changed.

    That somebody stops is not told: who has no choice is not asked, and stops as well.
    """
    lines = []
    for before, action, after in steps:
        lines += [
            *_moved(before, content, action),
            *_placed(before, content, after),
            *_pasture(before, content, action, after),
            *_new_horses(before, content, after, seat),
        ]
    return lines + (_points(steps[0][0], steps[-1][2]) if steps else [])


# --- a decision -------------------------------------------------------------------------------------------------------


def _moved(before: Any, content: Any, action: int) -> list[str]:
    """Return a swap (S8) or a discard (S14): the horse that leaves the hand lies on a field, for all to see."""
    if before["phase"] not in (SWAP, DISCARD) or action == A_STOP:
        return []
    words = action_words(before, content, action)
    told = words.replace("put ", "puts ", 1).replace(" and take ", " and takes ", 1).replace("discard ", "discards ", 1)
    return [f"{player_name(before['seat'])} {told}."]


def _placed(before: Any, content: Any, after: Any) -> list[str]:
    """Return the horses that came into aisles, chosen or unasked, and boards that were flipped."""
    lines = []
    for player in range(int(after["num_players"])):
        for aisle in range(NUM_AISLES):
            first, end = (int(record["aisle_size"][player, aisle]) for record in (before, after))
            if end > first:
                horses = horse_names(content, after["stall"][player, aisle, first:end])
                lines.append(f"{player_name(player)} places {horses} in aisle {aisle + 1}.")
        if after["upgraded"][player] > before["upgraded"][player]:
            lines.append(f"  {player_name(player)} flips the board to its upgraded side.")
    return lines


# --- what follows -----------------------------------------------------------------------------------------------------


def _pasture(before: Any, content: Any, action: int, after: Any) -> list[str]:
    """Return what came to the discard pile and what was turned up (S13, S15, S16), and that the end is near (S19)."""
    lines = []
    if after["deck_size"] > before["deck_size"]:
        lines.append("  The discard pile was shuffled into the deck.")
    piled = np.flatnonzero(after["pile"].astype(int) > before["pile"])
    if piled.size:
        lines.append(f"  To the discard pile: {horse_names(content, piled)}.")
    seen = {*_on_fields(before), *_left_hand(before, action)}
    for field in range(NUM_FIELDS):
        turned_up = [horse for horse in _on_field(after, field) if horse not in seen]
        if turned_up:
            lines.append(f"  Turned up on field {field + 1}: {_full(content, turned_up)}.")
    if after["triggered"] > before["triggered"] and not after["ended"]:
        lines.append("The end is triggered: this round is the last.")
    return lines


def _on_field(record: Any, field: int) -> list[int]:
    return [int(horse) for horse in record["field"][field, : int(record["field_size"][field])]]


def _on_fields(record: Any) -> list[int]:
    return [horse for field in range(NUM_FIELDS) for horse in _on_field(record, field)]


def _left_hand(before: Any, action: int) -> list[int]:
    """Return the horse that a swap or a discard lays on a field, if the action is one."""
    if before["phase"] not in (SWAP, DISCARD) or action == A_STOP:
        return []
    slot = (action - A_DISCARD) // NUM_FIELDS if before["phase"] == DISCARD else action // (NUM_FIELDS * SOURCES)
    return [int(before["hand"][int(before["seat"]), slot])]


def _new_horses(before: Any, content: Any, after: Any, seat: int) -> list[str]:
    new = [int(horse) for horse in after["hand"][seat] if horse != EMPTY and horse not in before["hand"][seat]]
    return [f"  New in your hand: {_full(content, new)}."] if new else []


def _full(content: Any, horses: Iterable[int]) -> str:
    return "; ".join(horse_words(content, horse) for horse in horses)


def _points(first: Any, last: Any) -> list[str]:
    changed = [
        f"{player_name(player)} {int(first['points'][player])} -> {int(last['points'][player])}"
        for player in range(int(last["num_players"]))
        if first["points"][player] != last["points"][player]
    ]
    return [f"Points: {', '.join(changed)}."] if changed else []


TELLING = Telling(action_words, since)
