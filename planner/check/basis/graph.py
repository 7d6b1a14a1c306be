"""Graphs by SciPy: the network between routers, distances and components, the gap of the Laplacian."""

from __future__ import annotations

import numpy as np
from scipy.linalg import eigvalsh
from scipy.sparse import coo_array, csr_array
from scipy.sparse.csgraph import connected_components, laplacian
from scipy.sparse.linalg import ArpackNoConvergence, eigsh

_DENSE = 300
"""Routers up to which all eigenvalues are computed at once."""


def network(links: np.ndarray, cost: np.ndarray, routers: int) -> csr_array:
    """Return the cost between neighbors, float64 (R, R); of parallel links the cheapest counts."""
    ends = np.sort(links.reshape(-1, 2).astype(np.int64), axis=1)
    order = np.lexsort((cost, ends[:, 1], ends[:, 0]))
    _, first = np.unique(ends[order] @ [routers, 1], return_index=True)
    kept = order[first]
    return csr_array((np.asarray(cost, np.float64)[kept], ends[kept].T), shape=(routers, routers))


def components(links: np.ndarray, routers: int) -> np.ndarray:
    """Return the connected component of each router, int (R,)."""
    graph = coo_array((np.ones(len(links), np.int8), links.reshape(-1, 2).T), shape=(routers, routers))
    return connected_components(graph, directed=False)[1]


def hop_counts(links: np.ndarray, routers: int) -> np.ndarray:
    """Return the ordered pairs of routers at 0, 1, 2 … hops, int64, by products of the adjacency with what is reached."""
    ends = links.reshape(-1, 2)
    both = np.concatenate([ends, ends[:, ::-1]])
    graph = csr_array((np.ones(len(both), np.float32), both.T), shape=(routers, routers))
    reached, counts = np.eye(routers, dtype=np.float32), [routers]
    while True:
        reached = np.minimum(graph @ reached + reached, 1)
        new = int(reached.sum(dtype=np.float64)) - sum(counts)
        if not new:
            return np.array(counts, np.int64)
        counts.append(new)


def laplacian_gap(links: np.ndarray, routers: int) -> float:
    """Return the second smallest eigenvalue of the Laplacian: of all of them in small graphs, by Lanczos in large.

    Of a disconnected graph it is 0: Lanczos finds a repeated eigenvalue once.
    """
    if components(links, routers).any():
        return 0.0
    graph = coo_array((np.ones(len(links)), links.reshape(-1, 2).T), shape=(routers, routers)).tocsr()
    matrix = laplacian(graph + graph.T)
    if routers > _DENSE:
        try:
            start = np.cos(np.arange(routers))
            values = eigsh(matrix.astype(np.float64), k=2, which="SA", v0=start, tol=1e-10, return_eigenvectors=False)
            return max(0.0, float(values.max()))
        except ArpackNoConvergence:
            pass
    return max(0.0, float(eigvalsh(matrix.toarray(), subset_by_index=[1, 1])[0]))


def spectral_bound(links: np.ndarray, inside: np.ndarray) -> float:
    """Return the spectral lower bound of the bisection of the routers marked by `inside`, which have no links to others."""
    count, own = int(inside.sum()), links[inside[links[:, 0]]]
    if count < 2 or not len(own):
        return 0.0
    return laplacian_gap((np.cumsum(inside) - 1)[own], count) * (count // 2) * ((count + 1) // 2) / count
