"""Polarity graph of the generalized quadrangle W(q), diameter 3, close to the Moore bound."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import Any

import numpy as np

from planner.domain.model import Topology
from planner.network.topology.construction.field import Field, field
from planner.network.topology.construction.graph import from_links, nearest, require, simple, third
from planner.network.topology.construction.limits import EndpointsPerRouter, require_size

EXAMPLE = {"q": 2}
"""A small instance, for tests and pictures."""

_ORDERS = [2 ** (2 * e + 1) for e in range(6)]


def build(q: int, endpoints_per_router: EndpointsPerRouter | None = None) -> Topology:
    """Build the polarity graph of W(q), q = 2^(2e+1): (q + 1)(q² + 1) routers of degree q + 1.

    Routers are the points of PG(3, q) as left-normalized vectors in lexicographic order. The
    Tits polarity sends point P to the line with Plücker coordinates
    (p01, p02, p13, p23) = σ(P), p03 = p12 = √(p01·p23 + p02·p13), where σ(a) = a^(2^(e+1)); P is
    linked to the other points of that line. The q² + 1 absolute points have degree q.

    Parameters
    ----------
    q
        An odd power of 2.
    endpoints_per_router
        By default a third of the degree, rounded.

    Raises
    ------
    InputError
        When q is not an odd power of 2.

    References
    ----------
    .. [1] J. Tits, "Ovoïdes et groupes de Suzuki", Arch. Math. 13, 1962.
    .. [2] C. Delorme, "Grands graphes de degré et diamètre donnés", European J. Combinatorics 6, 1985.

    Examples
    --------
    >>> build(8).router_count
    585
    """
    require(q in _ORDERS, "q", f"{q} is not an odd power of 2 up to 2048", nearest(q, _ORDERS))
    require_size("q", (q + 1) * (q * q + 1), (q + 1) ** 2 * (q * q + 1) // 2, steps=4 * q**4)
    gf = field(q)
    exponent = (q.bit_length() - 2) // 2
    points = np.array([v for v in np.ndindex(q, q, q, q) if any(v) and next(x for x in v if x) == 1])
    codes = points @ q ** np.arange(3, -1, -1)
    sigma = _powers(gf, 2 ** (exponent + 1))
    links = [
        np.column_stack([np.full(q + 1, i), np.searchsorted(codes, _line(gf, sigma[point], q))]) for i, point in enumerate(points)
    ]
    return from_links(
        "quadrangle",
        {"q": q, "endpoints_per_router": endpoints_per_router},
        len(points),
        simple(np.concatenate(links)),
        endpoints=third(q + 1) if endpoints_per_router is None else endpoints_per_router,
        coords=points,
        coord_names=("x", "y", "z", "w"),
    )


def configurations(radix: int) -> Iterator[dict[str, Any]]:
    """Yield the polarity graph of a degree, if any, without building it."""
    q = radix - 1
    if q in _ORDERS:
        routers = (q + 1) * (q * q + 1)
        yield {"parameters": {"q": q}, "routers": routers, "endpoints": routers * third(radix), "diameter": 3}


def _powers(gf: Field, exponent: int) -> np.ndarray:
    """a^exponent for every element, int (q,)."""
    result = np.ones(gf.q, int)
    for _ in range(exponent):
        result = gf.mul[result, np.arange(gf.q)]
    return result


def _line(gf: Field, image: np.ndarray, q: int) -> np.ndarray:
    """Codes of the q + 1 points of the line whose Plücker coordinates p01, p02, p13, p23 are `image`."""
    p01, p02, p13, p23 = image
    # The square root in characteristic 2 is the q/2-th power.
    middle = _powers(gf, q // 2)[gf.add[gf.mul[p01, p23], gf.mul[p02, p13]]]
    rows = np.array([[0, p01, p02, middle], [p01, 0, middle, p13], [p02, middle, 0, p23], [middle, p13, p23, 0]])
    for one, two in combinations(rows, 2):
        span = gf.add[gf.mul[np.arange(q)[:, None], one], two]
        span = np.concatenate([span, [one]])
        normal = _normalized(gf, span)
        if normal is not None and len(codes := np.unique(normal @ q ** np.arange(3, -1, -1))) == q + 1:
            return codes
    raise AssertionError("two rows span the line")


def _normalized(gf: Field, vectors: np.ndarray) -> np.ndarray | None:
    if (vectors == 0).all(axis=1).any():
        return None
    lead = vectors[np.arange(len(vectors)), (vectors != 0).argmax(axis=1)]
    return gf.mul[gf.inv[lead][:, None], vectors]
