"""Headers: which column of a sheet is which."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from planner.errors import Problem, suggestion
from planner.workbook.columns import Sheet


def places(sheet: Sheet, names: Sequence[Any], headers: Sequence[Any]) -> tuple[dict[str, int], list[Problem]]:
    """Return the place of every column from 0, and what is wrong with the two rows of headers.

    Columns without a name in the first row are people's own.
    """
    known = {column.name: column for column in sheet.columns}
    found: dict[str, int] = {}
    problems = []
    where = f"sheet {sheet.name}"
    if not any(name in known and header == known[name].header for name, header in zip(names, headers, strict=False)):
        message = "are not the names of the columns and, below them, their headers"
        return {}, [
            Problem(f"{where}, rows 1 and 2", message, "take both rows from the workbook as it was written; one is hidden")
        ]
    for place, name in enumerate(names):
        if name is None or str(name) == "":
            continue
        if name not in known:
            problems.append(Problem(f"{where}, row 1", f"{name!r} is no column of ours", suggestion(str(name), known)))
            continue
        if name in found:
            problems.append(Problem(f"{where}, row 1", f"the column {name} is there twice", "delete one of the two"))
            continue
        found[name] = place
        header = headers[place] if place < len(headers) else None
        if header != known[name].header:
            message = f"the column {name} has the header {header!r}, not {known[name].header!r}"
            problems.append(Problem(f"{where}, row 2", message, "name it as it was: the header says the unit"))
    for name in known:
        if name not in found:
            remedy = "the first row, hidden, names the columns: take them from the workbook as it was written"
            problems.append(Problem(f"{where}, row 1", f"the column {name} is missing", remedy))
    return found, problems
