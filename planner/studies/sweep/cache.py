"""Stages shared between runs of a sweep, cached in the memory of a worker and, if expensive, in a folder."""

from __future__ import annotations

import contextlib
import os
from collections import OrderedDict
from dataclasses import dataclass, fields
from pathlib import Path

import numpy as np

from planner.core import storage
from planner.core.errors import InputError
from planner.core.record import Record
from planner.studies.stage import Stage

MIN_FILE_S = 0.1
"""Minimum computing time of a stage that is stored in a file."""

MEMORY_BYTES = 2**28


class Memory:
    """Least recently used cache of records in this process."""

    def __init__(self, max_bytes: int) -> None:
        self.max_bytes = max_bytes
        self._records: OrderedDict[str, tuple[Record, int]] = OrderedDict()
        self._bytes = 0

    def find(self, key: str) -> Record | None:
        """Return a record and mark it as most recently used."""
        if key not in self._records:
            return None
        self._records.move_to_end(key)
        return self._records[key][0]

    def keep(self, key: str, record: Record) -> None:
        """Add a record and evict the least recently used ones beyond the size limit."""
        self._evict(self._records.pop(key, None))
        size = _bytes(record)
        self._records[key] = record, size
        self._bytes += size
        while self._bytes > self.max_bytes and len(self._records) > 1:
            self._evict(self._records.popitem(last=False)[1])

    def _evict(self, entry: tuple[Record, int] | None) -> None:
        self._bytes -= entry[1] if entry else 0


def _bytes(record: Record) -> int:
    arrays = (getattr(record, spec.name) for spec in fields(record))
    return 4096 + sum(array.nbytes for array in arrays if isinstance(array, np.ndarray))


memory = Memory(MEMORY_BYTES)


@dataclass(frozen=True)
class Cache:
    """A `planner.studies.folder.Store` shared between runs.

    Attributes
    ----------
    folder
        Folder for records of expensive stages; workers on machines without access to it recompute them.
    max_bytes
        Maximum size of the folder; beyond it the least recently used files are removed.
    """

    folder: Path
    max_bytes: int = 4 * 2**30

    def find(self, name: str, stage: Stage, key: str) -> Record | None:
        """Return the record stored under a key, if any."""
        if (recent := memory.find(key)) is not None:
            return recent
        path = self._path(name, key)
        try:
            # The file time is the time of the last use.
            os.utime(path)
            record = storage.restore(stage.record, path)
        except (OSError, InputError):
            return None
        memory.keep(key, record)
        return record

    def reuse(self, name: str) -> None:
        """Do nothing: records are shared, and no plan is stored here."""

    def keep(self, name: str, record: Record, key: str, seconds: float) -> None:
        """Store a record; errors are ignored, since the record can be recomputed."""
        if not getattr(record, "complete", True):
            return
        memory.keep(key, record)
        if seconds >= MIN_FILE_S and self.folder.is_dir():
            with contextlib.suppress(OSError):
                storage.save(record, self._path(name, key))
                self._shrink()

    def _path(self, name: str, key: str) -> Path:
        return self.folder / f"{name}-{key}.npz"

    def _shrink(self) -> None:
        files = sorted((entry.stat().st_mtime_ns, entry.stat().st_size, entry.path) for entry in os.scandir(self.folder))
        excess = sum(size for _, size, _ in files) - self.max_bytes
        for _, size, path in files:
            if excess <= 0:
                return
            Path(path).unlink(missing_ok=True)
            excess -= size
