"""Speed of the packet engine, and its agreement with other simulators.

``python -m benchmarks.simulation`` prints the table of speeds. Other tables: ``python -m benchmarks.simulation``

- ``agreement``: the comparison with the reference curves in ``tests/data/simulation``;
- ``large``: speed and memory of a PolarStar of 79,506 routers with 1.6 million endpoints, in blocks and as a whole;
- ``loads``: those of three loads over 8,000 cycles in a random graph with 100,028 endpoints, on all cores;
- ``blocks``: speed of large networks that run as a whole, in blocks of routers, and in blocks on all cores;
- ``busy``: that of smaller networks, by the packets that are created in a window of their blocks;
- ``first``: the time of a process that simulates something with nothing compiled, and with everything compiled;
- ``prepared``: the time to prepare and check routings.
"""

from __future__ import annotations

import argparse
import csv
import dataclasses
import itertools
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from benchmarks import _machine
from planner.core import executors, registry
from planner.domain.model import SimulationResult, Topology
from planner.network import topology
from planner.network.topology import from_links
from planner.simulation import blocks, simulate
from planner.simulation.case import Case, creation_rates
from planner.simulation.dependencies import dependencies
from planner.simulation.embedding import embed_given
from planner.simulation.engine import Run
from planner.simulation.network import Network
from planner.simulation.traffic import uniform

DATA = Path(__file__).parents[1] / "tests" / "data" / "simulation"

CURVES: dict[str, tuple[dict, dict]] = {
    "CAMINOS": ({"speedup": "full (per-VC) + output buffers"}, {"preset": "caminos"}),
    "BookSim2, speed-up 1": ({"speedup": "1.0"}, {"preset": "booksim", "crossbar_speedup": 1}),
    "BookSim2, speed-up 2": ({"speedup": "2.0"}, {"preset": "booksim"}),
}
"""Simulator: what its rows of the reference file have, settings."""

MINIMAL = {
    "Shortest, VC=hop, Random": {"routing_parameters": {"adaptive": True}},
    "random-minimal per hop, VC=hop (patched anynet)": {"routing_parameters": {"adaptive": False}},
    "dragonflynew min, link latency 1": {"routing": "hierarchical", "packet_phits": 4, "input_packets": 8},
}
"""Settings for the routings of the reference file. BookSim2's stock routing, a single path on any virtual channel, is
not compared: it uses other paths than any routing here, and deadlocks."""


def reference(name: str) -> Topology:
    """Return a network of the reference curves."""
    links = np.loadtxt(DATA / f"{name}.edges.csv", np.int64, delimiter=",", skiprows=1)
    routers = int(links.max()) + 1
    if name == "df3":
        group = np.arange(routers)[:, None] // 6
        return from_links("dragonfly", {"name": name}, routers, links, endpoints=3, group=group, group_names=("group",))
    return from_links("edges", {"name": name}, routers, links, endpoints=4)


def run(network: Topology, loads: tuple[float, ...], seed: int = 1, **settings) -> SimulationResult:
    """Simulate a network on links of one cycle, for the cycles given and no longer, however unsure saturation is."""
    delay = np.zeros(network.link_count + network.endpoint_count, np.int64)
    usual = {"router_delay_ps": 0, "rate_gbps": 400, "max_cycles": 1}
    return simulate(network, delay, seed=seed, loads=loads, **usual | settings)


def points() -> list[dict[str, str]]:
    """Return the comparable rows of the reference curves, by curve and load, with simulator names."""
    with open(DATA / "reference_curves.csv", newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["routing"] in MINIMAL]
    named = [
        row | {"simulator": simulator}
        for simulator, (marks, _) in CURVES.items()
        for row in rows
        if all(row[key] == value for key, value in marks.items())
    ]
    return sorted(named, key=lambda row: (row["simulator"], row["net"], float(row["load"])))


def agreement(seeds: int = 8, every: int = 1) -> list[dict]:
    """Return one row per point of the reference curves, or for every few: reference values and our means over seeds.

    Beyond saturation delays grow with the measured time, so measured cycles equal those of the reference: 7,500 cycles
    after 5,000, or 5,000. The saturation of a curve is its maximum accepted load.
    """
    rows = []
    for (simulator, name), group in itertools.groupby(points(), key=lambda row: (row["simulator"], row["net"])):
        theirs = list(group)
        saturation = max(float(row["accepted"]) for row in theirs)
        for row in theirs[::every]:
            load = float(row["load"])
            cycles = int(row["measured_cycles"] or 7500)
            settings = {"warmup": 5000, "cycles": cycles} | CURVES[simulator][1] | MINIMAL[row["routing"]]
            ours = [run(reference(name), (load,), seed, **settings) for seed in range(seeds)]
            packets = float(row["accepted"]) * ours[0].delivered[0] / ours[0].accepted[0]
            rows.append({
                "simulator": simulator, "network": name, "load": load, "saturation": saturation, "packets": packets,
                "accepted": float(row["accepted"]), "ours": mean(ours, "accepted"),
                "delay": float(row["latency"]), "our_delay": mean(ours, "delay_mean"),
                # The reference counts the hop to the endpoint too, and lets endpoints send to themselves.
                "hops": float(row["hops_incl_ejection"] or "nan"), "our_hops": mean(ours, "mean_hops") + 1,
            })  # fmt: skip
    return rows


def mean(results: list[SimulationResult], name: str) -> float:
    """Return the mean of a measure over results of one load each."""
    return float(np.mean([getattr(result, name)[0] for result in results]))


def print_agreement() -> None:
    """Print the comparison as a Markdown table."""
    print("| simulator | network | load | accepted | ours | delay | ours | difference | hops | ours |")
    print("|---|---|---|---|---|---|---|---|---|---|")
    for row in agreement():
        difference = 100 * (row["our_delay"] / row["delay"] - 1)
        hops = "–" if np.isnan(row["hops"]) else f"{row['hops']:.3f}"
        print(
            f"| {row['simulator']} | {row['network']} | {row['load']} | {row['accepted']:.4f} | {row['ours']:.4f} "
            f"| {row['delay']:.1f} | {row['our_delay']:.1f} | {difference:+.1f} % | {hops} | {row['our_hops']:.3f} |"
        )


def print_speed(repeats: int) -> None:
    """Print cycles, packets and packet-hops per CPU second as Markdown tables, including preparation; the best of some runs.

    Routings are compared in turns, since the speed of a shared machine varies.
    """
    network = topology.build("jellyfish", routers=720, degree=17, endpoints_per_router=7)
    print("Random 17-regular graph, 720 routers, 7 endpoints each, packets of 16 phits, 25,000 cycles\n")
    print("| routing | load | accepted | mean delay | cycles per CPU second | of minimal | ns per packet-hop |")
    print("|---|---|---|---|---|---|---|")
    routings = ("minimal", "polarized", "ugal")
    for load in (0.2, 0.5, 0.8):
        turns = [[_timed(network, load, 20_000, 1, warmup=5_000, routing=name) for name in routings] for _ in range(repeats)]
        seconds = {name: min(took for _, took in runs) for name, runs in zip(routings, zip(*turns, strict=True), strict=True)}
        for (result, _), (routing, took) in zip(turns[0], seconds.items(), strict=True):
            hops = float(result.accepted[0]) * 720 * 7 / 16 * (float(result.mean_hops[0]) + 1) * 25_000
            print(
                f"| {routing} | {load} | {result.accepted[0]:.3f} | {result.delay_mean[0]:.1f} | {25_000 / took:,.0f} "
                f"| {seconds['minimal'] / took:.2f} | {took / hops * 1e9:.0f} |", flush=True,
            )  # fmt: skip
    print("\nNetworks of at most 100 routers, minimal routing, 100,000 cycles\n")
    print("| network | load | delivered packets per CPU second |")
    print("|---|---|---|")
    for name in ("sf5", "rrg96"):
        for load in (0.2, 0.5, 0.7):
            result, took = _timed(reference(name), load, 100_000, repeats, warmup=0)
            print(f"| {name} | {load} | {float(result.delivered[0]) / took / 1e6:.2f} million |")
    print("\nOptions on the random graph, minimal routing, load 0.5, 5,000 cycles\n")
    print("| option | cycles per CPU second |")
    print("|---|---|")
    for name, value in (("arbitration", "random"), ("arbitration", "age"), ("arbitration", "round_robin"), ("input_speedup", 1)):
        _, took = _timed(network, 0.5, 4_000, repeats, warmup=1_000, **{name: value})
        print(f"| {name} = {value} | {5_000 / took:,.0f} |")


def _timed(network: Topology, load: float, cycles: int, repeats: int, **settings) -> tuple[SimulationResult, float]:
    """Return a result and its minimum CPU seconds, with everything compiled."""
    run(network, (0.1,), cycles=10, link_cycles=1, **settings | {"warmup": 10})
    best = float("inf")
    for _ in range(repeats):
        began = time.process_time()
        result = run(network, (load,), cycles=cycles, link_cycles=1, **settings)
        best = min(best, time.process_time() - began)
    return result, best


ROUTINGS = ("minimal", "single_path", "ecmp", "valiant", "ugal", "polarized", "source", "ksp", "all_paths")


def print_prepared(repeats: int) -> None:
    """Print the CPU seconds to prepare and to check routings as a Markdown table; the best of some runs after the first."""
    network = topology.build("jellyfish", routers=720, degree=17, endpoints_per_router=7)
    cycles = np.ones(network.link_count + network.endpoint_count, np.int32)
    print("Random 17-regular graph, 720 routers, 7 endpoints each, CPU seconds\n")
    print("| routing | prepared | checked for deadlock | pairs checked | dependencies |")
    print("|---|---|---|---|---|")
    for name in ROUTINGS:
        module, took = registry.load("routing", name), []
        for _ in range(1 + repeats):
            net = Network(network, cycles)
            began = time.process_time()
            routing = module.prepare(net)
            half = time.process_time()
            found = dependencies(net, routing, module.candidates.address, routing.virtual_channels, (16, 4, 2))
            took.append((half - began, time.process_time() - half))
        prepared, checked = (min(times) for times in zip(*took[1:], strict=True))
        print(f"| {name} | {prepared:.2f} | {checked:.2f} | {found.pairs:,} | {len(found.edges):,} |", flush=True)


def print_large() -> None:
    """Print speed and memory of the largest PolarStar of radix 64 as a Markdown table."""
    network, cores = topology.build("polarstar", q=43, supernode_degree=20, endpoints_per_router=20), executors.processors()
    case = _measured_case(network, input_packets=3, output_packets=3)
    divided = blocks.division(case, load=0.1)
    print(f"{_machine.described()}\n")
    print(f"PolarStar, {network.router_count:,} routers, {network.endpoint_count:,} endpoints, minimal routing,")
    print(f"{LARGE_DELAYS}, queues of 3 packets, {divided.blocks:,} blocks\n")
    print(f"| load | cycles per second, {cores} cores | 1 core | memory | as a whole, 1 core |")
    print("|---|---|---|---|---|")
    for load in (0.1, 0.3):
        speeds = [_block_speed(case, divided, count, load, 50) for count in (cores, 1)]
        memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
        speeds.append(_block_speed(case, blocks.WHOLE, 1, load, 50))
        print(f"| {load} | {speeds[0]:.1f} | {speeds[1]:.1f} | {memory:.1f} GiB | {speeds[2]:.1f} |", flush=True)


def print_loads() -> None:
    """Print wall and CPU seconds and memory of three loads on all cores as a Markdown table."""
    network = topology.build("jellyfish", routers=5884, degree=47, endpoints_per_router=17)
    loads, delays = (0.8, 0.5, 0.2), np.full(network.link_count + network.endpoint_count, 100_000)
    began = time.perf_counter()
    with executors.forked() as forks:
        found = simulate(
            network, delays, seed=1, loads=loads, router_delay_ps=700_000, rate_gbps=400, phit_bytes=512, warmup=2_000,
            cycles=6_000, max_cycles=1, executor=forks,
        )  # fmt: skip
    wall, used = time.perf_counter() - began, resource.getrusage(resource.RUSAGE_CHILDREN)
    print(f"{_machine.described()}\n")
    print(f"Random 47-regular graph, {network.router_count:,} routers, {network.endpoint_count:,} endpoints, minimal routing,")
    print(f"{LARGE_DELAYS}, 8,000 cycles\n")
    print("| load | accepted | mean delay |")
    print("|---|---|---|")
    for load, accepted, delay in zip(loads, found.accepted, found.delay_mean, strict=True):
        print(f"| {load} | {accepted:.3f} | {delay:.1f} |")
    memory = used.ru_maxrss / 2**10
    print(f"\n{wall:.0f} s, {used.ru_utime + used.ru_stime:.0f} CPU s, largest worker process {memory:.0f} MiB")


LARGE_DELAYS = "cables of 100 ns, routers of 700 ns, phits of 512 bytes at 400 Gb/s"
LARGE = (
    ("polarstar", {"q": 11, "supernode_degree": 3, "endpoints_per_router": 5}),
    ("jellyfish", {"routers": 5884, "degree": 12, "endpoints_per_router": 4}),
    ("jellyfish", {"routers": 3000, "degree": 22, "endpoints_per_router": 8}),
    ("jellyfish", {"routers": 1500, "degree": 47, "endpoints_per_router": 17}),
    ("jellyfish", {"routers": 5884, "degree": 47, "endpoints_per_router": 17}),
)
BUSY = (
    ("slimfly", {"q": 13, "endpoints_per_router": 10}),
    ("hyperx", {"sizes": [12, 9, 6], "endpoints_per_router": 8}),
    ("polarstar", {"q": 11, "supernode_degree": 3, "endpoints_per_router": 5}),
)


def print_blocks(repeats: int) -> None:
    """Print cycles per second as a whole, in blocks, and in blocks on all cores, in turns; the best of some runs."""
    print(f"{_machine.described()}\n")
    print(f"Minimal routing, load 0.4, {LARGE_DELAYS}\n")
    names = "MB of queues and ports", "blocks", "cycles of a window", "whole", "in blocks", f"{executors.processors()} cores"
    print(f"| network | routers | endpoints | {' | '.join(names)} |")
    print("|---|---|---|---|---|---|---|---|---|")
    for family, parameters in LARGE:
        network = topology.build(family, **parameters)
        case = _measured_case(network)
        divided = blocks.division(case, 0.4, large_bytes=0)
        kinds = (blocks.WHOLE, 1), (divided, 1), (divided, executors.processors())
        speeds = np.array([[_block_speed(case, *kind) for kind in kinds] for _ in range(repeats)]).max(axis=0)
        size = blocks.queue_bytes(case) / 1e6
        print(
            f"| {family} | {network.router_count:,} | {network.endpoint_count:,} | {size:.1f} | {divided.blocks} "
            f"| {divided.window} | {' | '.join(f'{speed:,.0f}' for speed in speeds)} |", flush=True,
        )  # fmt: skip


def print_busy(repeats: int) -> None:
    """Print the speed of smaller networks by the packets that are created in a window, whole and in blocks."""
    columns = "packets in a window", "whole", "in blocks", f"{executors.processors()} cores"
    print(f"{_machine.described()}\n")
    print(f"Cycles per second; minimal routing, {LARGE_DELAYS}; divided from {blocks.WINDOW_PACKETS:,} packets in a window on\n")
    print(f"| network | routers | load | {' | '.join(columns)} |\n|---|---|---|---|---|---|---|")
    for family, parameters in BUSY:
        network = topology.build(family, **parameters)
        case = _measured_case(network)
        divided = blocks.division(case, 1.0, large_bytes=0)
        kinds = (blocks.WHOLE, 1), (divided, 1), (divided, executors.processors())
        for load in (0.1, 0.2, 0.4, 0.7):
            speeds = np.array([[_block_speed(case, *kind, load, 2000) for kind in kinds] for _ in range(repeats)]).max(axis=0)
            packets = creation_rates(case, load).sum() * divided.window
            shown = " | ".join(f"{figure:,.0f}" for figure in (packets, *speeds))
            print(f"| {family} | {network.router_count:,} | {load} | {shown} |", flush=True)


def _measured_case(network: Topology, **settings: int) -> Case:
    """Return a network under uniform traffic with the delays of a machine room."""
    delays = np.full(network.link_count + network.endpoint_count, 100_000)
    case = embed_given(network, delays, router_delay_ps=700_000, rate_gbps=400, phit_bytes=512, **settings).case
    return dataclasses.replace(case, traffic="uniform", table=uniform.prepare(network, 0), warmup=0, cycles=1)


def _block_speed(case: Case, divided: blocks.Division, count: int, load: float = 0.4, cycles: int = 200) -> float:
    """Return the cycles per second of a run on a number of cores, after 400 cycles in which the network fills."""
    state = Run(case, load, np.random.SeedSequence(1), divided)
    with executors.forked(count):
        state.advance(400)
        began = time.perf_counter()
        state.advance(cycles)
        return cycles / (time.perf_counter() - began)


def print_first() -> None:
    """Print the CPU seconds of a process that simulates 20 cycles of 50 routers with nothing compiled, and of a second one."""
    code = "from benchmarks.simulation import reference, run; run(reference('sf5'), (0.1,), warmup=10, cycles=10)"
    print("| kernels | CPU seconds from the start of the process to its end |")
    print("|---|---|")
    with tempfile.TemporaryDirectory() as empty:
        for state in ("nothing compiled", "all compiled"):
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            subprocess.run([sys.executable, "-c", code], env=os.environ | {"XDG_CACHE_HOME": empty}, check=True)
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            took = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
            print(f"| {state} | {took:.1f} |", flush=True)


def main(arguments: Sequence[str] = ()) -> None:
    """Print one of the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    tables = ("speed", "agreement", "large", "loads", "blocks", "busy", "first", "prepared")
    parser.add_argument("table", nargs="?", choices=tables, default="speed")
    parser.add_argument("--repeats", type=int, default=1, help="number of runs; the best is printed")
    chosen = parser.parse_args(arguments)
    others = {"agreement": print_agreement, "large": print_large, "loads": print_loads, "first": print_first}
    others["blocks"] = lambda: print_blocks(chosen.repeats)
    others["busy"] = lambda: print_busy(chosen.repeats)
    others["prepared"] = lambda: print_prepared(chosen.repeats)
    others.get(chosen.table, lambda: print_speed(chosen.repeats))()


if __name__ == "__main__":
    main(sys.argv[1:])
