"""Front and rear elevation of a cabinet: the device in each rack unit, and its PDUs."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from planner.core.units import amount, named
from planner.domain.model import FEEDS
from planner.domain.parts.ports import Side
from planner.hall.scene.faceplate import Rectangle
from planner.hall.scene.palette import Entry, Style
from planner.paper.blocks import Block
from planner.paper.canvas import ACCENT, ACCENT_LIGHT, ALARM, DARK, FAINT, MUTED, PAPER, RULE, Pen
from planner.paper.drawing import draw_swatch
from planner.paper.faces import LIT, draw_face
from planner.paper.fonts import BOLD, MIN_PT, REGULAR, width_of
from planner.paper.sheet import TEXT_WIDTH
from planner.view.cabinets import OTHERS, Box, Cabinet
from planner.view.figures import grouped

_UNIT, _TALLEST = 9.0, 345.0
"""Height of a rack unit and maximum height of a cabinet, in points."""
_VIEW, _GAP = 150.0, 10.0
_LINE = 10.5
_STRIP = 7.5
"""Width of a vertical PDU."""
_PORTS = 0.4
"""Share of the width of a box that its sockets take, at most."""


def elevation(cabinet: Cabinet, facts: Sequence[Fact], *, blanking: bool, named: bool) -> Block:
    """Return the front and rear elevation of a cabinet, and its facts next to them; `blanking` panels close the gaps.

    Where networks are `named`, boxes of endpoints are nodes.
    """
    unit = min(_UNIT, _TALLEST / cabinet.units)
    height = unit * cabinet.units

    def draw(pen: Pen, x: float, top: float) -> None:
        foot = top - 12 - height
        views: tuple[tuple[Side, float], ...] = (("front", x), ("rear", x + _VIEW + _GAP))
        for side, left in views:
            pen.text(left + 11, top - 8, f"seen from the {side}", 6.5, font=BOLD, color=MUTED)
            _draw_view(pen, cabinet, side, left, foot, _VIEW, unit, blanking)
        left = x + 2 * (_VIEW + _GAP) + 6
        _print_facts(pen, facts, left, top - 12, x + TEXT_WIDTH - left)
        _print_key(pen, x + 11, foot - 13, blanking, "node" if named else "endpoints", others=bool(cabinet.others))

    return Block(height + 32, draw)


Fact = tuple[str, str, bool]
"""A name, a value, and whether it is over its limit."""


def limits(cabinet: Cabinet) -> list[Fact]:
    """Return power and mass of a cabinet with their limits, and the load of the fullest PDU of each feed."""
    found = []
    for name, value, limit, decimals, kind in (
        ("power, max.", cabinet.power_max_mw + cabinet.others_mw, cabinet.power_limit_mw, 1, "mW"),
        ("mass inside", cabinet.mass_g + cabinet.others_g, cabinet.load_limit_g, 0, "g"),
        ("on the floor", cabinet.total_g + cabinet.others_g, cabinet.floor_limit_g, 0, "g"),
    ):
        if limit:
            found.append((name, f"{amount(value, kind, decimals)} of {named(limit, kind, decimals, ' ')}", value > limit))
        else:
            found.append((name, f"{named(value, kind, decimals, ' ')}, no limit stated", False))
    found.insert(1, ("power, typical", f"{grouped(cabinet.power_typical_mw / 1e6, 1)} kW", False))
    if cabinet.others_mw or cabinet.others_g:
        own = f"{grouped(cabinet.others_mw / 1e6, 1)} kW, {named(cabinet.others_g, 'g', 0, ' ')}"
        found.append(("of that, of others", own, False))
    for feed, pdus in enumerate(cabinet.pdus):
        worst = max(pdus, key=lambda pdu: (pdu.alone_mw, pdu.normal_mw))
        normal, alone_kw, limit_kw = (grouped(mw / 1e6, 1) for mw in (worst.normal_mw, worst.alone_mw, worst.limit_mw))
        over = worst.alone_mw > worst.limit_mw
        found.append((f"feed {FEEDS[feed]}", f"{normal} of {limit_kw} kW", over))
        if len(cabinet.pdus) > 1:
            found.append((f"feed {FEEDS[feed]} alone", f"{alone_kw} of {limit_kw} kW", over))
    return found


def _print_facts(pen: Pen, facts: Sequence[Fact], x: float, top: float, width: float) -> None:
    for number, (name, value, over) in enumerate(facts):
        y = top - 8 - number * _LINE
        font, color = (BOLD, ALARM) if over else (REGULAR, DARK)
        pen.text(x, y, name, 7, color=MUTED, width=width * 0.42)
        pen.text(
            x + width, y, f"{value} EXCEEDED" if over else value, 7, font=font, color=color, align="right", width=width * 0.57
        )
        pen.line([(x, y - 2.5), (x + width, y - 2.5)], RULE, 0.25)


def _draw_view(pen: Pen, cabinet: Cabinet, side: Side, x: float, foot: float, width: float, unit: float, blanking: bool) -> None:
    left, inner, height = x + 11, width - 11, unit * cabinet.units
    pen.box(left, foot, inner, height, PAPER)
    for number in range(1, cabinet.units + 1):
        y = foot + (number - 1) * unit
        pen.line([(left, y), (left + inner, y)], FAINT, 0.3)
        pen.text(x + 9, y + unit / 2 - MIN_PT * 0.36, str(number), MIN_PT, color=MUTED, align="right")
    bottom, above = cabinet.reserved
    for low, units in ((1, bottom), (cabinet.units - above + 1, above)):
        if units:
            _draw_gap(pen, left, foot + (low - 1) * unit, inner, units * unit, "reserved", dash=(2, 1.5))
    for low, units in cabinet.free:
        text = f"{units} free" + (", blanking" if blanking else "")
        _draw_gap(pen, left, foot + (low - 1) * unit, inner, units * unit, text, hatch="level" if blanking else "")
    strips = _strips(cabinet) if side == "rear" else ([], [])
    inset = [len(names) * _STRIP for names in strips]
    for box in (*cabinet.boxes, *cabinet.fixtures, *cabinet.others):
        _draw_box(pen, box, cabinet.units, side, left + inset[0], foot, inner - sum(inset), unit)
    for start, names in zip((left, left + inner - inset[1]), strips, strict=True):
        for place, name in enumerate(names):
            _draw_strip(pen, name, start + place * _STRIP, foot, height)
    pen.box(left, foot, inner, height, stroke=DARK, weight=1.0)


def small_elevation(
    pen: Pen, cabinet: Cabinet, lit: Collection[int], x: float, bottom: float, width: float, height: float
) -> None:
    """Draw the boxes of a cabinet small, from the side of their ports; `lit` are the first devices of those to highlight."""
    own = [box for box in cabinet.boxes if box.device in lit]
    side = next((box.part.port_side for box in own if box.part is not None), "rear")
    unit, wide = (height - 11) / cabinet.units, min(width - 14, 90.0)
    left, foot = x + 14, bottom + 1
    pen.text(left, bottom + height - 7, f"{cabinet.name}, {side}", 6.5, font=BOLD)
    for number in range(5, cabinet.units + 1, 5):
        pen.text(left - 3, foot + (number - 0.5) * unit - MIN_PT * 0.36, str(number), MIN_PT, color=MUTED, align="right")
    for box in (*cabinet.boxes, *cabinet.fixtures, *cabinet.others):
        if 1 <= box.unit <= cabinet.units:
            tall = max(min(box.units, cabinet.units - box.unit + 1), 0.6) * unit
            is_lit = box.part is not None and box.device in lit
            pen.box(left + 1, foot + (box.unit - 1) * unit, wide - 2, tall, PAPER, MUTED, weight=0.25)
            if is_lit:
                # The middle alone, so that boxes above each other stay apart in gray.
                pen.box(left + 3, foot + (box.unit - 0.85) * unit, wide - 6, tall - 0.3 * unit, LIT)
    pen.box(left, foot, wide, unit * cabinet.units, stroke=DARK, weight=0.8)


def _strips(cabinet: Cabinet) -> tuple[list[str], list[str]]:
    """Return what is upright at the left and at the right of the rear: PDUs, those of feed A on the left, and other devices."""
    feeds = [] if _has_pdu_units(cabinet) else [[f"PDU {pdu.name}" for pdu in feed] for feed in cabinet.pdus]
    left, right = (feeds + [[], []])[:2]
    names = [box.name for box in cabinet.upright]
    return left + names[::2], right + names[1::2]


def _has_pdu_units(cabinet: Cabinet) -> bool:
    """Return whether PDUs take rack units."""
    return any(box.kind == "PDU" for box in cabinet.fixtures)


def _draw_gap(pen: Pen, left: float, y: float, width: float, height: float, text: str, **options: Any) -> None:
    pen.box(left + 1.5, y + 0.4, width - 3, height - 0.8, stroke=RULE, weight=0.4, **options)
    size = min(6.5, max(MIN_PT, height - 0.8))
    base, half = y + height / 2 - size * 0.36, width_of(text, size) / 2 + 3
    pen.box(left + width / 2 - half, base - 1, 2 * half, size, PAPER)
    pen.text(left + width / 2, base, text, size, color=MUTED, align="center", width=width - 8)


def _draw_box(pen: Pen, box: Box, units: int, side: Side, left: float, foot: float, width: float, unit: float) -> None:
    if not (1 <= box.unit <= units):
        return
    # A device that takes no unit still shows as a line in its unit.
    height = max(min(box.units, units - box.unit + 1), 0.6) * unit
    y = foot + (box.unit - 1) * unit
    if box.kind == "cable manager":
        hatch = "diagonal" if side == "front" else ""
        pen.box(left + 1.5, y + 0.2, width - 3, height - 0.4, PAPER, MUTED, weight=0.25, hatch=hatch)
        return
    if box.kind == OTHERS:
        _draw_gap(pen, left, y, width, height, box.name, hatch="diagonal")
        return
    fill, stroke = (ACCENT_LIGHT, ACCENT) if box.kind == "router" else (PAPER, MUTED)
    pen.box(left + 1.5, y + 0.2, width - 3, height - 0.4, fill, stroke, weight=0.25)
    part = box.part
    face = part.face(side) if part is not None else None
    ports = min(_PORTS * width, face.columns * 1.6 * height / face.rows) if face is not None and face.sockets else 0.0
    if part is not None and face is not None and ports:
        # Sockets of tall boxes are as large as those of others.
        tall = min(height - 1.6, face.rows * 4.5)
        place = Rectangle(left + width - 3 - ports, y + (height - tall) / 2, ports, tall)
        draw_face(pen, f"{part.id}-{side}", face, place)
    size = min(6.5, max(MIN_PT, unit - 0.8))
    base, right = y + height / 2 - size * 0.36, left + width - 5 - ports
    plugs = box.plugs if side == "rear" else ""
    if plugs:
        pen.text(right, base, plugs, size, color=MUTED, align="right", width=width * 0.3)
    pen.text(left + 4, base, box.name, size, width=right - left - 6 - (size * 0.62 * len(plugs) + 4 if plugs else 0))


def _draw_strip(pen: Pen, name: str, x: float, foot: float, height: float) -> None:
    pen.box(x + 0.4, foot + 1, _STRIP - 0.8, height - 2, FAINT, DARK, weight=0.5)
    pen.upright(x + _STRIP / 2, foot + height / 2, name, MIN_PT)


def _print_key(pen: Pen, x: float, y: float, blanking: bool, nodes: str, *, others: bool) -> None:
    entries = [
        Entry("router", Style("accent-light", "accent")),
        Entry(nodes, Style("paper", "muted")),
        Entry("cable manager", Style("paper", "muted", hatch="diagonal")),
        Entry("blanking panels", Style("", "rule", hatch="level")) if blanking else Entry("free", Style("", "rule")),
        Entry("reserved", Style("", "rule", dash_pt=(2, 1.5))),
        *([Entry(OTHERS, Style("", "rule", hatch="diagonal"))] if others else []),
    ]
    for entry in entries:
        draw_swatch(pen, x, y, entry)
        pen.text(x + 19, y + 1, entry.text, 6.5)
        x += 19 + width_of(entry.text, 6.5) + 14
    for place in range(4):
        pen.box(x + place * 3.8, y + 1.5, 3.2, 3.6, PAPER, MUTED, weight=0.4)
    pen.text(x + 19, y + 1, "sockets on this side", 6.5)
