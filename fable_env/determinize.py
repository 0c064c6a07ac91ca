"""Other games that look the same to a seat: hidden cards dealt anew, uniformly (F14, F27: the stacks have no order)."""

from fable_env.between_games import keep_stream
from fable_env.campaign import CARDS, HAS_STREAM
from fable_env.hands import gain, nth_card, total
from fable_env.rules import legal_actions
from fable_env.sets import FIRST_MIX, NUM_CARDS_HELD
from fable_env.state import GIVE, NOTHING, NUM_ACTIONS, TRADED
from fable_env.steering import steer
from fable_env.steps import serves
from tablezoo.game import kernel
from tablezoo.pending import top, top_kind
from tablezoo.rng import below
from tablezoo.seating import seat_after

UNIFORM_DEALS, MOST_DEALS = 200_000, 1_000_000
NO_DEAL = f"{MOST_DEALS} deals contradict what all have seen: no play leads here"


@kernel
def determinize(s, c, seat):
    """Deal the other hands and the cards that lie aside anew; deals that contradict what all have seen are redrawn.

    So all others are as likely. Only where the seat asked can pay a price so dear that none of many deals lets it, its
    hand is dealt towards that price: some hand that can pay, but not each as likely.
    """
    forget_deal(s)
    forget_order(s, seat)
    chooses = s.ended == 0 and s.seat != seat and has_choice(s, c)
    for deals in range(MOST_DEALS):
        mixes = gather_hidden(s, seat)
        if chooses and deals >= UNIFORM_DEALS:
            deal_steered(s, c, seat, mixes)
        else:
            deal_hidden(s, seat, mixes)
        if offers_what_was_asked(s, c, seat) and (not chooses or has_choice(s, c)):
            return
    raise RuntimeError(NO_DEAL)


@kernel
def forget_deal(s):
    """F21: what the game was dealt from would tell all hands; it stands as if it were dealt from the copy's stream."""
    keep_stream(s)
    for i in range(HAS_STREAM, CARDS):
        s.campaign[i] = 0


@kernel
def forget_order(s, seat):
    """Nothing follows from the card that another seat gave last for the next (F10b): only who gets it could know it.

    That who gets it does not draw on it either is a simplification.
    """
    if top_kind(s) == GIVE:
        frame = top(s)
        if frame[1] != seat:
            frame[4] = -1


@kernel
def gather_hidden(s, seat):
    """Lay all hidden cards on their stacks, sizes and who has a card aside kept; return how many of them are mixes."""
    mixes = 0
    for other in range(int(s.num_players)):
        if other != seat:
            for card in range(NUM_CARDS_HELD):
                mixes += lay_back(s, card, int(s.hand[other, card]))
                s.hand[other, card] = 0
            if s.aside[other] != NOTHING:
                mixes += lay_back(s, int(s.aside[other]), 1)
    return mixes


@kernel
def lay_back(s, card, number):
    """Lay equal cards on their stack; return how many mixes these are."""
    if card < FIRST_MIX:
        s.fruit_stack[card] += number
        return 0
    s.mix_stack[card - FIRST_MIX] += number
    return number


@kernel
def deal_hidden(s, seat, mixes):
    """Each hidden place gets one of the mixes that hands hold, or a fruit: all deals are as likely."""
    places = count_hidden(s, seat)
    for other in range(int(s.num_players)):
        if other != seat:
            mixes -= deal_to(s, other, places, mixes)
            places -= places_of(s, other)


@kernel
def deal_steered(s, c, seat, mixes):
    """The same, the seat asked first, which then may exchange fruits with the stack, where all others still lie."""
    places = count_hidden(s, seat)
    for steps in range(int(s.num_players)):
        other = seat_after(s, int(s.seat), steps)
        if other != seat:
            mixes -= deal_to(s, other, places, mixes)
            places -= places_of(s, other)
        if steps == 0:
            steer(s, c)


@kernel
def count_hidden(s, seat):
    places = 0
    for other in range(int(s.num_players)):
        if other != seat:
            places += places_of(s, other)
    return places


@kernel
def places_of(s, other):
    """Return how many cards a seat has, in hand and aside."""
    return int(s.hand_size[other]) + int(s.aside[other] != NOTHING)


@kernel
def deal_to(s, other, places, mixes):
    """Deal to one seat, of all the places and mixes that are left; return how many mixes it got."""
    size = int(s.hand_size[other])
    s.hand_size[other] = 0
    dealt = 0
    for i in range(size):
        card = deal_card(s, places - i, mixes - dealt)
        dealt += card >= FIRST_MIX
        gain(s, other, card)
    if s.aside[other] != NOTHING:
        s.aside[other] = deal_card(s, places - size, mixes - dealt)
        dealt += s.aside[other] >= FIRST_MIX
    return dealt


@kernel
def deal_card(s, places, mixes):
    if below(s.rng, places) < mixes:
        mix = nth_card(s.mix_stack, below(s.rng, total(s.mix_stack)))
        s.mix_stack[mix] -= 1
        return FIRST_MIX + mix
    fruit = nth_card(s.fruit_stack, below(s.rng, total(s.fruit_stack)))
    s.fruit_stack[fruit] -= 1
    return fruit


# --- what all have seen -----------------------------------------------------------------------------------------------


@kernel
def offers_what_was_asked(s, c, seat):
    """Return whether what another seat has laid aside in a trade is the fruit that was asked for."""
    if top_kind(s) == GIVE:
        frame = top(s)
        giver = int(frame[2])
        if frame[5] == TRADED and giver != seat and not serves(int(s.aside[giver]), traded_fruit(s, c)):
            return False
    return True


@kernel
def has_choice(s, c):
    """Return whether who is asked has a choice, or nobody would be asked."""
    legal_actions(s, c, s.allowed)
    choices = 0
    for action in range(NUM_ACTIONS):
        choices += s.allowed[action]
        s.allowed[action] = False
    return choices > 1


@kernel
def traded_fruit(s, c):
    """Return the fruit that the trade under way asks for: its action lies below."""
    below_top = int(s.pending_size) - 2
    location = int(s.pending[below_top, 2])
    return int(c.fruit[location, int(s.pending[below_top, 3]) - 1])
