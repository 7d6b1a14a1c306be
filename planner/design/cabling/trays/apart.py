"""Detours for devices whose cables shall not all share a tray segment."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from planner.design.cabling.trays.routes import Routes
from planner.domain.model import Room


def apart(
    room: Room,
    found: Routes,
    sets: np.ndarray,
    slot: np.ndarray,
    medium_class: np.ndarray,
    area_um2: np.ndarray,
    left_um2: np.ndarray,
    spare_mm: np.ndarray,
) -> Routes:
    """Return routes on which the cables of each set have no tray segment in common, as far as the trays allow it.

    Where all cables of a set use a segment, one of them is rerouted: over as little of the trays that the others
    have in common as possible, then with the shortest detour, where trays have room for it.

    Parameters
    ----------
    found
        Routes of all cables.
    sets
        Set of each cable, -1 for none, int (W,).
    slot, medium_class, area_um2
        As for `planner.design.cabling.trays.routes.routes`.
    left_um2
        Free cross-section of each segment, int64 (K,).
    spare_mm
        Maximum detour of each cable, int64 (W,).
    """
    nodes = room.slot_node[slot, medium_class[:, None]].astype(np.int64)
    trays = [_Trays.of(room, medium) for medium in (0, 1)]
    left, changed = left_um2.copy(), {}
    order = np.argsort(sets, kind="stable")
    for cables in np.split(order, np.flatnonzero(np.diff(sets[order])) + 1):
        if sets[cables[0]] < 0 or len(cables) < 2 or (found.route[cables] < 0).any():
            continue
        own = [found.segments_of(cable) for cable in cables.tolist()]
        before_mm, options = _common_mm(room, own), []
        for place, cable in enumerate(cables.tolist() if before_mm else ()):
            others = [*own[:place], *own[place + 1 :]]
            free = left >= area_um2[cable]
            free[own[place]] = True
            route = trays[medium_class[cable]].route(nodes[cable], _common(others), free)
            if route is None:
                continue
            common_mm = _common_mm(room, [*others, route])
            detour_mm = int(room.segment_mm[route].sum() - room.segment_mm[own[place]].sum())
            if common_mm < before_mm and detour_mm <= spare_mm[cable]:
                options.append((common_mm, detour_mm, place, route))
        if options:
            _, _, place, route = min(options, key=lambda one: one[:3])
            left[own[place]] += area_um2[cables[place]]
            left[route] -= area_um2[cables[place]]
            changed[int(cables[place])] = route
    return _with(room, found, changed)


def _common(routes: list[np.ndarray]) -> np.ndarray:
    """Return the segments that all routes use."""
    return np.array(sorted(set.intersection(*(set(route.tolist()) for route in routes))), np.int64)


def _common_mm(room: Room, routes: list[np.ndarray]) -> int:
    return int(room.segment_mm[_common(routes)].sum())


@dataclass(frozen=True)
class _Trays:
    """Segments that carry a medium class, with their ends and lengths."""

    segments: np.ndarray
    ends: np.ndarray
    length_mm: np.ndarray
    nodes: int

    @classmethod
    def of(cls, room: Room, medium: int) -> _Trays:
        carries = np.flatnonzero(room.segment_carries >> medium & 1)
        return cls(
            carries, room.segments[carries].astype(np.int64), room.segment_mm[carries].astype(np.int64), len(room.node_xyz)
        )

    def route(self, ends: np.ndarray, avoided: np.ndarray, free: np.ndarray) -> np.ndarray | None:
        """Return the segments of the route with the minimum length on avoided segments, then of all; None without a route."""
        from scipy.sparse import csr_array
        from scipy.sparse.csgraph import dijkstra

        start, end = ends.tolist()
        # Sparse matrices drop zeros, and no length on avoided segments is outweighed by one on others.
        cost = np.maximum(self.length_mm, 1) + np.isin(self.segments, avoided) * (int(self.length_mm.sum()) + len(self.segments))
        usable = np.flatnonzero(free[self.segments])
        pair = np.sort(self.ends[usable], axis=1)
        order = np.lexsort((cost[usable], pair[:, 1], pair[:, 0]))
        _, first = np.unique(pair[order], axis=0, return_index=True)
        kept = usable[order[first]]
        low, high = pair[order[first]].T
        graph = csr_array((cost[kept].astype(np.float64), (low, high)), shape=(self.nodes, self.nodes))
        _, before = dijkstra(graph, directed=False, indices=start, return_predecessors=True)
        of_pair = dict(zip(zip(low.tolist(), high.tolist(), strict=True), self.segments[kept].tolist(), strict=True))
        found, node = [], end
        while node != start:
            last = int(before[node])
            if last < 0:
                return None
            found.append(of_pair[min(last, node), max(last, node)])
            node = last
        return np.array(found[::-1], np.int64)


def _with(room: Room, found: Routes, changed: dict[int, np.ndarray]) -> Routes:
    """Return the routes with those of some cables replaced; equal routes are one row."""
    if not changed:
        return found
    rows: dict[tuple[int, ...], int] = {}
    moved = np.array([*changed], np.int64)
    stays = found.route >= 0
    stays[moved] = False
    kept, again = np.unique(found.route[stays], return_inverse=True)

    def row(segments: np.ndarray) -> int:
        return rows.setdefault(tuple(segments.tolist()), len(rows))

    same = np.array([row(found.segments[found.indptr[old] : found.indptr[old + 1]]) for old in kept.tolist()], np.int64)
    route, tray_mm = found.route.copy(), found.tray_mm.copy()
    route[stays] = same[again.ravel()]
    route[moved] = [row(own) for own in changed.values()]
    tray_mm[moved] = [int(room.segment_mm[own].sum()) for own in changed.values()]
    return replace(
        found,
        route=route,
        indptr=np.cumsum([0, *map(len, rows)]),
        segments=np.array([segment for own in rows for segment in own], np.int64),
        tray_mm=tray_mm,
    )
