"""One process at a time in a run's folder."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from .checkpoints import CheckpointError

LOCK = "lock"


class FolderLock:
    """A file in a run's folder that holds the number of the process that writes there.

    The system's lock on the file says whether that process still lives: one that a kill left behind is taken over.
    Windows has no such lock: there nothing is locked.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._file = -1

    def take(self) -> None:
        """Take the folder, which is there.

        Raises:
            CheckpointError: another process, or another run of this one, has it.
        """
        if sys.platform == "win32":
            return
        import fcntl

        path = self.folder / LOCK
        while self._file < 0:
            file = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                owner = os.read(file, 20).decode().strip() or "unknown"
                os.close(file)
                raise CheckpointError(f"{self.folder} is in use by process {owner}") from None
            if _is_at(file, path):
                self._file = file
            else:
                os.close(file)  # its owner removed it between the two calls
        os.truncate(self._file, 0)
        os.write(self._file, f"{os.getpid()}\n".encode())

    def give_back(self) -> None:
        """Remove the file, if it is this one's."""
        if self._file >= 0:
            path = self.folder / LOCK
            if _is_at(self._file, path):
                path.unlink()  # while it is locked: nobody else has begun with it
            os.close(self._file)
            self._file = -1


def _is_at(file: int, path: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(file), path.stat())
    except FileNotFoundError:
        return False
