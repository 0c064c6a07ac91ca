"""Fable once more: plain Python objects, written from the rules document alone.

A game is one generator, :meth:`Oracle._play`, that reads from top to bottom like the rulebook and stops at each
decision (:meth:`Oracle._ask`). Nothing here is shared with the kernels but the numbers of cards, steps and actions.
What pays a price (F11a) is found by laying items on signs, not by counting.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Generator, Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, lru_cache
from itertools import combinations
from typing import Any, Protocol

# --- the encoding ----------------------------------------------------------------------------------------------------

SEATS = 5
FRUITS = 5
MIXES = list(combinations(range(FRUITS), 2))
CARDS_HELD = FRUITS + len(MIXES)
"""Kinds of cards in a hand: fruits, then mixes (F27)."""
TOKEN, WILD, ITEMS = 15, 20, 21
LOCATIONS, NUMBERED, IN_PLAY = 59, 240, 24

STACK = 0
USE = 24
BUY = 25
CARD = 26
PLAYER = 47
FRUIT = 51
STOP = 56
GO_ON = 57
SPEND = 58
ACTIONS = 59

ANY, SAME = 5, 6
"""What stands for the fruit of a step: any one; equal ones."""

STEPS = (
    "draw", "all_draw", "discard", "gift", "gift_each", "gamble", "trade", "swap", "swap_hands", "steal",
    "steal_each", "ask", "each_gives", "pass", "cost", "salvage", "market", "refresh", "fill", "missing",
    "per_juice", "catch_up", "fruit_token", "wild_token", "turn_token", "mix", "thief", "copy", "order",
)  # fmt: skip
PHASES = (
    "move", "host", "visit", "pay", "run", "give", "discard", "refresh", "player", "fruit", "stack", "gamble", "offer",
    "pass", "extra", "over",
)  # fmt: skip

NEEDED = {2: 5, 3: 4, 4: 3, 5: 3}
"""Juices that end a game, by players (F15)."""
OF_FRUIT, WILD_TOKENS, TURN_TOKENS = 12, 3, 3
RICH = 4
"""Fruits that make ``steal_each`` and ``each_gives`` concern a player."""
LEAST_STACKS = 6
MOST_GAMES = 255


def location_of(card: int) -> int:
    """F2: the location, from 0, of a card of the location stack; the last one has eight."""
    return min(card // 4, LOCATIONS - 1)


# --- locations and prices (F2, F9, F11) ------------------------------------------------------------------------------

Sign = frozenset[int]
"""The types that a sign of a price takes."""
SMOOTHIE: Sign = frozenset(range(FRUITS))

TYPES: list[Sign] = [
    *(frozenset([fruit]) for fruit in range(FRUITS)),
    *(frozenset(pair) for pair in MIXES),  # F27
    *(frozenset([fruit]) for fruit in range(FRUITS)),  # F24
    SMOOTHIE,  # F25
]
"""The types that each item can stand for."""


@dataclass(frozen=True, eq=False)
class Price:
    """A price: for each way to read its ``=n`` or ``≠n`` all its signs. Each is made once, by :func:`price_of`."""

    readings: tuple[tuple[Sign, ...], ...]
    size: int
    form: str


@cache
def price_of(letters: tuple[int, ...], smoothies: int = 0, equal: int = 0, different: int = 0) -> Price:
    """Return a price: how many signs of each fruit, ``*``, n of ``=n``, n of ``≠n`` (F11)."""
    alike = [[fruit] * equal for fruit in range(FRUITS)] if equal else [[]]
    apart = list(combinations(range(FRUITS), different))
    named = [fruit for fruit, signs in enumerate(letters) for _ in range(signs)]
    readings = [
        (*(TYPES[fruit] for fruit in (*named, *first, *second)), *[SMOOTHIE] * smoothies)
        for first in alike
        for second in apart
    ]
    parts = ["letters"] * any(letters) + ["="] * (equal > 0) + ["≠"] * (different > 0) + ["*"] * (smoothies > 0)
    return Price(tuple(readings), len(readings[0]), " ".join(parts))


@dataclass(frozen=True)
class Step:
    """``fruit``: of a ``trade`` or ``cost``, one of the five, ANY or SAME."""

    word: str
    number: int = 1
    fruit: int = 0

    @property
    def price(self) -> Price:
        """What a ``cost`` asks for."""
        if self.fruit == ANY:
            return price_of((), smoothies=self.number)
        if self.fruit == SAME:
            return price_of((), equal=self.number)
        return price_of(tuple(self.number * (fruit == self.fruit) for fruit in range(FRUITS)))


@dataclass(frozen=True, eq=False)
class Location:
    """``number`` counts from 0; ``signs`` are those of :func:`price_of`: of each fruit, ``*``, ``=``, ``≠``."""

    number: int
    steps: tuple[Step, ...]
    signs: tuple[int, ...]

    def price(self, more: int = 0) -> Price:
        """Return its price, with ``more`` smoothies (``order``)."""
        *letters, smoothies, equal, different = self.signs
        return price_of(tuple(letters), smoothies + more, equal, different)

    @property
    def copies(self) -> bool:
        return any(step.word == "copy" for step in self.steps)


def locations_in(record: Any) -> list[Location]:
    """Return the locations of a content record, from their steps and signs alone."""
    locations = []
    for number in range(LOCATIONS):
        length = int(record["num_steps"][number])
        columns = (record[name][number][:length].tolist() for name in ("step", "number", "fruit"))
        steps = [Step(STEPS[step], times, fruit) for step, times, fruit in zip(*columns, strict=True)]
        locations.append(Location(number, tuple(steps), tuple(record["price"][number].tolist())))
    return locations


# --- what pays (F10b, F11a) ------------------------------------------------------------------------------------------

Counts = tuple[int, ...]
"""How many of each item."""


@lru_cache(maxsize=500_000)
def laid_out(price: Price, chosen: tuple[int, ...], others: Counts) -> list[tuple[int, Sign]] | None:
    """Lay an item on each sign of a price: all that are ``chosen``, and as many of the ``others`` as are wanting.

    Returns:
        each item with its sign, for the first reading that works; None if none does.
    """
    if len(chosen) + sum(others) < price.size:
        return None
    for signs in price.readings:
        on: dict[int, int] = {}
        # An item that has found a sign keeps one: it only moves over. So the chosen ones come first, and stay.
        if not all(_place(item, signs, on, set()) for item in chosen):
            continue
        for item, left in enumerate(others):
            while left and len(on) < price.size and _place(item, signs, on, set()):
                left -= 1
        if len(on) == price.size:
            return [(item, signs[place]) for place, item in on.items()]
    return None


def _place(item: int, signs: Sequence[Sign], on: dict[int, int], tried: set[int]) -> bool:
    """Find a sign for an item, moving others over where that helps; return whether there is one."""
    for place, sign in enumerate(signs):
        if place not in tried and not TYPES[item].isdisjoint(sign):
            tried.add(place)
            if place not in on or _place(on[place], signs, on, tried):
                on[place] = item
                return True
    return False


def can_pay(price: Price, items: Sequence[int]) -> bool:
    return laid_out(price, (), tuple(items)) is not None


def payable(price: Price, chosen: Sequence[int], items: Sequence[int]) -> list[int]:
    """Return what may be chosen next: nothing before what is chosen (F10b), each only if the rest can complete it."""
    last = chosen[-1] if chosen else 0
    found = []
    for item in range(last, len(items)):
        if items[item]:
            after = (0,) * item + (items[item] - 1, *items[item + 1 :])
            if laid_out(price, (*chosen, item), after) is not None:
                found.append(item)
    return found


def in_order(cards: Sequence[int], last: int, left: int) -> list[int]:
    """Return which of the ``cards`` may be chosen next, ``left`` in all: none before the last, enough to follow."""
    return [kind for kind in range(last, len(cards)) if cards[kind] and sum(cards[kind:]) >= left]


# --- campaigns (F18 to F21) ------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Campaign:
    """A campaign between two games. ``drawn`` is 0 when it is over; ``stream`` is what the deal is drawn from."""

    cards: tuple[int, ...] = (0,) * LOCATIONS
    drawn: int = 0
    games: int = 0
    start: int | None = None
    stream: Any = None

    @property
    def over(self) -> bool:
        return self.drawn == 0


FIRST = Campaign((4,) * 6 + (0,) * (LOCATIONS - 6), IN_PLAY)
"""F5."""


class Source(Protocol):
    """Where random numbers come from."""

    def below(self, number: int) -> int:
        """Return one of 0 to ``number - 1``."""
        ...

    def state(self) -> Any:
        """Return what :meth:`restart` takes."""
        ...

    def restart(self, state: Any) -> None: ...


# --- the table -------------------------------------------------------------------------------------------------------


@dataclass
class Player:
    """``hand``: how many of each fruit and mix; ``animal``: the location it stands on, None before its owner."""

    seat: int
    hand: list[int] = field(default_factory=lambda: [0] * CARDS_HELD)
    juices: int = 0
    animal: int | None = None
    wild_tokens: int = 0
    turn_tokens: int = 0
    points: int = 0
    aside: int | None = None

    @property
    def hand_size(self) -> int:
        """F27: tokens are no fruits in hand."""
        return sum(self.hand)

    def copy(self) -> Player:
        return replace(self, hand=list(self.hand))


@dataclass
class Table:
    """Everything between two turns; an extra turn (F25) counts for one here."""

    players: list[Player]
    cards: list[int]
    drawn: int
    fruit_stack: list[int]
    starter: int
    mover: int
    discards: list[int] = field(default_factory=lambda: [0] * FRUITS)
    mix_stack: list[int] = field(default_factory=lambda: [1] * len(MIXES))
    token_owner: list[int | None] = field(default_factory=lambda: [None] * FRUITS)
    thief: int | None = None
    thief_owner: int | None = None
    triggered: bool = False
    extra: bool = False
    turn: int = 0
    first_turn: int = 0
    max_turns: int = 300
    session: int = 1
    game: int = 0
    campaign: Campaign = FIRST

    def copy(self) -> Table:
        return replace(
            self,
            players=[player.copy() for player in self.players],
            cards=list(self.cards),
            fruit_stack=list(self.fruit_stack),
            discards=list(self.discards),
            mix_stack=list(self.mix_stack),
            token_owner=list(self.token_owner),
        )

    @property
    def stacks(self) -> list[int]:
        """The locations in play, by number (F5)."""
        return [location for location, cards in enumerate(self.cards) if cards]


def deal(
    num_players: int,
    source: Source,
    campaign: Campaign | None = None,
    stage: Sequence[Campaign] = (FIRST,),
    start_seat: int | None = None,
    max_turns: int = 300,
    session: int = 1,
) -> Table:
    """Set up a game (F5, F18).

    Args:
        num_players, source: who plays, and what it is drawn from.
        campaign: goes on or is entered, with its own stream if it has one; None, or one that is over: a fresh one
            begins.
        stage: where that begins, drawn if there are several (F21).
        start_seat: who starts if the campaign does not tell.
        max_turns, session: the options.
    """
    places = stage if campaign is None or campaign.over else (campaign,)
    if campaign is not None and campaign.stream is not None:
        source.restart(campaign.stream)
    place = places[source.below(len(places))] if len(places) > 1 else places[0]
    starter = start_seat if place.start is None else place.start
    if starter is None:
        starter = source.below(num_players)
    stream = source.state()  # F21: with stacks and start seat known, what the same deal can be had from again
    fruits = [OF_FRUIT] * FRUITS
    players = [Player(seat) for seat in range(num_players)]
    for distance in range(num_players):
        for _ in range(2):
            players[(starter + distance) % num_players].hand[take_any(fruits, source)] += 1
    return Table(
        players, list(place.cards), place.drawn, fruits, starter, starter, max_turns=max_turns, session=session,
        campaign=replace(place, start=starter, stream=stream),
    )  # fmt: skip


def take_any(cards: list[int], source: Source) -> int:
    """Take one of the ``cards``, each with equal chance; return its kind."""
    number = source.below(sum(cards))
    for kind, there in enumerate(cards):
        if number < there:
            cards[kind] -= 1
            return kind
        number -= there
    raise AssertionError("no card is there")


# --- a game ----------------------------------------------------------------------------------------------------------


class NobodyCanMoveOn(Exception):  # noqa: N818 - no error, but the end of a game (F6)
    """Fewer than two locations have cards."""


Asking = Generator[None, int, Any]


class Oracle:
    """One game, or a session of several, from a table on.

    Args:
        table: a fresh deal, or any moment between two turns; it is copied.
        locations: the content.
        source: where random numbers come from.
        stage: where a campaign that starts afresh within the session begins (F21).
        start_seat: who starts then.

    Attributes:
        asked: the seat asked, None when all is over.
        phase: one of ``PHASES``.
        paid: how many of each item are chosen for the payment under way; ``turned``: the fruits turned up.
        campaign: as it stands before the present game, after a game's end behind it.
        ended, truncated: how it is over.
        happened: how often each notable thing happened, for coverage.
        decisions: how many were taken; ``played``: the last ones.
    """

    def __init__(
        self,
        table: Table,
        locations: Sequence[Location],
        source: Source,
        stage: Sequence[Campaign] = (FIRST,),
        start_seat: int | None = None,
    ) -> None:
        self.table = table.copy()
        self.locations = locations
        self.source = source
        self.stage = stage
        self.start_seat = start_seat
        self.num_players = len(table.players)
        self.campaign = table.campaign
        self.paid = [0] * ITEMS
        self.turned = [0] * FRUITS
        self.ended = False
        self.truncated = False
        self.happened: Counter[str] = Counter()
        self.decisions = 0
        self.played: deque[int] = deque(maxlen=12)

        self.asked: int | None = None
        self.phase = "move"
        self._choices: dict[int, Any] = {}
        self._game = self._play()
        next(self._game, None)

    # --- deciding ----------------------------------------------------------------------------------------------------

    @property
    def over(self) -> bool:
        return self.ended or self.truncated

    def legal(self) -> set[int]:
        """Return the actions of the seat asked; none when all is over."""
        return set(self._choices)

    def step(self, action: int) -> None:
        """Play one legal action of the seat asked, and what follows from it without a choice."""
        if action not in self._choices:
            raise ValueError(f"action {action} is illegal for seat {self.asked}: legal are {sorted(self._choices)}")
        self.happened[f"action {action}"] += 1
        self.decisions += 1
        self.played.append(action)
        try:
            self._game.send(action)
        except StopIteration:
            self._choices = {}

    def _ask(self, player: Player, phase: str, choices: dict[int, Any]) -> Asking:
        """Let a player choose; what there is no choice about is not asked."""
        if len(choices) == 1:
            return next(iter(choices.values()))
        assert choices, f"{phase}: nothing to choose"
        self.asked, self.phase, self._choices = player.seat, phase, choices
        self.happened[f"asked {phase}"] += 1
        action = yield
        self.asked, self._choices = None, {}
        return choices[action]

    def _ask_card(self, player: Player, phase: str, cards: Iterable[int]) -> Asking:
        return self._ask(player, phase, {CARD + card: card for card in cards})

    def _ask_fruit(self, player: Player, fruits: Iterable[int]) -> Asking:
        return self._ask(player, "fruit", {FRUIT + fruit: fruit for fruit in fruits})

    def _ask_player(self, player: Player, among: Iterable[Player], phase: str = "player") -> Asking:
        """F10: players are named by their distance, clockwise."""
        distances = {(other.seat - player.seat) % self.num_players: other for other in among}
        return self._ask(player, phase, {PLAYER + distance - 1: other for distance, other in distances.items()})

    def _ask_location(self, player: Player, phase: str, which: Callable[[Location], bool]) -> Asking:
        """A location in play, named by the place of its stack among all."""
        places = enumerate(self._in_play())
        return self._ask(player, phase, {STACK + place: where for place, where in places if which(where)})

    # --- the players -------------------------------------------------------------------------------------------------

    @property
    def players(self) -> list[Player]:
        return self.table.players

    def _others(self, me: Player) -> list[Player]:
        """All other players, clockwise."""
        return [self.players[(me.seat + distance) % self.num_players] for distance in range(1, self.num_players)]

    def _others_with_fruits(self, me: Player, least: int = 1) -> list[Player]:
        """F10a."""
        return [other for other in self._others(me) if other.hand_size >= least]

    def _items(self, player: Player) -> list[int]:
        """What can pay in a purchase: the hand and the tokens (F24, F25)."""
        tokens = [int(owner == player.seat) for owner in self.table.token_owner]
        return [*player.hand, *tokens, player.wild_tokens]

    def _in_play(self) -> list[Location]:
        return [self.locations[number] for number in self.table.stacks]

    # --- games, turns, moves -----------------------------------------------------------------------------------------

    def _play(self) -> Generator[None, int, None]:
        while not self.over:
            cut = yield from self._play_game()
            self._end_game(cut)
            if not self.over:
                self._next_game()
        self.asked, self.phase = None, "over"

    def _play_game(self) -> Generator[None, int, bool]:
        """Return whether the game was cut (F17)."""
        table = self.table
        try:
            while True:
                yield from self._turn(self.players[table.mover])
                if self._was_last_turn():
                    return False
                if table.turn - table.first_turn >= table.max_turns:
                    return True
                table.mover = (table.mover + 1) % self.num_players
        except NobodyCanMoveOn:
            return False

    def _turn(self, me: Player) -> Generator[None, int, None]:
        table = self.table
        while True:
            yield from self._move(me)
            if table.extra or not me.turn_tokens:  # F25: no extra turn follows an extra turn
                break
            if not (yield from self._ask(me, "extra", {STOP: False, SPEND: True})):
                self.happened["extra turn declined"] += 1
                break
            me.turn_tokens -= 1
            table.extra = True
            self.happened["extra turn"] += 1
            self.happened["extra turn after the last juice"] += self._somebody_is_done()
            self.happened["extra turn in the last round"] += table.triggered
        self.happened["extra turn over while a token is left"] += table.extra and me.turn_tokens > 0
        table.extra = False

    def _move(self, me: Player) -> Generator[None, int, None]:
        origin = me.animal
        here = yield from self._ask_location(me, "move", lambda where: where.number != origin)  # F6
        me.animal = here.number
        yield from self._pay_hosts(me, here.number)
        choices = {USE: "use"}
        if can_pay(here.price(), self._items(me)):
            choices[BUY] = "buy"
        if (yield from self._ask(me, "visit", choices)) == "buy":
            self.happened[f"location {here.number + 1} bought"] += 1
            yield from self._buy(me, here)
        else:
            self.happened[f"location {here.number + 1} used"] += 1
            yield from self._use(me, here)

    def _pay_hosts(self, me: Player, here: int) -> Generator[None, int, None]:
        """F7, F28."""
        table = self.table
        thief = table.thief_owner if table.thief == here else None
        hosts = [other for other in self._others(me) if other.animal == here or other.seat == thief]
        self._note_hosts(me, here, hosts)
        if me.hand_size >= len(hosts):
            for host in hosts:
                yield from self._give(me, host, 1)
        else:
            while me.hand_size:
                host = yield from self._ask_player(me, hosts, "host")
                hosts.remove(host)
                yield from self._give(me, host, 1)

    def _was_last_turn(self) -> bool:
        """F15."""
        table = self.table
        self.happened["a turn after the trigger"] += table.triggered
        table.triggered |= self._somebody_is_done()
        table.turn += 1
        return table.triggered and (table.mover + 1) % self.num_players == table.starter

    def _somebody_is_done(self) -> bool:
        return any(player.juices >= NEEDED[self.num_players] for player in self.players)

    # --- buying (F11 to F13) -----------------------------------------------------------------------------------------

    def _buy(self, me: Player, where: Location, more: int = 0) -> Generator[None, int, None]:
        table = self.table
        yield from self._pay(me, where.price(more), self._items)
        me.juices += 1
        table.cards[where.number] -= 1
        if table.drawn < NUMBERED:  # F12
            table.cards[location_of(table.drawn)] += 1
            table.drawn += 1
        if not table.cards[where.number]:
            self._sell_out(me, where.number)
        if len(table.stacks) < 2:
            self.happened["nobody can move on"] += 1
            raise NobodyCanMoveOn

    def _pay(self, me: Player, price: Price, items: Callable[[Player], list[int]]) -> Generator[None, int, None]:
        chosen: list[int] = []
        held = list(items(me))
        while len(chosen) < price.size:
            item = yield from self._ask_card(me, "pay", payable(price, chosen, items(me)))
            self._lay_down(me, item)
            self.paid[item] += 1
            chosen.append(item)
        self._note_payment(price, chosen, held)
        self.paid = [0] * ITEMS

    def _lay_down(self, me: Player, item: int) -> None:
        """Discard a card or return a token: where each goes (F24, F25, F27)."""
        table = self.table
        if item == WILD:
            me.wild_tokens -= 1
        elif item >= TOKEN:
            table.token_owner[item - TOKEN] = None
        else:
            me.hand[item] -= 1
            if item < FRUITS:
                table.discards[item] += 1
            else:
                table.mix_stack[item - FRUITS] += 1

    def _sell_out(self, me: Player, number: int) -> None:
        """F13."""
        table = self.table
        there = [player for player in self.players if player.animal == number]
        for player in there:
            player.animal = None
        self.happened["sold out"] += 1
        self.happened["sold out under the buyer's animal"] += me in there
        self.happened["sold out under other animals"] += any(player is not me for player in there)
        self.happened["sold out elsewhere"] += me not in there
        if table.thief == number:
            table.thief = None
            self.happened["sold out under the thief"] += 1

    # --- cards -------------------------------------------------------------------------------------------------------

    def _turn_up(self) -> int | None:
        """Return a fruit from the fruit stack, None where there is none (F14)."""
        table = self.table
        if not any(table.fruit_stack):
            if not any(table.discards):
                self.happened["both piles empty"] += 1
                return None
            table.fruit_stack, table.discards = table.discards, table.fruit_stack
            self.happened["reshuffle"] += 1
        return take_any(table.fruit_stack, self.source)

    def _draw(self, player: Player, number: int) -> None:
        for _ in range(number):
            fruit = self._turn_up()
            if fruit is not None:
                player.hand[fruit] += 1

    def _steal(self, me: Player, other: Player, number: int) -> None:
        for _ in range(min(number, other.hand_size)):
            me.hand[take_any(other.hand, self.source)] += 1

    def _give(self, giver: Player, taker: Player, number: int) -> Generator[None, int, None]:
        """Give ``number`` cards of the giver's choice, or all (F10a), chosen in order (F10b)."""
        last = 0
        for left in range(min(number, giver.hand_size), 0, -1):
            last = yield from self._ask_card(giver, "give", in_order(giver.hand, last, left))
            giver.hand[last] -= 1
            taker.hand[last] += 1
            self.happened["mix given"] += last >= FRUITS

    def _put(self, taker: Player, cards: list[int]) -> None:
        """Put turned-up fruits into a hand; none are turned up any more."""
        for fruit, number in enumerate(cards):
            taker.hand[fruit] += number
            cards[fruit] = 0

    def _discard_turned(self) -> None:
        for fruit, number in enumerate(self.turned):
            self.table.discards[fruit] += number
            self.turned[fruit] = 0

    # --- actions (F9) ------------------------------------------------------------------------------------------------

    def _use(self, me: Player, where: Location) -> Generator[None, int, None]:
        failing = [step.word for step in where.steps if not self._is_met(me, step)]
        if failing:  # F9a
            self.happened.update(f"fallback of {word}" for word in failing)
            self._draw(me, 1)
            return
        for step in where.steps:
            if not self._is_met(me, step):
                self.happened[f"{step.word} left out"] += 1
                continue
            self.happened[f"step {step.word}"] += 1
            asking: Asking | None = getattr(self, f"_step_{step.word}")(me, step)
            if asking is not None:
                yield from asking

    def _is_met(self, me: Player, step: Step) -> bool:
        """Whether the requirement of a step is met, if it has one."""
        match step.word:
            case "cost":
                return can_pay(step.price, me.hand)
            case "trade":
                return bool(self._to_trade(me, step)) and bool(self._others_with_fruits(me))
            case "salvage":
                return any(self.table.discards)
            case "mix":
                return any(self.table.mix_stack)
            case "fill":
                return me.hand_size < step.number
            case "copy":
                return any(not where.copies for where in self._in_play())
            case "order":
                return any(self._can_order(me, where, step) for where in self._in_play())
        return True

    def _can_order(self, me: Player, where: Location, step: Step) -> bool:
        return can_pay(where.price(step.number), self._items(me))

    def _to_trade(self, me: Player, step: Step) -> list[int]:
        """The cards that can stand for the fruit that a ``trade`` asks for (F27a)."""
        fits = [step.fruit == ANY or step.fruit in TYPES[card] for card in range(CARDS_HELD)]
        return [card for card in range(CARDS_HELD) if me.hand[card] and fits[card]]

    # Steps that draw.

    def _step_draw(self, me: Player, step: Step) -> None:
        self._draw(me, step.number)

    def _step_all_draw(self, me: Player, step: Step) -> None:
        for other in self._others(me):
            self._draw(other, step.number)

    def _step_fill(self, me: Player, step: Step) -> None:
        self._draw(me, step.number - me.hand_size)

    def _step_missing(self, me: Player, step: Step) -> None:
        missing = sum(me.hand[fruit] == 0 for fruit in range(FRUITS))  # F27a: plain fruits
        self.happened[f"missing {min(missing, step.number)}"] += 1
        self._draw(me, min(missing, step.number))

    def _step_per_juice(self, me: Player, step: Step) -> None:
        self.happened["per_juice with juices"] += me.juices > 0
        self._draw(me, step.number + me.juices)

    def _step_catch_up(self, me: Player, step: Step) -> None:
        behind = max(player.juices for player in self.players) - me.juices
        self.happened["catch_up behind"] += behind > 0
        self.happened["catch_up capped"] += 1 + behind > step.number
        self._draw(me, min(1 + behind, step.number))

    def _step_mix(self, me: Player, step: Step) -> None:
        there = sum(self.table.mix_stack)
        self.happened["mix of too few"] += there < step.number
        for _ in range(min(step.number, there)):
            me.hand[FRUITS + take_any(self.table.mix_stack, self.source)] += 1

    def _step_gamble(self, me: Player, step: Step) -> Asking:
        while True:
            fruit = self._turn_up()
            if fruit is None:
                self.happened["gamble with nothing to turn up"] += 1
                return
            self.turned[fruit] += 1
            if self.turned[fruit] == 2:
                self._discard_turned()
                self.happened["gamble lost"] += 1
                return
            table = self.table
            if sum(self.turned) == step.number:
                self.happened["gamble to the last"] += 1
                break
            if not any(table.fruit_stack) and not any(table.discards):
                self.happened["gamble until nothing is left"] += 1
                break
            if not (yield from self._ask(me, "gamble", {STOP: False, GO_ON: True})):
                self.happened["gamble stopped"] += 1
                break
        self._put(me, self.turned)

    def _step_market(self, me: Player, step: Step) -> Asking:
        for _ in range(step.number):
            fruit = self._turn_up()
            if fruit is not None:
                self.turned[fruit] += 1
        self.happened["market of too few"] += 0 < sum(self.turned) < step.number
        if any(self.turned):
            fruit = yield from self._ask_fruit(me, [fruit for fruit in range(FRUITS) if self.turned[fruit]])
            me.hand[fruit] += self.turned[fruit]
            self.turned[fruit] = 0
            self._discard_turned()
        else:
            self.happened["market of nothing"] += 1

    def _step_salvage(self, me: Player, step: Step) -> Asking:
        discards = self.table.discards
        last = 0
        self.happened["salvage of too few"] += sum(discards) < step.number
        for left in range(min(step.number, sum(discards)), 0, -1):
            last = yield from self._ask_fruit(me, in_order(discards, last, left))
            discards[last] -= 1
            me.hand[last] += 1

    # Steps that discard.

    def _step_cost(self, me: Player, step: Step) -> Asking:
        return self._pay(me, step.price, lambda player: player.hand)  # F24: no tokens

    def _step_discard(self, me: Player, step: Step) -> Asking:
        last = 0
        for left in range(min(step.number, me.hand_size), 0, -1):
            last = yield from self._ask_card(me, "discard", in_order(me.hand, last, left))
            self._lay_down(me, last)
            self.happened["mix discarded"] += last >= FRUITS

    def _step_refresh(self, me: Player, step: Step) -> Asking:
        last, discarded = 0, 0
        while me.hand_size:
            choices: dict[int, int | None] = {CARD + card: card for card in in_order(me.hand, last, 0)}
            card = yield from self._ask(me, "refresh", {**choices, STOP: None})
            if card is None:
                break
            self._lay_down(me, card)
            last = card
            discarded += 1
        self.happened["refresh of the whole hand" if discarded and not me.hand_size else "refresh of a part"] += 1
        self.happened["refresh of several"] += discarded > 1
        self._draw(me, discarded + step.number)

    # Steps with other players.

    def _step_gift(self, me: Player, step: Step) -> Asking:
        if me.hand_size:
            other = yield from self._ask_player(me, self._others(me))
            yield from self._give(me, other, step.number)
        else:
            self.happened["gift of nothing"] += 1

    def _step_gift_each(self, me: Player, step: Step) -> Asking:
        self.happened["gift_each with too few"] += me.hand_size < step.number * (self.num_players - 1)
        for other in self._others(me):
            yield from self._give(me, other, step.number)

    def _step_trade(self, me: Player, step: Step) -> Asking:
        other = yield from self._ask_player(me, self._others_with_fruits(me))
        me.aside = yield from self._ask_card(me, "offer", self._to_trade(me, step))
        self.happened["trade of a mix for a fruit"] += step.fruit != ANY and me.aside >= FRUITS
        me.hand[me.aside] -= 1
        self.happened["trade for all"] += other.hand_size < step.number
        yield from self._give(other, me, step.number)
        other.hand[me.aside] += 1
        me.aside = None

    def _step_swap(self, me: Player, step: Step) -> Asking:
        others = self._others_with_fruits(me)
        if not others:
            self.happened["swap with nobody"] += 1
            return
        other = yield from self._ask_player(me, others)
        number = min(step.number, other.hand_size)
        self.happened["swap for all"] += other.hand_size < step.number
        yield from self._give(other, me, number)
        yield from self._give(me, other, number)

    def _step_swap_hands(self, me: Player, step: Step) -> Asking:
        others = [other for other in self._others(me) if other.hand_size <= me.hand_size + step.number]
        if not others or not any(player.hand_size for player in (me, *others)):
            self.happened["swap_hands with nobody" if not others else "swap_hands of nothing"] += 1
            return
        other = yield from self._ask_player(me, others)
        self.happened["swap_hands with an empty hand"] += not other.hand_size or not me.hand_size
        me.hand, other.hand = other.hand, me.hand

    def _step_steal(self, me: Player, step: Step) -> Asking:
        others = self._others_with_fruits(me)
        if others:
            other = yield from self._ask_player(me, others)
            self._steal(me, other, step.number)
        else:
            self.happened["steal from nobody"] += 1

    def _step_steal_each(self, me: Player, step: Step) -> None:
        others = self._others_with_fruits(me, RICH)
        self.happened[f"steal_each from {min(len(others), 2)}"] += 1
        for other in others:
            self._steal(me, other, step.number)

    def _step_ask(self, me: Player, step: Step) -> Asking:
        others = self._others_with_fruits(me)
        if not others:
            self.happened["ask nobody"] += 1
            return
        other = yield from self._ask_player(me, others)
        fruit = yield from self._ask_fruit(me, range(FRUITS))
        number = min(step.number, other.hand[fruit])  # F27a: plain fruits
        self.happened["ask in vain" if not number else f"ask for {number}"] += 1
        other.hand[fruit] -= number
        me.hand[fruit] += number

    def _step_each_gives(self, me: Player, step: Step) -> Asking:
        others = self._others_with_fruits(me, RICH)
        self.happened[f"each_gives by {min(len(others), 2)}"] += 1
        for other in others:
            yield from self._give(other, me, step.number)

    def _step_pass(self, me: Player, _step: Step) -> Asking:
        round_table = [me, *self._others(me)]
        self.happened["pass with an empty hand"] += any(not player.hand_size for player in round_table)
        for player in round_table:
            if player.hand_size:
                player.aside = yield from self._ask_card(player, "pass", in_order(player.hand, 0, 1))
                player.hand[player.aside] -= 1
        for player in round_table:
            if player.aside is not None:
                self._others(player)[0].hand[player.aside] += 1
                player.aside = None

    # Tokens and the thief (F24 to F28).

    def _step_fruit_token(self, me: Player, _step: Step) -> Asking:
        owners = self.table.token_owner
        wanted = [fruit for fruit in range(FRUITS) if owners[fruit] != me.seat]
        if not wanted:
            self.happened["fruit_token: all held"] += 1
            return
        fruit = yield from self._ask_fruit(me, wanted)
        self.happened[f"fruit_token from {'the supply' if owners[fruit] is None else 'a player'}"] += 1
        owners[fruit] = me.seat

    def _step_wild_token(self, me: Player, _step: Step) -> Asking:
        return self._take_token(me, "wild_tokens", WILD_TOKENS)

    def _step_turn_token(self, me: Player, _step: Step) -> Asking:
        return self._take_token(me, "turn_tokens", TURN_TOKENS)

    def _take_token(self, me: Player, kind: str, in_all: int) -> Asking:
        """F26."""
        if sum(getattr(player, kind) for player in self.players) < in_all:
            self.happened[f"{kind} from the supply"] += 1
        else:
            others = [other for other in self._others(me) if getattr(other, kind)]
            if not others:
                self.happened[f"{kind}: all held"] += 1
                return
            other = yield from self._ask_player(me, others)
            setattr(other, kind, getattr(other, kind) - 1)
            self.happened[f"{kind} from a player"] += 1
        setattr(me, kind, getattr(me, kind) + 1)

    def _step_thief(self, me: Player, _step: Step) -> Asking:
        table = self.table
        where = yield from self._ask_location(me, "stack", lambda _: True)
        self.happened["thief put where it lies"] += table.thief == where.number
        self.happened["thief put where its owner stands"] += me.animal == where.number
        self.happened["thief put by another player"] += table.thief_owner not in (None, me.seat)
        table.thief, table.thief_owner = where.number, me.seat

    # Steps with other locations.

    def _step_copy(self, me: Player, _step: Step) -> Asking:
        where = yield from self._ask_location(me, "stack", lambda where: not where.copies)
        self.happened[f"copy of {where.number + 1}"] += 1
        self.happened["copy that falls back"] += not all(self._is_met(me, step) for step in where.steps)
        yield from self._use(me, where)

    def _step_order(self, me: Player, step: Step) -> Asking:
        where = yield from self._ask_location(me, "stack", lambda where: self._can_order(me, where, step))
        self.happened["order of the own location"] += where.number == me.animal
        self.happened["order sells out"] += self.table.cards[where.number] == 1
        yield from self._buy(me, where, step.number)

    # --- the end (F15 to F23) ----------------------------------------------------------------------------------------

    def _end_game(self, cut: bool) -> None:
        table = self.table
        self._note_end(cut)
        stays = len(table.stacks) >= LEAST_STACKS
        stream = self.source.state()
        games = min(self.campaign.games + 1, MOST_GAMES)
        going_on = Campaign(tuple(table.cards), table.drawn, games, self.loser(), stream)
        self.campaign = going_on if stays else Campaign(stream=stream)  # F21
        self.happened["campaign over"] += not stays
        if table.session > 1:
            table.game += 1
            self.happened["session over"] += table.game == table.session
            for player, points in zip(self.players, self.game_points(), strict=True):
                player.points += points
        if table.session in (1, table.game):
            self.ended, self.truncated = not cut, cut

    def _next_game(self) -> None:
        """F23: the next game of the session."""
        before = self.table
        self.happened["fresh campaign within a session"] += self.campaign.over
        options = self.start_seat, before.max_turns, before.session
        table = deal(self.num_players, self.source, self.campaign, self.stage, *options)
        table.turn = table.first_turn = before.turn
        table.game = before.game
        for player, earlier in zip(table.players, before.players, strict=True):
            player.points = earlier.points
        self.table = table
        self.campaign = table.campaign

    def game_keys(self) -> list[tuple[int, int]]:
        """F16: juices, then fruits in hand, a row a seat, of the present game."""
        return [(player.juices, player.hand_size) for player in self.players]

    def game_points(self) -> list[int]:
        """F22: what the present game brings each seat in a session."""
        keys = self.game_keys()
        return [2 if key == max(keys) else 0 if key == min(keys) else 1 for key in keys]

    def loser(self) -> int:
        """F19: who starts the next game."""
        keys = self.game_keys()
        from_starter = [(self.table.starter + distance) % self.num_players for distance in range(self.num_players)]
        winner = next(seat for seat in from_starter if keys[seat] == max(keys))
        after_winner = [(winner + distance) % self.num_players for distance in range(1, self.num_players)]
        return next(seat for seat in after_winner if keys[seat] == min(keys))

    def score_keys(self) -> list[tuple[int, int]]:
        """Return what all is ranked by: in a session victory points alone."""
        if self.table.session > 1:
            return [(player.points, 0) for player in self.players]
        return self.game_keys()

    def ranks(self) -> list[int]:
        keys = self.score_keys()
        return [sum(other > mine for other in keys) for mine in keys]

    def winners(self) -> list[bool]:
        return [rank == 0 for rank in self.ranks()]

    # --- coverage ----------------------------------------------------------------------------------------------------

    def _note_hosts(self, me: Player, here: int, hosts: Sequence[Player]) -> None:
        table = self.table
        if not hosts:
            self.happened["own thief met"] += table.thief == here and table.thief_owner == me.seat
            return
        thief = [host for host in hosts if table.thief == here and host.seat == table.thief_owner]
        self.happened["hosts paid" if me.hand_size >= len(hosts) else "too few fruits for the hosts"] += 1
        self.happened["no fruit for the hosts"] += not me.hand_size
        self.happened["several hosts"] += len(hosts) > 1
        self.happened["thief's owner is a host"] += bool(thief)
        self.happened["thief's owner stands there too"] += any(host.animal == here for host in thief)
        self.happened["thief's owner beside other hosts"] += bool(thief) and len(hosts) > 1

    def _note_payment(self, price: Price, chosen: Sequence[int], held: Sequence[int]) -> None:
        purchase = len(held) == ITEMS
        self.happened[f"{'price' if purchase else 'cost'} {price.form}"] += 1
        self.happened["several tokens at once"] += sum(item >= TOKEN for item in chosen) > 1
        self.happened["wild token paid"] += WILD in chosen
        self.happened["all paid by cards other than fruits"] += all(item >= FRUITS for item in chosen)
        laid = laid_out(price, tuple(chosen), (0,) * ITEMS)
        assert laid is not None, f"{chosen} pay no {price}"
        for item, sign in laid:
            if FRUITS <= item < TOKEN:
                first, second = MIXES[item - FRUITS]
                smoothie = first in sign and second in sign
                kind = "a smoothie" if smoothie else "its first type" if first in sign else "its second type"
                self.happened[f"mix paid as {kind}"] += 1
            self.happened["fruit token paid"] += TOKEN <= item < WILD
            self.happened["fruit token paid as a smoothie"] += TOKEN <= item < WILD and len(sign) == FRUITS

    def _note_end(self, cut: bool) -> None:
        table = self.table
        self.happened["game cut" if cut else "game ended"] += 1
        self.happened["ended in the last turn allowed"] += (
            not cut and table.turn - table.first_turn == table.max_turns and table.triggered
        )
        self.happened["location stack empty at the end"] += table.drawn == NUMBERED
        keys = self.game_keys()
        first, second = sorted(keys, reverse=True)[:2]
        self.happened["shared win"] += first == second
        self.happened["won by fruits in hand"] += first[0] == second[0] and first != second
        self.happened["several losers"] += keys.count(min(keys)) > 1
        self.happened["all equal"] += len(set(keys)) == 1
