"""Rules of zones: what all cabinets of a part of the floor take together."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from planner.check._places import error
from planner.check._rule import rule
from planner.model import Plan, Violation


@rule(80)
def zones_within_totals(plan: Plan) -> Iterator[Violation]:
    """The cabinets of a zone keep its limits of power, heat and floor load together."""
    catalog, placement, room = plan.catalog, plan.placement, plan.room
    if not room.zones:
        return
    boxes = np.unique(np.column_stack([placement.endpoint_cabinet, placement.endpoint_unit]), axis=0)
    power, load = np.zeros(room.slot_count, np.int64), np.zeros(room.slot_count, np.int64)
    np.add.at(load, placement.slot_of, catalog.cabinet.mass_g)
    for cabinets, part in ((placement.cabinet_of, catalog.router), (boxes[:, 0], catalog.endpoint)):
        np.add.at(power, placement.slot_of[cabinets], part.power_max_mw)
        np.add.at(load, placement.slot_of[cabinets], part.mass_g)
    if catalog.manager is not None:
        np.add.at(load, placement.slot_of[placement.fixture_cabinet[placement.fixture_kind == 0]], catalog.manager.mass_g)
    if catalog.pdu is not None:
        np.add.at(load, placement.slot_of, placement.feeds * placement.pdus_per_feed * catalog.pdu.mass_g)
    for zone in room.zones:
        slots = list(zone.slots)
        for what, value, limit, unit in (
            ("power", power, zone.power_mw, "mW"),
            ("heat", power, zone.cooling_mw, "mW"),
            ("floor load", load, zone.load_g, "g"),
        ):
            if limit is not None and (total := int(value[slots].sum())) > limit:
                yield error("zones_within_totals", f"zone {zone.name}", total, limit, unit, f"{what} of all its cabinets")
