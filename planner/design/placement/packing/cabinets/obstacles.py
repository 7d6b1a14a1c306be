"""Cabinets in which equipment of others, or devices that must not move, take rack units."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby
from typing import NamedTuple

import numpy as np

from planner.core.errors import Infeasible
from planner.design.placement.model.layout import router_of
from planner.design.placement.packing.cabinets.interior import Interior, Stack
from planner.domain.model import FIXTURES, Catalog, FixedDevice, Room


@dataclass(frozen=True)
class Obstacle:
    """What takes units of one cabinet: units of others, and devices that must not move, by number with their lowest unit."""

    name: str
    taken: frozenset[int]
    fixed: Mapping[int, int] = field(default_factory=dict)


def obstacle_in(room: Room, slot: int, number_of: Callable[[FixedDevice], int | None] = router_of) -> Obstacle:
    """Return what takes units in a slot; `number_of` gives numbers of devices, by default of routers of a plan of one network."""
    own = (each for each in room.existing.fixed if each.slot == slot)
    found = ((number_of(each), each.unit) for each in own)
    fixed = {number: unit for number, unit in found if number is not None}
    return Obstacle(room.slot_names[slot], room.existing.units_in(slot), fixed)


def obstacles_of(room: Room, slot_of: np.ndarray) -> dict[int, Obstacle]:
    """Return what takes units in each cabinet in which anything does."""
    known = {*room.existing.shared, *(each.slot for each in room.existing.fixed)}
    slots = {slot: cabinet for cabinet, slot in enumerate(slot_of.tolist())}
    return {slots[slot]: obstacle_in(room, slot) for slot in sorted(known & slots.keys())}


def lost_units(room: Room, catalog: Catalog, interior: Interior) -> np.ndarray:
    """Return the rack units of each slot that the plan cannot use, int64 (S,): in use, too small a gap, or kept free."""
    lost = np.full(room.slot_count, room.existing.keep_free.of("units", catalog.cabinet.units))
    if catalog.router is None:
        # Cabinets whose content the study fixes are fitted one by one, see `planner.design.placement.racks.around`.
        return lost
    low, high = interior.span(catalog)
    tallest = max(part.units for part in (catalog.router, catalog.endpoint, catalog.manager, catalog.pdu) if part is not None)
    for slot in {*room.existing.shared, *(each.slot for each in room.existing.fixed)}:
        obstacle = obstacle_in(room, slot)
        shelf = Shelf.of(interior, catalog, obstacle)
        for unit in obstacle.fixed.values():
            shelf.take(unit, catalog.router_part.units)
        # Boxes of all heights that divide the tallest fill such gaps without waste.
        usable = sum(len(gap) // tallest * tallest for gap in shelf.gaps()) + len(obstacle.fixed) * catalog.router_part.units
        pdus = interior.pdu_count(catalog) * catalog.pdu.units if catalog.pdu else 0
        lost[slot] += max(0, high - low + 1 - (usable - pdus))
    return lost


class Waiting(NamedTuple):
    """A box or fixture without units: its array in `Stack` and its number there, its height, and whether it starts at the top."""

    array: str
    number: int
    height: int
    top: bool


class Shelf:
    """The free rack units of one cabinet."""

    def __init__(self, name: str, free: set[int]):
        self._name, self._free = name, free

    @classmethod
    def of(cls, interior: Interior, catalog: Catalog, obstacle: Obstacle) -> Shelf:
        """Return the units that are neither reserved nor taken by others."""
        units = range(1 + interior.reserve_bottom_units, catalog.cabinet.units - interior.reserve_top_units + 1)
        return cls(obstacle.name, set(units) - obstacle.taken)

    def take(self, unit: int, height: int) -> None:
        """Take some units, free or not."""
        self._free -= set(range(unit, unit + height))

    def is_free(self, unit: int, height: int) -> bool:
        """Return whether all units of a box are free."""
        return self._free.issuperset(range(unit, unit + height))

    def place(self, height: int, *, top: bool) -> int:
        """Take the highest or lowest gap for a box, and return its lowest unit.

        Raises
        ------
        Infeasible
            When no gap is high enough.
        """
        if not height:
            return 0
        for unit in sorted(self._free, reverse=top):
            if self.is_free(unit, height):
                self.take(unit, height)
                return unit
        raise Infeasible(
            f"cabinet {self._name}: no gap of {height} units is left by the equipment and devices that must not move"
        )

    def places(self, waiting: Sequence[Waiting]) -> dict[tuple[str, int], int]:
        """Return the lowest unit of each box, by array and number: the first gap for each, in order or tall ones first.

        Raises
        ------
        Infeasible
            When neither order leaves a gap for every box.
        """
        try:
            return self._in_turn(waiting)
        except Infeasible:
            return self._in_turn(sorted(waiting, key=lambda one: -one.height))

    def _in_turn(self, waiting: Sequence[Waiting]) -> dict[tuple[str, int], int]:
        shelf = Shelf(self._name, set(self._free))
        return {(one.array, one.number): shelf.place(one.height, top=one.top) for one in waiting}

    def gaps(self) -> Iterator[list[int]]:
        """Yield the runs of free units, ascending."""
        for _, run in groupby(enumerate(sorted(self._free)), lambda pair: pair[1] - pair[0]):
            yield [unit for _, unit in run]


def stacked_around(
    stack: Stack,
    obstacles: Mapping[int, Obstacle],
    catalog: Catalog,
    interior: Interior,
    cabinet_of: np.ndarray,
    box_cabinet: np.ndarray,
) -> Stack:
    """Return the rack units with those of cabinets with obstacles assigned again: each box takes the first gap that holds it.

    Parameters
    ----------
    stack
        Rack units without regard to obstacles.
    cabinet_of, box_cabinet
        Cabinet of each router, int64 (R,), and of each endpoint box, int64 (b,).
    """
    if not obstacles:
        return stack
    arrays = {name: getattr(stack, name).copy() for name in ("unit_of", "box_unit", "fixture_unit")}
    for cabinet, obstacle in obstacles.items():
        shelf = Shelf.of(interior, catalog, obstacle)
        routers = np.flatnonzero(cabinet_of == cabinet).tolist()
        # Nodes of a kept plan are placed by `planner.design.placement.model.kept`.
        for router in obstacle.fixed.keys() & set(routers):
            arrays["unit_of"][router] = obstacle.fixed[router]
            shelf.take(obstacle.fixed[router], catalog.router_part.units)
        free = [router for router in routers if router not in obstacle.fixed]
        boxes = np.flatnonzero(box_cabinet == cabinet).tolist()
        waiting = [*_waiting(stack, cabinet, catalog, interior, free, boxes)]
        for (name, number), unit in shelf.places(waiting).items():
            arrays[name][number] = unit
    return replace(stack, **arrays)


def _waiting(
    stack: Stack, cabinet: int, catalog: Catalog, interior: Interior, routers: list[int], boxes: list[int]
) -> Iterator[Waiting]:
    """Yield what takes units of a cabinet, in the order of its choice: PDUs, managers with their routers, endpoint boxes."""
    managers, pdus = (
        np.flatnonzero((stack.fixture_cabinet == cabinet) & (stack.fixture_kind == FIXTURES.index(kind))).tolist()
        for kind in ("cable manager", "PDU")
    )
    manager_units = catalog.manager.units if catalog.manager else 0
    pdu_units = catalog.pdu.units if catalog.pdu else 0
    top, per = interior.routers_at != "bottom", interior.routers_per_manager
    yield from (Waiting("fixture_unit", fixture, pdu_units, top=False) for fixture in pdus)
    for number, router in enumerate(routers):
        if managers and number % per == 0:
            yield Waiting("fixture_unit", managers.pop(0), manager_units, top)
        yield Waiting("unit_of", router, catalog.router_part.units, top)
    # Managers of routers that must not move.
    yield from (Waiting("fixture_unit", fixture, manager_units, top) for fixture in managers)
    yield from (Waiting("box_unit", box, catalog.endpoint_part.units, top) for box in boxes)
