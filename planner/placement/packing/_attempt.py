"""One attempt at packing: levels of power, methods, slots; what comes out, or what is missing."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from planner import registry
from planner.placement.packing import groups as by_groups
from planner.placement.packing import order
from planner.placement.packing._capacity import Capacity, contents
from planner.placement.packing._items import items_of
from planner.placement.packing._preplaced import settle
from planner.placement.packing._request import Request
from planner.placement.packing._slots import assign
from planner.placement.packing.partition import first_fit, mended

_FEW = 40
"""Up to so many routers the exact method is fast."""


@dataclass(frozen=True)
class Packed:
    """Routers of each cabinet, its slot and demand class, slots of each class, and the method in words."""

    cabinets: list[np.ndarray]
    slot: np.ndarray
    demand: np.ndarray
    allowed: np.ndarray
    method: str


@dataclass(frozen=True, order=True)
class Shortage:
    """Why nothing fits, and how many cabinets have no slot."""

    missing: int
    reason: str


def attempt(request: Request, quick: bool = False) -> Packed | Shortage:
    """Pack for the strongest slots; where there are too few of them, for the next weaker ones, and so on.

    Parameters
    ----------
    quick
        Use only methods that take no time, to learn whether anything fits.
    """
    if ports := too_many_ports(request):
        return Shortage(len(request.members), ports)
    settled, taken = settle(request)
    left = np.ones(request.topology.router_count, bool)
    left[np.concatenate([*settled, np.empty(0, np.int64)])] = False
    request = replace(request, members=request.members[left[request.members]])
    free = request.slots.free.copy()
    free[taken] = False
    request = replace(request, slots=replace(request.slots, free=free))
    if not len(request.members):
        roomiest = request.within(request.slots.power_mw.max(), request.slots.load_g.max())
        return _stand(request, settled, taken, roomiest, "all routers stand where the layout says")
    open_slots = free & request.slots.large(request.catalog.cabinet)
    shortages = []
    for power_mw in np.unique(request.slots.power_mw[open_slots])[::-1]:
        strong = open_slots & (request.slots.power_mw >= power_mw)
        capacity = request.within(power_mw, request.slots.load_g[strong].max())
        if reason := _too_large(request, capacity) or _torn(request, capacity):
            shortages.append(Shortage(len(request.members), reason))
            continue
        for cabinets, method in _ways(request, capacity, int(open_slots.sum()), quick):
            found = _stand(request, settled + cabinets, taken, capacity, method)
            if isinstance(found, Packed):
                return found
            shortages.append(found)
    return min(shortages) if shortages else Shortage(len(request.members), _no_slot(request))


def _ways(request: Request, capacity: Capacity, room: int, quick: bool) -> Iterator[tuple[list[np.ndarray], str]]:
    """Packings to try, the wanted one first."""
    fast = _fast(request, capacity)
    hopeless = len(fast) > room and request.alike and not request.apart
    if quick or hopeless:
        yield fast, ""
        return
    found, method = _wanted(request, capacity)
    yield found, method
    yield fast, f"the quick method, since {method} left cabinets without a slot"


def _fast(request: Request, capacity: Capacity) -> list[np.ndarray]:
    """A packing that takes no time; with routers that are all alike its number of cabinets is the least there is."""
    if request.whole_groups and not request.apart:
        return by_groups.pack(request.topology, capacity, request.members, cut="ids")
    if request.alike and not request.apart:
        return order.pack(request.topology, capacity, request.members)
    items = items_of(request.topology, request.members, _whole(request, capacity), request.apart)
    return items.cabinets(first_fit(items, capacity))


def _wanted(request: Request, capacity: Capacity) -> tuple[list[np.ndarray], str]:
    if request.method != "auto":
        return _run(request, capacity, request.method), request.method
    if request.groups == "preferred" and request.topology.group.shape[1]:
        fewest = len(_fast(replace(request, groups="ignored"), capacity))
        strict = replace(request, groups="required")
        # Groups whose routers must be apart cannot stay whole.
        kept, method = _wanted(strict, capacity) if not _torn(strict, capacity) else ([], "")
        if 0 < len(kept) <= fewest:
            return kept, method
        filled = order.pack(request.topology, capacity, by_groups.in_order(request.topology, request.members))
        if len(filled) <= fewest and not request.apart:
            return filled, f"order: group after group fills cabinets; whole groups need {len(kept)} cabinets, this {len(filled)}"
    name, why = choice(request, capacity)
    found = _run(request, capacity, name)
    proven = {True: ", proven best", False: ", not proven best"}.get(getattr(found, "proven", None), "")
    return found, f"{name}: {why}{proven}"


def choice(request: Request, capacity: Capacity) -> tuple[str, str]:
    """Return the method that suits, and why."""
    content = contents(request.topology, request.members)
    most = int(capacity.most(content.min(axis=0)))
    if request.whole_groups and not request.apart:
        return "groups", "groups must stay whole"
    if most == 1 or (capacity.fits(content.sum(axis=0)) and not request.apart):
        return "order", "a cabinet holds one router" if most == 1 else "one cabinet holds all routers"
    if request.apart and len(request.members) > _FEW * 5:
        return "partition", "routers must stand apart, and there are many"
    if request.apart:
        return "exact", "routers must stand apart"
    if most == 2:
        return "matching", "a cabinet holds two routers"
    if len(request.members) <= _FEW:
        return "exact", f"there are no more than {_FEW} routers"
    return "partition", "cabinets hold many routers, and no groups must stay whole"


def _run(request: Request, capacity: Capacity, name: str) -> list[np.ndarray]:
    pack = registry.function("packing", name)
    known = inspect.signature(pack).parameters
    wishes = {"whole": _whole(request, capacity), "apart": request.apart}
    given = {key: wishes[key] for key in wishes if key in known}
    found = pack(request.topology, capacity, request.members, seed=request.seed, **given)
    return found if "apart" in known or not request.apart else _taken_apart(request, capacity, found)


def _taken_apart(request: Request, capacity: Capacity, cabinets: list[np.ndarray]) -> list[np.ndarray]:
    """Move routers that must be apart out of each other's cabinets, into as few more as that needs."""
    items = items_of(request.topology, request.members, _whole(request, capacity), request.apart)
    of_router = np.empty(request.topology.router_count, np.int64)
    of_router[np.concatenate(cabinets)] = np.repeat(np.arange(len(cabinets)), [len(members) for members in cabinets])
    label = np.empty(items.count, np.int64)
    label[items.unit] = of_router[items.members]
    fallback = first_fit(items, capacity)
    for count in range(len(cabinets), int(fallback.max()) + 1):
        repaired = label.copy()
        if mended(items, capacity, repaired, count):
            return items.cabinets(repaired)
    return items.cabinets(fallback)


def _whole(request: Request, capacity: Capacity) -> np.ndarray | None:
    return by_groups.whole(request.topology, capacity, request.members) if request.whole_groups else None


def _stand(request: Request, cabinets: list[np.ndarray], taken: np.ndarray, capacity: Capacity, method: str) -> Packed | Shortage:
    """Give every cabinet a slot; the first ones have theirs."""
    everyone = np.concatenate(cabinets)
    sizes = [len(members) for members in cabinets]
    starts = np.append(0, np.cumsum(sizes)[:-1])
    content = np.add.reduceat(contents(request.topology, everyone), starts)
    needs = capacity.needs(content)
    power, load = needs["power in mW"][0], needs["floor load in g"][0]
    demand, allowed = request.slots.classes(power, load, request.catalog.cabinet)
    new = slice(len(taken), None)
    slot = np.append(taken, assign(demand[new], allowed & request.slots.free))
    missing = int((slot < 0).sum())
    if not missing:
        return Packed(cabinets, slot, demand, allowed, method)
    full = _filled_by(capacity, contents(request.topology, cabinets[len(taken) + int(np.argmax(sizes[new]))]))
    usable = (allowed[np.unique(demand[new])] & request.slots.free).any(axis=0)
    all_of_them = (allowed[np.unique(demand[new])] & request.slots.free).all(axis=0)
    light = int(usable.sum() - all_of_them.sum())
    return Shortage(
        missing,
        f"{len(cabinets) - len(taken)} cabinets needed{full}, {int(usable.sum())} of {request.slots.count} slots in "
        f"{request.slots.room} will do{f', {light} of them for light cabinets only' if light else ''}"
        f"{_excluded(request, int(power[new].min()), int(load[new].min()))}; {missing} slots too few",
    )


def _excluded(request: Request, power_mw: int, load_g: int) -> str:
    """In words, how many slots do not even carry the lightest cabinet, and why."""
    slots, cabinet = request.slots, request.catalog.cabinet
    causes = (
        (~slots.free, "a layout that uses them"),
        (slots.power_mw < power_mw, f"power ({power_mw / 1e6:.1f} kW needed)"),
        (slots.load_g < load_g, f"floor load ({load_g / 1e3:.0f} kg needed)"),
        (~slots.large(cabinet), f"size ({cabinet.width_mm} x {cabinet.depth_mm} mm needed)"),
    )
    return "".join(f"; {int(bad.sum())} are excluded by {cause}" for bad, cause in causes if bad.any())


def _no_slot(request: Request) -> str:
    return f"no slot of {request.slots.room} is free for a cabinet{_excluded(request, 0, 0)}"


def _filled_by(capacity: Capacity, content: np.ndarray) -> str:
    """In words, the limit that keeps one more router out of the fullest cabinet."""
    one_more = capacity.needs(content.sum(axis=0) + content.max(axis=0))
    binding = [limit.split(" in ")[0] for limit, (needed, allowed) in one_more.items() if needed > allowed]
    return f" of at most {len(content)} routers (full by {' and '.join(binding)})" if binding else ""


def too_many_ports(request: Request) -> str:
    """Return, in words, the router that needs more ports than there are; empty when there is none."""
    content, router = contents(request.topology, request.members), request.catalog.router
    ports = content[:, 1] + content[:, 2]
    if ports.max(initial=0) <= router.ports:
        return ""
    _, endpoints, links = content[ports.argmax()].tolist()
    return (
        f"router {request.members[ports.argmax()]} needs {links + endpoints} ports ({links} links, {endpoints} endpoints), "
        f"and {router.id} has {router.ports}: choose a larger router or fewer endpoints_per_router"
    )


def _too_large(request: Request, capacity: Capacity) -> str:
    """In words, the limit that one router alone breaks; empty when there is none."""
    content = contents(request.topology, request.members)
    for limit, (needed, allowed) in capacity.needs(content).items():
        if needed.max() > allowed:
            _, endpoints, _ = content[needed.argmax()].tolist()
            return (
                f"one {request.catalog.router.id} with {endpoints} endpoints does not fit into a {request.catalog.cabinet.id}: "
                f"{limit} {needed.max()}, allowed {allowed}"
            )
    return ""


def _torn(request: Request, capacity: Capacity) -> str:
    """In words, two routers that must stand apart and together; empty when there are none."""
    if not (request.apart and request.whole_groups):
        return ""
    whole, name = _whole(request, capacity), request.topology.group_names[0]
    there = set(request.members.tolist())
    for routers in request.apart:
        seen: dict[int, int] = {}
        for router in (r for r in sorted(set(routers)) if r in there):
            other = seen.setdefault(int(whole[router]), router)
            if other != router:
                return f"routers {other} and {router} must stand apart, but their {name} must stay whole"
    return ""
