"""What a shorter way would save: cables that just miss a cheaper part, and the moves that would help."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Annotated

import numpy as np
from annotated_types import Ge

from planner.floor import Lengths
from planner.model import CablePlan, Catalog, NearMiss, NearMisses, Placement, Topology
from planner.pricelist import Preference, PriceList, price_list

_SLOTS = 12
"""Free slots that are tried for a cabinet, nearest first."""

_FREE, _TAKEN = -1, -2


def near_misses(
    topology: Topology,
    catalog: Catalog,
    placement: Placement,
    cables: CablePlan,
    lengths: Lengths,
    *,
    within_mm: Annotated[int, Ge(0)] = 300,
    most: Annotated[int, Ge(0)] = 50,
    prefer: Preference = "price",
) -> NearMisses:
    """Find the cables that just miss a cheaper part.

    A move counts with all cables that it changes: those of the router and of the one it changes places
    with, or all that leave the cabinet. Trays are taken as they are planned for routers, and as
    short as can be for cabinets. Twin-port and splitter cables count as if each link had a cable of its own.

    Parameters
    ----------
    topology, catalog, placement, cables, lengths, prefer
        Supplied by the flow.
    within_mm
        How much too long a cable may be to count.
    most
        How many near misses are looked at closely, those first that would save most.
    """
    prices = _Prices(topology, catalog, cables, lengths, prefer)
    over, saving, stock = prices.misses(within_mm)
    near = np.flatnonzero(saving)
    order = near[np.lexsort((near, over[near], -saving[near]))][:most]
    moves = _Moves(topology, catalog, placement, cables, lengths, prices)
    items = tuple(
        moves.best(NearMiss(int(cable), int(over[cable]), int(stock[cable]), int(saving[cable]))) for cable in order.tolist()
    )
    return NearMisses(within_mm, len(near), int(saving[near].sum()), items)


class _Prices:
    """What a cable of a given run length costs, by what it joins and the way it takes."""

    def __init__(self, topology: Topology, catalog: Catalog, cables: CablePlan, lengths: Lengths, prefer: Preference):
        self._run = cables.run_mm.astype(np.int64)
        is_endpoint = np.arange(cables.cable_count) >= topology.link_count
        shared = lengths.room.shared_ways
        self._list_of = 2 * is_endpoint + (0 if shared else cables.way)
        self._lists: dict[int, PriceList] = {}
        for number in np.unique(self._list_of).tolist():
            offered = catalog.endpoint_assemblies if number >= 2 else catalog.link_assemblies
            kept = [a for a in offered if shared or (a.medium == "optical") == bool(number % 2)]
            self._lists[number] = price_list(kept, prefer)

    def of(self, rows: np.ndarray, run_mm: np.ndarray) -> np.ndarray:
        """Return the prices of some cables at these run lengths in cents, int64."""
        price = np.zeros(len(rows), np.int64)
        for number, offers in self._lists.items():
            mine = self._list_of[rows] == number
            price[mine] = offers.price_of(run_mm[mine])
        return price

    def misses(self, within_mm: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return by how much each cable misses the shorter part, what that would save (0: none), and its length, int64 (W,)."""
        over, saving, stock = (np.zeros(len(self._run), np.int64) for _ in range(3))
        for number, offers in self._lists.items():
            mine = np.flatnonzero(self._list_of == number)
            row = np.minimum(np.searchsorted(offers.limit_mm, self._run[mine]), len(offers.limit_mm) - 1)
            before = np.maximum(row - 1, 0)
            over[mine] = self._run[mine] - offers.limit_mm[before]
            gain = offers.price_cents[row] - offers.price_cents[before]
            saving[mine] = np.where((row > 0) & (over[mine] > 0) & (over[mine] <= within_mm), np.maximum(gain, 0), 0)
            stock[mine] = offers.stock_mm[before]
        return over, saving, stock


@dataclass(frozen=True)
class _Option:
    """A move and what it saves."""

    saving_cents: int
    units: int = 0
    slot: int = -1


class _Moves:
    """Tries other units for routers and other slots for cabinets; each is tried once."""

    def __init__(
        self, topology: Topology, catalog: Catalog, placement: Placement, cables: CablePlan, lengths: Lengths, prices: _Prices
    ):
        self._topology, self._catalog, self._placement, self._cables = topology, catalog, placement, cables
        self._lengths, self._prices = lengths, prices
        self._slot = placement.slot_of[cables.cabinet].astype(np.int64)
        is_router = cables.device < topology.router_count
        self._units = np.where(is_router, catalog.router.units, catalog.endpoint.units)
        self._rear = np.where(is_router, catalog.router.rear, catalog.endpoint.rear)
        self._rows_of: dict[int, np.ndarray] = {}
        self._of_router: dict[int, _Option] = {}
        self._of_cabinet: dict[int, _Option] = {}

    def best(self, miss: NearMiss) -> NearMiss:
        """Return the near miss with the best move of a router and of a cabinet at either end."""
        devices, cabinets = self._cables.device[miss.cable].tolist(), self._cables.cabinet[miss.cable].tolist()
        by_unit = [self._router(device) if device < self._topology.router_count else _Option(0) for device in devices]
        end = int(by_unit[1].saving_cents > by_unit[0].saving_cents)
        found = replace(miss, end=end, units=by_unit[end].units, unit_saving_cents=by_unit[end].saving_cents)
        if cabinets[0] == cabinets[1]:
            return found
        by_slot = [self._cabinet(cabinet) for cabinet in cabinets]
        end = int(by_slot[1].saving_cents > by_slot[0].saving_cents)
        slot = self._lengths.room.slot_names[by_slot[end].slot] if by_slot[end].saving_cents else ""
        return replace(found, slot_end=end, slot=slot, slot_saving_cents=by_slot[end].saving_cents)

    def _router(self, router: int) -> _Option:
        """The best other place in its cabinet: a free one, or that of another router."""
        if router not in self._of_router:
            placement, height = self._placement, self._catalog.router.units
            unit, owner = int(placement.unit_of[router]), self._owners(int(placement.cabinet_of[router]))
            options = [_Option(0)]
            for place in range(1, self._catalog.cabinet.units - height + 2):
                there = set(owner[place : place + height].tolist()) - {_FREE, router}
                other = next(iter(there), None)
                if place != unit and (not there or (len(there) == 1 and other >= 0 and placement.unit_of[other] == place)):
                    moved = {router: place} | ({} if other is None else {other: unit})
                    options.append(_Option(self._by_units(moved), place - unit))
            self._of_router[router] = max(options, key=lambda option: (option.saving_cents, -abs(option.units)))
        return self._of_router[router]

    def _owners(self, cabinet: int) -> np.ndarray:
        """What stands in each unit of a cabinet: a router, `_FREE` or `_TAKEN`; int64, units counted from 1."""
        placement, catalog = self._placement, self._catalog
        owner = np.full(catalog.cabinet.units + 1, _FREE)
        for unit in np.unique(placement.endpoint_unit[placement.endpoint_cabinet == cabinet]).tolist():
            owner[unit : unit + catalog.endpoint.units] = _TAKEN
        low, high = placement.reserved_units
        owner[1 : 1 + low] = owner[len(owner) - high :] = _TAKEN
        fixed = placement.fixture_cabinet == cabinet
        height = {0: catalog.manager, 1: catalog.pdu}
        for unit, kind in zip(placement.fixture_unit[fixed].tolist(), placement.fixture_kind[fixed].tolist(), strict=True):
            owner[unit : unit + height[kind].units] = _TAKEN
        for router in np.flatnonzero(placement.cabinet_of == cabinet).tolist():
            unit = int(placement.unit_of[router])
            owner[unit : unit + catalog.router.units] = router
        return owner

    def _by_units(self, moved: dict[int, int]) -> int:
        """What moving routers to other units saves, in cents."""
        rows = np.unique(np.concatenate([self._cables_of(router) for router in moved]))
        unit, device = self._cables.unit[rows].astype(np.int64), self._cables.device[rows]
        for router, place in moved.items():
            unit[device == router] = place
        return self._saving(rows, self._slot[rows], unit, self._cables.tray_mm[rows].astype(np.int64))

    def _cables_of(self, router: int) -> np.ndarray:
        if router not in self._rows_of:
            self._rows_of[router] = np.flatnonzero((self._cables.device == router).any(axis=1))
        return self._rows_of[router]

    def _cabinet(self, cabinet: int) -> _Option:
        """The best of the nearest free slots that carry the cabinet."""
        if cabinet not in self._of_cabinet:
            room, placement = self._lengths.room, self._placement
            here = int(placement.slot_of[cabinet])
            free = np.setdiff1d(np.flatnonzero(self._carries(cabinet)), placement.slot_of)
            away = np.abs(room.slot_xy[free].astype(np.int64) - room.slot_xy[here]).sum(axis=1)
            options = [_Option(0)]
            for slot in free[np.argsort(away, kind="stable")[:_SLOTS]].tolist():
                options.append(_Option(self._by_slot(cabinet, slot), slot=slot))
            self._of_cabinet[cabinet] = max(options, key=lambda option: option.saving_cents)
        return self._of_cabinet[cabinet]

    def _carries(self, cabinet: int) -> np.ndarray:
        """Which slots have the power, the floor and the size for a cabinet, bool (S,)."""
        room, placement, catalog = self._lengths.room, self._placement, self._catalog
        routers = int((placement.cabinet_of == cabinet).sum())
        boxes = len(np.unique(placement.endpoint_unit[placement.endpoint_cabinet == cabinet]))
        power = routers * catalog.router.power_max_mw + boxes * catalog.endpoint.power_max_mw
        mass = catalog.cabinet.mass_g + routers * catalog.router.mass_g + boxes * catalog.endpoint.mass_g
        here = room.slot_size[placement.slot_of[cabinet]]
        return (room.slot_power_mw >= power) & (room.slot_load_g >= mass) & (room.slot_size >= here).all(axis=1)

    def _by_slot(self, cabinet: int, slot: int) -> int:
        """What moving a cabinet to a free slot saves, in cents."""
        leaves = self._cables.cabinet[:, 0] != self._cables.cabinet[:, 1]
        rows = np.flatnonzero((self._cables.cabinet == cabinet).any(axis=1) & leaves)
        slots = np.where(self._cables.cabinet[rows] == cabinet, slot, self._slot[rows])
        way, tray = self._cables.way[rows], np.zeros(len(rows), np.int64)
        for number, rules in enumerate(self._lengths.by_way):
            mine = way == number
            tray[mine] = rules.ways.between_mm(slots[mine, 0], slots[mine, 1])
        return self._saving(rows, slots, self._cables.unit[rows].astype(np.int64), tray)

    def _saving(self, rows: np.ndarray, slot: np.ndarray, unit: np.ndarray, tray_mm: np.ndarray) -> int:
        """What some cables cost less with their ends elsewhere, in cents; run lengths that are set by hand stay."""
        cables, units, rear = self._cables, self._units[rows], self._rear[rows]
        between, way = slot[:, 0] != slot[:, 1], cables.way[rows]
        run = np.zeros(len(rows), np.int64)
        for number, rules in enumerate(self._lengths.by_way):
            inside = rules.inside_mm(unit[:, 0], units[:, 0], unit[:, 1], units[:, 1], rear[:, 0] != rear[:, 1])
            laid = (rules.rise_mm(slot, unit, units) + rules.drop_mm[slot, rear]).sum(axis=1) + tray_mm
            length = np.where(between, laid, inside)
            mine = way == number
            run[mine] = (length + rules.slack_mm(length, between))[mine]
        run = np.where(cables.override_mm[rows] == 0, run, cables.run_mm[rows])
        before = self._prices.of(rows, cables.run_mm[rows].astype(np.int64))
        return int((before - self._prices.of(rows, run)).sum())
