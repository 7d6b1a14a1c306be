"""Xpander: random lifts of a complete graph, an expander with equal bundles between groups."""

from __future__ import annotations

from typing import Annotated

import numpy as np
from annotated_types import Ge, Le

from planner.core import seeds
from planner.core.errors import Infeasible
from planner.domain.model import Topology
from planner.network.topology.construction.graph import from_links, is_connected, third
from planner.network.topology.construction.limits import EndpointsPerRouter, require_size

EXAMPLE = {"degree": 4, "lifts": 2}
"""A small instance, for tests and pictures."""

_DRAWS = 100


def build(
    degree: Annotated[int, Ge(2)],
    lifts: Annotated[int, Ge(0), Le(16)],
    trials: Annotated[int, Ge(1)] = 10,
    graph_seed: Annotated[int, Ge(0)] = 1,
    endpoints_per_router: EndpointsPerRouter | None = None,
) -> Topology:
    """Build an Xpander by 2-lifts of the complete graph K_{d+1}: (d + 1)·2^r routers of degree d.

    A lift doubles every router; each link {u, v} becomes {u0, v0}, {u1, v1} or {u0, v1}, {u1, v0} by a
    fair coin. Of `trials` draws the one with the smallest absolute second eigenvalue is kept.
    The copies of one router of K_{d+1} are a group; every two groups share a bundle of 2^r links.
    Router (meta-node m, copy c) has id m·2^r + c.

    Parameters
    ----------
    degree
        Links per router, d.
    lifts
        Number of 2-lifts, r.
    trials
        Draws per lift.
    graph_seed
        Seed of the random lifts.
    endpoints_per_router
        By default a third of the degree, rounded.

    Raises
    ------
    InputError
        When the network is too large to be built.
    Infeasible
        When a hundred draws gave no connected lift.

    References
    ----------
    .. [1] A. Valadarsky, G. Shahaf, M. Dinitz, M. Schapira, "Xpander: towards optimal-performance datacenters", CoNEXT 2016.
    .. [2] Y. Bilu, N. Linial, "Lifts, discrepancy and nearly optimal spectral gap", Combinatorica 26, 2006.

    Examples
    --------
    >>> build(degree=8, lifts=5).router_count
    288
    """
    count = (degree + 1) * 2**lifts
    links = count * degree // 2
    require_size("degree and lifts", count, links, steps=2 * min(trials, _DRAWS) * links)
    draw = seeds.stream(graph_seed, "topology.xpander")
    links = np.column_stack(np.triu_indices(degree + 1, 1))
    for lift in range(lifts):
        links = _best_lift(links, degree, lift, trials, draw)
    return from_links(
        "xpander",
        {
            "degree": degree,
            "lifts": lifts,
            "trials": trials,
            "graph_seed": graph_seed,
            "endpoints_per_router": endpoints_per_router,
        },
        count,
        links,
        endpoints=third(degree) if endpoints_per_router is None else endpoints_per_router,
        group=np.arange(count)[:, None] >> lifts,
        group_names=("meta-node",),
        coords=np.column_stack([np.arange(count) >> lifts, np.arange(count) & ((1 << lifts) - 1)]),
        coord_names=("meta-node", "copy"),
    )


def grow(
    topology: Topology,
    crossed: Annotated[float, Ge(0), Le(1)] = 0.4,
    trials: Annotated[int, Ge(1)] = 10,
    graph_seed: Annotated[int, Ge(0)] = 1,
) -> Topology:
    """Return the Xpander of twice the routers, by a 2-lift in which the old routers are the first copies.

    A link {u, v} that is not crossed stays, and its copy joins the new routers; a crossed one is taken out and becomes {u, v'}
    and {u', v}. Fewer crossed links than the half of a fair coin move fewer cables; down to two fifths the cut is the same.

    Parameters
    ----------
    topology
        An Xpander, or one that has grown.
    crossed
        Share of crossed links.
    trials
        Draws, of which the one with the smallest absolute second eigenvalue is kept.
    graph_seed
        Seed of the draws.

    Raises
    ------
    Infeasible
        When a hundred draws gave no connected lift.

    References
    ----------
    .. [1] Y. Bilu, N. Linial, "Lifts, discrepancy and nearly optimal spectral gap", Combinatorica 26, 2006.
    """
    n, links = topology.router_count, topology.links.astype(np.int64)
    draw = seeds.stream(graph_seed, "topology.xpander.grow")
    best, smallest = None, np.inf
    for number in range(_DRAWS):
        cross = np.zeros(len(links), np.int64)
        cross[draw.permutation(len(links))[: round(crossed * len(links))]] = n
        lifted = np.concatenate(
            [np.column_stack([links[:, 0], links[:, 1] + cross]), np.column_stack([links[:, 0] + n, links[:, 1] + n - cross])]
        )
        if is_connected(2 * n, lifted):
            radius = _signed_radius(n, links, np.where(cross > 0, -1, 1))
            if radius < smallest:
                best, smallest = lifted, radius
        if number + 1 >= trials and best is not None:
            break
    if best is None:
        raise Infeasible(f"xpander: {_DRAWS} draws gave no connected lift of {n} routers; raise the share of crossed links")
    copies = topology.coords + [0, int(topology.coords[:, 1].max(initial=0)) + 1]
    return from_links(
        "xpander",
        topology.params | {"lifts": topology.params["lifts"] + 1, "crossed": crossed},
        2 * n,
        best,
        endpoints=np.tile(topology.endpoints_of, 2),
        group=np.tile(topology.group, (2, 1)),
        group_names=topology.group_names,
        coords=np.concatenate([topology.coords, copies]),
        coord_names=topology.coord_names,
    )


def _best_lift(links: np.ndarray, degree: int, lift: int, trials: int, draw: np.random.Generator) -> np.ndarray:
    """Return the best of the drawn 2-lifts. The new eigenvalues of a lift are those of the signed adjacency matrix."""
    n = (degree + 1) * 2**lift
    best, smallest = None, np.inf
    for number in range(_DRAWS):
        cross = draw.integers(0, 2, len(links))
        lifted = np.concatenate([np.column_stack([2 * links[:, 0], 2 * links[:, 1] + cross]),
                                 np.column_stack([2 * links[:, 0] + 1, 2 * links[:, 1] + 1 - cross])])  # fmt: skip
        if is_connected(2 * n, lifted):
            radius = _signed_radius(n, links, 1 - 2 * cross)
            if radius < smallest:
                best, smallest = lifted, radius
        if number + 1 >= trials and best is not None:
            return best
    raise Infeasible(f"xpander: {_DRAWS} draws gave no connected lift of {n} routers; raise the degree")


def _signed_radius(n: int, links: np.ndarray, sign: np.ndarray) -> float:
    """Largest eigenvalue in absolute value of the signed adjacency matrix."""
    from scipy.sparse import coo_array
    from scipy.sparse.linalg import eigsh

    matrix = coo_array((np.tile(sign.astype(float), 2), (links.T.ravel(), links[:, ::-1].T.ravel())), shape=(n, n))
    if n <= 400:
        return float(np.abs(np.linalg.eigvalsh(matrix.toarray())).max())
    start = np.random.default_rng(0).standard_normal(n)
    return float(np.abs(eigsh(matrix.tocsr(), k=1, which="LM", tol=1e-4, v0=start, return_eigenvectors=False)).max())
