"""Reading of workbooks that the crew filled in: the plan, the notes of the crew, and what was built otherwise."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from planner.formats.workbook.tables import Table, Workbook, read

__all__ = ["Deviation", "Table", "Workbook", "deviations", "read"]

_PLANNED = {"cabinet": ("cabinet",), "device": ("device",), "port": ("port_name", "port"), "label": ()}


class Deviation(NamedTuple):
    """One cell of the columns "as built" that differs from the plan.

    `end` is a or b; "" for the length. `what` is cabinet, device, port, label or length; lengths are in mm.
    """

    cable: int
    end: str
    what: str
    planned: str | int
    built: str | int


def deviations(book: Workbook) -> Iterator[Deviation]:
    """Yield what differs from the plan, by cable; a length only where it is shorter than the run or longer than what was bought.

    The crew leaves a cell empty where it built as planned; a cell that repeats the plan is no deviation.
    """
    columns = book.tables["cables"].columns
    for row, cable in enumerate(columns["cable"]):
        for end in "ab":
            for what, names in _PLANNED.items():
                built = columns[f"built_{end}_{what}"][row]
                fields = [f"{end}_{name}" for name in names] or [f"label_{end}"]
                planned = [str(columns[field][row]) for field in fields if field in columns]
                if built and built not in planned:
                    yield Deviation(cable, end, what, planned[0], built)
        actual_mm = columns["actual_mm"][row]
        if actual_mm is not None and not columns["run_mm"][row] <= actual_mm <= columns["stock_mm"][row]:
            yield Deviation(cable, "", "length", columns["stock_mm"][row], actual_mm)
