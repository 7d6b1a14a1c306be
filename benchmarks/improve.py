"""Exchanges of links: mean hops against published networks, and distances updated against distances computed again.

``python -m benchmarks improve`` prints both tables in about ten minutes; the environment variable ``BENCH_EFFORT`` (default 1)
multiplies the moves of the first. ``python -m benchmarks.improve speed`` prints only the second. Times are CPU time of one core.

The published figures are those of the MDDP paper, section VI (the minimum over all graphs), and of Graph Golf 2016
(https://research.nii.ac.jp/graphgolf/2016/): smallest diameter, then smallest mean, of all graphs submitted.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from planner.core import seeds
from planner.core.errors import InputError
from planner.domain.model import Topology
from planner.kernels.graph.bfs import SOURCES, count_hops
from planner.kernels.graph.exchanges import sample
from planner.network import topology
from planner.network.metrics.moore import min_mean
from planner.network.topology import Improve, improved
from planner.network.topology.improvement.exchange_search import exchange_network
from planner.network.topology.mddp import quality_of

PUBLISHED = (
    (10, 4, "1.56", "MDDP, all graphs", 100_000),
    (14, 4, "1.69", "MDDP, all graphs", 100_000),
    (36, 3, "4, 3.067", "Graph Golf", 1_000_000),
    (64, 8, "3, 1.927", "Graph Golf", 2_000_000),
    (96, 3, "6, 4.272", "Graph Golf", 1_000_000),
    (256, 8, "4, 2.736", "Graph Golf", 1_000_000),
    (300, 7, "4, 3.012", "Graph Golf", 1_000_000),
    (512, 8, "4, 3.111", "Graph Golf", 500_000),
)
"""Routers, degree, published diameter and mean hops, source, moves."""

SPEEDS = ((64, 8), (256, 3), (256, 8), (512, 8), (1024, 4), (1024, 8), (1024, 32), (2000, 8), (2000, 16))
"""Routers and degree of random networks."""


def main(arguments: Sequence[str] = ()) -> None:
    if "speed" not in arguments:
        _records(float(os.environ.get("BENCH_EFFORT", "1")))
    _speeds()


def _records(effort: float) -> None:
    print("| routers | degree | Moore bound | published: diameter, mean | start | before | after | moves | CPU s |")
    print("|---|---|---|---|---|---|---|---|---|")
    for routers, degree, published, source, moves in PUBLISHED:
        for family in ("mddp", "jellyfish"):
            try:
                network = topology.build(family, routers=routers, degree=degree)
            except InputError:
                # No start graph of this degree is known.
                continue
            temperatures = {"hot": 0.3, "cold": 0.03} if family == "jellyfish" else {}
            options = Improve(moves=int(moves * effort), objective="diameter", **temperatures)
            better, seconds = _timed(lambda network=network, options=options: improved(network, options))
            print(
                f"| {routers} | {degree} | {min_mean(routers, degree):.4f} | {published} ({source}) | {family} "
                f"| {_hops(network)} | {_hops(better)} | {options.moves:,} | {seconds:.0f} |",
                flush=True,
            )


def _hops(network: Topology) -> str:
    diameter, mean = quality_of(network.router_count, network.links)
    return f"{diameter}, {mean:.4f}"


def _speeds() -> None:
    print("\n| routers | degree | exchange, update, return | all distances again | ratio |")
    print("|---|---|---|---|---|")
    for routers, degree in SPEEDS:
        network = topology.build("jellyfish", routers=routers, degree=degree)
        run, state = exchange_network(network, grouped=False), seeds.state(1, "benchmark")
        run.cost[:] = np.arange(256)
        count = max(40, 200_000 // routers)
        sample(np.zeros(1, np.int64), state, run)
        _, updated = _timed(lambda count=count, state=state, run=run: sample(np.zeros(count, np.int64), state, run))
        again = max(10, count // 20)
        _all_hops(network)
        _, full = _timed(lambda again=again, network=network: [_all_hops(network) for _ in range(again)])
        updated, full = 1e6 * updated / count, 1e6 * full / again
        print(f"| {routers:,} | {degree} | {updated:,.0f} µs | {full:,.0f} µs | {full / updated:.1f} |", flush=True)


def _all_hops(network: Topology) -> None:
    """Count pairs by hops with one bit for each source."""
    routers = network.router_count
    old, new = np.empty((2, routers, SOURCES // 64), np.uint64)
    counts, weighted = np.zeros((2, 256), np.int64)
    for first in range(0, routers, SOURCES):
        sources = np.arange(first, min(routers, first + SOURCES))
        count_hops(network.indptr, network.indices, sources, np.ones(routers, np.int64), old, new, counts, weighted)


def _timed(work: Callable[[], Any]) -> tuple[Any, float]:
    started = time.process_time()
    result = work()
    return result, time.process_time() - started


if __name__ == "__main__":
    main(sys.argv[1:])
