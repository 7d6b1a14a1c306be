"""Label sheets and the print rule of labels, from the catalog."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from planner.core import reading, shipped
from planner.core.errors import InputError, Problem, suggestion
from planner.domain.parts import KINDS, LabelPrint, LabelSheet, Row


def label_sheet(name: str) -> LabelSheet:
    """Return a label sheet of the catalog, or that of a file.

    Parameters
    ----------
    name
        Id of a shipped sheet, or path of a TOML file with one row ``[[label_sheet]]``.

    Raises
    ------
    InputError
        When there is no such sheet or file, or its row is wrong.
    """
    if name.endswith(".toml"):
        own = [row for row in _rows(Path(name)) if isinstance(row, LabelSheet)]
        if len(own) != 1:
            raise InputError(Problem("sheet", f"holds {len(own)} rows [[label_sheet]]", "give a file with one", name))
        return own[0]
    known = shipped_sheets()
    if name not in known:
        raise InputError(Problem("sheet", f"there is no label sheet {name!r}", suggestion(name, known)))
    return known[name]


def examine_sheet(sheet: str, start: int) -> None:
    """Reject a label sheet that does not exist, and a first label that it does not have.

    Raises
    ------
    InputError
        With the problem.
    """
    count = label_sheet(sheet).count
    if start > count:
        raise InputError(Problem("start", f"{start}, but a sheet has {count} labels", f"give 1 to {count}"))


def shipped_sheets() -> dict[str, LabelSheet]:
    """Return the sheets of the catalog by id."""
    return {row.id: row for row in _shipped() if isinstance(row, LabelSheet)}


def label_print() -> LabelPrint:
    """Return the print rule: sizes that keep labels readable."""
    return next(row for row in _shipped() if isinstance(row, LabelPrint))


@cache
def _shipped() -> tuple[Row, ...]:
    return tuple(_rows(shipped.folder("catalogs") / "labels" / "sheets.toml"))


def _rows(path: Path) -> Iterator[Row]:
    """Yield the checked rows of a file."""
    document = reading.read(path)
    for kind in ("label_sheet", "label_print"):
        entries: Any = document.data.get(kind, [])
        if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
            raise InputError(Problem(kind, "must be a list of rows", f"write [[{kind}]] above each row", document.file))
        for number, entry in enumerate(entries):
            place = f"{kind}.{number}"
            row = reading.construct(KINDS[kind].cls, entry, file=document.file, section=place, lines=document.lines)
            if problems := InputError(row.problems()).located(document.file, place, document.lines).problems:
                raise InputError(problems)
            yield row
