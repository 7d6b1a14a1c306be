"""Rules of a machine that is bought in phases: each plan is held against that of the next phase."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from planner.check.basis.places import error
from planner.check.basis.rule import Source, rule
from planner.domain.model import Plan, Violation

_End = tuple[str, int]
"""Name of a device and port."""


@rule(960, source=True)
def phases_agree(plan: Plan, source: Source) -> Iterator[Violation]:
    """Every device is at its place in the plan of the next phase, and connections of both plans keep ports and routes."""
    if source.later is None:
        return
    name, later = "phases_agree", source.later
    theirs = _places(later)
    for device, place in _places(plan).items():
        if device not in theirs:
            yield error(name, device, 0, 1, "", "is missing in the next phase")
        elif theirs[device] != place:
            yield error(name, device, 0, 0, "", f"is in {_text(place)}, in the next phase in {_text(theirs[device])}")
    own, other = _routes(plan), _routes(later)
    count, stays = _pairs(own), Counter[frozenset[str]]()
    for ends, route in own.items():
        if ends not in other:
            continue
        stays[_devices(ends)] += 1
        if other[ends] not in (route, route[::-1]):
            yield error(name, _cable(ends), len(other[ends]), len(route), "segments", "has another route in the next phase")
    for pair, number in _pairs(other).items():
        wanted = min(number, count[pair])
        if stays[pair] < wanted:
            where = " and ".join(sorted(pair))
            yield error(name, where, stays[pair], wanted, "connections", "fewer keep their ports than both phases have")
    yield from _reserved(plan, later)


def _reserved(plan: Plan, later: Plan) -> Iterator[Violation]:
    """Yield the ports that the next phase uses and the plan does not reserve for it, and those that it reserves without need."""
    if plan.reserved is None:
        return
    names = plan.inventory.names.tolist()
    rows = zip(plan.reserved.device.tolist(), plan.reserved.port.tolist(), plan.reserved.phase.tolist(), strict=True)
    have = {(names[device], port) for device, port, phase in rows if phase == 0}
    own = set(names)
    need = {end for ends in _ends(later) for end in ends if end[0] in own}
    for device, port in sorted(have ^ need):
        what = (
            "is not reserved for the next phase" if (device, port) in need else "is reserved, and the next phase does not use it"
        )
        yield error("phases_agree", f"{device} port {port}", (device, port) in have, (device, port) in need, "", what)


@rule(961, source=True)
def windows_keep_the_network_up(plan: Plan, source: Source) -> Iterator[Violation]:
    """Windows of work lead from this plan to the next phase: no port twice, installed routers connected, limits kept."""
    if source.later is None or source.windows is None:
        return
    name = "windows_keep_the_network_up"
    live: dict[frozenset[_End], int] = {ends: 1 for ends in _links(plan)}
    used = {end for ends in live for end in ends}
    routers = plan.inventory.names[: plan.inventory.router_count].tolist()
    for window in source.windows:
        where = f"window {window.number}"
        for ends in window.out:
            if live.pop(ends, None) is None:
                yield error(name, f"{where}: {_cable(ends)}", 0, 1, "", "is taken out, but is not there")
            used -= ends
        down = Counter(device for ends in window.out for device, _ in ends)
        yield from _limits(name, where, down, len(window.out), source.limits)
        if window.out and not _connected(routers, live):
            yield error(name, where, 0, 0, "", "installed routers do not reach one another while its cables are out")
        for ends in window.put:
            for end in ends & used:
                yield error(name, f"{where}: {end[0]} port {end[1]}", 2, 1, "cables", "is in use when a cable comes to it")
            live[ends] = 1
            used |= ends
    wanted = set(_links(source.later))
    for ends in sorted(wanted ^ live.keys(), key=sorted):
        what = "is missing after the last window" if ends in wanted else "is still there after the last window"
        yield error(name, _cable(ends), ends in live, ends in wanted, "", what)


def _limits(name: str, where: str, down: Mapping[str, int], cables: int, limits: tuple[int, int] | None) -> Iterator[Violation]:
    if limits is None:
        return
    ends_down, cables_down = limits
    for router, count in down.items():
        if count > ends_down:
            yield error(name, f"{where}: {router}", count, ends_down, "ports", "loses more ports at once than growth.ends_down")
    if cables > cables_down:
        yield error(name, where, cables, cables_down, "cables", "takes out more cables at once than growth.cables_down")


def _places(plan: Plan) -> dict[str, tuple[str, int]]:
    """Return cabinet and rack unit of each device."""
    cabinets = [plan.room.slot_names[slot] for slot in plan.placement.slot_of[plan.placement.cabinet].tolist()]
    return dict(zip(plan.inventory.names.tolist(), zip(cabinets, plan.placement.unit.tolist(), strict=True), strict=True))


def _text(place: tuple[str, int]) -> str:
    return f"{place[0]} U{place[1]}"


def _routes(plan: Plan) -> dict[frozenset[_End], list[int]]:
    """Return the tray segments of each connection by its ends."""
    return {ends: plan.cables.route_of(row).tolist() for row, ends in enumerate(_ends(plan))}


def _ends(plan: Plan) -> list[frozenset[_End]]:
    names = plan.inventory.names.tolist()
    rows = zip(plan.cables.device.tolist(), plan.cables.port.tolist(), strict=True)
    return [frozenset((names[device], port) for device, port in zip(devices, ports, strict=True)) for devices, ports in rows]


def _links(plan: Plan) -> list[frozenset[_End]]:
    """Return the ends of the links."""
    return [ends for ends, is_link in zip(_ends(plan), plan.inventory.is_link.tolist(), strict=True) if is_link]


def _devices(ends: frozenset[_End]) -> frozenset[str]:
    return frozenset(device for device, _ in ends)


def _pairs(connections: Mapping[frozenset[_End], Sequence[int]]) -> Counter[frozenset[str]]:
    return Counter(map(_devices, connections))


def _cable(ends: frozenset[_End]) -> str:
    return " – ".join(f"{device} port {port}" for device, port in sorted(ends))


def _connected(routers: Sequence[str], live: Mapping[frozenset[_End], int]) -> bool:
    """Return whether the installed routers reach one another."""
    near: dict[str, list[str]] = defaultdict(list)
    for ends in live:
        one, other = (device for device, _ in ends)
        near[one].append(other)
        near[other].append(one)
    seen, waiting = {routers[0]}, [routers[0]]
    while waiting:
        for device in near[waiting.pop()]:
            if device not in seen:
                seen.add(device)
                waiting.append(device)
    return bool(np.isin(routers, list(seen)).all())
