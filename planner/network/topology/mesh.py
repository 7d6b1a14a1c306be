"""Mesh: routers on a grid, linked to their neighbors in every dimension, without wrap-around."""

from __future__ import annotations

from typing import Annotated

from annotated_types import Ge, MinLen

from planner.domain.model import Topology
from planner.network.topology.construction.grid import grid
from planner.network.topology.construction.limits import EndpointsPerRouter

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
    return grid("mesh", sizes, block, endpoints_per_router, wraps=False)
