"""Completeness of a workbook: all rows are present, and its sheets agree."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Any, Protocol

from planner.core.errors import Problem
from planner.view.tables import EVERY, SOME

_NAMED = 20
"""Maximum number of labels that are listed individually."""


class _Table(Protocol):
    @property
    def columns(self) -> dict[str, tuple]: ...
    @property
    def lines(self) -> tuple[int, ...]: ...
    def __len__(self) -> int: ...
    def rows(self, *names: str) -> Iterator[tuple]: ...


def missing_rows(about: dict[str, Any], tables: Mapping[str, _Table]) -> Iterator[Problem]:
    """Yield the problem of every sheet with missing or additional rows."""
    for name in SOME:
        if f"rows: {name}" in about and name not in tables:
            yield Problem(f"sheet {name}", "is missing", "copy it from the original workbook")
    for name, table in tables.items():
        if name == "plan":
            continue
        written = about.get(f"rows: {name}")
        if not isinstance(written, int):
            yield Problem("sheet plan", f"lacks the number of rows of the sheet {name}", f"restore the row 'rows: {name}'")
        elif sheet_numbers(name) and "selection" not in about:
            numbers = {number for number in next(iter(table.columns.values())) if number is not None}
            yield from _compared(name, set(range(1, written + 1)), numbers)
        elif len(table) != written:
            message = f"has {len(table)} rows, {written} were written"
            yield Problem(f"sheet {name}", message, "copy the rows from the original workbook")


def sheet_numbers(name: str) -> bool:
    """Return whether rows of a sheet are numbered from 1."""
    sheet = EVERY[name]
    return sheet.keys == 1 and sheet.columns[0].content == "whole"


def _compared(name: str, written: set[int], found: set[int]) -> Iterator[Problem]:
    what = EVERY[name].columns[0].header
    if missing := sorted(written - found):
        message = f"{len(missing)} of {len(written)} rows are missing: {what} {_spans(missing)}"
        yield Problem(f"sheet {name}", message, "copy them from the original workbook")
    if unknown := sorted(found - written):
        message = f"{what} {_spans(unknown)} is not of this plan, which has 1 to {len(written)}"
        yield Problem(f"sheet {name}", message, "delete the row, or correct the number")


def _spans(numbers: list[int]) -> str:
    """Return numbers as ranges, up to ten of them.

    >>> _spans([1, 2, 3, 7])
    '1 to 3, 7'
    """
    breaks = [0, *(place for place, (low, high) in enumerate(pairwise(numbers), 1) if high != low + 1), len(numbers)]
    runs = [(numbers[start], numbers[end - 1]) for start, end in pairwise(breaks)]
    text = ", ".join(f"{low}" if low == high else f"{low} to {high}" for low, high in runs[:10])
    return text if len(runs) <= 10 else f"{text} and others"


def wrong_labels(cables: _Table, ports: _Table) -> Iterator[Problem]:
    """Yield the problem of every cable label that differs from that of its port."""
    at_port = {(device, port): (cable, label) for device, port, cable, label in ports.rows("device", "port", "cable", "label")}
    owners = {label for _, label in at_port.values()}
    found = []
    columns = ("cable", "a_device", "a_port", "label_a", "b_device", "b_port", "label_b")
    for line, (cable, *ends) in zip(cables.lines, cables.rows(*columns), strict=True):
        for name, (device, port, label) in (("label_a", ends[:3]), ("label_b", ends[3:])):
            there = at_port.get((device, port))
            where = f"sheet cables, row {line} ({name})"
            if there is None:
                found.append(Problem(where, f"cable {cable} plugs into {device} port {port}, which the sheet ports lacks"))
            elif there[0] != cable:
                message = f"cable {cable} plugs into {device} port {port}, where the sheet ports has cable {there[0]}"
                found.append(Problem(where, message, "one of the two was changed: restore the planned value"))
            elif there[1] != label:
                kind = "belongs to another end" if label in owners else "is unknown"
                message = f"the label {label!r} {kind}; the sheet ports has {there[1]!r} there"
                found.append(Problem(where, message, "restore the planned label; note changes under remark"))
    yield from found[:_NAMED]
    if len(found) > _NAMED:
        yield Problem("sheet cables", f"{len(found) - _NAMED} more labels or ports differ from the sheet ports")
