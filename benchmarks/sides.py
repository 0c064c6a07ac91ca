"""A revision, or the working tree, made ready to be measured: files, environment and cache of its own."""

from __future__ import annotations

import io
import json
import os
import shutil
import subprocess
import sys
import tarfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

#: Beside what the package itself needs: for the Stable-Baselines3 face.
_NEEDED = "stable-baselines3"

#: How much of what a failed command printed is told.
_LINES_TOLD = 12


class SideError(RuntimeError):
    """A command failed; the message holds the end of what it printed."""


class Side:
    """A folder with the files of one state of the project (``tree``), an environment, and a cache of compiled code.

    Environment and cache stay for the next time; :meth:`remove_files` removes the rest.
    """

    def __init__(self, name: str, folder: Path) -> None:
        self.name = name
        self.tree = folder / "tree"
        self._cache = folder / "cache"
        self._environment = folder / f"python{sys.version_info.major}.{sys.version_info.minor}"

    def lay_revision(self, repository: Path, commit: str) -> None:
        """Lay the files of a commit."""
        self._make_tree()
        archive = _output(["git", "archive", "--format=tar", commit], repository)
        with tarfile.open(fileobj=io.BytesIO(archive)) as files:
            files.extractall(self.tree, filter="data")

    def lay_working_tree(self, repository: Path) -> None:
        """Lay the files as they are now, with what is not committed, without what git ignores."""
        self._make_tree()
        listed = _output(["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], repository)
        for name in listed.decode().split("\0"):
            source = repository / name
            if name and source.is_file():  # a file that was deleted is listed still
                target = self.tree / name
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(source, target)

    def install(self) -> None:
        """Make the environment, or bring it to the versions that the files ask for."""
        if not self._python.exists():
            _output([sys.executable, "-m", "venv", str(self._environment)], self.tree)
        self._pip("setuptools")
        self._pip("--no-build-isolation", "--editable", ".", _NEEDED)

    def measure(self, arguments: Sequence[str]) -> list[dict[str, Any]]:
        """Run this side's own throughput benchmark in a new process; return its rows."""
        command = [str(self._python), "-m", "benchmarks.throughput", *arguments, "--no-starts", "--json"]
        rows: list[dict[str, Any]] = json.loads(_output(command, self.tree, NUMBA_CACHE_DIR=str(self._cache)))
        return rows

    def remove_files(self) -> None:
        """Remove the files that were laid."""
        if self.tree.exists():
            shutil.rmtree(self.tree)

    @property
    def _python(self) -> Path:
        return self._environment / ("Scripts" if os.name == "nt" else "bin") / "python"

    def _make_tree(self) -> None:
        self.remove_files()  # a run that was killed left them
        self.tree.mkdir(parents=True)

    def _pip(self, *what: str) -> None:
        command = [str(self._python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        _output([*command, "--constraint", "constraints.txt", *what], self.tree)


def commit_of(repository: Path, revision: str) -> str:
    """Return the full name of the commit that a revision means.

    Raises:
        ValueError: there is no such revision.
    """
    try:
        found = _output(["git", "rev-parse", "--verify", "--end-of-options", f"{revision}^{{commit}}"], repository)
    except SideError as error:
        raise ValueError(f"no revision {revision!r} here: {str(error).splitlines()[-1]}") from error
    return found.decode().strip()


def describe_commit(repository: Path, commit: str) -> str:
    """Return a commit's short name, day and subject."""
    return _output(["git", "log", "-1", "--format=%h, %cs, %s", commit], repository).decode().strip()


def count_changes(repository: Path) -> int:
    """Return how many files of the working tree are not as in its last commit."""
    return len(_output(["git", "status", "--porcelain"], repository).splitlines())


def _output(command: Sequence[str], folder: Path, **variables: str) -> bytes:
    """Run a command in a folder, without the caller's Python settings; return its standard output.

    Raises:
        SideError: it cannot be run, or failed.
    """
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    try:
        done = subprocess.run(command, cwd=folder, env={**inherited, **variables}, capture_output=True)
    except OSError as error:
        raise SideError(f"{command[0]} cannot be run: {error}") from error
    if done.returncode != 0:
        told = done.stderr.decode(errors="replace").strip().splitlines()[-_LINES_TOLD:]
        raise SideError("\n".join([f"{' '.join(command)} failed in {folder}:", *told]))
    return done.stdout
