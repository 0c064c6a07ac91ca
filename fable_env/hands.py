"""Fruits, mixes and tokens on their way between stacks and hands (F14, F24 to F27)."""

from fable_env.sets import FIRST_MIX, FIRST_TOKEN, NUM_CARDS_HELD, NUM_FRUITS, NUM_MIXES, OF_FRUIT, WILD
from fable_env.state import NUM_TURN_TOKENS, NUM_WILD, SUPPLY
from tablezoo.game import common_kernel, kernel
from tablezoo.rng import below
from tablezoo.seating import seat_after

# --- one card ---------------------------------------------------------------------------------------------------------


@kernel
def gain(s, seat, card):
    """A card comes into a hand."""
    s.hand[seat, card] += 1
    s.hand_size[seat] += 1


@kernel
def lose(s, seat, card):
    """A card leaves a hand."""
    s.hand[seat, card] -= 1
    s.hand_size[seat] -= 1


@kernel
def hand_over(s, giver, receiver, card):
    lose(s, giver, card)
    gain(s, receiver, card)


@kernel
def held(s, seat, item):
    """Return how many of an item a seat has: cards in hand, tokens before it."""
    if item < FIRST_TOKEN:
        return int(s.hand[seat, item])
    if item < WILD:
        return int(s.token_owner[item - FIRST_TOKEN] == seat)
    return int(s.wild_tokens[seat])


@kernel
def lay_down(s, seat, item):
    """A fruit goes to the discard pile, a mix to the mix stack (F27), a token to the supply (F24, F25)."""
    if item < FIRST_TOKEN:
        lose(s, seat, item)
        discard(s, item)
    elif item < WILD:
        s.token_owner[item - FIRST_TOKEN] = SUPPLY
    else:
        s.wild_tokens[seat] -= 1


@kernel
def discard(s, card):
    """F27: a mix goes back to its own stack, never to the discard pile."""
    if card < FIRST_MIX:
        s.discards[card] += 1
    else:
        s.mix_stack[card - FIRST_MIX] += 1


# --- the fruit stack, the discard pile, the mix stack (F14, F27) ------------------------------------------------------


@kernel
def total(counts):
    """Return the sum of small counts."""
    number = 0
    for i in range(counts.size):
        number += int(counts[i])
    return number


@kernel
def nth_card(counts, n):
    """Return the kind of the (n+1)-th card when they lie by kind."""
    for kind in range(counts.size):
        n -= int(counts[kind])
        if n < 0:
            return kind
    return -1


@kernel
def turn_up_fruit(s):
    """F14: take the top fruit, after the discard pile was shuffled in if there is none; -1 if there is none at all."""
    left = total(s.fruit_stack)
    if left == 0:
        for fruit in range(NUM_FRUITS):
            s.fruit_stack[fruit] = s.discards[fruit]
            s.discards[fruit] = 0
        left = total(s.fruit_stack)
        if left == 0:
            return -1
    fruit = nth_card(s.fruit_stack, below(s.rng, left))
    s.fruit_stack[fruit] -= 1
    return fruit


@kernel
def no_fruit_left(s):
    return total(s.fruit_stack) == 0 and total(s.discards) == 0


@common_kernel
def draw(s, seat, number):
    """Draw fruits, as many as there are."""
    for _ in range(number):
        fruit = turn_up_fruit(s)
        if fruit < 0:
            return
        gain(s, seat, fruit)


@kernel
def draw_mixes(s, seat, number):
    """F27: the mix stack has no order, each card left is as likely."""
    for _ in range(number):
        left = total(s.mix_stack)
        if left == 0:
            return
        mix = nth_card(s.mix_stack, below(s.rng, left))
        s.mix_stack[mix] -= 1
        gain(s, seat, FIRST_MIX + mix)


# --- other players' hands (F10, F10a) ---------------------------------------------------------------------------------


@kernel
def take_at_random(s, taker, owner, number):
    """F10a: each card of the hand with equal chance; all if there are not as many."""
    for _ in range(number):
        size = int(s.hand_size[owner])
        if size == 0:
            return
        hand_over(s, owner, taker, nth_card(s.hand[owner], below(s.rng, size)))


@kernel
def swap_hands(s, one, other):
    for card in range(NUM_CARDS_HELD):
        kept = s.hand[one, card]
        s.hand[one, card] = s.hand[other, card]
        s.hand[other, card] = kept
    size = s.hand_size[one]
    s.hand_size[one] = s.hand_size[other]
    s.hand_size[other] = size


@kernel
def anybody_else_has_cards(s, seat):
    """F10a: fruits are taken only from a player who has one."""
    for steps in range(1, int(s.num_players)):
        if s.hand_size[seat_after(s, seat, steps)] > 0:
            return True
    return False


# --- tokens in the supply (F4, F26) -----------------------------------------------------------------------------------


@kernel
def wild_tokens_left(s):
    return NUM_WILD - total(s.wild_tokens)


@kernel
def turn_tokens_left(s):
    return NUM_TURN_TOKENS - total(s.turn_tokens)


@kernel
def lay_out_cards(s):
    """F5: all fruits on the fruit stack, all mixes on theirs; both are as good as shuffled, as their order is drawn."""
    for fruit in range(NUM_FRUITS):
        s.fruit_stack[fruit] = OF_FRUIT
        s.discards[fruit] = 0
    for mix in range(NUM_MIXES):
        s.mix_stack[mix] = 1
