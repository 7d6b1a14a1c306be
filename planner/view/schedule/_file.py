"""Cable schedules in files: rows of the table ``cables`` as CSV, or as other readers supply them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from planner.core import delimited
from planner.core.errors import InputError, Problem
from planner.core.spreadsheet import MAX_ROWS, original
from planner.view.schedule._plan import of_folder
from planner.view.schedule._record import Connection, End

_WHOLE = ("cable", "a_unit", "a_port", "b_unit", "b_port", "stock_mm", "run_mm")
_TEXT = ("a_cabinet", "a_device", "b_cabinet", "b_device", "part", "trays")
_LARGEST = dict.fromkeys((*_WHOLE, "piece"), 2**31 - 1) | {"stock_mm": 10**8, "run_mm": 10**8}
"""Largest numbers of the columns: lengths up to 100 km."""

_BELOW_ZERO = ("a_unit", "b_unit")
"""Columns of rack units, which count down from the floor where a device has none."""

_SHOWN = 20
"""Maximum number of wrong rows that are listed."""


def read(path: Path, *, key: str = "") -> list[Connection]:
    """Return the cable schedule of a plan's folder, or of a CSV file as the format `csv` writes it.

    Parameters
    ----------
    key
        Key of the study that names the path, for errors.

    Raises
    ------
    InputError
        When there is neither, with the problems of the records or of the rows of the file.
    """
    if path.is_dir():
        return of_folder(path, key=key)
    table = delimited.read(path, key=key)
    table.require((*_WHOLE, *_TEXT), "give the file that the report format csv writes")
    return of_rows(table.records(), str(path), key=key)


def of_rows(rows: Iterable[tuple[int, Mapping[str, Any]]], file: str, *, key: str = "") -> list[Connection]:
    """Return the connections of rows of the table ``cables``: the line of each, and its columns by name.

    Raises
    ------
    InputError
        With the problems of all rows, and with ports that two rows use.
    """
    found: list[Connection] = []
    problems: list[Problem] = []
    for line, row in rows:
        if line > MAX_ROWS:
            problems.append(Problem(key, f"has more than {MAX_ROWS:,} rows", "give a schedule", file))
            break
        try:
            found.append(_connection(row))
        except _WrongCell as error:
            problems.append(Problem(key, str(error), "restore the planned value", file, line))
    if len(problems) > _SHOWN:
        problems[_SHOWN:] = [Problem(key, f"{len(problems) - _SHOWN} more rows are wrong", "", file)]
    if problems:
        raise InputError(problems)
    return found


_ZEROS = re.compile(r"(?<=\d)[.,]0+$")


class _WrongCell(ValueError):
    """A cell has another value than its column takes."""

    def __init__(self, column: str, value: Any, low: int):
        super().__init__(f"column {column}: {str(value)[:40]!r} is not a whole number from {low:,} to {_LARGEST[column]:,}")


def _number(row: Mapping[str, Any], name: str) -> int:
    """Return the whole number in a cell, which may be that of a workbook."""
    value, low = row[name], -_LARGEST[name] if name in _BELOW_ZERO else 0
    # Spreadsheets may have written it with a decimal point or comma.
    text = str(value or 0) if isinstance(value, int) else _ZEROS.sub("", str(value or "").strip())
    digits = text[1:] if text[:1] in ("-", "+") else text
    if not (digits.isascii() and digits.isdecimal() and len(digits) < 18 and low <= int(text) <= _LARGEST[name]):
        raise _WrongCell(name, value, low)
    return int(text)


def _connection(row: Mapping[str, Any]) -> Connection:
    whole = {name: _number(row, name) for name in _WHOLE}
    must = {name: _text(row[name]) for name in _TEXT}

    def also(name: str) -> str:
        return _text(row.get(name) or "")

    a, b = (
        End(
            must[f"{x}_device"],
            whole[f"{x}_port"],
            also(f"{x}_printed") or str(whole[f"{x}_port"]),
            must[f"{x}_cabinet"],
            whole[f"{x}_unit"],
            also(f"label_{x}"),
            also(f"{x}_role"),
            also(f"{x}_panel"),
            also(f"{x}_kind"),
        )
        for x in "ab"
    )
    end_part = also("end_part")
    return Connection(
        whole["cable"],
        _number(row, "piece") if row.get("piece") else whole["cable"],
        also("network"),
        also("kind"),
        a,
        b,
        must["part"],
        (end_part, also("end_part_b") if "end_part_b" in row else end_part),
        also("medium"),
        whole["stock_mm"],
        whole["run_mm"],
        must["trays"],
        also("trunk"),
        also("stage"),
    )


def _text(cell: Any) -> str:
    return original(str(cell))[:1000]
