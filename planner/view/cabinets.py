"""Contents of each cabinet, and its use of the limits."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache, partial
from itertools import pairwise

import numpy as np

from planner.domain.model import FEEDS, FIXTURES, Plan, pdu_loads_mw, pdus, stated
from planner.domain.parts import EndpointPart, FacilityPart, RouterPart
from planner.view.names import device_names

OTHERS = "equipment of others"
"""Kind of boxes that are not part of the plan."""


@dataclass(frozen=True)
class Box:
    """One box of a cabinet: a router, a node, a chassis of nodes, a cable manager or a PDU that takes units.

    `role` and `part` are those of its devices, `device` is the first of them, and `plugs` names the PDUs that feed it.
    The role of a fixture is its kind; it has no part and no device.
    """

    role: str
    name: str
    unit: int
    units: int
    part: RouterPart | EndpointPart | FacilityPart | None = None
    device: int = -1
    plugs: str = ""

    @property
    def kind(self) -> str:
        """Kind in drawings: router, endpoint for boxes of nodes, PDU for all that feeds or cools, or that of the fixture."""
        if self.part is None:
            return self.role
        if isinstance(self.part, FacilityPart):
            return "PDU"
        return "router" if isinstance(self.part, RouterPart) else "endpoint"


@dataclass(frozen=True)
class Pdu:
    """One PDU: load with all feeds up, load after the other feed fails, and continuous rating."""

    name: str
    normal_mw: int
    alone_mw: int
    limit_mw: int


@dataclass(frozen=True)
class Cabinet:
    """One cabinet; power is that of its devices, mass that of all its contents, `total_g` includes the empty cabinet.

    `others` is equipment of others in it; `others_mw` and `others_g` are its power and mass, not part of the other sums.

    `cables` are those with their first end in the cabinet, `cables_here` those with any end.
    `reserved` are the units kept free at the bottom and at the top, `pdus` the PDUs of each feed.
    """

    number: int
    name: str
    row: str
    slot: int
    units: int
    boxes: tuple[Box, ...]
    routers: int
    endpoints: int
    cables: int
    cables_here: int
    power_typical_mw: int
    power_max_mw: int
    power_limit_mw: int
    mass_g: int
    load_limit_g: int
    total_g: int
    floor_limit_g: int
    fixtures: tuple[Box, ...] = ()
    reserved: tuple[int, int] = (0, 0)
    pdus: tuple[tuple[Pdu, ...], ...] = ()
    others: tuple[Box, ...] = ()
    others_mw: int = 0
    others_g: int = 0

    @property
    def nodes(self) -> int:
        """Number of nodes of a plan whose boxes are nodes."""
        return sum(box.kind == "endpoint" for box in self.boxes)

    @property
    def upright(self) -> list[Box]:
        """Devices that take no units: they are upright at the side."""
        return [box for box in self.boxes if not box.units]

    @property
    def used_units(self) -> int:
        return sum(box.units for box in (*self.boxes, *self.fixtures))

    @property
    def free(self) -> list[tuple[int, int]]:
        """Lowest unit and number of units of every gap for blanking panels, from the bottom up."""
        taken = {unit for box in (*self.boxes, *self.fixtures, *self.others) for unit in range(box.unit, box.unit + box.units)}
        bottom, top = self.reserved
        free = [unit for unit in range(1 + bottom, self.units - top + 1) if unit not in taken]
        return [(low, high - low + 1) for low, high in _runs(free)] if free else []

    @property
    def share(self) -> float:
        """Share of the rack units in use."""
        return self.used_units / self.units


@lru_cache(maxsize=1)
def cabinets(plan: Plan) -> tuple[Cabinet, ...]:
    """Return the cabinets in the order of their slots, which is the order on paper."""
    inventory, placement, catalog, room = plan.inventory, plan.placement, plan.catalog, plan.room
    boxes, fixtures, supplies = _boxes(plan), _fixtures(plan), _supplies(plan)
    count = partial(np.bincount, minlength=placement.cabinet_count)
    routers = count(placement.cabinet[inventory.is_router])
    endpoints = count(placement.cabinet[inventory.ends[inventory.is_endpoint, 1]])
    typical_mw, max_mw, mass = (
        placement.by_cabinet(inventory.of_part(name)).tolist() for name in ("power_typical_mw", "power_max_mw", "mass_g")
    )
    others_mw, others_g = (room.existing.in_slots(name, room.slot_count).tolist() for name in ("power_mw", "mass_g"))
    first_ends = here = np.zeros(placement.cabinet_count, int)
    if plan.cables is not None:
        first, second = plan.cables.cabinet.T
        first_ends = count(first)
        here = first_ends + count(second[first != second])
    framed, fitted = placement.framed(inventory).tolist(), placement.fitted_pdus(inventory, catalog)
    found = []
    for number in np.argsort(placement.slot_of, kind="stable").tolist():
        slot = int(placement.slot_of[number])
        mass_g = mass[number]
        if catalog.manager is not None:
            mass_g += sum(box.kind == "cable manager" for box in fixtures[number]) * catalog.manager.mass_g
        if catalog.pdu is not None:
            mass_g += int(fitted[number]) * catalog.pdu.mass_g
        found.append(
            Cabinet(
                number=number,
                name=room.slot_names[slot],
                row=room.row_names[room.slot_row[slot]],
                slot=slot,
                units=catalog.cabinet.units,
                boxes=tuple(boxes[number]),
                routers=int(routers[number]),
                endpoints=int(endpoints[number]),
                cables=int(first_ends[number]),
                cables_here=int(here[number]),
                power_typical_mw=typical_mw[number],
                power_max_mw=max_mw[number],
                power_limit_mw=stated(int(room.slot_power_mw[slot])),
                mass_g=mass_g,
                load_limit_g=catalog.cabinet.load_g,
                total_g=mass_g + catalog.cabinet.mass_g * framed[number],
                floor_limit_g=stated(int(room.slot_load_g[slot])),
                fixtures=tuple(fixtures[number]),
                reserved=placement.reserved_units,
                pdus=supplies[number],
                others=tuple(_others(plan, slot)),
                others_mw=others_mw[slot],
                others_g=others_g[slot],
            )
        )
    return tuple(found)


def _others(plan: Plan, slot: int) -> Iterator[Box]:
    """Yield the equipment of others in a cabinet, top to bottom."""
    own = [each for each in plan.room.existing.equipment if each.slot == slot and each.units]
    for each in sorted(own, key=lambda each: -each.low_unit):
        yield Box(OTHERS, each.name, each.low_unit, each.units)


def _boxes(plan: Plan) -> dict[int, list[Box]]:
    """Return the boxes of each cabinet, top to bottom."""
    inventory, placement, names, fed = plan.inventory, plan.placement, device_names(plan), plugs(plan)
    boxes: dict[int, list[Box]] = defaultdict(list)
    for devices in devices_by_box(plan):
        first = devices[0]
        part, role = inventory.part_of(first), inventory.role_names[inventory.role[first]]
        name = ", ".join(_span(names[low], names[high]) for low, high in _runs(devices))
        box = Box(role, name, int(placement.unit[first]), part.units, part, first, fed[first])
        boxes[int(placement.cabinet[first])].append(box)
    for content in boxes.values():
        content.sort(key=lambda box: (-box.unit, box.name))
    return boxes


def devices_by_box(plan: Plan) -> list[list[int]]:
    """Return the devices of each box."""
    box = plan.placement.box
    order = np.argsort(box, kind="stable").tolist()
    ends = [0, *np.cumsum(np.bincount(box)).tolist()]
    return [order[start:end] for start, end in pairwise(ends)]


def plugs(plan: Plan) -> list[str]:
    """Return the PDUs that feed each device as text: ``"A1 B1"``."""
    return [
        " ".join(f"{FEEDS[feed]}{pdu + 1}" for feed, pdu in enumerate(pair) if pdu >= 0)
        for pair in pdus(plan.inventory, plan.placement).tolist()
    ]


def _fixtures(plan: Plan) -> dict[int, list[Box]]:
    """Return the cable managers and PDUs that take units, by cabinet."""
    placement, catalog = plan.placement, plan.catalog
    parts = {"cable manager": catalog.manager, "PDU": catalog.pdu}
    found: dict[int, list[Box]] = defaultdict(list)
    rows = zip(placement.fixture_kind.tolist(), placement.fixture_cabinet.tolist(), placement.fixture_unit.tolist(), strict=True)
    for number, cabinet, unit in rows:
        kind = FIXTURES[number]
        found[cabinet].append(Box(kind, kind, unit, parts[kind].units if parts[kind] else 1))
    return found


def _supplies(plan: Plan) -> list[tuple[tuple[Pdu, ...], ...]]:
    """Return the PDUs of each feed of every cabinet."""
    normal, failed = pdu_loads_mw(plan.inventory, plan.placement)
    framed = plan.placement.framed(plan.inventory).tolist()
    limit_mw = plan.catalog.pdu.limit_mw if plan.catalog.pdu else 0
    return [
        tuple(
            tuple(Pdu(f"{FEEDS[feed]}{n}", load, alone, limit_mw) for n, (load, alone) in enumerate(zip(*both, strict=True), 1))
            for feed, both in enumerate(zip(*of_cabinet, strict=True) if with_pdus else ())
        )
        for with_pdus, *of_cabinet in zip(framed, normal.tolist(), failed.tolist(), strict=True)
    ]


def _span(low: str, high: str) -> str:
    return low if low == high else f"{low}–{high}"


def _runs(numbers: list[int]) -> list[tuple[int, int]]:
    """Return the first and last of each run of consecutive numbers.

    >>> _runs([1, 2, 3, 7])
    [(1, 3), (7, 7)]
    """
    breaks = [i for i, (low, high) in enumerate(pairwise(numbers), 1) if high != low + 1]
    starts = [0, *breaks]
    ends = [*breaks, len(numbers)]
    return [(numbers[start], numbers[end - 1]) for start, end in zip(starts, ends, strict=True)]
