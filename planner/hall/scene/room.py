"""The scene of a room: outline, tiles, zones, slots, trays and names."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np

from planner.core.units import feet_and_inches, system
from planner.domain.model import EGRESS, RESERVED, WHOLE, Room, Zone, stated
from planner.hall.scene import Label, Layer, Point, Scene, Shape
from planner.hall.scene.trays import RISER, aside, carried, tray_lines

_ROW_GAP_MM = 100
"""Distance of a row's name from its end."""
_SHARES = (0.5, 0.3, 0.7, 0.1, 0.9, 0.4, 0.6, 0.2, 0.8)
"""Places of a tray's name along its longest stretch."""


def room_scene(room: Room) -> Scene:
    """Return the scene of a room without a plan; all slots are empty."""
    low, high = bounds(room)
    halls = [(zone.name, zone.corners_mm) for zone in room.halls] or [("", room.outline.tolist())]
    outline = [_hall(name, corners) for name, corners in halls]
    layers = (
        Layer("floor", [replace(shape, kind="floor") for shape in outline]),
        Layer("tiles", _tiles(room), pitch_mm=room.tile_mm),
        Layer("aisles", *_zones(room.aisles, "aisles")),
        Layer("outline", outline),
        Layer("penetrations", [_penetration(room, zone) for zone in room.penetrations]),
        Layer("obstacles", *_zones(room.obstacles, "obstacles")),
        Layer("slots", [slot_shape(room, slot) for slot in range(room.slot_count)], slot_labels(room)),
        Layer("trays", [*_trays(room), *_risers(room)]),
        Layer("rows", (), list(_row_labels(room))),
    )
    return Scene(room.title, low, high, layers, facts=_facts(room))


def bounds(room: Room) -> tuple[Point, Point]:
    """Return the lowest and the highest corner of everything in the room."""
    places = [room.outline, room.slot_xy - room.slot_size / 2, room.slot_xy + room.slot_size / 2, room.node_xyz[:, :2]]
    places += [np.array(zone.corners_mm) for zone in room.obstacles]
    every = np.concatenate([place.astype(float).reshape(-1, 2) for place in places])
    low, high = every.min(axis=0).tolist(), every.max(axis=0).tolist()
    return (low[0], low[1]), (high[0], high[1])


# -- zones --------------------------------------------------------------------------------------


def _hall(name: str, corners: Any) -> Shape:
    return Shape("outline", _points(corners), name=name, facts={"name": name} if name else {})


def _zones(zones: Sequence[Zone], layer: str) -> tuple[list[Shape], list[Label]]:
    shapes, labels = [], []
    for zone in zones:
        own = {"name": zone.name} if layer == "obstacles" else {}
        shape = Shape(zone.kind, _points(zone.corners_mm), name=zone.name, about=f"{zone.kind} {zone.name}", facts=own)
        text = f"{zone.kind} {zone.name}" if layer == "aisles" else zone.name or zone.kind
        (left, bottom), (right, top) = np.min(zone.corners_mm, axis=0), np.max(zone.corners_mm, axis=0)
        x, y, wide, high = (left + right) / 2, (bottom + top) / 2, float(right - left), float(top - bottom)
        labels.append(Label(layer, text, (x, y), (wide, high), upright_mm=(x, y, wide, high), on=shape))
        shapes.append(shape)
    return shapes, labels


def _penetration(room: Room, zone: Zone) -> Shape:
    corners = _points(zone.corners_mm)
    return Shape("penetration", corners, name=zone.name, about=zone.name, facts={"name": zone.name, **_opening(room, corners)})


def _opening(room: Room, corners: Sequence[Point]) -> dict[str, Any]:
    """Return axis, height and lower edge of a wall opening, from its trays."""
    low, high = np.min(corners, axis=0), np.max(corners, axis=0)
    ends = room.node_xyz[room.segments]
    middle = ends.mean(axis=1)
    inside = ((middle[:, :2] > low) & (middle[:, :2] < high)).all(axis=1)
    if not inside.any():
        return {"through": "x" if high[0] - low[0] < high[1] - low[1] else "y", "height_mm": 100}
    span = np.abs(ends[inside, 0, :2] - ends[inside, 1, :2]).sum(axis=0)
    axis = int(span[1] > span[0])
    heights = ends[inside][:, :, 2]
    # Count each tray once: it may have several segments in the opening.
    area = sum({int(tray): int(a) for tray, a in zip(room.segment_tray[inside], room.segment_mm2[inside], strict=True)}.values())
    across = int(high[1 - axis] - low[1 - axis])
    height = max(-(-area // across), int(np.ptp(heights)) + 1)
    return {"through": "xy"[axis], "height_mm": height, "elevation_mm": int(heights.min())}


def _tiles(room: Room) -> list[Shape]:
    """Return the lines between floor tiles, inside the outline."""
    import shapely

    if room.tile_mm < 1:
        return []
    (left, bottom), (right, top) = room.outline.min(axis=0).tolist(), room.outline.max(axis=0).tolist()
    lines = [((x, bottom), (x, top)) for x in range(left + room.tile_mm, right, room.tile_mm)]
    lines += [((left, y), (right, y)) for y in range(bottom + room.tile_mm, top, room.tile_mm)]
    inside = shapely.get_parts(shapely.intersection(shapely.linestrings(lines), shapely.Polygon(room.outline))) if lines else []
    return [Shape("tile", _points(line.coords), closed=False) for line in inside if line.geom_type == "LineString"]


# -- slots and rows -----------------------------------------------------------------------------


def slot_shape(room: Room, slot: int) -> Shape:
    """Return a slot without a cabinet of the plan, with its limits as facts."""
    given = {"power_mw": stated(int(room.slot_power_mw[slot])), "load_g": stated(int(room.slot_load_g[slot]))}
    limits: dict[str, Any] = {name: limit for name, limit in given.items() if limit}
    if room.cooling_mw:
        limits["cooling_mw"] = room.cooling_mw[slot]
    below = set((room.node_xyz[room.slot_node[slot], 2] < 0).tolist()) if len(room.node_xyz) else set()
    if len(below) == 1 and len(set((room.node_xyz[:, 2] < 0).tolist())) == 2:
        limits["exit"] = "bottom" if below == {True} else "top"
    name, facing = room.slot_names[slot], int(room.slot_facing[slot])
    facts = {"row": room.row_names[room.slot_row[slot]], **limits, "egress": EGRESS[room.slot_egress[slot]]}
    about = f"{name}: {taken_by(room, slot)}" if slot in room.existing.taken else f"slot {name}"
    kind = slot_kind(room, slot)
    return Shape(kind, corners(room, slot), name=name, about=about, facing=facing, facts=facts)


def slot_kind(room: Room, slot: int) -> str:
    """Return the kind of a slot without a cabinet of the plan: taken by others, reserved for a later phase, or empty."""
    if slot not in room.existing.taken:
        return "slot"
    return "reserved" if taken_by(room, slot).startswith(RESERVED) else "taken"


def taken_by(room: Room, slot: int) -> str:
    """Return the names of the cabinets of others in a slot."""
    names = [each.name for each in room.existing.equipment if each.slot == slot and each.kind == WHOLE]
    return ", ".join(dict.fromkeys(names))


def corners(room: Room, slot: int) -> list[Point]:
    """Return the corners of a slot, counterclockwise from the lower left one."""
    (x, y), (half_x, half_y) = room.slot_xy[slot].tolist(), (room.slot_size[slot] / 2).tolist()
    return [(x + a * half_x, y + b * half_y) for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1))]


def front(shape: Shape) -> Shape:
    """Return the front edge of a slot or cabinet."""
    first = {0: 1, 90: 2, 180: 3, 270: 0}[shape.facing or 0]
    ends = [shape.points_mm[first], shape.points_mm[(first + 1) % 4]]
    return Shape("front", ends, closed=False, about=f"front of {shape.name}")


def slot_labels(room: Room, on: Mapping[int, Shape] | None = None, notes: Mapping[int, str] | None = None) -> list[Label]:
    """Return the names of the slots below their middle, where a tray may run, and short texts above it."""
    found, on, notes = [], on or {}, notes or {}
    for slot, name in enumerate(room.slot_names):
        (x, y), (wide, high) = room.slot_xy[slot].tolist(), room.slot_size[slot].tolist()
        place, space = (x, y - 0.27 * high), (0.94 * wide, 0.4 * high)
        upright = (x, y, 0.94 * wide, 0.94 * high)
        kind = "slots" if slot in on or not on else "empty slots"
        text = notes.get(slot, "")
        found.append(Label(kind, name, place, space, upright_mm=upright, note=text, note_mm=(x, y + 0.2 * high), on=on.get(slot)))
    return found


def _row_labels(room: Room) -> Iterator[Label]:
    """Yield the name of each row at both of its ends."""
    for row, name in enumerate(room.row_names):
        own = np.flatnonzero(room.slot_row == row)
        if not len(own):
            continue
        places = room.slot_xy[own].astype(float)
        along = int(np.ptp(places, axis=0).argmax())
        for at, sign in ((places[places[:, along].argmin()], -1), (places[places[:, along].argmax()], 1)):
            at = at.copy()
            at[along] += sign * (float(room.slot_size[own, along].max()) / 2 + _ROW_GAP_MM)
            yield Label("rows", name, (float(at[0]), float(at[1])), anchor=(-sign, 0) if along == 0 else (0, -sign))


# -- trays --------------------------------------------------------------------------------------


def _trays(room: Room) -> Iterator[Shape]:
    serving = set(room.slot_node.ravel().tolist())
    moved, seen = aside(room), dict.fromkeys(range(len(room.tray_names)), 0)
    for line in tray_lines(room):
        seen[line.tray] += 1
        name, area = room.tray_names[line.tray], int(room.segment_mm2[line.segments].max())
        carries = ("", "copper", "fiber", "any")[int(room.segment_carries[line.segments[0]])]
        own: dict[str, Any] = {
            "name": name if seen[line.tray] == 1 else f"{name} ({seen[line.tray]})", "kind": room.tray_kinds[line.tray],
            "carries": carries, "serves": not serving.isdisjoint(room.segments[line.segments].ravel().tolist()),
        }  # fmt: skip
        if area:
            own["width_mm"], own["height_mm"] = sides(area)
        if room.tray_bend_mm[line.tray]:
            own["bend_mm"] = room.tray_bend_mm[line.tray]
        kind = carried(room, line.segments[0])
        height = feet_and_inches(line.elevation_mm) if system().feet else f"{line.elevation_mm} mm"
        about = f"{name}: {room.tray_kinds[line.tray]}, {height} above the floor, "
        about += "all cables" if carries == "any" else f"{carries} only"
        shape = Shape(kind, _points(line.path_mm), closed=False, name=name, about=about, width_mm=own.get("width_mm", 100))
        yield replace(shape, z_mm=line.elevation_mm, aside=bool(moved[line.segments[0]]), facts=own)


def _risers(room: Room) -> Iterator[Shape]:
    kinds = np.array(room.tray_kinds, str)[room.segment_tray] if len(room.segment_tray) else np.zeros(0, str)
    for tray in dict.fromkeys(room.segment_tray[kinds == RISER].tolist()):
        segment = int(np.flatnonzero(room.segment_tray == tray)[0])
        x, y, _ = room.node_xyz[room.segments[segment, 0]].tolist()
        width, height = sides(max(int(room.segment_mm2[segment]), 1))
        half, deep, name = width / 2, height / 2, room.tray_names[tray]
        box = [(x - half, y - deep), (x + half, y - deep), (x + half, y + deep), (x - half, y + deep)]
        yield Shape(
            "riser", box, name=name, about=name, facts={"name": name, "at_mm": (x, y), "width_mm": width, "height_mm": height}
        )


def tray_names(room: Room) -> Layer:
    """Return the names of trays, each next to the longest stretch of its lines, in its direction; others follow along it."""
    labels, seen = [], set()
    for line in sorted(tray_lines(room), key=lambda line: -_longest(line.path_mm)[0]):
        _, (x, y), (u, v) = _longest(line.path_mm)
        angle = 90 - (90 - math.degrees(math.atan2(v - y, u - x))) % 180
        # Trays above and below the floor may run along the same line.
        side = 230 if line.elevation_mm >= 0 else -230
        turn = math.radians(angle)
        places = [
            (x + share * (u - x) - offset * math.sin(turn), y + share * (v - y) + offset * math.cos(turn))
            for share in _SHARES
            for offset in (side, -side)
        ]
        name = room.tray_names[line.tray]
        # A tray in several pieces is named once first, so that each tray has its name.
        labels.append((name in seen, Label("tray names", name, places[0], angle=angle, others_mm=places[1:])))
        seen.add(name)
    return Layer("tray names", (), [label for _, label in sorted(labels, key=lambda pair: pair[0])])


def _longest(path_mm: Sequence[Sequence[float]]) -> tuple[float, Sequence[float], Sequence[float]]:
    """Return length and ends of the longest stretch of a path."""
    one, other = max(pairwise(path_mm), key=lambda ends: math.dist(*ends))
    return math.dist(one, other), one, other


def sides(area_mm2: int) -> tuple[int, int]:
    """Return width and height with this product, the height near 100 mm, as common trays have it.

    >>> sides(30_000), sides(64_516)
    ((300, 100), (508, 127))
    """
    heights = sorted(range(25, 201), key=lambda height: abs(height - 100))
    height = next((height for height in heights if area_mm2 % height == 0), 1)
    return area_mm2 // height, height


def _facts(room: Room) -> dict[str, Any]:
    facts: dict[str, Any] = {
        "title": room.title,
        "tile_mm": room.tile_mm,
        "design_fill": room.design_fill,
        "max_fill": room.max_fill,
    }
    reach_mm = int(np.abs(room.tray_offset_mm).sum(axis=2).max(initial=0))
    facts |= {"fill_shape": room.fill_shape, "tray_reach_mm": max(1500, reach_mm)}
    if room.sources:
        source = room.sources[0]
        facts |= {"source": source.source, "confidence": source.confidence, "date": source.date, "note": source.note}
    return facts


def _points(places: Any) -> list[Point]:
    return [(float(x), float(y)) for x, y in places]
