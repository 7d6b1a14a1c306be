"""Cells: from what stands in a spreadsheet to a value."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from datetime import date, datetime
from typing import Any

from planner.workbook.columns import Content

_ESCAPED = re.compile(r"_x([0-9A-Fa-f]{4})_")
"""How spreadsheets write characters that XML cannot hold, and underscores that would be mistaken for such."""

_YES = {"yes", "y", "x", "true", "1", "ok", "done", "✓", "✔"}
_NO = {"", "no", "n", "false", "0", "-"}


class Wrong(Exception):
    """A cell holds what it cannot: the kind of fault, the fault, and the remedy."""

    def __init__(self, kind: str, message: str, remedy: str):
        super().__init__(message)
        self.kind = kind
        self.remedy = remedy


def reader_of(content: Content) -> Callable[[Any], Any]:
    """Return the function that turns a cell of a column into its value, or raises `Wrong`."""
    return _READERS[content]


def _text(cell: Any) -> str:
    if cell is None:
        return ""
    if isinstance(cell, str):
        return _ESCAPED.sub(lambda found: chr(int(found[1], 16)), cell) if "_x" in cell else cell
    if isinstance(cell, int | float) and not isinstance(cell, bool):
        raise Wrong("number", f"the number {cell} stands where text was", "set the cell to text and write what stood there")
    return str(cell)


def _note(cell: Any) -> str:
    """What people write by hand may look like a number or a date."""
    return _text(cell) if cell is None or isinstance(cell, str) else str(cell)


def _whole(cell: Any) -> int | None:
    number = _number(cell)
    if number is None:
        return None
    if isinstance(number, str) or not math.isfinite(number) or number != int(number):
        raise Wrong("whole", f"{number} is no whole number", "write a whole number in the unit of the header")
    return int(number)


def _number(cell: Any) -> float | str | None:
    if cell is None or cell == "":
        return None
    if cell in ("nan", "inf", "-inf"):
        return cell
    if isinstance(cell, bool) or not isinstance(cell, int | float):
        raise Wrong("text", f"{cell!r} stands where a number belongs", "write the number alone, without unit")
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
        raise Wrong("date", f"{cell!r} is no date", "write it as 2026-05-31") from None


def _tick(cell: Any) -> bool:
    word = "" if cell is None else str(cell).strip().casefold()
    if word in _YES:
        return True
    if word in _NO:
        return False
    raise Wrong("tick", f"{cell!r} is neither yes nor no", "write yes or no, or leave it empty")


_READERS: dict[str, Callable[[Any], Any]] = {
    "text": _text,
    "note": _note,
    "whole": _whole,
    "number": _number,
    "figure": _figure,
    "date": _date,
    "tick": _tick,
}
