"""Rack units of the devices of filled cabinets."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np

from planner.core.errors import InputError, Problem
from planner.design.placement.packing import Interior
from planner.domain.model import AT, FIXTURES, Catalog, Inventory

MANAGER = -1
"""A cable manager in a pile, in place of a device."""

Pile = list[tuple[int, int]]
"""Devices that keep together, from the bottom up, each with its height in units."""


@dataclass(frozen=True, eq=False)
class Units:
    """Lowest rack unit of each device, int64 (D,), and the fixtures as in `planner.domain.model.Placement`."""

    unit: np.ndarray
    fixture_kind: np.ndarray
    fixture_cabinet: np.ndarray
    fixture_unit: np.ndarray


def units_of(inventory: Inventory, catalog: Catalog, interior: Interior) -> Units:
    """Stack the devices of every cabinet where the inventory wants them, each kind by id.

    Devices with a rack unit come first, then those in the middle; others fill the free units from the top down or from the bottom
    up. Devices of 0 units are upright at the side, numbered 0, -1 …
    Cable managers are above every group of routers, PDUs that need units below everything else.

    Raises
    ------
    InputError
        When the free units of a cabinet do not hold a device.
    """
    low, high = interior.span(catalog)
    height = inventory.of_part("units").astype(np.int64)
    unit = np.zeros(inventory.device_count, np.int64)
    fixtures: list[tuple[int, int, int]] = []
    refused: list[str] = []
    for rack in range(len(inventory.rack_unit)):
        members = np.flatnonzero(inventory.rack == rack)
        upright = members[height[members] == 0]
        unit[upright] = -np.arange(len(upright))
        free = _Free(low, high)
        for at, pile in _piles(inventory, members[height[members] > 0], height, catalog, interior):
            lowest = free.take(at, sum(units for _, units in pile))
            if lowest is None:
                refused.append(_refusal(inventory, rack, at, pile))
                break
            for device, units in pile:
                if device == MANAGER:
                    fixtures.append((FIXTURES.index("cable manager"), rack, lowest))
                else:
                    unit[device] = lowest
                lowest += units
        if catalog.pdu is not None and catalog.pdu.units:
            first = 1 + interior.reserve_bottom_units
            nodes = int((inventory.of_part("id")[members] == catalog.pdu.id).sum())
            fitted = range(interior.pdu_count(catalog) - nodes)
            fixtures += [(FIXTURES.index("PDU"), rack, first + n * catalog.pdu.units) for n in fitted]
    if refused:
        more = f", and {len(refused) - 1} cabinets more" if len(refused) > 1 else ""
        remedy = "change at in [[node]] and [[network]], reserve fewer units, or use more cabinets"
        raise InputError(Problem("interior", refused[0] + more, remedy))
    return Units(unit, *np.array(fixtures, np.int64).reshape(-1, 3).T)


def _piles(
    inventory: Inventory, members: np.ndarray, height: np.ndarray, catalog: Catalog, interior: Interior
) -> Iterator[tuple[int, Pile]]:
    """Yield the piles of a cabinet in the order of their choice, each with its wanted place as in `Inventory.at`.

    What has a rack unit or is in the middle is one pile; at the ends, a router, or a group of them under their cable manager, and
    a node are piles.
    """
    manager, per = (catalog.manager.units, interior.routers_per_manager) if catalog.manager else (0, 1)
    for at in sorted(set(inventory.at[members].tolist()), key=lambda at: (at <= 0, at)):
        own = members[inventory.at[members] == at]
        switches, nodes = (own[own < inventory.router_count].tolist(), own[own >= inventory.router_count].tolist())
        piles: list[Pile] = []
        for first in range(0, len(switches), per):
            group = [(device, int(height[device])) for device in reversed(switches[first : first + per])]
            piles.append([*group, (MANAGER, manager)] if manager else group)
        piles += [[(device, int(height[device]))] for device in nodes]
        if at > 0 or at == AT["middle"]:
            piles = [[one for pile in piles for one in pile]]
        yield from ((at, pile) for pile in piles)


class _Free:
    """Free rack units of a cabinet, from `low` to `high`, as the bits of a number."""

    def __init__(self, low: int, high: int):
        self.low, self.high = low, high
        self.taken = 0

    def take(self, at: int, units: int) -> int | None:
        """Return the lowest of some free units in a row near a wanted place, which are then taken; None if there are none."""
        run = (1 << units) - 1
        for lowest in self._places(at, units):
            if not self.taken & run << lowest:
                self.taken |= run << lowest
                return lowest
        return None

    def _places(self, at: int, units: int) -> Iterable[int]:
        """Return the lowest units to try, in order."""
        every = range(self.low, self.high - units + 2)
        if at > 0:
            return (at,) if at in every else ()
        if at == AT["middle"]:
            center = self.low + (self.high - self.low + 1 - units) // 2
            return sorted(every, key=lambda lowest: abs(lowest - center))
        return every if at == AT["bottom"] else reversed(every)


def _refusal(inventory: Inventory, rack: int, at: int, pile: Pile) -> str:
    devices = [device for device, _ in pile if device != MANAGER]
    name, units = inventory.names[devices[0]], sum(units for _, units in pile)
    where = f"from unit {at} up" if at > 0 else "in a row"
    others = f" and {len(devices) - 1} others" if len(devices) > 1 else ""
    return f"cabinet {rack + 1} has no {units} free units {where} for {name}{others}"
