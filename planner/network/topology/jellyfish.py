"""Jellyfish: a random regular graph."""

from __future__ import annotations

from typing import Annotated, Literal

import numpy as np
from annotated_types import Ge

from planner.core import seeds
from planner.core.errors import Infeasible
from planner.domain.model import Topology
from planner.network.topology.construction.graph import from_links, is_connected, require, simple
from planner.network.topology.construction.limits import EndpointsPerRouter, require_size

_TRIALS = 100
EXAMPLE = {"routers": 30, "degree": 5}
"""A small instance, for tests and pictures."""


def build(
    routers: Annotated[int, Ge(2)],
    degree: Annotated[int, Ge(1)],
    method: Literal["pairing", "steger-wormald"] = "pairing",
    graph_seed: Annotated[int, Ge(0)] = 1,
    endpoints_per_router: EndpointsPerRouter | None = None,
) -> Topology:
    """Build a connected random graph in which every router has `degree` links.

    ``pairing`` shuffles all stubs and pairs them in order; each loop or duplicate (a, b) is then
    crossed with a random other link (c, e) to (a, c), (b, e) until none is left. ``steger-wormald``
    repeatedly joins two random free stubs of different routers that are not linked yet, and
    restarts if no such pair is left. Disconnected results are drawn again.

    Parameters
    ----------
    routers
        Number of routers.
    degree
        Links per router, below the number of routers; the product of both must be even.
    method
        Sampling method.
    graph_seed
        Seed of the graph, separate from the seed of the study, so that one graph can be planned with several seeds.
    endpoints_per_router
        By default the degree over the smallest possible mean distance, rounded up.

    Raises
    ------
    InputError
        When no such graph exists.
    Infeasible
        When a hundred draws gave no connected graph (for example at degree 1).

    Notes
    -----
    Differs from the paper, which joins routers with free ports at random and, where none can be joined, inserts a router into a
    random link: both methods here end as described above, and graphs that are not connected are drawn again.

    References
    ----------
    .. [1] A. Singla, C.-Y. Hong, L. Popa, B. Godfrey, "Jellyfish: networking data centers randomly", NSDI 2012.
    .. [2] A. Steger, N. Wormald, "Generating random regular graphs quickly", Combinatorics, Probability and Computing 8, 1999.

    Examples
    --------
    >>> set(build(routers=20, degree=4).degree.tolist())
    {4}
    """
    require(degree < routers, "degree", f"{degree} is not below the number of routers, {routers}", f"use at most {routers - 1}")
    require(
        routers * degree % 2 == 0,
        "degree",
        f"{routers} routers times degree {degree} is odd",
        f"use degree {degree - 1} or {degree + 1}",
    )
    # Linked pairs are drawn again, more often the fewer are left; networks of degree 1 and 2 are often disconnected.
    scarce = 1 + routers // (routers - degree)
    draws = _TRIALS if degree < 3 else 1
    link_count = routers * degree // 2
    require_size("routers and degree", routers, link_count, scratch_bytes=400 * link_count, steps=6 * link_count * scarce * draws)
    draw = seeds.stream(graph_seed, "topology.jellyfish")
    for _ in range(_TRIALS):
        links = (_pairing if method == "pairing" else _steger_wormald)(routers, degree, draw)
        if links is not None and is_connected(routers, links):
            break
    else:
        raise Infeasible(
            f"jellyfish: {_TRIALS} draws gave no connected {degree}-regular graph of {routers} routers; raise the degree"
        )
    return from_links(
        "jellyfish",
        {
            "routers": routers,
            "degree": degree,
            "method": method,
            "graph_seed": graph_seed,
            "endpoints_per_router": endpoints_per_router,
        },
        routers,
        links,
        endpoints=int(-(-degree // _mean_distance_bound(routers, degree)))
        if endpoints_per_router is None
        else endpoints_per_router,
    )


def _pairing(routers: int, degree: int, draw: np.random.Generator) -> np.ndarray | None:
    """A random simple regular graph as int64 (L, 2), or None if the repair failed."""
    stubs = draw.permutation(np.repeat(np.arange(routers), degree))
    pairs = [(int(a), int(b)) for a, b in stubs.reshape(-1, 2)]
    present: dict[tuple[int, int], int] = {}
    bad = []
    for number, (a, b) in enumerate(pairs):
        key = (min(a, b), max(a, b))
        if a == b or key in present:
            bad.append(number)
        else:
            present[key] = number
    for _ in range(100 * len(pairs) + 1000):
        if not bad:
            return simple(np.array(pairs))
        number = bad[-1]
        other = int(draw.integers(len(pairs)))
        a, b = pairs[number]
        c, e = pairs[other] if draw.random() < 0.5 else pairs[other][::-1]
        new = [(min(a, c), max(a, c)), (min(b, e), max(b, e))]
        old = (min(c, e), max(c, e))
        if present.get(old) != other or a == c or b == e or new[0] == new[1] or any(key in present for key in new):
            continue
        del present[old]
        bad.pop()
        pairs[number], pairs[other] = (a, c), (b, e)
        present[new[0]], present[new[1]] = number, other
    return None


def _steger_wormald(routers: int, degree: int, draw: np.random.Generator) -> np.ndarray | None:
    """A random simple regular graph as int64 (L, 2), or None when the free stubs could not be joined."""
    stubs = np.repeat(np.arange(routers), degree).tolist()
    present: set[tuple[int, int]] = set()
    while stubs:
        for _ in range(10 * len(stubs) + 100):
            i, j = draw.integers(len(stubs), size=2).tolist()
            pair = (min(stubs[i], stubs[j]), max(stubs[i], stubs[j]))
            if pair[0] != pair[1] and pair not in present:
                break
        else:
            return None
        present.add(pair)
        for place in sorted((i, j), reverse=True):
            stubs[place] = stubs[-1]
            stubs.pop()
    return simple(np.array(sorted(present)))


def _mean_distance_bound(routers: int, degree: int) -> float:
    """Return the minimum possible mean distance: layers of degree, degree(degree-1) … filled greedily (Moore)."""
    left, layer, distance, total = routers - 1, degree, 1, 0
    while left > 0:
        taken = min(left, max(layer, 1))
        total += taken * distance
        left -= taken
        layer *= degree - 1
        distance += 1
    return total / (routers - 1)
