"""Speed of the packet engine, and its agreement with other simulators.

``python -m benchmarks.simulation`` prints the table of speeds, ``python -m benchmarks.simulation agreement``
the comparison with the reference curves in ``tests/data/simulation``, ``python -m benchmarks.simulation large``
time and memory of a PolarStar of 79,506 routers with 1.6 million endpoints.
"""

from __future__ import annotations

import argparse
import csv
import resource
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from planner import topology
from planner.model import SimulationResult, Topology
from planner.simulation import simulate
from planner.topology._graph import topology as of_links

DATA = Path(__file__).parents[1] / "tests" / "data" / "simulation"

CURVES = {
    "CAMINOS": ("caminos", {"adaptive": True}, lambda row: row["sim"].startswith("CAMINOS")),
    "BookSim2, speed-up 2": (
        "booksim",
        {"adaptive": False},
        lambda row: row["sim"] == "BookSim2" and row["speedup"] == "2.0",
    ),
}
"""Simulator: preset, parameters of minimal routing, rows of the reference file."""

NETWORKS: dict[str, dict] = {
    "sf5": {},
    "rrg96": {},
    "df3": {
        "routing": "hierarchical",
        "routing_parameters": {},
        "packet_phits": 4,
        "input_packets": 8,
        "output_packets": 16,
        "cycles": 5000,
    },
}
"""Settings of the reference runs where they are not those of the others."""


def reference(name: str) -> Topology:
    """Return a network of the reference curves."""
    links = np.loadtxt(DATA / f"{name}.edges.csv", np.int64, delimiter=",", skiprows=1)
    routers = int(links.max()) + 1
    if name == "df3":
        group = np.arange(routers)[:, None] // 6
        return of_links("dragonfly", {"name": name}, routers, links, endpoints=3, group=group, group_names=("group",))
    return of_links("edges", {"name": name}, routers, links, endpoints=4)


def run(network: Topology, loads: tuple[float, ...], seed: int = 1, **settings) -> SimulationResult:
    """Simulate a network on links of one cycle."""
    delay = np.zeros(network.link_count + network.endpoint_count, np.int64)
    return simulate(network, delay, router_delay_ps=0, rate_gbps=400, seed=seed, loads=loads, **settings)


def agreement(seeds: int = 8) -> list[dict]:
    """Return one row for each point of the reference curves: theirs, and our mean over some seeds.

    Beyond saturation delays grow with the time measured, so ours is theirs: 7,500 cycles after 5,000, or 5,000.
    """
    with open(DATA / "reference_curves.csv", newline="") as file:
        points = list(csv.DictReader(file))
    rows, usual = [], {"warmup": 5000, "cycles": 7500}
    for simulator, (preset, parameters, chosen) in CURVES.items():
        for name, settings in NETWORKS.items():
            theirs = [row for row in points if row["net"] == name and chosen(row)]
            if not theirs:
                continue
            loads = tuple(float(row["load"]) for row in theirs)
            network = reference(name)
            ours = [
                run(network, loads, seed, preset=preset, **(usual | {"routing_parameters": parameters} | settings))
                for seed in range(seeds)
            ]
            for i, row in enumerate(theirs):
                rows.append({
                    "simulator": simulator, "network": name, "load": loads[i],
                    "accepted": float(row["accepted"]), "ours": mean(ours, "accepted", i),
                    "delay": float(row["latency"]), "our_delay": mean(ours, "delay_mean", i),
                    # The reference counts the hop to the endpoint too, and lets endpoints send to themselves.
                    "hops": float(row["hops_incl_ejection"] or "nan"), "our_hops": mean(ours, "mean_hops", i) + 1,
                })  # fmt: skip
    return rows


def mean(results: list[SimulationResult], name: str, point: int) -> float:
    """Return the mean of a measure over several results."""
    return float(np.mean([getattr(result, name)[point] for result in results]))


def print_agreement() -> None:
    """Print the comparison as a Markdown table."""
    print("| simulator | network | load | accepted | ours | delay | ours | difference | hops | ours |")
    print("|---|---|---|---|---|---|---|---|---|---|")
    for row in agreement():
        difference = 100 * (row["our_delay"] / row["delay"] - 1)
        print(
            f"| {row['simulator']} | {row['network']} | {row['load']} | {row['accepted']:.4f} | {row['ours']:.4f} "
            f"| {row['delay']:.1f} | {row['our_delay']:.1f} | {difference:+.1f} % | {row['hops']:.3f} | {row['our_hops']:.3f} |"
        )


def print_speed(repeats: int) -> None:
    """Print cycles and packet-hops per CPU second as a Markdown table; the best of some runs."""
    network = topology.build("jellyfish", routers=720, degree=17, endpoints_per_router=7)
    run(network, (0.1,), cycles=10, warmup=10, link_cycles=1)
    print("Random 17-regular graph, 720 routers, 7 endpoints each, packets of 16 phits\n")
    print("| load | accepted | mean delay | cycles per CPU second | ns per packet-hop |")
    print("|---|---|---|---|---|")
    for load in (0.2, 0.5, 0.8):
        best = float("inf")
        for _ in range(repeats):
            began = time.process_time()
            result = run(network, (load,), warmup=2000, cycles=8000, link_cycles=1)
            best = min(best, time.process_time() - began)
        hops = float(result.accepted[0]) * 720 * 7 / 16 * (float(result.mean_hops[0]) + 1) * 10_000
        print(
            f"| {load} | {result.accepted[0]:.3f} | {result.delay_mean[0]:.1f} | {10_000 / best:,.0f} | {best / hops * 1e9:.0f} |"
        )


def print_large() -> None:
    """Print time and memory of the largest PolarStar of radix 64 as a Markdown table."""
    network = topology.build("polarstar", q=43, supernode_degree=20, endpoints_per_router=20)
    print(f"PolarStar, {network.router_count:,} routers, {network.endpoint_count:,} endpoints, packets of 16 phits\n")
    print("| load | accepted | mean delay | hops | cycles per CPU second | memory |")
    print("|---|---|---|---|---|---|")
    for load in (0.1, 0.3):
        ticks = []
        result = run(
            network, (load,), preset="caminos", warmup=100, cycles=100,
            progress=lambda stage, done, total, ticks=ticks, **facts: ticks.append((done, time.process_time())),
        )  # fmt: skip
        speed = 100 / (ticks[-1][1] - ticks[0][1])
        memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
        print(
            f"| {load} | {result.accepted[0]:.3f} | {result.delay_mean[0]:.1f} | {result.mean_hops[0]:.3f} "
            f"| {speed:.1f} | {memory:.1f} GiB |"
        )


def main(arguments: Sequence[str] = ()) -> None:
    """Print one of the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("table", nargs="?", choices=("speed", "agreement", "large"), default="speed")
    parser.add_argument("--repeats", type=int, default=3, help="runs of which the best counts")
    chosen = parser.parse_args(arguments)
    tables = {"speed": lambda: print_speed(chosen.repeats), "agreement": print_agreement, "large": print_large}
    tables[chosen.table]()


if __name__ == "__main__":
    main(sys.argv[1:])
