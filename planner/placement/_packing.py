"""Packing: routers with their endpoints into cabinets, groups kept together, limits kept."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from planner.errors import Infeasible
from planner.model import Catalog, Room, Topology


@dataclass(frozen=True)
class Capacity:
    """What one cabinet may hold, and what its content needs."""

    catalog: Catalog
    power_mw: int
    load_g: int
    routers: int | None

    def boxes(self, endpoints: int) -> int:
        """Boxes for so many endpoints; endpoints of different routers may share one."""
        return -(-endpoints // self.catalog.endpoint.endpoints)

    def needs(self, routers: int, endpoints: int) -> dict[str, tuple[int, int]]:
        """Return (needed, allowed) of every limit."""
        router, box, cabinet = self.catalog.router, self.catalog.endpoint, self.catalog.cabinet
        boxes = self.boxes(endpoints)
        content_g = routers * router.mass_g + boxes * box.mass_g
        limits = {
            "rack units": (routers * router.units + boxes * box.units, cabinet.units),
            "power in mW": (routers * router.power_max_mw + boxes * box.power_max_mw, self.power_mw),
            "cabinet load in g": (content_g, cabinet.load_g),
            "floor load in g": (content_g + cabinet.mass_g, self.load_g),
        }
        if self.routers is not None:
            limits["routers"] = (routers, self.routers)
        return limits

    def fits(self, routers: int, endpoints: int) -> bool:
        return all(needed <= allowed for needed, allowed in self.needs(routers, endpoints).values())


@dataclass(frozen=True)
class Packing:
    """Which cabinet each router stands in.

    Attributes
    ----------
    cabinet_of
        int64 (R,), cabinets numbered from 0.
    usable
        Slots that can carry each of these cabinets, int64 (E,).
    """

    topology: Topology
    catalog: Catalog
    cabinet_of: np.ndarray
    usable: np.ndarray

    @cached_property
    def cabinet_count(self) -> int:
        return int(self.cabinet_of.max()) + 1

    def stack(self, cabinet_of: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Give every box its units: routers from the top down, endpoint boxes right below them, by id.

        Trays hang overhead, so routers stand at the top; endpoints stand close to them, for short cables.

        Returns
        -------
        unit_of, endpoint_cabinet, endpoint_unit
            int64 (R,), (H,), (H,); units count from 1 at the bottom.
        """
        catalog, topology = self.catalog, self.topology
        unit_of = catalog.cabinet.units + 1 - (_rank(cabinet_of) + 1) * catalog.router.units
        endpoint_cabinet = np.asarray(cabinet_of)[topology.endpoint_router]
        box = _rank(endpoint_cabinet) // catalog.endpoint.endpoints
        below = catalog.cabinet.units + 1 - np.bincount(cabinet_of)[endpoint_cabinet] * catalog.router.units
        return unit_of, endpoint_cabinet, below - (box + 1) * catalog.endpoint.units


def pack(topology: Topology, room: Room, catalog: Catalog, groups: str) -> Packing:
    """Pack all routers and their endpoints into as few cabinets as the rule about groups allows.

    Parameters
    ----------
    groups
        ``"together"``: a group that fits into one cabinet is never split, and one that does not is
        cut into equal parts; groups of one parent share a cabinet where they fit. ``"free"``:
        routers fill cabinets in order of their ids.

    Raises
    ------
    Infeasible
        When no cabinet can hold a router, or the room has too few slots that carry the cabinets.
    """
    reasons = []
    for power_mw in np.unique(room.slot_power_mw)[::-1]:
        strong = room.slot_power_mw >= power_mw
        load_g = int(room.slot_load_g[strong].max())
        capacity = Capacity(catalog, int(power_mw), load_g, room.cabinet_routers)
        cabinets = _cabinets(topology, capacity, groups)
        usable, excluded = _usable(topology, room, capacity, cabinets)
        if len(cabinets) <= len(usable):
            cabinet_of = np.empty(topology.router_count, np.int64)
            for number, members in enumerate(cabinets):
                cabinet_of[members] = number
            return Packing(topology, catalog, cabinet_of, usable)
        full = _filled_by(topology, capacity, cabinets)
        needed = (
            f"{len(cabinets)} cabinets needed{full}, {len(usable)} of {room.slot_count} slots in {room.name} will do{excluded}"
        )
        reasons.append((len(cabinets) - len(usable), needed))
    short, reason = min(reasons)
    raise Infeasible(
        f"{reason}; {short} slots too few: use a larger room, cabinets with more units, or fewer endpoints per router"
    )


def _cabinets(topology: Topology, capacity: Capacity, groups: str) -> list[np.ndarray]:
    endpoints = topology.endpoints_of
    worst = int(endpoints.max(initial=0))
    ports = topology.degree + endpoints
    if ports.max() > capacity.catalog.router.ports:
        router = int(ports.argmax())
        raise Infeasible(
            f"router {router} needs {ports.max()} ports ({topology.degree[router]} links, {endpoints[router]} endpoints), "
            f"and {capacity.catalog.router.id} has {capacity.catalog.router.ports}: "
            "choose a larger router or fewer endpoints_per_router"
        )
    for limit, (needed, allowed) in capacity.needs(1, worst).items():
        if needed > allowed:
            raise Infeasible(
                f"one {capacity.catalog.router.id} with {worst} endpoints does not fit into a {capacity.catalog.cabinet.id}: "
                f"{limit} {needed}, allowed {allowed}"
            )

    def fits(members: np.ndarray) -> bool:
        return capacity.fits(len(members), int(endpoints[members].sum()))

    def split(members: np.ndarray, level: int) -> list[np.ndarray]:
        if fits(members):
            return [members]
        if level < 0:
            return _equal_parts(members, fits)
        label = topology.group[members, level]
        parts = [members[label == value] for value in _in_order(label)]
        return _merged((piece for part in parts for piece in split(part, level - 1)), fits)

    everyone = np.arange(topology.router_count)
    if groups == "free" or topology.group.shape[1] == 0:
        return _filled(everyone, fits)
    return split(everyone, topology.group.shape[1] - 1)


def _equal_parts(members: np.ndarray, fits) -> list[np.ndarray]:
    for count in range(2, len(members) + 1):
        parts = np.array_split(members, count)
        if all(fits(part) for part in parts):
            return parts
    raise AssertionError("a single router fits")


def _filled(members: np.ndarray, fits) -> list[np.ndarray]:
    cabinets, start = [], 0
    for end in range(1, len(members) + 1):
        if end == len(members) or not fits(members[start : end + 1]):
            cabinets.append(members[start:end])
            start = end
    return cabinets


def _merged(pieces: Iterable[np.ndarray], fits) -> list[np.ndarray]:
    """Let neighbouring pieces share a cabinet where they fit."""
    merged: list[np.ndarray] = []
    for piece in pieces:
        if merged and fits(both := np.concatenate([merged[-1], piece])):
            merged[-1] = both
        else:
            merged.append(piece)
    return merged


def _usable(topology: Topology, room: Room, capacity: Capacity, cabinets: list[np.ndarray]) -> tuple[np.ndarray, str]:
    """Slots that carry the most demanding cabinet, and in words how many others fail and why."""
    endpoints = topology.endpoints_of
    needs = [capacity.needs(len(members), int(endpoints[members].sum())) for members in cabinets]
    power = max(need["power in mW"][0] for need in needs)
    load = max(need["floor load in g"][0] for need in needs)
    cabinet = capacity.catalog.cabinet
    weak = room.slot_power_mw < power
    soft = room.slot_load_g < load
    across = room.slot_facing % 180 == 0
    width = np.where(across, room.slot_size[:, 1], room.slot_size[:, 0])
    depth = np.where(across, room.slot_size[:, 0], room.slot_size[:, 1])
    # Rooms that fix lengths come from papers and say nothing about the size of cabinets.
    small = np.zeros_like(weak) if room.end_mm is not None else (width < cabinet.width_mm) | (depth < cabinet.depth_mm)
    words = [
        f"{int(bad.sum())} are excluded by {limit}"
        for bad, limit in (
            (weak, f"power ({power / 1e6:.1f} kW needed)"),
            (soft, f"floor load ({load / 1e3:.0f} kg needed)"),
            (small, f"size ({cabinet.width_mm} x {cabinet.depth_mm} mm needed)"),
        )
        if bad.any()
    ]
    return np.flatnonzero(~(weak | soft | small)), "".join(f"; {word}" for word in words)


def _filled_by(topology: Topology, capacity: Capacity, cabinets: list[np.ndarray]) -> str:
    """In words, the limit that keeps one more router out of the fullest cabinet."""
    endpoints = topology.endpoints_of
    fullest = max(cabinets, key=len)
    one_more = capacity.needs(len(fullest) + 1, int(endpoints[fullest].sum() + endpoints[fullest].max()))
    binding = [limit.split(" in ")[0] for limit, (needed, allowed) in one_more.items() if needed > allowed]
    return f" of at most {len(fullest)} routers (full by {' and '.join(binding)})" if binding else ""


def _rank(label: np.ndarray) -> np.ndarray:
    """Position of each entry among those with the same label, in order, int64."""
    label = np.asarray(label)
    order = np.argsort(label, kind="stable")
    start = np.searchsorted(label[order], label[order])
    rank = np.empty(len(label), np.int64)
    rank[order] = np.arange(len(label)) - start
    return rank


def _in_order(label: np.ndarray) -> np.ndarray:
    """Distinct labels by first appearance."""
    values, first = np.unique(label, return_index=True)
    return values[np.argsort(first)]
