"""Data of the page as plain values: names as text, columns as packed arrays."""

from __future__ import annotations

from typing import Any

import numpy as np

from planner.model import MEDIA, SIDES, Plan
from planner.quantities import tray_fill
from planner.report._cabinets import Box, cabinets
from planner.report._floor import SHARES, TITLES, plan_scene, use
from planner.report._schedule import device_names
from planner.report._web.columns import packed
from planner.scene.json import content as scene_content
from planner.scene.json import style
from planner.scene.palette import ASIDE_PT, STYLES
from planner.scene.plan import fill_layer
from planner.scene.trays import aside

BOXES = ("router", "endpoint", "cable manager", "PDU")
"""Kinds of devices, by their number on the page."""


def content(plan: Plan) -> dict[str, Any]:
    """Return the data for the page's script; records that the plan lacks are null."""
    placed = plan.placement is not None and plan.room is not None and plan.catalog is not None
    cabled = placed and plan.cables is not None
    return {
        "name": plan.name,
        "title": plan.title or plan.name,
        "room": None if plan.room is None else _room(plan),
        "scene": None if plan.room is None else _scene(plan, placed),
        "cabinets": _cabinets(plan) if placed else None,
        "devices": _devices(plan) if placed and plan.topology is not None else None,
        "cables": _cables(plan) if cabled else None,
        "bundles": _bundles(plan) if cabled else None,
        "bill": None if plan.bill is None else _bill(plan),
        "latency": _latency(plan) if cabled and plan.latency is not None else None,
        "simulation": _simulation(plan) if cabled and plan.simulation is not None else None,
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
    shares = {name: packed([share(plan.room, cabinet) for cabinet in found]) for name, share in SHARES.items()}
    if not any(plan.room.cooling_mw):
        del shares["heat"]
    uses = [use(cabinet) for cabinet in found]
    styles = {kind: style(STYLES[kind]) for kind in dict.fromkeys(uses)}
    made = scene_content(scene, packed)
    return made | {"styles": made["styles"] | styles, "use": uses, "shares": shares, "titles": TITLES, "aside_pt": ASIDE_PT}


def _cabinets(plan: Plan) -> dict[str, Any]:
    found = sorted(cabinets(plan), key=lambda cabinet: cabinet.number)
    return {
        "names": [cabinet.name for cabinet in found],
        "rows": [cabinet.row for cabinet in found],
        "slot": packed([cabinet.slot for cabinet in found]),
        "units": plan.catalog.cabinet.units,
        "part": plan.catalog.cabinet.id,
        "routers": packed([cabinet.count("router") for cabinet in found]),
        "endpoints": packed([cabinet.count("endpoint") for cabinet in found]),
        "used_units": packed([cabinet.used_units for cabinet in found]),
        "power_typical_mw": packed([cabinet.power_typical_mw for cabinet in found]),
        "power_max_mw": packed([cabinet.power_max_mw for cabinet in found]),
        "power_limit_mw": packed([cabinet.power_limit_mw for cabinet in found]),
        "mass_g": packed([cabinet.mass_g for cabinet in found]),
        "load_limit_g": packed([cabinet.load_limit_g for cabinet in found]),
        "total_g": packed([cabinet.total_g for cabinet in found]),
        "floor_limit_g": packed([cabinet.floor_limit_g for cabinet in found]),
        "box_kinds": list(BOXES),
        "boxes": [[_box(box) for box in (*cabinet.boxes, *cabinet.fixtures)] for cabinet in found],
    }


def _box(box: Box) -> list[Any]:
    return [BOXES.index(box.kind), box.name, box.unit, box.units, box.plugs]


def _devices(plan: Plan) -> dict[str, Any]:
    topology, placement = plan.topology, plan.placement
    return {
        "names": device_names(plan),
        "routers": topology.router_count,
        "cabinet": packed(np.concatenate([placement.cabinet_of, placement.endpoint_cabinet])),
        "unit": packed(np.concatenate([placement.unit_of, placement.endpoint_unit])),
        "endpoint_router": packed(topology.endpoint_router),
        "router_part": plan.catalog.router.id,
        "endpoint_part": plan.catalog.endpoint.id if plan.catalog.endpoint is not None else "",
        "router_ports": plan.catalog.router.ports,
        "group": packed(topology.group),
        "group_names": list(topology.group_names),
        "coords": packed(topology.coords),
        "coord_names": list(topology.coord_names),
    }


def _cables(plan: Plan) -> dict[str, Any]:
    cables, topology = plan.cables, plan.topology
    classes = [*topology.link_class_names, "endpoint"]
    kind = np.concatenate([topology.link_class, np.full(cables.cable_count - topology.link_count, len(classes) - 1)])
    fec_ps = np.zeros(len(cables.assemblies), np.int64) if plan.latency is None else plan.latency.fec_ps
    delay_ps = cables.delay_ps + (fec_ps[cables.assembly] if len(fec_ps) else 0)
    return {
        "links": topology.link_count,
        "kind": packed(kind),
        "kinds": classes,
        "device": packed(cables.device),
        "port": packed(cables.port),
        "cabinet": packed(cables.cabinet),
        "piece": packed(cables.piece),
        "egress": packed(cables.egress),
        "sides": list(SIDES),
        "rise_mm": packed(cables.rise_mm),
        "drop_mm": packed(cables.drop_mm),
        "tray_mm": packed(cables.tray_mm),
        "slack_mm": packed(cables.slack_mm.sum(axis=1)),
        "override_mm": packed(cables.override_mm),
        "run_mm": packed(cables.run_mm),
        "stock_mm": packed(cables.stock_mm),
        "leg_stock_mm": packed(cables.leg_stock_mm),
        "delay_ps": packed(delay_ps),
        "assembly": packed(cables.assembly),
        "assemblies": [
            [part.length_part, part.medium, part.end_part or "", part.end_part_b or part.end_part or ""]
            for part in cables.assemblies
        ],
        "media": list(MEDIA),
        "route": packed(cables.route),
        "route_indptr": packed(cables.route_indptr),
        "route_segments": packed(cables.route_segments),
        "bundle": packed(cables.bundle),
        "stage": packed(cables.stage),
        "stage_names": list(cables.stage_names),
        "label_a": cables.label_a.tolist(),
        "label_b": cables.label_b.tolist(),
    }


def _bundles(plan: Plan) -> dict[str, Any]:
    cables = plan.cables
    return {
        "kind": packed(cables.bundle_kind),
        "kinds": list(cables.bundle_kinds),
        "part": packed(cables.bundle_part),
        "parts": list(cables.bundle_parts),
        "cabinet": packed(cables.bundle_cabinet),
        "diameter_um": packed(cables.bundle_diameter_um),
        "run_mm": packed(cables.bundle_run_mm),
        "stock_mm": packed(cables.bundle_stock_mm),
    }


def _bill(plan: Plan) -> dict[str, Any]:
    bill = plan.bill
    return {
        "currency": bill.currency,
        "categories": [[category, bill.cents(category)] for category in bill.categories],
        "lines": [
            [line.category, line.part, line.description, line.quantity, line.unit_cents, line.cents, line.power_mw, line.mass_g]
            for line in bill.lines
        ],
    }


def _latency(plan: Plan) -> dict[str, Any]:
    latency = plan.latency
    return {
        "router_delay_ps": latency.router_delay_ps,
        "worst_ps": latency.worst_ps,
        "worst_path": latency.worst_path.tolist(),
        "worst_links": latency.worst_links.tolist(),
        "sampled": latency.sampled,
    }


def _simulation(plan: Plan) -> dict[str, Any]:
    """Return delays in nanoseconds, not finite where no packet arrived; link loads in ten-thousandths of a phit per cycle."""
    result = plan.simulation
    cycle_ns = result.cycle_ps / 1000
    return {
        "routing": result.routing,
        "traffic": result.traffic,
        "offered": packed(result.offered),
        "accepted": packed(result.accepted),
        "saturated": packed(result.saturated),
        "delay_mean_ns": packed(result.delay_mean * cycle_ns),
        "delay_p99_ns": packed(result.delay_p99 * cycle_ns),
        "link_load": packed(np.rint(np.nan_to_num(result.link_load.astype(np.float64)) * 10_000).astype(np.int64)),
    }


def _violations(plan: Plan) -> dict[str, Any]:
    items = plan.violations.items
    return {
        "checked": len(plan.violations.checked),
        "items": [[item.severity, item.rule, item.where, item.value, item.limit, item.unit, item.message] for item in items],
    }
