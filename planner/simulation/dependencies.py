"""Deadlock check: the channel dependency graph of a routing."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy import sparse
from scipy.sparse import csgraph

from planner.errors import InputError, Problem
from planner.kernels import compile_for
from planner.kernels.packet import dependencies as kernel
from planner.kernels.packet import records
from planner.kernels.routing.view import ROUTING, candidate_array
from planner.simulation.case import Case
from planner.simulation.network import Network, Routing, candidates_of

STATES = 1_000_000
"""Maximum packet states examined; beyond, router pairs are sampled."""

_MAX_ROUNDS = 8
PAIR_STATES = 2**16
_NAMED_CHANNELS = 12


@dataclass(frozen=True)
class Channel:
    """One direction of a link on one virtual channel."""

    router: int
    to: int
    channel: int

    def __str__(self) -> str:
        return f"{self.router}>{self.to} on {self.channel}"


@dataclass(frozen=True)
class Dependencies:
    """Result of the deadlock check.

    Attributes
    ----------
    edges
        Dependencies (occupied queue, requested queue), as port times channels plus channel, int64 (D, 2).
    pairs, all_pairs
        Pairs of routers with endpoints: checked, and in total.
    ascending
        Whether the virtual channel increases in every dependency, which rules out a cycle.
    cycle
        Channels of a shortest cycle through one of its channels, in order of dependency; empty if acyclic.
    """

    edges: np.ndarray
    pairs: int
    all_pairs: int
    ascending: bool
    cycle: tuple[Channel, ...]

    @property
    def complete(self) -> bool:
        """Whether all pairs were checked."""
        return self.pairs == self.all_pairs


def dependencies(
    network: Network,
    routing: Routing,
    candidates: Callable,
    channels: int,
    sizes: tuple[int, int, int],
    *,
    failed: np.ndarray | None = None,
    states: int = STATES,
) -> Dependencies:
    """Return the channel dependencies [1]_, by tracing packets of every router pair over all candidates.

    All candidates count, regardless of penalty. For routings that draw at random or depend on queues, pairs are traced again
    with other packets and random queue occupancies until a round finds no new dependency, at most eight times.

    Parameters
    ----------
    network
        The network.
    routing, candidates
        The prepared routing, and its kernel.
    channels
        Virtual channels of a port.
    sizes
        Phits of a packet, packets of an input queue and of an output queue.
    failed
        As `planner.simulation.case.Fault.failed`; routers without working endpoints are left out.
    states
        Maximum packet states to examine. If too few for all pairs, a fixed random sample of pairs is checked.

    Returns
    -------
    Dependencies
        An adaptive routing with a cycle may still be free of deadlock if a connected subset of its candidates is acyclic [2]_.

    References
    ----------
    .. [1] W. Dally, C. Seitz, "Deadlock-free message routing in multiprocessor interconnection networks",
       IEEE Trans. Computers C-36(5), 1987.
    .. [2] J. Duato, "A new theory of deadlock-free adaptive routing in wormhole networks", IEEE Trans. Parallel and
       Distributed Systems 4(12), 1993.
    """
    random = np.random.default_rng(1)
    used, working = _used(network, failed)
    all_pairs = sum(count * (count - 1) for count in np.bincount(_planes_of(network, used)).tolist())
    table = np.full(2**12, -1, np.int64)
    tally = np.array([0, 0, states, 0], np.int64)
    scratch = np.full((2 * PAIR_STATES, 4), -1, np.int32), np.empty((PAIR_STATES, 3), np.int32)
    output = np.zeros(int(network.first_port[-1]) * channels, records.OUTPUT)
    output["space"], output["credit"] = sizes[2], sizes[1]
    followed = 0
    for round_ in range(_MAX_ROUNDS):
        before = int(tally[0])
        pairs = _pairs(network, used, working, round_, random, states)
        walk = _Walk(network, routing, candidates, channels, np.array(sizes, np.int64), output, round_)
        table, done = walk.trace(pairs, table, tally, scratch)
        followed = max(followed, done)
        if (round_ > 0 and tally[0] == before) or tally[1] >= states:
            break
        output["space"] = random.integers(0, sizes[2] + 1, len(output))
        output["credit"] = random.integers(0, sizes[1] + 1, len(output))
    keys = np.sort(table[table != -1])
    edges = np.column_stack([keys >> 32, keys & 0xFFFFFFFF])
    ascending = bool((edges[:, 1] % channels > edges[:, 0] % channels).all())
    cycle = () if ascending else tuple(_channel(network, queue, channels) for queue in _cycle(edges))
    return Dependencies(edges, followed, all_pairs, ascending, cycle)


def of_case(case: Case) -> list[Dependencies]:
    """Return the result for the initial routing of a case and for each routing after a fault."""
    routings = [(fault.prepared, fault.failed) for fault in case.faults]
    if not case.faults or case.faults[0].cycle > 0:
        routings.insert(0, (case.prepared, None))
    candidates = candidates_of(case.routing, case.prepared)
    sizes = case.packet_phits, case.input_packets, case.output_packets
    each = STATES // len(routings)
    return [
        dependencies(case.network, prepared, candidates, case.channels, sizes, failed=failed, states=each)
        for prepared, failed in routings
    ]


def require_none(found: Dependencies, routing: str) -> None:
    """Raise InputError with the channels of a cycle, if the dependencies have one."""
    if not found.cycle:
        return
    shown = ", ".join(str(channel) for channel in found.cycle[:_NAMED_CHANNELS])
    more = f" and {len(found.cycle) - _NAMED_CHANNELS} more" if len(found.cycle) > _NAMED_CHANNELS else ""
    problem = f"{routing} has a cyclic channel dependency, links as router>router on virtual channel: {shown}{more}"
    raise InputError(Problem("routing", problem, "use another routing, or allow_deadlock = true to simulate it anyway"))


@dataclass(frozen=True)
class _Walk:
    """One round of tracing over router pairs."""

    network: Network
    routing: Routing
    candidates: Callable
    channels: int
    sizes: np.ndarray
    output: np.ndarray
    round_: int

    def trace(
        self, pairs: np.ndarray, table: np.ndarray, tally: np.ndarray, scratch: tuple[np.ndarray, np.ndarray]
    ) -> tuple[np.ndarray, int]:
        """Return the table of dependencies, enlarged if necessary, and the number of pairs traced."""
        network = self.network
        packet = np.zeros(1, records.PACKET)
        packet["created"] = 1 + 7919 * self.round_
        found = candidate_array(int(network.topology.degree.max(initial=0)))
        view = self.routing.view(self.sizes, packet, self.output, found)
        behind = np.full(int(network.first_port[-1]), -1, np.int32)
        behind[network.network_port] = network.topology.indices
        scratch[0][:] = -1
        _compile()
        first, skipped, tally[3] = 0, 0, 0
        while True:
            status = kernel.trace(
                self.candidates, view.address, network.first_port, behind, self.channels, pairs, first, 0, *scratch, table, tally
            )
            first = int(tally[3])
            if status == kernel.DONE:
                return table, first - skipped
            if status == kernel.EDGES_FULL:
                larger = np.full(4 * len(table), -1, np.int64)
                kernel.copy(table, larger)
                table = larger
                # The states of the unfinished pair are visited again.
                scratch[0][scratch[0][:, 3] == first, 3] = -1
            else:
                skipped += 1
                tally[3] = first = first + 1


def _compile() -> None:
    """Compile for routings as function pointers, so that all routings share one cache entry."""
    ports, numbers, rows = (np.empty(shape, kind) for shape, kind in ((1, "i4"), (1, "i8"), ((1, 1), "i4")))
    compile_for(kernel.trace, ROUTING, 0, ports, ports, 0, rows, 0, 0, rows, rows, numbers, numbers)


def _used(network: Network, failed: np.ndarray | None) -> tuple[np.ndarray, list[np.ndarray]]:
    """Return the routers with working endpoints, and the endpoints of each."""
    topology = network.topology
    works = np.ones(topology.endpoint_count, bool) if failed is None else failed[network.endpoint_port] == 0
    router = topology.endpoint_router[works]
    used = np.unique(router)
    order = np.argsort(router, kind="stable")
    return used, np.split(np.flatnonzero(works)[order], np.searchsorted(router[order], used[1:]))


def _planes_of(network: Network, routers: np.ndarray) -> np.ndarray:
    """Return the plane of each router."""
    return np.zeros(len(routers), np.int64) if network.plane is None else network.plane[routers]


def _pairs(
    network: Network, used: np.ndarray, working: list[np.ndarray], round_: int, random: np.random.Generator, states: int
) -> np.ndarray:
    """Return router pairs with an endpoint of each, in random order: all pairs, or a sample of `states`."""
    count = len(used)
    total = count * (count - 1)
    chosen = random.permutation(total) if total <= states else random.choice(total, states, replace=False)
    source, target = np.divmod(chosen, max(count - 1, 1))
    target += target >= source
    plane = _planes_of(network, used)
    inside = plane[source] == plane[target]
    source, target = source[inside], target[inside]
    first = np.array([own[round_ % len(own)] for own in working], np.int64)
    last = np.array([own[-1 - round_ % len(own)] for own in working], np.int64)
    ports = network.endpoint_port[last] - network.first_port[used]
    return np.column_stack([used[source], used[target], first[source], ports[target]]).astype(np.int32)


def _cycle(edges: np.ndarray) -> list[int]:
    """Return the queues of a cycle in order; empty if there is none."""
    names, ends = np.unique(edges, return_inverse=True)
    ends = ends.reshape(-1, 2)
    own = ends[ends[:, 0] == ends[:, 1], 0]
    if len(own):
        return [int(names[own[0]])]
    graph = sparse.csr_array((np.ones(len(ends), np.int8), (ends[:, 0], ends[:, 1])), shape=(len(names),) * 2)
    count, part = csgraph.connected_components(graph, directed=True, connection="strong")
    sizes = np.bincount(part, minlength=count)
    if not (sizes > 1).any():
        return []
    # The smallest component gives the shortest message.
    smallest = np.where(sizes > 1, sizes, len(names) + 1).argmin()
    members = np.flatnonzero(part == smallest)
    inside = graph[members][:, members]
    order, before = csgraph.breadth_first_order(inside, 0, directed=True)
    back = np.flatnonzero(inside[:, [0]].toarray().ravel())
    rank = np.empty(len(members), np.int64)
    rank[order] = np.arange(len(order))
    node = int(back[rank[back].argmin()])
    path = [node]
    while node != 0:
        node = int(before[node])
        path.append(node)
    return [int(names[members[node]]) for node in reversed(path)]


def _channel(network: Network, queue: int, channels: int) -> Channel:
    port, channel = divmod(queue, channels)
    router = int(np.searchsorted(network.first_port, port, side="right")) - 1
    entry = int(network.topology.indptr[router]) + port - int(network.first_port[router])
    return Channel(router, int(network.topology.indices[entry]), channel)
