"""Floor to scale as SVG: rows, cabinets by use, trays by fill, and the busiest routes."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Annotated
from xml.sax.saxutils import escape, quoteattr

import numpy as np
from annotated_types import Ge, Le

from planner.errors import InputError, Problem
from planner.model import Plan, Room
from planner.report._cabinets import Cabinet, cabinets
from planner.report._tray_lines import RISER, busiest_routes, fill_shares, tray_lines

ENDING = ".floor.svg"

_STYLE = {
    "outline": "fill:#ffffff;stroke:#000000;stroke-width:40",
    "aisles": "fill:#eef3fa;stroke:none",
    "cold aisles": "fill:#dceafa;stroke:none",
    "hot aisles": "fill:#fae6dc;stroke:none",
    "obstacles": "fill:#b8bdc2;stroke:#50565c;stroke-width:10",
    "penetrations": "fill:#e6d3e6;stroke:#803080;stroke-width:10",
    "slots": "fill:none;stroke:#a0a6ac;stroke-width:8;stroke-dasharray:40 40",
    "cabinets": "stroke:#30363c;stroke-width:12",
    "fronts": "fill:none;stroke:#c03020;stroke-width:40",
    "trays": "fill:none;stroke:#8a9096;stroke-linejoin:round;stroke-opacity:0.35",
    "fill": "fill:none;stroke-linecap:round",
    "risers": "fill:none;stroke:#705030;stroke-width:30",
    "routes": "fill:none;stroke:#7030a0;stroke-linejoin:round;stroke-opacity:0.7",
    "labels": "font-family:sans-serif;text-anchor:middle;dominant-baseline:central;fill:#000000",
    "rows": "font-family:sans-serif;font-weight:bold;text-anchor:middle;dominant-baseline:central;fill:#000000;stroke:#ffffff;"
    "stroke-width:50;paint-order:stroke",
    "legend": "font-family:sans-serif;font-size:220px;fill:#000000;stroke:none",
}
_FILLS = ((0.5, "#2c7fb8", "up to half of the design fill"), (1.0, "#7fbf3f", "up to the design fill"))
_OVER = (("#f0a020", "above the design fill"), ("#d01010", "above the maximum fill"))
_EMPTY, _FULL = (237, 242, 247), (92, 148, 191)
_MARGIN, _STRIP = 1000, 2200
"""Around the room, and below it for scale and legend; in mm of the room."""
_APART = 24
"""Millimeters between parallel routes."""


def write(
    plan: Plan,
    path: Path,
    *,
    scale: Annotated[int, Ge(1), Le(10_000)] = 50,
    routes: Annotated[int, Ge(0), Le(1000)] = 10,
) -> None:
    """Write a drawing at 1:`scale` in millimeters of the room, a group for each kind of thing.

    Every object has its name and figures as a title, which browsers show as a tooltip.

    Parameters
    ----------
    scale
        Denominator of the scale: millimeters in the room per millimeter on paper.
    routes
        Number of routes between two cabinets to draw, busiest first.

    Raises
    ------
    InputError
        When the plan has no room.
    """
    if plan.room is None:
        raise InputError(Problem("", "the plan has no room", "run the study to its end"))
    room = plan.room
    low, high = room.outline.min(axis=0) - _MARGIN, room.outline.max(axis=0) + _MARGIN
    width, height = max(int(high[0] - low[0]), 8000), int(high[1] - low[1]) + _STRIP
    page = _Page(int(low[0]), int(high[1]))
    size = f'width="{width / scale:g}mm" height="{height / scale:g}mm" viewBox="0 0 {width} {height}"'
    with path.open("w", encoding="utf-8", newline="") as file:
        file.write(f'<?xml version="1.0" encoding="UTF-8"?>\n<svg xmlns="http://www.w3.org/2000/svg" {size}>\n')
        file.write(_title(f"{plan.title or plan.name}, {room.title}, 1:{scale}") + "\n")
        file.write('<rect width="100%" height="100%" fill="#ffffff"/>\n')
        for name, content in _groups(plan, page, routes, (height - _STRIP, scale)).items():
            file.write(f"<g id={quoteattr(name.replace(' ', '-'))} style={quoteattr(_STYLE[name])}>\n")
            file.writelines(f"{line}\n" for line in content)
            file.write("</g>\n")
        file.write("</svg>\n")


class _Page:
    """A page: converts millimeters of the room, y upward, to the page, y downward."""

    def __init__(self, left: int, top: int) -> None:
        self.left, self.top = left, top

    def points(self, corners: Iterable) -> str:
        return " ".join(f"{x - self.left:g},{self.top - y:g}" for x, y in corners)

    def polygon(self, corners: Iterable, text: str, extra: str = "") -> str:
        return f'<polygon points="{self.points(corners)}"{extra}>{_title(text)}</polygon>'

    def line(self, corners: Iterable, text: str, extra: str = "") -> str:
        return f'<polyline points="{self.points(corners)}"{extra}>{_title(text)}</polyline>'

    def text(self, at: Iterable, text: str, extra: str = "") -> str:
        x, y = self.points([at]).split(",")
        return f'<text x="{x}" y="{y}"{extra}>{escape(_printable(text))}</text>'


def _groups(plan: Plan, page: _Page, routes: int, foot: tuple[int, int]) -> dict[str, Iterable[str]]:
    room = plan.room
    heading = escape(_printable(f"{plan.title or plan.name} · {room.title}"))
    standing = cabinets(plan) if plan.placement is not None and plan.catalog is not None else []
    boxes = [_corners(room, slot) for slot in range(room.slot_count)]
    halls = [(zone.name, zone.corners_mm) for zone in room.halls] or [(room.title, room.outline.tolist())]
    aisles = {kind: [zone for zone in room.aisles if zone.kind.startswith(kind)] for kind in ("cold", "hot")}
    others = [zone for zone in room.aisles if not zone.kind.startswith(("cold", "hot"))]
    return {
        "outline": [page.polygon(corners, name) for name, corners in halls],
        "aisles": [page.polygon(zone.corners_mm, f"{zone.kind} {zone.name}") for zone in others],
        "cold aisles": [page.polygon(zone.corners_mm, f"cold aisle {zone.name}") for zone in aisles["cold"]],
        "hot aisles": [page.polygon(zone.corners_mm, f"hot aisle {zone.name}") for zone in aisles["hot"]],
        "penetrations": [page.polygon(zone.corners_mm, zone.name) for zone in room.penetrations],
        "obstacles": [page.polygon(zone.corners_mm, f"{zone.kind} {zone.name}") for zone in room.obstacles],
        "slots": [page.polygon(box, f"slot {name}") for box, name in zip(boxes, room.slot_names, strict=True)],
        "cabinets": [page.polygon(boxes[c.slot], _about(c), f' fill="{_use(c.share)}"') for c in standing],
        "fronts": [page.line(_front(room, c.slot), f"front of {c.name}") for c in standing],
        "trays": _trays(room, page),
        "fill": _fill(plan, page),
        "risers": _risers(room, page),
        "routes": _routes(plan, page, routes),
        "labels": _labels(room, page, {c.slot for c in standing}),
        "rows": _row_names(room, page),
        "legend": [f'<text x="1000" y="600">{heading}</text>', *_legend(*foot, bool(routes) and plan.cables is not None)],
    }


def _corners(room: Room, slot: int) -> list[tuple[float, float]]:
    (x, y), (half_x, half_y) = room.slot_xy[slot].tolist(), (room.slot_size[slot] / 2).tolist()
    return [(x + a * half_x, y + b * half_y) for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1))]


def _front(room: Room, slot: int) -> list[tuple[float, float]]:
    """Return the front edge of the cabinet."""
    box = _corners(room, slot)
    ends = {0: (1, 2), 90: (2, 3), 180: (3, 0), 270: (0, 1)}[int(room.slot_facing[slot])]
    return [box[end] for end in ends]


def _about(cabinet: Cabinet) -> str:
    return (
        f"{cabinet.name}: {cabinet.count('router')} routers, {cabinet.count('endpoint')} endpoints, "
        f"{cabinet.used_units} of {cabinet.units} units, {cabinet.power_max_mw / 1e6:g} kW at most"
    )


def _use(share: float) -> str:
    mixed = (round(low + min(share, 1) * (high - low)) for low, high in zip(_EMPTY, _FULL, strict=True))
    return "#" + "".join(f"{part:02x}" for part in mixed)


def _trays(room: Room, page: _Page) -> Iterator[str]:
    for line in tray_lines(room):
        area = int(room.segment_mm2[line.segments].max())
        about = f"{room.tray_names[line.tray]}: {room.tray_kinds[line.tray]}, {line.elevation_mm} mm above the floor"
        wide = min(max(area // 100, 100), 600) if area else 100
        under = ' stroke-dasharray="150 100"' if line.elevation_mm < 0 else ""
        yield page.line(line.path_mm, about, f' stroke-width="{wide}"{under}')


def _fill(plan: Plan, page: _Page) -> Iterator[str]:
    """Draw each segment as a line, colored by its fill."""
    room = plan.room
    if plan.cables is None:
        return
    ends = room.node_xyz[room.segments][:, :, :2].tolist()
    for number, share in enumerate(fill_shares(plan).tolist()):
        if share > 0 and ends[number][0] != ends[number][1]:
            about = f"{room.tray_names[room.segment_tray[number]]}: {share:.1%} full"
            color = fill_color(share, room.design_fill, room.max_fill)
            yield page.line(ends[number], about, f' stroke="{color}" stroke-width="160"')


def fill_color(share: float, design: float, limit: float) -> str:
    """Return the color of a tray segment by its fill."""
    if share > limit:
        return _OVER[1][0]
    return next((color for part, color, _ in _FILLS if share <= part * design), _OVER[0][0])


def _risers(room: Room, page: _Page) -> Iterator[str]:
    for number in np.flatnonzero(np.array(room.tray_kinds)[room.segment_tray] == RISER).tolist():
        x, y, _ = room.node_xyz[room.segments[number, 0]].tolist()
        corners = [(x + a * 150, y + b * 150) for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
        yield page.polygon(corners, room.tray_names[room.segment_tray[number]])


def _routes(plan: Plan, page: _Page, limit: int) -> Iterator[str]:
    """Draw the routes side by side, each with a width proportional to its cables."""
    found = busiest_routes(plan, limit)
    for number, route in enumerate(found):
        # An offset along both axes separates the lines in every direction.
        aside = (number - (len(found) - 1) / 2) * _APART
        path = [(x + aside, y + aside) for x, y in route.path_mm]
        wide = max(8, round(_APART * route.cables / found[0].cables))
        if len(path) > 1:
            yield page.line(path, f"{number + 1}: {route.cables} cables {route.a} – {route.b}", f' stroke-width="{wide}"')


def _labels(room: Room, page: _Page, used: set[int]) -> Iterator[str]:
    """Write the names of cabinets in their rear half, and those of obstacles where they fit."""
    for slot, name in enumerate(room.slot_names):
        wide, deep = room.slot_size[slot].tolist()
        angle = math.radians(int(room.slot_facing[slot]))
        x, y = room.slot_xy[slot].tolist()
        at = (x - round(math.cos(angle)) * wide * 0.3, y - round(math.sin(angle)) * deep * 0.3)
        extra = f' font-size="{_size(name, wide):.0f}"'
        yield page.text(at, name, extra + ("" if slot in used else ' fill-opacity="0.45"'))
    for zone in room.obstacles:
        corners = np.array(zone.corners_mm)
        wide, deep = np.ptp(corners, axis=0).tolist()
        size = _size(zone.name, wide)
        if 60 <= size <= deep:
            yield page.text(corners.mean(axis=0).tolist(), zone.name, f' font-size="{size:.0f}"')


def _size(text: str, wide: float, limit: int = 150) -> float:
    """Return the text height at which a text is at most this wide."""
    return min(limit, wide / (0.62 * max(len(text), 1)))


def _row_names(room: Room, page: _Page) -> Iterator[str]:
    """Write the name of each row next to its first cabinet."""
    for row, name in enumerate(room.row_names):
        own = np.flatnonzero(room.slot_row == row)
        if len(own):
            first, last = room.slot_xy[own[0]].astype(float), room.slot_xy[own[-1]].astype(float)
            along = first - last if len(own) > 1 else np.array([-1.0, 0.0])
            along /= max(float(np.abs(along).max()), 1.0)
            size = _size(name, 900, 320)
            at = first + along * (room.slot_size[own[0]] / 2 + 150 + 0.31 * size * len(name))
            yield page.text(at.tolist(), name, f' style="font-size:{size:.0f}px"')


def _legend(top: int, scale: int, routes: bool) -> Iterator[str]:
    """Draw a scale bar of five meters, an arrow along y, and the color legend."""
    yield f'<path d="M1000 {top + 300}h5000m-5000 -80v160m5000 -160v160" fill="none" stroke="#000000" stroke-width="30"/>'
    yield f'<text x="1000" y="{top + 650}">5 m, 1:{scale}</text>'
    yield f'<path d="M600 {top + 700}l-150 -500l150 -150l150 150z" fill="#000000"/>'
    yield f'<text x="520" y="{top + 950}">y</text>'
    entries = [(_use(0.0), "cabinet, empty"), (_use(1.0), "cabinet, full")]
    entries += [(color, text) for _, color, text in _FILLS] + list(_OVER)
    entries += [("#7030a0", "busiest routes, side by side")] if routes else []
    for number, (color, text) in enumerate(entries):
        x, y = 1000 + number % 2 * 3600, top + 800 + number // 2 * 330
        yield f'<rect x="{x}" y="{y}" width="300" height="200" fill="{color}" stroke="#30363c" stroke-width="8"/>'
        yield f'<text x="{x + 400}" y="{y + 180}">{escape(text)}</text>'


def _title(text: str) -> str:
    return f"<title>{escape(_printable(text))}</title>"


def _printable(text: str) -> str:
    """Replace unprintable characters by spaces: XML forbids control characters."""
    return "".join(c if c.isprintable() else " " for c in text)
