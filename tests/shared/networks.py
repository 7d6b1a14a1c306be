"""Small networks and runs for the tests of the packet engine."""

from __future__ import annotations

import csv
import dataclasses
from pathlib import Path

import numpy as np

from planner.domain.model import SimulationResult, Topology
from planner.simulation import simulate
from planner.simulation.case import Case
from planner.simulation.faults import NEVER, stages
from planner.simulation.network import Network
from planner.simulation.routing import minimal
from planner.simulation.traffic import uniform

DATA = Path(__file__).parents[1] / "data" / "simulation"


def network(edges, endpoint_router) -> Topology:
    """Return a topology of links `edges`, ports in ascending order of the neighbors."""
    edges = sorted((min(edge), max(edge)) for edge in edges)
    routers = 1 + max([max(edge) for edge in edges] + list(endpoint_router))
    rows = [[] for _ in range(routers)]
    for link, (a, b) in enumerate(edges):
        rows[a].append((b, link))
        rows[b].append((a, link))
    entries = [entry for row in rows for entry in sorted(row)]
    return Topology(
        family="test",
        params={},
        links=np.array(edges, np.int32).reshape(-1, 2),
        link_class=np.zeros(len(edges), np.uint8),
        link_class_names=("all",),
        indptr=np.cumsum([0] + [len(row) for row in rows]),
        indices=np.array([neighbor for neighbor, _ in entries], np.int32),
        link=np.array([link for _, link in entries], np.int32),
        endpoint_router=np.array(endpoint_router, np.int32),
        group=np.zeros((routers, 0), np.int32),
        group_names=(),
        coords=np.zeros((routers, 0), np.int32),
        coord_names=(),
        role=np.zeros(routers),
        role_names=("router",),
    )


def ring(routers: int, per_router: int = 1) -> Topology:
    return network([(r, (r + 1) % routers) for r in range(routers)], np.repeat(np.arange(routers), per_router))


def reference(name: str) -> Topology:
    """Return a network of the reference curves."""
    with open(DATA / f"{name}.edges.csv", newline="") as file:
        edges = [(int(row["u"]), int(row["v"])) for row in csv.DictReader(file)]
    return network(edges, np.repeat(np.arange(1 + max(map(max, edges))), 4))


def case(topology: Topology, link_cycles=1, **settings) -> Case:
    """Return a case of minimal routing and uniform traffic."""
    delays = np.broadcast_to(link_cycles, topology.link_count + topology.endpoint_count).astype(np.int32)
    net = Network(topology, delays)
    prepared = minimal.prepare(net)
    usual = {
        "packet_phits": 16, "input_packets": 4, "output_packets": 2, "router_cycles": 0, "credit_cycles": 0,
        "take_turns": 0, "warmup": 500, "cycles": 1500, "channels": prepared.virtual_channels,
        "routing": "minimal", "traffic": "uniform",
    }  # fmt: skip
    return Case(network=net, prepared=prepared, table=uniform.prepare(topology, 0), **(usual | settings))


def faulty(topology: Topology, cables=(), routers=(), prepare=minimal.prepare, **settings) -> Case:
    """Return a case in which cables and routers fail: pairs of number and cycle."""
    made = case(topology, **settings)
    failed = [np.full(topology.link_count + topology.endpoint_count, NEVER), np.full(topology.router_count, NEVER)]
    for array, cycles in zip(failed, (cables, routers), strict=True):
        for number, cycle in cycles:
            array[number] = cycle
    net, prepared, faults = stages(Network(topology, made.network.link_cycles), prepare, *failed)
    channels = settings.get("channels", max([prepared.virtual_channels] + [fault.prepared.virtual_channels for fault in faults]))
    return dataclasses.replace(made, network=net, prepared=prepared, faults=faults, channels=channels)


def seed(number: int = 1) -> np.random.SeedSequence:
    return np.random.SeedSequence(number)


def run(topology: Topology, *, delay_ps: int = 0, **settings) -> SimulationResult:
    """Simulate a network whose cables all have one delay."""
    usual = {"router_delay_ps": 0, "rate_gbps": 400, "seed": 1, "loads": (0.3,), "warmup": 200, "cycles": 800}
    delays = np.full(topology.link_count + topology.endpoint_count, delay_ps)
    return simulate(topology, delays, **(usual | settings))
