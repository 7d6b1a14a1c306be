"""Tables of a plan: each column is declared once, for CSV, workbook, paper, web page, graphs and docs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np

from planner.core import units
from planner.core.spreadsheet import in_cells
from planner.domain.model import Plan

Content = Literal["text", "note", "name", "whole", "number", "figure", "date", "tick"]
"""Type of a column: text, handwritten text or name, whole numbers, numbers, numbers or text, dates, or yes and no."""

Place = Literal["file", "paper", "page", "card", "graph"]
"""Where a column is shown: CSV and workbook; the PDF; the tables of the web page; the web page of one object; GraphML."""

FILE_AND_PAGE: tuple[Place, ...] = ("file", "page")
"""Files, and the tables of the web page."""

EVERYWHERE: tuple[Place, ...] = ("file", "paper", "page")
"""Files, paper, and the tables of the web page."""

_LARGEST = 1.79769313486231e308
"""Largest number of 15 digits."""


@dataclass(frozen=True)
class Column:
    """One column.

    Attributes
    ----------
    name
        Machine-readable name, with its unit.
    heading
        Title without the unit.
    meaning
        Description in the docs.
    of
        Function from the table's data to the values of all rows; None for a column that the crew fills in.
    content
        Type of its cells.
    unit
        Unit of its numbers in files.
    kind
        Kind of quantity for people, where that of the unit is another.
    shown
        Where it is shown.
    short
        Title on paper and on the web page, where it differs.
    decimals
        Decimals on paper and on the web page, in the common unit there; by default those of the unit.
    align
        Alignment on paper; by default numbers are at the right.
    firm
        Whether paper never breaks its words while there is room.
    width
        Width in the workbook, in characters; by default that of the heading.
    collapsed
        Whether the workbook hides it at first.
    run_part
        The component of the run length, in words, where the column is one.
    link
        Kind of object that the cell names on the web page.
    named
        Whether only plans whose networks have names have it, or only those of one network without a name; by default all.
    kept
        Whether only plans that keep an older one have it.
    later
        Whether workbooks were written without it at first: one that lacks the column is read with empty cells.
    array, side
        Array of the web page with the values, and the end of the cable for arrays of both ends; by default an array of its own.
    """

    name: str
    heading: str
    meaning: str
    of: Callable[[Any], Iterable[Any]] | None = None
    content: Content = "text"
    unit: str = ""
    kind: str = ""
    shown: tuple[Place, ...] = ("file",)
    short: str = ""
    decimals: int | None = None
    align: Literal["left", "right", "center"] | None = None
    firm: bool = False
    width: int | None = None
    collapsed: bool = False
    run_part: str = ""
    link: str = ""
    named: bool | None = None
    kept: bool = False
    later: bool = False
    array: str = ""
    side: int | None = None

    @property
    def crew(self) -> bool:
        """Whether the crew fills it in."""
        return self.of is None

    @property
    def header(self) -> str:
        """Title in the workbook, with the common unit.

        >>> Column("run_mm", "run length", "", unit="mm").header
        'run length (m)'
        """
        unit = self.common[2]
        return f"{self.heading} ({unit})" if unit else self.heading

    @property
    def cell_name(self) -> str:
        """Machine-readable name in the workbook, with the common unit.

        >>> Column("run_mm", "run length", "", content="whole", unit="mm").cell_name
        'run_m'
        """
        return in_cells(self.name)[0] if self.content == "whole" else self.name

    @property
    def divisor(self) -> float:
        """Divisor from the unit of files to that of the workbook; numbers other than whole ones have the unit of files."""
        return in_cells(self.name)[1] if self.content == "whole" else 1

    @property
    def is_number(self) -> bool:
        return self.content in ("whole", "number")

    @property
    def title(self) -> str:
        """Title on paper and on the web page, with the common unit.

        >>> Column("run_mm", "run length", "", unit="mm", short="run").title
        'run (m)'
        """
        return units.heading(self.short or self.heading, self.kind or self.unit)

    @property
    def common(self) -> tuple[float, int, str]:
        """Divisor from the unit of files to the common unit, decimals, and the common unit."""
        own = units.unit(self.kind or self.unit)
        return own.size, own.decimals if self.decimals is None else self.decimals, own.name

    def printed(self, value: Any) -> str:
        """Return a cell as text for people."""
        if not self.is_number or value is None:
            return "" if value is None else str(value)
        return units.amount(value, self.kind or self.unit, self.decimals)


@dataclass(frozen=True)
class Table:
    """One table: a sheet of the workbook.

    Attributes
    ----------
    name
        Name of the sheet.
    meaning
        What a row is, in the docs.
    data
        Function from a plan to the data that the columns read; None where the plan lacks them.
    columns
        Columns in the order of the files.
    keys
        Number of columns, from the first, that together identify a row; 0 where rows have no key.
    named
        As that of columns.
    """

    name: str
    meaning: str
    data: Callable[[Plan], Any]
    columns: tuple[Column, ...]
    keys: int = 0
    named: bool | None = None

    def of(self, named: bool, kept: bool = False) -> Table:
        """Return the table of plans whose networks have names or not, and that keep an older plan or not."""
        own = (column for column in self.columns if column.named in (None, named) and (kept or not column.kept))
        return replace(self, columns=tuple(own))

    def on(self, place: Place) -> tuple[Column, ...]:
        """Return the columns that are shown in one place."""
        return tuple(column for column in self.columns if place in column.shown)

    @property
    def planned(self) -> tuple[Column, ...]:
        """The columns of files that the plan fills."""
        return tuple(column for column in self.on("file") if not column.crew)

    def cells(self, data: Any, columns: Sequence[Column]) -> list[list[Any]]:
        """Return the cells of some columns; empty columns where there is no data.

        Cells are as they are read back from a workbook: None for empty cells other than text, numbers to 15 digits.
        """
        return [[] if data is None else _cells(column, data) for column in columns]

    def rows(self, plan: Plan, columns: Sequence[Column] | None = None) -> list[tuple[Any, ...]]:
        """Return the rows of the planned columns, or of those given."""
        return list(zip(*self.cells(self.data(plan), self.planned if columns is None else columns), strict=True))

    def count(self, plan: Plan) -> int:
        """Return the number of rows."""
        return len(self.cells(self.data(plan), self.columns[:1])[0])


def each(of: Callable[[Any], Any]) -> Callable[[Iterable[Any]], list[Any]]:
    """Return the function that gives the value of each row of a list."""
    return lambda rows: [of(row) for row in rows]


KEPT, NEW, REPLACED = "kept", "new", "replaced"
"""What becomes of cables and devices in a plan that keeps an older one."""


def kept_or_new(of: Callable[[Any], Iterable[Any]], meaning: str) -> Column:
    """Return the column of plans that keep an older one: what is there already."""
    return Column("kept", "kept or new", meaning, of, shown=(*EVERYWHERE, "card"), short="kept", kept=True, firm=True)


def installed(**options: Any) -> Column:
    """Return the column in which the crew ticks off equipment."""
    return Column("installed", "installed", "filled in by the crew: yes, or empty", content="tick", **options)


REMARK = Column("remark", "remark", "filled in by the crew: any text", content="note", width=40)
"""Column for notes of the crew."""


def _cells(column: Column, data: Any) -> list[Any]:
    assert column.of is not None
    found = column.of(data)
    values = found.tolist() if isinstance(found, np.ndarray) else list(found)
    # Cells of the right type are read as they are.
    if set(map(type, values)) == {_TYPES.get(column.content)}:
        return values
    read = _READ[column.content]
    return [read(value) for value in values]


def _text(value: Any) -> str:
    return "" if value is None else str(value)


def _whole(value: Any) -> int | None:
    return None if value is None else int(value)


def _number(value: Any) -> float | str | None:
    """Return numbers to the 15 digits that spreadsheets keep; NaN and infinity as text."""
    if value is None or value == "":
        return None
    if not np.isfinite(value):
        return str(float(value))
    # The very largest numbers would be rounded up to infinity.
    return min(max(float(f"{float(value):.15g}"), -_LARGEST), _LARGEST)


def _figure(value: Any) -> float | int | str | None:
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    return _number(value) if isinstance(value, float) and np.isfinite(value) else _text(value)


_READ: dict[str, Callable[[Any], Any]] = {"text": _text, "whole": _whole, "number": _number, "figure": _figure}

_TYPES: dict[str, type] = {"text": str, "whole": int}
"""Types of cells that need no reading."""
