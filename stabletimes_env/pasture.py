"""Hands, fields, deck and discard pile (S5, S8, S13 to S17, S31, S32)."""

from stabletimes_env.sets import NUM_HORSES, WILD
from stabletimes_env.state import EMPTY, HAND, NUM_FIELDS
from tablezoo.game import kernel
from tablezoo.rng import shuffle

CROWD, SOLO_CROWD = 3, 2

# --- deck and discard pile (S16) --------------------------------------------------------------------------------------


@kernel
def draw(s):
    """Take the top horse of the deck; EMPTY if there is none in deck or discard pile (S16)."""
    if s.deck_size == 0:
        renew_deck(s)
        if s.deck_size == 0:
            return EMPTY
    top = int(s.deck_size) - 1
    horse = int(s.deck[top])
    s.deck[top] = EMPTY
    s.deck_size = top
    return horse


@kernel
def renew_deck(s):
    """S16: shuffle the discard pile into the deck."""
    size = 0
    for horse in range(NUM_HORSES):
        if s.pile[horse] != 0:
            s.deck[size] = horse
            s.pile[horse] = 0
            size += 1
    shuffle(s.rng, s.deck, size)
    s.deck_size = size
    s.pile_size = 0
    for type_ in range(s.pile_types.shape[0]):
        for discipline in range(s.pile_types.shape[1]):
            s.pile_types[type_, discipline] = 0
    for kind in range(s.pile_preferences.size):
        s.pile_preferences[kind] = 0


@kernel
def lay_on_pile(s, c, horse):
    s.pile[horse] = 1
    s.pile_size += 1
    s.pile_types[int(c.type[horse]), int(c.discipline[horse])] += 1
    s.pile_preferences[int(c.preference[horse])] += 1


# --- a hand -----------------------------------------------------------------------------------------------------------


@kernel
def take_from_hand(s, seat, slot):
    """Take the horse out of a slot; the slot stays empty until the hand is sorted."""
    horse = int(s.hand[seat, slot])
    s.hand[seat, slot] = EMPTY
    s.shown[seat, slot] = 0
    return horse


@kernel
def fill_hand(s, seat):
    """Draw up to three horses (S15); with none left to draw the hand stays short (S16)."""
    for slot in range(HAND):
        if s.hand[seat, slot] == EMPTY:
            s.hand[seat, slot] = draw(s)
    sort_hand(s, seat)


@kernel
def discard_hand(s, c, seat):
    """S13: the whole hand goes to the discard pile."""
    for slot in range(HAND):
        if s.hand[seat, slot] != EMPTY:
            lay_on_pile(s, c, take_from_hand(s, seat, slot))


@kernel
def sort_hand(s, seat):
    """Sort a hand in the order of the content file, empty slots last; what is shown stays with its horse."""
    first = slot_key(s, seat, 0)
    second = slot_key(s, seat, 1)
    third = slot_key(s, seat, 2)
    lower = min(first, second)
    upper = max(first, second)
    set_slot(s, seat, 0, min(lower, third))
    set_slot(s, seat, 1, max(lower, min(upper, third)))
    set_slot(s, seat, 2, max(upper, third))


@kernel
def slot_key(s, seat, slot):
    return 2 * int(s.hand[seat, slot]) + int(s.shown[seat, slot])


@kernel
def set_slot(s, seat, slot, key):
    s.hand[seat, slot] = key >> 1
    s.shown[seat, slot] = key & 1


# --- the fields -------------------------------------------------------------------------------------------------------


@kernel
def fields_in_play(s):
    """S5: three fields; S31: two in solo."""
    return NUM_FIELDS - 1 if s.num_players == 1 else NUM_FIELDS


@kernel
def put_on_field(s, field, horse):
    s.field[field, int(s.field_size[field])] = horse
    s.field_size[field] += 1


@kernel
def take_from_field(s, field):
    """Take the top horse of a field that has one."""
    top = int(s.field_size[field]) - 1
    horse = int(s.field[field, top])
    s.field[field, top] = EMPTY
    s.field_size[field] = top
    return horse


@kernel
def refill_pasture(s, c):
    """S15: a horse for each empty field; then a crowd clears the pasture, once, for a new horse on each field."""
    for field in range(fields_in_play(s)):
        if s.field_size[field] == 0:
            turn_up(s, field)
    if is_crowded(s, c):
        for field in range(fields_in_play(s)):
            clear_field(s, c, field)
        for field in range(fields_in_play(s)):
            turn_up(s, field)


@kernel
def turn_up(s, field):
    horse = draw(s)
    if horse != EMPTY:
        put_on_field(s, field, horse)


@kernel
def crowd(s):
    """S15: three horses of one type clear the pasture; S32: two in solo."""
    return SOLO_CROWD if s.num_players == 1 else CROWD


@kernel
def is_crowded(s, c):
    """Return whether the fields hold a crowd of one type, wild horses aside (S15)."""
    enough = crowd(s)
    counts = 0  # four bits a type
    for field in range(fields_in_play(s)):
        for i in range(int(s.field_size[field])):
            type_ = int(c.type[int(s.field[field, i])])
            if type_ != WILD:
                counts += 1 << (4 * type_)
                if (counts >> (4 * type_)) & 15 >= enough:
                    return True
    return False


@kernel
def clear_field(s, c, field):
    """Lay all horses of a field on the discard pile."""
    for _ in range(int(s.field_size[field])):
        lay_on_pile(s, c, take_from_field(s, field))
