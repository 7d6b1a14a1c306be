"""One attempt at packing: power levels, methods and slots; the result or the shortage."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from planner.core import registry
from planner.design.placement.packing import groups as by_groups
from planner.design.placement.packing import order
from planner.design.placement.packing.cabinets.capacity import Capacity, contents
from planner.design.placement.packing.cabinets.items import items_of
from planner.design.placement.packing.cabinets.preplaced import settle
from planner.design.placement.packing.cabinets.request import Request
from planner.design.placement.packing.cabinets.slots import assign
from planner.design.placement.packing.partition import first_fit, repair_limits

_FEW = 40
"""Maximum number of routers for which the exact method is fast."""


@dataclass(frozen=True)
class Packed:
    """Routers, slot and demand class of each cabinet, slots of each class, and a description of the method."""

    cabinets: list[np.ndarray]
    slot: np.ndarray
    demand: np.ndarray
    allowed: np.ndarray
    method: str


@dataclass(frozen=True, order=True)
class Shortage:
    """Number of cabinets without a slot, and the reason."""

    missing: int
    reason: str


def attempt(request: Request, fast_only: bool = False) -> Packed | Shortage:
    """Pack for the strongest slots; if there are too few of them, for the next weaker ones, and so on.

    Parameters
    ----------
    fast_only
        Use only fast methods, to check feasibility.
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
        roomiest = request.within(request.slots.power_mw.max(), request.slots.load_g.max(), request.slots.lost_units.min())
        return _with_slots(request, settled, taken, roomiest, "all routers placed as in the given layout")
    open_slots = free & request.slots.large(request.catalog.cabinet)
    shortages = []
    for power_mw in np.unique(request.slots.power_mw[open_slots])[::-1]:
        strong = open_slots & (request.slots.power_mw >= power_mw)
        capacity = request.within(power_mw, request.slots.load_g[strong].max(), request.slots.lost_units[strong].min())
        if reason := _too_large(request, capacity) or _conflict(request, capacity):
            shortages.append(Shortage(len(request.members), reason))
            continue
        for cabinets, method in _packings(request, capacity, int(open_slots.sum()), fast_only):
            found = _with_slots(request, settled + cabinets, taken, capacity, method)
            if isinstance(found, Packed):
                return found
            shortages.append(found)
    return min(shortages) if shortages else Shortage(len(request.members), _no_slot(request))


def _packings(request: Request, capacity: Capacity, room: int, fast_only: bool) -> Iterator[tuple[list[np.ndarray], str]]:
    """Yield packings to try, that of the wanted method first."""
    fast = _fast(request, capacity)
    hopeless = len(fast) > room and request.alike and not request.apart
    if fast_only or hopeless:
        yield fast, ""
        return
    found, method = _wanted(request, capacity)
    yield found, method
    yield fast, f"fast method, since {method} left cabinets without a slot"


def _fast(request: Request, capacity: Capacity) -> list[np.ndarray]:
    """Return a packing by a fast method; if all routers are alike, its number of cabinets is minimal."""
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
        minimum = len(_fast(replace(request, groups="ignored"), capacity))
        strict = replace(request, groups="required")
        # Groups whose routers must be apart cannot stay whole.
        kept, method = _wanted(strict, capacity) if not _conflict(strict, capacity) else ([], "")
        if 0 < len(kept) <= minimum:
            return kept, method
        filled = order.pack(request.topology, capacity, by_groups.in_order(request.topology, request.members))
        if len(filled) <= minimum and not request.apart:
            return (
                filled,
                f"order: groups fill cabinets one after the other; whole groups need {len(kept)} cabinets, this {len(filled)}",
            )
    name, why = choice(request, capacity)
    found = _run(request, capacity, name)
    proven = {None: "", True: ", proven optimal", False: ", not proven optimal"}[getattr(found, "proven", None)]
    return found, f"{name}: {why}{proven}"


def choice(request: Request, capacity: Capacity) -> tuple[str, str]:
    """Return the suitable method and the reason."""
    content = contents(request.topology, request.members)
    per_cabinet = int(capacity.max_count(content.min(axis=0)))
    if request.whole_groups and not request.apart:
        return "groups", "groups must stay whole"
    if per_cabinet == 1 or (capacity.fits(content.sum(axis=0)) and not request.apart):
        return "order", "a cabinet holds one router" if per_cabinet == 1 else "one cabinet holds all routers"
    if request.apart and len(request.members) > _FEW * 5:
        return "partition", "many routers, some of which must be apart"
    if request.apart:
        return "exact", "some routers must be apart"
    if per_cabinet == 2:
        return "matching", "a cabinet holds two routers"
    if len(request.members) <= _FEW:
        return "exact", f"at most {_FEW} routers"
    return "partition", "cabinets hold many routers, and groups may be split"


def _run(request: Request, capacity: Capacity, name: str) -> list[np.ndarray]:
    pack = registry.function("packing", name)
    known = inspect.signature(pack).parameters
    rules = {"whole": _whole(request, capacity), "apart": request.apart}
    given = {key: rules[key] for key in rules if key in known}
    found = pack(request.topology, capacity, request.members, seed=request.seed, **given)
    return found if "apart" in known or not request.apart else _separated(request, capacity, found)


def _separated(request: Request, capacity: Capacity, cabinets: list[np.ndarray]) -> list[np.ndarray]:
    """Move routers that must be apart to different cabinets, adding as few cabinets as possible."""
    items = items_of(request.topology, request.members, _whole(request, capacity), request.apart)
    of_router = np.empty(request.topology.router_count, np.int64)
    of_router[np.concatenate(cabinets)] = np.repeat(np.arange(len(cabinets)), [len(members) for members in cabinets])
    label = np.empty(items.count, np.int64)
    label[items.item] = of_router[items.members]
    fallback = first_fit(items, capacity)
    for count in range(len(cabinets), int(fallback.max()) + 1):
        repaired = label.copy()
        if repair_limits(items, capacity, repaired, count):
            return items.cabinets(repaired)
    return items.cabinets(fallback)


def _whole(request: Request, capacity: Capacity) -> np.ndarray | None:
    return by_groups.whole(request.topology, capacity, request.members) if request.whole_groups else None


def _with_slots(
    request: Request, cabinets: list[np.ndarray], taken: np.ndarray, capacity: Capacity, method: str
) -> Packed | Shortage:
    """Assign slots to the cabinets; the first ones are preplaced."""
    everyone = np.concatenate(cabinets)
    sizes = [len(members) for members in cabinets]
    starts = np.append(0, np.cumsum(sizes)[:-1])
    content = np.add.reduceat(contents(request.topology, everyone), starts)
    needs = capacity.needs(content)
    power, load = needs["power"][0], needs["floor load"][0]
    units, usable_units = needs["rack units"]
    spare = usable_units + capacity.lost_units - units
    demand, allowed = request.slots.classes(power, load, spare, request.catalog.cabinet)
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
        f"{request.slots.room} are suitable{f', {light} of them for light cabinets only' if light else ''}"
        f"{_excluded(request, int(power[new].min()), int(load[new].min()))}; {missing} slots too few",
    )


def _excluded(request: Request, power_mw: int, load_g: int) -> str:
    """Describe the slots that do not carry even the lightest cabinet, with reasons."""
    slots, cabinet = request.slots, request.catalog.cabinet
    causes = (
        (slots.power_mw < 0, "existing cabinets"),
        (~slots.free & (slots.power_mw >= 0), "the given layout"),
        ((slots.power_mw >= 0) & (slots.power_mw < power_mw), f"power ({power_mw / 1e6:.1f} kW needed)"),
        ((slots.load_g >= 0) & (slots.load_g < load_g), f"floor load ({load_g / 1e3:.0f} kg needed)"),
        (~slots.large(cabinet), f"size ({cabinet.width_mm} x {cabinet.depth_mm} mm needed)"),
    )
    return "".join(f"; {int(bad.sum())} are excluded by {cause}" for bad, cause in causes if bad.any())


def _no_slot(request: Request) -> str:
    return f"no slot of {request.slots.room} is free for a cabinet{_excluded(request, 0, 0)}"


def _filled_by(capacity: Capacity, content: np.ndarray) -> str:
    """Describe the limit that keeps another router out of the fullest cabinet."""
    one_more = capacity.needs(content.sum(axis=0) + content.max(axis=0))
    binding = [limit for limit, (needed, allowed) in one_more.items() if needed > allowed]
    return f" of at most {len(content)} routers (limited by {' and '.join(binding)})" if binding else ""


def too_many_ports(request: Request) -> str:
    """Describe a router that needs more ports than its part has; "" if there is none."""
    content, router = contents(request.topology, request.members), request.catalog.router_part
    ports = content[:, 1] + content[:, 2]
    if ports.max(initial=0) <= router.ports:
        return ""
    _, endpoints, links = content[ports.argmax()].tolist()
    return (
        f"router {request.members[ports.argmax()]} needs {links + endpoints} ports ({links} links, {endpoints} endpoints), "
        f"but {router.id} has {router.ports}: choose a larger router or fewer endpoints_per_router"
    )


def _too_large(request: Request, capacity: Capacity) -> str:
    """Describe a limit that a single router violates; "" if there is none."""
    content = contents(request.topology, request.members)
    for limit, (needed, allowed) in capacity.needs(content).items():
        if needed.max() > allowed:
            _, endpoints, _ = content[needed.argmax()].tolist()
            return (
                f"one {request.catalog.router_part.id} with {endpoints} endpoints does not fit into a "
                f"{request.catalog.cabinet.id}: "
                f"{limit} {capacity.limits[limit].excess(int(needed.max()))}"
            )
    return ""


def _conflict(request: Request, capacity: Capacity) -> str:
    """Describe two routers that must be apart and together; "" if there are none."""
    if not (request.apart and request.whole_groups):
        return ""
    whole, name = _whole(request, capacity), request.topology.group_names[0]
    assert whole is not None  # groups stay whole
    there = set(request.members.tolist())
    for routers in request.apart:
        seen: dict[int, int] = {}
        for router in (r for r in sorted(set(routers)) if r in there):
            other = seen.setdefault(int(whole[router]), router)
            if other != router:
                return f"routers {other} and {router} must be apart, but their {name} must stay whole"
    return ""
