"""Torus: routers on a grid, each linked to its neighbors around every dimension."""

from __future__ import annotations

from typing import Annotated

from annotated_types import Ge, MinLen

from planner.domain.model import Topology
from planner.network.topology.construction.grid import grid
from planner.network.topology.construction.limits import EndpointsPerRouter

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
    return grid("torus", sizes, block, endpoints_per_router, wraps=True)
