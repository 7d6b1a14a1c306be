"""The path of the maximum delay: its route on the floor, and every hop."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from planner.model import MEDIA, Plan, Room
from planner.report._cabinets import cabinets
from planner.report._figures import grouped, trimmed
from planner.report._names import device_names
from planner.report._pdf.blocks import Block, heading, paragraph, space
from planner.report._pdf.canvas import ALARM, MUTED, PAPER, RULE, Pen
from planner.report._pdf.floor_names import write_clear_of_trays
from planner.report._pdf.floorplan import SCALES, Window, aside, draw_ground, draw_slots, draw_trays, tray_ends
from planner.report._pdf.fonts import BOLD, width_of
from planner.report._pdf.sheet import MM, TEXT_WIDTH, Mark
from planner.report._pdf.table import Column, table

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
    title = heading("Maximum delay, hop by hop", Mark("worst-steps", "Maximum delay, hop by hop", 1), size=11)
    return [title, paragraph(text, 7.5, keep=True), _drawing(plan), space(8), *_steps(plan)]


def _drawing(plan: Plan) -> Block:
    """Draw the part of the floor that the path crosses, at the largest scale that fits."""
    room, path = plan.room, plan.latency.worst_path
    slots = plan.placement.slot_of[plan.placement.cabinet_of[path]]
    segments = np.unique(np.concatenate([plan.cables.route_of(link) for link in plan.latency.worst_links.tolist()]))
    moved = aside(room)
    low, high = _extent(room, slots, segments)
    wanted = float(max((high - low) * MM / (TEXT_WIDTH, _HEIGHT)))
    scale = next((scale for scale in SCALES if scale >= wanted), SCALES[-1])
    across, up = (high - low) * MM / scale
    placed = cabinets(plan)

    def draw(pen: Pen, x: float, top: float) -> None:
        window = Window(tuple(low), tuple(high), (x + (TEXT_WIDTH - across) / 2, top - up), scale)
        with pen.clipped(window.corners):
            draw_ground(pen, window, room, names=False)
            draw_slots(pen, window, room, placed)
            draw_trays(pen, window, room)
            for segment in segments:
                pen.line(tray_ends(window, room, int(segment), bool(moved[segment])), ALARM, 2.6)
            write_clear_of_trays(pen, window, room)
            _write_stops(pen, window, room, slots.tolist())
        pen.shape(window.corners, stroke=RULE, weight=0.6)
        pen.text(x, top - up - 9, f"Scale 1:{grouped(scale)}", 6.5, color=MUTED)

    return Block(up + 14, draw, keep=True)


def _extent(room: Room, slots: np.ndarray, segments: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the corners of the area that the path crosses, with a margin, float (2,) each."""
    places = np.concatenate([room.slot_xy[slots], room.node_xyz[room.segments[segments].ravel(), :2]]).astype(float)
    return places.min(axis=0) - _AROUND_MM, places.max(axis=0) + _AROUND_MM


def _write_stops(pen: Pen, window: Window, room: Room, slots: list[int]) -> None:
    """Number the cabinets in the order of the path, above their slot names."""
    for slot in dict.fromkeys(slots):
        x, y = window.point(room.slot_xy[slot])
        y += window.length(room.slot_size[slot, 1]) * 0.24
        stops = "+".join(str(number) for number, at in enumerate(slots, 1) if at == slot)
        pen.dot(x, y, max(5.5, width_of(stops, 6, BOLD) / 2 + 1.5), PAPER, ALARM)
        pen.text(x, y - 2.2, stops, 6, font=BOLD, color=ALARM, align="center")


def _steps(plan: Plan) -> list[Block]:
    latency, cables, placement = plan.latency, plan.cables, plan.placement
    names, path = device_names(plan), latency.worst_path.tolist()
    columns = (
        Column("", "right"), Column("router"), Column("cabinet, unit"), Column("by cable"), Column("class"), Column("medium"),
        Column("stock (m)", "right"), Column("cable (ns)", "right"), Column("plugs (ns)", "right"), Column("FEC (ns)", "right"),
        Column("router (ns)", "right"), Column("cumulative (ns)", "right"),
    )  # fmt: skip
    so_far = latency.router_delay_ps
    place = [f"{plan.room.slot_names[placement.slot_of[placement.cabinet_of[r]]]}, {placement.unit_of[r]}" for r in path]
    rows = [("1", names[path[0]], place[0], *[""] * 7, _ns(latency.router_delay_ps), _ns(so_far))]
    for number, (_, router) in enumerate(pairwise(path)):
        link, parts = int(latency.worst_links[number]), latency.worst_parts_ps[number].tolist()
        so_far += sum(parts)
        medium = cables.assemblies[cables.assembly[link]].medium
        rows.append(
            (
                str(number + 2), names[router], place[number + 1], str(link + 1),
                plan.topology.link_class_names[plan.topology.link_class[link]], medium,
                trimmed(int(cables.stock_mm[link]) / 1000), _ns(parts[1 + MEDIA.index(medium)]), _ns(parts[-2]), _ns(parts[-1]),
                _ns(parts[0]), _ns(so_far),
            )
        )  # fmt: skip
    return table(columns, rows, TEXT_WIDTH, 7)


def _ns(delay_ps: int) -> str:
    return grouped(delay_ps / 1000, 1)
