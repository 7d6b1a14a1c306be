"""Heat and mass of every cabinet."""

from __future__ import annotations

import numpy as np

from planner.model import FIXTURES, CablePlan, Catalog, Placement
from planner.parts import CabinetPart, EndpointPart, RouterPart

_MANAGER = FIXTURES.index("cable manager")
_LIQUID_CABINET = "direct liquid"
"""What a cabinet states whose whole heat goes to liquid."""


def heat_of(catalog: Catalog, placement: Placement, cables: CablePlan, load: str) -> tuple[np.ndarray, np.ndarray]:
    """Return the heat of each cabinet, and the part of it that direct liquid cooling removes; int64 (C,)."""
    heat_mw, liquid_mw = np.zeros((2, placement.cabinet_count), np.int64)
    at_router = cables.device < len(placement.cabinet_of)
    for part, cabinet, plugged in (
        (catalog.router, placement.cabinet_of, at_router),
        (catalog.endpoint, _box_cabinets(placement), ~at_router),
    ):
        boxes = np.bincount(cabinet, minlength=placement.cabinet_count)
        own_mw = boxes * (part.power_max_mw if load == "maximum" else part.power_typical_mw)
        if load == "typical":
            np.add.at(own_mw, cables.cabinet[plugged], cables.power_mw[plugged])
        heat_mw += own_mw
        liquid_mw += np.rint(own_mw * liquid_share(part, catalog.cabinet)).astype(np.int64)
    return heat_mw, liquid_mw


def liquid_share(part: RouterPart | EndpointPart, cabinet: CabinetPart) -> float:
    """Return the share of the heat of a box that direct liquid cooling removes."""
    if cabinet.cooling == _LIQUID_CABINET or (part.liquid_share is None and part.airflow == ("none",)):
        return 1.0
    return part.liquid_share or 0.0


def mass_of(catalog: Catalog, placement: Placement) -> np.ndarray:
    """Return the mass of each cabinet with its devices, PDUs and cable managers, without cables; int64 (C,)."""
    count = placement.cabinet_count
    mass_g = np.full(count, catalog.cabinet.mass_g, np.int64)
    mass_g += np.bincount(placement.cabinet_of, minlength=count) * catalog.router.mass_g
    mass_g += np.bincount(_box_cabinets(placement), minlength=count) * catalog.endpoint.mass_g
    if catalog.manager is not None:
        managers = placement.fixture_cabinet[placement.fixture_kind == _MANAGER]
        mass_g += np.bincount(managers, minlength=count) * catalog.manager.mass_g
    if catalog.pdu is not None:
        mass_g += placement.feeds * placement.pdus_per_feed * catalog.pdu.mass_g
    return mass_g


def _box_cabinets(placement: Placement) -> np.ndarray:
    """Return the cabinet of each endpoint box."""
    return np.unique(np.column_stack([placement.endpoint_cabinet, placement.endpoint_unit]), axis=0)[:, 0].astype(np.int64)
