"""Trays through the walls of halls."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import numpy as np
import shapely

from planner.core.errors import Problem
from planner.hall.floor._drawing import Drawing
from planner.hall.floor._site import Site

_REMEDY = "let it run through a [[penetration]]"


@dataclass(frozen=True)
class Passage:
    """The section of a tray in an opening: from `start` to `end` along it, with `area_mm2` for its cables."""

    tray: int
    start: int
    end: int
    area_mm2: int


def check_walls(drawing: Drawing, site: Site, lines: list, problems: list[Problem]) -> None:
    """Report trays that leave the floor or cross a wall outside an opening."""
    floor = shapely.union_all([*site.halls, *site.openings])
    openings = shapely.union_all(site.openings) if site.openings else shapely.Polygon()
    outside = shapely.difference(np.array(lines, object), floor) if lines else ()
    for number, part in enumerate(outside):
        if shapely.length(part) > 0.5:
            x, y = shapely.get_coordinates(part)[0]
            where = "the outline" if drawing.outline_mm is not None else "the halls"
            message = f"{drawing.tray[number].name} leaves {where} at ({x:.0f}, {y:.0f}) mm for {part.length:.0f} mm"
            problems.append(Problem(f"tray.{number}", message, _REMEDY if drawing.hall else "move it inside"))
    for a, b in combinations(range(len(site.halls)), 2):
        # Halls that share a wall of zero thickness: a tray across it leaves neither.
        wall = site.halls[a].intersection(site.halls[b])
        for number, line in enumerate(lines):
            crossing = line.intersection(wall).difference(openings)
            if not crossing.is_empty:
                x, y = shapely.get_coordinates(crossing)[0]
                between = f"the wall between {site.names[a]} and {site.names[b]}"
                message = f"{drawing.tray[number].name} crosses {between} at ({x:.0f}, {y:.0f}) mm"
                problems.append(Problem(f"tray.{number}", message, _REMEDY))


def passages_of(drawing: Drawing, site: Site, lines: list, problems: list[Problem]) -> list[Passage]:
    """Return the passages of trays through openings; several share one in proportion to their cross-sections."""
    found = []
    for number, (rule, opening) in enumerate(zip(drawing.penetration, site.openings, strict=False)):
        within = [(tray, *_ends(line, part)) for tray, line in enumerate(lines) for part in _parts(line, opening)]
        trays = sorted({tray for tray, _, _ in within})
        for tray in trays:
            that = drawing.tray[tray]
            low = rule.elevation_mm
            if low is not None and not low <= that.elevation_mm < low + rule.height_mm:
                message = f"{that.name} at {that.elevation_mm} mm misses {rule.name}, {low} to {low + rule.height_mm} mm high"
                problems.append(Problem(f"tray.{tray}.elevation_mm", message, "raise or lower one of them"))
        area = {tray: drawing.tray[tray].width_mm * drawing.tray[tray].height_mm for tray in trays}
        share = {tray: rule.opening_mm2 * area[tray] // sum(area.values()) for tray in trays}
        if not trays:
            problems.append(Problem(f"penetration.{number}", f"no tray runs through {rule.name}", "add a tray, or remove it"))
        found += [Passage(tray, start, end, max(1, share[tray])) for tray, start, end in within]
    return found


def _parts(line: shapely.LineString, opening: shapely.Polygon) -> list:
    """Return the straight sections of a line inside an opening."""
    shared = line.intersection(opening)
    return [part for part in shapely.get_parts(shared) if part.geom_type == "LineString" and part.length > 0]


def _ends(line: shapely.LineString, part: shapely.LineString) -> tuple[int, int]:
    ends = sorted(round(line.project(shapely.Point(point))) for point in (part.coords[0], part.coords[-1]))
    return ends[0], ends[1]
