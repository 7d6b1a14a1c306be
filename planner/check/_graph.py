"""Graphs by SciPy: the network between routers, distances and pieces, the gap of the Laplacian, distances over trays."""

from __future__ import annotations

import numpy as np
from scipy.linalg import eigvalsh
from scipy.sparse import coo_array, csr_array
from scipy.sparse.csgraph import connected_components, dijkstra, laplacian
from scipy.sparse.linalg import eigsh

from planner.model import Room

_DENSE = 1500
"""Routers up to which all eigenvalues are computed at once."""


def network(links: np.ndarray, cost: np.ndarray, routers: int) -> csr_array:
    """Return the cost between neighbors, float64 (R, R); of parallel links the cheapest counts."""
    ends = np.sort(links.reshape(-1, 2).astype(np.int64), axis=1)
    order = np.lexsort((cost, ends[:, 1], ends[:, 0]))
    _, first = np.unique(ends[order] @ [routers, 1], return_index=True)
    kept = order[first]
    return csr_array((np.asarray(cost, np.float64)[kept], ends[kept].T), shape=(routers, routers))


def pieces(links: np.ndarray, routers: int) -> np.ndarray:
    """Return the connected piece of each router, int (R,)."""
    graph = coo_array((np.ones(len(links), np.int8), links.reshape(-1, 2).T), shape=(routers, routers))
    return connected_components(graph, directed=False)[1]


def laplacian_gap(links: np.ndarray, routers: int) -> float:
    """Return the second smallest eigenvalue of the Laplacian: of all of them in small graphs, by shifted inversion in large."""
    graph = coo_array((np.ones(len(links)), links.reshape(-1, 2).T), shape=(routers, routers)).tocsr()
    matrix = laplacian(graph + graph.T)
    if routers <= _DENSE:
        return max(0.0, float(eigvalsh(matrix.toarray(), subset_by_index=[1, 1])[0]))
    # The constant vector belongs to the eigenvalue 0; lifted to the top it is out of the way.
    start = np.cos(np.arange(routers))
    values = eigsh(matrix, k=2, sigma=-1e-3, which="LM", v0=start, return_eigenvectors=False)
    return max(0.0, float(np.sort(values)[1]))


class TrayDistances:
    """Shortest tray routes between nodes over what carries one medium class, by Dijkstra from the nodes asked for."""

    def __init__(self, room: Room, way: int, cost: np.ndarray | None = None):
        allowed = np.flatnonzero(room.segment_carries >> way & 1)
        length = room.segment_mm if cost is None else cost
        # Zeros are lost in sparse matrices: what costs nothing costs next to nothing.
        self._graph = network(room.segments[allowed], np.maximum(length[allowed], 1e-6), len(room.node_xyz))

    def between(self, a: np.ndarray, b: np.ndarray) -> np.ndarray:
        """Return the distances between the nodes of `a` and of `b`, float64 (n,); infinite where no route leads."""
        sources, row = np.unique(a, return_inverse=True)
        found = np.empty(len(a))
        for first in range(0, len(sources), 256):
            block = np.arange(first, min(first + 256, len(sources)))
            table = dijkstra(self._graph, directed=False, indices=sources[block])
            mine = (row >= first) & (row < first + 256)
            found[mine] = table[row[mine] - first, b[mine]]
        return np.where(np.isfinite(found), np.rint(found), found)
