"""A pickled value whose large arrays worker processes share: they are written to a file once and mapped by every worker."""

from __future__ import annotations

import mmap
import os
import pickle
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

SHARED_BYTES = 2**20
"""Minimum size of an array that is shared."""

FOLDERS = (Path("/dev/shm"),)
"""Folders in memory, tried before the one for temporary files."""

_ALIGNED = 64


@dataclass(frozen=True)
class _Parcel:
    path: str
    pickled: bytes
    """The value without its large arrays."""
    places: tuple[tuple[int, int], ...]
    """First byte and end of each large array in the file."""


@contextmanager
def packed(value: Any) -> Iterator[bytes]:
    """Yield the pickle of a value, which `unpacked` reads while the context lasts.

    Each worker has its own copy of what it changes in the arrays. Where no folder has space, the pickle contains the arrays.
    """
    large: list[memoryview] = []

    def is_small(buffer: pickle.PickleBuffer) -> bool:
        raw = buffer.raw()
        if raw.nbytes >= SHARED_BYTES:
            large.append(raw)
        return raw.nbytes < SHARED_BYTES

    pickled = pickle.dumps(value, pickle.HIGHEST_PROTOCOL, buffer_callback=is_small)
    file = _written(large) if large else None
    if file is None:
        yield pickle.dumps(value, pickle.HIGHEST_PROTOCOL) if large else pickled
        return
    path, places = file
    try:
        yield pickle.dumps(_Parcel(path, pickled, places), pickle.HIGHEST_PROTOCOL)
    finally:
        # Workers that have mapped the file keep its content.
        with suppress(OSError):
            os.unlink(path)


def unpacked(blob: bytes) -> Any:
    """Return a value from the pickle that `packed` yielded; its large arrays are read from the file when they are accessed."""
    value = pickle.loads(blob)
    if not isinstance(value, _Parcel):
        return value
    with open(value.path, "rb") as file:
        content = memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_COPY))
    return pickle.loads(value.pickled, buffers=[content[first:end] for first, end in value.places])


def _written(arrays: list[memoryview]) -> tuple[str, tuple[tuple[int, int], ...]] | None:
    """Write arrays to a new file; return its path and their places, or None if no folder has space."""
    for folder in (*FOLDERS, Path(tempfile.gettempdir())):
        if not folder.is_dir():
            continue
        path, places = "", []
        try:
            number, path = tempfile.mkstemp(prefix="planner-", dir=folder)
            with open(number, "wb") as file:
                for array in arrays:
                    file.write(bytes(-file.tell() % _ALIGNED))
                    places.append((file.tell(), file.tell() + array.nbytes))
                    file.write(array)
        except OSError:
            with suppress(OSError):
                os.unlink(path)
            continue
        return path, tuple(places)
    return None
