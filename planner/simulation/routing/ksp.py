"""KSP: one of the k shortest loopless paths, drawn at the source."""

from __future__ import annotations

from typing import Annotated

from annotated_types import Ge, Le

from planner.kernels.routing import steps
from planner.kernels.routing.view import Here, Packet, routing_function
from planner.simulation.network import Network, Routing
from planner.simulation.routing.tables import path_tables

_LONGER = 4
"""Paths with up to this many hops beyond the distance are enumerated directly; pairs with fewer use Yen's algorithm."""


def prepare(network: Network, k: Annotated[int, Ge(1), Le(254)] = 8) -> Routing:
    """Prepare routing by the k shortest paths, with equal probability.

    These are the paths of Yen's algorithm with unit lengths, ties broken by router numbers.

    Parameters
    ----------
    network
        The network.
    k
        Number of paths per pair, or all if there are fewer.

    Returns
    -------
    Routing
        Needs one virtual channel per hop of the longest path, used in ascending order [3]_.

    Raises
    ------
    InputError
        When the table of paths would be too large.

    Notes
    -----
    Differs from [2]_: every packet draws a path, not every flow. The paths are those of [1]_; those up to four hops longer than
    the shortest are enumerated directly.

    References
    ----------
    .. [1] J. Yen, "Finding the k shortest loopless paths in a network", Management Science 17(11), 1971.
    .. [2] A. Singla et al., "Jellyfish: networking data centers randomly", NSDI 2012 (k = 8).
    .. [3] K. D. Günther, "Prevention of deadlocks in packet-switched data transport systems", IEEE Trans. Commun., 1981.
    """
    return path_tables.prepared(network, k, _LONGER, complete=True)


@routing_function
def candidates(here: Here, packet: Packet, tables: steps.Paths, found):
    """Offer the next port of the path that the packet drew."""
    return steps.along(found, packet, tables)
