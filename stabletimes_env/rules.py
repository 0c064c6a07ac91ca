"""The game in the rulebook's reading order: setup, the four parts of a turn, the end."""

from stabletimes_env.pasture import (
    discard_hand,
    draw,
    fields_in_play,
    fill_hand,
    put_on_field,
    refill_pasture,
    sort_hand,
    take_from_field,
    take_from_hand,
    turn_up,
)
from stabletimes_env.scoring import update_points
from stabletimes_env.sets import EXCEEDED, NUM_AISLES, NUM_BOARDS, NUM_HORSES
from stabletimes_env.stable import complete_aisles, count_placements, earns_upgrade, fits, stand_in_aisle
from stabletimes_env.state import (
    A_DISCARD,
    A_PLACE,
    A_STOP,
    A_SWAP,
    DISCARD,
    EMPTY,
    FROM_DECK,
    HAND,
    NO_BOARD,
    NO_TYPE,
    NUM_FIELDS,
    OTHER_FIELD,
    PLACE,
    PLACE_AGAIN,
    SOURCES,
    SWAP,
)
from tablezoo.game import ENDED, TRUNCATED, kernel
from tablezoo.rng import below, shuffle
from tablezoo.seating import seat_after

LAST_AISLES = 3

# --- setup (S6, S7) ---------------------------------------------------------------------------------------------------


@kernel
def reset(s, c):
    """Give out the boards, shuffle, draw the start seat, deal, and turn up a horse on each field."""
    clear_table(s)
    give_boards(s, c)
    for horse in range(NUM_HORSES):
        s.deck[horse] = horse
    shuffle(s.rng, s.deck, NUM_HORSES)
    s.deck_size = NUM_HORSES
    s.starter = s.start_seat if s.start_seat >= 0 else below(s.rng, int(s.num_players))
    for steps in range(int(s.num_players)):
        fill_hand(s, seat_after(s, int(s.starter), steps))
    for field in range(fields_in_play(s)):
        turn_up(s, field)
    begin_turn(s, int(s.starter))


@kernel
def clear_table(s):
    """Empty all slots, stalls and fields: a record starts with zeros, and 0 is a horse."""
    for seat in range(s.board.size):
        for slot in range(HAND):
            s.hand[seat, slot] = EMPTY
        for aisle in range(NUM_AISLES):
            s.aisle_type[seat, aisle] = NO_TYPE
            for stall in range(s.stall.shape[2]):
                s.stall[seat, aisle, stall] = EMPTY
    for field in range(NUM_FIELDS):
        for place in range(s.field.shape[1]):
            s.field[field, place] = EMPTY


@kernel
def give_boards(s, c):
    """S6: no two boards the same, as the option says or drawn; S30: in solo none that counts opponents."""
    players = int(s.num_players)
    drawn = s.boards[0] == NO_BOARD
    size = 0
    for board in range(NUM_BOARDS):
        if not drawn:
            s.board[board] = s.boards[board]
        elif players > 1 or c.board_condition[board] != EXCEEDED:
            s.board[size] = board
            size += 1
    if drawn:
        shuffle(s.rng, s.board, size)
    for seat in range(players, s.board.size):
        s.board[seat] = NO_BOARD


# --- what may be done -------------------------------------------------------------------------------------------------


@kernel
def legal_actions(s, c, mask):
    """Allow what ``s.seat`` may do in the phase of its turn."""
    seat = int(s.seat)
    if s.phase == SWAP:
        allow_swaps(s, seat, mask)
    elif s.phase == DISCARD:
        allow_discards(s, seat, mask)
    else:
        allow_placements(s, c, seat, mask)
    mask[A_STOP] = s.phase != PLACE


@kernel
def allow_swaps(s, seat, mask):
    """S8, S8a: any horse onto any field, for the deck's or another field's top horse."""
    fields = fields_in_play(s)
    deck_has_one = s.deck_size > 0 or s.pile_size > 0
    for slot in range(HAND):
        if s.hand[seat, slot] != EMPTY:
            for field in range(fields):
                action = A_SWAP + (slot * NUM_FIELDS + field) * SOURCES
                mask[action + FROM_DECK] = deck_has_one
                for source in range(FROM_DECK + 1, SOURCES):
                    other = OTHER_FIELD[field, source]
                    mask[action + source] = other < fields and s.field_size[other] > 0


@kernel
def allow_placements(s, c, seat, mask):
    """S9: a horse into an aisle where it fits, not twice into one in a turn."""
    for slot in range(HAND):
        horse = int(s.hand[seat, slot])
        if horse != EMPTY:
            for aisle in range(NUM_AISLES):
                again = aisle == s.first_aisle
                mask[A_PLACE + slot * NUM_AISLES + aisle] = not again and fits(s, seat, aisle, int(c.type[horse]))


@kernel
def allow_discards(s, seat, mask):
    """S14: any horse that is left, onto any field."""
    for slot in range(HAND):
        if s.hand[seat, slot] != EMPTY:
            for field in range(fields_in_play(s)):
                mask[A_DISCARD + slot * NUM_FIELDS + field] = True


# --- a decision -------------------------------------------------------------------------------------------------------


@kernel
def step(s, c, action):
    """Play one legal action of ``s.seat``."""
    seat = int(s.seat)
    if s.phase == SWAP:
        if action != A_STOP:
            swap(s, seat, action - A_SWAP)
        go_on_to_place(s, c, seat)
    elif s.phase == DISCARD:
        if action != A_STOP:
            discard(s, seat, action - A_DISCARD)
        else:
            fill_hand(s, seat)
            end_turn(s, c, seat)
    elif action != A_STOP:
        place(s, c, seat, (action - A_PLACE) // NUM_AISLES, (action - A_PLACE) % NUM_AISLES)
    else:
        s.phase = DISCARD


@kernel
def swap(s, seat, action):
    """S8: the horse lies on the field before another is taken; one from a field is known to all."""
    slot = action // (NUM_FIELDS * SOURCES)
    field = action // SOURCES % NUM_FIELDS
    source = action % SOURCES
    put_on_field(s, field, take_from_hand(s, seat, slot))
    if source == FROM_DECK:
        s.hand[seat, slot] = draw(s)
    else:
        s.hand[seat, slot] = take_from_field(s, OTHER_FIELD[field, source])
        s.shown[seat, slot] = 1
    sort_hand(s, seat)


@kernel
def go_on_to_place(s, c, seat):
    """S13: a hand that cannot be placed is discarded, three are drawn, and the turn ends."""
    if count_placements(s, c, seat) > 0:
        s.phase = PLACE
    else:
        discard_hand(s, c, seat)
        fill_hand(s, seat)
        end_turn(s, c, seat)


@kernel
def place(s, c, seat, slot, aisle):
    """S9, S18: a horse goes into an aisle, and the board is flipped as soon as that is earned."""
    horse = take_from_hand(s, seat, slot)
    sort_hand(s, seat)
    stand_in_aisle(s, c, seat, aisle, horse)
    if s.upgraded[seat] == 0 and earns_upgrade(s, seat, int(c.board_type[int(s.board[seat])])):
        s.upgraded[seat] = 1
    update_points(s, c, seat, aisle)
    if s.phase == PLACE:
        s.phase = PLACE_AGAIN
        s.first_aisle = aisle
    else:
        s.phase = DISCARD


@kernel
def discard(s, seat, action):
    """S14: a horse goes on top of a field."""
    put_on_field(s, action % NUM_FIELDS, take_from_hand(s, seat, action // NUM_FIELDS))
    sort_hand(s, seat)


# --- the end of a turn, of the game (S15, S19, S22) -------------------------------------------------------------------


@kernel
def end_turn(s, c, seat):
    """S15: the pasture is replenished; S19, S19a: the end is judged; the next seat's turn begins."""
    refill_pasture(s, c)
    if complete_aisles(s, seat) >= LAST_AISLES or (s.deck_size == 0 and s.pile_size == 0):
        s.triggered = 1
    s.turn += 1
    following = seat_after(s, seat, 1)
    if s.triggered != 0 and following == s.starter:
        s.ended = ENDED
    elif s.turn >= s.max_turns:  # S22
        s.ended = TRUNCATED
    begin_turn(s, following)


@kernel
def begin_turn(s, seat):
    s.seat = seat
    s.phase = SWAP
    s.first_aisle = -1
