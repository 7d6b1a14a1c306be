"""Bisection: lower and upper bound of the minimum number of links between two halves of the routers."""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import partial

import numpy as np

from planner.core import seeds
from planner.core.progress import Progress, silent
from planner.domain.model import Bisection, Topology
from planner.kernels.graph.cuts import gain_lists, refine, search, shake
from planner.kernels.random import below
from planner.network.metrics.graph import adjacency, on_all_cores
from planner.network.metrics.planes import plane_of, planes
from planner.network.metrics.spectrum import smooth_modes
from planner.network.metrics.structure import structural_orders

_MODES = 7
_PASSES = 50
_MIN_ROUTERS = 8
"""Minimum routers for the tabu search."""
_ROUNDS, _IDLE_ROUNDS = 24, 12
"""Maximum rounds of a start, and those without a smaller cut after which it ends."""
_ROUND_MOVES, _PATIENCE, _MIN_PATIENCE = 100, 20, 10_000
"""Maximum moves per vertex in one round; those per vertex without a smaller cut after which it ends, and their minimum in small
networks."""
_ROUND_WORK, _START_WORK = 2_000_000, 11_000_000
"""Links visited by a round at most, and by a start on average: larger networks have fewer starts. Work limits keep results
reproducible."""
_MIN_TENURE = 3
_SHAKEN, _SHAKEN_PAIRS = 0.1, 100
"""Maximum fraction of routers that change sides between two rounds, and maximum pairs of them."""


def bisection(
    topology: Topology,
    *,
    plane: np.ndarray | None = None,
    known: np.ndarray | None = None,
    seed: int = 0,
    starts: int = 24,
    progress: Progress = silent,
) -> Bisection:
    """Bound the bisection from below by the spectrum and from above by the best cut found.

    Cuts come from the structure (halves of coordinates and groups, classes of routers that links
    between groups never leave), from `starts` random rotations of the seven smoothest vectors of
    the Laplacian, and from METIS where pymetis is installed; each is refined by exchanges. The best
    of them, and random halves, then start `starts` tabu searches.

    Planes that are not joined are halved one by one, since a node has a port in each of them; bounds and cuts are summed.

    Parameters
    ----------
    plane
        Plane of each router, int (R,); by default as the family of the network declares.
    known
        Sides to start from in addition, uint8 (R,), such as those of the network before a failure; halves or nearly so.
    seed, starts
        Seed, and number of random starts for each cut; the tabu search of large networks has fewer.

    Notes
    -----
    Halves of sizes a and b are joined by at least mu2 * a * b / n links, mu2 being the second smallest
    eigenvalue of the Laplacian [1]; (k - lambda2) n / 4 for even n and regular networks.

    References
    ----------
    .. [1] M. Fiedler, "Algebraic connectivity of graphs", Czechoslovak Math. J. 23, 1973.
    .. [2] B. Kernighan, S. Lin, "An efficient heuristic procedure for partitioning graphs", Bell System Tech. J. 49, 1970.
    .. [3] C. Fiduccia, R. Mattheyses, "A linear-time heuristic for improving network partitions", DAC 1982.
    .. [4] G. Karypis, V. Kumar, "A fast and high quality multilevel scheme for partitioning irregular graphs",
           SIAM J. Scientific Computing 20, 1998.
    .. [5] H. Lourenço, O. Martin, T. Stützle, "Iterated local search", Handbook of Metaheuristics, 2003.

    Examples
    --------
    >>> from planner.network.topology import build
    >>> found = bisection(build("hypercube", dimensions=6))
    >>> found.lower, found.upper
    (32, 32)
    """
    plane = planes(topology) if plane is None else plane
    if not plane.any():
        return _of_plane(topology, known, seed, starts, progress)
    found: dict[bytes, Bisection] = {}
    every, side = [], np.zeros(topology.router_count, np.uint8)
    for number in np.unique(plane):
        own = plane_of(topology, plane == number)
        # Alike planes have equal cuts.
        alike = own.links.tobytes() + own.group.tobytes() + bytes(str(own.router_count), "ascii")
        if alike not in found:
            found[alike] = _of_plane(own, None if known is None else known[plane == number], seed, starts, progress)
        every.append(found[alike])
        side[plane == number] = every[-1].side
    methods = dict.fromkeys(name for each in every for name in each.found)
    return Bisection(
        spectral=sum(each.spectral for each in every),
        lower=sum(each.lower for each in every),
        upper=sum(each.upper for each in every),
        side=side,
        plane=plane,
        found={name: sum(each.found.get(name, each.upper) for each in every) for name in methods},
    )


def _of_plane(topology: Topology, known: np.ndarray | None, seed: int, starts: int, progress: Progress) -> Bisection:
    """Return `bisection` of a network of one plane."""
    routers = topology.router_count
    plane = np.zeros(routers, np.int32)
    if routers < 2 or not topology.link_count:
        return Bisection(0.0, 0, 0, first_part(np.arange(routers), (routers + 1) // 2), plane, {"trivial": 0})
    matrix = adjacency(topology)
    values, modes, error = smooth_modes(matrix, min(_MODES, routers - 1))
    spectral = max(0.0, float(values[0]) - error) * (routers // 2) * ((routers + 1) // 2) / routers
    half, random = (routers + 1) // 2, seeds.stream(seed, "bisection")
    candidates = [] if known is None else [("known", known)]
    candidates += _candidates(topology, modes, random, starts)
    searches = _searches(topology.indices, routers, starts)
    total = len(candidates) + searches
    found: dict[str, int] = {}
    refined: list[tuple[int, np.ndarray]] = []

    def note(name: str, side: np.ndarray) -> None:
        cut = cut_links(topology, side)
        found[name] = min(cut, found.get(name, cut))
        refined.append((cut, side))
        progress("bisection", len(refined), total, links=min(found.values()))

    def exchanged(name: str, side: np.ndarray) -> tuple[str, np.ndarray]:
        return name, improved(topology.indptr, topology.indices, side, half)

    for name, side in on_all_cores(exchanged, candidates):
        note(name, side)
    lower = math.ceil(spectral - 1e-6)
    if routers >= _MIN_ROUTERS and min(found.values()) > lower:
        brief = _round_moves(topology.indices, routers) < _PATIENCE * routers
        begun = _starts(refined, half, random, searches, brief)
        for side in on_all_cores(partial(searched, topology.indptr, topology.indices), begun):
            note("tabu search", side)
            if min(found.values()) == lower:
                break
    best, best_side = min(refined, key=lambda pair: pair[0])
    return Bisection(spectral, lower, best, best_side, plane, found)


def first_part(order: np.ndarray, size: int) -> np.ndarray:
    """Return sides, uint8 (R,): 0 for the first `size` routers of an order, 1 for the rest."""
    side = np.ones(len(order), np.uint8)
    side[order[:size]] = 0
    return side


def improved(indptr: np.ndarray, indices: np.ndarray, side: np.ndarray, size: int) -> np.ndarray:
    """Return `side` (uint8) after improving exchanges, with `size` routers on side 0."""
    routers = len(indptr) - 1
    side = side.copy()
    gain, moved = np.empty((2, routers), np.int32)
    refine(indptr, indices, side, size, gain, gain_lists(indptr), moved, _PASSES)
    return side


def searched(indptr: np.ndarray, indices: np.ndarray, side: np.ndarray, state: np.ndarray) -> np.ndarray:
    """Return halves (uint8) after rounds of tabu search, each from the best so far with some routers exchanged.

    Parameters
    ----------
    side
        Halves to start from, uint8 (R,), R at least 8.
    state
        Random state of the kernels, uint64 (1,); advanced.
    """
    routers = len(side)
    gain, links = np.empty(routers, np.int32), gain_lists(indptr)
    due = np.empty(max(_MIN_TENURE + 1, routers // 6), np.int32)
    moves, patience = _round_moves(indices, routers), max(_MIN_PATIENCE, _PATIENCE * routers)
    best_side, met = side.copy(), side.copy()
    lowest, latest = len(indices), 0
    for turn in range(_ROUNDS):
        if turn - latest > _IDLE_ROUNDS:
            break
        side = best_side.copy()
        if turn:
            shake(side, 1 + below(state, min(_SHAKEN_PAIRS, max(1, int(_SHAKEN * routers) // 2))), state)
        tenures = due[: _MIN_TENURE + 1 + below(state, len(due) - _MIN_TENURE)]
        cut = search(indptr, indices, side, met, gain, links, tenures, _MIN_TENURE, moves, patience, state)
        latest = turn if cut < lowest else latest
        if cut <= lowest:
            lowest, best_side, met = cut, met, best_side
    return best_side


def _round_moves(indices: np.ndarray, routers: int) -> int:
    """Return the maximum moves in one round of the tabu search."""
    return max(1, min(_ROUND_MOVES * routers, _ROUND_WORK * routers // max(1, len(indices))))


def _searches(indices: np.ndarray, routers: int, starts: int) -> int:
    """Return the number of tabu searches; their rounds take their patience, or the work limit of a round."""
    moves = min(_round_moves(indices, routers), _PATIENCE * routers)
    return max(1, min(starts, starts * _START_WORK // max(1, _ROUNDS * moves * len(indices) // routers)))


def cut_links(topology: Topology, part: np.ndarray) -> int:
    """Count the links between different parts."""
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


def _starts(
    refined: list[tuple[int, np.ndarray]], half: int, random: np.random.Generator, searches: int, brief: bool
) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Yield start halves of tabu searches with random states, alternating the best cuts and random halves.

    If `brief`, rounds are too short for random halves: these are taken only where there are too few cuts.
    """
    ranked = sorted(refined, key=lambda pair: pair[0])
    distinct = list({side.tobytes(): side for _, side in ranked}.values())
    for number in range(searches):
        place, drawn = (number, 0) if brief else divmod(number, 2)
        order = random.permutation(len(distinct[0]))
        yield (
            first_part(order, half) if drawn or place >= len(distinct) else distinct[place],
            random.integers(0, 2**64, 1, dtype=np.uint64),
        )


def _metis(topology: Topology, seed: int, starts: int) -> Iterator[np.ndarray]:
    """Yield halves by METIS, recursive and k-way; none without pymetis."""
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
