"""Cayley graph of order 253: the largest known network of degree 8 and diameter 3."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from planner.domain.model import Topology
from planner.network.topology.construction.graph import from_links, simple
from planner.network.topology.construction.limits import EndpointsPerRouter

EXAMPLE: dict = {}
"""A small instance, for tests and pictures."""

VERTEX_TRANSITIVE = True
"""A Cayley graph. Vertex-transitive, so metrics start from a single router."""

_GENERATORS = ((9, 6), (9, 2), (4, 10), (1, 6), (11, 5), (15, 9), (15, 1), (14, 5))
"""Closed under inverse; found by random search over symmetric sets, diameter checked by search from the identity."""


def build(endpoints_per_router: EndpointsPerRouter = 3) -> Topology:
    """Build a Cayley graph of Z23 ⋊ Z11 with 8 generators: 253 routers of degree 8, diameter 3.

    Elements multiply as (a, b)(c, d) = (a + c·2^b mod 23, b + d mod 11); router (a, b) has id 11a + b.

    Parameters
    ----------
    endpoints_per_router
        Three by default: the degree over the mean distance, rounded up.

    Raises
    ------
    InputError
        When the number of endpoints is negative.

    References
    ----------
    .. [1] M. Koibuchi, I. Fujiwara, F. Chaix, H. Casanova, "Towards ideal hop counts in interconnection networks with arbitrary
           size", table 1, case 1 (the order); the generators are our own.

    Examples
    --------
    >>> build().link_count
    1012
    """
    a, b = (grid.ravel() for grid in np.meshgrid(np.arange(23), np.arange(11), indexing="ij"))
    power = np.array([pow(2, int(e), 23) for e in range(11)])
    links = [np.column_stack([11 * a + b, 11 * ((a + c * power[b]) % 23) + (b + d) % 11]) for c, d in _GENERATORS]
    return from_links(
        "cayley253",
        {"endpoints_per_router": endpoints_per_router},
        253,
        simple(np.concatenate(links)),
        endpoints=endpoints_per_router,
        group=a[:, None],
        group_names=("coset",),
        coords=np.column_stack([a, b]),
        coord_names=("a", "b"),
    )


def configurations(radix: int) -> Iterator[dict[str, Any]]:
    """Yield the network for radix 8 without building it."""
    if radix == 8:
        yield {"parameters": {}, "routers": 253, "endpoints": 759, "diameter": 3}
