"""Single path: one minimal path to each target, from a table; the virtual channel is the hop's number."""

from __future__ import annotations

import numpy as np

from planner.kernels import routes
from planner.kernels.packet_records import routing_function, seen
from planner.simulation.network import Network, Routing
from planner.simulation.routing import _targets


def prepare(network: Network) -> Routing:
    """Prepare minimal routing by one port for each target, as with destination-based forwarding tables.

    Of the k ports that lead nearer to target t the router takes the (t mod k)-th, so that targets are spread over them.

    Parameters
    ----------
    network
        The network.

    Returns
    -------
    Routing
        Needs as many virtual channels as the network has hops between endpoints, taken in ascending order [2]_.

    References
    ----------
    .. [1] E. Zahavi, G. Johnson, D. Kerbyson, M. Lang, "Optimized InfiniBand fat-tree routing for shift all-to-all
       communication patterns", Concurrency and Computation 22(2), 2010 (ports by target modulo their number).
    .. [2] K. D. Günther, "Prevention of deadlocks in packet-switched data transport systems", IEEE Trans. Commun., 1981.
    """
    return _targets.prepared(network, max(1, network.diameter), network.minimal_ports(), network.distance)


@routing_function
def candidates(router, first_queue, channels, p, view):
    """Write the one port to the target of packet `p`."""
    packet, _, wide, small, numbers, found = seen(view)
    target = np.int64(packet[p].target_router)
    count = routes.toward(router, target, np.int64(packet[p].hops), 0, wide, small, numbers, found)
    return routes.keep(found, target % count)
