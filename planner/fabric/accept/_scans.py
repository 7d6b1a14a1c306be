"""Discovery files of an acceptance: format, time and hash."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from pathlib import Path

from planner.core.errors import InputError, Problem
from planner.fabric.accept._record import ScanFile
from planner.fabric.verify.result import Source


def scan_files(paths: Sequence[Path], sources: Iterable[Source] = ()) -> list[ScanFile]:
    """Return name, formats, time and hash of discovery files, folders and archives.

    Parameters
    ----------
    sources
        What was read from them; of several, the first and the last time.

    Raises
    ------
    InputError
        When a file cannot be read.
    """
    found = []
    listed = list(sources)
    for path in paths:
        own = [each for each in listed if each.file == str(path) or each.file.startswith((f"{path}:", f"{path}/"))]
        formats = ", ".join(sorted({each.format for each in own}))
        times = sorted({each.taken for each in own} - {""})
        taken = " to ".join(dict.fromkeys(times[:1] + times[-1:]))
        found.append(ScanFile(path.name, formats, taken, "" if path.is_dir() else _hash(path)))
    return found


def _hash(path: Path) -> str:
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise InputError(Problem("", f"cannot be read: {error.strerror}", "check the name", str(path))) from None
