"""ECMP: a hash of source and target endpoint selects one of the minimal ports; a flow keeps its path."""

from __future__ import annotations

import numpy as np

from planner.kernels.packet.records import routing_function, seen
from planner.kernels.routing import steps
from planner.simulation.network import Network, Routing
from planner.simulation.routing import _targets


def prepare(network: Network, salted: bool = True) -> Routing:
    """Prepare equal-cost multi-path routing.

    Parameters
    ----------
    network
        The network.
    salted
        Whether the hash includes the router number. Otherwise all routers hash alike, and successive routers use
        few of their ports (hash polarization).

    Returns
    -------
    Routing
        Needs one virtual channel per hop of the diameter between endpoints, used in ascending order [2]_.

    References
    ----------
    .. [1] C. Hopps, "Analysis of an equal-cost multi-path algorithm", RFC 2992, 2000.
    .. [2] K. D. Günther, "Prevention of deadlocks in packet-switched data transport systems", IEEE Trans. Commun., 1981.
    """
    made = _targets.prepared(network, max(1, network.diameter), network.minimal_ports(), network.distance)
    numbers = np.concatenate([made.numbers[: steps.POOL], [salted]])
    return Routing(made.virtual_channels, made.wide, made.small, numbers)


@routing_function
def candidates(router, first_queue, channels, p, view):
    """Write the port that the flow of packet `p` takes."""
    packet, _, wide, small, numbers, rows = seen(view)
    target = np.int64(packet[p].target_router)
    count = steps.toward(router, target, np.int64(packet[p].hops), 0, wide, small, numbers, rows)
    salt = router if numbers[steps.POOL] else 0
    endpoint = target << 16 | np.int64(packet[p].target)
    return steps.keep(rows, steps.hashed(np.int64(packet[p].source), endpoint, salt, count))
