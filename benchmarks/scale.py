"""Exploring a room, and pairing the farthest routers: configurations per second of CPU time, seconds for 12,144 routers."""

from __future__ import annotations

import platform
import resource
import time
from pathlib import Path

import numpy as np

from planner.core.executors import processors
from planner.domain.model import Plan
from planner.network.topology import build
from planner.simulation.traffic import adversarial
from planner.studies import pipeline, study
from planner.studies.explore.candidates import all_families, can_choose
from planner.studies.explore.hall import Space, networks, rows
from planner.studies.explore.hall.figures import FITS

PARTS = (
    ("nvidia-qm8700", "server-half-unit-200g"),
    ("nvidia-qm8790", "server-half-unit-200g"),
    ("nvidia-qm8700", "server-one-unit-200g"),
    ("nvidia-qm8790", "server-one-unit-200g"),
    ("nvidia-sb7800", "server-half-unit"),
    ("nvidia-sb7890", "server-half-unit"),
)
ENDPOINTS = (200, 1100)
NETWORKS = 120
"""Networks of the space that are estimated, evenly distributed."""
OVERSUBSCRIPTION = (0.5, 2.0)


def main(count: int = NETWORKS) -> None:
    """Print both tables."""
    print(f"{platform.machine()}, {processors()} processors, Python {platform.python_version()}, one process\n")
    _room(count)
    _farthest()


def space() -> Space:
    """Return the design space: hall A with routers of 40 ports of 200 Gb/s or 36 of 100 Gb/s, two prices each, two servers."""
    plans = [_parts(router, endpoint) for router, endpoint in PARTS]
    families = tuple(name for name in all_families() if can_choose(name))
    return Space(plans[0].room, tuple(plan.catalog for plan in plans), ENDPOINTS, families, oversubscription=OVERSUBSCRIPTION)


def _parts(router: str, endpoint: str) -> Plan:
    catalog = {"router": router, "endpoint": endpoint, "cabinet": "hpe-10648-g2"}
    data = {"name": "scale", "topology": {"family": "slimfly", "q": 5}, "catalog": catalog, "room": {"plan": "hall-a"}}
    return pipeline.make(study.check(data, base=Path.cwd()), ["catalog", "room"])


def _room(count: int) -> None:
    """Estimate a part of the networks and extrapolate to all."""
    started = time.process_time()
    whole = space()
    known = networks(whole)
    listed_s = time.process_time() - started
    every = sum(len(each) for network in known for each in network.endpoints)
    # Kernels are compiled, and those of all array layouts are loaded.
    rows(whole, known[0])
    chosen = [known[number] for number in np.linspace(0, len(known) - 1, min(count, len(known))).astype(int)]
    started = time.process_time()
    found = [row for network in chosen for row in rows(whole, network)]
    spent_s = time.process_time() - started
    fitting = sum(row["status"] == FITS for row in found)
    modeled = sum(row["model_throughput"] is not None for row in found)
    share = len(known) / len(chosen)
    print("| explore hall-a, 200 to 1,100 endpoints, six pairs of parts | |")
    print("|---|---:|")
    for what, value in (
        ("networks, and upper bound of configurations", f"{len(known):,}, {every:,}"),
        ("listing them, CPU s", f"{listed_s:.1f}"),
        ("networks estimated, their configurations", f"{len(chosen):,}, {len(found):,}"),
        ("of these fit, with throughput", f"{fitting:,}, {modeled:,}"),
        ("CPU s, and CPU ms per configuration", f"{spent_s:.1f}, {1000 * spent_s / max(1, len(found)):.1f}"),
        ("extrapolated to all: configurations, CPU s", f"{share * len(found):,.0f}, {listed_s + share * spent_s:,.0f}"),
        ("peak memory, MB", f"{resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000:,.0f}"),
    ):
        print(f"| {what} | {value} |")


def _farthest() -> None:
    """Pair the farthest routers of a SpectralFly network."""
    network = build("spectralfly", p=37, q=23, endpoints_per_router=1)
    adversarial.prepare(build("spectralfly", p=5, q=7, endpoints_per_router=1), 1)
    started = time.process_time()
    adversarial.prepare(network, 1)
    print(f"\nadversarial traffic of {network.router_count:,} routers: {time.process_time() - started:.1f} CPU s")
