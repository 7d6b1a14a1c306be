"""SpectralFly: Ramanujan graphs of Lubotzky, Phillips and Sarnak."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import product
from math import isqrt
from typing import Any

import numpy as np

from planner.domain.model import Topology
from planner.network.topology.construction.field import is_prime, prime_power
from planner.network.topology.construction.graph import from_links, nearest_where, require, simple, third
from planner.network.topology.construction.limits import EndpointsPerRouter, require_size

EXAMPLE = {"p": 3, "q": 5}
"""A small instance, for tests and pictures."""

VERTEX_TRANSITIVE = True
"""A Cayley graph. Vertex-transitive, so metrics start from a single router."""

_LARGEST = 127
"""Largest q of the table."""

_DIAMETERS = {
    3: "6 6 8 8 11 11 10 13 13 12 14 15 13 15 14 15 16 14 15 16 16 17 16 17 17 16 16 18 18",
    5: "6 6 7 9 7 8 8 9 10 9 11 10 10 10 9 11 11 12 11 12 11 12 11 13 12 11 13 13",
    7: "6 6 7 6 7 7 7 8 9 9 8 8 8 10 9 10 10 10 9 10 10 10 10 10 10 10 11",
    11: "3 6 6 5 7 7 7 6 7 6 7 7 8 8 8 8 9 7 8 8 8 9 9 8 9 8 8",
    13: "5 4 6 5 5 7 6 7 6 7 6 7 7 8 8 8 7 8 8 8 8 8 8 8 8 8",
    17: "5 4 4 6 6 6 6 7 5 6 6 6 7 6 7 8 7 7 6 8 7 7 8 8 8 7",
    19: "4 4 4 5 6 5 6 6 6 7 7 6 6 6 6 6 6 7 7 7 6 7 6 8 8 7",
    23: "3 3 5 4 5 6 6 5 5 6 6 6 6 5 7 6 6 6 7 7 6 6 6 7 7 7",
    29: "4 3 5 5 4 5 5 6 6 6 5 5 6 5 6 6 7 6 7 7 7 6 6 6 7 7",
    31: "4 5 5 4 5 5 4 5 6 6 6 6 7 6 6 5 5 6 6 5 7 6 6 6 6",
    37: "4 4 4 5 5 5 4 5 5 5 6 6 5 5 5 6 5 7 6 5 7 6 6 6 6",
    41: "4 5 4 3 5 4 4 4 5 5 5 5 6 6 5 6 5 6 7 6 5 5 6 5 6",
    43: "3 3 5 5 5 5 4 5 4 5 6 6 5 6 6 6 6 5 5 6 6 5 6 6",
    47: "3 3 4 5 4 4 5 4 4 6 5 5 6 6 6 6 5 5 5 6 5 6 6 5",
    53: "3 4 4 4 4 4 5 4 4 4 6 5 6 6 6 6 5 5 6 6 5 6 5 6",
    59: "3 4 3 4 4 5 4 4 4 4 5 4 5 5 6 4 6 6 6 5 6 6 6 6",
    61: "4 3 4 5 5 5 4 5 4 5 5 5 5 4 6 5 6 5 6 5 5 5 5 5",
    67: "3 4 4 4 4 4 5 4 5 5 5 5 5 5 4 5 4 6 6 6 6 6 6 6",
    71: "4 4 3 3 4 4 5 5 4 5 4 5 4 5 5 6 4 6 5 6 6 5 6 5",
    73: "3 3 4 5 4 4 5 5 5 5 4 4 4 4 6 4 5 5 6 6 5 6 5",
    79: "4 4 5 4 5 5 4 4 5 4 5 5 4 4 5 4 4 4 5 5 6 6 5",
    83: "3 4 3 4 4 4 4 4 5 5 4 4 4 5 4 5 5 5 4 4 4 5 6",
    89: "4 4 4 4 5 5 5 4 4 5 5 4 4 4 4 5 4 5 5 4 4 6 6",
    97: "4 4 3 4 5 3 4 4 5 4 5 5 4 4 5 4 4 4 5 4 4 5",
    101: "3 4 3 3 5 3 4 5 5 5 5 4 5 4 5 5 4 5 4 6 5 5",
    103: "4 3 3 4 3 4 4 5 5 4 4 4 5 5 5 5 4 5 5 5 5 4",
    107: "4 3 3 4 4 3 4 4 4 4 4 4 5 5 5 4 5 4 4 6 5 5",
    109: "4 3 3 4 4 4 4 5 5 4 5 4 4 5 4 4 4 5 5 5 4 5",
    113: "4 4 3 4 3 4 4 4 5 4 5 5 5 5 4 5 4 5 5 5 4 4",
    127: "3 4 4 4 3 3 4 5 4 4 4 5 4 5 4 5 5 5 5 5 5 4",
    131: "3 4 3 4 3 4 3 4 5 4 4 4 5 4 4 4 5 4 4 5 4 4 4",
    137: "4 4 3 4 5 4 4 4 4 5 5 4 5 5 5 5 4 4 4 4 5 5",
}
"""By p: the diameters for the primes q with 2√p < q and q ≠ p, ascending, as ``tools/lps_diameters.py`` prints them."""


def build(p: int, q: int, endpoints_per_router: EndpointsPerRouter | None = None) -> Topology:
    """Build LPS(p, q): a (p + 1)-regular Cayley graph of PSL(2, q) or PGL(2, q).

    Where p is a square modulo q the group is PSL(2, q) with q(q² - 1)/2 elements, otherwise
    PGL(2, q) with q(q² - 1), and the network is bipartite. Routers are numbered in the order in
    which breadth-first search from the identity finds them.

    Parameters
    ----------
    p
        An odd prime; the degree is p + 1.
    q
        Another odd prime. q > 2√p suffices for a simple Ramanujan graph; other pairs are rejected only if generators
        coincide or the result is not connected.
    endpoints_per_router
        By default a third of the radix, rounded.

    Raises
    ------
    InputError
        When p or q are not odd primes, are equal, or give no simple connected graph.

    Notes
    -----
    Differs from the paper in what is accepted: pairs with q ≤ 2√p as well, where all generators are distinct and the result is
    connected.

    References
    ----------
    .. [1] A. Lubotzky, R. Phillips, P. Sarnak, "Ramanujan graphs", Combinatorica 8, 1988.
    .. [2] S. Young, S. Aksoy et al., "SpectralFly: Ramanujan graphs as flexible and efficient interconnection networks",
           IPDPS 2022, section III.

    Examples
    --------
    >>> network = build(11, 7)
    >>> network.router_count, network.link_count
    (168, 1008)
    """
    routers, link_count = q * (q * q - 1), q * (q * q - 1) * (p + 1) // 2
    # Where p is a square modulo q, half of them.
    require_size("p and q", routers, link_count, scratch_bytes=200 * link_count, steps=(2 * isqrt(max(p, 0)) + 1) ** 4)
    for place, value in (("p", p), ("q", q)):
        odd = value > 2 and is_prime(value)
        require(odd, place, f"{value} is not an odd prime", "" if odd else nearest_where(value, is_prime, 3))
    require(p != q, "q", f"p and q are both {p}", "choose different primes")
    generators = _generators(p, q)
    distinct = len(np.unique(_codes(generators, q)))
    require(distinct == p + 1, "q", f"LPS({p}, {q}) has only {distinct} different generators of {p + 1}", "choose q > 2 sqrt(p)")
    elements, links = _cayley_graph(generators, q)
    order = q * (q * q - 1)
    expected = order // 2 if pow(p, (q - 1) // 2, q) == 1 else order
    require(len(elements) == expected, "q", f"LPS({p}, {q}) is not connected", "choose q > 2 sqrt(p)")
    return from_links(
        "spectralfly",
        {"p": p, "q": q, "endpoints_per_router": endpoints_per_router},
        len(elements),
        links,
        endpoints=third(p + 1) if endpoints_per_router is None else endpoints_per_router,
        coords=elements,
        coord_names=("m11", "m12", "m21", "m22"),
    )


def configurations(radix: int) -> Iterator[dict[str, Any]]:
    """Yield every LPS graph of a radix with 2√p < q < 128 without building them; their diameter is that of a table."""
    p = radix - 1
    if p % 2 == 0 or prime_power(p) != (p, 1):
        return
    known = _diameters(p)
    for q in range(3, _LARGEST + 1, 2):
        if q * q > 4 * p and q != p and prime_power(q) == (q, 1):
            order = q * (q * q - 1)
            routers = order // 2 if pow(p, (q - 1) // 2, q) == 1 else order
            endpoints = routers * third(radix)
            yield {"parameters": {"p": p, "q": q}, "routers": routers, "endpoints": endpoints, "diameter": known.get(q)}


def _generators(p: int, q: int) -> np.ndarray:
    """The p + 1 generators as canonical matrices (m11, m12, m21, m22), int64 (p + 1, 4)."""
    x, y = next((x, y) for x in range(q) for y in range(q) if (x * x + y * y + 1) % q == 0)
    root = int(p**0.5)
    span = range(-root, root + 1)
    found = []
    for a in product(span, repeat=4):
        if sum(v * v for v in a) == p and _chosen(a, p):
            a0, a1, a2, a3 = a
            found.append([a0 + a1 * x + a3 * y, -a1 * y + a2 + a3 * x, -a1 * y - a2 + a3 * x, a0 - a1 * x - a3 * y])
    return _canonical(np.array(found) % q, q)


def _chosen(a: tuple[int, ...], p: int) -> bool:
    """One quadruple of each pair ±a: p + 1 of the solutions of a0² + a1² + a2² + a3² = p."""
    if p % 4 == 1:
        return a[0] > 0 and a[0] % 2 == 1
    return (a[0] > 0 and a[0] % 2 == 0) or (a[0] == 0 and a[1] > 0)


def _canonical(matrices: np.ndarray, q: int) -> np.ndarray:
    """Scale each matrix so that the first nonzero entry of its first row is 1."""
    inverse = np.array([0] + [pow(v, -1, q) for v in range(1, q)])
    lead = np.where(matrices[:, 0] != 0, matrices[:, 0], matrices[:, 1])
    return matrices * inverse[lead][:, None] % q


def _codes(matrices: np.ndarray, q: int) -> np.ndarray:
    return matrices @ np.array([q**3, q**2, q, 1])


def _times(left: np.ndarray, right: np.ndarray, q: int) -> np.ndarray:
    """All products left * right in canonical form, int64 (len(left) * len(right), 4)."""
    a, b, c, d = (left[:, None, i] for i in range(4))
    e, f, g, h = (right[None, :, i] for i in range(4))
    products = np.stack([a * e + b * g, a * f + b * h, c * e + d * g, c * f + d * h], axis=-1)
    return _canonical(products.reshape(-1, 4) % q, q)


def _cayley_graph(generators: np.ndarray, q: int) -> tuple[np.ndarray, np.ndarray]:
    """Elements in breadth-first order, int64 (n, 4), and links, int64 (L, 2)."""
    frontier = np.array([[1, 0, 0, 1]])
    layers, codes, products = [frontier], _codes(frontier, q), []
    while len(frontier):
        reached = _times(frontier, generators, q)
        reached_codes = _codes(reached, q)
        products.append(reached_codes)
        fresh, first = np.unique(reached_codes, return_index=True)
        first = np.sort(first[~np.isin(fresh, codes)])
        frontier = reached[first]
        layers.append(frontier)
        codes = np.concatenate([codes, reached_codes[first]])
    by_code = np.argsort(codes)
    ends = by_code[np.searchsorted(codes[by_code], np.concatenate(products))]
    return np.concatenate(layers), simple(np.column_stack([np.repeat(np.arange(len(codes)), len(generators)), ends]))


@cache
def _diameters(p: int) -> dict[int, int]:
    """Return the diameter of LPS(p, q) by q; {} beyond the table.

    >>> _diameters(11)[7], _diameters(4)
    (3, {})
    """
    if p not in _DIAMETERS:
        return {}
    primes = [q for q in range(3, _LARGEST + 1) if is_prime(q) and q * q > 4 * p and q != p]
    return dict(zip(primes, map(int, _DIAMETERS[p].split()), strict=True))
