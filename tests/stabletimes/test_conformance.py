"""Stable Times passes the conformance suite, and faults planted in it are reported."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from stabletimes_env import GAME
from tablezoo import Batch
from tablezoo.content_table import text_of
from tablezoo.game import Game, kernel
from tablezoo.testing import CHECKS, ConformanceError, Report, check_game
from tests.oracles.stabletimes import EMPTY, PHASES, Content, choices_of
from tests.oracles.stabletimes_duel import content_of, table_of

TINY = str(Path(__file__).parent / "content" / "tiny.toml")
CONTENTS = [content_of("original"), content_of(TINY)]

# --- the game, told independently ------------------------------------------------------------------------------------


def things(record: Any, content: Any) -> list[int]:
    """How many of each horse there are anywhere."""
    players = int(record["num_players"])
    fields = zip(record["field"], record["field_size"], strict=True)
    held = [record["deck"][: int(record["deck_size"])], np.flatnonzero(record["pile"])]
    held += [record["hand"][:players].ravel(), record["stall"][:players].ravel()]
    held += [cells[: int(size)] for cells, size in fields]
    return np.bincount(np.concatenate(held), minlength=EMPTY + 1)[:EMPTY].tolist()


def legal(record: Any, content: Any) -> set[int]:
    """What the seat asked may do, by the oracle."""
    first_aisle = None if record["first_aisle"] < 0 else int(record["first_aisle"])
    return choices_of(table_of(record, content_read(content)), PHASES[record["phase"]], first_aisle)


def content_read(content: Any) -> Content:
    """Return what the oracle reads of the set that a content record was made of."""
    name = text_of(content["name"][0])
    return next(read for read in CONTENTS if read.horses[0].name == name)


def hide(record: Any, content: Any, seat: int, rng: np.random.Generator) -> None:
    """Deal anew, in place, what the seat cannot know (rules document, *What a player knows*).

    That another seat is asked tells that it has a choice, so its hand must have one.
    """
    while True:
        hidden = _hidden_places(record, seat)
        horses = rng.permutation([int(record[name][place]) for name, place in hidden])
        for (name, place), horse in zip(hidden, horses, strict=True):
            record[name][place] = horse
        for other in range(int(record["num_players"])):
            _sort_hand(record, other)
        if record["ended"] or record["seat"] == seat or len(legal(record, content)) > 1:
            return


def _hidden_places(record: Any, seat: int) -> list[tuple[str, Any]]:
    places: list[tuple[str, Any]] = [("deck", index) for index in range(int(record["deck_size"]))]
    for other in range(int(record["num_players"])):
        for slot, horse in enumerate(record["hand"][other]):
            if other != seat and horse != EMPTY and not record["shown"][other, slot]:
                places.append(("hand", (other, slot)))
    return places


def _sort_hand(record: Any, seat: int) -> None:
    order = np.argsort(record["hand"][seat], kind="stable")
    record["hand"][seat] = record["hand"][seat][order]
    record["shown"][seat] = record["shown"][seat][order]


TOLD: dict[str, Any] = {"conserved": things, "legal": legal, "hide": hide}


@pytest.mark.rule("S2")
def test_things_are_complete() -> None:
    assert things(Batch(GAME, seed=1).states[0], None) == [1] * EMPTY


# --- the suite -------------------------------------------------------------------------------------------------------


def test_stable_times_passes_every_check() -> None:
    report = check_game(GAME, games=3, **TOLD)
    assert set(report.passed) | set(report.skipped) == set(CHECKS)
    assert set(report.skipped) <= {"sb3_checker", "sb3_lanes"}


@pytest.mark.parametrize(
    ("players", "options"),
    [
        ([1], {"boards": ["Rainbow Row"], "start_seat": 0}),
        ([3], {"boards": [4, "Suncourt Villa", 1], "max_turns": 14}),
        ([2, 5], {"max_turns": 23, "start_seat": 1}),
    ],
)
def test_stable_times_passes_with_options(players: list[int], options: dict[str, Any]) -> None:
    check_game(GAME, players=players, options=[options], games=2, faces=False, processes=False, **TOLD)


@pytest.mark.parametrize("content", [TINY, ["original", TINY]], ids=["tiny", "by_turns"])
def test_stable_times_passes_with_content(content: Any) -> None:
    check_game(GAME, players=[1, 2, 3, 4, 5], games=2, content=content, faces=False, processes=False, **TOLD)


# --- planted faults --------------------------------------------------------------------------------------------------

reset, legal_actions, step = GAME.kernels.reset, GAME.kernels.legal_actions, GAME.kernels.step
observe, determinize = GAME.kernels.observe, GAME.kernels.determinize
O_DECK = GAME.observation_layout.offset("deck")
PLACE_AGAIN = PHASES.index("place_again")


@kernel
def twice_into_an_aisle(s, c, mask):
    """S9 wants the second horse in another aisle: here it may follow the first."""
    legal_actions(s, c, mask)
    if s.phase == PLACE_AGAIN:
        aisle = int(s.first_aisle)
        for slot in range(3):
            horse = int(s.hand[int(s.seat), slot])
            if horse < EMPTY and s.aisle_size[int(s.seat), aisle] < 3:
                mask[27 + slot * 4 + aisle] = True


@kernel
def loses_the_pile(s, c, action):
    """S16: a horse of the discard pile gets lost."""
    step(s, c, action)
    for horse in range(EMPTY):
        if s.ended == 0 and s.pile_size > 5 and s.pile[horse] == 1:
            s.pile[horse] = 0
            s.pile_size -= 1
            return


@kernel
def sees_the_next_horse(s, c, seat, out):
    observe(s, c, seat, out)
    if s.deck_size > 0:
        out[O_DECK] += int(s.deck[int(s.deck_size) - 1]) % 2


@kernel
def keeps_the_next_horse(s, c, seat):
    """Deals anew all but the top of the deck."""
    kept = s.deck[int(s.deck_size) - 1] if s.deck_size > 0 else EMPTY
    determinize(s, c, seat)
    for i in range(int(s.deck_size)):
        if s.deck[i] == kept:
            s.deck[i] = s.deck[int(s.deck_size) - 1]
            s.deck[int(s.deck_size) - 1] = kept
            return


@kernel
def forgets_what_was_shown(s, c, seat):
    """S8: a horse taken from a field is known to all."""
    determinize(s, c, seat)
    s.shown[:] = 0


def planted(**kernels: Any) -> Game:
    return dataclasses.replace(GAME, kernels=dataclasses.replace(GAME.kernels, **kernels), package=None)


def found(game: Game, *only: str) -> Report:
    with pytest.raises(ConformanceError) as raised:
        check_game(game, players=[2], games=3, faces=False, processes=False, only=only, **TOLD)
    report: Report = raised.value.report
    return report


@pytest.mark.rule("S9", "S16")
def test_a_mask_bit_too_many_and_a_lost_horse() -> None:
    game = planted(legal_actions=twice_into_an_aisle, step=loses_the_pile)
    report = found(game, "mask_agrees", "conserved")
    assert report.failed == ["mask_agrees", "conserved"]
    assert "the mask allows" in str(report)


def test_a_leaked_deck_and_a_determinize_that_knows_it() -> None:
    game = planted(observe=sees_the_next_horse, determinize=keeps_the_next_horse)
    report = found(game, "leak", "determinize_forgets")
    assert report.failed == ["leak", "determinize_forgets"]
    assert "sees deck[0] change" in str(report)


@pytest.mark.rule("S8")
def test_a_determinize_that_hides_what_all_know() -> None:
    report = found(planted(determinize=forgets_what_was_shown), "leak")
    assert report.failed == ["leak"]
    assert "change under determinize" in str(report)
