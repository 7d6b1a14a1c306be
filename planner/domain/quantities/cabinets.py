"""Use of the cabinets: rack units, power, mass, PDUs."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from planner.domain.model import FIXTURES, Plan, pdu_loads_mw
from planner.domain.quantities._quantity import Quantity

_MANAGER = FIXTURES.index("cable manager")


@dataclass(frozen=True)
class _Content:
    """Units in use, maximum power and mass of the devices of each cabinet; int64 (C,)."""

    units: np.ndarray
    power_mw: np.ndarray
    mass_g: np.ndarray


def _content(plan: Plan) -> _Content:
    inventory, placement, catalog = plan.inventory, plan.placement, plan.catalog
    count = placement.cabinet_count
    others = []
    if catalog.manager:
        others.append((catalog.manager, placement.fixture_cabinet[placement.fixture_kind == _MANAGER]))
    if catalog.pdu:
        others.append((catalog.pdu, np.repeat(np.arange(count), placement.fitted_pdus(inventory, catalog))))

    def total(name: str) -> np.ndarray:
        boxes = placement.by_cabinet(inventory.of_part(name))
        return boxes + sum(np.bincount(cabinet, minlength=count) * getattr(part, name) for part, cabinet in others)

    return _Content(total("units"), placement.by_cabinet(inventory.of_part("power_max_mw")), total("mass_g"))


def _free_units(plan: Plan) -> int:
    taken = sum(len(plan.room.existing.units_in(slot)) for slot in plan.placement.slot_of.tolist())
    return plan.placement.cabinet_count * plan.catalog.cabinet.units - int(_content(plan).units.sum()) - taken


def _blanking_units(plan: Plan) -> int:
    placement, units = plan.placement, plan.catalog.cabinet.units
    taken = plan.room.existing.units_between(placement.slot_of, *placement.usable_units(units))
    return placement.cabinet_count * (units - sum(placement.reserved_units)) - int((_content(plan).units + taken).sum())


def _in_use(plan: Plan, name: str) -> np.ndarray:
    """Return a figure of the equipment of others in each cabinet, int64 (C,)."""
    return plan.room.existing.in_slots(name, plan.room.slot_count)[plan.placement.slot_of]


def _fullest_by_power(plan: Plan) -> float:
    power_mw = _content(plan).power_mw + _in_use(plan, "power_mw")
    return 100 * float(np.max(power_mw / plan.room.slot_power_mw[plan.placement.slot_of]))


def _fullest_by_mass(plan: Plan) -> float:
    mass_g, cabinet = _content(plan).mass_g + _in_use(plan, "mass_g"), plan.catalog.cabinet
    framed = plan.placement.framed(plan.inventory)
    floor = (mass_g + cabinet.mass_g * framed) / plan.room.slot_load_g[plan.placement.slot_of]
    return 100 * float(np.maximum(mass_g * framed / cabinet.load_g, floor).max())


def _fullest_pdu(plan: Plan) -> float | None:
    if plan.catalog.pdu is None:
        return None
    return 100 * float(pdu_loads_mw(plan.inventory, plan.placement)[1].max(initial=0)) / plan.catalog.pdu.limit_mw


def _managers(plan: Plan) -> int | None:
    return int((plan.placement.fixture_kind == _MANAGER).sum()) if plan.catalog.manager else None


def _pdus(plan: Plan) -> int | None:
    placement = plan.placement
    framed = int(placement.framed(plan.inventory).sum())
    return framed * placement.feeds * placement.pdus_per_feed if plan.catalog.pdu else None


ORDER = 140

QUANTITIES = (
    Quantity("used_units", "", "", "rack units in use", "inventory placement catalog", lambda p: _content(p).units.sum()),
    Quantity("free_units", "", "", "free rack units", "inventory placement catalog room", _free_units),
    Quantity(
        "blanking_units",
        "",
        "",
        "free units to close with blanking panels; excludes reserved units",
        "inventory placement catalog room",
        _blanking_units,
    ),
    Quantity("cable_managers", "", "", "cable managers in all cabinets", "inventory placement catalog", _managers),
    Quantity("pdus", "", "", "power distribution units in all cabinets", "inventory placement catalog", _pdus),
    Quantity(
        "fullest_pdu_percent",
        "%",
        "lower",
        "highest PDU load after the other feed fails, of its continuous rating",
        "inventory placement catalog",
        _fullest_pdu,
    ),
    Quantity(
        "fullest_cabinet_power_percent",
        "%",
        "lower",
        "highest cabinet power, of the supply of its slot",
        "inventory placement catalog room",
        _fullest_by_power,
    ),
    Quantity(
        "heaviest_cabinet_percent",
        "%",
        "lower",
        "heaviest cabinet, of its own load limit or that of the floor",
        "inventory placement catalog room",
        _fullest_by_mass,
    ),
)
