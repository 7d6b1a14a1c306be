"""Single path: one minimal path to each target, from a table; the virtual channel is the hop's number."""

from __future__ import annotations

import numpy as np

from planner.kernels.packet.records import routing_function, seen
from planner.kernels.routing import steps
from planner.simulation.network import Network, Routing
from planner.simulation.routing import _targets


def prepare(network: Network) -> Routing:
    """Prepare minimal routing by one port for each target, as with destination-based forwarding tables.

    A hash of router and target selects one of the minimal ports. With the target modulo the number of ports, successive
    routers would make the same choice, and nearly all upper links of a tree would stay idle.

    Parameters
    ----------
    network
        The network.

    Returns
    -------
    Routing
        Needs one virtual channel per hop of the diameter between endpoints, used in ascending order [1]_.

    References
    ----------
    .. [1] K. D. Günther, "Prevention of deadlocks in packet-switched data transport systems", IEEE Trans. Commun., 1981.
    """
    return _targets.prepared(network, max(1, network.diameter), network.minimal_ports(), network.distance)


@routing_function
def candidates(router, first_queue, channels, p, view):
    """Write the one port to the target of packet `p`."""
    packet, _, wide, small, numbers, rows = seen(view)
    target = np.int64(packet[p].target_router)
    count = steps.toward(router, target, np.int64(packet[p].hops), 0, wide, small, numbers, rows)
    return steps.keep(rows, steps.hashed(router, target, 0, count))
