"""Stable Times once more: plain Python objects, written from the rules document and the content file alone.

A game is one generator, :meth:`Oracle._play`, that reads from top to bottom like the rulebook and stops at each
decision (:meth:`Oracle._ask`). Nothing here is shared with the kernels but the numbers of horses, boards and actions.
"""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Callable, Generator, Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

# --- the encoding ----------------------------------------------------------------------------------------------------

AISLES, STALLS, HAND, MOST_FIELDS = 4, 3, 3, 3
SEATS = 5
EMPTY = 69

SWAP = 0
PLACE = 27
DISCARD = 39
STOP = 48

DECK = -1
"""Where a swap takes its horse from, if not from a field."""

PHASES = ("swap", "place", "place_again", "discard", "over")

WILD = "wild"
NONE = "none"
DISCIPLINES = ("rail", "block", "flag")
STALL_NAMES = ("top", "middle", "bottom")
SIDES = {"inner": (2, 3), "outer": (1, 4)}
KINDS = (
    "flat", "stall", "aisles", "complete", "per_type", "per_discipline",
    "all_different", "all_equal", "neighbour", "per_wild", "per_empty", "next_door",
)  # fmt: skip
COUNTING = ("per_type", "per_discipline", "per_wild", "per_empty", "next_door")
CONDITIONS = (
    "complete_aisles", "aisle_types", "preferred_horses", "discipline_sets", "equal_neighbours", "exceeded_opponents",
)  # fmt: skip
MEASURES = (*CONDITIONS[:5], "horses", "wild_horses", *DISCIPLINES)
NO_CAP = 24


# --- content (S2 to S4) ----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Preference:
    """What a horse scores: the words of its preference; ``aisles`` are numbered from 1."""

    kind: str
    points: int
    stall: str = ""
    aisles: tuple[int, ...] = ()
    type: str = ""
    discipline: str = ""
    where: str = ""
    cap: int = NO_CAP


@dataclass(frozen=True, eq=False)
class Horse:
    number: int
    name: str
    type: str
    discipline: str
    preference: Preference

    def __repr__(self) -> str:
        return f"{self.number} {self.name} ({self.type}, {self.discipline})"


@dataclass(frozen=True, eq=False)
class Board:
    """``points`` of the basic side, then of the upgraded one."""

    number: int
    name: str
    type: str
    condition: str
    points: tuple[int, int]
    measure: str
    cap: int


@dataclass(frozen=True, eq=False)
class Content:
    types: list[str]
    horses: list[Horse]
    boards: list[Board]

    @classmethod
    def read(cls, path: Path) -> Content:
        document = tomllib.loads(path.read_text(encoding="utf-8"))
        horses = [_horse(number, entry) for number, entry in enumerate(document["horses"])]
        boards = [_board(number, entry) for number, entry in enumerate(document["boards"])]
        return cls(document["types"], horses, boards)


def _horse(number: int, entry: dict[str, Any]) -> Horse:
    words = dict(entry["preference"])
    if words["kind"] == "side":
        words = {"kind": "aisles", "aisles": SIDES[words["side"]], "points": words["points"]}
    if "aisles" in words:
        words["aisles"] = tuple(words["aisles"])
    words["cap"] = min(words.get("cap", NO_CAP), NO_CAP)
    return Horse(number, entry["name"], entry["type"], entry.get("discipline", NONE), Preference(**words))


def _board(number: int, entry: dict[str, Any]) -> Board:
    basic, upgraded = entry["basic"], entry["upgraded"]
    cap = min(basic.get("cap", NO_CAP), NO_CAP)
    points = basic["points"], upgraded["points"]
    return Board(number, entry["name"], entry["type"], basic["condition"], points, basic.get("in", ""), cap)


# --- the table -------------------------------------------------------------------------------------------------------

Aisle = list[Horse]
"""Its horses, the top stall first (S10)."""


@dataclass
class Player:
    board: Board
    hand: list[Horse] = field(default_factory=list)
    shown: set[Horse] = field(default_factory=set)
    aisles: list[Aisle] = field(default_factory=lambda: [[] for _ in range(AISLES)])
    upgraded: bool = False

    def copy(self) -> Player:
        aisles = [list(aisle) for aisle in self.aisles]
        return Player(self.board, list(self.hand), set(self.shown), aisles, self.upgraded)


@dataclass
class Table:
    """Everything between two turns. The last of ``deck`` and of each field is its top; the pile is in no order."""

    content: Content = field(repr=False)
    players: list[Player]
    deck: list[Horse]
    fields: list[list[Horse]]
    starter: int
    mover: int
    pile: set[Horse] = field(default_factory=set)
    triggered: bool = False
    turn: int = 0
    max_turns: int = 1000

    def copy(self) -> Table:
        players = [player.copy() for player in self.players]
        fields = [list(horses) for horses in self.fields]
        rest = self.starter, self.mover, set(self.pile), self.triggered, self.turn, self.max_turns
        return Table(self.content, players, list(self.deck), fields, *rest)


Shuffle = Callable[[list[Any]], list[Any]]


def set_up(
    content: Content,
    num_players: int,
    shuffle: Shuffle,
    below: Callable[[int], int],
    boards: Sequence[int] | None = None,
    starter: int | None = None,
    max_turns: int = 1000,
) -> Table:
    """Set up a game (S6, S7): boards and horses are shuffled in this order, then the start seat is drawn."""
    solo = num_players == 1
    if boards is None:  # S30
        boards = shuffle([board.number for board in content.boards if not (solo and counts_opponents(board))])
    players = [Player(content.boards[boards[seat]]) for seat in range(num_players)]
    deck = shuffle(list(content.horses))
    if starter is None:
        starter = below(num_players)
    for distance in range(num_players):
        hand = players[(starter + distance) % num_players].hand
        hand += [deck.pop() for _ in range(HAND)]
        hand.sort(key=number_of)
    fields = [[deck.pop()] for _ in range(2 if solo else 3)]  # S31
    return Table(content, players, deck, fields, starter, starter, max_turns=max_turns)


def counts_opponents(board: Board) -> bool:
    return board.condition == "exceeded_opponents"


def number_of(horse: Horse) -> int:
    return horse.number


# --- stables (S5, S10, S11) ------------------------------------------------------------------------------------------


def type_of(aisle: Aisle) -> str | None:
    for horse in aisle:
        if horse.type != WILD:
            return horse.type
    return None  # S11: wild horses alone


def is_complete(aisle: Aisle) -> bool:
    return len(aisle) == STALLS


def takes(aisle: Aisle, horse: Horse) -> bool:
    if is_complete(aisle):
        return False
    return horse.type == WILD or type_of(aisle) in (None, horse.type)


def horses_of_type(aisles: Iterable[Aisle], type_: str) -> int:
    """S34: a wild horse counts as its aisle's type."""
    return sum(len(aisle) for aisle in aisles if type_of(aisle) == type_)


def horses_in(aisles: Iterable[Aisle]) -> list[Horse]:
    return [horse for aisle in aisles for horse in aisle]


def of_discipline(horses: Iterable[Horse], discipline: str) -> int:
    return sum(horse.discipline == discipline for horse in horses)


def wild(horses: Iterable[Horse]) -> int:
    return sum(horse.type == WILD for horse in horses)


def beside(aisles: Sequence[Aisle], index: int) -> list[Aisle]:
    """S34: the aisles whose numbers differ by one."""
    return [aisles[other] for other in (index - 1, index + 1) if 0 <= other < AISLES]


def aisles_filled(player: Player) -> bool:
    """S19."""
    return sum(map(is_complete, player.aisles)) >= 3


def deserves_upgrade(player: Player) -> bool:
    """S18."""
    horses = horses_in(player.aisles)
    preferred = any(is_complete(aisle) and type_of(aisle) == player.board.type for aisle in player.aisles)
    return preferred and all(of_discipline(horses, discipline) >= 2 for discipline in DISCIPLINES)


# --- scoring (S20, S34, S35) -----------------------------------------------------------------------------------------


def points(players: Sequence[Player], seat: int) -> int:
    """S20."""
    total = board_points(players, seat) + 5 * measured(players[seat], "discipline_sets", players[seat])
    for index, aisle in enumerate(players[seat].aisles):
        for stall in range(len(aisle)):
            total += horse_points(players, seat, index, stall)
    return total


def horse_points(players: Sequence[Player], seat: int, index: int, stall: int) -> int:
    """Return what the horse in aisle ``index`` and ``stall``, both from 0, scores."""
    preference = players[seat].aisles[index][stall].preference
    return preference.points * min(_times(players, seat, index, stall), preference.cap)


def _times(players: Sequence[Player], seat: int, index: int, stall: int) -> int:
    aisles = players[seat].aisles
    aisle = aisles[index]
    horse = aisle[stall]
    preference = horse.preference
    where = aisles if preference.where == "stable" else [aisle]
    match preference.kind:
        case "flat":
            return 1
        case "stall":
            return int(STALL_NAMES[stall] == preference.stall)
        case "aisles":
            return int(index + 1 in preference.aisles)
        case "complete":
            return int(is_complete(aisle))
        case "all_different":
            return int(is_complete(aisle) and len(_disciplines(aisle)) == STALLS)
        case "all_equal":
            return int(is_complete(aisle) and len(_disciplines(aisle)) == 1 and horse.discipline != NONE)
        case "neighbour":
            return int(any(type_of(other) == preference.type for other in beside(aisles, index)))
        case "per_type":
            return horses_of_type(where, preference.type) - (type_of(aisle) == preference.type)
        case "per_discipline":
            return of_discipline(_others(where, horse), preference.discipline)
        case "per_wild":
            return wild(_others(where, horse))
        case "per_empty":
            return sum(STALLS - len(other) for other in where)
        case "next_door":
            return sum(horses_of_type(players[other].aisles, preference.type) for other in next_door(players, seat))
    raise AssertionError(f"unknown kind {preference.kind}")


def _disciplines(aisle: Aisle) -> set[str]:
    """S35: no discipline, no set of them."""
    disciplines = {horse.discipline for horse in aisle}
    return set() if NONE in disciplines else disciplines


def _others(where: Iterable[Aisle], card: Horse) -> list[Horse]:
    """S34: the card itself is never counted."""
    return [horse for horse in horses_in(where) if horse is not card]


def next_door(players: Sequence[Player], seat: int) -> set[int]:
    """S35: the seats before and after, one player counted once, none in solo."""
    return {(seat - 1) % len(players), (seat + 1) % len(players)} - {seat}


def board_points(players: Sequence[Player], seat: int) -> int:
    me = players[seat]
    return me.board.points[me.upgraded] * min(board_count(players, seat), me.board.cap)


def board_count(players: Sequence[Player], seat: int) -> int:
    me = players[seat]
    if not counts_opponents(me.board):
        return measured(me, me.board.condition, me)
    mine = measured(me, me.board.measure, me)
    others = [player for player in players if player is not me]
    return sum(mine > measured(other, me.board.measure, me) for other in others)  # S35: strictly


def measured(player: Player, measure: str, scorer: Player) -> int:
    """Return how much of something ``player`` has; the preferred type is that of the ``scorer`` (S35)."""
    aisles = player.aisles
    types = [type_of(aisle) for aisle in aisles]
    horses = horses_in(aisles)
    match measure:
        case "complete_aisles":
            return sum(is_complete(aisle) for aisle in aisles)
        case "aisle_types":
            return len(set(types) - {None})
        case "preferred_horses":
            return horses_of_type(aisles, scorer.board.type)
        case "discipline_sets":
            return min(of_discipline(horses, discipline) for discipline in DISCIPLINES)
        case "equal_neighbours":
            return sum(types[index] is not None and types[index] == types[index + 1] for index in range(AISLES - 1))
        case "horses":
            return len(horses)
        case "wild_horses":
            return wild(horses)
    assert measure in DISCIPLINES
    return of_discipline(horses, measure)


def tier(score: int) -> str:
    """S33."""
    return "Master" if score >= 52 else "Pro" if score >= 42 else "Amateur" if score >= 35 else "none"


# --- a game ----------------------------------------------------------------------------------------------------------


class Oracle:
    """One game from a table on.

    Args:
        table: a fresh set-up (S6, S7), or any moment between two turns; it is copied.
        shuffle: returns its list in a new order; called for S16, with the pile in the order of the content file. The
            last of what it returns is the top of the deck.

    Attributes:
        asked: the seat asked, None when the game is over.
        phase: one of ``PHASES``.
        first_aisle: of the turn's first horse, 0 to 3; None before.
        ended, truncated: how it is over.
        happened: how often each notable thing happened, for coverage.
    """

    def __init__(self, table: Table, shuffle: Shuffle) -> None:
        self.table = table.copy()
        self.shuffle = shuffle
        self.players = self.table.players
        self.fields = self.table.fields
        self.num_players = len(self.players)

        self.ended = False
        self.truncated = False
        self.first_aisle: int | None = None
        self.happened: Counter[str] = Counter()
        self._points: list[int] | None = None

        self.asked: int | None = None
        self.phase = "swap"
        self._choices: dict[int, Any] = {}
        self._game = self._play()
        next(self._game, None)

    # --- deciding ----------------------------------------------------------------------------------------------------

    @property
    def over(self) -> bool:
        return self.ended or self.truncated

    def legal(self) -> set[int]:
        """Return the actions of the seat asked; none when the game is over."""
        return set(self._choices)

    def play(self, action: int) -> None:
        """Play one legal action of the seat asked, and what follows from it without a choice."""
        if action not in self._choices:
            raise ValueError(f"action {action} is illegal for seat {self.asked}: legal are {sorted(self._choices)}")
        try:
            self._game.send(action)
        except StopIteration:
            self._choices = {}

    def _ask(self, phase: str, choices: dict[int, Any]) -> Generator[None, int, Any]:
        """Let the mover choose; what it has no choice about, it is not asked."""
        if len(choices) == 1:
            return next(iter(choices.values()))
        self.asked, self.phase, self._choices = self.table.mover, phase, choices
        action = yield
        self.asked, self._choices = None, {}
        return choices[action]

    # --- the game ----------------------------------------------------------------------------------------------------

    def _play(self) -> Generator[None, int, None]:
        while not self.over:
            yield from self._turn(self.players[self.table.mover])
            self._end_turn()
        self.phase = "over"
        self._note_scores()

    def _turn(self, me: Player) -> Generator[None, int, None]:
        yield from self._swap(me)
        if not placements(me, None):  # S13, S13a
            self.happened["no horse can be placed" if me.hand else "empty hand"] += 1
            self.happened["discarded hand shuffled in"] += bool(me.hand) and len(self.table.deck) < HAND
            self._discard_hand(me)
            self._draw_hand(me)
        else:
            yield from self._place(me)
            yield from self._discard(me)
            self._draw_hand(me)  # S15
        self._replenish_pasture()

    def _swap(self, me: Player) -> Generator[None, int, None]:
        choice = yield from self._ask("swap", swaps(self.table))
        if choice is None:
            return
        horse, target, source = choice
        self._note_swap(target, source)
        self._leave_hand(me, horse)
        self.fields[target].append(horse)  # S8
        if source == DECK:
            self._draw_into(me)
        else:
            taken = self.fields[source].pop()
            me.hand.append(taken)
            me.shown.add(taken)  # what all saw being taken stays known
        me.hand.sort(key=number_of)

    def _place(self, me: Player) -> Generator[None, int, None]:
        horse, aisle = yield from self._ask("place", placements(me, None))  # S9: compulsory
        self._into_stable(me, horse, aisle)
        self.first_aisle = aisle
        choices: dict[int, Any] = {**placements(me, aisle), STOP: None}
        second = yield from self._ask("place_again", choices)
        self.happened["second placed" if second else "second declined" if len(choices) > 1 else "no second"] += 1
        if second:
            self._into_stable(me, *second)

    def _into_stable(self, me: Player, horse: Horse, index: int) -> None:
        aisle = me.aisles[index]
        self._note_placement(aisle, horse)
        self._leave_hand(me, horse)
        aisle.append(horse)
        self._points = None
        if deserves_upgrade(me):  # S18
            self.happened["flipped"] += not me.upgraded
            me.upgraded = True

    def _discard(self, me: Player) -> Generator[None, int, None]:
        chosen: list[int] = []
        while me.hand:  # S14
            choice = yield from self._ask("discard", discards(self.table))
            if choice is None:
                break
            horse, target = choice
            self.happened["discard on an empty field"] += not self.fields[target]
            self.happened["discards on one field"] += target in chosen
            chosen.append(target)
            self._leave_hand(me, horse)
            self.fields[target].append(horse)
        self.happened[f"discarded {len(chosen)} of {len(chosen) + len(me.hand)}"] += 1

    def _discard_hand(self, me: Player) -> None:
        self.table.pile.update(me.hand)
        me.hand.clear()
        me.shown.clear()

    @staticmethod
    def _leave_hand(me: Player, horse: Horse) -> None:
        me.hand.remove(horse)
        me.shown.discard(horse)

    # --- drawing (S15, S16) ------------------------------------------------------------------------------------------

    def _draw(self) -> Horse | None:
        """Return the top horse of the deck, None where there is none (S16)."""
        table = self.table
        if not table.deck and table.pile:
            table.deck = self.shuffle(sorted(table.pile, key=number_of))
            table.pile.clear()
            self.happened["pile shuffled"] += 1
        if not table.deck:
            self.happened["nothing to draw"] += 1
            return None
        return table.deck.pop()

    def _draw_into(self, me: Player) -> None:
        horse = self._draw()
        if horse is not None:
            me.hand.append(horse)

    def _draw_hand(self, me: Player) -> None:
        for _ in range(HAND - len(me.hand)):
            self._draw_into(me)
        me.hand.sort(key=number_of)
        self.happened["hand left short"] += len(me.hand) < HAND

    def _fill_fields(self) -> None:
        for horses in self.fields:
            if not horses:
                drawn = self._draw()
                horses += [] if drawn is None else [drawn]
                self.happened["field left empty" if drawn is None else "field filled"] += 1

    def _replenish_pasture(self) -> None:
        self._fill_fields()
        if not self._pasture_is_full():
            return
        self._note_clearing()
        self.table.pile.update(horse for horses in self.fields for horse in horses)
        for horses in self.fields:
            horses.clear()
        self._fill_fields()
        self.happened["as many again after clearing"] += self._pasture_is_full()  # not looked at again

    def _pasture_is_full(self) -> bool:
        limit = 2 if self.num_players == 1 else 3  # S32
        return max([0, *types_in_pasture(self.table).values()]) >= limit

    # --- the end (S19 to S22) ----------------------------------------------------------------------------------------

    def _end_turn(self) -> None:
        table = self.table
        aisles_full = any(map(aisles_filled, self.players))
        nothing_left = not table.deck and not table.pile
        self._note_trigger(aisles_full, nothing_left)
        table.triggered |= aisles_full or nothing_left  # S19a
        table.turn += 1
        table.mover = (table.mover + 1) % self.num_players
        self.first_aisle = None
        self.ended = table.triggered and table.mover == table.starter
        self.truncated = not self.ended and table.turn >= table.max_turns  # S22

    def points(self, seat: int) -> int:
        """Return what ``seat`` would score if the game ended now."""
        if self._points is None:
            self._points = [points(self.players, other) for other in range(self.num_players)]
        return self._points[seat]

    def score_keys(self) -> list[tuple[int, int]]:
        """Return points and, as fewer are better (S21), minus the wild horses, a row a seat."""
        wilds = [wild(horses_in(player.aisles)) for player in self.players]
        return [(self.points(seat), -wilds[seat]) for seat in range(self.num_players)]

    def ranks(self) -> list[int]:
        keys = self.score_keys()
        return [sum(other > mine for other in keys) for mine in keys]

    def winners(self) -> list[bool]:
        return [rank == 0 for rank in self.ranks()]

    # --- what a player knows -----------------------------------------------------------------------------------------

    def what_seat_knows(self, seat: int) -> dict[str, Any]:
        """Return all that ``seat`` knows, by the names and shapes of the observation's parts."""
        table, content = self.table, self.table.content
        order = [(seat + distance) % self.num_players for distance in range(self.num_players)]
        players = [self.players[other] for other in order]
        me, others = players[0], players[1:]
        fields = self.fields + [[]] * (MOST_FIELDS - len(self.fields))
        stabled = [horses_in(player.aisles) for player in players]
        types = [*content.types, WILD]
        pile = Counter((horse.type, horse.discipline) for horse in table.pile)
        kinds = Counter(horse.preference.kind for horse in table.pile)

        def who(of: int) -> list[int]:
            return _filled([int(of == other) for other in order], SEATS, 0)

        def each(rows: list[Any], missing: Any) -> list[Any]:
            return _filled(rows, SEATS, missing)

        def features(horses: Sequence[Horse], size: int) -> list[Any]:
            return _filled([horse_features(content, horse) for horse in horses], size, [0] * HORSE_FEATURES)

        shown = [features([horse for horse in other.hand if horse in other.shown], HAND) for other in others]
        in_field = [Counter(horse.type for horse in horses) for horses in fields]
        stables = [[features(aisle, STALLS) for aisle in player.aisles] for player in players]
        aisle_types = [[one_of(content.types, type_of(aisle)) for aisle in player.aisles] for player in players]
        disciplines = [[of_discipline(horses, discipline) for discipline in DISCIPLINES] for horses in stabled]
        return {
            "hand": features(me.hand, HAND),
            "shown": _filled(shown, SEATS - 1, features([], HAND)),
            "fields": [features(horses[::-1][:6], 6) for horses in fields],
            "stables": each(stables, [features([], STALLS)] * AISLES),
            "boards": each([board_features(content, player.board) for player in players], [0] * BOARD_FEATURES),
            "seats": each([1] * self.num_players, 0),
            "phase": one_of(PHASES, self.phase),
            "mover": [0] * SEATS if self.over else who(table.mover),
            "starter": who(table.starter),
            "triggered": [int(table.triggered)],
            "first_aisle": one_of(range(AISLES), self.first_aisle),
            "turns_left": [min(table.max_turns - table.turn, 100)],
            "hand_shown": _filled([int(horse in me.shown) for horse in me.hand], HAND, 0),
            "hand_sizes": each([len(player.hand) for player in players], 0),
            "field_types": [[counted[type_] for type_ in types] for counted in in_field],
            "field_sizes": [len(horses) for horses in fields],
            "crowd": [2 if self.num_players == 1 else 3],  # S15, S32
            "aisle_types": each(aisle_types, [[0] * len(content.types)] * AISLES),
            "disciplines": each(disciplines, [0] * len(DISCIPLINES)),
            "wilds": each([wild(horses) for horses in stabled], 0),
            "upgraded": each([int(player.upgraded) for player in players], 0),
            "points": each([min(max(self.points(other) + 50, 0), 200) for other in order], 0),
            "deck": [len(table.deck)],
            "pile_size": [len(table.pile)],
            "pile": [[pile[type_, discipline] for discipline in (*DISCIPLINES, NONE)] for type_ in types],
            "pile_preferences": [kinds[kind] for kind in KINDS],
        }

    # --- coverage ----------------------------------------------------------------------------------------------------

    def _note_swap(self, target: int, source: int) -> None:
        table = self.table
        self.happened["swap with the deck" if source == DECK else "swap with a field"] += 1
        self.happened["swap while the deck is empty"] += source == DECK and not table.deck
        self.happened["swap onto an empty field"] += not self.fields[target]
        self.happened["swap for a field's only horse"] += source != DECK and len(self.fields[source]) == 1

    def _note_placement(self, aisle: Aisle, horse: Horse) -> None:
        before = type_of(aisle)
        if horse.type == WILD:
            self.happened["wild horse in an aisle with a type" if before else "wild horse without a type"] += 1
            self.happened["aisle of three wild horses"] += len(aisle) == 2 and before is None
        else:
            self.happened["wild horses get a type"] += bool(aisle) and before is None

    def _note_clearing(self) -> None:
        self.happened["pasture cleared"] += 1
        self.happened["wild horses cleared"] += any(horse.type == WILD for horses in self.fields for horse in horses)
        tops = Counter(horses[-1].type for horses in self.fields if horses and horses[-1].type != WILD)
        limit = 2 if self.num_players == 1 else 3
        self.happened["cleared for covered horses"] += max([0, *tops.values()]) < limit

    def _note_trigger(self, aisles_full: bool, nothing_left: bool) -> None:
        table = self.table
        short = any(not horses for horses in self.fields) or any(len(player.hand) < HAND for player in self.players)
        self.happened["a horse that cannot be drawn triggers nothing"] += short and not table.triggered | nothing_left
        if table.triggered:
            self.happened["a turn after the trigger"] += 1
        elif aisles_full or nothing_left:
            last = (table.mover + 1) % self.num_players == table.starter
            self.happened["end by aisles" if aisles_full else "end by deck and pile"] += 1
            self.happened["trigger in the last seat's turn" if last else "trigger before the last seat"] += 1

    def _note_scores(self) -> None:
        self.happened["truncated"] += self.truncated
        self.happened["ended in the last turn allowed"] += self.ended and self.table.turn == self.table.max_turns
        keys = self.score_keys()
        if self.num_players > 1:
            first, second = sorted(keys, reverse=True)[:2]
            self.happened["shared win"] += first == second
            self.happened["fewest wild horses"] += first[0] == second[0] and first != second
        for seat, player in enumerate(self.players):
            board = player.board
            words = f"{board.condition} {board.measure}".strip()
            count = board_count(self.players, seat)
            self.happened[f"{words} {'upgraded' if player.upgraded else 'basic'}"] += count > 0
            self.happened[f"{words} capped"] += count > board.cap
            for index, aisle in enumerate(player.aisles):
                for stall, horse in enumerate(aisle):
                    self._note_preference(horse.preference, _times(self.players, seat, index, stall))

    def _note_preference(self, preference: Preference, times: int) -> None:
        self.happened[f"{preference.kind} {preference.where}".strip()] += times > 0
        self.happened[f"{preference.kind} {preference.where} capped".replace("  ", " ")] += times > preference.cap


# --- what may be done ------------------------------------------------------------------------------------------------


def swaps(table: Table) -> dict[int, tuple[Horse, int, int] | None]:
    """Return the choices of S8: a hand horse, the field it is put on, and the field (or DECK) taken from."""
    choices: dict[int, tuple[Horse, int, int] | None] = {STOP: None}
    for slot, horse in enumerate(table.players[table.mover].hand):
        for target in range(len(table.fields)):
            first = SWAP + (slot * 3 + target) * 3
            if table.deck or table.pile:  # S8a
                choices[first] = (horse, target, DECK)
            others = [other for other in range(len(table.fields)) if other != target]
            for source, other in enumerate(others, start=1):
                if table.fields[other]:
                    choices[first + source] = (horse, target, other)
    return choices


def placements(player: Player, first_aisle: int | None) -> dict[int, tuple[Horse, int]]:
    """Return the choices of S9: a hand horse and an aisle, not that of the turn's first horse."""
    return {
        PLACE + slot * AISLES + index: (horse, index)
        for slot, horse in enumerate(player.hand)
        for index, aisle in enumerate(player.aisles)
        if index != first_aisle and takes(aisle, horse)
    }


def discards(table: Table) -> dict[int, tuple[Horse, int] | None]:
    """Return the choices of S14: a hand horse and a field."""
    choices: dict[int, tuple[Horse, int] | None] = {STOP: None}
    for slot, horse in enumerate(table.players[table.mover].hand):
        for target in range(len(table.fields)):
            choices[DISCARD + slot * 3 + target] = (horse, target)
    return choices


def choices_of(table: Table, phase: str, first_aisle: int | None) -> set[int]:
    """Return the actions of a phase, told by themselves."""
    if phase == "swap":
        return set(swaps(table))
    if phase == "discard":
        return set(discards(table))
    placing = set(placements(table.players[table.mover], first_aisle))
    return placing | {STOP} if phase == "place_again" else placing


def types_in_pasture(table: Table) -> Counter[str]:
    """S15: covered horses are counted, wild ones are of no type."""
    return Counter(horse.type for horses in table.fields for horse in horses if horse.type != WILD)


# --- what is seen of horses and boards -------------------------------------------------------------------------------

HORSE_FEATURES = 6 + 4 + 12 + 1 + 1 + 1 + 5 + 1 + 1
BOARD_FEATURES = 5 + 6 + 10 + 2 + 1


@lru_cache(maxsize=10_000)
def horse_features(content: Content, horse: Horse) -> list[int]:
    preference = horse.preference
    counting = preference.kind in COUNTING
    return [
        *one_of([*content.types, WILD], horse.type),
        *one_of([*DISCIPLINES, NONE], horse.discipline),
        *one_of(KINDS, preference.kind),
        max(preference.points, 0),
        max(-preference.points, 0),
        int(counting),
        *_filled(_asked_for(content, preference), 5, 0),
        int(preference.where == "stable"),
        preference.cap if counting else 0,
    ]


def _asked_for(content: Content, preference: Preference) -> list[int]:
    match preference.kind:
        case "stall":
            return one_of(STALL_NAMES, preference.stall)
        case "aisles":
            return [int(number in preference.aisles) for number in range(1, AISLES + 1)]
        case "per_discipline":
            return one_of(DISCIPLINES, preference.discipline)
        case "per_type" | "neighbour" | "next_door":
            return one_of(content.types, preference.type)
    return []


@lru_cache(maxsize=10_000)
def board_features(content: Content, board: Board) -> list[int]:
    return [
        *one_of(content.types, board.type),
        *one_of(CONDITIONS, board.condition),
        *one_of(MEASURES, board.measure),
        *board.points,
        board.cap,
    ]


def one_of(words: Sequence[Any], word: Any) -> list[int]:
    return [int(other == word) for other in words]


def _filled(things: Sequence[Any], size: int, missing: Any) -> list[Any]:
    return [*things, *[missing] * (size - len(things))]
