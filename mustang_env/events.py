"""Events (M20 to M25): the card turned up, and what the players are asked for by it."""

from mustang_env.counters import has_counters, is_gone, move_to_stable, take_from_pile, turn_up_counter
from mustang_env.scoring import count_kind
from mustang_env.state import (
    A_CORRAL,
    A_DECLINE,
    BLACK_PRINCE,
    DELIVERY,
    FIRST_TYPE,
    FOAL,
    GATE,
    HEAVY_RAIN,
    MARE,
    NUM_TYPES,
    PRIDE_OF_THE_HERD,
    RAIN,
    RAIN_MOVES,
    ROTTEN_GATE,
    STALLION,
)
from tablezoo.game import ENDED, kernel
from tablezoo.pending import pop, push, top
from tablezoo.rng import shuffle
from tablezoo.seating import seat_after

# --- the event deck -------------------------------------------------------------------------------


@kernel
def shuffle_events(s):
    """Shuffle all event cards into a new event deck."""
    total = 0
    for event in range(s.events.size):
        for _ in range(int(s.events[event])):
            s.event_deck[total] = event
            total += 1
        s.event_discards[event] = 0
    shuffle(s.rng, s.event_deck, total)
    s.event_turned = 0


@kernel
def events_left(s):
    """Return how many cards the event deck still has."""
    total = 0
    for event in range(s.events.size):
        total += int(s.events[event])
    return total - int(s.event_turned)


@kernel
def turn_up_event(s):
    """M20: turn up an event card and play it, or push what it asks of each player."""
    if events_left(s) == 0:  # M20a
        shuffle_events(s)
    event = int(s.event_deck[int(s.event_turned)])
    s.event_turned += 1
    s.event_discards[event] += 1
    if event == ROTTEN_GATE:
        ask_all_with_counters(s, GATE, 0)
    elif event == PRIDE_OF_THE_HERD:
        lose_pride_of_the_herd(s)
    elif event == HEAVY_RAIN:
        ask_all_with_counters(s, RAIN, RAIN_MOVES)
    elif event == DELIVERY:
        deliver(s)


@kernel
def ask_all_with_counters(s, phase, moves):
    """M21, M23: ask whoever has a counter in the corral, the dealer first: its frame is pushed last."""
    for steps in range(int(s.num_players) - 1, -1, -1):
        seat = seat_after(s, int(s.dealer), steps)
        if has_counters(s, seat):
            push(s, phase, seat, moves, 0, 0, 0)


# --- the events -----------------------------------------------------------------------------------


@kernel
def open_gate(s, seat, action):
    """M21: the chosen counter returns to the prairie, face up."""
    pop(s)
    s.corral[seat, action - A_CORRAL] -= 1
    s.prairie[action - A_CORRAL] += 1


@kernel
def lose_pride_of_the_herd(s):
    """M22: the face-up counters leave the game, one for one replaced; a kind that is gone ends the game."""
    for kind in range(3):
        left = 0
        for type_ in range(FIRST_TYPE[kind], FIRST_TYPE[kind + 1]):
            left += int(s.prairie[type_])
            remove(s, type_)
        for _ in range(left):
            turn_up_counter(s, kind)
        if is_gone(s, kind):
            s.ended = ENDED
    for type_ in range(BLACK_PRINCE, NUM_TYPES):
        remove(s, type_)


@kernel
def remove(s, type_):
    """Take the face-up counters of a type out of the game."""
    s.removed[type_] += s.prairie[type_]
    s.prairie[type_] = 0


@kernel
def move_in_rain(s, seat, action):
    """M23: a counter goes to the stable, or the seat stops; the first with a herd has finished the game."""
    frame = top(s)
    frame[2] -= 1
    if action != A_DECLINE and move_to_stable(s, seat, action - A_CORRAL) and s.finisher < 0:
        s.finisher = seat
    if action == A_DECLINE or frame[2] == 0 or not has_counters(s, seat):
        pop(s)


@kernel
def deliver(s):
    """M24: from the dealer on, a stallion and a mare in the stable bring the top foal of the pile."""
    for steps in range(int(s.num_players)):
        seat = seat_after(s, int(s.dealer), steps)
        bred = count_kind(s.stable[seat], STALLION) > 0 and count_kind(s.stable[seat], MARE) > 0
        if bred and s.pile_size[FOAL] > 0:
            s.corral[seat, take_from_pile(s, FOAL)] += 1
