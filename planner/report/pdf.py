"""Cabling report for print: cover, floor, elevations, bill, charts, cable schedule, violations, sources."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from reportlab.pdfgen.canvas import Canvas

from planner.model import Plan
from planner.report._cabinets import cabinets
from planner.report._pdf.bill import bill_sheets
from planner.report._pdf.bundles import bundle_sheets
from planner.report._pdf.charts import cable_charts
from planner.report._pdf.contents import contents_sheets, index_sheets
from planner.report._pdf.cover import cover_sheets
from planner.report._pdf.elevations import elevation_sheets
from planner.report._pdf.failures import failure_sheets
from planner.report._pdf.findings import assumption_sheets, violation_sheets
from planner.report._pdf.floor import floor_sheets
from planner.report._pdf.guide import guide_sheets
from planner.report._pdf.ink import Pen
from planner.report._pdf.latency import latency_sheets
from planner.report._pdf.near_misses import near_miss_sheets
from planner.report._pdf.placement import placement_sheets
from planner.report._pdf.schedule import schedule_sheets
from planner.report._pdf.sheet import Area, Sheet, frame
from planner.report._pdf.simulation import simulation_sheets
from planner.report._pdf.work import work_sheets


def write(plan: Plan, path: Path) -> None:
    """Write the report; equal plans give equal bytes."""
    _print(plan, _sheets(plan), path)


def _sheets(plan: Plan) -> list[Sheet]:
    """All sheets in order. They are laid out before anything is drawn, so that every page number is known."""
    standing = cabinets(plan) if plan.placement is not None else []
    cover = cover_sheets(plan, standing)
    chapters = [
        *guide_sheets(plan),
        *floor_sheets(plan, standing),
        *index_sheets(standing),
        *placement_sheets(plan),
        *elevation_sheets(plan, standing),
        *bill_sheets(plan, standing),
        *near_miss_sheets(plan),
        *bundle_sheets(plan),
        *cable_charts(plan),
        *latency_sheets(plan),
        *failure_sheets(plan),
        *simulation_sheets(plan),
        *work_sheets(plan),
        *schedule_sheets(plan, standing),
        *violation_sheets(plan),
        *assumption_sheets(plan),
    ]
    entries = [mark for sheet in chapters for mark in sheet.marks if mark.level == 0]
    return [*cover, *contents_sheets(entries), *chapters]


def _print(plan: Plan, sheets: Sequence[Sheet], path: Path) -> None:
    # `invariant` leaves out the date and makes the document's id depend on its content alone.
    canvas = Canvas(str(path), invariant=1, pageCompression=1)
    canvas.setTitle(plan.title or plan.name)
    canvas.setSubject("Cabling report")
    canvas.setCreator("Planner")
    page_of = {mark.key: page for page, sheet in enumerate(sheets, 1) for mark in sheet.marks}
    pen = Pen(canvas, page_of)
    for page, sheet in enumerate(sheets, 1):
        canvas.setPageSize(sheet.size)
        for mark in sheet.marks:
            canvas.addOutlineEntry(mark.title, mark.key, mark.level, closed=1)
        frame(pen, sheet, plan, page, len(sheets))
        sheet.draw(pen, Area.of(sheet.size))
        canvas.showPage()
    canvas.showOutline()
    canvas.save()
