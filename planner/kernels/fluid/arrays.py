"""Arrays of the walk over minimal ports: the network, its demand, the sums, and room to work."""

from __future__ import annotations

from typing import Annotated, NamedTuple

import numpy as np

EVEN, ONE = range(2)
"""Rule for several minimal ports: all of them, in proportion to weights; one, by the hash of the routing `single_path`."""

CHOICES = 8
"""Numbers of minimal ports that are distinguished; more count as this many."""


class Graph(NamedTuple):
    """Ports of all routers: entries of the topology's rows."""

    indptr: Annotated[np.ndarray, np.int64, 1]
    indices: Annotated[np.ndarray, np.uint16, 1]
    """Router that each port leads to; tables of all distances have fewer routers than this counts."""
    reverse: Annotated[np.ndarray, np.int32, 1]
    """Port at the other end of each port's link."""
    pairs: Annotated[np.ndarray, np.int64, 1]
    """First pair of each router: its pairs of ports (next, before) are numbered next by next."""
    distance: Annotated[np.ndarray, np.uint8, 2]


class Demand(NamedTuple):
    """Flow from routers to targets by first channel: products, less a correction, plus single entries."""

    sent: Annotated[np.ndarray, np.float64, 3]
    """Channel, term, router."""
    received: Annotated[np.ndarray, np.float64, 2]
    """Term, target."""
    less: Annotated[np.ndarray, np.float64, 2]
    """Subtracted from router r to target t on channel d(r, t): the product ``less[0, r] * less[1, t]``; or empty."""
    first: Annotated[np.ndarray, np.int64, 1]
    """First single entry of each target, and the end."""
    source: Annotated[np.ndarray, np.int64, 1]
    amount: Annotated[np.ndarray, np.float64, 1]
    via: Annotated[np.ndarray, np.float64, 1]
    """Empty, or the share of each router as an intermediate: entries then start at all of them, on channel d(source, router)."""


class Flows(NamedTuple):
    """Sums over targets. Flow is counted at the port where it arrives: the sums of a router are neighbors in memory."""

    flow: Annotated[np.ndarray, np.float64, 2]
    """Channel, port."""
    turn: Annotated[np.ndarray, np.float32, 2]
    """From each queue, a port with a channel, to each port of its router: channel, pair."""
    squares: Annotated[np.ndarray, np.float64, 2]
    """Sum of the squares of the turns of single targets: channel, port that they turn to."""
    ejected: Annotated[np.ndarray, np.float64, 2]
    """Flow of a queue that ends at its router: channel, port."""
    begun: Annotated[np.ndarray, np.float64, 2]
    """Flow that started one hop before: channel, port; not filled for channel 0, where all flow did."""
    chosen: Annotated[np.ndarray, np.float64, 1]
    """Sum of flow times (m - 1) / m, m the number of ports that it could have taken a hop before."""
    options: Annotated[np.ndarray, np.float32, 3]
    """Flow of a queue by number of ports to choose from: channel, number less 1, port."""
    first_options: Annotated[np.ndarray, np.float64, 3]
    """Same for flow that starts: channel, number less 1, router."""


class Scratch(NamedTuple):
    """Arrays of the walk to one target; small types, since the cache should hold them."""

    order: Annotated[np.ndarray, np.int32, 1]
    """Routers by distance."""
    first: Annotated[np.ndarray, np.int64, 1]
    """First router of each distance in that order, and the end."""
    senders: Annotated[np.ndarray, np.int32, 1]
    """Routers of a distance with flow."""
    ports: Annotated[np.ndarray, np.uint16, 1]
    """Number of minimal ports of each router."""
    begun: Annotated[np.ndarray, np.float32, 2]
    """Flow that starts, later divided by the sum of weights: channel, router."""
    rate: Annotated[np.ndarray, np.float32, 2]
    """Flow that arrives, later with what starts and divided by the sum of weights: channel, router."""
    whole: Annotated[np.ndarray, np.float32, 2]
    """Sum of the weights of minimal ports: channel, router."""
    place: Annotated[np.ndarray, np.int32, 1]
    """Ports of a router that are used, counted from its first."""
    beyond: Annotated[np.ndarray, np.int32, 1]
    """Routers there."""
    moved: Annotated[np.ndarray, np.float32, 2]
    """Flow there: channel, number."""
    onward: Annotated[np.ndarray, np.int32, 1]
    """Minimal ports of a router."""
    parts: Annotated[np.ndarray, np.float32, 2]
    """Share of the flow that each takes: channel, number."""
    place_of_one: Annotated[np.ndarray, np.int32, 1]
    """As `place`, of a single port."""
    moved_of_one: Annotated[np.ndarray, np.float32, 2]


def scratch(routers: int, degree: int, channels: int, starts: int) -> Scratch:
    """Return the arrays for a network."""
    return Scratch(
        np.empty(routers, np.int32), np.empty(258, np.int64), np.empty(routers, np.int32), np.empty(routers, np.uint16),
        *(np.empty((rows, routers), np.float32) for rows in (starts, channels, channels)),
        np.empty(degree, np.int32), np.empty(degree, np.int32), np.empty((channels, degree), np.float32),
        np.empty(degree, np.int32), np.empty((channels, degree), np.float32),
        np.empty(1, np.int32), np.empty((channels, 1), np.float32),
    )  # fmt: skip
