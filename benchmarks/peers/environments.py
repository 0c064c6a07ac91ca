"""An environment for each library, made once from its pins: the libraries' requirements clash."""

from __future__ import annotations

import hashlib
import os
import platform
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from benchmarks.peers.catalogue import Peer
from benchmarks.peers.words import reason

#: Where a finished environment's digest lies, in its folder.
_READY = ".ready"

_LIMIT_S = 1800


class InstallError(Exception):
    """A library could not be installed; the message tells why, and where all that the installer printed is."""


def prepare(peer: Peer, folder: Path, progress: Callable[[str], None]) -> Path:
    """Return the Python of a library's environment; made below ``folder`` unless it is there, from the same pins.

    Raises:
        InstallError
    """
    place = folder / peer.name
    python = place / "bin" / "python"
    digest = digest_of(peer)
    ready = place / _READY
    if ready.is_file() and ready.read_text() == digest:
        return python
    progress(f"making the environment of {peer.title}, once")
    shutil.rmtree(place, ignore_errors=True)
    folder.mkdir(parents=True, exist_ok=True)
    log = folder / f"{peer.name}.log"
    run([sys.executable, "-m", "venv", str(place)], log)
    run([str(python), "-m", "pip", "install", "--no-deps", "--requirement", str(peer.pins)], log, peer.build)
    ready.write_text(digest)
    return python


def digest_of(peer: Peer) -> str:
    """Return what tells an environment from one that other pins or another Python would make."""
    told = [peer.pins.read_text(), repr(sorted(peer.build.items())), sys.executable, platform.python_version()]
    return hashlib.sha256("\n".join(told).encode()).hexdigest()


def run(command: Sequence[str], log: Path, variables: Mapping[str, str] | None = None) -> None:
    """Run a step of an installation; what it prints goes into ``log``.

    Raises:
        InstallError
    """
    with log.open("w", encoding="utf-8") as printed:
        try:
            done = subprocess.run(
                command,
                env={**os.environ, **(variables or {})},
                stdout=printed,
                stderr=subprocess.STDOUT,
                timeout=_LIMIT_S,
            )
        except subprocess.TimeoutExpired:
            raise InstallError(f"not done after {_LIMIT_S} s: {log}") from None
    if done.returncode != 0:
        raise InstallError(f"{reason(log.read_text(encoding='utf-8', errors='replace'))} (in full: {log})")
