"""Tables that a study names, read again."""

from __future__ import annotations

import csv
from pathlib import Path


def rows_of(path: str) -> list[dict[str, str]]:
    """Return the rows of a table by the names of its columns; the first line shows whether semicolons or tabs separate cells."""
    lines = Path(path).read_text(encoding="utf-8-sig").split("\n")
    if lines[0].startswith("sep="):
        lines.pop(0)
    while lines and not lines[0].strip():
        lines.pop(0)
    found = {mark: lines[0].count(mark) for mark in (",", ";", "\t")} if lines else {",": 0}
    read = csv.DictReader(lines, delimiter=max(found, key=lambda mark: found[mark]))
    return [{key.strip(): (text or "").strip() for key, text in line.items() if key} for line in read]
