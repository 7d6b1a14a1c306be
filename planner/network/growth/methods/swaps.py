"""Swaps: routers join one by one, each in the middle of random links, as a Jellyfish grows."""

from __future__ import annotations

from typing import Annotated

import numpy as np
from annotated_types import Ge

from planner.core import seeds
from planner.core.errors import Infeasible
from planner.domain.model import Topology
from planner.network.growth.links.random import Network
from planner.network.growth.methods.block import sizes
from planner.network.growth.naming import extended

_DRAWS = 10_000
"""Random links tried for one swap."""


def grow(
    old: Topology,
    target: Topology | None = None,
    *,
    routers: Annotated[int, Ge(1)] | None = None,
    degree: Annotated[int, Ge(1)] | None = None,
    choices: Annotated[int, Ge(1)] = 8,
    seed: Annotated[int, Ge(0)] = 1,
) -> Topology:
    """Return any network grown router by router: a random link (u, v) becomes (u, x), (x, v) until x has one free port or none.

    Free ports of other routers are used first. Links that earlier routers of the step brought are taken out like any other.

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
    choices
        Random links per swap, of which the one whose ends share the minimum of neighbors with the new router is taken.
    seed
        Seed of the random choices.

    Raises
    ------
    Infeasible
        When a router cannot be joined.

    References
    ----------
    .. [1] A. Singla, C.-Y. Hong, L. Popa, B. Godfrey, "Jellyfish: networking data centers randomly", NSDI 2012.
    """
    total, links = sizes(old, target, routers, degree)
    draw = seeds.stream(seed, "growth.swaps")
    free = np.concatenate([np.maximum(0, links - old.degree), np.zeros(total - old.router_count, np.int64)])
    network = Network(old.links, free)
    idle = set(np.flatnonzero(free).tolist())
    for router in range(old.router_count, total):
        network.free[router] = links
        for other in draw.permutation(sorted(idle)).tolist()[:links]:
            network.join(int(other), router)
            if not network.free[other]:
                idle.discard(other)
        while network.free[router] > 1:
            network.insert(_link(network, router, choices, draw), router)
        if network.free[router]:
            idle.add(router)
    return extended(old, total, np.array(network.links), params={"routers": total, "degree": links, "choices": choices})


def _link(network: Network, router: int, choices: int, draw: np.random.Generator) -> int:
    """Return the link to take out: of some that may be, the one whose ends share the minimum of neighbors with the router."""
    found: list[tuple[int, int]] = []
    near = network.near[router]
    for number in draw.integers(len(network.links), size=_DRAWS).tolist():
        if network.may_insert(number, router):
            shared = sum(len(network.near[end] & near) for end in network.links[number])
            found.append((shared, number))
            if len(found) == choices:
                break
    if not found:
        raise Infeasible(
            f"router {router} of {network.free[router]} free ports finds no link to join; use fewer links per router"
        )
    return min(found, key=lambda pair: pair[0])[1]
