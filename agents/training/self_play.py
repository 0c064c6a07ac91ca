"""Training against oneself: a pool of past snapshots and fixed rivals, of which the hard ones are met most often."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sb3_contrib import MaskablePPO

from tablezoo.game import Game
from tablezoo.policies import Policy, Pool
from tablezoo.seats import SeatGames

from ..checkpoints import CheckpointError, read_json
from ..export import policy_file
from ..files import write_json
from ..opponents import parse_agent, rivals_of
from ..policies.numpy_policy import NumpyPolicy
from ..pretrained import SUFFIX
from ..settings import Settings

FOLDER, STATE = "snapshots", "self_play.json"

#: How a snapshot's name begins; behind it stand its steps.
_SNAPSHOT = "step_"
#: A record forgets: it tells of about so many games.
_MEMORY = 200
#: How often the easiest one is still drawn, against one that wins every game.
_LEAST = 0.02


@dataclass
class Record:
    """What the learner got of its games against one opponent, older games counting less.

    Attributes:
        games: how many count; won: the wins among them, in even shares: with P players a win counts P / 2.
    """

    games: float = 1.0
    won: float = 0.5

    def add(self, share: float, players: int) -> None:
        """Count a game in, of which the learner won ``share``."""
        kept = 1 - 1 / _MEMORY
        self.games = self.games * kept + 1
        self.won = self.won * kept + share * players / 2

    @property
    def weight(self) -> float:
        """How often the opponent is drawn: the more the harder it is (as in Vinyals et al. 2019)."""
        return max(1 - self.won / self.games, 0.0) ** 2 + _LEAST


class SelfPlay:
    """The opponents of a run that plays against itself.

    Before the first snapshot these are the fixed rivals alone. A snapshot is a file that plays with NumPy alone, in the
    run's folder. Where the pool is full, the easiest of its snapshots makes room; its file stays.

    Args:
        settings: of the run; ``opponent`` names the rivals, as in ``self:greedy,search:50``.
        folder: the run's.
        game: what is played.

    Attributes:
        members: who is in the pool, by name, and the learner's record against each; rivals first.
    """

    def __init__(self, settings: Settings, folder: Path, game: Game) -> None:
        self.settings = settings
        self.folder = folder
        self.game = game
        rivals = [parse_agent(text, game) for text in rivals_of(settings.opponent) or ()]
        self._policies: dict[str, Policy] = {rival.name: rival for rival in rivals}
        if len(self._policies) < len(rivals):
            raise ValueError(f"--opponent {settings.opponent!r}: two rivals are called alike")
        if taken := [name for name in self._policies if name.startswith(_SNAPSHOT)]:
            raise ValueError(
                f"--opponent {settings.opponent!r}: {taken[0]} is a snapshot's name; give the file another"
            )
        self._rivals = set(self._policies)
        self.members = {name: Record() for name in self._policies}
        self.newest = 0

    def pool(self) -> Pool:
        """Return what ``opponents=`` takes now."""
        return Pool([self._policies[name] for name in self.members], [one.weight for one in self.members.values()])

    def count(self, outcomes: Sequence[Mapping[str, Any]]) -> None:
        """Count the games in that ended, by the ``info`` of :class:`tablezoo.sb3.SeatVecEnv`."""
        for info in outcomes:
            for name in set(info["opponents"]) & set(self.members):
                self.members[name].add(info["won"], len(info["winners"]))

    def move_on(self, model: MaskablePPO, games: SeatGames) -> None:
        """Take a snapshot where it is time for one, and have the next deals' opponents drawn by the records."""
        steps = int(model.num_timesteps)
        if steps - self.newest >= self.settings.snapshot_every:
            self._take_snapshot(model, steps)
        games.set_opponents(self.pool())

    def save(self) -> None:
        """Write the records beside the run's checkpoints."""
        records = {name: [record.games, record.won] for name, record in self.members.items()}
        write_json(self.folder / STATE, {"members": records})

    def restore(self, steps: int) -> None:
        """Go on with what was saved at a checkpoint of so many steps; newer snapshots are deleted.

        Raises:
            CheckpointError: the records or a snapshot are missing or damaged.
        """
        path = self.folder / STATE
        told = read_json(path)
        try:
            records = {str(name): _record(*pair) for name, pair in told["members"].items()}
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise CheckpointError(f"{path}: expected the records of a run against itself: {error}") from error
        for name, record in records.items():
            if name in self._rivals:
                self.members[name] = record
            elif (taken := _steps_of(name)) <= steps:
                self._add(NumpyPolicy.load(self._file(taken), self.game), record)
        self.forget(steps)

    def forget(self, steps: int) -> None:
        """Delete the snapshots taken after so many steps: a run that went back does not come to them again."""
        for path in self.files():
            if _steps_of(path.stem) > steps:
                path.unlink()

    def files(self) -> list[Path]:
        """Return the files of all snapshots, those that made room included, the first one first."""
        return sorted((self.folder / FOLDER).glob(f"{_SNAPSHOT}*{SUFFIX}"))

    def _take_snapshot(self, model: MaskablePPO, steps: int) -> None:
        file = policy_file(model, self.game, self.settings.to_json(), self.settings.players)
        path = self._file(steps)
        path.parent.mkdir(exist_ok=True)
        file.save(path)
        own = [name for name in self.members if name not in self._rivals]
        if len(own) >= self.settings.snapshots:
            easiest = min(own, key=lambda name: self.members[name].weight)
            del self.members[easiest], self._policies[easiest]
        self._add(NumpyPolicy.load(path, self.game), Record())

    def _add(self, snapshot: NumpyPolicy, record: Record) -> None:
        self._policies[snapshot.name] = snapshot
        self.members[snapshot.name] = record
        self.newest = max(self.newest, _steps_of(snapshot.name))

    def _file(self, steps: int) -> Path:
        return self.folder / FOLDER / f"{_SNAPSHOT}{steps:010d}{SUFFIX}"


def _record(games: float, won: float) -> Record:
    if not 1 <= games < math.inf or not 0 <= won < math.inf:
        raise ValueError(f"a record of {won!r} in {games!r} games")
    return Record(float(games), float(won))


def _steps_of(name: str) -> int:
    """Return the steps in a snapshot's name.

    Raises:
        CheckpointError: the name is no snapshot's.
    """
    digits = name.removeprefix(_SNAPSHOT)
    if digits == name or not digits.isdecimal():
        raise CheckpointError(f"{STATE}: {name!r} is neither a rival of this run nor a snapshot")
    return int(digits)
