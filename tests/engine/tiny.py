"""Twelve: a card game small enough to check by hand, with all that the engine provides for.

Twelve cards, values 0 to 5, two of each. Each seat holds three (an option), the rest is the deck. In a turn a seat
lays a card on its table and draws the next one, or dares the seat to its left. That seat gives a card to the darer's
table and draws, or yields, which is not allowed once the deck is empty: then a coin decides whether the darer is lucky.
The game ends after a turn in which the deck is empty and so is a hand. Most on the table wins, then luck.

``make_game`` swaps kernels, so that tests can plant faults.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from tablezoo.content import ContentFormat, Faults
from tablezoo.game import ENDED, TRUNCATED, Game, Kernels, kernel
from tablezoo.layout import Layout, Part
from tablezoo.options import Option, integer
from tablezoo.pending import pop, push, top
from tablezoo.rng import below, shuffle

SEATS, VALUES, CARDS, HAND = 4, 6, 12, 3
DARE, YIELD = 6, 7
DARED = 1

STATE: list[Any] = [
    ("deck", np.uint8, (CARDS,)),  # values; index deck_size - 1 is the top
    ("deck_size", np.int8),
    ("hand", np.uint8, (SEATS, VALUES)),  # how many of each value
    ("table", np.uint8, (SEATS, VALUES)),
    ("copies", np.uint8, (VALUES,)),  # how many of each value there are
    ("luck", np.int8, (SEATS,)),
]

OBSERVATION_LAYOUT = Layout(
    [
        Part("seats", SEATS, 1, "1 for each seat that plays; seat 0 is the own one"),
        Part("asked", SEATS, 1, "who is asked"),
        Part("dared", 1, 1, "1 if the seat asked was dared"),
        Part("hand", VALUES, CARDS, "own cards by value"),
        Part("table", (SEATS, VALUES), CARDS, "cards on each table"),
        Part("luck", SEATS, 1, "who is lucky"),
        Part("hand_sizes", SEATS, HAND, "cards in each hand"),
        Part("deck", 1, CARDS, "cards in the deck"),
    ]
)
O_ASKED, O_DARED, O_HAND = (OBSERVATION_LAYOUT.offset(name) for name in ("asked", "dared", "hand"))
O_TABLE, O_LUCK, O_SIZES = (OBSERVATION_LAYOUT.offset(name) for name in ("table", "luck", "hand_sizes"))
O_DECK = OBSERVATION_LAYOUT.offset("deck")

ACTION_LAYOUT = Layout(
    [
        Part("lay", VALUES, about="lay or give a card", labels=lambda value: f"lay a {value}"),
        Part("dare", 1, about="dare the next seat"),
        Part("yield", 1, about="yield to a dare"),
    ]
)


# --- kernels -------------------------------------------------------------------------------------------------------


@kernel
def reset(s, c):
    for value in range(VALUES):
        s.copies[value] = 2
    deal(s)


@kernel
def reset_with_content(s, c):
    for value in range(VALUES):
        s.copies[value] = c.copies[value]
    deal(s)


@kernel
def deal(s):
    s.deck_size = lay_out(s.deck, s.copies)
    shuffle(s.rng, s.deck, int(s.deck_size))
    for seat in range(int(s.num_players)):
        for _ in range(int(s.hand_size)):
            draw(s, seat)
    s.seat = s.start_seat if s.start_seat >= 0 else below(s.rng, int(s.num_players))


@kernel
def lay_out(deck, counts):
    size = 0
    for value in range(VALUES):
        for _ in range(int(counts[value])):
            deck[size] = value
            size += 1
    return size


@kernel
def draw(s, seat):
    if s.deck_size > 0:
        s.deck_size -= 1
        s.hand[seat, int(s.deck[int(s.deck_size)])] += 1
        s.deck[int(s.deck_size)] = 0


@kernel
def legal_actions(s, c, mask):
    for value in range(VALUES):
        mask[value] = s.hand[int(s.seat), value] > 0
    if s.pending_size > 0:
        mask[YIELD] = s.deck_size > 0
    else:
        mask[DARE] = True


@kernel
def step(s, c, action):
    seat = int(s.seat)
    if s.pending_size > 0:
        answer(s, seat, action)
    elif action == DARE:
        push(s, DARED, (seat + 1) % int(s.num_players), seat, 0, 0, 0)
        s.seat = top(s)[1]
    else:
        lay(s, seat, seat, action)
        end_turn(s, seat)


@kernel
def answer(s, seat, action):
    darer = int(top(s)[2])
    pop(s)
    if action == YIELD:
        s.luck[darer] = below(s.rng, 2)
    else:
        lay(s, seat, darer, action)
    end_turn(s, darer)


@kernel
def lay(s, seat, owner, value):
    s.hand[seat, value] -= 1
    s.table[owner, value] += 1
    draw(s, seat)


@kernel
def end_turn(s, mover):
    s.turn += 1
    s.seat = (mover + 1) % int(s.num_players)
    if is_over(s):
        s.ended = ENDED
    elif s.turn >= s.max_turns:
        s.ended = TRUNCATED


@kernel
def is_over(s):
    if s.deck_size > 0:
        return False
    for seat in range(int(s.num_players)):
        if count(s.hand[seat]) == 0:
            return True
    return False


@kernel
def count(cards):
    total = 0
    for value in range(VALUES):
        total += int(cards[value])
    return total


@kernel
def observe(s, c, seat, out):
    players = int(s.num_players)
    for steps in range(players):
        other = (seat + steps) % players
        out[steps] = 1
        out[O_LUCK + steps] = s.luck[other]
        out[O_SIZES + steps] = count(s.hand[other])
        for value in range(VALUES):
            out[O_TABLE + steps * VALUES + value] = s.table[other, value]
    for value in range(VALUES):
        out[O_HAND + value] = s.hand[seat, value]
    out[O_DECK] = s.deck_size
    if s.ended == 0:
        out[O_ASKED + (int(s.seat) - seat) % players] = 1
        out[O_DARED] = min(int(s.pending_size), 1)


@kernel
def points(s, seat):
    total = 0
    for value in range(VALUES):
        total += value * int(s.table[seat, value])
    return total


@kernel
def score(s, c, keys):
    for seat in range(int(s.num_players)):
        keys[seat, 0] = points(s, seat)
        keys[seat, 1] = s.luck[seat]


@kernel
def value(s, c, seat):
    best = -1
    for other in range(int(s.num_players)):
        if other != seat:
            best = max(best, points(s, other))
    return float(points(s, seat) - best)


@kernel
def determinize(s, c, seat):
    hidden = s.deck
    size = gather_hidden(s, seat)
    shuffle(s.rng, hidden, size)
    for other in range(int(s.num_players)):
        if other == seat:
            continue
        cards = count(s.hand[other])
        s.hand[other, :] = 0
        for _ in range(cards):
            size -= 1
            s.hand[other, int(hidden[size])] += 1
            hidden[size] = 0
    s.deck_size = size


@kernel
def gather_hidden(s, seat):
    """Lay all cards that ``seat`` does not see into the deck, in order; return how many they are."""
    size = 0
    for value in range(VALUES):
        unseen = int(s.copies[value]) - int(s.hand[seat, value])
        for other in range(int(s.num_players)):
            unseen -= int(s.table[other, value])
        for _ in range(unseen):
            s.deck[size] = value
            size += 1
    return size


# --- the game ------------------------------------------------------------------------------------------------------


def describe(record: Any, seat: int | None = None, content: Any = None) -> str:
    """The tables, and the hands that ``seat`` sees (all if None)."""
    lines = []
    for other in range(int(record["num_players"])):
        hand = words(record["hand"][other]) if seat in (None, other) else f"{record['hand'][other].sum()} cards"
        lines.append(f"seat {other}: hand {hand}, table {words(record['table'][other])}")
    if seat is None:
        lines.append(f"deck {record['deck'][: record['deck_size']][::-1].tolist()}")
    return "\n".join(lines)


def words(counts: Any) -> str:
    return " ".join(str(value) for value in range(VALUES) for _ in range(counts[value])) or "-"


def read_content(document: Mapping[str, Any], faults: Faults, record: Any) -> None:
    copies = document.get("copies")
    if not isinstance(copies, list) or len(copies) != VALUES:
        faults.add("copies", f"expected {VALUES} integers, got {copies!r}")
    else:
        for i, number in enumerate(copies):
            if isinstance(number, bool) or not isinstance(number, int) or number < 0:
                faults.add(f"copies[{i}]", f"expected an integer of 0 or more, got {number!r}")
        if not faults.found and sum(copies) != CARDS:
            faults.add("copies", f"expected {CARDS} cards in all, got {sum(copies)}")
        if not faults.found:
            record["copies"] = copies
    for key in document:
        if key not in ("copies", "title"):
            faults.add(key, "unknown key")
    if not isinstance(document.get("title"), str):
        faults.add("title", "expected a string")


CONTENT = ContentFormat(
    dtype=[("copies", np.uint8, (VALUES,))], package="tests.engine", default="plain", read=read_content
)

KERNELS: dict[str, Callable[..., Any]] = {
    "reset": reset,
    "legal_actions": legal_actions,
    "step": step,
    "observe": observe,
    "score": score,
    "value": value,
    "determinize": determinize,
}


def make_game(
    *,
    name: str = "twelve",
    ref: str = "tests.engine.tiny:GAME",
    content: bool = False,
    cached: bool = False,
    **kernels: Any,
) -> Game:
    """Return the game, with kernels of one's own in place of those named."""
    chosen = {**KERNELS, **({"reset": reset_with_content} if content else {}), **kernels}
    return Game(
        name=name,
        title="Twelve",
        ref=ref,
        package="tests.engine" if cached else None,
        min_players=2,
        max_players=SEATS,
        default_players=2,
        state=STATE,
        options=(Option("hand_size", HAND, np.int8, (), lambda value, *_: integer(value, 1, HAND), "cards in a hand"),),
        default_max_turns=200,
        kernels=Kernels(**chosen),
        observation_layout=OBSERVATION_LAYOUT,
        action_layout=ACTION_LAYOUT,
        score_keys=2,
        score_range=(0, 30),
        describe=describe,
        content=CONTENT if content else None,
    )


GAME = make_game(cached=True)
CONTENT_GAME = make_game(name="twelve_content", ref="tests.engine.tiny:CONTENT_GAME", content=True, cached=True)


# --- the same, told independently ----------------------------------------------------------------------------------


def legal_reference(record: Any, content: Any) -> set[int]:
    """What the rules at the top allow, read off the record."""
    players = int(record["num_players"])
    sizes = record["hand"][:players].sum(axis=1)
    if record["deck_size"] == 0 and sizes.min() == 0 and record["pending_size"] == 0:
        return set()
    cards = {value for value in range(VALUES) if record["hand"][record["seat"]][value]}
    if record["pending_size"] == 0:
        return cards | {DARE}
    return cards | ({YIELD} if record["deck_size"] > 0 else set())


def cards_in_game(record: Any, content: Any) -> list[int]:
    """How many cards of each value there are, wherever they lie: the same from first to last."""
    deck = np.bincount(record["deck"][: record["deck_size"]], minlength=VALUES)
    return list(map(int, record["hand"].sum(axis=0) + record["table"].sum(axis=0) + deck))


def hide(record: Any, content: Any, seat: int, rng: np.random.Generator) -> None:
    """Deal anew what ``seat`` does not see."""
    others = [other for other in range(int(record["num_players"])) if other != seat]
    sizes = [int(record["hand"][other].sum()) for other in others]
    cards = np.repeat(np.arange(VALUES), record["hand"][others].sum(axis=0, dtype=int)).tolist()
    cards += record["deck"][: record["deck_size"]].tolist()
    rng.shuffle(cards)
    for other, size in zip(others, sizes, strict=True):
        record["hand"][other] = np.bincount(np.array(cards[:size], int), minlength=VALUES)
        cards = cards[size:]
    record["deck"][: len(cards)] = cards
