"""An .npz of plain arrays with a JSON header: writing one, and reading one without running code."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tablezoo.plain_json import parse_json

HEADER = "header"


def pack(
    header: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]], default: Callable[[Any], Any] | None = None
) -> bytes:
    """Return the bytes of an .npz, the same ones for the same content.

    Args:
        header: written as JSON; ``default`` turns into plain values what JSON does not know.
        arrays: by name; none is called ``header``, none holds objects.

    Raises:
        TypeError: something in the header that JSON cannot hold.
    """
    text = json.dumps(header, default=default)
    stream = io.BytesIO()
    named: dict[str, Any] = {HEADER: np.frombuffer(text.encode(), np.uint8), **arrays}
    np.savez_compressed(stream, **named)
    return stream.getvalue()


def unpack(data: bytes) -> dict[str, NDArray[Any]]:
    """Return all arrays of an .npz, the header's bytes among them.

    Raises:
        ValueError: no .npz, damaged, or with something in it that is no plain array.
    """
    if not zipfile.is_zipfile(io.BytesIO(data)):
        raise ValueError("not an .npz")
    try:
        with np.load(io.BytesIO(data), allow_pickle=False) as archive:
            arrays = {name: archive[name] for name in archive.files}
    except (ValueError, OSError, EOFError, zipfile.BadZipFile) as error:
        raise ValueError(str(error)) from error
    except Exception as error:  # zlib.error and what else a damaged archive can raise
        raise ValueError(f"{type(error).__name__}: {error}") from error
    odd = [name for name, array in arrays.items() if not isinstance(array, np.ndarray)]
    if odd:
        raise ValueError(f"{odd[0]!r} is no array")
    return arrays


def header_of(arrays: Mapping[str, NDArray[Any]]) -> dict[str, Any]:
    """Return the header among the arrays of an .npz.

    Raises:
        KeyError: there is none.
        ValueError: no JSON object.
    """
    header = parse_json(arrays[HEADER].tobytes())
    if not isinstance(header, dict):
        raise ValueError("expected a JSON object")
    return header
