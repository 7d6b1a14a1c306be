"""Heat and mass of every cabinet."""

from __future__ import annotations

import numpy as np

from planner.domain.model import FIXTURES, CablePlan, Catalog, Inventory, Placement
from planner.domain.parts import CabinetPart, CoolingUnit, EndpointPart, FacilityPart, RouterPart

_MANAGER = FIXTURES.index("cable manager")
_LIQUID_CABINET = "direct liquid"
"""What a cabinet states whose whole heat goes to liquid."""


def heat_of(
    inventory: Inventory, cabinet: CabinetPart, placement: Placement, cables: CablePlan, load: str
) -> tuple[np.ndarray, np.ndarray]:
    """Return the heat of each cabinet, and the part of it that direct liquid cooling removes; int64 (C,)."""
    heat_mw, liquid_mw = np.zeros((2, placement.cabinet_count), np.int64)
    for number, part in enumerate(inventory.parts):
        here = inventory.part == number
        own_mw = placement.by_cabinet(here * (part.power_max_mw if load == "maximum" else part.power_typical_mw))
        if load == "typical":
            plugged = here[cables.device]
            np.add.at(own_mw, cables.cabinet[plugged], cables.power_mw[plugged])
        heat_mw += own_mw
        liquid_mw += np.rint(own_mw * liquid_share(part, cabinet)).astype(np.int64)
    return heat_mw, liquid_mw


def in_rack_of(inventory: Inventory, placement: Placement, liquid_mw: np.ndarray) -> np.ndarray:
    """Return the liquid-cooled heat of each cabinet that units in it take, up to their capacity; int64 (C,)."""
    able = np.array([part.capacity_mw if isinstance(part, CoolingUnit) else 0 for part in inventory.parts])
    return np.minimum(liquid_mw, placement.by_cabinet(able[inventory.part]))


def liquid_share(part: RouterPart | EndpointPart | FacilityPart, cabinet: CabinetPart) -> float:
    """Return the share of the heat of a box that direct liquid cooling removes."""
    if cabinet.cooling == _LIQUID_CABINET or (part.liquid_share is None and part.airflow == ("none",)):
        return 1.0
    return part.liquid_share or 0.0


def mass_of(inventory: Inventory, catalog: Catalog, placement: Placement) -> np.ndarray:
    """Return the mass of each cabinet with its devices, PDUs and cable managers, without cables; int64 (C,)."""
    count = placement.cabinet_count
    framed = placement.framed(inventory)
    mass_g = catalog.cabinet.mass_g * framed + placement.by_cabinet(inventory.of_part("mass_g"))
    if catalog.manager is not None:
        managers = placement.fixture_cabinet[placement.fixture_kind == _MANAGER]
        mass_g += np.bincount(managers, minlength=count) * catalog.manager.mass_g
    if catalog.pdu is not None:
        mass_g += placement.fitted_pdus(inventory, catalog) * catalog.pdu.mass_g
    return mass_g
