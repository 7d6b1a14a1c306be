"""Trays on the floor: their fill, and the route of the path with the maximum delay."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from reportlab.lib.colors import HexColor

from planner.model import Plan, Room
from planner.quantities import tray_fill
from planner.report._cabinets import Cabinet
from planner.report._figures import SPACE, grouped, meters, readable, trimmed
from planner.report._names import device_names
from planner.report._pdf.blocks import Block, heading, paragraph, sheets, space
from planner.report._pdf.canvas import ALARM, MUTED, PAPER, Pen
from planner.report._pdf.drawing import Drawing, line_swatch
from planner.report._pdf.floor_names import write_clear_of_trays
from planner.report._pdf.floorplan import Window, aside, draw_ground, draw_slots, draw_trays, tray_ends
from planner.report._pdf.fonts import BOLD, width_of
from planner.report._pdf.sheet import TEXT_WIDTH, Mark, Sheet
from planner.report._pdf.table import Column, table

_FILL_STEPS = (
    (0.25, HexColor(0xE3B94F), 1.6, "up to 25 %"),
    (0.50, HexColor(0xE09A2D), 2.6, "25 to 50 %"),
    (0.75, HexColor(0xD9742B), 3.6, "50 to 75 %"),
    (1.00, HexColor(0xB53E22), 4.8, "75 to 100 %"),
    (math.inf, HexColor(0x5E1020), 6.4, "over 100 %"),
)
"""Color and width of a segment by its share of the design fill: the width distinguishes fill without color."""


def fill_drawing(plan: Plan, cabinets: Sequence[Cabinet]) -> Drawing:
    room = plan.room
    share = tray_fill(plan) / room.design_fill
    percent = np.where(room.segment_mm2 > 0, 100 * share, 0)
    steps = [next(step for step in _FILL_STEPS if value <= step[0] + 1e-9) for value in share]
    unlimited = room.segment_mm2 == 0
    styles = [(MUTED, 1.0) if free else (step[1], step[2]) for step, free in zip(steps, unlimited, strict=True)]
    legend = [(f"{text} of design fill", line_swatch(color, width)) for _, color, width, text in _FILL_STEPS]
    if unlimited.any():
        legend.append(("no limit given", line_swatch(MUTED, 1.0)))

    def draw(pen: Pen, window: Window) -> None:
        draw_ground(pen, window, room, names=False)
        draw_slots(pen, window, room, cabinets)
        draw_trays(pen, window, room, styles)
        write_clear_of_trays(pen, window, room)
        _write_fullest(pen, window, room, percent)

    limits = f"design fill {100 * room.design_fill:.0f} % of the cross-section, maximum {100 * room.max_fill:.0f} %"
    note = f"{limits}; figures: fullest segment of each tray, % of design fill"
    if aside(room).any():
        note += f"; drawn with an offset: {'trays under the floor' if (room.node_xyz[:, 2] < 0).any() else 'fiber-only trays'}"
    return Drawing("Tray fill", "trays", draw, legend, note)


def _write_fullest(pen: Pen, window: Window, room: Room, percent: np.ndarray) -> None:
    """Write the share of the design fill next to the fullest segment of each tray."""
    moved = aside(room)
    for tray in np.unique(room.segment_tray):
        own = np.flatnonzero(room.segment_tray == tray)
        fullest = own[percent[own].argmax()]
        if percent[fullest] >= 0.5:
            x, y = np.mean(tray_ends(window, room, int(fullest), bool(moved[fullest])), axis=0)
            text = f"{percent[fullest]:.0f}"
            width = width_of(text, 6, BOLD) + 2
            above = -10.5 if moved[fullest] else 4
            pen.box(x - width / 2, y + above, width, 6.5, PAPER)
            pen.text(x, y + above + 1, text, 6, font=BOLD, align="center")


def worst_drawing(plan: Plan, cabinets: Sequence[Cabinet]) -> Drawing:
    room, cables = plan.room, plan.cables
    path = plan.latency.worst_path.tolist()
    slots = [int(plan.placement.slot_of[plan.placement.cabinet_of[router]]) for router in path]
    links = plan.latency.worst_links.tolist()
    segments = np.unique(np.concatenate([cables.route_of(link) for link in links]))
    moved = aside(room)
    legend = [
        ("tray on the route", line_swatch(ALARM, 3.0)),
        ("router, in order", lambda pen, x, y: pen.dot(x + 7, y + 3, 3.5, PAPER, ALARM)),
    ]

    def draw(pen: Pen, window: Window) -> None:
        draw_ground(pen, window, room, names=False)
        draw_slots(pen, window, room, cabinets)
        for segment in segments:
            pen.line(tray_ends(window, room, int(segment), bool(moved[segment])), ALARM, 3.0)
        for slot in dict.fromkeys(slots):
            x, y = window.point(room.slot_xy[slot])
            stops = "+".join(str(number) for number, at in enumerate(slots, 1) if at == slot)
            pen.dot(x, y, max(5.5, width_of(stops, 6, BOLD) / 2 + 1.5), PAPER, ALARM)
            pen.text(x, y - 2.2, stops, 6, font=BOLD, color=ALARM, align="center")
        write_clear_of_trays(pen, window, room)

    path_names = ", ".join(device_names(plan)[router] for router in path)
    length = f"{meters(sum(cables.run_mm[links].tolist()))} m"
    note = f"{readable('delay_worst_ps', plan)} over {len(links)} hops: {path_names}; cables {length}"
    return Drawing("Maximum delay between two routers", "worst-path", draw, legend, note)


def tray_sheets(plan: Plan) -> list[Sheet]:
    """Return the tables of all trays and segments."""
    if plan.room is None or plan.cables is None or not len(plan.room.segments):
        return []
    room = plan.room
    share = 100 * tray_fill(plan)
    cables = _cables(plan)
    text = "Fill is the cables' share of the tray's cross-section, from their outer diameters. The mean is weighted by length."
    blocks: list[Block] = [heading("Trays", Mark("tray-table", "Trays")), paragraph(text, keep=True)]
    detour = readable("tray_detour_percent", plan)
    if plan.quantities.get("tray_detour_percent", {}).get("value"):
        blocks.append(paragraph(f"Fill limits make the routes {detour} longer in total than the shortest ones."))
    if plan.cables.bottleneck is not None:
        blocks.append(paragraph(_why(plan), keep=True))
    blocks += [*_trays(room, share), space(12)]
    words = "From and to are room coordinates in meters, as on the edges of the floor plan. Segments without cables are left out."
    title = heading("Tray segments", Mark("tray-segments", "Tray segments", 1), 11)
    return sheets("Trays", [*blocks, title, paragraph(words, 7.5, keep=True), *_segments(plan, share, cables)])


def _trays(room: Room, share: np.ndarray) -> list[Block]:
    columns = (
        Column("tray"), Column("kind"), Column("segments", "right"), Column("length (m)", "right"),
        Column("cross-section (mm²)", "right"), Column("fullest segment (%)", "right"), Column("mean fill (%)", "right"),
        Column("of design fill (%)", "right"),
    )  # fmt: skip
    rows = []
    for number, (name, kind) in enumerate(zip(room.tray_names, room.tray_kinds, strict=True)):
        own = np.flatnonzero(room.segment_tray == number)
        if not len(own):
            continue
        length = room.segment_mm[own]
        mean = float((share[own] * length).sum() / max(length.sum(), 1))
        fullest = float(share[own].max())
        area = int(room.segment_mm2[own].min())
        cells = [f"{fullest:.1f}", f"{mean:.1f}", f"{fullest / room.design_fill:.1f}"] if area else ["no limit", "", ""]
        rows.append((name, kind, grouped(len(own)), meters(int(length.sum())), grouped(area) if area else "", *cells))
    return table(columns, rows, TEXT_WIDTH, 7.5)


def _cables(plan: Plan) -> np.ndarray:
    """Return the number of cables routed through each segment, int64 (K,)."""
    cables = plan.cables
    routes = len(cables.route_indptr) - 1
    own = np.bincount(cables.route[cables.route >= 0], minlength=routes)
    counts = np.repeat(own, np.diff(cables.route_indptr))
    return np.bincount(cables.route_segments, weights=counts, minlength=len(plan.room.segments)).astype(np.int64)


def _segments(plan: Plan, share: np.ndarray, cables: np.ndarray) -> list[Block]:
    room = plan.room
    columns = (
        Column("tray"), Column("from (m)", "right"), Column("to (m)", "right"), Column("height (m)", "right"),
        Column("length (m)", "right"), Column("cables", "right"), Column("filled (mm²)", "right"),
        Column("of design fill (%)", "right"),
    )  # fmt: skip
    ends = room.node_xyz[room.segments] / 1000
    order = [n for n in np.lexsort((-share, room.segment_tray)).tolist() if cables[n]]
    rows = [
        (
            room.tray_names[room.segment_tray[n]],
            *(f"{x:.2f}, {y:.2f}" for x, y in ends[n, :, :2].tolist()),
            trimmed(float(ends[n, :, 2].max()), 2),
            meters(int(room.segment_mm[n])),
            grouped(int(cables[n])),
            grouped(int(plan.cables.fill_um2[n]) / 1e6),
            f"{share[n] / room.design_fill:.1f}" if room.segment_mm2[n] else "no limit",
        )
        for n in order
    ]
    return table(columns, rows, TEXT_WIDTH, 7)


def _why(plan: Plan) -> str:
    """Return why the trays cannot keep their design fill, as a sentence."""
    room, why = plan.room, plan.cables.bottleneck
    names = dict.fromkeys(room.tray_names[room.segment_tray[segment]] for segment in why.segments)
    trays = ", ".join(list(names)[:8]) + (" and others" if len(names) > 8 else "")
    if why.is_cut:
        capacity, needed = (f"{grouped(area / 1e6)}{SPACE}mm²" for area in (why.room, why.needed))
        return (
            f"No routing of the cables keeps the design fill: cables of {needed} must cross {len(why.segments)} "
            f"segments of {trays}, whose capacity at design fill is {capacity}."
        )
    return f"No routing of the cables keeps the design fill (proven): the capacity of {trays} together is too small."
