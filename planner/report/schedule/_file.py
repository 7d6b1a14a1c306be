"""Cable schedules in files: rows of the table ``cables`` as CSV, or as other readers supply them."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from planner import reading
from planner.errors import InputError, Problem
from planner.report.schedule._plan import of_folder
from planner.report.schedule._record import Connection, End
from planner.spreadsheet import MAX_ROWS, original

_WHOLE = ("cable", "a_unit", "a_port", "b_unit", "b_port", "stock_mm", "run_mm")
_TEXT = ("a_cabinet", "a_device", "b_cabinet", "b_device", "part", "trays")
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
    rows = csv.DictReader(reading.text(path).splitlines(), strict=True)
    try:
        missing = [name for name in (*_WHOLE, *_TEXT) if name not in (rows.fieldnames or ())]
        if missing:
            message = f"has no column {', '.join(missing)}"
            raise InputError(Problem(key, message, "give the file that the report format csv writes", str(path)))
        return of_rows(((rows.line_num, row) for row in rows), str(path), key=key)
    except csv.Error as error:
        problem = Problem(key, f"is not CSV: {error}", "give the file as it was written", str(path), rows.line_num)
        raise InputError(problem) from None


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
        except (ValueError, TypeError) as error:
            problems.append(Problem(key, f"is not a row of a schedule: {error}", "", file, line))
    if len(problems) > _SHOWN:
        problems[_SHOWN:] = [Problem(key, f"{len(problems) - _SHOWN} more rows are wrong", "", file)]
    if problems:
        raise InputError(problems)
    return found


def _connection(row: Mapping[str, Any]) -> Connection:
    whole = {name: int(row[name] or "") for name in _WHOLE}
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
        )
        for x in "ab"
    )
    end_part = also("end_part")
    return Connection(
        whole["cable"],
        int(row.get("piece") or whole["cable"]),
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
