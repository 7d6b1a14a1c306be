"""Minimal routing on one virtual channel, which can deadlock: a routing from outside the product."""

from typing import Annotated, NamedTuple

import numpy as np

from planner.simulation.routing import Here, Network, Packet, Routing, offer, routing_function


class Tables(NamedTuple):
    mask: Annotated[np.ndarray, np.uint32, 3]


def prepare(network: Network) -> Routing:
    return Routing(1, Tables(network.minimal_ports()))


@routing_function
def candidates(here: Here, packet: Packet, tables: Tables, found):
    mask = tables.mask[here.router, packet.target_router, 0]
    count = 0
    for port in range(32):
        if (mask >> port) & 1:
            count = offer(found, count, port, 0)
    return count
