"""Minimal routing on one virtual channel, which can deadlock: a routing from outside the product."""

import numpy as np

from planner.kernels.packet.records import routing_function, seen
from planner.simulation.network import Routing
from planner.simulation.routing import minimal


def prepare(network) -> Routing:
    given = minimal.prepare(network)
    return Routing(1, given.wide, np.zeros((1, 1), np.uint8), given.numbers)


@routing_function
def candidates(router, first_queue, channels, p, view):
    packet, _, wide, _, numbers, rows = seen(view)
    mask = wide[router, packet[p].target_router * numbers[0]]
    count = 0
    for port in range(32):
        if (mask >> port) & 1:
            rows[count, 0] = port
            rows[count, 1] = 0
            rows[count, 2] = 0
            rows[count, 3] = 0
            count += 1
    return count
