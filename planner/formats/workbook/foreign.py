"""Workbooks that are none of this program, and what to give instead."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any

from planner.core.errors import Problem
from planner.core.spreadsheet import lines_of

_ROWS = 60
"""Rows at the beginning of a sheet among which a header is searched for: people write titles above it."""

_KNOWN = (
    (
        {"source", "rack", "location", "destination"},
        "an SHCD of HPE Cray",
        "check what is built against it with: canu validate shcd --shcd FILE --json --out paddle.json, and give paddle.json",
    ),
    (
        {"name", "hca/port", "rack", "u"},
        "a point-to-point workbook of NVIDIA",
        "save its links as CSV with the columns device1, port1, device2, port2, and give that",
    ),
    (
        {"a-node name", "z-node name"},
        "a point-to-point workbook of NVIDIA",
        "save its links as CSV with the columns device1, port1, device2, port2, and give that",
    ),
)
"""Words of a header, in lower case; what the workbook is, and what to give instead."""

_ANY = "give the workbook that the report xlsx wrote, or save its links as CSV with the columns device1, port1, device2, port2"


def foreign(book: Any) -> Problem:
    """Return the problem of a workbook without any sheet of a plan."""
    for words in _headers(book):
        for wanted, what, remedy in _KNOWN:
            if wanted <= words:
                return Problem("", f"is {what}, not the workbook of a plan", remedy)
    names = ", ".join(book.sheetnames[:10])
    return Problem("", f"is not the workbook of a plan: its sheets are {names}", _ANY)


def _headers(book: Any) -> Iterator[set[str]]:
    for name in book.sheetnames[:10]:
        for line in islice(lines_of(book[name]), _ROWS):
            yield {str(cell).strip().casefold() for cell in line if cell is not None}
