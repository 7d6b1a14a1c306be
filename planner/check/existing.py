"""Rules of what is in the room already: it keeps its place, and the reserve for growth is kept."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np

from planner.check.basis.boxes import boxes
from planner.check.basis.existing import fixed_devices, kept, taken_slots, tray_use_um2, units_in_use
from planner.check.basis.places import cabinet_name, error, segment_name
from planner.check.basis.rule import Number, figures, rule
from planner.check.basis.tables import has_tables
from planner.domain.model import Plan, Violation


@rule(62)
def taken_places_stay_free(plan: Plan) -> Iterator[Violation]:
    """No cabinet of the plan is in a slot with a cabinet of others, and no box in rack units that equipment of others takes."""
    room, name = plan.room, "taken_places_stay_free"
    taken, units = taken_slots(room), units_in_use(room)
    for slot in plan.placement.slot_of.tolist():
        if slot in taken:
            yield error(name, f"slot {room.slot_names[slot]}", 2, 1, "cabinets", "a cabinet of others is there already")
    for (cabinet, place), count in sorted(_content(plan).items()):
        if place in units.get(int(plan.placement.slot_of[cabinet]), ()):
            where = f"{cabinet_name(plan, cabinet)} unit {place}"
            yield error(name, where, count + 1, 1, "boxes", "equipment of others is there already")


@rule(64)
def fixed_devices_stay(plan: Plan) -> Iterator[Violation]:
    """Every device that must not move is in its cabinet and rack unit."""
    room, placement, name = plan.room, plan.placement, "fixed_devices_stay"
    for each, number in fixed_devices(plan):
        if number is None:
            if not each.source:
                yield error(name, each.name, 0, 1, "devices", "must not move, but is not a device of the plan")
            continue
        slot, unit = int(placement.slot_of[placement.cabinet[number]]), int(placement.unit[number])
        if slot != each.slot:
            message = f"is in {room.slot_names[slot]}, and must stay in {room.slot_names[each.slot]}"
            yield error(name, each.name, 0, 1, "", message)
        elif unit != each.unit:
            yield error(name, each.name, unit, each.unit, "unit", "is not in the unit where it must stay")


@rule(66)
def reserve_is_kept(plan: Plan) -> Iterator[Violation]:
    """The shares of slots, rack units, ports and trays that the study keeps free are free.

    Trays above the design fill less the reserve are a warning, as are trays above the design fill.
    """
    keep, room, name = plan.room.existing.keep_free, plan.room, "reserve_is_kept"
    slots = len(room.slot_names)
    free = slots - len(taken_slots(room) | set(plan.placement.slot_of.tolist()))
    if free < (needed := kept(keep.slots, slots)):
        yield error(name, f"slots of {room.name}", free, needed, "slots", "fewer slots are free than the study keeps free")
    if keep.units:
        needed = kept(keep.units, plan.catalog.cabinet.units)
        for cabinet, units in enumerate(_free_units(plan)):
            if units < needed:
                where = cabinet_name(plan, cabinet)
                yield error(name, where, units, needed, "units", "fewer rack units are free than the study keeps free")
    for role, (ports, used, _) in _ports(plan).items() if keep.ports else ():
        if ports - used < (needed := kept(keep.ports, ports)):
            message = "fewer ports are free than the study keeps free: use routers with more ports, or more routers"
            yield error(name, role, ports - used, needed, "ports", message)
    if keep.trays:
        yield from _trays(plan)


def _trays(plan: Plan) -> Iterator[Violation]:
    room, share = plan.room, 1 - plan.room.existing.keep_free.trays
    fill, area = plan.cables.fill_um2 + tray_use_um2(room), room.segment_mm2 * 1e6
    # A cross-section in µm² is a whole number.
    for segment in np.flatnonzero((area > 0) & (fill > share * room.design_fill * area + 1)).tolist():
        percent, over = 100 * fill[segment] / area[segment], fill[segment] > share * room.max_fill * area[segment] + 1
        limit = 100 * share * (room.max_fill if over else room.design_fill)
        severity = "error" if over else "warning"
        where, message = segment_name(room, segment), "the tray is fuller than the reserve leaves it"
        yield Violation("reserve_is_kept", where, round(float(percent), 1), round(limit, 1), "%", severity, message)


def _content(plan: Plan) -> Counter[tuple[int, int]]:
    """Return the number of boxes and fixtures in each rack unit of each cabinet."""
    catalog, placement = plan.catalog, plan.placement
    heights = [part.units if part else 1 for part in (catalog.manager, catalog.pdu)]
    places = [(cabinet, unit, part.units) for cabinet, unit, part in boxes(plan)]
    fixtures = np.column_stack([placement.fixture_cabinet, placement.fixture_unit, placement.fixture_kind])
    places += [(cabinet, unit, heights[kind]) for cabinet, unit, kind in fixtures.tolist()]
    return Counter((cabinet, unit + step) for cabinet, unit, units in places for step in range(units))


def _free_units(plan: Plan) -> list[int]:
    """Return the rack units of each cabinet that hold nothing and are not reserved."""
    bottom, top = plan.placement.reserved_units
    used, in_use = _content(plan), units_in_use(plan.room)
    every = range(1 + bottom, plan.catalog.cabinet.units - top + 1)
    return [
        sum((cabinet, unit) not in used and unit not in in_use.get(slot, ()) for unit in every)
        for cabinet, slot in enumerate(plan.placement.slot_of.tolist())
    ]


def _ports(plan: Plan) -> dict[str, tuple[int, int, float]]:
    """Return ports, ports in use and the price of all ports of the routers of each role of each network.

    The ports of a router are those that join the routers of its network; management ports and others do not count.
    """
    inventory, tables = plan.inventory, has_tables(plan)
    found: dict[str, list[float]] = {}
    of_device: dict[int, str] = {}
    for number, network in enumerate(inventory.network_names):
        for device in range(int(inventory.first_router[number]), int(inventory.first_router[number + 1])):
            role = inventory.role_names[inventory.role[device]]
            part = inventory.parts[inventory.part[device]]
            of_device[device] = name = f"{network}: {role}" if network else role
            sums = found.setdefault(name, [0, 0, 0.0])
            sums[0] += part.ports
            sums[2] += part.price_cents
        rows = slice(int(inventory.first_link[number]), int(inventory.first_link[number + 1]))
        for ends, groups in zip(inventory.ends[rows].tolist(), inventory.port_group[rows].tolist(), strict=True):
            for device, group in zip(ends, groups, strict=True):
                own = int(inventory.first_router[number]) <= device < int(inventory.first_router[number + 1])
                if own and (not tables or _joins(inventory.parts[inventory.part[device]], group)):
                    found[of_device[device]][1] += 1
    return {name: (int(ports), int(used), cents) for name, (ports, used, cents) in found.items()}


def _joins(part: Any, group: int) -> bool:
    """Return whether the ports of a group are those that join routers."""
    own = part.groups[group]
    return (own.connector, own.rate_gbps) == (part.connector, part.rate_gbps)


@figures
def reserve_figures(plan: Plan) -> Iterator[Number]:
    """Yield what the reserve keeps free, and its price."""
    if plan.room is None or plan.placement is None:
        return
    keep, room, catalog = plan.room.existing.keep_free, plan.room, plan.catalog
    units = kept(keep.units, catalog.cabinet.units) * len(plan.placement.slot_of)
    roles = [(kept(keep.ports, ports), ports, cents) for ports, _, cents in _ports(plan).values()] if keep.ports else []
    lengths = zip(room.segment_mm.tolist(), room.segment_mm2.tolist(), strict=True)
    volume = sum(length * area for length, area in lengths) * room.design_fill * keep.trays / 1000
    yield "taken_slots", len(taken_slots(room)) or None
    yield "reserved_slots", kept(keep.slots, len(room.slot_names)) if keep.slots else None
    yield "reserved_units", units if keep.units else None
    yield "reserved_ports", sum(number for number, _, _ in roles) if keep.ports else None
    yield "reserved_tray_mm2_m", round(volume) if keep.trays else None
    if plan.bill is not None and (keep.units or keep.ports or keep.trays):
        cents = units * catalog.cabinet.price_cents / catalog.cabinet.units
        cents += sum(number * total / ports for number, ports, total in roles)
        trays = [line for line in plan.bill.lines if line.category == "trays"]
        cents += keep.trays * sum(line.quantity * line.unit_cents + line.over_cents for line in trays)
        yield "reserve_cents", round(cents)
    else:
        yield "reserve_cents", None
