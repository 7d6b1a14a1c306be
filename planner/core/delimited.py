"""Tables of studies and of others as text: CSV with the separator of any spreadsheet program, read within bounds.

Spreadsheet programs of countries with a decimal comma separate cells by semicolons, and others by tabs: the first line decides.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from planner.core import reading
from planner.core.errors import InputError, Problem
from planner.core.spreadsheet import MAX_ROWS, original

SEPARATORS = (",", ";", "\t")

_STATED = re.compile(r'"?sep=([,;\t|])"?', re.IGNORECASE)


def separator(header: str) -> str:
    """Return what separates the cells of a table, by its first line.

    Examples
    --------
    >>> separator("cable;a_device;b_device"), separator("cable,a_device"), separator("cable")
    (';', ',', ',')
    """
    return max(SEPARATORS, key=header.count)


class Table:
    """A table: the names of its columns, and its rows, which can be read once.

    Parameters
    ----------
    text
        Content of the file.
    file
        Name of the file, for messages.
    comments
        Whether rows that begin with ``#`` are left out.
    max_rows
        Maximum number of lines.
    key
        Key or option that names the file, for messages.

    Attributes
    ----------
    header
        Names of the columns, without spaces around them; empty for an empty text.
    line
        Line of the header.
    separator
        Character between cells.

    Raises
    ------
    InputError
        When the first line is no CSV.
    """

    def __init__(self, text: str, file: str, *, comments: bool = False, max_rows: int = MAX_ROWS, key: str = ""):
        self.file, self.key, self._max_rows = file, key, max_rows
        lines = text.splitlines()
        # Some programs state the separator in a line of its own.
        found = _STATED.fullmatch(lines[0].strip()) if lines else None
        stated = found[1] if found else ""
        first = next((line for line in lines[bool(stated) :] if line.strip() and not (comments and line.startswith("#"))), "")
        self.separator = stated or separator(first)
        self._comments = comments
        self._reader = csv.reader(io.StringIO(text, newline=""), delimiter=self.separator, strict=True)
        self._rows = self._read()
        if stated:
            next(self._rows, None)
        self.line, cells = next(self._rows, (0, []))
        self.header = tuple(cells)

    def require(self, names: Iterable[str], remedy: str = "") -> None:
        """Require columns of these names, once each.

        Raises
        ------
        InputError
            With all that are missing or there twice.
        """
        names = list(names)
        missing = [name for name in names if name not in self.header]
        twice = [name for name in names if self.header.count(name) > 1]
        message = f"has no column {', '.join(missing)}" if missing else f"has the column {', '.join(twice)} twice"
        if missing or twice:
            remedy = remedy or f"the first line names the columns: {', '.join(names)}"
            raise InputError(Problem(self.key or "header", message, remedy, self.file, self.line))

    def rows(self) -> Iterator[tuple[int, list[str]]]:
        """Yield line and cells of each row that is not empty, without spaces around them.

        Raises
        ------
        InputError
            When a row is no CSV, or there are too many.
        """
        return self._rows

    def records(self) -> Iterator[tuple[int, dict[str, str]]]:
        """Yield line and cells of each row by the names of the columns; missing ones are empty.

        Raises
        ------
        InputError
            As `rows`, and when a row has more cells than there are columns.
        """
        for line, cells in self._rows:
            if any(cells[len(self.header) :]):
                message = f"has {len(cells)} cells for {len(self.header)} columns"
                remedy = f"put cells with the separator {self.separator!r} in them between quotes"
                raise InputError(Problem(self.key, message, remedy, self.file, line))
            cells += [""] * (len(self.header) - len(cells))
            yield line, dict(zip(self.header, cells, strict=False))

    def _read(self) -> Iterator[tuple[int, list[str]]]:
        try:
            for cells in self._reader:
                line = self._reader.line_num
                if line > self._max_rows:
                    raise InputError(Problem(self.key, f"has more than {self._max_rows:,} rows", "split the file", self.file))
                if self._comments and cells and cells[0].startswith("#"):
                    continue
                found = [original(cell.strip()) for cell in cells]
                if any(found):
                    yield line, found
        except csv.Error as error:
            line = self._reader.line_num
            raise InputError(Problem(self.key, f"is not CSV: {error}", "correct the line", self.file, line)) from None


def read(
    path: Path, *, comments: bool = False, max_bytes: int = reading.MAX_BYTES, max_rows: int = MAX_ROWS, key: str = ""
) -> Table:
    """Return the table in a file; parameters as for `Table`.

    Raises
    ------
    InputError
        When there is no such file, it is not text, or its first line is no CSV.
    """
    return Table(reading.text(path, max_bytes), str(path), comments=comments, max_rows=max_rows, key=key)
