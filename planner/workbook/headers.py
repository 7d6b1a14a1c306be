"""Identification of the columns of a sheet by their headers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from planner.errors import Problem, suggestion
from planner.report.tables import Table


def positions(sheet: Table, names: Sequence[Any], headers: Sequence[Any]) -> tuple[dict[str, int], list[Problem]]:
    """Return the position of every column from 0, and the problems of the two header rows.

    Columns without a name in the first row are additions of the user.
    """
    known = {column.name: column for column in sheet.on("file")}
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
        if name in found:
            problems.append(Problem(f"{where}, row 1", f"the column {name} is duplicated", "delete one of the two"))
            continue
        found[name] = place
        header = headers[place] if place < len(headers) else None
        if header != known[name].header:
            message = f"the column {name} has the header {header!r}, not {known[name].header!r}"
            problems.append(Problem(f"{where}, row 2", message, "restore the header: it includes the unit"))
    for name in known:
        if name not in found:
            remedy = "the hidden first row names the columns: copy it from the original workbook"
            problems.append(Problem(f"{where}, row 1", f"the column {name} is missing", remedy))
    return found, problems
