"""The cells of a sheet: columns identified by their headers, values converted."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from datetime import date, datetime
from functools import partial
from typing import Any

from planner.core import names
from planner.core.errors import Problem, suggestion
from planner.view.tables import Column, Table

_YES = {"yes", "y", "x", "true", "1", "ok", "done", "✓", "✔"}
_NO = {"", "no", "n", "false", "0", "-"}

_LONGEST_NAME = 200
_LONGEST_MM = 10_000_000


class Invalid(Exception):
    """A cell has an invalid value: kind of error, message, and remedy."""

    def __init__(self, kind: str, message: str, remedy: str):
        super().__init__(message)
        self.kind = kind
        self.remedy = remedy


def reader_of(column: Column) -> Callable[[Any], Any]:
    """Return the function that turns a cell of a column into its value in the unit of the plan, or raises `Invalid`."""
    if column.content == "whole" and (divisor := column.divisor) != 1:
        return partial(_amount, column, divisor)
    return _READERS[column.content]


def _text(cell: Any) -> str:
    if cell is None:
        return ""
    if isinstance(cell, str):
        return cell
    if isinstance(cell, int | float) and not isinstance(cell, bool):
        raise Invalid("number", f"the number {cell} is in a text column", "set the cell to text and write the original text")
    return str(cell)


def _note(cell: Any) -> str:
    """Return handwritten text, which may look like a number or a date."""
    return _text(cell) if cell is None or isinstance(cell, str) else str(cell)


def _name(cell: Any) -> str:
    """Return a handwritten name; spreadsheets turn those of digits into numbers."""
    text = f"{cell:.15g}" if isinstance(cell, float) else "" if cell is None else str(cell).strip()
    if len(text) > _LONGEST_NAME:
        remedy = f"write at most {_LONGEST_NAME} characters; notes go under remark"
        raise Invalid("length", f"a name of {len(text):,} characters", remedy)
    if wrong := names.fault(text):
        raise Invalid("name", f"the name {wrong}", "write it again")
    return text


def _amount(column: Column, divisor: float, cell: Any) -> int | None:
    """Return a whole number in the unit of the plan from a number in the unit of the heading."""
    number = _number(cell)
    if number is None:
        return None
    scaled = math.nan if isinstance(number, str) else number * divisor
    finite, decimals = math.isfinite(scaled), round(math.log10(divisor))
    decimal = divisor == 10**decimals
    if finite and column.crew and not decimal:
        # What is measured in feet is rounded to whole millimeters.
        scaled = round(scaled)
    if not finite or not math.isclose(scaled, round(scaled), rel_tol=1e-9, abs_tol=1e-6):
        unit = column.common[2] or "units of the currency"
        if not decimal:
            raise Invalid("whole", f"{number} {unit} is not a planned value", "copy the cell from the original workbook")
        remedy = f"write it in {unit}, with up to {decimals} decimals"
        raise Invalid("whole", f"{number} has more than {decimals} decimals", remedy)
    if column.crew and not 0 <= scaled <= _LONGEST_MM:
        unit = column.common[2] or "units of the currency"
        limit = math.floor(_LONGEST_MM / divisor)
        raise Invalid("range", f"{number} {unit} is out of range", f"write 0 to {limit:,} {unit}")
    return round(scaled)


def _whole(cell: Any) -> int | None:
    number = _number(cell)
    if number is None:
        return None
    if isinstance(number, str) or not math.isfinite(number) or number != int(number):
        raise Invalid("whole", f"{number} is not a whole number", "write a whole number in the unit of the header")
    return int(number)


def _number(cell: Any) -> float | str | None:
    if cell is None or cell == "":
        return None
    if cell in ("nan", "inf", "-inf"):
        return cell
    if isinstance(cell, bool) or not isinstance(cell, int | float):
        raise Invalid("text", f"{cell!r} is not a number", "write only the number, without unit")
    return cell


def _figure(cell: Any) -> float | str:
    return cell if isinstance(cell, int | float) and not isinstance(cell, bool) else _text(cell)


def _date(cell: Any) -> date | None:
    if cell is None or cell == "":
        return None
    if isinstance(cell, datetime):
        return cell.date()
    if isinstance(cell, date):
        return cell
    try:
        return date.fromisoformat(str(cell).strip())
    except ValueError:
        raise Invalid("date", f"{cell!r} is not a date", "write it as 2026-05-31") from None


def _tick(cell: Any) -> bool:
    word = "" if cell is None else str(cell).strip().casefold()
    if word in _YES:
        return True
    if word in _NO:
        return False
    raise Invalid("tick", f"{cell!r} is neither yes nor no", "write yes or no, or leave it empty")


_READERS: dict[str, Callable[[Any], Any]] = {
    "text": _text,
    "note": _note,
    "name": _name,
    "whole": _whole,
    "number": _number,
    "figure": _figure,
    "date": _date,
    "tick": _tick,
}


def positions(sheet: Table, names: Sequence[Any], headers: Sequence[Any]) -> tuple[dict[str, int], list[Problem]]:
    """Return the position of every column from 0, and the problems of the two header rows.

    Columns without a name in the first row are additions of the user. One that is missing has no position: that is a problem,
    unless it came later than the first workbooks.
    """
    known = {column.cell_name: column for column in sheet.on("file")}
    found: dict[str, int] = {}
    problems = []
    where = f"sheet {sheet.name}"
    if not any(name in known and header == known[name].header for name, header in zip(names, headers, strict=False)):
        message = "are not the names of the columns and, below them, their headers"
        return {}, [Problem(f"{where}, rows 1 and 2", message, "copy both rows from the original workbook; one is hidden")]
    for place, name in enumerate(names):
        if name is None or str(name) == "":
            continue
        if name not in known:
            problems.append(Problem(f"{where}, row 1", f"{name!r} is not a column of this sheet", suggestion(str(name), known)))
            continue
        if known[name].name in found:
            problems.append(Problem(f"{where}, row 1", f"the column {name} is duplicated", "delete one of the two"))
            continue
        found[known[name].name] = place
        header = headers[place] if place < len(headers) else None
        if header != known[name].header:
            message = f"the column {name} has the header {header!r}, not {known[name].header!r}"
            problems.append(Problem(f"{where}, row 2", message, "restore the header: it includes the unit"))
    for name, column in known.items():
        if column.name not in found and not column.later:
            remedy = "the hidden first row names the columns: copy it from the original workbook"
            problems.append(Problem(f"{where}, row 1", f"the column {name} is missing", remedy))
    return found, problems
