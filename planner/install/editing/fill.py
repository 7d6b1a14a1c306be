"""Rows of slots that fill a room: cold and hot aisles in turn, trays over the rows, and trays that join them."""

from __future__ import annotations

from dataclasses import dataclass
from string import ascii_uppercase
from typing import Annotated, Any

import shapely
from annotated_types import Ge, Gt, Le

from planner.core.errors import InputError, Problem

_Length = Annotated[int, Gt(0), Le(100_000)]


@dataclass(frozen=True, kw_only=True)
class Aisles:
    """Measures for filling a room with rows along x, in millimeters.

    Parameters
    ----------
    cold_mm, hot_mm
        Width of the aisles in front of two rows, and behind two rows.
    margin_mm
        Minimum distance of cabinets from the walls.
    width_mm, depth_mm
        Size of a slot.
    tray_width_mm, tray_height_mm
        Cross-section of all trays.
    elevation_mm
        Height of all trays above the floor.
    """

    __pydantic_config__ = {"extra": "forbid"}

    cold_mm: _Length = 1200
    hot_mm: _Length = 1200
    margin_mm: Annotated[int, Ge(0), Le(100_000)] = 1200
    width_mm: _Length = 600
    depth_mm: _Length = 1200
    tray_width_mm: Annotated[int, Ge(20), Le(10_000)] = 300
    tray_height_mm: Annotated[int, Ge(10), Le(10_000)] = 100
    elevation_mm: Annotated[int, Gt(0), Le(30_000)] = 2600


def filled(data: dict[str, Any], aisles: Aisles) -> dict[str, list[dict[str, Any]]]:
    """Return tables ``row`` and ``tray`` that fill the outline of a floor plan around its obstacles.

    In every line of slots the longest stretch between walls is used; slots that touch obstacles are skipped.

    Raises
    ------
    InputError
        When the plan has no outline, or no slot fits.
    """
    corners = data.get("outline_mm")
    if not corners or len(corners) < 3 or not (outline := shapely.Polygon(corners)).is_valid:
        raise InputError(Problem("outline_mm", "is missing or crosses itself", "draw the outline first"))
    inside = outline.buffer(-aisles.margin_mm, join_style="mitre")
    blocked = shapely.unary_union([_area(each) for each in data.get("obstacle", ())])
    rows: list[dict[str, Any]] = []
    if inside.is_empty:
        raise InputError(Problem("margin_mm", "leaves no floor", "choose a smaller margin"))
    _, low, _, high = (int(each) for each in inside.bounds)
    y, facing = low + aisles.depth_mm // 2, "+y"
    while y + aisles.depth_mm // 2 <= high:
        row = _row(inside, blocked, y, aisles)
        if row is not None:
            rows.append({"name": _name(len(rows)), **row, "facing": facing})
        y += aisles.depth_mm + (aisles.cold_mm if facing == "+y" else aisles.hot_mm)
        facing = "-y" if facing == "+y" else "+y"
    if not rows:
        raise InputError(Problem("aisles", "no slot fits into the room", "choose smaller slots, aisles or margins"))
    return {"row": rows, "tray": _trays(rows, outline, aisles)}


def _area(obstacle: dict[str, Any]) -> shapely.Geometry:
    corners = obstacle.get("corners_mm")
    if corners:
        area: shapely.Geometry = shapely.Polygon(corners)
    else:
        (x, y), (width, height) = obstacle["at_mm"], obstacle["size_mm"]
        area = shapely.box(x, y, x + width, y + height)
    return area.buffer(obstacle.get("clearance_mm", 0), join_style="mitre")


def _row(inside: shapely.Geometry, blocked: shapely.Geometry, y: int, aisles: Aisles) -> dict[str, Any] | None:
    """Return the row at a height: its first slot, their number, and those that are skipped; None where none fits."""
    left, _, right, _ = (int(each) for each in inside.bounds)
    step, half = aisles.width_mm, aisles.depth_mm // 2
    spots = [shapely.box(x, y - half, x + step, y - half + aisles.depth_mm) for x in range(left, right - step + 1, step)]
    within = [inside.covers(spot) for spot in spots]
    runs: list[list[int]] = [[]]
    for number, fits in enumerate(within):
        if fits:
            runs[-1].append(number)
        elif runs[-1]:
            runs.append([])
    run = max(runs, key=len)
    free = [number for number in run if not (spots[number].intersects(blocked) and not spots[number].touches(blocked))]
    if not free:
        return None
    skip = [number - free[0] + 1 for number in range(free[0], free[-1] + 1) if number not in free]
    first = [left + free[0] * step + step // 2, y]
    sizes = {"width_mm": aisles.width_mm, "depth_mm": aisles.depth_mm, "pitch_mm": step}
    return {"first_mm": first, "count": free[-1] - free[0] + 1, **sizes} | ({"skip": skip} if skip else {})


def _trays(rows: list[dict[str, Any]], outline: shapely.Geometry, aisles: Aisles) -> list[dict[str, Any]]:
    """Return a tray over each row, and two between each row and the next that join them."""
    shared = {"elevation_mm": aisles.elevation_mm, "width_mm": aisles.tray_width_mm, "height_mm": aisles.tray_height_mm}
    spans, trays = [], []
    for row in rows:
        (first, y), step = row["first_mm"], row["pitch_mm"]
        last = first + (row["count"] - 1) * step
        longer = shapely.LineString([(first - step, y), (last + step, y)])
        ends = (first - step, last + step) if outline.covers(longer) else (first, last)
        spans.append((*ends, y))
        trays.append({"name": f"row {row['name']}", "path_mm": [[ends[0], y], [ends[1], y]], **shared})
    for (row, (a, b, y)), (other, (c, d, z)) in zip(
        zip(rows, spans, strict=True), [*zip(rows, spans, strict=True)][1:], strict=False
    ):
        for side, x in {"west": max(a, c), "east": min(b, d)}.items():
            name = f"cross {row['name']}-{other['name']} {side}"
            trays.append({"name": name, "path_mm": [[x, y], [x, z]], **shared, "serves": False})
    return trays


def _name(number: int) -> str:
    """Return the name of a row: A to Z, then AA, AB …"""
    name = ""
    while number >= 0:
        name = ascii_uppercase[number % 26] + name
        number = number // 26 - 1
    return name
