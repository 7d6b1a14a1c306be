"""What a plan adds to the scene of its room: the fill of trays, the busiest routes, and paths over trays."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from planner.domain.model import Plan, Room
from planner.domain.quantities import tray_fill
from planner.hall.scene import Label, Layer, Shape
from planner.hall.scene.palette import fill_step
from planner.hall.scene.trays import aside, busiest_routes

_APART_MM = 24
"""Distance of parallel routes."""


def segments(room: Room, kinds: Mapping[int, str]) -> dict[int, Shape]:
    """Return tray segments as lines of the given kinds, by number; those without extent on the floor are left out."""
    ends, moved, found = room.node_xyz[room.segments], aside(room), {}
    for number, kind in kinds.items():
        (x, y, z), (u, v, _) = ends[number].tolist()
        if (x, y) != (u, v):
            name = room.tray_names[room.segment_tray[number]]
            shape = Shape(kind, [(x, y), (u, v)], closed=False, name=name, about=name, z_mm=z, aside=bool(moved[number]))
            found[number] = shape
    return found


def fill_layer(plan: Plan) -> Layer:
    """Return the tray segments with cables by their fill, and the fill of each tray's fullest segment."""
    room = plan.room
    if plan.cables is None:
        return Layer("fill")
    shares = tray_fill(plan).tolist()
    used = np.flatnonzero(plan.cables.fill_um2 + room.existing.fill_um2(len(room.segments)) > 0).tolist()
    kinds = {n: f"fill {fill_step(shares[n], room.design_fill, room.max_fill)}" if shares[n] else "no limit" for n in used}
    shapes: list[Shape] = []
    fullest: dict[int, tuple[float, Shape]] = {}
    for number, shape in segments(room, kinds).items():
        facts = {"name": shape.name, "fill": round(shares[number], 6)} if shares[number] else {"name": shape.name}
        about = f"{shape.name}: {shares[number]:.1%} full" if shares[number] else shape.about
        shapes.append(replace(shape, about=about, facts=facts))
        tray = int(room.segment_tray[number])
        if shares[number] > fullest.get(tray, (0.0, shape))[0]:
            fullest[tray] = shares[number], shape
    figures = [(share / room.design_fill, shape) for share, shape in fullest.values()]
    return Layer("fill", shapes, [_figure(shape, share) for share, shape in figures if share >= 0.005])


def _figure(shape: Shape, share: float) -> Label:
    (x, y), (u, v) = shape.points_mm
    # Above the line, or below it where the line itself is moved down.
    return Label("figures", f"{100 * share:.0f}%", ((x + u) / 2, (y + v) / 2), anchor=(0, 1 if shape.aside else -1))


def routes_layer(plan: Plan, count: int) -> Layer:
    """Return the routes between two cabinets with the highest numbers of cables, side by side, as wide as these numbers."""
    found = busiest_routes(plan, count)
    shapes = []
    for number, route in enumerate(found):
        # An offset along both axes separates the lines in every direction.
        offset = (number - (len(found) - 1) / 2) * _APART_MM
        path = [(x + offset, y + offset) for x, y in route.path_mm]
        about = f"{number + 1}: {route.cables} cables {route.a} – {route.b}"
        wide = max(8, round(_APART_MM * route.cables / found[0].cables))
        facts = {"cables": route.cables, "ends": [route.a, route.b]}
        if len(path) > 1:
            shapes.append(Shape("route", path, closed=False, name=f"{number + 1}", about=about, width_mm=wide, facts=facts))
    return Layer("routes", shapes)
