"""A difference as a workbook: the work order to tick off, changed devices and cables, re-use, and the bill."""

from __future__ import annotations

from pathlib import Path

from planner.formats.workbook.crew import CrewSheet, write_crew_book
from planner.studies.diff.outputs._facts import ASSUMED, TITLE, counts, facts, place_of
from planner.studies.diff.result import STEPS, Comparison
from planner.view.schedule import SAME, CableChange, Connection

FILE = "difference.xlsx"

_CREW = ("done", "by", "remark")


def write(found: Comparison, path: Path) -> None:
    """Write the workbook; it opens on the summary.

    Raises
    ------
    InputError
        When a sheet is longer than a spreadsheet can be.
    """
    kinds = [(kind, f"{devices} devices, {cables} cables".removeprefix(" devices, ")) for kind, devices, cables in counts(found)]
    notes = [("note", note) for note in (*found.notes, *([ASSUMED] if found.bill is not None else []))]
    sheets = [make(found) for make in (_work, _devices, _cables, _reuse, _bill, _left)]
    write_crew_book(path, TITLE, [facts(found), kinds, notes], sheets, remedy="give schedules of parts of the plans")


def _work(found: Comparison) -> CrewSheet:
    columns = ("number", "step", "cabinet", "unit", "device", "port", "what", "label", "cable")
    rows = [
        (
            number, STEPS[each.step], each.cabinet, place_of(each), each.device, each.port, each.text, each.label,
            None if each.row is None else each.row.number,
        )
        for number, each in enumerate(found.actions, 1)
    ]  # fmt: skip
    return CrewSheet("work order", columns, _CREW, rows)


def _devices(found: Comparison) -> CrewSheet:
    rows = [tuple(each) for each in found.found.changed_devices]
    return CrewSheet("devices", ("change", "old name", "new name", "old place", "new place"), (), rows)


def _cables(found: Comparison) -> CrewSheet:
    columns = (
        "change", "old cable", "new cable", "end re-plugged", "old end A", "old end B", "new end A", "new end B", "part",
        "stock m", "old trays", "new trays", "old label A", "old label B", "new label A", "new label B",
    )  # fmt: skip
    return CrewSheet("cables", columns, (), [_cable(each) for each in found.found.cables if each.kind != SAME])


def _cable(each: CableChange) -> tuple[str | int | float | None, ...]:
    old, new = each.old, each.new
    row = new or old
    assert row is not None
    return (
        each.kind, old and old.number, new and new.number, "" if each.end is None else "AB"[each.end], *_ends(old), *_ends(new),
        row.part, row.stock_mm / 1000, old.trays if old else "", new.trays if new else "", *_labels(old), *_labels(new),
    )  # fmt: skip


def _ends(row: Connection | None) -> tuple[str, str]:
    return ("", "") if row is None else (str(row.a), str(row.b))


def _labels(row: Connection | None) -> tuple[str, str]:
    return ("", "") if row is None else (row.a.label, row.b.label)


def _reuse(found: Comparison) -> CrewSheet:
    columns = ("removed cable", "serves as cable", "part", "stock m", "needed m", "from", "to")
    rows = [
        (
            each.old.number, each.new.number, each.old.part, each.old.stock_mm / 1000, each.need_mm / 1000, str(each.new.a),
            str(each.new.b),
        )
        for each in found.reuse
    ]  # fmt: skip
    return CrewSheet("re-use", columns, (), rows)


def _bill(found: Comparison) -> CrewSheet:
    columns = ("category", "part", "description", "quantity", "unit price", "price")
    bill = found.bill
    rows = [] if bill is None else [
        (each.category, each.part, each.description, each.quantity, each.unit_cents / 100, each.cents / 100)
        for each in bill.lines
    ]  # fmt: skip
    return CrewSheet("bill", columns, (), rows)


def _left(found: Comparison) -> CrewSheet:
    bill = found.bill
    rows = [] if bill is None else [
        (part, what, stock_mm / 1000 if stock_mm else None, count) for part, what, stock_mm, count in bill.removed
    ]  # fmt: skip
    return CrewSheet("left over", ("part", "what", "stock m", "quantity"), (), rows)
