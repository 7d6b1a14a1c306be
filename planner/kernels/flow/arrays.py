"""Arrays of the walk over minimal ports: the network, its demand, the sums, and room to work."""

from __future__ import annotations

from typing import Annotated, NamedTuple

import numpy as np

EVEN, ONE = range(2)
"""Rule for several minimal ports: all of them, in proportion to weights; one, by the hash of the routing `single_path`."""

BLOCK = 128
"""Targets of a block: rows of them fit in the cache next to the turns of a router."""

CHOICES = 8
"""Numbers of minimal ports that are distinguished; more count as this many."""


class Graph(NamedTuple):
    """Ports of all routers: entries of the topology's rows."""

    indptr: Annotated[np.ndarray, np.int64, 1]
    indices: Annotated[np.ndarray, np.int64, 1]
    reverse: Annotated[np.ndarray, np.int64, 1]
    """Port at the other end of each port's link."""
    distance: Annotated[np.ndarray, np.uint8, 2]


class Demand(NamedTuple):
    """Flow from routers to targets by first channel: products, less a correction, plus single entries."""

    sent: Annotated[np.ndarray, np.float64, 3]
    """Term, router, channel."""
    received: Annotated[np.ndarray, np.float64, 2]
    """Term, target."""
    less: Annotated[np.ndarray, np.float64, 2]
    """Subtracted from router r to target t on channel d(r, t): the product ``less[0, r] * less[1, t]``."""
    first: Annotated[np.ndarray, np.int64, 1]
    """First single entry of each target, and the end."""
    source: Annotated[np.ndarray, np.int64, 1]
    amount: Annotated[np.ndarray, np.float64, 1]
    via: Annotated[np.ndarray, np.float64, 1]
    """Empty, or the share of each router as an intermediate: entries then start at all of them, on channel d(source, router)."""


class Flows(NamedTuple):
    """Sums over targets; float32 where arrays are large."""

    flow: Annotated[np.ndarray, np.float64, 2]
    """Port, channel."""
    turn: Annotated[np.ndarray, np.float32, 3]
    """From the queue that a port and channel leads to, on to each port of the router there: port, channel, entry of its row."""
    ejected: Annotated[np.ndarray, np.float64, 2]
    """Flow of that queue that ends at the router: port, channel."""
    injected: Annotated[np.ndarray, np.float64, 2]
    """Flow that starts at a port, and its first channel; not filled for channel 0, where all flow starts."""
    chosen: Annotated[np.ndarray, np.float64, 1]
    """Sum of flow through a port times (m - 1) / m, m the number of ports that it could have taken."""
    options: Annotated[np.ndarray, np.float32, 3]
    """Flow of a queue by number of ports to choose from: port, channel, number less 1."""
    first_options: Annotated[np.ndarray, np.float64, 3]
    """Same for flow that starts: router, channel, number less 1."""


class Scratch(NamedTuple):
    """Arrays of the walk to a block of targets: rows of routers, a column for each target."""

    here: Annotated[np.ndarray, np.uint8, 2]
    """Distances to the targets."""
    ports: Annotated[np.ndarray, np.uint16, 2]
    """Number of minimal ports."""
    others: Annotated[np.ndarray, np.float32, 2]
    """(m - 1) / m for m ports to choose from."""
    chosen: Annotated[np.ndarray, np.uint16, 2]
    """Port that is taken, by the rule `ONE`."""
    begun: Annotated[np.ndarray, np.float32, 2]
    """Flow that starts on the channel."""
    before: Annotated[np.ndarray, np.float32, 2]
    """Flow on the channel before, divided by the sum of the weights of minimal ports."""
    now: Annotated[np.ndarray, np.float32, 2]
    """Same on the channel."""
    active: Annotated[np.ndarray, np.uint8, 2]
    """Whether a router sends on the channel before, and on the channel."""
    arrived: Annotated[np.ndarray, np.float32, 1]
    whole: Annotated[np.ndarray, np.float32, 1]
    drawn: Annotated[np.ndarray, np.uint8, 1]
    """Whether turns are those of a target."""
    targets: Annotated[np.ndarray, np.int64, 1]
    """Targets of flow that passes the router."""
    ends: Annotated[np.ndarray, np.int64, 1]
    """End of each target's entries in the two following."""
    entry: Annotated[np.ndarray, np.int64, 1]
    """Minimal ports."""
    share: Annotated[np.ndarray, np.float64, 1]
    """Share of the flow that each takes."""


def scratch(routers: int, degree: int, rule: int) -> Scratch:
    """Return the arrays for a network."""
    block = min(BLOCK, routers)
    table = (routers, block)
    return Scratch(
        np.empty(table, np.uint8), np.empty(table, np.uint16), np.empty(table, np.float32),
        np.empty(table if rule == ONE else (0, 0), np.uint16),
        *(np.empty(table, np.float32) for _ in range(3)),
        np.empty((2, routers), np.uint8),
        *(np.empty(block, np.float32) for _ in range(2)),
        np.empty(block, np.uint8), np.empty(block, np.int64), np.empty(block, np.int64),
        np.empty(block * degree, np.int64), np.empty(block * degree),
    )  # fmt: skip
