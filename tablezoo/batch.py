"""Many games in one structured array, played by compiled loops."""

from __future__ import annotations

import threading
from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tablezoo import saving
from tablezoo.actions import as_actions
from tablezoo.alone import alone, in_use
from tablezoo.compiling import UNCOMPILED
from tablezoo.content import ContentSet, ContentSource, load_sets
from tablezoo.errors import IllegalActionError
from tablezoo.game import Game
from tablezoo.header import check_header
from tablezoo.keywords import flag, integer_of, one_of, refuse_keywords, refuse_unknown
from tablezoo.loops import AUTORESET, GREEDY, RANDOM
from tablezoo.options import imagined_options, known_keys, parse_options
from tablezoo.rewards import BY_PLAYERS, REWARDS
from tablezoo.rng import COPIES, ROLLOUTS, checked_seed, fresh_seed, seed_lanes, seed_streams
from tablezoo.specialise import loops_of
from tablezoo.threads import Pace, share

#: The first field that a reset zeroes; all before it last.
_FIRST_TRANSIENT = "turn"

#: Microseconds that greedy's search of a lane takes, by and large.
_SEARCH_US = 50.0


class Batch:
    """N games of one kind, stepped together.

    Args:
        game: what is played.
        num_games: N.
        num_players: an int, or a sequence that is cycled over the lanes; the game's default if None.
        seed: lane i plays exactly what a single game seeded ``seed + i`` plays; None takes one from the system.
        threads: the most threads that work on the batch; results do not depend on it.
        autoreset: whether a finished game is followed by the lane's next one in the same step.
        reward: one of ``REWARDS``; None takes ``zero_sum``, and ``score`` in solo games.
        illegal: ``"error"`` refuses an illegal action and leaves everything as it was; ``"lose"`` ends the game
            against the offender.
        content: a content set's name, path or itself, or a sequence of them that the lanes take in turn.
        **options: the game's options, see ``game.all_options``.

    Attributes (read-only views of buffers that each step overwrites; P is the game's most players):
        seat: (N,) int8, who is asked; -1 where the game is over.
        observation: (N, observation_size) uint8, what that seat sees; zeros where the game is over.
        action_mask: (N, num_actions) bool, what it may do; empty where the game is over.
        rewards: (N, P) float32, what the lane's last step paid each seat.
        terminated, truncated: (N,) bool, whether the lane's last step ended a game by the rules, or cut it.
        scores: (N, P) int32, ranks: (N, P) int8 (0 the best, -1 no such seat), winners: (N, P) bool, of the game that
            ended last in the lane.
        num_players: (N,) int8.
        states: (N,) structured, writable: the games themselves. Call :meth:`refresh` after writing.
        final_states: (N,) structured: with autoreset, the record of the game that ended last in the lane.

    One thread at a time may call a batch: a call while another thread's has not returned raises RuntimeError.

    Raises:
        OptionError, OptionValueError, TypeError, ValueError: what was wrong, and what was expected.
    """

    def __init__(
        self,
        game: Game,
        num_games: int = 1,
        num_players: int | Sequence[int] | None = None,
        *,
        seed: int | None = None,
        threads: int = 1,
        autoreset: bool = True,
        reward: str | None = None,
        illegal: str = "error",
        content: ContentSource | Sequence[ContentSource] = None,
        **options: Any,
    ) -> None:
        refuse_unknown(game, options, Batch)
        self.game = game
        self.num_games = integer_of("num_games", num_games, 1, 2**31 - 1)
        self.threads = integer_of("threads", threads, 1, 1024)
        self.autoreset = flag("autoreset", autoreset)
        self.illegal = one_of("illegal", illegal, saving.ILLEGAL)
        self.options = dict(options)
        self.contents: list[ContentSet] = load_sets(game.content, content)
        counts = game.players(num_players, self.num_games)
        self.reward = _default_reward(counts) if reward is None else one_of("reward", reward, REWARDS)
        played = np.arange(self.num_games) % len(self.contents)
        fields = self._parse_options(options, counts, played)
        self._allocate()
        self.states["num_players"] = counts
        self.states["content"] = played
        self._write_options(fields, self._all_lanes)
        self.reset(seed=fresh_seed() if seed is None else seed)

    # --- playing ---------------------------------------------------------------------------------------------------

    @alone
    def reset(
        self,
        seed: int | Sequence[int | None] | None = None,
        games: ArrayLike | None = None,
        options: Mapping[str, Any] | None = None,
    ) -> None:
        """Deal new games in the lanes ``games`` (all if None).

        Args:
            seed: lane i is seeded ``seed + i``, and what the game keeps from deal to deal starts anew; None lets each
                lane's stream go on. A sequence has an int or None for each of the batch's lanes.
            games: (k,) lane indices.
            options: values for these lanes until their next reset; the rest is as constructed. Keys that are no option
                and near none are ignored, as Gymnasium's users expect, but for the constructor's own keywords.

        Raises:
            OptionError, OptionValueError, TypeError, ValueError, IndexError; nothing has changed then.
        """
        refuse_keywords(options, Batch)
        lanes = self._different_lanes(games)
        chosen = {**self.options, **known_keys(self.game.all_options, options or {})}
        fields = self._parse_options(chosen, self.num_players[lanes], self.states["content"][lanes])
        if seed is not None:
            streams, seeded = seed_lanes(seed, self.num_games)
            anew = lanes[seeded[lanes]]
            self.states["rng"][anew] = streams[anew]
            for name, *_ in self.game.lasting:
                self.states[name][anew] = 0
        self._write_options(fields, lanes)

        def work(part: NDArray[np.int64], _run: slice, thread: int) -> None:
            keys = self._keys[thread]
            self._loops.reset_lanes(
                self._records, self._raw, self._contents, part, *self._outputs, *self._results, keys, self._settings
            )

        share(lanes, self.threads, work, self._paces["reset"])

    def step(self, actions: ArrayLike, games: ArrayLike | None = None) -> None:
        """Play one action in each lane, or in the lanes ``games``; buffers of other lanes stay as they are.

        Args:
            actions: (N,) integers, or (k,) with ``games``. Those of finished games are ignored.
            games: (k,) different lane indices.

        Raises:
            TypeError: no integers, or another shape.
            ValueError, IndexError: a lane named twice, or one that is not there.
            IllegalActionError: out of range, or with ``illegal="error"`` against the rules; nothing has moved.
        """
        lanes = self._different_lanes(games)
        chosen = as_actions(actions, lanes.size)
        if not self._lock.acquire(False):
            raise in_use()
        try:
            self._check_legal(lanes, chosen)

            def work(part: NDArray[np.int64], run: slice, thread: int) -> None:
                self._loops.step_lanes(
                    self._records, self._raw, self._contents, self._final_records, part, chosen[run],
                    *self._outputs, *self._results, self._keys[thread], self._settings,
                )  # fmt: skip

            share(lanes, self.threads, work, self._paces["step"])
        finally:
            self._lock.release()

    def step_one(self, action: int) -> None:
        """Play ``action`` in a batch of one; the fast path of single environments.

        The caller holds the lock, and has seen to it since that the action is in range and, with ``illegal="error"``,
        in the mask.
        """
        self._one_action[0] = action
        self._loops.step_lanes(*self._one_step)

    @alone
    def advance(
        self,
        codes: NDArray[np.int8],
        streams: NDArray[np.uint64],
        games: ArrayLike | None = None,
        actions: ArrayLike | None = None,
        determinizations: int = 4,
    ) -> NDArray[np.int64]:
        """Let compiled policies play on until a seat without one is asked, or the game is over.

        Args:
            codes: (N, P) int8, for each seat EXTERNAL (stop and ask), RANDOM or GREEDY.
            streams: (N, 2) uint64, what the policies draw from, advanced in place.
            games: (k,) lane indices; all if None.
            actions: (k,) integers played first, as in :meth:`step`.
            determinizations: how many deals GREEDY looks at.

        Returns:
            (k,) decisions played. ``rewards`` holds their sum, flags and results are as after a step; lanes that end
            are not reset, whatever ``autoreset`` says.

        Raises:
            TypeError, IllegalActionError: as :meth:`step`.
            TypeError, ValueError: codes or streams of another dtype or shape, or GREEDY without a deal to look at.
        """
        lanes = self._different_lanes(games)
        searched = self._check_policies(codes, streams, determinizations)
        first = np.full(lanes.size, -1, np.int64)
        if actions is not None:
            first = as_actions(actions, lanes.size)
            self._check_legal(lanes, first)
        decisions = np.zeros(lanes.size, np.int64)
        play_on = self._loops.advance_lanes if searched else self._loops.play_on_lanes

        def work(part: NDArray[np.int64], run: slice, thread: int) -> None:
            play_on(
                self._records, self._contents, part, first[run], codes, streams, decisions[run],
                *self._outputs, *self._results, self._keys[thread], self._settings,
                *self._scratch(thread), determinizations,
            )  # fmt: skip

        share(lanes, self.threads, work, self._paces["search" if searched else "advance"])
        return decisions

    @alone
    def rollout(self, seed: int | None = None, games: ArrayLike | None = None) -> Batch:
        """Play copies of the lanes ``games`` to their ends at random, compiled, and return them; this batch stays.

        The copies' ``rewards``, ``scores``, ``ranks``, ``winners``, ``terminated`` and ``truncated`` tell the outcome.
        The copies are exact, future cards included: for search, roll out what :meth:`determinize` returns.
        """
        played = self.clone(games)
        streams = seed_streams(fresh_seed() if seed is None else checked_seed(seed), played.num_games, ROLLOUTS)
        played.advance(np.full((played.num_games, self.game.max_players), RANDOM, np.int8), streams)
        return played

    @alone
    def random_actions(self, rng: np.random.Generator) -> NDArray[np.int64]:
        """Return (N,) actions drawn uniformly among the legal ones; 0 for finished games, which ignore it."""
        if not isinstance(rng, np.random.Generator):
            raise TypeError(f"rng is {rng!r}; expected a numpy.random.Generator, as numpy.random.default_rng(0) is")
        actions = np.empty(self.num_games, np.int64)
        uniforms = rng.random(self.num_games)

        def work(part: NDArray[np.int64], _run: slice, _thread: int) -> None:
            self._loops.uniform_lanes(part, self._mask, uniforms, actions)

        share(self._all_lanes, self.threads, work, self._paces["choose"])
        return actions

    # --- looking ---------------------------------------------------------------------------------------------------

    @alone
    def observe(self, seat: ArrayLike, games: ArrayLike | None = None) -> NDArray[np.uint8]:
        """Return what ``seat`` sees in the lanes ``games`` (all if None), while a game runs and after its end.

        Args:
            seat: an int, or (k,) integers.
            games: (k,) lane indices.

        Returns:
            a new (k, observation_size) uint8.
        """
        return self._observe(self.states, seat, self._lanes(games))

    @alone
    def observe_final(self, seat: ArrayLike, games: ArrayLike | None = None) -> NDArray[np.uint8]:
        """As :meth:`observe`, of ``final_states``: the last view of games that autoreset has replaced.

        Lanes where no game has ended yet are zeros.
        """
        return self._observe(self.final_states, seat, self._lanes(games))

    @alone
    def state(self) -> NDArray[np.float32]:
        """Return the full information, (N, K) float32: all fields but the stream and ``game.private``, as
        ``game.state_layout()`` orders them, hidden cards included; for centralised critics, never for a seat."""
        names = [name for name, _ in self.game.state_layout()]
        columns = [self.states[name].reshape(self.num_games, -1).astype(np.float32) for name in names]
        return np.concatenate(columns, axis=1)

    @alone
    def refresh(self) -> None:
        """Bring observation, mask and seat up to date after ``states`` was written; nothing is played.

        Raises:
            ValueError: a field of the engine's that no game can have (``num_players``, ``content``, ``ended``,
                ``seat``, ``offender``, ``start_seat``, ``pending_size``). The game's own fields are not checked.
        """
        check_header(self.game, self.states, len(self.contents))
        self._refresh()

    @alone
    def describe(self, game: int = 0, seat: int | None = None) -> str:
        """Return the text picture of one lane, as ``seat`` sees it, or the whole if None.

        Raises:
            TypeError, ValueError: a lane or a seat that is not there.
        """
        lane = integer_of("game", game, 0, self.num_games - 1)
        if seat is not None:
            seat = int(self._seats(seat, 1, self.num_players[[lane]])[0])
        record = self.states[lane]
        return self.game.describe(record, seat, self.contents[int(record["content"])].record[0])

    # --- copies ----------------------------------------------------------------------------------------------------

    @alone
    def clone(self, games: ArrayLike | None = None) -> Batch:
        """Return a new batch with exact copies of the lanes, their future included; for search use determinize."""
        lanes = self._lanes(games)
        copy = self._like(self.states[lanes])
        copy.final_states[...] = self.final_states[lanes]
        for mine, theirs in zip((*self._outputs, *self._results), (*copy._outputs, *copy._results), strict=True):
            theirs[...] = mine[lanes]
        return copy

    @alone
    def determinize(self, seat: ArrayLike, seed: int, games: ArrayLike | None = None) -> Batch:
        """Return a new batch of games that look the same to ``seat``, with all that it cannot know dealt anew.

        Nothing in it tells how the original was dealt: an option that would bring that deal back at a reset (a
        campaign's stream) stands in the copy's ``options`` without it.

        Args:
            seat: an int, or one for each lane.
            seed: copy i draws from its own stream, seeded ``seed + i``: copies share no future with the original.
            games: (k,) lane indices, repeated for several copies of one lane; all if None.
        """
        lanes = self._lanes(games)
        return self._determinized(lanes, seat, seed_streams(checked_seed(seed), lanes.size, COPIES))

    @alone
    def save(self, path: str | Path) -> None:
        """Write the batch to one file (an .npz that runs no code when loaded); it appears whole or not at all."""
        saving.save(self, Path(path))

    @classmethod
    def load(cls, path: str | Path) -> Batch:
        """Return a saved batch, ready to go on as the original would.

        Raises:
            SaveError: no save, damaged, of another version, or of a game or content that does not fit.
            FileNotFoundError.
        """
        return saving.load(cls, Path(path))

    @property
    def autoreset(self) -> bool:
        """Whether a finished game is followed by the lane's next one in the same step; may be set."""
        return self._autoreset

    @autoreset.setter
    def autoreset(self, value: bool) -> None:
        self._autoreset = flag("autoreset", value)
        if "_settings" in self.__dict__:
            self._settings[AUTORESET] = self._autoreset

    def __setattr__(self, name: str, value: Any) -> None:
        if name[0] != "_" and name in self.__dict__:
            raise AttributeError(
                f"{name} of a batch cannot be replaced: write into batch.states and call refresh(), "
                "or make another batch"
            )
        object.__setattr__(self, name, value)

    def __deepcopy__(self, memo: Any) -> Batch:
        return self.clone()

    @alone
    def __reduce__(self) -> Any:
        return saving.from_bytes, (type(self), saving.to_bytes(self))

    def __repr__(self) -> str:
        counts = sorted({int(n) for n in self.num_players})
        return f"<Batch of {self.num_games} {self.game.id}, players {counts}, reward {self.reward or 'by players'}>"

    # --- within ----------------------------------------------------------------------------------------------------

    def _allocate(self) -> None:
        n, game = self.num_games, self.game
        self._lock = threading.RLock()
        self._loops = loops_of(game)
        self.states = np.zeros(n, game.state_dtype)
        self.final_states = np.zeros(n, game.state_dtype)
        self._raw = self.states.view(np.uint8).reshape(n, game.state_dtype.itemsize)
        self._records = as_records(self.states)
        self._final_records = as_records(self.final_states)
        self._contents = as_records(np.concatenate([content.record for content in self.contents]))
        self._mask = np.zeros((n, game.num_actions), np.bool_)
        flags = np.zeros(n, np.bool_), np.zeros(n, np.bool_)
        self._outputs: tuple[NDArray[Any], ...] = (
            self._mask,
            np.zeros((n, game.observation_size), np.uint8),
            np.full(n, -1, np.int8),
            np.zeros((n, game.max_players), np.float32),
            *flags,
        )
        self._results: tuple[NDArray[Any], ...] = (
            np.zeros((n, game.max_players), np.int32),
            np.full((n, game.max_players), -1, np.int8),
            np.zeros((n, game.max_players), np.bool_),
        )
        views = [_read_only(array) for array in (*self._outputs, *self._results)]
        self.action_mask, self.observation, self.seat, self.rewards, self.terminated, self.truncated = views[:6]
        self.scores, self.ranks, self.winners = views[6:]
        self.num_players: NDArray[np.int8] = _read_only(self.states["num_players"])
        low, high = game.score_range
        lasting = game.state_dtype.fields[_FIRST_TRANSIENT][1]  # type: ignore[index]  # a structured dtype has fields
        paid = BY_PLAYERS if self.reward is None else REWARDS.index(self.reward)
        modes = paid, self.illegal == "lose", self.autoreset, low, high - low, lasting
        self._settings = np.array(modes, np.float64)
        self._keys = np.zeros((self.threads, game.max_players, game.score_keys), np.int32)
        self._all_lanes = np.arange(n)
        self._one_action = np.zeros(1, np.int64)
        self._one_step = (
            self._records, self._raw, self._contents, self._final_records, self._all_lanes, self._one_action,
            *self._outputs, *self._results, self._keys[0], self._settings,
        )  # fmt: skip
        self._scratches: dict[int, tuple[NDArray[Any], ...]] = {}
        # How fast each kind of work goes, for sharing it; where lanes are searched it is slow from the first.
        self._paces: defaultdict[str, Pace] = defaultdict(Pace, greedy=Pace(_SEARCH_US), search=Pace(_SEARCH_US))

    def _scratch(self, thread: int) -> tuple[NDArray[Any], ...]:
        """Return what greedy needs to look ahead, for one thread: copies, masks, the tree's nodes and sums."""
        if thread not in self._scratches:
            self._scratches[thread] = greedy_scratch(self.game)
        return self._scratches[thread]

    def _like(self, states: NDArray[Any], options: dict[str, Any] | None = None) -> Batch:
        """Return a batch with this one's settings, its options or others, and the given records; outputs are not filled
        yet."""
        copy = object.__new__(type(self))
        for name in ("game", "threads", "autoreset", "illegal", "contents", "reward"):
            setattr(copy, name, getattr(self, name))
        copy.options = self.options if options is None else options
        copy.num_games = len(states)
        copy._allocate()
        copy.states[...] = states
        return copy

    def _refresh(self) -> None:
        def work(part: NDArray[np.int64], _run: slice, _thread: int) -> None:
            self._loops.refresh_lanes(self._records, self._contents, part, *self._outputs[:3])

        share(self._all_lanes, self.threads, work, self._paces["refresh"])

    @alone
    def _determinized(self, lanes: NDArray[np.int64], seat: ArrayLike, streams: NDArray[np.uint64]) -> Batch:
        seats = self._seats(seat, lanes.size, self.num_players[lanes])
        copy = self._like(self.states[lanes], imagined_options(self.game.all_options, self.options))

        def work(part: NDArray[np.int64], _run: slice, _thread: int) -> None:
            copy._loops.determinize_lanes(copy._records, copy._contents, part, seats, streams)

        share(copy._all_lanes, self.threads, work, self._paces["determinize"])
        copy._refresh()
        return copy

    def _observe(self, states: NDArray[Any], seat: ArrayLike, lanes: NDArray[np.int64]) -> NDArray[np.uint8]:
        seats = self._seats(seat, lanes.size, self.num_players[lanes])
        out = np.zeros((lanes.size, self.game.observation_size), np.uint8)
        records = as_records(states)
        if UNCOMPILED:
            records.flags.writeable = False  # two threads may look at one lane at once, so looking may write nothing

        def work(part: NDArray[np.int64], run: slice, _thread: int) -> None:
            self._loops.observe_lanes(records, self._contents, part, seats[run], out[run])

        share(lanes, self.threads, work, self._paces["observe"])
        return out

    @alone
    def _random(self, lanes: NDArray[np.int64], streams: NDArray[np.uint64]) -> NDArray[np.int64]:
        actions = np.empty(lanes.size, np.int64)
        self._loops.random_lanes(lanes, self._mask, streams, actions)
        return actions

    @alone
    def _greedy(
        self, lanes: NDArray[np.int64], streams: NDArray[np.uint64], determinizations: int
    ) -> NDArray[np.int64]:
        actions = np.empty(lanes.size, np.int64)

        def work(part: NDArray[np.int64], run: slice, thread: int) -> None:
            self._loops.greedy_lanes(
                self._records, self._contents, part, self._mask, streams, actions[run],
                *self._scratch(thread), determinizations,
            )  # fmt: skip

        share(lanes, self.threads, work, self._paces["greedy"])
        return actions

    def _branches(self, lanes: NDArray[np.int64], streams: NDArray[np.uint64], k: int) -> NDArray[np.uint64]:
        """Return (lanes, k, 2) seeds of new streams, drawn from each lane's."""
        seeds = np.empty((lanes.size, k, 2), np.uint64)
        self._loops.branch_lanes(lanes, streams, seeds)
        return seeds

    def _uniforms(self, lanes: NDArray[np.int64], streams: NDArray[np.uint64]) -> NDArray[np.float64]:
        """Return (lanes,) numbers in [0, 1), each drawn from its lane's stream."""
        words = self._branches(lanes, streams, 1)[:, 0, 0]
        return (words >> np.uint64(11)).astype(np.float64) * 2.0**-53

    def _parse_options(
        self, options: Mapping[str, Any], counts: NDArray[np.integer], played: NDArray[np.integer]
    ) -> dict[tuple[int, int], dict[str, Any]]:
        """Return the options' field values for each player count and content set that lanes have together."""
        kinds = sorted(set(zip(counts.tolist(), played.tolist(), strict=True)))
        return {
            (count, index): parse_options(self.game.all_options, options, count, self.contents[index].record[0])
            for count, index in kinds
        }

    def _write_options(self, fields: Mapping[tuple[int, int], Mapping[str, Any]], lanes: NDArray[np.int64]) -> None:
        counts, played = self.states["num_players"][lanes], self.states["content"][lanes]
        for (count, index), values in fields.items():
            alike = lanes[(counts == count) & (played == index)]
            for name, value in values.items():
                self.states[name][alike] = value

    def _lanes(self, games: ArrayLike | None) -> NDArray[np.int64]:
        if games is None:
            return self._all_lanes
        lanes = np.asarray(games)
        if lanes.dtype.kind not in "iu" and lanes.size > 0:
            raise TypeError(f"games has dtype {lanes.dtype}; expected lane indices from 0 to {self.num_games - 1}")
        lanes = np.atleast_1d(lanes).astype(np.int64)
        if lanes.ndim != 1:
            raise TypeError(f"games has shape {lanes.shape}; expected (k,) lane indices")
        if lanes.size and (lanes.min() < 0 or lanes.max() >= self.num_games):
            raise IndexError(f"games names lanes outside 0 to {self.num_games - 1}: {lanes.min()} to {lanes.max()}")
        return lanes

    def _different_lanes(self, games: ArrayLike | None) -> NDArray[np.int64]:
        lanes = self._lanes(games)
        if games is not None and np.unique(lanes).size != lanes.size:
            twice = np.flatnonzero(np.bincount(lanes) > 1)
            raise ValueError(f"games names lane {twice[0]} twice; a lane takes one action a step")
        return lanes

    def _seats(self, seat: ArrayLike, count: int, players: NDArray[np.int8]) -> NDArray[np.int8]:
        seats = np.asarray(seat)
        if seats.dtype.kind not in "iu" or seats.shape not in ((), (count,)):
            raise TypeError(f"seat is {seat!r}; expected an integer, or ({count},) integers")
        if seats.min() < 0 or (seats >= players).any():
            raise ValueError(f"seat {seat!r} is out of range: lanes here have {players.min()} to {players.max()} seats")
        return np.ascontiguousarray(np.broadcast_to(seats, (count,)), dtype=np.int8)

    def _check_policies(self, codes: NDArray[np.int8], streams: NDArray[np.uint64], determinizations: int) -> bool:
        """Refuse what the loop would read beyond its end; return whether some seat is played by GREEDY."""
        _check_array("codes", codes, np.int8, (self.num_games, self.game.max_players))
        self._check_streams(streams)
        searched = bool((codes == GREEDY).any())
        if searched:
            integer_of("determinizations", determinizations, 1, 2**31 - 1)
        return searched

    def _check_streams(self, streams: NDArray[np.uint64]) -> None:
        _check_array("streams", streams, np.uint64, (self.num_games, 2))

    def _check_legal(self, lanes: NDArray[np.int64], actions: NDArray[np.int64]) -> None:
        wrong = self._loops.check_lanes(lanes, actions, self._mask, self._outputs[2], self.illegal == "error")
        if wrong >= 0:
            raise IllegalActionError(self.explain_illegal(int(lanes[wrong]), int(actions[wrong])))

    def explain_illegal(self, lane: int, action: int) -> str:
        """Return the words of the error for an action that ``lane`` does not allow now."""
        size = self.game.num_actions
        label = f" ({self.game.action_label(action)})" if 0 <= action < size else ""
        legal = np.flatnonzero(self._mask[lane])
        named = "; ".join(f"{i} ({self.game.action_label(int(i))})" for i in legal[:10])
        more = f"; and {legal.size - 10} more" if legal.size > 10 else ""
        what = "is illegal for" if label else f"is out of range 0 to {size - 1}, asked of"
        return f"game {lane}: action {action}{label} {what} seat {self.seat[lane]}; legal: {named}{more}"


def _check_array(name: str, array: Any, dtype: type[np.generic], shape: tuple[int, ...]) -> None:
    if not isinstance(array, np.ndarray) or array.dtype != dtype or array.shape != shape:
        given = f"{array.dtype} of {array.shape}" if isinstance(array, np.ndarray) else repr(array)
        raise TypeError(f"{name} is {given}; expected an array of {np.dtype(dtype)} of shape {shape}")


def _default_reward(counts: NDArray[np.int8]) -> str | None:
    """Return what games of these player counts pay by default; None where solo and other games differ."""
    if counts.min() > 1:
        return "zero_sum"
    return "score" if counts.max() == 1 else None


def greedy_scratch(game: Game) -> tuple[NDArray[Any], ...]:
    """Return what greedy needs to look ahead, for one thread: copies, masks, the tree's nodes and sums."""
    depth, nodes = 8, max(8192, 16 * game.num_actions)
    return (
        as_records(np.zeros(depth, game.state_dtype)),
        np.zeros((depth, game.num_actions), np.bool_),
        np.zeros((nodes, 6), np.int32),
        np.zeros((nodes, 2), np.float64),
    )


def as_records(states: NDArray[Any]) -> NDArray[Any]:
    """Return what the loops take: the array itself, or uncompiled a view whose entries have their fields as
    attributes, as compiled records do."""
    return states.view(np.recarray) if UNCOMPILED else states


def _read_only(array: NDArray[Any]) -> NDArray[Any]:
    view = array.view()
    view.flags.writeable = False
    return view
