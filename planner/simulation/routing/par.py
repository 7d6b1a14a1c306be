"""PAR, progressive adaptive routing of Dragonflies: UGAL that may divert from the minimal path inside the source group."""

from __future__ import annotations

from typing import Annotated

from annotated_types import Ge, Gt, Le

from planner.kernels.routing import steps
from planner.kernels.routing.view import Here, Packet, routing_function
from planner.simulation.network import Network, Routing
from planner.simulation.routing.tables import detours, groups, targets


def prepare(network: Network, samples: Annotated[int, Gt(0), Le(64)] = 4, threshold: Annotated[int, Ge(0)] = 0) -> Routing:
    """Prepare progressive adaptive routing.

    Every router of the source group on the minimal path compares paths as in `ugal`, with local queues and
    intermediate groups; a packet keeps its path once it is routed via an intermediate group or has left its own group.

    Parameters
    ----------
    network
        A Dragonfly.
    samples
        As in `ugal`.
    threshold
        As in `ugal`.

    Returns
    -------
    Routing
        Needs 4 virtual channels for paths of up to 6 hops, used in this order: local 0, local 1 (the second hop in the
        source group), global 0, local 2, global 1, local 3.

    Raises
    ------
    InputError
        For another family, or when cables are missing.

    Notes
    -----
    Differs from [1]_: the cheapest of several intermediate groups is compared with the minimal path instead of a single one.

    References
    ----------
    .. [1] N. Jiang, J. Kim, W. Dally, "Indirect adaptive routing on large scale interconnection networks", ISCA 2009.
    """
    targets.require_family(network.topology, "par", "dragonfly", remedy="use ugal")
    ports, hops, group = groups.tables(network, "par", steps.PROGRESSIVE)
    return detours.routing(network, 4, ports, hops, group, samples=samples, threshold=threshold)


@routing_function
def candidates(here: Here, packet: Packet, tables: steps.Detours, found):
    """Offer the ports of the path chosen for the packet."""
    label = packet.label
    if label == 0:
        # A packet keeps label 0 until its first global hop or until it chooses an intermediate.
        label = steps.cheapest_intermediate(here, packet, tables, found)
        if label == 0:
            return steps.toward(found, tables.ports, here.router, packet.target_router, packet.hops)
    elif label & steps.VIA == 0:
        label |= steps.REACHED
    return steps.onward(here, packet, label, tables, found)
