"""What a person at the table reads of each turn: what all could see, and which cards the own hand got and lost."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fable_env.describe import action_words, card_letters, player_name
from fable_env.sets import ASK, FRUITS, location_of
from fable_env.state import A_FRUIT, FRUIT, SUPPLY
from fable_env.words import action_meaning, location_name, location_words, price_words
from tablezoo.telling import Step, Telling


def since(steps: Sequence[Step], seat: int, content: Any) -> list[str]:
    """Return moves, juices, tokens, the thief, cards laid down and turned up, the own cards, and how hands have grown.

    A visit either buys or uses the action; that it uses it is not told, as who can buy nothing is not asked. Of cards
    that go from hand to hand only the sizes of the hands are told, once for all steps.
    """
    lines: list[str] = []
    first = steps[0][0] if steps else None
    for before, action, after in steps:
        if after["game"] != before["game"] and not after["ended"]:
            lines += _next_game(after)
            first = after
            continue
        lines += [
            *_asked_for(before, action),
            *_animals(before, content, after),
            *_juices(before, content, after),
            *_tokens(before, after),
            *_fruits(before, after),
            *_own_cards(before, after, seat),
        ]
    return _joined(lines) + (_hand_sizes(first, steps[-1][2]) if steps else [])


def _joined(lines: Sequence[str]) -> list[str]:
    """Put what was discarded one card after the other into one line: how many decisions it took is not told."""
    joined: list[str] = []
    for line in lines:
        if joined and line.startswith(_DISCARDED) and joined[-1].startswith(_DISCARDED):
            joined[-1] = f"{joined[-1].removesuffix('.')} {line.removeprefix(_DISCARDED)}"
        else:
            joined.append(line)
    return joined


_DISCARDED = "  Discarded: "


def _next_game(after: Any) -> list[str]:
    points = [f"{player_name(player)} {int(after['points'][player])}" for player in range(int(after["num_players"]))]
    return [f"Game {int(after['game'])} of the session is over. Victory points: {', '.join(points)}."]


# --- the board --------------------------------------------------------------------------------------------------------


def _asked_for(before: Any, action: int) -> list[str]:
    """Return which fruit was asked for (``ask``): whoever asks has all five to name."""
    frame = before["pending"][int(before["pending_size"]) - 1]
    if not before["pending_size"] or frame[0] != FRUIT or frame[2] != ASK:
        return []
    return [f"{player_name(before['seat'])} asks {player_name(frame[4])} for {FRUITS[action - A_FRUIT]}."]


def _animals(before: Any, content: Any, after: Any) -> list[str]:
    lines = []
    for player in range(int(after["num_players"])):
        location = int(after["animal"][player])
        if location not in (SUPPLY, int(before["animal"][player])):
            lines.append(f"{player_name(player)} moves to {location_words(content, location)}.")
    thief = int(after["thief"])
    if thief != SUPPLY and (thief, after["thief_owner"]) != (before["thief"], before["thief_owner"]):
        owner = player_name(after["thief_owner"])
        lines.append(f"{owner} puts the thief on #{thief + 1} {location_name(content, thief)}.")
    return lines


def _juices(before: Any, content: Any, after: Any) -> list[str]:
    """Return who bought a juice, and what was turned up for it (F12)."""
    bought = np.flatnonzero(after["juices"] > before["juices"])
    lines = [f"{player_name(int(player))} buys {_juice(before, content, after)}." for player in bought]
    lines += [
        f"  Turned up: {location_words(content, int(location))}."
        for location in np.flatnonzero((after["cards"] > 0) & (before["cards"] == 0))
    ]
    if after["triggered"] > before["triggered"] and not after["ended"]:
        lines.append("The end is triggered: this round is the last.")
    return lines


def _juice(before: Any, content: Any, after: Any) -> str:
    """Return whose juice was bought: of the stack that has a card less, or if none has, the one that was refilled."""
    fewer = np.flatnonzero(after["cards"] < before["cards"])
    if fewer.size > 1:
        return "a juice"
    location = int(fewer[0]) if fewer.size else location_of(int(before["drawn"]))
    return f"the juice of #{location + 1} {location_name(content, location)}"


def _tokens(before: Any, after: Any) -> list[str]:
    lines = []
    for fruit, (old, new) in enumerate(zip(before["token_owner"], after["token_owner"], strict=True)):
        if new != old:
            who, what = (old, "lays down") if new == SUPPLY else (new, "takes")
            lines.append(f"{player_name(who)} {what} the {FRUITS[fruit]} token.")
    for field, name in (("wild_tokens", "wild"), ("turn_tokens", "double-turn")):
        for player in range(int(after["num_players"])):
            more = int(after[field][player]) - int(before[field][player])
            if more:
                what = "gets" if more > 0 else "gives up"
                lines.append(f"{player_name(player)} {what} {_number(abs(more), f'{name} token')}.")
    return lines


def _number(number: int, thing: str) -> str:
    return f"a {thing}" if number == 1 else f"{number} {thing}s"


# --- fruits -----------------------------------------------------------------------------------------------------------


def _fruits(before: Any, after: Any) -> list[str]:
    lines = []
    if after["fruit_stack"].astype(int).sum() > before["fruit_stack"].astype(int).sum():
        lines.append("  The discard pile was shuffled into the fruit stack.")
    discarded = _more(after["discards"], before["discards"])
    if discarded.any():
        lines.append(f"{_DISCARDED}{card_letters(discarded)}.")
    turned = _more(after["turned"], before["turned"])
    if turned.any():
        lines.append(f"  Turned up: {card_letters(turned)}.")
    return lines


def _more(now: Any, then: Any) -> NDArray[np.int64]:
    """Return how many more there are of each kind, 0 where there are fewer."""
    grown: NDArray[np.int64] = np.maximum(now.astype(np.int64) - then, 0)
    return grown


def _own_cards(before: Any, after: Any, seat: int) -> list[str]:
    old, new = before["hand"][seat], after["hand"][seat]
    got, lost = _more(new, old), _more(old, new)
    lines = [f"  New in your hand: {card_letters(got)}."] if got.any() else []
    return lines + ([f"  Gone from your hand: {card_letters(lost)}."] if lost.any() else [])


def _hand_sizes(first: Any, last: Any) -> list[str]:
    changed = [
        f"{player_name(player)} {int(first['hand_size'][player])} -> {int(last['hand_size'][player])}"
        for player in range(int(last["num_players"]))
        if first["hand_size"][player] != last["hand_size"][player]
    ]
    return [f"Cards in hand: {', '.join(changed)}."] if changed else []


# --- help -------------------------------------------------------------------------------------------------------------


def notes(record: Any, content: Any) -> list[str]:
    """Return what the locations in play do and cost, in words."""
    lines = ["The locations in play:"]
    for slot in range(int(record["num_stacks"])):
        location = int(record["stacks"][slot])
        lines += [
            f"  #{location + 1} {location_name(content, location)}",
            f"      action: {action_meaning(content, location)}",
            f"      juice:  {price_words(content, location)}",
        ]
    return lines


TELLING = Telling(action_words, since, notes)
