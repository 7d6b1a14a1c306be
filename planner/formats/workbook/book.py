"""Workbooks and zip archives, written row by row; their bytes depend on their content only."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple

from planner.core.spreadsheet import Writer

_EPOCH = datetime(2000, 1, 1)
"""Fixed, so that equal plans give equal bytes."""

_ROWS = 1_048_575
"""Rows of a worksheet below its header; more continue on another sheet."""

_EARLIEST = (1980, 1, 1, 0, 0, 0)
"""The earliest date of the zip format."""


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
        page, written = _opened(book, sheet, header, False), 0
        for row in sheet.rows:
            if written == _ROWS:
                page, written = _opened(book, sheet, header, True), 0
            written += 1
            page.write_row(written, 0, row)
    book.close()


def _opened(book: Any, sheet: Sheet, header: Any, again: bool) -> Any:
    name = f"{sheet.name} {sum(each.name.startswith(sheet.name) for each in book.worksheets()) + 1}" if again else sheet.name
    place = book.add_worksheet(name)
    for number, column in enumerate(sheet.columns):
        place.set_column(number, number, max(9, len(column) + 4))
    place.freeze_panes(1, 0)
    place.write_row(0, 0, sheet.columns, header)
    return place


def archive(path: Path, files: Mapping[str, Iterable[str]]) -> None:
    """Write an archive of text files, each given as its lines without their ends."""
    with zipfile.ZipFile(path, "w") as book:
        for name in sorted(files):
            entry = zipfile.ZipInfo(name, _EARLIEST)
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
