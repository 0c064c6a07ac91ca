"""What a seat sees: all seats relative, clockwise from the one that looks; locations by their features."""

from fable_env.campaign import MOST_GAMES, MOST_SESSION
from fable_env.hands import total
from fable_env.payment import allow_payable
from fable_env.sets import (
    ASK,
    COST,
    FRUIT_WORDS,
    IN_PLAY,
    LOCATION_FEATURES,
    LOCATION_LAYOUT,
    LOCATION_WORDS,
    MOST,
    NUM_CARDS,
    NUM_CARDS_HELD,
    NUM_FRUITS,
    NUM_ITEMS,
    NUM_LOCATIONS,
    NUM_MIXES,
    NUM_STEPS,
    OF_FRUIT,
    SALVAGE,
    TRADE,
    WORD,
)
from fable_env.stacks import next_location, next_on_top, slot_of
from fable_env.state import (
    DISCARDING,
    FRUIT,
    GAMBLING,
    GIVE,
    HOST,
    MAX_SEATS,
    MOVE,
    NEEDED,
    NOTHING,
    NUM_TURN_TOKENS,
    NUM_WILD,
    OFFER,
    PAY,
    PHASES,
    REFRESHING,
    RUN,
    SUPPLY,
    VISIT,
)
from tablezoo.game import common_kernel, kernel
from tablezoo.layout import Layout, Part
from tablezoo.observing import as_words
from tablezoo.pending import top, top_kind
from tablezoo.seating import seat_after, steps_to

OVER = len(PHASES)
TURNS_SHOWN = 100
MOST_HELD = NUM_FRUITS * OF_FRUIT + NUM_MIXES
CARD_HIGH = [OF_FRUIT] * NUM_FRUITS + [1] * NUM_MIXES
ITEM_HIGH = [*CARD_HIGH, *[1] * NUM_FRUITS, NUM_WILD]
LOCATION_HIGH = LOCATION_LAYOUT.high

OBSERVATION_LAYOUT = Layout(
    [
        # Locations come first: they are written eight entries at once, from places that are multiples of eight.
        Part("stacks", (IN_PLAY, LOCATION_FEATURES), LOCATION_HIGH, "each small stack, by number, by its features"),
        Part("next", LOCATION_FEATURES, LOCATION_HIGH, "the next location card; cards: how many of it lie on top"),
        Part(
            "current",
            LOCATION_FEATURES,
            LOCATION_HIGH,
            "the location visited, paid for, or in action; its last three parts are zeros",
        ),
        Part("seats", MAX_SEATS, 1, "who plays; everywhere the own seat comes first, then clockwise"),
        Part("phase", OVER + 1, 1, f"what is decided: {', '.join(PHASES)}, over"),
        Part("asked", MAX_SEATS, 1, "who is asked"),
        Part("mover", MAX_SEATS, 1, "whose turn it is"),
        Part("starter", MAX_SEATS, 1, "who began, and whose turn begins each round"),
        Part("triggered", 1, 1, "whether this round is the last"),
        Part("extra", 1, 1, "whether this is an extra turn"),
        Part("turns_left", 1, TURNS_SHOWN, "turns before the game is cut, 100 for more"),
        Part("here", IN_PLAY, 1, "the small stack of the current location"),
        Part("step", NUM_STEPS, 1, "the step that asks"),
        Part("step_fruit", len(FRUIT_WORDS), 1, "the fruit that its trade or its cost asks for"),
        Part("number", 1, MOST, "the number of the step that asks"),
        Part(
            "left",
            1,
            MOST_HELD,
            "cards to choose (give, discard, pay, salvage), that may be turned up, or that were discarded (refresh)",
        ),
        Part("to", MAX_SEATS, 1, "who gets the cards; whom a trade or an ask concerns; the hosts still to be paid"),
        Part("last", NUM_ITEMS, 1, "the card chosen last, none before it may follow; of cards given only the own"),
        Part("paid", NUM_ITEMS, ITEM_HIGH, "what was chosen for the payment so far"),
        Part("turned", NUM_FRUITS, OF_FRUIT, "fruits turned up by the action"),
        Part("aside", NUM_CARDS_HELD, 1, "the own card that lies aside"),
        Part("asides", MAX_SEATS, 1, "whose card lies aside"),
        Part("hand", NUM_CARDS_HELD, CARD_HIGH, "own cards: five fruits, ten mixes"),
        Part("hand_sizes", MAX_SEATS, MOST_HELD, "fruits and mixes in each hand"),
        Part("fruit_tokens", (MAX_SEATS, NUM_FRUITS), 1, "the fruit tokens of each seat"),
        Part("wild_tokens", MAX_SEATS, NUM_WILD, "the wild tokens of each seat"),
        Part("turn_tokens", MAX_SEATS, NUM_TURN_TOKENS, "the double-turn tokens of each seat"),
        Part("payable", IN_PLAY, 1, "the small stacks whose juice the own seat can pay"),
        Part("juices", MAX_SEATS, IN_PLAY, "the juices of each seat"),
        Part("needed", 1, int(NEEDED.max()), "juices that end the game"),
        Part("thief", MAX_SEATS, 1, "who placed the thief last"),
        Part("idle_thief", 1, 1, "whether the thief lies before who placed it"),
        Part("discards", NUM_FRUITS, OF_FRUIT, "the discard pile"),
        Part("fruit_stack", 1, NUM_FRUITS * OF_FRUIT, "fruits on the fruit stack"),
        Part("mix_stack", 1, NUM_MIXES, "cards on the fruit-mix stack"),
        Part("num_stacks", 1, IN_PLAY, "small stacks"),
        Part("location_stack", 1, NUM_CARDS, "cards on the location stack"),
        Part("games", 1, MOST_GAMES, "games of the campaign that are done"),
        Part("session", 1, MOST_SESSION, "games of the episode that are not done"),
        Part("points", MAX_SEATS, 2 * MOST_SESSION, "victory points of the session"),
    ]
)


W_STACKS = OBSERVATION_LAYOUT.offset("stacks") // WORD
W_NEXT = OBSERVATION_LAYOUT.offset("next") // WORD
W_CURRENT = OBSERVATION_LAYOUT.offset("current") // WORD
O_NEXT_CARDS = OBSERVATION_LAYOUT.offset("next") + LOCATION_LAYOUT.offset("cards")
O_SEATS = OBSERVATION_LAYOUT.offset("seats")
O_PHASE = OBSERVATION_LAYOUT.offset("phase")
O_ASKED = OBSERVATION_LAYOUT.offset("asked")
O_MOVER = OBSERVATION_LAYOUT.offset("mover")
O_STARTER = OBSERVATION_LAYOUT.offset("starter")
O_TRIGGERED = OBSERVATION_LAYOUT.offset("triggered")
O_EXTRA = OBSERVATION_LAYOUT.offset("extra")
O_TURNS_LEFT = OBSERVATION_LAYOUT.offset("turns_left")
O_HERE = OBSERVATION_LAYOUT.offset("here")
O_STEP = OBSERVATION_LAYOUT.offset("step")
O_STEP_FRUIT = OBSERVATION_LAYOUT.offset("step_fruit")
O_NUMBER = OBSERVATION_LAYOUT.offset("number")
O_LEFT = OBSERVATION_LAYOUT.offset("left")
O_TO = OBSERVATION_LAYOUT.offset("to")
O_LAST = OBSERVATION_LAYOUT.offset("last")
O_PAID = OBSERVATION_LAYOUT.offset("paid")
O_TURNED = OBSERVATION_LAYOUT.offset("turned")
O_ASIDE = OBSERVATION_LAYOUT.offset("aside")
O_ASIDES = OBSERVATION_LAYOUT.offset("asides")
O_HAND = OBSERVATION_LAYOUT.offset("hand")
O_HAND_SIZES = OBSERVATION_LAYOUT.offset("hand_sizes")
O_FRUIT_TOKENS = OBSERVATION_LAYOUT.offset("fruit_tokens")
O_WILD_TOKENS = OBSERVATION_LAYOUT.offset("wild_tokens")
O_TURN_TOKENS = OBSERVATION_LAYOUT.offset("turn_tokens")
O_PAYABLE = OBSERVATION_LAYOUT.offset("payable")
O_JUICES = OBSERVATION_LAYOUT.offset("juices")
O_NEEDED = OBSERVATION_LAYOUT.offset("needed")
O_THIEF = OBSERVATION_LAYOUT.offset("thief")
O_IDLE_THIEF = OBSERVATION_LAYOUT.offset("idle_thief")
O_DISCARDS = OBSERVATION_LAYOUT.offset("discards")
O_FRUIT_STACK = OBSERVATION_LAYOUT.offset("fruit_stack")
O_MIX_STACK = OBSERVATION_LAYOUT.offset("mix_stack")
O_NUM_STACKS = OBSERVATION_LAYOUT.offset("num_stacks")
O_LOCATION_STACK = OBSERVATION_LAYOUT.offset("location_stack")
O_GAMES = OBSERVATION_LAYOUT.offset("games")
O_SESSION = OBSERVATION_LAYOUT.offset("session")
O_POINTS = OBSERVATION_LAYOUT.offset("points")
F_CARDS = LOCATION_LAYOUT.offset("cards")
F_ANIMALS = LOCATION_LAYOUT.offset("animals")
F_THIEF = LOCATION_LAYOUT.offset("thief")


@kernel
def observe(s, c, seat, out):
    """Write what ``seat`` sees."""
    words = as_words(out)
    see_stacks(s, c, out, words)
    see_next(s, c, out, words)
    allow_payable(s, c, seat, 0, out[O_PAYABLE : O_PAYABLE + IN_PLAY])
    for steps in range(int(s.num_players)):
        see_seat(s, steps, seat_after(s, seat, steps), out)
    see_own_hand(s, seat, out)
    see_supply(s, seat, out)
    see_turn(s, seat, out)
    if s.ended == 0:
        see_decision(s, c, seat, out, words)


# --- the table --------------------------------------------------------------------------------------------------------


@common_kernel
def see_location(c, location, words, at):
    """Write a location's features; of none they are zeros."""
    for i in range(LOCATION_WORDS):
        words[at + i] = c.features[location, i]


@kernel
def see_stacks(s, c, out, words):
    for slot in range(int(s.num_stacks)):
        location = int(s.stacks[slot])
        see_location(c, location, words, W_STACKS + slot * LOCATION_WORDS)
        out[slot * LOCATION_FEATURES + F_CARDS] = s.cards[location]
        out[slot * LOCATION_FEATURES + F_THIEF] = s.thief == location


@kernel
def see_next(s, c, out, words):
    """The location stack is not shuffled: the next location, and how many cards of it lie on top."""
    drawn = int(s.drawn)
    out[O_LOCATION_STACK] = NUM_CARDS - drawn
    out[O_NUM_STACKS] = s.num_stacks
    if drawn < NUM_CARDS:
        see_location(c, next_location(s), words, W_NEXT)
        out[O_NEXT_CARDS] = next_on_top(s)


@kernel
def see_seat(s, steps, other, out):
    """What all know of a player: sizes, tokens, juices, where its animal stands."""
    out[O_SEATS + steps] = 1
    out[O_HAND_SIZES + steps] = s.hand_size[other]
    out[O_WILD_TOKENS + steps] = s.wild_tokens[other]
    out[O_TURN_TOKENS + steps] = s.turn_tokens[other]
    out[O_JUICES + steps] = s.juices[other]
    out[O_POINTS + steps] = s.points[other]
    out[O_ASIDES + steps] = s.aside[other] != NOTHING
    for fruit in range(NUM_FRUITS):
        out[O_FRUIT_TOKENS + steps * NUM_FRUITS + fruit] = s.token_owner[fruit] == other
    if s.animal[other] != SUPPLY:
        slot = slot_of(s, int(s.animal[other]))
        out[slot * LOCATION_FEATURES + F_ANIMALS + steps] = 1


@kernel
def see_own_hand(s, seat, out):
    for card in range(NUM_CARDS_HELD):
        out[O_HAND + card] = s.hand[seat, card]
    if s.aside[seat] != NOTHING:
        out[O_ASIDE + int(s.aside[seat])] = 1


@kernel
def see_supply(s, seat, out):
    for fruit in range(NUM_FRUITS):
        out[O_DISCARDS + fruit] = s.discards[fruit]
        out[O_TURNED + fruit] = s.turned[fruit]
    out[O_FRUIT_STACK] = total(s.fruit_stack)
    out[O_MIX_STACK] = total(s.mix_stack)
    if s.thief_owner != SUPPLY:
        out[O_THIEF + steps_to(s, seat, s.thief_owner)] = 1
        out[O_IDLE_THIEF] = s.thief == SUPPLY


# --- the turn and the decision ----------------------------------------------------------------------------------------


@kernel
def see_turn(s, seat, out):
    played = int(s.turn) - int(s.first_turn)
    out[O_STARTER + steps_to(s, seat, s.starter)] = 1
    out[O_TRIGGERED] = s.triggered
    out[O_EXTRA] = s.extra
    out[O_TURNS_LEFT] = max(min(int(s.max_turns) - played, TURNS_SHOWN), 0)
    out[O_NEEDED] = NEEDED[int(s.num_players)]
    out[O_GAMES] = min(int(s.campaign_games), MOST_GAMES)
    out[O_SESSION] = int(s.session) - int(s.game)
    if s.ended != 0:
        out[O_PHASE + OVER] = 1
        return
    out[O_PHASE + top_kind(s)] = 1
    out[O_ASKED + steps_to(s, seat, s.seat)] = 1
    out[O_MOVER + steps_to(s, seat, s.mover)] = 1


@kernel
def see_decision(s, c, seat, out, words):
    """What is pending: the location that it belongs to, the step, how many cards, for whom."""
    see_current(s, c, out, words)
    phase = top_kind(s)
    if phase == MOVE:
        return
    frame = top(s)
    if phase in (GIVE, DISCARDING, GAMBLING):
        out[O_LEFT] = frame[3]
    if phase == REFRESHING:
        out[O_LEFT] = frame[2]
    if phase == PAY:
        see_payment(s, c, int(frame[2]), int(frame[3]), out)
    if phase == HOST:
        see_hosts(s, seat, int(frame[2]), out)
    if phase in (GIVE, OFFER):
        out[O_TO + steps_to(s, seat, frame[2])] = 1
    if phase == FRUIT and frame[2] == ASK:
        out[O_TO + steps_to(s, seat, frame[4])] = 1
    if phase == FRUIT and frame[2] == SALVAGE:
        out[O_LEFT] = frame[3]
    shown = s.seat == seat or phase != GIVE  # all see a discard, none what is given
    if shown and chooses_cards(phase, int(frame[2])) and frame[4] >= 0:
        out[O_LAST + int(frame[4])] = 1


@kernel
def chooses_cards(phase, step):
    """Return whether a frame is of those that hold the card chosen last (F10b)."""
    if phase == FRUIT:
        return step == SALVAGE
    return phase in (GIVE, DISCARDING, REFRESHING, PAY)


@kernel
def see_current(s, c, out, words):
    """The location of the topmost payment, action or visit; and the step of the topmost action that asks."""
    location = -1
    for i in range(int(s.pending_size) - 1, -1, -1):
        kind = int(s.pending[i, 0])
        of = int(s.pending[i, 2])
        if location < 0 and (kind in (RUN, VISIT)):
            location = of
        elif location < 0 and kind == PAY:
            location = of if of < NUM_LOCATIONS else of - NUM_LOCATIONS
        if kind == RUN:
            see_step(c, of, int(s.pending[i, 3]) - 1, out)
            break
    if location >= 0:
        see_location(c, location, words, W_CURRENT)
        slot = slot_of(s, location)
        if slot >= 0:
            out[O_HERE + slot] = 1


@kernel
def see_step(c, location, i, out):
    step = int(c.step[location, i])
    out[O_STEP + step] = 1
    out[O_NUMBER] = c.number[location, i]
    if step in (TRADE, COST):
        out[O_STEP_FRUIT + int(c.fruit[location, i])] = 1


@kernel
def see_payment(s, c, row, more, out):
    left = int(c.signs[row]) + more
    for item in range(NUM_ITEMS):
        out[O_PAID + item] = s.paid[item]
        left -= int(s.paid[item])
    out[O_LEFT] = left


@kernel
def see_hosts(s, seat, hosts, out):
    for steps in range(int(s.num_players)):
        out[O_TO + steps] = (hosts >> seat_after(s, seat, steps)) & 1
