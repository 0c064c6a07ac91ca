"""The cowboy deck, the used pile and the hands (M2, M8, M18, M20)."""

from mustang_env.state import COWBOY, EMPTY, HAND, NUM_CARDS
from tablezoo.game import kernel
from tablezoo.rng import shuffle


@kernel
def draw(s):
    """Take the top card off a deck that has one."""
    card = int(s.deck[int(s.deck_top)])
    s.deck[int(s.deck_top)] = EMPTY
    s.deck_top = (int(s.deck_top) + 1) % NUM_CARDS
    s.deck_size -= 1
    return card


@kernel
def put_under(s, card):
    """Lay a card under the deck."""
    s.deck[(int(s.deck_top) + int(s.deck_size)) % NUM_CARDS] = card
    s.deck_size += 1


@kernel
def renew_deck(s):
    """M20: shuffle the used pile into a new deck; an event is due (one at most in an action, M20a)."""
    size = 0
    for card in range(COWBOY + 1):
        for _ in range(int(s.used[card])):
            s.deck[size] = card
            size += 1
        s.used[card] = 0
    shuffle(s.rng, s.deck, size)
    blank_deck(s, size, NUM_CARDS)
    s.deck_top = 0
    s.deck_size = size
    s.event_due = 1


@kernel
def blank_deck(s, start, end):
    """Empty the cells of the ring that hold no card, so that nothing is to be read there."""
    for i in range(start, end):
        s.deck[i] = EMPTY


@kernel
def use_card(s, seat, slot):
    """M18: lay a hand card on the used pile; return it."""
    card = int(s.hand[seat, slot])
    s.used[card] += 1
    s.hand[seat, slot] = EMPTY
    return card


@kernel
def refill(s, seat):
    """M18: draw up to six cards; M20: a deck whose last card is drawn is renewed at once."""
    for slot in range(HAND):
        if s.hand[seat, slot] == EMPTY:
            s.hand[seat, slot] = draw(s)
            if s.deck_size == 0:
                renew_deck(s)
    sort_hand(s.hand[seat])


@kernel
def sort_hand(hand):
    """Sort a hand by card; empty slots, the highest number, come last."""
    for i in range(1, HAND):
        card = int(hand[i])
        slot = i
        while slot > 0 and hand[slot - 1] > card:
            hand[slot] = hand[slot - 1]
            slot -= 1
        hand[slot] = card
