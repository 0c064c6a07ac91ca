"""Other games that look the same to a seat: all that it cannot know is dealt anew."""

from mustang_env.cards import blank_deck, sort_hand
from mustang_env.events import events_left
from mustang_env.state import (
    COWBOY,
    EMPTY,
    FIRST_TYPE,
    HAND,
    NUM_CARDS,
    NUM_COWBOYS,
    PILE_TOTAL,
    PLAY,
    SWAP,
    TYPE_TOTAL,
)
from tablezoo.game import kernel
from tablezoo.pending import pop, top_kind
from tablezoo.rng import shuffle


@kernel
def determinize(s, c, seat):
    """Deal anew, uniformly: other hands, deck, piles and event deck; take back what a mover has not shown."""
    phase = top_kind(s)
    if s.seat != seat and phase in (SWAP, PLAY):
        pop(s)
    deal_cards(s, seat)
    for kind in range(3):
        deal_pile(s, kind)
    deal_events(s)


@kernel
def deal_cards(s, seat):
    """Shuffle deck and other hands together; the hands keep their sizes."""
    size = gather_hidden(s, seat)
    shuffle(s.rng, s.deck, size)
    top_card = 0
    for other in range(int(s.num_players)):
        if other == seat:
            continue
        for slot in range(HAND):
            if s.hand[other, slot] != EMPTY:
                s.hand[other, slot] = s.deck[top_card]
                top_card += 1
        sort_hand(s.hand[other])
    blank_deck(s, 0, top_card)
    blank_deck(s, size, NUM_CARDS)
    s.deck_top = top_card
    s.deck_size = size - top_card


@kernel
def gather_hidden(s, seat):
    """Lay the cards neither in the own hand nor used into ``deck``, in order; return how many they are."""
    size = 0
    slot = 0
    for card in range(COWBOY + 1):
        hidden = (NUM_COWBOYS if card == COWBOY else 1) - int(s.used[card])
        while slot < HAND and s.hand[seat, slot] == card:
            hidden -= 1
            slot += 1
        for _ in range(hidden):
            s.deck[size] = card
            size += 1
    return size


@kernel
def deal_pile(s, kind):
    """Shuffle the counters of a kind that are nowhere to be seen into its pile."""
    first = PILE_TOTAL[kind] - int(s.pile_size[kind])
    size = 0
    for type_ in range(FIRST_TYPE[kind], FIRST_TYPE[kind + 1]):
        for _ in range(count_hidden(s, type_)):
            s.pile[kind, first + size] = type_
            size += 1
    shuffle(s.rng, s.pile[kind, first:], size)


@kernel
def count_hidden(s, type_):
    """Return how many counters of a type are face down."""
    hidden = TYPE_TOTAL[type_] - int(s.prairie[type_]) - int(s.removed[type_])
    for seat in range(int(s.num_players)):
        hidden -= int(s.corral[seat, type_]) + int(s.stable[seat, type_])
    return hidden


@kernel
def deal_events(s):
    """Shuffle the event cards that were not turned up."""
    turned = int(s.event_turned)
    size = 0
    for event in range(s.events.size):
        for _ in range(int(s.events[event]) - int(s.event_discards[event])):
            s.event_deck[turned + size] = event
            size += 1
    shuffle(s.rng, s.event_deck[turned:], events_left(s))
