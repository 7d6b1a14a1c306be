"""The outline of a floor from what is drawn: inner faces of walls, closed at the gaps of doors."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations
from typing import NamedTuple

import shapely

from planner.core.errors import Problem
from planner.hall.floor._shapes import Shape

_THICKEST_MM = 1000
"""Maximum thickness of a wall between two lines; wider space between two loops is floor."""

_WIDEST_MM = 8000
"""Maximum width of the gap of a door or gate between the ends of two walls."""

_SLANT = 0.02
"""Maximum sine of the angle between what counts as parallel."""


class _Cap(NamedTuple):
    """The end of a wall at a gap: its two corners, and the direction out of the wall."""

    a: tuple[float, float]
    b: tuple[float, float]
    out: tuple[float, float]

    @property
    def center(self) -> tuple[float, float]:
        return (self.a[0] + self.b[0]) / 2, (self.a[1] + self.b[1]) / 2


def floors(outlines: list[Shape], problems: list[Problem]) -> list[Shape]:
    """Return the floors: outlines without the outer faces of walls, and what walls drawn as solids enclose.

    A solid is a loop around the wall itself, which jambs of doors leave open. Opposite jambs are joined, and the floor is inside.
    Solids on a floor are not floors; they are left out.
    """
    polygons = [shapely.make_valid(shapely.Polygon(shape.corners)) for shape in outlines]
    solid = [_is_thin(polygon) for polygon in polygons]
    walls = [shape for shape, thin in zip(outlines, solid, strict=True) if thin]
    whole = [shape for shape, thin in zip(outlines, solid, strict=True) if not thin]
    if not walls:
        return _inner(outlines)
    enclosed = _enclosed([shapely.make_valid(shapely.Polygon(shape.corners)) for shape in walls])
    found = [*whole, *(replace(walls[0], corners=_corners(face), facts={}) for face in enclosed)]
    if not found:
        message = "the lines of the outline surround walls, and no floor: a gap is open that is no door between two walls"
        problems.append(Problem(walls[0].where, message, "close the inner face of the walls, at doors too"))
    return _inner(found)


def _is_thin(polygon: shapely.Geometry) -> bool:
    return bool(polygon.buffer(-_THICKEST_MM / 2).is_empty)


def _inner(outlines: list[Shape]) -> list[Shape]:
    """Drop the outer face of a wall drawn as two lines: the space between it and the loops inside is thin."""
    polygons = [shapely.make_valid(shapely.Polygon(shape.corners)) for shape in outlines]
    kept = []
    for shape, polygon in zip(outlines, polygons, strict=True):
        inside = [other for other in polygons if other is not polygon and polygon.contains(other)]
        if not inside or not _is_thin(polygon.difference(shapely.union_all(inside))):
            kept.append(shape)
    return kept


def _enclosed(walls: list[shapely.Geometry]) -> list[shapely.Polygon]:
    """Return the floors that walls enclose once the gaps between opposite jambs are closed."""
    caps = [cap for wall in walls for part in shapely.get_parts(wall) if part.geom_type == "Polygon" for cap in _caps(part)]
    lines = [wall.boundary for wall in walls]
    for a, b in _opposite(caps):
        straight = (a.a, b.a), (a.b, b.b)
        crossed = (a.a, b.b), (a.b, b.a)
        shorter = min(straight, crossed, key=lambda pairs: sum(math.dist(*one) for one in pairs))
        lines += [shapely.LineString(ends) for ends in shorter]
    faces = shapely.get_parts(shapely.polygonize([shapely.union_all(lines)]))
    solid = shapely.union_all(walls)
    return [face for face in faces if not _is_thin(face) and not solid.contains(face.representative_point())]


def _caps(wall: shapely.Polygon) -> Iterator[_Cap]:
    """Yield the ends of a wall: short edges between two long ones that are parallel."""
    corners = list(shapely.get_coordinates(shapely.remove_repeated_points(wall.exterior.simplify(0))))[:-1]
    count = len(corners)
    for number in range(count):
        before, a, b, after = (corners[(number + step) % count] for step in (-1, 0, 1, 2))
        length = math.dist(a, b)
        if not 0 < length <= _THICKEST_MM or min(math.dist(before, a), math.dist(b, after)) <= length / 2:
            continue
        first, last = _unit(a, before), _unit(b, after)
        if first[0] * last[0] + first[1] * last[1] > 1 - _SLANT:
            yield _Cap(tuple(a), tuple(b), (-first[0], -first[1]))


def _opposite(caps: list[_Cap]) -> Iterator[tuple[_Cap, _Cap]]:
    """Yield pairs of ends of walls that face each other across a gap, each with the nearest one."""
    pairs = []
    for a, b in combinations(range(len(caps)), 2):
        gap, across = math.dist(caps[a].center, caps[b].center), _unit(caps[a].center, caps[b].center)
        toward = across[0] * caps[a].out[0] + across[1] * caps[a].out[1]
        back = -across[0] * caps[b].out[0] - across[1] * caps[b].out[1]
        if 0 < gap <= _WIDEST_MM and toward > 1 - _SLANT and back > 1 - _SLANT:
            pairs.append((gap, a, b))
    used: set[int] = set()
    for _, a, b in sorted(pairs):
        if not used & {a, b}:
            used |= {a, b}
            yield caps[a], caps[b]


def _unit(start: tuple[float, float], end: tuple[float, float]) -> tuple[float, float]:
    length = math.dist(start, end) or 1.0
    return (end[0] - start[0]) / length, (end[1] - start[1]) / length


def _corners(face: shapely.Polygon) -> tuple[tuple[int, int], ...]:
    return tuple((round(x), round(y)) for x, y in shapely.get_coordinates(face.exterior.simplify(0))[:-1].tolist())
