"""Rules of nodes with several ports in a network: no failure that the study names cuts all of them."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import numpy as np

from planner.check.basis.boxes import boxes
from planner.check.basis.domains import supplies
from planner.check.basis.graph import components
from planner.check.basis.places import connection_name, device_name, error, unequal
from planner.check.basis.rule import rule
from planner.check.basis.tables import attached, has_tables
from planner.domain.model import Plan, Violation


@rule(14)
def cables_apart_as_stated(plan: Plan) -> Iterator[Violation]:
    """Cables to keep off each other's trays are those of one device in an attachment that the study spreads over trays."""
    if not has_tables(plan):
        return
    inventory = plan.inventory
    wanted = np.full(inventory.connection_count, -1)
    sets = {(number, place, device): rows for number, _, place, device, rows in _of_devices(plan, "trays")}
    for count, key in enumerate(sorted(sets)):
        wanted[sets[key]] = count
    where = "belongs to another set of cables to keep apart"
    yield from unequal("cables_apart_as_stated", inventory.apart, wanted, lambda row: connection_name(plan, row), where)


@rule(43)
def ports_spread_as_stated(plan: Plan) -> Iterator[Violation]:
    """Where the study spreads the ports of a node, no router, no cabinet and no power feed serves all of them."""
    for what, serves in _SERVES.items():
        spread = list(_spread(plan, what))
        number = serves(plan) if spread else np.zeros(0, np.int64)
        for label, device, rows in spread:
            one = np.unique(number[plan.inventory.ends[rows, 0]])
            if len(one) == 1 and one[0] >= 0:
                message = f"all ports of {label} depend on one of the {what}"
                yield error("ports_spread_as_stated", device_name(plan, device), 1, 2, what, message)


@rule(345)
def cables_spread_over_trays(plan: Plan) -> Iterator[Violation]:
    """Where the study spreads the cables of a node over trays, they share no segment that another route avoids. A warning."""
    cables, room = plan.cables, plan.room
    medium = np.array([made_of.medium == "optical" for made_of in cables.assemblies], np.int64)[cables.assembly]
    nodes = room.slot_node[plan.placement.slot_of[cables.cabinet], medium[:, None]]

    @cache
    def parts_without(segment: int, medium: int) -> np.ndarray:
        allowed = np.flatnonzero(room.segment_carries >> medium & 1)
        return components(room.segments[allowed[allowed != segment]], len(room.node_xyz))

    def is_avoidable(segment: int, rows: np.ndarray) -> bool:
        return any(len(set(parts_without(segment, int(medium[row]))[nodes[row]].tolist())) == 1 for row in rows.tolist())

    for label, device, rows in _spread(plan, "trays"):
        common = set.intersection(*(set(cables.route_of(row).tolist()) for row in rows.tolist()))
        avoidable = sum(is_avoidable(segment, rows) for segment in common)
        if avoidable:
            message = f"all cables of {label} share tray segments that another route avoids"
            where = device_name(plan, device)
            yield Violation("cables_spread_over_trays", where, float(avoidable), 0.0, "segments", "warning", message)


def spreads(plan: Plan, what: str) -> bool:
    """Return whether the study spreads the ports of any device in this respect."""
    return has_tables(plan) and any(what in each.get("spread", ()) for one in plan.study["network"] for each in one["attach"])


def _spread(plan: Plan, what: str) -> Iterator[tuple[str, int, np.ndarray]]:
    """Yield kind, device and connections of each device with several ports that the study spreads in this respect."""
    if has_tables(plan):
        yield from ((label, device, rows) for _, label, _, device, rows in _of_devices(plan, what) if len(rows) > 1)


def _of_devices(plan: Plan, what: str) -> Iterator[tuple[int, str, int, int, np.ndarray]]:
    """Yield network, kind, attachment, device and connections of each device whose ports are spread in this respect."""
    inventory = plan.inventory
    for number in range(len(plan.network_names)):
        entries = plan.study["network"][number]["attach"]
        rows = np.arange(inventory.connection_count)[inventory.endpoints(number)]
        for each in attached(plan, number):
            if what in entries[each.place].get("spread", ()):
                label = inventory.kind[rows] == inventory.kind_names.index(each.label)
                own = rows[label & (inventory.port_group[rows, 1] == each.group)]
                for device in each.devices.tolist():
                    yield number, each.label, each.place, device, own[inventory.ends[own, 1] == device]


def _only_feed(plan: Plan) -> np.ndarray:
    """Return the feed that alone supplies each device, -1 where it has both or none, int64 (D,)."""
    plugs = supplies(plan)[boxes(plan).of_device]
    fed = plugs >= 0
    return np.where(fed.sum(axis=1) == 1, fed.argmax(axis=1), -1)


_SERVES = {
    "routers": lambda plan: np.arange(plan.inventory.device_count),
    "cabinets": lambda plan: plan.placement.cabinet,
    "feeds": _only_feed,
}
"""Number of what each device depends on, by what a study spreads; -1 for none."""
