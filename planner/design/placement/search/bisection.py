"""Recursive bisection of a graph of cabinets against recursive bisection of the floor."""

from __future__ import annotations

import numpy as np
import pymetis
from scipy.sparse import csr_array

UNEVENNESS = 1
"""Allowed imbalance of METIS in thousandths; the remaining imbalance is corrected vertex by vertex."""


def place_by_bisection(graph: csr_array, xy: np.ndarray, seed: int) -> np.ndarray:
    """Return a place for every vertex by recursive bisection of graph and floor.

    The floor is bisected across its longer side. Each half of the graph is assigned to the half of the floor that is closer
    to its outside neighbors, whose places are known to the precision of the bisections so far.

    Parameters
    ----------
    graph
        Weights of links between vertices, symmetric, (N, N).
    xy
        The places, one per vertex, int (N, 2).

    Returns
    -------
    place
        Row of `xy` for each vertex, int64 (N,).

    Notes
    -----
    Differs from [2]_: neighbors outside decide which half goes to which half of the floor, not which vertices are in a half.

    References
    ----------
    .. [1] M. Breuer, "A class of min-cut placement algorithms", DAC 1977.
    .. [2] A. Dunlop, B. Kernighan, "A procedure for placement of standard-cell VLSI circuits", IEEE Trans. CAD 4, 1985
           (terminal propagation).
    .. [3] G. Karypis, V. Kumar, "A fast and high quality multilevel scheme for partitioning irregular graphs",
           SIAM J. Scientific Computing 20, 1998.
    """
    count = graph.shape[0]
    center = np.tile(xy.mean(axis=0), (count, 1))
    place = np.empty(count, np.int64)
    regions = [(np.arange(count), np.arange(count))]
    while regions:
        smaller = []
        for vertices, places in regions:
            if len(vertices) == 1:
                place[vertices] = places
                continue
            near, far = _cut_floor(places, xy)
            for half, spots in zip(_halves(graph, vertices, near, far, xy, center, seed), (near, far), strict=True):
                center[half] = xy[spots].mean(axis=0)
                smaller.append((half, spots))
        regions = smaller
    return place


def _cut_floor(places: np.ndarray, xy: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    axis = int(np.ptp(xy[places], axis=0).argmax())
    order = np.lexsort((xy[places, 1 - axis], xy[places, axis]))
    half = len(places) // 2
    return places[order[:half]], places[order[half:]]


def _halves(
    graph: csr_array, vertices: np.ndarray, near: np.ndarray, far: np.ndarray, xy: np.ndarray, center: np.ndarray, seed: int
) -> tuple[np.ndarray, np.ndarray]:
    """Return the vertices for the near and for the far half of the floor."""
    here, there = xy[near].mean(axis=0), xy[far].mean(axis=0)
    rows = graph[vertices]
    # Cost of the outside links of a vertex in either half.
    outside = np.ones(graph.shape[0], bool)
    outside[vertices] = False
    entry = np.repeat(np.arange(len(vertices)), np.diff(rows.indptr))
    kept = outside[rows.indices]
    distance = [np.abs(center[rows.indices[kept]] - at).sum(axis=1) * rows.data[kept] for at in (here, there)]
    pull = np.bincount(entry[kept], distance[0] - distance[1], minlength=len(vertices))
    if len(vertices) == 2:
        first = int(pull.argmin())
        return vertices[[first]], vertices[[1 - first]]
    inner = rows[:, vertices]
    part = _bisect(inner, len(near) / len(vertices), seed)
    # If the halves are equal, choose the orientation with the shorter outside links.
    if len(near) == len(far) and pull[part == 0].sum() > pull[part == 1].sum():
        part = 1 - part
    _even_out(inner, part, len(near))
    return vertices[part == 0], vertices[part == 1]


def _bisect(graph: csr_array, share: float, seed: int) -> np.ndarray:
    """Return the side, 0 or 1, of every vertex, side 0 with about `share` of them, int64 (N,)."""
    if graph.nnz == 0:
        return (np.arange(graph.shape[0]) >= round(share * graph.shape[0])).astype(np.int64)
    options = pymetis.Options(seed=seed, ufactor=UNEVENNESS)
    adjacency = pymetis.CSRAdjacency(graph.indptr.astype(np.int32), graph.indices.astype(np.int32))
    weights = graph.data.astype(np.int32)
    _, part = pymetis.part_graph(2, adjacency, eweights=weights, tpwgts=[share, 1 - share], recursive=True, options=options)
    return np.array(part, np.int64)


def _even_out(graph: csr_array, part: np.ndarray, wanted: int) -> None:
    """Move the vertices with the smallest loss until side 0 has `wanted` vertices."""
    while (excess := int((part == 0).sum()) - wanted) != 0:
        side = 0 if excess > 0 else 1
        inside = graph @ (part == side)
        loss = np.where(part == side, 2 * inside - graph.sum(axis=1), np.inf)
        many = max(1, abs(excess) // 4)
        part[np.argsort(loss, kind="stable")[:many]] = 1 - side
