"""Analytic minimal routing of PolarStar: from tables of the structure graph and one supernode, not of all routers."""

from __future__ import annotations

from typing import Annotated, NamedTuple

import numpy as np

from planner.core.errors import InputError, Problem
from planner.domain.model import Topology
from planner.kernels import always_inlined
from planner.kernels.routing.view import Here, Packet, offer, routing_function
from planner.simulation.network import Network, Routing
from planner.simulation.routing.tables import targets

_NONE = 255
_NOWHERE = -1


class Tables(NamedTuple):
    """Tables of analytic minimal routing."""

    outer: Annotated[np.ndarray, np.uint8, 2]
    """Global port of a supernode's routers to each adjacent supernode, behind the local ports; 255 if not adjacent."""
    middle: Annotated[np.ndarray, np.uint32, 2]
    """Middle of the path between two supernodes, one of the two if it uses a loop."""
    local: Annotated[np.ndarray, np.uint8, 3]
    """Port between two vertices of a supernode without and with loop links: quadric, vertex, vertex; 255 if not linked."""
    quadric: Annotated[np.ndarray, np.uint8, 1]
    """1 for supernodes with loop links."""
    move: Annotated[np.ndarray, np.int64, 2]
    """The bijection f, from the lower to the higher of two supernodes, and its inverse: direction, vertex."""


def prepare(network: Network) -> Routing:
    """Prepare the analytic minimal routing of a PolarStar with Inductive-Quad or Paley supernodes.

    A router (x, a) sends a packet for (y, b) in another supernode that is not adjacent to the neighbor supernode w on the
    one path x, w, y of the structure graph. Between adjacent supernodes the packet crosses directly, or after one hop in x, or
    via w (which is x or y if the path uses a loop), depending on b, its neighbors and the bijection f.
    Inside a supernode it goes by local links and loop links, or by three global hops to a router that local
    links do not reach.

    Parameters
    ----------
    network
        A PolarStar.

    Returns
    -------
    Routing
        Needs 3 virtual channels, the hop number, used in ascending order. One port per target, except any neighbor
        supernode at the start of three hops within one. Table size grows with the square of the number of
        supernodes and of the routers in one.

    Raises
    ------
    InputError
        For another family, other supernodes, or when cables are missing.

    Notes
    -----
    The paper gives the rules between supernodes; those inside one keep its two-hop paths.

    References
    ----------
    .. [1] K. Lakhotia et al., "PolarStar: expanding the horizon of diameter-3 networks", SPAA 2024, section 9.2.
    """
    topology = network.topology
    targets.require_family(topology, "polarstar", "polarstar")
    kind = topology.params["supernode"]
    if kind not in ("iq", "paley"):
        targets.refuse(topology, "polarstar", "iq and paley supernodes", "use minimal")
    order = int(topology.group[:, 0].max()) + 1
    size = topology.router_count // order
    outer, quadric = _structure(topology, order, size)
    middle = _middles(outer, quadric)
    rank = np.where(outer, np.cumsum(outer, axis=1) - 1, _NONE)
    forward = _bijection(topology, outer, size)
    plain, loop = (_local_ports(topology, int(x), size) for x in (np.flatnonzero(~quadric)[0], np.flatnonzero(quadric)[0]))
    near = np.where(quadric[:, None], (loop != _NONE).sum(axis=1), (plain != _NONE).sum(axis=1))
    _require_whole(topology, size, (near + outer.sum(axis=1)[:, None]).ravel())
    local, move = np.stack([plain, loop]).astype(np.uint8), np.stack([forward, np.argsort(forward)]).astype(np.int64)
    return Routing(3, Tables(rank.astype(np.uint8), middle.astype(np.uint32), local, quadric.astype(np.uint8), move))


def _require_whole(topology: Topology, size: int, degree: np.ndarray) -> None:
    """Raise InputError unless ports are in the family's order, local ports first, and none is missing."""
    router = np.repeat(np.arange(topology.router_count), topology.degree)
    key = (topology.indices // size != router // size) * topology.router_count + topology.indices
    ascending = (np.diff(key) > 0) | (np.diff(router) > 0)
    q = topology.params["q"]
    whole = (topology.link_class == 1).sum() == q * (q + 1) ** 2 // 2 * size
    if not (ascending.all() and whole and (topology.degree == degree).all()):
        raise InputError(Problem("routing", "polarstar needs every cable, and some are missing", "use minimal"))


def _structure(topology: Topology, order: int, size: int) -> tuple[np.ndarray, np.ndarray]:
    """Return which supernodes are adjacent, bool (N, N), and which are quadrics, bool (N,)."""
    ends = topology.links // size
    outer = np.zeros((order, order), bool)
    outer[ends[:, 0], ends[:, 1]] = outer[ends[:, 1], ends[:, 0]] = True
    np.fill_diagonal(outer, False)
    degree = outer.sum(axis=1)
    return outer, degree == degree.min()


def _middles(outer: np.ndarray, quadric: np.ndarray) -> np.ndarray:
    """Return the middle supernode of each pair, one of the two if the path uses a loop: int64 (N, N)."""
    middle = np.zeros(outer.shape, np.int64)
    for between in range(len(outer)):
        around = np.flatnonzero(outer[between])
        if quadric[between]:
            around = np.append(around, between)
        middle[np.ix_(around, around)] = between
    return middle


def _bijection(topology: Topology, outer: np.ndarray, size: int) -> np.ndarray:
    """Return f: router (x, a) is linked to (y, f(a)) for adjacent x < y."""
    high = int(np.flatnonzero(outer[0])[0])
    rows = [topology.indices[topology.indptr[a] : topology.indptr[a + 1]] for a in range(size)]
    return np.array([int(row[row // size == high][0]) % size for row in rows])


def _local_ports(topology: Topology, supernode: int, size: int) -> np.ndarray:
    """Return the port from each router of a supernode to each other: int64 (size, size), 255 if not linked."""
    ports = np.full((size, size), _NONE)
    for a in range(size):
        row = topology.indices[topology.indptr[supernode * size + a] : topology.indptr[supernode * size + a + 1]]
        near = np.flatnonzero(row // size == supernode)
        ports[a, row[near] % size] = near
    return ports


@always_inlined
def _across(x, y, a, tables):
    """Return the vertex that the global link of vertex `a` from supernode x to y leads to."""
    return tables.move[0, a] if x < y else tables.move[1, a]


@always_inlined
def _next(x, a, y, b, tables):
    """Return the vertex inside x, or the other supernode, that a packet for (y, b) goes to next; `_NOWHERE` for the other."""
    local, w = tables.local[0], np.int64(tables.middle[x, y])
    if tables.outer[x, y] == _NONE:
        return _NOWHERE, w
    landing, back = _across(x, y, a, tables), _across(y, x, b, tables)
    if landing == b or local[landing, b] != _NONE:
        return _NOWHERE, y
    if local[a, back] != _NONE:
        return back, _NOWHERE
    if w == x:
        return tables.move[0, a], _NOWHERE
    return _NOWHERE, w


@routing_function
def candidates(here: Here, packet: Packet, tables: Tables, found):
    """Offer the port of the analytic minimal path to the packet's target."""
    size = tables.local.shape[1]
    x, a = here.router // size, here.router % size
    y, b = packet.target_router // size, packet.target_router % size
    local, outer, hops = tables.local[tables.quadric[x]], tables.outer[x], packet.hops
    first_global = 0
    for c in range(size):
        first_global += local[a, c] != _NONE
    if x != y:
        vertex, supernode = _next(x, a, y, b, tables)
        if vertex != _NOWHERE:
            return offer(found, 0, local[a, vertex], hops)
        return offer(found, 0, first_global + np.int64(outer[supernode]), hops)
    if local[a, b] != _NONE:
        return offer(found, 0, local[a, b], hops)
    count = 0
    for c in range(size):
        if local[a, c] != _NONE and local[c, b] != _NONE:
            count = offer(found, count, local[a, c], hops)
    if count == 0:
        # Not reachable by two local hops: via any neighbor supernode and back.
        for supernode in range(len(outer)):
            if outer[supernode] != _NONE:
                count = offer(found, count, first_global + np.int64(outer[supernode]), hops)
    return count
