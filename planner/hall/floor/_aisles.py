"""Aisles between rows: kind, width and reachability."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import shapely

from planner.core.errors import Problem
from planner.domain.model import Zone
from planner.hall.floor._drawing import AisleRule, Drawing
from planner.hall.floor._site import Site
from planner.hall.floor._slots import Slots


@dataclass(frozen=True)
class Aisle:
    """The gap between two neighboring parallel rows; `axis` is the direction across it, 0 for x."""

    low: int
    high: int
    axis: int
    zone: Zone


def aisles_of(slots: Slots, site: Site) -> list[Aisle]:
    """Return the aisles: cold where the fronts of two neighboring rows meet, hot where the backs do."""
    count = len(slots.row_names)
    members = [np.flatnonzero(slots.row == row) for row in range(count)]
    boxes = slots.boxes
    bounds = [shapely.total_bounds(boxes[of]) if len(of) else np.zeros(4) for of in members]
    hall = [int(site.hall_of(slots.xy[of[:1]])[0]) if len(of) else -1 for of in members]
    facing = [int(slots.facing[of[0]]) if len(of) else -1 for of in members]
    found = []
    for axis, facings in ((1, (90, 270)), (0, (0, 180))):
        parallel = [row for row in range(count) if facing[row] in facings]
        parallel.sort(key=lambda row: bounds[row][axis])
        for place, low in enumerate(parallel):
            for high in parallel[place + 1 :]:
                across = 1 - axis
                start = max(bounds[low][across], bounds[high][across])
                end = min(bounds[low][across + 2], bounds[high][across + 2])
                near, far = bounds[low][axis + 2], bounds[high][axis]
                if end <= start or hall[low] != hall[high]:
                    continue
                if far > near:
                    kind = _kind(facing[low] == facings[0], facing[high] == facings[1])
                    box = [(start, near), (end, near), (end, far), (start, far)]
                    corners = tuple((int(x), int(y)) if axis else (int(y), int(x)) for x, y in box)
                    found.append(Aisle(low, high, axis, Zone(f"{slots.row_names[low]}-{slots.row_names[high]}", kind, corners)))
                break  # the rows beyond are hidden behind this one
    return found


def check_aisles(
    drawing: Drawing,
    site: Site,
    obstacles: dict[int, shapely.Polygon],
    slots: Slots,
    aisles: list[Aisle],
    problems: list[Problem],
) -> None:
    """Report aisles of the wrong kind, too narrow, or unreachable from every door."""
    by_rows = {frozenset((slots.row_names[a.low], slots.row_names[a.high])): a for a in aisles}
    for number, rule in enumerate(drawing.aisle):
        place = f"aisle.{number}"
        aisle = by_rows.get(frozenset(rule.between))
        if aisle is None:
            message = f"rows {rule.between[0]} and {rule.between[1]} have no aisle between them"
            problems.append(Problem(place, message, "name two neighboring parallel rows"))
            continue
        if aisle.zone.kind != f"{rule.kind} aisle":
            message = f"{aisle.zone.name} is a {aisle.zone.kind}, not a {rule.kind} one"
            problems.append(Problem(place, message, "change kind, or facing of a row"))
        _check_width(rule, aisle, slots, problems)
        _check_obstacles(drawing, rule, place, aisle, obstacles, problems)
    if drawing.passage_mm is not None:
        _check_reach(drawing, site, obstacles, slots, aisles, drawing.passage_mm, problems)


def _kind(low_front: bool, high_front: bool) -> str:
    return "cold aisle" if low_front and high_front else "mixed aisle" if low_front or high_front else "hot aisle"


def _check_width(rule: AisleRule, aisle: Aisle, slots: Slots, problems: list[Problem]) -> None:
    axis, across = aisle.axis, 1 - aisle.axis
    lower, upper = (np.flatnonzero(slots.row == row) for row in (aisle.low, aisle.high))
    low, high = slots.xy - slots.size / 2, slots.xy + slots.size / 2
    start = np.maximum(low[lower, across][:, None], low[upper, across])
    end = np.minimum(high[lower, across][:, None], high[upper, across])
    width = low[upper, axis] - high[lower, axis][:, None]
    short = np.where(end > start, rule.width_mm - width, 0)
    for slot, lacking in zip(lower, short, strict=True):
        if (worst := lacking.max(initial=0)) > 0:
            against = slots.names[upper[int(lacking.argmax())]]
            left = f"{rule.width_mm - worst:g} mm wide toward slot {against}"
            message = f"leaves {aisle.zone.kind} {aisle.zone.name} {left}, {worst:g} mm less than {rule.width_mm}"
            problems.append(slots.problem(slot, message))


def _check_obstacles(
    drawing: Drawing, rule: AisleRule, place: str, aisle: Aisle, obstacles: dict[int, shapely.Polygon], problems: list[Problem]
) -> None:
    area = shapely.Polygon(aisle.zone.corners_mm)
    near, far = area.bounds[aisle.axis], area.bounds[aisle.axis + 2]
    for number, polygon in obstacles.items():
        that = drawing.obstacle[number]
        shared = polygon.intersection(area)
        if that.kind == "door" or shared.area == 0:
            continue
        left = max(shared.bounds[aisle.axis] - near, far - shared.bounds[aisle.axis + 2])
        if left < rule.width_mm:
            x, y = shared.centroid.x, shared.centroid.y
            where = f"{that.kind} {that.name} at ({x:.0f}, {y:.0f}) mm"
            message = f"{where} leaves {left:.0f} mm of {aisle.zone.kind} {aisle.zone.name}, less than {rule.width_mm} mm"
            problems.append(Problem(place, message, "move the rows or the obstacle"))


def _check_reach(
    drawing: Drawing,
    site: Site,
    obstacles: dict[int, shapely.Polygon],
    slots: Slots,
    aisles: list[Aisle],
    passage_mm: int,
    problems: list[Problem],
) -> None:
    """Report aisles without a passage of `passage_mm` from a door: the free floor is shrunk by half of it and split."""
    doors = [polygon for number, polygon in obstacles.items() if drawing.obstacle[number].kind == "door"]
    if not doors:
        problems.append(Problem("passage_mm", "the room has no door", "add an [[obstacle]] of kind door, or remove it"))
        return
    taken = [polygon for number, polygon in obstacles.items() if drawing.obstacle[number].kind != "door"]
    half = passage_mm / 2
    regions = []
    for hall in site.halls:
        free = hall.difference(shapely.union_all([*slots.boxes, *taken]))
        # A passage of exactly the required width shrinks to a line without area: hence half a millimeter of tolerance.
        regions += list(shapely.get_parts(free.buffer(0.5 - half, join_style="mitre")))
    reached = [one for one in regions if not one.is_empty and any(one.distance(door) <= half for door in doors)]
    for aisle in aisles:
        area = shapely.Polygon(aisle.zone.corners_mm)
        if not any(one.intersects(area) for one in reached):
            message = f"no passage {passage_mm} mm wide leads from a door to {aisle.zone.kind} {aisle.zone.name}"
            problems.append(Problem("passage_mm", message, "move the obstacles"))
