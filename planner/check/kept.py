"""Rules of a kept plan: everything that stays is where it was."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator

import numpy as np

from planner.check.basis.places import cable_name, device_name, error, unlike
from planner.check.basis.rule import Number, figures, rule
from planner.domain.model import Kept, Plan, Violation

_SHOWN = 10


@rule(65)
def kept_devices_stay(plan: Plan) -> Iterator[Violation]:
    """Every device of a kept plan that must not move has its name there, and is in its cabinet and rack unit."""
    if plan.kept is None:
        return
    kept, placement, name = plan.kept, plan.placement, "kept_devices_stay"
    names = plan.inventory.names.tolist()
    for place in np.flatnonzero(kept.device >= 0).tolist():
        device, was = int(kept.device[place]), str(kept.names[place])
        yield from unlike(name, was, names[device], was, "has another name than in the kept plan")
        if kept.stays[place]:
            slot = int(placement.slot_of[placement.cabinet[device]])
            if slot != kept.slot[place]:
                here, there = (plan.room.slot_names[each] for each in (slot, int(kept.slot[place])))
                yield error(name, was, 0, 1, "", f"is in {here}, and must stay in {there}")
            elif int(placement.unit[device]) != kept.unit[place]:
                yield error(name, was, placement.unit[device], kept.unit[place], "unit", "is not in the unit where it must stay")


@rule(67)
def kept_cables_stay(plan: Plan) -> Iterator[Violation]:
    """Every connection of a kept plan that this plan has keeps its ports, and where both devices stay part, length, label, route.

    The number of kept connections between two devices is the smaller number of both plans.
    """
    if plan.kept is None:
        return
    kept, cables, name = plan.kept, plan.cables, "kept_cables_stay"
    choices = [each for joint in plan.inventory.joints for each in joint.assemblies]
    for place in np.flatnonzero(kept.row >= 0).tolist():
        row, turned = int(kept.row[place]), bool(kept.turned[place])
        where = cable_name(plan, row)
        order = (1, 0) if turned else (0, 1)
        devices = [int(kept.device[kept.ends[place, side]]) for side in order]
        yield from unlike(name, where, cables.device[row].tolist(), devices, "does not join the devices of the kept plan")
        ports = [int(kept.port[place, side]) for side in order]
        have = [port if wanted else 0 for port, wanted in zip(cables.port[row].tolist(), ports, strict=True)]
        yield from unlike(name, where, have, ports, "is not plugged as in the kept plan")
        if kept.choice[place] < 0:
            continue
        part = cables.assemblies[cables.assembly[row]]
        yield from unlike(name, where, part, choices[kept.choice[place]], "is not of the part of the kept plan")
        yield from unlike(name, where, int(cables.stock_mm[row]), int(kept.stock_mm[place]), "is not as long as in the kept plan")
        labels = [str(kept.label[place, side]) for side in order]
        have = [str(cables.label_a[row]), str(cables.label_b[row])]
        yield from unlike(
            name, where, [new if old else "" for new, old in zip(have, labels, strict=True)], labels, "has other labels"
        )
        if kept.route[place] >= 0:
            first, last = kept.route_indptr[kept.route[place] : kept.route[place] + 2].tolist()
            route = kept.route_segments[first:last].tolist()
            own = cables.route_of(row).tolist()
            yield from unlike(name, where, own, route[::-1] if turned else route, "is not on the route of the kept plan")
    yield from _all_that_can(plan, kept)


def _all_that_can(plan: Plan, kept: Kept) -> Iterator[Violation]:
    """Yield pairs of devices between which fewer connections are kept than both plans have."""
    new = Counter(map(tuple, np.sort(plan.cables.device, axis=1).tolist()))
    old: Counter[tuple[int, ...]] = Counter()
    stays: Counter[tuple[int, ...]] = Counter()
    pairs = np.sort(kept.device[kept.ends], axis=1).tolist()
    for pair, row in zip(map(tuple, pairs), kept.row.tolist(), strict=True):
        old[pair] += 1
        stays[pair] += row >= 0
    fixed = set(map(tuple, np.sort(plan.inventory.ends[(plan.inventory.port >= 0).any(axis=1)], axis=1).tolist()))
    for pair, count in old.items():
        wanted = min(count, new[pair])
        # Where the study gives the ports of a node, these decide.
        if pair[0] >= 0 and stays[pair] < wanted and pair not in fixed:
            where = " and ".join(device_name(plan, device) for device in pair)
            yield error("kept_cables_stay", where, stays[pair], wanted, "connections", "fewer are kept than both plans have")


@figures
def kept_figures(plan: Plan) -> Iterator[Number]:
    """Yield the numbers of kept, moved, removed and new devices and cables."""
    kept = plan.kept
    if kept is None or plan.cables is None:
        return
    names = plan.inventory.names.tolist()
    place = dict(zip(kept.names.tolist(), zip(kept.slot.tolist(), kept.unit.tolist(), strict=True), strict=True))
    cabinets, units = plan.placement.slot_of[plan.placement.cabinet].tolist(), plan.placement.unit.tolist()
    now = dict(zip(names, zip(cabinets, units, strict=True), strict=True))
    both = place.keys() & now.keys()
    yield "kept_devices", sum(place[name] == now[name] for name in both)
    yield "moved_devices", sum(place[name] != now[name] for name in both)
    yield "removed_devices", len(place.keys() - now.keys())
    yield "new_devices", len(now.keys() - place.keys())
    ports: dict[int, set] = defaultdict(set)
    for number, (pair, own, row) in enumerate(zip(kept.ends.tolist(), kept.port.tolist(), kept.row.tolist(), strict=True)):
        if row >= 0:
            ports[number] = {(str(kept.names[device]), port) for device, port in zip(pair, own, strict=True)}
    plugged = {
        frozenset((names[device], port) for device, port in zip(pair, own, strict=True))
        for pair, own in zip(plan.cables.device.tolist(), plan.cables.port.tolist(), strict=True)
    }
    stay = sum(frozenset(ends) in plugged for ends in ports.values())
    yield "kept_connections", stay
    yield "removed_connections", len(kept.row) - stay
    yield "new_connections", plan.cables.cable_count - stay
