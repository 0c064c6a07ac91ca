"""The batched loops: written once here, specialised for each game by :mod:`tablezoo.specialise`.

The names in capitals that begin with ``GAME_`` stand for the game's kernels; the copy of a loop made for a game finds
them among its globals. Each loop takes the lanes it is to work on, so that threads can share a batch; a lane touches
nothing but its own rows.
"""

from __future__ import annotations

import numpy as np

from tablezoo.compiling import kernel
from tablezoo.rewards import is_dense, pay, pay_delta, rank_seats
from tablezoo.rng import below, random_word

#: A decision with one legal action is played without asking, at most so many in a row.
FORCED_LIMIT = 10_000

#: A deal that is over at once is dealt again under autoreset, at most so many in a row.
DEALS_LIMIT = 1000
NO_DEAL = f"{DEALS_LIMIT} deals in a row were over at once: autoreset finds no game in which somebody is asked"

EXTERNAL, RANDOM, GREEDY = 0, 1, 2

#: With so many actions at most, a choice looks at all.
FEW_ACTIONS = 16

# Columns of ``settings``: how a batch pays, treats illegal actions and finished games.
REWARD, LOSE_ILLEGAL, AUTORESET, SCORE_LOW, SCORE_SPAN, LASTING = range(6)

# Greedy's tree: columns of ``nodes`` (int32) and of ``sums`` (float64).
PARENT, ACTION, CHILD, SIBLING, LEAVES, INNER = range(6)
LEAF_SUM, BEST = range(2)

#: The loops that make arrays of their own, and so are compiled with reference counting: greedy's.
ALLOCATING = ("advance_lanes", "greedy_lanes", "look_ahead", "try_plans")


def _unbound(*_):  # pragma: no cover - replaced in every specialised loop
    raise NotImplementedError("a loop runs only when it is specialised for a game")


#: Numbers of the game's that its loops have for constants: of actions, values in an observation, seats at most.
GAME_ACTIONS = GAME_OBSERVED = GAME_SEATS = 0

GAME_RESET = GAME_LEGAL_ACTIONS = GAME_STEP = GAME_OBSERVE = GAME_SCORE = GAME_VALUE = GAME_DETERMINIZE = _unbound


@kernel
def _try_all(s, c, mask, depth):
    """Stand in for the candidates kernel of a game that has none."""


GAME_CANDIDATES = _try_all


# --- the parts of a step -------------------------------------------------------------------------------------------


@kernel
def count_true(mask):
    count = 0
    for i in range(mask.size):
        count += mask[i]
    return count


@kernel
def nth_true(mask, n):
    """Return the index of the (n+1)-th true entry; -1 if there are not as many."""
    for i in range(mask.size):
        if mask[i]:
            if n == 0:
                return i
            n -= 1
    return -1


def count_legal(mask):
    """As ``count_true``, of a mask of all actions: their number is known when the loop is compiled."""
    count = 0
    for i in range(GAME_ACTIONS):
        count += mask[i]
    return count


def nth_legal(mask, n):
    """As ``nth_true``, of a mask of all actions, in which there are as many; 0 if none is legal.

    With few actions all are looked at: where to stop is what no processor can guess.
    """
    if GAME_ACTIONS > FEW_ACTIONS:
        return max(nth_true(mask, n), 0)
    index = 0
    seen = 0
    for i in range(GAME_ACTIONS - 1):
        seen += mask[i]
        index += seen <= n
    return index


def pick_random(mask, stream):
    """Return a uniformly drawn index among the legal actions, of which there is at least one."""
    return nth_legal(mask, below(stream, count_legal(mask)))


@kernel
def branch(stream, target):
    """Seed ``target`` with 128 bits drawn from ``stream``: what is drawn from it later tells nothing of ``stream``."""
    for word in range(2):
        high = np.uint64(random_word(stream))
        target[word] = (high << np.uint64(32)) | np.uint64(random_word(stream))
    target[1] |= np.uint64(1)


def settle(s, c, mask):
    """Play on while there is exactly one legal action; leave the next decision's mask."""
    for _ in range(FORCED_LIMIT):
        for i in range(GAME_ACTIONS):
            mask[i] = False
        if s.ended != 0:
            return
        GAME_LEGAL_ACTIONS(s, c, mask)
        if count_legal(mask) != 1:
            return
        GAME_STEP(s, c, nth_true(mask, 0))


def restart(s, c, raw, mask, keys, settings):
    """Deal the lane's next game; with autoreset one that is not over at once, or the lane would stand still."""
    for _ in range(DEALS_LIMIT):
        deal(s, c, raw, mask, keys, settings)
        if s.ended == 0 or settings[AUTORESET] == 0:
            return
    raise RuntimeError(NO_DEAL)


def deal(s, c, raw, mask, keys, settings):
    """Deal: all but what lasts is zeroed, the stream goes on."""
    for i in range(int(settings[LASTING]), raw.size):
        raw[i] = 0
    s.offender = -1
    GAME_RESET(s, c)
    if is_dense(settings[REWARD]):
        keys[:] = 0
        GAME_SCORE(s, c, keys)
        for seat in range(int(s.num_players)):
            s.last_scores[seat] = keys[seat, 0]
    settle(s, c, mask)


def publish(s, c, mask, observation, asked, lane):
    """Write who is asked and what that seat sees; the mask stands already."""
    for i in range(GAME_OBSERVED):
        observation[lane, i] = 0
    if s.ended != 0:
        asked[lane] = -1
        return
    asked[lane] = s.seat
    GAME_OBSERVE(s, c, int(s.seat), observation[lane])


def finish(s, c, keys, rewards, scores, ranks, winners, settings):
    """Score a game that is over: raw scores, ranks, winners and, by the reward chosen, what each seat gets."""
    keys[:] = 0
    GAME_SCORE(s, c, keys)
    players = int(s.num_players)
    for seat in range(players):
        scores[seat] = keys[seat, 0]
    for seat in range(players, GAME_SEATS):
        scores[seat] = 0
    rank_seats(keys, players, int(s.offender), ranks)
    for seat in range(GAME_SEATS):
        winners[seat] = ranks[seat] == 0
    low = settings[SCORE_LOW]
    span = settings[SCORE_SPAN]
    if is_dense(settings[REWARD]):
        pay_delta(settings[REWARD], s, keys, low, span, rewards)
    else:
        pay(int(settings[REWARD]), keys, players, int(s.offender), ranks, low, span, rewards)


def play(s, c, action, legal, mask, keys, rewards, settings):
    """Play one action and what follows without asking; an illegal one ends the game against its seat."""
    if legal:
        GAME_STEP(s, c, action)
    else:
        s.offender = s.seat
        s.ended = 1
    settle(s, c, mask)
    if is_dense(settings[REWARD]) and s.ended == 0:
        keys[:] = 0
        GAME_SCORE(s, c, keys)
        pay_delta(settings[REWARD], s, keys, settings[SCORE_LOW], settings[SCORE_SPAN], rewards)


# --- the loops -----------------------------------------------------------------------------------------------------


def check_lanes(lanes, actions, mask, asked, strict):
    """Return where the first action stands that is out of range or, with ``strict``, illegal; -1 if all are fine."""
    for i in range(lanes.size):
        lane = lanes[i]
        action = actions[i]
        fine = 0 <= action < mask.shape[1] and (mask[lane, action] or not strict)
        if asked[lane] >= 0 and not fine:
            return i
    return -1


def reset_lanes(
    states, raw, contents, lanes, mask, observation, asked,
    rewards, terminated, truncated, scores, ranks, winners, keys, settings,
):  # fmt: skip
    for i in range(lanes.size):
        lane = lanes[i]
        s = states[lane]
        c = contents[int(s.content)]
        for seat in range(GAME_SEATS):
            rewards[lane, seat] = 0
        restart(s, c, raw[lane], mask[lane], keys, settings)
        terminated[lane] = s.ended == 1
        truncated[lane] = s.ended == 2
        if s.ended != 0:
            finish(s, c, keys, rewards[lane], scores[lane], ranks[lane], winners[lane], settings)
        publish(s, c, mask[lane], observation, asked, lane)


def step_lanes(
    states, raw, contents, final_states, lanes, actions, mask, observation, asked,
    rewards, terminated, truncated, scores, ranks, winners, keys, settings,
):  # fmt: skip
    for i in range(lanes.size):
        lane = lanes[i]
        s = states[lane]
        for seat in range(GAME_SEATS):
            rewards[lane, seat] = 0
        terminated[lane] = False
        truncated[lane] = False
        if s.ended != 0:
            continue
        c = contents[int(s.content)]
        action = actions[i]
        legal = settings[LOSE_ILLEGAL] == 0 or mask[lane, action]
        play(s, c, action, legal, mask[lane], keys, rewards[lane], settings)
        if s.ended != 0:
            terminated[lane] = s.ended == 1
            truncated[lane] = s.ended == 2
            finish(s, c, keys, rewards[lane], scores[lane], ranks[lane], winners[lane], settings)
            if settings[AUTORESET] != 0:
                final_states[lane] = s
                restart(s, c, raw[lane], mask[lane], keys, settings)
        publish(s, c, mask[lane], observation, asked, lane)


def advance_lanes(
    states, contents, lanes, actions, codes, streams, decisions, mask, observation, asked,
    rewards, terminated, truncated, scores, ranks, winners, keys, settings,
    copies, masks, nodes, sums, determinizations,
):  # fmt: skip
    """Play each lane on with compiled policies until a seat without one is asked or the game is over.

    An entry of ``actions`` that is not negative is played first.
    """
    for i in range(lanes.size):
        lane = lanes[i]
        s = states[lane]
        for seat in range(GAME_SEATS):
            rewards[lane, seat] = 0
        decisions[i] = 0
        terminated[lane] = False
        truncated[lane] = False
        if s.ended != 0:
            continue
        c = contents[int(s.content)]
        action = actions[i]
        while s.ended == 0:
            legal = True
            if action >= 0:
                legal = settings[LOSE_ILLEGAL] == 0 or mask[lane, action]
            elif codes[lane, int(s.seat)] == RANDOM:
                action = pick_random(mask[lane], streams[lane])
            elif codes[lane, int(s.seat)] == GREEDY:
                action = look_ahead(s, c, mask[lane], streams[lane], copies, masks, nodes, sums, determinizations)
            else:
                break
            play(s, c, action, legal, mask[lane], keys, rewards[lane], settings)
            decisions[i] += 1
            action = -1
        if s.ended != 0:
            terminated[lane] = s.ended == 1
            truncated[lane] = s.ended == 2
            finish(s, c, keys, rewards[lane], scores[lane], ranks[lane], winners[lane], settings)
        publish(s, c, mask[lane], observation, asked, lane)


@kernel
def looks_nowhere(s, c, mask, stream, copies, masks, nodes, sums, determinizations):
    """Stand in for ``look_ahead`` in ``play_on_lanes``, the copy of ``advance_lanes`` for batches without greedy."""
    return -1


def refresh_lanes(states, contents, lanes, mask, observation, asked):
    """Write mask, observation and seat from records that somebody changed; nothing is played."""
    for i in range(lanes.size):
        lane = lanes[i]
        s = states[lane]
        c = contents[int(s.content)]
        mask[lane, :] = False
        if s.ended == 0:
            GAME_LEGAL_ACTIONS(s, c, mask[lane])
        publish(s, c, mask[lane], observation, asked, lane)


def observe_lanes(states, contents, lanes, seats, out):
    """Write the view of each of ``seats`` into a zeroed ``out``; records that were never dealt stay zeros."""
    for i in range(lanes.size):
        s = states[lanes[i]]
        if s.num_players > 0:
            GAME_OBSERVE(s, contents[int(s.content)], int(seats[i]), out[i])


def determinize_lanes(states, contents, lanes, seats, streams):
    """Give each lane a stream of its own from ``streams`` and deal anew what ``seats[lane]`` cannot know."""
    for i in range(lanes.size):
        lane = lanes[i]
        s = states[lane]
        s.rng[0] = streams[lane, 0]
        s.rng[1] = streams[lane, 1]
        GAME_DETERMINIZE(s, contents[int(s.content)], int(seats[lane]))


def branch_lanes(lanes, streams, out):
    """Draw seeds for ``out.shape[1]`` copies of each lane from its stream."""
    for i in range(lanes.size):
        for j in range(out.shape[1]):
            branch(streams[lanes[i]], out[i, j])


def random_lanes(lanes, mask, streams, actions):
    """Draw a uniform legal action for each lane from its stream; -1 where nothing is legal."""
    for i in range(lanes.size):
        lane = lanes[i]
        actions[i] = -1
        if count_legal(mask[lane]) > 0:
            actions[i] = pick_random(mask[lane], streams[lane])


def uniform_lanes(lanes, mask, uniforms, actions):
    """As ``random_lanes``, from one number in [0, 1) a lane; 0 where nothing is legal (the action is ignored)."""
    for i in range(lanes.size):
        lane = lanes[i]
        count = count_legal(mask[lane])
        actions[lane] = nth_legal(mask[lane], min(int(uniforms[lane] * count), count - 1))


def greedy_lanes(states, contents, lanes, mask, streams, actions, copies, masks, nodes, sums, determinizations):
    """Choose greedily for the seat asked in each lane; -1 where nobody is."""
    for i in range(lanes.size):
        lane = lanes[i]
        s = states[lane]
        actions[i] = -1
        if s.ended == 0:
            c = contents[int(s.content)]
            actions[i] = look_ahead(s, c, mask[lane], streams[lane], copies, masks, nodes, sums, determinizations)


# --- greedy: the best plan to the end of the own turn --------------------------------------------------------------


def look_ahead(s, c, mask, stream, copies, masks, nodes, sums, determinizations):
    """Return the first action of the plan with the best mean value at the end of the turn.

    A plan is a sequence of own actions. Each is tried in every determinization, and its values are averaged before
    plans are compared, so that no plan profits from cards that only one deal would bring. Other seats play at random.
    """
    size = add_node(nodes, sums, 0, -1, -1)
    for _ in range(determinizations):
        root = copies[0]
        copies[0] = s
        branch(stream, root.rng)
        GAME_DETERMINIZE(root, c, int(s.seat))
        masks[0, :] = mask
        GAME_CANDIDATES(root, c, masks[0], 0)
        size = try_plans(c, int(s.seat), int(s.turn), copies, masks, nodes, sums, size)
    return best_first(nodes, sums, size)


def try_plans(c, me, turn, copies, masks, nodes, sums, size):
    """Walk all own plans from ``copies[0]``, depth first; return the number of nodes."""
    depth = 0
    at = np.zeros(copies.size, np.int64)
    cursor = np.zeros(copies.size, np.int64)
    while depth >= 0:
        action = next_true(masks[depth], cursor[depth])
        if action < 0:
            depth -= 1
            continue
        cursor[depth] = action + 1
        child = find_child(nodes, at[depth], action)
        if child < 0:
            child = size
            size = add_node(nodes, sums, size, at[depth], action)
        copies[depth + 1] = copies[depth]
        s = copies[depth + 1]
        GAME_STEP(s, c, action)
        mine = play_to_own_decision(s, c, me, turn, masks[depth + 1])
        room = size + (depth + 2) * masks.shape[1] < nodes.shape[0]
        if mine and room and depth + 2 < copies.size:
            nodes[child, INNER] += 1
            depth += 1
            GAME_CANDIDATES(s, c, masks[depth], depth)
            at[depth] = child
            cursor[depth] = 0
        else:
            nodes[child, LEAVES] += 1
            sums[child, LEAF_SUM] += GAME_VALUE(s, c, me)
    return size


def play_to_own_decision(s, c, me, turn, mask):
    """Play the others at random; return whether ``me`` has a choice before the turn is over."""
    while s.ended == 0 and s.turn == turn:
        mask[:] = False
        GAME_LEGAL_ACTIONS(s, c, mask)
        if s.seat == me and count_true(mask) > 1:
            return True
        GAME_STEP(s, c, pick_random(mask, s.rng))
    return False


@kernel
def next_true(mask, start):
    for i in range(start, mask.size):
        if mask[i]:
            return i
    return -1


@kernel
def find_child(nodes, parent, action):
    child = nodes[parent, CHILD]
    while child >= 0 and nodes[child, ACTION] != action:
        child = nodes[child, SIBLING]
    return child


@kernel
def add_node(nodes, sums, size, parent, action):
    """Write node ``size`` in front of its parent's children; return the new number of nodes."""
    nodes[size, PARENT] = parent
    nodes[size, ACTION] = action
    nodes[size, CHILD] = -1
    nodes[size, SIBLING] = -1
    nodes[size, LEAVES] = 0
    nodes[size, INNER] = 0
    sums[size, LEAF_SUM] = 0.0
    sums[size, BEST] = -np.inf
    if parent >= 0:
        nodes[size, SIBLING] = nodes[parent, CHILD]
        nodes[parent, CHILD] = size
    return size + 1


@kernel
def best_first(nodes, sums, size):
    """Return the root action whose best plan has the highest mean; children stand behind their parents."""
    best_action = -1
    best = -np.inf
    for node in range(size - 1, 0, -1):
        total = sums[node, LEAF_SUM]
        if nodes[node, INNER] > 0:
            total += nodes[node, INNER] * sums[node, BEST]
        mean = total / (nodes[node, LEAVES] + nodes[node, INNER])
        parent = nodes[node, PARENT]
        if mean > sums[parent, BEST]:
            sums[parent, BEST] = mean
        if parent == 0 and mean >= best:
            best = mean
            best_action = nodes[node, ACTION]
    return best_action


#: Copies of loops in which other functions stand for some of their globals. Compiling greedy's search takes as long as
#: the rest: who plays at random need not wait for it.
VARIANTS = {"play_on_lanes": ("advance_lanes", {"look_ahead": looks_nowhere})}
