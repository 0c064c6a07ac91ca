"""Saved batches: one .npz with plain arrays and a JSON header; loading one never runs code."""

from __future__ import annotations

import os
import sys
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from tablezoo.content import NO_CONTENT, ContentSet
from tablezoo.errors import SaveError
from tablezoo.game import Game, load_game
from tablezoo.header import check_header
from tablezoo.keywords import integer_of, one_of
from tablezoo.plain_npz import HEADER, header_of, pack, unpack
from tablezoo.rewards import REWARDS

if TYPE_CHECKING:
    from tablezoo.batch import Batch

FORMAT = "tablezoo-batch"
VERSION = 1

_SETTINGS = ("num_games", "threads", "autoreset", "reward", "illegal")
ILLEGAL = ("error", "lose")

#: What a header must hold, of which kind.
_KEYS = {"game": str, "ref": str, "dtype": str, "settings": dict, "options": dict, "contents": list}


def to_bytes(batch: Batch) -> bytes:
    """Return the whole batch as the bytes of an .npz."""
    header = {
        "format": FORMAT,
        "version": VERSION,
        "game": batch.game.id,
        "ref": batch.game.ref,
        "dtype": _dtype_text(batch.game.state_dtype),
        "settings": {name: getattr(batch, name) for name in _SETTINGS},
        "options": batch.options,
        "contents": [{"name": content.name, "hash": content.hash} for content in batch.contents],
    }
    arrays: dict[str, Any] = {"states": batch.states, "final_states": batch.final_states}
    arrays |= {f"output_{i}": array for i, array in enumerate((*batch._outputs, *batch._results))}
    arrays |= {f"content_{i}": content.record for i, content in enumerate(batch.contents)}
    try:
        return pack(header, arrays, plain)
    except TypeError as error:
        raise SaveError(f"the options {batch.options!r} cannot be written as JSON: {error}") from error


def from_bytes(cls: type[Batch], data: bytes, source: str = "the saved batch") -> Batch:
    """Return the batch that ``to_bytes`` wrote.

    Raises:
        SaveError: the bytes are no save, damaged, of another version, or of a game that does not fit.
    """
    arrays = _arrays(data, source)
    header = _header(arrays, source)
    game = _game(header["ref"], source)
    if game.id != header["game"] or _dtype_text(game.state_dtype) != header["dtype"]:
        raise SaveError(f"{source}: saved by {header['game']}, whose records differ from those of this {game.id}")
    batch = object.__new__(cls)
    batch.game = game
    for name, value in _settings(header, source).items():
        setattr(batch, name, value)
    batch.options = header["options"]
    batch.contents = _contents(game, header, arrays, source)
    if _array(arrays, "states", source).shape != (batch.num_games,):
        raise SaveError(f"{source}: states of shape {arrays['states'].shape}, expected ({batch.num_games},)")
    batch._allocate()
    _fill(batch.states, _array(arrays, "states", source), "states", source)
    _fill(batch.final_states, _array(arrays, "final_states", source), "final_states", source)
    for i, output in enumerate((*batch._outputs, *batch._results)):
        _fill(output, _array(arrays, f"output_{i}", source), f"output_{i}", source)
    _check_records(batch, source)
    batch._refresh()  # the mask says what kernels may be handed: it is taken from the records, not from the file
    return batch


def _settings(header: dict[str, Any], source: str) -> dict[str, Any]:
    """Return the batch's settings, each of a value that a batch can have."""
    given = header["settings"]
    try:
        return {
            "num_games": integer_of("num_games", given["num_games"], 1, 2**31 - 1),
            "threads": integer_of("threads", given["threads"], 1, 1024),
            "autoreset": bool(given["autoreset"]),
            "reward": None if given["reward"] is None else one_of("reward", given["reward"], REWARDS),
            "illegal": one_of("illegal", given["illegal"], ILLEGAL),
        }
    except KeyError as error:
        raise SaveError(f"{source}: its header is damaged: settings without {error}") from None
    except (TypeError, ValueError) as error:
        raise SaveError(f"{source}: its header is damaged: {error}") from error


def _contents(game: Game, header: dict[str, Any], arrays: dict[str, Any], source: str) -> list[ContentSet]:
    """Return the content sets; each a record of this game's, with the hash that the header gives it."""
    dtype = np.dtype(NO_CONTENT if game.content is None else game.content.dtype)
    contents = []
    for i, told in enumerate(header["contents"]):
        record = _array(arrays, f"content_{i}", source)
        if record.dtype != dtype or record.shape != (1,):
            raise SaveError(f"{source}: content_{i} is {record.dtype} of {record.shape}, expected {dtype} of (1,)")
        contents.append(ContentSet(str(told.get("name")), record))
        if contents[i].hash != told.get("hash"):
            raise SaveError(f"{source}: the content set {told.get('name')!r} does not match its hash")
    if not contents:
        raise SaveError(f"{source}: its header is damaged: no content set")
    return contents


def _check_records(batch: Batch, source: str) -> None:
    """Refuse records whose engine's fields no game can have; in ``final_states`` lanes may never have been dealt."""
    finished = batch.final_states[batch.final_states["num_players"] != 0]
    for name, records in (("states", batch.states), ("final_states", finished)):
        try:
            check_header(batch.game, records, len(batch.contents))
        except ValueError as error:
            raise SaveError(f"{source}: {name} that no batch writes: {error}") from error


def _game(ref: str, source: str) -> Game:
    """Return the saved game, of an imported module or installed as a game; a file imports nothing else."""
    installed = {entry.value for entry in metadata.entry_points(group="tablezoo.games")}
    if ref.partition(":")[0] not in sys.modules and ref not in installed:
        raise SaveError(f"{source}: its game {ref!r} is neither imported nor installed; import its package first")
    try:
        return load_game(ref)
    except (ImportError, ValueError) as error:
        raise SaveError(f"{source}: its game {ref!r} cannot be had: {error}") from error


def save(batch: Batch, path: Path) -> None:
    """Write the batch beside ``path`` and move it there: the file is whole or not there."""
    data = to_bytes(batch)
    partial = path.with_name(f"{path.name}.partial-{os.getpid()}")
    partial.write_bytes(data)
    os.replace(partial, path)


def load(cls: type[Batch], path: Path) -> Batch:
    """Return the batch in the file ``path``; see :func:`from_bytes`."""
    return from_bytes(cls, path.read_bytes(), str(path))


def _arrays(data: bytes, source: str) -> dict[str, Any]:
    try:
        return unpack(data)
    except ValueError as error:
        raise SaveError(f"{source}: no save of a batch, or damaged: {error}") from error


def _header(arrays: dict[str, Any], source: str) -> dict[str, Any]:
    _array(arrays, HEADER, source)
    try:
        header = header_of(arrays)
    except ValueError as error:
        raise SaveError(f"{source}: its header is damaged: {error}") from error
    if header.get("format") != FORMAT:
        raise SaveError(f"{source}: no save of a batch")
    if header.get("version") != VERSION:
        raise SaveError(f"{source}: saved in format version {header.get('version')}; this is version {VERSION}")
    for key, kind in _KEYS.items():
        if not isinstance(header.get(key), kind):
            raise SaveError(
                f"{source}: its header is damaged: {key} is {header.get(key)!r}, expected a {kind.__name__}"
            )
    if not all(isinstance(content, dict) for content in header["contents"]):
        raise SaveError(f"{source}: its header is damaged: contents is {header['contents']!r}, expected dicts")
    return header


def _array(arrays: dict[str, Any], name: str, source: str) -> Any:
    if name not in arrays:
        raise SaveError(f"{source}: no save of a batch: {name!r} is missing")
    return arrays[name]


def _fill(target: Any, saved: Any, name: str, source: str) -> None:
    if target.shape != saved.shape or target.dtype != saved.dtype:
        raise SaveError(
            f"{source}: {name} is {saved.dtype} of shape {saved.shape}, expected {target.dtype} of {target.shape}"
        )
    target[...] = saved


def _dtype_text(dtype: np.dtype[Any]) -> str:
    return repr(dtype.descr)


def plain(value: Any) -> Any:
    """Return as JSON has it what options hold beside it: NumPy's integers and arrays, and what has a ``to_json``."""
    if isinstance(value, np.integer):
        return int(value)
    if isinstance(value, np.ndarray):
        return value.tolist()
    if hasattr(value, "to_json"):
        return value.to_json()
    raise TypeError(f"{value!r} is of type {type(value).__name__}")
