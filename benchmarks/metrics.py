"""Speed of metrics: all-pairs distances against SciPy and NetworkX, large networks, and the intervals of bisection.

The slow ones start from a sample of the sources; their time is scaled to all of them. All times
are wall time of this machine, now.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import networkx
import numpy as np
from scipy.sparse.csgraph import breadth_first_order, dijkstra

from planner import metrics, topology
from planner.metrics._graph import adjacency
from planner.model import Topology

BISECTIONS = (
    ("Slim Fly 1,058", "slimfly", {"q": 23}),
    ("SpectralFly 1,092", "spectralfly", {"p": 23, "q": 13}),
    ("PolarStar 1,064", "polarstar", {"q": 11, "supernode_degree": 3}),
    ("PolarStar 9,144", "polarstar", {"q": 19, "supernode_degree": 11}),
    ("Jellyfish 4,000", "jellyfish", {"routers": 4000, "degree": 32}),
    ("torus 16 x 16 x 16", "torus", {"sizes": (16, 16, 16)}),
)


def main() -> None:
    # The first call loads or compiles the kernels.
    metrics.figures(topology.build("slimfly", q=5), effort="high")
    _all_pairs(topology.build("jellyfish", routers=10_000, degree=32))
    _large()
    _bisections()


def _all_pairs(network: Topology) -> None:
    hops, seconds = _timed(lambda: metrics.distances(network))
    print(f"all pairs, {network.router_count:,} routers of degree 32: mean {hops.mean:.6f}, diameter {hops.diameter}")
    print(f"  {'planner, all sources':<68}{seconds:10.2f} s")
    matrix = adjacency(network)
    graph = networkx.Graph(network.links.tolist())
    rivals = (
        (
            "scipy.sparse.csgraph.dijkstra, unweighted",
            500,
            lambda source: dijkstra(matrix, unweighted=True, indices=source).sum(),
        ),
        ("scipy.sparse.csgraph.breadth_first_order, order alone", 500, lambda source: breadth_first_order(matrix, source)),
        ("networkx", 20, lambda source: sum(networkx.single_source_shortest_path_length(graph, source).values())),
    )
    for name, sample, total in rivals:
        sources = np.linspace(0, network.router_count - 1, sample).astype(int).tolist()
        _, theirs = _timed(lambda sources=sources, total=total: [total(source) for source in sources])
        scaled = theirs * network.router_count / sample
        print(f"  {name + f', {sample} sources':<68}{scaled:10.2f} s scaled{scaled / seconds:10.0f} times as long")
    load, seconds = _timed(lambda: metrics.channel_load(network))
    print(f"  {'planner, load of all links':<68}{seconds:10.2f} s   throughput {load.throughput:.3f}", flush=True)


def _large() -> None:
    network, seconds = _timed(lambda: topology.build("polarstar", q=43, supernode_degree=20))
    print(f"\nPolarStar ER_43 * IQ_20: {network.router_count:,} routers, {network.link_count:,} links")
    print(f"  {'build':<68}{seconds:10.2f} s")
    hops, seconds = _timed(lambda: metrics.distances(network))
    print(f"  {'all pairs':<68}{seconds:10.2f} s   mean {hops.mean:.6f}, diameter {hops.diameter}")
    found, seconds = _timed(lambda: metrics.spectrum(network))
    print(f"  {'spectrum':<68}{seconds:10.2f} s   lambda2 {found.lambda2:.4f}", flush=True)


def _bisections() -> None:
    print(f"\n{'bisection':<22}{'lower':>9}{'upper':>9}{'seconds':>9}   found by each method")
    for name, family, parameters in BISECTIONS:
        found, seconds = _timed(lambda f=family, p=parameters: metrics.bisection(topology.build(f, **p)))
        by = ", ".join(f"{method} {cut:,}" for method, cut in found.found.items())
        print(f"{name:<22}{found.lower:>9,}{found.upper:>9,}{seconds:>9.2f}   {by}", flush=True)


def _timed(work: Callable[[], Any]) -> tuple[Any, float]:
    started = time.perf_counter()
    result = work()
    return result, time.perf_counter() - started


if __name__ == "__main__":
    main()
