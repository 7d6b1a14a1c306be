"""CSV files that are safe to open in a spreadsheet, and workbooks read within bounds.

Spreadsheets evaluate a cell that starts with one of `FORMULA`, and names in a plan are untrusted. Such cells are written with a
leading apostrophe, which the readers of this program remove.

References
----------
.. [1] OWASP, "CSV Injection", https://owasp.org/www-community/attacks/CSV_Injection
"""

from __future__ import annotations

import csv
import zipfile
from collections.abc import Iterable, Iterator, Sequence
from io import BytesIO
from pathlib import Path
from typing import Any, TextIO

from planner.errors import InputError, Problem
from planner.units import unit

MAX_BYTES = 2**30
"""Limit of the unpacked size of a workbook."""

MAX_ROWS = 2**20
"""Limit of spreadsheet programs; a file may claim any number of rows."""

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


def opened(path: Path) -> Any:
    """Return a workbook, opened for reading by row; the caller closes it.

    Raises
    ------
    InputError
        When it cannot be read, is damaged or not a workbook, or is too large.
    """
    try:
        import openpyxl
    except ModuleNotFoundError:
        remedy = "pip install 'planner[workbook]'"
        raise InputError(Problem("", "reading workbooks needs the package openpyxl (extra workbook)", remedy)) from None
    try:
        # From memory: the package leaves a file open when it fails.
        content = BytesIO(path.read_bytes())
        with zipfile.ZipFile(content) as archive:
            if (size := sum(part.file_size for part in archive.infolist())) > MAX_BYTES:
                raise ValueError(f"it unpacks to {size / 1e6:,.0f} MB, and the limit is {MAX_BYTES / 1e6:,.0f} MB")
            # Every file of the archive has a checksum: detect damage before reading.
            archive.testzip()
        return openpyxl.load_workbook(content, read_only=True, data_only=True)
    except OSError as error:
        raise InputError(Problem("", f"cannot be read: {error.strerror}", "check the name", str(path))) from None
    except Exception as error:  # the package raises many types for a file that is not a workbook
        raise InputError(
            Problem("", f"is not a workbook, or is damaged: {error}", "take the last copy that opens", str(path))
        ) from None


def lines_of(page: Any) -> Iterator[tuple]:
    """Yield the cells of every row of a sheet.

    Raises
    ------
    InputError
        When the sheet is damaged or too long.
    """
    page.reset_dimensions()
    lines = page.iter_rows(values_only=True)
    for _ in range(MAX_ROWS):
        try:
            line = next(lines)
        except StopIteration:
            return
        except Exception as error:  # the package raises many types for a damaged sheet
            message = f"is damaged: {error}"
            raise InputError(Problem(f"sheet {page.title}", message, "take the last copy that opens")) from None
        yield line
    raise InputError(
        Problem(f"sheet {page.title}", f"has more than {MAX_ROWS:,} rows", "delete the rows below the last row of the plan")
    )
