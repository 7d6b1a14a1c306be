"""Speed of metrics: all-pairs distances against SciPy and NetworkX, large networks, and bisection bounds.

``python -m benchmarks.metrics`` prints all tables, ``python -m benchmarks.metrics bisection`` the bisection of one network of
each family against Kernighan-Lin from random halves in NumPy, with at least the same CPU time.

Slow methods use a sample of the sources; their time is extrapolated. All times
are wall time.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import networkx
import numpy as np
from scipy.sparse.csgraph import breadth_first_order, dijkstra

from planner.domain.model import Topology
from planner.network import metrics, topology
from planner.network.metrics.graph import adjacency

BISECTIONS = (
    ("Slim Fly 1,058", "slimfly", {"q": 23}),
    ("SpectralFly 1,092", "spectralfly", {"p": 23, "q": 13}),
    ("PolarStar 1,064", "polarstar", {"q": 11, "supernode_degree": 3}),
    ("PolarStar 9,144", "polarstar", {"q": 19, "supernode_degree": 11}),
    ("Jellyfish 4,000", "jellyfish", {"routers": 4000, "degree": 32}),
    ("torus 16 x 16 x 16", "torus", {"sizes": (16, 16, 16)}),
    ("Jellyfish 12,000", "jellyfish", {"routers": 12_000, "degree": 32}),
)

COMPARED = (
    ("biswapped", {"nucleus": "hypercube", "nucleus_parameters": {"dimensions": 4}}),
    ("bundlefly", {"p": 5, "s": 7}),
    ("cayley253", {}),
    ("dln", {"routers": 400, "matchings": 4}),
    ("dragonfly", {"a": 8, "h": 4}),
    ("fattree", {"k": 12}),
    ("galaxyfly", {"clusters": 3, "q": 8, "a": 4}),
    ("hypercube", {"dimensions": 9}),
    ("hyperx", {"sizes": (7, 9, 11)}),
    ("jellyfish", {"routers": 720, "degree": 17}),
    ("kautz", {"d": 4, "diameter": 4}),
    ("leafspine", {"leaves": 64, "spines": 32, "uplinks": 64}),
    ("mddp", {"routers": 200, "degree": 9}),
    ("megafly", {"rho": 4, "a": 8}),
    ("mesh", {"sizes": (9, 9, 9)}),
    ("otis", {"nucleus": "hypercube", "nucleus_parameters": {"dimensions": 4}}),
    ("polarfly", {"q": 16}),
    ("polarstar", {"q": 7, "supernode_degree": 7}),
    ("projective", {"q": 8}),
    ("quadrangle", {"q": 8}),
    ("skywalk", {"columns": 8, "rows": 8, "routers_per_cabinet": 4, "inside": 2, "outside": 8}),
    ("slimfly", {"q": 17}),
    (
        "slingshot",
        {"kinds": ("compute",), "groups": (24,), "routers": (16,), "bundles": ((2,),), "endpoints_per_router": (16,)},
    ),
    ("spectralfly", {"p": 11, "q": 7}),
    ("swapped_dragonfly", {"k": 5, "m": 7}),
    ("threelevel", {"units": 16, "rails": 8, "spines_per_pod": 16, "cores": 64, "uplinks": 32, "core_uplinks": 32}),
    ("torus", {"sizes": (9, 9, 9)}),
    ("xpander", {"degree": 15, "lifts": 5}),
)
"""One network of each family, without networks from files and planes that are not joined."""


def main(arguments: Sequence[str] = ()) -> None:
    if "bisection" in arguments:
        _compared()
        return
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


def _compared() -> None:
    # The first call loads or compiles the kernels.
    metrics.bisection(topology.build("slimfly", q=5))
    print("| network | routers | links | lower bound | planner | CPU s | NumPy | CPU s |")
    print("|---|---|---|---|---|---|---|---|")
    for name, parameters in COMPARED:
        network = topology.build(name, **parameters)
        began = time.process_time()
        found = metrics.bisection(network)
        middle = time.process_time()
        rival = min(cut for cut in kernighan_lin(network, time.process_time() + middle - began))
        took = time.process_time() - middle
        values = ", ".join(f"{key} = {value}" for key, value in parameters.items() if not isinstance(value, dict))
        print(
            f"| {name} {values} | {network.router_count:,} | {network.link_count:,} | {found.lower:,} | {found.upper:,} "
            f"| {middle - began:.1f} | {rival:,} | {took:.1f} |",
            flush=True,
        )


def kernighan_lin(network: Topology, until: float = float("inf"), seed: int = 0) -> Iterator[int]:
    """Yield cuts into halves by Kernighan-Lin in NumPy, each from random halves, at least one, until the CPU time is over."""
    matrix, routers = adjacency(network).toarray().astype(np.int32), network.router_count
    random = np.random.default_rng(seed)
    first = True
    while first or time.process_time() < until:
        first = False
        side = np.zeros(routers, bool)
        side[random.permutation(routers)[: routers // 2]] = True
        while (exchanged := _pass(matrix, side)) is not None:
            side = exchanged
        yield int(matrix[side][:, ~side].sum())


def _pass(matrix: np.ndarray, side: np.ndarray) -> np.ndarray | None:
    """Exchange pairs of the highest gain, each router once; return the best sides, None if none is better."""
    side, routers = side.copy(), len(side)
    gain = np.where(side, matrix @ ~side - matrix @ side, matrix @ side - matrix @ ~side)
    free, pairs, total, sums = np.ones(routers, bool), [], 0, []
    for _ in range(min(side.sum(), routers - side.sum())):
        one = np.argmax(np.where(free & ~side, gain, -routers))
        other = np.argmax(np.where(free & side, gain - 2 * matrix[one], -(2**30)))
        total += gain[one] + gain[other] - 2 * matrix[one, other]
        pairs.append((one, other))
        sums.append(total)
        free[[one, other]] = False
        # Links of a moved router switch between crossing and internal.
        gain += 2 * np.where(side, matrix[other] - matrix[one], matrix[one] - matrix[other])
    best = int(np.argmax(sums))
    if sums[best] <= 0:
        return None
    moved = np.array(pairs[: best + 1]).ravel()
    side[moved] ^= True
    return side


def _timed(work: Callable[[], Any]) -> tuple[Any, float]:
    started = time.perf_counter()
    result = work()
    return result, time.perf_counter() - started


if __name__ == "__main__":
    main(sys.argv[1:])
