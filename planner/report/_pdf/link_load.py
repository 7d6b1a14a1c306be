"""Link load on the floor: the busiest cables and the cabinets they connect."""

from __future__ import annotations

import numpy as np
from reportlab.lib.colors import HexColor

from planner.model import Plan
from planner.report._cabinets import cabinets
from planner.report._figures import grouped, meters
from planner.report._pdf.blocks import Block, heading, paragraph, space
from planner.report._pdf.canvas import MUTED, RULE, Pen
from planner.report._pdf.floor_names import write_clear_of_trays
from planner.report._pdf.floorplan import SCALES, Window, bounds, draw_ground, draw_slots
from planner.report._pdf.sheet import MM, TEXT_WIDTH, Mark
from planner.report._pdf.table import Column, table

_HEIGHT = 300.0
_LISTED = 20
_DRAWN = 400
"""Maximum number of lines between cabinets; the busiest pairs are drawn."""

_BOW, _BOW_STEPS = 0.14, 12

_STEPS = (
    (0.25, HexColor(0xC9D3DA), 0.5, "up to 0.25"),
    (0.50, HexColor(0xE3B94F), 0.9, "0.25 to 0.5"),
    (0.75, HexColor(0xD9742B), 1.5, "0.5 to 0.75"),
    (np.inf, HexColor(0x8C1D18), 2.4, "over 0.75"),
)
"""Color and width of a line by the load of its busiest cable: the width distinguishes loads without color."""


def link_load_blocks(plan: Plan) -> list[Block]:
    """Return the floor with the load between cabinets, and the busiest cables, at the highest steady load."""
    result = plan.simulation
    if plan.cables is None or plan.placement is None or plan.room is None or not len(plan.topology.links):
        return []
    point = result.steady if result.steady is not None else int(result.offered.argmin())
    text = (
        f"At offered load {result.offered[point]:g}, the highest below saturation. "
        if result.steady is not None
        else f"At offered load {result.offered[point]:g}, the lowest simulated; the network is saturated. "
    ) + (
        "A line connects two cabinets; its weight shows the load of the busiest cable between them, in its busier direction. "
        "The capacity of a link is 1 phit per cycle. Cables inside a cabinet are in the table only."
    )
    title = heading("Link load on the floor", Mark("link-load", "Link load", 1), size=11)
    return [space(14), title, paragraph(text, keep=True), _map(plan, point), space(10), *_busiest(plan, point)]


def _map(plan: Plan, point: int) -> Block:
    room, placement = plan.room, plan.placement
    load = plan.simulation.link_load[point].reshape(-1, 2).max(axis=1)
    slots = np.sort(placement.slot_of[placement.cabinet_of[plan.topology.links]], axis=1)
    pairs, pair = np.unique(slots, axis=0, return_inverse=True)
    peak = np.zeros(len(pairs))
    np.maximum.at(peak, pair.reshape(-1), load)
    apart = np.flatnonzero(pairs[:, 0] != pairs[:, 1])
    # The busiest are drawn last, on top.
    shown = apart[np.argsort(peak[apart], kind="stable")][-_DRAWN:]
    low, high = bounds(room)
    wanted = float(max((high - low) * MM / (TEXT_WIDTH, _HEIGHT)))
    scale = next((scale for scale in SCALES if scale >= wanted), SCALES[-1])
    across, up = (high - low) * MM / scale
    placed = cabinets(plan)

    def draw(pen: Pen, x: float, top: float) -> None:
        window = Window(tuple(low), tuple(high), (x + (TEXT_WIDTH - across) / 2, top - up), scale)
        with pen.clipped(window.corners):
            draw_ground(pen, window, room, names=False)
            draw_slots(pen, window, room, placed)
            for number in shown:
                _, color, weight, _ = next(step for step in _STEPS if peak[number] <= step[0])
                pen.line(_arc(*window.points(room.slot_xy[pairs[number]])), color, weight)
            write_clear_of_trays(pen, window, room)
        pen.shape(window.corners, stroke=RULE, weight=0.6)
        _print_key(pen, x, top - up - 10, scale, len(apart) - len(shown))

    return Block(up + 16, draw)


def _arc(start: tuple[float, float], end: tuple[float, float]) -> list[tuple[float, float]]:
    """Return an arc between two points, so that lines along a row do not overlap."""
    (x, y), (end_x, end_y) = start, end
    across, up = end_x - x, end_y - y
    places = []
    for step in range(_BOW_STEPS + 1):
        t = step / _BOW_STEPS
        aside = 4 * _BOW * t * (1 - t)
        places.append((x + across * t - up * aside, y + up * t + across * aside))
    return places


def _print_key(pen: Pen, x: float, y: float, scale: float, left_out: int) -> None:
    pen.text(x, y, f"Scale 1:{grouped(scale)}", 6.5, color=MUTED)
    right = x + TEXT_WIDTH
    for _, color, weight, words in reversed(_STEPS):
        pen.text(right, y, words, 6.5, align="right")
        right -= 52
        pen.line([(right, y + 2), (right + 14, y + 2)], color, weight)
        right -= 10
    if left_out:
        pen.text(x + 70, y, f"{grouped(left_out)} less busy pairs of cabinets are not drawn", 6.5, color=MUTED)


def _busiest(plan: Plan, point: int) -> list[Block]:
    cables, room = plan.cables, plan.room
    names = [room.slot_names[slot] for slot in plan.placement.slot_of]
    rows = []
    for link, direction, load in plan.simulation.busiest(point, _LISTED):
        labels, ends = (cables.label_a[link], cables.label_b[link]), cables.cabinet[link]
        here, there = (1, 0) if direction else (0, 1)
        rows.append(
            (
                f"{load:.3f}", str(labels[here]), f"{names[ends[here]]} to {names[ends[there]]}",
                cables.assemblies[cables.assembly[link]].id, meters(int(cables.stock_mm[link])),
            )
        )  # fmt: skip
    columns = (
        Column("phits per cycle", "right"), Column("label at the sending end"), Column("cabinets"), Column("part"),
        Column("stock (m)", "right"),
    )  # fmt: skip
    return table(columns, rows, TEXT_WIDTH, 7)
