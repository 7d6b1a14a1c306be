"""The state of a negotiation: routes of all demands, loads and prices of the segments."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from planner.design.cabling.trays import rooms
from planner.design.cabling.trays.chains import chains_of
from planner.design.cabling.trays.graph import Demands, TrayGraph, kernel_trays, same
from planner.kernels.trays import negotiation as kernel
from planner.kernels.trays import segment_search

CHUNK = 4096
"""Demands between two reports of progress."""

AHEAD = 2**24
"""Maximum stored lengths to targets, 128 MB; beyond that landmarks are used."""

_LANDMARKS = 12

Report = Callable[[], None]


class RoutingState:
    """The routes on the trays.

    Attributes
    ----------
    routable
        Demands to route, int64: those between different connected nodes; large ones first.
    shortest_mm
        Length of the shortest route of one cable of each demand, int64 (N,), set by `route_shortest`; 0 without a route.
    unreachable
        bool (N,).
    """

    def __init__(self, graph: TrayGraph, demands: Demands):
        self.graph, self.demands = graph, demands
        area = demands.area_um2
        self.total_um2 = int(area.sum())
        self.trays = kernel_trays(graph, self.total_um2)
        self.limited = self.trays.room_um2 < kernel.UNLIMITED_UM2
        nodes = np.sort(demands.ends, axis=1)
        between = nodes[:, 0] != nodes[:, 1]
        self.unreachable = between & ~_reachable(graph, demands)
        routable = np.flatnonzero(between & ~self.unreachable)
        self.routable = routable[np.argsort(-area[routable], kind="stable")]
        self._known = rooms.of(graph)
        ahead_mm, row, landmark_mm = self._search_bounds(nodes)
        self._demands = kernel.Demands(
            nodes[:, 0].copy(), nodes[:, 1].copy(), _bit(demands), demands.cable_um2, demands.cables, row.astype(np.int32)
        )
        self._chains = chains_of(self.trays, ahead_mm, self._known.contraction(self.trays))
        self._search = segment_search.scratch(graph.nodes, len(graph.ends), ahead_mm, landmark_mm)
        count, segments = len(nodes), len(graph.ends)
        self._routed = kernel.Routed(
            np.zeros(segments, np.int64),
            np.zeros(segments),
            np.zeros(count, np.int64),
            np.zeros(count, np.int64),
            np.empty(4 * kernel.STRANDS * (graph.nodes + 3), np.int32),
            np.zeros(1, np.int64),
        )
        self.shortest_mm = np.zeros(count, np.int64)

    def _search_bounds(self, nodes: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return the lengths to all targets and each demand's row, or none of them and the lengths to landmarks."""
        alike = (self.graph.carries == self.graph.carries[:1]).all()
        key = nodes[:, 1] + (0 if alike else self.graph.nodes) * self.demands.medium_class.astype(np.int64)
        targets, row = np.unique(key[self.routable], return_inverse=True)
        rows = np.full(len(nodes), -1)
        if len(targets) * self.graph.nodes > AHEAD:
            return np.empty((0, self.graph.nodes)), rows, self._landmarks()
        rows[self.routable] = row.ravel()
        if alike:
            return self._distances(np.uint8(3), targets), rows, np.empty((self.graph.nodes, 0))
        ahead_mm = np.empty((len(targets), self.graph.nodes))
        for medium in (0, 1):
            mine = targets // self.graph.nodes == medium
            ahead_mm[mine] = self._distances(np.uint8(1 << medium), targets[mine] % self.graph.nodes)
        return ahead_mm, rows, np.empty((self.graph.nodes, 0))

    def _landmarks(self) -> np.ndarray:
        """Return lengths from landmarks, nodes far from each other, over all segments."""
        nearest, found = self._distances(np.uint8(3), np.array([0]))[0], []
        for _ in range(_LANDMARKS):
            found.append(self._distances(np.uint8(3), nearest.argmax()[None])[0])
            nearest = np.minimum(nearest, found[-1]) if len(found) > 1 else found[-1]
        return np.ascontiguousarray(np.transpose(found))

    def _distances(self, kinds: np.uint8, sources: np.ndarray) -> np.ndarray:
        return self._known.distances(self.trays, int(kinds), sources)

    @property
    def price(self) -> np.ndarray:
        """Price of each segment in mm per µm², float64 (K,)."""
        return self._routed.price

    @property
    def use_um2(self) -> np.ndarray:
        """Cross-section in each segment, int64 (K,)."""
        return self._routed.use_um2

    @property
    def excess_um2(self) -> np.ndarray:
        """Overflow of each segment, int64 (K,)."""
        return np.maximum(self.use_um2 - self.trays.room_um2, 0)

    def overflow_um2(self) -> int:
        """Return the total overflow of all segments in µm²."""
        return sum(self.excess_um2.tolist())

    def route_shortest(self, report: Report) -> None:
        """Route every demand over its shortest route."""
        self._sweep(
            report,
            lambda order, start: kernel.route_shortest(self.trays, self._demands, self._search, self._routed, order, start),
        )
        self.shortest_mm = self._lengths_mm() // self.demands.cables

    def reroute(self, pressure: float, strands: int, report: Report) -> None:
        """Reroute the demands on overloaded segments; see `planner.kernels.trays.negotiation.reroute`."""
        self._sweep(
            report,
            lambda order, start: kernel.reroute(
                self.trays, self._chains, self._demands, self._search, self._routed, order, start, pressure, strands
            ),
        )

    def shorten(self, strands: int, report: Report) -> None:
        """Reroute demands that fit on shorter routes; see `planner.kernels.trays.negotiation.shorten`."""
        self._sweep(
            report,
            lambda order, start: kernel.shorten(
                self.trays, self._chains, self._demands, self._search, self._routed, self.shortest_mm, order, start, strands
            ),
        )

    def _sweep(self, report: Report, work: Callable[[np.ndarray, int], int]) -> None:
        for first in range(0, len(self.routable), CHUNK):
            order = self.routable[first : first + CHUNK]
            reached = 0
            while (reached := work(order, reached)) < len(order):
                self._make_space()
            report()

    def _make_space(self) -> None:
        """Compact the pool; a pool that is still half full is doubled."""
        routed = self._routed
        taken = int(routed.size.sum())
        pool = np.empty(len(routed.pool) * (2 if 2 * taken > len(routed.pool) else 1), np.int32)
        routed.end[0] = kernel.gather(self.routable, routed, pool)
        self._routed = routed._replace(pool=pool)

    def snapshot(self) -> kernel.Routed:
        """Return a copy of all routes; see `restore`. It shares the pool, whose blocks never change."""
        return _copied(self._routed)

    def restore(self, routed: kernel.Routed) -> None:
        """Restore the routes of a snapshot."""
        kept = _copied(routed)
        pool = np.empty(max(2 * int(kept.size.sum()), len(self._routed.pool)), np.int32)
        kept.end[0] = kernel.gather(self.routable, kept, pool)
        self._routed = kept._replace(pool=pool)

    def assign(self, strands: list[list[tuple[int, list[int]]]]) -> None:
        """Set the routes of the demands in `routable`: cables and segments, from the first end to the second, of each strand."""
        pool, use = list[int](), np.zeros(len(self.graph.ends), np.int64)
        routed = self._routed
        for demand, parts in zip(self.routable.tolist(), strands, strict=True):
            routed.at[demand] = len(pool)
            turned = self.demands.ends[demand, 0] > self.demands.ends[demand, 1]
            for cables, segments in parts:
                pool += [cables, len(segments), *(reversed(segments) if turned else segments)]
                use[segments] += cables * self.demands.cable_um2[demand]
            routed.size[demand] = len(pool) - routed.at[demand]
        self.restore(routed._replace(use_um2=use, pool=np.array(pool, np.int32), end=np.array([len(pool)])))

    def resume(self, demands: Demands, routed: kernel.Routed) -> None:
        """Restore the route of every demand that is also one of `demands` from their snapshot `routed`; others stay."""
        old = same(self.demands, demands)
        known = np.flatnonzero(old >= 0)
        begun = self.snapshot()
        begun.at[known] = begun.end[0] + routed.at[old[known]]
        begun.size[known] = routed.size[old[known]]
        begun = begun._replace(pool=np.concatenate([begun.pool[: begun.end[0]], routed.pool[: routed.end[0]]]))
        kernel.recount(self.trays, self._chains, self._demands, begun)
        self.restore(begun)

    def length_mm(self) -> int:
        """Return the total length of all cables."""
        return int(self._lengths_mm().sum())

    def _lengths_mm(self) -> np.ndarray:
        """Return the length of all cables of each demand, int64 (N,)."""
        found = np.empty(len(self.shortest_mm), np.int64)
        kernel.lengths_mm(self.trays, self._routed, found)
        return found

    def strands(self, routed: kernel.Routed) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """Return demand, cables, indptr and segments of all strands, as in `Negotiated`, of demands in `routable` only."""
        backwards = self.demands.ends[:, 0] > self.demands.ends[:, 1]
        none = np.empty(0, np.int32)
        count = kernel.unpack(routed, backwards, none, none, np.zeros(1, np.int64), none)
        demand, cables = np.empty((2, count), np.int32)
        indptr = np.zeros(count + 1, np.int64)
        segments = np.empty(int(routed.size.sum()) - 2 * count, np.int32)
        kernel.unpack(routed, backwards, demand, cables, indptr, segments)
        return demand, cables, indptr, segments


def _copied(routed: kernel.Routed) -> kernel.Routed:
    """Return a copy of routes that shares the pool."""
    return routed._replace(**{name: getattr(routed, name).copy() for name in routed._fields if name != "pool"})


def _reachable(graph: TrayGraph, demands: Demands) -> np.ndarray:
    """Return whether the ends of each demand are connected, bool (N,)."""
    found = np.zeros(len(demands.medium_class), bool)
    for medium in (0, 1):
        a, b = graph.ends[(graph.carries >> medium & 1) > 0].T
        network = coo_array((np.ones(len(a), bool), (a, b)), shape=(graph.nodes, graph.nodes))
        _, part = connected_components(network, directed=False)
        found |= (demands.medium_class == medium) & (part[demands.ends[:, 0]] == part[demands.ends[:, 1]])
    return found


def _bit(demands: Demands) -> np.ndarray:
    return np.left_shift(np.uint8(1), demands.medium_class)
