"""What a seat sees: all seats relative, clockwise from the one that looks."""

import numpy as np

from mustang_env.combos import best_values
from mustang_env.events import events_left
from mustang_env.rules import target_of
from mustang_env.scoring import ranch_points
from mustang_env.state import (
    COWBOY,
    EMPTY,
    HAND,
    HIGHEST_VALUE,
    MAX_EVENTS,
    MAX_SEATS,
    NOTHING,
    NUM_COWBOYS,
    NUM_TYPES,
    PHASES,
    PILE_TOTAL,
    PLAY,
    RAIN,
    RAIN_MOVES,
    SUIT,
    SUITS,
    SWAP,
    TURN,
    TYPE_TOTAL,
    VALUE,
)
from tablezoo.game import kernel
from tablezoo.layout import Layout, Part
from tablezoo.observing import copy
from tablezoo.pending import top, top_kind
from tablezoo.seating import seat_after, steps_to

OVER = len(PHASES)
TURNS_SHOWN = 100
MOST_POINTS = 100
NUM_CARD_KINDS = COWBOY + 1
CARD_FEATURES = HIGHEST_VALUE + len(SUITS) + 1
ON_PRAIRIE, IN_PILE, FIRST_OWNER = 0, 1, 1
"""Where a target is: face up, in its pile, or in the corral ``FIRST_OWNER + steps`` clockwise."""

CARD_COUNTS = np.array([1] * COWBOY + [NUM_COWBOYS], np.uint8)
OBSERVATION_LAYOUT = Layout(
    [
        Part(
            "seats",
            MAX_SEATS,
            1,
            "who plays; everywhere the own seat comes first, then clockwise",
        ),
        Part(
            "phase",
            OVER + 1,
            1,
            "turn, swap, play, answer, gate, rain, over; others' swap and play show as turn",
        ),
        Part("asked", MAX_SEATS, 1, "who is asked"),
        Part("mover", MAX_SEATS, 1, "whose turn it is"),
        Part("dealer", MAX_SEATS, 1, "who deals, and comes first in events"),
        Part("hand", (HAND, CARD_FEATURES), 1, "own slots: value 1 to 8, suit, cowboy; zeros if empty"),
        Part("best", 4, HIGHEST_VALUE, "the highest own pair, three, four and straight flush; 0 for none"),
        Part("prairie", NUM_TYPES, TYPE_TOTAL, "face-up counters on the prairie"),
        Part("piles", 3, PILE_TOTAL, "face-down stallions, mares, foals"),
        Part("corral", (MAX_SEATS, NUM_TYPES), TYPE_TOTAL, "counters in each corral"),
        Part("stable", (MAX_SEATS, NUM_TYPES), TYPE_TOTAL, "counters in each stable"),
        Part("points", MAX_SEATS, MOST_POINTS, "points if the game ended now, nobody having finished it"),
        Part("removed", NUM_TYPES, TYPE_TOTAL, "counters out of the game"),
        Part("used", NUM_CARD_KINDS, CARD_COUNTS, "the used pile, by card"),
        Part("deck", 1, 49, "cards in the deck"),
        Part("event_discards", 5, MAX_EVENTS, "events turned up since the event deck was shuffled"),
        Part("events", 5, MAX_EVENTS, "all event cards in the game"),
        Part("event_deck", 1, MAX_EVENTS, "cards in the event deck"),
        Part(
            "target_place",
            2 + MAX_SEATS - 1,
            1,
            "own target in play: face up, pile, others' corrals",
        ),
        Part("target_type", NUM_TYPES, 1, "own target in play: the counter's type, unless in the pile"),
        Part("target_kind", 4, 1, "own target in play: stallion, mare, foal, special horse"),
        Part("rain_moves", 1, RAIN_MOVES, "moves left to the seat asked in Heavy Rain"),
        Part("turns_left", 1, TURNS_SHOWN, "turns before the game is cut, 100 for more"),
        Part(
            "last_actor",
            MAX_SEATS,
            1,
            "whose the last action was; a theft yet to be answered is one",
        ),
        Part("last_action", 5, 1, "swap, catch face up, catch from the pile, steal, stable"),
        Part("last_type", NUM_TYPES, 1, "the counter caught, wanted by the thief, or stabled"),
        Part("last_owner", MAX_SEATS, 1, "whom the theft was aimed at"),
        Part("last_value", 1, HIGHEST_VALUE, "the value of the combination played"),
        Part("last_cards", NUM_CARD_KINDS, np.minimum(CARD_COUNTS, 5), "the cards played"),
        Part(
            "last_answer",
            NUM_CARD_KINDS,
            np.minimum(CARD_COUNTS, 5),
            "the answer to the theft",
        ),
        Part("last_cowboys", 1, HAND - 2, "cowboys that the thief discarded"),
        Part("last_swapped", 1, 2, "cards swapped"),
    ]
)

FEATURES = np.zeros((EMPTY + 1, CARD_FEATURES), np.uint8)
"""What ``hand`` shows of each card; nothing of an empty slot."""
for _card in range(COWBOY):
    FEATURES[_card, VALUE[_card] - 1] = 1
    FEATURES[_card, HIGHEST_VALUE + SUIT[_card]] = 1
FEATURES[COWBOY, -1] = 1

O_SEATS = OBSERVATION_LAYOUT.offset("seats")
O_PHASE = OBSERVATION_LAYOUT.offset("phase")
O_ASKED = OBSERVATION_LAYOUT.offset("asked")
O_MOVER = OBSERVATION_LAYOUT.offset("mover")
O_DEALER = OBSERVATION_LAYOUT.offset("dealer")
O_HAND = OBSERVATION_LAYOUT.offset("hand")
O_BEST = OBSERVATION_LAYOUT.offset("best")
O_PRAIRIE = OBSERVATION_LAYOUT.offset("prairie")
O_PILES = OBSERVATION_LAYOUT.offset("piles")
O_CORRAL = OBSERVATION_LAYOUT.offset("corral")
O_STABLE = OBSERVATION_LAYOUT.offset("stable")
O_POINTS = OBSERVATION_LAYOUT.offset("points")
O_REMOVED = OBSERVATION_LAYOUT.offset("removed")
O_USED = OBSERVATION_LAYOUT.offset("used")
O_DECK = OBSERVATION_LAYOUT.offset("deck")
O_EVENT_DISCARDS = OBSERVATION_LAYOUT.offset("event_discards")
O_EVENTS = OBSERVATION_LAYOUT.offset("events")
O_EVENT_DECK = OBSERVATION_LAYOUT.offset("event_deck")
O_TARGET_PLACE = OBSERVATION_LAYOUT.offset("target_place")
O_TARGET_TYPE = OBSERVATION_LAYOUT.offset("target_type")
O_TARGET_KIND = OBSERVATION_LAYOUT.offset("target_kind")
O_RAIN_MOVES = OBSERVATION_LAYOUT.offset("rain_moves")
O_TURNS_LEFT = OBSERVATION_LAYOUT.offset("turns_left")
O_LAST_ACTOR = OBSERVATION_LAYOUT.offset("last_actor")
O_LAST_ACTION = OBSERVATION_LAYOUT.offset("last_action")
O_LAST_TYPE = OBSERVATION_LAYOUT.offset("last_type")
O_LAST_OWNER = OBSERVATION_LAYOUT.offset("last_owner")
O_LAST_VALUE = OBSERVATION_LAYOUT.offset("last_value")
O_LAST_CARDS = OBSERVATION_LAYOUT.offset("last_cards")
O_LAST_ANSWER = OBSERVATION_LAYOUT.offset("last_answer")
O_LAST_COWBOYS = OBSERVATION_LAYOUT.offset("last_cowboys")
O_LAST_SWAPPED = OBSERVATION_LAYOUT.offset("last_swapped")


@kernel
def observe(s, c, seat, out):
    """Write what ``seat`` sees."""
    see_phase(s, seat, out)
    see_hand(s.hand[seat], out)
    see_prairie(s, out)
    see_ranches(s, seat, out)
    see_decks(s, out)
    see_last_action(s, seat, out)


@kernel
def phase_seen(s, seat):
    """Return the phase as ``seat`` knows it: another's target or swap shows only with the cards (M11)."""
    if s.ended != 0:
        return OVER
    phase = top_kind(s)
    if s.seat != seat and phase in (SWAP, PLAY):
        return TURN
    return phase


@kernel
def see_phase(s, seat, out):
    phase = phase_seen(s, seat)
    out[O_PHASE + phase] = 1
    out[O_DEALER + steps_to(s, seat, s.dealer)] = 1
    out[O_TURNS_LEFT] = min(int(s.max_turns) - int(s.turn), TURNS_SHOWN)
    for steps in range(int(s.num_players)):
        out[O_SEATS + steps] = 1
    if phase == OVER:
        return
    out[O_ASKED + steps_to(s, seat, s.seat)] = 1
    out[O_MOVER + steps_to(s, seat, s.mover)] = 1
    if phase == PLAY:
        see_target(s, seat, int(top(s)[2]), out)
    elif phase == RAIN:
        out[O_RAIN_MOVES] = top(s)[2]


@kernel
def see_target(s, seat, action, out):
    kind, type_, owner = target_of(s, seat, action)
    place = IN_PILE
    if owner >= 0:
        place = FIRST_OWNER + steps_to(s, seat, owner)
    elif type_ >= 0:
        place = ON_PRAIRIE
    out[O_TARGET_PLACE + place] = 1
    out[O_TARGET_KIND + kind] = 1
    if type_ >= 0:
        out[O_TARGET_TYPE + type_] = 1


@kernel
def see_hand(hand, out):
    for slot in range(HAND):
        card = int(hand[slot])
        at = O_HAND + slot * CARD_FEATURES
        for feature in range(CARD_FEATURES):
            out[at + feature] = FEATURES[card, feature]
    pair, three, four, straight = best_values(hand)
    out[O_BEST] = pair
    out[O_BEST + 1] = three
    out[O_BEST + 2] = four
    out[O_BEST + 3] = straight


@kernel
def see_prairie(s, out):
    copy(s.prairie, out, O_PRAIRIE)
    copy(s.removed, out, O_REMOVED)
    for kind in range(3):
        out[O_PILES + kind] = s.pile_size[kind]


@kernel
def see_ranches(s, seat, out):
    types = min(NUM_TYPES, out.size)
    for steps in range(int(s.num_players)):
        other = seat_after(s, seat, steps)
        at = steps * NUM_TYPES
        for type_ in range(types):
            out[O_CORRAL + at + type_] = s.corral[other, type_]
            out[O_STABLE + at + type_] = s.stable[other, type_]
        out[O_POINTS + steps] = ranch_points(s, other)


@kernel
def see_decks(s, out):
    copy(s.used, out, O_USED)
    out[O_DECK] = s.deck_size
    for event in range(s.events.size):
        out[O_EVENT_DISCARDS + event] = s.event_discards[event]
        out[O_EVENTS + event] = s.events[event]
    out[O_EVENT_DECK] = events_left(s)


@kernel
def see_last_action(s, seat, out):
    if s.last_action == NOTHING:
        return
    out[O_LAST_ACTOR + steps_to(s, seat, s.last_actor)] = 1
    out[O_LAST_ACTION + int(s.last_action) - 1] = 1
    if s.last_type >= 0:
        out[O_LAST_TYPE + int(s.last_type)] = 1
    if s.last_owner >= 0:
        out[O_LAST_OWNER + steps_to(s, seat, s.last_owner)] = 1
    out[O_LAST_VALUE] = s.last_value
    for i in range(s.last_cards.size):
        if s.last_cards[i] != EMPTY:
            out[O_LAST_CARDS + int(s.last_cards[i])] += 1
        if s.last_answer[i] != EMPTY:
            out[O_LAST_ANSWER + int(s.last_answer[i])] += 1
    out[O_LAST_COWBOYS] = s.last_cowboys
    out[O_LAST_SWAPPED] = s.last_swapped
