"""Workbooks that are written row by row, in constant memory."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple

_EPOCH = datetime(2000, 1, 1)
"""Fixed, so that equal plans give equal bytes."""

_ROWS = 1_048_575
"""Rows of a worksheet below its header; more continue on another sheet."""


class Sheet(NamedTuple):
    """A table of a workbook."""

    name: str
    columns: Sequence[str]
    rows: Iterable[Sequence[Any]]


def write_book(path: Path, title: str, sheets: Iterable[Sheet]) -> None:
    """Write a workbook; text that begins with = or looks like an address stays text."""
    import xlsxwriter

    options = {"constant_memory": True, "strings_to_formulas": False, "strings_to_urls": False}
    book = xlsxwriter.Workbook(str(path), options)
    book.set_properties({"title": title, "created": _EPOCH})
    header = book.add_format({"bold": True, "bg_color": "#DCE8F1", "bottom": 1})
    for sheet in sheets:
        place, written = None, _ROWS
        for row in sheet.rows:
            if written == _ROWS:
                place, written = _opened(book, sheet, header, place is not None), 0
            written += 1
            place.write_row(written, 0, row)
        if place is None:
            _opened(book, sheet, header, False)
    book.close()


def _opened(book: Any, sheet: Sheet, header: Any, again: bool) -> Any:
    name = f"{sheet.name} {sum(each.name.startswith(sheet.name) for each in book.worksheets()) + 1}" if again else sheet.name
    place = book.add_worksheet(name)
    for number, column in enumerate(sheet.columns):
        place.set_column(number, number, max(9, len(column) + 4))
    place.freeze_panes(1, 0)
    place.write_row(0, 0, sheet.columns, header)
    return place
