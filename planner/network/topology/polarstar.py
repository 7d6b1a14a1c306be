"""PolarStar: star products of polarity graphs with supernodes, diameter 3."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Annotated, Any, Literal, NamedTuple

import numpy as np
from annotated_types import Ge

from planner.domain.model import Topology
from planner.network.topology.construction.field import prime_power, require_prime_power
from planner.network.topology.construction.graph import from_links, nearest_where, require, third
from planner.network.topology.construction.limits import EndpointsPerRouter, require_size
from planner.network.topology.construction.products import (
    Supernode,
    cayley,
    complete,
    inductive_quad,
    matrix_bytes,
    paley,
    polarity_clusters,
    polarity_graph,
    star,
    tournament,
)

EXAMPLE = {"q": 3, "supernode_degree": 3}
"""A small instance, for tests and pictures."""


def build(
    q: int,
    supernode_degree: Annotated[int, Ge(0)],
    supernode: Literal["iq", "paley", "tournament", "cayley", "complete"] = "iq",
    endpoints_per_router: EndpointsPerRouter | None = None,
    supernode_routers: Annotated[int, Ge(2)] | None = None,
) -> Topology:
    """Build PolarStar ER_q * G' of radix q + 1 + d'.

    Router (x, a) has id x * n' + a, where x is a point of ER_q and a a vertex of the supernode.
    Adjacent supernodes share a bundle of n' links. Ports: links inside the supernode first.

    Parameters
    ----------
    q
        A prime power: the order of the polarity graph, with q² + q + 1 supernodes.
    supernode_degree
        Maximum degree of the supernode, d'.
    supernode
        ``iq`` (Inductive-Quad): n' = 2d' + 2, d' is 0 or 3 modulo 4. ``paley``: n' = 2d' + 1, a prime
        power that is 1 modulo 4. ``tournament``: n' = 2d' for any d' of at least 1. ``cayley``: n' = 2d', a
        power of 2. ``complete``: n' = d' + 1.
    endpoints_per_router
        By default a third of the radix, rounded.
    supernode_routers
        Routers installed in each supernode, an even number; by default all. They are the first f-pairs {a, f(a)}, for a supernode
        whose f is its own inverse, Inductive-Quad or tournament: property R* is one of pairs, so that the diameter is 3 with
        any number of them, and a pair that is added later moves no cable.

    Raises
    ------
    InputError
        When q or the supernode's degree are not valid; the message names the nearest valid ones.

    Notes
    -----
    Table 3 of the paper prints 993 routers for its PolarStar with Paley supernodes; q = 8, d' = 6
    gives 949. A loop of ER_q gives each nonzero vertex of a Paley supernode one new link, so the
    q + 1 routers (quadric, 0) have one link fewer than the radix.

    References
    ----------
    .. [1] K. Lakhotia et al., "PolarStar: expanding the horizon of diameter-3 networks", SPAA 2024, sections 5–7.

    Examples
    --------
    >>> network = build(q=11, supernode_degree=3)
    >>> network.router_count, network.link_count
    (1064, 7980)
    """
    size = _KINDS[supernode].order(supernode_degree)
    routers = (q * q + q + 1) * size
    link_count = routers * (q + 1 + supernode_degree) // 2
    require_size("q and supernode_degree", routers, link_count, scratch_bytes=matrix_bytes(q) + 50 * size * size)
    require_prime_power(q)
    inner = _supernode(supernode, supernode_degree)
    vertex = np.arange(inner.size)
    if supernode_routers is not None:
        inner, vertex = _installed(inner, supernode_routers)
    outer = polarity_graph(q)
    count = len(outer.points) * inner.size
    links = star(len(outer.points), outer.links, outer.quadrics, inner)
    local = links[:, 0] // inner.size == links[:, 1] // inner.size
    router = np.arange(count)
    radix = q + 1 + supernode_degree
    return from_links(
        "polarstar",
        {"q": q, "supernode_degree": supernode_degree, "supernode": supernode, "endpoints_per_router": endpoints_per_router}
        | ({"supernode_routers": supernode_routers} if supernode_routers else {}),
        count,
        links,
        endpoints=third(radix) if endpoints_per_router is None else endpoints_per_router,
        link_class=np.where(local, 0, 1),
        link_class_names=("in supernode", "between supernodes"),
        group=np.column_stack([router // inner.size, polarity_clusters(outer)[router // inner.size]]),
        group_names=("supernode", "cluster"),
        coords=np.column_stack([outer.points[router // inner.size], vertex[router % inner.size]]),
        coord_names=("x", "y", "z", "vertex"),
        port_key=np.repeat(np.where(local, 0, 1)[:, None], 2, axis=1),
    )


def configurations(radix: int) -> Iterator[dict[str, Any]]:
    """Yield every PolarStar of a radix with Inductive-Quad or Paley supernodes, the paper's design space, without building."""
    for q in range(2, radix):
        degree = radix - q - 1
        kinds = [("iq", 2 * degree + 2)] if degree % 4 in (0, 3) else []
        if degree and degree % 2 == 0 and prime_power(2 * degree + 1):
            kinds.append(("paley", 2 * degree + 1))
        for supernode, size in kinds if prime_power(q) else ():
            routers = (q * q + q + 1) * size
            yield {
                "parameters": {"q": q, "supernode_degree": degree, "supernode": supernode},
                "routers": routers,
                "endpoints": routers * third(radix),
                "diameter": 3,
            }


def embed(old: Topology, target: Topology) -> np.ndarray | None:
    """Return the router of a larger PolarStar for each router of one with the same q, int64 (R,); None if it has none.

    Inductive-Quad supernodes grow by quads: IQ_0 is an f-pair of any other, and IQ_3 a quad of IQ_4, so that their star products
    are inside each other with all their links.
    """
    if (
        old.family != "polarstar"
        or old.params["q"] != target.params["q"]
        or old.params["supernode"] != target.params["supernode"]
    ):
        return None
    degree, wanted = (network.params["supernode_degree"] for network in (old, target))
    vertex = old.coords[:, 3].astype(np.int64)
    if degree != wanted:
        if old.params["supernode"] != "iq" or degree > wanted:
            return None
        # Vertices of the first quad are 0 to 7, of the first pair 0 and 1; quads that are appended follow.
        if degree % 4 == 0 and wanted % 4 == 3:
            vertex = np.where(vertex < 2, 4 * vertex, vertex + 6)
        elif degree % 4 == 3 and wanted % 4 == 0:
            vertex = vertex + 2
    place = {tuple(at): router for router, at in enumerate(target.coords.tolist())}
    found = [place.get((*point, a), -1) for point, a in zip(old.coords[:, :3].tolist(), vertex.tolist(), strict=True)]
    return None if -1 in found else np.array(found, np.int64)


class _Kind(NamedTuple):
    """A kind of supernode: its constructor, its order by degree, the valid degrees, and the message for others."""

    make: Callable[[int], Supernode]
    order: Callable[[int], int]
    valid: Callable[[int], bool]
    wrong: str


_KINDS = {
    "iq": _Kind(inductive_quad, lambda d: 2 * d + 2, lambda d: d % 4 in (0, 3), "is neither 0 nor 3 modulo 4"),
    "paley": _Kind(
        lambda d: paley(2 * d + 1),
        lambda d: 2 * d + 1,
        lambda d: d > 0 and d % 2 == 0 and prime_power(2 * d + 1) is not None,
        "times 2 plus 1 is no prime power 1 modulo 4",
    ),
    "tournament": _Kind(tournament, lambda d: 2 * d, lambda d: d >= 1, "is below 1"),
    "cayley": _Kind(
        lambda d: cayley(2 * d), lambda d: 2 * d, lambda d: d >= 2 and d & (d - 1) == 0, "is no power of 2 from 2 on"
    ),
    "complete": _Kind(lambda d: complete(d + 1), lambda d: d + 1, lambda d: True, ""),
}


def _installed(whole: Supernode, routers: int) -> tuple[Supernode, np.ndarray]:
    """Return the part of a supernode on its first f-pairs, and the vertices of these, ascending, int64 (routers,)."""
    place = "supernode_routers"
    paired = bool((whole.f[whole.f] == np.arange(whole.size)).all() and (whole.f != np.arange(whole.size)).all())
    require(paired, place, "f of this supernode does not form pairs", 'use supernode = "iq" or "tournament", or all routers')
    fits = routers % 2 == 0 and routers <= whole.size
    require(fits, place, f"{routers} is no even number of at most {whole.size}", f"nearest: {min(routers // 2 * 2, whole.size)}")
    first = np.flatnonzero(np.arange(whole.size) < whole.f)[: routers // 2]
    vertex = np.sort(np.concatenate([first, whole.f[first]]))
    number = np.full(whole.size, -1)
    number[vertex] = np.arange(routers)
    links = number[whole.links]
    return Supernode(routers, links[(links >= 0).all(axis=1)], number[whole.f[vertex]]), vertex


def _supernode(kind: str, degree: int) -> Supernode:
    made = _KINDS[kind]
    remedy = nearest_where(degree, made.valid, 0)
    require(made.valid(degree), "supernode_degree", f"{degree} {made.wrong}, as {kind} needs", remedy)
    return made.make(degree)
