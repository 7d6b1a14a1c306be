"""Hop distances: from a table, or from the network's structure where a table would be too large."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse
from scipy.sparse import csgraph

from planner.domain.model import Topology
from planner.kernels.graph.bfs import UNREACHED
from planner.kernels.routing.hops import CAYLEY, COMPLETE, LATTICE, PATH, RING, STAR, TABLE, Distances, keys, row

TABLE_ROUTERS = 20_000
"""Maximum routers for a table of all distances."""

_LONGEST_WALK = 4
_FAR = 200

MAX_SUPERNODES = 4096
"""Supernodes of a star product that is looked for: walks among them take their square in memory, their cube in time."""


@dataclass(frozen=True)
class Hops:
    """Hops between any two routers, by `planner.kernels.routing.hops.hops`."""

    distances: Distances
    diameter: int

    def row(self, router: int, routers: int) -> np.ndarray:
        """Return the hops from one router to all, uint8 (routers,)."""
        out = np.empty(routers, np.uint8)
        row(self.distances, router, out)
        return out


def of_table(table: np.ndarray) -> Hops:
    """Return the hops of a table, uint8 (R,R)."""
    return _hops(TABLE, table, [], int(table[table != UNREACHED].max()))


def _hops(kind: int, table: np.ndarray, sizes: Sequence[int], diameter: int) -> Hops:
    return Hops(Distances(kind, table, np.array(sizes, np.int64)), diameter)


def of_structure(topology: Topology) -> Hops | None:
    """Return the hops of a lattice, a star product or a Cayley graph of matrices; None for another network.

    The structure is detected from the links, coordinates and finest groups, not from the name of the family.
    """
    return of_lattice(topology) or of_star(topology) or of_matrices(topology)


def of_lattice(topology: Topology) -> Hops | None:
    """Return the hops of a mesh, a torus, a HyperX or a mixture; None for another network.

    Every link changes one coordinate, and the links of one dimension form paths, rings or complete graphs.
    """
    coords, links = topology.coords, np.unique(topology.links, axis=0)
    routers, dimensions = coords.shape
    if dimensions == 0 or coords.max() > 254 or coords.min() < 0:
        return None
    sizes = coords.max(axis=0) + 1
    if np.prod(sizes.astype(np.float64)) != routers or len(np.unique(coords, axis=0)) != routers:
        return None
    steps = np.abs(coords[links[:, 0]] - coords[links[:, 1]])
    if not ((steps > 0).sum(axis=1) == 1).all():
        return None
    found = [_form(steps[:, d][steps[:, d] > 0], int(sizes[d]), routers) for d in range(dimensions)]
    forms = [form for form in found if form is not None]
    if len(forms) < dimensions:
        return None
    widest = {PATH: lambda n: n - 1, RING: lambda n: n // 2, COMPLETE: lambda n: min(n - 1, 1)}
    diameter = sum(widest[form](int(size)) for form, size in zip(forms, sizes, strict=True))
    if diameter > 254:
        return None
    sizes_and_forms = np.column_stack([sizes, forms]).ravel()
    return _hops(LATTICE, coords.astype(np.uint8).reshape(1, -1), [dimensions, *sizes_and_forms], diameter)


def _form(steps: np.ndarray, size: int, routers: int) -> int | None:
    """Return the form of a dimension from the steps of its links, all of them different links."""
    if len(steps) * 2 == routers * (size - 1):
        return COMPLETE
    if len(steps) == routers and np.isin(steps, (1, size - 1)).all():
        return RING
    if len(steps) * size == routers * (size - 1) and (steps == 1).all():
        return PATH
    return None


def of_star(topology: Topology) -> Hops | None:
    """Return the hops of a star product; None for another network.

    The finest groups are copies of one supernode, and one bijection f leads from the lower to the higher of
    any two adjacent ones; a group may also be adjacent to itself by f. A path of k hops between supernodes is
    a walk in the structure graph, and its effect on the vertex depends only on its sequence of steps
    up (f) and down (inverse of f), so that pairs of supernodes form few classes.

    References
    ----------
    .. [1] K. Lakhotia et al., "PolarStar: expanding the horizon of diameter-3 networks", SPAA 2024 (the products).
    """
    factors = _factors(topology)
    if factors is None:
        return None
    up, inside, f = factors
    involution = np.array_equal(f[f], np.arange(len(f)))
    steps = [(up | up.T, f)] if involution else [(up, f), (up.T, np.argsort(f))]
    walks = [(np.eye(len(up), dtype=bool), inside, 0)]
    last = walks
    code, tables = np.zeros(up.shape, np.uint64), list[np.ndarray]()
    for length in range(_LONGEST_WALK + 1):
        for reached, table, hops in last:
            code |= reached.astype(np.uint64) << np.uint64(len(tables))
            tables.append(table + hops)
        classes, kind = np.unique(code, return_inverse=True)
        shortest = [_minimum(int(bits), tables) for bits in classes]
        # A longer walk takes more hops than its length.
        if max(table.max() for table in shortest) <= length + 1:
            return _star(kind.reshape(up.shape), np.array(shortest), len(f))
        last = [
            ((reached.astype(np.float32) @ arcs.astype(np.float32)) > 0, _then(table, move, inside), hops + 1)
            for reached, table, hops in last
            for arcs, move in steps
        ]
    return None


def _minimum(bits: int, tables: list[np.ndarray]) -> np.ndarray:
    chosen = [table for number, table in enumerate(tables) if bits >> number & 1]
    return np.minimum.reduce(chosen) if chosen else np.full(tables[0].shape, _FAR)


def _then(table: np.ndarray, move: np.ndarray, inside: np.ndarray) -> np.ndarray:
    """Return the hops between vertices after one more step between supernodes and moves inside the next."""
    stepped = np.empty_like(table)
    stepped[:, move] = table
    return np.minimum((stepped[:, :, None] + inside[None]).min(axis=1), _FAR)


def _star(kind: np.ndarray, shortest: np.ndarray, size: int) -> Hops | None:
    tables, same = np.unique(shortest, axis=0, return_inverse=True)
    if len(tables) > 256:
        return None
    small = np.concatenate([same.reshape(-1)[kind].ravel(), tables.ravel()]).astype(np.uint8).reshape(1, -1)
    return _hops(STAR, small, [size, len(kind)], int(tables.max()))


def _factors(topology: Topology) -> tuple[np.ndarray, np.ndarray, np.ndarray] | None:
    """Return the upward arcs with loops, bool (S,S), the hops inside a supernode, int (n,n), and f; or None."""
    routers = topology.router_count
    if topology.group.shape[1] == 0:
        return None
    supernodes = int(topology.group[:, 0].max()) + 1
    size = routers // supernodes
    if supernodes > MAX_SUPERNODES or supernodes * size != routers:
        return None
    if not np.array_equal(topology.group[:, 0], np.arange(routers) // size):
        return None
    links = np.unique(np.sort(topology.links, axis=1), axis=0).astype(np.int64)
    (x, y), (a, b) = links.T // size, links.T % size
    between = x != y
    if not between.any():
        return None
    pair = x[between] * supernodes + y[between]
    first = np.flatnonzero(between)[pair == pair[0]]
    f = np.full(size, -1)
    f[a[first]] = b[first]
    joined, count = np.unique(pair, return_counts=True)
    if not (count == size).all() or not np.array_equal(np.sort(f), np.arange(size)) or not (f[a[between]] == b[between]).all():
        return None
    up = np.zeros((supernodes, supernodes), bool)
    up.reshape(-1)[joined] = True
    return _inner(x[~between], a[~between], b[~between], up, f)


def _inner(x: np.ndarray, a: np.ndarray, b: np.ndarray, up: np.ndarray, f: np.ndarray) -> Any:
    """Separate the links common to all supernodes from loops, which join vertices to their images under f."""
    supernodes, size = len(up), len(f)
    link = a * size + b
    common = np.bincount(link, minlength=size * size) == supernodes
    moved = np.flatnonzero(f != np.arange(size))
    image = np.unique(np.minimum(moved, f[moved]) * size + np.maximum(moved, f[moved]))
    extra = ~common[link]
    if not np.isin(link[extra], image).all():
        return None
    loops = np.bincount(x[extra], minlength=supernodes)
    if not np.isin(loops, (0, (~common[image]).sum())).all():
        return None
    up[np.diag_indices(supernodes)] = loops > 0
    inside = np.where(np.eye(size, dtype=bool), 0, np.where(common.reshape(size, size), 1, _FAR))
    inside = np.minimum(inside, inside.T)
    for via in range(size):
        inside = np.minimum(inside, inside[:, via : via + 1] + inside[via])
    return up, inside, f


def of_matrices(topology: Topology) -> Hops | None:
    """Return the hops of a Cayley graph of 2 x 2 matrices over a prime field up to factors; None for another network.

    The coordinates are the matrices, and the links of every router u lead to u s for the same set of s. Such a graph is
    vertex-transitive: the distance from u to v is that from the identity to the inverse of u times v.

    References
    ----------
    .. [1] A. Lubotzky, R. Phillips, P. Sarnak, "Ramanujan graphs", Combinatorica 8, 1988 (the graphs of SpectralFly).
    """
    coords, routers, degree = topology.coords, topology.router_count, topology.degree
    if coords.shape[1] != 4 or routers == 0 or coords.min() < 0 or not 2 < coords.max() + 1 < 256 or degree.min() < degree.max():
        return None
    q = int(coords.max()) + 1
    if not all(q % divisor for divisor in range(2, int(q**0.5) + 1)):
        return None
    a, b, c, d = coords.astype(np.int64).T
    if ((a * d - b * c) % q == 0).any():
        return None
    inverses = [0] + [pow(value, -1, q) for value in range(1, q)]
    base = np.concatenate([inverses, coords.ravel()]).astype(np.uint8).reshape(1, -1)
    source = np.repeat(np.arange(routers), degree)
    steps = _keys(base, q, source, topology.indices).reshape(routers, -1)
    if not (np.sort(steps, axis=1) == np.sort(steps[0])).all() or len(np.unique(steps[0])) < steps.shape[1]:
        return None
    identity = np.flatnonzero((coords == (1, 0, 0, 1)).all(axis=1))
    if not len(identity):
        return None
    graph = sparse.csr_array((np.ones(len(topology.indices), np.int8), topology.indices, topology.indptr), shape=(routers,) * 2)
    first = csgraph.dijkstra(graph, unweighted=True, indices=identity[0])
    own = _keys(base, q, np.full(routers, identity[0]), np.arange(routers))
    if len(np.unique(own)) < routers or not first.max() < UNREACHED:
        return None
    table = np.full(q**3 + q**2, UNREACHED, np.uint8)
    table[own] = first
    small = np.concatenate([base.ravel(), table]).reshape(1, -1)
    return _hops(CAYLEY, small, [q, routers], int(first.max()))


def _keys(base: np.ndarray, q: int, sources: np.ndarray, targets: np.ndarray) -> np.ndarray:
    found = np.empty(len(sources), np.int64)
    keys(base, q, sources.astype(np.int64), targets.astype(np.int64), found)
    return found
