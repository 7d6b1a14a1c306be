"""Rules of references: every number that names a row of another array names one that is there."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np

from planner.check.basis.places import error
from planner.domain.model import EGRESS, FIXTURES, MEDIA, PANEL_KINDS, POSITIONS, SIDES, TASK_KINDS, Plan, Violation

_RULE = "references_resolve"

Reference = tuple[str, int, int]
"""Field of a record, and the lowest number and the count of what it may name."""


def references_resolve(plan: Plan) -> Iterator[Violation]:
    """Every index points into what it names, and arrays of different records that run in parallel are equally long.

    All other rules rest on this one: where it fails, they are not evaluated.
    """
    yield from _unresolved(plan, _RECORDS)
    for network, records in plan.others.items():
        own = {name: references for name, references in _RECORDS.items() if name in records}
        for found in _unresolved(plan.of(network), own):
            yield replace(found, where=f"{network}: {found.where}")


def _unresolved(plan: Plan, records: dict[str, Callable[[Plan], Iterator[Reference]]]) -> Iterator[Violation]:
    """Yield the errors of some records of a plan, and those between its records."""
    for record, references in records.items():
        if getattr(plan, record) is None or not _supported(plan, record):
            continue
        for field, low, high in references(plan):
            content = np.asarray(getattr(getattr(plan, record), field))
            wrong = (content < low) | (content >= high)
            if wrong.any():
                value = content[wrong].flat[0]
                yield error(_RULE, f"{record}.{field}", value, high - 1, "", f"{int(wrong.sum())} entries name what is not there")
    for where, have, want in _lengths(plan):
        if have != want and where.partition(".")[0] in records:
            yield error(_RULE, where, have, want, "entries", "is not as long as what it goes with")
    for where, starts, end in _rows(plan):
        unsorted = starts[0] != 0 or starts[-1] != end or (np.diff(starts) < 0).any()
        if unsorted and where.partition(".")[0] in records:
            yield error(_RULE, where, starts[-1], end, "entries", "does not cut its content into rows")


def _supported(plan: Plan, record: str) -> bool:
    """Return whether the records that this one refers to are present."""
    grounds = {
        "inventory": "",
        "placement": "inventory room",
        "cables": "inventory room placement",
        "work": "cables",
        "panels": "cables",
        "room": "",
    }
    return all(getattr(plan, name) is not None for name in grounds.get(record, "topology").split())


def _topology(plan: Plan) -> Iterator[Reference]:
    topology = plan.topology
    yield "links", 0, topology.router_count
    yield "link_class", 0, len(topology.link_class_names)
    yield "role", 0, len(topology.role_names)
    yield "indices", 0, topology.router_count
    yield "link", 0, topology.link_count
    yield "endpoint_router", 0, topology.router_count


def _room(plan: Plan) -> Iterator[Reference]:
    room = plan.room
    yield "slot_row", 0, len(room.row_names)
    yield "slot_node", 0, max(len(room.node_xyz), 1)
    yield "slot_egress", 0, len(EGRESS)
    yield "segments", 0, len(room.node_xyz)
    yield "segment_tray", 0, len(room.tray_names)


def _inventory(plan: Plan) -> Iterator[Reference]:
    inventory = plan.inventory
    yield "part", 0, len(inventory.parts)
    yield "role", 0, len(inventory.role_names)
    yield "first_router", 0, inventory.device_count + 1
    yield "ends", 0, inventory.device_count
    yield "kind", 0, len(inventory.kind_names)
    yield "joint", 0, len(inventory.joints)
    yield "first_endpoint", 0, inventory.connection_count + 1
    yield "first_direct", 0, inventory.connection_count + 1
    yield "rack", -1, len(inventory.rack_unit)
    yield "rack_position", 0, len(POSITIONS)


def _placement(plan: Plan) -> Iterator[Reference]:
    placement = plan.placement
    for field in ("cabinet", "fixture_cabinet"):
        yield field, 0, placement.cabinet_count
    yield "slot_of", 0, plan.room.slot_count
    yield "fixture_kind", 0, len(FIXTURES)


def _cables(plan: Plan) -> Iterator[Reference]:
    cables = plan.cables
    routes, bundles = len(cables.route_indptr) - 1, len(cables.bundle_kind)
    yield "device", 0, plan.inventory.device_count
    yield "cabinet", 0, plan.placement.cabinet_count
    yield "piece", 0, cables.cable_count
    yield "egress", 0, len(SIDES)
    yield "assembly", 0, len(cables.assemblies)
    yield "route", -1, routes
    yield "route_segments", 0, len(plan.room.segments)
    yield "carrier_route", 0, routes
    yield "bundle", -1, bundles
    yield "bundle_kind", 0, len(cables.bundle_kinds)
    yield "bundle_part", -1, len(cables.bundle_parts)
    yield "bundle_cabinet", -1, plan.placement.cabinet_count
    yield "stage", 0, len(cables.stage_names)


def _panels(plan: Plan) -> Iterator[Reference]:
    panels, cables = plan.panels, plan.cables
    routes = len(cables.route_indptr) - 1
    yield "frame_slot", 0, plan.room.slot_count
    yield "frame_cabinet", -1, plan.placement.cabinet_count
    yield "kind", 0, len(PANEL_KINDS)
    yield "frame", 0, len(panels.frame_slot)
    yield "trunk_bundle", 0, len(cables.bundle_kind)
    yield "trunk_frame", 0, len(panels.frame_slot)
    yield "trunk_route", 0, routes
    yield "plug_trunk", 0, len(panels.trunk_names)
    yield "jumper_part", 0, len(panels.jumper_parts)
    yield "jumper_route", -1, routes
    yield "row", 0, cables.cable_count
    yield "jumper", 0, len(panels.jumper_port)
    yield "plug", -1, len(panels.plug_trunk)
    for field in ("part", "cassette_part"):
        yield field, 0, len(panels.parts)
    for field in ("cassette_panel", "plug_panel", "jumper_panel"):
        yield field, 0, panels.panel_count
    for field in ("plug_cassette", "jumper_cassette"):
        yield field, -1, len(panels.cassette_bay)


def _work(plan: Plan) -> Iterator[Reference]:
    work = plan.work
    yield "task", 0, work.task_count
    yield "stage", 0, len(work.stage_names)
    yield "bundle", -1, len(plan.cables.bundle_kind)
    yield "cabinet", -1, plan.placement.cabinet_count
    yield "kind", 0, len(TASK_KINDS)
    yield "frame", -1, 0 if plan.panels is None else len(plan.panels.frame_slot)
    yield "jumper_task", 0, work.task_count
    yield "crew", 0, work.crews


def _latency(plan: Plan) -> Iterator[Reference]:
    latency = plan.latency
    yield "worst_path", 0, plan.topology.router_count
    yield "worst_links", 0, plan.topology.link_count
    yield "cable_class", 0, len(latency.cable_class_names)
    yield "cable_medium", 0, len(MEDIA)


def _failures(plan: Plan) -> Iterator[Reference]:
    yield "kind", 0, len(plan.failures.kinds)


def _bisection(plan: Plan) -> Iterator[Reference]:
    yield "side", 0, 2


_RECORDS: dict[str, Callable[[Plan], Iterator[Reference]]] = {
    "topology": _topology, "room": _room, "inventory": _inventory, "placement": _placement, "cables": _cables, "panels": _panels,
    "work": _work, "latency": _latency, "failures": _failures, "bisection": _bisection,
}  # fmt: skip
"""Indices of each record into others."""


def _lengths(plan: Plan) -> Iterator[tuple[str, int, int]]:
    """Yield name, length and required length of arrays parallel to those of other records."""
    topology, inventory, placement, cables = plan.topology, plan.inventory, plan.placement, plan.cables
    if topology is None:
        return
    ends = 2 * topology.link_count
    yield "topology.indices", len(topology.indices), ends
    if plan.bisection is not None:
        yield "bisection.side", len(plan.bisection.side), topology.router_count
        yield "bisection.plane", len(plan.bisection.plane), topology.router_count
    if plan.simulation is not None:
        yield "simulation.link_load", plan.simulation.link_load.shape[1], ends
    if inventory is None:
        return
    yield "inventory.per_box", len(inventory.per_box), len(inventory.parts)
    yield "inventory.network_names", len(inventory.network_names), len(inventory.first_endpoint)
    if placement is None:
        return
    yield "placement.cabinet", len(placement.cabinet), inventory.device_count
    if cables is None:
        return
    yield "cables.device", cables.cable_count, inventory.connection_count
    yield "cables.fill_um2", len(cables.fill_um2), len(plan.room.segments)


def _rows(plan: Plan) -> Iterator[tuple[str, np.ndarray, int]]:
    """Return the arrays of the starts of rows in another array."""
    topology, inventory, cables = plan.topology, plan.inventory, plan.cables
    if topology is not None:
        yield "topology.indptr", topology.indptr, len(topology.indices)
    if inventory is not None:
        yield "inventory.first_router", inventory.first_router, inventory.router_count
        yield "inventory.first_link", inventory.first_link, inventory.connection_count
    if cables is not None:
        yield "cables.route_indptr", cables.route_indptr, len(cables.route_segments)
