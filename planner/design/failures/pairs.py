"""Pairs of nodes that a failure separates, where a node owns endpoints in several planes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components

from planner.domain.model import Domain, Topology


def separated(topology: Topology, losses: Sequence[Domain], node: np.ndarray) -> np.ndarray:
    """Return the ordered pairs of nodes that each failure separates, int64 (losses, 2).

    The first column counts pairs with a node that has no endpoint left, the second one pairs of other nodes without a path
    between any of their endpoints.

    Parameters
    ----------
    topology
        The network.
    losses
        What fails.
    node
        Node of each endpoint, int (H,).

    Examples
    --------
    Two planes of a router each: a node that lost a port keeps its connections in the other plane.

    >>> from planner.network.topology import build
    >>> network = build("leaves", leaves=2, endpoints_per_leaf=2)
    >>> cases = [Domain("port", "a", endpoints=np.array(lost)) for lost in ([0], [0, 3], [0, 2])]
    >>> separated(network, cases, np.array([0, 1, 0, 1])).tolist()
    [[0, 0], [0, 2], [2, 0]]
    """
    count = int(node.max(initial=-1)) + 1
    found = np.zeros((len(losses), 2), np.int64)
    for number, loss in enumerate(losses):
        component = _components(topology, loss)[topology.endpoint_router]
        component[loss.endpoints] = -1
        alive, joined = _joined(component, node)
        found[number] = count * (count - 1) - alive * (alive - 1), alive * (alive - 1) - joined
    return found


def _components(topology: Topology, loss: Domain) -> np.ndarray:
    """Return the component of each surviving router, -1 for failed ones, int64 (R,)."""
    routers = topology.router_count
    works = np.ones(routers, bool)
    works[loss.routers] = False
    kept = works[topology.links].all(axis=1)
    kept[loss.links] = False
    ends = topology.links[kept]
    graph = csr_array((np.ones(len(ends), np.int8), ends.T), shape=(routers, routers))
    return np.where(works, connected_components(graph, directed=False)[1], -1).astype(np.int64)


def _joined(component: np.ndarray, node: np.ndarray) -> tuple[int, int]:
    """Return the number of nodes with an endpoint in a component, and the ordered pairs of them that share a component."""
    count = int(component.max(initial=0)) + 1
    member, place = np.divmod(np.unique((node.astype(np.int64) * count + component)[component >= 0]), count)
    names, row = np.unique(member, return_inverse=True)
    alive = len(names)
    if alive in np.bincount(place, minlength=1):
        return alive, alive * (alive - 1)
    inside = csr_array((np.ones(len(row), np.int64), (row, place)), shape=(alive, count))
    # One row for each kind of node: nodes are alike if their sets of components are, recognized by a sum of random numbers.
    weight = np.random.default_rng(0).integers(1, 2**62, inside.shape[1], dtype=np.int64)
    _, first, size = np.unique(inside @ weight, return_index=True, return_counts=True)
    kinds = inside[first]
    shares = (kinds @ kinds.T) > 0
    return alive, int(size @ (shares @ size)) - alive
