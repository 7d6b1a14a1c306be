"""Rules of zones: what all cabinets of a part of the floor take together."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from planner.check.basis.boxes import fitted, framed, in_cabinets
from planner.check.basis.existing import in_use
from planner.check.basis.places import error
from planner.check.basis.rule import rule
from planner.domain.model import Plan, Violation


@rule(80)
def zones_within_totals(plan: Plan) -> Iterator[Violation]:
    """The cabinets of a zone keep its limits of power, heat and floor load together, with what is in use there."""
    placement, room = plan.placement, plan.room
    if not room.zones:
        return
    power, load = in_use(room, "power_mw"), in_use(room, "mass_g")
    np.add.at(power, placement.slot_of, in_cabinets(plan, "power_max_mw"))
    frames_g = plan.catalog.cabinet.mass_g * framed(plan)
    np.add.at(load, placement.slot_of, frames_g + in_cabinets(plan, "mass_g") + fitted(plan, "mass_g"))
    for number, zone in enumerate(room.zones):
        slots = list(zone.slots)
        stated = room.existing.zone_mw[number] if room.existing.zone_mw else 0
        for what, total, limit, unit in (
            ("power", int(power[slots].sum()) + stated, zone.power_mw, "mW"),
            ("heat", int(power[slots].sum()) + stated, zone.cooling_mw, "mW"),
            ("floor load", int(load[slots].sum()), zone.load_g, "g"),
        ):
            if limit is not None and total > limit:
                yield error("zones_within_totals", f"zone {zone.name}", total, limit, unit, f"{what} of all its cabinets")
