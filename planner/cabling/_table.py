"""The state of a negotiation: what lies where, at which prices; and what was best so far."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from planner.cabling._trays import Pulls, TrayGraph, kernel_trays
from planner.kernels import negotiation as kernel
from planner.kernels import trees

CHUNK = 4096
"""Pulls between two reports of progress."""

_AHEAD = 2**25
"""Most entries of the table of lengths to all targets: 256 MB."""

Told = Callable[[], None]


class Table:
    """What lies on the trays.

    Attributes
    ----------
    lays
        Pulls that must be laid, int64: those between different nodes that a way joins; large ones first.
    least_mm
        Length of the shortest way of one cable of each pull, int64 (N,); 0 where none is needed or leads.
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
        ahead_mm, row = self._look_ahead(nodes)
        between = nodes[:, 0] != nodes[:, 1]
        self.unreachable = between & np.isinf(self._shortest)
        self.least_mm = np.where(between & ~self.unreachable, self._shortest, 0).astype(np.int64)
        lays = np.flatnonzero(between & ~self.unreachable)
        self.lays = lays[np.argsort(-area[lays], kind="stable")]
        self._pulls = kernel.Pulls(
            nodes[:, 0].copy(), nodes[:, 1].copy(), _bit(pulls), pulls.cable_um2, pulls.cables, row.astype(np.int32)
        )
        self._search = kernel.scratch(graph.nodes, len(graph.ends), ahead_mm)
        count, segments = len(nodes), len(graph.ends)
        self._laid = kernel.Laid(
            np.zeros(segments, np.int64),
            np.zeros(segments),
            np.zeros(count, np.int64),
            np.zeros(count, np.int64),
            np.empty(4 * kernel.STRANDS * (graph.nodes + 3), np.int32),
            np.zeros(1, np.int64),
        )

    def _look_ahead(self, nodes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Lengths to every target and the row of each pull; also fills the shortest ways."""
        self._shortest = np.zeros(len(nodes))
        targets, row = np.unique(_bit(self.pulls).astype(np.int64) << 32 | nodes[:, 1], return_inverse=True)
        row = row.ravel()
        fits = len(targets) * self.graph.nodes <= _AHEAD
        ahead_mm = np.zeros((len(targets) if fits else 1, self.graph.nodes))
        tree = trees.scratch(self.graph.nodes, len(self.graph.ends))
        members = np.argsort(row, kind="stable")
        starts = np.searchsorted(row[members], np.arange(len(targets) + 1))
        line = np.empty((1, self.graph.nodes))
        for place, target in enumerate(targets.tolist()):
            node = np.array([target & (2**32 - 1)], np.int64)
            trees.distances(self.trays, self.trays.length_mm, np.uint8(target >> 32), node, tree, line)
            mine = members[starts[place] : starts[place + 1]]
            self._shortest[mine] = line[0, nodes[mine, 0]]
            if fits:
                ahead_mm[place] = line[0]
        return ahead_mm, row if fits else np.zeros_like(row)

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

    def reroute(self, pressure: float, strands: int, tell: Told) -> None:
        """Lay again what shares over-full segments; see `planner.kernels.negotiation.reroute`."""
        self._sweep(
            tell,
            lambda order, start: kernel.reroute(
                self.trays, self._pulls, self._search, self._laid, order, start, pressure, strands
            ),
        )

    def shorten(self, strands: int, tell: Told) -> None:
        """Lay again what fits on shorter ways; see `planner.kernels.negotiation.shorten`."""
        self._sweep(
            tell,
            lambda order, start: kernel.shorten(
                self.trays, self._pulls, self._search, self._laid, self.least_mm, order, start, strands
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

    def length_mm(self) -> int:
        """Return the length of all cables as they lie."""
        _, cables, indptr, segments = self.strands(self._laid)
        return int(self._way_mm(indptr, segments) @ cables.astype(np.int64))

    def _way_mm(self, indptr: np.ndarray, segments: np.ndarray) -> np.ndarray:
        total = np.concatenate([[0], np.cumsum(self.graph.length_mm[segments], dtype=np.int64)])
        return total[indptr[1:]] - total[indptr[:-1]]

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


def _bit(pulls: Pulls) -> np.ndarray:
    return np.left_shift(np.uint8(1), pulls.way)
