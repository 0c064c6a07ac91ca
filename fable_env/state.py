"""The record of a game of Fable, the names of its numbers, and the action space."""

from __future__ import annotations

from typing import Any

import numpy as np

from fable_env.campaign import CAMPAIGN_OPTION, SESSION_OPTION, STAGE_OPTION
from fable_env.sets import (
    FIRST_MIX,
    FIRST_TOKEN,
    FRUITS,
    IN_PLAY,
    MIXES,
    NUM_CARDS_HELD,
    NUM_FRUITS,
    NUM_ITEMS,
    NUM_LOCATIONS,
    NUM_MIXES,
    WILD,
)
from tablezoo.layout import Layout, Part

MIN_SEATS, MAX_SEATS = 2, 5
NEIGHBOURS = MAX_SEATS - 1
NEEDED = np.array([0, 0, 5, 4, 3, 3], np.int64)
"""Juices that end a game, by players (F15)."""
NUM_WILD = NUM_TURN_TOKENS = 3
DEALT = 2
RICH = 4
"""Fruits that make ``steal_each`` and ``each_gives`` concern a player."""
SUPPLY = -1
"""Owner of a token that nobody holds; place of an animal before its owner, of a thief that is idle."""
NOTHING = -1
"""No card lies aside."""

# --- phases: the kind of the top pending frame ------------------------------------------------------------------------
# A frame holds kind, seat, a, b, c, d. ``seat`` is who is asked; RUN asks nobody.

MOVE = 0
"""Nothing is pending: ``mover`` chooses where to move (F6)."""
HOST = 1
"""Name a host to pay, as there are too few fruits for all (F7); a: a bit for each seat still to be paid."""
VISIT = 2
"""Use the action or buy the juice (F8); a: the location."""
PAY = 3
"""Choose what pays (F11, ``cost``); a: row of the price, b: smoothies more (``order``), c: the item chosen last, -1
before the first."""
RUN = 4
"""An action goes on; a: the location, b: the step to come (F9)."""
GIVE = 5
"""Choose cards of the own hand for a player; a: the player, b: how many to go, c: the card chosen last or -1, d: GIVEN
or TRADED."""
DISCARDING = 6
"""Choose cards of the own hand to discard; b: how many to go, c: as above."""
REFRESHING = 7
"""Choose cards to discard, or stop (``refresh``); a: discarded so far, b: drawn besides, c: as above."""
PLAYER = 8
"""Choose another player; a: the step, b: its number, c: its fruit."""
FRUIT = 9
"""Name a fruit; a: the step, b: its number or how many to go, c: the player asked (``ask``) or the fruit chosen last
or -1 (``salvage``)."""
STACK = 10
"""Choose a location in play; a: the step, b: its number."""
GAMBLING = 11
"""Stop, or turn up another fruit; b: how many more at most."""
OFFER = 12
"""Choose the card to give in a trade; a: the player, b: how many come back, c: the fruit asked for, or ANY."""
PASSING = 13
"""Choose the card to pass to the left; it lies aside."""
EXTRA = 14
"""Spend a double-turn token or not (F25)."""
PHASES = (
    "move", "host", "visit", "pay", "run", "give", "discard", "refresh", "player", "fruit", "stack", "gamble", "offer",
    "pass", "extra",
)  # fmt: skip
PENDING_DEPTH = 8
"""Two actions, one copied by the other, and five players who pass."""

GIVEN, TRADED = range(2)
"""What follows when the cards of a GIVE are given: nothing; the player's card that lies aside goes to the giver."""

# --- the action space -------------------------------------------------------------------------------------------------


def card_name(card: int) -> str:
    """Return an item in words, without an article."""
    if card == WILD:
        return "wild token"
    if card >= FIRST_TOKEN:
        return f"{FRUITS[card - FIRST_TOKEN]} token"
    if card >= FIRST_MIX:
        first, second = MIXES[card - FIRST_MIX]
        return f"{FRUITS[first]}-{FRUITS[second]} mix"
    return FRUITS[card]


def neighbour_name(steps: int) -> str:
    """Return how the player ``steps`` seats clockwise is called."""
    return "the player to your left" if steps == 1 else f"the player {steps} to your left"


ACTION_LAYOUT = Layout(
    [
        Part(
            "stack",
            IN_PLAY,
            about="a small stack, by number: where to move (F6), or what thief, copy and order concern",
            labels=lambda slot: f"choose stack {slot + 1}",
        ),
        Part("use", 1, about="use the location's action (F9)", labels=lambda _: "use the action"),
        Part("buy", 1, about="buy the location's juice (F11)", labels=lambda _: "buy the juice"),
        Part(
            "card",
            NUM_ITEMS,
            about="a card of the own hand, or a token that pays: five fruits, ten mixes, five fruit tokens, wild token",
            labels=lambda card: f"choose a {card_name(card)}",
        ),
        Part(
            "player",
            NEIGHBOURS,
            about="another player, 1 to 4 seats clockwise",
            labels=lambda steps: f"choose {neighbour_name(steps + 1)}",
        ),
        Part("fruit", NUM_FRUITS, about="name a fruit", labels=lambda fruit: f"name {FRUITS[fruit]}"),
        Part("stop", 1, about="no more: gamble, refresh, no extra turn", labels=lambda _: "stop"),
        Part("go_on", 1, about="turn up another fruit (gamble)", labels=lambda _: "turn up another fruit"),
        Part("spend", 1, about="spend a double-turn token (F25)", labels=lambda _: "spend a double-turn token"),
    ]
)

A_STACK = ACTION_LAYOUT.offset("stack")
A_USE = ACTION_LAYOUT.offset("use")
A_BUY = ACTION_LAYOUT.offset("buy")
A_CARD = ACTION_LAYOUT.offset("card")
A_PLAYER = ACTION_LAYOUT.offset("player")
A_FRUIT = ACTION_LAYOUT.offset("fruit")
A_STOP = ACTION_LAYOUT.offset("stop")
A_GO_ON = ACTION_LAYOUT.offset("go_on")
A_SPEND = ACTION_LAYOUT.offset("spend")

NUM_ACTIONS = ACTION_LAYOUT.size

# --- the record -------------------------------------------------------------------------------------------------------

LASTING: list[Any] = [
    # The campaign as it stands before the present game, after a game's end before the next (F18, F19).
    ("campaign_stream", np.uint64, (2,)),  # what the fruits are dealt from
    ("campaign_cards", np.uint8, (NUM_LOCATIONS,)),  # in the small stacks
    ("campaign_drawn", np.int16),  # cards that have left the location stack; 0: no campaign goes on
    ("campaign_start", np.int8),  # who starts, -1: not known yet
    ("campaign_games", np.int16),  # games played
]

STATE: list[Any] = [
    ("cards", np.uint8, (NUM_LOCATIONS,)),  # in each small stack (F5)
    ("stacks", np.uint8, (IN_PLAY,)),  # the locations with cards, by number, then NO_LOCATION
    ("num_stacks", np.int8),
    ("drawn", np.int16),  # cards that have left the location stack (F12)
    ("hand", np.uint8, (MAX_SEATS, NUM_CARDS_HELD)),  # how many of each fruit and mix
    ("hand_size", np.int8, (MAX_SEATS,)),
    ("fruit_stack", np.uint8, (NUM_FRUITS,)),  # how many of each: its order is drawn as it is needed
    ("discards", np.uint8, (NUM_FRUITS,)),
    ("mix_stack", np.uint8, (NUM_MIXES,)),
    ("token_owner", np.int8, (NUM_FRUITS,)),  # of each fruit token, else SUPPLY
    ("wild_tokens", np.uint8, (MAX_SEATS,)),
    ("turn_tokens", np.uint8, (MAX_SEATS,)),
    ("juices", np.int8, (MAX_SEATS,)),
    ("animal", np.int8, (MAX_SEATS,)),  # the location it stands on, SUPPLY before its owner
    ("thief", np.int8),  # the location it lies on, else SUPPLY
    ("thief_owner", np.int8),  # who put it last, else SUPPLY
    ("starter", np.int8),
    ("mover", np.int8),  # whose turn it is, whoever is asked
    ("triggered", np.uint8),  # 1: somebody has the juices needed, the round is the last (F15)
    ("extra", np.uint8),  # 1: this is an extra turn (F25)
    ("allowed", np.uint8, (NUM_ACTIONS,)),  # a mask of those asked in games imagined: zeros but within ``determinize``
    ("paid", np.uint8, (NUM_ITEMS,)),  # chosen so far for the payment under way
    ("turned", np.uint8, (NUM_FRUITS,)),  # fruits turned up (``gamble``, ``market``)
    ("aside", np.int8, (MAX_SEATS,)),  # the card of each seat that lies aside (``trade``, ``pass``), else NOTHING
    ("first_turn", np.int32),  # the turn with which the present game began
    ("game", np.uint8),  # games of the session that are done (F23)
    ("points", np.uint8, (MAX_SEATS,)),  # victory points of these (F22)
]

PRIVATE = (CAMPAIGN_OPTION.name, STAGE_OPTION.name, "campaign_stream", "allowed")
"""What tells a critic nothing: bytes that only a reset reads, a stream, room to work in."""

OPTIONS = (CAMPAIGN_OPTION, STAGE_OPTION, SESSION_OPTION)
