"""Minimal routing: every hop leads nearer to the target; the virtual channel is the hop's number."""

from __future__ import annotations

import numpy as np

from planner.kernels import inlined
from planner.kernels.bits import lowest_bit
from planner.kernels.packet.records import routing_function, seen
from planner.kernels.routing import steps
from planner.kernels.routing.hops import hops
from planner.simulation.network import NO_NEIGHBOR, Network, Routing

_LARGEST_BYTES = 2**28
"""A larger table of minimal ports is not made; then the hops of all neighbors are looked up for every packet."""


def prepare(network: Network, adaptive: bool = True) -> Routing:
    """Prepare hop-by-hop minimal routing.

    Parameters
    ----------
    network
        The network.
    adaptive
        True: at each router any port with room that leads nearer, ties at random. False: oblivious,
        a packet draws one such port at each router, independently of those before, and waits for it.

    Returns
    -------
    Routing
        Needs as many virtual channels as the network has hops between endpoints: channels are taken
        in ascending order, so that no cycle of waiting packets can close [1]_.

    References
    ----------
    .. [1] K. D. Günther, "Prevention of deadlocks in packet-switched data transport systems", IEEE Trans. Commun., 1981.
    """
    channels = max(1, network.diameter)
    if 4 * network.topology.router_count**2 * -(-int(network.topology.degree.max(initial=1)) // 32) > _LARGEST_BYTES:
        numbers = np.concatenate([[0, adaptive], network.hops.numbers])
        return Routing(channels, network.neighbors, network.hops.small, numbers)
    masks = network.minimal_ports()
    numbers = np.array([masks.shape[2], adaptive], np.int64)
    return Routing(channels, masks.reshape(len(masks), -1), np.zeros((1, 1), np.uint8), numbers, masks.shape[2])


@inlined
def _from_masks(router, target, channel, wide, numbers, found):
    """List the ports of a mask."""
    words = numbers[0]
    count = 0
    for word in range(words):
        mask = np.int64(wide[router, target * words + word])
        while mask:
            count = _offer(found, count, word * 32 + lowest_bit(mask), channel)
            mask &= mask - 1
    return count


@inlined
def _from_hops(router, target, channel, wide, small, numbers, found):
    """List the ports whose neighbors have fewer hops to go."""
    here = hops(router, target, small, numbers, 2)
    count = 0
    for port in range(wide.shape[1]):
        neighbor = np.int64(wide[router, port])
        if neighbor != NO_NEIGHBOR and hops(neighbor, target, small, numbers, 2) < here:
            count = _offer(found, count, port, channel)
    return count


@inlined
def _offer(found, count, port, channel):
    found[count, 0] = port
    found[count, 1] = channel
    found[count, 2] = 0
    found[count, 3] = 0
    return count + 1


@routing_function
def candidates(router, first_queue, channels, p, view):
    """List the ports that lead nearer to the target of packet `p`."""
    packet, _, wide, small, numbers, found = seen(view)
    target, channel = int(packet[p].target_router), int(packet[p].hops)
    if numbers[0]:
        count = _from_masks(router, target, channel, wide, numbers, found)
    else:
        count = _from_hops(router, target, channel, wide, small, numbers, found)
    if numbers[1] == 0 and count > 1:
        # Hops draw independently: the choice at one hop says nothing about the next one's.
        return steps.keep(found, steps.draw(packet, p, channel, count))
    return count
