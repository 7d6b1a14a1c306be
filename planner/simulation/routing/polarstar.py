"""Analytic minimal routing of PolarStar: from tables of the structure graph and one supernode, not of all routers."""

from __future__ import annotations

import numpy as np

from planner.errors import InputError, Problem
from planner.kernels import inlined
from planner.kernels.packet.records import routing_function, seen
from planner.kernels.routing import steps
from planner.model import Topology
from planner.simulation.network import Network, Routing
from planner.simulation.routing import _targets

ORDER, SIZE, FORWARD = range(3)
"""Places in `numbers`: supernodes, routers of one, and where f starts; f⁻¹ follows."""

_NONE = 255


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
    _targets.require_family(topology, "polarstar", "polarstar")
    kind = topology.params["supernode"]
    if kind not in ("iq", "paley"):
        _targets.refuse(topology, "polarstar", "iq and paley supernodes", "use minimal")
    order = int(topology.group[:, 0].max()) + 1
    size = topology.router_count // order
    outer, quadric = _structure(topology, order, size)
    middle = _middles(outer, quadric)
    rank = np.where(outer, np.cumsum(outer, axis=1) - 1, _NONE)
    forward = _bijection(topology, outer, size)
    plain, loop = (_local_ports(topology, int(x), size) for x in (np.flatnonzero(~quadric)[0], np.flatnonzero(quadric)[0]))
    near = np.where(quadric[:, None], (loop != _NONE).sum(axis=1), (plain != _NONE).sum(axis=1))
    _require_whole(topology, size, (near + outer.sum(axis=1)[:, None]).ravel())
    backward = np.argsort(forward)
    small = np.zeros((order + 2 * size + 1, max(order, size)), np.uint8)
    small[:order, :order] = rank
    small[order : order + size, :size], small[order + size : order + 2 * size, :size] = plain, loop
    small[-1, :order] = quadric
    numbers = np.concatenate([[order, size], forward, backward]).astype(np.int64)
    return Routing(3, middle.astype(np.uint32), small, numbers)


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


@inlined
def _step(x, y, a, numbers):
    """Return the vertex that a bundle from supernode x to y leads to."""
    return numbers[FORWARD + a] if x < y else numbers[FORWARD + numbers[SIZE] + a]


@routing_function
def candidates(router, first_queue, channels, p, view):
    """Write the port of the analytic minimal path to the target of packet `p`."""
    packet, _, wide, small, numbers, rows = seen(view)
    order, size = numbers[ORDER], numbers[SIZE]
    hops, target = np.int64(packet[p].hops), np.int64(packet[p].target_router)
    x, a = router // size, router % size
    y, b = target // size, target % size
    # Local ports of x, with loop links for a quadric.
    here = order + size * small[len(small) - 1, x]
    locals_ = 0
    for c in range(size):
        locals_ += small[here + a, c] != _NONE
    count, inside, outside = 0, -1, -1
    if x != y:
        across, back = _step(x, y, a, numbers), _step(y, x, b, numbers)
        w = np.int64(wide[x, y])
        if small[x, y] == _NONE:
            outside = w
        elif across == b or small[order + across, b] != _NONE:
            outside = y
        elif small[order + a, back] != _NONE:
            inside = back
        elif w == x:
            inside = numbers[FORWARD + a]
        else:
            outside = w
    elif small[here + a, b] != _NONE:
        inside = b
    else:
        for c in range(size):
            if small[here + a, c] != _NONE and small[here + c, b] != _NONE:
                count = steps.offer(rows, count, np.int64(small[here + a, c]), hops, 0, 0)
        if count == 0:
            # Not reachable by two local hops: via any neighbor supernode and back.
            for supernode in range(order):
                if small[x, supernode] != _NONE:
                    count = steps.offer(rows, count, locals_ + np.int64(small[x, supernode]), hops, 0, 0)
    if inside >= 0:
        count = steps.offer(rows, 0, np.int64(small[here + a, inside]), hops, 0, 0)
    if outside >= 0:
        count = steps.offer(rows, 0, locals_ + np.int64(small[x, outside]), hops, 0, 0)
    return count
