"""Temporary folders that do not outlive their process: what one leaves that was killed, the next one removes."""

from __future__ import annotations

import fcntl
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

_PREFIX = "planner-work-"


class Scratch:
    """A temporary folder; `close` removes it.

    Attributes
    ----------
    path
        The folder.
    """

    def __init__(self) -> None:
        _remove_leftovers()
        self.path, self._lock = _locked()

    def close(self) -> None:
        """Remove the folder with all files in it."""
        shutil.rmtree(self.path, ignore_errors=True)
        with suppress(OSError):
            os.close(self._lock)
        self._lock = -1


def _locked() -> tuple[Path, int]:
    """Return a new folder and its lock, which distinguishes it from leftovers: it is released when the process ends."""
    while True:
        path = Path(tempfile.mkdtemp(prefix=_PREFIX))
        try:
            lock = os.open(path, os.O_RDONLY)
        except FileNotFoundError:
            continue
        fcntl.flock(lock, fcntl.LOCK_EX)
        # Another process may have taken it for a leftover before it was locked.
        if path.is_dir():
            return path, lock
        os.close(lock)


@contextmanager
def folder() -> Iterator[Path]:
    """Yield a temporary folder, which is removed after the block."""
    made = Scratch()
    try:
        yield made.path
    finally:
        made.close()


def _remove_leftovers() -> None:
    """Remove folders of processes that have ended, as far as they are ours."""
    for path in Path(tempfile.gettempdir()).glob(f"{_PREFIX}*"):
        try:
            if path.is_symlink() or path.stat().st_uid != os.getuid():
                continue
            handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_DIRECTORY)
        except OSError:
            continue
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            shutil.rmtree(path, ignore_errors=True)
        except OSError:
            pass
        finally:
            os.close(handle)
