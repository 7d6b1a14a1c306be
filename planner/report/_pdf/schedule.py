"""The cable schedule: every cable once, under the cabinet of its first end."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np

from planner.model import CablePlan, Plan
from planner.report._cabinets import Cabinet
from planner.report._figures import grouped, metres, trimmed
from planner.report._pdf.blocks import Block, heading, paragraph, sheets, space
from planner.report._pdf.ink import ACCENT, PAPER, Pen
from planner.report._pdf.letters import BOLD
from planner.report._pdf.sheet import TEXT_WIDTH, Mark, Sheet
from planner.report._pdf.table import TICK, Column, Table
from planner.report._schedule import tray_names

_SIZE = 6.0
_COLUMNS = (
    Column("cable", "right"), Column("label, first end"), Column("label, second end"), Column("part"),
    Column("stock (m)", "right"), Column("run (m)", "right"), Column("trays on the way"), Column("bundle", "right"),
    Column("stage", "right"), Column("done", "centre"),
)  # fmt: skip


def schedule_sheets(plan: Plan, cabinets: Sequence[Cabinet]) -> list[Sheet]:
    """Return the schedule, grouped by cabinet in the order of the slots."""
    blocks: list[Block] = [heading("Cable schedule", Mark("schedule", "Cable schedule"))]
    if plan.cables is None or not plan.cables.cable_count:
        return sheets("Cable schedule", [*blocks, paragraph("This plan has no cables.")])
    rows = _rows(plan)
    table = Table.of(_COLUMNS, rows, TEXT_WIDTH, _SIZE)
    text = (
        f"All {grouped(len(rows))} cables. Each is listed exactly once, under the cabinet of its first end, ordered by unit and "
        "port from the top of the cabinet. Trays are named in the order from the first end to the second; "
        "a cable without trays stays in its cabinet."
    )
    if plan.cables.carried.any():
        text += " Two lengths are those of the jumpers to the patch panels at both ends; between these the bundle carries it."
    blocks.append(paragraph(text))
    order = _order(plan)
    header = table.header()
    for cabinet in cabinets:
        own = order[cabinet.number]
        if len(own):
            blocks += _cabinet(plan, cabinet, own, rows, table, header)
    return sheets("Cable schedule", blocks)


def _rows(plan: Plan) -> list[tuple[str, ...]]:
    """The cells of every cable, by number."""
    cables = plan.cables
    trays = [" · ".join(names) for names in tray_names(plan)]
    columns = (
        [grouped(number) for number in range(1, cables.cable_count + 1)],
        cables.label_a.tolist(),
        cables.label_b.tolist(),
        [_part(cables.assemblies[number]) for number in cables.assembly],
        _lengths(cables),
        [metres(length) for length in cables.run_mm.tolist()],
        [trays[route] if route >= 0 else "" for route in cables.route.tolist()],
        [str(bundle + 1) if bundle >= 0 else "" for bundle in cables.bundle.tolist()],
        [str(stage + 1) for stage in cables.stage.tolist()],
        [TICK] * cables.cable_count,
    )
    return list(zip(*columns, strict=True))


def _lengths(cables: CablePlan) -> list[str]:
    """Length to buy in m; of a cable over panels those of its two jumpers."""
    whole = [trimmed(length / 1000) for length in cables.stock_mm.tolist()]
    for number in np.flatnonzero(cables.carried).tolist():
        whole[number] = " | ".join(trimmed(length / 1000) for length in cables.leg_stock_mm[number].tolist())
    return whole


def _part(assembly) -> str:
    ends = " / ".join(part for part in (assembly.end_part, assembly.end_part_b) if part)
    return f"{assembly.length_part} + {ends}" if ends else assembly.length_part


def _order(plan: Plan) -> list[np.ndarray]:
    """Cables of each cabinet, from the top unit down, then by port."""
    cables = plan.cables
    order = np.lexsort((cables.port[:, 0], -cables.unit[:, 0], cables.cabinet[:, 0]))
    starts = np.searchsorted(cables.cabinet[order, 0], np.arange(plan.placement.cabinet_count + 1))
    return [order[start:end] for start, end in pairwise(starts.tolist())]


def _cabinet(
    plan: Plan, cabinet: Cabinet, own: np.ndarray, rows: list[tuple[str, ...]], table: Table, header: Block
) -> list[Block]:
    stages = np.bincount(plan.cables.stage[own], minlength=len(plan.cables.stage_names))
    counts = ", ".join(
        f"{grouped(count)} {name}" for count, name in zip(stages.tolist(), plan.cables.stage_names, strict=True) if count
    )
    mark = Mark(f"cables-{cabinet.number}", cabinet.name, 1)
    first = _bar(table, f"Cabinet {cabinet.name}", f"{grouped(len(own))} cables: {counts}", cabinet)
    again = _bar(table, f"Cabinet {cabinet.name}, continued", f"{grouped(len(own))} cables", cabinet)
    lines = [table.row(rows[number], (again, header)) for number in own.tolist()]
    # A heading does not stand at the foot of a sheet with a single row.
    if len(lines) > 1:
        lines[0] = replace(lines[0], keep=True)
    return [space(5), replace(first, mark=mark), header, *lines]


def _bar(table: Table, title: str, counts: str, cabinet: Cabinet) -> Block:
    """The heading of a cabinet; it leads to the elevation."""
    height = 15.0

    def draw(pen: Pen, x: float, top: float) -> None:
        pen.box(x, top - height + 1, table.width, height - 1, ACCENT)
        pen.text(x + 5, top - 10.5, title, 8, font=BOLD, colour=PAPER, width=table.width * 0.4)
        page = pen.page_of.get(f"elevation-{cabinet.number}")
        place = f"{counts}; elevation: page {page}" if page is not None else counts
        pen.text(x + table.width - 5, top - 10.5, place, 7, colour=PAPER, align="right", width=table.width * 0.55)
        if page is not None:
            pen.link(x, top - height, table.width, height, f"elevation-{cabinet.number}")

    return Block(height, draw, keep=True)
