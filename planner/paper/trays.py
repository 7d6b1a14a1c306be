"""Trays on the floor: their fill, and the route of the path with the maximum delay."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from planner.core.units import amount, named, system
from planner.core.units import heading as with_unit
from planner.domain.model import Plan, Room
from planner.domain.quantities import tray_fill
from planner.hall.scene import Layer, Scene
from planner.hall.scene.palette import STYLES, Entry, legend
from planner.hall.scene.plan import fill_layer, segments
from planner.hall.scene.room import tray_names
from planner.hall.scene.trays import aside
from planner.paper.blocks import Block, heading, paragraph, sheets, space
from planner.paper.canvas import Pen
from planner.paper.drawing import Drawing
from planner.paper.floorplan import Window, draw_scene, draw_stops
from planner.paper.sheet import TEXT_WIDTH, Mark, Sheet
from planner.paper.table import Column, printed, table
from planner.view.cabinets import Cabinet
from planner.view.figures import grouped, readable
from planner.view.floor import plan_scene
from planner.view.names import device_names, network_key, network_title
from planner.view.tables import TABLES


def fill_drawing(plan: Plan, cabinets: Sequence[Cabinet]) -> Drawing:
    """Return the floor with the fill of its trays."""
    room, scene = plan.room, _plain(plan, cabinets)
    scene = scene.with_layers(scene.layer("trays"), fill_layer(plan), tray_names(room), without=("trays",))
    limits = f"design fill {100 * room.design_fill:.0f} % of the cross-section, maximum {100 * room.max_fill:.0f} %"
    note = f"{limits}; figures: fullest segment of each tray, % of design fill"
    if aside(room).any():
        note += f"; drawn with an offset: {'trays under the floor' if (room.node_xyz[:, 2] < 0).any() else 'fiber-only trays'}"
    return Drawing("Tray fill", "trays", lambda pen, window: draw_scene(pen, window, scene, upright=False), legend(scene), note)


def worst_drawing(plan: Plan, cabinets: Sequence[Cabinet]) -> Drawing:
    """Return the floor with the path of the maximum delay between two routers."""
    room, cables, (path, links) = plan.room, plan.cables, worst_devices(plan)
    slots, route = worst_route(plan)
    scene = _plain(plan, cabinets).with_layers(route, tray_names(room), without=("trays",))

    def draw(pen: Pen, window: Window) -> None:
        draw_scene(pen, window, scene, upright=False, stops=room.slot_xy[slots].tolist())
        draw_stops(pen, window, room, slots)

    path_names = ", ".join(device_names(plan)[router] for router in path)
    length = named(sum(cables.run_mm[links].tolist()), "mm", gap=" ")
    note = f"{readable('delay_worst_ps', plan)} over {len(links)} hops: {path_names}; cables {length}"
    stops = Entry(STYLES["stop"].words, STYLES["stop"])
    title = network_title(plan, "Maximum delay between two routers")
    return Drawing(title, network_key(plan, "worst-path"), draw, [*legend(scene), stops], note)


def worst_devices(plan: Plan) -> tuple[list[int], list[int]]:
    """Return the routers on the path of the maximum delay, as devices, and its cables."""
    inventory, latency = plan.inventory, plan.latency
    first, link = inventory.routers(plan.network).start, inventory.links(plan.network).start
    return (latency.worst_path.astype(int) + first).tolist(), (latency.worst_links.astype(int) + link).tolist()


def worst_route(plan: Plan) -> tuple[list[int], Layer]:
    """Return the slots of the routers on the path of the maximum delay, and the trays of its cables."""
    path, links = worst_devices(plan)
    slots = plan.placement.slot[path].tolist()
    numbers = np.unique(np.concatenate([plan.cables.route_of(link) for link in links])).tolist()
    return slots, Layer("delay route", list(segments(plan.room, dict.fromkeys(numbers, "delay route")).values()))


def _plain(plan: Plan, cabinets: Sequence[Cabinet]) -> Scene:
    return plan_scene(plan, cabinets).unnamed("aisles", "obstacles")


def tray_sheets(plan: Plan) -> list[Sheet]:
    """Return the tables of all trays and segments."""
    if plan.room is None or plan.cables is None or not len(plan.room.segments):
        return []
    room = plan.room
    share = 100 * tray_fill(plan)
    text = "Fill is the cables' share of the tray's cross-section, from their outer diameters. The mean is weighted by length."
    if room.existing.tray_um2:
        text += " Cables of others are included."
    blocks: list[Block] = [heading("Trays", Mark("tray-table", "Trays")), paragraph(text, keep=True)]
    detour = readable("tray_detour_percent", plan)
    if plan.quantities.get("tray_detour_percent", {}).get("value"):
        blocks.append(paragraph(f"Fill limits make the routes {detour} longer in total than the shortest ones."))
    if plan.cables.bottleneck is not None:
        blocks.append(paragraph(_why(plan), keep=True))
    blocks += [*_trays(room, share), space(12)]
    words = (
        f"From and to are room coordinates in {'feet' if system().feet else 'meters'}, as on the edges of the floor plan. "
        "Segments without cables are left out; segments without a share have no limit."
    )
    title = heading("Tray segments", Mark("tray-segments", "Tray segments", 1), 11)
    return sheets("Trays", [*blocks, title, paragraph(words, 7.5, keep=True), *_segments(plan)])


def _trays(room: Room, share: np.ndarray) -> list[Block]:
    columns = (
        Column("tray"), Column("kind"), Column("segments", "right"), Column(with_unit("length", "mm"), "right"),
        Column(with_unit("cross-section", "mm²"), "right"), Column("fullest segment (%)", "right"),
        Column("mean fill (%)", "right"), Column("of design fill (%)", "right"),
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
        rows.append((name, kind, grouped(len(own)), amount(int(length.sum()), "mm"), amount(area, "mm²") if area else "", *cells))
    return table(columns, rows, TEXT_WIDTH, 7.5)


def _segments(plan: Plan) -> list[Block]:
    segments = TABLES["trays"].data(plan)
    cables = segments.through()
    order = [n for n in np.lexsort((-segments.percent, plan.room.segment_tray)).tolist() if cables[n] or segments.percent[n]]
    return table(*printed(TABLES["trays"], segments, order), TEXT_WIDTH, 7)


def _why(plan: Plan) -> str:
    """Return why the trays cannot keep their design fill, as a sentence."""
    room, why = plan.room, plan.cables.bottleneck
    names = dict.fromkeys(room.tray_names[room.segment_tray[segment]] for segment in why.segments)
    trays = ", ".join(list(names)[:8]) + (" and others" if len(names) > 8 else "")
    if why.is_cut:
        capacity, needed = (named(area, "µm²") for area in (why.room, why.needed))
        return (
            f"No routing of the cables keeps the design fill: cables of {needed} must cross {len(why.segments)} "
            f"segments of {trays}, whose capacity at design fill is {capacity}."
        )
    return f"No routing of the cables keeps the design fill (proven): the capacity of {trays} together is too small."
