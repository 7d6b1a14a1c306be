"""Routers on a grid, linked to their neighbors in every dimension: tori and meshes."""

from __future__ import annotations

from math import prod

import numpy as np

from planner.domain.model import Topology
from planner.network.topology.construction.graph import from_links, require
from planner.network.topology.construction.limits import require_size


def grid(
    family: str, sizes: tuple[int, ...], block: tuple[int, ...] | None, endpoints_per_router: int, *, wraps: bool
) -> Topology:
    """Build a grid; with `wraps` dimensions of more than two routers are cycles.

    Router ids are mixed radix with the last coordinate fastest. Port 2d leads up dimension d, port 2d + 1 down.

    Raises
    ------
    InputError
        When `block` does not fit `sizes`, or the grid is too large.
    """
    require_size("sizes", prod(sizes), len(sizes) * prod(sizes), scratch_bytes=40 * len(sizes) * prod(sizes))
    group = blocks(sizes, block)
    coords = np.stack([axis.ravel() for axis in np.indices(sizes)], axis=1)
    weights = np.append(np.cumprod(sizes[:0:-1])[::-1], 1)
    links, classes, ports = [], [], []
    for axis, size in enumerate(sizes):
        step = coords.copy()
        step[:, axis] = (step[:, axis] + 1) % size
        start = coords[:, axis] < (size if wraps and size > 2 else size - 1)
        links.append(np.column_stack([coords @ weights, step @ weights])[start])
        classes.append(np.full(start.sum(), axis))
        ports.append(np.tile([2 * axis, 2 * axis + 1], (start.sum(), 1)))
    return from_links(
        family,
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
