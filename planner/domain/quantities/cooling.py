"""Heat of all devices, airflow, floor load, and use of the cooling units."""

from __future__ import annotations

import numpy as np

from planner.domain.model import Plan
from planner.domain.quantities._quantity import Quantity


def _floor_load(plan: Plan) -> float:
    cabinet, inventory, placement = plan.catalog.cabinet, plan.inventory, plan.placement
    footprint_mm2 = np.full(placement.cabinet_count, cabinet.width_mm * cabinet.depth_mm)
    for device in np.flatnonzero(inventory.of_part("freestanding")).tolist():
        unit = inventory.part_of(device)
        footprint_mm2[placement.cabinet[device]] = unit.width_mm * unit.depth_mm
    return float((plan.cooling.mass_g * 1000 / footprint_mm2).max(initial=0))


def _used_percent(plan: Plan) -> float | None:
    pairs = [
        pair
        for area in plan.cooling.areas
        for pair in ((area.air_mw, area.air_supply_mw), (area.loop_mw, area.liquid_supply_mw))
        if pair[1]
    ]
    return 100 * max(demand / supply for demand, supply in pairs) if pairs else None


ORDER = 145

QUANTITIES = (
    Quantity("heat_mw", "mW", "lower", "heat of all devices, nodes included", "cooling", lambda p: p.cooling.whole.heat_mw),
    Quantity(
        "heat_liquid_mw", "mW", "", "heat that direct liquid cooling removes", "cooling", lambda p: p.cooling.whole.liquid_mw
    ),
    Quantity("heat_door_mw", "mW", "", "heat that rear doors remove", "cooling", lambda p: p.cooling.whole.door_mw),
    Quantity("heat_air_mw", "mW", "lower", "heat that the air of the room takes", "cooling", lambda p: p.cooling.whole.air_mw),
    Quantity("airflow_l_per_s", "l/s", "lower", "air through all cabinets", "cooling", lambda p: p.cooling.whole.airflow_l_per_s),
    Quantity(
        "hottest_cabinet_mw", "mW", "lower", "highest heat of one cabinet", "cooling", lambda p: p.cooling.heat_mw.max(initial=0)
    ),
    Quantity(
        "floor_mass_g", "g", "lower", "mass of all cabinets with their contents", "cooling", lambda p: p.cooling.whole.mass_g
    ),
    Quantity(
        "floor_load_kg_per_m2",
        "kg/m²",
        "lower",
        "highest load of a cabinet on its footprint",
        "cooling catalog inventory placement",
        _floor_load,
    ),
    Quantity(
        "cooling_used_percent", "%", "lower", "highest share of the cooling units of a hall in use", "cooling", _used_percent
    ),
)
