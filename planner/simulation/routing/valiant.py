"""Valiant routing: minimal to a random intermediate router or group, then minimal to the target."""

from __future__ import annotations

from typing import Literal

from planner.kernels.routing import steps
from planner.kernels.routing.view import Here, Packet, routing_function
from planner.simulation.network import Network, Routing
from planner.simulation.routing.tables import detours

PLANES = True
"""Packets stay in their plane: so do the intermediate routers."""


def prepare(network: Network, through: Literal["router", "group"] = "router") -> Routing:
    """Prepare Valiant routing.

    The intermediate router has endpoints and is neither source nor target; an intermediate group is
    neither the source's nor the target's. It is drawn once for a packet. A packet that passes its
    target is delivered. Without a possible intermediate, packets are routed minimally.

    Parameters
    ----------
    network
        The network.
    through
        Kind of intermediate: ``"router"`` (default) or ``"group"``, a group of the finest level; in Dragonfly and
        Megafly with at most two global hops, by hierarchical paths.

    Returns
    -------
    Routing
        Needs twice the virtual channels of minimal routing, used in ascending order [2]_.
        Through groups of a Dragonfly 3, of a Megafly 2: the number of global hops so far, where links down from
        a spine count with the preceding global hop. Channels are used in this order: local (up) 0, global 0, (down 0,)
        local (up) 1, global 1, local 2 (down 1).

    Raises
    ------
    InputError
        For ``"group"`` on a topology without groups.

    Notes
    -----
    Differs from [1]_: the intermediate is never the source or the target, and a packet that meets its target on the first part
    ends there.

    References
    ----------
    .. [1] L. Valiant, "A scheme for fast parallel communication", SIAM J. Comput. 11(2), 1982.
    .. [2] K. D. Günther, "Prevention of deadlocks in packet-switched data transport systems", IEEE Trans. Commun., 1981.
    .. [3] J. Kim, W. Dally, S. Scott, D. Abts, "Technology-driven, highly-scalable dragonfly topology", ISCA 2008 (groups).
    """
    return detours.prepared(network, through)


@routing_function
def candidates(here: Here, packet: Packet, tables: steps.Detours, found):
    """Offer the ports to the packet's intermediate, then to its target."""
    label = packet.label
    if label == 0:
        via = steps.intermediate(packet, 0, tables)
        label = via + 1 if via >= 0 else steps.REACHED
    return steps.onward(here, packet, label, tables, found)
