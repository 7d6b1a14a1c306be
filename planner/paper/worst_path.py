"""The path of the maximum delay: its route on the floor, and every hop."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from planner.core.units import heading as with_unit
from planner.core.units import stock
from planner.domain.model import MEDIA, Plan
from planner.paper.blocks import Block, heading, paragraph, space
from planner.paper.canvas import MUTED, RULE, Pen
from planner.paper.floorplan import Window, draw_scene, draw_stops
from planner.paper.sheet import TEXT_WIDTH, Mark
from planner.paper.table import Column, table
from planner.paper.trays import worst_devices, worst_route
from planner.view.cabinets import cabinets
from planner.view.figures import grouped
from planner.view.floor import plan_scene
from planner.view.names import device_names, network_key

_HEIGHT = 250.0
_AROUND_MM = 1800


def worst_path_blocks(plan: Plan) -> list[Block]:
    """Return the worst path as a drawing and a table; an empty list where there is none."""
    latency = plan.latency
    if plan.cables is None or plan.placement is None or plan.room is None or not len(latency.worst_links):
        return []
    found = "maximum delay of the sampled pairs, a lower bound of the maximum," if latency.sampled else "maximum delay"
    text = (
        f"The {found} between two routers: {grouped(latency.worst_ps / 1000, 1)} ns over {len(latency.worst_links)} hops. "
        "Numbers mark the routers in order; heavy lines are the trays on the route."
    )
    title = heading("Maximum delay, hop by hop", Mark(network_key(plan, "worst-steps"), "Maximum delay, hop by hop", 1), size=11)
    return [title, paragraph(text, 7.5, keep=True), _drawing(plan), space(8), *_steps(plan)]


def _drawing(plan: Plan) -> Block:
    """Draw the part of the floor that the path crosses, at the largest scale that fits."""
    slots, route = worst_route(plan)
    scene = plan_scene(plan, cabinets(plan)).unnamed("aisles", "obstacles").with_layers(route)
    places = np.concatenate([plan.room.slot_xy[slots], *(shape.points_mm for shape in route.shapes)]).astype(float)
    low, high = (places.min(axis=0) - _AROUND_MM).tolist(), (places.max(axis=0) + _AROUND_MM).tolist()
    up = Window.fitting(low, high, 0, 0, TEXT_WIDTH, _HEIGHT).origin[1]

    def draw(pen: Pen, x: float, top: float) -> None:
        window = Window.fitting(low, high, x, top, TEXT_WIDTH, _HEIGHT)
        with pen.clipped(window.corners):
            draw_scene(pen, window, scene, upright=False, stops=plan.room.slot_xy[slots].tolist())
            draw_stops(pen, window, plan.room, slots)
        pen.shape(window.corners, stroke=RULE, weight=0.6)
        pen.text(x, top + up - 9, f"Scale 1:{grouped(window.scale)}", 6.5, color=MUTED)

    return Block(14 - up, draw, keep=True)


def _steps(plan: Plan) -> list[Block]:
    latency, cables, placement = plan.latency, plan.cables, plan.placement
    names, (path, links) = device_names(plan), worst_devices(plan)
    columns = (
        Column("", "right"), Column("router"), Column("cabinet, unit"), Column("by cable"), Column("class"), Column("medium"),
        Column(with_unit("stock", "stock"), "right"),
        Column("cable (ns)", "right"), Column("plugs (ns)", "right"), Column("FEC (ns)", "right"),
        Column("router (ns)", "right"), Column("cumulative (ns)", "right"),
    )  # fmt: skip
    so_far = latency.worst_ps - int(latency.worst_parts_ps.sum())
    slots, units = placement.slot[path].tolist(), placement.unit[path].tolist()
    place = [f"{plan.room.slot_names[slot]}, {unit}" for slot, unit in zip(slots, units, strict=True)]
    rows = [("1", names[path[0]], place[0], *[""] * 7, _ns(so_far), _ns(so_far))]
    for number, (_, router) in enumerate(pairwise(path)):
        link, parts = links[number], latency.worst_parts_ps[number].tolist()
        so_far += sum(parts)
        medium = cables.assemblies[cables.assembly[link]].medium
        rows.append(
            (
                str(number + 2), names[router], place[number + 1], str(link + 1),
                plan.inventory.kind_names[plan.inventory.kind[link]], medium,
                stock(int(cables.stock_mm[link])), _ns(parts[1 + MEDIA.index(medium)]), _ns(parts[-2]), _ns(parts[-1]),
                _ns(parts[0]), _ns(so_far),
            )
        )  # fmt: skip
    return table(columns, rows, TEXT_WIDTH, 7)


def _ns(delay_ps: int) -> str:
    return grouped(delay_ps / 1000, 1)
