"""Slots from rows, and whether the floor has room for them."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import shapely

from planner.errors import Problem
from planner.floor._drawing import Drawing, ObstacleRule
from planner.model import Zone

DIRECTIONS = {"+x": (1, 0), "+y": (0, 1), "-x": (-1, 0), "-y": (0, -1)}
DEGREES = {"+x": 0, "+y": 90, "-x": 180, "-y": 270}


@dataclass(frozen=True)
class Slots:
    """All slots of a room, arrays as in `planner.model.Room`."""

    names: tuple[str, ...]
    xy: np.ndarray
    size: np.ndarray
    row: np.ndarray
    facing: np.ndarray
    power_mw: np.ndarray
    load_g: np.ndarray

    @property
    def boxes(self) -> np.ndarray:
        """Footprints, an array of shapely boxes (S,)."""
        low, high = self.xy - self.size / 2, self.xy + self.size / 2
        return shapely.box(low[:, 0], low[:, 1], high[:, 0], high[:, 1])


def slots_of(drawing: Drawing) -> Slots:
    """Return the slots of all rows, row by row."""
    names, xy, size, row, facing, power, load = [], [], [], [], [], [], []
    for number, rule in enumerate(drawing.row):
        step = np.array(DIRECTIONS[rule.along]) * rule.pitch_mm
        # The width of a cabinet lies across the way it faces.
        footprint = (rule.width_mm, rule.depth_mm) if rule.facing in ("+y", "-y") else (rule.depth_mm, rule.width_mm)
        digits = max(2, len(str(rule.count)))
        for place in range(1, rule.count + 1):
            if place not in rule.skip:
                names.append(f"{rule.name}{place:0{digits}d}")
                xy.append(np.array(rule.first_mm) + step * (place - 1))
                size.append(footprint)
                row.append(number)
                facing.append(DEGREES[rule.facing])
                power.append(rule.power_mw or drawing.power_mw)
                load.append(rule.load_g or drawing.load_g)
    count = len(names)
    return Slots(
        tuple(names),
        np.array(xy, np.int64).reshape(count, 2),
        np.array(size, np.int64).reshape(count, 2),
        *(np.array(column, np.int64) for column in (row, facing, power, load)),
    )


def outline_of(drawing: Drawing, problems: list[Problem]) -> np.ndarray:
    """Return the outline's corners anticlockwise, int (O, 2); complain when it is no simple polygon."""
    polygon = shapely.Polygon(drawing.outline_mm)
    if not polygon.is_valid or polygon.area == 0:
        problems.append(
            Problem("outline_mm", f"is not a simple polygon: {shapely.is_valid_reason(polygon)}", "list the corners in order")
        )
    corners = np.array(drawing.outline_mm)
    return corners if shapely.is_ccw(polygon.exterior) else corners[::-1]


def obstacles_of(drawing: Drawing, problems: list[Problem]) -> tuple[Zone, ...]:
    """Return the obstacles as polygons, clearances not included."""
    zones = []
    for number, rule in enumerate(drawing.obstacle):
        corners = _corners(rule)
        if corners is None:
            problems.append(
                Problem(f"obstacle.{number}", f"{rule.name} needs at_mm and size_mm, or corners_mm", "give one of the two")
            )
            continue
        if not shapely.Polygon(corners).is_valid:
            problems.append(Problem(f"obstacle.{number}", f"{rule.name} is not a simple polygon", "list the corners in order"))
            continue
        zones.append(Zone(rule.name, rule.kind, corners))
    return tuple(zones)


def aisles_of(drawing: Drawing, slots: Slots) -> tuple[Zone, ...]:
    """Return the aisles between neighbouring parallel rows: cold where the fronts meet, hot where the backs do."""
    bounds = [shapely.total_bounds(slots.boxes[slots.row == number]) for number in range(len(drawing.row))]
    aisles = []
    for axis, facings in ((1, ("+y", "-y")), (0, ("+x", "-x"))):
        parallel = [n for n, rule in enumerate(drawing.row) if rule.facing in facings and (slots.row == n).any()]
        parallel.sort(key=lambda n: bounds[n][axis])
        for low, high in pairwise(parallel):
            across = 1 - axis
            start = max(bounds[low][across], bounds[high][across])
            end = min(bounds[low][across + 2], bounds[high][across + 2])
            near, far = bounds[low][axis + 2], bounds[high][axis]
            if end <= start or far <= near:
                continue
            towards = (drawing.row[low].facing[0] == "+", drawing.row[high].facing[0] == "-")
            kind = "cold aisle" if all(towards) else "mixed aisle" if any(towards) else "hot aisle"
            box = [(start, near), (end, near), (end, far), (start, far)]
            corners = tuple((int(x), int(y)) if axis else (int(y), int(x)) for x, y in box)
            aisles.append(Zone(f"{drawing.row[low].name}-{drawing.row[high].name}", kind, corners))
    return tuple(aisles)


def check_slots(drawing: Drawing, slots: Slots, problems: list[Problem]) -> None:
    """Complain about slots that leave the outline, touch an obstacle or each other."""
    boxes = slots.boxes
    outline = shapely.Polygon(drawing.outline_mm)
    outside = shapely.area(boxes) - shapely.area(shapely.intersection(boxes, outline))
    for slot in np.flatnonzero(outside > 0):
        problems.append(_slot_problem(drawing, slots, slot, f"leaves the outline by {outside[slot] / 1e6:.3f} m²"))
    tree = shapely.STRtree(boxes)
    for rule in drawing.obstacle:
        corners = _corners(rule)
        if corners is None:
            continue
        body = shapely.Polygon(corners).buffer(rule.clearance_mm, join_style="mitre")
        for slot in np.sort(tree.query(body, predicate="intersects")):
            overlap = shapely.area(shapely.intersection(boxes[slot], body))
            if overlap > 0:
                what = f"{rule.kind} {rule.name}" + (f" with its {rule.clearance_mm} mm clearance" if rule.clearance_mm else "")
                problems.append(_slot_problem(drawing, slots, slot, f"overlaps {what} by {overlap / 1e6:.3f} m²"))
    first, second = tree.query(boxes, predicate="intersects")
    for slot, other in zip(first[first < second], second[first < second], strict=True):
        if shapely.area(shapely.intersection(boxes[slot], boxes[other])) > 0:
            problems.append(_slot_problem(drawing, slots, slot, f"overlaps slot {slots.names[other]}"))


def _slot_problem(drawing: Drawing, slots: Slots, slot: int, message: str) -> Problem:
    row = int(slots.row[slot])
    number = slots.names[slot].removeprefix(drawing.row[row].name).lstrip("0")
    x, y = slots.xy[slot]
    return Problem(
        f"row.{row}", f"slot {slots.names[slot]} at ({x}, {y}) mm {message}", f"move the row or add {number} to its skip"
    )


def _corners(rule: ObstacleRule) -> tuple[tuple[int, int], ...] | None:
    if rule.corners_mm is not None:
        return rule.corners_mm
    if rule.at_mm is None or rule.size_mm is None:
        return None
    (x, y), (width, height) = rule.at_mm, rule.size_mm
    return ((x, y), (x + width, y), (x + width, y + height), (x, y + height))
