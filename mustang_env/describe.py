"""The table as text: all that a person needs to play, and no more than a seat may know."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from mustang_env.observe import OBSERVATION_LAYOUT
from mustang_env.state import (
    A_CARDS,
    A_CATCH,
    A_CORRAL,
    A_DECLINE,
    A_PILE,
    A_STEAL,
    A_SWAP,
    ANSWER,
    CAUGHT_UNSEEN,
    EMPTY,
    EVENTS,
    GATE,
    KINDS,
    NOTHING,
    NUM_CARDS,
    NUM_TYPES,
    PILE_TOTAL,
    PLAY,
    RAIN,
    SETS,
    STABLED,
    SWAP,
    SWAPPED,
    TURN,
    card_name,
    counter_name,
)
from tablezoo.game import TRUNCATED
from tablezoo.pictures import table_at

if TYPE_CHECKING:
    from tablezoo.batch import Batch


def describe(state: Any, seat: int | None = None, content: Any = None) -> str:
    """Return the table in words.

    Args:
        state: one record of ``Batch.states``.
        seat: whose view it is; None shows the whole, all hands and the order of all piles included.
        content: not used, Mustang has none.
    """
    from mustang_env import GAME

    table = table_at(GAME, state)
    points = OBSERVATION_LAYOUT.view(table.observe(0)[0], "points")
    sections = [
        _headline(state),
        *_prairie(state, seat),
        *_decks(state, seat),
        "",
        *_ranches(state, seat, points),
        "",
        f"Last action: {last_action(state)}.",
        *_asked(state, seat, table),
    ]
    return "\n".join(sections)


# --- words ----------------------------------------------------------------------------------------


def player_name(seat: int) -> str:
    return f"player_{int(seat)}"


def _listed(words: Iterable[str]) -> str:
    return ", ".join(words) or "none"


def counted(counts: NDArray[Any], name: Callable[[int], str]) -> str:
    """Return the names of what is there, with how many there are if more than one."""
    words = [name(i) if count == 1 else f"{count} x {name(i)}" for i, count in enumerate(counts) if count > 0]
    return _listed(words)


def card_names(cards: Iterable[int]) -> str:
    return _listed(card_name(int(card)) for card in cards if card != EMPTY)


def event_name(event: int) -> str:
    return EVENTS[event].replace("_", " ")


# --- the table ------------------------------------------------------------------------------------


def _headline(state: Any) -> str:
    cut = int(state["max_turns"])
    return f"Mustang, {int(state['num_players'])} players, {int(state['turn'])} turns done, cut after {cut}"


def _prairie(state: Any, seat: int | None) -> list[str]:
    piles = [f"{int(state['pile_size'][kind])} in the {KINDS[kind]} pile" for kind in range(3)]
    lines = [f"Prairie: {counted(state['prairie'], counter_name)}; face down: {_listed(piles)}"]
    if state["removed"].any():
        lines.append(f"Out of the game: {counted(state['removed'], counter_name)}")
    if seat is None:
        for kind in range(3):
            top = PILE_TOTAL[kind] - int(state["pile_size"][kind])
            hidden = state["pile"][kind, top : PILE_TOTAL[kind]]
            lines.append(f"  {KINDS[kind]} pile, top first: {_listed(counter_name(int(t)) for t in hidden)}")
    return lines


def _decks(state: Any, seat: int | None) -> list[str]:
    left = int(state["events"].sum()) - int(state["event_turned"])
    lines = [
        f"Deck: {int(state['deck_size'])} cards; used pile: {counted(state['used'], card_name)}",
        f"Event deck: {left} of {counted(state['events'], event_name)}",
        f"Events turned up: {counted(state['event_discards'], event_name)}",
    ]
    if seat is None:
        places = (int(state["deck_top"]) + np.arange(int(state["deck_size"]))) % NUM_CARDS
        lines.append(f"  deck, top first: {card_names(state['deck'][places])}")
        coming = state["event_deck"][int(state["event_turned"]) :][:left]
        lines.append(f"  event deck, top first: {_listed(event_name(int(event)) for event in coming)}")
    return lines


def _ranches(state: Any, seat: int | None, points: NDArray[np.uint8]) -> list[str]:
    lines = []
    for other in range(int(state["num_players"])):
        marks = ["you"] if other == seat else []
        marks += ["dealer"] if other == state["dealer"] else []
        named = f"{player_name(other)} ({_listed(marks)})" if marks else player_name(other)
        lines.append(f"{named}: {points[other]} points")
        lines.append(f"  hand:   {_hand(state['hand'][other], seat is None or other == seat)}")
        lines.append(f"  corral: {counted(state['corral'][other], counter_name)}")
        lines.append(f"  stable: {counted(state['stable'][other], counter_name)}")
    return lines


def _hand(hand: NDArray[np.uint8], shown: bool) -> str:
    if not shown:
        return f"{int((hand != EMPTY).sum())} cards"
    held = [(slot + 1, card_name(int(card))) for slot, card in enumerate(hand) if card != EMPTY]
    return "  ".join(f"[{slot}] {name}" for slot, name in held)


def last_action(state: Any) -> str:
    """Return who did what last, as all may know it, without a full stop."""
    action = int(state["last_action"])
    if action == NOTHING:
        return "none"
    actor = player_name(state["last_actor"])
    if action == SWAPPED:
        return f"{actor} swapped {int(state['last_swapped'])} card(s)"
    counter = counter_name(int(state["last_type"]))
    if action == STABLED:
        return f"{actor} moved the {counter} to the stable"
    cards = f"with {card_names(state['last_cards'])}"
    if state["last_owner"] < 0:
        where = " from the pile" if action == CAUGHT_UNSEEN else ""
        return f"{actor} caught the {counter}{where} {cards}"
    return f"{actor} wanted to steal the {counter} {cards}; {_outcome(state)}"


def _outcome(state: Any) -> str:
    owner = player_name(state["last_owner"])
    if phase_of(state) == ANSWER:
        return f"{owner} has not answered yet"
    if state["last_answer"][0] == EMPTY:
        return f"{owner} lost it"
    cowboys = f"{player_name(state['last_actor'])} discarded {int(state['last_cowboys'])} cowboy(s)"
    return f"{owner} answered with {card_names(state['last_answer'])} and kept it, {cowboys}"


# --- the decision ---------------------------------------------------------------------------------


def phase_of(state: Any) -> int:
    size = int(state["pending_size"])
    return int(state["pending"][size - 1, 0]) if size else TURN


def _asked(state: Any, seat: int | None, table: Batch) -> list[str]:
    if state["ended"]:
        return _over(state)
    asked = int(state["seat"])
    own = seat is None or seat == asked
    lines = [f"{player_name(state['mover'])} is at turn; {player_name(asked)} is asked {_question(state, own)}."]
    if own:
        lines += [f"  {action}: {action_words(state, int(action))}" for action in np.flatnonzero(table.action_mask[0])]
    return lines


def _over(state: Any) -> list[str]:
    how = "was cut" if state["ended"] == TRUNCATED else "is over"
    by = f", finished by {player_name(state['finisher'])} (3 points more)" if state["finisher"] >= 0 else ""
    return [f"The game {how}{by}."]


def _question(state: Any, own: bool) -> str:
    phase = phase_of(state)
    if phase == ANSWER:
        return "to answer the theft"
    if phase == GATE:
        return "which counter goes through the rotten gate"
    if phase == RAIN:
        moves = int(state["pending"][int(state["pending_size"]) - 1, 2])
        return f"what to bring to the stable in the heavy rain, up to {moves} more"
    if own and phase == SWAP:
        return "which cards to swap"
    if own and phase == PLAY:
        target = int(state["pending"][int(state["pending_size"]) - 1, 2])
        return f"for the cards to {action_words(state, target)}"
    return "what to do"


def action_words(state: Any, action: int) -> str:
    """Return an action in words that fit the phase: real cards for slots, names for neighbours."""
    phase = phase_of(state)
    if action == A_DECLINE:
        return "give no answer" if phase == ANSWER else "move no more"
    if action >= A_CARDS:
        cards = [state["hand"][int(state["seat"]), slot] for slot in SETS[action - A_CARDS]]
        return f"{'swap' if phase == SWAP else 'play'} {card_names(cards)}"
    if action >= A_CORRAL:
        place = "back to the prairie" if phase == GATE else "to the stable"
        return f"move the {counter_name(action - A_CORRAL)} {place}"
    if action >= A_STEAL:
        steps, type_ = divmod(action - A_STEAL, NUM_TYPES)
        owner = (int(state["seat"]) + steps + 1) % int(state["num_players"])
        return f"steal the {counter_name(type_)} from {player_name(owner)}"
    if action >= A_PILE:
        return f"catch the top counter of the {KINDS[action - A_PILE]} pile"
    return "swap cards" if action == A_SWAP else f"catch the {counter_name(action - A_CATCH)} on the prairie"
