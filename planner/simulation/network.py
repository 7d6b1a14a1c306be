"""The network as the engine uses it: numbered ports with peers and delays, and hop distances."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from planner.core import registry
from planner.core.errors import InputError, Problem
from planner.domain.model import Topology
from planner.kernels.addresses import Handle
from planner.kernels.graph import bfs
from planner.kernels.routing.view import View
from planner.simulation import hops

NO_NEIGHBOR = 2**32 - 1


@dataclass(frozen=True)
class Network:
    """Network that a routing is prepared for.

    Ports are numbered router by router, a router's network ports in the order of its row in the
    topology, then its endpoints; the sending sides of the endpoints follow as ports of their own.
    """

    topology: Topology
    link_cycles: np.ndarray
    """Delay of each cable, links first, then endpoints, int32 (L+H,)."""
    rates: np.ndarray | None = None
    """Phits per cycle of each cable, float64 (L+H,); 1 if not given."""
    ports: np.ndarray | None = None
    """Number of ports of each router if failed ports are missing from its row, int (R,)."""
    plane: np.ndarray | None = None
    """Plane of each router, int (R,), if planes are not joined by design; packets stay in theirs."""

    @property
    def link_rate(self) -> np.ndarray:
        """Phits per cycle of each cable, links first, then endpoints, float64 (L+H,)."""
        return np.ones(len(self.link_cycles)) if self.rates is None else self.rates

    @cached_property
    def first_port(self) -> np.ndarray:
        """First port of each router, and the end: int32 (R+1,)."""
        ports = self.topology.degree + self.topology.endpoints_of if self.ports is None else self.ports
        return np.concatenate([[0], np.cumsum(ports)]).astype(np.int32)

    @cached_property
    def network_port(self) -> np.ndarray:
        """Port of each entry of the topology's rows, int32 (2L,)."""
        topology = self.topology
        router = np.repeat(np.arange(topology.router_count), topology.degree)
        return (self.first_port[router] + np.arange(len(topology.indices)) - topology.indptr[router]).astype(np.int32)

    @cached_property
    def endpoint_port(self) -> np.ndarray:
        """Router port of each endpoint, int32 (H,)."""
        topology = self.topology
        first = np.concatenate([[0], np.cumsum(topology.endpoints_of)])
        router = topology.endpoint_router
        port = self.first_port[router] + topology.degree[router] + np.arange(topology.endpoint_count) - first[router]
        return port.astype(np.int32)

    @cached_property
    def link_ports(self) -> np.ndarray:
        """Ports at both ends of each link, in the order of the topology's links, int32 (L,2)."""
        topology = self.topology
        pairs = self.network_port[np.argsort(topology.link, kind="stable").reshape(-1, 2)]
        router = np.searchsorted(self.first_port, pairs[:, 0], side="right") - 1
        turned = router != topology.links[:, 0]
        pairs[turned] = pairs[turned][:, ::-1]
        return pairs

    @cached_property
    def distance(self) -> np.ndarray:
        """Hops between all routers, uint8 (R,R).

        Raises
        ------
        InputError
            When routers with endpoints are disconnected, routers are more than 254 hops apart, or there are too many routers.
        """
        topology = self.topology
        if topology.router_count > hops.TABLE_ROUTERS:
            raise InputError(
                Problem(
                    "topology",
                    f"{topology.router_count:,} routers are too many for a table of all distances",
                    f"use minimal routing on a lattice, star product or SpectralFly, or at most {hops.TABLE_ROUTERS:,} routers",
                )
            )
        table = np.empty((topology.router_count,) * 2, np.uint8)
        if bfs.hop_distances(topology.indptr, topology.indices, table) < 0:
            raise InputError(Problem("topology", "routers are more than 254 hops apart", "simulate a smaller network"))
        for used in self.used_by_plane:
            apart = table[used[0]] == bfs.UNREACHED
            if apart[used].any():
                message = f"no path from router {used[0]} to {apart.sum():,} other routers"
                raise InputError(Problem("topology", message, "use a connected network"))
        return table

    @cached_property
    def hops(self) -> hops.Hops:
        """Hops between all routers: a table, or beyond its size limit derived from the structure.

        Raises
        ------
        InputError
            As `distance`.
        """
        if self.topology.router_count > hops.TABLE_ROUTERS:
            found = hops.of_structure(self.topology)
            if found is not None:
                return found
        return hops.of_table(self.distance)

    @cached_property
    def neighbors(self) -> np.ndarray:
        """Neighbor at each port, uint32 (R, max degree); `NO_NEIGHBOR` if there is none."""
        topology = self.topology
        table = np.full((topology.router_count, int(topology.degree.max(initial=1))), NO_NEIGHBOR, np.uint32)
        row = np.repeat(np.arange(topology.router_count), topology.degree)
        table[row, np.arange(len(row)) - topology.indptr[row]] = topology.indices
        return table

    @cached_property
    def used(self) -> np.ndarray:
        """Routers with endpoints, int64."""
        return np.flatnonzero(self.topology.endpoints_of)

    @cached_property
    def used_by_plane(self) -> list[np.ndarray]:
        """Routers with endpoints of each plane that has any, int64."""
        if self.plane is None:
            return [self.used] if len(self.used) else []
        plane = self.plane[self.used]
        return [self.used[plane == number] for number in np.unique(plane)]

    @cached_property
    def diameter(self) -> int:
        """Maximum hops between routers with endpoints in a plane; between any two routers if `hops` comes from the structure."""
        if self.topology.router_count > hops.TABLE_ROUTERS:
            return self.hops.diameter
        # A copy of the table takes longer than its maximum.
        whole = len(self.used) == self.topology.router_count and len(self.used_by_plane) == 1
        return int(self.distance.max()) if whole else max(int(self.distance[np.ix_(u, u)].max()) for u in self.used_by_plane)

    def minimal_ports(self) -> np.ndarray:
        """Ports of each router that lead nearer to each target, as a bit mask: uint32 (R,R,words)."""
        return self._ports_nearer(self.distance)

    def farther_ports(self) -> np.ndarray:
        """Ports of each router that lead away from each other router, as `minimal_ports`."""
        return self._ports_nearer(~self.distance)

    def _ports_nearer(self, table: np.ndarray) -> np.ndarray:
        words = max(1, -(-int(self.topology.degree.max(initial=0)) // 32))
        masks = np.empty((*table.shape, words), np.uint32)
        bfs.minimal_ports(self.topology.indptr, self.topology.indices, table, masks)
        return masks


def candidates_of(routing: str, prepared: Routing) -> int:
    """Return the address of the compiled ``candidates`` of a routing.

    Raises
    ------
    InputError
        When its ``prepare`` returned other tables than ``candidates`` declares.
    """
    candidates = registry.load("routing", routing).candidates
    if type(prepared.tables) is not candidates.tables:
        message = f"prepare() of {routing} returned {type(prepared.tables).__name__} as tables"
        raise InputError(Problem("routing", message, f"return {candidates.tables.__name__}, which candidates() declares"))
    return candidates.address


@dataclass(frozen=True)
class Routing:
    """Prepared routing, returned by ``prepare(network, **parameters)``.

    The module of a routing also defines ``candidates``, compiled by `planner.kernels.routing.view.routing_function`,
    which reads the tables.
    """

    virtual_channels: int
    """Virtual channels needed for freedom from deadlock."""
    tables: NamedTuple
    """Tables of the routing: the class that ``candidates`` declares."""
    lookup: np.ndarray | None = None
    """One of the tables, if its first two dimensions are a router and a target: the engine prefetches the entries of arriving
    packets."""
    weights: tuple[int, ...] = ()
    """Weights in phits of the candidate classes, if a packet waits for the best candidate: minimum weight plus phits queued on
    its virtual channel, among queues that no other packet is entering. The engine may compare the queues itself
    (`planner.kernels.routing.view.Here.by_class`); all candidates then use the same virtual channel, one of the first 63 ports,
    and keep the packet's label, and entries of `lookup` are prefetched for the source too."""
    by_target: bool = False
    """Whether the candidates of a packet depend on its router, its target, its hops and its label alone: neither on its
    source, nor on draws or queues. The deadlock check examines such packets once for all sources."""
    limitation: str = ""
    """What the user should know about the routing on this network, reported as a warning before it is simulated."""

    def view(
        self,
        sizes: Sequence[int] | np.ndarray,
        packet: np.ndarray,
        output: np.ndarray,
        candidates: np.ndarray,
        by_class: bool = False,
    ) -> Handle:
        """Return the `View` for ``candidates``; `sizes`: packet (phits), input and output queue (packets)."""
        packet_phits, input_packets, output_packets = sizes
        weights = np.array(self.weights, np.int64)
        rows = np.zeros((0, 0), np.uint8) if self.lookup is None else self.lookup.view(np.uint8).reshape(len(self.lookup), -1)
        queues = input_packets + output_packets
        return Handle(View(packet, output, candidates, Handle(self.tables), packet_phits, queues, by_class, weights, rows))

    @property
    def target_bytes(self) -> int:
        """Bytes of `lookup` per target; 0 without it."""
        return 0 if self.lookup is None else self.lookup[0, 0].nbytes
