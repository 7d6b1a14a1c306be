"""PolarFly: the polarity graph ER_q of a projective plane, diameter 2, close to the Moore bound."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from planner.model import Topology
from planner.topology._field import prime_power, require_prime_power
from planner.topology._graph import from_links
from planner.topology._limits import EndpointsPerRouter, require_size
from planner.topology._products import matrix_bytes, polarity_clusters, polarity_graph

EXAMPLE = {"q": 5}
"""A small instance, for tests and pictures."""


def build(q: int, endpoints_per_router: EndpointsPerRouter | None = None) -> Topology:
    """Build ER_q: q² + q + 1 routers of degree q + 1, the q + 1 quadrics of degree q.

    Routers are the points of PG(2, q) as left-normalized vectors; two are linked when their dot
    product is 0. For odd q the clusters are the quadrics and q fans of q routers each; for even q
    the common neighbor of all quadrics joins them, and q - 1 clusters of q + 1 routers remain.

    Parameters
    ----------
    q
        A prime power.
    endpoints_per_router
        By default half the degree, rounded down.

    Raises
    ------
    InputError
        When q is not a prime power.

    References
    ----------
    .. [1] K. Lakhotia et al., "PolarFly: a cost-effective and flexible low-diameter topology", SC 2022, sections IV, V.
    .. [2] W. Brown, "On graphs that do not contain a Thomsen graph", Canad. Math. Bull. 9, 1966.

    Examples
    --------
    >>> build(7).router_count
    57
    """
    require_size("q", q * q + q + 1, q * (q + 1) ** 2 // 2, scratch_bytes=matrix_bytes(q))
    require_prime_power(q)
    graph = polarity_graph(q)
    return from_links(
        "polarfly",
        {"q": q, "endpoints_per_router": endpoints_per_router},
        len(graph.points),
        graph.links,
        endpoints=(q + 1) // 2 if endpoints_per_router is None else endpoints_per_router,
        group=polarity_clusters(graph),
        group_names=("cluster",),
        coords=graph.points,
        coord_names=("x", "y", "z"),
    )


def configurations(radix: int) -> Iterator[dict[str, Any]]:
    """Yield the PolarFly of a radix, if any, without building it."""
    q = radix - 1
    if prime_power(q):
        routers = q * q + q + 1
        yield {"parameters": {"q": q}, "routers": routers, "endpoints": routers * (radix // 2), "diameter": 2}
