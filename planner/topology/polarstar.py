"""PolarStar: star products of polarity graphs with supernodes, diameter 3."""

from __future__ import annotations

from typing import Annotated, Literal

import numpy as np
from annotated_types import Ge

from planner.model import Topology
from planner.topology._field import prime_power, require_prime_power
from planner.topology._graph import nearest, require, topology
from planner.topology._products import inductive_quad, paley, polarity_clusters, polarity_graph, star

EXAMPLE = {"q": 3, "supernode_degree": 3}
"""A small instance, for tests and pictures."""


def build(
    q: int,
    supernode_degree: Annotated[int, Ge(0)],
    supernode: Literal["iq", "paley"] = "iq",
    endpoints_per_router: Annotated[int, Ge(0)] | None = None,
) -> Topology:
    """Build PolarStar ER_q * G' of radix q + 1 + d'.

    Router (x, a) has id x * n' + a, where x is a point of ER_q and a a vertex of the supernode.
    Adjacent supernodes share a bundle of n' links. Ports: links inside the supernode first.

    Parameters
    ----------
    q
        A prime power: the order of the polarity graph, with q² + q + 1 supernodes.
    supernode_degree
        d'. ``iq`` needs 0 or 3 modulo 4 and has n' = 2d' + 2; ``paley`` needs n' = 2d' + 1 to be
        a prime power that is 1 modulo 4.
    supernode
        ``iq`` (Inductive-Quad) or ``paley``.
    endpoints_per_router
        By default a third of the radix, rounded.

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
    require_prime_power(q)
    inner = _supernode(supernode, supernode_degree)
    outer = polarity_graph(q)
    count = len(outer.points) * inner.size
    links = star(len(outer.points), outer.links, outer.quadrics, inner)
    local = links[:, 0] // inner.size == links[:, 1] // inner.size
    router = np.arange(count)
    radix = q + 1 + supernode_degree
    return topology(
        "polarstar",
        {"q": q, "supernode_degree": supernode_degree, "supernode": supernode, "endpoints_per_router": endpoints_per_router},
        count,
        links,
        endpoints=(2 * radix + 3) // 6 if endpoints_per_router is None else endpoints_per_router,
        link_class=np.where(local, 0, 1),
        link_class_names=("in supernode", "between supernodes"),
        group=np.column_stack([router // inner.size, polarity_clusters(outer)[router // inner.size]]),
        group_names=("supernode", "cluster"),
        coords=np.column_stack([outer.points[router // inner.size], router % inner.size]),
        coord_names=("x", "y", "z", "vertex"),
        port_key=np.repeat(np.where(local, 0, 1)[:, None], 2, axis=1),
    )


def _supernode(kind: str, degree: int):
    if kind == "iq":
        near = [d for d in range(degree + 5) if d % 4 in (0, 3)]
        valid = degree % 4 in (0, 3)
        rule = f"{degree} is neither 0 nor 3 modulo 4, as iq needs"
    else:
        near = [d for d in range(2, 2 * degree + 20, 2) if prime_power(2 * d + 1)]
        valid = degree in near
        rule = f"2 * {degree} + 1 = {2 * degree + 1} is not a prime power that is 1 modulo 4, as paley needs"
    require(valid, "supernode_degree", rule, nearest(degree, near))
    return inductive_quad(degree) if kind == "iq" else paley(2 * degree + 1)
