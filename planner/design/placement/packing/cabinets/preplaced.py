"""Preplaced cabinets of a given layout, and routers that join them."""

from __future__ import annotations

import heapq

import numpy as np

from planner.core.errors import Infeasible
from planner.design.placement.packing.cabinets.capacity import contents
from planner.design.placement.packing.cabinets.request import Request


def settle(request: Request) -> tuple[list[np.ndarray], np.ndarray]:
    """Return the routers of every cabinet of a given layout, including those that join it, and its slot.

    The router with the maximum number of links to a cabinet with space joins first; with groups required only cabinets
    with a router of its own finest group, with groups preferred such cabinets come first.

    Raises
    ------
    Infeasible
        When the content of a slot violates a limit; the message names slot and limit.
    """
    if request.layout is None:
        return [], np.empty(0, np.int64)
    given = request.layout.slot
    slots, cabinet = np.unique(given, return_inverse=True)
    known = slots >= 0
    slots, cabinet = slots[known], cabinet.ravel() - int((~known).sum())
    _check(request, slots, cabinet)
    _top_up(request, slots, cabinet)
    return [np.flatnonzero(cabinet == number) for number in range(len(slots))], slots


def _check(request: Request, slots: np.ndarray, cabinet: np.ndarray) -> None:
    broken = []
    large = request.slots.large(request.catalog.cabinet)
    for number, slot in enumerate(slots.tolist()):
        members, name = np.flatnonzero(cabinet == number), request.slots.names[slot]
        if not large[slot]:
            broken.append(f"slot {name} is too small for a {request.catalog.cabinet.id}")
        capacity = request.capacity(slot)
        for limit, (needed, allowed) in capacity.needs(contents(request.topology, members).sum(axis=0)).items():
            if needed > allowed:
                broken.append(f"slot {name} with {len(members)} routers: {limit} {capacity.limits[limit].excess(int(needed))}")
        for routers in request.apart:
            both = sorted(set(routers) & set(members.tolist()))
            if len(both) > 1:
                broken.append(f"slot {name}: routers {both[0]} and {both[1]} must be in different cabinets")
    if broken:
        remedy = "raise these limits, leave routers out of the layout, or let kept devices move: [keep] movable"
        raise Infeasible(f"the layout violates limits: {'; '.join(broken)}; {remedy}")


def _top_up(request: Request, slots: np.ndarray, cabinet: np.ndarray) -> None:
    """Add routers to cabinets with space, in place; cabinet is int64 (R,) with -1 for none."""
    topology, content = request.topology, contents(request.topology, np.arange(request.topology.router_count))
    capacity = [request.capacity(slot) for slot in slots.tolist()]
    load = np.zeros((len(slots), 3), np.int64)
    np.add.at(load, cabinet[cabinet >= 0], content[cabinet >= 0])
    light = content[cabinet < 0].min(axis=0, initial=1 << 40)
    has_room = [bool(limits.fits(here + light)) for limits, here in zip(capacity, load, strict=True)]
    foes = {
        r: {s for routers in request.apart if r in routers for s in routers} - {r} for routers in request.apart for r in routers
    }
    kin: set[tuple[int, int]] = set()
    if request.groups != "ignored" and topology.group.shape[1]:
        group = topology.group[:, 0]
        kin = {(int(group[router]), int(cabinet[router])) for router in np.flatnonzero(cabinet >= 0)}

    def own(router: int, number: int) -> bool:
        return bool(kin) and (int(group[router]), number) in kin

    links: dict[tuple[int, int], int] = {}
    queue: list[tuple[bool, int, int, int]] = []

    def offer(router: int, number: int, more: int) -> None:
        if request.groups == "required" and topology.group.shape[1] and not own(router, number):
            return
        links[router, number] = links.get((router, number), 0) + more
        heapq.heappush(queue, (not own(router, number), -links[router, number], router, number))

    def spread(router: int) -> None:
        number = int(cabinet[router])
        if has_room[number]:
            for other in topology.indices[topology.indptr[router] : topology.indptr[router + 1]].tolist():
                if cabinet[other] < 0:
                    offer(other, number, 1)

    for number in np.flatnonzero(has_room).tolist():
        for router in np.flatnonzero(cabinet == number).tolist():
            spread(router)
    homes: dict[int, list[int]] = {}
    for label, number in sorted(kin):
        if has_room[number]:
            homes.setdefault(label, []).append(number)
    if homes:
        for router in np.flatnonzero(cabinet < 0).tolist():
            for number in homes.get(int(group[router]), ()):
                offer(router, number, 0)
    while queue:
        _, count, router, number = heapq.heappop(queue)
        if cabinet[router] >= 0 or -count != links[router, number]:
            continue
        if not capacity[number].fits(load[number] + content[router]):
            continue
        if any(cabinet[foe] == number for foe in foes.get(router, ())):
            continue
        cabinet[router] = number
        load[number] += content[router]
        spread(router)
