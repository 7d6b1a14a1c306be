"""PAR, progressive adaptive routing of Dragonflies: UGAL that may divert from the minimal path inside the source group."""

from __future__ import annotations

from typing import Annotated

import numpy as np
from annotated_types import Ge, Gt, Le

from planner.kernels.packet.records import routing_function, seen
from planner.kernels.routing import steps
from planner.simulation.network import Network, Routing
from planner.simulation.routing import _groups, _targets


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

    References
    ----------
    .. [1] N. Jiang, J. Kim, W. Dally, "Indirect adaptive routing on large scale interconnection networks", ISCA 2009.
    """
    _targets.require_family(network.topology, "par", "dragonfly", remedy="use ugal")
    table, hops, kinds, group = _groups.tables(network, "par")
    weighing = {"members": True, "samples": samples, "threshold": threshold}
    return _targets.prepared(network, 4, table, hops, kinds=kinds, ladder=steps.PROGRESSIVE, group=group, **weighing)


@routing_function
def candidates(router, first_queue, channels, p, view):
    """Write the ports of the path chosen for packet `p`."""
    packet, output, wide, small, numbers, rows = seen(view)
    label = np.int64(packet[p].label)
    if label == 0:
        # A packet keeps label 0 until its first global hop or until it chooses an intermediate.
        label = steps.cheapest_intermediate(router, first_queue, channels, p, packet, output, wide, small, numbers, rows)
        if label == 0:
            hops = np.int64(packet[p].hops)
            return steps.toward(router, np.int64(packet[p].target_router), hops, 0, wide, small, numbers, rows)
    elif label & steps.VIA == 0:
        label |= steps.REACHED
    return steps.onward(router, label, p, packet, wide, small, numbers, rows)
