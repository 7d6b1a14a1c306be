"""PolarFly: the polarity graph ER_q of a projective plane, diameter 2, close to the Moore bound."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any

import numpy as np
from annotated_types import Ge

from planner.domain.model import Topology
from planner.network.topology.construction.field import prime_power, require_prime_power
from planner.network.topology.construction.graph import from_links, require, simple
from planner.network.topology.construction.limits import EndpointsPerRouter, require_size
from planner.network.topology.construction.products import matrix_bytes, polarity_clusters, polarity_graph

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


def grow(topology: Topology, quadrics: Annotated[int, Ge(0)] = 0, clusters: Annotated[int, Ge(0)] = 0) -> Topology:
    """Return a PolarFly with replicated clusters: no cable moves, and routers need free ports.

    A replica of a router is linked to the neighbors of the original outside its cluster, to the replicas of those inside, and to
    the original. Replicas of quadrics keep the diameter of 2 and take two ports of each of their neighbors; replicas of other
    clusters take about one port, with diameter 3 and a mean distance below 2.

    Parameters
    ----------
    topology
        A PolarFly of odd q, or one that has grown.
    quadrics
        Replicas of the cluster of the quadrics, q + 1 routers each.
    clusters
        Replicas of other clusters, q routers each, one cluster after the other.

    Raises
    ------
    InputError
        When q is even.

    References
    ----------
    .. [1] K. Lakhotia et al., "PolarFly: a cost-effective and flexible low-diameter topology", SC 2022, section VI.
    """
    q = topology.params["q"]
    require(q % 2 == 1, "q", f"clusters of PolarFly are replicated for odd q, not {q}", "grow it by block")
    done = topology.params.get("clusters", 0)
    first = np.arange(q * q + q + 1)
    links, origin = topology.links.astype(np.int64), list(range(topology.router_count))
    group = topology.group[:, 0].astype(np.int64)
    number = int(group.max()) + 1
    chosen = [0] * quadrics + [1 + (done + k) % q for k in range(clusters)]
    for cluster in chosen:
        members = first[group[first] == cluster]
        count = len(origin)
        replica = np.full(count, -1)
        replica[members] = count + np.arange(len(members))
        inside = np.isin(links, members)
        both, one = inside.all(axis=1), inside.sum(axis=1) == 1
        outer = np.where(inside[one], replica[links[one]], links[one])
        links = np.concatenate([links, replica[links[both]], outer, np.column_stack([members, replica[members]])])
        origin += members.tolist()
        group = np.concatenate([group, np.full(len(members), number)])
        number += 1
    replica = np.maximum(np.arange(len(origin)) - len(first) + 1, 0)
    return from_links(
        "polarfly",
        topology.params | {"quadrics": topology.params.get("quadrics", 0) + quadrics, "clusters": done + clusters},
        len(origin),
        simple(links),
        endpoints=topology.endpoints_of[origin],
        group=group,
        group_names=topology.group_names,
        coords=np.column_stack([topology.coords[origin, :3], replica]),
        coord_names=("x", "y", "z", "replica"),
    )
