"""Torus: routers on a grid, each linked to its neighbors around every dimension."""

from __future__ import annotations

from math import prod
from typing import Annotated

import numpy as np
from annotated_types import Ge, MinLen

from planner.model import Topology
from planner.topology._graph import from_links, require
from planner.topology._limits import EndpointsPerRouter, require_size

EXAMPLE = {"sizes": (4, 4, 3)}
"""A small instance, for tests and pictures."""

VERTEX_TRANSITIVE = True
"""A product of cycles. Vertex-transitive, so metrics start from a single router."""


def build(
    sizes: Annotated[tuple[Annotated[int, Ge(2)], ...], MinLen(1)],
    block: tuple[Annotated[int, Ge(1)], ...] | None = None,
    endpoints_per_router: EndpointsPerRouter = 1,
) -> Topology:
    """Build a torus of the given sizes; a dimension of size 2 has one link, not two.

    Router ids are mixed radix with the last coordinate fastest. Port 2d leads up dimension d,
    port 2d + 1 down.

    Parameters
    ----------
    sizes
        Routers along each dimension.
    block
        Size of the blocks of routers that placement keeps together, one number per dimension; each must
        divide the size. By default lines along the last dimension.
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
    >>> build((4, 4, 4, 4)).link_count
    1024
    """
    require_size("sizes", prod(sizes), len(sizes) * prod(sizes), scratch_bytes=40 * len(sizes) * prod(sizes))
    group = blocks(sizes, block)
    coords = np.stack([axis.ravel() for axis in np.indices(sizes)], axis=1)
    weights = np.append(np.cumprod(sizes[:0:-1])[::-1], 1)
    links, classes, ports = [], [], []
    for axis, size in enumerate(sizes):
        step = coords.copy()
        step[:, axis] = (step[:, axis] + 1) % size
        keep = coords[:, axis] < (1 if size == 2 else size)
        links.append(np.column_stack([coords @ weights, step @ weights])[keep])
        classes.append(np.full(keep.sum(), axis))
        ports.append(np.tile([2 * axis, 2 * axis + 1], (keep.sum(), 1)))
    return from_links(
        "torus",
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


def blocks(sizes: tuple[int, ...], block: tuple[int, ...] | None) -> np.ndarray:
    """Return the block of each router of a grid, int64 (R,); by default lines along the last dimension.

    Raises
    ------
    InputError
        When a block's size does not divide the grid's.
    """
    block = (1,) * (len(sizes) - 1) + (sizes[-1],) if block is None else block
    require(len(block) == len(sizes), "block", f"has {len(block)} numbers for {len(sizes)} dimensions", "give one for each")
    for number, (part, size) in enumerate(zip(block, sizes, strict=True)):
        divisors = [d for d in range(1, size + 1) if size % d == 0]
        require(part in divisors, f"block.{number}", f"{part} does not divide {size}", f"use one of {divisors}")
    cells = np.stack([axis.ravel() for axis in np.indices(sizes)], axis=1) // block
    counts = np.array(sizes) // block
    return cells @ np.append(np.cumprod(counts[:0:-1])[::-1], 1)
