"""Leduc Hold'em: two seats, six cards, two rounds of betting. A game with hidden cards.

The rules are those of Southey et al., Bayes' Bluff (2005), as OpenSpiel plays them: an ante of 1, raises of 2 in the
first round and 4 in the second, at most two in a round; no fold while there is nothing to call. Then the board card
is turned up; a pair with it wins, else the higher card. Read it with ``docs/your_own_game.md``.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from tablezoo import Game, Kernels, Layout, Part
from tablezoo.game import ENDED, TRUNCATED, kernel
from tablezoo.rng import below

CARDS, RANKS = 6, 3  # card // 2 is the rank: jack, queen, king
ROUNDS, MOST_RAISES, MOST_BETS = 2, 2, 4
MOST_CHIPS = 1 + MOST_RAISES * 2 + MOST_RAISES * 4
FOLD, CALL, RAISE = range(3)
NOBODY = -1

STATE: list[Any] = [
    ("hand", np.int8, (2,)),  # a card a seat
    ("board", np.int8),  # dealt at once, seen in the second round
    ("first", np.int8),  # who begins each round
    ("betting_round", np.int8),
    ("raises", np.int8),  # in this round
    ("bets", np.int8, (ROUNDS,)),  # calls and raises made in each round
    ("bet", np.int8, (ROUNDS, MOST_BETS)),  # which they were: CALL or RAISE
    ("chips", np.int8, (2,)),  # put into the pot
    ("folded", np.int8),  # NOBODY, or the seat
]

OBSERVATION_LAYOUT = Layout(
    [
        Part("hand", RANKS, 1, "the rank of the own card: jack, queen, king"),
        Part("board", RANKS, 1, "the rank of the board card; zeros until it is seen"),
        Part("first", 1, 1, "1 if the observer begins each round"),
        Part("round", ROUNDS, 1, "the round"),
        Part("bets", (ROUNDS, MOST_BETS, 2), 1, "what was bet in each round: call, raise"),
        Part("chips", 2, MOST_CHIPS, "own chips in the pot, the other seat's"),
        Part("asked", 1, 1, "1 if the observer is asked"),
    ]
)
O_BOARD, O_FIRST, O_ROUND, O_BETS, O_CHIPS, O_ASKED = (
    OBSERVATION_LAYOUT.offset(name) for name in ("board", "first", "round", "bets", "chips", "asked")
)
ACTION_LAYOUT = Layout([Part("fold", 1), Part("call", 1, about="or check"), Part("raise", 1)])


@kernel
def reset(s, c):
    s.hand[0] = below(s.rng, CARDS)
    s.hand[1] = nth_other(below(s.rng, CARDS - 1), int(s.hand[0]), CARDS)
    deal_board(s)
    s.first = max(int(s.start_seat), 0)
    s.seat = s.first
    s.chips[:] = 1
    s.folded = NOBODY


@kernel
def deal_board(s):
    low = min(int(s.hand[0]), int(s.hand[1]))
    high = max(int(s.hand[0]), int(s.hand[1]))
    s.board = nth_other(below(s.rng, CARDS - 2), low, high)


@kernel
def nth_other(n, low, high):
    """Return the n-th card that is neither ``low`` nor ``high``, of which ``low`` is the lower."""
    card = n + (n >= low)
    return card + (card >= high)


@kernel
def legal_actions(s, c, mask):
    mask[FOLD] = s.chips[int(s.seat)] < s.chips[1 - int(s.seat)]
    mask[CALL] = True
    mask[RAISE] = s.raises < MOST_RAISES


@kernel
def step(s, c, action):
    seat = int(s.seat)
    s.turn += 1
    if action == FOLD:
        s.folded = seat
        s.ended = ENDED
    else:
        bet(s, seat, action)
    if s.ended == 0 and s.turn >= s.max_turns:
        s.ended = TRUNCATED


@kernel
def bet(s, seat, action):
    s.bet[int(s.betting_round), int(s.bets[int(s.betting_round)])] = action
    s.bets[int(s.betting_round)] += 1
    s.chips[seat] = s.chips[1 - seat]
    s.seat = 1 - seat
    if action == RAISE:
        s.raises += 1
        s.chips[seat] += 2 if s.betting_round == 0 else 4
    elif s.bets[int(s.betting_round)] > 1:  # a call ends the round, but for the check that opens it
        end_round(s)


@kernel
def end_round(s):
    if s.betting_round + 1 == ROUNDS:
        s.ended = ENDED
    else:
        s.betting_round += 1
        s.raises = 0
        s.seat = s.first


@kernel
def observe(s, c, seat, out):
    out[int(s.hand[seat]) // 2] = 1
    if s.betting_round > 0:
        out[O_BOARD + int(s.board) // 2] = 1
    out[O_FIRST] = s.first == seat
    out[O_ROUND + int(s.betting_round)] = 1
    for number in range(ROUNDS):
        for i in range(int(s.bets[number])):
            out[O_BETS + (number * MOST_BETS + i) * 2 + int(s.bet[number, i] == RAISE)] = 1
    out[O_CHIPS] = s.chips[seat]
    out[O_CHIPS + 1] = s.chips[1 - seat]
    out[O_ASKED] = s.seat == seat and s.ended == 0


@kernel
def score(s, c, keys):
    """Write the chips that each seat won or lost; none before the end."""
    if s.ended != ENDED:
        return
    lead = strength(s, 0) - strength(s, 1)
    if lead != 0:
        winner = 0 if lead > 0 else 1
        won = int(s.chips[1 - winner])
        keys[winner, 0] = won
        keys[1 - winner, 0] = -won


@kernel
def strength(s, seat):
    if s.folded != NOBODY:
        return int(s.folded != seat)
    rank = int(s.hand[seat]) // 2
    return rank + RANKS if rank == int(s.board) // 2 else rank


@kernel
def value(s, c, seat):
    """Return the chips won; before the end, those in the pot times how far the own card is above the middle one."""
    if s.ended == ENDED:
        lead = strength(s, seat) - strength(s, 1 - seat)
        return 0.0 if lead == 0 else float(s.chips[1 - seat]) if lead > 0 else -float(s.chips[seat])
    return (int(s.hand[seat]) // 2 - 1.0) * int(s.chips[seat])


@kernel
def determinize(s, c, seat):
    """Deal the other seat's card anew, and the board card while it is not seen."""
    board = int(s.board)
    own = int(s.hand[seat])
    if s.betting_round > 0:
        s.hand[1 - seat] = nth_other(below(s.rng, CARDS - 2), min(own, board), max(own, board))
    else:
        s.hand[1 - seat] = nth_other(below(s.rng, CARDS - 1), own, CARDS)
        deal_board(s)


def describe(state: NDArray[Any], seat: int | None, _content: NDArray[Any]) -> str:
    """Return the table in words; a seat sees its own card, and the board card in the second round."""
    hands = ["JQK"[card // 2] if seat in (None, of) else "?" for of, card in enumerate(state["hand"].tolist())]
    board = "JQK"[int(state["board"]) // 2] if state["betting_round"] > 0 or seat is None else "?"
    lines = [f"seat {of}: {hands[of]}, {state['chips'][of]} in the pot" for of in range(2)]
    return "\n".join([f"board: {board}", *lines, "over" if state["ended"] else f"seat {state['seat']} is asked"])


LEDUC = Game(
    name="leduc",
    title="Leduc Hold'em",
    ref="benchmarks.games.leduc:LEDUC",
    package="benchmarks.games",
    min_players=2,
    max_players=2,
    default_players=2,
    state=STATE,
    kernels=Kernels(reset, legal_actions, step, observe, score, value, determinize),
    observation_layout=OBSERVATION_LAYOUT,
    action_layout=ACTION_LAYOUT,
    score_range=(-MOST_CHIPS, MOST_CHIPS),
    describe=describe,
)
