"""Labels as comma-separated text for label printers, one row per end of a cable."""

from __future__ import annotations

from pathlib import Path

from planner.model import Plan
from planner.report._figures import trimmed
from planner.report._labels import labels
from planner.report._selection import WHOLE, Selection
from planner.spreadsheet import Writer

ENDING = ".labels.csv"

COLUMNS = ("cable_id", "end", "line1", "line2", "line3", "line4", "qr", "qty")
"""`line1` is the label's text; `line2` the cable and its end; `line3` the location; `line4` part, length, bundle and stage."""


def write(plan: Plan, path: Path, *, selection: Selection = WHOLE) -> None:
    """Write the labels in pulling order, in UTF-8.

    Parameters
    ----------
    selection
        Which cables; of a cabinet or row only the ends there.

    Raises
    ------
    InputError
        When the plan has no cables, or not the part of the selection.
    """
    with path.open("w", encoding="utf-8", newline="") as file:
        rows = Writer(file)
        rows.writerow(COLUMNS)
        for label in labels(plan, selection):
            bundle = f", bundle {label.bundle}" if label.bundle is not None else ""
            what = f"{label.part} {trimmed(label.stock_mm / 1000)} m{bundle}, {label.stage}"
            where = f"{label.cabinet} U{label.unit} {label.device} port {label.port}"
            rows.writerow((label.cable, label.end, label.text, f"{label.cable} {label.end}", where, what, label.cable, 1))
