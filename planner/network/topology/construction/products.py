"""Polarity graphs, supernodes and star products for PolarStar and related families.

References
----------
.. [1] K. Lakhotia et al., "PolarStar: expanding the horizon of diameter-3 networks", SPAA 2024.
.. [2] J.-C. Bermond, C. Delorme, G. Farhi, "Large graphs with given degree and diameter II",
       J. Comb. Theory B 36, 1984 (the star product and property R*).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from planner.network.topology.construction.field import field
from planner.network.topology.construction.graph import simple


@dataclass(frozen=True)
class PolarityGraph:
    """ER_q: the points of PG(2, q), two of them adjacent when their dot product vanishes.

    Attributes
    ----------
    points
        Left-normalized vectors, int32 (q² + q + 1, 3): (1,a,b) has id aq + b, (0,1,a) q² + a, (0,0,1) q² + q.
    links
        int64 (q(q+1)²/2, 2), without loops.
    quadrics
        Points with a loop, int64 (q + 1,).
    """

    q: int
    points: np.ndarray
    links: np.ndarray
    quadrics: np.ndarray


def matrix_bytes(q: int) -> int:
    """Return the memory of `polarity_graph` and `polarity_clusters` for their matrices of all pairs of points."""
    return 20 * (q * q + q + 1) ** 2


def polarity_graph(q: int) -> PolarityGraph:
    """Return ER_q for a prime power q; also known as Brown graph and PolarFly."""
    gf = field(q)
    a, b = (grid.ravel() for grid in np.meshgrid(np.arange(q), np.arange(q), indexing="ij"))
    one, zero = np.ones(q, int), np.zeros(q, int)
    points = np.concatenate(
        [
            np.column_stack([np.ones(q * q, int), a, b]),
            np.column_stack([zero, one, np.arange(q)]),
            [[0, 0, 1]],
        ]
    )
    dot = gf.mul[points[:, None, 0], points[None, :, 0]]
    for axis in (1, 2):
        dot = gf.add[dot, gf.mul[points[:, None, axis], points[None, :, axis]]]
    return PolarityGraph(q, points.astype(np.int32), np.argwhere(np.triu(dot == 0, 1)), np.flatnonzero(np.diag(dot) == 0))


def polarity_clusters(graph: PolarityGraph) -> np.ndarray:
    """Return the PolarFly cluster of each point, int64 (q² + q + 1,).

    Cluster 0 holds the quadrics; cluster i the i-th neighbor of the first quadric and that
    neighbor's other non-quadric neighbors. For even q the common neighbor of all quadrics
    joins cluster 0.

    References
    ----------
    .. [1] K. Lakhotia et al., "PolarFly: a cost-effective and flexible low-diameter topology", SC 2022, section V.
    """
    count = len(graph.points)
    adjacent = np.zeros((count, count), bool)
    adjacent[graph.links[:, 0], graph.links[:, 1]] = True
    adjacent |= adjacent.T
    quadric = np.zeros(count, bool)
    quadric[graph.quadrics] = True
    core = quadric.copy()
    if graph.q % 2 == 0:
        core |= adjacent[graph.quadrics].all(axis=0)
    cluster = np.full(count, -1)
    cluster[core] = 0
    for number, center in enumerate(np.flatnonzero(adjacent[graph.quadrics[0]] & ~core), 1):
        cluster[adjacent[center] & ~core] = number
        cluster[center] = number
    return cluster


@dataclass(frozen=True)
class Supernode:
    """A factor graph with the bijection f that links copies of it.

    Attributes
    ----------
    size
        Number of vertices.
    links
        int64 (E, 2).
    f
        int64 (size,).
    """

    size: int
    links: np.ndarray
    f: np.ndarray


def inductive_quad(degree: int) -> Supernode:
    """Return IQ_d' with 2d' + 2 vertices; d' is 0 or 3 modulo 4.

    Figure 6a of the PolarStar paper shows IQ_3; the step from d' to d' + 4 appends an IQ_3 whose
    f-pairs are joined alternately to the halves A and f(A).
    """
    quad = [[0, 1], [0, 2], [0, 3], [1, 4], [1, 6], [2, 4], [2, 7], [3, 4], [3, 5], [5, 6], [5, 7], [6, 7]]
    if degree % 4 == 0:
        size, links, half = 2, [], [0]
        f = [1, 0]
    else:
        size, links, half = 8, [list(link) for link in quad], [0, 1, 2, 3]
        f = [4, 5, 6, 7, 0, 1, 2, 3]
    while size < 2 * degree + 2:
        n = size
        links += [[n + u, n + v] for u, v in quad]
        links += [[n + u, v] for u in (0, 4, 1, 5) for v in half]
        links += [[n + u, f[v]] for u in (2, 6, 3, 7) for v in half]
        f += [n + v for v in (4, 5, 6, 7, 0, 1, 2, 3)]
        half = half + [n, n + 1, n + 2, n + 3]
        size += 8
    return Supernode(size, simple(np.array(links, np.int64).reshape(-1, 2)), np.array(f))


def paley(q: int) -> Supernode:
    """Return the Paley graph on GF(q), q = 1 modulo 4, with f(x) = ξx for the generator ξ.

    Any non-residue may be used as ξ; a residue would give the star product diameter 4.
    """
    gf = field(q)
    squares = gf.power[0::2]
    a, b = np.nonzero(np.triu(np.isin(gf.sub, squares), 1))
    return Supernode(q, np.column_stack([a, b]), gf.mul[gf.power[1]].astype(np.int64))


def tournament(degree: int) -> Supernode:
    """Return a supernode of order 2d' and maximum degree d' with property R*, for any d' of at least 1.

    Its f-pairs i, i + d' form a rotational tournament: pair i beats j when j - i modulo d' is at most
    (d' - 1)/2, the antipodal pair going to the smaller index; the winner sends both of its links from
    one vertex, alternately from i and i + d'. It has the order of Bermond, Delorme and Farhi's graph
    and is not claimed to be theirs.
    """
    m = degree
    links, turn = [], [0] * m
    for i in range(m):
        for j in range(m):
            step = (j - i) % m
            if 0 < step <= (m - 1) // 2 or (2 * step == m and i < j):
                center = i + m * turn[i]
                turn[i] ^= 1
                links += [[center, j], [center, j + m]]
    f = (np.arange(2 * m) + m) % (2 * m)
    return Supernode(2 * m, simple(np.array(links, np.int64).reshape(-1, 2)), f)


def cayley(order: int) -> Supernode:
    """Return the Cayley supernode on F_2^m, order 2^m, degree half of it, with property R1.

    f is the linear map x -> x xor x/2; the generators are every second element of each cycle of f on
    the nonzero vectors, and the fixed vector.
    """
    x = np.arange(order)
    f = x ^ (x >> 1)
    generators, seen = [], {0}
    for start in range(1, order):
        cycle = []
        while start not in seen:
            seen.add(start)
            cycle.append(start)
            start = int(f[start])
        generators += cycle[::2]
    a, b = np.nonzero(np.triu(np.isin(x[:, None] ^ x, generators), 1))
    return Supernode(order, np.column_stack([a, b]), f)


def complete(order: int) -> Supernode:
    """Return the complete graph with f the identity: the star product is the Cartesian product."""
    return Supernode(order, np.column_stack(np.triu_indices(order, 1)), np.arange(order))


def star(routers: int, links: np.ndarray, loops: np.ndarray, supernode: Supernode) -> np.ndarray:
    """Return the links of the star product, int64 (L, 2); vertex (x, a) has id x * size + a.

    Each link {x, y} of the structure graph, read from the lower to the higher id, joins (x, a) to
    (y, f(a)) for all a; a loop at x joins (x, a) to (x, f(a)).
    """
    n = supernode.size
    a = np.arange(n)
    inside = (np.arange(routers)[:, None, None] * n + supernode.links).reshape(-1, 2)
    low, high = np.sort(links, axis=1).T
    between = np.stack([low[:, None] * n + a, high[:, None] * n + supernode.f], axis=-1).reshape(-1, 2)
    loop = np.stack([loops[:, None] * n + a, loops[:, None] * n + supernode.f], axis=-1).reshape(-1, 2)
    return simple(np.concatenate([inside, between, loop]))
