"""What a game package hands over to the engine."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tablezoo.compiling import common_kernel, kernel
from tablezoo.content import ContentFormat
from tablezoo.errors import did_you_mean
from tablezoo.layout import Layout
from tablezoo.options import Option, engine_options
from tablezoo.pending import FRAME
from tablezoo.telling import Telling

__all__ = ["ENDED", "RUNNING", "TRUNCATED", "Game", "Kernels", "Option", "Record", "common_kernel", "kernel"]

#: A game's record: one entry of ``Batch.states``, with its fields as attributes.
Record = Any

RUNNING = 0
ENDED = 1
TRUNCATED = 2


@dataclass(frozen=True)
class Kernels:
    """A game's rules. ``s`` is the record, ``c`` the record of the content set it plays with.

    Attributes:
        reset: ``reset(s, c)`` deals; the game's own fields are zero before, but for those that last, and somebody is
            asked after.
        legal_actions: ``legal_actions(s, c, mask)`` sets what ``s.seat`` may do in a zeroed bool vector.
        step: ``step(s, c, action)`` plays a legal action; sets ``s.seat``, ``s.turn``, ``s.ended``.
        observe: ``observe(s, c, seat, out)`` writes what ``seat`` sees into a zeroed uint8 vector.
        score: ``score(s, c, keys)`` fills a zeroed (max_players, score_keys) int32 array, a row a seat: the raw score,
            then the tie-breaks; greater is better, equal rows share a rank.
        value: ``value(s, c, seat)`` is a position's heuristic worth as a float, for the greedy policy.
        determinize: ``determinize(s, c, seat)`` deals anew, uniformly, what ``seat`` cannot know.
        candidates: ``candidates(s, c, mask, depth)`` takes from a copy of the mask what greedy need not try, where all
            would take too long; ``depth`` counts the decisions of the plan before this one.
        action_key: ``action_key(s, c, action)`` tells actions of one index but different meaning apart, for search; the
            legal actions of one position have different keys.
    """

    reset: Callable[..., None]
    legal_actions: Callable[..., None]
    step: Callable[..., None]
    observe: Callable[..., None]
    score: Callable[..., None]
    value: Callable[..., float]
    determinize: Callable[..., None]
    candidates: Callable[..., None] | None = None
    action_key: Callable[..., int] | None = None

    def named(self) -> dict[str, Callable[..., Any]]:
        """Return the kernels that are there, by name."""
        kernels = {f.name: getattr(self, f.name) for f in fields(self)}
        return {name: function for name, function in kernels.items() if function is not None}


@dataclass(frozen=True, eq=False)
class Game:
    """A game: sizes, record, kernels, layouts, options. Pickled as an import reference.

    Attributes:
        name: short and lower case; ``title`` for people; ``version`` as in ``-v0``.
        ref: where the game can be imported from, ``"package:NAME"``.
        state: the game's own fields of the record, as :class:`numpy.dtype` takes them.
        lasting: those that a new deal keeps (a campaign's, say); a reset with a seed zeroes them too.
        private: names of fields that ``Batch.state()`` leaves out: bytes of options, kept streams, room to work in.
        pending_depth: the most frames that the pending stack ever holds.
        options: the game's own, beside the engine's ``start_seat`` and ``max_turns``.
        score_keys: columns of the score kernel; ``score_range``: lowest and highest raw score, for scaled rewards.
        describe: ``describe(record, seat, content)`` returns the text picture; ``seat=None`` shows the whole.
        telling: the words for a person who plays; None: labels of actions, and nothing of what others do.
        content: the format of the game's content sets; None if it has none.
        outcome: ``outcome(score, num_players)`` returns what ``info`` tells, by name, beside score and rank of a seat
            whose game is over; None if there is nothing more.
        state_dtype: the whole record: what lasts over a game's end first, then what a reset zeroes.

    Raises:
        ValueError: a field has the name of an attribute of NumPy's records (``round``, ``size``, ``all`` ...), or
            ``private`` names none.
    """

    name: str
    title: str
    ref: str
    min_players: int
    max_players: int
    default_players: int
    state: Sequence[Any]
    kernels: Kernels
    observation_layout: Layout
    action_layout: Layout
    describe: Callable[..., str]
    score_range: tuple[int, int]
    score_keys: int = 1
    version: int = 0
    package: str | None = None
    lasting: Sequence[Any] = ()
    private: Sequence[str] = ()
    pending_depth: int = 1
    options: tuple[Option, ...] = ()
    default_max_turns: int = 1000
    telling: Telling | None = None
    content: ContentFormat | None = None
    outcome: Callable[[int, int], Mapping[str, Any]] | None = None
    state_dtype: np.dtype[Any] = field(init=False)
    all_options: tuple[Option, ...] = field(init=False)

    def __post_init__(self) -> None:
        options = engine_options(self.default_max_turns) + tuple(self.options)
        lasting = [("rng", np.uint64, (2,)), ("num_players", np.int8), ("content", np.int16)]
        chosen = [(option.name, option.dtype, option.shape) for option in options]
        transient = [
            ("turn", np.int32),
            ("seat", np.int8),
            ("ended", np.uint8),
            ("offender", np.int8),
            ("pending_size", np.int8),
            ("pending", np.int16, (self.pending_depth, FRAME)),
            ("last_scores", np.int32, (self.max_players,)),
        ]
        parts: list[Any] = [*lasting, *chosen, *self.lasting, *transient, *self.state]
        names = [part[0] for part in parts]
        _check_field_names(self.name, names)
        for name in self.private:
            if name not in names:
                raise ValueError(f"game {self.name!r} has no field {name!r} to be private{did_you_mean(name, names)}")
        object.__setattr__(self, "all_options", options)
        object.__setattr__(self, "state_dtype", np.dtype(parts, align=True))

    @property
    def num_actions(self) -> int:
        return self.action_layout.size

    @property
    def observation_size(self) -> int:
        return self.observation_layout.size

    @property
    def default_reward(self) -> str:
        """``zero_sum`` for games of two and more, ``score`` for solo."""
        return "score" if self.default_players == 1 else "zero_sum"

    @property
    def id(self) -> str:
        """The versioned name, as in ``mustang_v0``."""
        return f"{self.name}_v{self.version}"

    def action_label(self, action: int) -> str:
        """Return an action in words."""
        return self.action_layout.label(action)

    def outcome_of(self, score: int, num_players: int) -> dict[str, Any]:
        """Return what ``info`` tells of a seat whose game is over, beside score and rank; see ``outcome``."""
        return {} if self.outcome is None else dict(self.outcome(score, num_players))

    def players(self, num_players: int | Sequence[int] | None, num_games: int) -> NDArray[np.int8]:
        """Return the number of players a lane, (num_games,); a sequence is cycled over the lanes.

        Raises:
            TypeError, ValueError: no integers, an empty sequence, or outside the game's range.
        """
        wanted = f"{self.title} takes {self.min_players} to {self.max_players}"
        given = self.default_players if num_players is None else num_players
        counts: list[Any] = [given] if isinstance(given, str) or np.ndim(given) == 0 else list(given)  # type: ignore[arg-type]
        if not counts:
            raise ValueError(f"num_players is empty; {wanted}")
        for count in counts:
            if isinstance(count, (bool, np.bool_)) or not isinstance(count, (int, np.integer)):
                raise TypeError(f"num_players {count!r} is no integer; {wanted}")
            if not self.min_players <= count <= self.max_players:
                raise ValueError(f"num_players {count} is out of range; {wanted}")
        return np.resize(np.asarray(counts, np.int8), num_games)

    def state_layout(self) -> list[tuple[str, tuple[int, ...]]]:
        """Return name and shape of each field in ``Batch.state()``, in order."""
        dtype = self.state_dtype
        return [(name, dtype[name].shape) for name in dtype.names or () if name not in ("rng", *self.private)]

    def __reduce__(self) -> tuple[Callable[[str], Game], tuple[str]]:
        if load_game(self.ref) is not self:
            raise TypeError(f"game {self.name!r} is not what {self.ref!r} imports; only importable games are pickled")
        return load_game, (self.ref,)

    def __repr__(self) -> str:
        return f"<Game {self.id} from {self.ref}>"

    def __deepcopy__(self, memo: Mapping[int, Any]) -> Game:
        return self

    def __copy__(self) -> Game:
        return self


def _check_field_names(game: str, names: list[str]) -> None:
    """Refuse names that uncompiled kernels could not read: NumPy's records have something else of that name."""
    taken = [name for name in names if hasattr(np.record, name)]
    if taken:
        raise ValueError(
            f"game {game!r} has the field{'s' if len(taken) > 1 else ''} {', '.join(map(repr, taken))}, which NumPy's "
            f"records have as attributes: uncompiled, s.{taken[0]} would not be the field; give it another name"
        )


def load_game(ref: str) -> Game:
    """Return the game that an import reference ``"module:NAME"`` names.

    Raises:
        ValueError: the module has no game of that name.
    """
    module_name, _, name = ref.partition(":")
    module = importlib.import_module(module_name)
    game = getattr(module, name, None)
    if not isinstance(game, Game):
        raise ValueError(f"{module_name!r} has no game {name!r}{did_you_mean(name, vars(module))}")
    return game
