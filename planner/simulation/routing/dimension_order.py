"""Dimension-order routing of HyperX, tori, meshes and hypercubes."""

from __future__ import annotations

from typing import Annotated, NamedTuple

import numpy as np

from planner.kernels.routing import steps
from planner.kernels.routing.view import Here, Packet, routing_function
from planner.simulation.network import Network, Routing
from planner.simulation.routing.tables import targets


class Tables(NamedTuple):
    """Tables of dimension-order routing."""

    ports: steps.Ports
    axis: Annotated[np.ndarray, np.uint8, 2]
    """Dimension of each port: router, port."""
    upward: Annotated[np.ndarray, np.uint8, 2]
    """1 if a port leads up around its ring: router, port."""
    coords: Annotated[np.ndarray, np.uint8, 2]
    """Coordinates of each router."""
    dateline: int
    """Whether packets change the virtual channel between the last and the first coordinate of a ring."""


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

    Notes
    -----
    Differs from [1]_, whose rings carry packets in one direction: here each takes the shorter one, with a dateline in both.

    References
    ----------
    .. [1] W. Dally, C. Seitz, "Deadlock-free message routing in multiprocessor interconnection networks",
       IEEE Trans. Computers C-36(5), 1987.
    """
    topology = network.topology
    targets.require_family(topology, "dimension_order", "hyperx", "torus", "mesh", "hypercube")
    coords = topology.coords.astype(np.int64)
    sizes = coords.max(axis=0) + 1
    axis, upward = _ports(network, coords, sizes)
    first = np.zeros(topology.router_count, np.int64)

    def leads(router: int, entry: int, neighbor: int) -> np.ndarray:
        axis = int(np.flatnonzero(coords[neighbor] != coords[router])[0])
        differs = coords != coords[router]
        first[:] = np.where(differs.any(axis=1), differs.argmax(axis=1), -1)
        return (first == axis) & _approach(topology.family, coords[:, axis], coords[router], coords[neighbor], axis, sizes[axis])

    masks = targets.masks(topology, topology.router_count, leads)
    hops = targets.hops_by(masks, topology, np.eye(topology.router_count, dtype=bool))
    targets.require_whole(network, hops, "dimension_order")
    channels = 2 if topology.family == "torus" and sizes.max() > 3 else 1
    bytes_ = [table.astype(np.uint8) for table in (axis, upward, coords)]
    return Routing(channels, Tables(targets.ports(masks), bytes_[0], bytes_[1], bytes_[2], channels == 2))


def _ports(network: Network, coords: np.ndarray, sizes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the dimension of each port, and whether it leads up around a ring: (R, degree)."""
    next_ = targets.neighbors(network).astype(np.int64)
    axes = (coords[next_] != coords[:, None, :]).argmax(axis=2)
    own = np.take_along_axis(coords, axes, axis=1)
    other = np.take_along_axis(coords[next_], axes[:, :, None], axis=2)[:, :, 0]
    return axes, (own + 1) % sizes[axes] == other


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
def candidates(here: Here, packet: Packet, tables: Tables, found):
    """Offer the ports of the first unaligned dimension that lead to the packet's target, all on virtual channel 0 or 1."""
    count = steps.toward(found, tables.ports, here.router, packet.target_router, 0)
    if tables.dateline:
        for i in range(count):
            port = found[i].port
            axis = tables.axis[here.router, port]
            own, start = tables.coords[here.router, axis], tables.coords[packet.source_router, axis]
            # After the dateline a packet going up is below its start, one going down above it.
            crossed = own < start if tables.upward[here.router, port] else own > start
            found[i].channel = 1 if crossed else 0
    return count
