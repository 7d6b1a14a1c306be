"""Sheets of one cabinet: elevation, port maps of its routers, and its cables to tick off."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import groupby, pairwise

import numpy as np

from planner.model import Plan
from planner.report._cabinets import Cabinet
from planner.report._figures import grouped
from planner.report._names import is_named
from planner.report._pdf.blocks import Block, heading, paragraph, sheets, space
from planner.report._pdf.canvas import Pen
from planner.report._pdf.elevations import Fact, elevation, limits
from planner.report._pdf.ports import PortMaps
from planner.report._pdf.rows import row_sheets, slot_place
from planner.report._pdf.schedule import Schedule, stage_counts
from planner.report._pdf.sheet import Area, Mark, Sheet


@dataclass(frozen=True)
class Chosen:
    """The cabinets to print, and the cables of each.

    Each cable is listed once: under the cabinet of its first end if that is printed, otherwise under that of its second.

    Attributes
    ----------
    first, second
        Cables listed under each cabinet by their first and by their second end, by the cabinet's number.
    """

    cabinets: tuple[Cabinet, ...]
    first: dict[int, np.ndarray]
    second: dict[int, np.ndarray]

    @classmethod
    def of(cls, plan: Plan, cabinets: Sequence[Cabinet], *, alone: bool) -> Chosen:
        """Assign cables to cabinets; `alone` includes those whose first end is in a cabinet that is not printed."""
        numbers = np.array([cabinet.number for cabinet in cabinets], np.int64)
        if plan.cables is None:
            return cls(tuple(cabinets), {}, {})
        inside = np.isin(plan.cables.cabinet, numbers)
        first, second = np.flatnonzero(inside[:, 0]), np.flatnonzero(inside[:, 1] & ~inside[:, 0] & alone)
        return cls(tuple(cabinets), _by(plan.cables.cabinet[first, 0], first), _by(plan.cables.cabinet[second, 1], second))

    @property
    def cables(self) -> np.ndarray:
        """All printed cables, sorted, int64."""
        parts = [*self.first.values(), *self.second.values()]
        return np.sort(np.concatenate(parts)) if parts else np.zeros(0, np.int64)


def _by(cabinet: np.ndarray, cables: np.ndarray) -> dict[int, np.ndarray]:
    order = np.argsort(cabinet, kind="stable")
    numbers, starts = np.unique(cabinet[order], return_index=True)
    ends = [*starts.tolist(), len(order)]
    return {number: cables[order[a:b]] for number, (a, b) in zip(numbers.tolist(), pairwise(ends), strict=True)}


def cabinet_chapters(plan: Plan, chosen: Chosen, placed: Sequence[Cabinet] = ()) -> list[Sheet]:
    """Return the sheets of all chosen cabinets, and before them those of their rows; `placed` are all cabinets.

    Without `placed` there are no row sheets.
    """
    if not chosen.cabinets:
        return []
    schedule = Schedule.of(plan, chosen.cables, () if plan.work is not None else ("task",)) if plan.cables is not None else None
    maps = PortMaps.of(plan)
    found: list[Sheet] = []
    for row, members in groupby(chosen.cabinets, key=lambda cabinet: cabinet.row):
        if placed:
            found += row_sheets(plan, row, [cabinet for cabinet in placed if cabinet.row == row])
        for cabinet in members:
            found += _cabinet_sheets(plan, cabinet, chosen, schedule, maps)
    return [_opened(found[0]), *found[1:]]


def _opened(sheet: Sheet) -> Sheet:
    """Return the sheet as the first of the chapter."""
    mark = Mark("cabinets", "Cabinets, ports and cables")

    def draw(pen: Pen, area: Area) -> None:
        pen.mark(mark.key, area.top + 6)
        sheet.draw(pen, area)

    return replace(sheet, draw=draw, marks=(mark, *sheet.marks))


def _cabinet_sheets(plan: Plan, cabinet: Cabinet, chosen: Chosen, schedule: Schedule | None, maps: PortMaps) -> list[Sheet]:
    none = np.zeros(0, np.int64)
    first, second = chosen.first.get(cabinet.number, none), chosen.second.get(cabinet.number, none)
    blocks: list[Block] = [
        heading(f"Cabinet {cabinet.name}", Mark(f"cabinet-{cabinet.number}", f"Cabinet {cabinet.name}", 2)),
        elevation(cabinet, _facts(plan, cabinet), blanking=plan.catalog.blanking is not None, named=is_named(plan)),
        space(6),
    ]
    routers = [(box.unit, box.device) for box in cabinet.boxes if is_named(plan) or box.kind == "router"]
    if routers:
        text = "Port maps: port number and cable number; below them the device and port at the far end, and its cabinet."
        blocks += [heading("Ports", size=10), paragraph(text, 7, keep=True)]
        for unit, router in sorted(routers, reverse=True):
            blocks += maps.blocks(router, unit)
    if schedule is not None:
        blocks += _lists(plan, cabinet, first, second, schedule)
    return sheets(f"Row {cabinet.row}, cabinet {cabinet.name}", blocks)


def _lists(plan: Plan, cabinet: Cabinet, first: np.ndarray, second: np.ndarray, schedule: Schedule) -> list[Block]:
    blocks: list[Block] = []
    for cables, title in ((first, f"Cables of {cabinet.name}"), (second, f"Cables that end in {cabinet.name}")):
        if len(cables):
            counts = f"{grouped(len(cables))} cables: {stage_counts(plan, cables, numbered=True)}"
            blocks += schedule.blocks(title, cables, counts)
    if blocks:
        return blocks
    where = " Its cables are listed under the cabinets of the routers that they are attached to." if is_named(plan) else ""
    return [paragraph(f"No cable has its first end in this cabinet.{where}", 7)]


def _facts(plan: Plan, cabinet: Cabinet) -> list[Fact]:
    facts: list[Fact] = [
        ("row", cabinet.row, False),
        ("center in the room", slot_place(plan, cabinet), False),
        ("routers", grouped(cabinet.routers), False),
        ("nodes", grouped(cabinet.nodes), False) if is_named(plan) else ("endpoints", grouped(cabinet.endpoints), False),
        ("units used", f"{cabinet.used_units} of {cabinet.units}", False),
        *limits(cabinet),
    ]
    if plan.cables is not None:
        ends = plan.cables.cabinet == cabinet.number
        leaving = plan.cables.bundle[ends.sum(axis=1) == 1]
        facts += [
            ("cables inside", grouped(int(ends.all(axis=1).sum())), False),
            ("cables to other cabinets", grouped(len(leaving)), False),
            ("bundles", grouped(len(np.unique(leaving[leaving >= 0]))), False),
        ]
    return facts
