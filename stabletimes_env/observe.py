"""What a seat sees: all seats relative, clockwise from the one that looks; horses by their features."""

from stabletimes_env.pasture import CROWD, crowd
from stabletimes_env.sets import (
    BOARD_FEATURES,
    BOARD_LAYOUT,
    BOARD_WORDS,
    HORSE_FEATURES,
    HORSE_LAYOUT,
    HORSE_WORDS,
    NUM_AISLES,
    NUM_DISCIPLINES,
    NUM_HORSES,
    NUM_PREFERENCES,
    NUM_TYPES,
    NUM_WILD,
    STALLS,
    TYPE_HORSES,
    WORD,
)
from stabletimes_env.state import (
    EMPTY,
    FIELD_DEPTH,
    HAND,
    MAX_SEATS,
    NEIGHBOURS,
    NO_TYPE,
    NUM_FIELDS,
    PHASES,
)
from tablezoo.game import kernel
from tablezoo.layout import Layout, Part
from tablezoo.observing import as_words
from tablezoo.seating import seat_after, steps_to

OVER = len(PHASES)
TURNS_SHOWN = 100
FIELD_SHOWN = 6
"""Horses of each field that are shown one by one; those below count in ``field_types``."""
POINTS_ADDED, POINTS_SHOWN = 50, 200
KINDS_OF_HORSE = NUM_TYPES + 1
KIND_COUNTS = [TYPE_HORSES] * NUM_TYPES + [NUM_WILD]
HORSE_HIGH = HORSE_LAYOUT.high
BOARD_HIGH = BOARD_LAYOUT.high

OBSERVATION_LAYOUT = Layout(
    [
        # Horses and boards come first: they are written eight entries at once, from places that are multiples of eight.
        Part("hand", (HAND, HORSE_FEATURES), HORSE_HIGH, "own slots, each horse by its features"),
        Part("shown", (NEIGHBOURS, HAND, HORSE_FEATURES), HORSE_HIGH, "horses that all know in each other hand"),
        Part("fields", (NUM_FIELDS, FIELD_SHOWN, HORSE_FEATURES), HORSE_HIGH, "each field's first six, top first"),
        Part("stables", (MAX_SEATS, NUM_AISLES, STALLS, HORSE_FEATURES), HORSE_HIGH, "the horse in each stall"),
        Part("boards", (MAX_SEATS, BOARD_FEATURES), BOARD_HIGH, "each seat's board by its features"),
        Part("seats", MAX_SEATS, 1, "who plays; everywhere the own seat comes first, then clockwise"),
        Part("phase", OVER + 1, 1, "swap, place, place again, discard, over"),
        Part("mover", MAX_SEATS, 1, "whose turn it is"),
        Part("starter", MAX_SEATS, 1, "who began, and whose turn begins each round"),
        Part("triggered", 1, 1, "whether this round is the last"),
        Part("first_aisle", NUM_AISLES, 1, "the aisle of the turn's first horse"),
        Part("turns_left", 1, TURNS_SHOWN, "turns before the game is cut, 100 for more"),
        Part("hand_shown", HAND, 1, "own horses that all know, as they were taken from a field"),
        Part("hand_sizes", MAX_SEATS, HAND, "horses in each hand"),
        Part("field_types", (NUM_FIELDS, KINDS_OF_HORSE), KIND_COUNTS, "each field's horses by type, wild ones last"),
        Part("field_sizes", NUM_FIELDS, FIELD_DEPTH, "horses in each field"),
        Part("crowd", 1, CROWD, "horses of one type that clear the pasture"),
        Part("aisle_types", (MAX_SEATS, NUM_AISLES, NUM_TYPES), 1, "the type of each aisle that has one"),
        Part("disciplines", (MAX_SEATS, NUM_DISCIPLINES), NUM_AISLES * STALLS, "horses of each discipline in a stable"),
        Part("wilds", MAX_SEATS, NUM_WILD, "wild horses in each stable"),
        Part("upgraded", MAX_SEATS, 1, "whose board shows its upgraded side"),
        Part("points", MAX_SEATS, POINTS_SHOWN, "points if the game ended now, and 50 on top; within 0 to 200"),
        Part("deck", 1, NUM_HORSES, "horses in the deck"),
        Part("pile_size", 1, NUM_HORSES, "horses on the discard pile"),
        Part(
            "pile",
            (KINDS_OF_HORSE, NUM_DISCIPLINES + 1),
            TYPE_HORSES,
            "the discard pile by type, wild ones last, and by discipline, those without last",
        ),
        Part("pile_preferences", NUM_PREFERENCES, NUM_HORSES, "the discard pile by kind of preference"),
    ]
)

W_HAND = OBSERVATION_LAYOUT.offset("hand") // WORD
W_SHOWN = OBSERVATION_LAYOUT.offset("shown") // WORD
W_FIELDS = OBSERVATION_LAYOUT.offset("fields") // WORD
W_STABLES = OBSERVATION_LAYOUT.offset("stables") // WORD
W_BOARDS = OBSERVATION_LAYOUT.offset("boards") // WORD
O_SEATS = OBSERVATION_LAYOUT.offset("seats")
O_PHASE = OBSERVATION_LAYOUT.offset("phase")
O_MOVER = OBSERVATION_LAYOUT.offset("mover")
O_STARTER = OBSERVATION_LAYOUT.offset("starter")
O_TRIGGERED = OBSERVATION_LAYOUT.offset("triggered")
O_FIRST_AISLE = OBSERVATION_LAYOUT.offset("first_aisle")
O_TURNS_LEFT = OBSERVATION_LAYOUT.offset("turns_left")
O_HAND_SHOWN = OBSERVATION_LAYOUT.offset("hand_shown")
O_HAND_SIZES = OBSERVATION_LAYOUT.offset("hand_sizes")
O_FIELD_TYPES = OBSERVATION_LAYOUT.offset("field_types")
O_FIELD_SIZES = OBSERVATION_LAYOUT.offset("field_sizes")
O_CROWD = OBSERVATION_LAYOUT.offset("crowd")
O_AISLE_TYPES = OBSERVATION_LAYOUT.offset("aisle_types")
O_DISCIPLINES = OBSERVATION_LAYOUT.offset("disciplines")
O_WILDS = OBSERVATION_LAYOUT.offset("wilds")
O_UPGRADED = OBSERVATION_LAYOUT.offset("upgraded")
O_POINTS = OBSERVATION_LAYOUT.offset("points")
O_DECK = OBSERVATION_LAYOUT.offset("deck")
O_PILE_SIZE = OBSERVATION_LAYOUT.offset("pile_size")
O_PILE = OBSERVATION_LAYOUT.offset("pile")
O_PILE_PREFERENCES = OBSERVATION_LAYOUT.offset("pile_preferences")


@kernel
def observe(s, c, seat, out):
    """Write what ``seat`` sees."""
    words = as_words(out)
    see_turn(s, seat, out)
    see_hands(s, c, seat, out, words)
    for field in range(NUM_FIELDS):
        see_field(s, c, field, out, words)
    for steps in range(int(s.num_players)):
        see_stable(s, c, steps, seat_after(s, seat, steps), out, words)
    see_pile(s, out)


@kernel
def see_turn(s, seat, out):
    out[O_STARTER + steps_to(s, seat, s.starter)] = 1
    out[O_TRIGGERED] = s.triggered
    out[O_TURNS_LEFT] = min(int(s.max_turns) - int(s.turn), TURNS_SHOWN)
    out[O_CROWD] = crowd(s)
    if s.ended != 0:
        out[O_PHASE + OVER] = 1
        return
    out[O_PHASE + int(s.phase)] = 1
    out[O_MOVER + steps_to(s, seat, s.seat)] = 1
    if s.first_aisle >= 0:
        out[O_FIRST_AISLE + int(s.first_aisle)] = 1


@kernel
def see_horse(c, horse, words, at):
    """Write a horse's features; of none they are zeros.

    All four words are read before the first is written: LLVM then copies them at once.
    """
    first, second, third, fourth = (
        c.features[horse, 0], c.features[horse, 1], c.features[horse, 2], c.features[horse, 3],
    )  # fmt: skip
    words[at] = first
    words[at + 1] = second
    words[at + 2] = third
    words[at + 3] = fourth


@kernel
def see_hands(s, c, seat, out, words):
    """S8: of other hands only the horses that all know."""
    for slot in range(HAND):
        see_horse(c, int(s.hand[seat, slot]), words, W_HAND + slot * HORSE_WORDS)
        out[O_HAND_SHOWN + slot] = s.shown[seat, slot]
    for steps in range(int(s.num_players)):
        other = seat_after(s, seat, steps)
        known = 0
        for slot in range(HAND):
            horse = int(s.hand[other, slot])
            out[O_HAND_SIZES + steps] += horse != EMPTY
            if steps > 0 and s.shown[other, slot] != 0:
                see_horse(c, horse, words, W_SHOWN + ((steps - 1) * HAND + known) * HORSE_WORDS)
                known += 1


@kernel
def see_field(s, c, field, out, words):
    """S17: covered horses stay visible."""
    size = int(s.field_size[field])
    out[O_FIELD_SIZES + field] = size
    for depth in range(size):
        horse = int(s.field[field, size - 1 - depth])
        out[O_FIELD_TYPES + field * KINDS_OF_HORSE + int(c.type[horse])] += 1
        if depth < FIELD_SHOWN:
            see_horse(c, horse, words, W_FIELDS + (field * FIELD_SHOWN + depth) * HORSE_WORDS)


@kernel
def see_stable(s, c, steps, other, out, words):
    out[O_SEATS + steps] = 1
    for aisle in range(NUM_AISLES):
        at = W_STABLES + (steps * NUM_AISLES + aisle) * STALLS * HORSE_WORDS
        for stall in range(STALLS):
            see_horse(c, int(s.stall[other, aisle, stall]), words, at + stall * HORSE_WORDS)
        # Without a branch, which would be guessed wrong too often: for NO_TYPE a zero is written over a zero.
        type_ = int(s.aisle_type[other, aisle])
        out[O_AISLE_TYPES + (steps * NUM_AISLES + aisle) * NUM_TYPES + type_ % NUM_TYPES] = type_ != NO_TYPE
    for discipline in range(NUM_DISCIPLINES):
        out[O_DISCIPLINES + steps * NUM_DISCIPLINES + discipline] = s.disciplines[other, discipline]
    out[O_WILDS + steps] = s.wilds[other]
    board = int(s.board[other])
    for i in range(BOARD_WORDS):
        words[W_BOARDS + steps * BOARD_WORDS + i] = c.board_features[board, i]
    out[O_UPGRADED + steps] = s.upgraded[other]
    out[O_POINTS + steps] = min(max(int(s.points[other]) + POINTS_ADDED, 0), POINTS_SHOWN)


@kernel
def see_pile(s, out):
    out[O_DECK] = s.deck_size
    out[O_PILE_SIZE] = s.pile_size
    for type_ in range(KINDS_OF_HORSE):
        for discipline in range(NUM_DISCIPLINES + 1):
            out[O_PILE + type_ * (NUM_DISCIPLINES + 1) + discipline] = s.pile_types[type_, discipline]
    for kind in range(NUM_PREFERENCES):
        out[O_PILE_PREFERENCES + kind] = s.pile_preferences[kind]
