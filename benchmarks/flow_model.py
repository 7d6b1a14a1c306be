"""Flow-level model against the packet engine, on networks that no constant was fitted to.

``python -m benchmarks.flow_model`` prints a table of all cases and the errors of each class; ``--networks``, ``--cases`` and
``--cycles`` select less and run longer, and ``--kept`` keeps the engine's results in a file.
``python -m benchmarks.flow_model speed`` prints the time of the model on large networks, and ``sampling`` what it changes that
turns are added up for some targets only.
"""

from __future__ import annotations

import argparse
import json
import resource
import sys
import time
import warnings
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from planner.core.errors import InputError, PlannerWarning
from planner.domain.model import Topology
from planner.network import topology
from planner.simulation import simulate
from planner.simulation.fluid import Estimate, flow_model, flows, prediction

NETWORKS: dict[str, tuple[str, dict]] = {
    "slimfly-98": ("slimfly", {"q": 7, "endpoints_per_router": 5}),
    "hyperx-49": ("hyperx", {"sizes": (7, 7), "endpoints_per_router": 6}),
    "jellyfish-200": ("jellyfish", {"routers": 200, "degree": 11, "endpoints_per_router": 5}),
    "dragonfly-78": ("dragonfly", {"a": 6, "h": 2, "endpoints_per_router": 2}),
    "fattree-125": ("fattree", {"k": 10}),
    "polarfly-133": ("polarfly", {"q": 11, "endpoints_per_router": 6}),
    "torus-100": ("torus", {"sizes": (10, 10), "endpoints_per_router": 1}),
    "polarstar-248": ("polarstar", {"q": 5, "supernode_degree": 3, "endpoints_per_router": 3}),
    "kautz-80": ("kautz", {"d": 4, "diameter": 3, "endpoints_per_router": 2}),
    "xpander-144": ("xpander", {"degree": 8, "lifts": 4, "endpoints_per_router": 3}),
    "polarfly-57": ("polarfly", {"q": 7, "endpoints_per_router": 4}),
    "slimfly-162": ("slimfly", {"q": 9, "endpoints_per_router": 6}),
    "hyperx-64": ("hyperx", {"sizes": (4, 4, 4), "endpoints_per_router": 3}),
    "torus-128": ("torus", {"sizes": (4, 4, 8), "endpoints_per_router": 1}),
    "jellyfish-300": ("jellyfish", {"routers": 300, "degree": 9, "endpoints_per_router": 3}),
    "dragonfly-80": ("dragonfly", {"a": 5, "h": 3, "endpoints_per_router": 3}),
    "megafly-36": ("megafly", {"rho": 2, "a": 4}),
    "fattree-18": ("fattree", {"k": 12, "levels": 2}),
    "hypercube-128": ("hypercube", {"dimensions": 7, "endpoints_per_router": 1}),
    "quadrangle-15": ("quadrangle", {"q": 2, "endpoints_per_router": 2}),
    "projective-62": ("projective", {"q": 5, "endpoints_per_router": 2}),
    "dln-120": ("dln", {"routers": 120, "matchings": 5, "endpoints_per_router": 2}),
}
"""None of them among the 382 cases that constants were fitted to, or their held-out set."""

CASES = tuple(
    (routing, traffic)
    for traffic in ("uniform", "permutation", "adversarial", "hot_spot", "tornado", "router_permutation")
    for routing in ("minimal", "valiant")
)

RUNS = 8
"""Runs of the engine for one case, about: five of the search, and three for delays."""

MANY = 41
"""Loads of a model run that the time of a further load is measured with."""

SHARES = (0.3, 0.6, 0.8)
"""Loads at which delays are compared, as shares of the engine's saturation."""


HEAD = (
    "| network | routing | traffic | engine | model | error | first full | mean delay | 99 % | busiest | engine s | model s "
    "| further load ms |"
)


class Row(NamedTuple):
    """One network under one routing and traffic pattern."""

    network: str
    routing: str
    traffic: str
    truth: float
    estimate: Estimate
    delays: np.ndarray
    """Relative errors of the mean delay at `SHARES`."""
    tails: np.ndarray
    """Same of the 99th percentile."""
    busiest: float
    """Relative error of the highest link load at the last share."""
    engine_seconds: float
    model_seconds: float
    further_seconds: float

    @property
    def error(self) -> float:
        """Relative error of the saturation throughput."""
        return self.estimate.saturation / self.truth - 1


class Truth(NamedTuple):
    """Results of the engine for one case."""

    saturation: float
    mean: list[float]
    """Mean delays at `SHARES` of it, in cycles."""
    p99: list[float]
    busiest: float
    """Highest link load at the last share."""
    seconds: float


def simulated(name: str, routing: str, traffic: str, cycles: int, seed: int = 1) -> Truth:
    """Return the results of the engine: a search for the saturation throughput, and runs of `cycles` at shares of it."""
    network, given = build(name), settings(routing, traffic, seed)
    delay = np.zeros(network.link_count + network.endpoint_count, np.int64)
    began = time.process_time()
    engine = {"router_delay_ps": 0, "rate_gbps": 400, "cycles": cycles, **given}
    saturation = simulate(network, delay, loads=(0.1,), saturation=True, max_cycles=5 * cycles, **engine).saturation_throughput
    seen = simulate(network, delay, loads=tuple(saturation * share for share in SHARES), warmup=cycles // 4, **engine)
    busiest = float(seen.link_load[-1].max())
    return Truth(saturation, seen.delay_mean.tolist(), seen.delay_p99.tolist(), busiest, time.process_time() - began)


def settings(routing: str, traffic: str, seed: int) -> dict[str, Any]:
    """Return the arguments of the engine and of the model for a case."""
    given: dict[str, Any] = {
        "routing": routing, "traffic": traffic, "preset": "caminos", "seed": seed, "allow_deadlock": True,
    }  # fmt: skip
    return given | ({"traffic_parameters": {"spots": 4, "share": 0.1}} if traffic == "hot_spot" else {})


def compare(name: str, routing: str, traffic: str, truth: Truth, seed: int = 1) -> Row:
    """Return the comparison of the model with the engine's results for one case."""
    network, given = build(name), settings(routing, traffic, seed)
    delay = np.zeros(network.link_count + network.endpoint_count, np.int64)
    loads = tuple(truth.saturation * share for share in SHARES)
    began = time.process_time()
    found = flow_model(network, delay, loads=loads[:1], **given)
    first = time.process_time() - began
    many = [truth.saturation * share for share in np.linspace(SHARES[0], SHARES[-1], MANY)]
    began = time.process_time()
    flow_model(network, delay, loads=many, **given)
    further = max(time.process_time() - began - first, 1e-6) / (MANY - 1)
    found = flow_model(network, delay, loads=loads, **given)
    mean, p99 = found.delay_mean / truth.mean - 1, found.delay_p99 / truth.p99 - 1
    busiest = float(found.link_load[-1].max() / truth.busiest - 1)
    return Row(name, routing, traffic, truth.saturation, found, mean, p99, busiest, truth.seconds, first, further)


def build(name: str) -> Topology:
    """Return a network of the list."""
    family, parameters = NETWORKS[name]
    return topology.build(family, **parameters)


def rows(networks: Sequence[str], cases: Sequence[tuple[str, str]], cycles: int, kept: Path | None) -> Iterator[Row]:
    """Yield the comparisons, network by network; a pattern that a network does not have is omitted.

    Results of the engine are read from the file `kept`, and added to it.
    """
    known = _known(kept, cycles)
    for name in networks:
        for routing, traffic in cases:
            case = (name, routing, traffic)
            try:
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore", PlannerWarning)
                    if case not in known:
                        known[case] = simulated(*case, cycles)
                        _keep(kept, case, cycles, known[case])
                    yield compare(*case, known[case])
            except InputError as error:
                print(f"| {name} | {routing} | {traffic} | {error.problems[0].message} |", flush=True)


def _known(kept: Path | None, cycles: int) -> dict[tuple[str, ...], Truth]:
    """Return the kept results of runs of `cycles`, by network, routing and traffic."""
    lines = kept.read_text().splitlines() if kept and kept.exists() else []
    return {tuple(case): Truth(*values) for case, length, values in map(json.loads, lines) if length == cycles}


def _keep(kept: Path | None, case: tuple[str, ...], cycles: int, truth: Truth) -> None:
    if kept:
        with kept.open("a") as file:
            file.write(json.dumps([case, cycles, truth]) + "\n")


def rms(values: Sequence[float]) -> float:
    """Return the root of the mean square of the values that are known, in percent."""
    known = np.array([value for value in values if value == value])
    return 100 * float(np.sqrt(np.mean(known**2))) if len(known) else float("nan")


def print_errors(found: Sequence[Row]) -> None:
    """Print errors by class as a Markdown table."""
    classes = defaultdict(list)
    for row in found:
        classes[row.routing, row.traffic].append(row)
    print(
        "\n| routing | traffic | n | saturation: mean, rms, largest | within 3 % | mean delay at .3, .6, .8: rms | 99 %: rms "
        "| times faster: first estimate, further load |"
    )
    print("|---|---|---|---|---|---|---|---|")
    for (routing, traffic), own in classes.items():
        errors = [row.error for row in own]
        delays, tails = (
            ", ".join(f"{rms([getattr(row, name)[n] for row in own]):.1f}" for n in range(len(SHARES)))
            for name in ("delays", "tails")
        )
        first = np.median([row.engine_seconds / row.model_seconds for row in own])
        further = np.median([row.engine_seconds / RUNS / row.further_seconds for row in own])
        within = sum(abs(error) <= 0.03 for error in errors)
        print(
            f"| {routing} | {traffic} | {len(own)} | {100 * np.mean(errors):+.1f}, {rms(errors):.1f}, "
            f"{100 * max(errors, key=abs):+.1f} | {within} | {delays} | {tails} "
            f"| {first:.0f}, {further:,.0f} |"
        )


def print_comparison(networks: Sequence[str], cases: Sequence[tuple[str, str]], cycles: int, kept: Path | None) -> None:
    """Print every case and the errors by class as Markdown tables."""
    print(HEAD)
    print("|---|---|---|---|---|---|---|---|---|---|---|---|---|")
    found = []
    for row in rows(networks, cases, cycles, kept):
        found.append(row)
        delays, tails = (" ".join(f"{100 * value:+.0f}" for value in values) for values in (row.delays, row.tails))
        print(
            f"| {row.network} | {row.routing} | {row.traffic} | {row.truth:.3f} | {row.estimate.saturation:.3f} "
            f"| {100 * row.error:+.1f} | {row.estimate.first_full:.3f} | {delays} | {tails} | {100 * row.busiest:+.0f} "
            f"| {row.engine_seconds:.2f} | {row.model_seconds:.3f} | {1000 * row.further_seconds:.1f} |",
            flush=True,
        )
    print_errors(found)


def print_speed() -> None:
    """Print time and memory of the model on large networks as a Markdown table."""
    print("| network | routers | ports | saturation | CPU seconds | peak memory |")
    print("|---|---|---|---|---|---|")
    sizes = ((1_000, 18), (2_000, 22), (5_000, 29), (10_000, 36))
    large = [("jellyfish", {"routers": r, "degree": d, "endpoints_per_router": d // 3}) for r, d in sizes]
    for family, parameters in (*large, ("slimfly", {"q": 71, "endpoints_per_router": 35})):
        network = topology.build(family, **parameters)
        delay = np.zeros(network.link_count + network.endpoint_count, np.int64)
        began = time.process_time()
        found = flow_model(network, delay, seed=1, preset="caminos", loads=(0.3,))
        took = time.process_time() - began
        memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
        print(
            f"| {family}, degree {network.degree.max()} | {network.router_count:,} | {2 * network.link_count:,} "
            f"| {found.saturation:.3f} | {took:.1f} | {memory:.2f} GiB |",
            flush=True,
        )


def print_sampling() -> None:
    """Print saturation, first limit and mean delays for parts of the targets whose turns are added up as a Markdown table."""
    print("| network | targets | saturation | first limit | mean delay at 0.3, 0.5, 0.7 |")
    print("|---|---|---|---|---|")
    jellyfish = [
        ("jellyfish", {"routers": r, "degree": d, "endpoints_per_router": d // 3}) for r, d in ((1_000, 18), (2_000, 22))
    ]
    others = [("slimfly", {"q": 23, "endpoints_per_router": 17}), ("dragonfly", {"a": 10, "h": 5, "endpoints_per_router": 5})]
    flows.SAMPLED = prediction.MAX_WORK = 0
    for family, parameters in (*jellyfish, *others, ("polarstar", {"q": 11, "supernode_degree": 3, "endpoints_per_router": 5})):
        network = topology.build(family, **parameters)
        delay, count = np.zeros(network.link_count + network.endpoint_count, np.int64), network.router_count
        for flows.TURN_TARGETS in (count, count // 2, count // 4, count // 10):
            found = flow_model(network, delay, seed=1, preset="caminos", loads=(0.3, 0.5, 0.7))
            delays = ", ".join(f"{value:.2f}" for value in found.delay_mean)
            print(f"| {family} | {flows.TURN_TARGETS} of {count} | {found.saturation:.4f} | {found.first_full:.4f} | {delays} |")


def main(arguments: Sequence[str] = ()) -> None:
    """Print one of the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("table", nargs="?", choices=("errors", "speed", "sampling"), default="errors")
    parser.add_argument("--networks", default="", help="comma-separated names; default: all")
    parser.add_argument("--cases", default="", help="comma-separated routing:traffic; default: all")
    parser.add_argument(
        "--cycles", type=int, default=20_000, help="measured cycles of the engine; up to five times in the search"
    )
    parser.add_argument("--kept", type=Path, help="file with results of the engine, which are added")
    chosen = parser.parse_args(arguments)
    if chosen.table == "speed":
        return print_speed()
    if chosen.table == "sampling":
        return print_sampling()
    networks = chosen.networks.split(",") if chosen.networks else list(NETWORKS)
    cases = [tuple(case.split(":")) for case in chosen.cases.split(",")] if chosen.cases else CASES
    print_comparison(networks, cases, chosen.cycles, chosen.kept)


if __name__ == "__main__":
    main(sys.argv[1:])
