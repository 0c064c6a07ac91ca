"""The decisions inside a turn: who may be chosen, which card, which fruit, which stack, and what comes of it."""

from fable_env.hands import (
    draw,
    gain,
    hand_over,
    lay_down,
    lose,
    swap_hands,
    take_at_random,
)
from fable_env.payment import allow_payable, allow_payment
from fable_env.sets import (
    ASK,
    COPY,
    FIRST_TOKEN,
    FRUIT_TOKEN,
    GIFT,
    MARKET,
    NUM_FRUITS,
    NUM_ITEMS,
    NUM_LOCATIONS,
    ORDER,
    SALVAGE,
    STEAL,
    SWAP,
    SWAP_HANDS,
    THIEF,
    TRADE,
    WILD_TOKEN,
)
from fable_env.stacks import take_juice
from fable_env.state import (
    A_CARD,
    A_FRUIT,
    A_GO_ON,
    A_PLAYER,
    A_STACK,
    A_STOP,
    FRUIT,
    GIVE,
    GIVEN,
    NOTHING,
    OFFER,
    PASSING,
    TRADED,
)
from fable_env.steps import (
    begin_action,
    begin_payment,
    concerns,
    discard_turned,
    keep_turned,
    serves,
    turn_up_another,
)
from tablezoo.game import common_kernel, kernel
from tablezoo.pending import pop, push, top, top_kind
from tablezoo.seating import seat_after

# --- a player (F10, F10a) ---------------------------------------------------------------------------------------------


@kernel
def allow_players(s, seat, mask):
    frame = top(s)
    step = int(frame[2])
    n = int(frame[3])
    for steps in range(1, int(s.num_players)):
        mask[A_PLAYER + steps - 1] = concerns(s, seat, seat_after(s, seat, steps), step, n)


@kernel
def choose_player(s, seat, other):
    """Go on with the step for which ``other`` was chosen."""
    frame = top(s)
    step = int(frame[2])
    n = int(frame[3])
    fruit = int(frame[4])
    pop(s)
    given = min(n, int(s.hand_size[other]))
    if step == GIFT:
        push(s, GIVE, seat, other, min(n, int(s.hand_size[seat])), -1, GIVEN)
    elif step == TRADE:
        push(s, OFFER, seat, other, n, fruit, 0)
    elif step == SWAP:
        push(s, GIVE, seat, other, given, -1, GIVEN)  # as many back, once the others are given
        push(s, GIVE, other, seat, given, -1, GIVEN)
    elif step == SWAP_HANDS:
        swap_hands(s, seat, other)
    elif step == STEAL:
        take_at_random(s, seat, other, n)
    elif step == ASK:
        push(s, FRUIT, seat, ASK, n, other, 0)
    elif step == WILD_TOKEN:  # F26
        s.wild_tokens[other] -= 1
        s.wild_tokens[seat] += 1
    else:
        s.turn_tokens[other] -= 1
        s.turn_tokens[seat] += 1


# --- cards of the own hand (F10b) -------------------------------------------------------------------------------------


@common_kernel
def allow_in_order(counts, left, last, mask):
    """F10b: of kinds counted none before one already chosen, each only if enough can follow."""
    behind = 0
    for kind in range(counts.size - 1, max(last, 0) - 1, -1):
        have = int(counts[kind])
        behind += have
        mask[kind] = have > 0 and behind >= left


@kernel
def allow_cards(s, seat, left, last, mask):
    allow_in_order(s.hand[seat], left, last, mask[A_CARD:])


@kernel
def give_card(s, seat, card):
    frame = top(s)
    hand_over(s, seat, int(frame[2]), card)
    frame[3] -= 1
    frame[4] = card


@kernel
def end_giving(s):
    """A trade is over when the card that lay aside has come to who gave for it."""
    frame = top(s)
    giver = int(frame[1])
    other = int(frame[2])
    if frame[5] == TRADED:
        gain(s, giver, int(s.aside[other]))
        s.aside[other] = NOTHING
    pop(s)


@kernel
def discard_card(s, seat, card):
    frame = top(s)
    lay_down(s, seat, card)
    frame[3] -= 1
    frame[4] = card


@kernel
def allow_refreshing(s, seat, last, mask):
    allow_cards(s, seat, 1, last, mask)
    mask[A_STOP] = True


@kernel
def refresh(s, seat, action):
    """Discard another card, or draw as many as were discarded and n more."""
    frame = top(s)
    if action == A_STOP:
        number = int(frame[2]) + int(frame[3])
        pop(s)
        draw(s, seat, number)
    else:
        lay_down(s, seat, action - A_CARD)
        frame[2] += 1
        frame[4] = action - A_CARD


@kernel
def allow_offers(s, seat, fruit, mask):
    for card in range(FIRST_TOKEN):
        mask[A_CARD + card] = s.hand[seat, card] > 0 and serves(card, fruit)


@kernel
def offer(s, seat, card):
    """F10b: the card lies aside until the other player has given."""
    frame = top(s)
    other = int(frame[2])
    n = int(frame[3])
    pop(s)
    lose(s, seat, card)
    s.aside[seat] = card
    push(s, GIVE, other, seat, min(n, int(s.hand_size[other])), -1, TRADED)


@kernel
def pass_card(s, seat, card):
    """All have chosen when nobody is left to ask: then all cards move to the left."""
    pop(s)
    lose(s, seat, card)
    s.aside[seat] = card
    if top_kind(s) != PASSING:
        for other in range(int(s.num_players)):
            if s.aside[other] != NOTHING:
                gain(s, seat_after(s, other, 1), int(s.aside[other]))
                s.aside[other] = NOTHING


# --- a payment (F11, F11a) --------------------------------------------------------------------------------------------


@kernel
def allow_paying(s, c, seat, mask):
    frame = top(s)
    allow_payment(s, c, seat, int(frame[2]), int(frame[3]), int(frame[4]), mask)


@kernel
def pay(s, c, seat, item):
    """Each item moves as it is chosen; with the last one a juice is bought, or a cost is paid."""
    frame = top(s)
    row = int(frame[2])
    signs = int(c.signs[row]) + int(frame[3])
    lay_down(s, seat, item)
    s.paid[item] += 1
    frame[4] = item
    for other in range(NUM_ITEMS):
        signs -= int(s.paid[other])
    if signs == 0:
        pop(s)
        for other in range(NUM_ITEMS):
            s.paid[other] = 0
        if row < NUM_LOCATIONS:
            take_juice(s, seat, row)


# --- a fruit ----------------------------------------------------------------------------------------------------------


@kernel
def allow_fruits(s, seat, mask):
    frame = top(s)
    step = int(frame[2])
    if step == SALVAGE:
        allow_in_order(s.discards, int(frame[3]), int(frame[4]), mask[A_FRUIT:])
        return
    for fruit in range(NUM_FRUITS):
        if step == MARKET:
            mask[A_FRUIT + fruit] = s.turned[fruit] > 0
        elif step == FRUIT_TOKEN:
            mask[A_FRUIT + fruit] = s.token_owner[fruit] != seat
        else:
            mask[A_FRUIT + fruit] = True


@kernel
def name_fruit(s, seat, fruit):
    frame = top(s)
    step = int(frame[2])
    if step == SALVAGE:
        s.discards[fruit] -= 1
        gain(s, seat, fruit)
        frame[3] -= 1
        frame[4] = fruit
        if frame[3] == 0:
            pop(s)
        return
    n = int(frame[3])
    asked = int(frame[4])
    pop(s)
    if step == MARKET:
        take_from_market(s, seat, fruit)
    elif step == FRUIT_TOKEN:  # F24: from the supply or from the player who holds it
        s.token_owner[fruit] = seat
    else:  # ask; F27a: plain fruits alone
        for _ in range(min(n, int(s.hand[asked, fruit]))):
            hand_over(s, asked, seat, fruit)


@kernel
def take_from_market(s, seat, fruit):
    for _ in range(int(s.turned[fruit])):
        gain(s, seat, fruit)
    s.turned[fruit] = 0
    discard_turned(s)


# --- a stack ----------------------------------------------------------------------------------------------------------


@kernel
def allow_stacks(s, c, seat, mask):
    frame = top(s)
    step = int(frame[2])
    if step == ORDER:
        allow_payable(s, c, seat, int(frame[3]), mask)
        return
    for slot in range(int(s.num_stacks)):
        mask[A_STACK + slot] = step == THIEF or c.copies[int(s.stacks[slot])] == 0


@kernel
def choose_stack(s, seat, location):
    frame = top(s)
    step = int(frame[2])
    n = int(frame[3])
    pop(s)
    if step == THIEF:  # F28
        s.thief = location
        s.thief_owner = seat
    elif step == COPY:
        begin_action(s, seat, location)
    else:
        begin_payment(s, seat, location, n)


# --- gamble -----------------------------------------------------------------------------------------------------------


@kernel
def gamble_on(s, seat, action):
    if action == A_GO_ON:
        turn_up_another(s, seat)
    else:
        pop(s)
        keep_turned(s, seat)
