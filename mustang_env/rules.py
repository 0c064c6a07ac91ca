"""The game in the rulebook's reading order: setup, a turn, its four actions, the end."""

from mustang_env.cards import draw, put_under, refill, renew_deck, sort_hand, use_card
from mustang_env.combos import (
    allow_sets,
    best_values,
    count_naturals,
    set_value,
    takes_first_cowboys,
)
from mustang_env.counters import allow_corral, is_gone, move_to_stable, take_from_pile, turn_up_counter
from mustang_env.events import move_in_rain, open_gate, shuffle_events, turn_up_event
from mustang_env.state import (
    A_CARDS,
    A_CATCH,
    A_CORRAL,
    A_DECLINE,
    A_PILE,
    A_STEAL,
    A_SWAP,
    ANSWER,
    BLACK_PRINCE,
    CAUGHT,
    CAUGHT_UNSEEN,
    COWBOY,
    EMPTY,
    FIRST_TYPE,
    FOAL,
    GATE,
    HAND,
    KIND,
    MARE,
    MAX_SEATS,
    NOTHING,
    NUM_CARDS,
    NUM_TYPES,
    PLAY,
    RAIN,
    SET_FIRST,
    SET_MASK,
    SET_SIZE,
    SET_SLOTS,
    SIZE,
    SPECIAL,
    STABLED,
    STALLION,
    STOLE,
    SWAP,
    SWAPPED,
    TURN,
    TYPE_TOTAL,
)
from tablezoo.game import ENDED, TRUNCATED, common_kernel, kernel
from tablezoo.pending import pop, push, top, top_kind
from tablezoo.rng import below, shuffle
from tablezoo.seating import seat_after

# --- before the game starts -----------------------------------------------------------------------


@kernel
def reset(s, c):
    """Set up the prairie (M6), draw the dealer, shuffle and deal (M7)."""
    s.finisher = -1
    for kind in range(3):
        shuffle_pile(s, kind)
    shuffle_deck(s)
    shuffle_events(s)
    s.dealer = s.start_seat if s.start_seat >= 0 else below(s.rng, int(s.num_players))
    for kind in range(3):
        turn_up_counter(s, kind)
    for type_ in range(BLACK_PRINCE, NUM_TYPES):
        s.prairie[type_] = 1
    deal(s)
    note_action(s, NOTHING, -1, -1, -1)
    s.mover = s.dealer
    s.seat = s.dealer


@kernel
def shuffle_pile(s, kind):
    """M6: shuffle all counters of a kind into its pile."""
    size = 0
    for type_ in range(FIRST_TYPE[kind], FIRST_TYPE[kind + 1]):
        for _ in range(TYPE_TOTAL[type_]):
            s.pile[kind, size] = type_
            size += 1
    shuffle(s.rng, s.pile[kind], size)
    s.pile_size[kind] = size


@kernel
def shuffle_deck(s):
    """M7: shuffle all cards into the deck."""
    for i in range(NUM_CARDS):
        s.deck[i] = min(i, COWBOY)
    shuffle(s.rng, s.deck, NUM_CARDS)
    s.deck_top = 0
    s.deck_size = NUM_CARDS


@kernel
def deal(s):
    """M7: six cards to each player, the dealer first."""
    for seat in range(int(s.num_players), MAX_SEATS):
        for slot in range(HAND):
            s.hand[seat, slot] = EMPTY
    for steps in range(int(s.num_players)):
        seat = seat_after(s, int(s.dealer), steps)
        for slot in range(HAND):
            s.hand[seat, slot] = draw(s)
        sort_hand(s.hand[seat])


# --- what may be done -----------------------------------------------------------------------------


@kernel
def legal_actions(s, c, mask):
    """Allow what ``s.seat`` may do in the phase that the game is in."""
    phase = top_kind(s)
    seat = int(s.seat)
    hand = s.hand[seat]
    if phase == TURN:
        allow_turn(s, seat, mask)
    elif phase == SWAP:
        allow_swaps(hand, mask)
    elif phase == PLAY:
        kind, _, _ = target_of(s, seat, int(top(s)[2]))
        allow_sets(hand, SIZE[kind], 0, mask)
    elif phase == ANSWER:
        allow_answers(hand, int(top(s)[2]), int(top(s)[3]), mask)
    else:  # GATE (M21), RAIN (M23)
        allow_corral(s, seat, mask)
        mask[A_DECLINE] = phase == RAIN


@kernel
def allow_turn(s, seat, mask):
    """Allow a swap (M19), the targets that the hand has a combination for (M9), the own corral (M16)."""
    mask[A_SWAP] = True
    pair, three, four, straight = best_values(s.hand[seat])
    if pair > 0:
        allow_targets(s, seat, FOAL, mask)
    if three > 0:
        allow_targets(s, seat, MARE, mask)
    if four > 0:
        allow_targets(s, seat, STALLION, mask)
    if straight > 0:
        allow_targets(s, seat, SPECIAL, mask)
    allow_corral(s, seat, mask)


@kernel
def allow_targets(s, seat, kind, mask):
    """Allow every counter of a kind on the prairie (M11) and in the corrals of others (M13)."""
    first = FIRST_TYPE[kind]
    end = FIRST_TYPE[kind + 1]
    for type_ in range(first, end):
        mask[A_CATCH + type_] = s.prairie[type_] > 0
    if kind != SPECIAL:
        mask[A_PILE + kind] = s.pile_size[kind] > 0
    for steps in range(1, int(s.num_players)):
        owner = seat_after(s, seat, steps)
        for type_ in range(first, end):
            mask[A_STEAL + (steps - 1) * NUM_TYPES + type_] = s.corral[owner, type_] > 0


@kernel
def allow_swaps(hand, mask):
    """M8: one or two cards; M17: of cowboys the first ones."""
    naturals = count_naturals(hand)
    for index in range(SET_FIRST[1], SET_FIRST[3]):
        mask[A_CARDS + index] = takes_first_cowboys(SET_MASK[index], naturals)


@kernel
def allow_answers(hand, size, value, mask):
    """M14: the same kind of combination at a higher value, or a kind that ranks higher; or none."""
    allow_sets(hand, size, value, mask)
    for larger in range(size + 1, SIZE[SPECIAL] + 1):
        allow_sets(hand, larger, 0, mask)
    mask[A_DECLINE] = True


# --- a decision -----------------------------------------------------------------------------------


@kernel
def step(s, c, action):
    """Play one legal action of ``s.seat``."""
    phase = top_kind(s)
    seat = int(s.seat)
    if phase == TURN:
        choose(s, seat, action)
    elif phase == SWAP:
        swap(s, seat, action - A_CARDS)
    elif phase == PLAY:
        play_cards(s, seat, action - A_CARDS)
    elif phase == ANSWER:
        answer_theft(s, seat, action)
    elif phase == GATE:
        open_gate(s, seat, action)
        go_on(s)
    else:
        move_in_rain(s, seat, action)
        go_on(s)


@kernel
def choose(s, seat, action):
    """Stable a counter, or name a target or a swap, for which the cards are asked next."""
    if action == A_SWAP:
        push(s, SWAP, seat, 0, 0, 0, 0)
    elif A_CORRAL <= action < A_CORRAL + NUM_TYPES:
        stable(s, seat, action - A_CORRAL)
    else:
        push(s, PLAY, seat, action, 0, 0, 0)


@common_kernel
def note_action(s, action, actor, type_, owner):
    """Make an action, of which nothing is told yet but what it is, the last action."""
    s.last_action = action
    s.last_actor = actor
    s.last_type = type_
    s.last_owner = owner
    s.last_value = 0
    s.last_cowboys = 0
    s.last_swapped = 0
    for i in range(s.last_cards.size):
        s.last_cards[i] = EMPTY
        s.last_answer[i] = EMPTY


# --- swap (M8) ------------------------------------------------------------------------------------


@kernel
def swap(s, seat, index):
    """M8, M8a: draw for the named cards, then lay these under the deck, in hand order."""
    pop(s)
    first = SET_SLOTS[index, 0]
    second = SET_SLOTS[index, 1]
    count = SET_SIZE[index]
    first_given = int(s.hand[seat, first])
    second_given = int(s.hand[seat, second])
    s.hand[seat, first] = draw_for_swap(s)
    if count == 2:
        s.hand[seat, second] = draw_for_swap(s)
    put_under(s, first_given)
    if count == 2:
        put_under(s, second_given)
    sort_hand(s.hand[seat])
    note_action(s, SWAPPED, seat, -1, -1)
    s.last_swapped = count
    complete_action(s)


@kernel
def draw_for_swap(s):
    """M8: a deck emptied by a swap is renewed only if another card is to be drawn."""
    if s.deck_size == 0:
        renew_deck(s)
    return draw(s)


# --- stable (M16) ---------------------------------------------------------------------------------


@kernel
def stable(s, seat, type_):
    """M16: a counter goes to the stable; M26: a herd there ends the game at once."""
    note_action(s, STABLED, seat, type_, -1)
    if move_to_stable(s, seat, type_):
        finish(s, seat)
    else:
        complete_action(s)


# --- catch (M9 to M12) and steal (M13 to M15) -----------------------------------------------------


@kernel
def target_of(s, seat, action):
    """Return kind, type (-1: the pile's top counter) and owner (-1: the prairie) of a target."""
    if action >= A_STEAL:
        steps = (action - A_STEAL) // NUM_TYPES + 1
        type_ = (action - A_STEAL) % NUM_TYPES
        return int(KIND[type_]), type_, seat_after(s, seat, steps)
    if action >= A_PILE:
        return action - A_PILE, -1, -1
    return int(KIND[action - A_CATCH]), action - A_CATCH, -1


@kernel
def play_cards(s, seat, index):
    """M18: the cards go to the used pile; then the counter moves, or its owner is asked."""
    kind, type_, owner = target_of(s, seat, int(top(s)[2]))
    pop(s)
    size = SIZE[kind]
    value = set_value(s.hand[seat], SET_MASK[index], size, count_naturals(s.hand[seat]))
    note_action(s, STOLE if owner >= 0 else CAUGHT, seat, type_, owner)
    s.last_value = value
    for i in range(size):
        s.last_cards[i] = use_card(s, seat, SET_SLOTS[index, i])
    sort_hand(s.hand[seat])
    if owner >= 0:
        push(s, ANSWER, owner, size, value, 0, 0)
        s.seat = owner
    else:
        catch(s, seat, kind, type_)


@kernel
def catch(s, seat, kind, type_):
    """M11: take the counter; M12: replace it face up; M26: the last of its kind ends the game at once."""
    face_up = type_ >= 0
    if face_up:
        s.prairie[type_] -= 1
    else:
        type_ = take_from_pile(s, kind)
        s.last_action = CAUGHT_UNSEEN
        s.last_type = type_
    s.corral[seat, type_] += 1
    if kind != SPECIAL and is_gone(s, kind):
        finish(s, seat)  # M26a
        return
    if kind != SPECIAL and face_up:
        turn_up_counter(s, kind)
    refill(s, seat)
    complete_action(s)


@kernel
def answer_theft(s, owner, action):
    """M15: unanswered, the counter moves; answered, the thief's cowboys go. M18: the thief draws first."""
    pop(s)
    thief = int(s.mover)
    if action == A_DECLINE:
        s.corral[owner, int(s.last_type)] -= 1
        s.corral[thief, int(s.last_type)] += 1
    else:
        lay_answer(s, owner, action - A_CARDS)
        discard_cowboys(s, thief)
    refill(s, thief)
    refill(s, owner)
    complete_action(s)


@kernel
def lay_answer(s, owner, index):
    """M18: the owner's cards go to the used pile."""
    for i in range(SET_SIZE[index]):
        s.last_answer[i] = use_card(s, owner, SET_SLOTS[index, i])


@kernel
def discard_cowboys(s, thief):
    """M15: every cowboy in the thief's hand goes to the used pile."""
    for slot in range(HAND):
        if s.hand[thief, slot] == COWBOY:
            use_card(s, thief, slot)
            s.last_cowboys += 1


# --- the end of an action, of a turn, of the game -------------------------------------------------


@kernel
def complete_action(s):
    """M20: an event follows an action in which the deck ran out."""
    if s.event_due != 0:
        s.event_due = 0
        turn_up_event(s)
    go_on(s)


@kernel
def go_on(s):
    """Ask whom the event concerns next; when all is done, end the turn, or the game (M22, M23)."""
    if s.ended != 0:
        return
    if s.pending_size > 0:
        s.seat = top(s)[1]
    elif s.finisher >= 0:
        s.ended = ENDED
    else:
        end_turn(s)


@kernel
def end_turn(s):
    """The next seat's turn begins (M20a: whatever the event), unless the game is cut here (M29)."""
    s.turn += 1
    if s.turn >= s.max_turns:
        s.ended = TRUNCATED
    s.mover = seat_after(s, int(s.mover), 1)
    s.seat = s.mover


@kernel
def finish(s, seat):
    """M26: the game ends at once, finished by ``seat``; M26a: nothing is drawn or turned up any more."""
    s.finisher = seat
    s.ended = ENDED
