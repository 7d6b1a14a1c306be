"""Omni-dimensional adaptive routing of HyperX: any unaligned dimension at any time, with a budget of misroutes."""

from __future__ import annotations

from typing import Annotated, Literal, NamedTuple

import numpy as np
from annotated_types import Ge, Le

from planner.core.errors import InputError, Problem
from planner.kernels.routing.view import Here, Packet, occupied_at, offer, queued, routing_function, wait_for_lowest
from planner.simulation.network import Network, Routing
from planner.simulation.routing.tables import targets


class Tables(NamedTuple):
    """Tables of omni-dimensional routing."""

    axis: Annotated[np.ndarray, np.uint8, 2]
    """Dimension of each port: router, port."""
    coordinate: Annotated[np.ndarray, np.uint8, 2]
    """Coordinate in that dimension of the neighbor at each port: router, port."""
    coords: Annotated[np.ndarray, np.uint8, 2]
    """Coordinates of each router."""
    budget: int
    """Maximum misroutes of a packet."""
    whole_port: int
    patient: int


def prepare(
    network: Network,
    misroutes: Annotated[int, Ge(0), Le(100)] | None = None,
    queues: Literal["port", "channel"] = "port",
    patient: bool = True,
) -> Routing:
    """Prepare omni-dimensional routing.

    A packet moves inside any dimension in which it is not yet aligned with its target. A hop that does not
    align the dimension is a misroute. The weight of a port is its congestion times the remaining hops, including the next one;
    a packet is misrouted only if the weight of a misroute is below those of all aligning ports [1]_.

    Parameters
    ----------
    network
        A HyperX or a hypercube.
    misroutes
        Maximum misroutes of a packet; by default one per dimension of more than two routers.
    queues
        Congestion of a port: packets queued there, including the packet itself, on all virtual channels (``"port"``), or on the
        one that the packet would use (``"channel"``). The channel alone shows a part of the load of a link: packets are misrouted
        more often, which costs throughput under uniform traffic and gains some under adversarial traffic.
    patient
        True: a packet waits for the port of minimum weight, as in the paper. False: it takes the best port with space, and is
        misrouted up to its budget when the network is congested.

    Returns
    -------
    Routing
        Needs one virtual channel per dimension and per misroute, used in ascending order.

    Raises
    ------
    InputError
        For another family, or when cables are missing.

    References
    ----------
    .. [1] N. McDonald, M. Isaev, A. Flores, A. Davis, J. Kim, "Practical and efficient incremental adaptive routing for HyperX
       networks", SC 2019 (OmniWAR: weight = congestion × hops).
    """
    topology = network.topology
    targets.require_family(topology, "omnidimensional", "hyperx", "hypercube", remedy="use minimal or polarized")
    if topology.degree.min() < topology.degree.max():
        problem = "omnidimensional needs all routers of a line linked, and cables are missing"
        raise InputError(Problem("routing", problem, "use minimal or polarized"))
    coords = topology.coords
    dimensions = coords.shape[1]
    # In a dimension of two routers every hop aligns.
    default = int((coords.max(axis=0) > 1).sum())
    budget = default if misroutes is None or default == 0 else misroutes
    next_ = targets.neighbors(network).astype(np.int64)
    differs = coords[next_] != coords[:, None, :]
    axis = differs.argmax(axis=2)
    coordinate = np.take_along_axis(coords[next_], axis[:, :, None], axis=2)[:, :, 0]
    axis, coordinate, coords = (table.astype(np.uint8) for table in (axis, coordinate, coords))
    tables = Tables(axis, coordinate, coords, budget=budget, whole_port=queues == "port", patient=patient)
    return Routing(dimensions + budget, tables)


@routing_function
def candidates(here: Here, packet: Packet, tables: Tables, found):
    """Offer the ports inside unaligned dimensions; the label counts misroutes."""
    own, goal = tables.coords[here.router], tables.coords[packet.target_router]
    unaligned = 0
    for axis in range(len(own)):
        if own[axis] != goal[axis]:
            unaligned += 1
    count = 0
    for port in range(tables.axis.shape[1]):
        axis = tables.axis[here.router, port]
        if own[axis] == goal[axis]:
            continue
        misroute = 0 if tables.coordinate[here.router, port] == goal[axis] else 1
        if packet.label + misroute > tables.budget:
            continue
        packets = 1 + (occupied_at(here, here.first_queue, port) if tables.whole_port else queued(here, port, packet.hops))
        # Of equal weights one that is no misroute.
        penalty = 2 * packets * (unaligned + misroute) + misroute
        count = offer(found, count, port, packet.hops, penalty, packet.label + misroute)
    if tables.patient:
        wait_for_lowest(count, found)
    return count
