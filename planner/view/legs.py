"""What the crew pulls: every cable, trunk and jumper of a task with its two ends, in the words of a sheet."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np

from planner.core.units import stock
from planner.domain.model import TASK_KINDS, Plan
from planner.view.names import branch_of_rows, cabinet_names, device_names, end_names, printed_ports
from planner.view.panels import PanelTexts
from planner.view.pulling import pulling_rank
from planner.view.selection import Selection

CABLES, TRUNK, JUMPERS = range(len(TASK_KINDS))


class Run(NamedTuple):
    """Where a leg runs: its route over the trays, -1 for none, and slots and names of the cabinets or frames at its ends."""

    route: int
    slots: tuple[int, int]
    names: tuple[str, str]


class Plug(NamedTuple):
    """A port of a device that a leg uses: the device, the port from 1, and the port as printed."""

    device: int
    port: int
    printed: str


class Socket(NamedTuple):
    """A socket of a panel that a leg uses: the panel, its bay from 1 or 0, the socket from 1, and whether it is at the rear."""

    panel: int
    bay: int
    socket: int
    rear: bool


class Leg(NamedTuple):
    """One line of a task: a cable from end to end, a trunk, a plug of it, or a jumper.

    Attributes
    ----------
    number
        What it is found by: the number of the cable with its branch, the name of the trunk, the number of the jumper.
    a, b
        Both ends: cabinet, unit, device and port, or frame, unit and position of the panel.
    part, length_m
        What is taken from the store; empty for a plug of a trunk.
    label_a, label_b
        Texts of the labels.
    """

    number: str
    a: str
    b: str
    part: str
    length_m: str
    label_a: str
    label_b: str
    run: Run
    plugs: tuple[Plug, ...] = ()
    sockets: tuple[Socket, ...] = ()


class Work(NamedTuple):
    """What is printed of a task: its number from 0, its chosen rows of the cable plan and its jumpers, in pulling order."""

    task: int
    rows: list[int]
    jumpers: list[int]


def chosen_work(plan: Plan, selection: Selection) -> list[Work]:
    """Return the tasks that install the chosen cables, in the order of work; of a stage, crew or task its own alone.

    Raises
    ------
    InputError
        When there is no work order, or no such part of the plan.
    """
    wanted = selection.tasks(plan)
    rows = replace(selection, stage=None, crew=None, task=None).cables(plan)
    return [each for each in work_of(plan, rows) if wanted[each.task]]


def work_of(plan: Plan, rows: np.ndarray) -> list[Work]:
    """Return the tasks that install these rows of the cable plan, int64 (N,), with trunks and jumpers, in the order of work."""
    work, panels = plan.work, plan.panels
    found: dict[int, Work] = {}

    def of(task: int) -> Work:
        return found.setdefault(task, Work(task, [], []))

    for row in rows[np.argsort(pulling_rank(plan)[rows], kind="stable")].tolist():
        of(int(work.task[row])).rows.append(row)
    if panels is not None and len(panels.row):
        places = panels.of_row(plan.cables.cable_count)[rows]
        for jumper in np.unique(panels.jumper[places[places >= 0]]).tolist():
            of(int(work.jumper_task[jumper])).jumpers.append(jumper)
    return [found[task] for task in sorted(found)]


@dataclass(frozen=True)
class Legs:
    """The legs of all tasks of a plan."""

    plan: Plan

    def of(self, work: Work) -> list[Leg]:
        """Return what is pulled and plugged in by a task."""
        kind = int(self.plan.work.kind[work.task])
        if kind == TRUNK:
            return list(self._trunk(self._trunk_of_bundle[int(self.plan.work.bundle[work.task])]))
        if kind == JUMPERS:
            return [self._jumper(jumper) for jumper in work.jumpers]
        return [self._cable(row) for row in work.rows]

    # -- cables from port to port --------------------------------------------------------------

    def _cable(self, row: int) -> Leg:
        cables, branch = self.plan.cables, self._branches[row]
        slots = self._slots[row]
        names = self.plan.room.slot_names
        return Leg(
            f"{row + 1}" + (f".{branch}" if branch else ""),
            self._ends[0][row],
            self._ends[1][row],
            self._parts[self._assembly[row]],
            stock(self._stock[row]),
            str(cables.label_a[row]),
            str(cables.label_b[row]),
            Run(self._routes[row], slots, (names[slots[0]], names[slots[1]])),
            (self._plug(row, 0), self._plug(row, 1)),
        )

    def _plug(self, row: int, side: int) -> Plug:
        device, port = self._devices[row][side], self._ports[row][side]
        return Plug(device, port, self._printed[side][row])

    # -- trunks and jumpers ---------------------------------------------------------------------

    def _trunk(self, trunk: int) -> Iterator[Leg]:
        """Yield a trunk, and its plugs."""
        panels, cables, texts = self.plan.panels, self.plan.cables, self._texts
        bundle, frames = int(panels.trunk_bundle[trunk]), panels.trunk_frame[trunk].tolist()
        slots, names = panels.frame_slot[frames].tolist(), panels.frame_names[frames].tolist()
        run = Run(int(panels.trunk_route[trunk]), (slots[0], slots[1]), (names[0], names[1]))
        name = str(panels.trunk_names[trunk])
        part = cables.bundle_parts[cables.bundle_part[bundle]] if cables.bundle_part[bundle] >= 0 else ""
        length = stock(int(cables.bundle_stock_mm[bundle]))
        yield Leg(name, names[0], names[1], part, length, *texts.trunk_labels(trunk), run)
        start, end = np.searchsorted(panels.plug_trunk, [trunk, trunk + 1]).tolist()
        for plug in range(start, end):
            own = tuple(self._rear(plug, side) for side in (0, 1))
            a, b = (f"{self._panel(socket.panel)}, {texts.rears[side][plug]}" for side, socket in enumerate(own))
            yield Leg(f"{name}:{panels.plug_number[plug]}", a, b, "", "", "", "", run, (), own)

    def _rear(self, plug: int, side: int) -> Socket:
        panels = self.plan.panels
        cassette = int(panels.plug_cassette[plug, side])
        bay = int(panels.cassette_bay[cassette]) if cassette >= 0 else 0
        return Socket(int(panels.plug_panel[plug, side]), bay, int(panels.plug_socket[plug, side]), True)

    def _jumper(self, jumper: int) -> Leg:
        """Return a jumper, from the device to the panel; its end there is followed by the positions that it leads through to."""
        panels, texts = self.plan.panels, self._texts
        rows = self._rows_of_jumper[jumper]
        plugs = tuple(self._plug(row, side) for row, side in rows)
        cassette, panel = int(panels.jumper_cassette[jumper]), int(panels.jumper_panel[jumper])
        socket = Socket(panel, int(panels.cassette_bay[cassette]) if cassette >= 0 else 0, int(panels.jumper_port[jumper]), False)
        row, side = rows[0]
        cabinet = int(self.plan.cables.cabinet[row, side])
        unit = int(self.plan.cables.unit[row, side])
        place = f"{self._cabinet_names[cabinet]} {f'U{unit}' if unit > 0 else 'upright'}"
        printed = "+".join(dict.fromkeys(plug.printed for plug in plugs))
        far = "+".join(dict.fromkeys(self._far[row, side] for row, side in rows))
        frame = int(panels.frame[panel])
        slots = int(self.plan.placement.slot_of[cabinet]), int(panels.frame_slot[frame])
        return Leg(
            f"J{jumper + 1}",
            f"{place}, {self._device_names[plugs[0].device]} {printed}",
            f"{self._panel(panel)}, {texts.fronts[jumper]} through to {far}",
            panels.jumper_parts[panels.jumper_part[jumper]],
            stock(int(panels.jumper_stock_mm[jumper])),
            *texts.jumper_labels[jumper],
            Run(int(panels.jumper_route[jumper]), slots, (self._cabinet_names[cabinet], str(panels.frame_names[frame]))),
            plugs,
            (socket,),
        )

    def _panel(self, panel: int) -> str:
        """Return the frame and the unit of a panel; boxes and fan-outs have places of unknown height."""
        panels = self.plan.panels
        mark = "#" if panels.kind[panel] else "U"
        return f"{panels.frame_names[panels.frame[panel]]} {mark}{panels.unit[panel]}"

    @cached_property
    def _texts(self) -> PanelTexts:
        return PanelTexts(self.plan)

    @cached_property
    def _trunk_of_bundle(self) -> dict[int, int]:
        return {bundle: trunk for trunk, bundle in enumerate(self.plan.panels.trunk_bundle.tolist())}

    @cached_property
    def _rows_of_jumper(self) -> dict[int, list[tuple[int, int]]]:
        """Return row and end of the cable plan that each jumper serves."""
        panels, found = self.plan.panels, defaultdict(list)
        for row, jumpers in zip(panels.row.tolist(), panels.jumper.tolist(), strict=True):
            for side, jumper in enumerate(jumpers):
                found[jumper].append((row, side))
        spare, ends = panels.end_of_jumper()
        for jumper, (row, side) in enumerate(zip(spare.tolist(), ends.tolist(), strict=True)):
            if jumper not in found:
                found[jumper].append((row, side))
        return found

    @cached_property
    def _far(self) -> dict[tuple[int, int], str]:
        """Return the position of the jumper at the other end of each row over panels."""
        panels, fronts = self.plan.panels, self._texts.fronts
        pairs = zip(panels.row.tolist(), panels.jumper.tolist(), strict=True)
        return {(row, side): fronts[jumpers[1 - side]] for row, jumpers in pairs for side in (0, 1)}

    # -- columns of the cable plan ---------------------------------------------------------------

    @cached_property
    def _ends(self) -> tuple[list[str], list[str]]:
        return end_names(self.plan, 0), end_names(self.plan, 1)

    @cached_property
    def _printed(self) -> tuple[list[str], list[str]]:
        return printed_ports(self.plan, 0), printed_ports(self.plan, 1)

    @cached_property
    def _branches(self) -> list[int]:
        return branch_of_rows(self.plan).tolist()

    @cached_property
    def _parts(self) -> list[str]:
        return [assembly.length_part for assembly in self.plan.cables.assemblies]

    @cached_property
    def _assembly(self) -> list[int]:
        return self.plan.cables.assembly.tolist()

    @cached_property
    def _stock(self) -> list[int]:
        return self.plan.cables.stock_mm.tolist()

    @cached_property
    def _routes(self) -> list[int]:
        return self.plan.cables.route.tolist()

    @cached_property
    def _devices(self) -> list[list[int]]:
        return self.plan.cables.device.tolist()

    @cached_property
    def _ports(self) -> list[list[int]]:
        return self.plan.cables.port.tolist()

    @cached_property
    def _slots(self) -> list[tuple[int, int]]:
        return [(one, other) for one, other in self.plan.placement.slot_of[self.plan.cables.cabinet].tolist()]

    @cached_property
    def _device_names(self) -> list[str]:
        return device_names(self.plan)

    @cached_property
    def _cabinet_names(self) -> list[str]:
        return cabinet_names(self.plan)
