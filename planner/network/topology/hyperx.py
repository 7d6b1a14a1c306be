"""HyperX: routers on a grid, linked to all others of their line in every dimension."""

from __future__ import annotations

from collections.abc import Iterator
from math import prod
from typing import Annotated, Any

import numpy as np
from annotated_types import Ge, MinLen

from planner.domain.model import Topology
from planner.network.topology.construction.graph import from_links, require
from planner.network.topology.construction.limits import EndpointsPerRouter, require_size

EXAMPLE = {"sizes": (3, 4)}
"""A small instance, for tests and pictures."""

VERTEX_TRANSITIVE = True
"""A product of complete graphs. Vertex-transitive, so metrics start from a single router."""


def build(
    sizes: Annotated[tuple[Annotated[int, Ge(2)], ...], MinLen(1)],
    parallel: Annotated[tuple[Annotated[int, Ge(1)], ...], MinLen(1)] = (1,),
    endpoints_per_router: EndpointsPerRouter | None = None,
) -> Topology:
    """Build a HyperX; with one link per pair also known as Hamming graph or generalized hypercube.

    Router ids are mixed radix with the last coordinate fastest. Ports: dimension by dimension, in
    each the coordinates of the neighbors in order, parallel links adjacent.

    Parameters
    ----------
    sizes
        Routers along each dimension.
    parallel
        Parallel links between neighbors, one number for all dimensions or one for each.
    endpoints_per_router
        By default the radix over the number of dimensions, rounded down (a flattened butterfly's share).

    Raises
    ------
    InputError
        When `parallel` does not fit `sizes`.

    Notes
    -----
    Differs from the paper: sizes are given, not searched for a required bisection. For equal sizes s the default is s - 1
    endpoints per router, where a flattened butterfly has s.

    References
    ----------
    .. [1] J. Ahn, N. Binkert, A. Davis, M. McLaren, R. Schreiber, "HyperX: topology, routing, and packaging of efficient
           large-scale networks", SC 2009.
    .. [2] J. Kim, W. Dally, D. Abts, "Flattened butterfly: a cost-efficient topology for high-radix networks", ISCA 2007.

    Examples
    --------
    >>> build((9, 9, 8)).link_count
    7452
    """
    fits = len(parallel) in (1, len(sizes))
    require(fits, "parallel", f"has {len(parallel)} numbers for {len(sizes)} dimensions", "give one, or one for each")
    copies = parallel * len(sizes) if len(parallel) == 1 else parallel
    routers = prod(sizes)
    link_count = sum(routers * (size - 1) * copy // 2 for size, copy in zip(sizes, copies, strict=True))
    require_size("sizes", routers, link_count, scratch_bytes=8 * len(sizes) * routers)
    coords = np.stack([axis.ravel() for axis in np.indices(sizes)], axis=1)
    weights = np.append(np.cumprod(sizes[:0:-1])[::-1], 1)
    links, classes, ports = [], [], []
    first_port = 0
    for axis, size in enumerate(sizes):
        low, high = np.triu_indices(size, 1)
        start = np.flatnonzero(coords[:, axis] == 0)[:, None]
        pairs = np.stack([start + low * weights[axis], start + high * weights[axis]], axis=-1).reshape(-1, 2)
        keys = first_port + np.tile(np.column_stack([high, low]), (len(start), 1))
        links.append(np.repeat(pairs, copies[axis], axis=0))
        ports.append(np.repeat(keys, copies[axis], axis=0))
        classes.append(np.full(len(pairs) * copies[axis], axis))
        first_port += size
    radix = sum((size - 1) * copy for size, copy in zip(sizes, copies, strict=True))
    group = [coords[:, :-1] @ (weights[:-1] // sizes[-1]), coords[:, 0]] if len(sizes) > 1 else [np.zeros(len(coords), int)]
    return from_links(
        "hyperx",
        {"sizes": sizes, "parallel": parallel, "endpoints_per_router": endpoints_per_router},
        len(coords),
        np.concatenate(links),
        endpoints=radix // len(sizes) if endpoints_per_router is None else endpoints_per_router,
        link_class=np.concatenate(classes),
        link_class_names=[f"dimension {axis}" for axis in range(len(sizes))],
        group=np.column_stack(group),
        group_names=("line", "plane") if len(sizes) > 1 else ("line",),
        coords=coords,
        coord_names=[f"x{axis}" for axis in range(len(sizes))],
        port_key=np.concatenate(ports),
    )


def configurations(radix: int) -> Iterator[dict[str, Any]]:
    """Yield the HyperX of a radix in two and three dimensions as equal as possible without building them."""
    for dimensions in (2, 3):
        if radix >= dimensions:
            sizes = tuple((radix + 2 * dimensions - 1 - axis) // dimensions for axis in range(dimensions))
            routers = prod(sizes)
            endpoints = routers * (radix // dimensions)
            yield {"parameters": {"sizes": sizes}, "routers": routers, "endpoints": endpoints, "diameter": dimensions}
