"""MDDP: the best known graphs of a degree, augmented or reduced to any number of routers."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import exp
from typing import Annotated, Any

import numpy as np
from annotated_types import Ge

from planner.core import seeds
from planner.core.errors import Infeasible
from planner.domain.model import Topology
from planner.kernels.graph.bfs import hop_distances
from planner.network.topology import bundlefly, cayley253, kautz, polarfly, polarstar, projective, quadrangle, slimfly
from planner.network.topology.construction.field import prime_power
from planner.network.topology.construction.graph import from_links, is_connected, require, simple
from planner.network.topology.construction.limits import EndpointsPerRouter, require_size
from planner.network.topology.construction.products import complete, inductive_quad, star

EXAMPLE = {"routers": 28, "degree": 5, "trials": 2}
"""A small instance, for tests and pictures."""

_BLOCK = 4096
"""Pairs of routers whose ports are looked up at once."""

_PETERSEN = (
    (0, 1),
    (0, 4),
    (0, 5),
    (1, 2),
    (1, 6),
    (2, 3),
    (2, 7),
    (3, 4),
    (3, 8),
    (4, 9),
    (5, 7),
    (5, 8),
    (6, 8),
    (6, 9),
    (7, 9),
)


def build(
    routers: Annotated[int, Ge(3)],
    degree: Annotated[int, Ge(3)],
    trials: Annotated[int, Ge(1)] = 10,
    graph_seed: Annotated[int, Ge(0)] = 1,
    endpoints_per_router: EndpointsPerRouter = 1,
) -> Topology:
    """Build a graph of any number of routers from the nearest known graphs of this degree.

    The largest start graph with at most `routers` routers is augmented router by router, the smallest
    one with at least as many is reduced; of all trials the one with the minimum diameter, then the
    minimum mean distance, is kept. Augmenting adds links from the new router to routers with free ports, and
    frees further ports by deleting random links elsewhere; reducing deletes a random router whose
    loss leaves the network connected. In the end routers with free ports are joined at random.

    Parameters
    ----------
    routers
        Number of routers.
    degree
        Maximum number of links per router.
    trials
        Number of trials for each of the two start graphs.
    graph_seed
        Seed of the random links.
    endpoints_per_router
        One by default.

    Raises
    ------
    InputError
        When `degree` is not below the number of routers.
    Infeasible
        When no start graph of this degree is known to this package (degrees 3 and 4 have few), or no trial was connected.

    Notes
    -----
    The paper's pseudo-code would delete links of the new router and add existing ones again; this one does
    not. Start graphs are those with a construction here: Petersen, K3 * IQ3, MMS, ER_q,
    projective and quadrangle networks, the Cayley graph of order 253, PolarStar, Bundlefly, Kautz.

    References
    ----------
    .. [1] M. Koibuchi, I. Fujiwara, F. Chaix, H. Casanova, "Towards ideal hop counts in interconnection networks with arbitrary
           size", section III, algorithm 1.

    Examples
    --------
    >>> build(routers=30, degree=5, trials=1).router_count
    30
    """
    require(degree < routers, "degree", f"{degree} is not below the number of routers, {routers}", f"use at most {routers - 1}")
    link_count = routers * degree // 2
    # Distances of all pairs.
    require_size(
        "routers and degree", routers, link_count,
        scratch_bytes=2 * routers * routers, steps=trials * routers * link_count // 1000,
    )  # fmt: skip
    known = start_graphs(degree)
    require(bool(known), "degree", f"no start graph of degree {degree} is known here", "use another degree or jellyfish")
    below, above = max((n for n in known if n <= routers), default=None), min((n for n in known if n >= routers), default=None)
    steps = trials * (2000 + _steps(routers, degree, below, above))
    # Distances of all pairs, or pairs with free ports: nearly all where routers have been deleted.
    pair_bytes = 12 if above is not None and above > routers else 2
    require_size("routers, degree and trials", routers, link_count, scratch_bytes=pair_bytes * routers * routers, steps=steps)
    best: tuple[int, float, np.ndarray] | None = None
    for size in sorted({size for size in (below, above) if size is not None}):
        start = known[size]()
        for trial in range(1 if size == routers else trials):
            draw = seeds.stream(graph_seed, f"topology.mddp.{size}.{trial}")
            links = start if size == routers else _resized(size, start, routers, degree, draw)
            if is_connected(routers, links):
                quality = quality_of(routers, links)
                if best is None or quality < best[:2]:
                    best = (*quality, links)
    if best is None:
        raise Infeasible(f"mddp: no trial gave a connected network of {routers} routers; raise trials or the degree")
    return from_links(
        "mddp",
        {
            "routers": routers, "degree": degree, "trials": trials, "graph_seed": graph_seed,
            "endpoints_per_router": endpoints_per_router,
        },
        routers,
        best[2],
        endpoints=endpoints_per_router,
    )  # fmt: skip


def _steps(routers: int, degree: int, below: int | None, above: int | None) -> int:
    """Return the approximate time of a trial with each of the two start graphs, in µs.

    A random part of the larger one is rarely connected where some of its routers are expected to have no link left.
    """
    found = routers * routers * degree // 2000
    if below is not None:
        found += 16 * degree * (routers - below)
    if above is not None and above > routers:
        found += routers * routers // 5
        tried = min(above - routers, int(1 + 32 * routers * exp(-degree * routers / above)))
        found += tried * above * degree // 40
    return found


Maker = Callable[[], np.ndarray]


def start_graphs(degree: int) -> dict[int, Maker]:
    """Return order and link constructor of the start graphs whose maximum degree is `degree`.

    These are all graphs of diameter 2, and of those with diameter 3 the largest: smaller ones are no
    better than what augmenting a graph of diameter 2 gives.
    """
    three = dict(_diameter_three(degree))
    largest = max(three, default=None)
    return dict(_diameter_two(degree)) | ({largest: three[largest]} if largest else {})


def _links(build: Callable[..., Topology], *parameters: Any) -> Maker:
    return lambda: build(*parameters).links


def _diameter_two(degree: int) -> Iterator[tuple[int, Maker]]:
    small = {3: (10, lambda: np.array(_PETERSEN)), 5: (24, lambda: complete_times_iq3(3))}
    if degree in small:
        yield small[degree]
    for s in range(3, degree + 1):
        if prime_power(s) and slimfly.degree_of(s) == degree:
            yield 2 * s * s, _links(slimfly.build, s, 0)
    q = degree - 1
    if prime_power(q):
        yield q * q + q + 1, _links(polarfly.build, q, 0)


def _diameter_three(degree: int) -> Iterator[tuple[int, Maker]]:
    if degree % 2 == 0:
        yield (degree // 2 + 1) * (degree // 2) ** 2, _links(kautz.build, degree // 2, 3, 0)
    for s in range(3, degree + 1):
        if prime_power(s):
            inner = 2 * (degree - slimfly.degree_of(s)) + 1
            if inner >= 5 and inner % 4 == 1 and prime_power(inner):
                yield 2 * inner * s * s, _links(bundlefly.build, inner, s, 0)
    for q in range(2, degree):
        inner = degree - q - 1
        if prime_power(q) and inner % 4 in (0, 3):
            yield (q * q + q + 1) * (2 * inner + 2), _links(polarstar.build, q, inner, "iq", 0)
    q = degree - 1
    if prime_power(q):
        yield 2 * (q * q + q + 1), _links(projective.build, q, 0)
    if degree == 8:
        yield 253, _links(cayley253.build, 0)
    if q in (2, 8):
        yield (q + 1) * (q * q + 1), _links(quadrangle.build, q, 0)


def complete_times_iq3(routers: int) -> np.ndarray:
    """Return the links of K_n * IQ_3, a star product without loops: diameter 2 for n = 3 and 4, int64 (L, 2)."""
    return star(routers, complete(routers).links, np.zeros(0, np.int64), inductive_quad(3))


def _resized(size: int, start: np.ndarray, routers: int, degree: int, draw: np.random.Generator) -> np.ndarray:
    links = _augmented(size, start, routers, degree, draw) if size < routers else _reduced(size, start, routers, draw)
    return _joined(routers, links, degree, draw)


def _augmented(size: int, start: np.ndarray, routers: int, degree: int, draw: np.random.Generator) -> np.ndarray:
    """Add routers one by one; links (L, 2)."""
    links = [tuple(link) for link in start.tolist()]
    used = np.zeros(routers, np.int64)
    np.add.at(used, start.ravel(), 1)
    for new in range(size, routers):
        old = len(links)
        mine: set[int] = set()
        free = [v for v in np.flatnonzero(used[:new] < degree).tolist()]
        for _ in range(4 * degree + 16):
            for v in free:
                if used[new] < degree and v not in mine:
                    links.append((v, new))
                    mine.add(v)
                    used[[v, new]] += 1
            if used[new] == degree or old == 0:
                break
            # Free two ports elsewhere. The links of the new router are at the end and are kept.
            number = int(draw.integers(old))
            a, b = links.pop(number)
            old -= 1
            used[[a, b]] -= 1
            free = [a, b]
    return simple(np.array(links))


def _reduced(size: int, start: np.ndarray, routers: int, draw: np.random.Generator) -> np.ndarray:
    """Delete random routers whose loss leaves the network connected; links (L, 2) between 0 … routers - 1.

    All at once where that goes well, otherwise in ever smaller batches down to one by one.
    """
    left, inside, batch = np.arange(size), start, size - routers
    while len(left) > routers:
        batch = min(batch, len(left) - routers)
        rest = np.delete(left, draw.choice(len(left), batch, replace=False))
        number = np.full(size, -1)
        number[rest] = np.arange(len(rest))
        links = number[start]
        links = links[(links >= 0).all(axis=1)]
        if is_connected(len(rest), links):
            left, inside = rest, links
        else:
            batch = max(1, batch // 2)
    return simple(inside)


def _joined(routers: int, links: np.ndarray, degree: int, draw: np.random.Generator) -> np.ndarray:
    """Join random pairs of routers with free ports until no such pair is left unlinked."""
    used = np.bincount(links.ravel(), minlength=routers)
    linked = np.zeros((routers, routers), bool)
    linked[links[:, 0], links[:, 1]] = linked[links[:, 1], links[:, 0]] = True
    added: list[tuple[int, int]] = []
    while True:
        free = np.flatnonzero(used < degree)
        pairs = draw.permutation(np.flatnonzero(np.triu(~linked[np.ix_(free, free)], 1)))
        if not len(pairs):
            return simple(np.concatenate([links, np.array(added, np.int64).reshape(-1, 2)]))
        for first in range(0, len(pairs), _BLOCK):
            block = free[np.column_stack(np.divmod(pairs[first : first + _BLOCK], len(free)))]
            for a, b in block[(used[block] < degree).all(axis=1)].tolist():
                if used[a] < degree and used[b] < degree:
                    added.append((a, b))
                    linked[a, b] = linked[b, a] = True
                    used[[a, b]] += 1


def quality_of(routers: int, links: np.ndarray) -> tuple[int, float]:
    """Diameter and mean distance."""
    both = np.concatenate([links, links[:, ::-1]])
    both = both[np.argsort(both[:, 0], kind="stable")]
    indptr = np.searchsorted(both[:, 0], np.arange(routers + 1)).astype(np.int32)
    distance = np.empty((routers, routers), np.uint8)
    diameter = hop_distances(indptr, both[:, 1].astype(np.int32), distance)
    return int(diameter), float(distance.sum(dtype=np.int64)) / (routers * (routers - 1))
