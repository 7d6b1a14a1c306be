"""Rules of cabinets: boxes fit, limits are kept."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import numpy as np

from planner.check._places import cabinet_name, cable_name, error
from planner.model import Plan, Violation


def boxes_fit_their_cabinets(plan: Plan) -> Iterator[Violation]:
    """No two boxes of a cabinet overlap, none leaves it, and cable ends name the cabinet and unit of their box."""
    catalog, placement, cables = plan.catalog, plan.placement, plan.cables
    boxes = [(int(c), int(u), catalog.router.units) for c, u in zip(placement.cabinet_of, placement.unit_of, strict=True)]
    shared = np.column_stack([placement.endpoint_cabinet, placement.endpoint_unit])
    distinct, content = np.unique(shared, axis=0, return_counts=True) if len(shared) else (shared, [])
    boxes += [(int(c), int(u), catalog.endpoint.units) for c, u in distinct]
    for (cabinet, unit), count in zip(distinct, content, strict=True):
        if count > catalog.endpoint.endpoints:
            where = f"{cabinet_name(plan, cabinet)} unit {unit}"
            yield error(
                "boxes_fit_their_cabinets", where, count, catalog.endpoint.endpoints, "endpoints", "too many endpoints in a box"
            )
    taken = Counter((cabinet, place) for cabinet, unit, units in boxes for place in range(unit, unit + units))
    for (cabinet, place), count in sorted(taken.items()):
        where = f"{cabinet_name(plan, cabinet)} unit {place}"
        if not 1 <= place <= catalog.cabinet.units:
            yield error("boxes_fit_their_cabinets", where, place, catalog.cabinet.units, "unit", "outside the cabinet")
        if count > 1:
            yield error("boxes_fit_their_cabinets", where, count, 1, "boxes", "several boxes in one unit")
    cabinet_of = np.concatenate([placement.cabinet_of, placement.endpoint_cabinet])[cables.device]
    unit_of = np.concatenate([placement.unit_of, placement.endpoint_unit])[cables.device]
    for number in np.flatnonzero(((cabinet_of != cables.cabinet) | (unit_of != cables.unit)).any(axis=1)):
        yield error("boxes_fit_their_cabinets", cable_name(plan, number), 0, 1, "", "its ends stand elsewhere")


def cabinets_within_limits(plan: Plan) -> Iterator[Violation]:
    """Every cabinet has a slot of its own, that fits its size and carries its greatest power and its mass."""
    catalog, placement, room = plan.catalog, plan.placement, plan.room
    slots, count = np.unique(placement.slot_of, return_counts=True)
    for slot in slots[count > 1]:
        yield error("cabinets_within_limits", room.slot_names[slot], 2, 1, "cabinets", "two cabinets in one slot")
    cabinets = placement.cabinet_count
    routers = np.bincount(placement.cabinet_of, minlength=cabinets)
    boxes = np.unique(np.column_stack([placement.endpoint_cabinet, placement.endpoint_unit]), axis=0)
    boxes = np.bincount(boxes[:, 0], minlength=cabinets) if len(boxes) else np.zeros(cabinets, int)
    power = routers * catalog.router.power_max_mw + boxes * catalog.endpoint.power_max_mw
    mass = routers * catalog.router.mass_g + boxes * catalog.endpoint.mass_g
    limits = (
        ("power", power, room.slot_power_mw[placement.slot_of], "mW"),
        ("floor load", mass + catalog.cabinet.mass_g, room.slot_load_g[placement.slot_of], "g"),
        ("cabinet load", mass, np.full(cabinets, catalog.cabinet.load_g), "g"),
    )
    for what, value, limit, unit in limits:
        for cabinet in np.flatnonzero(value > limit):
            yield error("cabinets_within_limits", cabinet_name(plan, cabinet), value[cabinet], limit[cabinet], unit, what)
    if room.cabinet_routers is not None:
        for cabinet in np.flatnonzero(routers > room.cabinet_routers):
            yield error(
                "cabinets_within_limits", cabinet_name(plan, cabinet), routers[cabinet], room.cabinet_routers, "routers", ""
            )
