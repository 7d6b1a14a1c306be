"""Random neighbor permutation: every router sends to one neighbor and receives from one."""

from __future__ import annotations

import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.csgraph import maximum_bipartite_matching

from planner.core import seeds
from planner.core.errors import InputError, Problem
from planner.domain.model import Topology
from planner.simulation.traffic.targets import fixed
from planner.simulation.traffic.targets.fixed import chances, rates, target

__all__ = ["chances", "prepare", "rates", "target"]


def prepare(topology: Topology, seed: int) -> np.ndarray:
    """Prepare a permutation τ of the routers with endpoints in which r and τ(r) are linked.

    It is a perfect matching of the bipartite double cover, which every regular network has. Routers
    and links are shuffled before matching; not all permutations are equally likely.

    Raises
    ------
    InputError
        When there is no such permutation.
    """
    used = np.flatnonzero(topology.endpoints_of)
    fixed.require_two_endpoints(topology, "a permutation of neighbors")
    random = seeds.stream(seed, "traffic")
    rows, columns = used[random.permutation(len(used))], used[random.permutation(len(used))]
    place = np.full(topology.router_count, -1)
    place[columns] = np.arange(len(used))
    row_of = np.repeat(np.arange(topology.router_count), topology.degree)
    order = np.full(topology.router_count, -1)
    order[rows] = np.arange(len(used))
    kept = (order[row_of] >= 0) & (place[topology.indices] >= 0)
    pairs = order[row_of][kept], place[topology.indices][kept]
    graph = csr_array((np.ones(len(pairs[0]), np.int8), pairs), shape=(len(used),) * 2)
    found = maximum_bipartite_matching(graph, perm_type="column")
    if (found < 0).any():
        raise InputError(
            Problem(
                "traffic",
                f"at most {int((found >= 0).sum())} of {len(used)} routers with endpoints can send to a neighbor of their own",
                "use router_permutation, or a network whose routers have equal degrees",
            )
        )
    to = np.arange(topology.router_count)
    to[rows] = columns[found]
    return fixed.by_routers(topology, to)
