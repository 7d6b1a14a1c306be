"""Reading a workbook: typed tables, or everything that is wrong with it."""

from __future__ import annotations

import zipfile
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import Any

from planner.errors import InputError, Problem
from planner.workbook._cells import Wrong, reader_of
from planner.workbook._headers import places
from planner.workbook._whole import missing_rows, wrong_labels
from planner.workbook.columns import SHEETS, Column, Sheet

MOST_BYTES = 2**30
"""A workbook that unpacks to more is refused."""

MAX_ROWS = 2**20
"""Rows of a sheet, the limit of spreadsheet programs; a file may claim any number."""

_NAMED = 20
"""Problems of one kind in one column that are named one by one."""


@dataclass(frozen=True)
class Table:
    """One sheet.

    Attributes
    ----------
    columns
        Values of each column by its machine name, all of the same length. Text is never None; where no number, date or
        text that may be a number stands, it is None; columns of yes and no hold True and False.
    lines
        Line of the sheet that each row stands in, from 1.
    """

    columns: dict[str, tuple]
    lines: tuple[int, ...]

    def __len__(self) -> int:
        return len(self.lines)

    def rows(self, *names: str) -> Iterator[tuple]:
        """Yield the rows, of these columns if any are named."""
        return zip(*(self.columns[name] for name in names or self.columns), strict=True)


@dataclass(frozen=True)
class Workbook:
    """A workbook as it came back.

    Attributes
    ----------
    about
        What the sheet `plan` says: ``name``, ``title``, ``plan`` (the plan's fingerprint) and ``planner`` (the version).
    tables
        Every other sheet by its name; rows in the order of their keys, where they have whole numbers as keys.
    """

    about: dict[str, Any]
    tables: dict[str, Table]


def read(path: str | Path) -> Workbook:
    """Read a workbook that the report ``xlsx`` wrote and people filled in.

    Rows may be sorted, filtered and colored, and columns of the reader's own may stand beside ours.

    Raises
    ------
    InputError
        With everything that is wrong: no workbook at all; sheets or columns that are missing or renamed; rows that are
        missing, there twice or not of this plan; labels that were changed; cells that hold the wrong kind of thing.
    """
    path = Path(path)
    book = _opened(path)
    tables, problems = {}, []
    with closing(book):
        for sheet in SHEETS.values():
            if sheet.name not in book.sheetnames:
                remedy = f"copy it back from the workbook as it was written; there are {', '.join(book.sheetnames)}"
                problems.append(Problem(f"sheet {sheet.name}", "is missing", remedy))
                continue
            table, wrong = _table(_lines(book[sheet.name]), sheet)
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


def _opened(path: Path) -> Any:
    try:
        import openpyxl
    except ModuleNotFoundError:
        remedy = "pip install 'planner[workbook]'"
        raise InputError(Problem("", "reading workbooks needs the package openpyxl (extra workbook)", remedy)) from None
    try:
        # From memory: the package leaves a file open where it fails half way.
        held = BytesIO(path.read_bytes())
        with zipfile.ZipFile(held) as archive:
            if (size := sum(part.file_size for part in archive.infolist())) > MOST_BYTES:
                raise ValueError(f"it unpacks to {size / 1e6:,.0f} MB, and the limit is {MOST_BYTES / 1e6:,.0f} MB")
            # Every part has a check sum: what was damaged on the way is found before anything is believed.
            archive.testzip()
        return openpyxl.load_workbook(held, read_only=True, data_only=True)
    except OSError as error:
        raise InputError(Problem("", f"cannot be read: {error.strerror}", "check the name", str(path))) from None
    except Exception as error:  # whatever the package makes of a file that is none
        raise InputError(
            Problem("", f"is no workbook, or a damaged one: {error}", "take the last copy that opens", str(path))
        ) from None


def _lines(page: Any) -> Iterator[tuple]:
    """Yield the cells of every row of a sheet."""
    page.reset_dimensions()
    lines = page.iter_rows(values_only=True)
    for _ in range(MAX_ROWS):
        try:
            line = next(lines)
        except StopIteration:
            return
        except Exception as error:  # whatever the package makes of a broken sheet
            message = f"is damaged: {error}"
            raise InputError(Problem(f"sheet {page.title}", message, "take the last copy that opens")) from None
        yield line
    raise InputError(Problem(f"sheet {page.title}", f"has more than {MAX_ROWS:,} rows", "delete the rows below the last of ours"))


def _table(lines: Iterator[tuple], sheet: Sheet) -> tuple[Table | None, list[Problem]]:
    """The sheet's table and what is wrong with it; no table where columns cannot be told."""
    names, headers = next(lines, ()), next(lines, ())
    place_of, problems = places(sheet, names, headers)
    if len(place_of) < len(sheet.columns):
        return None, problems
    own = [(column, place_of[column.name], reader_of(column.content)) for column in sheet.columns]
    values: list[list] = [[] for _ in own]
    found: list[int] = []
    wrong = _Wrong(sheet)
    # Equal values share one object: most columns hold few different ones.
    known: dict[Any, Any] = {}
    for line, cells in enumerate(lines, 3):
        if all(cell is None or cell == "" for cell in cells):
            continue
        found.append(line)
        for column, (spec, place, convert) in zip(values, own, strict=True):
            try:
                value = convert(cells[place] if place < len(cells) else None)
            except Wrong as error:
                wrong.add(spec, place, line, error)
                value = None
            column.append(known.setdefault((value.__class__, value), value))
    order = range(len(found))
    if sheet.keys:
        keys = list(zip(*values[: sheet.keys], strict=True))
        wrong.twice(keys, found)
        if sheet.columns[0].content == "whole":
            order = sorted(order, key=lambda row: (keys[row][0] is None, keys[row][0] or 0))
    columns = {column.name: tuple(own[row] for row in order) for column, own in zip(sheet.columns, values, strict=True)}
    return Table(columns, tuple(found[row] for row in order)), [*problems, *wrong.problems()]


class _Wrong:
    """What is wrong with cells and rows of a sheet, by kind."""

    def __init__(self, sheet: Sheet):
        self._sheet = sheet
        self._found: dict[tuple[str, str], list[Problem]] = {}

    def add(self, column: Column, place: int, line: int, error: Wrong) -> None:
        where = f"sheet {self._sheet.name}, cell {_letters(place)}{line} ({column.header})"
        self._note((column.name, error.kind), Problem(where, str(error), error.remedy))

    def twice(self, keys: list[tuple], lines: list[int]) -> None:
        """Note the rows whose keys have stood before."""
        first: dict[tuple, int] = {}
        words = [column.header for column in self._sheet.columns[: self._sheet.keys]]
        for key, line in zip(keys, lines, strict=True):
            if line == first.setdefault(key, line) or None in key:
                continue
            name = ", ".join(f"{word} {value}" for word, value in zip(words, key, strict=True))
            message = f"{name} stands already in row {first[key]}"
            self._note(("", "twice"), Problem(f"sheet {self._sheet.name}, row {line}", message, "delete one of the two"))

    def _note(self, kind: tuple[str, str], problem: Problem) -> None:
        self._found.setdefault(kind, []).append(problem)

    def problems(self) -> Iterator[Problem]:
        for found in self._found.values():
            yield from found[:_NAMED]
            if len(found) > _NAMED:
                yield Problem(f"sheet {self._sheet.name}", f"{len(found) - _NAMED} more like the one above")


def _letters(place: int) -> str:
    """The name of a column: A, B … Z, AA …

    >>> _letters(0), _letters(27)
    ('A', 'AB')
    """
    text = ""
    place += 1
    while place:
        place, rest = divmod(place - 1, 26)
        text = chr(65 + rest) + text
    return text
