"""Measured optical loss: rows of any CSV file by a map of its columns."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from planner.core import delimited
from planner.core.errors import InputError, Problem, suggestion
from planner.fabric.accept._record import LossTest
from planner.view.schedule import Connection

COLUMNS = ("cable", "label", "wavelength_nm", "loss_db", "length_m", "limit_db", "margin_db", "date", "tester", "operator")
"""What a file may state about a measurement."""

_NUMBERS = ("wavelength_nm", "length_m", "limit_db", "margin_db")
_CABLE = re.compile(r"^(\d{1,7})(?:\.0)?\s*[AB]?$", re.IGNORECASE)
_SHOWN = 20


def columns_of(text: str) -> dict[str, str]:
    """Return a map of columns from text: ``cable=Cable ID,loss_db=Loss (dB)``.

    Raises
    ------
    InputError
        When a part is no ``KEY=HEADING``, or a key is unknown.
    """
    found: dict[str, str] = {}
    problems = []
    for part in filter(None, (part.strip() for part in text.split(","))):
        key, equals, heading = (piece.strip() for piece in part.partition("="))
        if not equals or not heading:
            problems.append(Problem("columns", f"{part!r} is not KEY=HEADING", "write columns as cable=Cable ID,loss_db=Loss"))
        elif key not in COLUMNS:
            problems.append(Problem("columns", f"there is no column {key!r}", suggestion(key, COLUMNS)))
        else:
            found[key] = heading
    if problems:
        raise InputError(problems)
    return found


def read_loss(path: Path, schedule: Sequence[Connection], columns: Mapping[str, str] | None = None) -> list[LossTest]:
    """Return the measurements of a CSV file.

    Parameters
    ----------
    columns
        Heading of the file for each of `COLUMNS`; headings that are such a name need no entry.

    Notes
    -----
    The separator may be a comma, semicolon or tab; with a semicolon numbers may have a decimal comma. A cable is named by its
    number in the schedule, with or without A or B for the end, or by the label of one of its ends.

    Raises
    ------
    InputError
        When the file cannot be read or lacks a column, with all rows that cannot be read.
    """
    table = delimited.read(path)
    place_of = _places(table.header, columns or {}, str(path))
    named = _Named(schedule)
    found, problems = [], []
    for line, row in table.records():
        cells = {key: row[heading][:200] for key, heading in place_of.items()}
        if not any(cells.values()):
            continue
        try:
            found.append(_test(cells, line, named, table.separator == ";"))
        except ValueError as error:
            problems.append(Problem("", str(error), "correct the cell", str(path), line))
    if len(problems) > _SHOWN:
        problems[_SHOWN:] = [Problem("", f"{len(problems) - _SHOWN} more rows are wrong", "", str(path))]
    if problems:
        raise InputError(problems)
    return found


def _places(headings: Sequence[str], columns: Mapping[str, str], file: str) -> dict[str, str]:
    """Return the heading in the file of each column that it has."""
    known = {heading.strip().casefold(): heading for heading in headings if heading}
    problems = [
        Problem("columns", f"there is no column {heading!r}", suggestion(heading, known.values()), file)
        for heading in columns.values()
        if heading.casefold() not in known
    ]
    found = {key: known[columns.get(key, key).casefold()] for key in COLUMNS if columns.get(key, key).casefold() in known}
    listed = ", ".join(list(known.values())[:_SHOWN]) or "none"
    if not problems and "loss_db" not in found:
        remedy = f"name it with --columns loss_db=HEADING; the file has {listed}"
        problems.append(Problem("columns", "no column is the loss", remedy, file))
    if not problems and not {"cable", "label"} & found.keys():
        remedy = f"name it with --columns cable=HEADING or label=HEADING; the file has {listed}"
        problems.append(Problem("columns", "no column names the cable", remedy, file))
    if problems:
        raise InputError(problems)
    return found


class _Named:
    """Cables of the plan by number and by label."""

    def __init__(self, schedule: Sequence[Connection]):
        self._numbers = {row.number for row in schedule}
        self._labels: dict[str, int] = {}
        for row in schedule:
            for end in row.ends:
                if end.label:
                    self._labels.setdefault(_spelled(end.label), row.number)

    def find(self, cable: str, label: str) -> int:
        """Return the number of a cable, 0 if the plan does not have it."""
        for text in filter(None, (label, cable)):
            if (number := self._labels.get(_spelled(text))) is not None:
                return number
            if (match := _CABLE.match(text)) and int(match[1]) in self._numbers:
                return int(match[1])
        return 0


def _spelled(label: str) -> str:
    return " ".join(label.split()).casefold()


def _test(cells: Mapping[str, str], line: int, named: _Named, decimal_comma: bool) -> LossTest:
    cable, label = cells.get("cable", ""), cells.get("label", "")
    if not cable and not label:
        raise ValueError("the row names no cable")
    loss_db = _number(cells["loss_db"], "loss_db", decimal_comma)
    if loss_db is None:
        raise ValueError(f"the loss of {label or cable} is missing")
    others: dict[str, Any] = {name: _number(cells.get(name, ""), name, decimal_comma) for name in _NUMBERS}
    others |= {name: cells.get(name, "") for name in ("date", "tester", "operator")}
    return LossTest(line, named.find(cable, label), label or cable, loss_db, **others)


def _number(text: str, name: str, decimal_comma: bool) -> float | None:
    """Return a number, with or without its unit."""
    if not text or text.casefold() in ("n/a", "na", "-", "--"):
        return None
    bare = re.sub(r"\s*(db|dbm|nm|m|km)$", "", text, flags=re.IGNORECASE)
    try:
        value = float(bare.replace(",", ".") if decimal_comma else bare)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise ValueError(f"{name} is {text!r}, not a number")
    return value
