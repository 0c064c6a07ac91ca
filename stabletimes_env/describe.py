"""The table as text: all that a person needs to play, and no more than a seat may know."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from stabletimes_env.scoring import outcome
from stabletimes_env.sets import DISCIPLINES, NUM_AISLES, STALLS
from stabletimes_env.state import (
    A_DISCARD,
    A_PLACE,
    A_STOP,
    A_SWAP,
    DISCARD,
    EMPTY,
    FROM_DECK,
    HAND,
    NO_TYPE,
    NUM_FIELDS,
    OTHER_FIELD,
    PLACE,
    PLACE_AGAIN,
    SOURCES,
    SWAP,
)
from stabletimes_env.words import board_words, horse_name, horse_words
from tablezoo.content_table import text_of
from tablezoo.game import TRUNCATED
from tablezoo.pictures import table_at

ASKED = {
    SWAP: "whether to swap a horse",
    PLACE: "which horse to place, and where",
    PLACE_AGAIN: "whether to place another horse, in another aisle",
    DISCARD: "whether to discard horses onto the fields",
}
STOPS = {SWAP: "do not swap", PLACE_AGAIN: "place no other horse", DISCARD: "discard no more"}


def describe(state: Any, seat: int | None = None, content: Any = None) -> str:
    """Return the table in words.

    Args:
        state: one record of ``Batch.states``.
        seat: whose view it is; None shows the whole, all hands and the order of the deck included.
        content: the record of the content set that the game is played with.
    """
    players = int(state["num_players"])
    lines = [
        _headline(state),
        *_pasture(state, content, seat),
        *(line for other in range(players) for line in _player(state, content, seat, other)),
        "",
        *_asked(state, content, seat),
    ]
    return "\n".join(lines)


# --- words ------------------------------------------------------------------------------------------------------------


def player_name(seat: int) -> str:
    return f"player_{int(seat)}"


def horse_names(content: Any, horses: Iterable[int]) -> str:
    return ", ".join(horse_name(content, int(horse)) for horse in horses if horse != EMPTY) or "none"


# --- the table --------------------------------------------------------------------------------------------------------


def _headline(state: Any) -> str:
    players = int(state["num_players"])
    who = "solo" if players == 1 else f"{players} players"
    last = "; the end is triggered, this round is the last" if state["triggered"] and not state["ended"] else ""
    return f"Stable Times, {who}, {int(state['turn'])} turns done, cut after {int(state['max_turns'])}{last}"


def _pasture(state: Any, content: Any, seat: int | None) -> list[str]:
    lines = []
    for field in range(NUM_FIELDS - (state["num_players"] == 1)):
        size = int(state["field_size"][field])
        stack = [horse_words(content, int(horse)) for horse in state["field"][field, :size][::-1]]
        lines.append(f"Field {field + 1}: {stack[0] if stack else 'empty'}")
        lines += [f"    under it: {words}" for words in stack[1:]]
    lines.append(f"Deck: {int(state['deck_size'])} horses")
    if seat is None:
        lines.append(f"    top first: {horse_names(content, state['deck'][: int(state['deck_size'])][::-1])}")
    lines.append(f"Discard pile: {horse_names(content, np.flatnonzero(state['pile']))}")
    return lines


def _player(state: Any, content: Any, seat: int | None, other: int) -> list[str]:
    marks = [word for word, there in (("you", other == seat), ("start seat", other == state["starter"])) if there]
    board, upgraded = int(state["board"][other]), bool(state["upgraded"][other])
    disciplines = ", ".join(
        f"{int(count)} {name}" for name, count in zip(DISCIPLINES, state["disciplines"][other], strict=True)
    )
    named = f"{player_name(other)} ({', '.join(marks)})" if marks else player_name(other)
    lines = [
        "",
        f"{named}: {int(state['points'][other])} points; {disciplines}",
        f"  board: {board_words(content, board, upgraded)}",
    ]
    for aisle in range(NUM_AISLES):
        type_ = int(state["aisle_type"][other, aisle])
        kind = f" ({text_of(content['type_name'][type_])})" if type_ != NO_TYPE else ""
        size = int(state["aisle_size"][other, aisle])
        horses = [horse_words(content, int(horse)) for horse in state["stall"][other, aisle, :size]]
        lines.append(f"  aisle {aisle + 1}{kind}: {'; '.join(horses) or 'empty'}{_room(size)}")
    return lines + _hand(state, content, seat, other)


def _room(size: int) -> str:
    return "" if size in (0, STALLS) else f"; room for {STALLS - size}"


def _hand(state: Any, content: Any, seat: int | None, other: int) -> list[str]:
    hand, shown = state["hand"][other], state["shown"][other]
    held = [slot for slot in range(HAND) if hand[slot] != EMPTY]
    if seat is None or other == seat:
        lines = [f"  hand: {len(held)} horses"]
        for slot in held:
            mark = ", known to all" if shown[slot] else ""
            lines.append(f"    [{slot + 1}] {horse_words(content, int(hand[slot]))}{mark}")
        return lines
    known = [horse_words(content, int(hand[slot])) for slot in held if shown[slot]]
    return [f"  hand: {len(held)} horses" + (f", among them {'; '.join(known)}" if known else "")]


# --- the decision -----------------------------------------------------------------------------------------------------


def _asked(state: Any, content: Any, seat: int | None) -> list[str]:
    if state["ended"]:
        return _over(state)
    asked, phase = int(state["seat"]), int(state["phase"])
    lines = [f"{player_name(asked)} is asked {ASKED[phase]}."]
    if seat is None or seat == asked:
        from stabletimes_env import GAME

        legal = np.flatnonzero(table_at(GAME, state, content).action_mask[0])
        lines += [f"  {action}: {action_words(state, content, int(action))}" for action in legal]
    return lines


def _over(state: Any) -> list[str]:
    lines = [f"The game {'was cut' if state['ended'] == TRUNCATED else 'is over'}."]
    if state["num_players"] == 1:
        lines.append(f"Tier: {outcome(int(state['points'][0]), 1)['tier']}.")
    return lines


def action_words(state: Any, content: Any, action: int) -> str:
    """Return an action with the horses that it moves."""
    if action == A_STOP:
        return STOPS[int(state["phase"])]
    hand = state["hand"][int(state["seat"])]
    if action >= A_DISCARD:
        slot, field = divmod(action - A_DISCARD, NUM_FIELDS)
        return f"discard {horse_names(content, hand[slot : slot + 1])} on field {field + 1}"
    if action >= A_PLACE:
        slot, aisle = divmod(action - A_PLACE, NUM_AISLES)
        return f"place {horse_names(content, hand[slot : slot + 1])} in aisle {aisle + 1}"
    slot, rest = divmod(action - A_SWAP, NUM_FIELDS * SOURCES)
    field, source = divmod(rest, SOURCES)
    taken = "the top of the deck"
    if source != FROM_DECK:
        other = OTHER_FIELD[field, source]
        top = state["field"][other, int(state["field_size"][other]) - 1]
        taken = f"{horse_name(content, int(top))} of field {other + 1}"
    return f"put {horse_names(content, hand[slot : slot + 1])} on field {field + 1} and take {taken}"
