"""Minimal routing: every hop leads nearer to the target; the virtual channel is the hop's number."""

from __future__ import annotations

from typing import Annotated, NamedTuple

import numpy as np

from planner.kernels import always_inlined
from planner.kernels.instructions import lowest_bit
from planner.kernels.routing import hops, steps
from planner.kernels.routing.view import Here, Packet, offer, only, routing_function
from planner.simulation.network import NO_NEIGHBOR, Network, Routing

PLANES = True
"""Packets stay in their plane."""

MAX_BYTES = 2**30
"""Maximum size of the table of minimal ports; beyond, the hops of all neighbors are compared for every packet."""


class Tables(NamedTuple):
    """Tables of minimal routing."""

    mask: Annotated[np.ndarray, np.uint32, 3]
    """Minimal ports, 32 per word: router, target, word. Empty if too large."""
    neighbor: Annotated[np.ndarray, np.uint32, 2]
    """Neighbor at each port: router, port."""
    distances: hops.Distances
    """Used without masks."""
    adaptive: int


def prepare(network: Network, adaptive: bool = True) -> Routing:
    """Prepare hop-by-hop minimal routing.

    Parameters
    ----------
    network
        The network.
    adaptive
        True: at each router any minimal port with space, ties broken at random. False: oblivious;
        a packet draws one minimal port at each router, independently of earlier hops, and waits for it.

    Returns
    -------
    Routing
        Needs one virtual channel per hop of the diameter between endpoints: channels are used
        in ascending order, so that no cyclic channel dependency exists [1]_.

    References
    ----------
    .. [1] K. D. Günther, "Prevention of deadlocks in packet-switched data transport systems", IEEE Trans. Commun., 1981.
    """
    routers, degree = network.topology.router_count, int(network.topology.degree.max(initial=1))
    if 4 * routers**2 * -(-degree // 32) > MAX_BYTES:
        mask, distances = np.zeros((0, 0, 0), np.uint32), network.hops.distances
    else:
        mask, distances = network.minimal_ports(), hops.NO_DISTANCES
    tables = Tables(mask, network.neighbors, distances, adaptive)
    lookup = mask if len(mask) else None
    return Routing(max(1, network.diameter), tables, lookup, by_target=adaptive)


@always_inlined
def _from_masks(here, packet, tables, found):
    """Offer the ports of a mask."""
    count = 0
    for word in range(tables.mask.shape[2]):
        mask = np.int64(tables.mask[here.router, packet.target_router, word])
        while mask:
            count = offer(found, count, word * 32 + lowest_bit(mask), packet.hops)
            mask &= mask - 1
    return count


@always_inlined
def _from_hops(here, packet, tables, found):
    """Offer the ports whose neighbors are nearer to the target."""
    target = packet.target_router
    left = hops.hops(tables.distances, here.router, target)
    count = 0
    for port in range(tables.neighbor.shape[1]):
        neighbor = np.int64(tables.neighbor[here.router, port])
        if neighbor != NO_NEIGHBOR and hops.hops(tables.distances, neighbor, target) < left:
            count = offer(found, count, port, packet.hops)
    return count


@routing_function
def candidates(here: Here, packet: Packet, tables: Tables, found):
    """Offer the ports that lead nearer to the packet's target."""
    count = _from_masks(here, packet, tables, found) if len(tables.mask) else _from_hops(here, packet, tables, found)
    if tables.adaptive == 0 and count > 1:
        # Draws of successive hops are independent.
        return only(found, steps.draw(packet, packet.hops, count))
    return count
