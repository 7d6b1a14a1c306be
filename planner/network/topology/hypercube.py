"""Hypercube: routers are bit strings, linked where they differ in one bit."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Annotated, Any

from annotated_types import Ge, Le

from planner.domain.model import Topology
from planner.network.topology import torus
from planner.network.topology.construction.graph import require
from planner.network.topology.construction.limits import EndpointsPerRouter

EXAMPLE = {"dimensions": 4}
"""A small instance, for tests and pictures."""

VERTEX_TRANSITIVE = True
"""A Cayley graph. Vertex-transitive, so metrics start from a single router."""


def build(
    dimensions: Annotated[int, Ge(1), Le(20)],
    block_dimensions: Annotated[int, Ge(0)] | None = None,
    endpoints_per_router: EndpointsPerRouter = 1,
) -> Topology:
    """Build the hypercube Q_d of 2^d routers of degree d: a torus of twos.

    Parameters
    ----------
    dimensions
        Number of dimensions, d.
    block_dimensions
        Routers that agree in all but this number of last bits form a block, which placement keeps together; by default half.
    endpoints_per_router
        One by default.

    Raises
    ------
    InputError
        When `block_dimensions` exceeds the dimensions.

    References
    ----------
    .. [1] W. Dally, B. Towles, "Principles and Practices of Interconnection Networks", 2004, chapter 5.

    Examples
    --------
    >>> build(10).link_count
    5120
    """
    inner = dimensions // 2 if block_dimensions is None else block_dimensions
    require(inner <= dimensions, "block_dimensions", f"{inner} exceeds {dimensions} dimensions", f"use at most {dimensions}")
    made = torus.build((2,) * dimensions, (1,) * (dimensions - inner) + (2,) * inner, endpoints_per_router)
    params = {"dimensions": dimensions, "block_dimensions": block_dimensions, "endpoints_per_router": endpoints_per_router}
    return replace(made, family="hypercube", params=params)


def configurations(radix: int) -> Iterator[dict[str, Any]]:
    """Yield the hypercube of a degree, if it has at most a million routers, without building it."""
    if 1 <= radix <= 20:
        yield {"parameters": {"dimensions": radix}, "routers": 2**radix, "endpoints": 2**radix, "diameter": radix}
