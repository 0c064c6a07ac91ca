"""One tiny run for all tests that need a checkpoint, and the signal handlers as they were."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from .helpers import train


@pytest.fixture(autouse=True)
def _handlers() -> Iterator[None]:
    """The command line turns SIGTERM into Ctrl-C."""
    before = signal.getsignal(signal.SIGTERM)
    yield
    signal.signal(signal.SIGTERM, before)


@pytest.fixture(scope="session")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a finished run of 512 steps, for reading only."""
    folder = tmp_path_factory.mktemp("finished") / "run"
    before = signal.getsignal(signal.SIGTERM)
    assert train(folder, "--steps", "512") == 0
    signal.signal(signal.SIGTERM, before)
    return folder


@pytest.fixture
def run_folder(finished: Path, tmp_path: Path) -> Path:
    """A copy of the finished run, for changing."""
    folder = tmp_path / "run"
    (folder / "tensorboard").mkdir(parents=True)
    for file in finished.iterdir():
        if file.is_file():
            (folder / file.name).write_bytes(file.read_bytes())
    return folder
