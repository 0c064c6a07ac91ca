"""The table as text: all that a person needs to play, and no more than a seat may know."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from fable_env.sets import (
    ANY,
    ASK,
    COPY,
    FIRST_MIX,
    FRUITS,
    GIFT,
    LETTERS,
    MARKET,
    MIXES,
    NUM_CARDS,
    NUM_LOCATIONS,
    ORDER,
    SALVAGE,
    STEAL,
    STEPS,
    SWAP,
    SWAP_HANDS,
    THIEF,
    TRADE,
    end_of,
    location_of,
)
from fable_env.state import (
    A_CARD,
    A_FRUIT,
    A_PLAYER,
    A_STACK,
    A_STOP,
    DISCARDING,
    EXTRA,
    FRUIT,
    GAMBLING,
    GIVE,
    HOST,
    MOVE,
    NEEDED,
    NOTHING,
    NUM_TURN_TOKENS,
    NUM_WILD,
    OFFER,
    PASSING,
    PAY,
    PLAYER,
    REFRESHING,
    RUN,
    STACK,
    SUPPLY,
    VISIT,
    card_name,
)
from fable_env.words import location_name, location_words
from tablezoo.game import TRUNCATED
from tablezoo.pictures import table_at


def describe(state: Any, seat: int | None = None, content: Any = None) -> str:
    """Return the table in words.

    Args:
        state: one record of ``Batch.states``.
        seat: whose view it is; None shows the whole, all hands and the fruit stack included.
        content: the record of the content set that the game is played with.
    """
    lines = [
        _headline(state),
        *_locations(state, content),
        *_supply(state, content, seat),
        *(line for other in range(int(state["num_players"])) for line in _player(state, content, seat, other)),
        "",
        *_asked(state, content, seat),
    ]
    return "\n".join(lines)


# --- words ------------------------------------------------------------------------------------------------------------


def player_name(seat: int) -> str:
    return f"player_{int(seat)}"


def _short(card: int) -> str:
    """Return a fruit as its letter, a mix as two."""
    return LETTERS[card] if card < FIRST_MIX else "/".join(LETTERS[fruit] for fruit in MIXES[card - FIRST_MIX])


def card_letters(counts: Any) -> str:
    """Return cards, counted by kind, such as ``B B P/S``."""
    return " ".join(_short(card) for card, count in enumerate(counts) for _ in range(int(count))) or "none"


def _listed(words: Iterable[str]) -> str:
    return ", ".join(words) or "none"


# --- the table --------------------------------------------------------------------------------------------------------


def _headline(state: Any) -> str:
    players, turns = int(state["num_players"]), int(state["turn"]) - int(state["first_turn"])
    over = state["ended"] and state["campaign_drawn"] == 0
    game = "the last game" if over else f"game {int(state['campaign_games']) + (state['ended'] == 0)}"
    line = (
        f"Fable, {players} players, {game} of its campaign, "
        f"{turns} turns done, cut after {int(state['max_turns'])}; {NEEDED[players]} juices end it"
    )
    if state["session"] > 1:
        line += f"; session: {int(state['game'])} of {int(state['session'])} games done"
    if state["triggered"] and not state["ended"]:
        line += "; this round is the last"
    return line


def _locations(state: Any, content: Any) -> list[str]:
    lines = ["Locations (fruits B banana, C coconut, G grapes, P pineapple, S strawberry; * any):"]
    for slot in range(int(state["num_stacks"])):
        location = int(state["stacks"][slot])
        marks = [player_name(seat) for seat in range(int(state["num_players"])) if state["animal"][seat] == location]
        if state["thief"] == location:
            marks.append(f"the thief of {player_name(state['thief_owner'])}")
        here = f" <- {', '.join(marks)}" if marks else ""
        lines.append(f"  [{slot + 1}] {int(state['cards'][location])} x {location_words(content, location)}{here}")
    drawn = int(state["drawn"])
    if drawn < NUM_CARDS:
        location = location_of(drawn)
        on_top = end_of(location) - drawn
        lines.append(f"Location stack: {NUM_CARDS - drawn} cards, next {on_top} x {location_words(content, location)}")
    else:
        lines.append("Location stack: empty")
    return lines


def _supply(state: Any, content: Any, seat: int | None) -> list[str]:
    stack = f"Fruit stack: {int(state['fruit_stack'].sum())}"
    mixes = f"mix stack: {int(state['mix_stack'].sum())}"
    if seat is None:
        stack += f" ({card_letters(state['fruit_stack'])})"
        mixes += f" ({card_letters(np.concatenate([np.zeros(FIRST_MIX, int), state['mix_stack']]))})"
    free = [f"{FRUITS[fruit]} token" for fruit, owner in enumerate(state["token_owner"]) if owner == SUPPLY]
    wild, turn = NUM_WILD - int(state["wild_tokens"].sum()), NUM_TURN_TOKENS - int(state["turn_tokens"].sum())
    tokens = [*free, *[f"{wild} wild"] * (wild > 0), *[f"{turn} double-turn"] * (turn > 0)]
    lines = [
        f"{stack}; {mixes}; discard pile: {card_letters(state['discards'])}",
        f"Tokens to be had: {_listed(tokens)}",
    ]
    if state["turned"].any():
        lines.append(f"Turned up: {card_letters(state['turned'])}")
    return lines


def _player(state: Any, content: Any, seat: int | None, other: int) -> list[str]:
    marks = [word for word, there in (("you", other == seat), ("start seat", other == state["starter"])) if there]
    named = f"{player_name(other)} ({', '.join(marks)})" if marks else player_name(other)
    animal = int(state["animal"][other])
    at = "off the board" if animal == SUPPLY else f"at #{animal + 1} {location_name(content, animal)}"
    size = int(state["hand_size"][other])
    hand = f": {card_letters(state['hand'][other])}" if seat in (None, other) and size else ""
    tokens = [f"{FRUITS[fruit]} token" for fruit, owner in enumerate(state["token_owner"]) if owner == other]
    for name, count in (("wild", state["wild_tokens"][other]), ("double-turn", state["turn_tokens"][other])):
        tokens += [f"{int(count)} {name}"] * int(count > 0)
    lines = [f"{named}: {int(state['juices'][other])} juices, {at}", f"  hand: {size} cards{hand}"]
    if tokens:
        lines.append(f"  tokens: {_listed(tokens)}")
    if state["aside"][other] != NOTHING:
        card = _short(int(state["aside"][other])) if seat in (None, other) else "one card"
        lines.append(f"  aside: {card}")
    if state["thief_owner"] == other and state["thief"] == SUPPLY:
        lines.append("  the thief, idle")
    if state["session"] > 1:
        lines.append(f"  victory points: {int(state['points'][other])}")
    return lines


# --- the decision -----------------------------------------------------------------------------------------------------

STEP_ASKED = {
    GIFT: "whom to give fruits to",
    TRADE: "whom to trade with",
    SWAP: "whom to swap with",
    SWAP_HANDS: "whom to swap hands with",
    STEAL: "whom to steal from",
    ASK: "whom to ask for a fruit",
    MARKET: "which fruit to take of those turned up",
    SALVAGE: "which fruit to take from the discard pile",
    THIEF: "where to put the thief",
    COPY: "which action to use",
    ORDER: "which juice to buy",
}
ASKED = {
    MOVE: "where to move",
    HOST: "which host to pay, as there are too few fruits for all",
    VISIT: "whether to use the action or to buy the juice",
    DISCARDING: "which card to discard",
    REFRESHING: "which card to discard before drawing anew",
    GAMBLING: "whether to turn up another fruit",
    PASSING: "which card to pass to the left",
    EXTRA: "whether to take another turn",
}


def _question(state: Any, content: Any) -> str:
    """Return what is asked, and for the action of which location."""
    frame = state["pending"][int(state["pending_size"]) - 1]
    phase = int(frame[0]) if state["pending_size"] else MOVE
    a, b, c = (int(value) for value in frame[2:5])
    if phase == PAY:
        what = "juice" if a < NUM_LOCATIONS else "action"
        more = f" and {b} fruits more" if b else ""
        location = location_words(content, a % NUM_LOCATIONS)
        return f"what pays the {what} of {location}{more}; paid so far: {_paid(state)}"
    if phase in (MOVE, VISIT, EXTRA):
        return ASKED[phase]
    return _choice(state, phase, a, b, c) + _acting(state, content)


def _choice(state: Any, phase: int, a: int, b: int, c: int) -> str:
    if phase == GIVE:
        return f"which card to give to {player_name(a)}, {b} to go"
    if phase == OFFER:
        return f"which card to give to {player_name(a)} ({'any' if c == ANY else FRUITS[c]}) for {b} of theirs"
    if phase in (DISCARDING, GAMBLING):
        return f"{ASKED[phase]}, {b} {'to go' if phase == DISCARDING else 'more at most'}"
    if phase == REFRESHING:
        return f"{ASKED[phase]}, {a} so far, {a + b} to draw if that is all"
    if phase in (PLAYER, FRUIT, STACK):
        return _step_choice(phase, a, b, c)
    return ASKED[phase]


def _step_choice(phase: int, step: int, number: int, asked: int) -> str:
    if phase == FRUIT and step == ASK:
        return f"which fruit to ask {player_name(asked)} for, {number} of it"
    if phase == FRUIT and step == SALVAGE:
        return f"{STEP_ASKED[step]}, {number} to go"
    token = STEPS[step].replace("_", " ")
    return STEP_ASKED.get(step, f"whose {token} to take" if phase == PLAYER else f"which {token} to take")


def _acting(state: Any, content: Any) -> str:
    """Return the location whose action goes on, if one does: the topmost."""
    for frame in state["pending"][: int(state["pending_size"])][::-1]:
        if frame[0] == RUN:
            return f", for {location_words(content, int(frame[2]))}"
    return ""


def _paid(state: Any) -> str:
    return _listed(card_name(item) for item, count in enumerate(state["paid"]) for _ in range(int(count)))


def _asked(state: Any, content: Any, seat: int | None) -> list[str]:
    if state["ended"]:
        return [f"The game {'was cut' if state['ended'] == TRUNCATED else 'is over'}."]
    asked = int(state["seat"])
    lines = [f"{player_name(asked)} is asked {_question(state, content)}."]
    if seat is None or seat == asked:
        from fable_env import GAME

        legal = np.flatnonzero(table_at(GAME, state, content).action_mask[0])
        lines += [f"  {action}: {action_words(state, content, int(action))}" for action in legal]
    return lines


def action_words(state: Any, content: Any, action: int) -> str:
    """Return an action with the location, the player or the card that it names."""
    from fable_env import GAME

    if action < A_STACK + len(state["stacks"]):
        location = int(state["stacks"][action - A_STACK])
        return f"#{location + 1} {location_name(content, location)}"
    if A_CARD <= action < A_PLAYER:
        return card_name(action - A_CARD)
    if A_PLAYER <= action < A_FRUIT:
        return player_name((int(state["seat"]) + action - A_PLAYER + 1) % int(state["num_players"]))
    if A_FRUIT <= action < A_STOP:
        return FRUITS[action - A_FRUIT]
    return GAME.action_label(action)
