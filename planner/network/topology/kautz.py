"""Undirected Kautz graph: words without equal adjacent symbols, diameter D."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any

import numpy as np
from annotated_types import Ge

from planner.domain.model import Topology
from planner.network.topology.construction.graph import from_links, simple
from planner.network.topology.construction.limits import EndpointsPerRouter, power, require_size

EXAMPLE = {"d": 2, "diameter": 3}
"""A small instance, for tests and pictures."""


def build(
    d: Annotated[int, Ge(2)], diameter: Annotated[int, Ge(1)], endpoints_per_router: EndpointsPerRouter | None = None
) -> Topology:
    """Build the undirected Kautz graph K(d, D): (d + 1)d^(D-1) routers of degree 2d.

    Routers are the words of length D over an alphabet of d + 1 symbols without equal adjacent symbols, in
    lexicographic order; x1…xD is linked to x2…xD y. The d(d + 1) alternating words have degree
    2d - 1.

    Parameters
    ----------
    d
        Half the maximum degree.
    diameter
        Diameter, D.
    endpoints_per_router
        By default the degree over the diameter, rounded.

    Raises
    ------
    InputError
        When the network is too large to be built.

    Notes
    -----
    Differs from the paper, whose graphs are directed: here a link carries both directions, and the two links between alternating
    words are one.

    References
    ----------
    .. [1] W. Kautz, "Bounds on directed (d, k) graphs", SRI Project 7258, 1968.

    Examples
    --------
    >>> build(d=4, diameter=3).router_count
    80
    """
    count = (d + 1) * power(d, diameter - 1)
    require_size("d and diameter", count, count * d, scratch_bytes=16 * count * min(diameter, 128))
    words = np.arange(d + 1)[:, None]
    for _ in range(diameter - 1):
        symbols = np.tile(np.arange(d), (len(words), 1))
        symbols += symbols >= words[:, -1:]
        words = np.column_stack([np.repeat(words, d, axis=0), symbols.ravel()])
    codes = words @ (d + 1) ** np.arange(diameter - 1, -1, -1)
    last = words[:, -1:]
    following = np.tile(np.arange(d), (count, 1))
    following += following >= last
    target = (codes[:, None] % (d + 1) ** (diameter - 1)) * (d + 1) + following
    links = simple(np.column_stack([np.repeat(np.arange(count), d), np.searchsorted(codes, target.ravel())]))
    return from_links(
        "kautz",
        {"d": d, "diameter": diameter, "endpoints_per_router": endpoints_per_router},
        count,
        links,
        endpoints=round(2 * d / diameter) if endpoints_per_router is None else endpoints_per_router,
        group=words[:, :1],
        group_names=("first symbol",),
        coords=words,
        coord_names=[f"x{n + 1}" for n in range(diameter)],
    )


def configurations(radix: int) -> Iterator[dict[str, Any]]:
    """Yield the Kautz graphs of a degree and at most two million routers without building them.

    All words of two symbols alternate: at diameter 2 the degree is 2d - 1.
    """
    d = (radix + 1) // 2
    diameter = 2 if radix % 2 else 3
    while d > 1 and (routers := (d + 1) * d ** (diameter - 1)) <= 2_000_000:
        endpoints = routers * round(2 * d / diameter)
        yield {"parameters": {"d": d, "diameter": diameter}, "routers": routers, "endpoints": endpoints, "diameter": diameter}
        if radix % 2:
            return
        diameter += 1
