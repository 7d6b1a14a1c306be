"""Source routing: a random shortest path drawn at the source; the virtual channel is the hop number."""

from __future__ import annotations

from typing import Annotated, NamedTuple

import numpy as np

from planner.core.errors import InputError, Problem
from planner.kernels.routing import paths, steps
from planner.kernels.routing.view import NO_CANDIDATE, Here, Packet, only, routing_function
from planner.simulation.network import Network, Routing
from planner.simulation.routing.tables import targets

_MAX_PATHS = 2**31 - 2


class Tables(NamedTuple):
    """Tables of source routing."""

    ports: steps.Ports
    neighbor: Annotated[np.ndarray, np.uint32, 2]
    """Neighbor at each port: router, port."""
    paths: Annotated[np.ndarray, np.uint32, 2]
    """Number of shortest paths: router, target."""


def prepare(network: Network) -> Routing:
    """Prepare oblivious minimal source routing.

    Unlike a port drawn at each router, all shortest paths of a pair are equally likely.

    Parameters
    ----------
    network
        The network.

    Returns
    -------
    Routing
        Needs one virtual channel per hop of the diameter between endpoints, used in ascending order [1]_.

    Raises
    ------
    InputError
        When two routers have more than 2,147,483,646 shortest paths.

    References
    ----------
    .. [1] K. D. Günther, "Prevention of deadlocks in packet-switched data transport systems", IEEE Trans. Commun., 1981.
    """
    topology = network.topology
    counts = np.empty(network.distance.shape)
    paths.count_shortest(topology.indptr, topology.indices, network.distance, counts)
    if counts.max() > _MAX_PATHS:
        problem = f"two routers have {counts.max():.3g} shortest paths, more than the limit of source"
        raise InputError(Problem("routing", problem, "use minimal with adaptive = false"))
    tables = Tables(targets.ports(network.minimal_ports()), targets.neighbors(network), counts.astype(np.uint32))
    return Routing(max(1, network.diameter), tables)


@routing_function
def candidates(here: Here, packet: Packet, tables: Tables, found):
    """Offer the next port of the packet's path; the label is the path's number among those that remain, plus 1."""
    target = packet.target_router
    number = packet.label - 1
    if number < 0:
        number = steps.draw(packet, 0, np.int64(tables.paths[here.router, target]))
    count = steps.toward(found, tables.ports, here.router, target, packet.hops)
    for i in range(count):
        beyond = np.int64(tables.paths[tables.neighbor[here.router, found[i].port], target])
        if number < beyond:
            found[i].label = number + 1
            return only(found, i)
        number -= beyond  # type: ignore[assignment]  # compiled: both are int64
    return NO_CANDIDATE
