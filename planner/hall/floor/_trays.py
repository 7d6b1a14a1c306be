"""The tray graph: nodes at ends, bends, crossings and above slots; segments between them."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import shapely
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from planner.core.errors import Problem
from planner.domain.model import MEDIUM_CLASSES
from planner.hall.floor._drawing import Drawing
from planner.hall.floor._site import Site, repeated
from planner.hall.floor._slots import Slots
from planner.hall.floor._walls import Passage, check_walls, passages_of

CARRIES = {"copper": 1, "fiber": 2, "any": 3}


@dataclass(frozen=True)
class Trays:
    """Arrays as in `planner.domain.model.Room`."""

    node_xyz: np.ndarray
    segments: np.ndarray
    segment_mm: np.ndarray
    segment_mm2: np.ndarray
    segment_tray: np.ndarray
    segment_carries: np.ndarray
    slot_node: np.ndarray


@dataclass(frozen=True)
class _Joint:
    """A joint of two trays: number of each, and the position along it; `riser` is -1 for a plain crossing."""

    tray: int
    at: int
    other: int
    other_at: int
    riser: int = -1


def trays_of(drawing: Drawing, site: Site, slots: Slots, problems: list[Problem]) -> Trays:
    """Return the tray graph of a drawing and the tray nodes of each slot."""
    before = len(problems)
    lines = [shapely.LineString(rule.path_mm) for rule in drawing.tray]
    repeated(drawing.tray, "tray", problems)
    repeated(drawing.riser, "riser", problems)
    both = {rule.name for rule in drawing.tray} & {rule.name for rule in drawing.riser}
    problems += (Problem("riser", f"a tray is also called {name}", "give each a unique name") for name in sorted(both))
    for number, line in enumerate(lines):
        if line.length == 0:
            problems.append(Problem(f"tray.{number}", f"{drawing.tray[number].name} has no length", "give two different points"))
    if drawing.grid is None:
        check_walls(drawing, site, lines, problems)
    passages = passages_of(drawing, site, lines, problems)
    served = [_serve(drawing, site, slots, lines, mask, problems) for mask in _masks(drawing)]
    joints = _crossings(drawing, lines) + _risers(drawing, lines, problems)
    nodes: dict[tuple[int, int, int], int] = {}
    position: list[dict[int, int]] = []
    for number, (rule, line) in enumerate(zip(drawing.tray, lines, strict=True)):
        stops = {0, round(line.length)} | {round(line.project(shapely.Point(p))) for p in rule.path_mm}
        stops |= {j.at for j in joints if j.tray == number} | {j.other_at for j in joints if j.other == number}
        stops |= {t for passage in passages if passage.tray == number for t in (passage.start, passage.end)}
        stops |= {int(t) for tray, along in served for t in along[tray == number]}
        at = {}
        for t in sorted(stops):
            point = line.interpolate(t)
            at[t] = nodes.setdefault((round(point.x), round(point.y), rule.elevation_mm), len(nodes))
        position.append(at)
    xyz = np.array(list(nodes), np.int64).reshape(-1, 3)
    segments, tray, area, carries = _segments(drawing, passages, position, joints)
    length = np.ceil(np.linalg.norm(xyz[segments[:, 0]] - xyz[segments[:, 1]], axis=1)).astype(np.int64)
    by_medium_class = [[position[i][int(t)] if i >= 0 else 0 for i, t in zip(*one, strict=True)] for one in served]
    slot_node = np.array(by_medium_class * (2 if len(by_medium_class) == 1 else 1), np.int64).T.reshape(-1, 2)
    if len(problems) == before:
        for number, mask in enumerate(_masks(drawing)):
            kept = segments[(carries & mask) > 0]
            _check_joined(
                slots, slot_node[:, number], kept, len(xyz), problems, MEDIUM_CLASSES[number] if len(served) > 1 else ""
            )
    return Trays(xyz, segments, length, area, tray, carries, slot_node)


def _masks(drawing: Drawing) -> tuple[int, ...]:
    """Return masks of the medium classes with trays of their own: one each if any tray is for one class alone, else one."""
    return (1, 2) if any(rule.carries != "any" for rule in drawing.tray) else (3,)


def _serve(
    drawing: Drawing, site: Site, slots: Slots, lines: list, mask: int, problems: list[Problem]
) -> tuple[np.ndarray, np.ndarray]:
    """Return the nearest serving tray of each slot in its hall (-1: none in reach) and the position along it."""
    count = len(slots.names)
    best = np.full(count, np.inf)
    tray = np.full(count, -1)
    along = np.zeros(count)
    centers = shapely.points(slots.xy)
    several = len(site.halls) > 1
    hall = site.hall_of(slots.xy) if several else np.zeros(count, int)
    exits = np.array(slots.exit, str)
    for number, (rule, line) in enumerate(zip(drawing.tray, lines, strict=True)):
        if not rule.serves or not count or not CARRIES[rule.carries] & mask:
            continue
        open_to = (exits == "any") | (exits == ("top" if rule.elevation_mm >= 0 else "bottom"))
        for h, polygon in enumerate(site.halls):
            part = line.intersection(polygon) if several else line
            if part.is_empty:
                continue  # this tray does not run through the hall
            distance = np.where((hall == h) & open_to, shapely.distance(part, centers), np.inf)
            nearer = distance < best
            best[nearer], tray[nearer] = distance[nearer], number
            nearest = shapely.get_point(shapely.shortest_line(part, centers[nearer]), 0) if several else centers[nearer]
            along[nearer] = np.round(shapely.line_locate_point(line, nearest))
    what = {1: "copper tray", 2: "fiber tray", 3: "tray"}[mask]
    for slot in np.flatnonzero(best > drawing.tray_reach_mm):
        nearest = f"the nearest is {best[slot]:.0f} mm away" if np.isfinite(best[slot]) else f"no {what} serves it"
        leaving = "" if slots.exit[slot] == "any" else f" by its {slots.exit[slot]}"
        message = f"no {what} reaches slot {slots.names[slot]}{leaving} within {drawing.tray_reach_mm} mm: {nearest}"
        problems.append(Problem(slots.place[slot], message, "add a tray along the row or raise tray_reach_mm"))
    tray[best > drawing.tray_reach_mm] = -1
    return tray, along


def _crossings(drawing: Drawing, lines: list) -> list[_Joint]:
    """Return the joints of trays that cross on the same side of the floor and carry a medium class in common."""
    joints: list[_Joint] = []
    if not lines:
        return joints
    tree = shapely.STRtree(lines)
    for i, j in sorted(zip(*tree.query(lines, predicate="intersects"), strict=True)):
        one, two = drawing.tray[i], drawing.tray[j]
        apart = (one.elevation_mm < 0) != (two.elevation_mm < 0) or not CARRIES[one.carries] & CARRIES[two.carries]
        if i < j and not apart:
            meeting = lines[i].intersection(lines[j])
            points = shapely.get_coordinates(meeting)
            for x, y in np.unique(points, axis=0):
                point = shapely.Point(x, y)
                joints.append(_Joint(int(i), round(lines[i].project(point)), int(j), round(lines[j].project(point))))
    return joints


def _risers(drawing: Drawing, lines: list, problems: list[Problem]) -> list[_Joint]:
    """Return the joints at openings in the floor: between trays through them that are neighbors in height."""
    joints = []
    for number, riser in enumerate(drawing.riser):
        point = shapely.Point(riser.at_mm)
        through = [i for i, line in enumerate(lines) if line.distance(point) <= 1]
        levels = sorted(through, key=lambda i: drawing.tray[i].elevation_mm)
        below = [i for i in levels if drawing.tray[i].elevation_mm < 0]
        if not below or len(below) == len(levels):
            missing = "above" if below else "below"
            rule = f"no tray {missing} the floor runs through {riser.name} at {riser.at_mm}"
            problems.append(Problem(f"riser.{number}", rule, "move it to where trays above and below cross"))
            continue
        for i, j in pairwise(levels):
            if CARRIES[drawing.tray[i].carries] & CARRIES[drawing.tray[j].carries]:
                joints.append(_Joint(i, round(lines[i].project(point)), j, round(lines[j].project(point)), number))
    return joints


def _segments(
    drawing: Drawing, passages: list[Passage], position: list[dict[int, int]], joints: list[_Joint]
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Return segments between neighboring nodes of a tray, and vertical ones where trays of two elevations cross.

    Returns ends (K, 2), tray (risers counted after the trays), cross-section in mm² and medium classes of each, (K,).
    """
    own = [rule.width_mm * rule.height_mm for rule in drawing.tray]
    mask = [CARRIES[rule.carries] for rule in drawing.tray]
    narrow: dict[tuple[int, int, int], int] = {}
    for passage in passages:
        at = position[passage.tray]
        for t, following in pairwise(sorted(t for t in at if passage.start <= t <= passage.end)):
            narrow[passage.tray, t, following] = passage.area_mm2
    found: dict[tuple[int, int, int], tuple[int, int]] = {}
    for number, at in enumerate(position):
        for t, following in pairwise(sorted(at)):
            a, b = sorted((at[t], at[following]))
            if a != b:
                area = min(own[number], narrow.get((number, t, following), own[number]))
                found.setdefault((a, b, mask[number]), (number, area))
    for joint in joints:
        a, b = sorted((position[joint.tray][joint.at], position[joint.other][joint.other_at]))
        if a != b:
            tray, area = joint.tray, min(own[joint.tray], own[joint.other])
            if joint.riser >= 0:
                rule = drawing.riser[joint.riser]
                tray, area = len(drawing.tray) + joint.riser, rule.width_mm * rule.height_mm
            found.setdefault((a, b, mask[joint.tray] & mask[joint.other]), (tray, area))
    keys = sorted(found)
    ends = np.array(keys, np.int64).reshape(-1, 3)
    tray_area = np.array([found[key] for key in keys], np.int64).reshape(-1, 2)
    return ends[:, :2], tray_area[:, 0], tray_area[:, 1], ends[:, 2]


def _check_joined(
    slots: Slots, slot_node: np.ndarray, segments: np.ndarray, nodes: int, problems: list[Problem], medium: str
) -> None:
    if not len(slot_node):
        return
    graph = coo_array((np.ones(len(segments)), (segments[:, 0], segments[:, 1])), shape=(nodes, nodes))
    part = connected_components(graph, directed=False)[1][slot_node]
    for number in np.unique(part[part != part[0]]):
        slot = int(np.flatnonzero(part == number)[0])
        what = f"{medium} trays" if medium else "trays"
        rule = f"no route over the {what} from slot {slots.names[0]} to slot {slots.names[slot]}"
        problems.append(Problem("tray", rule, "add a tray that crosses both"))
