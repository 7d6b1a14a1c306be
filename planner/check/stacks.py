"""Rules of rack units where a study fixes the content of cabinets: devices are stacked where its tables want them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

import numpy as np

from planner.check.basis.boxes import pdus_of_feeds
from planner.check.basis.existing import fixed_devices, units_in_use
from planner.check.basis.places import cabinet_name, device_name, unequal, unlike
from planner.check.basis.rule import rule
from planner.check.basis.tables import has_tables, kinds
from planner.domain.model import FIXTURES, Plan, Violation

Stack = list[tuple[int | None, int]]
"""Devices from the bottom up, each with its height in units; None for a cable manager."""

Fixture = tuple[int, int, int]
"""Cabinet, lowest unit and kind of a fixture."""


@rule(9)
def devices_at_their_units(plan: Plan) -> Iterator[Violation]:
    """In filled cabinets devices are at the units of their tables, in the middle, or next to each other from one end.

    Where equipment of others or devices that must not move take units, the other boxes are in these units if they are free, and
    otherwise in the gaps, tall ones first.
    """
    if not has_tables(plan):
        return
    placement, catalog, rule = plan.placement, plan.catalog, "devices_at_their_units"
    interior = plan.study["placement"]["interior"]
    per_pdu = catalog.pdu.units if catalog.pdu else 0
    pdus = len(interior["feeds"].split("+")) * interior["pdus_per_feed"] if per_pdu else 0
    bottom = interior["reserve_bottom_units"]
    span = range(bottom + pdus * per_pdu + 1, catalog.cabinet.units - interior["reserve_top_units"] + 1)
    wanted = np.zeros(plan.inventory.device_count, np.int64)
    fixtures: list[Fixture] = []
    fitted = pdus_of_feeds(plan)
    for cabinet in range(placement.cabinet_count):
        free, managers = set(span), []
        for at, stack in _stacks(plan, cabinet, wanted):
            unit = _lowest(at, sum(units for _, units in stack), free, span)
            for device, units in stack:
                if device is None:
                    managers.append((cabinet, unit, FIXTURES.index("cable manager")))
                else:
                    wanted[device] = unit
                free -= set(range(unit, unit + units))
                unit += units
        own = [(cabinet, bottom + 1 + n * per_pdu, FIXTURES.index("PDU")) for n in range(int(fitted[cabinet]) if per_pdu else 0)]
        fixtures += _around(plan, cabinet, wanted, managers + own)
    yield from unequal(rule, placement.unit, wanted, lambda n: device_name(plan, n), "is at another unit", "unit")
    columns = (getattr(placement, f"fixture_{name}").tolist() for name in ("cabinet", "unit", "kind"))
    have = list(zip(*columns, strict=True))
    for cabinet in range(placement.cabinet_count):
        one, two = (sorted(each for each in some if each[0] == cabinet) for some in (have, fixtures))
        yield from unlike(rule, cabinet_name(plan, cabinet), one, two, "cable managers and PDUs are at other units")


def _stacks(plan: Plan, cabinet: int, wanted: np.ndarray) -> list[tuple[str | int, Stack]]:
    """Return what a cabinet holds, in the order of its choice of units; upright devices get theirs at once."""
    by_place: dict[str | int, dict[bool, list[tuple[int, int]]]] = defaultdict(lambda: {True: [], False: []})
    upright = []
    for kind in kinds(plan):
        for device in kind.devices[plan.placement.cabinet[kind.devices] == cabinet].tolist():
            units = plan.inventory.part_of(device).units
            if units:
                by_place[kind.at][bool(kind.network)].append((device, units))
            else:
                upright.append(device)
    for number, device in enumerate(sorted(upright)):
        wanted[device] = -number
    manager, per = plan.catalog.manager, plan.study["placement"]["interior"]["routers_per_manager"]
    found: list[tuple[str | int, Stack]] = []
    fixed: list[str | int] = sorted(at for at in by_place if isinstance(at, int))
    for at in [*fixed, "middle", "top", "bottom"]:
        single: list[Stack] = []
        if at in by_place:
            routers, nodes = sorted(by_place[at][True]), sorted(by_place[at][False])
            for first in range(0, len(routers), per) if manager else ():
                single.append([*routers[first : first + per][::-1], (None, manager.units)])
            single += [[device] for device in ([] if manager else routers) + nodes]
        joined = at == "middle" or not isinstance(at, str)
        if joined:
            single = [[one for stack in single for one in stack]] if single else []
        found += [(at, stack) for stack in single]
    return found


def _around(plan: Plan, cabinet: int, wanted: np.ndarray, fixtures: list[Fixture]) -> list[Fixture]:
    """Return the fixtures of a cabinet, and enter the units of its devices, around what takes units there already."""
    slot, interior = int(plan.placement.slot_of[cabinet]), plan.study["placement"]["interior"]
    taken = units_in_use(plan.room).get(slot, set())
    fixed = {number: each.unit for each, number in fixed_devices(plan) if number is not None and each.slot == slot}
    fixed = {number: unit for number, unit in fixed.items() if plan.placement.cabinet[number] == cabinet}
    if not taken and not fixed:
        return fixtures
    devices = np.flatnonzero(plan.placement.cabinet == cabinet).tolist()
    heights = plan.inventory.of_part("units").tolist()
    parts = {FIXTURES.index("cable manager"): plan.catalog.manager, FIXTURES.index("PDU"): plan.catalog.pdu}
    boxes = [(int(wanted[number]), heights[number], number < plan.inventory.router_count) for number in devices]
    boxes += [
        (unit, parts[kind].units if parts[kind] else 1, kind == FIXTURES.index("cable manager")) for _, unit, kind in fixtures
    ]
    stays = [fixed.get(number) for number in devices] + [None] * len(fixtures)
    span = range(1 + interior["reserve_bottom_units"], plan.catalog.cabinet.units - interior["reserve_top_units"] + 1)
    found = _fitted(boxes, stays, set(span) - taken, True) or _fitted(boxes, stays, set(span) - taken, False)
    if found is None:
        return fixtures
    wanted[devices] = found[: len(devices)]
    return [(cabinet, unit, kind) for unit, (_, _, kind) in zip(found[len(devices) :], fixtures, strict=True)]


def _fitted(boxes: list[tuple[int, int, bool]], stays: list[int | None], free: set[int], keep: bool) -> list[int] | None:
    """Return the lowest units of boxes with a wanted unit, a height, and whether they go to the top; None if one does not fit."""
    found = [unit if height else wanted for unit, (wanted, height, _) in zip(stays, boxes, strict=True)]
    waiting = []
    for number, unit in enumerate(stays):
        if unit is not None:
            free = free - set(range(unit, unit + boxes[number][1]))
    for number, (wanted, height, _) in enumerate(boxes):
        if found[number] is None and keep and free.issuperset(range(wanted, wanted + height)):
            found[number], free = wanted, free - set(range(wanted, wanted + height))
        elif found[number] is None:
            waiting.append(number)
    for number in sorted(waiting, key=lambda number: (-boxes[number][1], -boxes[number][0])):
        _, height, top = boxes[number]
        options = [low for low in sorted(free, reverse=top) if free.issuperset(range(low, low + height))]
        if not options:
            return None
        found[number], free = options[0], free - set(range(options[0], options[0] + height))
    return [int(unit) for unit in found if unit is not None]


def _lowest(at: str | int, units: int, free: set[int], span: range) -> int:
    """Return the lowest of the units that a stack takes; 0 if it does not fit."""
    options = [low for low in span if all(unit in free for unit in range(low, low + units))]
    if not isinstance(at, str):
        return at if at in options else 0
    if at == "middle":
        center = span.start + (len(span) - units) // 2
        options.sort(key=lambda low: (abs(low - center), low))
    return (options[-1] if at == "top" else options[0]) if options else 0
