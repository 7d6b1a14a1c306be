"""Polarized routing: away from the source and toward the target, adaptively, on any topology."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np
from annotated_types import Ge, Len

from planner.kernels import inlined
from planner.kernels.bits import lowest_bit
from planner.kernels.graph.distances import UNREACHED
from planner.kernels.packet.classes import MAX_PORTS
from planner.kernels.packet.records import BY_CLASS, NOT_NOW, routing_function, seen
from planner.kernels.routing import paths, steps
from planner.simulation.network import Network, Routing
from planner.simulation.routing import _targets

_EXACT_WORDS = 4_000_000_000
"""Work limit of the search for the longest route, in words: some seconds."""

_MAX_BYTES = 2**28
"""Maximum size of the table of ports toward and away from each router."""

_STRONG, _PATIENT, _DEGREE, _WORDS = range(3, 7)
"""Places in `numbers`, behind the weights. For each router and target the table `wide` holds the ports toward it, the ports
away from it, and the hops: masks of `_WORDS` words, 0 without masks; then the neighbors of each router."""


@dataclass(frozen=True)
class Reach:
    """Reach of polarized routes."""

    longest: int
    """Maximum hops, including minimal hops after a dead end."""
    trapped_pairs: int
    """Pairs of source and target with a route into a dead end."""


def prepare(
    network: Network,
    weights: Annotated[tuple[Annotated[int, Ge(0)], ...], Len(3, 3)] = (0, 64, 80),
    strong: bool = False,
    patient: bool = True,
) -> Routing:
    """Prepare Polarized routing.

    With D(c, v) the hops between routers and μ(c) = D(c, source) - D(c, target), a packet at c may go to a neighbor v if
    (C1) μ grows, or μ stays and (C2) v is farther from the source while c is nearer to it than to the target, or
    (C3) v is nearer to the target while c is not farther from it than from the source. It takes the minimum of
    weight plus phits queued on its virtual channel; the weight depends on how much less μ grows than with the best
    neighbor. A packet without a candidate, at a dead end, is routed minimally from there on.

    Parameters
    ----------
    network
        The network.
    weights
        Weights in phits for a growth of μ equal to the best, 1 less and 2 less.
    strong
        Whether only condition C1 applies: at most 2D hops.
    patient
        True: a packet waits for the best port, among queues that no other packet is entering, as in the paper. False: it
        takes the best port with space, and takes longer paths when the network is congested.

    Returns
    -------
    Routing
        Needs one virtual channel per hop of the longest route, used in ascending order [2]_: computed by
        `reach` if that takes only seconds, else 5D - 3 (3D for `strong`; always 2D for tori, hypercubes and HyperX, which have no
        dead ends), with D the diameter over all routers.

    References
    ----------
    .. [1] C. Camarero, C. Martínez, R. Beivide, "Polarized routing: an efficient and versatile algorithm for large
       direct networks", HOTI 2021, section 3.
    .. [2] K. D. Günther, "Prevention of deadlocks in packet-switched data transport systems", IEEE Trans. Commun., 1981.
    """
    next_ = _targets.neighbors(network)
    words = _targets.words(network.topology)
    fits = next_.shape[1] <= MAX_PORTS and 4 * (2 * words + 1) * len(next_) ** 2 <= _MAX_BYTES
    columns = [network.minimal_ports(), network.farther_ports(), network.distance[:, :, None]] if fits else [next_[:, :0]]
    masks = np.concatenate(columns, axis=-1).reshape(len(next_), -1)
    numbers = np.array([*weights, strong, patient, next_.shape[1], words if fits else 0], np.int64)
    return Routing(
        _channels(network, strong),
        np.concatenate([masks, next_], axis=1, dtype=np.uint32),
        network.distance,
        numbers,
        target_words=2 * words + 1 if fits else 0,
        classes=len(weights) if patient and fits else 0,
    )


def reach(network: Network, sources: np.ndarray | None = None, strong: bool = False) -> Reach:
    """Follow all polarized routes between routers with endpoints, by default from all of them.

    Parameters
    ----------
    network
        The network.
    sources
        Source routers, int64 (S,); one suffices for vertex-transitive networks.
    strong
        As in `prepare`.

    Examples
    --------
    >>> import numpy as np
    >>> from planner.topology import build
    >>> hoffman_singleton = build("slimfly", q=5)
    >>> reach(Network(hoffman_singleton, np.ones(0, np.int32)))
    Reach(longest=4, trapped_pairs=0)
    """
    topology = network.topology
    chosen = network.used if sources is None else np.asarray(sources, np.int64)
    return Reach(*paths.polarized_reach(topology.indptr, topology.indices, network.distance, chosen, network.used, strong))


def polarized_safe(network: Network) -> bool:
    """Return whether no polarized route ends before its target."""
    return reach(network).trapped_pairs == 0


def _channels(network: Network, strong: bool) -> int:
    topology = network.topology
    finite = network.distance[:, network.used]
    diameter = int(finite[finite < UNREACHED].max())
    whole = topology.degree.min() == topology.degree.max()
    if topology.family in ("torus", "hypercube", "hyperx") and whole:
        return max(1, 2 * diameter)
    words = topology.router_count * len(topology.indices) * -(-topology.router_count // 64) * 3 * diameter
    if words <= _EXACT_WORDS:
        return max(1, reach(network, strong=strong).longest)
    return 3 * diameter if strong else max(3, 5 * diameter - 3)


@inlined
def _wait_for_best(first_queue, channels, count, output, rows):
    """Defer all candidates except those of minimum penalty whose queue no other packet is entering."""
    lowest = NOT_NOW
    for i in range(count):
        if output[first_queue + rows[i, 0] * channels + rows[i, 1]].writing == 0:
            lowest = min(lowest, np.int64(rows[i, 2]))
    for i in range(count):
        if rows[i, 2] != lowest:
            rows[i, 2] = NOT_NOW


@inlined
def _mask(wide, router, word, words):
    """Return a mask of at most 63 ports."""
    mask = np.int64(wide[router, word])
    return mask | np.int64(wide[router, word + 1]) << 32 if words == 2 else mask


@inlined
def _growing(router, source, target, wide, numbers):
    """Return port masks: μ grows by 2, by 1, and stays while C2 or C3 holds."""
    words = numbers[_WORDS]
    behind, ahead = source * (2 * words + 1), target * (2 * words + 1)
    back, from_source = _mask(wide, router, behind, words), _mask(wide, router, behind + words, words)
    toward, away = _mask(wide, router, ahead, words), _mask(wide, router, ahead + words, words)
    nearer = wide[router, behind + 2 * words] < wide[router, ahead + 2 * words]
    stays = from_source & away if nearer else back & toward
    return (
        from_source & toward,
        (from_source & ~(toward | away)) | (toward & ~(back | from_source)),
        np.int64(0) if numbers[_STRONG] else stays,
    )


@inlined
def _from_masks(router, source, target, wide, numbers, rows):
    """Write all candidates by class in the first three rows; return whether there are any."""
    by_two, by_one, stays = _growing(router, source, target, wide, numbers)
    if by_two == 0:
        by_two, by_one, stays = (by_one, stays, np.int64(0)) if by_one else (stays, np.int64(0), np.int64(0))
    rows[0, 0], rows[1, 0], rows[2, 0] = by_two, by_one, stays
    return by_two != 0


@inlined
def _listed(hops, numbers, rows):
    """Convert the masks in the first three rows to a list of candidates with weights; return their number."""
    first, second, third = rows[0, 0], rows[1, 0], rows[2, 0]
    ports, count = first | second | third, 0
    while ports:
        port = lowest_bit(ports)
        ports &= ports - 1
        less = 0 if (first >> port) & 1 else 1 if (second >> port) & 1 else 2
        count = steps.offer(rows, count, port, hops, numbers[less], 0)
    return count


@inlined
def _from_hops(router, source, target, hops, wide, small, numbers, rows):
    """List the candidates with weights from the hops of all neighbors; return their number."""
    off, left = np.int64(small[source, router]), np.int64(small[target, router])
    count, best = 0, 0
    for port in range(numbers[_DEGREE]):
        neighbor = wide[router, port]
        step = np.int64(small[source, neighbor]) - off
        growth = step - np.int64(small[target, neighbor]) + left
        if growth > 0 or (numbers[_STRONG] == 0 and growth == 0 and step != 0 and (step > 0) == (off < left)):
            best = max(best, growth)
            count = steps.offer(rows, count, port, hops, growth, 0)
    for i in range(count):
        rows[i, 2] = numbers[best - rows[i, 2]]
    return count


@routing_function
def candidates(router, first_queue, channels, p, view):
    """Write the polarized ports of packet `p`, or the minimal ports after a dead end."""
    packet, output, wide, small, numbers, rows = seen(view)
    source, target = np.int64(packet[p].source_router), np.int64(packet[p].target_router)
    hops, words = np.int64(packet[p].hops), numbers[_WORDS]
    count = 0
    if packet[p].label == 0:
        if words == 0:
            count = _from_hops(router, source, target, hops, wide, small, numbers, rows)
        elif _from_masks(router, source, target, wide, numbers, rows):
            if len(output) == 0:
                rows[0, 1] = hops
                return BY_CLASS
            count = _listed(hops, numbers, rows)
        for i in range(count):
            queued = steps.occupied(output, first_queue + rows[i, 0] * channels + hops, numbers)
            rows[i, 2] += queued * numbers[steps.PACKET_PHITS]
        if numbers[_PATIENT]:
            _wait_for_best(first_queue, channels, count, output, rows)
    if count == 0:
        first = wide.shape[1] - numbers[_DEGREE]
        for port in range(numbers[_DEGREE]):
            if small[target, wide[router, first + port]] < small[target, router]:
                count = steps.offer(rows, count, port, hops, 0, 1)
    return count
