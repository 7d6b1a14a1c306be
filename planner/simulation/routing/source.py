"""Source routing: a random shortest path drawn at the source; the virtual channel is the hop number."""

from __future__ import annotations

import numpy as np

from planner.errors import InputError, Problem
from planner.kernels.packet.records import routing_function, seen
from planner.kernels.routing import paths, steps
from planner.simulation.network import Network, Routing
from planner.simulation.routing import _targets

_MAX_PATHS = 2**31 - 2


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
    masks = network.minimal_ports()
    routers, _, words = masks.shape
    columns = [masks.reshape(routers, -1), counts.astype(np.uint32), _targets.neighbors(network)]
    numbers = np.array([words, steps.BY_HOPS, routers], np.int64)
    return Routing(max(1, network.diameter), np.concatenate(columns, axis=1), _targets.NOTHING, numbers)


@routing_function
def candidates(router, first_queue, channels, p, view):
    """Write the next port of the path of packet `p`; the label is the path's number among those that remain, plus 1."""
    packet, _, wide, small, numbers, rows = seen(view)
    routers = numbers[2]
    start = routers * numbers[steps.WORDS]
    target = np.int64(packet[p].target_router)
    number = np.int64(packet[p].label) - 1
    if number < 0:
        number = steps.draw(packet, p, 0, np.int64(wide[router, start + target]))
    count = steps.toward(router, target, np.int64(packet[p].hops), 0, wide, small, numbers, rows)
    for i in range(count):
        beyond = np.int64(wide[wide[router, start + routers + rows[i, 0]], start + target])
        if number < beyond:
            rows[i, 3] = number + 1
            return steps.keep(rows, i)
        number -= beyond
    return 0
