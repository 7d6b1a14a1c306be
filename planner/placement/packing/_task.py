"""One attempt at packing: levels of power, methods, slots; what comes out, or what is missing."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from planner import registry
from planner.model import Catalog, Topology
from planner.placement._layout import Layout
from planner.placement.packing import groups as by_groups
from planner.placement.packing import order
from planner.placement.packing._capacity import Capacity, contents
from planner.placement.packing._given import settle
from planner.placement.packing._interior import PLAIN, Interior
from planner.placement.packing._slots import Slots, assign
from planner.placement.packing._units import units
from planner.placement.packing.partition import first_fit, mended

_FEW = 40
"""Up to so many routers the exact method is fast."""


@dataclass(frozen=True)
class Task:
    """What is to be packed, where, and with which wishes; see `planner.placement.packing.fit`."""

    topology: Topology
    catalog: Catalog
    slots: Slots
    members: np.ndarray
    groups: str
    method: str
    panel_ports: int | None
    apart: tuple[tuple[int, ...], ...]
    layout: Layout | None
    seed: int
    interior: Interior = PLAIN

    def capacity(self, slot: int) -> Capacity:
        """Return the capacity of a cabinet in one slot."""
        return self.within(self.slots.power_mw[slot], self.slots.load_g[slot])

    def within(self, power_mw: int, load_g: int) -> Capacity:
        """Return the capacity of a cabinet in a slot with these limits."""
        return Capacity(self.catalog, int(power_mw), int(load_g), self.slots.routers, self.panel_ports, self.interior)

    @cached_property
    def alike(self) -> bool:
        """Whether all routers bring the same into a cabinet, as far as there are limits."""
        kinds = np.unique(contents(self.topology, self.members)[:, : 2 if self.panel_ports is None else 3], axis=0)
        return len(kinds) <= 1

    @property
    def whole_groups(self) -> bool:
        return self.groups == "required" and self.topology.group.shape[1] > 0


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


def attempt(task: Task, quick: bool = False) -> Packed | Shortage:
    """Pack for the strongest slots; where there are too few of them, for the next weaker ones, and so on.

    Parameters
    ----------
    quick
        Use only methods that take no time, to learn whether anything fits.
    """
    if ports := too_many_ports(task):
        return Shortage(len(task.members), ports)
    settled, taken = settle(task)
    left = np.ones(task.topology.router_count, bool)
    left[np.concatenate([*settled, np.empty(0, np.int64)])] = False
    task = replace(task, members=task.members[left[task.members]])
    free = task.slots.free.copy()
    free[taken] = False
    task = replace(task, slots=replace(task.slots, free=free))
    if not len(task.members):
        roomiest = task.within(task.slots.power_mw.max(), task.slots.load_g.max())
        return _stand(task, settled, taken, roomiest, "all routers stand where the layout says")
    open_slots = free & task.slots.large(task.catalog.cabinet)
    shortages = []
    for power_mw in np.unique(task.slots.power_mw[open_slots])[::-1]:
        strong = open_slots & (task.slots.power_mw >= power_mw)
        capacity = task.within(power_mw, task.slots.load_g[strong].max())
        if reason := _too_large(task, capacity) or _torn(task, capacity):
            shortages.append(Shortage(len(task.members), reason))
            continue
        for cabinets, method in _ways(task, capacity, int(open_slots.sum()), quick):
            found = _stand(task, settled + cabinets, taken, capacity, method)
            if isinstance(found, Packed):
                return found
            shortages.append(found)
    return min(shortages) if shortages else Shortage(len(task.members), _no_slot(task))


def _ways(task: Task, capacity: Capacity, room: int, quick: bool) -> Iterator[tuple[list[np.ndarray], str]]:
    """Packings to try, the wanted one first."""
    fast = _fast(task, capacity)
    hopeless = len(fast) > room and task.alike and not task.apart
    if quick or hopeless:
        yield fast, ""
        return
    found, method = _wanted(task, capacity)
    yield found, method
    yield fast, f"the quick method, since {method} left cabinets without a slot"


def _fast(task: Task, capacity: Capacity) -> list[np.ndarray]:
    """A packing that takes no time; with routers that are all alike its number of cabinets is the least there is."""
    if task.whole_groups and not task.apart:
        return by_groups.pack(task.topology, capacity, task.members, cut="ids")
    if task.alike and not task.apart:
        return order.pack(task.topology, capacity, task.members)
    pieces = units(task.topology, task.members, _whole(task, capacity), task.apart)
    return pieces.cabinets(first_fit(pieces, capacity))


def _wanted(task: Task, capacity: Capacity) -> tuple[list[np.ndarray], str]:
    if task.method != "auto":
        return _run(task, capacity, task.method), task.method
    if task.groups == "preferred" and task.topology.group.shape[1]:
        fewest = len(_fast(replace(task, groups="ignored"), capacity))
        strict = replace(task, groups="required")
        # Groups whose routers must be apart cannot stay whole.
        kept, method = _wanted(strict, capacity) if not _torn(strict, capacity) else ([], "")
        if 0 < len(kept) <= fewest:
            return kept, method
        filled = order.pack(task.topology, capacity, by_groups.in_order(task.topology, task.members))
        if len(filled) <= fewest and not task.apart:
            return filled, f"order: group after group fills cabinets; whole groups need {len(kept)} cabinets, this {len(filled)}"
    name, why = choice(task, capacity)
    found = _run(task, capacity, name)
    proven = {True: ", proven best", False: ", not proven best"}.get(getattr(found, "proven", None), "")
    return found, f"{name}: {why}{proven}"


def choice(task: Task, capacity: Capacity) -> tuple[str, str]:
    """Return the method that suits, and why."""
    content = contents(task.topology, task.members)
    most = int(capacity.most(content.min(axis=0)))
    if task.whole_groups and not task.apart:
        return "groups", "groups must stay whole"
    if most == 1 or (capacity.fits(content.sum(axis=0)) and not task.apart):
        return "order", "a cabinet holds one router" if most == 1 else "one cabinet holds all routers"
    if task.apart and len(task.members) > _FEW * 5:
        return "partition", "routers must stand apart, and there are many"
    if task.apart:
        return "exact", "routers must stand apart"
    if most == 2:
        return "matching", "a cabinet holds two routers"
    if len(task.members) <= _FEW:
        return "exact", f"there are no more than {_FEW} routers"
    return "partition", "cabinets hold many routers, and no groups must stay whole"


def _run(task: Task, capacity: Capacity, name: str) -> list[np.ndarray]:
    pack = registry.function("packing", name)
    known = inspect.signature(pack).parameters
    wishes = {"whole": _whole(task, capacity), "apart": task.apart}
    given = {key: wishes[key] for key in wishes if key in known}
    found = pack(task.topology, capacity, task.members, seed=task.seed, **given)
    return found if "apart" in known or not task.apart else _taken_apart(task, capacity, found)


def _taken_apart(task: Task, capacity: Capacity, cabinets: list[np.ndarray]) -> list[np.ndarray]:
    """Move routers that must be apart out of each other's cabinets, into as few more as that needs."""
    pieces = units(task.topology, task.members, _whole(task, capacity), task.apart)
    of_router = np.empty(task.topology.router_count, np.int64)
    of_router[np.concatenate(cabinets)] = np.repeat(np.arange(len(cabinets)), [len(members) for members in cabinets])
    label = np.empty(pieces.count, np.int64)
    label[pieces.unit] = of_router[pieces.members]
    fallback = first_fit(pieces, capacity)
    for count in range(len(cabinets), int(fallback.max()) + 1):
        repaired = label.copy()
        if mended(pieces, capacity, repaired, count):
            return pieces.cabinets(repaired)
    return pieces.cabinets(fallback)


def _whole(task: Task, capacity: Capacity) -> np.ndarray | None:
    return by_groups.whole(task.topology, capacity, task.members) if task.whole_groups else None


def _stand(task: Task, cabinets: list[np.ndarray], taken: np.ndarray, capacity: Capacity, method: str) -> Packed | Shortage:
    """Give every cabinet a slot; the first ones have theirs."""
    everyone = np.concatenate(cabinets)
    sizes = [len(members) for members in cabinets]
    starts = np.append(0, np.cumsum(sizes)[:-1])
    content = np.add.reduceat(contents(task.topology, everyone), starts)
    needs = capacity.needs(content)
    power, load = needs["power in mW"][0], needs["floor load in g"][0]
    demand, allowed = task.slots.classes(power, load, task.catalog.cabinet)
    new = slice(len(taken), None)
    slot = np.append(taken, assign(demand[new], allowed & task.slots.free))
    missing = int((slot < 0).sum())
    if not missing:
        return Packed(cabinets, slot, demand, allowed, method)
    full = _filled_by(capacity, contents(task.topology, cabinets[len(taken) + int(np.argmax(sizes[new]))]))
    usable = (allowed[np.unique(demand[new])] & task.slots.free).any(axis=0)
    all_of_them = (allowed[np.unique(demand[new])] & task.slots.free).all(axis=0)
    light = int(usable.sum() - all_of_them.sum())
    return Shortage(
        missing,
        f"{len(cabinets) - len(taken)} cabinets needed{full}, {int(usable.sum())} of {task.slots.count} slots in "
        f"{task.slots.room} will do{f', {light} of them for light cabinets only' if light else ''}"
        f"{_excluded(task, int(power[new].min()), int(load[new].min()))}; {missing} slots too few",
    )


def _excluded(task: Task, power_mw: int, load_g: int) -> str:
    """In words, how many slots do not even carry the lightest cabinet, and why."""
    slots, cabinet = task.slots, task.catalog.cabinet
    causes = (
        (~slots.free, "a layout that uses them"),
        (slots.power_mw < power_mw, f"power ({power_mw / 1e6:.1f} kW needed)"),
        (slots.load_g < load_g, f"floor load ({load_g / 1e3:.0f} kg needed)"),
        (~slots.large(cabinet), f"size ({cabinet.width_mm} x {cabinet.depth_mm} mm needed)"),
    )
    return "".join(f"; {int(bad.sum())} are excluded by {cause}" for bad, cause in causes if bad.any())


def _no_slot(task: Task) -> str:
    return f"no slot of {task.slots.room} is free for a cabinet{_excluded(task, 0, 0)}"


def _filled_by(capacity: Capacity, content: np.ndarray) -> str:
    """In words, the limit that keeps one more router out of the fullest cabinet."""
    one_more = capacity.needs(content.sum(axis=0) + content.max(axis=0))
    binding = [limit.split(" in ")[0] for limit, (needed, allowed) in one_more.items() if needed > allowed]
    return f" of at most {len(content)} routers (full by {' and '.join(binding)})" if binding else ""


def too_many_ports(task: Task) -> str:
    """Return, in words, the router that needs more ports than there are; empty when there is none."""
    content, router = contents(task.topology, task.members), task.catalog.router
    ports = content[:, 1] + content[:, 2]
    if ports.max(initial=0) <= router.ports:
        return ""
    _, endpoints, links = content[ports.argmax()].tolist()
    return (
        f"router {task.members[ports.argmax()]} needs {links + endpoints} ports ({links} links, {endpoints} endpoints), "
        f"and {router.id} has {router.ports}: choose a larger router or fewer endpoints_per_router"
    )


def _too_large(task: Task, capacity: Capacity) -> str:
    """In words, the limit that one router alone breaks; empty when there is none."""
    content = contents(task.topology, task.members)
    for limit, (needed, allowed) in capacity.needs(content).items():
        if needed.max() > allowed:
            _, endpoints, _ = content[needed.argmax()].tolist()
            return (
                f"one {task.catalog.router.id} with {endpoints} endpoints does not fit into a {task.catalog.cabinet.id}: "
                f"{limit} {needed.max()}, allowed {allowed}"
            )
    return ""


def _torn(task: Task, capacity: Capacity) -> str:
    """In words, two routers that must stand apart and together; empty when there are none."""
    if not (task.apart and task.whole_groups):
        return ""
    whole, name = _whole(task, capacity), task.topology.group_names[0]
    there = set(task.members.tolist())
    for routers in task.apart:
        seen: dict[int, int] = {}
        for router in (r for r in sorted(set(routers)) if r in there):
            other = seen.setdefault(int(whole[router]), router)
            if other != router:
                return f"routers {other} and {router} must stand apart, but their {name} must stay whole"
    return ""
