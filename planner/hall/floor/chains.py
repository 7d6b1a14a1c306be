"""Trays contracted to their junctions: lengths between all slots from lengths between the few junctions."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.sparse import coo_array, csr_array
from scipy.sparse.csgraph import connected_components, dijkstra

BLOCK = 1 << 22


@dataclass(frozen=True)
class Chains:
    """Shortest tray lengths between the slots of a room; arrays as in `planner.kernels.trays.lengths`.

    References
    ----------
    .. [1] E. W. Dijkstra, "A note on two problems in connexion with graphs", Numerische Mathematik 1, 1959.
    """

    end: np.ndarray
    to_end_mm: np.ndarray
    chain: np.ndarray
    between_mm: np.ndarray

    def pairs_mm(self, a: np.ndarray, b: np.ndarray) -> np.ndarray:
        """Return the lengths between the slots of `a` and of `b`, int32 (len(a),)."""
        from planner.kernels.trays import lengths

        length_mm = np.empty(len(a), np.int32)
        lengths.pairs(np.ascontiguousarray(a, np.int64), np.ascontiguousarray(b, np.int64), *self._arrays, length_mm)
        return length_mm

    def rows_mm(self, slots: np.ndarray) -> np.ndarray:
        """Return the lengths from the given slots to all, int32 (given, S)."""
        from planner.kernels.trays import lengths

        length_mm = np.empty((len(slots), len(self.end)), np.int32)
        lengths.rows(np.asarray(slots, np.int64), *self._arrays, length_mm)
        return length_mm

    @property
    def _arrays(self) -> tuple[np.ndarray, ...]:
        return self.end, self.to_end_mm, self.chain, self.between_mm


def chains_of(graph: csr_array, slot_node: np.ndarray) -> Chains:
    """Contract trays to their junctions.

    Parameters
    ----------
    graph
        Lengths of the segments in mm, each in one direction, (T, T); all slots are connected.
    slot_node
        Node of each slot, int (S,).
    """
    both = csr_array(graph + graph.T)
    junction = _junctions(both)
    end, to_end, chain, edges = _walk(both, junction)
    number = np.cumsum(junction) - 1
    small = _shortest_edges(number[edges[:, :2]], edges[:, 2], int(junction.sum()))
    # Only the junctions next to slots matter.
    used, mine = np.unique(number[end[slot_node]], return_inverse=True)
    between = np.empty((len(used), len(used)), np.int32)
    rows = max(1, BLOCK // small.shape[0])
    for first in range(0, len(used), rows):
        part = slice(first, first + rows)
        between[part] = dijkstra(small, directed=False, indices=used[part])[:, used]
    return Chains(mine.reshape(-1, 2).astype(np.int32), to_end[slot_node], chain[slot_node], between)


def _junctions(graph: csr_array) -> np.ndarray:
    """Return the junctions, nodes without exactly two neighbors, bool (T,); of a ring, its first node."""
    junction = np.diff(graph.indptr) != 2
    _, part = connected_components(graph, directed=False)
    without = ~np.isin(part, part[junction])
    junction[np.flatnonzero(without)[np.unique(part[without], return_index=True)[1]]] = True
    return junction


def _walk(graph: csr_array, junction: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Walk every chain from junction to junction.

    Returns
    -------
    end, to_end_mm, chain
        Junctions, lengths to them and chain of every node, int32 (T, 2), (T, 2), (T,); chain -1 at junctions.
    edges
        Junctions at both ends of every chain and its length, int64 (X, 3).
    """
    indptr, indices, length = graph.indptr.tolist(), graph.indices.tolist(), graph.data.astype(np.int64).tolist()
    stop = junction.tolist()
    nodes = len(stop)
    end = np.repeat(np.arange(nodes, dtype=np.int32)[:, None], 2, axis=1)
    to_end, chain = np.zeros((nodes, 2), np.int32), np.full(nodes, -1, np.int32)
    edges: list[tuple[int, int, int]] = []
    for start in np.flatnonzero(junction).tolist():
        for first in range(indptr[start], indptr[start + 1]):
            before, node, length_mm = start, indices[first], length[first]
            if chain[node] >= 0:
                continue  # walked from its other end
            members, starts_mm = [], []
            while not stop[node]:
                members.append(node)
                starts_mm.append(length_mm)
                step = indptr[node] if indices[indptr[node]] != before else indptr[node] + 1
                before, node, length_mm = node, indices[step], length_mm + length[step]
            end[members] = start, node
            to_end[members] = np.column_stack([starts_mm, length_mm - np.array(starts_mm)]) if members else 0
            chain[members] = len(edges)
            edges.append((start, node, length_mm))
    return end, to_end, chain, np.array(edges, np.int64).reshape(-1, 3)


def _shortest_edges(ends: np.ndarray, length: np.ndarray, count: int) -> csr_array:
    """Return the shortest of parallel chains, without loops; float64 (count, count), each edge in one direction."""
    low, high = ends.min(axis=1), ends.max(axis=1)
    order = np.lexsort([length, high, low])
    order = order[low[order] != high[order]]
    _, first = np.unique(low[order] * count + high[order], return_index=True)
    keep = order[first]
    return coo_array((length[keep].astype(np.float64), (low[keep], high[keep])), shape=(count, count)).tocsr()
