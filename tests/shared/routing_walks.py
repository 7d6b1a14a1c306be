"""All paths of packets under a routing, by calling its `candidates` state by state as the engine does."""

from __future__ import annotations

from dataclasses import dataclass, field

import networkx
import numpy as np

from planner.core import registry
from planner.domain.model import Topology
from planner.kernels.packet import records
from planner.kernels.routing.view import candidate_array
from planner.simulation.case import Case
from planner.simulation.engine import Run
from planner.simulation.network import Network
from planner.simulation.traffic import uniform

PHITS, INPUT, OUTPUT = 16, 4, 2

ONE = {"endpoints_per_router": 1}


@dataclass(frozen=True)
class Hop:
    """One candidate: from `router` by `port` to `to`."""

    router: int
    port: int
    to: int
    channel: int
    penalty: int
    label: int
    hops: int

    @property
    def link(self) -> tuple[int, int, int]:
        return self.router, self.port, self.channel


@dataclass
class Walk:
    """A routing on a network without traffic, or with queues filled at random."""

    topology: Topology
    routing: str
    parameters: dict = field(default_factory=dict)

    def __post_init__(self):
        delays = np.ones(self.topology.link_count + self.topology.endpoint_count, np.int32)
        self.network = Network(self.topology, delays)
        module = registry.load("routing", self.routing)
        self.prepared = module.prepare(self.network, **self.parameters)
        self.candidates = module.candidates
        self.channels = self.prepared.virtual_channels
        ports = int(self.network.first_port[-1])
        self.output = np.zeros(ports * self.channels, records.OUTPUT)
        self.idle()
        self.packet = np.zeros(1, records.PACKET)
        self.found = candidate_array(int(self.topology.degree.max()))
        self.view = self.prepared.view((PHITS, INPUT, OUTPUT), self.packet, self.output, self.found)
        self.used = np.flatnonzero(self.topology.endpoints_of).tolist()
        self.endpoint = {int(r): e for e, r in reversed(list(enumerate(self.topology.endpoint_router)))}

    def idle(self):
        self.output["space"], self.output["credit"] = OUTPUT, INPUT

    def fill(self, rng):
        self.output["space"] = rng.integers(0, OUTPUT + 1, len(self.output))
        self.output["credit"] = rng.integers(0, INPUT + 1, len(self.output))

    def options(self, router, source, target, hops=0, label=0, created=0) -> list[Hop]:
        record = self.packet[0]
        record["source_router"], record["target_router"] = source, target
        record["source"] = self.endpoint.get(source, 0)
        record["target"] = self.topology.degree[target]
        record["hops"], record["label"], record["created"] = hops, label, created
        first = int(self.network.first_port[router]) * self.channels
        count = self.candidates(router, first, self.channels, 0, self.view.address)
        start, degree = self.topology.indptr[router], self.topology.degree[router]
        rows = self.found[:count].tolist()
        assert rows, (router, source, target, hops, label)
        assert all(0 <= port < degree and 0 <= channel < self.channels for port, channel, *_ in rows), rows
        assert len({(port, channel) for port, channel, *_ in rows}) == count
        return [Hop(router, row[0], int(self.topology.indices[start + row[0]]), *row[1:4], hops) for row in rows]

    def pairs(self):
        return [(s, t) for s in self.used for t in self.used if s != t]

    def transitions(self, source, target, created=0, highest=200):
        """Yield every hop that a packet may make, with the hop before it, from every state it can be in."""
        seen, left = set(), [(source, 0, 0, None)]
        while left:
            state = left.pop()
            router, hops, label, before = state
            for hop in self.options(router, source, target, hops, label, created):
                assert hops < highest
                yield before, hop
                after = (hop.to, hops + 1, hop.label, hop)
                if hop.to != target and after not in seen:
                    seen.add(after)
                    left.append(after)

    def follow(self, source, target, created=0, rng=None) -> list[int]:
        """Return the routers of one path by minimum penalty, ties broken at random."""
        path, label = [source], 0
        while path[-1] != target:
            rows = self.options(path[-1], source, target, len(path) - 1, label, created)
            lowest = [hop for hop in rows if hop.penalty == min(row.penalty for row in rows)]
            hop = lowest[rng.integers(len(lowest)) if rng is not None else 0]
            path.append(hop.to)
            label = hop.label
        return path

    def run(self, load, traffic="uniform", table=None, warmup=500, cycles=2000):
        """Return the measures of a run on this network."""
        case = Case(
            network=self.network, routing=self.routing, traffic=traffic, prepared=self.prepared,
            table=uniform.prepare(self.topology, 0) if table is None else table, channels=self.channels, packet_phits=PHITS,
            input_packets=INPUT, output_packets=OUTPUT, router_cycles=0, credit_cycles=0, take_turns=0, warmup=warmup,
            cycles=cycles,
        )  # fmt: skip
        return Run(case, load, np.random.SeedSequence(1)).measure(lambda now: None)

    def dependencies(self, creations=1, fills=0, seed=1):
        """Return the graph of channels that packets hold while they wait for others, and the maximum hops seen."""
        rng = np.random.default_rng(seed)
        edges, longest = set(), 0
        for round_ in range(max(creations, fills)):
            if fills:
                self.fill(rng)
            for source, target in self.pairs():
                for before, hop in self.transitions(source, target, created=round_):
                    longest = max(longest, hop.hops + 1)
                    if before is not None:
                        edges.add((before.link, hop.link))
        return networkx.DiGraph(edges), longest


def lengths(topology: Topology) -> dict[int, dict[int, int]]:
    """Return the hops between all routers."""
    return dict(networkx.all_pairs_shortest_path_length(networkx.Graph(topology.links.tolist())))
