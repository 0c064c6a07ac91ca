"""What a position is worth to a seat, for the greedy policy: near enough in fruits."""

import numpy as np

from fable_env.payment import asked_by, count_all, reach, with_more
from fable_env.scoring import is_winner
from fable_env.sets import MOST_SIGNS, NUM_ITEMS
from fable_env.state import A_CARD, DISCARDING, GIVE, NEEDED, OFFER, PASSING, PAY, REFRESHING
from tablezoo.game import kernel
from tablezoo.pending import top_kind

WON = 100.0
VICTORY_POINT = 100.0
"""A point of F22 in a session: more than all that a game that goes on can promise."""
JUICE = 8.0
CARD = 1.0
"""A fruit in hand, whatever it is good for, ..."""
CARDS_A_JUICE = 5
SPARE_CARD = 0.4
"""... but beyond so many for each juice that is still needed."""
TOKEN = 0.8
TURN_TOKEN = 1.5
NEAREST = 0.2
"""A fruit less that is missing for the juice that is nearest."""
FAR = 4.0
RIVAL_SHARE = 0.8
PATIENCE, ALONE = 60, 90
"""Turns of all seats after which a rival counts for less, and for nothing: or seats that can rob each other turn after
turn do so for ever, and nobody buys."""


@kernel
def value(s, c, seat):
    """Return own prospects less a share of the strongest rival's; far more or less once the episode is over.

    In a session the next game is dealt as soon as one is over (F23): then its victory points tell who has won it.
    """
    own = prospects(s, seat)
    rival = -np.inf
    for other in range(int(s.num_players)):
        if other != seat:
            rival = max(rival, prospects(s, other))
    worth = own - rival_share(s) * rival
    if s.session > 1:
        worth += VICTORY_POINT * (int(s.points[seat]) - RIVAL_SHARE * most_points_of_others(s, seat))
    if s.ended != 0:
        return worth + WON * standing(s, seat)
    return worth - NEAREST * missing_for_a_juice(s, c, seat)


@kernel
def rival_share(s):
    """Return the share of a rival's prospects that counts: RIVAL_SHARE, less and less in a game that drags on."""
    turns = int(s.turn) - int(s.first_turn)
    return RIVAL_SHARE * min(max((ALONE - turns) / (ALONE - PATIENCE), 0.0), 1.0)


@kernel
def prospects(s, seat):
    """Return what all see of a seat: juices, cards, tokens."""
    fruit_tokens = 0
    for fruit in range(s.token_owner.size):
        fruit_tokens += s.token_owner[fruit] == seat
    tokens = TOKEN * (fruit_tokens + int(s.wild_tokens[seat])) + TURN_TOKEN * int(s.turn_tokens[seat])
    return JUICE * int(s.juices[seat]) + worth_of_cards(s, seat) + tokens


@kernel
def worth_of_cards(s, seat):
    """Return what a hand is worth: fruits that no juice still to be bought can need count for less."""
    held = int(s.hand_size[seat])
    needed = CARDS_A_JUICE * max(int(NEEDED[int(s.num_players)]) - int(s.juices[seat]), 0)
    return CARD * min(held, needed) + SPARE_CARD * max(held - needed, 0)


@kernel
def most_points_of_others(s, seat):
    most = 0
    for other in range(int(s.num_players)):
        if other != seat:
            most = max(most, int(s.points[other]))
    return most


@kernel
def standing(s, seat):
    """Return 1 for a winner, -1 for all others: of the game (F16), in a session by victory points (F22)."""
    if s.session > 1:
        return 1 if s.points[seat] >= most_points_of_others(s, seat) else -1
    return 1 if is_winner(s, seat) else -1


@kernel
def missing_for_a_juice(s, c, seat):
    """Return how many fruits are missing for the nearest juice in play; a second one near helps a little."""
    able, number = count_all(s, seat, NUM_ITEMS)
    nearest = FAR
    second = FAR
    for slot in range(int(s.num_stacks)):
        missing = float(missing_for(c, int(s.stacks[slot]), able, number))
        if missing < nearest:
            second = nearest
            nearest = missing
        elif missing < second:
            second = missing
    return nearest + 0.3 * second


@kernel
def missing_for(c, row, able, number):
    """Return how many items are lacking for a price: by Hall's theorem the worst set of types decides."""
    best = MOST_SIGNS
    for reading in range(int(c.readings[row])):
        asked = asked_by(c, row, reading)
        missing = max(int(c.signs[row]) - number, 0)
        while missing < best and not reach(with_more(able, missing), asked):
            missing += 1
        best = min(best, missing)
    return best


# --- what greedy need not try -----------------------------------------------------------------------------------------


@kernel
def candidates(s, c, mask, depth):
    """Of many cards to part with leave greedy two: one of which there are most, and one of which there are fewest."""
    phase = top_kind(s)
    parts = phase in (PAY, GIVE, DISCARDING, REFRESHING)
    if parts or phase in (OFFER, PASSING):
        keep_extremes(s, mask)


@kernel
def keep_extremes(s, mask):
    most = -1
    fewest = -1
    for card in range(s.hand.shape[1]):
        if mask[A_CARD + card]:
            have = s.hand[int(s.seat), card]
            if most < 0 or have > s.hand[int(s.seat), most]:
                most = card
            if fewest < 0 or have < s.hand[int(s.seat), fewest]:
                fewest = card
    for card in range(s.hand.shape[1]):
        if card != most and card != fewest:
            mask[A_CARD + card] = False
