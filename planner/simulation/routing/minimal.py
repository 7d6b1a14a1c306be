"""Minimal routing: every hop leads nearer to the target; the virtual channel is the hop's number."""

from __future__ import annotations

import numpy as np

from planner.kernels import inlined
from planner.kernels.bits import lowest_bit
from planner.kernels.packet.records import routing_function, seen
from planner.kernels.routing import steps
from planner.kernels.routing.hops import hops
from planner.simulation.network import NO_NEIGHBOR, Network, Routing

_MAX_BYTES = 2**28
"""Maximum size of the table of minimal ports; beyond, the hops of all neighbors are compared for every packet."""


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
    channels = max(1, network.diameter)
    if 4 * network.topology.router_count**2 * -(-int(network.topology.degree.max(initial=1)) // 32) > _MAX_BYTES:
        numbers = np.concatenate([[0, adaptive], network.hops.numbers])
        return Routing(channels, network.neighbors, network.hops.small, numbers)
    masks = network.minimal_ports()
    numbers = np.array([masks.shape[2], adaptive], np.int64)
    return Routing(channels, masks.reshape(len(masks), -1), np.zeros((1, 1), np.uint8), numbers, masks.shape[2])


@inlined
def _from_masks(router, target, channel, wide, numbers, rows):
    """List the ports of a mask."""
    words = numbers[0]
    count = 0
    for word in range(words):
        mask = np.int64(wide[router, target * words + word])
        while mask:
            count = _offer(rows, count, word * 32 + lowest_bit(mask), channel)
            mask &= mask - 1
    return count


@inlined
def _from_hops(router, target, channel, wide, small, numbers, rows):
    """List the ports whose neighbors are nearer to the target."""
    here = hops(router, target, small, numbers, 2)
    count = 0
    for port in range(wide.shape[1]):
        neighbor = np.int64(wide[router, port])
        if neighbor != NO_NEIGHBOR and hops(neighbor, target, small, numbers, 2) < here:
            count = _offer(rows, count, port, channel)
    return count


@inlined
def _offer(rows, count, port, channel):
    rows[count, 0] = port
    rows[count, 1] = channel
    rows[count, 2] = 0
    rows[count, 3] = 0
    return count + 1


@routing_function
def candidates(router, first_queue, channels, p, view):
    """List the ports that lead nearer to the target of packet `p`."""
    packet, _, wide, small, numbers, rows = seen(view)
    target, channel = int(packet[p].target_router), int(packet[p].hops)
    if numbers[0]:
        count = _from_masks(router, target, channel, wide, numbers, rows)
    else:
        count = _from_hops(router, target, channel, wide, small, numbers, rows)
    if numbers[1] == 0 and count > 1:
        # Draws of successive hops are independent.
        return steps.keep(rows, steps.draw(packet, p, channel, count))
    return count
