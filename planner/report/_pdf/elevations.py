"""Cabinet elevations: every cabinet from the front and from the rear, with what stands in each unit and hangs on each PDU."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from planner.model import FEEDS, Plan
from planner.report._cabinets import Box, Cabinet, Pdu
from planner.report._figures import grouped
from planner.report._pdf.drawing import swatch
from planner.report._pdf.ink import ACCENT, ACCENT_LIGHT, ALARM, FAINT, INK, MUTED, PAPER, RULE, Pen
from planner.report._pdf.letters import BOLD, LEAST_PT, REGULAR, width_of
from planner.report._pdf.sheet import PAPERS, Area, Mark, Sheet

_ACROSS = 2
_GAP, _BETWEEN_VIEWS = 20.0, 8.0
_HEAD, _FOOT = 30.0, 34.0
_SMALLEST_UNIT, _LARGEST_UNIT = 5.6, 11.0
_TITLE, _KEY = 24.0, 14.0
_STRIP = 7.5
"""Width of a PDU that hangs upright."""


@dataclass(frozen=True)
class _Front:
    """What all cabinets have alike: where ports stand, by kind of box, and whether blanking panels are bought."""

    port_side: dict[str, str]
    blanking: bool

    @classmethod
    def of(cls, plan: Plan) -> _Front:
        catalog = plan.catalog
        return cls({"router": catalog.router.port_side, "endpoint": catalog.endpoint.port_side}, catalog.blanking is not None)


def elevation_sheets(plan: Plan, cabinets: Sequence[Cabinet]) -> list[Sheet]:
    """Return as many sheets as the cabinets need, in the order of their slots."""
    if not cabinets:
        return []
    room = Area.of(PAPERS["A4"]).height - _TITLE - _KEY
    units = max(cabinet.units for cabinet in cabinets)
    down = max(1, min(2, int(room / (units * _SMALLEST_UNIT + _HEAD + _FOOT))))
    unit = min(_LARGEST_UNIT, (room / down - _HEAD - _FOOT) / units)
    found = []
    for start in range(0, len(cabinets), _ACROSS * down):
        shown = cabinets[start : start + _ACROSS * down]
        marks = [Mark(f"elevation-{cabinet.number}", cabinet.name, 1) for cabinet in shown]
        if start == 0:
            marks.insert(0, Mark("elevations", "Cabinet elevations"))
        found.append(_sheet(shown, unit, tuple(marks), _Front.of(plan)))
    return found


def _sheet(shown: Sequence[Cabinet], unit: float, marks: tuple[Mark, ...], front: _Front) -> Sheet:
    def draw(pen: Pen, area: Area) -> None:
        for mark in marks:
            pen.mark(mark.key, area.top + 6)
        names = shown[0].name if len(shown) == 1 else f"{shown[0].name} to {shown[-1].name}"
        pen.text(area.left, area.top - 14, f"Cabinet elevations: {names}", 15, font=BOLD, colour=ACCENT, width=area.width * 0.7)
        pen.text(area.right, area.top - 14, "front view left, rear view right", 8, colour=MUTED, align="right")
        width = (area.width - (_ACROSS - 1) * _GAP) / _ACROSS
        for place, cabinet in enumerate(shown):
            x = area.left + place % _ACROSS * (width + _GAP)
            top = area.top - _TITLE - place // _ACROSS * (unit * cabinet.units + _HEAD + _FOOT)
            _draw_cabinet(pen, cabinet, x, top, width, unit, front)
        _print_key(pen, area, front)

    return Sheet("Cabinet elevations", draw, PAPERS["A4"], marks)


def _draw_cabinet(pen: Pen, cabinet: Cabinet, x: float, top: float, width: float, unit: float, front: _Front) -> None:
    pen.text(x, top - 9, cabinet.name, 9, font=BOLD, width=width * 0.45)
    page = pen.page_of.get(f"cables-{cabinet.number}")
    if page is not None:
        pen.text(x + width, top - 9, f"cables: page {page}", 6, colour=ACCENT, align="right", width=width * 0.52)
        pen.link(x + width * 0.45, top - 12, width * 0.55, 11, f"cables-{cabinet.number}")
    content = f"{cabinet.count('router')} routers, {cabinet.count('endpoint')} endpoints"
    pen.text(x, top - 18, f"{content}; {cabinet.used_units} of {cabinet.units} units", 6, colour=MUTED, width=width)
    foot = top - _HEAD - unit * cabinet.units
    one = (width - _BETWEEN_VIEWS) / 2
    for side, left in (("front", x), ("rear", x + one + _BETWEEN_VIEWS)):
        pen.text(left + 11, top - _HEAD + 3, side, LEAST_PT, colour=MUTED)
        _draw_view(pen, cabinet, side, left, foot, one, unit, front)
    _print_limits(pen, cabinet, x, foot, one)
    _print_feeds(pen, cabinet, x + one + _BETWEEN_VIEWS, foot, one)


def _draw_view(pen: Pen, cabinet: Cabinet, side: str, x: float, foot: float, width: float, unit: float, front: _Front) -> None:
    left, inner, height = x + 11, width - 11, unit * cabinet.units
    pen.box(left, foot, inner, height, PAPER)
    for number in range(1, cabinet.units + 1):
        y = foot + (number - 1) * unit
        pen.line([(left, y), (left + inner, y)], FAINT, 0.3)
        pen.text(x + 9, y + unit / 2 - LEAST_PT * 0.36, str(number), LEAST_PT, colour=MUTED, align="right")
    bottom, above = cabinet.reserved
    for low, units in ((1, bottom), (cabinet.units - above + 1, above)):
        if units:
            _draw_gap(pen, left, foot + (low - 1) * unit, inner, units * unit, "reserved", dash=(2, 1.5))
    for low, units in cabinet.free:
        text = f"{units} free" + (", blanking" if front.blanking else "")
        _draw_gap(pen, left, foot + (low - 1) * unit, inner, units * unit, text, hatch="level" if front.blanking else "")
    # Upright PDUs hang at the sides of the rear, A on the left.
    strips = [len(feed) * _STRIP for feed in cabinet.pdus] if side == "rear" and not _stands(cabinet, "PDU") else []
    inset = (strips + [0.0, 0.0])[:2]
    for box in (*cabinet.boxes, *cabinet.fixtures):
        ports = front.port_side.get(box.kind) == side
        _draw_box(pen, box, cabinet.units, side, ports, left + inset[0], foot, inner - sum(inset), unit)
    for feed in range(len(strips)):
        start = left if feed == 0 else left + inner - strips[feed]
        for place, pdu in enumerate(cabinet.pdus[feed]):
            _draw_strip(pen, pdu, start + place * _STRIP, foot, height)
    pen.box(left, foot, inner, height, stroke=INK, weight=1.0)


def _stands(cabinet: Cabinet, kind: str) -> bool:
    return any(box.kind == kind for box in cabinet.fixtures)


def _draw_gap(pen: Pen, left: float, y: float, width: float, height: float, text: str, **options) -> None:
    pen.box(left + 1.5, y + 0.4, width - 3, height - 0.8, stroke=RULE, weight=0.4, **options)
    size = min(6.5, max(LEAST_PT, height - 0.8))
    base, half = y + height / 2 - size * 0.36, width_of(text, size) / 2 + 3
    pen.box(left + width / 2 - half, base - 1, 2 * half, size, PAPER)
    pen.text(left + width / 2, base, text, size, colour=MUTED, align="centre", width=width - 8)


def _draw_box(
    pen: Pen, box: Box, units: int, side: str, ports: bool, left: float, foot: float, width: float, unit: float
) -> None:
    if not (1 <= box.unit <= units):
        return
    # A box that no unit is reserved for still shows as a line in its unit.
    height = max(min(box.units, units - box.unit + 1), 0.6) * unit
    y = foot + (box.unit - 1) * unit
    if box.kind == "cable manager":
        hatch = "diagonal" if side == "front" else ""
        pen.box(left + 1.5, y + 0.2, width - 3, height - 0.4, PAPER, MUTED, weight=0.25, hatch=hatch)
        return
    fill, stroke = (ACCENT_LIGHT, ACCENT) if box.kind == "router" else (PAPER, MUTED)
    pen.box(left + 1.5, y + 0.2, width - 3, height - 0.4, fill, stroke, weight=0.25)
    if ports:
        _draw_ports(pen, left + width - 3.5, y + height / 2, min(unit, 7.0))
    size = min(6.5, max(LEAST_PT, unit - 0.8))
    base, right = y + height / 2 - size * 0.36, left + width - (13 if ports else 4)
    plugs = box.plugs if side == "rear" else ""
    if plugs:
        pen.text(right, base, plugs, size, colour=MUTED, align="right", width=width * 0.35)
    pen.text(left + 4, base, box.name, size, width=right - left - 6 - (size * 0.62 * len(plugs) + 4 if plugs else 0))


def _draw_ports(pen: Pen, right: float, middle: float, unit: float) -> None:
    """Two sockets side by side."""
    edge = unit * 0.42
    for place in (1, 2):
        pen.box(right - place * (edge + 1), middle - edge / 2, edge, edge, INK)


def _draw_strip(pen: Pen, pdu: Pdu, x: float, foot: float, height: float) -> None:
    pen.box(x + 0.4, foot + 1, _STRIP - 0.8, height - 2, FAINT, INK, weight=0.5)
    pen.upright(x + _STRIP / 2, foot + height / 2, f"PDU {pdu.name}", LEAST_PT)


def _print_limits(pen: Pen, cabinet: Cabinet, x: float, foot: float, width: float) -> None:
    lines = (
        ("power", cabinet.power_max_mw / 1e6, cabinet.power_limit_mw / 1e6, 1, "kW"),
        ("load", cabinet.mass_g / 1000, cabinet.load_limit_g / 1000, 0, "kg"),
        ("floor", cabinet.total_g / 1000, cabinet.floor_limit_g / 1000, 0, "kg"),
    )
    for row, (name, value, limit, decimals, unit) in enumerate(lines):
        text = f"{name} {grouped(value, decimals)} of {grouped(limit, decimals)} {unit}"
        _print_limit(pen, x + 11, foot - 8 - row * 7.5, width - 11, text, value > limit)


def _print_feeds(pen: Pen, cabinet: Cabinet, x: float, foot: float, width: float) -> None:
    """The fullest PDU of each feed, and typical power."""
    row = 0
    for feed, pdus in enumerate(cabinet.pdus):
        worst = max(pdus, key=lambda pdu: (pdu.alone_mw, pdu.normal_mw))
        normal, alone, limit = (grouped(mw / 1e6, 1) for mw in (worst.normal_mw, worst.alone_mw, worst.limit_mw))
        alone = f", {alone} alone," if len(cabinet.pdus) > 1 else ""
        text = f"feed {FEEDS[feed]} {normal}{alone} of {limit} kW"
        _print_limit(pen, x + 11, foot - 8 - row * 7.5, width - 11, text, worst.alone_mw > worst.limit_mw)
        row += 1
    text = f"typical power {grouped(cabinet.power_typical_mw / 1e6, 1)} kW"
    pen.text(x + 11, foot - 8 - row * 7.5, text, 5.8, colour=MUTED, width=width - 11)


def _print_limit(pen: Pen, x: float, y: float, width: float, text: str, over: bool) -> None:
    font, colour = (BOLD, ALARM) if over else (REGULAR, INK)
    pen.text(x, y, f"{text} EXCEEDED" if over else text, 5.8, font=font, colour=colour, width=width)


def _print_key(pen: Pen, area: Area, front: _Front) -> None:
    entries = [
        ("router", swatch(ACCENT_LIGHT, stroke=ACCENT)),
        ("endpoints", swatch(PAPER)),
        ("cable manager", swatch(PAPER, "diagonal")),
        ("blanking panels" if front.blanking else "free", swatch(None, "level" if front.blanking else "", RULE)),
        ("reserved", swatch(None, stroke=RULE, dash=(2, 1.5))),
        ("ports stand on this side", lambda pen, x, y: _draw_ports(pen, x + 15, y + 3, 9)),
    ]
    x = area.left
    for text, draw in entries:
        draw(pen, x, area.bottom)
        pen.text(x + 19, area.bottom + 1, text, 6.5)
        x += 19 + width_of(text, 6.5) + 18
