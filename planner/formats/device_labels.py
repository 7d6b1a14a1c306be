"""Labels for all devices, with a QR code that opens the device on the page of the crews."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, ClassVar

import numpy as np
from annotated_types import Ge

from planner.core.errors import InputError, Problem
from planner.domain.model import Plan
from planner.formats.labels import examine as examine
from planner.paper.labeling.labels import Codes
from planner.paper.labeling.printing import print_labels
from planner.paper.labeling.sheets import label_sheet
from planner.view.names import cabinet_names, device_names, end_place
from planner.view.selection import Selection

ENDING = ".device-labels.pdf"


@dataclass(frozen=True, slots=True)
class _Device:
    """A device: its name, its place, and its part."""

    text: str
    where: str
    part: str
    diameter_um: int = 0

    source: ClassVar[str] = "the names of devices, rows and cabinets"
    shorter: ClassVar[str] = "shorter names"

    @property
    def place(self) -> str:
        return f"device {self.text}"

    def forms(self) -> list[tuple[str, ...]]:
        return [(self.where, self.part), (f"{self.where}, {self.part}",), (self.where,)]


def write(
    plan: Plan,
    path: Path,
    *,
    sheet: str = "avery-5160",
    cabinet: str | None = None,
    row: str | None = None,
    start: Annotated[int, Ge(1)] = 1,
    border: bool = False,
    url: str | None = None,
) -> None:
    """Print a label for each device, cabinet by cabinet from the top.

    Parameters
    ----------
    sheet, start, border
        As for `planner.formats.labels.write`; the sheet has flat labels.
    cabinet, row
        Only the devices of this cabinet, or of this row of cabinets.
    url
        Start of an address; the code is then the address of the device, ``HTTP://10.0.0.5:8080/D/R001``, otherwise its name.

    Raises
    ------
    InputError
        When the plan places no devices, when there is no such sheet, cabinet or row, or texts do not fit on the labels.
    """
    codes = Codes("cable", url)
    if label_sheet(sheet).wraps:
        raise InputError(Problem("sheet", f"{sheet} is wrapped around cables", "choose flat labels, such as 'avery-5160'"))
    chosen = [*_devices(plan, Selection(cabinet=cabinet, row=row))]
    contents = [codes.device(each.text) for each in chosen]
    title = f"Device labels: {plan.title or plan.name}"
    print_labels(path, title, chosen, contents, sheet=sheet, start=start, border=border)


def _devices(plan: Plan, selection: Selection) -> Iterator[_Device]:
    inventory, placement = plan.inventory, plan.placement
    if inventory is None or placement is None:
        raise InputError(Problem("", "the plan places no devices", "run the study to its end"))
    names, cabinets = device_names(plan), cabinet_names(plan)
    for cabinet in selection.cabinets(plan).tolist():
        own = np.flatnonzero(placement.cabinet == cabinet)
        for device in own[np.argsort(-placement.unit[own], kind="stable")].tolist():
            part = inventory.parts[inventory.part[device]]
            yield _Device(names[device], end_place(cabinets[cabinet], int(placement.unit[device])), part.id)
