"""Delay without load on the embedded network: routers and cables on the way."""

from __future__ import annotations

import numpy as np

from planner import seeds
from planner.model import CablePlan, Catalog, Latency, Topology
from planner.progress import Progress, silent

_HOP = 1 << 36
"""Added to every link so that fewer hops always win; above any sum of cable delays (0.07 s), in ps."""

_ALL_PAIRS = 4096
_SAMPLE = 1024
_BLOCK = 256


def latency(topology: Topology, catalog: Catalog, cables: CablePlan, *, seed: int, progress: Progress = silent) -> Latency:
    """Return hops and delays between all routers and all endpoints.

    Between two routers counts the fastest of the ways with fewest hops: what minimal routing can
    reach without load. The delay is that of all routers on the way, both ends included, and of
    the cables over their stock lengths. Between endpoints come the two endpoint cables on top;
    network interfaces are not counted. Networks above 4,096 routers are sampled from 1,024 sources.
    """
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import dijkstra

    routers, router_ps = topology.router_count, catalog.router.delay_ps
    delay = cables.delay_ps
    link_ps, end_ps = delay[: topology.link_count], delay[topology.link_count :]
    pairs, fastest = _fastest_parallel(topology.links, link_ps)
    graph = coo_array((fastest + float(_HOP), pairs.T), shape=(routers, routers)).tocsr()
    sources = _sources(routers, seed)
    totals = _Totals(topology, end_ps, router_ps)
    for start in range(0, len(sources), _BLOCK):
        block = sources[start : start + _BLOCK]
        weight = dijkstra(graph, directed=False, indices=block).astype(np.int64)
        totals.add(block, weight // _HOP, weight % _HOP)
        progress("latency", start + len(block), len(sources))
    a, b = totals.worst_pair
    path = [b]
    if a != b:
        before = dijkstra(graph, directed=False, indices=a, return_predecessors=True)[1]
        while path[-1] != a:
            path.append(int(before[path[-1]]))
    return totals.record(np.array(path[::-1]))


def _sources(routers: int, seed: int) -> np.ndarray:
    if routers <= _ALL_PAIRS:
        return np.arange(routers)
    return np.sort(seeds.stream(seed, "latency").choice(routers, _SAMPLE, replace=False))


def _fastest_parallel(links: np.ndarray, delay_ps: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Of parallel links keep the fastest: pairs (N, 2) and delays (N,)."""
    order = np.lexsort((delay_ps, links[:, 1], links[:, 0]))
    pairs, first = np.unique(links[order], axis=0, return_index=True)
    return pairs, delay_ps[order][first]


class _Totals:
    """Sums over blocks of source routers."""

    def __init__(self, topology: Topology, end_ps: np.ndarray, router_ps: int):
        routers = topology.router_count
        self.router_ps = router_ps
        self.endpoints = topology.endpoints_of
        self.slowest_end = np.zeros(routers, np.int64)
        np.maximum.at(self.slowest_end, topology.endpoint_router, end_ps)
        self.mean_end = float(end_ps.mean()) if len(end_ps) else 0.0
        self.histogram = np.zeros(1, np.int64)
        self.pairs = self.delay_sum = self.hop_sum = 0
        self.endpoint_pairs = self.endpoint_sum = self.endpoint_worst = 0
        self.sources = 0
        self.worst, self.worst_pair = -1, (0, 0)

    def add(self, block: np.ndarray, hops: np.ndarray, cable_ps: np.ndarray) -> None:
        delay = cable_ps + (hops + 1) * self.router_ps
        counts = np.bincount(hops.ravel())
        self.histogram = np.pad(self.histogram, (0, max(0, len(counts) - len(self.histogram))))
        self.histogram[: len(counts)] += counts
        # Endpoint pairs: e != f, so one fewer on the same router.
        weight = np.outer(self.endpoints[block], self.endpoints)
        weight[np.arange(len(block)), block] -= self.endpoints[block]
        self.endpoint_pairs += int(weight.sum())
        self.endpoint_sum += float((weight * delay.astype(np.float64)).sum())
        reach = np.where(weight > 0, delay + self.slowest_end[block][:, None] + self.slowest_end, 0)
        self.endpoint_worst = max(self.endpoint_worst, int(reach.max(initial=0)))
        delay[np.arange(len(block)), block] = 0
        self.pairs += delay.size - len(block)
        self.sources += len(block)
        self.delay_sum += int(delay.sum())
        self.hop_sum += int(hops.sum())
        place = int(delay.argmax())
        if delay.ravel()[place] > self.worst:
            self.worst = int(delay.ravel()[place])
            self.worst_pair = int(block[place // delay.shape[1]]), place % delay.shape[1]

    def record(self, worst_path: np.ndarray) -> Latency:
        pairs, endpoint_pairs = max(self.pairs, 1), self.endpoint_pairs
        return Latency(
            hop_histogram=self.histogram,
            mean_hops=self.hop_sum / pairs,
            mean_ps=self.delay_sum / pairs,
            worst_ps=self.worst,
            worst_path=worst_path,
            endpoint_mean_ps=self.endpoint_sum / endpoint_pairs + 2 * self.mean_end if endpoint_pairs else 0.0,
            endpoint_worst_ps=self.endpoint_worst,
            router_delay_ps=self.router_ps,
            sources=self.sources,
        )
