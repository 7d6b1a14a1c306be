"""The floor: halls, the openings between them, obstacles and door swings."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import combinations

import numpy as np
import shapely

from planner.core.errors import Problem
from planner.domain.model import Zone
from planner.hall.floor._drawing import Area, Drawing, ObstacleRule

_QUARTER = 64


@dataclass(frozen=True)
class Site:
    """The halls of a floor plan as polygons.

    Attributes
    ----------
    names, halls
        Of every hall; a plan with an outline alone has one hall without a name.
    openings
        Plan rectangles of the penetrations.
    outline
        Corners around halls and openings, counterclockwise, int (O, 2).
    walls
        Areas inside the outline that are neither hall nor opening.
    """

    names: tuple[str, ...]
    halls: tuple[shapely.Polygon, ...]
    openings: tuple[shapely.Polygon, ...]
    outline: np.ndarray
    walls: tuple[Zone, ...]

    def hall_of(self, xy: np.ndarray) -> np.ndarray:
        """Return the hall of each point (N, 2), int (N,); -1 outside all."""
        hall = np.full(len(xy), -1)
        for number, polygon in enumerate(self.halls):
            hall[(hall < 0) & shapely.intersects_xy(polygon, xy)] = number
        return hall


def site_of(drawing: Drawing, problems: list[Problem]) -> Site | None:
    """Return halls and openings, or None with the problems when they are invalid."""
    if drawing.hall and drawing.outline_mm is not None:
        problems.append(Problem("outline_mm", "is given together with [[hall]] tables", "keep one of the two"))
        return None
    if drawing.outline_mm is None and not drawing.hall:
        problems.append(
            Problem("outline_mm", "a floor plan needs an outline", "add the corners, [[hall]] tables or a [grid] table")
        )
        return None
    if drawing.outline_mm is not None:
        outlines = [("outline_mm", "", drawing.outline_mm)]
    else:
        outlines = [(f"hall.{n}.outline_mm", rule.name, rule.outline_mm) for n, rule in enumerate(drawing.hall)]
    before = len(problems)
    for place, name, corners in outlines:
        polygon = shapely.Polygon(corners)
        if not polygon.is_valid or polygon.area == 0:
            whose = f"{name} " if name else ""
            problems.append(
                Problem(place, f"{whose}is not a simple polygon: {shapely.is_valid_reason(polygon)}", "list the corners in order")
            )
    if len(problems) > before:
        return None
    halls = tuple(shapely.Polygon(corners) for _, _, corners in outlines)
    openings = tuple(shapely.Polygon(r.corners) for r in drawing.penetration)
    if not drawing.hall:
        for number, rule in enumerate(drawing.penetration):
            problems.append(Problem(f"penetration.{number}", f"{rule.name} has no halls to connect", "add [[hall]] tables"))
        outline = np.array(drawing.outline_mm)
        return Site(("",), halls, (), outline if shapely.is_ccw(halls[0].exterior) else outline[::-1], ())
    _check_halls(drawing, halls, openings, problems)
    whole = shapely.union_all([*halls, *openings])
    if whole.geom_type != "Polygon":
        first = max(whole.geoms, key=lambda part: part.intersection(halls[0]).area)
        apart = [rule.name for rule, hall in zip(drawing.hall, halls, strict=True) if not first.intersects(hall)]
        apart = apart or [drawing.hall[-1].name]
        message = f"hall {', '.join(apart)} is not connected to hall {drawing.hall[0].name}"
        problems.append(Problem("hall", message, "add a [[penetration]] that reaches both"))
        return None
    walls = tuple(Zone(f"wall {n}", "wall", _corners_of(ring)) for n, ring in enumerate(whole.interiors, 1))
    outline = np.array(_corners_of(shapely.orient_polygons(whole).exterior))
    return Site(tuple(rule.name for rule in drawing.hall), halls, openings, outline, walls)


def _check_halls(drawing: Drawing, halls: tuple, openings: tuple, problems: list[Problem]) -> None:
    for a, b in combinations(range(len(halls)), 2):
        if (overlap := halls[a].intersection(halls[b]).area) > 0:
            message = f"hall {drawing.hall[b].name} overlaps hall {drawing.hall[a].name} by {overlap:.0f} mm²"
            problems.append(Problem(f"hall.{b}", message, "move one of them"))
    repeated(drawing.hall, "hall", problems)
    for number, (rule, opening) in enumerate(zip(drawing.penetration, openings, strict=True)):
        joined = sum(opening.intersects(hall) for hall in halls)
        if joined < 2:
            x, y = rule.at_mm
            message = f"{rule.name} at ({x}, {y}) mm reaches {joined} hall{'s' if joined != 1 else ''}, not two"
            problems.append(Problem(f"penetration.{number}", message, "let its rectangle span the wall"))


def repeated(rules: tuple, place: str, problems: list[Problem]) -> None:
    """Report names that occur twice."""
    seen: set[str] = set()
    for number, rule in enumerate(rules):
        if rule.name in seen:
            problems.append(Problem(f"{place}.{number}", f"the name {rule.name} occurs twice", "give each a unique name"))
        seen.add(rule.name)


def polygon_of(rule: Area, place: str, problems: list[Problem]) -> shapely.Polygon | None:
    """Return an area's polygon, or None with a problem when it is invalid."""
    if rule.corners is None:
        problems.append(Problem(place, f"{rule.name} needs at_mm and size_mm, or corners_mm", "give one of the two"))
        return None
    polygon = shapely.Polygon(rule.corners)
    if not polygon.is_valid or polygon.area == 0:
        problems.append(Problem(place, f"{rule.name} is not a simple polygon", "list the corners in order"))
        return None
    return polygon


def obstacles_of(drawing: Drawing, problems: list[Problem]) -> dict[int, shapely.Polygon]:
    """Return the polygon of each obstacle by its number, clearances not included."""
    found = {number: polygon_of(rule, f"obstacle.{number}", problems) for number, rule in enumerate(drawing.obstacle)}
    for number, rule in enumerate(drawing.obstacle):
        if rule.opens and rule.kind != "door":
            problems.append(Problem(f"obstacle.{number}.opens", f"{rule.name} is a {rule.kind}, no door", "remove it"))
    return {number: polygon for number, polygon in found.items() if polygon is not None}


def swing_of(rule: ObstacleRule, door: shapely.Polygon) -> shapely.Geometry:
    """Return the area swept by a door's leaf or leaves: quarter discs.

    >>> door = ObstacleRule(name="D", kind="door", at_mm=(0, 0), size_mm=(200, 1000), opens="+x", hinge="low")
    >>> swing = swing_of(door, shapely.Polygon(door.corners))
    >>> swing.bounds
    (200.0, 0.0, 1200.0, 1000.0)
    >>> bool(abs(swing.area / 1e6 - math.pi / 4) < 1e-3)
    True
    """
    assert rule.opens is not None  # only of doors that open
    low_x, low_y, high_x, high_y = door.bounds
    sideways = rule.opens[1] == "x"
    forward = 1 if rule.opens[0] == "+" else -1
    face = (high_x if sideways else high_y) if forward > 0 else (low_x if sideways else low_y)
    low, high = (low_y, high_y) if sideways else (low_x, high_x)
    leaf = (high - low) / (2 if rule.hinge == "both" else 1)
    hinges = [(end, side) for name, end, side in (("low", low, 1), ("high", high, -1)) if rule.hinge in (name, "both")]
    leaves = []
    for end, side in hinges:
        angles = [math.pi / 2 * step / _QUARTER for step in range(_QUARTER + 1)]
        arc = [(face + forward * leaf * math.sin(a), end + side * leaf * math.cos(a)) for a in angles]
        corners = [(face, end), *arc]
        leaves.append(shapely.Polygon(corners if sideways else [(x, y) for y, x in corners]))
    return shapely.union_all(leaves)


def _corners_of(ring: shapely.LinearRing) -> tuple[tuple[int, int], ...]:
    return tuple((round(x), round(y)) for x, y in ring.coords[:-1])
