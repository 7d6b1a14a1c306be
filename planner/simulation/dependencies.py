"""Deadlock check: the channel dependency graph of a routing."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import gcd

import numpy as np

from planner.kernels import compile_for
from planner.kernels.packet import dependencies as kernel
from planner.kernels.packet import records
from planner.kernels.routing.view import candidate_array
from planner.simulation.cyclic import Channel, cycle
from planner.simulation.network import Network, Routing

STATES = 10_000_000
"""Maximum packet states examined for a complete check; if all router pairs have more, they are sampled."""

SAMPLE_STATES = 1_000_000
"""States of a sample, from which those of all pairs are estimated, and of each repetition with other packets."""

MAX_EDGES = 2**23
"""Maximum dependencies; beyond, the check ends with the pairs traced so far. Those found take 16 bytes each."""

MAX_BYTES = 2**27
"""Maximum size of the table in which they are found; the check ends alike when it is full."""

_MAX_ROUNDS = 8
PAIR_STATES = 2**16
TARGET_STATES = 2**21
"""Maximum states of one pair, and of all pairs of one target, after the same number of hops; those of more are left out."""

BLOCK = 2**16
"""Pairs that are listed at a time."""

_GOLDEN = 0.6180339887498949


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
    candidates: int,
    channels: int,
    sizes: tuple[int, int, int],
    *,
    failed: np.ndarray | None = None,
    states: int = STATES,
) -> Dependencies:
    """Return the channel dependencies [1]_, by tracing packets of every router pair over all candidates.

    All candidates count, regardless of penalty. For routings that draw at random or depend on queues, pairs are traced again
    with other packets and random queue occupancies until a round finds no new dependency, at most eight times. Packets of
    other routings to one target share their states (`planner.simulation.network.Routing.by_target`).

    Parameters
    ----------
    network
        The network.
    routing, candidates
        The prepared routing, and the address of its kernel.
    channels
        Virtual channels of a port.
    sizes
        Phits of a packet, packets of an input queue and of an output queue.
    failed
        As `planner.simulation.case.Fault.failed`; routers without working endpoints are left out.
    states
        Maximum packet states to examine. If a sample shows that all pairs have more, only the sample, spread evenly over all
        pairs, is checked.

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
    all_pairs = router_pairs(network, used)
    output = np.zeros(int(network.first_port[-1]) * channels, records.OUTPUT)
    output["space"], output["credit"] = sizes[2], sizes[1]
    size = min(TARGET_STATES, 1 << (2 * network.topology.link_count).bit_length()) if routing.by_target else 0
    walk = _Walk(network, routing, candidates, channels, np.array(sizes, np.int64), output, max(PAIR_STATES, size))
    followed = 0
    for round_ in range(1 if routing.by_target else _MAX_ROUNDS):
        before = walk.found
        blocks = pair_blocks(network, used, working, round_, routing.by_target)
        followed = max(followed, walk.trace(blocks, round_, states, all_pairs))
        if (round_ > 0 and walk.found == before) or walk.states >= states or walk.full:
            break
        output["space"] = random.integers(0, sizes[2] + 1, len(output))
        output["credit"] = random.integers(0, sizes[1] + 1, len(output))
    edges = walk.edges()
    ascending = bool((edges[:, 1] % channels > edges[:, 0] % channels).all())
    found = () if ascending else cycle(edges, network, channels)
    return Dependencies(edges, followed, all_pairs, ascending, found)


class _Walk:
    """Rounds of tracing over router pairs, with the dependencies found so far."""

    def __init__(
        self, network: Network, routing: Routing, candidates: int, channels: int, sizes: np.ndarray, output: np.ndarray,
        states: int,
    ):  # fmt: skip
        self.network, self.candidates, self.channels = network, candidates, channels
        degree, ports = int(network.topology.degree.max(initial=0)), int(network.first_port[-1])
        self._packet = np.zeros(1, records.PACKET)
        self._view = routing.view(sizes, self._packet, output, candidate_array(degree))
        self._behind = np.full(ports, -1, np.int32)
        self._behind[network.network_port] = network.topology.indices
        # Pages of these tables that are not used take no memory.
        words = max(1, -(-degree * channels // 64))
        self._scratch = _scratch(states, words)
        self._row = np.zeros(ports * channels, np.int32)
        rows = min(2 * network.topology.link_count * channels, MAX_BYTES // (8 * words))
        self._followers = np.zeros((max(1, rows), words), np.uint64)
        self._tally = np.zeros(6, np.int64)
        self.full = False
        """Whether there are more dependencies than can be stored."""
        _compile()

    @property
    def found(self) -> int:
        """Number of dependencies found."""
        return int(self._tally[0])

    @property
    def states(self) -> int:
        """Number of states visited in all rounds."""
        return int(self._tally[1])

    def trace(self, blocks: Iterator[np.ndarray], round_: int, states: int, all_pairs: int) -> int:
        """Trace the pairs of a round; return their number. It ends early at the limit of all states, or of a sample."""
        self._packet["created"] = 1 + 7919 * round_
        begun, traced, tally = self.states, 0, self._tally
        limits = np.array([min(states, begun + SAMPLE_STATES), MAX_EDGES], np.int64)
        for pairs in blocks:
            first = 0
            while first < len(pairs):
                status = kernel.trace(
                    self.candidates, self._view.address, self.network.first_port, self._behind, self.channels, pairs, first,
                    self._scratch, limits, self._row, self._followers, tally,
                )  # fmt: skip
                traced += int(tally[3]) - first
                first = int(tally[3])
                if status == kernel.TABLE_FULL:
                    self.full = True
                    return traced
                if status == kernel.STATES_FULL:
                    first = int(np.searchsorted(pairs[:, 4], pairs[first, 4], side="right"))
                elif first < len(pairs):
                    all_states = begun + (self.states - begun) * all_pairs / max(1, traced)
                    if round_ > 0 or limits[0] == states or all_states > states:
                        return traced
                    limits[0] = states
        return traced

    def edges(self) -> np.ndarray:
        """Return the dependencies found, in ascending order: int64 (D, 2)."""
        found = np.empty((self.found, 2), np.int64)
        kernel.listed(self._row, self._followers, self.network.first_port, self._behind, self.channels, found)
        return found


def _scratch(states: int, words: int) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Return scratch for levels of up to `states` states."""
    return (
        np.empty((2, states, 2), np.int32),
        np.empty((2, states, 2), np.int32),
        np.empty((states, words), np.uint64),
        np.zeros((1 << (2 * states - 1).bit_length(), 2), np.int32),
    )


def _compile() -> None:
    """Compile the kernel, which takes routings by address, so that all share one cache entry."""
    ports, numbers, pairs = np.empty(1, "i4"), np.empty(1, "i8"), np.empty((1, 1), "i4")
    followers = np.empty((1, 1), "u8")
    compile_for(kernel.trace, 0, 0, ports, ports, 0, pairs, 0, _scratch(1, 1), numbers, ports, followers, numbers)


def _used(network: Network, failed: np.ndarray | None) -> tuple[np.ndarray, list[np.ndarray]]:
    """Return the routers with working endpoints, and the endpoints of each."""
    topology = network.topology
    works = np.ones(topology.endpoint_count, bool) if failed is None else failed[network.endpoint_port] == 0
    router = topology.endpoint_router[works]
    used = np.unique(router)
    order = np.argsort(router, kind="stable")
    return used, np.split(np.flatnonzero(works)[order], np.searchsorted(router[order], used[1:]))


def router_pairs(network: Network, routers: np.ndarray) -> int:
    """Return the number of ordered pairs of these routers that are in the same plane."""
    return sum(count * (count - 1) for count in np.bincount(_planes_of(network, routers)).tolist())


def _planes_of(network: Network, routers: np.ndarray) -> np.ndarray:
    """Return the plane of each router."""
    return np.zeros(len(routers), np.int64) if network.plane is None else network.plane[routers]


def pair_blocks(
    network: Network, used: np.ndarray, working: list[np.ndarray], round_: int, by_target: bool
) -> Iterator[np.ndarray]:
    """Yield all router pairs with an endpoint of each and their mark, in blocks; each block is spread evenly over all pairs.

    With `by_target` the pairs of a target are consecutive and have one mark, otherwise each pair has its own.
    """
    count = len(used)
    if count < 2:
        return
    plane = _planes_of(network, used)
    first = np.array([own[round_ % len(own)] for own in working], np.int64)
    last = np.array([own[-1 - round_ % len(own)] for own in working], np.int64)
    port = network.endpoint_port[last] - network.first_port[used]
    total, each = (count, count - 1) if by_target else (count * (count - 1), 1)
    block = max(1, BLOCK // each)
    for begin in range(0, total, block):
        number = np.arange(begin, min(begin + block, total))
        chosen = number * _stride(total) % total
        if by_target:
            target, source = np.repeat(chosen, each), np.tile(np.arange(each), len(chosen))
        else:
            target, source = np.divmod(chosen, count - 1)
        source = source + (source >= target)
        pairs = np.column_stack([used[source], used[target], first[source], port[target], np.repeat(number, each)])
        yield pairs[plane[source] == plane[target]].astype(np.int32)


def _stride(count: int) -> int:
    """Return a step coprime to `count` whose multiples are spread evenly, by the golden ratio."""
    step = max(1, round(_GOLDEN * count))
    while gcd(step, count) > 1:
        step += 1
    return step
