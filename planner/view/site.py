"""Power and mass of the network and of the nodes, by cabinet and area, and the order in which cabinets are set."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from planner.domain.model import FIXTURES, Plan
from planner.domain.model.cooling import CoolingArea
from planner.domain.parts import EndpointPart, RouterPart

GOODS = ("network", "nodes", "facility")
"""What devices belong to: routers, boxes of nodes, and equipment that feeds or cools cabinets."""


@dataclass(frozen=True)
class SiteLoads:
    """Loads of each cabinet, int64 (C, 3), with a column for each of `GOODS`.

    Attributes
    ----------
    typical_mw
        Typical power of the devices with the plugs of the planned cables.
    maximum_mw
        Maximum power of the devices, with plugs in all ports.
    mass_g
        Mass of the devices; PDUs and cable managers outside of the list of devices count as facility, and so do rear doors.
    """

    typical_mw: np.ndarray
    maximum_mw: np.ndarray
    mass_g: np.ndarray

    @classmethod
    def of(cls, plan: Plan) -> SiteLoads:
        """Add up the loads of a placed plan."""
        inventory, placement, cables = plan.inventory, plan.placement, plan.cables
        kinds = np.array([_goods(part) for part in inventory.parts])[inventory.part]

        def by_cabinet(name: str) -> np.ndarray:
            figure = inventory.of_part(name)
            return np.column_stack([placement.by_cabinet(figure * (kinds == kind)) for kind in range(len(GOODS))])

        typical_mw, mass_g = by_cabinet("power_typical_mw"), by_cabinet("mass_g")
        if cables is not None:
            np.add.at(typical_mw, (cables.cabinet, kinds[cables.device]), cables.power_mw)
        mass_g[:, GOODS.index("facility")] += _fittings_g(plan, mass_g)
        return cls(typical_mw, by_cabinet("power_max_mw"), mass_g)


def _goods(part: object) -> int:
    return 0 if isinstance(part, RouterPart) else 1 if isinstance(part, EndpointPart) else 2


def _fittings_g(plan: Plan, devices_g: np.ndarray) -> np.ndarray:
    """Return the mass of PDUs, cable managers and rear doors of each cabinet, int64 (C,)."""
    placement, catalog = plan.placement, plan.catalog
    if plan.cooling is not None:
        return plan.cooling.mass_g - catalog.cabinet.mass_g - devices_g.sum(axis=1)
    managers = placement.fixture_cabinet[placement.fixture_kind == FIXTURES.index("cable manager")]
    found = np.bincount(managers, minlength=placement.cabinet_count) * (catalog.manager.mass_g if catalog.manager else 0)
    return found + placement.fitted_pdus(plan.inventory, catalog) * (catalog.pdu.mass_g if catalog.pdu else 0)


def cabinets_in(plan: Plan, area: CoolingArea) -> np.ndarray:
    """Return which cabinets are in an area, bool (C,)."""
    room, slot = plan.room, plan.placement.slot_of
    if area.kind == "row":
        return room.slot_row[slot] == room.row_names.index(area.name)
    if area.kind == "zone":
        return np.isin(slot, next(zone.slots for zone in room.zones if zone.name == area.name))
    if area.kind == "hall":
        import shapely

        corners = next(hall.corners_mm for hall in room.halls if hall.name == area.name)
        return np.asarray(shapely.intersects_xy(shapely.Polygon(corners), room.slot_xy[slot]))
    return np.ones(len(slot), bool)


class Step(NamedTuple):
    """A cabinet in the order of delivery, and its distance from the nearest door in a straight line, if there is a door."""

    cabinet: int
    distance_mm: int | None


def delivery_order(plan: Plan) -> list[Step]:
    """Return the cabinets in the order in which they are set: the farthest row first, in each row from its far end.

    The distance is the straight line from the nearest door; that of a row is the mean of its cabinets. Without a door
    cabinets are in the order of their slots.
    """
    slots = plan.placement.slot_of
    distance = _from_the_door(plan)
    if distance is None:
        return [Step(number, None) for number in np.argsort(slots, kind="stable").tolist()]
    row = plan.room.slot_row[slots]
    count = np.maximum(np.bincount(row), 1)
    mean = (np.bincount(row, distance) / count)[row]
    order = np.lexsort((slots, -distance, row, -mean))
    return [Step(number, int(distance[number])) for number in order.tolist()]


def _from_the_door(plan: Plan) -> np.ndarray | None:
    """Return the distance of each cabinet from the middle of the nearest door, in mm; None without a door."""
    doors = [np.mean(zone.corners_mm, axis=0) for zone in plan.room.obstacles if zone.kind == "door"]
    if not doors:
        return None
    away = plan.room.slot_xy[plan.placement.slot_of][:, None, :] - np.array(doors)[None]
    return np.rint(np.sqrt((away.astype(float) ** 2).sum(axis=2)).min(axis=1))
