"""Checks of hidden information: no seat sees it, and determinize deals it anew without knowing it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tablezoo.batch import Batch
from tablezoo.rng import random_word
from tablezoo.testing.case import Case, fields, seats_of
from tablezoo.testing.report import Skipped

next_word: Callable[[NDArray[np.uint64]], int] = random_word

#: States of a stream that are looked at, each way.
STATES = 500

#: Deals of one position that are compared, and how many standard errors count as a difference.
DEALS, TOO_FAR = 150, 7.0


def leak(case: Case) -> None:
    """What a seat sees and may do, and the picture drawn for it, stay when all else is dealt anew."""
    for decision, batch in case.sampled():
        for seat, lanes in seats_of(batch):
            original = batch.clone(lanes)
            for way, other in _dealt_anew(case, batch, seat, lanes, decision):
                _compare_views(case, seat, lanes, decision, way, original, other)


def _dealt_anew(
    case: Case, batch: Batch, seat: int, lanes: NDArray[np.int64], decision: int
) -> Iterator[tuple[str, Batch]]:
    yield "determinize", batch.determinize(seat, case.seed + decision, lanes)
    if case.hide is not None:
        yield "hide=", _hidden(case, batch, seat, lanes, decision)


def _hidden(case: Case, batch: Batch, seat: int, lanes: NDArray[np.int64], seed: int) -> Batch:
    """Return copies that the author's ``hide`` has dealt anew."""
    assert case.hide is not None
    copies = batch.clone(lanes)
    rng = np.random.default_rng([case.seed, seed, seat])
    for lane in range(copies.num_games):
        case.hide(copies.states[lane], case.content_of(copies, lane), seat, rng)
    copies.refresh()
    return copies


def _compare_views(
    case: Case, seat: int, lanes: NDArray[np.int64], decision: int, way: str, original: Batch, other: Batch
) -> None:
    sees, would_see = original.observe(seat), other.observe(seat)
    layout = case.game.observation_layout
    for i, entry in np.argwhere(sees != would_see)[:1]:
        part, index = layout.part_of(int(entry))
        values = f"{sees[i, entry]} and {would_see[i, entry]}"
        case.fail(f"seat {seat} sees {part.name}{list(index)} change under {way}: {values}", int(lanes[i]), decision)
    for i in np.flatnonzero(original.seat != other.seat)[:1]:
        case.fail(f"under {way} for seat {seat} another seat is asked", int(lanes[i]), decision)
    masks_differ = (original.action_mask != other.action_mask).any(axis=1) & (original.seat == seat)
    for i in np.flatnonzero(masks_differ)[:1]:
        case.fail(f"the mask of seat {seat} changes under {way}", int(lanes[i]), decision)
    for i in range(len(lanes)):
        if original.describe(i, seat) != other.describe(i, seat):
            case.fail(f"the picture for seat {seat} changes under {way}", int(lanes[i]), decision)
            return


def determinize(case: Case) -> None:
    """Copies conserve the cards, leave the original alone, deal anew, repeat with the seed and differ without it."""
    anything = False
    for decision, batch in case.sampled():
        before = fields(batch.states)
        for seat, lanes in seats_of(batch):
            one, same, two = (batch.determinize(seat, seed, lanes) for seed in (decision, decision, decision + 1000))
            names = [name for name, _ in case.game.state_layout()]
            for name in before:
                if not np.array_equal(one.states[name], same.states[name]):
                    case.fail(f"the same seed deals {name} differently for seat {seat}", None, decision)
                    return
            anything |= any(not np.array_equal(one.states[name], two.states[name]) for name in names)
            _compare_conserved(case, batch, one, lanes, decision)
        if any(not np.array_equal(before[name], batch.states[name]) for name in before):
            case.fail("determinize changes the original", None, decision)
            return
        if case.enough:
            return
    if case.hidden and not anything:
        case.fail("determinize never deals anything anew; a game without hidden information says hidden=False")


def _compare_conserved(case: Case, batch: Batch, copy: Batch, lanes: NDArray[np.int64], decision: int) -> None:
    if case.conserved is None:
        return
    for i, lane in enumerate(lanes):
        kept = case.conserved(batch.states[lane], case.content_of(batch, int(lane)))
        now = case.conserved(copy.states[i], case.content_of(copy, i))
        if kept != now:
            case.fail(f"determinize does not conserve: {kept} before, {now} after", int(lane), decision)
            return


def determinize_streams(case: Case) -> None:
    """Copies share no future with the original or with each other, also where seeds coincide.

    Nowhere in a copy's record, nor once it is reset, stands a state that the original's stream has passed: its deal
    could be had again from there.
    """
    for decision, batch in case.smaller(games=2, samples=2).sampled():
        for seat, lanes in seats_of(batch):
            copies = batch.determinize(seat, case.seed, np.repeat(lanes, 8))
            words = np.unique(copies.states["rng"], axis=0)
            if len(words) != copies.num_games:
                case.fail(f"{copies.num_games} copies share {len(words)} streams", None, decision)
                return
            future = {state for lane in lanes for state in _stream_states(batch.states["rng"][lane], STATES)}
            for i in range(copies.num_games):
                met = future.intersection(_stream_states(copies.states["rng"][i], STATES))
                if met:
                    lane = int(np.repeat(lanes, 8)[i])
                    case.fail(f"a copy for seat {seat} draws what the original will draw", lane, decision)
                    return
            told = _words_of_streams(batch.states["rng"][lanes])
            for when in ("", ", once it is reset,"):
                lane = _tells_a_stream(copies, told)
                if lane >= 0:
                    what = f"the record of a copy for seat {seat}{when} tells the original's stream"
                    case.fail(what, int(np.repeat(lanes, 8)[lane]), decision)
                    return
                copies.reset()
        if decision > 20:
            return


def _words_of_streams(streams: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Return the words of the states that streams have passed lately, are in and will pass."""
    states = [state for stream in streams for state in _stream_states(stream, STATES)]
    for stream in streams:
        states.append((int(stream[0]), int(stream[1])))
        for _ in range(STATES):
            states.append(_state_before(*states[-1]))
    return np.unique(np.array(states, np.uint64))


def _state_before(first: int, second: int) -> tuple[int, int]:
    """Return the state of a stream before it drew: ``random_word`` backwards."""
    mixed = second ^ first ^ (first >> 5)
    mixed ^= (mixed >> 18) ^ (mixed >> 36) ^ (mixed >> 54)
    return (mixed ^ (mixed << 23) ^ (mixed << 46)) & (2**64 - 1), first


def _tells_a_stream(copies: Batch, told: NDArray[np.uint64]) -> int:
    """Return the lane of a record that holds one of the words, wherever; -1 if there is none.

    Low words are left out, as a record may well hold one without telling a stream.
    """
    size = copies.states.itemsize
    raw = copies.states.view(np.uint8).reshape(copies.num_games, size)
    windows = np.lib.stride_tricks.sliding_window_view(raw, 8, axis=1)
    words = np.ascontiguousarray(windows).view(np.uint64)[..., 0]
    found = np.isin(words, told[told >= 2**32]).any(axis=1)
    return int(np.argmax(found)) if found.any() else -1


def _stream_states(start: NDArray[np.uint64], count: int) -> list[tuple[int, int]]:
    """Return the states that a stream passes."""
    stream = np.array(start)
    states = [(int(stream[0]), int(stream[1]))]
    for _ in range(count):
        next_word(stream)
        states.append((int(stream[0]), int(stream[1])))
    return states


def determinize_forgets(case: Case) -> None:
    """Games that a seat cannot tell apart are dealt anew alike: determinize knows no more than the seat does.

    Two such games are determinized many times; each field and each view must have the same mean, within chance.
    """
    if not case.hidden:
        raise Skipped("the game has no hidden information")
    case = case.smaller(games=2, samples=2)
    for decision, batch in case.sampled():
        for seat, lanes in seats_of(batch):
            pairs = {"determinize": batch.determinize(seat, case.seed + 77 + decision, lanes)}
            if case.hide is not None:
                pairs["hide="] = _hidden(case, batch, seat, lanes, decision)
            for way, twin in pairs.items():
                for i, lane in enumerate(lanes):
                    told = _tell_apart(batch, int(lane), twin, i, seat, case.seed + decision)
                    if told:
                        words = f"determinize for seat {seat} tells a game from its twin by {way}: {told}"
                        case.fail(words, int(lane), decision)
                        return


def _tell_apart(batch: Batch, lane: int, twin: Batch, twin_lane: int, seat: int, seed: int) -> str:
    """Return the field or view by which many deals of two games differ; empty if they do not."""
    ours = batch.determinize(seat, 2 * seed * DEALS + 10**6, np.repeat(lane, DEALS))
    theirs = twin.determinize(seat, (2 * seed + 1) * DEALS + 10**6, np.repeat(twin_lane, DEALS))
    for name in batch.states.dtype.names or ():
        entry = None if name == "rng" else _apart(ours.states[name], theirs.states[name])
        if entry is not None:
            return f"field {name}{entry}"
    for other in range(int(batch.num_players[lane])):
        entry = _apart(ours.observe(other), theirs.observe(other))
        if entry is not None:
            part, index = batch.game.observation_layout.part_of(entry[0])
            return f"{part.name}{list(index)} as seat {other} sees it"
    return ""


def _apart(ours: NDArray[Any], theirs: NDArray[Any]) -> list[int] | None:
    """Return the index of an entry whose means differ by more than chance; None if there is none."""
    a, b = ours.astype(float), theirs.astype(float)
    gap = np.abs(a.mean(axis=0) - b.mean(axis=0))
    error = np.sqrt((a.var(axis=0) + b.var(axis=0)) / DEALS)
    far = np.atleast_1d(gap > TOO_FAR * error + 1e-9)
    where = np.argwhere(far)
    return [int(i) for i in where[0]] if len(where) else None
