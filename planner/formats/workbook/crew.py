"""Workbooks for crews: a summary with links to its sheets, and columns to fill in at the machine."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple

import xlsxwriter

from planner.core.errors import InputError, Problem
from planner.core.spreadsheet import MAX_ROWS, inert

_EPOCH = datetime(2000, 1, 1)
"""Fixed, so that equal contents give equal bytes."""

_WIDEST, _NARROWEST = 60, 7
_LONGEST_TEXT = 32_000
"""A cell holds 32,767 characters."""

_LINE = 15
"""Height of a line of text, in points."""

Cell = str | int | float | None


class CrewSheet(NamedTuple):
    """A sheet: its name, the columns of the plan, those that the crew fills in, and its rows."""

    name: str
    columns: tuple[str, ...]
    crew: tuple[str, ...]
    rows: Sequence[tuple[Cell, ...]]


def write_crew_book(
    path: Path, title: str, blocks: Iterable[Sequence[tuple[str, str]]], sheets: Sequence[CrewSheet], *, remedy: str
) -> None:
    """Write the workbook; it opens on the summary.

    Parameters
    ----------
    blocks
        Names and texts of the summary, in groups.
    remedy
        What to do where a sheet is too long.

    Raises
    ------
    InputError
        When a sheet is longer than a spreadsheet can be.
    """
    if too_long := [sheet for sheet in sheets if len(sheet.rows) >= MAX_ROWS]:
        raise InputError([Problem(f"sheet {sheet.name}", f"{len(sheet.rows):,} rows are too many", remedy) for sheet in too_long])
    # Text stays text: a name that begins with = is not a formula, and no name is a link.
    options = {"constant_memory": True, "strings_to_formulas": False, "strings_to_urls": False, "strings_to_numbers": False}
    book = xlsxwriter.Workbook(str(path), options)
    book.set_properties({"title": title[:200], "created": _EPOCH})
    looks = _Looks(book)
    _summary(book.add_worksheet("summary"), title, blocks, sheets, looks)
    for sheet in sheets:
        _fill(book.add_worksheet(sheet.name), sheet, looks)
    book.close()


class _Looks:
    """Formats of cells."""

    def __init__(self, book: Any) -> None:
        self.title = book.add_format({"bold": True, "font_size": 16, "font_color": "#14507A"})
        self.header = book.add_format({"bold": True, "bg_color": "#DCE8F1", "bottom": 1, "text_wrap": True, "valign": "top"})
        self.crew_header = book.add_format({"bold": True, "bg_color": "#FCE9B6", "bottom": 1, "text_wrap": True, "valign": "top"})
        self.crew = book.add_format({"bg_color": "#FFFBEF", "border": 1, "border_color": "#D9D2BC", "valign": "top"})
        self.text = book.add_format({"text_wrap": True, "valign": "top"})
        self.number = book.add_format({"num_format": "#,##0.##", "valign": "top"})
        self.whole = book.add_format({"num_format": "#,##0", "valign": "top", "align": "center"})
        self.strong = book.add_format({"bold": True, "valign": "top"})
        self.link = book.add_format({"font_color": "#14507A", "underline": 1})


def _summary(
    page: Any, title: str, blocks: Iterable[Sequence[tuple[str, str]]], sheets: Iterable[CrewSheet], looks: _Looks
) -> None:
    """Write the facts, and what each sheet holds."""
    page.hide_gridlines(2)
    page.set_column(0, 0, 26)
    page.set_column(1, 1, 100)
    page.set_landscape()
    page.fit_to_pages(1, 0)
    page.write_string(0, 0, _text(title), looks.title)
    line = 2
    for block in filter(None, blocks):
        for name, value in block:
            page.write_string(line, 0, _text(name), looks.strong)
            page.write_string(line, 1, _text(value), looks.text)
            line += 1
        line += 1
    for sheet in sheets:
        page.write_url(line, 0, f"internal:'{sheet.name}'!A1", looks.link, sheet.name)
        page.write_string(line, 1, f"{len(sheet.rows):,} rows{'; yellow columns are for the crew' if sheet.crew else ''}")
        line += 1


def _fill(page: Any, sheet: CrewSheet, looks: _Looks) -> None:
    columns = (*sheet.columns, *sheet.crew)
    page.freeze_panes(1, 1)
    page.set_landscape()
    page.set_paper(9)
    page.fit_to_pages(1, 0)
    page.repeat_rows(0)
    page.set_header(f"&C{sheet.name}")
    page.set_footer("&Rpage &P of &N")
    page.ignore_errors({"number_stored_as_text": "A1:XFD1048576"})
    page.autofilter(0, 0, max(len(sheet.rows), 1), len(columns) - 1)
    widths = [_width(sheet, place) for place in range(len(columns))]
    for place, width in enumerate(widths):
        page.set_column(place, place, width, looks.crew if sheet.rows and place >= len(sheet.columns) else None)
    # Formats of columns reach beyond the last row.
    page.print_area(0, 0, len(sheet.rows), len(columns) - 1)
    page.set_row(0, 2 * _LINE)
    for place, title in enumerate(columns):
        page.write_string(0, place, title, looks.header if place < len(sheet.columns) else looks.crew_header)
    if sheet.rows:
        for place, name in enumerate(sheet.crew, len(sheet.columns)):
            if name in ("done", "rescanned"):
                page.data_validation(1, place, len(sheet.rows), place, {"validate": "list", "source": ["yes", "no"]})
    for line, row in enumerate(sheet.rows, 1):
        # Not every program fits heights to wrapped text by itself.
        lines = max(-(-len(str(value)) // max(1, width - 2)) for value, width in zip(row, widths, strict=False))
        page.set_row(line, _LINE * max(1, lines))
        for place, value in enumerate(row):
            if isinstance(value, str):
                if value:
                    page.write_string(line, place, _text(value), looks.text)
            elif value is not None:
                page.write_number(line, place, value, looks.whole if isinstance(value, int) else looks.number)


def _width(sheet: CrewSheet, place: int) -> int:
    if place >= len(sheet.columns):
        return 14
    longest = max((len(str(row[place])) for row in sheet.rows[:2000] if row[place] is not None), default=0)
    return min(max(longest + 2, len(max(sheet.columns[place].split(), key=len)) + 3, _NARROWEST), _WIDEST)


def _text(text: str) -> str:
    return inert(text[:_LONGEST_TEXT])
