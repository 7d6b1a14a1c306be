"""Messages in an empty network: the time that each takes when it meets no other."""

from __future__ import annotations

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import dijkstra

from planner.simulation.case import Case, packet_cycles
from planner.simulation.messages import Messages


def cycles_alone(case: Case, messages: Messages, packets: np.ndarray, source: np.ndarray, target: np.ndarray) -> np.ndarray:
    """Return the cycles from ready to delivered of each message in an empty network, int64 (M,).

    Parameters
    ----------
    case
        The network and its routers.
    messages
        Messages of a job.
    packets
        Packets of each message, int32 (M,).
    source, target
        Endpoints that each message leaves and arrives by, int32 (M,); it takes no time where they are the same.
    """
    network, topology = case.network, case.network.topology
    router, links = topology.endpoint_router.astype(np.int64), topology.link_count
    times = packet_cycles(case)
    weight = network.link_cycles[:links].astype(np.float64) + case.router_cycles
    # Use the shortest of parallel links.
    order = np.lexsort((weight, topology.links[:, 1], topology.links[:, 0]))
    ends, weight = topology.links[order], weight[order]
    kept = np.append(True, (ends[1:] != ends[:-1]).any(axis=1))[: len(ends)]
    graph = coo_array((weight[kept], tuple(ends[kept].T)), shape=(topology.router_count,) * 2).tocsr()
    used, row = np.unique(router[source], return_inverse=True)
    path = np.empty(len(row))
    order = np.argsort(row, kind="stable")
    for part in np.array_split(np.arange(len(used)), max(1, len(used) * topology.router_count >> 22)):
        mine = order[np.searchsorted(row[order], part[0]) : np.searchsorted(row[order], part[-1], side="right")]
        lengths = dijkstra(graph, directed=False, indices=used[part])
        path[mine] = lengths[row[mine] - part[0], router[target[mine]]]
    cables = network.link_cycles[links:].astype(np.int64)
    last = cables[source] + case.router_cycles + path.astype(np.int64) + cables[target] + int(times.min()) - 1
    # The last packet leaves after all earlier ones of its step that leave by the same endpoint.
    order = np.lexsort((source, messages.step))
    before = np.cumsum((packets.astype(np.int64) * (source != target))[order])
    changes = np.append(True, (np.diff(messages.step[order]) != 0) | (np.diff(source[order]) != 0))[: len(order)]
    first = np.concatenate([[0], before])[np.flatnonzero(changes)]
    queued = np.empty(len(order), np.int64)
    queued[order] = before - first[np.cumsum(changes) - 1] - 1
    return np.where(source == target, 0, last + queued * times[links:][source])
