"""The state of a negotiation: what lies where, at which prices; and what was best so far."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from planner.cabling._chains import chains_of
from planner.cabling._trays import Pulls, TrayGraph, kernel_trays, same
from planner.kernels.trays import negotiation as kernel
from planner.kernels.trays import segment_search, trees

CHUNK = 4096
"""Pulls between two reports of progress."""

AHEAD = 2**24
"""Most lengths to targets that are held, 128 MB; beyond that landmarks show the way."""

_LANDMARKS = 12

Told = Callable[[], None]


class Table:
    """What lies on the trays.

    Attributes
    ----------
    lays
        Pulls that must be laid, int64: those between different nodes that a way joins; large ones first.
    least_mm
        Length of the shortest way of one cable of each pull, int64 (N,), from `begin` on; 0 where none is needed or leads.
    unreachable
        bool (N,).
    """

    def __init__(self, graph: TrayGraph, pulls: Pulls):
        self.graph, self.pulls = graph, pulls
        area = pulls.area_um2
        self.total_um2 = int(area.sum())
        self.trays = kernel_trays(graph, self.total_um2)
        self.limited = self.trays.room_um2 < kernel.UNLIMITED_UM2
        nodes = np.sort(pulls.ends, axis=1)
        between = nodes[:, 0] != nodes[:, 1]
        self.unreachable = between & ~_joined(graph, pulls)
        lays = np.flatnonzero(between & ~self.unreachable)
        self.lays = lays[np.argsort(-area[lays], kind="stable")]
        ahead_mm, row, landmark_mm = self._look_ahead(nodes)
        self._pulls = kernel.Pulls(
            nodes[:, 0].copy(), nodes[:, 1].copy(), _bit(pulls), pulls.cable_um2, pulls.cables, row.astype(np.int32)
        )
        self._chains = chains_of(self.trays, ahead_mm)
        self._search = segment_search.scratch(graph.nodes, len(graph.ends), ahead_mm, landmark_mm)
        count, segments = len(nodes), len(graph.ends)
        self._laid = kernel.Laid(
            np.zeros(segments, np.int64),
            np.zeros(segments),
            np.zeros(count, np.int64),
            np.zeros(count, np.int64),
            np.empty(4 * kernel.STRANDS * (graph.nodes + 3), np.int32),
            np.zeros(1, np.int64),
        )
        self.least_mm = np.zeros(count, np.int64)

    def _look_ahead(self, nodes: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return the lengths to all targets and each pull's row, or none of them and the lengths to landmarks."""
        alike = (self.graph.carries == self.graph.carries[:1]).all()
        key = nodes[:, 1] + (0 if alike else self.graph.nodes) * self.pulls.way.astype(np.int64)
        targets, row = np.unique(key[self.lays], return_inverse=True)
        rows = np.full(len(nodes), -1)
        if len(targets) * self.graph.nodes > AHEAD:
            return np.empty((0, self.graph.nodes)), rows, self._landmarks()
        rows[self.lays] = row.ravel()
        ahead_mm = np.empty((len(targets), self.graph.nodes))
        for way in (0, 1):
            mine = targets // self.graph.nodes == way
            kinds = np.uint8(3 if alike else 1 << way)
            ahead_mm[mine] = self._distances(kinds, targets[mine] % self.graph.nodes)
        return ahead_mm, rows, np.empty((self.graph.nodes, 0))

    def _landmarks(self) -> np.ndarray:
        """Lengths from nodes as far from each other as may be, over all segments."""
        nearest, found = self._distances(np.uint8(3), np.array([0]))[0], []
        for _ in range(_LANDMARKS):
            found.append(self._distances(np.uint8(3), nearest.argmax()[None])[0])
            nearest = np.minimum(nearest, found[-1]) if len(found) > 1 else found[-1]
        return np.ascontiguousarray(np.transpose(found))

    def _distances(self, kinds: np.uint8, sources: np.ndarray) -> np.ndarray:
        tree = trees.scratch(self.graph.nodes, len(self.graph.ends))
        found = np.empty((len(sources), self.graph.nodes))
        trees.distances(self.trays, self.trays.length_mm, kinds, sources, tree, found)
        return found

    @property
    def price(self) -> np.ndarray:
        """Price of each segment in mm per µm², float64 (K,)."""
        return self._laid.price

    @property
    def use_um2(self) -> np.ndarray:
        """Cross-section in each segment, int64 (K,)."""
        return self._laid.use_um2

    @property
    def over_um2(self) -> np.ndarray:
        """What does not fit into each segment, int64 (K,)."""
        return np.maximum(self.use_um2 - self.trays.room_um2, 0)

    def over(self) -> int:
        """Return what does not fit, summed over all segments, in µm²."""
        return sum(self.over_um2.tolist())

    def begin(self, tell: Told) -> None:
        """Lay every pull on its shortest way."""
        self.reroute(0.0, 1, tell)
        self.least_mm = self._lengths_mm() // self.pulls.cables

    def reroute(self, pressure: float, strands: int, tell: Told) -> None:
        """Lay again what shares over-full segments; see `planner.kernels.trays.negotiation.reroute`."""
        self._sweep(
            tell,
            lambda order, start: kernel.reroute(
                self.trays, self._chains, self._pulls, self._search, self._laid, order, start, pressure, strands
            ),
        )

    def shorten(self, strands: int, tell: Told) -> None:
        """Lay again what fits on shorter ways; see `planner.kernels.trays.negotiation.shorten`."""
        self._sweep(
            tell,
            lambda order, start: kernel.shorten(
                self.trays, self._chains, self._pulls, self._search, self._laid, self.least_mm, order, start, strands
            ),
        )

    def _sweep(self, tell: Told, work: Callable[[np.ndarray, int], int]) -> None:
        for first in range(0, len(self.lays), CHUNK):
            order = self.lays[first : first + CHUNK]
            reached = 0
            while (reached := work(order, reached)) < len(order):
                self._make_space()
            tell()

    def _make_space(self) -> None:
        """Move all blocks together; a pool that is still half full is doubled."""
        laid = self._laid
        taken = int(laid.size.sum())
        pool = np.empty(len(laid.pool) * (2 if 2 * taken > len(laid.pool) else 1), np.int32)
        laid.end[0] = kernel.gather(self.lays, laid, pool)
        self._laid = laid._replace(pool=pool)

    def take(self) -> kernel.Laid:
        """Return a copy of what lies where; see `put`."""
        self._make_space()
        laid = self._laid
        return kernel.Laid(*(column.copy() for column in laid))._replace(pool=laid.pool[: laid.end[0]].copy())

    def put(self, laid: kernel.Laid) -> None:
        """Lay everything as it was when `laid` was taken."""
        pool = np.empty(max(2 * len(laid.pool), len(self._laid.pool)), np.int32)
        pool[: len(laid.pool)] = laid.pool
        self._laid = kernel.Laid(*(column.copy() for column in laid))._replace(pool=pool)

    def lay(self, strands: list[list[tuple[int, list[int]]]]) -> None:
        """Lay the pulls of `lays` as given: cables and segments, from the first end to the second, of each strand."""
        pool, use = [], np.zeros(len(self.graph.ends), np.int64)
        laid = self._laid
        for pull, parts in zip(self.lays.tolist(), strands, strict=True):
            laid.at[pull] = len(pool)
            turned = self.pulls.ends[pull, 0] > self.pulls.ends[pull, 1]
            for cables, way in parts:
                pool += [cables, len(way), *(reversed(way) if turned else way)]
                use[way] += cables * self.pulls.cable_um2[pull]
            laid.size[pull] = len(pool) - laid.at[pull]
        self.put(laid._replace(use_um2=use, pool=np.array(pool, np.int32), end=np.array([len(pool)])))

    def go_on(self, pulls: Pulls, laid: kernel.Laid) -> None:
        """Lay every pull as the same one of `pulls` lay when `laid` was taken; others stay."""
        old = same(self.pulls, pulls)
        known = np.flatnonzero(old >= 0)
        begun = self.take()
        begun.at[known] = len(begun.pool) + laid.at[old[known]]
        begun.size[known] = laid.size[old[known]]
        pool = np.concatenate([begun.pool, laid.pool])
        kernel.recount(self._chains, self._pulls, begun._replace(pool=pool))
        self.put(begun._replace(pool=pool, end=np.array([len(pool)])))
        self._make_space()

    def length_mm(self) -> int:
        """Return the length of all cables as they lie."""
        return int(self._lengths_mm().sum())

    def _lengths_mm(self) -> np.ndarray:
        """Length of all cables of each pull, int64 (N,)."""
        found = np.empty(len(self.least_mm), np.int64)
        kernel.lengths_mm(self.trays, self._laid, found)
        return found

    def strands(self, laid: kernel.Laid) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """Return pull, cables, indptr and segments of all strands, as in `Negotiated`, of pulls in `lays` only."""
        backwards = self.pulls.ends[:, 0] > self.pulls.ends[:, 1]
        none = np.empty(0, np.int32)
        count = kernel.unpack(laid, backwards, none, none, np.zeros(1, np.int64), none)
        pull, cables = np.empty((2, count), np.int32)
        indptr = np.zeros(count + 1, np.int64)
        segments = np.empty(int(laid.size.sum()) - 2 * count, np.int32)
        kernel.unpack(laid, backwards, pull, cables, indptr, segments)
        return pull, cables, indptr, segments


def _joined(graph: TrayGraph, pulls: Pulls) -> np.ndarray:
    """Whether some way joins both ends of each pull, bool (N,)."""
    found = np.zeros(len(pulls.way), bool)
    for way in (0, 1):
        a, b = graph.ends[(graph.carries >> way & 1) > 0].T
        network = coo_array((np.ones(len(a), bool), (a, b)), shape=(graph.nodes, graph.nodes))
        _, part = connected_components(network, directed=False)
        found |= (pulls.way == way) & (part[pulls.ends[:, 0]] == part[pulls.ends[:, 1]])
    return found


def _bit(pulls: Pulls) -> np.ndarray:
    return np.left_shift(np.uint8(1), pulls.way)
