"""Search at play: information-set Monte Carlo tree search, and flat Monte Carlo beside it."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tablezoo import Batch, Game
from tablezoo.batch import as_records, greedy_scratch
from tablezoo.keywords import integer_of, one_of
from tablezoo.policies import Views
from tablezoo.specialise import loops_of
from tablezoo.threads import Pace, share

from . import search_loops
from .settings import COUNT, THREADS, check_number

#: Iterations of a search that was asked for without a budget, and between two looks at the clock.
ITERATIONS = 200
_BETWEEN_LOOKS = 50
#: The most nodes of a tree whose budget is a time: beyond, it grows no more, and goes on counting.
_MOST_NODES = 1_000_000
#: The longest path in a tree.
_DEPTH = 256
#: The rollouts, and the loop of each.
_LOOPS = {"random": "search_lanes", "greedy": "greedy_search_lanes"}
ROLLOUTS = tuple(_LOOPS)
#: A decision takes so long that another thread is always worth waking.
_SLOW_US = 1e6

#: Rounds that a search looks ahead where it is not told (alone it plays to the end), and the games that more suit.
ROUNDS = 1.0
_ROUNDS_OF_GAME = {"stabletimes": 2.0}


@dataclass(frozen=True)
class Found:
    """What a search found at the root of each view.

    Attributes:
        visits: (m, num_actions) int64, how often each action was chosen.
        means: (m, num_actions) float64 in [0, 1], what it paid the seat: its share of the win (in solo its scaled
            score), or what the game's value promised.
    """

    visits: NDArray[np.int64]
    means: NDArray[np.float64]

    def best(self) -> NDArray[np.int64]:
        """Return (m,) the actions chosen most often; of several the one that paid best, then the lowest."""
        most = self.visits == self.visits.max(axis=1, keepdims=True)
        best: NDArray[np.int64] = np.where(most, self.means, -np.inf).argmax(axis=1)
        return best


@dataclass(frozen=True)
class SearchPolicy:
    """Single-observer information-set Monte Carlo tree search (Cowling, Powley and Whitehouse 2012).

    It sees what its seat sees: each iteration deals anew what the seat cannot know. Decisions depend on the stream of
    the views alone if the budget is in iterations.

    Attributes:
        iterations: of each decision; None with ``seconds``.
        seconds: of each decision, on one thread; None with ``iterations``.
        rounds: a game is played on for so many turns of each seat, then the game's ``value`` tells who stands well;
            ``math.inf``: to its end; None: what suits the game, alone to the end.
        rollout: how a game is played on from a new node: ``"random"``, or ``"greedy"`` (slow).
        exploration: the weight of UCB1's bonus; rewards lie in [0, 1].
        flat: flat Monte Carlo: no tree below the root, and every action is tried as often.
        threads: share the decisions of a batch; one decision is one thread's. None: as many as the batch has.

    Raises:
        ValueError, TypeError: a value that none of them can have.
    """

    iterations: int | None = None
    seconds: float | None = None
    rounds: float | None = None
    rollout: str = "random"
    exploration: float = 0.3
    flat: bool = False
    threads: int | None = None

    def __post_init__(self) -> None:
        if self.iterations is not None and self.seconds is not None:
            raise ValueError("a search takes iterations or seconds, not both")
        if self.iterations is not None:
            integer_of("iterations", self.iterations, *COUNT)
        if self.seconds is not None:
            check_number("seconds", self.seconds, "above 0", lambda value: 0 < value < math.inf)
        if self.rounds is not None:
            check_number("rounds", self.rounds, "above 0, or math.inf", lambda value: value > 0)
        one_of("rollout", self.rollout, ROLLOUTS)
        check_number("exploration", self.exploration, "of 0 or more", lambda value: 0 <= value < math.inf)
        if type(self.flat) is not bool:
            raise TypeError(f"flat: expected true or false, got {self.flat!r}")
        if self.threads is not None:
            integer_of("threads", self.threads, *THREADS)

    @property
    def name(self) -> str:
        kind = "flat" if self.flat else "search"
        return f"{kind}:{self.most_iterations}" if self.seconds is None else f"{kind}:{self.seconds:g}s"

    @property
    def most_iterations(self) -> int | None:
        """The budget in iterations; None where it is a time."""
        return ITERATIONS if self.iterations is None and self.seconds is None else self.iterations

    def rounds_in(self, game: Game, players: int) -> float:
        """Return how many rounds are looked ahead in a game of so many players."""
        if self.rounds is not None:
            return self.rounds
        return math.inf if players == 1 else _ROUNDS_OF_GAME.get(game.name, ROUNDS)

    def act(self, views: Views) -> NDArray[np.int64]:
        return self.search(views).best()

    def search(self, views: Views) -> Found:
        """Search for the seats asked; see :class:`Found`."""
        if len(views) == 0:
            empty = np.zeros((0, views.game.num_actions))
            return Found(empty.astype(np.int64), empty)
        # Nothing of the true games is at hand from here on.
        roots = views.determinize(1)
        found = Found(
            np.zeros((len(views), roots.game.num_actions), np.int64),
            np.zeros((len(views), roots.game.num_actions)),
        )
        streams = roots.states["rng"].copy()
        loop = self._loop_of(roots.game)

        def work(lanes: NDArray[np.int64], _run: slice, _thread: int) -> None:
            tree = _Tree(roots, self, loop)
            for lane in lanes:
                self._search_lane(tree, roots, lane, streams, found)

        share(np.arange(len(views)), self.threads or roots.threads, work, Pace(_SLOW_US))
        return found

    def _loop_of(self, game: Game) -> Callable[..., None]:
        return getattr(loops_of(game, search_loops), _LOOPS[self.rollout])

    def _search_lane(
        self, tree: _Tree, roots: Batch, lane: np.int64, streams: NDArray[np.uint64], found: Found
    ) -> None:
        if self.seconds is None:
            tree.grow(lane, streams, self.most_iterations, True, found)
            return
        until = perf_counter() + self.seconds
        tree.grow(lane, streams, _BETWEEN_LOOKS, True, found)
        while perf_counter() < until:
            tree.grow(lane, streams, _BETWEEN_LOOKS, False, found)


class _Tree:
    """What one thread searches with: the tree's arrays, and records to play on."""

    def __init__(self, roots: Batch, policy: SearchPolicy, loop: Callable[..., None]) -> None:
        game = roots.game
        self._policy, self._loop, self._players = policy, loop, roots.num_players
        contents = np.concatenate([content.record for content in roots.contents])
        self._records = as_records(roots.states), as_records(contents)
        low, high = game.score_range
        self._game = game
        self._settings = np.array([policy.exploration, policy.flat, 0, low, max(high - low, 1)], np.float64)
        nodes = min(policy.most_iterations or _MOST_NODES, _MOST_NODES) + 1
        actions = game.num_actions
        self._arrays = (
            as_records(np.zeros(1, game.state_dtype)),
            np.zeros((1, actions), np.bool_),
            np.zeros(actions, np.int32),
            np.zeros(actions, np.int64),
            np.empty((nodes, 5), np.int32),
            np.empty(nodes, np.int64),
            np.empty(nodes, np.float64),
            np.zeros(1, np.int64),
            np.zeros(_DEPTH, np.int32),
            np.zeros(_DEPTH, np.int8),
            np.zeros((game.max_players, game.score_keys), np.int32),
            np.zeros(game.max_players, np.int8),
            np.zeros(game.max_players, np.float64),
            np.zeros((game.max_players, 5)),
            *greedy_scratch(game),
        )

    def grow(
        self, lane: np.int64, streams: NDArray[np.uint64], iterations: int | None, fresh: bool, found: Found
    ) -> None:
        """Make iterations from a lane, in a new tree or the one before, and tell what is found."""
        states, contents = self._records
        self._settings[search_loops.ROUNDS] = self._policy.rounds_in(self._game, int(self._players[lane]))
        self._loop(
            states, contents, np.array([lane]), streams, iterations, fresh, self._settings, *self._arrays,
            found.visits[lane : lane + 1], found.means[lane : lane + 1],
        )  # fmt: skip


def search(_game: Game, budget: str | None = None) -> SearchPolicy:
    """Return what ``search``, ``search:200`` or ``search:0.1s`` stands for.

    Raises:
        ValueError: a budget that is none.
    """
    return _with_budget("search", budget)


def flat(_game: Game, budget: str | None = None) -> SearchPolicy:
    """Return what ``flat``, ``flat:200`` or ``flat:0.1s`` stands for; see :func:`search`."""
    return _with_budget("flat", budget)


def _with_budget(kind: str, budget: str | None) -> SearchPolicy:
    options: dict[str, Any] = {"flat": kind == "flat"}
    try:
        if budget is not None:
            options |= {"seconds": float(budget[:-1])} if budget.endswith("s") else {"iterations": int(budget)}
        return SearchPolicy(**options)
    except ValueError:
        expected = f"{kind}:200 (iterations) or {kind}:0.1s (seconds a decision)"
        agent = f"{kind}:{budget}"
        raise ValueError(f"agent {agent!r} has no budget that can be used; expected {expected}, or {kind}") from None
