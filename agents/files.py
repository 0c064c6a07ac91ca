"""Files that are there whole or not at all."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any


def write_whole(path: Path, data: str | bytes) -> None:
    """Write a file, of text or of bytes, that is there whole or not at all."""
    partial = path.with_name(f"{path.name}.partial-{os.getpid()}")
    partial.write_bytes(data.encode() if isinstance(data, str) else data)
    os.replace(partial, path)


def write_json(path: Path, data: Any) -> None:
    """Write a JSON file that is there whole or not at all."""
    write_whole(path, json.dumps(data, indent=2) + "\n")
