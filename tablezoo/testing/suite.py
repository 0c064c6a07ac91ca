"""``check_game``: all checks of a game, over player counts and options."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from tablezoo.errors import did_you_mean
from tablezoo.game import Game
from tablezoo.testing import copies, faces, hidden, playing, processes
from tablezoo.testing.case import Case, Record
from tablezoo.testing.report import ConformanceError, Failure, Report, Skipped

Check = Callable[[Case], None]


def _named(*checks: Check) -> dict[str, Check]:
    return {check.__name__: check for check in checks}


#: Made for each player count, mixed counts and each set of options.
PLAY_CHECKS = _named(
    playing.bounds,
    playing.asked,
    playing.mask_agrees,
    playing.every_action,
    playing.illegal_refused,
    playing.conserved,
    playing.end,
    playing.truncation,
    playing.rewards,
    playing.looking,
    playing.action_keys,
    playing.unmasked_play,
    playing.streams,
    playing.lane_equals_single,
    copies.clones,
    copies.buffers,
    hidden.leak,
    hidden.determinize,
    hidden.determinize_streams,
    hidden.determinize_forgets,
)

#: Made once for each set of options, with mixed player counts: what player counts do not bear on, or what is slow.
MIXED_CHECKS = _named(
    playing.threads, copies.saves, processes.seeds_elsewhere, processes.uncompiled, processes.boundscheck
)

#: Made for each single player count and set of options.
FACE_CHECKS = _named(
    faces.pettingzoo_api,
    faces.pettingzoo_seed,
    faces.pettingzoo_render,
    faces.pettingzoo_pays,
    faces.pettingzoo_refuses,
    faces.pettingzoo_buffers,
    faces.gymnasium_checker,
    faces.sb3_checker,
    faces.sb3_lanes,
)

PROCESS_CHECKS = _named(processes.seeds_elsewhere, processes.uncompiled, processes.boundscheck)

#: All checks by name.
CHECKS: dict[str, Check] = {**PLAY_CHECKS, **MIXED_CHECKS, **FACE_CHECKS}


def check_game(
    game: Game,
    *,
    players: Iterable[int] | None = None,
    options: Iterable[Mapping[str, Any]] = ({},),
    games: int = 4,
    seed: int = 0,
    content: Any = None,
    conserved: Callable[[Record, Record], Any] | None = None,
    legal: Callable[[Record, Record], set[int]] | None = None,
    hide: Callable[[Record, Record, int, np.random.Generator], None] | None = None,
    hidden: bool = True,
    faces: bool = True,
    processes: bool = True,
    only: Sequence[str] = (),
    report: Callable[[str], object] | None = None,
) -> Report:
    """Check that a game keeps what the engine promises; see ``CHECKS`` for the checks and their words.

    Args:
        game: the game.
        players: the player counts to play; all of the game's if None. Mixed counts are played as well.
        options: sets of options, each played with every player count.
        games: lanes played in each case.
        seed: lane i plays ``seed + i``.
        content: as :class:`tablezoo.Batch` takes it.
        conserved: ``conserved(record, content)`` returns what is the same throughout a game, such as how often each
            card lies anywhere.
        legal: ``legal(record, content)`` returns the set of legal actions, told independently of the kernels. A mask
            with a bit too few cannot be noticed without it.
        hide: ``hide(record, content, seat, rng)`` deals anew, in place, what ``seat`` cannot know, told independently
            of ``determinize``. What ``determinize`` wrongly keeps cannot be noticed without it.
        hidden: False for a game without hidden information.
        faces: whether the PettingZoo, Gymnasium and Stable-Baselines3 faces are checked too.
        processes: whether other processes play the same games: uncompiled, with bounds checks, with other hash seeds.
            The game must be importable by its ``ref``.
        only: the names of the checks to make; all if empty.
        report: called with the report's text, whether or not something is wrong (``print``, for example).

    Returns:
        What was checked, passed and skipped.

    Raises:
        ConformanceError: something is wrong; its ``report`` and its text name each failed check.
        ValueError: ``only`` names no check.
    """
    for name in only:
        if name not in CHECKS:
            raise ValueError(f"unknown check {name!r}{did_you_mean(name, CHECKS)}")
    counts = list(range(game.min_players, game.max_players + 1) if players is None else players)
    written = Report(game.id)
    left_out = {**({} if faces else FACE_CHECKS), **({} if processes else PROCESS_CHECKS)}
    for name in left_out:
        written.skipped[name] = f"left out by {'faces' if name in FACE_CHECKS else 'processes'}=False"
    for chosen in options:
        settings: dict[str, Any] = {"options": chosen, "games": games, "seed": seed, "content": content}
        told: dict[str, Any] = {"conserved": conserved, "legal": legal, "hide": hide, "hidden": hidden}
        for case, checks in _cases(game, counts, {**settings, **told}):
            for name, check in checks.items():
                if name not in left_out and (not only or name in only):
                    _make(check, name, case, written)
    if report is not None:
        report(str(written))
    if written.failures:
        raise ConformanceError(written)
    return written


def _cases(game: Game, counts: list[int], settings: dict[str, Any]) -> Iterator[tuple[Case, dict[str, Check]]]:
    mixed: int | tuple[int, ...] = tuple(counts) if len(counts) > 1 else counts[0]
    for count in counts:
        yield Case(game, count, **settings), {**PLAY_CHECKS, **FACE_CHECKS}
    yield Case(game, mixed, **settings), MIXED_CHECKS if len(counts) == 1 else {**PLAY_CHECKS, **MIXED_CHECKS}


def _make(check: Check, name: str, case: Case, written: Report) -> None:
    """Make a check in one case; an exception in it is a failure like any other."""
    case.check = name
    case.failures = []
    try:
        check(case)
    except Skipped as reason:
        written.skipped.setdefault(name, str(reason))
        return
    except Exception as error:  # a game under test may raise anything; the report tells it by the check's name
        case.failures.append(Failure(name, f"{type(error).__name__}: {error}", str(case)))
    if case.failures:
        written.failures.extend(case.failures)
    else:
        written.passed[name] = written.passed.get(name, 0) + 1
