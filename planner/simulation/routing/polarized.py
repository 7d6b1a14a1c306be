"""Polarized routing: away from the source and toward the target, adaptively, on any topology."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, NamedTuple

import numpy as np
from annotated_types import Ge, Len

from planner.kernels import always_inlined
from planner.kernels.graph.bfs import UNREACHED
from planner.kernels.instructions import lowest_bit
from planner.kernels.packet.classes import MAX_PORTS
from planner.kernels.routing.reach import polarized_reach
from planner.kernels.routing.view import (
    BY_CLASS,
    NOT_NOW,
    Here,
    Packet,
    is_entered,
    offer,
    offer_class,
    queued,
    routing_function,
    wait_for_lowest,
)
from planner.simulation.network import Network, Routing
from planner.simulation.routing.tables import targets

_EXACT_WORDS = 4_000_000_000
"""Work limit of the search for the longest route, in words: some seconds."""

MAX_BYTES = 2**30
"""Maximum size of the table of ports toward and away from each router."""


class Tables(NamedTuple):
    """Tables of Polarized routing."""

    pairs: Annotated[np.ndarray, np.uint32, 3]
    """Router, other router: the ports toward it and those away from it, one or two words each, and the hops. Empty if too
    large."""
    neighbor: Annotated[np.ndarray, np.uint32, 2]
    """Neighbor at each port, the router itself if there is none: router, port."""
    distance: Annotated[np.ndarray, np.uint8, 2]
    """Hops between routers."""
    weights: Annotated[np.ndarray, np.int64, 1]
    strong: int
    patient: int


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
    neighbor. A packet without a candidate, at a dead end, is routed minimally from there on; a warning reports the router pairs
    with such routes, if `reach` takes only seconds.

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
    neighbor = targets.neighbors(network)
    routers, degree = neighbor.shape
    pairs = np.zeros((0, 0, 0), np.uint32)
    if degree <= MAX_PORTS and 4 * (2 * targets.words(network.topology) + 1) * routers**2 <= MAX_BYTES:
        columns = [network.minimal_ports(), network.farther_ports(), network.distance[:, :, None]]
        pairs = np.concatenate(columns, axis=-1, dtype=np.uint32)
    tables = Tables(pairs, neighbor, network.distance, np.array(weights, np.int64), strong, patient)
    found = _found(network, strong)
    lookup, classes = (pairs, weights if patient else ()) if len(pairs) else (None, ())
    return Routing(max(1, found.longest), tables, lookup, classes, limitation=_dead_ends(network, found.trapped_pairs))


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
    >>> from planner.network.topology import build
    >>> hoffman_singleton = build("slimfly", q=5)
    >>> reach(Network(hoffman_singleton, np.ones(0, np.int32)))
    Reach(longest=4, trapped_pairs=0)
    """
    topology = network.topology
    chosen = network.used if sources is None else np.asarray(sources, np.int64)
    return Reach(*polarized_reach(topology.indptr, topology.indices, network.distance, chosen, network.used, strong))


def polarized_safe(network: Network) -> bool:
    """Return whether no polarized route ends before its target."""
    return reach(network).trapped_pairs == 0


def _found(network: Network, strong: bool) -> Reach:
    """Return `reach` if computing it takes only seconds, else a bound of the hops without dead ends."""
    topology = network.topology
    finite = network.distance[:, network.used]
    diameter = int(finite[finite < UNREACHED].max())
    whole = topology.degree.min() == topology.degree.max()
    if topology.family in ("torus", "hypercube", "hyperx") and whole:
        return Reach(2 * diameter, 0)
    words = topology.router_count * len(topology.indices) * -(-topology.router_count // 64) * 3 * diameter
    if words <= _EXACT_WORDS:
        return reach(network, strong=strong)
    return Reach(3 * diameter if strong else max(3, 5 * diameter - 3), 0)


def _dead_ends(network: Network, trapped_pairs: int) -> str:
    pairs = sum(len(used) * (len(used) - 1) for used in network.used_by_plane)
    found = f"polarized: routes of {trapped_pairs:,} of {pairs:,} router pairs lead into dead ends"
    return f"{found}, from which packets are routed minimally" if trapped_pairs else ""


@always_inlined
def _mask(pairs, router, other, first, words):
    """Return the mask of at most 63 ports that begins at a word of a pair."""
    mask = np.int64(pairs[router, other, first])
    return mask | np.int64(pairs[router, other, first + 1]) << 32 if words == 2 else mask


@always_inlined
def _growing(router, source, target, tables):
    """Return port masks: μ grows by 2, by 1, and stays while C2 or C3 holds."""
    pairs = tables.pairs
    words = pairs.shape[2] // 2
    back, from_source = _mask(pairs, router, source, 0, words), _mask(pairs, router, source, words, words)
    toward, away = _mask(pairs, router, target, 0, words), _mask(pairs, router, target, words, words)
    nearer = pairs[router, source, 2 * words] < pairs[router, target, 2 * words]
    stays = from_source & away if nearer else back & toward
    return (
        from_source & toward,
        (from_source & ~(toward | away)) | (toward & ~(back | from_source)),
        np.int64(0) if tables.strong else stays,
    )


@always_inlined
def _classes(router, source, target, tables):
    """Return all candidates as port masks: growth of μ equal to the best, 1 less and 2 less; the first is 0 at a dead end."""
    by_two, by_one, stays = _growing(router, source, target, tables)
    if by_two == 0:
        return (by_one, stays, np.int64(0)) if by_one else (stays, np.int64(0), np.int64(0))
    return by_two, by_one, stays


@always_inlined
def _offer_masks(best, second, third, channel, weights, found):
    """Offer the ports of three masks with their weights; return their number."""
    ports, count = best | second | third, 0
    while ports:
        port = lowest_bit(ports)
        ports &= ports - 1
        less = 0 if (best >> port) & 1 else 1 if (second >> port) & 1 else 2
        count = offer(found, count, port, channel, weights[less])
    return count


@always_inlined
def _offer_by_hops(router, source, target, channel, tables, found):
    """Offer the candidates with their weights, from the hops of all neighbors; return their number."""
    distance = tables.distance
    off, left = np.int64(distance[source, router]), np.int64(distance[target, router])
    count, best = 0, 0
    for port in range(tables.neighbor.shape[1]):
        neighbor = tables.neighbor[router, port]
        step = np.int64(distance[source, neighbor]) - off
        growth = step - np.int64(distance[target, neighbor]) + left
        if growth > 0 or (tables.strong == 0 and growth == 0 and step != 0 and (step > 0) == (off < left)):
            best = max(best, growth)  # type: ignore[assignment]  # compiled: both are int64
            count = offer(found, count, port, channel, growth)
    for i in range(count):
        found[i].penalty = tables.weights[best - found[i].penalty]
    return count


@always_inlined
def _offer_minimal(router, target, channel, tables, found):
    """Offer the minimal ports, with the label of a packet that met a dead end; return their number."""
    distance, count = tables.distance, 0
    for port in range(tables.neighbor.shape[1]):
        if distance[target, tables.neighbor[router, port]] < distance[target, router]:
            count = offer(found, count, port, channel, label=1)
    return count


@routing_function
def candidates(here: Here, packet: Packet, tables: Tables, found):
    """Offer the polarized ports of the packet, or the minimal ports after a dead end."""
    router, source, target, hops = here.router, packet.source_router, packet.target_router, packet.hops
    count = 0
    if packet.label == 0:
        if len(tables.pairs):
            best, second, third = _classes(router, source, target, tables)
            if best and here.by_class:
                offer_class(found, 0, best, hops)
                offer_class(found, 1, second, hops)
                offer_class(found, 2, third, hops)
                return BY_CLASS
            count = _offer_masks(best, second, third, hops, tables.weights, found)
        else:
            count = _offer_by_hops(router, source, target, hops, tables, found)
        for i in range(count):
            found[i].penalty += queued(here, found[i].port, hops) * here.packet_phits
            if tables.patient and is_entered(here, found[i].port, hops):
                found[i].penalty = NOT_NOW
        if tables.patient:
            wait_for_lowest(count, found)
    if count == 0:
        count = _offer_minimal(router, target, hops, tables, found)
    return count
