"""Cycles of a channel dependency graph."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import sparse
from scipy.sparse import csgraph

from planner.simulation.network import Network


@dataclass(frozen=True)
class Channel:
    """One direction of a link on one virtual channel."""

    router: int
    to: int
    channel: int

    def __str__(self) -> str:
        return f"{self.router}>{self.to} on {self.channel}"


def cycle(edges: np.ndarray, network: Network, channels: int) -> tuple[Channel, ...]:
    """Return the channels of a shortest cycle through one of its channels, in order of dependency; empty if there is none.

    Parameters
    ----------
    edges
        Dependencies (occupied queue, requested queue), as port times channels plus channel, int64 (D, 2).
    """
    return tuple(_channel(network, queue, channels) for queue in _cycle(edges))


def _cycle(edges: np.ndarray) -> list[int]:
    """Return the queues of a cycle in order; empty if there is none."""
    names, ends = np.unique(edges, return_inverse=True)
    ends = ends.reshape(-1, 2)
    own = ends[ends[:, 0] == ends[:, 1], 0]
    if len(own):
        return [int(names[own[0]])]
    graph = sparse.csr_array((np.ones(len(ends), np.int8), (ends[:, 0], ends[:, 1])), shape=(len(names),) * 2)
    count, part = csgraph.connected_components(graph, directed=True, connection="strong")
    sizes = np.bincount(part, minlength=count)
    if not (sizes > 1).any():
        return []
    # The smallest component gives the shortest message.
    smallest = np.where(sizes > 1, sizes, len(names) + 1).argmin()
    members = np.flatnonzero(part == smallest)
    inside = graph[members][:, members]
    order, before = csgraph.breadth_first_order(inside, 0, directed=True)
    back = np.flatnonzero(inside[:, [0]].toarray().ravel())
    rank = np.empty(len(members), np.int64)
    rank[order] = np.arange(len(order))
    node = int(back[rank[back].argmin()])
    path = [node]
    while node != 0:
        node = int(before[node])
        path.append(node)
    return [int(names[members[node]]) for node in reversed(path)]


def _channel(network: Network, queue: int, channels: int) -> Channel:
    port, channel = divmod(queue, channels)
    router = int(np.searchsorted(network.first_port, port, side="right")) - 1
    entry = int(network.topology.indptr[router]) + port - int(network.first_port[router])
    return Channel(router, int(network.topology.indices[entry]), channel)
