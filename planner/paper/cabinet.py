"""Sheets of one cabinet: elevation, faceplates of its devices, power, and its cables to tick off."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import groupby, pairwise

import numpy as np

from planner.domain.model import Plan
from planner.paper.blocks import Block, heading, paragraph, sheets, space
from planner.paper.canvas import Pen
from planner.paper.elevations import Fact, elevation, limits
from planner.paper.ports import PortFaces
from planner.paper.power import PowerTables
from planner.paper.rows import row_sheets, slot_place
from planner.paper.schedule import Schedule, stage_counts
from planner.paper.sheet import Area, Mark, Sheet
from planner.view.cabinets import Cabinet
from planner.view.figures import grouped
from planner.view.names import is_named


@dataclass(frozen=True)
class Chosen:
    """The cabinets to print, and the cables with an end in each, by its number.

    Attributes
    ----------
    inside
        Cables with both ends in the cabinet.
    outgoing, incoming
        Cables with their first end in the cabinet and their second one elsewhere, and cables from elsewhere to it.
    """

    cabinets: tuple[Cabinet, ...]
    inside: dict[int, np.ndarray]
    outgoing: dict[int, np.ndarray]
    incoming: dict[int, np.ndarray]

    @classmethod
    def of(cls, plan: Plan, cabinets: Sequence[Cabinet]) -> Chosen:
        """Gather the cables of these cabinets."""
        if plan.cables is None:
            return cls(tuple(cabinets), {}, {}, {})
        ends = plan.cables.cabinet
        here = np.isin(ends, [cabinet.number for cabinet in cabinets])
        stays = ends[:, 0] == ends[:, 1]
        kinds = ((0, stays & here[:, 0]), (0, ~stays & here[:, 0]), (1, ~stays & here[:, 1]))
        rows = [(side, np.flatnonzero(own)) for side, own in kinds]
        return cls(tuple(cabinets), *(_by(ends[own, side], own) for side, own in rows))

    @property
    def cables(self) -> np.ndarray:
        """All printed cables, sorted, int64."""
        parts = [*self.inside.values(), *self.outgoing.values(), *self.incoming.values()]
        return np.unique(np.concatenate(parts)) if parts else np.zeros(0, np.int64)


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
    faces, power = PortFaces.of(plan), PowerTables.of(plan)
    found: list[Sheet] = []
    for row, members in groupby(chosen.cabinets, key=lambda cabinet: cabinet.row):
        if placed:
            found += row_sheets(plan, row, [cabinet for cabinet in placed if cabinet.row == row])
        for cabinet in members:
            found += _cabinet_sheets(plan, cabinet, chosen, schedule, faces, power)
    return [_opened(found[0]), *found[1:]]


def _opened(sheet: Sheet) -> Sheet:
    """Return the sheet as the first of the chapter."""
    mark = Mark("cabinets", "Cabinets, ports and cables")

    def draw(pen: Pen, area: Area) -> None:
        pen.mark(mark.key, area.top + 6)
        sheet.draw(pen, area)

    return replace(sheet, draw=draw, marks=(mark, *sheet.marks))


def _cabinet_sheets(
    plan: Plan, cabinet: Cabinet, chosen: Chosen, schedule: Schedule | None, faces: PortFaces, power: PowerTables
) -> list[Sheet]:
    blocks: list[Block] = [
        heading(f"Cabinet {cabinet.name}", Mark(f"cabinet-{cabinet.number}", f"Cabinet {cabinet.name}", 2)),
        elevation(cabinet, _facts(plan, cabinet), blanking=plan.catalog.blanking is not None, named=is_named(plan)),
        space(6),
    ]
    own = faces.blocks(sorted(cabinet.boxes, key=lambda box: -box.unit))
    if own:
        text = (
            "Every device as it is seen from the side named, left and right included: the number of each socket in gray, below "
            "it that of its cable; twin sockets have a cable in each half. Usual or estimated arrangement: no source states "
            "the rows and columns, so compare with the numbers printed on the device."
        )
        blocks += [heading("Ports", size=10), paragraph(text, 7, keep=True), *own]
    blocks += power.blocks(cabinet)
    if schedule is not None:
        blocks += _lists(plan, cabinet, chosen, schedule)
    return sheets(f"Row {cabinet.row}, cabinet {cabinet.name}", blocks)


def _lists(plan: Plan, cabinet: Cabinet, chosen: Chosen, schedule: Schedule) -> list[Block]:
    """Return the cables that end in a cabinet: those inside, outgoing and incoming."""
    blocks: list[Block] = []
    titles = {f"Inside {cabinet.name}": chosen.inside, f"From {cabinet.name} to others": chosen.outgoing}
    for title, listed in (titles | {f"From others to {cabinet.name}": chosen.incoming}).items():
        cables = listed.get(cabinet.number)
        if cables is not None:
            counts = f"{grouped(len(cables))} cables: {stage_counts(plan, cables, numbered=True)}"
            blocks += schedule.blocks(title, cables, counts)
    return blocks or [paragraph("No cable ends in this cabinet.", 7)]


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
