"""Hierarchical minimal routing of Dragonflies: local, global, local hop; two virtual channels."""

from __future__ import annotations

import numpy as np

from planner.kernels.packet.records import routing_function, seen
from planner.kernels.routing import steps
from planner.simulation.network import Network, Routing
from planner.simulation.routing import _groups, _targets


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
    _targets.require_family(network.topology, "hierarchical", "dragonfly", remedy="use up_down for megafly, else minimal")
    table, hops, kinds, group = _groups.tables(network, "hierarchical")
    return _targets.prepared(network, 2, table, hops, kinds=kinds, ladder=steps.BY_CROSSINGS, group=group)


@routing_function
def candidates(router, first_queue, channels, p, view):
    """Write the ports of the hierarchical path to the target of packet `p`."""
    packet, _, wide, small, numbers, rows = seen(view)
    hops, label = np.int64(packet[p].hops), np.int64(packet[p].label)
    return steps.toward(router, np.int64(packet[p].target_router), hops, label, wide, small, numbers, rows)
