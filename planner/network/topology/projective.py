"""Projective network PN(q): points and lines of a projective plane, diameter 3, girth 6."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from planner.domain.model import Topology
from planner.network.topology.construction.field import prime_power, require_prime_power
from planner.network.topology.construction.graph import from_links
from planner.network.topology.construction.limits import EndpointsPerRouter, require_size
from planner.network.topology.construction.products import matrix_bytes, polarity_clusters, polarity_graph

EXAMPLE = {"q": 3}
"""A small instance, for tests and pictures."""


def build(q: int, endpoints_per_router: EndpointsPerRouter | None = None) -> Topology:
    """Build the Levi graph of PG(2, q): 2(q² + q + 1) routers of degree q + 1.

    Points are routers 0 … N - 1, lines N … 2N - 1, both as left-normalized vectors; a point and a
    line are linked when their dot product is 0.

    Parameters
    ----------
    q
        A prime power.
    endpoints_per_router
        By default the degree over the mean distance, rounded up.

    Raises
    ------
    InputError
        When q is not a prime power.

    References
    ----------
    .. [1] C. Camarero, C. Martínez, E. Vallejo, R. Beivide, "Projective networks: topologies for large parallel computer
           systems", IEEE TPDS 28(7), 2017.

    Examples
    --------
    >>> network = build(17)
    >>> network.router_count, network.endpoint_count // network.router_count
    (614, 8)
    """
    require_size("q", 2 * (q * q + q + 1), q * (q + 1) ** 2, scratch_bytes=matrix_bytes(q))
    require_prime_power(q)
    graph = polarity_graph(q)
    n = len(graph.points)
    links = np.concatenate(
        [
            np.column_stack([graph.links[:, 0], n + graph.links[:, 1]]),
            np.column_stack([graph.links[:, 1], n + graph.links[:, 0]]),
            np.column_stack([graph.quadrics, n + graph.quadrics]),
        ]
    )
    return from_links(
        "projective",
        {"q": q, "endpoints_per_router": endpoints_per_router},
        2 * n,
        links,
        endpoints=_default_endpoints(q) if endpoints_per_router is None else endpoints_per_router,
        group=np.tile(polarity_clusters(graph), 2),
        group_names=("cluster",),
        coords=np.column_stack([np.repeat([0, 1], n), np.tile(graph.points, (2, 1))]),
        coord_names=("line", "x", "y", "z"),
    )


def configurations(radix: int) -> Iterator[dict[str, Any]]:
    """Yield the projective network of a degree, if any, without building it."""
    q = radix - 1
    if prime_power(q):
        routers = 2 * (q * q + q + 1)
        yield {"parameters": {"q": q}, "routers": routers, "endpoints": routers * _default_endpoints(q), "diameter": 3}


def _default_endpoints(q: int) -> int:
    """The degree over the mean distance, rounded up."""
    n = q * q + q + 1
    # q + 1 routers at one hop, the other n - 1 of the same kind at two, q² of the other kind at three.
    mean_distance = (q + 1 + 2 * (n - 1) + 3 * q * q) / (2 * n - 1)
    return int(-(-(q + 1) // mean_distance))
