"""Single path: one minimal path to each target, from a table; the virtual channel is the hop's number."""

from __future__ import annotations

from planner.kernels.routing import steps
from planner.kernels.routing.view import Here, Packet, only, routing_function
from planner.simulation.network import Network, Routing
from planner.simulation.routing.tables import targets

PLANES = True
"""Packets stay in their plane."""


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
    return targets.routing(max(1, network.diameter), targets.ports(network.minimal_ports()))


@routing_function
def candidates(here: Here, packet: Packet, tables: steps.Ports, found):
    """Offer the one port to the packet's target."""
    count = steps.toward(found, tables, here.router, packet.target_router, packet.hops)
    return only(found, steps.hashed(here.router, packet.target_router, 0, count))
