"""A trained network as one file, an .npz of plain arrays with a header: reading it runs no code and needs no torch."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tablezoo.game import Game
from tablezoo.plain_npz import HEADER, header_of, pack, unpack

from ..checkpoints import CheckpointError
from ..files import write_whole

FORMAT, VERSION = "tablezoo-policy", 1

Arrays = Mapping[str, NDArray[np.float32]]


@dataclass(frozen=True)
class About:
    """What a file says of its network.

    Attributes:
        game: its id, as in ``mustang_v0``.
        observation_size, num_actions: of the game that it was trained for.
        observation_layout, action_layout: their digests, by which another version's layouts are refused.
        network: ``kind``, as in :data:`agents.settings.NETWORKS`, and what else makes out its shape.
        players: the numbers of players that it was trained for, ascending.
        content, option: the content sets and the game's options that it was trained with.
        command: that trained it; ``seed``, ``steps``: the run's seed, the learner's decisions it had trained.
        trained_at, exported_at: the commits where that was done; None if not known.
        tablezoo: the version that exported it.
        checksum: sha256 over all arrays.
    """

    game: str
    observation_size: int
    num_actions: int
    observation_layout: str
    action_layout: str
    network: dict[str, Any]
    players: list[int]
    content: list[str]
    option: list[str]
    command: str
    seed: int
    steps: int
    trained_at: str | None
    exported_at: str | None
    tablezoo: str
    checksum: str


_KINDS: dict[str, tuple[type, ...]] = {
    "dict[str, Any]": (dict,),
    "list[int]": (list,),
    "list[str]": (list,),
    "str | None": (str, type(None)),
    "str": (str,),
    "int": (int,),
}


@dataclass(frozen=True)
class PolicyFile:
    """A network's arrays and what is said of them.

    Attributes:
        about: the header.
        arrays: float32, by the names that they have in the state of the policy that they come from.
        source: the path, for messages.
    """

    about: About
    arrays: Arrays
    source: str = field(default="the policy", compare=False)

    def to_bytes(self) -> bytes:
        return pack({"format": FORMAT, "version": VERSION, **asdict(self.about)}, dict(sorted(self.arrays.items())))

    def save(self, path: Path) -> None:
        """Write the file; it is there whole or not at all."""
        write_whole(path, self.to_bytes())

    @classmethod
    def load(cls, path: Path) -> PolicyFile:
        """Return what ``save`` wrote.

        Raises:
            CheckpointError: not there, no policy, damaged, of another format version, or changed since it was written.
        """
        if not path.is_file():
            raise CheckpointError(f"{path}: not there; expected a policy (.npz), as python -m agents.export writes it")
        try:
            arrays = unpack(path.read_bytes())
        except (ValueError, OSError) as error:
            raise CheckpointError(f"{path}: no policy, or damaged: {error}") from error
        about = _about(arrays, path)
        weights = {name: array for name, array in arrays.items() if name != HEADER}
        if checksum_of(weights) != about.checksum:
            raise CheckpointError(f"{path}: its arrays do not match the checksum in its header: it was changed")
        return cls(about, weights, str(path))

    def check_game(self, game: Game) -> None:
        """Refuse a game that the network cannot play.

        Raises:
            CheckpointError: of another name or version, or of another layout of observations or actions.
        """
        about = self.about
        if about.game != game.id:
            raise CheckpointError(f"{self.source}: trained for {about.game}, not for {game.id}")
        for what, layout, size, digest in (
            ("observations", game.observation_layout, about.observation_size, about.observation_layout),
            ("actions", game.action_layout, about.num_actions, about.action_layout),
        ):
            if (size, digest) != (layout.size, layout.digest()):
                raise CheckpointError(
                    f"{self.source}: trained on another layout of {what}, that of tablezoo {about.tablezoo} ({digest}, "
                    f"{size} entries); here {game.id} has {layout.digest()}, {layout.size} entries"
                )

    def check_shapes(self, expected: Mapping[str, tuple[int, ...]]) -> None:
        """Refuse arrays that are not those of the network that the header tells of.

        Raises:
            CheckpointError: arrays that are missing, unknown, of another shape or kind, or not finite.
        """
        kind = self.about.network.get("kind")
        missing, unknown = sorted(set(expected) - set(self.arrays)), sorted(set(self.arrays) - set(expected))
        if missing or unknown:
            odd = [
                f"{words}: {', '.join(names)}" for words, names in (("missing", missing), ("unknown", unknown)) if names
            ]
            raise CheckpointError(f"{self.source}: its arrays are not those of a network {kind!r}; {'; '.join(odd)}")
        for name, shape in expected.items():
            array = self.arrays[name]
            if array.shape != shape or array.dtype != np.float32:
                raise CheckpointError(
                    f"{self.source}: {name} is {array.dtype} of {array.shape}, expected float32 of {shape}"
                )
            if not np.isfinite(array).all():
                raise CheckpointError(f"{self.source}: {name} holds numbers that are not finite")


def checksum_of(arrays: Arrays) -> str:
    """Return sha256, in hex digits, over the arrays with their names, kinds and shapes."""
    found = hashlib.sha256()
    for name in sorted(arrays):
        array = arrays[name]
        found.update(repr((name, array.dtype.str, array.shape)).encode())
        found.update(np.ascontiguousarray(array).tobytes())
    return found.hexdigest()


def _about(arrays: Mapping[str, NDArray[Any]], path: Path) -> About:
    try:
        header = header_of(arrays)
    except KeyError:
        raise CheckpointError(f"{path}: no policy: it has no header") from None
    except ValueError as error:
        raise CheckpointError(f"{path}: its header is damaged: {error}") from error
    if header.pop("format", None) != FORMAT:
        raise CheckpointError(f"{path}: no policy, but an .npz of something else")
    version = header.pop("version", None)
    if version != VERSION:
        raise CheckpointError(f"{path}: written in format version {version}; this is version {VERSION}")
    for key in fields(About):
        value = header.get(key.name)
        if key.name not in header or type(value) not in _KINDS[str(key.type)]:
            given = repr(value) if key.name in header else "nothing"
            raise CheckpointError(f"{path}: its header is damaged: {key.name}: expected {key.type}, got {given}")
    players = header["players"]
    if not players or not all(type(count) is int and count > 0 for count in players):
        raise CheckpointError(f"{path}: its header is damaged: players: expected counts of 1 or more, got {players!r}")
    return About(**{key.name: header[key.name] for key in fields(About)})
