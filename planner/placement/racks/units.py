"""Rack units of the devices of filled cabinets."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from planner.model import FIXTURES, Catalog, Inventory
from planner.placement.packing import Interior


@dataclass(frozen=True, eq=False)
class Units:
    """Lowest rack unit of each device, int64 (D,), and the fixtures as in `planner.model.Placement`."""

    unit: np.ndarray
    fixture_kind: np.ndarray
    fixture_cabinet: np.ndarray
    fixture_unit: np.ndarray


def units_of(inventory: Inventory, catalog: Catalog, interior: Interior) -> Units:
    """Stack the devices of every cabinet: nodes from the bottom up, routers from the top down, each by id.

    Devices of 0 units are upright at the side, numbered 0, -1 …
    Cable managers are above every group of routers, PDUs that need units below the nodes.
    """
    low, high = interior.span(catalog)
    count = len(inventory.rack_unit)
    height = inventory.of_part("units").astype(np.int64)
    manager = catalog.manager.units if catalog.manager else 0
    unit = np.zeros(inventory.device_count, np.int64)
    kinds, cabinets, units = [], [], []
    for rack in range(count):
        members = np.flatnonzero(inventory.rack == rack)
        routers = inventory.is_router[members]
        upright = members[height[members] == 0]
        unit[upright] = -np.arange(len(upright))
        members, routers = members[height[members] > 0], routers[height[members] > 0]
        nodes, switches = members[~routers], members[routers]
        unit[nodes] = low + np.cumsum(height[nodes]) - height[nodes]
        above = (np.arange(len(switches)) // interior.routers_per_manager + 1) * manager
        unit[switches] = high + 1 - np.cumsum(height[switches]) - above
        if manager:
            first = switches[:: interior.routers_per_manager]
            units += (unit[first] + height[first]).tolist()
            kinds += [FIXTURES.index("cable manager")] * len(first)
            cabinets += [rack] * len(first)
        if catalog.pdu is not None and catalog.pdu.units:
            pdus = interior.pdu_count(catalog)
            units += (1 + interior.reserve_bottom_units + np.arange(pdus) * catalog.pdu.units).tolist()
            kinds += [FIXTURES.index("PDU")] * pdus
            cabinets += [rack] * pdus
    return Units(unit, np.array(kinds, np.int64), np.array(cabinets, np.int64), np.array(units, np.int64))
