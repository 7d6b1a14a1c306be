"""What stands in each cabinet, and how close that comes to the limits."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from planner.model import Plan
from planner.report._schedule import device_names


@dataclass(frozen=True)
class Box:
    """One box of a cabinet: a router, or a box that holds endpoints."""

    kind: str
    name: str
    unit: int
    units: int
    devices: int


@dataclass(frozen=True)
class Cabinet:
    """One cabinet; power and mass are those of its boxes, `total_g` includes the empty cabinet."""

    number: int
    name: str
    row: str
    slot: int
    units: int
    boxes: tuple[Box, ...]
    cables: int
    power_typical_mw: int
    power_max_mw: int
    power_limit_mw: int
    mass_g: int
    load_limit_g: int
    total_g: int
    floor_limit_g: int

    def count(self, kind: str) -> int:
        """Return the number of routers or endpoints."""
        return sum(box.devices for box in self.boxes if box.kind == kind)

    @property
    def used_units(self) -> int:
        return sum(box.units for box in self.boxes)

    @property
    def share(self) -> float:
        """Share of the rack units in use."""
        return self.used_units / self.units


def cabinets(plan: Plan) -> list[Cabinet]:
    """Return the cabinets in the order of their slots, which is the order on paper."""
    placement, catalog, room = plan.placement, plan.catalog, plan.room
    boxes = _boxes(plan)
    first_ends = np.zeros(placement.cabinet_count, int)
    if plan.cables is not None:
        first_ends = np.bincount(plan.cables.cabinet[:, 0], minlength=placement.cabinet_count)
    found = []
    for number in np.argsort(placement.slot_of, kind="stable").tolist():
        slot = int(placement.slot_of[number])
        parts = [catalog.router if box.kind == "router" else catalog.endpoint for box in boxes[number]]
        mass_g = sum(part.mass_g for part in parts)
        found.append(
            Cabinet(
                number=number,
                name=room.slot_names[slot],
                row=room.row_names[room.slot_row[slot]],
                slot=slot,
                units=catalog.cabinet.units,
                boxes=tuple(boxes[number]),
                cables=int(first_ends[number]),
                power_typical_mw=sum(part.power_typical_mw for part in parts),
                power_max_mw=sum(part.power_max_mw for part in parts),
                power_limit_mw=int(room.slot_power_mw[slot]),
                mass_g=mass_g,
                load_limit_g=catalog.cabinet.load_g,
                total_g=mass_g + catalog.cabinet.mass_g,
                floor_limit_g=int(room.slot_load_g[slot]),
            )
        )
    return found


def _boxes(plan: Plan) -> dict[int, list[Box]]:
    """The boxes of each cabinet, top to bottom."""
    placement, catalog, names = plan.placement, plan.catalog, device_names(plan)
    boxes: dict[int, list[Box]] = defaultdict(list)
    for router, (cabinet, unit) in enumerate(zip(placement.cabinet_of.tolist(), placement.unit_of.tolist(), strict=True)):
        boxes[cabinet].append(Box("router", names[router], unit, catalog.router.units, 1))
    inside: dict[tuple[int, int], list[int]] = defaultdict(list)
    places = zip(placement.endpoint_cabinet.tolist(), placement.endpoint_unit.tolist(), strict=True)
    for endpoint, place in enumerate(places):
        inside[place].append(endpoint)
    first = plan.topology.router_count
    for (cabinet, unit), content in inside.items():
        name = ", ".join(_span(names[first + low], names[first + high]) for low, high in _runs(content))
        boxes[cabinet].append(Box("endpoint", name, unit, catalog.endpoint.units, len(content)))
    for content in boxes.values():
        content.sort(key=lambda box: (-box.unit, box.name))
    return boxes


def _span(low: str, high: str) -> str:
    return low if low == high else f"{low}–{high}"


def _runs(numbers: list[int]) -> list[tuple[int, int]]:
    """First and last of each run of consecutive numbers.

    >>> _runs([1, 2, 3, 7])
    [(1, 3), (7, 7)]
    """
    breaks = [i for i, (low, high) in enumerate(pairwise(numbers), 1) if high != low + 1]
    starts = [0, *breaks]
    ends = [*breaks, len(numbers)]
    return [(numbers[start], numbers[end - 1]) for start, end in zip(starts, ends, strict=True)]
