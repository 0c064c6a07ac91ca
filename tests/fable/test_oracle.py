"""Fable's kernels against its oracle: everything compared at each decision, on dealt games, campaigns and sessions,
from the middle of games, in set-up situations and on content of all kinds.

As a script it compares as many games as asked for:
``python -m tests.fable.test_oracle --games 1000 --players 3 --campaign continue``.
"""

from __future__ import annotations

import argparse
import functools
import tempfile
import time
import tomllib
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from importlib import resources
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from fable_env import GAME
from fable_env.campaign import Campaign as Place
from fable_env.campaign import reference
from fable_env.sets import STEPS as STEP_WORDS
from fable_env.state import PHASES as PHASE_WORDS
from tablezoo import Batch
from tablezoo.rng import seed_streams
from tests.oracles.fable import (
    ACTIONS,
    BUY,
    CARD,
    FRUIT,
    FRUITS,
    GO_ON,
    LOCATIONS,
    MIXES,
    NEEDED,
    NUMBERED,
    OF_FRUIT,
    PHASES,
    PLAYER,
    SPEND,
    STACK,
    STEPS,
    STOP,
    TOKEN,
    TURN_TOKENS,
    TYPES,
    USE,
    WILD,
    WILD_TOKENS,
    Oracle,
    Player,
    Table,
    can_pay,
    deal,
    location_of,
    locations_in,
    payable,
    price_of,
)
from tests.oracles.fable_duel import (
    LETTERS,
    Duel,
    StreamSource,
    campaign_from,
    random_document,
    random_table,
    stage_from,
    table_of,
    write_table,
)

PLAYERS = [2, 3, 4, 5]

Options = Callable[[int], dict[str, Any]]

#: A campaign that was played for a while: many single cards, a start seat, a stream of its own.
LATE = Place(
    {3: 1, 10: 2, 19: 1, 24: 3, 25: 2, 26: 1, 31: 2, 34: 4, 37: 3, 43: 1, 46: 2, 49: 2},
    200,
    40,
    1,
    "0123456789abcdef" * 2,
)
#: One that ends soon: the location stack is empty.
LAST = Place({40: 2, 46: 4, 50: 3, 54: 2, 57: 1, 59: 5}, NUMBERED, 60)


def stages(players: int) -> tuple[int, int]:
    return (0, len(reference(players)) - 1)


#: Options, and the decisions compared with each and each number of players: first from the deal ...
DEALT: dict[str, tuple[Options, int]] = {
    "fresh": (lambda _: {}, 5_000),
    "continue": (lambda _: {"campaign": "continue"}, 10_000),
    "continue_late": (lambda _: {"campaign": "continue", "stage": LATE}, 10_000),
    "autoreset": (lambda _: {"campaign": "continue", "autoreset": True, "max_turns": 40}, 3_000),
    "enter": (lambda _: {"campaign": LATE, "autoreset": True}, 4_000),
    "enter_again": (lambda players: {"campaign": LAST, "start_seat": players - 1}, 3_000),
    "late_stage": (lambda _: {"stage": LATE, "max_turns": 25}, 3_000),
    "stages": (lambda players: {"stage": stages(players), "campaign": "continue", "max_turns": 50}, 5_000),
    "session": (lambda _: {"session": 3, "max_turns": 40}, 4_000),
    "session_to_the_end": (lambda _: {"session": 4, "campaign": LAST, "stage": LATE, "max_turns": 30}, 4_000),
    "session_autoreset": (lambda _: {"session": 2, "campaign": "continue", "autoreset": True, "max_turns": 15}, 2_000),
    "start_seat": (lambda players: {"start_seat": players - 1, "max_turns": 9}, 1_000),
    "1_turn": (lambda _: {"max_turns": 1}, 500),
}
#: ... then from the middle of games.
MIDDLE: dict[str, tuple[Options, int]] = {
    "original": (lambda _: {}, 24_000),
    "12_turns": (lambda _: {"max_turns": 12}, 2_000),
    "session": (lambda _: {"session": 3, "campaign": "continue"}, 2_000),
}
#: ... and with content in which all comes anyhow, dealt and from the middle.
RANDOM_CONTENT = 3_000, 5_000

assert (
    len(PLAYERS) * sum(decisions for cases in (DEALT, MIDDLE) for _, decisions in cases.values())
    + len(PLAYERS) * sum(RANDOM_CONTENT)
    >= 300_000
)

FORMS = {"letters", "letters *", "*", "=", "= *", "≠", "≠ *"}
#: What must have happened from the middle with the original content, whatever the number of players.
COMMON = {
    *(f"step {word}" for word in STEPS),
    *(f"asked {phase}" for phase in PHASES if phase not in ("host", "run", "player", "over")),
    *(f"price {form}" for form in FORMS),
    *(f"location {number} used" for number in range(1, LOCATIONS + 1)),
    "cost letters", "cost *", "cost =", "fallback of cost", "fallback of trade", "fallback of salvage",
    "fallback of mix", "fallback of fill", "fallback of order",
    "hosts paid", "no fruit for the hosts", "thief's owner is a host", "thief's owner stands there too",
    "own thief met", "sold out", "sold out under the buyer's animal", "sold out under other animals",
    "sold out under the thief", "nobody can move on", "campaign over",
    "location stack empty at the end", "gamble lost", "gamble stopped", "reshuffle",
    "both piles empty", "market of too few", "market of nothing", "salvage of too few", "mix of too few",
    "extra turn", "extra turn declined", "extra turn after the last juice", "extra turn in the last round",
    "extra turn over while a token is left", "a turn after the trigger", "fruit_token from the supply",
    "fruit_token from a player", "wild_tokens from the supply", "wild_tokens from a player",
    "turn_tokens from the supply", "turn_tokens from a player",
    "wild token paid", "fruit token paid", "fruit token paid as a smoothie", "several tokens at once",
    "mix paid as its first type", "mix paid as its second type", "mix paid as a smoothie",
    "all paid by cards other than fruits", "mix given", "mix discarded", "trade of a mix for a fruit", "trade for all",
    "swap for all", "swap with nobody", "ask in vain", "ask for 1", "ask for 2",
    "gift_each with too few", "pass with an empty hand",
    "missing 1", "missing 2", "missing 3", "per_juice with juices",
    "catch_up behind", "refresh of the whole hand", "refresh of several", "refresh of a part",
    "each_gives by 0", "each_gives by 1", "steal_each from 0", "steal_each from 1",
    "thief put where it lies", "thief put where its owner stands", "thief put by another player",
    "order sells out", "copy that falls back", "won by fruits in hand", "several losers",
}  # fmt: skip
#: ... and with three or more.
COMPANY = {
    "too few fruits for the hosts", "several hosts", "thief's owner beside other hosts", "asked host", "asked player",
    "each_gives by 2", "steal_each from 2",
}  # fmt: skip
#: What must have happened with other options.
OTHER_COVERAGE = {
    "continue": {"game ended", "reshuffle", "sold out"},
    "continue_late": {"game ended", "reshuffle", "sold out", "extra turn", "thief's owner is a host", "campaign over"},
    "enter_again": {"campaign over", "location stack empty at the end"},
    "session": {"session over"},
    "session_to_the_end": {"session over", "campaign over", "fresh campaign within a session"},
    "start_seat": {"game cut"},
    "1_turn": {"game cut"},
    "12_turns": {"game cut"},
}


@pytest.mark.parametrize("case", DEALT)
@pytest.mark.parametrize("players", PLAYERS)
def test_dealt_games(players: int, case: str) -> None:
    options, decisions = DEALT[case]
    duel = Duel(8, players, seed=1000 * players, **options(players))
    duel.run(np.random.default_rng([players, *case.encode()]), decisions)
    _report(duel, f"{players} players, {case}", decisions)
    _assert_happened(duel, OTHER_COVERAGE.get(case, set()))
    if case == "1_turn":
        assert duel.happened["game cut"] == duel.games


@pytest.mark.parametrize("case", MIDDLE)
@pytest.mark.parametrize("players", PLAYERS)
def test_from_the_middle(players: int, case: str) -> None:
    options, decisions = MIDDLE[case]
    rng = np.random.default_rng([players, *case.encode()])
    duel = Duel(32, players, players, functools.partial(random_table, rng), **options(players))
    duel.run(rng, decisions, at_most=20)
    _report(duel, f"{players} players from the middle, {case}", decisions)
    if case != "original":
        _assert_happened(duel, OTHER_COVERAGE.get(case, set()))
        return
    _assert_happened(duel, COMMON | COMPANY if players > 2 else COMMON)
    _assert_happened(duel, {f"action {action}" for action in range(ACTIONS) if action not in never_legal(players)})
    locations = range(1, LOCATIONS + 1)
    assert sum(duel.happened[f"location {number} bought"] > 0 for number in locations) >= 56
    assert sum(duel.happened[f"copy of {number}"] > 0 for number in locations) >= 36


def never_legal(players: int) -> set[int]:
    """Return the actions that need more seats than there are; the only other player is never asked for (F10)."""
    there = players - 1 if players > 2 else 0
    return set(range(PLAYER + there, PLAYER + 4))


@pytest.mark.parametrize("middle", [False, True], ids=["dealt", "middle"])
@pytest.mark.parametrize("players", PLAYERS)
def test_any_content(players: int, middle: bool, tmp_path: Path) -> None:
    rng = np.random.default_rng([players, middle])
    files = write_documents(tmp_path, rng)
    situations = functools.partial(random_table, rng) if middle else None
    duel = Duel(32, players, players, situations, content=files)
    duel.run(rng, RANDOM_CONTENT[middle], at_most=40)
    _report(duel, f"{players} players, random content", RANDOM_CONTENT[middle])
    if middle:
        _assert_happened(duel, {"fill left out", "price letters =", "price letters ≠"})


def write_documents(folder: Path, rng: np.random.Generator) -> list[Path]:
    files = [folder / f"random_{number}.toml" for number in range(8)]
    for file in files:
        file.write_text(random_document(rng), encoding="utf-8")
    return files


def _report(duel: Duel, what: str, decisions: int) -> None:
    print(f"{what}: {duel.compared} decisions of {duel.games} games compared")
    assert duel.compared >= decisions
    assert duel.games > 0


def _assert_happened(duel: Duel, expected: set[str]) -> None:
    missing = sorted(what for what in expected if duel.happened[what] == 0)
    assert not missing, f"never happened: {missing}"


# --- deals, campaigns, sessions --------------------------------------------------------------------------------------


def test_words_are_numbered_alike() -> None:
    assert STEPS == STEP_WORDS
    assert PHASES[:-1] == PHASE_WORDS
    assert GAME.num_actions == ACTIONS


@pytest.mark.rule("F1", "F3", "F4", "F5", "F18", "F20", "F21")
@pytest.mark.parametrize(
    "options",
    [{}, {"start_seat": 1}, {"campaign": "continue"}, {"campaign": LATE}, {"stage": LATE}, {"stage": LAST}],
    ids=["fresh", "start_seat", "continue", "enter", "stage", "last_stage"],
)
@pytest.mark.parametrize("players", PLAYERS)
def test_the_deal_is_the_one_of_the_rules(players: int, options: dict[str, Any]) -> None:
    batch = Batch(GAME, 50, players, seed=3, **options)
    entered = campaign_from(LATE) if options.get("campaign") is LATE else None
    stage = stage_from(options.get("stage", 0), players)
    for record, stream in zip(batch.states, seed_streams(3, 50), strict=True):
        source = StreamSource(stream)
        dealt = deal(players, source, entered, stage, options.get("start_seat"))
        assert table_of(record) == dealt
        assert record["rng"].tolist() == source.state()
        assert [player.hand_size for player in dealt.players] == [2] * players
        assert not any(map(sum, (dealt.discards, (player.juices for player in dealt.players))))


def test_a_table_is_written_as_it_is_read() -> None:
    rng = np.random.default_rng(5)
    batch = Batch(GAME, 1, 4, seed=3, session=3)
    for _ in range(50):
        table = random_table(rng, table_of(batch.states[0]))
        write_table(batch.states[0], table)
        assert table_of(batch.states[0]) == table


@pytest.mark.rule("F3", "F4", "F12", "F14", "F27")
def test_the_oracle_alone_keeps_all_cards() -> None:
    """The oracle plays alone, from random moments, and keeps all fruits, mixes, tokens and locations."""
    rng = np.random.default_rng(0)
    locations = locations_in(Batch(GAME).contents[0].record[0])
    for game in range(60):
        source = StreamSource(rng.integers(1, 2**62, 2).astype(np.uint64))
        table = random_table(rng, deal(2 + game % 4, source))
        oracle = Oracle(table, locations, source)
        before = kept(oracle)
        while not oracle.over:
            oracle.step(int(rng.choice(sorted(oracle.legal()))))
            assert kept(oracle) == before
            assert kept(oracle)["fruits"] == [OF_FRUIT] * FRUITS


def kept(oracle: Oracle) -> dict[str, Any]:
    table = oracle.table
    piles = [[*table.fruit_stack, *table.mix_stack], table.discards, oracle.turned, *(p.hand for p in table.players)]
    total = [sum(pile[kind] for pile in piles if kind < len(pile)) for kind in range(FRUITS + len(MIXES))]
    for player in table.players:
        if player.aside is not None:
            total[player.aside] += 1
    assert sum(player.wild_tokens for player in table.players) <= WILD_TOKENS
    assert sum(player.turn_tokens for player in table.players) <= TURN_TOKENS
    sold = sum(player.juices for player in table.players)
    return {"fruits": total[:FRUITS], "mixes": total[FRUITS:], "cards": sum(table.cards) + sold - table.drawn}


@pytest.mark.rule("F18", "F19", "F20")
@pytest.mark.parametrize("players", PLAYERS)
def test_the_next_game_goes_on_with_what_lies_on_the_table(players: int) -> None:
    rng = np.random.default_rng(players)
    duel = Duel(1, players, 1, functools.partial(random_table, rng), campaign="continue", max_turns=3)
    duel.run(rng, games=5)
    duel.situations = None
    before = duel.oracles[0]
    while not before.over:
        duel.step(np.array([min(before.legal())]))
    lying, loser, drawn = list(before.table.cards), before.loser(), before.table.drawn
    duel.again([0])
    table = duel.oracles[0].table
    if sum(cards > 0 for cards in lying) >= 6:
        assert (table.cards, table.drawn, table.starter) == (lying, drawn, loser)
    else:
        assert table.drawn == 24
    assert table.mix_stack == [1] * len(MIXES)
    assert (table.thief, table.thief_owner, set(table.token_owner)) == (None, None, {None})


@pytest.mark.rule("F21")
def test_a_campaign_is_saved_restored_and_entered(tmp_path: Path) -> None:
    rng = np.random.default_rng(2)
    duel = Duel(1, 3, 2, campaign="continue", max_turns=30)
    duel.run(rng, games=4)
    file = tmp_path / "campaign.json"
    saved = Place.of(duel.batch.states[0])
    assert saved is not None
    saved.save(file)
    entered = Duel(1, 3, 99, campaign=Place.load(file), max_turns=30)
    assert entered.oracles[0].table == replace(duel.oracles[0].table, turn=0)
    actions = rng.integers(1000, size=40)
    for number in actions.tolist():  # the same stream, the same game
        legal = sorted(duel.oracles[0].legal())
        duel.play(legal[number % len(legal)])
        entered.play(legal[number % len(legal)])
        assert entered.oracles[0].table == duel.oracles[0].table


@pytest.mark.rule("F21")
@pytest.mark.parametrize("options", [{}, {"start_seat": 2}, {"stage": stages(3)}], ids=["drawn", "fixed", "stage"])
def test_a_campaign_saved_within_its_first_game_is_restored_exactly(options: dict[str, Any]) -> None:
    for seed in range(5):
        first = Duel(1, 3, seed, **options)
        place = Place.of(first.batch.states[0])
        entered = Duel(1, 3, 99, campaign=place)
        assert entered.oracles[0].table == first.oracles[0].table


@pytest.mark.rule("F18", "F21", "F23")
def test_a_reset_within_a_game_deals_the_same_game_of_the_campaign_anew() -> None:
    rng = np.random.default_rng(3)
    duel = Duel(1, 3, 3, campaign="continue")
    duel.run(rng, games=2)
    before = duel.oracles[0].table.copy()
    for _ in range(10):
        duel.step(np.array([min(duel.oracles[0].legal())]))
    duel.again([0])
    after = duel.oracles[0].table
    assert (after.cards, after.drawn, after.starter) == (before.cards, before.drawn, before.starter)
    assert after.campaign.games == before.campaign.games == 2
    assert hands(duel) != [words_of(player.hand) for player in before.players]  # from the stream that goes on


@pytest.mark.rule("F21")
@pytest.mark.parametrize(("stacks", "fresh"), [("1 2 3 4 5 6", False), ("1 2 3 4 5", True)])
def test_a_campaign_is_over_with_fewer_than_six_stacks(stacks: str, fresh: bool) -> None:
    duel = set_up("B", "B", stacks=stacks, fruit_stack="B B", max_turns=1, campaign="continue")
    duel.play(to(duel, 1))
    assert duel.oracles[0].truncated
    assert duel.oracles[0].campaign.over == fresh
    assert (Place.of(duel.batch.states[0]) is None) == fresh
    assert duel.oracles[0].campaign.games == (0 if fresh else 1)


@pytest.mark.rule("F22", "F23")
def test_a_session_is_scored_by_victory_points() -> None:
    """Three games of a turn each: seat 0 has most fruits in the first, then all is dealt."""
    duel = set_up("B B C", "B", "B", "B C", fruit_stack="", max_turns=1, session=3)
    assert [player.points for player in duel.oracles[0].players] == [0, 0, 0, 0]
    duel.play(to(duel, 1))
    oracle = duel.oracles[0]
    assert [player.points for player in oracle.players] == [2, 0, 0, 1]
    assert (oracle.table.game, oracle.table.turn, oracle.table.first_turn, oracle.over) == (1, 1, 1, False)
    assert oracle.table.starter == 1  # F19: the first of the two after the winner
    while not oracle.over:
        duel.step(np.array([min(oracle.legal())]))
    assert oracle.table.game == 3
    assert oracle.truncated
    assert duel.batch.scores[0, :4].tolist() == [player.points for player in oracle.players]


@pytest.mark.rule("F16", "F19", "F22")
@pytest.mark.parametrize(
    ("juices", "hands", "starter", "ranks", "points", "loser"),
    [
        ([1, 2, 0], ["B B", "B", "B"], 0, [1, 0, 2], [1, 2, 0], 2),
        ([1, 1, 1], ["B B", "BC B", "B w t c"], 0, [0, 0, 2], [2, 2, 0], 2),  # mixes count, tokens do not
        ([1, 0, 0], ["B", "B", "B"], 0, [0, 1, 1], [2, 0, 0], 1),
        ([0, 1, 0], ["B", "B", "B"], 0, [1, 0, 1], [0, 2, 0], 2),
        ([0, 0, 0], ["B", "B", "B"], 1, [0, 0, 0], [2, 2, 2], 2),
        ([1, 0, 1, 0], ["B", "B", "B", "B"], 1, [0, 2, 0, 2], [2, 0, 2, 0], 3),  # the winner from seat 1 on is seat 2
        ([1, 0, 1, 0], ["B", "B", "B", "B"], 3, [0, 2, 0, 2], [2, 0, 2, 0], 1),
    ],
)
def test_ranks_points_and_the_loser(
    juices: list[int], hands: list[str], starter: int, ranks: list[int], points: list[int], loser: int
) -> None:
    duel = set_up(*hands, juices=juices, fruit_stack="", starter=starter, mover=starter, max_turns=1)
    duel.play(to(duel, 1))  # draws nothing
    oracle = duel.oracles[0]
    assert oracle.truncated
    assert (oracle.ranks(), oracle.game_points(), oracle.loser()) == (ranks, points, loser)
    assert duel.batch.states[0]["campaign_start"] == loser


# --- set-up situations -----------------------------------------------------------------------------------------------

MIX_WORDS = [LETTERS[first] + LETTERS[second] for first, second in MIXES]
ITEM_WORDS = [*LETTERS, *MIX_WORDS, *LETTERS.lower(), "w"]
"""A fruit, a mix, a fruit token, the wild token; ``t`` is a double-turn token."""


def counted(words: str) -> Counter[str]:
    unknown = set(words.split()) - {*ITEM_WORDS, "t"}
    assert not unknown, f"no such item: {unknown}"
    return Counter(words.split())


def fruits(words: str) -> list[int]:
    return [counted(words)[letter] for letter in LETTERS]


def words_of(hand: Sequence[int]) -> str:
    """Return a hand in words."""
    return " ".join(word for word, number in zip(ITEM_WORDS, hand, strict=False) for _ in range(number))


def set_up(
    *hands: str,
    at: Sequence[int] = (),
    stacks: str | Mapping[int, int] = "1 2 3 4 5 6",
    drawn: int = NUMBERED,
    fruit_stack: str | None = None,
    discards: str = "",
    no_mixes: bool = False,
    juices: Sequence[int] = (),
    thief: tuple[int, int] | None = None,
    starter: int = 0,
    mover: int = 0,
    triggered: bool = False,
    turn: int = 0,
    content: str | Path = "original",
    seed: int = 7,
    **options: Any,
) -> Duel:
    """Return a duel of one game in a situation of ``mover``.

    Args:
        hands: in words, a seat each, with the tokens held.
        at: the location that each animal stands on, by its number; 0 stands before its owner.
        stacks: numbers of locations with four cards each, or how many each has.
        drawn: cards that have left the location stack; none is left by default.
        fruit_stack: in words; all that are nowhere else by default.
        discards, no_mixes, juices, starter, mover, triggered, turn: as their names say.
        thief: the number of its location, and who put it.
        content, seed, options: of the batch.
    """
    in_play = stacks if isinstance(stacks, Mapping) else {int(number): 4 for number in stacks.split()}
    players = []
    owners: list[int | None] = [None] * FRUITS
    for seat, words in enumerate(hands):
        items = counted(words)
        hand = [items[word] for word in ITEM_WORDS[:TOKEN]]
        for fruit in range(FRUITS):
            if items[LETTERS.lower()[fruit]]:
                owners[fruit] = seat
        animal = at[seat] - 1 if seat < len(at) and at[seat] else None
        done = juices[seat] if juices else 0
        players.append(Player(seat, hand, done, animal, items["w"], items["t"]))
    held = [sum(player.hand[kind] for player in players) for kind in range(TOKEN)]
    pile = fruits(discards)
    left = [OF_FRUIT - held[fruit] - pile[fruit] for fruit in range(FRUITS)]
    mixes = [0 if no_mixes else 1 - held[FRUITS + mix] for mix in range(len(MIXES))]
    assert min(*left, *mixes) >= 0

    def situation(dealt: Table) -> Table:
        return replace(
            dealt,
            players=players,
            cards=[in_play.get(number, 0) for number in range(1, LOCATIONS + 1)],
            drawn=drawn,
            fruit_stack=left if fruit_stack is None else fruits(fruit_stack),
            discards=pile,
            mix_stack=mixes,
            token_owner=owners,
            thief=thief[0] - 1 if thief else None,
            thief_owner=thief[1] if thief else None,
            starter=starter,
            mover=mover,
            triggered=triggered,
            turn=turn,
        )

    return Duel(1, len(hands), seed, situation, content, **options)


def changed(folder: Path, locations: Mapping[int, tuple[str, str]]) -> Path:
    """Write the original content with other actions ("draw 1; thief") and prices for some numbers."""
    original = resources.files("fable_env") / "content" / "original.toml"
    entries = tomllib.loads(original.read_text(encoding="utf-8"))["locations"]
    for number, (action, price) in locations.items():
        entries[number - 1] = {"action": action.split("; "), "price": price}
    lines = [
        f'[[locations]]\nname = "{number}"\naction = {entry["action"]}\nprice = "{entry["price"]}"'
        for number, entry in enumerate(entries, start=1)
    ]
    file = folder / "changed.toml"
    file.write_text("\n".join(lines), encoding="utf-8")
    return file


def to(duel: Duel, number: int) -> int:
    """The action that chooses a location in play."""
    return STACK + duel.oracles[0].table.stacks.index(number - 1)


def card(word: str) -> int:
    return CARD + ITEM_WORDS.index(word)


def who(distance: int) -> int:
    return PLAYER + distance - 1


def named(letter: str) -> int:
    return FRUIT + LETTERS.index(letter)


def asked(duel: Duel) -> tuple[str, int | None]:
    return duel.oracles[0].phase, duel.oracles[0].asked


def cards(duel: Duel) -> str:
    """The cards and tokens that may be chosen, in words."""
    legal = duel.oracles[0].legal()
    return " ".join(word for word in ITEM_WORDS if card(word) in legal)


def names(duel: Duel) -> str:
    """The fruits that may be named."""
    return "".join(letter for letter in LETTERS if named(letter) in duel.oracles[0].legal())


def places(duel: Duel) -> set[int]:
    """The numbers of the locations that may be chosen."""
    stacks = duel.oracles[0].table.stacks
    return {location + 1 for place, location in enumerate(stacks) if STACK + place in duel.oracles[0].legal()}


def distances(duel: Duel) -> set[int]:
    return {distance for distance in range(1, 5) if who(distance) in duel.oracles[0].legal()}


def hands(duel: Duel) -> list[str]:
    return [words_of(player.hand) for player in duel.oracles[0].players]


def happened(duel: Duel, what: str) -> int:
    return duel.oracles[0].happened[what]


# Moves and hosts.


@pytest.mark.rule("F6", "F8")
def test_a_move_goes_anywhere_but_where_one_stands() -> None:
    duel = set_up("", "", at=[3, 4], stacks="1 2 3 4 9")
    assert places(duel) == {1, 2, 4, 9}
    other = set_up("", "", at=[0, 4], stacks="1 2 3 4 9")
    assert places(other) == {1, 2, 3, 4, 9}


@pytest.mark.rule("F6")
def test_a_move_with_one_place_to_go_to_is_made() -> None:
    duel = set_up("", "", at=[1, 9], stacks="1 9", fruit_stack="B B B B C C C C P")
    assert asked(duel) != ("move", 0)
    assert happened(duel, "location 9 used") >= 1


@pytest.mark.rule("F7", "F10b")
def test_hosts_are_paid_clockwise_with_cards_of_the_movers_choice() -> None:
    duel = set_up("B C BP", "G", "", "S", at=[0, 1, 2, 1], fruit_stack="")
    duel.play(to(duel, 1))
    assert asked(duel) == ("give", 0)
    assert cards(duel) == "B C BP"
    duel.play(card("BP"))
    assert cards(duel) == "B C"
    duel.play(card("B"))
    assert hands(duel) == ["C", "G BP", "", "B S"]


@pytest.mark.rule("F7")
def test_with_too_few_fruits_the_mover_chooses_who_gets_one() -> None:
    duel = set_up("B C", "", "", "", at=[0, 1, 1, 1], fruit_stack="")
    duel.play(to(duel, 1))
    assert asked(duel) == ("host", 0)
    assert distances(duel) == {1, 2, 3}
    duel.play(who(2))
    assert cards(duel) == "B C"
    duel.play(card("C"))
    assert distances(duel) == {1, 3}  # nobody gets two
    duel.play(who(3))
    assert hands(duel) == ["", "", "C", "B"]
    assert asked(duel) == ("move", 1)


@pytest.mark.rule("F7")
def test_an_empty_hand_pays_nothing() -> None:
    duel = set_up("w t b", "G", "S", at=[0, 1, 1], fruit_stack="B B")
    duel.play(to(duel, 1))
    assert hands(duel) == ["B B", "G", "S"]


@pytest.mark.rule("F28")
@pytest.mark.parametrize(
    ("at", "owner", "after"),
    [
        ([0, 2, 3], 2, ["", "", "B"]),  # a further host
        ([0, 2, 1], 2, ["", "", "B"]),  # one fruit in all
        ([0, 2, 3], 0, ["B", "", ""]),  # whoever else moves there
    ],
)
def test_the_thief_makes_its_owner_a_host(at: list[int], owner: int, after: list[str]) -> None:
    duel = set_up("B", "", "", at=at, thief=(1, owner), fruit_stack="")
    duel.play(to(duel, 1))
    assert hands(duel) == after


@pytest.mark.rule("F7", "F28")
def test_the_thiefs_owner_is_paid_in_the_order_of_the_seats() -> None:
    duel = set_up("B C", "", "", at=[0, 0, 1], thief=(1, 1), fruit_stack="")
    duel.play(to(duel, 1), card("C"))
    assert hands(duel) == ["", "C", "B"]


@pytest.mark.rule("F28")
def test_the_thief_pays_its_last_placer() -> None:
    duel = set_up("", "", "C", at=[1, 3, 4], stacks="1 2 25", thief=(1, 2), fruit_stack="")
    duel.play(to(duel, 25))
    assert asked(duel) == ("stack", 0)
    assert places(duel) == {1, 2, 25}  # also where it lies, or where one stands
    duel.play(to(duel, 1))
    assert duel.oracles[0].table.thief_owner == 0
    duel.play(to(duel, 2), to(duel, 1))
    assert hands(duel) == ["C", "", ""]


# Actions: requirements, left-out steps, order.


@pytest.mark.rule("F9", "F9a", "F27a")
@pytest.mark.parametrize(
    ("number", "hand", "other", "more", "failing"),
    [
        (6, "B G BP", "B", {}, "cost"),
        (32, "B C G P S CG", "B", {"stacks": "1 32"}, None),  # a mix is a fruit of either type
        (32, "B C G P S w", "B", {}, "cost"),  # tokens are none
        (2, "C G PS", "B", {}, "trade"),
        (2, "B", "", {}, "trade"),
        (7, "B", "B", {"discards": ""}, "salvage"),
        (57, "B", "B", {"no_mixes": True}, "mix"),
        (22, "B B C C BC", "B", {}, "fill"),
        (34, "B", "B", {"stacks": "34 50"}, "copy"),
        (46, "B B C", "B", {"stacks": "1 3 46"}, "order"),
    ],
)
def test_a_requirement_that_fails_brings_one_fruit(
    number: int, hand: str, other: str, more: dict[str, Any], failing: str | None
) -> None:
    situation: dict[str, Any] = {"stacks": f"1 3 {number}", "discards": "C", **more}
    duel = set_up(hand, other, fruit_stack="P P P P", **situation)
    before = duel.oracles[0].players[0].hand_size
    duel.play(to(duel, number))
    if failing is None:
        assert asked(duel) == ("pay", 0)
        return
    assert happened(duel, f"fallback of {failing}") == 1
    assert duel.oracles[0].players[0].hand_size == before + 1
    assert asked(duel)[1] == 1


@pytest.mark.rule("F9a")
def test_requirements_are_judged_before_the_first_step(tmp_path: Path) -> None:
    content = changed(tmp_path, {1: ("draw 3; cost B 1", "****")})
    duel = set_up("C", "C", fruit_stack="B B B B", content=content)
    duel.play(to(duel, 1))
    assert hands(duel) == ["B C", "C"]  # no banana was there before


NINE_MIXES = "BG BP BS CG CP CS GP GS PS"


@pytest.mark.rule("F9a")
@pytest.mark.parametrize(
    ("action", "hand", "other", "more", "after", "left_out"),
    [
        ("discard 1; cost B 1; draw 2", "B", "C", {}, "P P", "cost"),
        ("discard 1; trade B 1; draw 2", "B", "C", {}, "P P", "trade"),
        ("draw 1; salvage 2", "", "", {"fruit_stack": "", "discards": "P"}, "P", "salvage"),
        ("draw 3; fill 3", "C", "C", {}, "C P P P", "fill"),
        ("copy; mix 1", "", NINE_MIXES, {"stacks": "1 57"}, "BC", "mix"),
        ("discard 1; order 1; draw 1", "B B", "C", {}, "B P", "order"),
        ("order 1; copy; draw 1", "B B", "C", {"stacks": {1: 1, 2: 1, 34: 1}}, "P", "copy"),
    ],
)
def test_a_step_made_impossible_is_left_out(
    tmp_path: Path, action: str, hand: str, other: str, more: dict[str, Any], after: str, left_out: str
) -> None:
    content = changed(tmp_path, {1: (action, "****"), 2: ("draw 1", "B")})
    situation: dict[str, Any] = {"stacks": "1 2 3", "fruit_stack": "P P P P P P", "mover": 0, **more}
    duel = set_up(hand, other, content=content, **situation)
    duel.play(to(duel, 1))
    assert happened(duel, f"{left_out} left out") == 1
    assert hands(duel)[0] == after


@pytest.mark.rule("F10", "F10a", "F10b")
def test_gifts_and_who_has_too_few() -> None:
    duel = set_up("B B", "S", "", stacks="5 29 1 2", fruit_stack="G G G")
    duel.play(to(duel, 5))
    assert asked(duel) == ("player", 0)
    assert distances(duel) == {1, 2}  # never oneself; to one without a fruit as well
    duel.play(who(2))
    assert cards(duel) == "B G"
    duel.play(card("G"))
    assert hands(duel) == ["B B G G", "S", "G"]
    each = set_up("S", "", "", "", stacks="29 1 2", fruit_stack="")
    each.play(to(each, 29))
    assert happened(each, "gift_each with too few") == 1
    assert hands(each) == ["", "S", "", ""]  # the first one clockwise gets all there is


@pytest.mark.rule("F10a", "F14")
def test_a_gift_of_nothing_asks_nothing() -> None:
    duel = set_up("", "B", stacks="5 1", fruit_stack="")
    duel.play(to(duel, 5))
    assert happened(duel, "gift of nothing") == 1
    assert hands(duel) == ["", "B"]


@pytest.mark.rule("F10b")
def test_several_cards_are_chosen_in_order_and_all_ask_nothing(tmp_path: Path) -> None:
    content = changed(tmp_path, {1: ("discard 3", "SSSS"), 2: ("discard 4", "SSSS")})
    duel = set_up("B C C P BG", "S", content=content)
    duel.play(to(duel, 1))
    assert cards(duel) == "B C"  # enough can follow these alone
    duel.play(card("C"))
    assert cards(duel) == "C P"  # B comes before, the mix alone would be too few
    duel.play(card("P"))
    assert hands(duel)[0] == "B C"
    assert duel.oracles[0].table.mix_stack == [1] * len(MIXES)  # F27: never to the discard pile
    other = set_up("B C P", "S", content=content)
    other.play(to(other, 2))
    assert hands(other) == ["", "S"]
    assert other.oracles[0].table.discards == fruits("B C P")


# Prices.


@pytest.mark.rule("F11", "F11a", "F24", "F25", "F27")
@pytest.mark.parametrize(
    ("price", "held", "choices"),
    [
        ("PPP*", "P P P P", "P"),
        ("PPP*", "B C P P P", "B C"),
        ("PPP*", "B P P", ""),
        ("PPP*", "B P P BP", "B"),
        ("PPP*", "B P P P BP", "B P"),
        ("PPP*", "P P BC p w", "P"),
        ("PPP*", "P P GP PS p w", "P GP"),
        ("BC", "B BC BG", "B BC"),
        ("BC", "BG BC", "BG"),
        ("BC", "BC b w", "BC b"),
        ("BC", "BG BP", ""),
        ("BBCC", "BC BG CP b c", "BC BG"),
        ("≠4", "B C G BC PS w", "B C G"),
        ("≠4", "B B C C BC w", ""),
        ("≠4", "B B C C BG w", "B"),
        ("≠4", "BC BG CG PS", "BC"),
        ("≠4", "BC CG BG b", ""),
        ("=3", "B B C C BC CG", "B C"),
        ("=3", "B C G BC w", "B C"),
        ("=3", "B C G w", ""),
        ("=3", "g w w w", "g w"),
        ("=3 *", "B B S BC", "B"),
        ("=3 *", "C C S BC", "C"),
        ("=3 *", "B B B", ""),
        ("****", "B BC c w", "B"),
        ("B ≠2", "B C C", ""),
        ("B ≠2", "B C P", "B"),
        ("B ≠2", "C BC BP", "C"),
    ],
)
def test_what_pays_a_price(tmp_path: Path, price: str, held: str, choices: str) -> None:
    """``choices``: what may be chosen first; nothing if the juice cannot be bought."""
    content = changed(tmp_path, {1: ("draw 1", price)})
    duel = set_up(held, "", content=content, fruit_stack="")
    duel.play(to(duel, 1))
    if not choices:
        assert asked(duel) == ("move", 1)
        assert duel.oracles[0].players[0].juices == 0
        return
    assert duel.oracles[0].legal() == {USE, BUY}
    duel.play(BUY)
    if " " in choices:
        assert cards(duel) == choices
    else:
        assert happened(duel, f"action {card(choices)}") == 0  # what there is no choice about is not asked
    while asked(duel)[0] == "pay":
        duel.step(np.array([max(duel.oracles[0].legal())]))
    assert duel.oracles[0].players[0].juices == 1


@pytest.mark.rule("F11", "F11a")
def test_items_are_laid_on_signs_as_trying_all_ways_tells() -> None:
    rng = np.random.default_rng(11)
    for _ in range(400):
        letters = tuple(int(n) for n in rng.integers(0, 2, FRUITS) * rng.integers(0, 3, FRUITS))
        kinds = [(0, 0), (int(rng.integers(2, 4)), 0), (0, int(rng.integers(2, 4)))]
        price = price_of(letters, int(rng.integers(2)), *kinds[int(rng.integers(3))])
        if not 1 <= price.size <= 5:
            continue
        held = [0] * (WILD + 1)
        for item in rng.integers(0, WILD + 1, int(rng.integers(1, 7))).tolist():
            held[item] += 1
        ways = sorted(all_payments(price.readings, held))
        assert can_pay(price, held) == bool(ways)
        chosen: list[int] = []
        while len(chosen) < price.size and ways:
            following = {way[len(chosen)] for way in ways if list(way[: len(chosen)]) == chosen}
            left = list(held)
            for item in chosen:
                left[item] -= 1
            assert set(payable(price, chosen, left)) == following
            chosen.append(int(rng.choice(sorted(following))))


def all_payments(readings: Iterable[Sequence[frozenset[int]]], held: Sequence[int]) -> set[tuple[int, ...]]:
    """Return all sets of items that pay, found by giving each sign each item in turn."""
    found: set[tuple[int, ...]] = set()

    def give(signs: Sequence[frozenset[int]], left: list[int], given: list[int]) -> None:
        if not signs:
            found.add(tuple(sorted(given)))
            return
        for item, number in enumerate(left):
            if number and TYPES[item] & signs[0]:
                left[item] -= 1
                give(signs[1:], left, [*given, item])
                left[item] += 1

    for signs in readings:
        give(signs, list(held), [])
    return found


@pytest.mark.rule("F11", "F24", "F25", "F27")
def test_where_what_is_paid_goes() -> None:
    duel = set_up("P GP p w", "", fruit_stack="")
    duel.play(to(duel, 1), BUY)
    table = duel.oracles[0].table
    assert table.discards == fruits("P")
    assert table.mix_stack == [1] * len(MIXES)
    assert table.token_owner == [None] * FRUITS
    assert duel.oracles[0].players[0].wild_tokens == 0
    assert happened(duel, "several tokens at once") == 1


@pytest.mark.rule("F24")
def test_tokens_pay_no_cost() -> None:
    duel = set_up("c w", "", stacks="6 1", fruit_stack="")
    duel.play(to(duel, 6))
    assert hands(duel) == ["", ""]
    assert duel.oracles[0].table.token_owner[1] == 0


# After a purchase.


@pytest.mark.rule("F2", "F12")
@pytest.mark.parametrize(
    ("stacks", "drawn", "after"),
    [
        ({1: 4, 2: 4}, 24, {1: 3, 2: 4, 7: 1}),  # a new stack
        ({1: 4, 7: 1}, 25, {1: 3, 7: 2}),
        ({1: 1, 2: 4}, 3, {1: 1, 2: 4}),  # not sold out: the next card is of the same location
        ({1: 2, 59: 7}, 239, {1: 1, 59: 8}),
        ({1: 2, 59: 7}, 240, {1: 1, 59: 7}),
    ],
)
def test_the_next_card_is_turned_up(stacks: dict[int, int], drawn: int, after: dict[int, int]) -> None:
    duel = set_up("P P P P", "", stacks=stacks, drawn=drawn, fruit_stack="")
    duel.play(to(duel, 1), BUY)
    lying = {number + 1: cards for number, cards in enumerate(duel.oracles[0].table.cards) if cards}
    assert lying == after
    assert duel.oracles[0].players[0].animal == 0
    assert [location_of(card) for card in (0, 3, 4, 231, 232, 239)] == [0, 0, 1, 57, 58, 58]


@pytest.mark.rule("F13", "F28")
def test_what_stood_on_a_stack_that_is_sold_out_goes_back() -> None:
    stacks = {1: 1, 2: 4, 25: 4}
    duel = set_up("P P P P B B", "", "", at=[0, 1, 2], stacks=stacks, thief=(1, 2), fruit_stack="")
    duel.play(to(duel, 1), card("B"), card("B"), BUY)
    oracle = duel.oracles[0]
    assert [one.animal for one in oracle.players] == [None, None, 1]
    assert (oracle.table.thief, oracle.table.thief_owner) == (None, 2)  # idle
    assert asked(duel) == ("move", 1)
    assert places(duel) == {2, 25}


@pytest.mark.rule("F6", "F12", "F17")
@pytest.mark.parametrize("campaign", ["fresh", "continue"])
def test_a_game_ends_at_once_when_nobody_can_move_on(campaign: str) -> None:
    duel = set_up("P P P P t", "B", stacks={1: 1, 2: 4}, turn=5, fruit_stack="", max_turns=6, campaign=campaign)
    duel.play(to(duel, 1), BUY)
    oracle = duel.oracles[0]
    assert oracle.ended
    assert oracle.table.turn == 5  # the turn does not come to its end
    assert oracle.campaign.over
    assert happened(duel, "asked extra") == 0


@pytest.mark.rule("F6", "F12")
def test_an_order_can_end_the_game_and_the_steps_after_it_are_not_played(tmp_path: Path) -> None:
    content = changed(tmp_path, {1: ("order 1; draw 1", "****"), 2: ("draw 1", "B")})
    duel = set_up("B B", "C", stacks={1: 1, 2: 1}, content=content, fruit_stack="P P")
    duel.play(to(duel, 1))
    assert duel.oracles[0].ended
    assert hands(duel) == ["", "C"]


# Piles.


@pytest.mark.rule("F14")
def test_the_discard_pile_is_shuffled_in_when_a_fruit_is_wanted() -> None:
    duel = set_up("", "", fruit_stack="B B", discards="C")
    duel.play(to(duel, 1))
    assert hands(duel)[0] == "B B"
    assert duel.oracles[0].table.discards == fruits("C")  # not yet
    duel.play(to(duel, 1))
    assert hands(duel) == ["B B", "C"]
    assert happened(duel, "both piles empty") == 1


@pytest.mark.rule("F9", "F14")
@pytest.mark.parametrize(
    ("stack", "discards", "answers", "hand", "pile"),
    [
        ("B B", "", [GO_ON], "", "B B"),
        ("B", "", [], "B", ""),  # nothing is left to turn up: not asked
        ("", "", [], "", ""),
        ("", "C", [], "C", ""),
        ("B", "B", [GO_ON], "", "B B"),  # what is turned up is not shuffled in
        ("B B", "C C", [STOP], "B", "C C"),
    ],
)
def test_gambles(stack: str, discards: str, answers: list[int], hand: str, pile: str) -> None:
    duel = set_up("", "", stacks="4 1", fruit_stack=stack, discards=discards)
    duel.play(to(duel, 4))
    for answer in answers:
        assert asked(duel) == ("gamble", 0)
        duel.play(answer)
    assert hands(duel)[0] == hand
    assert duel.oracles[0].table.discards == fruits(pile)
    assert duel.oracles[0].turned == [0] * FRUITS


@pytest.mark.rule("F9")
def test_a_gamble_to_the_last(tmp_path: Path) -> None:
    content = changed(tmp_path, {1: ("gamble 2", "SSSS")})
    lost = kept = 0
    for seed in range(20):
        duel = set_up("", "", stacks="1 2", fruit_stack="B B C C", content=content, seed=seed)
        duel.play(to(duel, 1), GO_ON)  # after the second it is over
        assert asked(duel) == ("move", 1)
        lost += hands(duel)[0] == ""
        kept += hands(duel)[0] == "B C"
        assert happened(duel, "gamble to the last") == (hands(duel)[0] == "B C")
    assert lost + kept == 20
    assert 0 < kept < 20


@pytest.mark.rule("F9", "F14", "F27a")
def test_markets() -> None:
    duel = set_up("", "", stacks="12 1", fruit_stack="B C C", discards="P")
    duel.play(to(duel, 12))
    assert names(duel) == "BCP"  # four fruits, one of them shuffled in
    assert duel.oracles[0].turned == [1, 2, 0, 1, 0]
    duel.play(named("C"))
    assert hands(duel)[0] == "C C"
    assert duel.oracles[0].table.discards == fruits("B P")
    nothing = set_up("", "", stacks="12 1", fruit_stack="")
    nothing.play(to(nothing, 12))
    assert hands(nothing)[0] == ""


@pytest.mark.rule("F9", "F10b", "F27a")
def test_salvage_is_chosen_in_order() -> None:
    duel = set_up("", "", stacks="39 1", discards="B C G G")
    duel.play(to(duel, 39))  # three of four
    assert names(duel) == "BC"
    duel.play(named("C"))
    assert hands(duel)[0] == "C G G"  # the rest is the only way
    few = set_up("", "", stacks="39 1", discards="S")
    few.play(to(few, 39))
    assert hands(few)[0] == "S"


@pytest.mark.rule("F9", "F10b")
def test_refresh() -> None:
    duel = set_up("B C PS", "", stacks="11 1", fruit_stack="G G G G G")
    duel.play(to(duel, 11))
    assert asked(duel) == ("refresh", 0)
    assert cards(duel) == "B C PS"
    duel.play(card("C"))
    assert cards(duel) == "PS"
    assert STOP in duel.oracles[0].legal()
    duel.play(card("PS"))  # none may follow
    assert hands(duel)[0] == "B G G G G"
    empty = set_up("", "", stacks="11 1", fruit_stack="G G G G G")
    empty.play(to(empty, 11))
    assert hands(empty)[0] == "G G"
    own = set_up("B B", "", stacks="11 1", fruit_stack="", discards="")
    own.play(to(own, 11), card("B"), card("B"))
    assert hands(own)[0] == "B B"  # drawn again


# Steps with others.


@pytest.mark.rule("F9", "F10a", "F10b", "F27a")
def test_trades() -> None:
    duel = set_up("B BC CG", "", "C P P", "S", stacks="2 1", fruit_stack="")
    duel.play(to(duel, 2))
    assert asked(duel) == ("player", 0)
    assert distances(duel) == {2, 3}
    duel.play(who(2))
    assert asked(duel) == ("offer", 0)
    assert cards(duel) == "B BC"
    duel.play(card("BC"))
    assert asked(duel) == ("give", 2)
    assert cards(duel) == "C P"  # not what it gets
    assert duel.batch.states[0]["aside"][0] == ITEM_WORDS.index("BC")
    duel.play(card("C"))
    assert hands(duel) == ["B C P CG", "", "P BC", "S"]
    few = set_up("B", "C", stacks="2 1", fruit_stack="")
    few.play(to(few, 2))
    assert hands(few) == ["C", "B"]
    any_ = set_up("BC PS", "C S S", stacks="47 1", fruit_stack="")
    any_.play(to(any_, 47))
    assert cards(any_) == "BC PS"


@pytest.mark.rule("F9", "F10a", "F10b")
def test_swaps() -> None:
    duel = set_up("B", "", "C P", stacks="3 1", fruit_stack="G")
    duel.play(to(duel, 3))  # draws G; the third player gives both
    assert asked(duel) == ("give", 0)
    assert cards(duel) == "B C G"
    duel.play(card("B"), card("P"))  # one of the new ones
    assert hands(duel) == ["C G", "", "B P"]
    nobody = set_up("B", "", stacks="3 1", fruit_stack="G")
    nobody.play(to(nobody, 3))
    assert hands(nobody) == ["B G", ""]


@pytest.mark.rule("F9", "F10a")
def test_swapped_hands() -> None:
    duel = set_up("B", "C C C", "", "P P P P", stacks="40 1", fruit_stack="")
    duel.play(to(duel, 40))  # the only fruit is the cost
    assert distances(duel) == {1, 2}
    duel.play(who(1))
    assert hands(duel) == ["C C C", "", "", "P P P P"]
    rich = set_up("B w", "P P P P", stacks="40 1", fruit_stack="")
    rich.play(to(rich, 40))
    assert happened(rich, "swap_hands with nobody") == 1
    nothing = set_up("B w", "", stacks="40 1", fruit_stack="")
    nothing.play(to(nothing, 40))
    assert happened(nothing, "swap_hands of nothing") == 1


@pytest.mark.rule("F9", "F10a", "F27")
def test_thefts() -> None:
    duel = set_up("", "BC BG b w", "", "B", stacks="26 10 1", fruit_stack="G")
    duel.play(to(duel, 26))
    assert distances(duel) == {1, 3}
    duel.play(who(1))
    assert sorted(hands(duel)[0].split()) == ["BC", "BG", "G"]  # tokens are no fruits
    nobody = set_up("", "w", stacks="10 1", fruit_stack="G")
    nobody.play(to(nobody, 10))
    assert hands(nobody) == ["G", ""]
    assert happened(nobody, "steal from nobody") == 1


@pytest.mark.rule("F9", "F10a", "F27")
def test_the_rich_alone_are_robbed_and_give() -> None:
    duel = set_up("", "B B B BC", "C C C w", "P P P P P", stacks="48 17 1", fruit_stack="")
    duel.play(to(duel, 48))
    assert [one.hand_size for one in duel.oracles[0].players] == [2, 3, 3, 4]
    gives = set_up("", "B B B BC", "C C C w", "P P P P P", stacks="48 17 1", fruit_stack="")
    gives.play(to(gives, 17))
    assert asked(gives) == ("give", 1)
    assert cards(gives) == "B BC"
    gives.play(card("BC"))
    assert hands(gives) == ["P BC", "B B B", "C C C", "P P P P"]


@pytest.mark.rule("F9", "F10a", "F27a")
def test_asking_for_a_fruit() -> None:
    duel = set_up("", "B B B BC", "", "P", stacks="30 1", fruit_stack="")
    duel.play(to(duel, 30))
    assert distances(duel) == {1, 3}
    duel.play(who(1))
    assert names(duel) == "BCGPS"
    duel.play(named("B"))
    assert hands(duel) == ["B B", "B BC", "", "P"]
    vain = set_up("", "B B B BC", "P", stacks="30 1", fruit_stack="")
    vain.play(to(vain, 30), who(1), named("C"))
    assert hands(vain) == ["", "B B B BC", "P"]  # mixes stay
    nobody = set_up("", "", stacks="30 1", fruit_stack="G")
    nobody.play(to(nobody, 30))
    assert happened(nobody, "ask nobody") == 1


@pytest.mark.rule("F9", "F10a", "F10b")
def test_passing_to_the_left() -> None:
    duel = set_up("B C", "G S", "", "P", stacks="23 1", fruit_stack="", starter=1)
    duel.play(to(duel, 23))
    assert asked(duel) == ("pass", 0)
    duel.play(card("C"))
    assert asked(duel) == ("pass", 1)
    assert cards(duel) == "G S"  # what the first one passes is still under way
    duel.play(card("S"))
    assert hands(duel) == ["B P", "C G", "S", ""]


# Steps that draw by what one has.


@pytest.mark.rule("F9", "F14", "F27", "F27a")
@pytest.mark.parametrize(
    ("number", "hand", "juices", "drawn"),
    [
        (22, "B B BC", [0, 0, 0], 2),  # fill 5: a mix counts
        (22, "B B BC b w", [0, 0, 0], 2),  # tokens do not
        (16, "B C G BC", [0, 0, 0], 2),  # missing 3: P and S
        (16, "B PS b", [0, 0, 0], 3),  # a mix is no plain fruit
        (16, "B C G P S", [0, 0, 0], 0),
        (41, "", [2, 0, 4], 4),  # per_juice 2
        (35, "", [2, 0, 4], 4),  # draw 1; catch_up 4
        (35, "", [0, 0, 4], 5),
        (35, "", [3, 0, 1], 2),
    ],
)
def test_how_many_are_drawn(number: int, hand: str, juices: list[int], drawn: int) -> None:
    duel = set_up(hand, "B", "B", stacks=f"{number} 1", fruit_stack="G G G G G G G", juices=juices, starter=1)
    before = duel.oracles[0].players[0].hand_size
    duel.play(to(duel, number))
    while asked(duel)[1] == 0:
        duel.play(USE)
    assert duel.oracles[0].players[0].hand_size == before + drawn


@pytest.mark.rule("F9", "F14")
def test_all_others_draw_clockwise() -> None:
    duel = set_up("", "", "", stacks="59 1", fruit_stack="B B B B B B B B")
    duel.play(to(duel, 59))  # draw 5; all_draw 2
    assert [one.hand_size for one in duel.oracles[0].players] == [5, 2, 1]


# Tokens, mixes.


@pytest.mark.rule("F24", "F26")
def test_fruit_tokens_are_taken_from_the_supply_and_from_players() -> None:
    duel = set_up("b c", "g", stacks="13 1", fruit_stack="")
    duel.play(to(duel, 13))
    assert names(duel) == "GPS"  # none that one holds
    duel.play(named("G"))
    assert duel.oracles[0].table.token_owner == [0, 0, 0, None, None]
    full = set_up("b c g p s", "", stacks="13 1", fruit_stack="B")
    full.play(to(full, 13))
    assert happened(full, "fruit_token: all held") == 1
    assert hands(full)[0] == "B"


@pytest.mark.rule("F25", "F26")
@pytest.mark.parametrize(("number", "letter", "kind"), [(31, "w", "wild_tokens"), (56, "t", "turn_tokens")])
def test_wild_and_double_turn_tokens(number: int, letter: str, kind: str) -> None:
    def tokens(*hands: str, who_gives: int = 0) -> list[int]:
        duel = set_up(*hands, stacks=f"{number} 1", fruit_stack="", starter=1)
        duel.play(to(duel, number))
        if who_gives:
            assert asked(duel) == ("player", 0)
            duel.play(who(who_gives))
        if asked(duel) == ("extra", 0):
            duel.play(STOP)
        return [getattr(one, kind) for one in duel.oracles[0].players]

    assert tokens("", letter, "") == [1, 1, 0]
    assert tokens("", f"{letter} {letter}", letter, who_gives=2) == [1, 2, 0]
    assert tokens(letter, f"{letter} {letter}", "") == [2, 1, 0]  # from the only one who has
    assert tokens(f"{letter} {letter} {letter}", "", "") == [3, 0, 0]


@pytest.mark.rule("F25")
def test_a_double_turn_token_brings_one_turn_more() -> None:
    duel = set_up("t t", "", fruit_stack="B B B B", at=[2, 3])
    duel.play(to(duel, 1))
    assert asked(duel) == ("extra", 0)
    assert duel.oracles[0].legal() == {STOP, SPEND}
    duel.play(SPEND)
    oracle = duel.oracles[0]
    assert asked(duel) == ("move", 0)
    assert (oracle.table.extra, oracle.table.turn, oracle.players[0].turn_tokens) == (True, 0, 1)
    assert 1 not in places(duel)
    duel.play(to(duel, 2))
    assert asked(duel)[1] == 1  # no extra turn follows an extra turn
    assert (oracle.table.extra, oracle.table.turn) == (False, 1)


@pytest.mark.rule("F25")
def test_a_token_taken_this_turn_will_do() -> None:
    duel = set_up("", "", stacks="56 1 2", fruit_stack="")
    duel.play(to(duel, 56))
    assert asked(duel) == ("extra", 0)


@pytest.mark.rule("F20", "F27", "F27a")
def test_mixes_are_drawn_as_many_as_are_left() -> None:
    duel = set_up("", NINE_MIXES, stacks="57 1", fruit_stack="")
    duel.play(to(duel, 57))
    assert hands(duel)[0] == "BC"
    assert happened(duel, "mix of too few") == 1


# Steps with other locations.


@pytest.mark.rule("F9", "F9a")
def test_copies() -> None:
    duel = set_up("", "B", stacks="34 50 6 1", fruit_stack="G G")
    duel.play(to(duel, 50))
    assert asked(duel) == ("stack", 0)
    assert places(duel) == {1, 6}
    duel.play(to(duel, 6))  # its cost cannot be met: a draw of its own
    assert hands(duel)[0] == "G G"
    assert happened(duel, "copy that falls back") == 1


@pytest.mark.rule("F9", "F11", "F12", "F13")
def test_orders() -> None:
    stacks = {1: 1, 46: 2, 3: 4}
    duel = set_up("P P P P P S S", "", at=[0, 1], stacks=stacks, fruit_stack="")
    duel.play(to(duel, 46), USE)
    assert places(duel) == {1, 46}  # GGG* and one more cannot be paid; the own one can
    duel.play(to(duel, 1))
    while asked(duel)[0] == "pay":
        duel.step(np.array([min(duel.oracles[0].legal())]))
    oracle = duel.oracles[0]
    assert oracle.players[0].juices == 1
    assert oracle.players[0].hand_size == 2
    assert oracle.players[1].animal is None
    own = set_up("P P P P P S S", "", stacks=stacks, fruit_stack="")
    own.play(to(own, 46), USE, to(own, 46))
    while asked(own)[0] == "pay":
        own.step(np.array([min(own.oracles[0].legal())]))
    assert own.oracles[0].table.cards[45] == 1
    assert happened(own, "order of the own location") == 1


# The end.


@pytest.mark.rule("F15")
@pytest.mark.parametrize("players", PLAYERS)
@pytest.mark.parametrize("seats_from_start", [0, 1])
def test_the_round_is_finished(players: int, seats_from_start: int) -> None:
    """Somebody gets the last juice needed; all up to the right of the start player have a turn yet."""
    needed = NEEDED[players]
    hands_ = ["P P P P"] + [""] * (players - 1)
    starter = (0 - seats_from_start) % players
    duel = set_up(*hands_, juices=[needed - 1] + [0] * (players - 1), starter=starter, fruit_stack="")
    duel.play(to(duel, 1), BUY)
    left = players - 1 - seats_from_start
    while not duel.oracles[0].over:
        assert duel.oracles[0].table.triggered
        duel.step(np.array([min(duel.oracles[0].legal())]))
    assert duel.oracles[0].ended
    assert duel.oracles[0].table.turn == left + 1
    assert duel.batch.winners[0, :players].tolist() == [True] + [False] * (players - 1)


@pytest.mark.rule("F15", "F25")
def test_an_extra_turn_may_follow_the_last_juice() -> None:
    duel = set_up("P P P P t", "", juices=[4, 0], starter=1, fruit_stack="B B")
    duel.play(to(duel, 1), BUY)
    assert asked(duel) == ("extra", 0)
    assert not duel.oracles[0].table.triggered  # judged at the turn's end
    duel.play(SPEND, to(duel, 2))
    assert duel.oracles[0].ended


@pytest.mark.rule("F15", "F17")
@pytest.mark.parametrize(("juices", "ended"), [(4, True), (3, False)])
def test_a_game_that_ends_with_the_last_turn_allowed_is_not_cut(juices: int, ended: bool) -> None:
    duel = set_up("P P P P", "", juices=[juices, 0], starter=1, turn=9, max_turns=10, fruit_stack="")
    duel.play(to(duel, 1), BUY)
    assert (duel.oracles[0].ended, duel.oracles[0].truncated) == (ended, not ended)


# --- a long run ------------------------------------------------------------------------------------------------------


def main() -> None:
    parser = argparse.ArgumentParser(description="Compare Fable's kernels with its oracle.")
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--campaign", default="fresh", choices=["fresh", "continue"])
    parser.add_argument("--session", type=int, default=1)
    parser.add_argument("--max-turns", type=int, default=300)
    parser.add_argument("--content", nargs="+", default=["original"], help="names or paths, cycled over the games")
    parser.add_argument("--random-content", action="store_true", help="content in which all comes anyhow")
    parser.add_argument("--every", type=int, default=1, help="compare whole records in one step of so many")
    parser.add_argument("--middle", action="store_true", help="start in the middle of games")
    arguments = parser.parse_args()
    rng = np.random.default_rng(np.random.SeedSequence(arguments.seed))
    situations = functools.partial(random_table, rng) if arguments.middle else None
    options = {name: getattr(arguments, name) for name in ("campaign", "session", "max_turns", "every")}
    started = time.perf_counter()
    with tempfile.TemporaryDirectory() as folder:
        content = write_documents(Path(folder), rng) if arguments.random_content else arguments.content
        duel = Duel(64, arguments.players, arguments.seed, situations, content, **options)
        duel.run(rng, games=arguments.games)
    seconds = time.perf_counter() - started
    for what, times in sorted(duel.happened.items()):
        print(f"{times:12,}  {what}")
    print(f"{duel.compared:,} decisions of {duel.games:,} games compared without a difference in {seconds:.0f} s")


if __name__ == "__main__":
    main()
