"""Hierarchical minimal routing of Dragonflies: local, global, local hop; two virtual channels."""

from __future__ import annotations

from planner.kernels.routing import steps
from planner.kernels.routing.view import Here, Packet, routing_function
from planner.simulation.network import Network, Routing
from planner.simulation.routing.tables import groups, targets


def prepare(network: Network) -> Routing:
    """Prepare routing by at most one local, one global and one local hop.

    Unlike `minimal`, it does not use two global hops where these would be shorter.

    Parameters
    ----------
    network
        A Dragonfly.

    Returns
    -------
    Routing
        Needs 2 virtual channels: the number of global hops so far. Channels are used in the order local 0, global 0,
        local 1, so that no cyclic channel dependency exists [1]_.

    Raises
    ------
    InputError
        For another family, or when cables are missing.

    References
    ----------
    .. [1] J. Kim, W. Dally, S. Scott, D. Abts, "Technology-driven, highly-scalable dragonfly topology", ISCA 2008.
    """
    targets.require_family(network.topology, "hierarchical", "dragonfly", remedy="use up_down for megafly, else minimal")
    ports, _, _ = groups.tables(network, "hierarchical", steps.BY_CROSSINGS)
    return targets.routing(2, ports)


@routing_function
def candidates(here: Here, packet: Packet, tables: steps.Ports, found):
    """Offer the ports of the hierarchical path to the packet's target."""
    return steps.toward(found, tables, here.router, packet.target_router, packet.hops, packet.label)
