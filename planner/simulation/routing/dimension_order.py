"""Dimension-order routing of HyperX, tori, meshes and hypercubes."""

from __future__ import annotations

import numpy as np

from planner.kernels.packet.records import routing_function, seen
from planner.kernels.routing import steps
from planner.simulation.network import Network, Routing
from planner.simulation.routing import _targets


def prepare(network: Network) -> Routing:
    """Prepare dimension-order routing: the first dimension that differs is corrected first.

    To the opposite router of an even ring, packets go up from even coordinates and down from odd ones.

    Parameters
    ----------
    network
        A HyperX, torus, mesh or hypercube.

    Returns
    -------
    Routing
        Needs 1 virtual channel. In tori with a dimension of 4 routers or more 2: in each
        dimension channel 0 until a packet has crossed the link between the last and the first coordinate,
        channel 1 beyond (a dateline) [1]_.

    Raises
    ------
    InputError
        For another family, or when cables are missing.

    References
    ----------
    .. [1] W. Dally, C. Seitz, "Deadlock-free message routing in multiprocessor interconnection networks",
       IEEE Trans. Computers C-36(5), 1987.
    """
    topology = network.topology
    _targets.require_family(topology, "dimension_order", "hyperx", "torus", "mesh", "hypercube")
    coords = topology.coords.astype(np.int64)
    sizes = coords.max(axis=0) + 1
    axes, turns = _ports(network, coords, sizes)
    first = np.zeros(topology.router_count, np.int64)

    def leads(router: int, entry: int, neighbor: int) -> np.ndarray:
        axis = int(np.flatnonzero(coords[neighbor] != coords[router])[0])
        differs = coords != coords[router]
        first[:] = np.where(differs.any(axis=1), differs.argmax(axis=1), -1)
        return (first == axis) & _approach(topology.family, coords[:, axis], coords[router], coords[neighbor], axis, sizes[axis])

    masks = _targets.masks(topology, topology.router_count, leads)
    hops = _targets.hops_by(masks, topology, np.eye(topology.router_count, dtype=bool))
    _targets.require_whole(network, hops, "dimension_order")
    channels = 2 if topology.family == "torus" and sizes.max() > 3 else 1
    small = np.concatenate([axes, turns, coords], axis=1).astype(np.uint8)
    numbers = np.array([masks.shape[2], steps.BY_HOPS, axes.shape[1], channels], np.int64)
    return Routing(channels, masks.reshape(len(masks), -1), small, numbers)


def _ports(network: Network, coords: np.ndarray, sizes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the dimension of each port, and its direction around a ring, 1 up or 2 down: int64 (R, degree)."""
    next_ = _targets.neighbors(network).astype(np.int64)
    axes = (coords[next_] != coords[:, None, :]).argmax(axis=2)
    own = np.take_along_axis(coords, axes, axis=1)
    other = np.take_along_axis(coords[next_], axes[:, :, None], axis=2)[:, :, 0]
    return axes, np.where((own + 1) % sizes[axes] == other, 1, 2)


def _approach(family: str, goal: np.ndarray, here: np.ndarray, there: np.ndarray, axis: int, size: int) -> np.ndarray:
    """Return for each goal whether the hop from `here` to `there` is the next one in this dimension."""
    own, other = int(here[axis]), int(there[axis])
    if family == "hyperx":
        return goal == other
    if family == "mesh":
        return abs(goal - other) < abs(goal - own)
    up, down = (goal - own) % size, (own - goal) % size
    rising = (up < down) | ((up == down) & (own % 2 == 0))
    return rising if (own + 1) % size == other and (size > 2 or own == 0) else (~rising if size > 2 else goal == other)


@routing_function
def candidates(router, first_queue, channels, p, view):
    """Write the ports of the first unaligned dimension that lead to the target of packet `p`."""
    packet, _, wide, small, numbers, rows = seen(view)
    count = steps.toward(router, np.int64(packet[p].target_router), 0, 0, wide, small, numbers, rows)
    if numbers[3] == 2:
        degree = numbers[2]
        source = np.int64(packet[p].source_router)
        for i in range(count):
            port = rows[i, 0]
            axis = 2 * degree + small[router, port]
            own, start = small[router, axis], small[source, axis]
            # After the dateline a packet going up is below its start, one going down above it.
            up = small[router, degree + port] == 1
            rows[i, 1] = 1 if (up and own < start) or (not up and own > start) else 0
    return count
