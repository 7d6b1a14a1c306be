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
from planner.floor._slots import Slots


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


def trays_of(drawing: Drawing, slots: Slots, problems: list[Problem]) -> Trays:
    """Return the tray graph of a drawing and how it serves each slot."""
    lines = [shapely.LineString(rule.path_mm) for rule in drawing.tray]
    for number, line in enumerate(lines):
        if line.length == 0:
            problems.append(Problem(f"tray.{number}", f"{drawing.tray[number].name} has no length", "give two different points"))
    tray_of_slot, along = _serve(drawing, slots, lines, problems)
    joints = _crossings(lines)
    nodes: dict[tuple[int, int, int], int] = {}
    position: list[dict[int, int]] = []
    for number, (rule, line) in enumerate(zip(drawing.tray, lines, strict=True)):
        stops = {0, round(line.length)} | {round(line.project(shapely.Point(p))) for p in rule.path_mm}
        stops |= {t for i, t, _, _ in joints if i == number} | {t for _, _, j, t in joints if j == number}
        stops |= {int(t) for t in along[tray_of_slot == number]}
        at = {}
        for t in sorted(stops):
            point = line.interpolate(t)
            at[t] = nodes.setdefault((round(point.x), round(point.y), rule.elevation_mm), len(nodes))
        position.append(at)
    xyz = np.array(list(nodes), np.int64).reshape(-1, 3)
    segments, tray = _segments(position, joints)
    length = np.ceil(np.linalg.norm(xyz[segments[:, 0]] - xyz[segments[:, 1]], axis=1)).astype(np.int64)
    area = np.array([rule.width_mm * rule.height_mm for rule in drawing.tray], np.int64)
    slot_node = np.array([position[i][int(t)] if i >= 0 else 0 for i, t in zip(tray_of_slot, along, strict=True)], np.int64)
    offset = np.abs(xyz[slot_node, :2] - slots.xy).sum(axis=1) if len(slots.names) else np.zeros(0, np.int64)
    _check_joined(drawing, slots, slot_node, segments, len(xyz), problems)
    return Trays(xyz, segments, length, area[tray] if len(tray) else np.zeros(0, np.int64), tray, slot_node, offset)


def _serve(drawing: Drawing, slots: Slots, lines: list, problems: list[Problem]) -> tuple[np.ndarray, np.ndarray]:
    """The nearest serving tray of each slot (-1: none in reach) and the position along it."""
    count = len(slots.names)
    best = np.full(count, np.inf)
    tray = np.full(count, -1)
    along = np.zeros(count)
    centres = shapely.points(slots.xy)
    for number, (rule, line) in enumerate(zip(drawing.tray, lines, strict=True)):
        if rule.serves and count:
            distance = shapely.distance(line, centres)
            nearer = distance < best
            best[nearer], tray[nearer] = distance[nearer], number
            along[nearer] = np.round(shapely.line_locate_point(line, centres[nearer]))
    for slot in np.flatnonzero(best > drawing.tray_reach_mm):
        nearest = f"the nearest is {best[slot]:.0f} mm away" if np.isfinite(best[slot]) else "no tray serves slots"
        rule = f"no tray reaches slot {slots.names[slot]} within {drawing.tray_reach_mm} mm: {nearest}"
        problems.append(Problem(f"row.{slots.row[slot]}", rule, "add a tray above the row or raise tray_reach_mm"))
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


def _check_joined(
    drawing: Drawing, slots: Slots, slot_node: np.ndarray, segments: np.ndarray, nodes: int, problems: list[Problem]
) -> None:
    if problems or not len(slot_node):
        return
    graph = coo_array((np.ones(len(segments)), (segments[:, 0], segments[:, 1])), shape=(nodes, nodes))
    part = connected_components(graph, directed=False)[1][slot_node]
    for number in np.unique(part)[1:]:
        slot = int(np.flatnonzero(part == number)[0])
        rule = f"no way over the trays from slot {slots.names[0]} to slot {slots.names[slot]}"
        problems.append(Problem("tray", rule, "add a tray that crosses both ways"))
