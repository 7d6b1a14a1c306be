"""Galaxyfly: complete supernodes on a diameter-2 graph of clusters, between a dragonfly and a Slim Fly."""

from __future__ import annotations

from typing import Annotated

import numpy as np
from annotated_types import Ge

from planner.domain.model import Topology
from planner.network.topology.construction.field import field, require_prime_power
from planner.network.topology.construction.graph import from_links, third
from planner.network.topology.construction.limits import EndpointsPerRouter, require_size
from planner.network.topology.slimfly import generator_sets

EXAMPLE = {"clusters": 3, "q": 4, "a": 2}
"""A small instance, for tests and pictures."""


def build(
    clusters: Annotated[int, Ge(2)],
    q: int,
    a: Annotated[int, Ge(1)],
    endpoints_per_router: EndpointsPerRouter | None = None,
) -> Topology:
    """Build a Galaxyfly of `clusters` clusters with q supernodes of `a` routers each: diameter at most 5.

    The supernodes of a cluster are the elements of GF(q), linked where they differ by an element of
    the generator set X of the MMS graphs. Supernode r of cluster i is linked to supernode r/ξ of every
    later cluster j > i, where ξ generates GF(q). Since X and ξX together hold every nonzero
    element, any two supernodes are at most two such links apart. The routers of a supernode are
    fully linked and take its outside links round-robin, ordered by the far supernode.

    Router r of supernode x in cluster c has id (cq + x)a + r. Ports inside the supernode come first.

    Parameters
    ----------
    clusters
        Number of clusters.
    q
        A prime power of at least 3; with q = 1 the network would be a dragonfly.
    a
        Routers per supernode.
    endpoints_per_router
        By default a third of the radix, rounded.

    Raises
    ------
    InputError
        When q is not a prime power of at least 3.

    Notes
    -----
    The rules are those of the paper's algorithms 1 to 3 as implemented in a public program; the assignment of outside
    links to routers is our choice.

    References
    ----------
    .. [1] F. Lei, D. Dong, X. Liao, X. Su, C. Li, "Galaxyfly: a novel family of flexible-radix low-diameter topologies for
           large-scales interconnection networks", ICS 2016.

    Examples
    --------
    >>> build(clusters=4, q=5, a=3).router_count
    60
    """
    supernode_links = clusters * q * (q // 4 + clusters) // 2
    link_count = supernode_links + clusters * q * a * (a - 1) // 2
    require_size("clusters, q and a", clusters * q * a, link_count, scratch_bytes=50 * q * q, steps=3 * clusters * clusters)
    require_prime_power(q, lowest=3, meaning="a prime power of at least 3")
    outside = _supernode_links(clusters, q)
    supernodes = clusters * q
    ends = _spread(outside, supernodes, a)
    inside = (np.arange(supernodes)[:, None, None] * a + np.column_stack(np.triu_indices(a, 1))).reshape(-1, 2)
    links = np.concatenate([inside, ends])
    far_cluster = outside[:, 0] // q != outside[:, 1] // q
    router = np.arange(supernodes * a)
    radix = int(np.bincount(links.ravel()).max())
    return from_links(
        "galaxyfly",
        {"clusters": clusters, "q": q, "a": a, "endpoints_per_router": endpoints_per_router},
        len(router),
        links,
        endpoints=third(radix) if endpoints_per_router is None else endpoints_per_router,
        link_class=np.concatenate([np.zeros(len(inside), int), np.where(far_cluster, 2, 1)]),
        link_class_names=("in supernode", "in cluster", "between clusters"),
        group=np.column_stack([router // a, router // (a * q)]),
        group_names=("supernode", "cluster"),
        coords=np.column_stack([router // (a * q), router // a % q, router % a]),
        coord_names=("cluster", "supernode", "router"),
        port_key=np.repeat([[0, 0], [1, 1]], [len(inside), len(ends)], axis=0),
    )


def _supernode_links(clusters: int, q: int) -> np.ndarray:
    """Links between supernodes cq + x, int64 (N, 2)."""
    gf = field(q)
    r, s = np.nonzero(np.triu(np.isin(gf.sub, generator_sets(q)[0])))
    parts = [np.column_stack([c * q + r, c * q + s]) for c in range(clusters)]
    element = np.arange(q)
    divided = gf.mul[gf.inv[gf.power[1]]]
    for i in range(clusters):
        parts += [np.column_stack([i * q + element, j * q + divided]) for j in range(i + 1, clusters)]
    return np.concatenate(parts)


def _spread(outside: np.ndarray, supernodes: int, a: int) -> np.ndarray:
    """Assign the links of each supernode to its routers round-robin, ordered by the far supernode; int64 (N, 2)."""
    owner, far = outside.T.ravel(), outside[:, ::-1].T.ravel()
    order = np.lexsort((far, owner))
    start = np.searchsorted(owner[order], np.arange(supernodes))
    turn = np.empty(len(owner), np.int64)
    turn[order] = (np.arange(len(owner)) - start[owner[order]]) % a
    return np.column_stack([outside[:, 0] * a + turn[: len(outside)], outside[:, 1] * a + turn[len(outside) :]])
