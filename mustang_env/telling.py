"""What a person at the table reads of each turn: what all could see, and the own new cards."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mustang_env.describe import action_words, card_names, counted, event_name, last_action, phase_of, player_name
from mustang_env.state import ANSWER, EMPTY, STABLED, STOLE, SWAPPED, counter_name
from tablezoo.telling import Step, Telling


def choice(record: Any, _content: Any, action: int) -> str:
    """Return a legal action with the cards that it moves."""
    return action_words(record, action)


def since(steps: Sequence[Step], seat: int, _content: Any) -> list[str]:
    """Return each action once it is complete, the event after it, and the seat's new cards.

    A theft is told when it is settled, or when the seat itself is asked: that somebody else was asked would tell that
    they had a choice.
    """
    lines = []
    for before, _, after in steps:
        acted = _is_complete(before, after)
        if acted or (phase_of(after) == ANSWER and after["seat"] == seat):
            lines.append(f"{last_action(after)}.")
        lines += _event(before, after, acted)
        lines += _new_cards(before, after, seat)
    return lines


def _is_complete(before: Any, after: Any) -> bool:
    """Whether an action was completed in a step: of two actions in a row the actors differ."""
    if phase_of(before) == ANSWER:
        return True
    return bool(before["last_actor"] != after["last_actor"]) and phase_of(after) != ANSWER


# --- events -----------------------------------------------------------------------------------------------------------


def _event(before: Any, after: Any, acted: bool) -> list[str]:
    """Return the event turned up, and which counters moved otherwise than by the action."""
    lines = []
    if after["event_turned"] != before["event_turned"]:
        event = int(after["event_deck"][int(after["event_turned"]) - 1])
        lines.append(f"The deck ran out. Event: {event_name(event)}.")
    corral, stable = _moved(before, after)
    if acted:
        _take_back_action(after, corral, stable)
    for player in range(int(after["num_players"])):
        name, rest = player_name(player), corral[player] + stable[player]
        for words, counts in (
            ("brought {} to the stable", stable[player]),
            ("put {} back on the prairie", -rest),
            ("got {} from the pile", rest),
        ):
            if (counts > 0).any():
                lines.append(f"  {name} {words.format(counted(counts, counter_name))}.")
    gone = after["removed"].astype(int) - before["removed"]
    if gone.any():
        lines.append(f"  Out of the game: {counted(gone, counter_name)}.")
    return lines


def _moved(before: Any, after: Any) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return (seats, types): by how many the counters in the corrals and in the stables have grown."""
    corral, stable = (after[place].astype(np.int64) - before[place] for place in ("corral", "stable"))
    return corral, stable


def _take_back_action(after: Any, corral: NDArray[np.int64], stable: NDArray[np.int64]) -> None:
    """Take from the moves those of the last action, so that the event's are left."""
    action, actor, type_ = int(after["last_action"]), int(after["last_actor"]), int(after["last_type"])
    if action == SWAPPED or (action == STOLE and after["last_answer"][0] != EMPTY):
        return
    if action == STABLED:
        corral[actor, type_] += 1
        stable[actor, type_] -= 1
        return
    corral[actor, type_] -= 1
    if action == STOLE:
        corral[int(after["last_owner"]), type_] += 1


# --- the own hand -----------------------------------------------------------------------------------------------------


def _new_cards(before: Any, after: Any, seat: int) -> list[str]:
    held = [int(card) for card in before["hand"][seat]]
    new = []
    for card in map(int, after["hand"][seat]):
        if card in held:
            held.remove(card)
        else:
            new.append(card)
    return [f"  New in your hand: {card_names(new)}."] if new else []


TELLING = Telling(choice, since)
