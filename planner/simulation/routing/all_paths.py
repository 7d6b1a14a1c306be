"""All paths: a random path among all paths up to one hop longer than the shortest, drawn at the source."""

from __future__ import annotations

from typing import Annotated

from annotated_types import Ge, Le

from planner.kernels.routing import steps
from planner.kernels.routing.view import Here, Packet, routing_function
from planner.simulation.network import Network, Routing
from planner.simulation.routing.tables import path_tables


def prepare(
    network: Network, longer: Annotated[int, Ge(0), Le(4)] = 1, max_paths: Annotated[int, Ge(1), Le(254)] = 64
) -> Routing:
    """Prepare routing by all loopless paths of nearly minimal length, with equal probability.

    Parameters
    ----------
    network
        The network.
    longer
        Maximum hops of a path beyond the distance.
    max_paths
        Maximum paths per pair; the first by hops, then by router numbers.

    Returns
    -------
    Routing
        Needs one virtual channel per hop of the longest path, used in ascending order [1]_.

    Raises
    ------
    InputError
        When the table of paths would be too large.

    References
    ----------
    .. [1] K. D. Günther, "Prevention of deadlocks in packet-switched data transport systems", IEEE Trans. Commun., 1981.
    """
    return path_tables.prepared(network, max_paths, longer, complete=False)


@routing_function
def candidates(here: Here, packet: Packet, tables: steps.Paths, found):
    """Offer the next port of the path that the packet drew."""
    return steps.along(found, packet, tables)
