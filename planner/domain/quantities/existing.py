"""What is in the room already, and the reserve for growth: its size and its price."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from planner.domain.model import Plan
from planner.domain.quantities._quantity import Quantity


class _Role(NamedTuple):
    """Ports of the routers of one role of one network, and the price of these routers."""

    ports: int
    cents: int


def _roles(plan: Plan) -> list[_Role]:
    inventory = plan.inventory
    found = []
    for network in range(len(inventory.network_names)):
        role = inventory.role[inventory.routers(network)]
        ports, cents = (inventory.of_routers(name, network) for name in ("ports", "price_cents"))
        found += [_Role(int(ports[role == each].sum()), int(cents[role == each].sum())) for each in np.unique(role)]
    return found


def _reserved_ports(plan: Plan) -> int | None:
    keep = plan.room.existing.keep_free
    return sum(keep.of("ports", role.ports) for role in _roles(plan)) if keep.ports else None


def _reserved_slots(plan: Plan) -> int | None:
    keep = plan.room.existing.keep_free
    return keep.of("slots", plan.room.slot_count) if keep.slots else None


def _reserved_units(plan: Plan) -> int | None:
    keep = plan.room.existing.keep_free
    return plan.placement.cabinet_count * keep.of("units", plan.catalog.cabinet.units) if keep.units else None


def _reserved_tray(plan: Plan) -> int | None:
    """Return the reserved cross-section times length, in mm² m."""
    room = plan.room
    share = room.existing.keep_free.trays * room.design_fill
    return round(share * float((room.segment_mm2 * room.segment_mm.astype(np.int64)).sum()) / 1000) if share else None


def _reserve_cents(plan: Plan) -> int | None:
    keep, cabinet = plan.room.existing.keep_free, plan.catalog.cabinet
    if not (keep.units or keep.ports or keep.trays):
        return None
    units = (_reserved_units(plan) or 0) * cabinet.price_cents / cabinet.units
    ports = sum(keep.of("ports", role.ports) * role.cents / role.ports for role in _roles(plan)) if keep.ports else 0
    return round(units + ports + keep.trays * plan.bill.cents("trays"))


ORDER = 145

QUANTITIES = (
    Quantity("taken_slots", "", "", "slots with cabinets of others", "room", lambda p: len(p.room.existing.taken) or None),
    Quantity("reserved_slots", "", "", "slots that the reserve for growth keeps free", "room", _reserved_slots),
    Quantity(
        "reserved_units",
        "",
        "",
        "rack units that the reserve keeps free in all cabinets",
        "room placement catalog",
        _reserved_units,
    ),
    Quantity("reserved_ports", "", "", "ports that the reserve keeps free on all routers", "room inventory", _reserved_ports),
    Quantity(
        "reserved_tray_mm2_m",
        "mm² m",
        "",
        "cross-section times length of the trays that the reserve keeps free",
        "room",
        _reserved_tray,
    ),
    Quantity(
        "reserve_cents",
        "cents",
        "",
        "price of the reserved rack units, ports and trays: their share of the price of cabinets, routers and trays",
        "room placement catalog inventory bill",
        _reserve_cents,
    ),
)
