"""Nodes of a plan of one network in the rack units where they are built; other boxes of these cabinets fill the gaps."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace

import numpy as np

from planner.core.errors import Infeasible
from planner.design.placement.packing import Interior
from planner.design.placement.packing.cabinets.obstacles import Obstacle, Shelf
from planner.domain.model import FIXTURES, Catalog, Inventory, Placement, Room


def in_their_units(placed: Placement, inventory: Inventory, catalog: Catalog, room: Room, interior: Interior) -> Placement:
    """Return the placement with every device that must not move in its rack unit.

    Raises
    ------
    Infeasible
        When such a node is not in its cabinet, or the other boxes of a cabinet do not fit around them.
    """
    fixed = room.existing.fixed_among(inventory.names.tolist())
    slot, nodes = placed.slot, [number for number in fixed if number >= inventory.router_count]
    if away := [number for number in nodes if slot[number] != fixed[number].slot]:
        first = fixed[away[0]]
        raise Infeasible(
            f"{len(away):,} nodes of the kept plan would leave their cabinets, such as {first.name} in "
            f"{room.slot_names[first.slot]}: name their routers in [keep] frozen, so that they stay as well"
        )
    unit, fixture = placed.unit.astype(np.int64), placed.fixture_unit.astype(np.int64)
    heights, per_box = inventory.of_part("units"), np.array(inventory.per_box)[inventory.part]
    parts = {FIXTURES.index("cable manager"): catalog.manager, FIXTURES.index("PDU"): catalog.pdu}
    for cabinet in sorted({int(placed.cabinet[number]) for number in nodes}):
        name, here = room.slot_names[placed.slot_of[cabinet]], int(placed.slot_of[cabinet])
        shelf = Shelf.of(interior, catalog, Obstacle(name, room.existing.units_in(here)))
        own = np.flatnonzero(placed.cabinet == cabinet).tolist()
        boxes: dict[int, list[int]] = defaultdict(list)
        for number in (number for number in own if number in fixed):
            if not boxes[unit_of := fixed[number].unit]:
                shelf.take(unit_of, int(heights[number]))
            boxes[unit_of].append(number)
            unit[number] = unit_of
        waiting = [(False, int(n), int(placed.fixture_kind[n])) for n in np.flatnonzero(placed.fixture_cabinet == cabinet)]
        new = [number for number in own if number not in fixed]
        for number in (number for number in new if number >= inventory.router_count):
            # New nodes first fill boxes that have a place left.
            open_box = next((at for at, some in boxes.items() if _fits(number, some, inventory, per_box)), None)
            if open_box is not None:
                boxes[open_box].append(number)
                unit[number] = open_box
        left = [number for number in new if number < inventory.router_count]
        rest = [n for n in new if n >= inventory.router_count and not any(n in some for some in boxes.values())]
        groups = [rest[at : at + int(per_box[rest[0]])] for at in range(0, len(rest), int(per_box[rest[0]]))] if rest else []
        for _, number, kind in waiting:
            height = part.units if (part := parts[kind]) is not None else 1
            fixture[number] = _unit(shelf, int(fixture[number]), height, top=FIXTURES[kind] == "cable manager")
        for number in left:
            unit[number] = _unit(shelf, int(unit[number]), int(heights[number]), top=interior.routers_at != "bottom")
        for group in groups:
            unit[group] = _unit(shelf, int(unit[group[0]]), int(heights[group[0]]), top=False)
    return replace(placed, unit=unit, fixture_unit=fixture)


def _fits(number: int, box: list[int], inventory: Inventory, per_box: np.ndarray) -> bool:
    """Return whether a node fits into a box with others of its part."""
    return inventory.part[number] == inventory.part[box[0]] and len(box) < int(per_box[number])


def _unit(shelf: Shelf, unit: int, height: int, *, top: bool) -> int:
    """Take the units of a box: its own if they are free, otherwise the first gap."""
    if not shelf.is_free(unit, height):
        return shelf.place(height, top=top)
    shelf.take(unit, height)
    return unit
