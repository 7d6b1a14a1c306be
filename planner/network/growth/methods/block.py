"""Block: new routers wired densely among themselves, then joined to the old network by swaps of its links."""

from __future__ import annotations

import heapq
import math
from typing import Annotated

import numpy as np
from annotated_types import Ge

from planner.core import seeds
from planner.core.errors import Infeasible
from planner.domain.model import Topology
from planner.network.growth.links.random import Network, fill
from planner.network.growth.naming import extended
from planner.network.topology import build

_SLACK = 1.25
"""Eigenvalue of the cut between old and new routers, over that of the best expanders; with less, the cut is the bottleneck."""


def grow(
    old: Topology,
    target: Topology | None = None,
    *,
    routers: Annotated[int, Ge(1)] | None = None,
    degree: Annotated[int, Ge(1)] | None = None,
    inside: Annotated[int, Ge(0)] | None = None,
    seed: Annotated[int, Ge(0)] = 1,
) -> Topology:
    """Return any network grown by a block of routers.

    The new routers are wired as a random `inside`-regular graph. Their other ports are joined first to free ports of old
    routers, and then by swaps: an old link is taken out, and both of its ends are joined to a new router. Links that have been
    added are never taken out again.

    Parameters
    ----------
    old
        The network, of any family.
    target
        Network of the wanted size; its routers and links per router are used if they are not given.
    routers
        Routers of the grown network.
    degree
        Links of each new router, and maximum links of an old one; by default the maximum of the target, or of the old network.
    inside
        Links of a new router to other new ones; by default `links_inside`.
    seed
        Seed of the random choices.

    Raises
    ------
    Infeasible
        When the new routers cannot be joined.

    References
    ----------
    .. [1] A. Singla, C.-Y. Hong, L. Popa, B. Godfrey, "Jellyfish: networking data centers randomly", NSDI 2012 (swaps).
    .. [2] W. Haemers, "Interlacing eigenvalues and graphs", Linear Algebra and its Applications 226–228, 1995 (quotient matrix).

    Examples
    --------
    >>> grown = grow(build("jellyfish", routers=50, degree=8), routers=70)
    >>> grown.router_count, set(grown.degree.tolist())
    (70, {8})
    """
    total, links = sizes(old, target, routers, degree)
    added = total - old.router_count
    own = links_inside(links, old.router_count, added) if inside is None else inside
    if own >= added and own:
        raise Infeasible(f"{added} new routers have at most {added - 1} links each among themselves, not {own}")
    draw = seeds.stream(seed, "growth.block")
    fresh = np.arange(old.router_count, total)
    network = Network(old.links, np.concatenate([np.maximum(0, links - old.degree), np.full(added, links)]))
    if own:
        for a, b in (_regular(added, own, seed) + old.router_count).tolist():
            network.join(a, b)
    first = len(network.links)
    free_old = sum(network.free[: old.router_count])
    if free_old:
        fill(network, np.arange(old.router_count), draw, first, fresh)
    _swaps(network, old, fresh.tolist(), draw)
    _last_ports(network, fresh.tolist())
    if free_old:
        fill(network, np.arange(old.router_count), draw, len(network.links))
    return extended(old, total, np.array(network.links), params={"routers": total, "degree": links, "inside": own})


def sizes(old: Topology, target: Topology | None, routers: int | None, degree: int | None) -> tuple[int, int]:
    """Return routers and links per router of a grown network."""
    if routers is not None:
        total = routers
    elif target is not None:
        total = target.router_count
    else:
        raise Infeasible("growth needs the number of routers, or a target")
    if total < old.router_count:
        raise Infeasible(
            f"{total} routers are fewer than the {old.router_count} of the old network; to take routers out, use shrink"
        )
    return total, int((old if target is None else target).degree.max(initial=0)) if degree is None else degree


def links_inside(degree: int, old: int, added: int) -> int:
    """Return the links of a new router to other new ones at which no quality is lost.

    The cut between `old` and `added` routers has the eigenvalue (degree - inside)(1 + added/old) of the quotient matrix; it
    has to be 1.25 times degree - 2 sqrt(degree - 1), that of the best expanders. The other links of a router are an even number.

    >>> links_inside(16, 500, 200), links_inside(36, 1000, 400), links_inside(8, 256, 64)
    (8, 14, 4)
    """
    needed = _SLACK * (degree - 2 * math.sqrt(max(degree - 1, 0)))
    for inside in range(min(degree, added - 1), -1, -1):
        if (degree - inside) % 2 == 0 and inside * added % 2 == 0 and (degree - inside) * (1 + added / old) >= needed:
            return inside
    return 0


def _regular(routers: int, degree: int, seed: int) -> np.ndarray:
    if degree == routers - 1:
        return np.column_stack(np.triu_indices(routers, 1))
    if degree == 1:
        return np.arange(routers // 2 * 2).reshape(-1, 2)
    return build("jellyfish", routers=routers, degree=degree, graph_seed=seed, endpoints_per_router=0).links.astype(np.int64)


def _swaps(network: Network, old: Topology, fresh: list[int], draw: np.random.Generator) -> None:
    """Bring in pairs of free ports of the new routers in turn, on old links whose routers lost the smallest number of ports."""
    order = draw.permutation(old.link_count).tolist()
    lost = [0] * old.router_count
    # Old links by the ports that their ends lost; entries are brought up to date when they are reached.
    queue = [(0, rank, number) for rank, number in enumerate(order)]
    waiting = [
        router for turn in range(max(network.free[r] for r in fresh) // 2) for router in fresh if network.free[router] // 2 > turn
    ]
    for router in waiting:
        skipped = []
        while queue:
            loss, rank, number = heapq.heappop(queue)
            a, b = network.links[number]
            if loss < lost[a] + lost[b]:
                heapq.heappush(queue, (lost[a] + lost[b], rank, number))
            elif network.may_insert(number, router):
                network.insert(number, router)
                lost[a] += 1
                lost[b] += 1
                break
            else:
                skipped.append((loss, rank, number))
        else:
            raise Infeasible(f"{len(fresh)} new routers cannot be joined to {old.link_count} old links; raise `inside`")
        for entry in skipped:
            heapq.heappush(queue, entry)


def _last_ports(network: Network, fresh: list[int]) -> None:
    """Join the single free ports of new routers to each other where they may be."""
    single = [router for router in fresh if network.free[router]]
    for k, a in enumerate(single):
        b = next((b for b in single[k + 1 :] if network.free[b] and network.may_join(a, b)), None)
        if network.free[a] and b is not None:
            network.join(a, b)
