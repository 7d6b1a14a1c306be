"""Port tables by target router or group, for `planner.kernels.routing.steps`."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from planner.core.errors import InputError, Problem
from planner.domain.model import Topology
from planner.kernels.graph.bfs import UNREACHED
from planner.kernels.routing import steps
from planner.simulation.network import NO_NEIGHBOR, Network, Routing


def refuse(topology: Topology, routing: str, families: str, remedy: str) -> None:
    """Raise InputError: this routing does not support this family."""
    raise InputError(Problem("routing", f"{routing} supports {families}, not {topology.family}", remedy))


def require_family(topology: Topology, routing: str, *families: str, remedy: str = "use minimal") -> None:
    """Raise InputError unless the topology belongs to one of the families."""
    if topology.family not in families:
        refuse(topology, routing, " and ".join(families), remedy)


def words(topology: Topology) -> int:
    """Return the 32-bit words of a port mask."""
    return max(1, -(-int(topology.degree.max(initial=0)) // 32))


def neighbors(network: Network) -> np.ndarray:
    """Return the neighbor at each port, the router itself if there is none: uint32 (R, degree)."""
    table = network.neighbors
    return np.where(table == NO_NEIGHBOR, np.arange(len(table), dtype=np.uint32)[:, None], table)


def masks(topology: Topology, targets: int, leads: Callable[[int, int, int], np.ndarray]) -> np.ndarray:
    """Return port masks, uint32 (R, targets, words); ``leads(router, entry, neighbor)`` selects the targets of a port."""
    table = np.zeros((topology.router_count, targets, words(topology)), np.uint32)
    for router in range(topology.router_count):
        for port, entry in enumerate(range(topology.indptr[router], topology.indptr[router + 1])):
            bit = np.uint32(1 << (port % 32))
            table[router, leads(router, entry, int(topology.indices[entry])), port // 32] |= bit
    return table


def hops_by(table: np.ndarray, topology: Topology, reached: np.ndarray) -> np.ndarray:
    """Return hops along masks, uint8 (R, targets), the longest path if they differ; `reached`: bool, router is at the target.

    255 if the masks do not lead to the target.
    """
    hops = np.where(reached, 0, UNREACHED).astype(np.int64)
    router = np.repeat(np.arange(topology.router_count), topology.degree)
    port = np.arange(len(router)) - topology.indptr[router]
    ports = [(r, p, int(n)) for r, p, n in zip(router.tolist(), port.tolist(), topology.indices, strict=True)]
    for _ in range(UNREACHED):
        before = hops.copy()
        longest = np.full(hops.shape, -1)
        for r, p, n in ports:
            uses = (table[r, :, p // 32] >> np.uint32(p % 32)) & 1 != 0
            longest[r] = np.where(uses, np.maximum(longest[r], before[n]), longest[r])
        hops = np.where(reached, 0, np.where((longest < 0) | (longest >= UNREACHED), UNREACHED, longest + 1))
        if (hops == before).all():
            break
    return hops.astype(np.uint8)


def require_whole(
    network: Network, hops: np.ndarray, routing: str, reason: str = "a cable is missing", remedy: str = "use minimal"
) -> None:
    """Raise InputError if hops (R, R) between routers with endpoints are 255, for a reason such as missing cables."""
    for used in network.used_by_plane:
        cut = np.argwhere(hops[np.ix_(used, used)] == UNREACHED)
        if not len(cut):
            continue
        a, b = used[cut[0]]
        raise InputError(Problem("routing", f"{routing} finds no path from router {a} to {b}: {reason}", remedy))


def ports(table: np.ndarray, *, kinds: np.ndarray | None = None, ladder: int = steps.BY_HOPS) -> steps.Ports:
    """Return the ports toward every target.

    Parameters
    ----------
    table
        Port masks (R, targets, words).
    kinds
        Kind of each port, uint8 (R, degree); not needed for virtual channels by hops.
    ladder
        Rule for the virtual channel.
    """
    degree = 32 * table.shape[2]
    kinds = np.zeros((len(table), degree), np.uint8) if kinds is None else kinds
    return steps.Ports(np.ascontiguousarray(table, np.uint32), kinds, ladder)


def routing(virtual_channels: int, toward: steps.Ports) -> Routing:
    """Return a routing whose only table is the ports toward every target, which alone decides."""
    return Routing(virtual_channels, toward, lookup=toward.mask, by_target=True)


def toward_groups(network: Network, group: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return port masks and hops to every router and group by hop distance: (R, R+G, words) and (R, R+G)."""
    topology, distance = network.topology, network.distance
    count = int(group.max(initial=-1)) + 1
    near = np.stack([distance[:, group == g].min(axis=1) for g in range(count)], axis=1) if count else distance[:, :0]
    table = masks(topology, count, lambda router, entry, neighbor: near[neighbor] < near[router])
    return np.concatenate([network.minimal_ports(), table], axis=1), np.concatenate([distance, near], axis=1)
