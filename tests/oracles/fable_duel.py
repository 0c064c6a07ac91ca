"""Fable's kernels and its oracle side by side: the same draws and choices through both, everything compared."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fable_env import GAME
from fable_env.campaign import Campaign as Place
from fable_env.campaign import reference
from fable_env.state import LASTING, STATE
from tablezoo import Batch
from tablezoo.game import ENDED, TRUNCATED
from tablezoo.rng import below, seed_streams
from tests.duels import legal_sets, weighted_actions
from tests.oracles.fable import (
    ACTIONS,
    BUY,
    CARDS_HELD,
    FRUITS,
    GO_ON,
    IN_PLAY,
    LOCATIONS,
    MIXES,
    NEEDED,
    NUMBERED,
    OF_FRUIT,
    PHASES,
    SEATS,
    SPEND,
    STACK,
    STEPS,
    STOP,
    TURN_TOKENS,
    USE,
    WILD_TOKENS,
    Campaign,
    Location,
    Oracle,
    Player,
    Table,
    deal,
    location_of,
    locations_in,
)

LETTERS = "BCGPS"
SOURCES = str | Path | Sequence[str | Path]

#: Ways to play, as weights of the actions: uniform; buying what can be bought; hardly ever buying, so that hands grow
#: and fruits run out; and buying from the newest stacks, which turns up one location after the other.
UNIFORM = np.ones(ACTIONS)
BUYING = np.ones(ACTIONS)
BUYING[BUY] = 20
BUYING[STOP] = 0.5
USING = np.ones(ACTIONS)
USING[BUY] = 0.05
USING[GO_ON] = 3
USING[SPEND] = 3
NEWEST = np.ones(ACTIONS)
NEWEST[STACK:USE] = 1 + np.arange(IN_PLAY) ** 2
NEWEST[BUY] = 5
WAYS = np.stack([UNIFORM, BUYING, USING, NEWEST])


class StreamSource:
    """Draws from a stream as the kernels do from a record's."""

    def __init__(self, stream: Sequence[int] | NDArray[np.uint64]) -> None:
        self._stream = np.array(stream, np.uint64)

    def below(self, number: int) -> int:
        return int(below(self._stream, number))

    def state(self) -> list[int]:
        words: list[int] = self._stream.tolist()
        return words

    def restart(self, state: Sequence[int]) -> None:
        self._stream[:] = state


# --- options ---------------------------------------------------------------------------------------------------------


def campaign_from(place: Place) -> Campaign:
    """Return the oracle's campaign for one that the library has."""
    words = None if place.stream is None else [int(place.stream[:16], 16), int(place.stream[16:], 16)]
    cards = tuple(place.stacks.get(number, 0) for number in range(1, LOCATIONS + 1))
    return Campaign(cards, place.drawn, place.games, place.start_seat, words)


def stage_from(stage: Any, num_players: int) -> list[Campaign]:
    """Return where a fresh campaign begins, as the option ``stage`` tells it: who starts is told by a Campaign only.

    What it is dealt from is the lane's own stream, or all fresh starts would be alike.
    """
    if isinstance(stage, Place):
        return [replace(campaign_from(stage), stream=None)]
    first, last = stage if isinstance(stage, tuple) else (stage, stage)
    recorded = [campaign_from(place) for place in reference(num_players)[first : last + 1]]
    return [replace(campaign, start=None, stream=None) for campaign in recorded]


# --- records ---------------------------------------------------------------------------------------------------------


def table_of(record: Any) -> Table:
    """Return what a record holds between two turns (a fresh deal, say)."""
    seats = int(record["num_players"])
    start = _seat(record["campaign_start"])
    return Table(
        players=[_player_of(record, seat) for seat in range(seats)],
        cards=record["cards"].tolist(),
        drawn=int(record["drawn"]),
        fruit_stack=record["fruit_stack"].tolist(),
        starter=int(record["starter"]),
        mover=int(record["mover"]),
        discards=record["discards"].tolist(),
        mix_stack=record["mix_stack"].tolist(),
        token_owner=[_seat(owner) for owner in record["token_owner"]],
        thief=_seat(record["thief"]),
        thief_owner=_seat(record["thief_owner"]),
        triggered=bool(record["triggered"]),
        extra=bool(record["extra"]),
        turn=int(record["turn"]),
        first_turn=int(record["first_turn"]),
        max_turns=int(record["max_turns"]),
        session=int(record["session"]),
        game=int(record["game"]),
        campaign=Campaign(
            tuple(record["campaign_cards"].tolist()),
            int(record["campaign_drawn"]),
            int(record["campaign_games"]),
            start,
            record["campaign_stream"].tolist(),
        ),
    )


def _player_of(record: Any, seat: int) -> Player:
    numbers = (int(record[name][seat]) for name in ("wild_tokens", "turn_tokens", "points"))
    return Player(
        seat, record["hand"][seat].tolist(), int(record["juices"][seat]), _seat(record["animal"][seat]), *numbers
    )


def _seat(number: Any) -> int | None:
    return None if number < 0 else int(number)


def write_table(record: Any, table: Table) -> None:
    """Set a record of a fresh deal to another moment between two turns."""
    for name, value in fields_of(table).items():
        record[name] = value
    record["paid"] = record["turned"] = 0
    record["seat"] = table.mover
    record["pending_size"] = 0
    record["pending"] = 0


def fields_of(table: Table) -> dict[str, Any]:
    """Return the record's fields that a table tells, as nested lists."""
    players = table.players
    stacks = table.stacks
    absent = SEATS - len(players)
    nothing = [0] * absent
    nobody = [-1] * absent
    return {
        "cards": table.cards,
        "stacks": stacks + [LOCATIONS] * (IN_PLAY - len(stacks)),
        "num_stacks": len(stacks),
        "drawn": table.drawn,
        "hand": [player.hand for player in players] + [[0] * CARDS_HELD] * absent,
        "hand_size": [player.hand_size for player in players] + nothing,
        "fruit_stack": table.fruit_stack,
        "discards": table.discards,
        "mix_stack": table.mix_stack,
        "token_owner": [_or_none(owner) for owner in table.token_owner],
        "wild_tokens": [player.wild_tokens for player in players] + nothing,
        "turn_tokens": [player.turn_tokens for player in players] + nothing,
        "juices": [player.juices for player in players] + nothing,
        "animal": [_or_none(player.animal) for player in players] + nobody,
        "thief": _or_none(table.thief),
        "thief_owner": _or_none(table.thief_owner),
        "starter": table.starter,
        "mover": table.mover,
        "triggered": int(table.triggered),
        "extra": int(table.extra),
        "aside": [_or_none(player.aside) for player in players] + nobody,
        "turn": table.turn,
        "first_turn": table.first_turn,
        "game": table.game,
        "points": [player.points for player in players] + nothing,
    }


def _or_none(number: int | None) -> int:
    return -1 if number is None else number


# --- comparing -------------------------------------------------------------------------------------------------------

FIELDS = tuple(name for name, *_ in (*LASTING, *STATE))
"""The record's fields that are compared, with ``turn`` and ``ended``."""


def expected_fields(oracle: Oracle) -> dict[str, Any]:
    """Return what the oracle says that a record holds."""
    campaign = oracle.campaign
    fields = fields_of(oracle.table)
    fields["campaign_cards"] = list(campaign.cards)
    fields["campaign_drawn"] = campaign.drawn
    fields["campaign_games"] = campaign.games
    fields["campaign_start"] = _or_none(campaign.start)
    fields["campaign_stream"] = campaign.stream
    fields["paid"] = oracle.paid
    fields["turned"] = oracle.turned
    fields["ended"] = ENDED if oracle.ended else TRUNCATED if oracle.truncated else 0
    return fields


class Duel:
    """A batch whose lanes are each followed by an oracle, which deals by itself.

    Args:
        num_games, num_players, seed, content, autoreset, options: of the batch.
        situations: called before each game of a lane; returns what to play on from instead of the fresh deal.
        every: whole records are compared at deals, at ends and in one step of so many; the rest in each.

    Attributes:
        compared: decisions compared; ``games``: episodes played to their ends, or left.
        happened: what happened in these, added up.
    """

    def __init__(
        self,
        num_games: int,
        num_players: int,
        seed: int = 0,
        situations: Callable[[Table], Table] | None = None,
        content: SOURCES = "original",
        autoreset: bool = False,
        every: int = 1,
        **options: Any,
    ) -> None:
        self.every = every
        self.steps = 0
        sources = [content] if isinstance(content, (str, Path)) else list(content)
        arguments: dict[str, Any] = {"content": sources, "autoreset": autoreset, **options}
        self.batch = Batch(GAME, num_games, num_players, seed=seed, **arguments)
        read = [locations_in(content_set.record[0]) for content_set in self.batch.contents]
        self.locations: list[list[Location]] = [read[lane % len(read)] for lane in range(num_games)]
        self.num_players = num_players
        self.options = options
        self.stage = stage_from(options.get("stage", 0), num_players)
        self.situations = situations
        self.compared = 0
        self.games = 0
        self.happened: Counter[str] = Counter()
        self.sources = [StreamSource(stream) for stream in seed_streams(seed, num_games)]
        self.oracles: list[Oracle] = [None] * num_games  # type: ignore[list-item]  # filled at once
        self._begin(range(num_games), by_reset=True)

    def _begin(self, lanes: Iterable[int], by_reset: bool) -> None:
        for lane in lanes:
            table = self._deal(lane, by_reset)
            self._follow(lane, table)
        self.compare(lanes)
        if self.situations is not None:
            self._set_up(lanes, self.situations)
            self.compare(lanes)

    def _deal(self, lane: int, by_reset: bool) -> Table:
        """Deal by the rules, from the stream as the lane's last game left it."""
        option = self.options.get("campaign", "fresh")
        campaign: Campaign | None = None
        if isinstance(option, Place) and by_reset:  # a reset by hand enters it anew
            campaign = campaign_from(option)
        elif option != "fresh" and self.oracles[lane] is not None:
            campaign = replace(self.oracles[lane].campaign, stream=None)  # within a game too the stream goes on
        told = {name: self.options[name] for name in ("start_seat", "max_turns", "session") if name in self.options}
        return deal(self.num_players, self.sources[lane], campaign, self.stage, **told)

    def _follow(self, lane: int, table: Table) -> None:
        start_seat = self.options.get("start_seat")
        self.oracles[lane] = Oracle(table, self.locations[lane], self.sources[lane], self.stage, start_seat)

    def _set_up(self, lanes: Iterable[int], situations: Callable[[Table], Table]) -> None:
        """Write a situation into each lane, and play on where it leaves no choice, as the kernels did after a deal."""
        batch = self.batch
        for lane in lanes:
            dealt, stream = self.oracles[lane].table, self.sources[lane].state()
            while True:
                table = situations(dealt)
                self.sources[lane].restart(stream)
                self._follow(lane, table)
                if not self.oracles[lane].over:
                    break  # there is something to decide
            write_table(batch.states[lane], table)
        batch.refresh()
        forced = np.array([lane for lane in lanes if batch.action_mask[lane].sum() == 1], np.int64)
        if forced.size:
            batch.step(batch.action_mask[forced].argmax(axis=1), games=forced)

    # --- playing ---

    def play(self, *actions: int) -> None:
        """Play actions in a duel of one game."""
        for action in actions:
            self.step(np.array([action]))

    def step(self, actions: NDArray[np.int64]) -> None:
        """Play an action in each lane through both sides, and compare."""
        going = [lane for lane, oracle in enumerate(self.oracles) if not oracle.over]
        self.batch.step(actions)
        for lane in going:
            self.oracles[lane].step(int(actions[lane]))
        self.steps += 1
        self.compare(going, self.steps % self.every == 0)
        if self.batch.autoreset:
            over = [lane for lane in going if self.oracles[lane].over]
            self._count(over)
            self._begin(over, by_reset=False)

    def run(self, rng: np.random.Generator, decisions: int = 0, games: int = 0, at_most: int | None = None) -> None:
        """Play on, each lane in a way of its own, game after game, until so much was compared.

        Games are left after ``at_most`` decisions, so that there are more situations.
        """
        ways = WAYS[np.arange(self.batch.num_games) % len(WAYS)]
        while self.compared < decisions or self.games < games:
            self.step(weighted_actions(self.batch.action_mask, ways, rng))
            lanes = [lane for lane, oracle in enumerate(self.oracles) if oracle.over or oracle.decisions == at_most]
            if lanes:
                self.again(lanes)

    def again(self, lanes: Sequence[int]) -> None:
        """Deal anew."""
        self._count(lanes)
        self.batch.reset(games=lanes)
        self._begin(lanes, by_reset=True)

    def _count(self, lanes: Sequence[int]) -> None:
        for lane in lanes:
            self.happened.update(self.oracles[lane].happened)
            self.games += 1

    # --- comparing ---

    def compare(self, lanes: Iterable[int], whole: bool = True) -> None:
        """Raise an AssertionError that tells where the kernels and the oracle differ; records if ``whole``, or over."""
        batch = self.batch
        rows = list(lanes)
        replaced = [batch.autoreset and self.oracles[lane].over for lane in rows]
        records = batch.states[rows]
        records[replaced] = batch.final_states[rows][replaced]
        self._compare_records(rows, records, [whole or self.oracles[lane].over for lane in rows])
        sizes, streams = records["pending_size"].tolist(), records["rng"].tolist()
        phases = records["pending"][np.arange(len(rows)), np.maximum(records["pending_size"] - 1, 0), 0].tolist()
        seats = batch.seat.tolist()
        legal = legal_sets(batch.action_mask[rows])
        for row, lane in enumerate(rows):
            oracle = self.oracles[lane]
            if not replaced[row]:
                self._same(lane, "asked", seats[lane], _or_none(oracle.asked))
                self._same(lane, "legal", legal[row], oracle.legal())
            if oracle.over:
                self._same(lane, "pending_size", sizes[row], 0)
                self._compare_results(lane)
            else:
                self._same(lane, "phase", PHASES[phases[row]], oracle.phase)
            self._same(lane, "rng", streams[row], self.sources[lane].state())
        self.compared += len(rows)

    def _compare_records(self, lanes: list[int], records: NDArray[Any], chosen: list[bool]) -> None:
        records = records[chosen]
        columns = {name: records[name].tolist() for name in (*FIELDS, "turn", "ended")}
        for row, lane in enumerate(itertools.compress(lanes, chosen)):
            for name, ours in expected_fields(self.oracles[lane]).items():
                if columns[name][row] != ours:
                    self._same(lane, name, columns[name][row], ours)

    def _compare_results(self, lane: int) -> None:
        batch, oracle = self.batch, self.oracles[lane]
        absent = SEATS - oracle.num_players
        winners = oracle.winners()
        won = sum(winners)
        lost = oracle.num_players - won
        paid = [(1 / won if winner else -1 / lost) if lost else 0 for winner in winners]
        scores = [key[0] for key in oracle.score_keys()]
        self._same(lane, "terminated", bool(batch.terminated[lane]), oracle.ended)
        self._same(lane, "truncated", bool(batch.truncated[lane]), oracle.truncated)
        self._same(lane, "scores", batch.scores[lane].tolist(), scores + [0] * absent)
        self._same(lane, "ranks", batch.ranks[lane].tolist(), oracle.ranks() + [-1] * absent)
        self._same(lane, "winners", batch.winners[lane].tolist(), winners + [False] * absent)
        self._same(lane, "rewards", batch.rewards[lane].tolist(), np.array(paid + [0] * absent, np.float32).tolist())

    def _same(self, lane: int, what: str, kernels: Any, oracle: Any) -> None:
        if kernels != oracle:
            mine = self.oracles[lane]
            happened = {what: times for what, times in mine.happened.items() if times}
            raise AssertionError(
                f"{what} differs in lane {lane} after {self.compared} decisions:\n"
                f"  kernels {kernels}\n  oracle  {oracle}\n"
                f"phase {mine.phase}, asked {mine.asked}, last actions {list(mine.played)}, {mine.table}\n"
                f"happened {happened}\nrecord {self.batch.states[lane]}"
            )


# --- situations ------------------------------------------------------------------------------------------------------


def random_table(rng: np.random.Generator, dealt: Table) -> Table:
    """Return a moment in the middle of a game: any stacks, any hands, tokens about, hardly a fruit to draw."""
    seats = len(dealt.players)
    drawn, cards = _random_stacks(rng)
    stacks = np.flatnonzero(cards)
    crowd = stacks[rng.permutation(len(stacks))[: int(rng.integers(1, 5))]]  # where most animals stand
    places = crowd if rng.random() < 0.8 else stacks
    players = [Player(seat) for seat in range(seats)]
    for player in players:
        player.animal = int(rng.choice(places)) if rng.random() < 0.85 else None
    starter, mover = (int(seat) for seat in rng.integers(seats, size=2))
    triggered = _random_juices(rng, players, drawn - sum(cards), mover != starter)
    fruit_stack, discards = _random_hands(rng, players)
    mix_stack = _random_mixes(rng, players)
    turn = max(dealt.max_turns - int(rng.integers(1, 6)), 0) if rng.random() < 0.2 else 0
    game = int(rng.integers(dealt.session))
    for player in players:
        player.points = int(rng.integers(2 * game + 1))
    return replace(
        dealt,
        players=players,
        cards=cards,
        drawn=drawn,
        fruit_stack=fruit_stack,
        starter=starter,
        mover=mover,
        discards=discards,
        mix_stack=mix_stack,
        token_owner=_random_tokens(rng, players),
        thief=int(rng.choice(places)) if rng.random() < 0.6 else None,
        thief_owner=int(rng.integers(seats)),
        triggered=triggered,
        extra=bool(rng.random() < 0.1),
        turn=turn,
        game=game,
    )


def _random_stacks(rng: np.random.Generator) -> tuple[int, list[int]]:
    """Return how many cards have left the location stack, and which lie on the table."""
    style = rng.random()
    drawn = NUMBERED if style < 0.4 else IN_PLAY if style < 0.45 else int(rng.integers(IN_PLAY, NUMBERED + 1))
    in_play = int(rng.integers(2, IN_PLAY + 1)) if drawn == NUMBERED and rng.random() < 0.7 else IN_PLAY
    turned_up = [location_of(card) for card in range(drawn)]
    style = rng.random()
    if style < 0.3:  # the newest ones
        chosen = turned_up[-in_play:]
    elif style < 0.6:  # few stacks, high ones
        order = rng.permutation(LOCATIONS)
        chosen = sorted(turned_up, key=lambda location: order[location])[:in_play]
    elif style < 0.7 and len(set(turned_up)) >= IN_PLAY:  # as many stacks as there can be
        chosen = [int(location) for location in rng.permutation(sorted(set(turned_up)))[:IN_PLAY]]
    else:
        chosen = [turned_up[index] for index in rng.permutation(drawn)[:in_play]]
    cards = [chosen.count(location) for location in range(LOCATIONS)]
    return (drawn, cards) if np.count_nonzero(cards) >= 2 else _random_stacks(rng)


def _random_juices(rng: np.random.Generator, players: Sequence[Player], sold: int, may_be_done: bool) -> bool:
    """Share out some of the cards ``sold``; return whether somebody has all that are needed, in the last round."""
    needed = NEEDED[len(players)]
    for player in players:
        player.juices = min(int(rng.integers(needed)), sold)
        sold -= player.juices
    done = may_be_done and sold >= needed and rng.random() < 0.25
    if done:
        players[int(rng.integers(len(players)))].juices = needed
    return done


def _random_hands(rng: np.random.Generator, players: Sequence[Player]) -> tuple[list[int], list[int]]:
    """Deal hands: none, short, rich, of few types, or all fruits there are; return fruit stack and discards."""
    fruits = [fruit for fruit in range(FRUITS) for _ in range(OF_FRUIT)]
    left = [fruits[index] for index in rng.permutation(len(fruits))]
    if rng.random() < 0.2:
        left.sort(key=lambda fruit: (fruit + rng.integers(3)) % FRUITS)
    most = int(rng.choice([0, 2, 5, 9, 14]))
    for player in players:
        for fruit in _taken(left, int(rng.integers(most + 1))):
            player.hand[fruit] += 1
    if rng.random() < 0.1:
        rich = int(rng.integers(len(players))) if rng.random() < 0.5 else None
        for fruit in _taken(left, len(left) - int(rng.integers(4))):
            players[int(rng.integers(len(players))) if rich is None else rich].hand[fruit] += 1
    style = rng.random()
    stacked = _taken(left, int(rng.integers(6)) if style < 0.5 else int(rng.integers(len(left) + 1)))
    if style > 0.9:
        stacked += _taken(left, len(left))
    return [stacked.count(fruit) for fruit in range(FRUITS)], [left.count(fruit) for fruit in range(FRUITS)]


def _taken(left: list[int], number: int) -> list[int]:
    taken, left[:] = left[:number], left[number:]
    return taken


def _random_mixes(rng: np.random.Generator, players: Sequence[Player]) -> list[int]:
    in_hands = rng.choice([0, 0.3, 1])
    stack = [1] * len(MIXES)
    for mix in range(len(MIXES)):
        if rng.random() < in_hands:
            stack[mix] = 0
            players[int(rng.integers(len(players)))].hand[FRUITS + mix] += 1
    return stack


def _random_tokens(rng: np.random.Generator, players: Sequence[Player]) -> list[int | None]:
    """Share out wild and double-turn tokens; return who has which fruit token."""
    held = rng.choice([0.1, 0.5, 1])
    rich = int(rng.integers(len(players))) if rng.random() < 0.2 else None

    def somebody() -> int | None:
        seat = int(rng.integers(len(players))) if rich is None else rich
        return seat if rng.random() < held else None

    for kind, in_all in (("wild_tokens", WILD_TOKENS), ("turn_tokens", TURN_TOKENS)):
        for seat in (somebody() for _ in range(in_all)):
            if seat is not None:
                setattr(players[seat], kind, getattr(players[seat], kind) + 1)
    return [somebody() for _ in range(FRUITS)]


# --- content ---------------------------------------------------------------------------------------------------------


def random_document(rng: np.random.Generator) -> str:
    """Return a content file in which all steps and prices come anyhow."""
    lines = []
    for number in range(LOCATIONS):
        action = _random_action(rng) if number else ["draw 2"]  # one at least without copy
        told = ", ".join(f'"{step}"' for step in action)
        lines.append(f'[[locations]]\nname = "{number + 1}"\naction = [{told}]\nprice = "{_random_price(rng)}"')
    return "\n".join(lines)


def _random_action(rng: np.random.Generator) -> list[str]:
    words = [str(word) for word in rng.permutation(STEPS)[: int(rng.integers(1, 5))]]
    if "trade" in words and "cost" in words:
        words.remove("trade")
    return [_random_step(rng, word) for word in words]


def _random_step(rng: np.random.Generator, word: str) -> str:
    number = int(rng.integers(1, 10)) if rng.random() < 0.2 else int(rng.integers(1, 4))
    if word in ("pass", "fruit_token", "wild_token", "turn_token", "thief", "copy"):
        return word
    if word in ("gamble", "missing"):
        return f"{word} {min(number + 1, FRUITS)}"
    if word == "fill":
        return f"{word} {min(number + 3, 9)}"
    if word in ("trade", "cost"):
        fruit = str(rng.choice([*LETTERS, "any", "same"] if word == "cost" else [*LETTERS, "any"]))
        return f"{word} {fruit} {max(number, 2) if fruit == 'same' else number}"
    return f"{word} {number}"


def _random_price(rng: np.random.Generator) -> str:
    letters = rng.choice([*LETTERS, "*"], size=int(rng.integers(1, 4)))
    style = rng.random()
    special = f"={rng.integers(2, 5)}" if style < 0.3 else f"≠{rng.integers(2, 6)}" if style < 0.6 else ""
    return special + "".join(letters[: int(rng.integers(len(letters) + 1))] if special else letters)
