"""Slim Fly: McKay–Miller–Širáň graphs, diameter 2, close to the Moore bound."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from planner.domain.model import Topology
from planner.network.topology.construction.field import Field, field, prime_power, require_prime_power
from planner.network.topology.construction.graph import from_links
from planner.network.topology.construction.limits import EndpointsPerRouter, require_size

EXAMPLE = {"q": 5}
"""A small instance, for tests and pictures."""


def build(q: int, endpoints_per_router: EndpointsPerRouter | None = None) -> Topology:
    """Build the Slim Fly MMS(q): 2q² routers of degree (3q - δ)/2, where q = 4k + δ, δ in {-1, 0, 1}.

    Routers are (0, x, y) with id xq + y and (1, m, c) with id q² + mq + c. Group x holds the
    column x of the first subgraph and m = x of the second: 2q routers, and 2q links to every
    other group.

    Parameters
    ----------
    q
        A prime power, at least 3.
    endpoints_per_router
        By default half the degree, rounded down.

    Raises
    ------
    InputError
        When q is not a prime power or is 2.

    Notes
    -----
    Differs from the paper: half the degree is rounded down for endpoints, not up, unless their number is given. The graph is the
    same.

    References
    ----------
    .. [1] M. Besta, T. Hoefler, "Slim Fly: a cost effective low-diameter network topology", SC 2014, section II.
    .. [2] B. McKay, M. Miller, J. Širáň, "A note on large graphs of diameter two", J. Comb. Theory B 74, 1998.
    .. [3] P. Hafner, "Geometric realisation of the graphs of McKay–Miller–Širáň", J. Comb. Theory B 90, 2004.

    Examples
    --------
    >>> build(5).degree.max()
    np.int32(7)
    """
    require_size("q", 2 * q * q, q * q * degree_of(q), scratch_bytes=50 * q * q)
    require_prime_power(q, lowest=3, meaning="a prime power of at least 3")
    gf = field(q)
    first, second = generator_sets(q)
    column = np.arange(q)
    parts = [
        _cayley(gf.sub, first, column),
        _cayley(gf.sub, second, column) + q * q,
        _between(gf, q),
    ]
    # Ports: first the links inside a subgraph, then those between the subgraphs.
    panel = np.repeat([0, 0, 1], [len(part) for part in parts])
    links = np.concatenate(parts)
    router = np.arange(2 * q * q)
    side, rest = np.divmod(router, q * q)
    coords = np.column_stack([side, rest // q, rest % q])
    group = coords[:, 1:2]
    degree = degree_of(q)
    return from_links(
        "slimfly",
        {"q": q, "endpoints_per_router": endpoints_per_router},
        2 * q * q,
        links,
        endpoints=degree // 2 if endpoints_per_router is None else endpoints_per_router,
        link_class=np.where(group[links[:, 0], 0] == group[links[:, 1], 0], 0, 1),
        link_class_names=("in group", "between groups"),
        group=group,
        group_names=("group",),
        coords=coords,
        coord_names=("subgraph", "column", "row"),
        port_key=np.repeat(panel[:, None], 2, axis=1),
    )


def configurations(radix: int) -> Iterator[dict[str, Any]]:
    """Yield every Slim Fly of a degree without building them."""
    for q in range(3, radix):
        if prime_power(q) and degree_of(q) == radix:
            yield {"parameters": {"q": q}, "routers": 2 * q * q, "endpoints": 2 * q * q * (radix // 2), "diameter": 2}


def degree_of(q: int) -> int:
    """Return the degree of Slim Fly(q): (3q - δ)/2, where q = 4k + δ, δ in {-1, 0, 1}.

    >>> degree_of(5), degree_of(7), degree_of(8)
    (7, 11, 12)
    """
    delta = q % 4 if q % 4 < 3 else -1
    return (3 * q - delta) // 2


def generator_sets(q: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the two symmetric generator sets X and X' of GF(q), ascending int32 arrays.

    >>> [part.tolist() for part in generator_sets(5)]
    [[1, 4], [2, 3]]
    """
    gf = field(q)
    if q % 4 == 1:
        first, second = gf.power[0 : q - 2 : 2], gf.power[1 : q - 1 : 2]
    elif q % 4 == 0:
        # xi^(q-1) = 1 belongs to both sets.
        first, second = gf.power[0::2], np.append(gf.power[1::2], 1)
    else:
        k = (q + 1) // 4
        even, odd = gf.power[0 : 2 * k - 1 : 2], gf.power[1 : 2 * k : 2]
        first, second = np.concatenate([even, gf.neg[even]]), np.concatenate([odd, gf.neg[odd]])
    return np.unique(first), np.unique(second)


def _cayley(difference: np.ndarray, generators: np.ndarray, column: np.ndarray) -> np.ndarray:
    """Links of q disjoint Cayley graphs of GF(q)'s addition, one per column: ids column * q + element."""
    q = len(column)
    a, b = np.nonzero(np.triu(np.isin(difference, generators)))
    offset = (column * q)[:, None]
    return np.column_stack([(offset + a).ravel(), (offset + b).ravel()])


def _between(gf: Field, q: int) -> np.ndarray:
    """Links (0, x, y) – (1, m, c) with y = mx + c."""
    x, m, c = (grid.ravel() for grid in np.meshgrid(np.arange(q), np.arange(q), np.arange(q), indexing="ij"))
    y = gf.add[gf.mul[m, x], c]
    return np.column_stack([x * q + y, q * q + m * q + c])
