"""Link load on the floor: the busiest cables and the cabinets they connect."""

from __future__ import annotations

import numpy as np

from planner.model import Plan
from planner.report._cabinets import cabinets
from planner.report._figures import grouped, meters
from planner.report._floor import plan_scene
from planner.report._names import network_key
from planner.report._pdf.blocks import Block, heading, paragraph, space
from planner.report._pdf.canvas import MUTED, RULE, Pen, color_of
from planner.report._pdf.floorplan import Window, draw_scene
from planner.report._pdf.sheet import TEXT_WIDTH, Mark
from planner.report._pdf.table import Column, table
from planner.scene import Layer, Shape
from planner.scene.palette import LOAD_STEPS, STYLES

_HEIGHT = 300.0
_LISTED = 20
_DRAWN = 400
"""Maximum number of lines between cabinets; the busiest pairs are drawn."""

_BOW, _BOW_STEPS = 0.14, 12


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
    title = heading("Link load on the floor", Mark(network_key(plan, "link-load"), "Link load", 1), size=11)
    return [space(14), title, paragraph(text, keep=True), _map(plan, point), space(10), *_busiest(plan, point)]


def _map(plan: Plan, point: int) -> Block:
    room = plan.room
    load = plan.simulation.link_load[point].reshape(-1, 2).max(axis=1)
    slots = np.sort(plan.placement.slot[plan.inventory.ends[plan.inventory.links(plan.network)]], axis=1)
    pairs, pair = np.unique(slots, axis=0, return_inverse=True)
    peak = np.zeros(len(pairs))
    np.maximum.at(peak, pair.reshape(-1), load)
    apart = np.flatnonzero(pairs[:, 0] != pairs[:, 1])
    # The busiest are drawn last, on top.
    shown = apart[np.argsort(peak[apart], kind="stable")][-_DRAWN:]
    lines = [_line(room.slot_xy[pairs[number]].tolist(), float(peak[number])) for number in shown]
    scene = plan_scene(plan, cabinets(plan)).unnamed("aisles", "obstacles").with_layers(Layer("load", lines), without=("trays",))
    up = Window.fitting(scene.low_mm, scene.high_mm, 0, 0, TEXT_WIDTH, _HEIGHT).origin[1]

    def draw(pen: Pen, x: float, top: float) -> None:
        window = Window.fitting(scene.low_mm, scene.high_mm, x, top, TEXT_WIDTH, _HEIGHT)
        with pen.clipped(window.corners):
            draw_scene(pen, window, scene, upright=False)
        pen.shape(window.corners, stroke=RULE, weight=0.6)
        _print_key(pen, x, top + up - 10, window.scale, len(apart) - len(shown))

    return Block(16 - up, draw)


def _line(ends_mm: list[list[float]], load: float) -> Shape:
    """Return an arc between two cabinets, so that lines along a row do not overlap."""
    (x, y), (end_x, end_y) = ends_mm
    across, up = end_x - x, end_y - y
    places = []
    for step in range(_BOW_STEPS + 1):
        t = step / _BOW_STEPS
        aside = 4 * _BOW * t * (1 - t)
        places.append((x + across * t - up * aside, y + up * t + across * aside))
    step = next(step for step, (limit, _, _) in enumerate(LOAD_STEPS) if load <= limit)
    return Shape(f"load {step}", places, closed=False)


def _print_key(pen: Pen, x: float, y: float, scale: float, left_out: int) -> None:
    pen.text(x, y, f"Scale 1:{grouped(scale)}", 6.5, color=MUTED)
    right = x + TEXT_WIDTH
    for step, (_, weight_pt, words) in reversed(list(enumerate(LOAD_STEPS))):
        pen.text(right, y, words, 6.5, align="right")
        right -= 52
        pen.line([(right, y + 2), (right + 14, y + 2)], color_of(STYLES[f"load {step}"].stroke), weight_pt)
        right -= 10
    if left_out:
        pen.text(x + 70, y, f"{grouped(left_out)} less busy pairs of cabinets are not drawn", 6.5, color=MUTED)


def _busiest(plan: Plan, point: int) -> list[Block]:
    cables, room = plan.cables, plan.room
    names = [room.slot_names[slot] for slot in plan.placement.slot_of]
    rows = []
    first = plan.inventory.links(plan.network).start
    for number, direction, load in plan.simulation.busiest(point, _LISTED):
        link = first + number
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
