"""The steps of a location's action (F9): what each requires, and what it does until somebody must be asked."""

from fable_env.hands import (
    anybody_else_has_cards,
    draw,
    draw_mixes,
    gain,
    no_fruit_left,
    take_at_random,
    total,
    turn_tokens_left,
    turn_up_fruit,
    wild_tokens_left,
)
from fable_env.payment import can_order, can_pay
from fable_env.sets import (
    ALL_DRAW,
    ANY,
    CATCH_UP,
    COPY,
    COST,
    DISCARD,
    DRAW,
    EACH_GIVES,
    FILL,
    FIRST_MIX,
    FRUIT_TOKEN,
    GAMBLE,
    GIFT,
    GIFT_EACH,
    ITEM_TYPES,
    MARKET,
    MISSING,
    MIX,
    NUM_FRUITS,
    NUM_LOCATIONS,
    ORDER,
    PASS,
    PER_JUICE,
    REFRESH,
    SALVAGE,
    STEAL_EACH,
    SWAP_HANDS,
    THIEF,
    TRADE,
    TURN_TOKEN,
    WILD_TOKEN,
)
from fable_env.state import (
    DISCARDING,
    FRUIT,
    GAMBLING,
    GIVE,
    GIVEN,
    PASSING,
    PAY,
    PLAYER,
    REFRESHING,
    RICH,
    RUN,
    STACK,
)
from tablezoo.game import common_kernel, kernel
from tablezoo.pending import pop, push, top
from tablezoo.seating import seat_after

# --- the whole action (F9, F9a) ---------------------------------------------------------------------------------------


@kernel
def begin_action(s, seat, location):
    push(s, RUN, seat, location, 0, 0, 0)


@kernel
def run_step(s, c):
    """Take the next step of the action on top; after its last one the action is over."""
    frame = top(s)
    seat = int(frame[1])
    location = int(frame[2])
    i = int(frame[3])
    steps = int(c.num_steps[location])
    if i == steps:
        pop(s)
        return
    frame[3] += 1
    # F9a: all requirements are judged before the first step; later on what has become impossible is left out.
    for later in range(i, steps if i == 0 else i + 1):
        if not is_possible(s, c, seat, location, later):
            if i == 0:
                pop(s)
                draw(s, seat, 1)
            return
    take_step(s, c, seat, location, i)


@kernel
def is_possible(s, c, seat, location, i):
    """Return whether a step's requirement is met; most have none."""
    step = int(c.step[location, i])
    number = int(c.number[location, i])
    if step == COST:
        return can_pay(s, c, seat, NUM_LOCATIONS + location, 0)
    if step == TRADE:
        return has_for(s, seat, int(c.fruit[location, i])) and anybody_else_has_cards(s, seat)
    if step == SALVAGE:
        return total(s.discards) > 0
    if step == FILL:
        return s.hand_size[seat] < number
    if step == MIX:
        return total(s.mix_stack) > 0
    if step == COPY:
        return anything_to_copy(s, c)
    if step == ORDER:
        return can_order(s, c, seat, number)
    return True


@kernel
def has_for(s, seat, fruit):
    """Return whether a seat holds a card that can stand for a fruit, or for any (F27a)."""
    for card in range(s.hand.shape[1]):
        if s.hand[seat, card] > 0 and serves(card, fruit):
            return True
    return False


@kernel
def serves(card, fruit):
    """F27: a mix serves as either of its types."""
    return fruit == ANY or (ITEM_TYPES[card] >> fruit) & 1 != 0


@kernel
def anything_to_copy(s, c):
    for slot in range(int(s.num_stacks)):
        if c.copies[int(s.stacks[slot])] == 0:
            return True
    return False


@kernel
def take_step(s, c, seat, location, i):
    """Take one step, or ask for what it leaves to choose."""
    step = int(c.step[location, i])
    n = int(c.number[location, i])
    if draws(step):
        draw(s, seat, count_drawn(s, seat, step, n))
    elif step == ALL_DRAW:
        all_draw(s, seat, n)
    elif step == DISCARD:
        push(s, DISCARDING, seat, 0, n, -1, 0)
    elif step == GIFT_EACH:
        gift_each(s, seat, n)
    elif step == GAMBLE:
        push(s, GAMBLING, seat, 0, n, 0, 0)
        turn_up_another(s, seat)  # the first is turned up unasked
    elif step == STEAL_EACH:
        steal_each(s, seat, n)
    elif step == EACH_GIVES:
        each_gives(s, seat, n)
    elif step == PASS:
        pass_cards(s, seat)
    elif step == COST:
        begin_payment(s, seat, NUM_LOCATIONS + location, 0)
    elif step == SALVAGE:
        push(s, FRUIT, seat, SALVAGE, min(n, total(s.discards)), -1, 0)
    elif step == MARKET:
        market(s, seat, n)
    elif step == REFRESH:
        push(s, REFRESHING, seat, 0, n, -1, 0)
    elif step == FRUIT_TOKEN:
        if lacks_fruit_token(s, seat):
            push(s, FRUIT, seat, FRUIT_TOKEN, 0, 0, 0)
    elif step == WILD_TOKEN and wild_tokens_left(s) > 0:
        s.wild_tokens[seat] += 1
    elif step == TURN_TOKEN and turn_tokens_left(s) > 0:
        s.turn_tokens[seat] += 1
    elif step == MIX:
        draw_mixes(s, seat, n)
    elif step in (THIEF, COPY, ORDER):
        push(s, STACK, seat, step, n, 0, 0)
    elif concerns_anybody(s, seat, step, n):  # gift, trade, swap, swap_hands, steal, ask, a token from another player
        push(s, PLAYER, seat, step, n, int(c.fruit[location, i]), 0)


# --- steps that only draw ---------------------------------------------------------------------------------------------


@kernel
def draws(step):
    return step in (DRAW, FILL, MISSING, PER_JUICE, CATCH_UP)


@kernel
def count_drawn(s, seat, step, n):
    """Return how many fruits such a step draws."""
    if step == FILL:
        return n - int(s.hand_size[seat])
    if step == MISSING:
        return min(n, count_missing(s, seat))
    if step == PER_JUICE:
        return n + int(s.juices[seat])
    if step == CATCH_UP:
        return min(n, 1 + count_behind(s, seat))
    return n


@kernel
def count_missing(s, seat):
    """F27a: plain fruits alone count."""
    missing = 0
    for fruit in range(FIRST_MIX):
        missing += s.hand[seat, fruit] == 0
    return missing


@kernel
def count_behind(s, seat):
    """Return by how many juices the leader is ahead."""
    most = 0
    for other in range(int(s.num_players)):
        most = max(most, int(s.juices[other]))
    return most - int(s.juices[seat])


# --- whom a step can concern ------------------------------------------------------------------------------------------


@kernel
def concerns(s, seat, other, step, n):
    """Return whether another player can be chosen for a step."""
    if step == GIFT:
        return s.hand_size[seat] > 0
    if step == SWAP_HANDS:
        return int(s.hand_size[other]) <= int(s.hand_size[seat]) + n
    if step == WILD_TOKEN:
        return s.wild_tokens[other] > 0
    if step == TURN_TOKEN:
        return s.turn_tokens[other] > 0
    return s.hand_size[other] > 0  # F10a


@kernel
def concerns_anybody(s, seat, step, n):
    """Return whether anybody can be chosen, and something would come of it."""
    for steps in range(1, int(s.num_players)):
        other = seat_after(s, seat, steps)
        comes_of_it = step != SWAP_HANDS or s.hand_size[seat] > 0 or s.hand_size[other] > 0
        if comes_of_it and concerns(s, seat, other, step, n):
            return True
    return False


# --- steps that concern all players -----------------------------------------------------------------------------------


@kernel
def all_draw(s, seat, n):
    for steps in range(1, int(s.num_players)):
        draw(s, seat_after(s, seat, steps), n)


@kernel
def gift_each(s, seat, n):
    """F10a: clockwise, so the last is put on the stack first; a hand that is empty by then gives nothing."""
    for steps in range(int(s.num_players) - 1, 0, -1):
        push(s, GIVE, seat, seat_after(s, seat, steps), n, -1, GIVEN)


@kernel
def steal_each(s, seat, n):
    for steps in range(1, int(s.num_players)):
        other = seat_after(s, seat, steps)
        if s.hand_size[other] >= RICH:
            take_at_random(s, seat, other, n)


@kernel
def each_gives(s, seat, n):
    for steps in range(int(s.num_players) - 1, 0, -1):
        other = seat_after(s, seat, steps)
        if s.hand_size[other] >= RICH:
            push(s, GIVE, other, seat, n, -1, GIVEN)


@kernel
def pass_cards(s, seat):
    """All choose unseen, the mover first, so it lies on top."""
    for steps in range(int(s.num_players) - 1, -1, -1):
        other = seat_after(s, seat, steps)
        if s.hand_size[other] > 0:
            push(s, PASSING, other, 0, 0, 0, 0)


# --- steps that turn up fruits ----------------------------------------------------------------------------------------


@kernel
def turn_up_another(s, seat):
    """A type that shows twice loses all that is turned up; after the last, or with none left, they are kept."""
    frame = top(s)
    fruit = turn_up_fruit(s)
    if fruit >= 0:
        frame[3] -= 1
        s.turned[fruit] += 1
        if s.turned[fruit] > 1:
            discard_turned(s)
            pop(s)
            return
    if frame[3] == 0 or no_fruit_left(s):
        keep_turned(s, seat)
        pop(s)


@kernel
def keep_turned(s, seat):
    for fruit in range(NUM_FRUITS):
        for _ in range(int(s.turned[fruit])):
            gain(s, seat, fruit)
        s.turned[fruit] = 0


@kernel
def discard_turned(s):
    for fruit in range(NUM_FRUITS):
        s.discards[fruit] += s.turned[fruit]
        s.turned[fruit] = 0


@kernel
def market(s, seat, n):
    found = False
    for _ in range(n):
        fruit = turn_up_fruit(s)
        if fruit >= 0:
            s.turned[fruit] += 1
            found = True
    if found:
        push(s, FRUIT, seat, MARKET, 0, 0, 0)


# --- tokens and payments ----------------------------------------------------------------------------------------------


@kernel
def lacks_fruit_token(s, seat):
    for fruit in range(NUM_FRUITS):
        if s.token_owner[fruit] != seat:
            return True
    return False


@common_kernel
def begin_payment(s, seat, row, more):
    push(s, PAY, seat, row, more, -1, 0)
