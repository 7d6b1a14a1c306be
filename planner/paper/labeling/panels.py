"""Labels of trunks and jumpers: both ends of each."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from planner.domain.model import PATCHING, PanelPlan, Plan
from planner.view.names import cabinet_names, device_names, printed_ports
from planner.view.panels import PanelTexts
from planner.view.selection import Selection

Place = tuple[str, int, str, str]
"""Cabinet or frame, lowest unit, device or panel, and port or socket."""


class PanelLabel(NamedTuple):
    """One end of a trunk or jumper; `cable` is the name of the trunk, or the number of the jumper: J12.

    End A of a jumper is at its device, B at its panel; `task` installs it, -1 without a work order.
    """

    task: int
    cable: str
    end: str
    text: str
    near: Place
    far: Place
    part: str
    stock_mm: int
    bundle: int | None
    stage: str
    diameter_um: int


@dataclass(frozen=True)
class PanelLabels:
    """The labels of the trunks and jumpers of the chosen rows."""

    texts: PanelTexts
    selection: Selection

    @property
    def plan(self) -> Plan:
        return self.texts.plan

    @property
    def panels(self) -> PanelPlan:
        return self.texts.panels

    def all(self) -> Iterator[PanelLabel]:
        """Yield the labels of the tasks that are chosen: both ends of each trunk, then both of each jumper."""
        wanted = None if self.plan.work is None else self.selection.tasks(self.plan)
        yield from (one for each in (self._trunks, self._jumpers) for one in each() if wanted is None or wanted[one.task])

    @cached_property
    def _rows(self) -> np.ndarray:
        """Whether each row over panels is installed, bool (N,)."""
        return self.selection.installed(self.plan)[self.panels.row]

    def _trunks(self) -> Iterator[PanelLabel]:
        panels, cables, work = self.panels, self.plan.cables, self.plan.work
        wanted = np.zeros(len(panels.trunk_names) + 1, bool)
        wanted[panels.trunk[self._rows]] = True
        row_of = np.zeros(len(wanted), np.int64)
        row_of[panels.trunk] = panels.row
        start = np.searchsorted(panels.plug_trunk, np.arange(len(panels.trunk_names) + 1))
        frames = [self._has_frame(frame) for frame in range(len(panels.frame_names))]
        for trunk in np.flatnonzero(wanted[:-1]).tolist():
            bundle, row = int(panels.trunk_bundle[trunk]), int(row_of[trunk])
            ends = [self._sockets(int(start[trunk]), int(start[trunk + 1]) - 1, end) for end in (0, 1)]
            part, stock = cables.bundle_parts[cables.bundle_part[bundle]], int(cables.bundle_stock_mm[bundle])
            task = -1 if work is None else int(work.task[row])
            stage = cables.stage_names[cables.stage[row]] if work is None else work.stage_names[work.stage[task]]
            thick, name = int(cables.bundle_diameter_um[bundle]), str(panels.trunk_names[trunk])
            for end, text in enumerate(self.texts.trunk_labels(trunk)):
                if frames[panels.trunk_frame[trunk, end]]:
                    far = ends[1 - end]
                    yield PanelLabel(task, name, "AB"[end], text, ends[end], far, part, stock, bundle, stage, thick)

    def _jumpers(self) -> Iterator[PanelLabel]:
        panels, cables = self.panels, self.plan.cables
        rows, sides = panels.end_of_jumper()
        wanted = np.zeros(len(rows), bool)
        wanted[panels.jumper[self._rows]] = True
        wanted &= self.selection.ends(self.plan)[rows, sides]
        tasks = np.full(len(rows), -1) if self.plan.work is None else self.plan.work.jumper_task
        # The cables of routers to shuffle boxes are trunks.
        thick = {trunk.id: trunk.diameter_um for trunk in self.plan.catalog.bundling.trunks}
        for jumper in np.flatnonzero(wanted).tolist():
            row, side = int(rows[jumper]), int(sides[jumper])
            near, panel = self._device(row, side), self._panel(jumper)
            part = panels.jumper_parts[panels.jumper_part[jumper]]
            diameter = thick.get(part, cables.assemblies[cables.assembly[row]].diameter_um)
            about = (part, int(panels.jumper_stock_mm[jumper]), None, PATCHING, diameter)
            texts, task, name = self.texts.jumper_labels[jumper], int(tasks[jumper]), f"J{jumper + 1}"
            yield PanelLabel(task, name, "A", texts[0], near, panel, *about)
            yield PanelLabel(task, name, "B", texts[1], panel, near, *about)

    # -- places -------------------------------------------------------------------------------

    @cached_property
    def _ports(self) -> tuple[list[str], list[str]]:
        return printed_ports(self.plan, 0), printed_ports(self.plan, 1)

    @cached_property
    def _names(self) -> tuple[list[str], list[str]]:
        return cabinet_names(self.plan), device_names(self.plan)

    def _device(self, row: int, side: int) -> Place:
        cables, (cabinets, devices) = self.plan.cables, self._names
        cabinet, device = cabinets[cables.cabinet[row, side]], devices[cables.device[row, side]]
        return cabinet, int(cables.unit[row, side]), device, self._ports[side][row]

    def _panel(self, jumper: int) -> Place:
        return *self._of_panel(int(self.panels.jumper_panel[jumper])), self.texts.fronts[jumper].rpartition(":")[2]

    def _sockets(self, first: int, last: int, end: int) -> Place:
        """Return the panel of the first plug, and the sockets from the first plug to the last."""
        sockets = self.texts.rears[end]
        place = self._of_panel(int(self.panels.plug_panel[first, end]))
        begin = sockets[first].rpartition(":")[2]
        return *place, begin if first == last else f"{begin} to {sockets[last]}"

    def _of_panel(self, panel: int) -> tuple[str, int, str]:
        panels = self.panels
        return str(panels.frame_names[panels.frame[panel]]), int(panels.unit[panel]), str(panels.names[panel])

    def _has_frame(self, frame: int) -> bool:
        """Return whether a frame belongs to the cabinet or row of the selection."""
        room, choice = self.plan.room, self.selection
        if choice.cabinet is None and choice.row is None:
            return True
        cabinet, slot = int(self.panels.frame_cabinet[frame]), int(self.panels.frame_slot[frame])
        if cabinet >= 0:
            return cabinet in choice.cabinets(self.plan)
        return choice.cabinet is None and room.row_names[room.slot_row[slot]] == choice.row
