"""Games that are kept, shown again and verified bit for bit: ``python -m agents.replay FILE``."""

from __future__ import annotations

if __name__ == "__main__":
    from .command_line import start

    start("replay")

import argparse
import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

import tablezoo
from tablezoo.batch import Batch
from tablezoo.content import ContentSet
from tablezoo.errors import ContentError, OptionError
from tablezoo.game import Game
from tablezoo.keywords import check_game, integer_of, player_count
from tablezoo.registration import find_game
from tablezoo.rng import checked_seed
from tablezoo.saving import plain

from .command_line import tell
from .files import write_whole
from .playing.played_content import PlayedContent
from .playing.replay_file import FORMAT, VERSION, ReplayError, checked, game_of, read_object
from .playing.showing import Shown, show

PERSON = "person"


@dataclass(frozen=True)
class Move:
    """A decision.

    Attributes:
        action: what was chosen.
        digest: of the record after it, see :func:`digest`.
        over: whether the game was over then.
    """

    action: int
    digest: str
    over: bool


@dataclass(frozen=True)
class Frame:
    """A position of a game that is shown again.

    Attributes:
        number: decisions before it.
        table: a batch of one that stands there, nobody else's: step it, describe it, determinize it.
        seat: who is asked, -1 when the game is over.
        action: what was chosen; None at the end.
    """

    number: int
    table: Batch
    seat: int
    action: int | None


@dataclass
class Replay:
    """A game from its seed to its last decision, or as far as it was played.

    Attributes:
        game: what is played; players: how many.
        seed: of the deal.
        seats: (players,) who sat where, in words.
        options: the game's options, in values that JSON has.
        content: the content set; None for a game without.
        begin: digest of the record before the first decision; empty until it is dealt.
        moves: the decisions.
        library: the version of tablezoo that played it.
    """

    game: Game
    players: int
    seed: int
    seats: tuple[str, ...]
    options: dict[str, Any] = field(default_factory=dict)
    content: PlayedContent | None = None
    begin: str = ""
    moves: list[Move] = field(default_factory=list)
    library: str = tablezoo.__version__

    @classmethod
    def of(
        cls,
        game: Game,
        players: int | None = None,
        *,
        seed: int,
        seats: Sequence[str],
        content: str | Path | None = None,
        **options: Any,
    ) -> Replay:
        """Return a game that has not begun; :meth:`deal` it, then :meth:`add` each decision.

        An option that names a JSON file (a campaign of Fable's) is kept as what the file holds, and a content file as
        its text: the replay needs no other file.

        Raises:
            ContentError, OptionError, TypeError, ValueError: what was wrong, and what was expected.
        """
        check_game(game)
        count = player_count(game, players)
        if len(seats) != count:
            raise ValueError(f"seats names {len(seats)}; expected {count}, one for each player")
        if game.content is None and content is not None:
            raise ContentError(f"{game.title} has no content sets; got {content!r}")
        played = None if game.content is None else PlayedContent.of(game.content, content)
        settled = {name: _settled(name, value) for name, value in options.items()}
        return cls(game, count, checked_seed(seed), tuple(seats), settled, played)

    @property
    def over(self) -> bool:
        """Whether the game was played to its end."""
        return bool(self.moves) and self.moves[-1].over

    def deal(self) -> Batch:
        """Return a batch of one that stands at the first decision.

        Raises:
            ContentError, OptionError: the content set cannot be had, or is another; an option does not fit.
            ReplayError: the deal is not the one that was played.
        """
        table = Batch(
            self.game, 1, self.players, seed=self.seed, autoreset=False, content=self._content(), **self.options
        )
        dealt = digest(table.states[0])
        if self.begin not in ("", dealt):
            raise ReplayError(f"the deal differs: its digest is {dealt}, when played it was {self.begin}")
        self.begin = dealt
        return table

    def _content(self) -> ContentSet | None:
        if self.content is None or self.game.content is None:
            return None
        return self.content.load(self.game.content)

    def add(self, action: int, table: Batch) -> None:
        """Keep a decision; ``table`` stands behind it."""
        self.moves.append(Move(int(action), digest(table.states[0]), bool(table.seat[0] < 0)))

    def take_back(self) -> None:
        """Forget the last decision."""
        self.moves.pop()

    def frames(self) -> Iterator[Frame]:
        """Play the game again: a frame before each decision, and one at the end. Each record is verified on the way.

        Raises:
            ReplayError: an illegal action, a record that differs, actions that are missing or too many; with the number
                of the decision, counted from 1.
            ContentError, OptionError: see :meth:`deal`.
        """
        table = self.deal()
        for number, move in enumerate(self.moves):
            seat = int(table.seat[0])
            self._check_action(table, number, seat, move.action)
            yield Frame(number, table.clone(), seat, move.action)
            table.step([move.action])
            after = digest(table.states[0])
            if after != move.digest:
                raise ReplayError(
                    f"departs at decision {number + 1}, {self._named(seat)}: the record after it has the digest "
                    f"{after}, when played it was {move.digest}"
                )
            if move.over != bool(table.seat[0] < 0):
                raise ReplayError(self._wrong_end(table, number + 1))
        yield Frame(len(self.moves), table, int(table.seat[0]), None)

    def _check_action(self, table: Batch, number: int, seat: int, action: int) -> None:
        where = f"decision {number + 1} of {len(self.moves)}"
        if seat < 0:
            more = len(self.moves) - number
            raise ReplayError(f"{where}: the game is over after {number}; {more} more cannot be played")
        if not (0 <= action < self.game.num_actions and table.action_mask[0, action]):
            words = table.explain_illegal(0, action).removeprefix("game 0: ")
            raise ReplayError(f"{where}: {words}")

    def _wrong_end(self, table: Batch, number: int) -> str:
        seat = int(table.seat[0])
        if seat < 0:
            return f"the game is over after decision {number}, which the file does not say"
        return f"ends after decision {number}, but {self._named(seat)} is asked then: actions are missing"

    def _named(self, seat: int) -> str:
        return f"player_{seat} ({self.seats[seat]})"

    def verify(self) -> str:
        """Play the game again, and say in words that it is the same.

        Raises:
            ReplayError, ContentError, OptionError: see :meth:`frames`.
        """
        for _ in self.frames():
            pass
        return self.verified()

    def verified(self) -> str:
        """Return the words for a game of which all frames were seen."""
        left = "" if self.over else " (the game was left before its end)"
        return f"verified: {len(self.moves)} decisions, final record identical{left}"

    # --- the file -----------------------------------------------------------------------------------------------------

    def write(self, path: Path) -> None:
        """Write a JSON file, a key a line; it is there whole or not at all."""
        content = self.content
        data = {
            "format": FORMAT,
            "version": VERSION,
            "library": self.library,
            "game": self.game.id,
            "players": self.players,
            "seed": self.seed,
            "seats": self.seats,
            "options": self.options,
            "content": content and {"source": content.source, "hash": content.hash, "text": content.text},
            "over": self.over,
            "begin": self.begin,
            "actions": [move.action for move in self.moves],
            "digests": [move.digest for move in self.moves],
        }
        lines = ",\n".join(f"  {json.dumps(key)}: {json.dumps(value)}" for key, value in data.items())
        write_whole(path, f"{{\n{lines}\n}}\n")

    @classmethod
    def read(cls, path: str | Path, game: Game | None = None, *, any_version: bool = False) -> Replay:
        """Return the replay that :meth:`write` wrote; no game is dealt yet.

        Args:
            path: of the file.
            game: the game that it must be of; None takes the one that the file names, if it is installed here.
            any_version: also one that another version of tablezoo played; the digests tell whether it is the same game.

        Raises:
            ReplayError: not there, no JSON, no replay, of another game or version, or with values of wrong types.
        """
        try:
            return cls._from_json(checked(read_object(Path(path))), game, any_version)
        except ReplayError as error:
            raise ReplayError(f"{path}: {error}") from error

    @classmethod
    def _from_json(cls, data: Mapping[str, Any], game: Game | None, any_version: bool) -> Replay:
        if data["library"] != tablezoo.__version__ and not any_version:
            raise ReplayError(
                f"played with tablezoo {data['library']}, this is {tablezoo.__version__}; the rules may differ "
                f"(--any-version tries it)"
            )
        game = game_of(data["game"], game)
        try:
            players = player_count(game, data["players"])
        except ValueError as error:
            raise ReplayError(str(error)) from error
        told = data["content"]
        if (told is None) != (game.content is None):
            raise ReplayError(f"content is {told!r}; {game.title} has {'none' if told else 'content sets'}")
        actions, digests = data["actions"], data["digests"]
        last = len(actions) - 1
        moves = [
            Move(action, after, data["over"] and i == last)
            for i, (action, after) in enumerate(zip(actions, digests, strict=True))
        ]
        return cls(
            game,
            players,
            data["seed"],
            tuple(data["seats"]),
            data["options"],
            told and PlayedContent(told["source"], told["hash"], told["text"]),
            data["begin"],
            moves,
            data["library"],
        )


def _settled(name: str, value: Any) -> Any:
    """Return an option's value as JSON has it, and for the path of a JSON file what that holds."""
    if isinstance(value, (str, Path)) and str(value).endswith(".json"):
        try:
            return read_object(Path(value))
        except ReplayError as error:
            raise OptionError(f"option {name!r}: {value}: {error}") from error
    try:
        return json.loads(json.dumps(value, default=plain))
    except (TypeError, ValueError) as error:
        raise OptionError(f"option {name!r}: {value!r} cannot be written as JSON: {error}") from error


def digest(record: Any) -> str:
    """Return 16 hexadecimal digits of the SHA-256 of a record's fields, the padding between them left out."""
    sha = hashlib.sha256()
    for name in record.dtype.names:
        values = np.asarray(record[name])
        sha.update(values.astype(values.dtype.newbyteorder("<"), copy=False).tobytes())
    return sha.hexdigest()[:16]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; see ``--help``."""
    parser = argparse.ArgumentParser(
        prog="python -m agents.replay",
        description="Show a kept game again, decision by decision, and verify it bit for bit.",
        epilog="example: python -m agents.replay play-mustang-1.json --seat 0 --last 5",
    )
    parser.add_argument("file", type=Path, help="a replay, as agents.play writes it")
    parser.add_argument("--game", help="the game it is of; needed for one of your own that is not installed")
    parser.add_argument("--seat", type=int, help="show this seat's decisions, and no more than it could see")
    parser.add_argument("--every", type=int, default=1, metavar="K", help="show each K-th decision")
    parser.add_argument("--last", type=int, metavar="K", help="show the last K decisions alone")
    parser.add_argument("--verify", action="store_true", help="show nothing, verify alone")
    parser.add_argument("--any-version", action="store_true", help="try what another version of tablezoo played, too")
    chosen = parser.parse_args(arguments)
    try:
        game = None if chosen.game is None else find_game(chosen.game)
        replay = Replay.read(chosen.file, game, any_version=chosen.any_version)
        if chosen.seat is not None:
            integer_of("--seat", chosen.seat, 0, replay.players - 1)
        integer_of("--every", chosen.every, 1, 2**31 - 1)
        if chosen.last is not None:
            integer_of("--last", chosen.last, 0, 2**31 - 1)
    except (ValueError, TypeError) as error:
        return tell(error)
    try:
        if not chosen.verify:
            show(replay, Shown(chosen.seat, chosen.every, chosen.last))
        print(replay.verify() if chosen.verify else replay.verified())
    except (ReplayError, ContentError, OptionError) as error:
        return tell(f"{chosen.file}: {error}")
    return 0
