"""Stable Times' kernels and its oracle side by side: the same horses and choices through both, everything compared."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from functools import lru_cache
from importlib import resources
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stabletimes_env import GAME
from tablezoo import Batch
from tablezoo.game import ENDED, TRUNCATED
from tablezoo.rng import shuffle
from tests.duels import legal_sets, weighted_actions
from tests.oracles.stabletimes import (
    AISLES,
    CONDITIONS,
    COUNTING,
    DISCARD,
    DISCIPLINES,
    EMPTY,
    HAND,
    KINDS,
    MEASURES,
    MOST_FIELDS,
    NONE,
    PHASES,
    PLACE,
    SEATS,
    SIDES,
    STALL_NAMES,
    STALLS,
    STOP,
    SWAP,
    WILD,
    Aisle,
    Board,
    Content,
    Horse,
    Oracle,
    Player,
    Table,
    aisles_filled,
    deserves_upgrade,
    horse_points,
    horses_in,
    of_discipline,
    points,
    type_of,
    wild,
)

DEPTH = 24
"""Cells of a field."""
AT_HOME = 64
"""In the record's ``outlook``, after a bit a type and one left out: something in other aisles is counted."""
MOST_IN_PASTURE = 19
"""After a turn: two of each type, and the wild horses (S15)."""
SOURCES = str | Path | Sequence[str | Path]

#: Ways to play, as weights of the actions: uniform; placing all there is; placing one and discarding the rest, which
#: covers fields; and swapping at random but placing little.
UNIFORM = np.ones(GAME.num_actions)
BUILD = np.ones(GAME.num_actions)
BUILD[SWAP:PLACE] = 0.02
BUILD[PLACE:DISCARD] = 10
BUILD[DISCARD:STOP] = 0.1
COVER = np.ones(GAME.num_actions)
COVER[PLACE:DISCARD] = 0.02
COVER[DISCARD:STOP:MOST_FIELDS] = 10
LINGER = np.ones(GAME.num_actions)
LINGER[PLACE:DISCARD] = 0.02
LINGER[DISCARD:STOP] = 0.05
WAYS = np.stack([UNIFORM, BUILD, COVER, LINGER])


def content_of(source: str | Path) -> Content:
    """Return the content that a set's name or a path stands for, as the oracle reads it."""
    if isinstance(source, str) and not source.endswith(".toml"):
        return _read(Path(str(resources.files("stabletimes_env") / "content" / f"{source}.toml")))
    return _read(Path(source))


@lru_cache
def _read(path: Path) -> Content:
    return Content.read(path)


# --- records ---------------------------------------------------------------------------------------------------------


def table_of(record: Any, content: Content) -> Table:
    """Return what a record holds, but for the phase of the turn."""
    seats = int(record["num_players"])
    fields = zip(record["field"].tolist(), record["field_size"].tolist(), strict=True)
    return Table(
        content=content,
        players=[_player_of(record, content, seat) for seat in range(seats)],
        deck=[content.horses[number] for number in record["deck"][: int(record["deck_size"])]],
        fields=[_horses(content, cells[:size]) for cells, size in fields][: 2 if seats == 1 else 3],
        starter=int(record["starter"]),
        mover=int(record["seat"]),
        pile={content.horses[number] for number in np.flatnonzero(record["pile"])},
        triggered=bool(record["triggered"]),
        turn=int(record["turn"]),
        max_turns=int(record["max_turns"]),
    )


def _player_of(record: Any, content: Content, seat: int) -> Player:
    hand = _horses(content, record["hand"][seat].tolist())
    shown = {horse for horse, known in zip(hand, record["shown"][seat], strict=False) if known}
    aisles = [_horses(content, stalls) for stalls in record["stall"][seat].tolist()]
    return Player(content.boards[record["board"][seat]], hand, shown, aisles, bool(record["upgraded"][seat]))


def _horses(content: Content, numbers: Sequence[int]) -> list[Horse]:
    return [content.horses[number] for number in numbers if number != EMPTY]


def write_table(record: Any, table: Table) -> None:
    """Set a record to another moment between two turns."""
    for name, value in fields_of(table).items():
        record[name] = value
    record["points"] = _seats([points(table.players, seat) for seat in range(len(table.players))], 0)
    record["max_turns"] = table.max_turns
    record["seat"] = table.mover
    record["phase"] = PHASES.index("swap")
    record["first_aisle"] = -1


def fields_of(table: Table) -> dict[str, Any]:
    """Return the record's fields that are the same in every phase, as nested lists."""
    content, players = table.content, table.players
    fields = table.fields + [[]] * (MOST_FIELDS - len(table.fields))
    stabled = [horses_in(player.aisles) for player in players]
    pile = [0] * EMPTY
    for horse in table.pile:
        pile[horse.number] = 1
    piled = Counter((horse.type, horse.discipline) for horse in table.pile)
    wanted = Counter(horse.preference.kind for horse in table.pile)
    return {
        "turn": table.turn,
        "deck": _cells(table.deck, EMPTY),
        "deck_size": len(table.deck),
        "pile": pile,
        "pile_size": len(table.pile),
        "pile_types": [[piled[type_, of] for of in (*DISCIPLINES, NONE)] for type_ in (*content.types, WILD)],
        "pile_preferences": [wanted[kind] for kind in KINDS],
        "hand": _seats([_cells(player.hand, HAND) for player in players], [EMPTY] * HAND),
        "shown": _seats([_shown(player) for player in players], [0] * HAND),
        "field": [_cells(horses, DEPTH) for horses in fields],
        "field_size": [len(horses) for horses in fields],
        "stall": _seats(
            [[_cells(aisle, STALLS) for aisle in player.aisles] for player in players], [[EMPTY] * STALLS] * AISLES
        ),
        "aisle_size": _seats([[len(aisle) for aisle in player.aisles] for player in players], [0] * AISLES),
        "aisle_type": _seats([_aisle_types(content, player) for player in players], [len(content.types)] * AISLES),
        "disciplines": _seats([[of_discipline(horses, of) for of in DISCIPLINES] for horses in stabled], [0] * 3),
        "wilds": _seats([wild(horses) for horses in stabled], 0),
        "outlook": _seats([[_outlook(content, aisle) for aisle in player.aisles] for player in players], [0] * AISLES),
        "preferences": _seats([_preferences(players, seat) for seat in range(len(players))], [0] * AISLES),
        "board": _seats([player.board.number for player in players], -1),
        "upgraded": _seats([int(player.upgraded) for player in players], 0),
        "starter": table.starter,
        "triggered": int(table.triggered),
    }


def _cells(horses: Sequence[Horse], size: int) -> list[int]:
    return [horse.number for horse in horses] + [EMPTY] * (size - len(horses))


def _shown(player: Player) -> list[int]:
    return [int(horse in player.shown) for horse in player.hand] + [0] * (HAND - len(player.hand))


def _aisle_types(content: Content, player: Player) -> list[int]:
    types = [type_of(aisle) for aisle in player.aisles]
    return [len(content.types) if type_ is None else content.types.index(type_) for type_ in types]


def _outlook(content: Content, aisle: Sequence[Horse]) -> int:
    """Return the bits of what the horses of an aisle count beyond it."""
    wishes = [horse.preference for horse in aisle]
    bits = {1 << content.types.index(wish.type) for wish in wishes if wish.kind == "next_door"}
    bits |= {AT_HOME for wish in wishes if wish.kind == "neighbour" or wish.where == "stable"}
    return sum(bits)


def _preferences(players: Sequence[Player], seat: int) -> list[int]:
    """Return what the horses of each aisle score."""
    aisles = enumerate(players[seat].aisles)
    return [sum(horse_points(players, seat, index, stall) for stall in range(len(aisle))) for index, aisle in aisles]


def _seats(rows: list[Any], missing: Any) -> list[Any]:
    return rows + [missing] * (SEATS - len(rows))


def stream_shuffle(stream: NDArray[np.uint64]) -> Callable[[list[Any]], list[Any]]:
    """Return a shuffle that draws from ``stream`` as the kernels do from a record's."""

    def shuffled(things: list[Any]) -> list[Any]:
        order = np.arange(len(things), dtype=np.uint8)
        shuffle(stream, order, order.size)
        return [things[index] for index in order]

    return shuffled


# --- comparing -------------------------------------------------------------------------------------------------------


def expected_fields(oracle: Oracle) -> dict[str, Any]:
    """Return what the oracle says that a record holds."""
    fields = fields_of(oracle.table)
    fields["points"] = _seats([oracle.points(seat) for seat in range(oracle.num_players)], 0)
    fields["ended"] = ENDED if oracle.ended else TRUNCATED if oracle.truncated else 0
    if not oracle.over:  # who was asked last, and what, is of no interest any more
        fields["seat"] = oracle.asked
        fields["phase"] = PHASES.index(oracle.phase)
        fields["first_aisle"] = -1 if oracle.first_aisle is None else oracle.first_aisle
    return fields


class Duel:
    """A batch whose lanes are each followed by an oracle.

    Args:
        num_games, num_players, seed, content, options: of the batch.
        situations: called before each game of a lane; returns what to play on from instead of the fresh set-up.
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
        situations: Callable[[Table], Table] | None = None,
        content: SOURCES = "original",
        every: int = 1,
        **options: Any,
    ) -> None:
        sources = [content] if isinstance(content, (str, Path)) else list(content)
        self.every = every
        self.steps = 0
        self.contents = [content_of(sources[lane % len(sources)]) for lane in range(num_games)]
        self.batch = Batch(GAME, num_games, num_players, seed=seed, autoreset=False, content=sources, **options)
        self.situations = situations
        self.compared = 0
        self.games = 0
        self.happened: Counter[str] = Counter()
        self.streams = np.zeros((num_games, 2), np.uint64)
        self.oracles: list[Oracle] = [None] * num_games  # type: ignore[list-item]  # filled at once
        self._begin(np.arange(num_games))

    def _begin(self, lanes: NDArray[np.int64]) -> None:
        for lane in lanes:
            self._begin_lane(int(lane))
        if self.situations is not None:
            self.batch.refresh()
            # A written situation has not been played on yet where there is no choice; a fresh set-up has.
            forced = lanes[self.batch.action_mask[lanes].sum(axis=1) == 1]
            if forced.size:
                self.batch.step(self.batch.action_mask[forced].argmax(axis=1), games=forced)
        self.compare(lanes)

    def _begin_lane(self, lane: int) -> None:
        record = self.batch.states[lane]
        fresh = table_of(record, self.contents[lane])
        while True:
            table = fresh if self.situations is None else self.situations(fresh)
            self.streams[lane] = record["rng"]
            oracle = Oracle(table, stream_shuffle(self.streams[lane]))
            if not oracle.over:
                break  # there is something to decide
        if self.situations is not None:
            write_table(record, table)
        self.oracles[lane] = oracle

    # --- playing ---

    def play(self, *actions: int) -> None:
        """Play actions in a duel of one game."""
        for action in actions:
            self.step(np.array([action]))

    def step(self, actions: NDArray[np.int64]) -> None:
        """Play an action in each lane through both sides, and compare."""
        going = np.flatnonzero([not oracle.over for oracle in self.oracles])
        self.batch.step(actions)
        for lane in going:
            self.oracles[lane].play(int(actions[lane]))
        self.steps += 1
        self.compare(going, self.steps % self.every == 0)

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
            self.games += 1
        self.batch.reset(games=lanes)
        self._begin(lanes)

    # --- comparing ---

    def compare(self, lanes: NDArray[np.int64], whole: bool = True) -> None:
        """Raise an AssertionError that tells where the kernels and the oracle differ; records if ``whole``, or over."""
        batch = self.batch
        self._compare_records([lane for lane in lanes.tolist() if whole or self.oracles[lane].over])
        legal = legal_sets(batch.action_mask[lanes])
        streams = batch.states["rng"][lanes].tolist()
        for row, lane in enumerate(lanes.tolist()):
            oracle = self.oracles[lane]
            self._same(lane, "asked", int(batch.seat[lane]), -1 if oracle.asked is None else oracle.asked)
            self._same(lane, "legal", legal[row], oracle.legal())
            self._same(lane, "rng", streams[row], self.streams[lane].tolist())
            if oracle.over:
                self._compare_results(lane)
        self.compared += len(lanes)

    def _compare_records(self, lanes: list[int]) -> None:
        columns = {name: self.batch.states[name][lanes].tolist() for name in FIELDS}
        for row, lane in enumerate(lanes):
            for name, ours in expected_fields(self.oracles[lane]).items():
                if columns[name][row] != ours:
                    self._same(lane, name, columns[name][row], ours)

    def _compare_results(self, lane: int) -> None:
        batch, oracle = self.batch, self.oracles[lane]
        absent = SEATS - oracle.num_players
        scores = [key[0] for key in oracle.score_keys()]
        winners = oracle.winners()
        paid = np.array(_paid(scores, winners) + [0] * absent, np.float32)
        self._same(lane, "terminated", bool(batch.terminated[lane]), oracle.ended)
        self._same(lane, "truncated", bool(batch.truncated[lane]), oracle.truncated)
        self._same(lane, "scores", batch.scores[lane].tolist(), scores + [0] * absent)
        self._same(lane, "ranks", batch.ranks[lane].tolist(), oracle.ranks() + [-1] * absent)
        self._same(lane, "winners", batch.winners[lane].tolist(), winners + [False] * absent)
        self._same(lane, "rewards", batch.rewards[lane].tolist(), paid.tolist())

    def _same(self, lane: int, what: str, kernels: Any, oracle: Any) -> None:
        if kernels != oracle:
            mine = self.oracles[lane]
            raise AssertionError(
                f"{what} differs in lane {lane} after {self.compared} decisions:\n"
                f"  kernels {kernels}\n  oracle  {oracle}\n"
                f"phase {mine.phase}, asked {mine.asked}, {mine.table}\n"
                f"happened {dict(mine.happened)}\nrecord {self.batch.states[lane]}"
            )


FIELDS = (
    "turn", "deck", "deck_size", "pile", "pile_size", "pile_types", "pile_preferences", "hand", "shown", "field",
    "field_size", "stall", "aisle_size", "aisle_type", "disciplines", "wilds", "outlook", "preferences", "board",
    "upgraded", "starter", "triggered", "points", "ended", "seat", "phase", "first_aisle",
)  # fmt: skip
"""The record's fields that are compared."""


def _paid(scores: list[int], winners: list[bool]) -> list[float]:
    if len(scores) == 1:
        low, high = GAME.score_range
        return [(scores[0] - low) / (high - low)]
    won = sum(winners)
    lost = len(winners) - won
    return [(1 / won if winner else -1 / lost) if lost else 0 for winner in winners]


# --- situations ------------------------------------------------------------------------------------------------------


def random_table(rng: np.random.Generator, deal: Table) -> Table:
    """Return a moment in the middle of a game: full stables, big or empty fields, hardly a deck or a pile."""
    content, seats = deal.content, len(deal.players)
    left = [content.horses[number] for number in rng.permutation(len(content.horses))]
    players = [_random_player(rng, player.board, content, left) for player in deal.players]
    ready = any(aisles_filled(player) for player in players)
    if ready and seats == 1:
        return random_table(rng, deal)  # over with the turn before (S33)
    fields = _random_fields(rng, len(deal.fields), left)
    deck, pile = _random_deck(rng, left)
    triggered = seats > 1 and (ready or rng.random() < 0.05)
    starter = int(rng.integers(seats))
    distance = int(rng.integers(triggered, seats))  # a round that the end was triggered in goes on
    turn = int(rng.integers(deal.max_turns // seats)) * seats + distance if deal.max_turns > seats else 0
    mover = (starter + distance) % seats
    return Table(content, players, deck, fields, starter, mover, pile, triggered, turn, deal.max_turns)


def _random_player(rng: np.random.Generator, board: Board, content: Content, left: list[Horse]) -> Player:
    player = Player(board, aisles=_random_stable(rng, content, left))
    player.upgraded = deserves_upgrade(player)
    player.hand = _random_hand(rng, player, left)
    player.shown = {horse for horse in player.hand if rng.random() < 0.3}
    return player


def _random_stable(rng: np.random.Generator, content: Content, left: list[Horse]) -> list[Aisle]:
    """Take a stable from the horses ``left``: empty, anyhow, nearly full, full but two, or with wild horses alone."""
    aisles: list[Aisle] = []
    style = int(rng.integers(5))
    for index in range(AISLES):
        type_ = content.types[int(rng.integers(len(content.types)))]
        wanted = int(rng.integers(STALLS + 1))
        if style == 0:
            wanted = 0
        elif style == 2:
            wanted = int(rng.integers(2, STALLS + 1))
        elif style == 3:
            wanted = STALLS if index < 2 else STALLS - 1
        alone = style == 4 and rng.random() < 0.7
        fitting = [horse for horse in left if horse.type == WILD or (horse.type == type_ and not alone)]
        aisles.append(_take(left, fitting[:wanted]))
    return [aisles[index] for index in rng.permutation(AISLES)]


def _random_hand(rng: np.random.Generator, player: Player, left: list[Horse]) -> list[Horse]:
    """Take a hand, often short, sometimes one that cannot be placed."""
    wanted = HAND if rng.random() < 0.7 else int(rng.integers(HAND))
    candidates = left
    if rng.random() < 0.3:
        types = {type_of(aisle) for aisle in player.aisles}
        candidates = [horse for horse in left if horse.type != WILD and horse.type not in types]
    return sorted(_take(left, candidates[:wanted]), key=lambda horse: horse.number)


def _random_fields(rng: np.random.Generator, number: int, left: list[Horse]) -> list[list[Horse]]:
    sizes = [int(rng.integers(4)) for _ in range(number)]
    if rng.random() < 0.3:
        sizes[int(rng.integers(number))] = MOST_IN_PASTURE - sum(sizes)
    return [_take(left, left[:size]) for size in sizes]


def _random_deck(rng: np.random.Generator, left: list[Horse]) -> tuple[list[Horse], set[Horse]]:
    """Share out what is left; often nearly all of it has left the game."""
    if rng.random() < 0.5:
        del left[int(rng.integers(8)) :]
    in_deck = int(rng.integers(5 if rng.random() < 0.7 else len(left) + 1))
    return left[:in_deck], set(left[in_deck:])


def _take(left: list[Horse], horses: list[Horse]) -> list[Horse]:
    for horse in horses:
        left.remove(horse)
    return list(horses)


def random_document(rng: np.random.Generator) -> str:
    """Return a content file in which all words come anyhow."""
    types = ["Ash", "Bay", "Cream", "Dun", "Ebony"]
    kinds = [type_ for type_ in types for _ in range(12)] + [WILD] * 9
    horses = [
        _random_horse(rng, f"Horse {number}", str(type_), types) for number, type_ in enumerate(_mixed(rng, kinds))
    ]
    conditions = [*_mixed(rng, CONDITIONS[:5])[:2], *["exceeded_opponents"] * 3]
    boards = [_random_board(rng, f"Board {number}", word, types) for number, word in enumerate(_mixed(rng, conditions))]
    return "\n".join([f"types = {types}", "horses = [", *horses, "]", *boards])


def _random_horse(rng: np.random.Generator, name: str, type_: str, types: Sequence[str]) -> str:
    kind = str(rng.choice([*KINDS, "side", *COUNTING]))
    words: dict[str, Any] = {"kind": kind, "points": int(rng.integers(-9, 21))}
    if kind == "stall":
        words["stall"] = rng.choice(STALL_NAMES)
    if kind == "aisles":
        words["aisles"] = _mixed(rng, range(1, AISLES + 1))[: int(rng.integers(1, AISLES + 1))]
    if kind == "side":
        words["side"] = rng.choice(list(SIDES))
    if kind in ("per_type", "neighbour", "next_door"):
        words["type"] = rng.choice(types)
    if kind == "per_discipline":
        words["discipline"] = rng.choice(DISCIPLINES)
    if kind.startswith("per_"):
        words["where"] = rng.choice(["aisle", "stable"])
    if kind in COUNTING and rng.random() < 0.5:
        words["cap"] = int(rng.integers(1, 8))
    entry = {"name": name, "type": type_}
    if type_ != WILD or rng.random() < 0.7:
        entry["discipline"] = rng.choice(DISCIPLINES)
    return f"{_inline(entry)[:-2]}, preference = {_inline(words)} }},"


def _random_board(rng: np.random.Generator, name: str, condition: str, types: Sequence[str]) -> str:
    words: dict[str, Any] = {"condition": condition}
    if condition == "exceeded_opponents":
        words["in"] = rng.choice(MEASURES)
    if rng.random() < 0.5:
        words["cap"] = int(rng.integers(1, 5))
    basic, upgraded = sorted(rng.integers(21, size=2).tolist())
    sides = f"basic = {_inline(words | {'points': basic})}\nupgraded = {_inline(words | {'points': upgraded})}"
    return f'[[boards]]\nname = "{name}"\ntype = "{rng.choice(types)}"\n{sides}'


def _inline(words: dict[str, Any]) -> str:
    told = {key: f'"{value}"' if isinstance(value, str) else value for key, value in words.items()}
    return f"{{ {', '.join(f'{key} = {value}' for key, value in told.items())} }}"


def _mixed(rng: np.random.Generator, things: Sequence[Any]) -> list[Any]:
    return [things[index] for index in rng.permutation(len(things))]
