"""Mustang's kernels and its oracle side by side: the same cards and choices through both, everything compared."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mustang_env import GAME
from tablezoo import Batch
from tablezoo.game import ENDED, TRUNCATED
from tablezoo.rng import shuffle
from tests.duels import legal_sets, weighted_actions
from tests.oracles.mustang import (
    BLACK_PRINCE,
    CARDS,
    CATCH,
    CATCH_PILE,
    COPIES,
    COWBOY,
    DECK,
    DECLINE,
    HAND,
    LAST_ACTIONS,
    NO_CARD,
    SNOW_WHITE,
    STEAL,
    SWAP,
    TYPES,
    Oracle,
    Situation,
    counts,
)

SEATS = 5
PILES = (10, 15, 20)  # M3

#: Ways to play, as weights of the actions: uniform; eager to catch and steal; and never into the stable.
UNIFORM = np.ones(GAME.num_actions)
EAGER = np.ones(GAME.num_actions)
EAGER[SWAP] = 0.2
EAGER[CATCH : CATCH + TYPES] = 2
EAGER[CATCH + BLACK_PRINCE : CATCH + TYPES] = 20
EAGER[CATCH_PILE : CATCH_PILE + 2] = 6
EAGER[DECLINE] = 2
HOARD = EAGER.copy()
HOARD[SWAP] = 0.5
HOARD[STEAL : STEAL + 4 * TYPES] = 3
HOARD[STEAL + 4 * TYPES : CARDS] = 0.02
WAYS = np.stack([UNIFORM, EAGER, HOARD])


# --- records ---------------------------------------------------------------------------------------------------------


def situation_of(record: NDArray[Any]) -> Situation:
    """Return what a record holds between two turns (a fresh deal, say)."""
    seats = int(record["num_players"])
    top, size = int(record["deck_top"]), int(record["deck_size"])
    events = record["events"].tolist()
    piles = zip(record["pile"].tolist(), PILES, record["pile_size"].tolist(), strict=True)
    return Situation(
        hands=record["hand"][:seats].tolist(),
        deck=[int(record["deck"][(top + i) % len(DECK)]) for i in range(size)],
        piles=[pile[total - left : total] for pile, total, left in piles],
        prairie=_counter(record["prairie"]),
        event_deck=record["event_deck"][int(record["event_turned"]) : sum(events)].tolist(),
        dealer=int(record["dealer"]),
        events=events,
        max_turns=int(record["max_turns"]),
        used=list(_counter(record["used"]).elements()),
        corrals=[_counter(row) for row in record["corral"][:seats]],
        stables=[_counter(row) for row in record["stable"][:seats]],
        removed=_counter(record["removed"]),
        event_discards=list(_counter(record["event_discards"]).elements()),
        turn=int(record["turn"]),
        mover=int(record["mover"]),
    )


def write_situation(record: Any, situation: Situation) -> None:
    """Set a record of a fresh deal to another moment between two turns."""
    seats = len(situation.hands)
    no_counters: list[Counter[int]] = [Counter()] * seats
    mover = situation.dealer if situation.mover is None else situation.mover
    record["deck"][: len(situation.deck)] = situation.deck
    record["deck_top"] = 0
    record["deck_size"] = len(situation.deck)
    record["used"] = counts(situation.used, 41)
    record["hand"][:seats] = [sorted(hand) for hand in situation.hands]
    for kind, pile in enumerate(situation.piles):
        record["pile"][kind, PILES[kind] - len(pile) : PILES[kind]] = pile
    record["pile_size"] = [len(pile) for pile in situation.piles]
    record["prairie"] = counts(situation.prairie, TYPES)
    record["corral"][:seats] = [counts(corral, TYPES) for corral in situation.corrals or no_counters]
    record["stable"][:seats] = [counts(stable, TYPES) for stable in situation.stables or no_counters]
    record["removed"] = counts(situation.removed, TYPES)
    turned = sum(situation.events) - len(situation.event_deck)
    record["events"] = situation.events
    record["event_deck"][turned : sum(situation.events)] = situation.event_deck
    record["event_turned"] = turned
    record["event_discards"] = counts(situation.event_discards, 5)
    record["dealer"] = situation.dealer
    record["mover"] = record["seat"] = mover
    record["turn"] = situation.turn
    record["max_turns"] = situation.max_turns
    record["pending_size"] = 0
    record["pending"] = 0


def stream_shuffle(stream: NDArray[np.uint64]) -> Callable[[list[int]], list[int]]:
    """Return a shuffle that draws from ``stream`` as the kernels do from a record's."""

    def shuffled(things: list[int]) -> list[int]:
        array = np.array(things, np.uint8)
        shuffle(stream, array, array.size)
        return [int(thing) for thing in array]

    return shuffled


def _counter(numbers: NDArray[np.uint8]) -> Counter[int]:
    return Counter({i: int(number) for i, number in enumerate(numbers) if number})


def _padded(things: Sequence[int], size: int) -> list[int]:
    return [*things, *[NO_CARD] * (size - len(things))]


# --- comparing -------------------------------------------------------------------------------------------------------

#: The record's fields that are compared one to one with ``expected_fields``.
FIELDS = (
    "turn", "seat", "ended", "deck_size", "used", "hand", "pile_size", "prairie", "corral", "stable", "removed",
    "event_discards", "event_due", "dealer", "mover", "finisher", "last_actor", "last_action", "last_type",
    "last_owner", "last_value", "last_cards", "last_answer", "last_cowboys", "last_swapped",
)  # fmt: skip
#: Those that need arranging first.
ARRANGED = ("deck", "deck_top", "pile", "event_deck", "event_turned")


def expected_fields(oracle: Oracle) -> tuple[Any, ...]:
    """Return what the oracle says the record's ``FIELDS`` are."""
    absent = SEATS - oracle.num_players
    last = oracle.last
    ended = ENDED if oracle.ended else TRUNCATED if oracle.truncated else 0
    return (
        oracle.turn,
        oracle.asked,
        ended,
        len(oracle.deck),
        counts(oracle.used, 41),
        [_padded(hand, HAND) for hand in oracle.hands] + [[NO_CARD] * HAND] * absent,
        [len(pile) for pile in oracle.piles],
        counts(oracle.prairie, TYPES),
        [counts(corral, TYPES) for corral in oracle.corrals] + [[0] * TYPES] * absent,
        [counts(stable, TYPES) for stable in oracle.stables] + [[0] * TYPES] * absent,
        counts(oracle.removed, TYPES),
        counts(oracle.event_discards, 5),
        oracle.events_due,
        oracle.dealer,
        oracle.mover,
        -1 if oracle.finisher is None else oracle.finisher,
        last.actor if last else -1,
        1 + LAST_ACTIONS.index(last.what) if last else 0,
        -1 if last is None or last.counter is None else last.counter,
        -1 if last is None or last.owner is None else last.owner,
        last.value if last else 0,
        _padded(last.cards if last else (), 5),
        _padded(last.answer if last else (), 5),
        last.cowboys if last else 0,
        last.swapped if last else 0,
    )


class Duel:
    """A batch whose lanes are each followed by an oracle.

    Args:
        num_games, num_players, seed, options: of the batch.
        situations: called before each game of a lane; returns what to play on from instead of the fresh deal, or None.
        every: whole records are compared at deals, at ends and in one step of so many; the rest in each.

    Attributes:
        compared: decisions compared; ``games``: games played to their ends.
        happened: what happened in these games, added up.
    """

    def __init__(
        self,
        num_games: int,
        num_players: int,
        seed: int = 0,
        situations: Callable[[Situation], Situation | None] | None = None,
        every: int = 1,
        **options: Any,
    ) -> None:
        self.every = every
        self.steps = 0
        self.batch = Batch(GAME, num_games, num_players, seed=seed, autoreset=False, **options)
        self.situations = situations
        self.compared = 0
        self.games = 0
        self.happened: Counter[str] = Counter()
        self.streams = np.zeros((num_games, 2), np.uint64)
        self.oracles: list[Oracle] = [None] * num_games  # type: ignore[list-item]  # filled at once
        self._begin(np.arange(num_games))

    def _begin(self, lanes: NDArray[np.int64]) -> None:
        states = self.batch.states
        for lane in lanes:
            if self.situations is not None:
                situation = self.situations(situation_of(states[lane]))
                if situation is not None:
                    write_situation(states[lane], situation)
        if self.situations is not None:
            self.batch.refresh()
        for lane in lanes:
            self.streams[lane] = states["rng"][lane]
            self.oracles[lane] = Oracle(situation_of(states[lane]), stream_shuffle(self.streams[lane]))
        # A written situation has not been played on yet where there is no choice; a dealt one has.
        forced = lanes[self.batch.action_mask[lanes].sum(axis=1) == 1]
        if forced.size:
            self.batch.step(self.batch.action_mask[forced].argmax(axis=1), games=forced)
        self.compare(lanes)

    # --- playing ---

    def play(self, *actions: int) -> None:
        """Play actions in a duel of one game."""
        for action in actions:
            self.step(np.array([action]))

    def step(self, actions: NDArray[np.int64]) -> None:
        """Play an action in each lane through both sides, and compare."""
        self.batch.step(actions)
        for oracle, action in zip(self.oracles, actions.tolist(), strict=True):
            if not oracle.over:
                oracle.step(action)
        self.steps += 1
        self.compare(np.arange(self.batch.num_games), self.steps % self.every == 0)

    def run(self, rng: np.random.Generator, decisions: int = 0, games: int = 0) -> None:
        """Play on, each lane in a way of its own, game after game, until so much was compared."""
        ways = WAYS[np.arange(self.batch.num_games) % len(WAYS)]
        while self.compared < decisions or self.games < games:
            self.step(weighted_actions(self.batch.action_mask, ways, rng))
            over = np.flatnonzero(self.batch.seat < 0)
            if over.size:
                self.again(over)

    def again(self, lanes: NDArray[np.int64]) -> None:
        """Begin the next game in lanes whose game is over."""
        for lane in lanes:
            self.happened.update(self.oracles[lane].happened)
            self.happened["truncated"] += self.oracles[lane].truncated
            self.games += 1
        self.batch.reset(games=lanes)
        self._begin(lanes)

    # --- comparing ---

    def compare(self, lanes: NDArray[np.int64], whole: bool = True) -> None:
        """Raise an AssertionError that tells where the kernels and the oracle differ; records if ``whole``, or over."""
        batch = self.batch
        self._compare_records([lane for lane in lanes.tolist() if whole or self.oracles[lane].over])
        asked = batch.seat.tolist()
        legal = legal_sets(batch.action_mask[lanes])
        kernels = batch.states["rng"].tolist()
        streams = self.streams.tolist()
        for lane, actions in zip(lanes.tolist(), legal, strict=True):
            oracle = self.oracles[lane]
            if oracle.over:
                self._compare_results(lane)
            self._same(lane, "legal", actions, oracle.legal())
            self._same(lane, "asked", asked[lane], -1 if oracle.asked is None else oracle.asked)
            self._same(lane, "rng", kernels[lane], streams[lane])
        self.compared += len(lanes)

    def _compare_records(self, lanes: list[int]) -> None:
        columns = {name: self.batch.states[name][lanes].tolist() for name in (*FIELDS, *ARRANGED)}
        rows = zip(*(columns[name] for name in FIELDS), strict=True)
        for index, (lane, row) in enumerate(zip(lanes, rows, strict=True)):
            oracle = self.oracles[lane]
            expected = expected_fields(oracle)
            if oracle.over:
                # Who was asked last is of no interest any more, nor are events that no longer come.
                row = (*row[:1], None, *row[2:])
            if row != expected:
                for name, theirs, ours in zip(FIELDS, row, expected, strict=True):
                    self._same(lane, name, theirs, ours)
            self._compare_order(lane, {name: columns[name][index] for name in ARRANGED})

    def _compare_order(self, lane: int, arranged: dict[str, Any]) -> None:
        """Compare the order of the deck, the piles and the event deck."""
        oracle = self.oracles[lane]
        deck, top = arranged["deck"], arranged["deck_top"]
        turned = deck[top:] + deck[:top]
        self._same(lane, "deck", turned[: len(oracle.deck)], oracle.deck)
        for pile, total, ours in zip(arranged["pile"], PILES, oracle.piles, strict=True):
            self._same(lane, "pile", pile[total - len(ours) : total], ours)
        events = arranged["event_deck"][arranged["event_turned"] : sum(oracle.events)]
        self._same(lane, "event_deck", events, oracle.event_deck)

    def _compare_results(self, lane: int) -> None:
        batch, oracle = self.batch, self.oracles[lane]
        absent = SEATS - oracle.num_players
        winners = oracle.winners()
        won = sum(winners)
        lost = oracle.num_players - won
        paid = [(1 / won if winner else -1 / lost) if lost else 0 for winner in winners]
        self._same(lane, "terminated", bool(batch.terminated[lane]), oracle.ended)
        self._same(lane, "truncated", bool(batch.truncated[lane]), oracle.truncated)
        scores = [key[0] for key in oracle.score_keys()]
        self._same(lane, "scores", batch.scores[lane].tolist(), scores + [0] * absent)
        self._same(lane, "ranks", batch.ranks[lane].tolist(), oracle.ranks() + [-1] * absent)
        self._same(lane, "winners", batch.winners[lane].tolist(), winners + [False] * absent)
        self._same(lane, "rewards", batch.rewards[lane].tolist(), np.array(paid + [0] * absent, np.float32).tolist())

    def _same(self, lane: int, what: str, kernels: Any, oracle: Any) -> None:
        if kernels != oracle:
            mine = self.oracles[lane]
            raise AssertionError(
                f"{what} differs in lane {lane} after {self.compared} decisions:\n"
                f"  kernels {kernels}\n  oracle  {oracle}\n"
                f"turn {mine.turn}, phase {mine.phase}, asked {mine.asked}, mover {mine.mover}, hands {mine.hands},\n"
                f"last action {mine.last}, happened {dict(mine.happened)}\nrecord {self.batch.states[lane]}"
            )


# --- situations ------------------------------------------------------------------------------------------------------


def random_situation(rng: np.random.Generator, deal: Situation) -> Situation:
    """Return a moment in the middle of a game: counters everywhere, hands good for combinations, a short deck."""
    seats = len(deal.hands)
    hands, rest = _random_hands(rng, seats)
    in_deck = int(rng.integers(1, 8 if rng.random() < 0.7 else len(rest) + 1))
    events = [event for event, count in enumerate(deal.events) for _ in range(count)]
    rng.shuffle(events)
    turned = int(rng.integers(0, len(events) + 1))
    situation = Situation(
        hands=hands,
        deck=rest[:in_deck],
        used=rest[in_deck:],
        piles=[],
        prairie=Counter(),
        event_deck=events[turned:],
        event_discards=events[:turned],
        dealer=int(rng.integers(seats)),
        mover=int(rng.integers(seats)),
        events=deal.events,
        max_turns=deal.max_turns,
        turn=int(rng.integers(max(deal.max_turns - 30, 0), deal.max_turns)) if rng.random() < 0.1 else 0,
    )
    _spread_counters(rng, situation)
    while any(_missing_of_a_herd(stable) == 0 for stable in situation.stables):
        _spread_counters(rng, situation)
    return situation


def _random_hands(rng: np.random.Generator, seats: int) -> tuple[list[list[int]], list[int]]:
    cards = [int(card) for card in rng.permutation(DECK)]
    hands: list[list[int]] = []
    for _ in range(seats):
        value, suit = int(rng.integers(1, 5)), int(rng.integers(5))
        wishes = {
            0: [],
            1: [COWBOY] * int(rng.integers(1, 7)),
            2: [(value - 1 + step) * 5 + suit for step in range(5)],
            3: [(int(rng.integers(8))) * 5 + other for other in range(5)],
            4: [(value - 1 + step) * 5 + suit for step in range(0, 5, 2)] + [COWBOY] * 2,
        }[int(rng.integers(5))]
        hand: list[int] = []
        for card in wishes:
            if card in cards:
                cards.remove(card)
                hand.append(card)
        hand += [cards.pop() for _ in range(HAND - len(hand))]
        hands.append(sorted(hand))
    return hands, cards


def _spread_counters(rng: np.random.Generator, situation: Situation) -> None:
    seats = len(situation.hands)
    situation.corrals = [Counter() for _ in range(seats)]
    situation.stables = [Counter() for _ in range(seats)]
    situation.removed = Counter()
    situation.prairie = Counter()
    situation.piles = []
    places = [*situation.corrals, *situation.corrals, *situation.stables, situation.removed]
    collector, suit = int(rng.integers(seats)), int(rng.integers(10))  # who collects a suit, if it is one
    for kind, copies in enumerate(COPIES):
        counters = [int(counter) for counter in rng.permutation([5 * kind + suit for suit in range(5)] * copies)]
        up = 1 + int(rng.integers(3)) if rng.random() < 0.3 else 1
        down = int(rng.integers(len(counters) - up)) if rng.random() < 0.6 else int(rng.integers(2))
        situation.prairie.update(counters[:up])
        situation.piles.append(counters[up : up + down])
        for counter in counters[up + down :]:
            place = places[int(rng.integers(len(places)))]
            if counter % 5 == suit:
                place = (situation.corrals if rng.random() < 0.3 else situation.stables)[collector]
            place[counter] += 1
    for counter in (BLACK_PRINCE, SNOW_WHITE):
        [*places, situation.prairie, situation.prairie][int(rng.integers(len(places) + 2))][counter] += 1


def _missing_of_a_herd(stable: Counter[int]) -> int:
    """Return how many counters a stable lacks for a herd (M26)."""
    kinds = Counter(counter // 5 for counter in stable.elements() if counter < BLACK_PRINCE)
    return max(1 - kinds[0], 0) + max(2 - kinds[1], 0) + max(3 - kinds[2], 0)
