"""All paths: one of all paths that are no longer than the shortest and one hop, drawn at the source."""

from __future__ import annotations

from typing import Annotated

from annotated_types import Ge, Le

from planner.kernels.packet.records import routing_function, seen
from planner.kernels.routing import steps
from planner.simulation.network import Network, Routing
from planner.simulation.routing import _path_tables


def prepare(network: Network, longer: Annotated[int, Ge(0), Le(4)] = 1, most: Annotated[int, Ge(1), Le(254)] = 64) -> Routing:
    """Prepare routing by all loopless paths of nearly minimal length, each as likely.

    Parameters
    ----------
    network
        The network.
    longer
        Hops that a path may have beyond the distance.
    most
        Paths of each pair; the first ones by hops, then in ascending order of the routers along them.

    Returns
    -------
    Routing
        Needs as many virtual channels as the longest of the paths has hops, taken in ascending order [1]_.

    Raises
    ------
    InputError
        When the table of paths would be too large.

    References
    ----------
    .. [1] K. D. Günther, "Prevention of deadlocks in packet-switched data transport systems", IEEE Trans. Commun., 1981.
    """
    return _path_tables.prepared(network, most, longer, complete=False)


@routing_function
def candidates(router, first_queue, channels, p, view):
    """Write the next port of the path of packet `p`."""
    packet, _, _, small, numbers, found = seen(view)
    return steps.along(p, packet, small, numbers, found)
