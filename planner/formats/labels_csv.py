"""Labels as comma-separated text for label printers, one row per end of a cable."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from planner.core.spreadsheet import Writer
from planner.core.units import stock_named
from planner.domain.model import Plan
from planner.paper.labeling.labels import Codes, labels
from planner.view.selection import WHOLE, Selection

ENDING = ".labels.csv"

COLUMNS = ("cable_id", "end", "line1", "line2", "line3", "line4", "qr", "qty")
"""`line1` is the label's text; `line2` from and to, this end first; `line3` cable and end; `line4` part, length and more."""


def write(
    plan: Plan, path: Path, *, selection: Selection = WHOLE, code: Literal["cable", "end"] = "cable", url: str | None = None
) -> None:
    """Write the labels in pulling order, in UTF-8.

    Parameters
    ----------
    selection
        Which cables; of a cabinet or row only the ends there.
    code
        Content of the QR codes: the number of the cable, equal at both ends, or with ``end`` plan, number and end: ``hall/137A``.
    url
        Start of an address; the code is then the address of the end of the cable, ``HTTP://10.0.0.5:8080/C/137A``.

    Raises
    ------
    InputError
        When the plan has no cables, or not the part of the selection, or the address has a wrong form.
    """
    codes = Codes(code, url)
    with path.open("w", encoding="utf-8", newline="") as file:
        rows = Writer(file)
        rows.writerow(COLUMNS)
        for label in labels(plan, selection):
            bundle = f", bundle {label.bundle}" if label.bundle is not None else ""
            what = f"{label.part} {stock_named(label.stock_mm, ' ')}{bundle}, {label.stage}"
            line2, line3 = label.routes()[0], f"{label.cable} {label.end}"
            rows.writerow((label.cable, label.end, label.text, line2, line3, what, codes.text(plan, label), 1))


def examine(*, url: str | None = None, **others: object) -> None:
    """Reject an address of a wrong form."""
    Codes("cable", url)
