"""What queues wait for: turns that share a port."""

from __future__ import annotations

import numpy as np

from planner.kernels import compiled


@compiled
def contention(turn, head, by_port, by_channel):
    """Add the squares of the flow from each queue to each port: `by_port` with the channels of an input port together.

    `head` (int64, port): first port of the router that a port leads to. `by_port` (float64, port), `by_channel` (float64, port x
    channel): the port, and the channel taken next. Return 0.
    """
    ports, channels, widest = turn.shape
    for port in range(ports):
        for entry in range(widest):
            whole = 0.0
            for channel in range(channels - 1):
                amount = np.float64(turn[port, channel, entry])
                if amount > 0.0:
                    whole += amount
                    by_channel[head[port] + entry, channel + 1] += amount * amount
            if whole > 0.0:
                by_port[head[port] + entry] += whole * whole
    return 0


@compiled
def wait_of_heads(turn, channel, head, wait, link, load, out):
    """Fill the mean wait over the turns of the queue of each port on a channel; 0 without turns. Return 0.

    `wait` and `link` (float64, port) are the wait for a port, and its load. A queue waits no longer than if it always had a
    packet for the port and received the part of the link that other queues leave.
    """
    for port in range(len(out)):
        whole, total = 0.0, 0.0
        for entry in range(turn.shape[2]):
            amount = np.float64(turn[port, channel, entry])
            if amount > 0.0:
                place = head[port] + entry
                others, limited = max(0.0, link[place] - amount * load), wait[place]
                # Usually queues are not limited; the test avoids the division.
                if others < limited * (1.0 - others):
                    limited = others / (1.0 - others)
                whole += amount
                total += amount * limited
        out[port] = total / whole if whole > 0.0 else 0.0
    return 0
