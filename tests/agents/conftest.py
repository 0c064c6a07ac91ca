"""One tiny run for all tests that need a checkpoint."""

from __future__ import annotations

from pathlib import Path

import pytest

from .helpers import train


@pytest.fixture(scope="session")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a finished run of 512 steps, for reading only."""
    folder = tmp_path_factory.mktemp("finished") / "run"
    assert train(folder, "--steps", "512") == 0
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
