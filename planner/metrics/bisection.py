"""Bisection: the fewest links between two halves of the routers, as an interval."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from planner import seeds
from planner.kernels.cuts import refine
from planner.metrics._graph import adjacency, on_all_cores
from planner.metrics._structure import structural_orders
from planner.metrics.spectrum import smooth_modes
from planner.model import Bisection, Topology
from planner.progress import Progress, silent

_MODES = 7
_PASSES = 50


def bisection(topology: Topology, *, seed: int = 0, starts: int = 24, progress: Progress = silent) -> Bisection:
    """Bound the bisection from below by the spectrum and from above by the best cut found.

    Cuts come from the structure (halves of coordinates and groups, classes of routers that links
    between groups never leave), from `starts` random rotations of the seven smoothest vectors of
    the Laplacian, and from METIS where pymetis is installed; each is refined by exchanges.

    Notes
    -----
    Halves of sizes a and b are joined by at least mu2 * a * b / n links, mu2 being the second least
    eigenvalue of the Laplacian [1]; (k - lambda2) n / 4 for even n and regular networks.

    References
    ----------
    .. [1] M. Fiedler, "Algebraic connectivity of graphs", Czechoslovak Math. J. 23, 1973.
    .. [2] B. Kernighan, S. Lin, "An efficient heuristic procedure for partitioning graphs", Bell System Tech. J. 49, 1970.
    .. [3] C. Fiduccia, R. Mattheyses, "A linear-time heuristic for improving network partitions", DAC 1982.
    .. [4] G. Karypis, V. Kumar, "A fast and high quality multilevel scheme for partitioning irregular graphs",
           SIAM J. Scientific Computing 20, 1998.

    Examples
    --------
    >>> from planner.topology import build
    >>> found = bisection(build("hypercube", dimensions=6))
    >>> found.lower, found.upper
    (32, 32)
    """
    routers = topology.router_count
    if routers < 2:
        return Bisection(0.0, 0, 0, np.zeros(routers, np.uint8), {"trivial": 0})
    matrix = adjacency(topology)
    values, modes, error = smooth_modes(matrix, min(_MODES, routers - 1))
    spectral = max(0.0, float(values[0]) - error) * (routers // 2) * ((routers + 1) // 2) / routers
    found: dict[str, int] = {}
    best, best_side = topology.link_count + 1, None
    tasks = list(_candidates(topology, modes, seeds.stream(seed, "bisection"), starts))

    def work(name: str, side: np.ndarray) -> tuple[str, np.ndarray]:
        return name, improved(topology.indptr, topology.indices, side, (routers + 1) // 2)

    for done, (name, side) in enumerate(on_all_cores(work, tasks), 1):
        cut = cut_links(topology, side)
        found[name] = min(cut, found.get(name, cut))
        if cut < best:
            best, best_side = cut, side
        progress("bisection", done, len(tasks), links=best)
    return Bisection(spectral, math.ceil(spectral - 1e-6), best, best_side, found)


def first_part(order: np.ndarray, size: int) -> np.ndarray:
    """Return sides, uint8 (R,): 0 for the first `size` routers of an order, 1 for the rest."""
    side = np.ones(len(order), np.uint8)
    side[order[:size]] = 0
    return side


def improved(indptr: np.ndarray, indices: np.ndarray, side: np.ndarray, size: int) -> np.ndarray:
    """Return `side` (uint8) after exchanges that make its cut smaller, with `size` routers on side 0."""
    routers = len(indptr) - 1
    most = int(np.diff(indptr).max(initial=0))
    side = side.copy()
    gain, after, before, moved = np.empty((4, routers), np.int32)
    head = np.empty((2, 2 * most + 1), np.int32)
    refine(indptr, indices, side, size, gain, head, after, before, moved, _PASSES)
    return side


def cut_links(topology: Topology, part: np.ndarray) -> int:
    """Count the links whose ends lie in different parts."""
    return int((part[topology.links[:, 0]] != part[topology.links[:, 1]]).sum())


def _candidates(
    topology: Topology, modes: np.ndarray, random: np.random.Generator, starts: int
) -> Iterator[tuple[str, np.ndarray]]:
    half = (topology.router_count + 1) // 2
    for order in structural_orders(topology):
        yield "structure", first_part(order, half)
    yield "spectral", first_part(np.argsort(modes[:, 0], kind="stable"), half)
    for _ in range(starts):
        direction = random.standard_normal(modes.shape[1])
        yield "spectral", first_part(np.argsort(modes @ direction, kind="stable"), half)
    for side in _metis(topology, int(random.integers(1 << 30)), starts):
        yield "METIS", side


def _metis(topology: Topology, seed: int, starts: int) -> Iterator[np.ndarray]:
    """Halves by METIS, recursive and k-way; none without pymetis."""
    try:
        import pymetis
    except ImportError:
        return
    matrix = adjacency(topology)
    graph = pymetis.CSRAdjacency(matrix.indptr, matrix.indices)
    weights = matrix.data.astype(np.int64)
    for recursive in (True, False):
        options = pymetis.Options(seed=seed, ncuts=max(1, starts), ufactor=1)
        _, part = pymetis.part_graph(2, graph, eweights=weights, recursive=recursive, options=options)
        yield np.asarray(part, np.uint8)
