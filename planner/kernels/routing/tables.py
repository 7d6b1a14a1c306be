"""Candidate ports of a routing for all targets of a router."""

from __future__ import annotations

import numpy as np

from planner.kernels import compiled
from planner.kernels.addresses import address_of
from planner.kernels.packet.records import NOT_NOW


@compiled
def offered_ports(candidates, router, first_queue, targets, sources, channels, arrays, draws, ports):
    """Set ``ports[i, port]`` to 1 plus the virtual channel on which packets from `router` to ``targets[i]`` may take a port.

    Parameters
    ----------
    targets, sources
        Target routers, int64 (T,), and the endpoints that send, int64 (draws,).
    arrays
        Input of the routing: a `View` of one packet and the output queues of all routers.
    draws
        Number of packets sampled; they differ in their creation time.
    ports
        int32 (T, degree), initially 0; of several channels the first one is kept.
    """
    packet, rows, view = arrays.packet, arrays.candidates, address_of(arrays)
    for i in range(len(targets)):
        target = targets[i]
        if target == router:
            continue
        for created in range(draws):
            packet[0].created = created
            packet[0].source = sources[created]
            packet[0].source_router = router
            packet[0].target_router = target
            packet[0].target = 0
            packet[0].hops = 0
            packet[0].label = 0
            count = candidates(router, first_queue, channels, 0, view)
            for row in range(count):
                if ports[i, rows[row, 0]] == 0 and rows[row, 2] != NOT_NOW:
                    ports[i, rows[row, 0]] = np.int32(1 + rows[row, 1])
