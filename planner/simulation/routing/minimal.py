"""Minimal routing: every hop leads nearer to the target; the virtual channel is the hop's number."""

from __future__ import annotations

import numpy as np

from planner.kernels.packet_records import routing_function
from planner.simulation.network import Network, Routing


def prepare(network: Network, adaptive: bool = True) -> Routing:
    """Prepare hop-by-hop minimal routing.

    Parameters
    ----------
    network
        The network.
    adaptive
        True: at each router any port with room that leads nearer, ties at random. False: oblivious,
        a packet draws one such port at each router and waits for it.

    Returns
    -------
    Routing
        Needs as many virtual channels as the network has hops between endpoints: channels are taken
        in ascending order, so that no cycle of waiting packets can close [1]_.

    References
    ----------
    .. [1] K. D. Günther, "Prevention of deadlocks in packet-switched data transport systems", IEEE Trans. Commun., 1981.
    """
    masks = network.minimal_ports()
    numbers = np.array([masks.shape[2], adaptive], np.int64)
    return Routing(max(1, network.diameter), masks.reshape(len(masks), -1), np.zeros((1, 1), np.uint8), numbers)


@routing_function
def candidates(router, first_queue, channels, p, packet, output, wide, small, numbers, found, random):
    """List the ports that lead nearer to the target of packet `p`."""
    words = numbers[0]
    first = packet[p].target_router * words
    count = 0
    for word in range(words):
        mask = wide[router, first + word]
        port = word * 32
        while mask:
            if mask & 1:
                found[count, 0] = port
                found[count, 1] = packet[p].hops
                found[count, 2] = 0
                found[count, 3] = 0
                count += 1
            mask >>= 1
            port += 1
    if numbers[1] == 0 and count > 1:
        # The same packet draws the same port however often it asks.
        drawn = (int(packet[p].created) * 40503 + int(packet[p].source) * 9973 + int(packet[p].hops) * 127) % 65521 % count
        found[0, 0] = found[drawn, 0]
        count = 1
    return count
