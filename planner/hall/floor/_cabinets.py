"""Cabinets of a DXF drawing as slots: position, facing and rows."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

from ezdxf.entities import DXFEntity, Insert
from ezdxf.math import Vec3

from planner.core.errors import Problem
from planner.hall.floor._grid import letters
from planner.hall.floor._layers import CabinetBlock
from planner.hall.floor._shapes import block_box, path_of, where
from planner.hall.floor._slots import DIRECTIONS, LIMITS

_LINE_MM = 100
_APART = 3
_DEGREES = 0.5


@dataclass(frozen=True)
class Cabinet:
    """A slot as drawn; `name` and `row` are empty where the drawing names none."""

    name: str
    row: str
    at_mm: tuple[int, int]
    facing: str
    width_mm: int
    depth_mm: int
    limits: tuple[int | None, ...]
    exit: str = "any"
    egress: str = "nearest"

    @property
    def leaving(self) -> dict[str, str]:
        """Exit and egress of its cables, where they differ from the default."""
        given = {"exit": (self.exit, "any"), "egress": (self.egress, "nearest")}
        return {key: one for key, (one, usual) in given.items() if one != usual}

    def table(self) -> dict[str, Any]:
        """Return its ``[[slot]]`` table."""
        size = {"width_mm": self.width_mm, "depth_mm": self.depth_mm}
        limits = {name: limit for name, limit in zip(LIMITS, self.limits, strict=True) if limit is not None}
        return {"name": self.name, "row": self.row, "at_mm": self.at_mm, "facing": self.facing, **size, **self.leaving, **limits}


def cabinet_of(entity: DXFEntity, rule: CabinetBlock, factor: float, problems: list[Problem]) -> Cabinet | None:
    """Return the slot of a block reference or a rectangle."""
    try:
        if isinstance(entity, Insert):
            return _of_insert(entity, rule, factor)
        points = path_of(entity, factor)
        (low_x, low_y), (high_x, high_y) = (tuple(pick(axis) for axis in zip(*points, strict=True)) for pick in (min, max))
        return _sized("", "", (low_x, low_y, high_x, high_y), rule.front, rule, (None,) * len(LIMITS))
    except ValueError as error:
        problems.append(Problem(where(entity), f"this cabinet {error}", "correct the drawing or the mapping"))
        return None


def _of_insert(insert: Insert, rule: CabinetBlock, factor: float) -> Cabinet:
    box = block_box(insert)
    if box is None:
        if rule.width_mm is None or rule.depth_mm is None:
            raise ValueError(f"has no lines in its block {insert.dxf.name}; give cabinet.width_mm and depth_mm")
        box = (0.0, 0.0, 0.0, 0.0)
    matrix = insert.matrix44()
    x, y = DIRECTIONS[rule.front]
    front = matrix.transform_direction(Vec3(x, y))
    angle = math.degrees(math.atan2(front.y, front.x)) % 360
    quarter = round(angle / 90) % 4
    if abs((angle - 90 * quarter + 180) % 360 - 180) > _DEGREES:
        raise ValueError(f"is rotated by {float(insert.dxf.rotation):g} degrees; slots are parallel to the axes")
    facing = ("+x", "+y", "-x", "-y")[quarter]
    low, high = (matrix.transform(Vec3(*corner)) * factor for corner in (box[:2], box[2:]))
    if not all(math.isfinite(v) and abs(v) < 1e9 for v in (low.x, low.y, high.x, high.y)):
        raise ValueError("has a position that is not a number or far beyond any floor")
    corners = (min(low.x, high.x), min(low.y, high.y), max(low.x, high.x), max(low.y, high.y))
    tags = {attribute.dxf.tag: attribute.dxf.text.strip() for attribute in insert.attribs if attribute.is_alive}
    given = ((rule.power_kw, 10**6), (rule.cooling_kw, 10**6), (rule.load_kg, 10**3))
    limits = tuple(_amount(tag, tags[tag], unit) if tags.get(tag) else None for tag, unit in given)
    cabinet = _sized(tags.get(rule.name, ""), tags.get(rule.row, ""), corners, facing, rule, limits)
    return replace(cabinet, exit=tags.get(rule.exit) or "any", egress=tags.get(rule.egress) or "nearest")


def _sized(name: str, row: str, box: tuple, facing: str, rule: CabinetBlock, limits: tuple) -> Cabinet:
    size = (box[2] - box[0], box[3] - box[1])[:: 1 if facing[1] == "y" else -1]
    width, depth = rule.width_mm or round(size[0]), rule.depth_mm or round(size[1])
    if width <= 0 or depth <= 0:
        raise ValueError(f"is {width} x {depth} mm large")
    at = (math.floor((box[0] + box[2]) / 2 + 0.5), math.floor((box[1] + box[3]) / 2 + 0.5))
    return Cabinet(name, row, at, facing, width, depth, limits)


def _amount(tag: str, text: str, unit: int) -> int:
    try:
        amount = round(float(text.replace(",", ".")) * unit)
    except (ValueError, OverflowError):
        amount = 0
    if not 0 < amount < 2**53:
        raise ValueError(f"has {tag} = {text!r}, not a positive number")
    return amount


def named(cabinets: list[Cabinet]) -> list[Cabinet]:
    """Assign rows and names to the cabinets without them, and return these after the others.

    A row is collinear, with one facing and without large gaps; rows are lettered from low to high.
    """
    rows = {cabinet.row for cabinet in cabinets}
    fresh = (name for name in map(letters, range(len(cabinets) + len(rows) + 1)) if name not in rows)
    found = [cabinet for cabinet in cabinets if cabinet.row]
    for members in _lines_of([cabinet for cabinet in cabinets if not cabinet.row]):
        name = next(fresh)
        found += [replace(cabinet, row=name) for cabinet in members]
    names = {cabinet.name for cabinet in cabinets}
    for row in dict.fromkeys(cabinet.row for cabinet in found):
        unnamed = [n for n, cabinet in enumerate(found) if cabinet.row == row and not cabinet.name]
        for n, number in zip(unnamed, _numbers([found[n] for n in unnamed]), strict=True):
            digits = 2
            while (name := f"{row}{number:0{digits}d}") in names:
                digits += 1
            names.add(name)
            found[n] = replace(found[n], name=name)
    return found


def _axes(cabinet: Cabinet) -> tuple[int, int]:
    """Return the position across the row and along it."""
    along = 0 if cabinet.facing[1] == "y" else 1
    return cabinet.at_mm[1 - along], cabinet.at_mm[along]


def _lines_of(cabinets: list[Cabinet]) -> list[list[Cabinet]]:
    """Return the members of each row, from low to high; a gap of more than `_APART` typical pitches ends a row."""
    lines: list[list[Cabinet]] = []
    for cabinet in sorted(cabinets, key=lambda c: (c.facing[1], *_axes(c))):
        last = lines[-1][-1] if lines else None
        if last is None or last.facing != cabinet.facing or abs(_axes(last)[0] - _axes(cabinet)[0]) > _LINE_MM:
            lines.append([])
        lines[-1].append(cabinet)
    found = []
    for line in lines:
        line.sort(key=lambda c: _axes(c)[1])
        steps = [_axes(b)[1] - _axes(a)[1] for a, b in pairwise(line)]
        usual = sorted(steps)[len(steps) // 2] if steps else 0
        found.append([line[0]])
        for cabinet, step in zip(line[1:], steps, strict=True):
            if step > _APART * usual:
                found.append([])
            found[-1].append(cabinet)
    return found


def _numbers(row: list[Cabinet]) -> list[int]:
    """Return the number of each cabinet in its row: positions at the pitch, so that a gap skips numbers; else in order."""
    along = [_axes(cabinet)[1] for cabinet in row]
    rank = {place: n for n, place in enumerate(sorted(set(along)), 1)}
    steps = [b - a for a, b in pairwise(sorted(rank))]
    if not steps or len(rank) < len(along):
        return list(range(1, len(row) + 1))
    pitch = Counter(steps).most_common(1)[0][0]
    if any(step % pitch for step in steps):
        return [rank[place] for place in along]
    return [1 + (place - min(along)) // pitch for place in along]
