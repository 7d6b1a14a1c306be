"""Valiant routing: minimal to a random intermediate router or group, then minimal to the target."""

from __future__ import annotations

from typing import Literal

import numpy as np

from planner.kernels.packet.records import routing_function, seen
from planner.kernels.routing import steps
from planner.simulation.network import Network, Routing
from planner.simulation.routing import _detours


def prepare(network: Network, through: Literal["router", "group"] = "router") -> Routing:
    """Prepare Valiant routing.

    The intermediate router has endpoints and is neither source nor target; an intermediate group is
    neither the source's nor the target's. It is drawn once for a packet. A packet that comes past its
    target on the way is delivered. Where there is no intermediate left, packets go the minimal way.

    Parameters
    ----------
    network
        The network.
    through
        ``"group"``: a group of the topology's finest level; in Dragonfly and Megafly over at most two
        global hops, by hierarchical ways.

    Returns
    -------
    Routing
        Needs twice as many virtual channels as a minimal way may have hops, taken in ascending order [2]_.
        Through groups of a Dragonfly 3, of a Megafly 2: the number of global hops so far, where links down from
        a spine count with the global hop before them. Ways climb this order: local (up) 0, global 0, (down 0,)
        local (up) 1, global 1, local 2 (down 1).

    Raises
    ------
    InputError
        For ``"group"`` on a topology without groups.

    References
    ----------
    .. [1] L. Valiant, "A scheme for fast parallel communication", SIAM J. Comput. 11(2), 1982.
    .. [2] K. D. Günther, "Prevention of deadlocks in packet-switched data transport systems", IEEE Trans. Commun., 1981.
    .. [3] J. Kim, W. Dally, S. Scott, D. Abts, "Technology-driven, highly-scalable dragonfly topology", ISCA 2008 (groups).
    """
    return _detours.prepared(network, through)


@routing_function
def candidates(router, first_queue, channels, p, view):
    """Write the ports to the intermediate of packet `p`, and once that was reached to its target."""
    packet, _, wide, small, numbers, found = seen(view)
    label = np.int64(packet[p].label)
    if label == 0:
        via = steps.intermediate(packet, p, 0, wide, numbers)
        label = via + 1 if via >= 0 else steps.REACHED
    return steps.onward(router, label, p, packet, wide, small, numbers, found)
