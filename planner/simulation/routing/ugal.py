"""UGAL: a packet takes the minimal path or the cheapest path via random intermediates, by queues at its source."""

from __future__ import annotations

from typing import Annotated, Literal

from annotated_types import Ge, Gt, Le

from planner.kernels.routing import steps
from planner.kernels.routing.view import Here, Packet, remember, routing_function
from planner.simulation.network import Network, Routing
from planner.simulation.routing.tables import detours

PLANES = True
"""Packets stay in their plane: so do the intermediate routers."""


def prepare(
    network: Network,
    queues: Literal["local", "path"] = "local",
    through: Literal["router", "group"] = "router",
    samples: Annotated[int, Gt(0), Le(64)] = 4,
    threshold: Annotated[int, Ge(0)] = 0,
) -> Routing:
    """Prepare universal globally adaptive load-balanced routing.

    When a packet becomes head of its queue at the source router, it takes the minimal path if its cost is at most that of the
    cheapest of `samples` paths via an intermediate, plus the threshold; it keeps this path, even while
    it waits. Of several ports to the same router the emptiest one counts. Intermediates are as in `valiant`.

    Parameters
    ----------
    network
        The network.
    queues
        ``"local"`` (UGAL-L): the cost is the number of packets queued at the source router's port, in its output queues and the
        input queues at the other end, times hops. ``"path"`` (UGAL-G): packets queued at all ports of the path.
    through
        Intermediate routers or groups. Hops via a group are hops to it, from it, and one inside.
    samples
        Number of intermediates compared.
    threshold
        Bias toward the minimal path: packets times hops, or packets.

    Returns
    -------
    Routing
        Virtual channels as in `valiant`.

    Raises
    ------
    InputError
        For ``through = "group"`` on a topology without groups.

    Notes
    -----
    Differs from [1]_: the cheapest of several intermediates is compared with the minimal path, as in [2]_, instead of a single
    one; and packets in the input queues at the other end of a port count as queued there.

    References
    ----------
    .. [1] A. Singh, "Load-balanced routing in interconnection networks", PhD thesis, Stanford 2005.
    .. [2] K. Lakhotia et al., "PolarStar: expanding the horizon of diameter-3 networks", SPAA 2024, section 9.3 (4 samples).
    """
    return detours.prepared(network, through, samples=samples, threshold=threshold, whole_path=queues == "path")


@routing_function
def candidates(here: Here, packet: Packet, tables: steps.Detours, found):
    """Offer the ports of the path chosen for the packet at its source."""
    label = packet.label
    if label == 0:
        label = steps.cheapest_intermediate(here, packet, tables, found)
        if label == 0:
            label = steps.REACHED
        remember(here, label)
    return steps.onward(here, packet, label, tables, found)
