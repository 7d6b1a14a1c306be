"""Searches for saturation: simulated cycles and CPU time, and rates of wrong verdicts on queues of known capacity.

``python -m benchmarks saturation`` prints both tables; ``python -m benchmarks.saturation queues`` or ``searches`` one of them.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence
from unittest import mock

import numpy as np

from benchmarks._queues import Queues, judged
from planner import simulation
from planner.network import topology
from planner.simulation.observation import Run

NETWORKS: dict[str, tuple[str, dict]] = {
    "Slim Fly, 50 routers": ("slimfly", {"q": 5, "endpoints_per_router": 4}),
    "HyperX, 648 routers": ("hyperx", {"sizes": (9, 9, 8), "endpoints_per_router": 8}),
    "PolarStar, 1,064 routers": (
        "polarstar",
        {"q": 11, "supernode_degree": 3, "supernode": "iq", "endpoints_per_router": 5},
    ),
}

LOADS = (0.97, 0.98, 0.995, 0.9975, 1.0, 1.0025, 1.005, 1.02)
"""Loads of queues as ratios to their capacity."""

FEW, FEW_LOADS = 6, (0.97, 1.0, 1.03, 1.05, 1.0638, 1.08, 1.1, 1.2)
"""Queues at these loads, while 294 have half of their capacity: of all packets 0.25 % wait for ever at 1.0638."""

MAX_CYCLES, FILLING = 8000, 560
"""As in ``reports/compare-5000``."""


def print_searches() -> None:
    """Print runs, cycles and CPU seconds of searches, with cables of 60 ns, as a Markdown table."""
    print("| network | routing | saturation | throughput | runs | cycles | CPU s |")
    print("|---|---|---|---:|---:|---:|---:|")
    for name, (family, parameters) in NETWORKS.items():
        network = topology.build(family, **parameters)
        delay = np.full(network.link_count + network.endpoint_count, 60_000)
        for routing in ("minimal", "ugal"):
            runs: list[Run] = []

            def kept(*arguments: object, runs: list[Run] = runs) -> Run:
                runs.append(Run(*arguments))  # type: ignore[arg-type]
                return runs[-1]

            settings = {"port_phits": 2048, "warmup": 1000, "cycles": 800, "loads": (0.05,), "max_cycles": MAX_CYCLES}
            rates = {"router_delay_ps": 130_000, "rate_gbps": 200}
            with mock.patch("planner.simulation.observation.Run", kept):
                began = time.process_time()
                found = simulation.simulate(network, delay, seed=1, routing=routing, saturation=True, **rates, **settings)
                took = time.process_time() - began
            cycles = sum(run.now for run in runs[1:])
            figures = f"{found.saturation_low:.3f} to {found.saturation_high:.3f} | {found.saturation_throughput:.3f}"
            print(f"| {name} | {routing} | {figures} | {len(runs) - 1} | {cycles:,} | {took:.1f} |", flush=True)


def print_queues(seeds: int) -> None:
    """Print the share of verdicts that a backlog drifts, and the mean cycles, as Markdown tables."""
    _print_verdicts({str(count): (count, 0) for count in (1, 30, 300)}, LOADS, seeds)
    _print_verdicts({f"{FEW} of 300": (FEW, 300 - FEW)}, FEW_LOADS, seeds)


def _print_verdicts(kinds: dict[str, tuple[int, int]], loads: Sequence[float], seeds: int) -> None:
    """Print a table for queues at a load, and others at half their capacity."""
    print("\n| queues | service | " + " | ".join(f"{load:g}" for load in loads) + " |")
    print("|---|---|" + "---:|" * len(loads))
    for name, (count, others) in kinds.items():
        for geometric in (False, True):
            cells = []
            for load in loads:
                drifts, cycles = np.zeros(seeds), np.zeros(seeds)
                for seed in range(seeds):
                    queues = Queues(np.repeat([load, 0.5], [count, others]), seed, geometric=geometric)
                    drifts[seed], cycles[seed] = judged(queues, MAX_CYCLES, FILLING).drifts, queues.now
                cells.append(f"{100 * drifts.mean():.1f} %, {cycles.mean():,.0f}")
            service = "geometric" if geometric else "constant"
            print(f"| {name} | {service} | {' | '.join(cells)} |", flush=True)


def main(arguments: Sequence[str] = ()) -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("table", nargs="?", choices=("searches", "queues", "all"), default="all")
    parser.add_argument("--seeds", type=int, default=200, help="number of runs of queues at each load")
    chosen = parser.parse_args(arguments)
    if chosen.table != "queues":
        print_searches()
    if chosen.table != "searches":
        print_queues(chosen.seeds)


if __name__ == "__main__":
    main(sys.argv[1:])
