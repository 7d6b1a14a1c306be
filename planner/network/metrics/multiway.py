"""Multiway cut: partition of the routers into equal parts with few links between them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_array

from planner.core import seeds
from planner.core.errors import InputError, Problem
from planner.core.progress import Progress, silent
from planner.domain.model import Topology
from planner.network.metrics.bisection import first_part, improved
from planner.network.metrics.graph import adjacency
from planner.network.metrics.spectrum import smooth_modes
from planner.network.metrics.structure import structural_orders

_MODES = 7


@dataclass(frozen=True, eq=False)
class MultiwayCut:
    """Partition of the routers into parts whose sizes differ by at most 1.

    Attributes
    ----------
    part
        Part of each router, int32 (R,).
    between
        Links between any two parts, int64 (P, P), symmetric; inside a part on the diagonal.
    """

    part: np.ndarray
    between: np.ndarray

    @property
    def links(self) -> int:
        """Links between different parts: an upper bound of the minimum over such partitions."""
        return int(np.triu(self.between, 1).sum())


def multiway_cut(topology: Topology, parts: int, *, seed: int = 0, starts: int = 8, progress: Progress = silent) -> MultiwayCut:
    """Partition the network into equal parts by recursive bisection.

    Notes
    -----
    Differs from [1]_: each bisection is a heuristic, so that the bounds proven there for optimal ones do not hold.

    References
    ----------
    .. [1] H. Simon, S.-H. Teng, "How good is recursive bisection?", SIAM J. Scientific Computing 18, 1997.

    Examples
    --------
    >>> from planner.network.topology import build
    >>> found = multiway_cut(build("torus", sizes=[8, 8]), 4)
    >>> found.links
    32
    """
    routers = topology.router_count
    if not 1 <= parts <= routers:
        raise InputError(Problem("parts", f"{parts} is not between 1 and {routers:,}, the number of routers"))
    matrix, random = adjacency(topology), seeds.stream(seed, "multiway")
    places = [np.argsort(order) for order in structural_orders(topology)]
    part = np.zeros(routers, np.int32)
    # Work item: routers, first part, and number of parts to split them into.
    work = [(np.arange(routers), 0, parts)]
    done = 0
    while work:
        members, first, count = work.pop()
        if count == 1:
            part[members] = first
            done += 1
            progress("multiway cut", done, parts)
            continue
        left = (count + 1) // 2
        # Larger parts come first.
        size = left * (len(members) // count) + min(left, len(members) % count)
        side = _split(matrix[members][:, members], size, [place[members] for place in places], random, starts)
        work += [(members[side == 0], first, left), (members[side == 1], first + left, count - left)]
    between = np.zeros((parts, parts), np.int64)
    ends = part[topology.links]
    np.add.at(between, (ends[:, 0], ends[:, 1]), 1)
    between += np.triu(between, 1).T + np.tril(between, -1).T
    return MultiwayCut(part, between)


def _split(matrix: csr_array, size: int, places: list[np.ndarray], random: np.random.Generator, starts: int) -> np.ndarray:
    """Cut one part in two, `size` routers on side 0; uint8 (members,)."""
    matrix = csr_array(matrix)
    copies = matrix.data.astype(np.int64)
    indptr = np.append(0, np.cumsum(copies))[matrix.indptr].astype(np.int32)
    indices = np.repeat(matrix.indices, copies).astype(np.int32)
    orders = [np.argsort(place) for place in places]
    if matrix.shape[0] > 2:
        modes = smooth_modes(matrix, min(_MODES, matrix.shape[0] - 1))[1]
        orders += [np.argsort(modes[:, 0], kind="stable")]
        orders += [np.argsort(modes @ random.standard_normal(modes.shape[1]), kind="stable") for _ in range(starts)]
    sides = [improved(indptr, indices, first_part(order, size), size) for order in orders]
    owner = np.repeat(np.arange(matrix.shape[0]), np.diff(indptr))
    return min(sides, key=lambda side: int((side[owner] != side[indices]).sum()))
