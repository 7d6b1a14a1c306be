"""The tray graph: nodes at ends, bends, crossings and above slots; segments between them."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import shapely
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from planner.errors import Problem
from planner.floor._drawing import Drawing
from planner.floor._site import Site
from planner.floor._slots import Slots
from planner.floor._walls import Passage, check_walls, passages_of


@dataclass(frozen=True)
class Trays:
    """Arrays as in `planner.model.Room`."""

    node_xyz: np.ndarray
    segments: np.ndarray
    segment_mm: np.ndarray
    segment_mm2: np.ndarray
    segment_tray: np.ndarray
    slot_node: np.ndarray
    slot_offset_mm: np.ndarray


def trays_of(drawing: Drawing, site: Site, slots: Slots, problems: list[Problem]) -> Trays:
    """Return the tray graph of a drawing and how it serves each slot."""
    before = len(problems)
    lines = [shapely.LineString(rule.path_mm) for rule in drawing.tray]
    for number, line in enumerate(lines):
        if line.length == 0:
            problems.append(Problem(f"tray.{number}", f"{drawing.tray[number].name} has no length", "give two different points"))
    if drawing.grid is None:
        check_walls(drawing, site, lines, problems)
    passages = passages_of(drawing, site, lines, problems)
    tray_of_slot, along = _serve(drawing, site, slots, lines, problems)
    joints = _crossings(lines)
    nodes: dict[tuple[int, int, int], int] = {}
    position: list[dict[int, int]] = []
    for number, (rule, line) in enumerate(zip(drawing.tray, lines, strict=True)):
        stops = {0, round(line.length)} | {round(line.project(shapely.Point(p))) for p in rule.path_mm}
        stops |= {t for i, t, _, _ in joints if i == number} | {t for _, _, j, t in joints if j == number}
        stops |= {t for passage in passages if passage.tray == number for t in (passage.start, passage.end)}
        stops |= {int(t) for t in along[tray_of_slot == number]}
        at = {}
        for t in sorted(stops):
            point = line.interpolate(t)
            at[t] = nodes.setdefault((round(point.x), round(point.y), rule.elevation_mm), len(nodes))
        position.append(at)
    xyz = np.array(list(nodes), np.int64).reshape(-1, 3)
    segments, tray = _segments(position, joints)
    length = np.ceil(np.linalg.norm(xyz[segments[:, 0]] - xyz[segments[:, 1]], axis=1)).astype(np.int64)
    area = _areas(drawing, passages, position, segments, tray)
    slot_node = np.array([position[i][int(t)] if i >= 0 else 0 for i, t in zip(tray_of_slot, along, strict=True)], np.int64)
    offset = np.abs(xyz[slot_node, :2] - slots.xy).sum(axis=1) if len(slots.names) and len(xyz) else np.zeros(0, np.int64)
    if len(problems) == before:
        _check_joined(slots, slot_node, segments, len(xyz), problems)
    return Trays(xyz, segments, length, area, tray, slot_node, offset)


def _areas(
    drawing: Drawing, passages: list[Passage], position: list[dict[int, int]], segments: np.ndarray, tray: np.ndarray
) -> np.ndarray:
    """Cross-section of each segment, int64 (K,): that of its tray, or the share of an opening that it passes."""
    own = np.array([rule.width_mm * rule.height_mm for rule in drawing.tray], np.int64)
    area = own[tray] if len(tray) else np.zeros(0, np.int64)
    limit = {}
    for passage in passages:
        at = position[passage.tray]
        for t, following in pairwise(sorted(t for t in at if passage.start <= t <= passage.end)):
            limit[tuple(sorted((at[t], at[following])))] = passage.area_mm2
    for k, ends in enumerate(segments.tolist() if limit else ()):
        area[k] = min(int(area[k]), limit.get(tuple(ends), int(area[k])))
    return area


def _serve(drawing: Drawing, site: Site, slots: Slots, lines: list, problems: list[Problem]) -> tuple[np.ndarray, np.ndarray]:
    """The nearest serving tray of each slot in its hall (-1: none in reach) and the position along it."""
    count = len(slots.names)
    best = np.full(count, np.inf)
    tray = np.full(count, -1)
    along = np.zeros(count)
    centres = shapely.points(slots.xy)
    several = len(site.halls) > 1
    hall = site.hall_of(slots.xy) if several else np.zeros(count, int)
    for number, (rule, line) in enumerate(zip(drawing.tray, lines, strict=True)):
        if not rule.serves or not count:
            continue
        for h, polygon in enumerate(site.halls):
            part = line.intersection(polygon) if several else line
            if part.is_empty:
                continue  # this tray does not run through the hall
            distance = np.where(hall == h, shapely.distance(part, centres), np.inf)
            nearer = distance < best
            best[nearer], tray[nearer] = distance[nearer], number
            nearest = shapely.get_point(shapely.shortest_line(part, centres[nearer]), 0) if several else centres[nearer]
            along[nearer] = np.round(shapely.line_locate_point(line, nearest))
    for slot in np.flatnonzero(best > drawing.tray_reach_mm):
        nearest = f"the nearest is {best[slot]:.0f} mm away" if np.isfinite(best[slot]) else "no tray serves slots"
        rule = f"no tray reaches slot {slots.names[slot]} within {drawing.tray_reach_mm} mm: {nearest}"
        problems.append(Problem(slots.place[slot], rule, "add a tray above the row or raise tray_reach_mm"))
    tray[best > drawing.tray_reach_mm] = -1
    return tray, along


def _crossings(lines: list) -> list[tuple[int, int, int, int]]:
    """Where trays meet: (tray, position along it, other tray, position along that)."""
    joints = []
    tree = shapely.STRtree(lines)
    for i, j in sorted(zip(*tree.query(lines, predicate="intersects"), strict=True)):
        if i < j:
            meeting = lines[i].intersection(lines[j])
            points = shapely.get_coordinates(meeting)
            for x, y in np.unique(points, axis=0):
                point = shapely.Point(x, y)
                joints.append((int(i), round(lines[i].project(point)), int(j), round(lines[j].project(point))))
    return joints


def _segments(position: list[dict[int, int]], joints: list) -> tuple[np.ndarray, np.ndarray]:
    """Segments between neighbouring nodes of a tray, and ladders where trays of two elevations cross."""
    found: dict[tuple[int, int], int] = {}
    for number, at in enumerate(position):
        stops = sorted(at)
        for t, following in pairwise(stops):
            a, b = sorted((at[t], at[following]))
            if a != b:
                found.setdefault((a, b), number)
    for i, t, j, u in joints:
        a, b = sorted((position[i][t], position[j][u]))
        if a != b:
            found.setdefault((a, b), i)
    pairs = sorted(found)
    return np.array(pairs, np.int64).reshape(-1, 2), np.array([found[pair] for pair in pairs], np.int64)


def _check_joined(slots: Slots, slot_node: np.ndarray, segments: np.ndarray, nodes: int, problems: list[Problem]) -> None:
    if not len(slot_node):
        return
    graph = coo_array((np.ones(len(segments)), (segments[:, 0], segments[:, 1])), shape=(nodes, nodes))
    part = connected_components(graph, directed=False)[1][slot_node]
    for number in np.unique(part)[1:]:
        slot = int(np.flatnonzero(part == number)[0])
        rule = f"no way over the trays from slot {slots.names[0]} to slot {slots.names[slot]}"
        problems.append(Problem("tray", rule, "add a tray that crosses both ways"))
