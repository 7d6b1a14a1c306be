"""Candidate ports of a routing for all targets of a router."""

from __future__ import annotations

import numpy as np

from planner.kernels import compiled
from planner.kernels.addresses import record_at
from planner.kernels.routing.view import NOT_NOW, VIEW


@compiled
def offered_ports(candidates, router, first_queue, targets, sources, channels, view, draws, ports):
    """Set ``ports[i, port]`` to 1 plus the virtual channel on which packets from `router` to ``targets[i]`` may take a port.

    Parameters
    ----------
    targets, sources
        Target routers, int64 (T,), and the endpoints that send, int64 (draws,).
    view
        Address of a `planner.kernels.routing.view.View` of one packet and the output queues of all routers.
    draws
        Number of packets sampled; they differ in their creation time.
    ports
        int32 (T, degree), initially 0; of several channels the first one is kept.
    """
    seen = record_at(view, VIEW)
    packet, found = seen.packet, seen.candidates
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
                if ports[i, found[row].port] == 0 and found[row].penalty != NOT_NOW:
                    ports[i, found[row].port] = np.int32(1 + found[row].channel)
