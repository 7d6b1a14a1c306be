"""Labels for both ends of every cable, flat or wrapped around the cable, with a QR code."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

from annotated_types import Ge

from planner.core.errors import InputError, Problem
from planner.core.section import collected
from planner.domain.model import Plan
from planner.paper.labeling.labels import Codes, labels
from planner.paper.labeling.printing import print_labels
from planner.paper.labeling.sheets import examine_sheet
from planner.view.selection import WHOLE, Selection

ENDING = ".labels.pdf"


def write(
    plan: Plan,
    path: Path,
    *,
    sheet: str = "avery-5160",
    selection: Selection = WHOLE,
    start: Annotated[int, Ge(1)] = 1,
    border: bool = False,
    code: Literal["cable", "end"] = "cable",
    url: str | None = None,
) -> None:
    """Print the labels in pulling order, the ends of one cable side by side.

    Parameters
    ----------
    sheet
        Id of a sheet of the catalog, or path of a TOML file with one row ``[[label_sheet]]``.
    selection
        Which cables; of a cabinet or row only the ends there.
    start
        First unused label of the first sheet, counted row by row from 1.
    border
        Whether to print the edges of the labels, for a test print on plain paper.
    code
        Content of the QR codes: the number of the cable, equal at both ends, or with ``end`` plan, number and end: ``hall/137A``.
    url
        Start of an address; the code is then the address of the end of the cable, ``HTTP://10.0.0.5:8080/C/137A``.

    Raises
    ------
    InputError
        When there is no such sheet, or not the part of the selection, or texts do not fit on the labels, or the address has a
        wrong form.
    """
    codes = Codes(code, url)
    chosen = labels(plan, selection)
    contents = [codes.text(plan, label) for label in chosen]
    print_labels(path, f"Labels: {plan.title or plan.name}", chosen, contents, sheet=sheet, start=start, border=border)


def examine(*, sheet: str = "avery-5160", start: int = 1, url: str | None = None, **others: object) -> None:
    """Reject a sheet or label that does not exist, and an address of a wrong form."""
    problems: list[Problem] = []
    with collected(problems):
        examine_sheet(sheet, start)
    with collected(problems):
        Codes("cable", url)
    if problems:
        raise InputError(problems)
