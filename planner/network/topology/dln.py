"""DLN: a ring with random matchings, so that every router has a few random shortcuts."""

from __future__ import annotations

from typing import Annotated

import numpy as np
from annotated_types import Ge

from planner.core import seeds
from planner.core.errors import Infeasible
from planner.domain.model import Topology
from planner.network.topology.construction.graph import from_links, require
from planner.network.topology.construction.limits import EndpointsPerRouter, require_size

EXAMPLE = {"routers": 24, "matchings": 2}
"""A small instance, for tests and pictures."""

_TRIALS = 200


def build(
    routers: Annotated[int, Ge(4)],
    matchings: Annotated[int, Ge(0)],
    graph_seed: Annotated[int, Ge(0)] = 1,
    endpoints_per_router: EndpointsPerRouter = 1,
) -> Topology:
    """Build a ring of an even number of routers plus `matchings` random perfect matchings without repeated links.

    Router i is linked to i ± 1; ports 1 and 2 are the ring, the others the matchings in order.

    Parameters
    ----------
    routers
        An even number.
    matchings
        Random shortcuts of each router; the degree is 2 + matchings.
    graph_seed
        Draws the matchings.
    endpoints_per_router
        One by default.

    Raises
    ------
    InputError
        When the number of routers is odd, or `matchings` is too large.
    Infeasible
        When no matching without repeated links was found.

    References
    ----------
    .. [1] M. Koibuchi, H. Matsutani, H. Amano, D. Hsu, H. Casanova, "A case for random shortcut topologies for HPC
           interconnects", ISCA 2012.

    Examples
    --------
    >>> set(build(routers=256, matchings=6).degree.tolist())
    {8}
    """
    require(
        routers % 2 == 0,
        "routers",
        f"{routers} is odd; matchings need an even number",
        f"nearest: {routers - 1} and {routers + 1}",
    )
    limit = routers - 3
    require(matchings <= limit, "matchings", f"{matchings} exceeds the number of disjoint matchings", f"use at most {limit}")
    # Each matching must avoid the links of earlier ones, which takes longer the fewer pairs are left.
    scarce = 1 + routers // (routers - 2 - matchings)
    steps = routers * matchings * (matchings + 8) // 8 * scarce
    require_size(
        "routers and matchings", routers, routers * (2 + matchings) // 2, scratch_bytes=100 * routers * matchings, steps=steps
    )
    draw = seeds.stream(graph_seed, "topology.dln")
    ring = np.column_stack([np.arange(routers), (np.arange(routers) + 1) % routers])
    taken = {(min(a, b), max(a, b)) for a, b in ring.tolist()}
    parts, ports = [ring], [np.tile([0, 1], (routers, 1))]
    for number in range(matchings):
        matching = _matching(routers, taken, draw)
        taken |= set(map(tuple, matching.tolist()))
        parts.append(matching)
        ports.append(np.full((len(matching), 2), 2 + number))
    return from_links(
        "dln",
        {"routers": routers, "matchings": matchings, "graph_seed": graph_seed, "endpoints_per_router": endpoints_per_router},
        routers,
        np.concatenate(parts),
        endpoints=endpoints_per_router,
        link_class=np.repeat([0, 1], [routers, matchings * routers // 2]),
        link_class_names=("ring", "matching"),
        port_key=np.concatenate(ports),
    )


def _matching(routers: int, taken: set[tuple[int, int]], draw: np.random.Generator) -> np.ndarray:
    """A random perfect matching that repeats no link, int64 (R / 2, 2): random pairs, then swaps until none repeats."""
    for _ in range(_TRIALS):
        pairs = np.sort(draw.permutation(routers).reshape(-1, 2), axis=1).tolist()
        for _ in range(200 * routers):
            bad = next((n for n, pair in enumerate(pairs) if tuple(pair) in taken), None)
            if bad is None:
                return np.array(pairs)
            other = int(draw.integers(len(pairs)))
            if other != bad:
                (a, b), (c, e) = pairs[bad], pairs[other]
                new = [sorted((a, c)), sorted((b, e))]
                if tuple(new[1]) not in taken or tuple(pairs[other]) in taken:
                    pairs[bad], pairs[other] = new
    raise Infeasible(f"dln: no further matching of {routers} routers without repeated links was found; use fewer matchings")


def grow(topology: Topology, routers: Annotated[int, Ge(1)], graph_seed: Annotated[int, Ge(0)] = 1) -> Topology:
    """Return the network with further routers, each in the middle of a link of the ring, two of them on a link of each matching.

    A router breaks one link of the ring and half a link of each matching.

    Parameters
    ----------
    topology
        A ring with random matchings, or one that has grown.
    routers
        Routers of the grown network, an even number.
    graph_seed
        Draws the places.

    Raises
    ------
    InputError
        When the number of routers is odd or not larger.
    Infeasible
        When no matching without repeated links was found.

    References
    ----------
    .. [1] A. Singla, C.-Y. Hong, L. Popa, B. Godfrey, "Jellyfish: networking data centers randomly", NSDI 2012 (swaps).
    """
    old = topology.router_count
    require(routers % 2 == 0 and routers >= old, "routers", f"{routers} is no even number from {old} on", f"use {old + 2}")
    draw = seeds.stream(graph_seed, "topology.dln.grow")
    fresh = np.arange(old, routers)
    ring = topology.links[topology.link_class == 0].astype(np.int64)
    broken = draw.permutation(len(ring))[: len(fresh)]
    require(
        len(broken) == len(fresh), "routers", f"{routers} are more than twice {old}", f"use at most {2 * old}, in several steps"
    )
    parts = [
        np.delete(ring, broken, axis=0),
        np.column_stack([ring[broken, 0], fresh]),
        np.column_stack([fresh, ring[broken, 1]]),
    ]
    ports = [np.tile([0, 1], (sum(map(len, parts)), 1))]
    taken = {(min(a, b), max(a, b)) for part in parts for a, b in part.tolist()}
    for number in range(topology.params["matchings"]):
        ends = topology.indices[topology.indptr[:-1] + 2 + number]
        matching = np.column_stack([np.arange(old), ends])[np.arange(old) < ends].astype(np.int64)
        matching = _entered(matching, fresh, taken, draw)
        parts.append(matching)
        ports.append(np.full((len(matching), 2), 2 + number))
        taken |= {(min(a, b), max(a, b)) for a, b in matching.tolist()}
    links = np.concatenate(parts)
    return from_links(
        "dln",
        topology.params | {"routers": routers},
        routers,
        links,
        endpoints=topology.params["endpoints_per_router"],
        link_class=(np.arange(len(links)) >= routers).astype(int),
        link_class_names=topology.link_class_names,
        port_key=np.concatenate(ports),
    )


def _entered(matching: np.ndarray, fresh: np.ndarray, taken: set[tuple[int, int]], draw: np.random.Generator) -> np.ndarray:
    """A matching that two new routers at a time have entered: a random link (u, v) of it becomes (u, x), (y, v)."""
    pairs, order = matching.tolist(), draw.permutation(len(matching)).tolist()
    added: list[list[int]] = []
    mixed = draw.permutation(fresh).tolist()
    for x, y in zip(mixed[::2], mixed[1::2], strict=True):
        for number in order:
            u, v = pairs[number]
            if (min(u, x), max(u, x)) not in taken and (min(v, y), max(v, y)) not in taken:
                break
        else:
            raise Infeasible("dln: no link of a matching was found for a new router; add fewer routers at a time")
        order.remove(number)
        pairs[number] = [u, x]
        added.append([v, y])
    return np.array(pairs + added)
