"""Bundlefly: star products of Slim Fly graphs with Paley graphs, diameter 3."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from planner.domain.model import Topology
from planner.network.topology import slimfly
from planner.network.topology.construction.field import prime_power, require_prime_power
from planner.network.topology.construction.graph import from_links, third
from planner.network.topology.construction.limits import EndpointsPerRouter, require_size
from planner.network.topology.construction.products import paley, star

EXAMPLE = {"p": 5, "s": 3}
"""A small instance, for tests and pictures."""


def build(p: int, s: int, endpoints_per_router: EndpointsPerRouter | None = None) -> Topology:
    """Build MMS(s) * Paley(p): 2ps² routers of radix (p - 1)/2 + (3s - δ)/2.

    Router (x, a) has id xp + a, where x is a router of Slim Fly(s) and a an element of GF(p).
    Adjacent supernodes share a bundle of p links.

    Parameters
    ----------
    p
        A prime power that is 1 modulo 4.
    s
        A prime power, at least 3.
    endpoints_per_router
        By default a third of the radix, rounded.

    Raises
    ------
    InputError
        When p or s are not valid.

    References
    ----------
    .. [1] F. Lei, D. Dong, X. Liao, J. Duato, "Bundlefly: a low-diameter topology for multicore fiber", ICS 2020.

    Examples
    --------
    >>> build(p=13, s=3).router_count
    234
    """
    require_size("p and s", 2 * p * s * s, p * s * s * (p + 3 * s) // 2, scratch_bytes=50 * p * p)
    require_prime_power(p, "p", lambda v: v % 4 == 1, meaning="a prime power that is 1 modulo 4")
    require_prime_power(s, "s", lowest=3, meaning="a prime power of at least 3")
    outer = slimfly.build(s, 0)
    inner = paley(p)
    links = star(outer.router_count, outer.links.astype(np.int64), np.zeros(0, np.int64), inner)
    local = links[:, 0] // p == links[:, 1] // p
    router = np.arange(outer.router_count * p)
    radix = (p - 1) // 2 + int(outer.degree.max())
    return from_links(
        "bundlefly",
        {"p": p, "s": s, "endpoints_per_router": endpoints_per_router},
        len(router),
        links,
        endpoints=third(radix) if endpoints_per_router is None else endpoints_per_router,
        link_class=np.where(local, 0, 1),
        link_class_names=("in supernode", "between supernodes"),
        group=np.column_stack([router // p, outer.group[router // p, 0]]),
        group_names=("supernode", "group"),
        coords=np.column_stack([outer.coords[router // p], router % p]),
        coord_names=(*outer.coord_names, "vertex"),
        port_key=np.repeat(np.where(local, 0, 1)[:, None], 2, axis=1),
    )


def configurations(radix: int) -> Iterator[dict[str, Any]]:
    """Yield every Bundlefly of a radix without building them."""
    for s in range(3, radix):
        p = 2 * (radix - slimfly.degree_of(s)) + 1
        if prime_power(s) and p > 1 and p % 4 == 1 and prime_power(p):
            routers = 2 * p * s * s
            endpoints = routers * third(radix)
            yield {"parameters": {"p": p, "s": s}, "routers": routers, "endpoints": endpoints, "diameter": 3}
