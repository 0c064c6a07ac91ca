"""The game in reading order: setup, a turn, its end; steps, choices and the campaign have their own files."""

from fable_env.between_games import begin_game, end_game, enter
from fable_env.choices import (
    allow_cards,
    allow_fruits,
    allow_offers,
    allow_paying,
    allow_players,
    allow_refreshing,
    allow_stacks,
    choose_player,
    choose_stack,
    discard_card,
    end_giving,
    gamble_on,
    give_card,
    name_fruit,
    offer,
    pass_card,
    pay,
    refresh,
)
from fable_env.payment import can_pay
from fable_env.state import (
    A_BUY,
    A_CARD,
    A_FRUIT,
    A_GO_ON,
    A_PLAYER,
    A_SPEND,
    A_STACK,
    A_STOP,
    A_USE,
    DISCARDING,
    EXTRA,
    FRUIT,
    GAMBLING,
    GIVE,
    GIVEN,
    HOST,
    MOVE,
    NEEDED,
    OFFER,
    PASSING,
    PAY,
    PLAYER,
    REFRESHING,
    RUN,
    STACK,
    VISIT,
)
from fable_env.steps import begin_action, begin_payment, run_step
from tablezoo.game import ENDED, TRUNCATED, kernel
from tablezoo.pending import pop, push, top, top_kind
from tablezoo.seating import seat_after


@kernel
def reset(s, c):
    """F21, F23: start afresh, go on, or enter a given place; then set the game up (F5)."""
    enter(s)
    begin_game(s)


# --- what may be done -------------------------------------------------------------------------------------------------


@kernel
def legal_actions(s, c, mask):
    """Allow what ``s.seat`` may do in the phase that the game is in."""
    phase = top_kind(s)
    seat = int(s.seat)
    if phase == MOVE:
        allow_moves(s, seat, mask)
        return
    frame = top(s)
    if phase == VISIT:
        mask[A_USE] = True
        mask[A_BUY] = can_pay(s, c, seat, int(frame[2]), 0)
    elif phase == PAY:
        allow_paying(s, c, seat, mask)
    elif phase == HOST:
        allow_hosts(s, seat, int(frame[2]), mask)
    elif phase in (GIVE, DISCARDING):
        allow_cards(s, seat, int(frame[3]), int(frame[4]), mask)
    elif phase == REFRESHING:
        allow_refreshing(s, seat, int(frame[4]), mask)
    elif phase == PLAYER:
        allow_players(s, seat, mask)
    elif phase == FRUIT:
        allow_fruits(s, seat, mask)
    elif phase == STACK:
        allow_stacks(s, c, seat, mask)
    elif phase == GAMBLING:
        mask[A_STOP] = True
        mask[A_GO_ON] = True
    elif phase == OFFER:
        allow_offers(s, seat, int(frame[4]), mask)
    elif phase == PASSING:
        allow_cards(s, seat, 1, -1, mask)
    else:  # EXTRA (F25)
        mask[A_STOP] = True
        mask[A_SPEND] = True


@kernel
def allow_moves(s, seat, mask):
    """F6: to any small stack but the one the animal stands on."""
    for slot in range(int(s.num_stacks)):
        mask[A_STACK + slot] = s.stacks[slot] != s.animal[seat]


@kernel
def allow_hosts(s, seat, hosts, mask):
    """F7: the hosts that have not been given a fruit yet."""
    for steps in range(1, int(s.num_players)):
        mask[A_PLAYER + steps - 1] = (hosts >> seat_after(s, seat, steps)) & 1 != 0


# --- a decision -------------------------------------------------------------------------------------------------------


@kernel
def step(s, c, action):
    """Play one legal action of ``s.seat``, and what follows until somebody is asked."""
    phase = top_kind(s)
    seat = int(s.seat)
    if phase == MOVE:
        move(s, seat, int(s.stacks[action - A_STACK]))
    elif phase == VISIT:
        visit(s, seat, action)
    elif phase == PAY:
        pay(s, c, seat, action - A_CARD)
    elif phase == HOST:
        pay_host(s, seat, seat_after(s, seat, action - A_PLAYER + 1))
    elif phase == GIVE:
        give_card(s, seat, action - A_CARD)
    elif phase == DISCARDING:
        discard_card(s, seat, action - A_CARD)
    elif phase == REFRESHING:
        refresh(s, seat, action)
    elif phase == PLAYER:
        choose_player(s, seat, seat_after(s, seat, action - A_PLAYER + 1))
    elif phase == FRUIT:
        name_fruit(s, seat, action - A_FRUIT)
    elif phase == STACK:
        choose_stack(s, seat, int(s.stacks[action - A_STACK]))
    elif phase == GAMBLING:
        gamble_on(s, seat, action)
    elif phase == OFFER:
        offer(s, seat, action - A_CARD)
    elif phase == PASSING:
        pass_card(s, seat, action - A_CARD)
    else:
        double_turn(s, action)
        return
    go_on(s, c)


@kernel
def go_on(s, c):
    """Take all that needs no choice, until somebody is asked, the turn is over, or the game."""
    while s.ended == 0:
        if s.num_stacks < 2:
            end_game(s, ENDED)  # F6: at once
            return
        phase = top_kind(s)
        if phase == MOVE:
            complete_turn(s)
            return
        if phase in (GIVE, DISCARDING):
            limit_to_hand(s)
        if asks(s, phase):
            s.seat = top(s)[1]
            return
        if phase == RUN:
            run_step(s, c)
        elif phase == GIVE:
            end_giving(s)
        else:  # HOST, DISCARDING: nothing is left to choose
            pop(s)


@kernel
def limit_to_hand(s):
    """F10a: who has too few gives all."""
    frame = top(s)
    frame[3] = min(int(frame[3]), int(s.hand_size[int(frame[1])]))


@kernel
def asks(s, phase):
    """Return whether the frame on top leaves something to choose."""
    if phase == RUN:
        return False
    frame = top(s)
    if phase in (GIVE, DISCARDING):
        return frame[3] > 0
    if phase == HOST:
        return frame[2] != 0 and s.hand_size[int(frame[1])] > 0
    return True


# --- move, and pay the hosts (F6, F7, F28) ----------------------------------------------------------------------------


@kernel
def move(s, seat, location):
    """F6; F7: one fruit for each host, clockwise; with too few, for hosts of the mover's choice."""
    s.animal[seat] = location
    push(s, VISIT, seat, location, 0, 0, 0)
    hosts = 0
    number = 0
    for steps in range(1, int(s.num_players)):
        other = seat_after(s, seat, steps)
        if is_host(s, other, location):
            hosts |= 1 << other
            number += 1
    if s.hand_size[seat] < number:
        push(s, HOST, seat, hosts, 0, 0, 0)
        return
    for steps in range(int(s.num_players) - 1, 0, -1):
        other = seat_after(s, seat, steps)
        if (hosts >> other) & 1 != 0:
            push(s, GIVE, seat, other, 1, -1, GIVEN)


@kernel
def is_host(s, other, location):
    """F7, F28: one fruit in all for an animal there, or for the thief there."""
    return s.animal[other] == location or (s.thief == location and s.thief_owner == other)


@kernel
def pay_host(s, seat, host):
    frame = top(s)
    frame[2] = int(frame[2]) & ~(1 << host)
    push(s, GIVE, seat, host, 1, -1, GIVEN)


# --- use or buy (F8) --------------------------------------------------------------------------------------------------


@kernel
def visit(s, seat, action):
    location = int(top(s)[2])
    pop(s)
    if action == A_USE:
        begin_action(s, seat, location)
    else:
        begin_payment(s, seat, location, 0)


# --- the end of a turn (F15, F17, F25) --------------------------------------------------------------------------------


@kernel
def complete_turn(s):
    """F25: an extra turn may follow; else the turn is over."""
    if s.turn_tokens[int(s.mover)] > 0 and s.extra == 0:
        push(s, EXTRA, int(s.mover), 0, 0, 0, 0)
        s.seat = s.mover
    else:
        end_turn(s)


@kernel
def double_turn(s, action):
    pop(s)
    if action == A_SPEND:
        s.turn_tokens[int(s.mover)] -= 1
        s.extra = 1
        s.seat = s.mover
    else:
        end_turn(s)


@kernel
def end_turn(s):
    """F15: with the juices needed the round is the last, it ends before the start player; F17: or the game is cut."""
    s.extra = 0
    s.turn += 1
    for seat in range(int(s.num_players)):
        if s.juices[seat] >= NEEDED[int(s.num_players)]:
            s.triggered = 1
    following = seat_after(s, int(s.mover), 1)
    if s.triggered != 0 and following == s.starter:
        end_game(s, ENDED)
    elif int(s.turn) - int(s.first_turn) >= s.max_turns:
        end_game(s, TRUNCATED)
    else:
        s.mover = following
        s.seat = following
