"""What happens between two games: setup (F5), the campaign (F18 to F21), sessions (F22, F23)."""

import numpy as np

from fable_env.campaign import (
    CARDS,
    CONTINUE,
    DRAWN,
    ENTER,
    ENTERED,
    GAMES,
    GIVEN,
    HAS_STREAM,
    HIGH,
    KIND,
    LEAST_STACKS,
    LOW,
    MOST_GAMES,
    RECORDED,
    REFERENCE,
    START,
    STREAM,
)
from fable_env.hands import draw, lay_out_cards
from fable_env.scoring import is_winner, stands_below
from fable_env.sets import IN_PLAY, NUM_CARDS_HELD, NUM_FRUITS, NUM_LOCATIONS, OF_LOCATION
from fable_env.stacks import list_stacks
from fable_env.state import DEALT, NOTHING, SUPPLY
from tablezoo.game import common_kernel, kernel
from tablezoo.pending import pop
from tablezoo.rng import below
from tablezoo.seating import seat_after

# --- where in a campaign a game stands (F21, F23) ---------------------------------------------------------------------


@kernel
def enter(s):
    """F23: enter the place that was given, go on with the lane's own campaign, or start afresh."""
    kind = s.campaign[KIND]
    if kind == ENTER:
        enter_place(s, s.campaign)
        if s.campaign[HAS_STREAM] != 0:
            read_stream(s, s.campaign)
        s.campaign[KIND] = ENTERED
    elif not (kind in (CONTINUE, ENTERED) and s.campaign_drawn > 0):
        start_afresh(s)


@kernel
def start_afresh(s):
    """Begin where ``stage`` says: the first game, a recorded one, or a given place."""
    if s.stage[KIND] == RECORDED:
        stage = int(s.stage[LOW])
        if s.stage[HIGH] > stage:
            stage += below(s.rng, int(s.stage[HIGH]) - stage + 1)
        enter_place(s, REFERENCE[int(s.num_players), stage])
    elif s.stage[KIND] == GIVEN:
        enter_place(s, s.stage)
    else:
        start_first_game(s)


@kernel
def start_first_game(s):
    """F5: four cards each of the first six locations."""
    for location in range(NUM_LOCATIONS):
        s.campaign_cards[location] = OF_LOCATION if location < IN_PLAY // OF_LOCATION else 0
    s.campaign_drawn = IN_PLAY
    s.campaign_start = -1
    s.campaign_games = 0


@kernel
def enter_place(s, place):
    for location in range(NUM_LOCATIONS):
        s.campaign_cards[location] = place[CARDS + location]
    s.campaign_drawn = place[DRAWN]
    s.campaign_start = int(place[START]) - 1
    s.campaign_games = place[GAMES]


@kernel
def read_stream(s, place):
    """Set the stream from the bytes of a place, the lowest of each word first."""
    for word in range(2):
        s.rng[word] = (read_half(place, STREAM + 8 * word + 4) << np.uint64(32)) | read_half(place, STREAM + 8 * word)


@kernel
def read_half(place, at):
    half = 0
    for i in range(4):
        half |= int(place[at + i]) << (8 * i)
    return np.uint64(half)


@kernel
def keep_stream(s):
    """F21: keep what the next deal is drawn from, so that a campaign can be entered exactly as it was."""
    s.campaign_stream[0] = s.rng[0]
    s.campaign_stream[1] = s.rng[1]


# --- setup (F5) -------------------------------------------------------------------------------------------------------


@kernel
def begin_game(s):
    """F5, F18, F19: the campaign's cards, a full fruit stack, two fruits for each player from the start seat on."""
    clear_table(s)
    for location in range(NUM_LOCATIONS):
        s.cards[location] = s.campaign_cards[location]
    s.drawn = s.campaign_drawn
    list_stacks(s)
    s.starter = s.campaign_start
    if s.starter < 0:
        s.starter = s.start_seat if s.start_seat >= 0 else below(s.rng, int(s.num_players))
    s.campaign_start = s.starter
    keep_stream(s)
    lay_out_cards(s)
    for steps in range(int(s.num_players)):
        draw(s, seat_after(s, int(s.starter), steps), DEALT)
    s.first_turn = s.turn
    s.mover = s.starter
    s.seat = s.starter


@kernel
def clear_table(s):
    """F20: tokens, mixes and thief go back to the supply."""
    for seat in range(s.hand_size.size):
        for card in range(NUM_CARDS_HELD):
            s.hand[seat, card] = 0
        s.hand_size[seat] = 0
        s.juices[seat] = 0
        s.wild_tokens[seat] = 0
        s.turn_tokens[seat] = 0
        s.animal[seat] = SUPPLY
        s.aside[seat] = NOTHING
    for fruit in range(NUM_FRUITS):
        s.token_owner[fruit] = SUPPLY
    s.thief = SUPPLY
    s.thief_owner = SUPPLY
    s.triggered = 0
    s.extra = 0


# --- the end of a game (F16, F18, F19, F21, F22) ----------------------------------------------------------------------


@common_kernel
def end_game(s, how):
    """Hand the campaign on; in a session play its next game, else the episode is over."""
    while s.pending_size > 0:
        pop(s)
    hand_on(s)
    if s.session > 1:
        score_game(s)
        s.game += 1
        if s.game < s.session:
            if s.campaign_drawn == 0:
                start_afresh(s)
            begin_game(s)
            return
    s.ended = how


@kernel
def hand_on(s):
    """F18, F19: what the next game starts with; F21: with too few small stacks the campaign is over."""
    keep_stream(s)
    over = s.num_stacks < LEAST_STACKS
    for location in range(NUM_LOCATIONS):
        s.campaign_cards[location] = 0 if over else s.cards[location]
    s.campaign_drawn = 0 if over else s.drawn
    s.campaign_start = -1 if over else loser(s)
    s.campaign_games = 0 if over else min(int(s.campaign_games) + 1, MOST_GAMES)


@kernel
def loser(s):
    """F19: the last; of several the first clockwise after the winner, the first winner from the start seat on."""
    winner = int(s.starter)
    while not is_winner(s, winner):
        winner = seat_after(s, winner, 1)
    last = seat_after(s, winner, 1)
    for steps in range(2, int(s.num_players) + 1):
        other = seat_after(s, winner, steps)
        if stands_below(s, other, last):
            last = other
    return last


@kernel
def score_game(s):
    """F22: 2 for the winners, 0 for all who are last and did not win, 1 for the others."""
    for seat in range(int(s.num_players)):
        if is_winner(s, seat):
            s.points[seat] += 2
        else:
            for other in range(int(s.num_players)):
                if stands_below(s, other, seat):
                    s.points[seat] += 1
                    break
