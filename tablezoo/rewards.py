"""What a finished game pays its seats."""

from __future__ import annotations

import numpy as np

from tablezoo.compiling import kernel

#: The rewards a batch can be asked for; the index is what the loops get.
REWARDS = ("zero_sum", "win", "rank", "margin", "score", "score_delta", "lead_delta")
ZERO_SUM, WIN, RANK, MARGIN, SCORE, SCORE_DELTA, LEAD_DELTA = range(7)
#: Those that pay in each step, not at the end alone.
DENSE = ("score_delta", "lead_delta")
#: What a batch of solo and other games pays if nothing is asked for: ``score`` in solo, ``zero_sum`` elsewhere.
BY_PLAYERS = len(REWARDS)


@kernel
def is_better(keys, a, b):
    """Return whether row ``a`` beats row ``b``, first key first."""
    for k in range(keys.shape[1]):
        if keys[a, k] != keys[b, k]:
            return keys[a, k] > keys[b, k]
    return False


@kernel
def rank_seats(keys, players, offender, ranks):
    """Write how many seats are better than each, -1 beyond the players.

    Whoever lost by an illegal action (``offender``, -1 for nobody) is last, all others first.
    """
    for seat in range(ranks.size):
        ranks[seat] = 0 if seat < players else -1
    if offender >= 0:
        ranks[offender] = players - 1
        return
    for seat in range(players):
        better = 0
        for other in range(players):
            if is_better(keys, other, seat):
                better += 1
        ranks[seat] = better


@kernel
def pay(reward, keys, players, offender, ranks, low, span, rewards):
    """Write a finished game's rewards for every mode but those of ``DENSE``; see ``REWARDS``.

    zero_sum: +1 shared by the winners, -1 by the losers; nothing when all win.
    win: 1 shared by the winners.
    rank: from +1 for the first to -1 for the last in equal steps, ties share the mean of their places.
    margin: score less the mean score, scaled by the score range; after an illegal action as zero_sum.
    score: scaled into [0, 1]; an offender gets 0.
    """
    if reward == BY_PLAYERS:
        reward = SCORE if players == 1 else ZERO_SUM
    shared = 0
    total = 0.0
    for seat in range(players):
        total += keys[seat, 0]
        if ranks[seat] == 0:
            shared += 1
    for seat in range(players):
        won = ranks[seat] == 0
        paid = 0.0
        if reward == WIN:
            paid = 1.0 / shared if won else 0.0
        elif reward == RANK:
            paid = rank_reward(ranks, players, seat)
        elif reward == SCORE:
            paid = 0.0 if seat == offender else (keys[seat, 0] - low) / span
        elif reward == MARGIN and offender < 0:
            paid = (keys[seat, 0] - total / players) / span
        elif shared < players:
            paid = 1.0 / shared if won else -1.0 / (players - shared)
        rewards[seat] = paid


@kernel
def rank_reward(ranks, players, seat):
    if players == 1:
        return 0.0
    tied = 0
    for other in range(players):
        if ranks[other] == ranks[seat]:
            tied += 1
    place = ranks[seat] + 0.5 * (tied - 1)
    return 1.0 - 2.0 * place / (players - 1)


@kernel
def is_dense(reward):
    return reward in (SCORE_DELTA, LEAD_DELTA)


@kernel
def pay_delta(reward, s, keys, low, span, rewards):
    """Add what changed since seats were last paid, scaled by the score range; an offender falls to the lowest score.

    score_delta: the change of the seat's score.
    lead_delta: the same, less the mean change of the others' scores; in solo there are none.
    """
    players = int(s.num_players)
    total = 0.0
    for seat in range(players):
        total += changed(s, keys, low, seat)
    for seat in range(players):
        change = changed(s, keys, low, seat)
        if reward == LEAD_DELTA and players > 1:
            change -= (total - change) / (players - 1)
        rewards[seat] += change / span
    for seat in range(players):
        s.last_scores[seat] += np.int32(changed(s, keys, low, seat))


@kernel
def changed(s, keys, low, seat):
    """Return the change of a seat's score since it was last paid."""
    now = np.float64(keys[seat, 0])
    if seat == s.offender:
        now = low
    return now - s.last_scores[seat]
