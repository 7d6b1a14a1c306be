"""Rules of cabinets: boxes fit, limits are kept, airflow is consistent."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np

from planner.check.basis.boxes import boxes, fitted, framed, in_cabinets
from planner.check.basis.existing import in_use
from planner.check.basis.places import cabinet_name, cable_name, error
from planner.check.basis.rule import rule
from planner.domain.model import Plan, Violation


@rule(50)
def boxes_fit_their_cabinets(plan: Plan) -> Iterator[Violation]:
    """No two boxes of a cabinet overlap, none is outside or in a reserved unit, and cable ends name the location of their box."""
    catalog, placement, cables, found = plan.catalog, plan.placement, plan.cables, boxes(plan)
    yield from _deep(plan)
    max_devices = np.array(plan.inventory.per_box)[found.kind]
    for box in np.flatnonzero(found.devices > max_devices).tolist():
        where = f"{cabinet_name(plan, found.cabinet[box])} unit {found.unit[box]}"
        message = "too many devices in a box"
        yield error("boxes_fit_their_cabinets", where, found.devices[box], max_devices[box], "devices", message)
    bottom, top = placement.reserved_units
    places = [*((cabinet, unit, part.units) for cabinet, unit, part in found), *_fixtures(plan)]
    taken = Counter((cabinet, place) for cabinet, unit, units in places for place in range(unit, unit + units))
    for (cabinet, place), count in sorted(taken.items()):
        where = f"{cabinet_name(plan, cabinet)} unit {place}"
        if not 1 <= place <= catalog.cabinet.units:
            yield error("boxes_fit_their_cabinets", where, place, catalog.cabinet.units, "unit", "outside the cabinet")
        elif not bottom < place <= catalog.cabinet.units - top:
            yield error("boxes_fit_their_cabinets", where, 1, 0, "boxes", "a box in a reserved unit")
        if count > 1:
            yield error("boxes_fit_their_cabinets", where, count, 1, "boxes", "several boxes in one unit")
    cabinet, unit = placement.cabinet[cables.device], placement.unit[cables.device]
    for number in np.flatnonzero(((cabinet != cables.cabinet) | (unit != cables.unit)).any(axis=1)):
        yield error("boxes_fit_their_cabinets", cable_name(plan, number), 0, 1, "", "its boxes are elsewhere")


def _fixtures(plan: Plan) -> list[tuple[int, int, int]]:
    """Return the cabinet, lowest unit and units of cable managers and of PDUs that take units."""
    catalog, placement = plan.catalog, plan.placement
    parts = (catalog.manager, catalog.pdu)
    places = np.column_stack([placement.fixture_cabinet, placement.fixture_unit, placement.fixture_kind]).tolist()
    return [(cabinet, unit, parts[kind].units if parts[kind] else 1) for cabinet, unit, kind in places]


def _deep(plan: Plan) -> Iterator[Violation]:
    cabinet = plan.catalog.cabinet
    limit = cabinet.mount_depth_mm or cabinet.depth_mm
    for box in plan.inventory.parts:
        if box.depth_mm is not None and box.depth_mm > limit and not box.freestanding:
            yield error("boxes_fit_their_cabinets", box.id, box.depth_mm, limit, "mm", f"deeper than {cabinet.id}")


@rule(60)
def cabinets_within_limits(plan: Plan) -> Iterator[Violation]:
    """Every cabinet has a slot of its own that fits its size, maximum power and mass, with what is in use there."""
    catalog, placement, room = plan.catalog, plan.placement, plan.room
    slots, count = np.unique(placement.slot_of, return_counts=True)
    for slot in slots[count > 1]:
        yield error("cabinets_within_limits", room.slot_names[slot], 2, 1, "cabinets", "two cabinets in one slot")
    cabinets = placement.cabinet_count
    power, mass = in_cabinets(plan, "power_max_mw"), in_cabinets(plan, "mass_g") + fitted(plan, "mass_g")
    # Equipment of others in the same cabinet counts.
    power, mass = power + in_use(room, "power_mw")[placement.slot_of], mass + in_use(room, "mass_g")[placement.slot_of]
    limits = (
        ("power", power, room.slot_power_mw[placement.slot_of], "mW"),
        ("floor load", mass + catalog.cabinet.mass_g * framed(plan), room.slot_load_g[placement.slot_of], "g"),
        ("cabinet load", mass * framed(plan), np.full(cabinets, catalog.cabinet.load_g), "g"),
    )
    for what, value, limit, unit in limits:
        for cabinet in np.flatnonzero(value > limit):
            yield error("cabinets_within_limits", cabinet_name(plan, cabinet), value[cabinet], limit[cabinet], unit, what)
    across = np.where(room.slot_facing % 180 == 0, 1, 0)
    for cabinet in np.flatnonzero(~framed(plan)) if room.end_mm is None else ():
        slot = placement.slot_of[cabinet]
        part: Any = next(part for home, _, part in boxes(plan) if home == cabinet)
        for side, size_mm in ((across[slot], part.width_mm), (1 - across[slot], part.depth_mm)):
            if size_mm > room.slot_size[slot, side]:
                where = f"{part.id} in {cabinet_name(plan, cabinet)}"
                yield error("cabinets_within_limits", where, size_mm, room.slot_size[slot, side], "mm", "larger than its slot")
    if room.cabinet_routers is not None:
        routers = np.bincount(placement.cabinet[plan.inventory.is_router], minlength=cabinets)
        for cabinet in np.flatnonzero(routers > room.cabinet_routers):
            yield error(
                "cabinets_within_limits", cabinet_name(plan, cabinet), routers[cabinet], room.cabinet_routers, "routers", ""
            )


@rule(120)
def airflow_is_consistent(plan: Plan) -> Iterator[Violation]:
    """All boxes of a cabinet take air from the front, where the cold aisle is, if they are ordered with the right fans.

    A box with its ports at the rear does so with port-side exhaust, one with its ports at the front with port-side
    intake. Boxes that air does not cool, or whose airflow is not known, count as fit.
    """
    for number, part in enumerate(plan.inventory.parts):
        needed = "port-side exhaust" if part.port_side == "rear" else "port-side intake"
        if not part.airflow or "none" in part.airflow or needed in part.airflow:
            continue
        cabinets, count = np.unique(plan.placement.cabinet[plan.inventory.part == number], return_counts=True)
        for cabinet, devices in zip(cabinets.tolist(), count.tolist(), strict=True):
            message = (
                f"{part.id} with ports at the {part.port_side} blows toward the cold aisle: it is sold with {part.airflow[0]}"
            )
            where = cabinet_name(plan, cabinet)
            yield Violation("airflow_is_consistent", where, float(devices), 0.0, "devices", "warning", message)
