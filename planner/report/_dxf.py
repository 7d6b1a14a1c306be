"""A room and its plan as DXF entities; layers, blocks and extended data as the floor plan importer reads them."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from ezdxf.document import Drawing as Document
from ezdxf.enums import TextEntityAlignment

from planner.model import EGRESS, Room
from planner.report._tray_lines import RISER, Route, tray_lines

_APPID = "PLANNER"
_LAYERS = {
    "OUTLINE": 7, "COLUMN": 8, "WALL": 8, "DOOR": 3, "COOLING": 4, "KEEP-OUT": 1, "PENETRATION": 6, "AISLE": 5, "ROW": 9,
    "SLOT": 2, "TRAY": 30, "RISER": 30, "TEXT": 7, "CABINET": 5, "ROUTE": 200, "FILL-TEXT": 7,
}  # fmt: skip
_OF_OBSTACLE = {
    "column": "COLUMN", "wall": "WALL", "door": "DOOR", "cooling unit": "COOLING", "keep-out": "KEEP-OUT",
}  # fmt: skip
_CARRIES = {1: "copper", 2: "fiber", 3: "any"}
_CHUNK = 60
"""A string of extended data holds 255 bytes, and a character takes up to four."""
_TEXT_MM = 120
_APART = 24
"""Millimeters between parallel routes."""
_HEIGHT_MM = 100
"""Preferred height of a tray; the record has only the product of width and height."""


class Drawing:
    """A DXF document under construction."""

    def __init__(self, doc: Document) -> None:
        self.doc = doc
        self.space = doc.modelspace()
        doc.header["$MEASUREMENT"] = 1
        doc.appids.add(_APPID)
        for layer, color in _LAYERS.items():
            doc.layers.add(layer, color=color)

    # -- the room -----------------------------------------------------------------------------

    def room(self, room: Room) -> None:
        """Draw the floor, its slots and trays, with the data that the importer needs."""
        self._facts(room)
        halls = [(zone.name, zone.corners_mm) for zone in room.halls] or [("", room.outline.tolist())]
        for name, corners in halls:
            self._closed("OUTLINE", corners, **({"name": name} if name else {}))
        for zone in room.aisles:
            self._closed("AISLE", zone.corners_mm)
        for zone in room.obstacles:
            self._closed(_OF_OBSTACLE[zone.kind], zone.corners_mm, name=zone.name)
            self._text(zone.name, np.mean(zone.corners_mm, axis=0), _size(zone.name, float(np.ptp(zone.corners_mm, axis=0)[0])))
        for zone in room.penetrations:
            self._closed("PENETRATION", zone.corners_mm, name=zone.name, **_opening(room, zone.corners_mm))
        for slot in range(room.slot_count):
            self._slot(room, slot)
        self._rows(room)
        self._trays(room)

    def _facts(self, room: Room) -> None:
        source = room.sources[0] if room.sources else None
        facts = {"title": room.title, "tile_mm": room.tile_mm, "design_fill": room.design_fill, "max_fill": room.max_fill}
        reach_mm = int(np.abs(room.tray_offset_mm).sum(axis=2).max(initial=0))
        facts |= {"fill_shape": room.fill_shape, "tray_reach_mm": max(1500, reach_mm)}
        if source is not None:
            facts |= {"source": source.source, "confidence": source.confidence, "date": source.date, "note": source.note}
        for key, fact in facts.items():
            self.doc.header.custom_vars.append(f"{_APPID}.{key}", json.dumps(fact))

    def _slot(self, room: Room, slot: int) -> None:
        values = {
            "NAME": room.slot_names[slot],
            "ROW": room.row_names[room.slot_row[slot]],
            "POWER_KW": _decimal(int(room.slot_power_mw[slot]), 6),
            "LOAD_KG": _decimal(int(room.slot_load_g[slot]), 3),
        }
        if room.cooling_mw:
            values["COOLING_KW"] = _decimal(room.cooling_mw[slot], 6)
        if (egress := EGRESS[room.slot_egress[slot]]) != "nearest":
            values["EGRESS"] = egress
        below = set((room.node_xyz[room.slot_node[slot], 2] < 0).tolist()) if len(room.node_xyz) else set()
        if len(below) == 1 and len(set((room.node_xyz[:, 2] < 0).tolist())) == 2:
            values["EXIT"] = "bottom" if below == {True} else "top"
        tags = ("NAME", "ROW", "POWER_KW", "LOAD_KG", "COOLING_KW", "EXIT", "EGRESS")
        self._insert("SLOT", room, slot, values, tags, front=True)
        # Blocks are rotated with their cabinets; the visible name is horizontal, in the rear half.
        name = room.slot_names[slot]
        self._text(name, _rear(room, slot), _size(name, int(room.slot_size[slot, 0])))

    def _rows(self, room: Room) -> None:
        for row, name in enumerate(room.row_names):
            own = np.flatnonzero(room.slot_row == row)
            if len(own):
                first, last = room.slot_xy[own[[0, -1]]].astype(float)
                self.space.add_lwpolyline([first.tolist(), last.tolist()], dxfattribs={"layer": "ROW"})
                along = first - last if len(own) > 1 else np.array([-1.0, 0.0])
                along /= max(float(np.abs(along).max()), 1.0)
                size = _size(name, 900, 2 * _TEXT_MM)
                self._text(
                    name, _rear(room, int(own[0])) + along * (room.slot_size[own[0]] / 2 + 150 + 0.35 * size * len(name)), size
                )

    def _trays(self, room: Room) -> None:
        serving = set(room.slot_node.ravel().tolist())
        lines = tray_lines(room)
        stretches = Counter(line.tray for line in lines)
        seen: Counter[int] = Counter()
        for line in lines:
            seen[line.tray] += 1
            mark = f" ({seen[line.tray]})" if stretches[line.tray] > 1 else ""
            area = int(room.segment_mm2[line.segments].max())
            facts: dict[str, Any] = {"name": room.tray_names[line.tray] + mark, "kind": room.tray_kinds[line.tray]}
            facts["carries"] = _CARRIES[int(room.segment_carries[line.segments[0]])]
            facts["serves"] = not serving.isdisjoint(room.segments[line.segments].ravel().tolist())
            if area:
                facts["width_mm"], facts["height_mm"] = _sides(area)
            if room.tray_bend_mm[line.tray]:
                facts["bend_mm"] = room.tray_bend_mm[line.tray]
            wide = min(facts.get("width_mm", _HEIGHT_MM), 1000)
            attributes = {"layer": "TRAY", "elevation": line.elevation_mm, "const_width": wide}
            entity = self.space.add_lwpolyline(line.path_mm, dxfattribs=attributes)
            entity.transparency = 0.7
            _attach(entity, **facts)
            # Trays above and below the floor may run along the same line.
            self._along(facts["name"], line.path_mm, aside=230 if line.elevation_mm >= 0 else -230)
        kinds = np.array(room.tray_kinds, str)[room.segment_tray] if len(room.segment_tray) else np.zeros(0, str)
        for tray in dict.fromkeys(room.segment_tray[kinds == RISER].tolist()):
            segment = int(np.flatnonzero(room.segment_tray == tray)[0])
            x, y, _ = room.node_xyz[room.segments[segment, 0]].tolist()
            width, height = _sides(max(int(room.segment_mm2[segment]), 1))
            half, deep = width / 2, height / 2
            corners = [(x - half, y - deep), (x + half, y - deep), (x + half, y + deep), (x - half, y + deep)]
            self._closed("RISER", corners, name=room.tray_names[tray], at_mm=(x, y), width_mm=width, height_mm=height)

    # -- the plan -----------------------------------------------------------------------------

    def cabinet(self, room: Room, slot: int, facts: Mapping[str, Any]) -> None:
        """Draw a cabinet in its slot, with facts as attributes; only the first is visible."""
        self._insert("CABINET", room, slot, {tag: str(value) for tag, value in facts.items()}, tuple(facts), front=False)

    def stretch(self, room: Room, segment: int, layer: str, color: int, text: str) -> None:
        """Draw a segment of a tray on a layer of its own, with a text where it is long enough."""
        if layer not in self.doc.layers:
            self.doc.layers.add(layer, color=color)
        (a, b) = room.node_xyz[room.segments[segment]].tolist()
        if a[:2] == b[:2]:
            return
        attributes = {"layer": layer, "elevation": a[2], "const_width": 160}
        self.space.add_lwpolyline([a[:2], b[:2]], dxfattribs=attributes)
        if room.segment_mm[segment] >= 4 * _TEXT_MM:
            self._along(text, [a[:2], b[:2]], 60, layer="FILL-TEXT", aside=0)

    def routes(self, room: Room, routes: list[Route]) -> None:
        """Draw the busiest routes side by side, and list them on the right of the room."""
        x, y = (room.outline.max(axis=0) + (600, 0)).tolist()
        for number, route in enumerate(routes, 1):
            text = f"{number}: {route.cables} cables {route.a} - {route.b}"
            entity = self.space.add_text(_printable(text), height=_TEXT_MM, dxfattribs={"layer": "ROUTE"})
            entity.set_placement((x, y - 2 * number * _TEXT_MM))
            if len(route.path_mm) > 1:
                # An offset along both axes separates the lines in every direction.
                path = [(u + _APART * (number - 1), v + _APART * (number - 1)) for u, v in route.path_mm]
                line = self.space.add_lwpolyline(path, dxfattribs={"layer": "ROUTE", "const_width": 8})
                _attach(line, cables=route.cables, ends=[route.a, route.b])

    # -- entities -----------------------------------------------------------------------------

    def _insert(
        self, layer: str, room: Room, slot: int, values: Mapping[str, str], tags: tuple[str, ...], *, front: bool
    ) -> None:
        facing = int(room.slot_facing[slot])
        width, depth = room.slot_size[slot].tolist()[:: 1 if facing in (90, 270) else -1]
        block = self._block(layer, width, depth, tags, front)
        attributes = {"layer": layer, "rotation": (facing - 90) % 360}
        insert = self.space.add_blockref(block, room.slot_xy[slot].tolist(), dxfattribs=attributes)
        insert.add_auto_attribs({tag: _printable(value) for tag, value in values.items()})

    def _block(self, layer: str, width: int, depth: int, tags: tuple[str, ...], front: bool) -> str:
        """Return the block of a cabinet of this size, its front on the +y side; created on first use."""
        name = f"{layer}_{width}x{depth}"
        if name in self.doc.blocks:
            return name
        block = self.doc.blocks.new(name)
        x, y = width / 2, depth / 2
        inset = 0 if front else 20
        corners = [(-x + inset, -y + inset), (x - inset, -y + inset), (x - inset, y - inset), (-x + inset, y - inset)]
        block.add_lwpolyline(corners, close=True)
        if front:
            block.add_line((-x, y - 40), (x, y - 40))
        size = min(width, depth) / 6
        for place, tag in enumerate(tags):
            # For programs, and for the properties dialog.
            at = (-x + size / 2, -place * size * 1.5)
            block.add_attdef(tag, at, dxfattribs={"height": size, "layer": "TEXT", "invisible": 1})
        return name

    def _closed(self, layer: str, corners: Iterable, **facts: Any) -> None:
        points = [tuple(map(float, corner)) for corner in corners]
        _attach(self.space.add_lwpolyline(points, close=True, dxfattribs={"layer": layer}), **facts)

    def _along(self, text: str, path: Sequence, height: float = 80, layer: str = "TEXT", aside: float = 230) -> None:
        """Write next to the longest stretch of a path, in its direction, readable from below or from the right."""
        (x, y), (u, v) = max(pairwise(path), key=lambda ends: math.dist(*ends))
        angle = 90 - (90 - math.degrees(math.atan2(v - y, u - x))) % 180
        middle = np.array([x + u, y + v]) / 2
        normal = np.array([-math.sin(math.radians(angle)), math.cos(math.radians(angle))])
        self._text(text, middle + aside * normal, height, layer, angle)

    def _text(self, text: str, at: Iterable, height: float = _TEXT_MM, layer: str = "TEXT", angle: float = 0) -> None:
        x, y = at
        entity = self.space.add_text(_printable(text), height=height, rotation=angle, dxfattribs={"layer": layer})
        entity.set_placement((float(x), float(y)), align=TextEntityAlignment.MIDDLE_CENTER)


def _rear(room: Room, slot: int) -> np.ndarray:
    """Return a point in the rear half of a slot, clear of a tray above its middle; float64 (2,)."""
    angle = math.radians(int(room.slot_facing[slot]))
    facing = np.array([round(math.cos(angle)), round(math.sin(angle))])
    return room.slot_xy[slot] - 0.3 * facing * room.slot_size[slot]


def _opening(room: Room, corners: Iterable) -> dict[str, Any]:
    """Return the data that the importer needs for a wall opening: axis, height and lower edge, from its trays."""
    low, high = np.min(corners, axis=0), np.max(corners, axis=0)
    ends = room.node_xyz[room.segments]
    middle = ends.mean(axis=1)
    inside = ((middle[:, :2] > low) & (middle[:, :2] < high)).all(axis=1)
    if not inside.any():
        return {"through": "x" if high[0] - low[0] < high[1] - low[1] else "y", "height_mm": _HEIGHT_MM}
    span = np.abs(ends[inside, 0, :2] - ends[inside, 1, :2]).sum(axis=0)
    axis = int(span[1] > span[0])
    heights = ends[inside][:, :, 2]
    # Count each tray once: it may have several segments in the opening.
    area = sum({int(tray): int(a) for tray, a in zip(room.segment_tray[inside], room.segment_mm2[inside], strict=True)}.values())
    across = int(high[1 - axis] - low[1 - axis])
    height = max(-(-area // across), int(np.ptp(heights)) + 1)
    return {"through": "xy"[axis], "height_mm": height, "elevation_mm": int(heights.min())}


def _sides(area_mm2: int) -> tuple[int, int]:
    """Return width and height with this product, the height near that of common trays.

    >>> _sides(30_000), _sides(64_516)
    ((300, 100), (508, 127))
    """
    heights = sorted(range(25, 201), key=lambda height: abs(height - _HEIGHT_MM))
    height = next((height for height in heights if area_mm2 % height == 0), 1)
    return area_mm2 // height, height


def _size(text: str, wide: float, limit: float = _TEXT_MM) -> float:
    """Return the text height at which a text is at most this wide."""
    return min(limit, wide / (0.75 * max(len(text), 1)))


def _attach(entity: Any, **facts: Any) -> None:
    """Attach facts as extended data."""
    if facts:
        text = json.dumps(facts)
        entity.set_xdata(_APPID, [(1000, text[i : i + _CHUNK]) for i in range(0, len(text), _CHUNK)])


def _printable(text: str) -> str:
    """Replace unprintable characters by spaces: DXF is a format of lines."""
    return "".join(c if c.isprintable() else " " for c in text)


def _decimal(amount: int, places: int) -> str:
    """Return `amount` / 10^places exactly, without trailing zeros."""
    whole, rest = divmod(amount, 10**places)
    return f"{whole}.{rest:0{places}d}".rstrip("0").rstrip(".")
