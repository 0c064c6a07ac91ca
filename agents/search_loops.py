"""Information-set Monte Carlo tree search over any game's kernels, as loops of the engine's kind.

Single-observer ISMCTS (Cowling, Powley and Whitehouse 2012): each iteration deals anew what the searching seat cannot
know and walks one tree of actions, in which those that a deal does not allow are passed over. A child counts how often
it could have been chosen, and is chosen by UCB1 with that count. Actions are told apart by who takes them and by the
game's ``action_key``. What is drawn on the way is no edge of the tree: a node stands for the actions that led to it.

A game is played on for a number of rounds (a turn for each seat) from the root's turn on, in the tree and behind it
alike; then the game's own ``value`` tells who stands well. Values are thus of about the same turn, and what their
spread means is learned beforehand. A game that ends before counts as what it is, a win, a loss or a share.
"""

from __future__ import annotations

import numpy as np

from tablezoo.compiling import kernel
from tablezoo.loops import (
    GAME_DETERMINIZE,
    GAME_LEGAL_ACTIONS,
    GAME_SCORE,
    GAME_SEATS,
    GAME_STEP,
    GAME_VALUE,
    branch,
    look_ahead,
    pick_random,
    settle,
)
from tablezoo.rewards import SCORE, WIN, pay, rank_seats
from tablezoo.rng import below

ROOT = 0

# Columns of ``nodes`` (int32): the first child, the next one of the same parent, how often the node was chosen and
# could have been, and the action that it last stood for.
CHILD, SIBLING, VISITS, AVAILABLE, ACTION = range(5)

# Columns of ``settings`` (float64).
EXPLORATION, FLAT, ROUNDS, SCORE_LOW, SCORE_SPAN = range(5)

# Columns of ``scales`` (float64), a row a seat: how many values were seen, their mean, and their squared distances from
# it, summed up; how many games had ended, and what the seat won of them.
SEEN, MEAN, SQUARES, ENDED, WON = range(5)

#: Games that are played out at random before a search, to learn how far apart a seat's values lie.
SAMPLES = 32


@kernel
def _its_index(s, c, action):
    """Stand in for the action_key kernel of a game in which an action means the same in every deal."""
    return action


GAME_ACTION_KEY = _its_index


# --- the loop ---------------------------------------------------------------------------------------------------------


def search_lanes(
    states, contents, lanes, streams, iterations, fresh, settings,
    copies, masks, taken, keys, nodes, node_keys, totals, size, path, movers, score_keys, ranks, rewards, scales,
    greedy_copies, greedy_masks, greedy_nodes, greedy_sums, visits, means,
):  # fmt: skip
    """Search each lane for its seat asked; write how often each legal action was chosen at the root, and what it paid.

    With ``fresh`` a lane's tree begins anew; else the last lane's goes on.
    """
    s = copies[0]
    mask = masks[0]
    for i in range(lanes.size):
        lane = lanes[i]
        root = states[lane]
        c = contents[int(root.content)]
        last = int(root.turn) + settings[ROUNDS] * int(root.num_players)
        if fresh:
            size[0] = 0
            add_node(nodes, node_keys, totals, size, -1, 0)
            scales[:, :] = 0
            if settings[ROUNDS] < np.inf:
                sample_values(root, c, copies, mask, streams[lane], last, score_keys, ranks, rewards, scales, settings)
        for _ in range(iterations):
            deal(root, c, copies, mask, streams[lane])
            length = descend(s, c, mask, taken, keys, nodes, node_keys, totals, size, path, movers, settings, last)
            while s.ended == 0 and s.turn < last:
                GAME_STEP(s, c, roll(s, c, mask, greedy_copies, greedy_masks, greedy_nodes, greedy_sums))
                settle(s, c, mask)
            if s.ended != 0 and (s.num_players > 1 or settings[ROUNDS] == np.inf):
                reward_seats(s, c, score_keys, ranks, rewards, settings)
            else:
                promise_seats(s, c, scales, rewards)
            back_up(nodes, totals, path, movers, length, rewards)
        tell_root(root, c, mask, taken, keys, nodes, node_keys, totals, visits[i], means[i])


def deal(root, c, copies, mask, stream):
    """Deal a game from the root in which the seat asked knows what it knows."""
    s = copies[0]
    copies[0] = root
    branch(stream, s.rng)
    GAME_DETERMINIZE(s, c, int(root.seat))
    mask[:] = False
    GAME_LEGAL_ACTIONS(s, c, mask)


def sample_values(root, c, copies, mask, stream, last, score_keys, ranks, rewards, scales, settings):
    """Play a few games at random as far as the search will, and note the seats' values there, or who has won."""
    s = copies[0]
    for _ in range(SAMPLES):
        deal(root, c, copies, mask, stream)
        while s.ended == 0 and s.turn < last:
            GAME_STEP(s, c, pick_random(mask, s.rng))
            settle(s, c, mask)
        if s.ended != 0 and s.num_players > 1:
            reward_seats(s, c, score_keys, ranks, rewards, settings)
            for seat in range(int(s.num_players)):
                scales[seat, ENDED] += 1
                scales[seat, WON] += rewards[seat]
        else:
            for seat in range(int(s.num_players)):
                note(scales[seat], GAME_VALUE(s, c, seat))


def descend(s, c, mask, taken, keys, nodes, node_keys, totals, size, path, movers, settings, last):
    """Walk from the root to the first node that is new (with FLAT to a child); return how many nodes were passed."""
    node = ROOT
    length = 0
    while s.ended == 0 and s.turn < last:
        untried = match_children(s, c, mask, node, 1, taken, keys, nodes, node_keys)
        new = untried > 0 and size[0] < nodes.shape[0]
        if new:
            action = nth_untried(mask, taken, below(s.rng, untried))
            child = add_node(nodes, node_keys, totals, size, node, keys[action])
            nodes[child, AVAILABLE] = 1
        else:
            child = choose_child(node, taken, nodes, totals, settings)
            if child < 0:  # the tree is full, and holds none of the legal actions
                return length
            action = nodes[child, ACTION]
        path[length] = child
        movers[length] = s.seat
        nodes[child, ACTION] = action
        length += 1
        GAME_STEP(s, c, action)
        settle(s, c, mask)
        node = child
        if new or settings[FLAT] != 0 or length == path.size:
            return length
    return length


def match_children(s, c, mask, node, counted, taken, keys, nodes, node_keys):
    """Find each legal action's child, -1 if there is none; return how many have none.

    ``counted`` is added to how often the children could have been chosen.
    """
    untried = 0
    for action in range(mask.size):
        taken[action] = -1
        if mask[action]:
            keys[action] = GAME_ACTION_KEY(s, c, action) * GAME_SEATS + int(s.seat)
            untried += 1
    child = nodes[node, CHILD]
    while child >= 0:
        action = find_action(mask, keys, node_keys[child], nodes[child, ACTION])
        if action >= 0:
            taken[action] = child
            nodes[child, ACTION] = action
            nodes[child, AVAILABLE] += counted
            untried -= 1
        child = nodes[child, SIBLING]
    return untried


def roll(s, c, mask, greedy_copies, greedy_masks, greedy_nodes, greedy_sums):
    """Choose at random; ``roll_greedily`` stands for it in ``greedy_search_lanes``."""
    return pick_random(mask, s.rng)


def roll_greedily(s, c, mask, greedy_copies, greedy_masks, greedy_nodes, greedy_sums):
    return look_ahead(s, c, mask, s.rng, greedy_copies, greedy_masks, greedy_nodes, greedy_sums, 1)


def reward_seats(s, c, score_keys, ranks, rewards, settings):
    """Write each seat's share of the win; in solo the score, scaled by the game's range."""
    players = int(s.num_players)
    score_keys[:] = 0
    GAME_SCORE(s, c, score_keys)
    rank_seats(score_keys, players, -1, ranks)
    mode = WIN if players > 1 else SCORE
    pay(mode, score_keys, players, -1, ranks, settings[SCORE_LOW], settings[SCORE_SPAN], rewards)


def promise_seats(s, c, scales, rewards):
    """Write what each seat's value promises: where it is the usual one, the share of the win that is usual.

    That is what the seat won of the sampled games that ended, and an even share as if of one game more. A value further
    up or down changes the odds by a factor of e for each spread. In solo the usual value pays a half.
    """
    players = int(s.num_players)
    for seat in range(players):
        usual = (scales[seat, WON] + 1 / max(players, 2)) / (scales[seat, ENDED] + 1)
        above = 0.0
        if scales[seat, SEEN] > 1:
            spread = np.sqrt(scales[seat, SQUARES] / scales[seat, SEEN]) + 1e-9
            above = (GAME_VALUE(s, c, seat) - scales[seat, MEAN]) / spread
        rewards[seat] = 0.5 + 0.5 * np.tanh(0.5 * (above + np.log(usual / (1 - usual))))


def tell_root(root, c, mask, taken, keys, nodes, node_keys, totals, visits, means):
    mask[:] = False
    GAME_LEGAL_ACTIONS(root, c, mask)
    match_children(root, c, mask, ROOT, 0, taken, keys, nodes, node_keys)
    for action in range(mask.size):
        child = taken[action]
        visits[action] = nodes[child, VISITS] if child >= 0 else 0
        means[action] = totals[child] / nodes[child, VISITS] if child >= 0 and nodes[child, VISITS] > 0 else 0.0


# --- the tree ---------------------------------------------------------------------------------------------------------


@kernel
def add_node(nodes, node_keys, totals, size, parent, key):
    """Put a node without visits in front of its parent's children; return its number."""
    node = size[0]
    size[0] += 1
    nodes[node, CHILD] = -1
    nodes[node, SIBLING] = -1
    nodes[node, VISITS] = 0
    nodes[node, AVAILABLE] = 0
    nodes[node, ACTION] = 0
    node_keys[node] = key
    totals[node] = 0.0
    if parent >= 0:
        nodes[node, SIBLING] = nodes[parent, CHILD]
        nodes[parent, CHILD] = node
    return node


@kernel
def find_action(mask, keys, key, hint):
    """Return the legal action of that key, -1 if there is none; ``hint`` is the action that had it last."""
    if mask[hint] and keys[hint] == key:
        return hint
    for action in range(mask.size):
        if mask[action] and keys[action] == key:
            return action
    return -1


@kernel
def nth_untried(mask, taken, n):
    for action in range(mask.size):
        if mask[action] and taken[action] < 0:
            if n == 0:
                return action
            n -= 1
    return -1


@kernel
def choose_child(node, taken, nodes, totals, settings):
    """Return the child by UCB1 with counts of availability, or with FLAT the one chosen least; -1 if there is none."""
    best = -1
    best_worth = -np.inf
    child = nodes[node, CHILD]
    while child >= 0:
        if taken[nodes[child, ACTION]] == child:
            visits = nodes[child, VISITS]
            if settings[FLAT] != 0:
                worth = -float(visits)
            elif visits == 0:
                worth = np.inf
            else:
                bonus = np.sqrt(np.log(nodes[child, AVAILABLE]) / visits)
                worth = totals[child] / visits + settings[EXPLORATION] * bonus
            if worth > best_worth:
                best = child
                best_worth = worth
        child = nodes[child, SIBLING]
    return best


@kernel
def note(row, value):
    """Count a value in, by Welford's method."""
    row[SEEN] += 1
    change = value - row[MEAN]
    row[MEAN] += change / row[SEEN]
    row[SQUARES] += change * (value - row[MEAN])


@kernel
def back_up(nodes, totals, path, movers, length, rewards):
    """Count the nodes of the path, and what each one's mover got."""
    for i in range(length):
        nodes[path[i], VISITS] += 1
        totals[path[i]] += rewards[movers[i]]


#: See :class:`tablezoo.specialise.Loops`.
ALLOCATING = ("greedy_search_lanes",)
VARIANTS = {"greedy_search_lanes": ("search_lanes", {"roll": roll_greedily})}
