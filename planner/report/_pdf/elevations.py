"""Cabinet elevations: every cabinet from the front, with what stands in each unit."""

from __future__ import annotations

from collections.abc import Sequence

from planner.model import Plan
from planner.report._cabinets import Box, Cabinet
from planner.report._figures import grouped
from planner.report._pdf.ink import ACCENT, ACCENT_LIGHT, ALARM, BOLD, FAINT, INK, LEAST_PT, MUTED, PAPER, REGULAR, Pen
from planner.report._pdf.sheet import PAPERS, Area, Mark, Sheet

_ACROSS = 4
_GAP = 12.0
_HEAD, _FOOT = 24.0, 38.0
_SMALLEST_UNIT, _LARGEST_UNIT = 6.0, 11.0
_TITLE = 24.0


def elevation_sheets(plan: Plan, cabinets: Sequence[Cabinet]) -> list[Sheet]:
    """Return as many sheets as the cabinets need, in the order of their slots."""
    if not cabinets:
        return []
    room = Area.of(PAPERS["A4"]).height - _TITLE
    units = max(cabinet.units for cabinet in cabinets)
    down = max(1, min(2, int(room / (units * _SMALLEST_UNIT + _HEAD + _FOOT))))
    unit = min(_LARGEST_UNIT, (room / down - _HEAD - _FOOT) / units)
    found = []
    for start in range(0, len(cabinets), _ACROSS * down):
        shown = cabinets[start : start + _ACROSS * down]
        marks = [Mark(f"elevation-{cabinet.number}", cabinet.name, 1) for cabinet in shown]
        if start == 0:
            marks.insert(0, Mark("elevations", "Cabinet elevations"))
        found.append(_sheet(shown, unit, tuple(marks)))
    return found


def _sheet(shown: Sequence[Cabinet], unit: float, marks: tuple[Mark, ...]) -> Sheet:
    def draw(pen: Pen, area: Area) -> None:
        for mark in marks:
            pen.mark(mark.key, area.top + 6)
        names = shown[0].name if len(shown) == 1 else f"{shown[0].name} to {shown[-1].name}"
        pen.text(area.left, area.top - 14, f"Cabinet elevations: {names}", 15, font=BOLD, colour=ACCENT, width=area.width * 0.7)
        pen.text(area.right, area.top - 14, "front view", 8, colour=MUTED, align="right")
        width = (area.width - (_ACROSS - 1) * _GAP) / _ACROSS
        for place, cabinet in enumerate(shown):
            x = area.left + place % _ACROSS * (width + _GAP)
            top = area.top - _TITLE - place // _ACROSS * (unit * cabinet.units + _HEAD + _FOOT)
            _draw_cabinet(pen, cabinet, x, top, width, unit)

    return Sheet("Cabinet elevations", draw, PAPERS["A4"], marks)


def _draw_cabinet(pen: Pen, cabinet: Cabinet, x: float, top: float, width: float, unit: float) -> None:
    pen.text(x, top - 9, cabinet.name, 9, font=BOLD, width=width * 0.45)
    page = pen.page_of.get(f"cables-{cabinet.number}")
    if page is not None:
        pen.text(x + width, top - 9, f"cables: page {page}", 6, colour=ACCENT, align="right", width=width * 0.52)
        pen.link(x + width * 0.45, top - 12, width * 0.55, 11, f"cables-{cabinet.number}")
    content = f"{cabinet.count('router')} routers, {cabinet.count('endpoint')} endpoints"
    pen.text(x, top - 18, content, 6, colour=MUTED, width=width)
    foot = top - _HEAD - unit * cabinet.units
    left, inner = x + 11, width - 11
    pen.box(left, foot, inner, unit * cabinet.units, PAPER)
    size = min(6.5, max(LEAST_PT, unit - 1))
    for number in range(1, cabinet.units + 1):
        y = foot + (number - 1) * unit
        pen.line([(left, y), (left + inner, y)], FAINT, 0.3)
        pen.text(x + 9, y + unit / 2 - size * 0.36, str(number), LEAST_PT, colour=MUTED, align="right")
    for box in cabinet.boxes:
        _draw_box(pen, box, cabinet.units, left, foot, inner, unit)
    pen.box(left, foot, inner, unit * cabinet.units, stroke=INK, weight=1.0)
    _print_limits(pen, cabinet, x, foot, width)


def _draw_box(pen: Pen, box: Box, units: int, left: float, foot: float, width: float, unit: float) -> None:
    if not (1 <= box.unit <= units):
        return
    # A box that no unit is reserved for still shows as a line in its unit.
    height = max(min(box.units, units - box.unit + 1), 0.6) * unit
    y = foot + (box.unit - 1) * unit
    router = box.kind == "router"
    fill, stroke = (ACCENT_LIGHT, ACCENT) if router else (PAPER, MUTED)
    pen.box(left + 1.5, y + 0.2, width - 3, height - 0.4, fill, stroke, weight=0.25)
    size = min(6.5, max(LEAST_PT, unit - 0.8))
    pen.text(left + 5, y + height / 2 - size * 0.36, box.name, size, width=width - 10)


def _print_limits(pen: Pen, cabinet: Cabinet, x: float, foot: float, width: float) -> None:
    lines = (
        ("power", cabinet.power_max_mw / 1e6, cabinet.power_limit_mw / 1e6, 1, "kW"),
        ("load", cabinet.mass_g / 1000, cabinet.load_limit_g / 1000, 0, "kg"),
        ("floor", cabinet.total_g / 1000, cabinet.floor_limit_g / 1000, 0, "kg"),
    )
    for row, (name, value, limit, decimals, unit) in enumerate(lines):
        over = value > limit
        text = f"{name} {grouped(value, decimals)} of {grouped(limit, decimals)} {unit}"
        font, colour = (BOLD, ALARM) if over else (REGULAR, INK)
        pen.text(x, foot - 8 - row * 7.5, f"{text} EXCEEDED" if over else text, 5.8, font=font, colour=colour, width=width)
    pen.text(x + width, foot - 15.5, f"typical {grouped(cabinet.power_typical_mw / 1e6, 1)} kW", 5.8, colour=MUTED, align="right")
