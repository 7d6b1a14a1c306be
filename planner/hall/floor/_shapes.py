"""Entities of a DXF drawing as corners in millimeters: polygons, loops of lines, paths, blocks."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass, field
from typing import Any

import ezdxf.path
import shapely
from ezdxf.entities import DXFEntity, Insert
from ezdxf.math import Vec3

from planner.core.errors import Problem
from planner.hall.floor._bounds import check_reach, extents
from planner.hall.scene.dxf import APPID

_ROUND = 32
_STATED = {"LINE": ("start", "end"), "CIRCLE": ("center",), "ARC": ("center",), "ELLIPSE": ("center", "major_axis")}


@dataclass(frozen=True)
class Shape:
    """Shape of an entity: corners in mm (a polygon's without the last), stored data, and its name in messages."""

    kind: str
    corners: tuple[tuple[int, int], ...]
    where: str
    facts: dict[str, Any] = field(default_factory=dict)


def where(entity: DXFEntity) -> str:
    """Return the name of an entity in messages."""
    outer = entity.source_block_reference
    place = f"#{entity.dxf.handle}" if outer is None else f"in the block {outer.dxf.name}"
    return f"{entity.dxftype()} {place} on layer {entity.dxf.layer}"


def facts_of(entity: DXFEntity) -> dict[str, Any]:
    """Return the data that Planner attached to an entity; empty for other entities, or if unreadable."""
    if not entity.has_xdata(APPID):
        return {}
    try:
        facts = json.loads("".join(str(tag.value) for tag in entity.get_xdata(APPID) if tag.code == 1000))
    except (ValueError, RecursionError):
        return {}
    return facts if isinstance(facts, dict) else {}


def path_of(entity: DXFEntity, factor: float) -> list[tuple[int, int]]:
    """Return the points of a line, arcs in chords, repeated points left out; mm."""
    check_reach(_given(entity), factor)
    path = ezdxf.path.make_path(entity)
    # The drawn path may reach farther than the given points: an arc that is nearly a line.
    check_reach(path.control_vertices(), factor)
    points: list[tuple[int, int]] = []
    for vertex in path.flattening(1 / factor):
        point = (round(vertex.x * factor), round(vertex.y * factor))
        if not points or points[-1] != point:
            points.append(point)
    return points


def _given(entity: Any) -> list[Vec3]:
    """Return the points and sizes of an entity, as points."""
    kind = entity.dxftype()
    if kind == "SPLINE":
        return [Vec3(point) for point in (*entity.control_points, *entity.fit_points)]
    if kind == "LWPOLYLINE":
        return [Vec3(x, y, 0) for x, y in entity.get_points("xy")]
    if kind == "POLYLINE":
        return [Vec3(vertex.dxf.location) for vertex in entity.vertices]
    radius = [Vec3(entity.dxf.radius, 0, 0)] if kind in ("CIRCLE", "ARC") else []
    return [Vec3(entity.dxf.get(key)) for key in _STATED.get(kind, ()) if entity.dxf.hasattr(key)] + radius


def shapes_of(kind: str, entities: list[DXFEntity], factor: float, problems: list[Problem]) -> list[Shape]:
    """Return the polygons of entities of one kind: closed ones, block references, and loops of open ones."""
    found, open_lines = [], []
    for entity in entities:
        facts = facts_of(entity)
        if isinstance(entity, Insert):
            found.append(Shape(kind, _block_corners(entity, factor), where(entity), facts))
        elif entity.dxftype() == "CIRCLE":
            found.append(Shape(kind, _circle(entity, factor), where(entity), facts))
        else:
            points = path_of(entity, factor)
            closed = bool(getattr(entity, "is_closed", False)) or bool(getattr(entity, "closed", False))
            if len(points) > 1 and (closed or points[0] == points[-1]):
                found.append(Shape(kind, tuple(points[:-1] if points[0] == points[-1] else points), where(entity), facts))
            else:
                open_lines.append((points, where(entity)))
    found += _loops(kind, open_lines, problems)
    return [shape for shape in found if _has_area(shape, problems)]


def _has_area(shape: Shape, problems: list[Problem]) -> bool:
    if len(shape.corners) >= 3 and shapely.Polygon(shape.corners).area >= 1:
        return True
    problems.append(Problem(shape.where, f"this {shape.kind} has no area", "remove it, or check the drawing's units"))
    return False


def _loops(kind: str, open_lines: list[tuple[list, str]], problems: list[Problem]) -> list[Shape]:
    """Chain open lines into loops; report those that stay open."""
    ends: dict[tuple[int, int], list[int]] = {}
    for number, (points, place) in enumerate(open_lines):
        if len(points) < 2:
            problems.append(Problem(place, f"this {kind} has no length", "remove it, or check the drawing's units"))
            continue
        for end in (points[0], points[-1]):
            ends.setdefault(end, []).append(number)
    found, used = [], set()
    for number, (points, place) in enumerate(open_lines):
        if number in used or len(points) < 2:
            continue
        used.add(number)
        chain = list(points)
        while chain[-1] != chain[0]:
            following = next((n for n in ends[chain[-1]] if n not in used), None)
            if following is None:
                break
            used.add(following)
            more = open_lines[following][0]
            chain += (more if more[0] == chain[-1] else more[::-1])[1:]
        if chain[-1] == chain[0]:
            found.append(Shape(kind, tuple(chain[:-1]), place))
            continue
        (x, y), (u, v) = chain[0], chain[-1]
        gap = math.hypot(u - x, v - y)
        message = f"the {kind} that starts here is open: ({x}, {y}) and ({u}, {v}) mm are {gap:.0f} mm apart"
        problems.append(Problem(place, message, "close it"))
    return found


def _circle(entity: Any, factor: float) -> tuple[tuple[int, int], ...]:
    """Return a polygon that encloses the circle."""
    center = entity.ocs().to_wcs(entity.dxf.center) * factor
    radius = float(entity.dxf.radius) * factor / math.cos(math.pi / _ROUND)
    check_reach([center, Vec3(radius, 0, 0)], 1.0)
    angles = [2 * math.pi * step / _ROUND for step in range(_ROUND)]
    return tuple((round(center.x + radius * math.cos(a)), round(center.y + radius * math.sin(a))) for a in angles)


def block_box(insert: Insert) -> tuple[float, float, float, float] | None:
    """Return the bounds of a block's lines in the block's own coordinates; texts and attributes do not count."""
    block = insert.block()
    return extents(block) if block is not None else None


def _block_corners(insert: Insert, factor: float) -> tuple[tuple[int, int], ...]:
    box = block_box(insert)
    if box is None:
        return ()
    matrix = insert.matrix44()
    corners = [matrix.transform(point) for point in ((box[0], box[1]), (box[2], box[1]), (box[2], box[3]), (box[0], box[3]))]
    check_reach(corners, factor)
    return tuple((round(p.x * factor), round(p.y * factor)) for p in corners)
