"""Stable Times' kernels against its oracle: everything compared at each decision, on dealt games, set-up situations and
content of all kinds.

As a script it compares as many games as asked for: ``python -m tests.stabletimes.test_oracle --games 900 --players 4``.
"""

from __future__ import annotations

import argparse
import functools
import tempfile
import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from stabletimes_env import GAME
from tablezoo import Batch
from tablezoo.errors import OptionValueError
from tablezoo.rng import below, seed_streams
from tests.oracles import stabletimes as rules
from tests.oracles.stabletimes import (
    AISLES,
    COUNTING,
    DISCARD,
    EMPTY,
    HAND,
    KINDS,
    PLACE,
    STOP,
    SWAP,
    WILD,
    Content,
    Horse,
    Oracle,
    Player,
    Table,
    horses_in,
    type_of,
)
from tests.oracles.stabletimes_duel import Duel, content_of, random_document, random_table, stream_shuffle, table_of

PLAYERS = [1, 2, 3, 4, 5]
TINY = str(Path(__file__).parent / "content" / "tiny.toml")

Options = Callable[[int], dict[str, Any]]


def no_options(_players: int) -> dict[str, Any]:
    return {}


#: Content, options, and the decisions compared with each and each number of players: first from the deal ...
DEALT: dict[str, tuple[Any, Options, int]] = {
    "original": ("original", no_options, 10_000),
    "tiny": (TINY, no_options, 10_000),
    "by_turns": (["original", TINY], no_options, 6_000),
    "random": (None, no_options, 8_000),
    "start_seat": ("original", lambda players: {"start_seat": players - 1}, 3_000),
    "boards": ("original", lambda players: {"boards": [4, 3, 2, 1, 0][:players]}, 3_000),
    "7_turns": (["original", TINY], lambda _: {"max_turns": 7}, 2_500),
    "1_turn": ("original", lambda _: {"max_turns": 1}, 1_000),
}
#: ... then from the middle of games.
MIDDLE: dict[str, tuple[Any, Options, int]] = {
    "original": ("original", no_options, 6_000),
    "tiny": (TINY, no_options, 5_000),
    "random": (None, no_options, 5_000),
    "12_turns": (["original", TINY], lambda _: {"max_turns": 12}, 2_000),
}
assert len(PLAYERS) * sum(decisions for cases in (DEALT, MIDDLE) for _, _, decisions in cases.values()) >= 300_000

#: What must have happened from the deal, with the content of the game ...
COMMON = {
    "swap with the deck", "swap with a field", "swap for a field's only horse", "wild horse in an aisle with a type",
    "wild horse without a type", "wild horses get a type", "second placed", "second declined", "no second",
    "no horse can be placed", "discarded 0 of 1", "discarded 1 of 1", "discarded 0 of 2", "discarded 1 of 2",
    "discarded 2 of 2", "discard on an empty field", "discards on one field", "field filled", "pasture cleared",
    "wild horses cleared", "cleared for covered horses", "as many again after clearing", "pile shuffled", "flipped",
    "end by aisles", "trigger in the last seat's turn", "all_different", "all_equal", "complete", "flat", "neighbour",
    "per_discipline aisle", "per_discipline stable", "per_discipline stable capped", "per_empty stable",
    "per_type aisle", "per_type aisle capped", "per_type stable", "per_type stable capped", "per_wild stable", "stall",
    "aisles", "aisle_types basic", "aisle_types upgraded", "discipline_sets basic", "discipline_sets upgraded",
    "equal_neighbours basic", "equal_neighbours upgraded", "preferred_horses basic", "preferred_horses upgraded",
}  # fmt: skip
#: ... from the middle ...
RARE = {
    "swap while the deck is empty", "swap onto an empty field", "empty hand", "discarded 0 of 0", "field left empty",
    "hand left short", "nothing to draw", "pile shuffled", "discarded hand shuffled in", "end by deck and pile",
    "a horse that cannot be drawn triggers nothing", "per_wild aisle", "per_empty aisle", "per_empty stable capped",
}  # fmt: skip
#: ... and with more than one player besides.
COMPANY = {"a turn after the trigger", "trigger before the last seat", "next_door", "next_door capped"}
COMPANY_IN_THE_MIDDLE = {"fewest wild horses", "exceeded_opponents horses basic", "exceeded_opponents horses upgraded"}
#: What must have happened with other content and options, with more than one player.
OTHER_COVERAGE = {
    "tiny": {"exceeded_opponents preferred_horses basic", "exceeded_opponents wild_horses basic", "per_empty aisle"},
    "7_turns": {"truncated"},
    "1_turn": {"truncated"},
    "12_turns": {"truncated"},
}


@pytest.fixture(scope="module")
def random_contents(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    return write_documents(tmp_path_factory.mktemp("content"), np.random.default_rng(69))


def write_documents(folder: Path, rng: np.random.Generator) -> list[Path]:
    files = [folder / f"random_{number}.toml" for number in range(16)]
    for file in files:
        file.write_text(random_document(rng), encoding="utf-8")
    return files


@pytest.mark.parametrize("case", DEALT)
@pytest.mark.parametrize("players", PLAYERS)
def test_dealt_games(players: int, case: str, random_contents: list[Path]) -> None:
    content, options, decisions = DEALT[case]
    duel = Duel(16, players, seed=1000 * players, content=content or random_contents, **options(players))
    duel.run(np.random.default_rng([players, *case.encode()]), decisions)
    _report(duel, f"{players} players, {case}", decisions)
    _assert_happened(duel, _expected(case, players, COMMON, COMPANY))
    if case == "1_turn" and players > 1:
        assert duel.happened["truncated"] == duel.games


@pytest.mark.parametrize("case", MIDDLE)
@pytest.mark.parametrize("players", PLAYERS)
def test_from_the_middle(players: int, case: str, random_contents: list[Path]) -> None:
    content, options, decisions = MIDDLE[case]
    rng = np.random.default_rng([players, *case.encode()])
    situations = functools.partial(random_table, rng)
    duel = Duel(16, players, players, situations, content or random_contents, **options(players))
    duel.run(rng, decisions)
    _report(duel, f"{players} players from the middle, {case}", decisions)
    _assert_happened(duel, _expected(case, players, RARE, COMPANY_IN_THE_MIDDLE))


@pytest.mark.rule("S1", "S5", "S6", "S7", "S30", "S31")
@pytest.mark.parametrize("content", ["original", TINY], ids=["original", "tiny"])
@pytest.mark.parametrize("fixed", [False, True], ids=["drawn", "fixed"])
@pytest.mark.parametrize("players", PLAYERS)
def test_the_set_up_is_the_one_of_the_rules(players: int, fixed: bool, content: str) -> None:
    read = content_of(content)
    usable = [board.number for board in read.boards if players > 1 or not rules.counts_opponents(board)]
    boards = usable[::-1][:players] if fixed else None
    starter = players - 1 if fixed else None
    options: dict[str, Any] = {}
    if boards:
        options = {"boards": [read.boards[board].name for board in boards], "start_seat": starter}
    batch = Batch(GAME, 50, players, seed=3, content=content, **options)
    for record, stream in zip(batch.states, seed_streams(3, 50), strict=True):
        draw = functools.partial(below, stream)
        dealt = rules.set_up(read, players, stream_shuffle(stream), draw, boards, starter)
        assert table_of(record, read) == dealt
        assert record["rng"].tolist() == stream.tolist()


@pytest.mark.rule("S2", "S3", "S4")
@pytest.mark.parametrize("source", ["original", TINY, None], ids=["original", "tiny", "random"])
def test_content_is_read_alike(source: str | None, random_contents: list[Path]) -> None:
    for file in [source] if source else random_contents:
        read = content_of(file)
        record = Batch(GAME, content=file).contents[0].record[0]
        assert [horse.type for horse in read.horses].count(WILD) == 9
        assert record["features"].view(np.uint8)[:EMPTY].tolist() == [
            rules.horse_features(read, horse) for horse in read.horses
        ]
        assert not record["features"][EMPTY].any()
        assert record["board_features"].view(np.uint8).tolist() == [
            rules.board_features(read, board) for board in read.boards
        ]


def test_tiny_content_has_all_words() -> None:
    horses = content_of(TINY).horses
    assert {horse.preference.kind for horse in horses} == set(KINDS)
    assert min(horse.preference.points for horse in horses) == -9
    assert {horse.preference.cap < 24 for horse in horses if horse.preference.kind in COUNTING} == {True, False}


@pytest.mark.rule("S2", "S12", "S13", "S15")
def test_the_oracle_alone_keeps_all_horses() -> None:
    """The oracle plays alone, from a set-up of its own, and keeps all horses, those in stables where they are."""
    rng = np.random.default_rng(0)

    def mixed(things: list[Any]) -> list[Any]:
        return [things[index] for index in rng.permutation(len(things))]

    for game in range(20):
        content = content_of([TINY, "original"][game % 2])
        oracle = Oracle(rules.set_up(content, 1 + game % 5, mixed, lambda n: int(rng.integers(n))), mixed)
        stabled: set[Horse] = set()
        while not oracle.over:
            oracle.play(int(rng.choice(sorted(oracle.legal()))))
            held = all_horses(oracle.table)
            assert sorted(horse.number for horse in held) == list(range(EMPTY))
            now = {horse for player in oracle.players for horse in horses_in(player.aisles)}
            assert stabled <= now
            stabled = now


def all_horses(table: Table) -> list[Horse]:
    hands = [horse for player in table.players for horse in [*player.hand, *horses_in(player.aisles)]]
    return [*hands, *table.deck, *table.pile, *horses_in(table.fields)]


def _report(duel: Duel, what: str, decisions: int) -> None:
    print(f"{what}: {duel.compared} decisions of {duel.games} games compared")
    assert duel.compared >= decisions
    assert duel.games > 0


def _expected(case: str, players: int, always: set[str], in_company: set[str]) -> set[str]:
    if case == "original":
        return always | in_company if players > 1 else always
    return OTHER_COVERAGE.get(case, set()) if players > 1 else set()


def _assert_happened(duel: Duel, expected: set[str]) -> None:
    missing = sorted(what for what in expected if duel.happened[what] == 0)
    assert not missing, f"never happened: {missing}"


# --- set-up situations -----------------------------------------------------------------------------------------------

DISCIPLINE = {"r": "rail", "b": "block", "f": "flag", "n": "none"}


class Stock:
    """Horses to be taken by words: the first letter of a type (W is wild), and then, if it matters, of a discipline."""

    def __init__(self, content: Content) -> None:
        self.left = list(content.horses)
        self.types = {type_[0]: type_ for type_ in content.types} | {"W": WILD}

    def take(self, word: str) -> Horse:
        wanted = [DISCIPLINE[letter] for letter in word[1:]] or list(DISCIPLINE.values())
        of_type = [horse for horse in self.left if horse.type == self.types[word[0]]]
        horse = next(horse for horse in of_type if horse.discipline in wanted)
        self.left.remove(horse)
        return horse

    def all(self, words: str) -> list[Horse]:
        return [self.take(word) for word in words.split()]

    def piles(self, words: str, number: int) -> list[list[Horse]]:
        piles = [self.all(pile) for pile in words.split("|")]
        return piles + [[] for _ in range(number - len(piles))]


def set_up(
    *hands: str,
    stables: Sequence[str] = (),
    fields: str = "T | I | Z",
    deck: str | int = 12,
    pile: str = "",
    boards: Sequence[int] = (0, 1, 2, 3, 4),
    content: str | Path = TINY,
    starter: int = 0,
    triggered: bool = False,
    turn: int = 0,
    max_turns: int = 1000,
) -> Duel:
    """Return a duel of one game in a situation of seat ``turn``, told in the words of :class:`Stock`.

    The last word of the deck and of each field is the top one. What is nowhere has left the game.
    """
    read = content_of(content)
    stock = Stock(read)
    players = [Player(read.boards[boards[seat]]) for seat in range(len(hands))]
    for player, words in zip(players, hands, strict=True):
        player.hand = sorted(stock.all(words), key=rules.number_of)
    for player, words in zip(players, stables, strict=False):
        player.aisles = stock.piles(words, AISLES)
        player.upgraded = rules.deserves_upgrade(player)
    pasture = stock.piles(fields, 2 if len(hands) == 1 else 3)
    discarded = set(stock.all(pile))
    undrawn = stock.all(deck) if isinstance(deck, str) else stock.left[:deck]
    mover = (starter + turn) % len(hands)
    table = Table(read, players, undrawn, pasture, starter, mover, discarded, triggered, turn, max_turns)
    return Duel(1, len(hands), seed=7, situations=lambda _: table, content=content)


def swap(slot: int, target: int, source: int = 0) -> int:
    return SWAP + (slot * 3 + target) * 3 + source


def place(slot: int, aisle: int) -> int:
    return PLACE + slot * AISLES + aisle


def discard(slot: int, target: int) -> int:
    return DISCARD + slot * 3 + target


def slot_of(duel: Duel, type_: str) -> int:
    """Return where the mover holds the first horse of a type, by its first letter."""
    hand = duel.oracles[0].players[duel.oracles[0].table.mover].hand
    return next(slot for slot, horse in enumerate(hand) if letter(horse) == type_)


def letter(horse: Horse) -> str:
    return "W" if horse.type == WILD else horse.type[0]


def letters(horses: Iterable[Horse]) -> str:
    return "".join(sorted(map(letter, horses)))


def asked(duel: Duel) -> tuple[str, int | None]:
    return duel.oracles[0].phase, duel.oracles[0].asked


def legal(duel: Duel, first: int, end: int) -> set[int]:
    return {action for action in duel.oracles[0].legal() if first <= action < end}


@pytest.mark.rule("S8", "S8a", "S16", "S17")
@pytest.mark.parametrize(
    ("fields", "deck", "pile", "sources"),
    [
        ("T | I | Z", 3, "", {(0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2), (2, 0), (2, 1), (2, 2)}),
        ("T | | ", 3, "", {(0, 0), (1, 0), (2, 0), (1, 1), (2, 1)}),
        ("T | | Z", 0, "", {(0, 2), (1, 1), (1, 2), (2, 1)}),
        ("T | | Z", 0, "G", {(0, 0), (1, 0), (2, 0), (0, 2), (1, 1), (1, 2), (2, 1)}),
    ],
)
def test_where_a_swap_may_put_and_take(fields: str, deck: int, pile: str, sources: set[tuple[int, int]]) -> None:
    duel = set_up("L L L", "I I I", fields=fields, deck=deck, pile=pile)
    expected = {swap(slot, target, source) for slot in range(HAND) for target, source in sources}
    assert duel.oracles[0].legal() == expected | {STOP}


@pytest.mark.rule("S8", "S8a", "S15", "S17")
def test_a_field_whose_only_horse_was_taken_stays_empty_until_the_end_of_the_turn() -> None:
    duel = set_up("T Z G", "L L L", fields="I | Z | L", deck="W T G")
    duel.play(swap(slot_of(duel, "Z"), 2, 1))  # onto the third field, for the horse of the first
    oracle = duel.oracles[0]
    assert [letters(horses) for horses in oracle.fields] == ["", "Z", "LZ"]
    assert letters(oracle.players[0].hand) == "GIT"
    assert letters(oracle.players[0].shown) == "I"
    duel.play(place(slot_of(duel, "T"), 0), STOP, STOP)
    assert letters(oracle.fields[0]) == "T"  # after the hand was filled with G
    assert letters(oracle.players[0].hand) == "GGI"
    assert letters(oracle.players[0].shown) == "I"  # as long as it stays in the hand


@pytest.mark.rule("S8", "S16")
def test_a_swap_with_an_empty_deck_shuffles_the_pile() -> None:
    duel = set_up("T Z G", "L L L", fields="I | Z | L", deck=0, pile="W L L")
    duel.play(swap(0, 2))
    oracle = duel.oracles[0]
    assert len(oracle.table.deck) == 2
    assert not oracle.table.pile
    assert not oracle.players[0].shown  # nobody else knows what was drawn


@pytest.mark.rule("S9", "S10", "S11")
def test_where_horses_may_stand() -> None:
    duel = set_up("T I W", "L L L", stables=["T T | W | W W W | Z"])
    duel.play(STOP)
    own, other, any_ = (slot_of(duel, type_) for type_ in "TIW")
    first = {place(own, 0), place(own, 1), place(other, 1), place(any_, 0), place(any_, 1), place(any_, 3)}
    assert duel.oracles[0].legal() == first
    duel.play(place(own, 1))
    assert type_of(duel.oracles[0].players[0].aisles[1]) == "Tin"
    # The wild horse may not follow into the second aisle, which is no longer one for the Iron.
    any_ = slot_of(duel, "W")
    assert duel.oracles[0].legal() == {place(any_, 0), place(any_, 3), STOP}


@pytest.mark.rule("S11", "S18", "S19")
def test_three_wild_horses_are_complete_and_of_no_type() -> None:
    stables = ["W W | Ir If Ir | Zb Zb Zf | "]
    duel = set_up("W L", "L L L", stables=stables, fields="Z | I | L", boards=[0, 1])
    duel.play(STOP, place(slot_of(duel, "W"), 0), STOP, STOP)
    oracle = duel.oracles[0]
    assert oracle.table.triggered
    assert not oracle.players[0].upgraded
    assert asked(duel) == ("swap", 1)


@pytest.mark.rule("S13", "S14", "S15")
def test_a_hand_that_cannot_be_placed_is_discarded() -> None:
    full = "T T T | I I | Z | G"
    duel = set_up("L L L", "T I Z", stables=[full], fields=" | I | I", deck="T T T I Z G")
    duel.play(STOP)
    oracle = duel.oracles[0]
    assert asked(duel) == ("swap", 1)
    assert letters(oracle.table.pile) == "LLL"
    assert letters(oracle.players[0].hand) == "GIZ"
    assert letters(oracle.fields[0]) == "T"  # the pasture is filled, but three are not reached
    assert len(oracle.table.deck) == 2


@pytest.mark.rule("S13", "S13a", "S16")
def test_the_hand_just_discarded_is_shuffled_in() -> None:
    full = "T T T | I I | Z | G"
    duel = set_up("L L L", "T I Z", stables=[full], deck="G", pile="")
    duel.play(STOP)
    oracle = duel.oracles[0]
    assert letters(oracle.players[0].hand) == "GLL"
    assert letters(oracle.table.deck) == "L"
    assert not oracle.table.pile


@pytest.mark.rule("S13a", "S16", "S19a")
def test_an_empty_hand_cannot_be_placed() -> None:
    duel = set_up("L L", "", fields="T | I | Z", deck="W W W", pile="G G G")
    duel.play(STOP, place(0, 0), STOP, STOP)
    oracle = duel.oracles[0]
    assert asked(duel) == ("swap", 0)  # the other seat has had its turn without being asked
    assert oracle.table.turn == 2
    assert len(oracle.players[1].hand) == 3


@pytest.mark.rule("S9", "S14")
def test_discards_go_where_they_are_put() -> None:
    duel = set_up("T I Z", "L L L", stables=["T"], fields="G | | W", deck=12)
    duel.play(STOP, place(slot_of(duel, "T"), 0), STOP)
    assert legal(duel, DISCARD, STOP) == {discard(slot, target) for slot in range(2) for target in range(3)}
    duel.play(discard(slot_of(duel, "Z"), 1))
    assert legal(duel, DISCARD, STOP) == {discard(0, target) for target in range(3)}
    duel.play(discard(0, 1))
    oracle = duel.oracles[0]
    assert [horse.type for horse in oracle.fields[1]] == ["Zink", "Iron"]
    assert asked(duel) == ("swap", 1)  # an empty hand is not asked


@pytest.mark.rule("S14", "S15", "S17")
def test_three_of_a_type_clear_the_pasture_covered_ones_too() -> None:
    duel = set_up("T Z L", "L L L", fields="T I | W T | G", deck="L L L Z")
    duel.play(STOP, place(slot_of(duel, "Z"), 0), STOP)
    duel.play(discard(slot_of(duel, "T"), 2), STOP)
    oracle = duel.oracles[0]
    assert letters(oracle.players[0].hand) == "LLZ"
    # The three new ones come from the two left in the deck and then from the pile that all was put on.
    assert [len(horses) for horses in oracle.fields] == [1, 1, 1]
    assert oracle.happened["pasture cleared"] == 1
    assert len(oracle.table.deck) + len(oracle.table.pile) == 6 - 1


@pytest.mark.rule("S15")
def test_the_new_horses_are_not_looked_at_again() -> None:
    duel = set_up("T Z L", "L L L", fields="I | I | I", deck="G G G T Z")
    duel.play(STOP, place(slot_of(duel, "T"), 0))
    duel.play(place(slot_of(duel, "Z"), 1), STOP)
    oracle = duel.oracles[0]
    assert letters(horses_in(oracle.fields)) == "GGG"
    assert letters(oracle.table.pile) == "III"
    assert oracle.happened["as many again after clearing"] == 1


@pytest.mark.rule("S15", "S32")
@pytest.mark.parametrize(("players", "pile"), [(1, "IIW"), (2, "")])
def test_two_of_a_type_clear_the_pasture_in_solo_alone(players: int, pile: str) -> None:
    hands = ["T L L", "L L L"][:players]
    duel = set_up(*hands, fields="I | W I", deck="G Z T W G")
    duel.play(STOP, place(slot_of(duel, "T"), 0), STOP, STOP)
    assert letters(duel.oracles[0].table.pile) == pile


@pytest.mark.rule("S18")
def test_a_board_is_flipped_with_the_placement_that_meets_both() -> None:
    stables = ["Tr Tb | Zr Zb | Lf | "]
    duel = set_up("Tf W L", "L L L", stables=stables, boards=[0, 1])
    duel.play(STOP, place(slot_of(duel, "T"), 0))
    players = duel.oracles[0].players
    assert players[0].upgraded
    assert players[0].board.points == (0, 9)
    assert rules.board_points(players, 0) == 9


@pytest.mark.rule("S18")
def test_a_wild_horse_completes_the_preferred_aisle_and_its_disciplines_count() -> None:
    duel = set_up("Wf L", "L L L", stables=["Tr Tb | Zr Zb | Lf | "], boards=[0, 1])
    duel.play(STOP, place(slot_of(duel, "W"), 0))
    assert duel.oracles[0].players[0].upgraded
    other = set_up("Wr L", "L L L", stables=["Tr Tb | Zr Zb | Lf | "], boards=[0, 1])
    other.play(STOP, place(slot_of(other, "W"), 0))
    assert not other.oracles[0].players[0].upgraded


THREE = "T T T | I I | Z Z Z | "


@pytest.mark.rule("S19", "S19a")
@pytest.mark.parametrize(("starter", "ended"), [(0, False), (1, True)])
def test_the_round_is_finished(starter: int, ended: bool) -> None:
    turn = (0 - starter) % 2
    duel = set_up("I L L", "G L L", stables=[THREE], fields="T | G | W", starter=starter, turn=turn)
    duel.play(STOP, place(slot_of(duel, "I"), 1), STOP, STOP)
    oracle = duel.oracles[0]
    assert oracle.ended == ended
    if not ended:
        assert oracle.table.triggered
        duel.play(STOP, place(slot_of(duel, "G"), 0), STOP, STOP)
        assert oracle.ended


@pytest.mark.rule("S16", "S19", "S19a")
def test_deck_and_pile_both_empty_trigger_the_end() -> None:
    duel = set_up("T L", "G L", fields="T | G | W", deck="", pile="I I")
    duel.play(STOP, place(slot_of(duel, "T"), 0), STOP, STOP)
    oracle = duel.oracles[0]
    assert oracle.table.triggered
    assert asked(duel) == ("swap", 1)


@pytest.mark.rule("S15", "S16", "S19a")
def test_a_pasture_cleared_after_the_last_horse_was_drawn_triggers_nothing() -> None:
    duel = set_up("T L", "G L", fields="I Z | I L | I G", deck="", pile="")
    duel.play(STOP, place(slot_of(duel, "T"), 0), STOP, STOP)
    oracle = duel.oracles[0]
    assert len(oracle.players[0].hand) == 1  # nothing was left to draw
    assert [len(horses) for horses in oracle.fields] == [1, 1, 1]
    assert len(oracle.table.deck) == 3
    assert not oracle.table.triggered


@pytest.mark.rule("S19a")
def test_a_trigger_stays() -> None:
    duel = set_up("T L", "I I I", "L", fields="I Z | I L | T G", deck="W", pile="")
    duel.play(STOP, place(slot_of(duel, "T"), 0), STOP, STOP)
    oracle = duel.oracles[0]
    assert oracle.table.triggered
    duel.play(STOP, place(0, 0), STOP, discard(0, 0), STOP)  # a third Iron: the pile is filled again
    assert oracle.table.deck
    assert oracle.table.triggered


@pytest.mark.rule("S21")
def test_fewest_wild_horses_decide_a_tie(tmp_path: Path) -> None:
    file = write_plain(tmp_path)
    stables = ["Tr Wn | Ir", "Tb Tb | Ib", "Tf Tf | If"]
    duel = set_up("Lr L", "", "", stables=stables, fields="I", deck="", content=file)
    duel.play(STOP, place(0, 3), STOP, STOP)
    oracle = duel.oracles[0]
    assert oracle.ended
    assert duel.batch.scores[0, :3].tolist() == [0, 0, 0]
    assert duel.batch.ranks[0, :3].tolist() == [2, 0, 0]
    assert duel.batch.winners[0, :3].tolist() == [False, True, True]


@pytest.mark.rule("S19a", "S22")
@pytest.mark.parametrize(("stable", "ended"), [(THREE, True), ("T", False)])
def test_a_game_that_ends_with_the_last_turn_allowed_has_ended(stable: str, ended: bool) -> None:
    duel = set_up("I L L", "I L L", stables=["", stable], fields="T | G | W", turn=5, max_turns=6)
    duel.play(STOP, place(slot_of(duel, "I"), 1), STOP, STOP)
    assert duel.oracles[0].ended == ended
    assert duel.oracles[0].truncated != ended
    assert bool(duel.batch.terminated[0]) == ended


@pytest.mark.rule("S30")
@pytest.mark.parametrize("board", ["Rust Yard", 4])
def test_boards_that_count_opponents_are_refused_in_solo(board: str | int) -> None:
    with pytest.raises(OptionValueError):
        Batch(GAME, 1, 1, content=TINY, boards=[board])
    Batch(GAME, 1, 1, content=TINY, boards=["Suncourt Villa"])  # this one does not, whatever its name


@pytest.mark.rule("S33")
def test_solo_ends_with_the_turn_and_has_a_tier() -> None:
    duel = set_up("I L L", stables=[THREE], fields="T | G")
    duel.play(STOP, place(slot_of(duel, "I"), 1), STOP, STOP)
    assert duel.oracles[0].ended
    assert [GAME.outcome_of(score, 1)["tier"] for score in range(-5, 60)] == list(map(rules.tier, range(-5, 60)))


# --- what horses and boards score, by hand ---------------------------------------------------------------------------


def write_plain(folder: Path, preference: str = "", horse: str = "", board: str = "") -> Path:
    """Write content whose horses and boards score nothing, but for the first ``horse`` (a word) and the first board."""
    types = ["Tin", "Iron", "Zink", "Gold", "Lead"]
    lines = [f"types = {types}"]
    kinds = [(type_, DISCIPLINE[word]) for type_ in types for word in "rrrrrrbbbfff"]
    kinds += [(WILD, DISCIPLINE[word]) for word in "rrrrbfnnn"]
    wanted = (horse[:1], DISCIPLINE.get(horse[1:], "rail"))
    for number, (type_, discipline) in enumerate(kinds):
        special = preference and wanted == ("W" if type_ == WILD else type_[0], discipline)
        words = preference if special else 'kind = "flat", points = 0'
        preference = "" if special else preference
        lines.append(f'[[horses]]\nname = "{number}"\ntype = "{type_}"\ndiscipline = "{discipline}"')
        lines.append(f"preference = {{ {words} }}")
    nothing = 'condition = "complete_aisles"'
    for number in range(5):
        words = board if board and number == 0 else nothing
        basic, upgraded = (2, 3) if words == board else (0, 0)
        lines.append(f'[[boards]]\nname = "{number}"\ntype = "Tin"\nbasic = {{ {words}, points = {basic} }}')
        lines.append(f"upgraded = {{ {words}, points = {upgraded} }}")
    file = folder / "plain.toml"
    file.write_text("\n".join(lines), encoding="utf-8")
    return file


def score_after(file: Path, horse: str, aisle: int, stables: Sequence[str]) -> int:
    """Return what seat 0 scores when the game is over after it placed the first ``horse`` of its kind in ``aisle``."""
    hands = [horse] + [""] * (len(stables) - 1)
    duel = set_up(*hands, stables=stables, fields="Z", deck="", content=file)
    oracle = duel.oracles[0]
    duel.play(STOP)
    if not oracle.over:  # there is more than one aisle for it
        duel.play(place(0, aisle - 1))
    assert oracle.ended
    assert letter(oracle.players[0].aisles[aisle - 1][-1]) == horse[0]
    return int(duel.batch.scores[0, 0])


@pytest.mark.rule("S3", "S20", "S34", "S35")
@pytest.mark.parametrize(
    ("preference", "horse", "aisle", "stables", "times"),
    [
        ('kind = "flat"', "Tr", 1, [""], 1),
        ('kind = "stall", stall = "top"', "Tr", 2, [""], 1),
        ('kind = "stall", stall = "top"', "Tr", 2, [" | Wr"], 0),
        ('kind = "stall", stall = "middle"', "Tr", 2, [" | Wr"], 1),
        ('kind = "stall", stall = "bottom"', "Tr", 2, [" | Wr Wr"], 1),
        ('kind = "aisles", aisles = [4, 1]', "Tr", 4, [""], 1),
        ('kind = "aisles", aisles = [4, 1]', "Tr", 3, [""], 0),
        ('kind = "side", side = "inner"', "Tr", 3, [""], 1),
        ('kind = "side", side = "inner"', "Tr", 1, [""], 0),
        ('kind = "side", side = "outer"', "Tr", 4, [""], 1),
        ('kind = "complete"', "Tr", 1, ["Tr"], 0),
        ('kind = "complete"', "Tr", 1, ["Tr Wn"], 1),
        ('kind = "complete"', "Wr", 1, ["Wr Wn"], 1),
        ('kind = "per_type", type = "Tin", where = "aisle"', "Tr", 1, ["Tr Wr | Tr"], 2),
        ('kind = "per_type", type = "Tin", where = "stable"', "Tr", 1, ["Tr Wr | Tr | Wr"], 3),
        ('kind = "per_type", type = "Tin", where = "stable"', "Wr", 1, ["Tr | Tr | Wr"], 2),
        ('kind = "per_type", type = "Tin", where = "aisle"', "Wr", 1, ["Wr | Tr"], 0),
        ('kind = "per_type", type = "Iron", where = "stable"', "Tr", 1, [" | Ir Wr Wr | Ir"], 4),
        ('kind = "per_type", type = "Iron", where = "stable", cap = 3', "Tr", 1, [" | Ir Wr Wr | Ir"], 3),
        ('kind = "per_type", type = "Iron", where = "aisle"', "Tr", 1, [" | Ir Wr Wr | Ir"], 0),
        ('kind = "per_discipline", discipline = "rail", where = "aisle"', "Tr", 1, ["Tr Wr | Ir"], 2),
        ('kind = "per_discipline", discipline = "rail", where = "stable"', "Tr", 1, ["Tb Wr | Ir Wn"], 2),
        ('kind = "per_discipline", discipline = "rail", where = "stable", cap = 1', "Tr", 1, ["Tr Wr | Ir"], 1),
        ('kind = "all_different"', "Tr", 1, ["Tr Wr"], 0),
        ('kind = "all_different"', "Tr", 1, ["Tb Wn"], 0),
        ('kind = "all_different"', "Tr", 1, ["Tb"], 0),
        ('kind = "all_equal"', "Tr", 1, ["Tr Wr"], 1),
        ('kind = "all_equal"', "Tr", 1, ["Tr Wb"], 0),
        ('kind = "all_equal"', "Tr", 1, ["Tr Wn"], 0),
        ('kind = "all_equal"', "Wn", 1, ["Wn Wn"], 0),
        ('kind = "all_equal"', "Tr", 1, ["Wr"], 0),
        ('kind = "neighbour", type = "Iron"', "Tr", 2, ["Ir | | Ir"], 1),
        ('kind = "neighbour", type = "Iron"', "Tr", 4, ["Ir | Ir | Wr"], 0),
        ('kind = "neighbour", type = "Iron"', "Tr", 1, [" | Wr Ir"], 1),
        ('kind = "neighbour", type = "Tin"', "Tr", 1, [" | Ir"], 0),
        ('kind = "per_wild", where = "stable"', "Wr", 1, ["Wr | Wr Ir | Wn"], 3),
        ('kind = "per_wild", where = "aisle"', "Wr", 1, ["Wr | Wr Ir | Wn"], 1),
        ('kind = "per_wild", where = "stable", cap = 2', "Tr", 1, ["Wr | Wr Ir | Wn"], 2),
        ('kind = "per_empty", where = "aisle"', "Tr", 1, ["Tr"], 1),
        ('kind = "per_empty", where = "stable"', "Tr", 1, ["Tr | Ir"], 9),
        ('kind = "per_empty", where = "stable", cap = 30', "Tr", 1, [""], 11),
        ('kind = "next_door", type = "Iron"', "Tr", 1, [" | Ir"], 0),
        ('kind = "next_door", type = "Iron"', "Tr", 1, [" | Ir", "Ir Ir Wr | Wr"], 3),
        ('kind = "next_door", type = "Iron"', "Tr", 1, ["", "Ir", "Ir | Ir"], 3),
        ('kind = "next_door", type = "Iron"', "Tr", 1, ["", "Ir", "Ir Ir", "Ir Wr Wr"], 4),
        ('kind = "next_door", type = "Iron", cap = 3', "Tr", 1, ["", "Ir", "Ir Ir", "Ir", "Ir Wr Wr"], 3),
    ],
)  # fmt: skip
@pytest.mark.parametrize("worth", [-9, 2])
def test_preferences(
    tmp_path: Path, preference: str, horse: str, aisle: int, stables: list[str], times: int, worth: int
) -> None:
    file = write_plain(tmp_path, f"{preference}, points = {worth}", horse)
    assert score_after(file, horse, aisle, stables) == times * worth


@pytest.mark.rule("S20", "S35")
def test_all_different_disciplines_and_their_set(tmp_path: Path) -> None:
    file = write_plain(tmp_path, 'kind = "all_different", points = 3', "Tr")
    assert score_after(file, "Tr", 1, ["Tb Wf"]) == 3 + 5


@pytest.mark.rule("S4", "S20", "S34", "S35")
@pytest.mark.parametrize(
    ("board", "horse", "aisle", "stables", "score"),
    [
        ('condition = "complete_aisles"', "Zr", 4, ["Tr Tr Tr | Wr Wr Wn | Ir"], 4),
        ('condition = "complete_aisles", cap = 1', "Zr", 4, ["Tr Tr Tr | Wr Wr Wn | Ir"], 2),
        ('condition = "aisle_types"', "Tr", 1, ["Tr | Tr | Ir | Wr"], 4),
        ('condition = "preferred_horses"', "Tr", 1, ["Tr Wr | Wr | Ir"], 6),
        ('condition = "discipline_sets"', "Zf", 4, ["Tr Tb | If Ib Ir"], 4 + 10),
        ('condition = "equal_neighbours"', "Tr", 4, ["Tr | Tr | Tr"], 6),
        ('condition = "equal_neighbours"', "Tr", 4, ["Wr | Wr | Ir"], 0),
        ('condition = "equal_neighbours"', "Tr", 4, ["Wr | Tr | Ir"], 0),
        # Flipped by the last horse: two of each discipline, and an aisle of Tin that a wild horse completes.
        ('condition = "complete_aisles"', "Zr", 4, ["Tr Tb Wf | If | Ib"], 3 + 10),
        ('condition = "complete_aisles"', "Zr", 4, ["Tr Wb Wf | If"], 2 + 5),
        ('condition = "exceeded_opponents", in = "horses"', "Tr", 1, ["Tr", "Ir", "Ir Ir", "Ir | Ir | Ir"], 2),
        ('condition = "exceeded_opponents", in = "wild_horses"', "Wr", 1, ["Wr", "Wr", "Tr", "Wr Wn"], 4),
        ('condition = "exceeded_opponents", in = "wild_horses", cap = 1', "Wr", 1, ["", "", "Tr"], 2),
        ('condition = "exceeded_opponents", in = "preferred_horses"', "Tr", 1, ["Wr", "Tr", "Wr Wr | Zr Zr"], 4),
        ('condition = "exceeded_opponents", in = "block"', "Tb", 1, ["Wr", "Tr", "Ib", "Ib Ib"], 2),
        ('condition = "exceeded_opponents", in = "complete_aisles"', "Tb", 1, ["Wr Wr", "Tr", "Ir Ir Ir"], 2),
        ('condition = "exceeded_opponents", in = "aisle_types"', "Tb", 1, ["Wr | Ib", "Tr | Wr | Tr"], 2),
        ('condition = "exceeded_opponents", in = "equal_neighbours"', "Tb", 1, [" | Tr", "Ir | | Ir"], 2),
        ('condition = "exceeded_opponents", in = "discipline_sets"', "Tb", 1, ["Tf Tr", "Ir Ib | Wn"], 2 + 5),
    ],
)  # fmt: skip
def test_boards(tmp_path: Path, board: str, horse: str, aisle: int, stables: list[str], score: int) -> None:
    assert score_after(write_plain(tmp_path, board=board), horse, aisle, stables) == score


# --- a long run ------------------------------------------------------------------------------------------------------


def main() -> None:
    parser = argparse.ArgumentParser(description="Compare Stable Times' kernels with its oracle.")
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--content", nargs="+", default=["original"], help="names or paths, cycled over the games")
    parser.add_argument("--random-content", action="store_true", help="content in which all words come anyhow")
    parser.add_argument("--max-turns", type=int, default=1000)
    parser.add_argument("--every", type=int, default=1, help="compare whole records in one step of so many")
    parser.add_argument("--middle", action="store_true", help="start in the middle of games")
    arguments = parser.parse_args()
    rng = np.random.default_rng(np.random.SeedSequence(arguments.seed))
    situations = functools.partial(random_table, rng) if arguments.middle else None
    started = time.perf_counter()
    with tempfile.TemporaryDirectory() as folder:
        content = write_documents(Path(folder), rng) if arguments.random_content else arguments.content
        options = {"content": content, "max_turns": arguments.max_turns, "every": arguments.every}
        duel = Duel(64, arguments.players, arguments.seed, situations=situations, **options)
        duel.run(rng, games=arguments.games)
    seconds = time.perf_counter() - started
    for what, times in sorted(duel.happened.items()):
        print(f"{times:12,}  {what}")
    print(f"{duel.compared:,} decisions of {duel.games:,} games compared without a difference in {seconds:.0f} s")


if __name__ == "__main__":
    main()
