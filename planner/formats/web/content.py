"""Data of the page as plain values: names as text, arrays packed."""

from __future__ import annotations

from typing import Any

import numpy as np

from planner.core.units import system, unit
from planner.domain.model import FEEDS, MEDIA, PANEL_KINDS, SIDES, TASK_KINDS, Plan
from planner.domain.quantities import tray_fill
from planner.formats.web.columns import packed, with_columns
from planner.hall.scene.json import content as scene_content
from planner.hall.scene.json import face as face_content
from planner.hall.scene.json import style
from planner.hall.scene.palette import ASIDE_PT, FILL_STEPS, STYLES
from planner.hall.scene.plan import fill_layer
from planner.hall.scene.section import Cut, cuts, section
from planner.hall.scene.trays import aside
from planner.view.cabinets import OTHERS, Box, Pdu, cabinets
from planner.view.floor import plan_scene, use
from planner.view.names import device_names, is_named
from planner.view.shades import shades
from planner.view.tables import tables_of

BOXES = ("router", "endpoint", "cable manager", "PDU", OTHERS)
"""Kinds of devices, by their number on the page."""

_UNITS = ("mm", "mm²", "mW", "g")
"""Kinds of quantities for which the page writes numbers by itself."""

_FILL_LIMITS = [limit if np.isfinite(limit) else 1e9 for limit, *_ in FILL_STEPS[:-1]]
"""Share of the design fill up to which each step reaches, but for the last, which is for trays above the maximum fill."""


def content(plan: Plan, *, single: bool = True) -> dict[str, Any]:
    """Return the data for the page's script; records that the plan lacks are null.

    Parameters
    ----------
    single
        Whether single devices, cables, bundles and tasks are included.
    """
    placed = plan.placement is not None and plan.room is not None and plan.catalog is not None
    cabled = placed and plan.cables is not None
    return {
        "name": plan.name,
        "title": plan.title or plan.name,
        "units": {kind: (own.size, own.decimals, own.name) for kind, own in ((kind, unit(kind)) for kind in _UNITS)},
        "feet": system().feet,
        "room": None if plan.room is None else _room(plan),
        "scene": None if plan.room is None else _scene(plan, placed),
        "sections": _sections(plan) if placed else {},
        "cabinets": _cabinets(plan, single) if placed else None,
        "devices": _devices(plan) if single and placed and plan.inventory is not None else None,
        **(_named(plan) if is_named(plan) and placed and plan.inventory is not None else {}),
        "cables": _cables(plan) if single and cabled else None,
        "bundles": _bundles(plan) if single and cabled else None,
        "trays": _trays(plan) if cabled else None,
        "bill": None if plan.bill is None else _bill(plan),
        "latency": _latency(plan) if single and cabled and plan.latency is not None else None,
        "simulation": _simulation(plan) if cabled and plan.simulation is not None else None,
        "work": _work(plan) if single and cabled and plan.work is not None else None,
        "panels": _panels(plan) if single and cabled and "panels" in tables_of(plan) else None,
        "trunks": _trunks(plan) if single and cabled and "panels" in tables_of(plan) else None,
        "existing": _declared(plan, "existing", {}, objects=False) if "existing" in tables_of(plan) else None,
        "violations": None if plan.violations is None else _violations(plan),
    }


def _room(plan: Plan) -> dict[str, Any]:
    room = plan.room
    fill = tray_fill(plan) if plan.cables is not None else np.zeros(len(room.segments))
    return {
        "title": room.title,
        "slot_names": list(room.slot_names),
        "slot_xy": packed(room.slot_xy),
        "slot_size": packed(room.slot_size),
        "slot_row": packed(room.slot_row),
        "slot_node": packed(room.slot_node),
        "row_names": list(room.row_names),
        "node_xyz": packed(room.node_xyz),
        "segments": packed(room.segments),
        "segment_mm": packed(room.segment_mm),
        "segment_mm2": packed(room.segment_mm2),
        "segment_tray": packed(room.segment_tray),
        "segment_carries": packed(room.segment_carries),
        "segment_aside": packed(aside(room)),
        "segment_fill": packed(fill),
        "tray_names": list(room.tray_names),
        "tray_kinds": list(room.tray_kinds),
        "design_fill": room.design_fill,
        "max_fill": room.max_fill,
    }


def _scene(plan: Plan, placed: bool) -> dict[str, Any]:
    """Return the floor with the colors of each cabinet, by its number."""
    found = sorted(cabinets(plan), key=lambda cabinet: cabinet.number) if placed else []
    scene = plan_scene(plan, found).with_layers(fill_layer(plan))
    made_shades = {
        name: vars(shade) | {"share": packed(shade.share), "marks": list(shade.marks)}
        for name, shade in (shades(plan) if placed else {}).items()
    }
    uses = [use(cabinet, named=is_named(plan)) for cabinet in found]
    styles = {kind: style(STYLES[kind]) for kind in dict.fromkeys(uses)}
    made = scene_content(scene, packed)
    return made | {
        "styles": made["styles"] | styles,
        "use": uses,
        "shades": made_shades,
        "aside_pt": ASIDE_PT,
        "fill_steps": _FILL_LIMITS,
    }


def _sections(plan: Plan) -> dict[str, Any]:
    """Return the vertical sections by their titles, each with its axis and the places across it."""
    room = plan.room
    names = {int(slot): room.slot_names[slot] for slot in plan.placement.slot_of}
    made: dict[Cut, dict[str, Any]] = {}
    for cut in cuts(room).values():
        # Rows in line with each other, such as those of several halls, have one section.
        if cut not in made:
            drawn = scene_content(section(room, cut, names, plan.catalog.cabinet.height_mm), packed, named=True)
            limits = [None if np.isinf(limit) else limit for limit in (cut.low_mm, cut.high_mm)]
            made[cut] = drawn | {"along": cut.along, "between": limits}
    return {title: made[cut] for title, cut in cuts(room).items()}


def _cabinets(plan: Plan, single: bool) -> dict[str, Any]:
    found = sorted(cabinets(plan), key=lambda cabinet: cabinet.number)
    arrays = {
        "names": [cabinet.name for cabinet in found],
        "slot": packed([cabinet.slot for cabinet in found]),
        "units": plan.catalog.cabinet.units,
        "height_mm": plan.catalog.cabinet.height_mm,
        "pdus": [[[[*_pdu(pdu)] for pdu in feed] for feed in cabinet.pdus] for cabinet in found],
        "feeds": list(FEEDS),
        "part": plan.catalog.cabinet.id,
        "mass_g": packed([cabinet.mass_g for cabinet in found]),
        "others_mw": packed([cabinet.others_mw for cabinet in found]),
        "others_g": packed([cabinet.others_g for cabinet in found]),
        "load_limit_g": packed([cabinet.load_limit_g for cabinet in found]),
        "floor_limit_g": packed([cabinet.floor_limit_g for cabinet in found]),
        "box_kinds": list(BOXES),
        "boxes": [
            [_box(box) for box in (*cabinet.boxes, *cabinet.fixtures, *cabinet.others)] if single else [] for cabinet in found
        ],
    }
    return with_columns(tables_of(plan)["cabinets"], found, arrays)


def _box(box: Box) -> list[Any]:
    return [BOXES.index(box.kind), box.name, box.unit, box.units, box.plugs, box.device]


def _pdu(pdu: Pdu) -> tuple[str, int, int, int]:
    """Return name, load, load after the other feed fails, and rating."""
    return pdu.name, pdu.normal_mw, pdu.alone_mw, pdu.limit_mw


def _devices(plan: Plan) -> dict[str, Any]:
    inventory, placement = plan.inventory, plan.placement
    routers = inventory.router_count
    arrays = {
        "names": device_names(plan),
        "routers": routers,
        "cabinet": packed(placement.cabinet),
        "unit": packed(placement.unit),
        "part": packed(inventory.part),
        "part_names": [part.id for part in inventory.parts],
        "part_ports": [part.ports for part in inventory.parts],
        "part_side": [part.port_side for part in inventory.parts],
        "part_faces": [{side: face_content(part.face(side)) for side in ("front", "rear")} for part in inventory.parts],
        "role": packed(inventory.role),
        "role_names": list(inventory.role_names),
        "endpoint_ends": packed(inventory.ends[inventory.is_endpoint]),
        "group": packed(inventory.group[:routers]),
        "group_names": list(inventory.group_names),
        "coords": packed(inventory.coords[:routers]),
        "coord_names": list(inventory.coord_names),
    }
    return _declared(plan, "routers", arrays)


_OF_CABLES = (
    "device", "port", "cabinet", "piece", "egress", "rise_mm", "drop_mm", "leg_stock_mm", "route", "route_indptr",
    "route_segments", "bundle",
)  # fmt: skip


def _named(plan: Plan) -> dict[str, Any]:
    """Return all devices and networks of a plan whose networks have names, and the names of the ports of each part."""
    return {
        "all_devices": _declared(plan, "devices", {"cabinet": packed(plan.placement.cabinet)}),
        "networks": _declared(plan, "networks", {}, objects=False),
        "part_port_names": [list(part.port_names) for part in plan.inventory.parts],
    }


def _declared(plan: Plan, name: str, arrays: dict[str, Any], *, objects: bool = True) -> dict[str, Any]:
    table = tables_of(plan)[name]
    return with_columns(table, table.data(plan), arrays, objects=objects)


def _cables(plan: Plan) -> dict[str, Any]:
    arrays: dict[str, Any] = {name: packed(getattr(plan.cables, name)) for name in _OF_CABLES}
    spans = [plan.inventory.links(network) for network in range(len(plan.inventory.network_names))]
    arrays |= {"link_spans": [[span.start, span.stop] for span in spans]}
    arrays |= {"sides": list(SIDES), "media": list(MEDIA)}
    return _declared(plan, "cables", arrays)


def _bundles(plan: Plan) -> dict[str, Any]:
    return _declared(plan, "bundles", {"cabinet": packed(plan.cables.bundle_cabinet)})


def _trays(plan: Plan) -> dict[str, Any]:
    return _declared(plan, "trays", {"segment_tray": packed(plan.room.segment_tray)})


def _bill(plan: Plan) -> dict[str, Any]:
    bill = plan.bill
    totals = {"unit": bill.currency, "categories": [[category, bill.cents(category)] for category in bill.categories]}
    # The last row is the total.
    bill_table = tables_of(plan)["bill"]
    return totals | with_columns(bill_table, bill_table.data(plan)[:-1], {}, objects=False)


def _latency(plan: Plan) -> dict[str, Any]:
    latency = plan.latency
    return {
        "router_ps": packed(
            np.concatenate([plan.inventory.of_routers("delay_ps", n) for n in range(len(plan.inventory.network_names))])
        ),
        "worst_ps": latency.worst_ps,
        "worst_path": latency.worst_path.tolist(),
        "worst_links": latency.worst_links.tolist(),
        "sampled": latency.sampled,
    }


def _simulation(plan: Plan) -> dict[str, Any]:
    """Return delays in nanoseconds, not finite where no packet arrived; link loads in ten-thousandths of a phit per cycle."""
    result, one = plan.simulation, plan.of_section("simulation")
    links = one.inventory.links()
    cycle_ns = result.cycle_ps / 1000
    return {
        "routing": result.routing,
        "traffic": result.traffic,
        # The cables with a load.
        "links": [links.start, links.stop],
        "offered": packed(result.offered),
        "accepted": packed(result.accepted),
        "saturated": packed(result.saturated),
        "delay_mean_ns": packed(result.delay_mean * cycle_ns),
        "delay_p99_ns": packed(result.delay_p99 * cycle_ns),
        "link_load": packed(np.rint(np.nan_to_num(result.link_load.astype(np.float64)) * 10_000).astype(np.int64)),
    }


def _work(plan: Plan) -> dict[str, Any]:
    """Return the tasks in the order of work; stages are numbered in the order in which they begin."""
    work = plan.work
    stages = list(dict.fromkeys(work.stage.tolist()))
    names = ("task", "crew", "bundle", "cabinet", "frame", "pieces", "run_mm", "start_s", "end_s")
    return {
        **{name: packed(getattr(work, name)) for name in names},
        "stage": packed([stages.index(stage) for stage in work.stage.tolist()]),
        "stage_names": [work.stage_names[stage] for stage in stages],
        "kind": [TASK_KINDS[kind] for kind in work.kind.tolist()],
        "jumper_tasks": packed(_jumper_tasks(plan)),
        "crews": work.crews,
        "workers": work.workers,
        "shift_s": work.shift_s,
    }


def _jumper_tasks(plan: Plan) -> np.ndarray:
    """Return the tasks that install the jumpers at both ends of each cable, (W, 2); -1 without; empty without panels."""
    panels = plan.panels
    if panels is None or not len(panels.row):
        return np.zeros(0, np.int64)
    found = np.full((plan.cables.cable_count, 2), -1)
    found[panels.row] = plan.work.jumper_task[panels.jumper]
    return found


def _panels(plan: Plan) -> dict[str, Any]:
    """Return the panels, and the table of their ports."""
    panels, ports = plan.panels, tables_of(plan)["panels"].data(plan)
    own = {
        "names": panels.names.tolist(),
        "parts": [panels.parts[part] for part in panels.part.tolist()],
        "kinds": [PANEL_KINDS[kind] for kind in panels.kind.tolist()],
        "frame_names": panels.frame_names.tolist(),
        "frame": packed(panels.frame),
        "frame_cabinet": packed(panels.frame_cabinet),
        "unit": packed(panels.unit),
        "panel": packed(ports.panel),
        "cable": packed(ports.cable),
    }
    return _declared(plan, "panels", own, objects=False)


def _trunks(plan: Plan) -> dict[str, Any]:
    return _declared(plan, "trunks", {"bundle": packed(plan.panels.trunk_bundle)}, objects=False)


def _violations(plan: Plan) -> dict[str, Any]:
    checked = {"checked": len(plan.violations.checked)}
    return _declared(plan, "violations", checked, objects=False)
