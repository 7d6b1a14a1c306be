"""CSV files that are safe to open in a spreadsheet, and workbooks read within bounds.

Spreadsheets evaluate a cell that starts with one of `FORMULA`, and names in a plan are untrusted. Such cells are written with a
leading apostrophe, which the readers of this program remove.

References
----------
.. [1] OWASP, "CSV Injection", https://owasp.org/www-community/attacks/CSV_Injection
"""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, TextIO

from python_calamine import CalamineWorkbook

from planner.core.errors import InputError, Problem
from planner.core.sheets import unpacked
from planner.core.units import unit

MAX_BYTES = 2**29
"""Limit of the unpacked size of a workbook; that of a plan with 50,000 cables unpacks to 100 MB."""

MAX_CELLS = 2**25
"""Limit of rows times columns of a sheet: the library has room for each, whatever is in it."""

MAX_ROWS = 2**20
"""Limit of spreadsheet programs; a file may claim any number of rows."""

_EXACT = 2.0**53
"""Whole numbers below this are exact."""

FORMULA = frozenset("=+-@\t\r\n＝＋－＠")
"""First characters that start a formula in some spreadsheet, including full-width forms."""

_EXAMINED = FORMULA | {"'"}
"""First characters of cells that may start with a formula after apostrophes."""

_KINDS = {"mm": "mm", "mm2": "mm²", "um": "µm", "um2": "µm²", "mw": "mW", "g": "g", "ps": "ps", "cents": "cents"}
"""Kinds of quantities by the last word of the names of columns of whole numbers."""


def in_cells(name: str) -> tuple[str, float]:
    """Return the name of a column of whole numbers in workbooks, and the divisor from its unit in plans to that in cells.

    Both follow the system of units in use.

    Examples
    --------
    >>> in_cells("run_mm"), in_cells("unit_cents"), in_cells("cable")
    (('run_m', 1000), ('unit_price', 100), ('cable', 1))
    """
    head, _, last = name.rpartition("_")
    if last not in _KINDS:
        return name, 1
    own = unit(_KINDS[last])
    return f"{head}_{own.suffix}" if head else own.suffix, own.size


class Writer:
    """Writes rows in which no text is a formula.

    Parameters
    ----------
    file
        Output file, opened with ``newline=""``.
    end
        Line terminator.
    """

    def __init__(self, file: TextIO, end: str = "\n") -> None:
        self._writer = csv.writer(file, lineterminator=end)

    def writerow(self, row: Iterable[Any]) -> None:
        """Write one row."""
        self._writer.writerow([inert(cell) for cell in row])

    def writerows(self, rows: Iterable[Iterable[Any]]) -> None:
        """Write several rows."""
        self._writer.writerows([inert(cell) for cell in row] for row in rows)

    def writecolumns(self, columns: Iterable[Sequence[Any]], chosen: Iterable[int]) -> None:
        """Write the chosen rows of some columns, which is faster than row by row."""
        rows = list(zip(*map(_all_inert, columns), strict=True))
        self._writer.writerows(rows[number] for number in chosen)


def inert(cell: Any) -> Any:
    """Return a cell that no spreadsheet evaluates; numbers are unchanged.

    Examples
    --------
    >>> inert("=1+1"), inert(-5), inert("-5.0"), inert("A-1")
    ("'=1+1", -5, '-5.0', 'A-1')
    """
    if not isinstance(cell, str) or cell.lstrip("'")[:1] not in FORMULA or not cell:
        return cell
    return cell if _is_number(cell) else f"'{cell}"


def _all_inert(column: Sequence[Any]) -> Sequence[Any]:
    """Return a column with the cells that `inert` returns."""
    if not any(issubclass(kind, str) for kind in set(map(type, column))):
        return column
    # Few cells need a closer look, such as negative numbers.
    return [cell if type(cell) is str and cell[:1] not in _EXAMINED else inert(cell) for cell in column]


def original(text: str) -> str:
    """Return the original text of an escaped cell.

    Examples
    --------
    >>> original("'=1+1"), original("'quoted'")
    ('=1+1', "'quoted'")
    """
    return text[1:] if text.startswith("'") and text.lstrip("'")[:1] in FORMULA and text.lstrip("'") else text


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return text.isascii()


class Page:
    """A sheet of a workbook: its title, and the cells of each row from the first one of the sheet."""

    def __init__(self, title: str, rows: Callable[[], Iterable[list[Any]]], errors: dict[tuple[int, int], str]):
        self.title, self.rows, self.errors = title, rows, errors


class Book:
    """A workbook that was opened for reading."""

    def __init__(self, book: Any, errors: dict[str, dict[tuple[int, int], str]]):
        self.sheetnames: list[str] = book.sheet_names
        self._book, self._errors = book, errors

    def __getitem__(self, name: str) -> Page:
        def rows() -> Iterable[list[Any]]:
            return self._book.get_sheet_by_name(name).to_python(skip_empty_area=False)

        return Page(name, rows, self._errors.get(name, {}))

    def close(self) -> None:
        """Release the content."""
        self._book.close()


def opened(path: Path) -> Book:
    """Return a workbook for reading by row; the caller closes it.

    Values are those that the spreadsheet program computed last; formulas are not evaluated.

    Raises
    ------
    InputError
        When it cannot be read, is damaged or not a workbook, or is too large.
    """
    try:
        content, errors = unpacked(path.read_bytes(), MAX_BYTES, MAX_CELLS)
        return Book(CalamineWorkbook.from_object(content), errors)
    except OSError as error:
        raise InputError(Problem("", f"cannot be read: {error.strerror}", "check the name", str(path))) from None
    except Exception as error:  # a file that is not a workbook raises many types
        raise InputError(
            Problem("", f"is not a workbook, or is damaged: {error}", "take the last copy that opens", str(path))
        ) from None


def lines_of(page: Page) -> Iterator[tuple]:
    """Yield the cells of every row of a sheet; empty ones are None, whole numbers int, and errors text such as ``#REF!``.

    Raises
    ------
    InputError
        When the sheet is damaged or too long.
    """
    try:
        rows = page.rows()
    except Exception as error:  # the package raises many types for a damaged sheet
        message = f"is damaged: {error}"
        raise InputError(Problem(f"sheet {page.title}", message, "take the last copy that opens")) from None
    for number, row in enumerate(rows):
        if number >= MAX_ROWS:
            message = f"has more than {MAX_ROWS:,} rows"
            raise InputError(Problem(f"sheet {page.title}", message, "delete the rows below the last row of the plan"))
        cells = tuple(
            None if cell == "" else int(cell) if cell.__class__ is float and cell % 1 == 0 and -_EXACT < cell < _EXACT else cell
            for cell in row
        )
        if page.errors:
            cells = tuple(page.errors.get((number, place), cell) for place, cell in enumerate(cells))
        yield cells
