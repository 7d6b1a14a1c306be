"""Rooms as SVG drawings to scale, a group for each kind."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from xml.sax.saxutils import escape, quoteattr

import numpy as np

from planner.floor._drawing import Drawing, RiserRule, TrayRule
from planner.floor._layers import printable
from planner.model import Room

_STYLE = {
    "outline": "fill:#ffffff;stroke:#000000;stroke-width:40",
    "aisles": "fill:#dde8f5;stroke:none",
    "obstacles": "fill:#b0b0b0;stroke:#606060;stroke-width:10",
    "penetrations": "fill:#e0c0e0;stroke:#803080;stroke-width:10",
    "slots": "fill:#f5f0d8;stroke:#404040;stroke-width:10",
    "fronts": "stroke:#c03020;stroke-width:40",
    "trays under the floor": "fill:none;stroke:#603010;stroke-opacity:0.45;stroke-dasharray:120 240;stroke-linejoin:round",
    "trays": "fill:none;stroke:#d08020;stroke-opacity:0.5;stroke-linejoin:round",
    "fiber trays": "fill:none;stroke:#c8b400;stroke-opacity:0.45;stroke-linejoin:round",
    "risers": "fill:none;stroke:#705030;stroke-width:30",
    "labels": "font-family:sans-serif;font-size:140px;text-anchor:middle",
}


TRAYS = ("trays", "fiber trays", "trays under the floor")


def _group(rule: TrayRule) -> str:
    return TRAYS[2] if rule.elevation_mm < 0 else TRAYS[rule.carries == "fiber"]


def _riser_corners(rule: RiserRule) -> list[tuple[float, float]]:
    (x, y), half, deep = rule.at_mm, rule.width_mm / 2, rule.height_mm / 2
    return [(x - half, y - deep), (x + half, y - deep), (x + half, y + deep), (x - half, y + deep)]


def write_svg(drawing: Drawing, room: Room, path: Path, scale: int) -> None:
    """Write a room as SVG at 1:`scale`; a group for each kind, trays in their width."""
    low = room.outline.min(axis=0) - 500
    high = room.outline.max(axis=0) + 500
    width, height = (high - low).tolist()

    def points(corners: Iterable) -> str:
        # The page has its y axis downwards.
        return " ".join(f"{x - low[0]:g},{high[1] - y:g}" for x, y in corners)

    def title(text: str) -> str:
        return f"<title>{escape(printable(text))}</title>"

    def polygon(corners: Iterable, text: str) -> str:
        return f'<polygon points="{points(corners)}">{title(text)}</polygon>'

    def label(place: Iterable, text: str) -> str:
        x, y = points([place]).split(",")
        return f'<text x="{x}" y="{y}">{escape(printable(text))}</text>'

    def tray(rule: TrayRule) -> str:
        about = f"{rule.name}: {rule.kind}, {rule.elevation_mm} mm, {'all cables' if rule.carries == 'any' else rule.carries}"
        return f'<polyline points="{points(rule.path_mm)}" stroke-width="{rule.width_mm}">{title(about)}</polyline>'

    half = room.slot_size / 2
    corners = [
        [tuple(room.slot_xy[slot] + half[slot] * sign) for sign in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
        for slot in range(room.slot_count)
    ]
    # The front of the cabinet is the side between these two corners.
    sides = {0: (1, 2), 90: (2, 3), 180: (3, 0), 270: (0, 1)}
    fronts = [[box[end] for end in sides[int(facing)]] for box, facing in zip(corners, room.slot_facing, strict=True)]
    halls = [(zone.name, zone.corners_mm) for zone in room.halls] or [(room.title, room.outline)]
    kinds = sorted({zone.kind for zone in room.obstacles})
    groups = {
        "outline": [polygon(outline, name) for name, outline in halls],
        "penetrations": [polygon(zone.corners_mm, zone.name) for zone in room.penetrations],
        "aisles": [polygon(zone.corners_mm, f"{zone.kind} {zone.name}") for zone in room.aisles],
        **{kind: [polygon(z.corners_mm, f"{kind} {z.name}") for z in room.obstacles if z.kind == kind] for kind in kinds},
        "slots": [polygon(box, name) for box, name in zip(corners, room.slot_names, strict=True)],
        "fronts": [f'<polyline points="{points(front)}"/>' for front in fronts],
        **{name: [tray(rule) for rule in drawing.tray if _group(rule) == name] for name in TRAYS},
        "risers": [polygon(_riser_corners(rule), rule.name) for rule in drawing.riser],
        "labels": [label(xy, name) for xy, name in zip(room.slot_xy, room.slot_names, strict=True)]
        + [label(np.mean(zone.corners_mm, axis=0), zone.name) for zone in room.obstacles],
    }
    size = f'width="{width / scale:g}mm" height="{height / scale:g}mm" viewBox="0 0 {width} {height}"'
    lines = ['<?xml version="1.0" encoding="UTF-8"?>', f'<svg xmlns="http://www.w3.org/2000/svg" {size}>']
    lines.append(title(f"{room.title}, 1:{scale}"))
    for name, content in groups.items():
        style = _STYLE.get(name, _STYLE["obstacles"])
        lines.append(f"<g id={quoteattr(name.replace(' ', '-'))} style={quoteattr(style)}>")
        lines += [*content, "</g>"]
    path.write_text("\n".join([*lines, "</svg>", ""]), encoding="utf-8")
