"""Mesh: routers on a grid, linked to their neighbors in every dimension, without wrap-around."""

from __future__ import annotations

from math import prod
from typing import Annotated

import numpy as np
from annotated_types import Ge, MinLen

from planner.model import Topology
from planner.topology._graph import from_links
from planner.topology._limits import EndpointsPerRouter, require_size
from planner.topology.torus import blocks

EXAMPLE = {"sizes": (4, 3)}
"""A small instance, for tests and pictures."""


def build(
    sizes: Annotated[tuple[Annotated[int, Ge(2)], ...], MinLen(1)],
    block: tuple[Annotated[int, Ge(1)], ...] | None = None,
    endpoints_per_router: EndpointsPerRouter = 1,
) -> Topology:
    """Build a mesh of the given sizes.

    Router ids are mixed radix with the last coordinate fastest. Ports go up, then down, dimension by
    dimension; routers at the border leave out the port that would lead outside.

    Parameters
    ----------
    sizes
        Routers along each dimension.
    block
        Size of the blocks of routers that placement keeps together; by default lines along the last dimension.
    endpoints_per_router
        One by default.

    Raises
    ------
    InputError
        When `block` does not fit `sizes`.

    References
    ----------
    .. [1] W. Dally, B. Towles, "Principles and Practices of Interconnection Networks", 2004, chapter 5.

    Examples
    --------
    >>> build((4, 4)).link_count
    24
    """
    require_size("sizes", prod(sizes), len(sizes) * prod(sizes), scratch_bytes=40 * len(sizes) * prod(sizes))
    group = blocks(sizes, block)
    coords = np.stack([axis.ravel() for axis in np.indices(sizes)], axis=1)
    weights = np.append(np.cumprod(sizes[:0:-1])[::-1], 1)
    links, classes, ports = [], [], []
    for axis, size in enumerate(sizes):
        start = np.flatnonzero(coords[:, axis] < size - 1)
        links.append(np.column_stack([start, start + weights[axis]]))
        classes.append(np.full(len(start), axis))
        ports.append(np.tile([2 * axis, 2 * axis + 1], (len(start), 1)))
    return from_links(
        "mesh",
        {"sizes": sizes, "block": block, "endpoints_per_router": endpoints_per_router},
        len(coords),
        np.concatenate(links),
        endpoints=endpoints_per_router,
        link_class=np.concatenate(classes),
        link_class_names=[f"dimension {axis}" for axis in range(len(sizes))],
        group=group[:, None],
        group_names=("block",),
        coords=coords,
        coord_names=[f"x{axis}" for axis in range(len(sizes))],
        port_key=np.concatenate(ports),
    )
