"""Shortest tray routes by Dijkstra's algorithm between the junctions of trays: other nodes are passed on straight chains."""

from __future__ import annotations

import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.csgraph import dijkstra

from planner.check.basis.distinct import distinct
from planner.check.basis.graph import network
from planner.domain.model import Room

_BLOCK = 256
"""Junctions from which distances are searched at once."""


class TrayDistances:
    """Shortest tray routes between nodes for one medium class.

    A node with two neighbors is on a chain: each route from it leads to either end of its chain first, or to another node of the
    chain. Searches begin at the ends of the chains of the requested nodes.
    """

    def __init__(self, room: Room, medium: int, cost: np.ndarray | None = None):
        carries = room.segment_carries >> medium & 1 == 1
        allowed = np.flatnonzero(carries & (room.segments[:, 0] != room.segments[:, 1]))
        length = room.segment_mm if cost is None else cost
        # Sparse matrices drop zeros: zero costs become tiny ones.
        half = network(room.segments[allowed], np.maximum(length[allowed], 1e-6), len(room.node_xyz))
        self._chains(csr_array(half + half.T))

    def _chains(self, graph: csr_array) -> None:
        """Follow all chains: number, both ends and the distances to them of each node, and the graph of the ends."""
        starts, neighbors, costs = (column.tolist() for column in (graph.indptr, graph.indices, graph.data))
        nodes = len(starts) - 1
        degree = np.diff(graph.indptr)
        self._chain = np.full(nodes, -1)
        self._end, self._away = np.repeat(np.arange(nodes)[:, None], 2, axis=1), np.zeros((nodes, 2))
        is_end = (degree != 2).tolist()
        between: list[tuple[int, int, float]] = []
        number = 0
        # Rings without a junction are left for the end: any node of theirs may be one.
        for first in [*np.flatnonzero(degree != 2).tolist(), *np.flatnonzero(degree == 2).tolist()]:
            if self._chain[first] >= 0:
                continue
            is_end[first] = True
            for place in range(starts[first], starts[first + 1]):
                inner, before, at, length = [], first, neighbors[place], costs[place]
                if self._chain[at] >= 0:
                    continue
                while not is_end[at]:
                    inner.append((at, length))
                    place = starts[at] + (neighbors[starts[at]] == before)
                    before, at, length = at, neighbors[place], length + costs[place]
                between.append((first, at, length))
                for node, passed in inner:
                    self._chain[node], self._end[node], self._away[node] = number, (first, at), (passed, length - passed)
                number += 1
        self._ends, inverse = np.unique(self._end, return_inverse=True)
        self._end = inverse.reshape(-1, 2)
        columns = np.array([each for each in between if each[0] != each[1]]).reshape(-1, 3)
        links = np.searchsorted(self._ends, columns[:, :2].astype(np.int64))
        self._graph = network(links, columns[:, 2], len(self._ends))

    def between(self, a: np.ndarray, b: np.ndarray) -> np.ndarray:
        """Return the distances between the nodes of `a` and of `b`, float64 (n,); infinite where no route leads."""
        first, back, _ = distinct(np.minimum(a, b), np.maximum(a, b))
        a, b = np.minimum(a, b)[first], np.maximum(a, b)[first]
        # Both on one chain: directly, or over its ends.
        along = (self._chain[a] == self._chain[b]) & (self._chain[a] >= 0)
        found = np.where(a == b, 0, np.where(along, np.abs(self._away[a, 0] - self._away[b, 0]), np.inf))
        source = self._end[a].ravel()
        order = np.argsort(source, kind="stable")
        sources, starts = np.unique(source[order], return_index=True)
        starts = np.append(starts, len(order))
        for begin in range(0, len(sources), _BLOCK):
            block = sources[begin : begin + _BLOCK]
            table = dijkstra(self._graph, directed=False, indices=block)
            entry = order[starts[begin] : starts[begin + len(block)]]
            place, row = np.searchsorted(block, source[entry]), entry // 2
            for side in (0, 1):
                rest = table[place, self._end[b[row], side]] + self._away[b[row], side]
                np.minimum.at(found, row, self._away[a].ravel()[entry] + rest)
        return np.where(np.isfinite(found), np.rint(found), found)[back]
