"""Contents of each cabinet, and its use of the limits."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from planner.model import FEEDS, FIXTURES, Plan, Supply, pdu_loads_mw
from planner.report._names import device_names


@dataclass(frozen=True)
class Box:
    """One device of a cabinet: a router, a device with endpoints, a cable manager or a PDU that takes units.

    `plugs` names the PDUs that feed it; `number` is that of a router.
    """

    kind: str
    name: str
    unit: int
    units: int
    devices: int = 0
    plugs: str = ""
    number: int = -1


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

    `cables` are those with their first end in the cabinet, `cables_here` those with any end.
    `reserved` are the units kept free at the bottom and at the top, `pdus` the PDUs of each feed.
    """

    number: int
    name: str
    row: str
    slot: int
    units: int
    boxes: tuple[Box, ...]
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

    def count(self, kind: str) -> int:
        """Return the number of routers or endpoints."""
        return sum(box.devices for box in self.boxes if box.kind == kind)

    @property
    def used_units(self) -> int:
        return sum(box.units for box in (*self.boxes, *self.fixtures))

    @property
    def free(self) -> list[tuple[int, int]]:
        """Lowest unit and number of units of every gap for blanking panels, from the bottom up."""
        taken = {unit for box in (*self.boxes, *self.fixtures) for unit in range(box.unit, box.unit + box.units)}
        bottom, top = self.reserved
        free = [unit for unit in range(1 + bottom, self.units - top + 1) if unit not in taken]
        return [(low, high - low + 1) for low, high in _runs(free)] if free else []

    @property
    def share(self) -> float:
        """Share of the rack units in use."""
        return self.used_units / self.units


def cabinets(plan: Plan) -> list[Cabinet]:
    """Return the cabinets in the order of their slots, which is the order on paper."""
    placement, catalog, room = plan.placement, plan.catalog, plan.room
    boxes, fixtures, pdus = _boxes(plan), _fixtures(plan), _pdus(plan)
    first_ends = here = np.zeros(placement.cabinet_count, int)
    if plan.cables is not None:
        first, second = plan.cables.cabinet.T
        first_ends = np.bincount(first, minlength=placement.cabinet_count)
        here = first_ends + np.bincount(second[first != second], minlength=placement.cabinet_count)
    found = []
    for number in np.argsort(placement.slot_of, kind="stable").tolist():
        slot = int(placement.slot_of[number])
        parts = [catalog.router if box.kind == "router" else catalog.endpoint for box in boxes[number]]
        mass_g = sum(part.mass_g for part in parts)
        if catalog.manager is not None:
            mass_g += sum(box.kind == "cable manager" for box in fixtures[number]) * catalog.manager.mass_g
        if catalog.pdu is not None:
            mass_g += sum(len(feed) for feed in pdus[number]) * catalog.pdu.mass_g
        found.append(
            Cabinet(
                number=number,
                name=room.slot_names[slot],
                row=room.row_names[room.slot_row[slot]],
                slot=slot,
                units=catalog.cabinet.units,
                boxes=tuple(boxes[number]),
                cables=int(first_ends[number]),
                cables_here=int(here[number]),
                power_typical_mw=sum(part.power_typical_mw for part in parts),
                power_max_mw=sum(part.power_max_mw for part in parts),
                power_limit_mw=int(room.slot_power_mw[slot]),
                mass_g=mass_g,
                load_limit_g=catalog.cabinet.load_g,
                total_g=mass_g + catalog.cabinet.mass_g,
                floor_limit_g=int(room.slot_load_g[slot]),
                fixtures=tuple(fixtures[number]),
                reserved=placement.reserved_units,
                pdus=pdus[number],
            )
        )
    return found


def _boxes(plan: Plan) -> dict[int, list[Box]]:
    """Return the devices of each cabinet, top to bottom."""
    placement, catalog, names = plan.placement, plan.catalog, device_names(plan)
    supply = Supply.of(placement, catalog)
    plugs, endpoint_plugs = ([_plugs(pdu) for pdu in pdus.tolist()] for pdus in (supply.router_pdu, supply.endpoint_pdu))
    boxes: dict[int, list[Box]] = defaultdict(list)
    for router, (cabinet, unit) in enumerate(zip(placement.cabinet_of.tolist(), placement.unit_of.tolist(), strict=True)):
        boxes[cabinet].append(Box("router", names[router], unit, catalog.router.units, 1, plugs[router], router))
    inside: dict[tuple[int, int], list[int]] = defaultdict(list)
    places = zip(placement.endpoint_cabinet.tolist(), placement.endpoint_unit.tolist(), strict=True)
    for endpoint, place in enumerate(places):
        inside[place].append(endpoint)
    first = plan.topology.router_count
    for (cabinet, unit), content in inside.items():
        name = ", ".join(_span(names[first + low], names[first + high]) for low, high in _runs(content))
        boxes[cabinet].append(Box("endpoint", name, unit, catalog.endpoint.units, len(content), endpoint_plugs[content[0]]))
    for content in boxes.values():
        content.sort(key=lambda box: (-box.unit, box.name))
    return boxes


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


def _pdus(plan: Plan) -> list[tuple[tuple[Pdu, ...], ...]]:
    """Return the PDUs of each feed of every cabinet."""
    normal, alone = pdu_loads_mw(plan.placement, plan.catalog)
    limit_mw = plan.catalog.pdu.limit_mw if plan.catalog.pdu else 0
    return [
        tuple(
            tuple(Pdu(f"{FEEDS[feed]}{place + 1}", *loads, limit_mw) for place, loads in enumerate(zip(*both, strict=True)))
            for feed, both in enumerate(zip(*of_cabinet, strict=True))
        )
        for of_cabinet in zip(normal.tolist(), alone.tolist(), strict=True)
    ]


def _plugs(pdus: list[int]) -> str:
    return " ".join(f"{FEEDS[feed]}{pdu + 1}" for feed, pdu in enumerate(pdus) if pdu >= 0)


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
