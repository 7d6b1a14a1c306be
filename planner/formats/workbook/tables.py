"""Reading of a workbook: typed tables, or a list of all problems."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from planner.core.errors import InputError, Problem
from planner.core.spreadsheet import lines_of, opened
from planner.core.units import known, using
from planner.formats.workbook.cells import Invalid, positions, reader_of
from planner.formats.workbook.whole import missing_rows, wrong_labels
from planner.view.tables import ABOUT, DEVICES, KEEPS, SOME, Column
from planner.view.tables import Table as Sheet
from planner.view.tables import tables as sheets

_NOWHERE = 2**30
"""Place of a column that the sheet does not have: its cells are empty."""

_NAMED = 20
"""Maximum number of problems of one kind in one column that are listed individually."""

_HEADER_ROWS = 60
"""Rows at the beginning of a sheet among which a header is searched for: people write titles above it."""

_FOREIGN = (
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

_REMEDY = "give the workbook that the report xlsx wrote, or save its links as CSV with the columns device1, port1, device2, port2"


@dataclass(frozen=True)
class Table:
    """One sheet.

    Attributes
    ----------
    columns
        Values of each column by its machine-readable name, all of the same length. Empty numbers and dates are None, empty
        text is ""; columns of yes and no are True or False.
    lines
        Line of each row in the sheet, from 1.
    """

    columns: dict[str, tuple]
    lines: tuple[int, ...]

    def __len__(self) -> int:
        return len(self.lines)

    def rows(self, *names: str) -> Iterator[tuple]:
        """Yield the rows, with the named columns or all."""
        return zip(*(self.columns[name] for name in names or self.columns), strict=True)


@dataclass(frozen=True)
class Workbook:
    """A workbook that was filled in.

    Attributes
    ----------
    about
        Content of the sheet `plan`: ``name``, ``title``, ``plan`` (the plan's fingerprint), ``planner`` (the version), and
        ``selection`` where the workbook covers a part of the plan, and ``units`` where they are not metric.
    tables
        Every other sheet by its name; rows sorted by key where keys are whole numbers.
    """

    about: dict[str, Any]
    tables: dict[str, Table]


def read(path: str | Path) -> Workbook:
    """Read a workbook that the report ``xlsx`` wrote and people filled in.

    Rows may be sorted, filtered and colored, and users may add columns.

    Raises
    ------
    InputError
        With all problems: not a workbook; missing or renamed sheets or columns; missing or duplicate rows, or rows of
        another plan; changed labels; cells with values of the wrong type.
    """
    path = Path(path)
    with closing(opened(path)) as book, using(_units(book)):
        return _read(book, path)


def _units(book: Any) -> str:
    """Return the units that the sheet of the plan states; metric where it states none."""
    if ABOUT.name in book.sheetnames:
        found = {str(line[0]): line[1] for line in lines_of(book[ABOUT.name]) if len(line) > 1}
        return known(found.get("units"))
    return known(None)


def _read(book: Any, path: Path) -> Workbook:
    if not {ABOUT.name, "cables", "cabinets", "ports"} & set(book.sheetnames):
        raise InputError(_foreign(book)).located(str(path))
    tables, problems = {}, []
    listed = {str(line[0]) for line in lines_of(book[ABOUT.name]) if line} if ABOUT.name in book.sheetnames else set()
    wanted = sheets(named=DEVICES.name in book.sheetnames, kept=KEEPS in listed)
    if "selection" in listed:
        wanted = {name: sheet for name, sheet in wanted.items() if f"rows: {name}" in listed or name == ABOUT.name}
    # Sheets that this workbook has although others do not.
    known = wanted | {name: table for name, table in SOME.items() if name in book.sheetnames}
    for sheet in known.values():
        if sheet.name not in book.sheetnames:
            remedy = f"copy it from the original workbook; there are {', '.join(book.sheetnames)}"
            problems.append(Problem(f"sheet {sheet.name}", "is missing", remedy))
            continue
        table, wrong = _table(lines_of(book[sheet.name]), sheet)
        problems += wrong
        if table is not None:
            tables[sheet.name] = table
    about = dict(tables["plan"].rows("item", "value")) if "plan" in tables else {}
    problems += missing_rows(about, tables)
    if {"cables", "ports"} <= tables.keys():
        problems += wrong_labels(tables["cables"], tables["ports"])
    if problems:
        raise InputError(problems).located(str(path))
    about = {item: value for item, value in about.items() if not item.startswith("rows: ")}
    return Workbook(about, {name: table for name, table in tables.items() if name != "plan"})


def _table(lines: Iterator[tuple], sheet: Sheet) -> tuple[Table | None, list[Problem]]:
    """Return the sheet's table and its problems; no table where columns cannot be identified."""
    names, headers = next(lines, ()), next(lines, ())
    place_of, problems = positions(sheet, names, headers)
    if any(column.name not in place_of and not column.later for column in sheet.on("file")) or not place_of:
        return None, problems
    own = [(column, place_of.get(column.name, _NOWHERE), reader_of(column)) for column in sheet.on("file")]
    values: list[list] = [[] for _ in own]
    found: list[int] = []
    wrong = _Wrong(sheet)
    # Equal values share one object: columns usually have few distinct values.
    known: dict[Any, Any] = {}
    for line, cells in enumerate(lines, 3):
        if all(cell is None or cell == "" for cell in cells):
            continue
        found.append(line)
        for column, (spec, place, convert) in zip(values, own, strict=True):
            try:
                value = convert(cells[place] if place < len(cells) else None)
            except Invalid as error:
                wrong.add(spec, place, line, error)
                value = None
            column.append(known.setdefault((value.__class__, value), value))
    order: Sequence[int] = range(len(found))
    if sheet.keys:
        keys = list(zip(*values[: sheet.keys], strict=True))
        wrong.twice(keys, found)
        if sheet.columns[0].content == "whole":
            order = sorted(order, key=lambda row: (keys[row][0] is None, keys[row][0] or 0))
    columns = {column.name: tuple(own[row] for row in order) for column, own in zip(sheet.on("file"), values, strict=True)}
    return Table(columns, tuple(found[row] for row in order)), [*problems, *wrong.problems()]


class _Wrong:
    """Problems of cells and rows of a sheet, by kind."""

    def __init__(self, sheet: Sheet):
        self._sheet = sheet
        self._found: dict[tuple[str, str], list[Problem]] = {}

    def add(self, column: Column, place: int, line: int, error: Invalid) -> None:
        where = f"sheet {self._sheet.name}, cell {_letters(place)}{line} ({column.header})"
        self._note((column.name, error.kind), Problem(where, str(error), error.remedy))

    def twice(self, keys: list[tuple], lines: list[int]) -> None:
        """Note the rows with duplicate keys."""
        first: dict[tuple, int] = {}
        words = [column.header for column in self._sheet.columns[: self._sheet.keys]]
        for key, line in zip(keys, lines, strict=True):
            if line == first.setdefault(key, line) or None in key:
                continue
            name = ", ".join(f"{word} {value}" for word, value in zip(words, key, strict=True))
            message = f"{name} is already in row {first[key]}"
            self._note(("", "twice"), Problem(f"sheet {self._sheet.name}, row {line}", message, "delete one of the two"))

    def _note(self, kind: tuple[str, str], problem: Problem) -> None:
        self._found.setdefault(kind, []).append(problem)

    def problems(self) -> Iterator[Problem]:
        for found in self._found.values():
            yield from found[:_NAMED]
            if len(found) > _NAMED:
                yield Problem(f"sheet {self._sheet.name}", f"{len(found) - _NAMED} more like the one above")


def _letters(place: int) -> str:
    """Return the name of a column: A, B … Z, AA …

    >>> _letters(0), _letters(27)
    ('A', 'AB')
    """
    text = ""
    place += 1
    while place:
        place, rest = divmod(place - 1, 26)
        text = chr(65 + rest) + text
    return text


def _foreign(book: Any) -> Problem:
    """Return the problem of a workbook without any sheet of a plan."""
    for words in _headers(book):
        for wanted, what, remedy in _FOREIGN:
            if wanted <= words:
                return Problem("", f"is {what}, not the workbook of a plan", remedy)
    names = ", ".join(book.sheetnames[:10])
    return Problem("", f"is not the workbook of a plan: its sheets are {names}", _REMEDY)


def _headers(book: Any) -> Iterator[set[str]]:
    for name in book.sheetnames[:10]:
        for line in islice(lines_of(book[name]), _HEADER_ROWS):
            yield {str(cell).strip().casefold() for cell in line if cell is not None}
