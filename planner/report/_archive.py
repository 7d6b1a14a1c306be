"""Several files as one zip archive whose bytes depend on their content only."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from planner.spreadsheet import Writer

_EPOCH = (1980, 1, 1, 0, 0, 0)
"""The earliest date of the zip format."""


def archive(path: Path, files: Mapping[str, Iterable[str]]) -> None:
    """Write an archive of text files, each given as its lines without their ends."""
    with zipfile.ZipFile(path, "w") as book:
        for name in sorted(files):
            entry = zipfile.ZipInfo(name, _EPOCH)
            entry.compress_type, entry.create_system, entry.external_attr = zipfile.ZIP_DEFLATED, 3, 0o644 << 16
            with book.open(entry, "w", force_zip64=True) as raw, io.TextIOWrapper(raw, encoding="utf-8", newline="") as file:
                file.writelines(line + "\n" for line in files[name])


def csv_lines(columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> Iterable[str]:
    """Yield the lines of a table as comma-separated text."""
    yield _line(columns)
    for row in rows:
        yield _line(row)


def _line(row: Sequence[Any]) -> str:
    text = io.StringIO()
    Writer(text, end="").writerow(row)
    return text.getvalue()
