"""Temporary folders that do not outlive their process: what one leaves that was killed, the next one removes."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from planner.core.locks import lock

_PREFIX = "planner-work-"
_MEMORY = Path("/dev/shm")


class Scratch:
    """A temporary folder; `close` removes it.

    Parameters
    ----------
    in_memory
        Whether it is kept in memory where that has a file system: the disks may be full.

    Attributes
    ----------
    path
        The folder.
    """

    def __init__(self, *, in_memory: bool = False) -> None:
        remove_leftovers()
        self.path, self._lock = _locked(_MEMORY if in_memory and os.access(_MEMORY, os.W_OK) else None)

    def close(self) -> None:
        """Remove the folder with all files in it."""
        shutil.rmtree(self.path, ignore_errors=True)
        with suppress(OSError):
            os.close(self._lock)
        self._lock = -1


def _locked(place: Path | None) -> tuple[Path, int]:
    """Return a new folder and its lock, which distinguishes it from leftovers: it is released when the process ends."""
    while True:
        path = Path(tempfile.mkdtemp(prefix=_PREFIX, dir=place))
        try:
            handle = os.open(path, os.O_RDONLY)
        except FileNotFoundError:
            continue
        lock(handle)
        # Another process may have taken it for a leftover before it was locked.
        if path.is_dir():
            return path, handle
        os.close(handle)


@contextmanager
def folder() -> Iterator[Path]:
    """Yield a temporary folder, which is removed after the block."""
    made = Scratch()
    try:
        yield made.path
    finally:
        made.close()


def remove_leftovers() -> None:
    """Remove folders of processes that have ended, as far as they are ours."""
    places = [_MEMORY]
    with suppress(OSError):
        # Where every disk is full there is none.
        places.append(Path(tempfile.gettempdir()))
    for path in (path for place in places for path in place.glob(f"{_PREFIX}*")):
        try:
            if path.is_symlink() or path.stat().st_uid != os.getuid():
                continue
            handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_DIRECTORY)
        except OSError:
            continue
        try:
            lock(handle, wait=False)
            shutil.rmtree(path, ignore_errors=True)
        except OSError:
            pass
        finally:
            os.close(handle)
