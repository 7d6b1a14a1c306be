"""Link load on the floor: trays by the load of their cables, the busiest pairs of cabinets, trays and cables."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from planner.core.units import amount
from planner.core.units import heading as with_unit
from planner.domain.model import Plan
from planner.hall.scene import Layer, Shape
from planner.hall.scene.palette import LOAD_WEIGHTS_PT, STYLES
from planner.paper.blocks import Block, heading, paragraph, space
from planner.paper.canvas import ACCENT, DARK, MUTED, PAPER, RULE, Pen, color_of
from planner.paper.floorplan import Window, draw_scene
from planner.paper.fonts import BOLD, width_of
from planner.paper.sheet import TEXT_WIDTH, Mark
from planner.paper.table import Column, table
from planner.view.cabinets import cabinets
from planner.view.figures import grouped, trimmed
from planner.view.floor import plan_scene
from planner.view.link_load import LinkTraffic, Load, link_traffic
from planner.view.names import cabinet_names, network_key

_HEIGHT = 330.0
_GAP = 14.0
_WIDE = 1.5
"""Rooms of a larger aspect ratio take the whole width; the lists are then below the map."""

_LISTED, _CABLES = 10, 20
"""Number of rows of the lists of pairs and trays, and of that of cables."""

_DRAWN = 5
"""Number of pairs on the map."""

_BOW, _BOW_STEPS = 0.14, 12


def link_load_blocks(plan: Plan) -> list[Block]:
    """Return the floor with the load of trays and pairs of cabinets, and the busiest of all, at the highest steady load."""
    result = plan.simulation
    if plan.cables is None or plan.placement is None or plan.room is None or not len(plan.topology.links):
        return []
    point = result.steady if result.steady is not None else int(result.offered.argmin())
    traffic = link_traffic(plan, point)
    state = (
        f"At offered load {result.offered[point]:g}, the highest below saturation. "
        if result.steady is not None
        else f"At offered load {result.offered[point]:g}, the lowest simulated; the network is saturated. "
    )
    text = (
        f"{state}The capacity of a cable is 1 phit per cycle and direction. Load is that of all cables together, in both "
        f"directions; mean that of one cable in one direction; peak that of the busiest. On the map, line weight shows the load "
        f"in a tray, and numbers the first {_DRAWN} pairs of cabinets. Cables inside a cabinet are in the last list only."
    )
    title = heading("Link load on the floor", Mark(network_key(plan, "link-load"), "Link load", 1), size=11)
    low, high = plan_scene(plan, ()).low_mm, plan_scene(plan, ()).high_mm
    wide = (high[0] - low[0]) > _WIDE * (high[1] - low[1])
    width = TEXT_WIDTH if wide else (TEXT_WIDTH - _GAP) * 0.54
    half = (TEXT_WIDTH - _GAP) / 2 if wide else TEXT_WIDTH - _GAP - width
    drawing = _map(plan, traffic, width)
    lists = [_pairs(plan, traffic.pairs, half), _trays(plan, traffic.segments, half)]
    if wide:
        shown = [drawing, space(8), _side_by_side(lists, [0.0, half + _GAP])]
    else:
        shown = [_side_by_side([[drawing], [*lists[0], space(8), *lists[1]]], [0.0, width + _GAP])]
    return [space(14), title, paragraph(text, keep=True), *shown, space(10), *_busiest(plan, point)]


def _side_by_side(columns: Sequence[Sequence[Block]], lefts: Sequence[float]) -> Block:
    """Return columns of blocks as one strip."""

    def draw(pen: Pen, x: float, top: float) -> None:
        for blocks, left in zip(columns, lefts, strict=True):
            y = top
            for block in blocks:
                block.draw(pen, x + left, y)
                y -= block.height

    return Block(max(sum(block.height for block in blocks) for blocks in columns), draw)


# -- map ----------------------------------------------------------------------------------------


def _map(plan: Plan, traffic: LinkTraffic, width: float) -> Block:
    room, segments = plan.room, traffic.segments
    step = _rounded(float(segments.total.max(initial=0)) / len(LOAD_WEIGHTS_PT))
    ends = room.node_xyz[room.segments[segments.key]][:, :, :2]
    # The busiest are drawn last, on top.
    lines = [
        Shape(f"load {_step(total, step)}", list(map(tuple, corners)), closed=False)
        for corners, total in zip(ends[::-1].tolist(), segments.total[::-1].tolist(), strict=True)
    ]
    places = room.slot_xy[plan.placement.slot_of]
    arcs = [_arc(places[pair].tolist()) for pair in traffic.pairs.key[:_DRAWN]]
    scene = plan_scene(plan, cabinets(plan)).unnamed("aisles", "obstacles").with_layers(Layer("load", lines))
    up = Window.fitting(scene.low_mm, scene.high_mm, 0, 0, width, _HEIGHT).origin[1]

    def draw(pen: Pen, x: float, top: float) -> None:
        window = Window.fitting(scene.low_mm, scene.high_mm, x, top, width, _HEIGHT)
        with pen.clipped(window.corners):
            draw_scene(pen, window, scene, upright=False)
            for arc in arcs:
                pen.line(window.points(arc), PAPER, 2.2)
                pen.line(window.points(arc), DARK, 0.8, (3, 1.5))
        names = window.points([label.at_mm for label in scene.labels() if label.kind == "slots"])
        for number, at in enumerate(_apart([window.points(arc)[_BOW_STEPS // 2] for arc in arcs], names), 1):
            pen.dot(*at, 5.2, PAPER, DARK)
            pen.text(at[0], at[1] - 2.3, str(number), 6.5, font=BOLD, align="center")
        pen.shape(window.corners, stroke=RULE, weight=0.6)
        _print_key(pen, x, top + up - 10, width, window.scale, step)

    return Block(28 - up, draw)


def _rounded(value: float) -> float:
    """Return a value of two digits that is at least this large.

    >>> _rounded(22.17), _rounded(0.5), _rounded(0)
    (23.0, 0.5, 1.0)
    """
    if value <= 0:
        return 1.0
    unit = 10.0 ** (math.floor(math.log10(value)) - 1)
    return math.ceil(value / unit - 1e-9) * unit


def _step(total: float, step: float) -> int:
    return min(max(math.ceil(total / step - 1e-9) - 1, 0), len(LOAD_WEIGHTS_PT) - 1)


def _arc(ends_mm: list[list[float]]) -> list[tuple[float, float]]:
    """Return an arc between two cabinets, so that lines along a row do not overlap."""
    (x, y), (end_x, end_y) = ends_mm
    across, up = end_x - x, end_y - y
    found = []
    for step in range(_BOW_STEPS + 1):
        t = step / _BOW_STEPS
        aside = 4 * _BOW * t * (1 - t)
        found.append((x + across * t - up * aside, y + up * t + across * aside))
    return found


def _apart(places: list[tuple[float, float]], names: list[tuple[float, float]], gap: float = 11.0) -> list[tuple[float, float]]:
    """Return places for numbers near their arcs; those that would overlap, or cover a name, move to the next free place."""
    found: list[tuple[float, float]] = []
    moves = sorted(((dx * gap, dy * gap) for dx in range(-4, 5) for dy in range(-4, 5)), key=lambda at: at[0] ** 2 + at[1] ** 2)
    for x, y in places:
        free = ((x + dx, y + dy) for dx, dy in moves)
        taken = [*found, *names]
        found.append(next((at for at in free if all(max(abs(at[0] - a), abs(at[1] - b)) >= gap for a, b in taken)), (x, y)))
    return found


def _print_key(pen: Pen, x: float, y: float, width: float, scale: float, step: float) -> None:
    pen.text(x, y, f"Scale 1:{grouped(scale)}", 6.5, color=MUTED)
    pen.text(x + width, y, "load in a tray (phits per cycle)", 6.5, color=MUTED, align="right")
    right = x + width
    for number, weight in reversed(list(enumerate(LOAD_WEIGHTS_PT))):
        words = f"up to {trimmed((number + 1) * step)}"
        pen.text(right, y - 11, words, 6.5, align="right")
        right -= width_of(words, 6.5) + 16
        pen.line([(right, y - 9), (right + 13, y - 9)], color_of(STYLES[f"load {number}"].stroke), weight)
        right -= 7


# -- lists --------------------------------------------------------------------------------------


def _titled(title: str, columns: Sequence[Column], rows: Sequence[Sequence[str]], width: float) -> list[Block]:
    def draw(pen: Pen, x: float, top: float) -> None:
        pen.text(x, top - 8, title, 8, font=BOLD, color=ACCENT, width=width)

    return [Block(13, draw, keep=True), *table(columns, rows, width, 6.5)]


def _figures(load: Load, place: int) -> tuple[str, ...]:
    return (
        grouped(int(load.cables[place])),
        grouped(float(load.total[place]), 1),
        f"{load.mean[place]:.2f}",
        f"{load.peak[place]:.2f}",
    )


_LOADS = (Column("cables", "right"), Column("load", "right"), Column("mean", "right"), Column("peak", "right"))


def _pairs(plan: Plan, pairs: Load, width: float) -> list[Block]:
    names = cabinet_names(plan)
    rows = [
        (str(place + 1), f"{names[a]} – {names[b]}", *_figures(pairs, place))
        for place, (a, b) in enumerate(pairs.key[:_LISTED].tolist())
    ]
    title = f"Pairs of cabinets: the first {len(rows)} of {grouped(len(pairs.key))}"
    return _titled(title, (Column("", "right"), Column("cabinets"), *_LOADS), rows, width)


def _trays(plan: Plan, segments: Load, width: float) -> list[Block]:
    """Return the busiest segment of each of the busiest trays."""
    tray = plan.room.segment_tray[segments.key]
    _, first = np.unique(tray, return_index=True)
    rows = [
        (plan.room.tray_names[tray[place]], str(int(segments.key[place]) + 1), *_figures(segments, place))
        for place in sorted(first.tolist())[:_LISTED]
    ]
    title = f"Trays: the busiest segments of {len(rows)} of {grouped(len(first))}"
    return _titled(title, (Column("tray"), Column("segment", "right"), *_LOADS), rows, width)


def _busiest(plan: Plan, point: int) -> list[Block]:
    cables, names = plan.cables, cabinet_names(plan)
    rows = []
    first = plan.inventory.links(plan.network).start
    for number, direction, load in plan.simulation.busiest(point, _CABLES):
        link = first + number
        labels, ends = (cables.label_a[link], cables.label_b[link]), cables.cabinet[link]
        here, there = (1, 0) if direction else (0, 1)
        rows.append(
            (
                f"{load:.3f}", grouped(link + 1), str(labels[here]), f"{names[ends[here]]} to {names[ends[there]]}",
                cables.assemblies[cables.assembly[link]].id, amount(int(cables.stock_mm[link]), "mm"),
            )
        )  # fmt: skip
    columns = (
        Column("phits per cycle", "right"), Column("cable", "right"), Column("label at the sending end"), Column("cabinets"),
        Column("part"), Column(with_unit("stock", "mm"), "right"),
    )  # fmt: skip
    return _titled(f"Cables: the {len(rows)} busiest directions", columns, rows, TEXT_WIDTH)
