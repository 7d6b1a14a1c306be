"""Clashes of slots with the outline, obstacles, doors and each other."""

from __future__ import annotations

import numpy as np
import shapely

from planner.core.errors import Problem
from planner.hall.floor._drawing import Drawing
from planner.hall.floor._site import Site, swing_of
from planner.hall.floor._slots import Slots


def check_slots(
    drawing: Drawing, site: Site, obstacles: dict[int, shapely.Polygon], slots: Slots, problems: list[Problem]
) -> None:
    """Report slots that leave their hall, touch an obstacle, a door's swing or each other."""
    boxes = slots.boxes
    # The opening in a wall is no floor, and no slot is in two halls.
    inside = np.max([shapely.area(shapely.intersection(boxes, hall)) for hall in site.halls], axis=0, initial=0)
    outside = shapely.area(boxes) - inside
    for slot in np.flatnonzero(outside > 0).tolist():
        problems.append(slots.problem(slot, f"leaves the outline by {outside[slot] / 1e6:.3f} m²"))
    tree = shapely.STRtree(boxes)
    for number, polygon in obstacles.items():
        rule = drawing.obstacle[number]
        body = polygon.buffer(rule.clearance_mm, join_style="mitre")
        what = f"{rule.kind} {rule.name}" + (f" with its {rule.clearance_mm} mm clearance" if rule.clearance_mm else "")
        for slot, overlap in _overlaps(tree, boxes, body):
            problems.append(slots.problem(slot, f"overlaps {what} by {overlap / 1e6:.3f} m²"))
        if rule.kind == "door" and rule.opens:
            for slot, overlap in _overlaps(tree, boxes, swing_of(rule, polygon)):
                problems.append(slots.problem(slot, f"blocks the swing of door {rule.name} by {overlap:.0f} mm²"))
    first, second = tree.query(boxes, predicate="intersects")
    for slot, other in zip(first[first < second], second[first < second], strict=True):
        if shapely.area(shapely.intersection(boxes[slot], boxes[other])) > 0:
            problems.append(slots.problem(slot, f"overlaps slot {slots.names[other]}"))


def check_swings(drawing: Drawing, obstacles: dict[int, shapely.Polygon], problems: list[Problem]) -> None:
    """Report doors blocked by other obstacles."""
    for number, door in obstacles.items():
        rule = drawing.obstacle[number]
        if rule.kind != "door" or not rule.opens:
            continue
        swing = swing_of(rule, door)
        for other, polygon in obstacles.items():
            if other != number and (overlap := swing.intersection(polygon).area) >= 1:
                that = drawing.obstacle[other]
                message = f"{that.kind} {that.name} blocks the swing of door {rule.name} by {overlap:.0f} mm²"
                problems.append(Problem(f"obstacle.{other}", message, "move one of them or reverse the door"))


def _overlaps(tree: shapely.STRtree, boxes: np.ndarray, body: shapely.Geometry) -> list[tuple[int, float]]:
    """Return the slots that overlap a body, and the overlap in mm²."""
    found = np.sort(tree.query(body, predicate="intersects"))
    overlap = shapely.area(shapely.intersection(boxes[found], body))
    return [(int(slot), float(area)) for slot, area in zip(found, overlap, strict=True) if area > 0]
