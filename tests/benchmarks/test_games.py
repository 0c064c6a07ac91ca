"""Connect Four and Leduc Hold'em keep the engine's contract, and are the games that OpenSpiel plays."""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence
from typing import Any

import numpy as np
import pyspiel

from benchmarks.games.connect_four import CELLS, COLUMNS, CONNECT_FOUR, ROWS
from benchmarks.games.leduc import CALL, CARDS, FOLD, LEDUC, RAISE
from tablezoo import Batch
from tablezoo.game import ENDED
from tablezoo.testing import check_game
from tests.policies import greedy_beats_random

# --- the contract ----------------------------------------------------------------------------------------------------


def open_columns(record: Any, content: Any) -> set[int]:
    filled = record["disc"].sum(axis=0).reshape(ROWS, COLUMNS).sum(axis=0)
    return set(np.flatnonzero(filled < ROWS).tolist())


def bets_allowed(record: Any, content: Any) -> set[int]:
    """Tell the bets from the calls and raises made."""
    made = record["bet"][record["betting_round"]][: record["bets"][record["betting_round"]]].tolist()
    allowed = {CALL}
    if made and made[-1] == RAISE:
        allowed.add(FOLD)
    if made.count(RAISE) < 2:
        allowed.add(RAISE)
    return allowed


def deal_hidden_cards(record: Any, content: Any, seat: int, rng: np.random.Generator) -> None:
    seen = {int(record["hand"][seat])} | ({int(record["board"])} if record["betting_round"] else set())
    hidden = rng.permutation([card for card in range(CARDS) if card not in seen])
    record["hand"][1 - seat] = hidden[0]
    if not record["betting_round"]:
        record["board"] = hidden[1]


def test_connect_four_conforms() -> None:
    def discs(record: Any, content: Any) -> tuple[bool, bool]:
        mine, other = record["disc"].astype(int)
        return bool((mine + other).max() <= 1), int(mine.sum() + other.sum()) == record["turn"]

    check_game(
        CONNECT_FOUR,
        options=[{}, {"start_seat": 1}],
        hidden=False,
        legal=open_columns,
        conserved=discs,
        report=print,
    )


def test_leduc_conforms() -> None:
    def distinct(record: Any, content: Any) -> int:
        return len({*record["hand"].tolist(), int(record["board"])})

    check_game(
        LEDUC,
        options=[{}, {"start_seat": 1}, {"reward": "margin"}],
        legal=bets_allowed,
        hide=deal_hidden_cards,
        conserved=distinct,
        report=print,
    )


def test_greedy_beats_random_at_connect_four() -> None:
    greedy_beats_random(CONNECT_FOUR, 2, 0.7)


# --- Connect Four against OpenSpiel ----------------------------------------------------------------------------------

DEPTH = 7  # the first ply that can win


def test_connect_four_is_openspiels_for_all_sequences_of_seven_discs() -> None:
    """Every sequence of columns, 823,536 of them: legal actions, who is asked, results."""
    game = pyspiel.load_game("connect_four")
    counts = [0] * (DEPTH + 1)
    for prefix in itertools.product(range(COLUMNS), repeat=2):
        batch = Batch(CONNECT_FOUR, 1, seed=0, autoreset=False)
        state = game.new_initial_state()
        for column in prefix:
            batch.step([column])
            state.apply_action(column)
        states = [state]
        for depth in range(2, DEPTH + 1):
            _compare(batch, states)
            counts[depth] += len(states)
            if depth < DEPTH:
                batch, states = _children(batch, states)
    assert counts[2:] == [7**depth for depth in range(2, DEPTH)] + [7**DEPTH - 7]


def test_connect_four_is_openspiels_to_the_end_of_random_games() -> None:
    game = pyspiel.load_game("connect_four")
    batch = Batch(CONNECT_FOUR, 2000, seed=0, autoreset=False)
    states = [game.new_initial_state() for _ in range(2000)]
    rng = np.random.default_rng(0)
    while (batch.seat >= 0).any():
        actions = batch.random_actions(rng)
        for state, action in zip(states, actions.tolist(), strict=True):
            if not state.is_terminal():
                _play(state, action)
        batch.step(actions)
        _compare(batch, states)
    assert batch.winners.all(axis=1).any(), "no game was a draw"


def test_connect_four_shows_what_openspiel_shows() -> None:
    """OpenSpiel's planes: the cells of seat 0, of seat 1 and of nobody, from the bottom row up."""
    game = pyspiel.load_game("connect_four")
    batch = Batch(CONNECT_FOUR, 50, seed=1, autoreset=False)
    states = [game.new_initial_state() for _ in range(50)]
    rng = np.random.default_rng(1)
    for _ in range(20):
        actions = batch.random_actions(rng)
        for state, action in zip(states, actions.tolist(), strict=True):
            if not state.is_terminal():
                state.apply_action(action)
        batch.step(actions)
        for seat in range(2):
            views = batch.observe(seat)[:, : 2 * CELLS].reshape(50, 2, ROWS, COLUMNS)
            for view, state in zip(views, states, strict=True):
                planes = np.reshape(state.observation_tensor(seat), (3, ROWS, COLUMNS))[:, ::-1]
                assert (view == [planes[seat], planes[1 - seat]]).all()


def _play(state: Any, action: int) -> None:
    """Play an action, and those that leave no choice after it, as the engine does."""
    state.apply_action(action)
    while not state.is_terminal() and len(state.legal_actions()) == 1:
        state.apply_action(state.legal_actions()[0])


def _children(batch: Batch, states: list[Any]) -> tuple[Batch, list[Any]]:
    """Return the positions after each legal action of each position that is not over."""
    lanes, columns = np.nonzero(batch.action_mask)
    grown = batch.clone(lanes)
    grown.step(columns)
    return grown, [states[lane].child(column) for lane, column in zip(lanes.tolist(), columns.tolist(), strict=True)]


def _compare(batch: Batch, states: list[Any]) -> None:
    asked = [-1 if state.is_terminal() else state.current_player() for state in states]
    assert batch.seat.tolist() == asked
    over = [lane for lane, seat in enumerate(asked) if seat < 0]
    running = [lane for lane, seat in enumerate(asked) if seat >= 0]
    mask = np.array([states[lane].legal_actions_mask() for lane in running], bool).reshape(-1, COLUMNS)
    assert (batch.action_mask[running] == mask).all()
    assert (batch.states["ended"] == ENDED)[over].all()
    returns = np.array([states[lane].returns() for lane in over]).reshape(-1, 2)
    assert (batch.ranks[over] == (returns < returns.max(axis=1, keepdims=True, initial=-2))).all()


# --- Leduc against OpenSpiel -----------------------------------------------------------------------------------------

Views = dict[str, set[bytes]]


def test_leduc_is_openspiels_whole_tree() -> None:
    """Every betting sequence with every deal: legal actions, who is asked, chips won; and the same information sets."""
    deals = list(itertools.permutations(range(CARDS), 3))
    batch = Batch(LEDUC, len(deals), seed=0, autoreset=False)
    batch.states["hand"] = [deal[:2] for deal in deals]
    batch.states["board"] = [deal[2] for deal in deals]
    batch.refresh()
    seen: Views = {}
    counts = {"decisions": 0, "ends": 0}
    _walk(batch, deals, [_dealt(deal) for deal in deals], seen, counts)
    print(counts, len(seen))
    # Both tell the same apart: 288 information sets where suits are alike, each with one view.
    assert len(seen) == 288
    views = [view for views in seen.values() for view in views]
    assert len(views) == len(set(views)) == 288


def _dealt(deal: tuple[int, ...]) -> Any:
    state = pyspiel.load_game("leduc_poker").new_initial_state()
    for card in deal[:2]:
        state.apply_action(card)
    return state


def _walk(
    batch: Batch, deals: Sequence[tuple[int, ...]], states: list[Any], seen: Views, counts: dict[str, int]
) -> None:
    """Go through all bets that follow; all lanes have been bet alike, so all are over or none is."""
    for deal, state in zip(deals, states, strict=True):
        if state.is_chance_node():
            state.apply_action(deal[2])
    if states[0].is_terminal():
        counts["ends"] += len(states)
        assert batch.terminated.all()
        assert batch.scores.tolist() == [state.returns() for state in states]
        return
    counts["decisions"] += len(states)
    seat = int(batch.seat[0])
    legal = states[0].legal_actions()
    for lane, state in enumerate(states):
        assert state.current_player() == batch.seat[lane] == seat
        assert np.flatnonzero(batch.action_mask[lane]).tolist() == state.legal_actions() == legal
        seen.setdefault(_told(state, seat), set()).add(batch.observation[lane].tobytes())
    for action in legal:
        after = batch.clone()
        after.step(np.full(len(states), action))
        _walk(after, deals, [state.child(action) for state in states], seen, counts)


def _told(state: Any, seat: int) -> str:
    """Return OpenSpiel's information set with suits alike: ranks in place of cards."""
    told = state.information_state_string(seat)
    return re.sub(r"\[(Private|Public): (\d)\]", lambda card: f"[{card[1]}: {int(card[2]) // 2}]", told)
