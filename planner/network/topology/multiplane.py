"""Planes: identical copies of any family that are not joined; port p of every node is attached to plane p."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any

import numpy as np
from annotated_types import Ge

from planner.core import registry
from planner.domain.model import Topology
from planner.network.topology.construction.graph import require
from planner.network.topology.construction.limits import require_size
from planner.network.topology.construction.nucleus import build_nucleus

EXAMPLE = {"planes": 2, "plane": "leafspine", "plane_parameters": {"leaves": 4, "spines": 2, "uplinks": 2}}
"""A small instance, for tests and pictures."""

JOINED = False
"""Routers of different planes cannot reach each other."""

_MAX_ROUTERS = 100_000


def build(planes: Annotated[int, Ge(1)], plane: str, plane_parameters: dict[str, Any]) -> Topology:
    """Build planes that are copies of one network, without links between them.

    Router r of plane p has id pR + r, and endpoint h of plane p has number pH + h, for R routers and H endpoints of a plane:
    port p of node h is endpoint h of plane p. Packets stay in their plane; a node that receives on one port and sends on
    another leads from one plane to another.

    Sizes count all planes, and the bisection is that of each plane, summed. All planes being alike, distances, expansion and
    loads of `planner topology` are those of one plane. Delays are those inside planes. Two nodes count as disconnected after a
    failure when they have no path in any plane.

    Parameters
    ----------
    planes
        Number of planes.
    plane
        Topology family of a plane.
    plane_parameters
        Parameters of that family.

    Raises
    ------
    InputError
        When the plane is not valid, or itself not connected.

    References
    ----------
    .. [1] C. Zhao et al., "Insights into DeepSeek-V3: scaling challenges and reflections on hardware for AI architectures",
           ISCA 2025, section 5 (multi-plane fat tree).

    Examples
    --------
    The multi-plane fat tree of [1]_, with 64-port routers:

    >>> network = build(8, "leafspine", {"leaves": 64, "spines": 32, "uplinks": 32})
    >>> network.router_count, network.link_count, network.endpoint_count
    (768, 16384, 16384)
    """
    one = build_nucleus(plane, plane_parameters, _MAX_ROUTERS // planes, key="plane")
    joined = getattr(registry.load("topology", plane), "JOINED", True)
    require(joined, "plane", f"the routers of {plane} cannot all reach each other", "use another family, and more planes")
    routers, links, ports = one.router_count, one.link_count, len(one.indices)
    require_size("planes", planes * routers, planes * links, endpoints=planes * one.endpoint_count)

    def copies(array: np.ndarray, step: int) -> np.ndarray:
        """Return a copy per plane, whose values are larger by `step` from plane to plane."""
        offset = step * np.arange(planes).reshape(-1, *[1] * array.ndim)
        return (array[None] + offset).reshape(-1, *array.shape[1:])

    own = np.repeat(np.arange(planes), routers)
    groups = [copies(column, int(column.max()) + 1) for column in one.group.T]
    return Topology(
        family="multiplane",
        params={"planes": planes, "plane": plane, "plane_parameters": plane_parameters},
        links=copies(one.links, routers),
        link_class=copies(one.link_class, 0),
        link_class_names=one.link_class_names,
        indptr=np.append(copies(one.indptr[:-1], ports), planes * ports),
        indices=copies(one.indices, routers),
        link=copies(one.link, links),
        endpoint_router=copies(one.endpoint_router, routers),
        group=np.column_stack([*groups, own]),
        group_names=(*_inner(one.group_names), "plane"),
        coords=np.column_stack([own, copies(one.coords, 0)]),
        coord_names=("plane", *_inner(one.coord_names)),
        role=copies(one.role, 0),
        role_names=one.role_names,
    )


def nodes(topology: Topology) -> np.ndarray:
    """Return the endpoints of each node, one in each plane, int64 (nodes, planes)."""
    return np.arange(topology.endpoint_count).reshape(topology.params["planes"], -1).T


def _inner(names: tuple[str, ...]) -> list[str]:
    """Return the names of a plane's levels and coordinates, distinct from that of the planes."""
    return [f"inner {name}" if name == "plane" else name for name in names]


def configurations(radix: int) -> Iterator[dict[str, Any]]:
    """Yield two, four and eight planes of each leaf-spine network of a radix without building them."""
    for item in registry.load("topology", "leafspine").configurations(radix):
        for planes in (2, 4, 8):
            yield {
                "parameters": {"planes": planes, "plane": "leafspine", "plane_parameters": item["parameters"]},
                "routers": planes * item["routers"],
                "endpoints": planes * item["endpoints"],
                "diameter": None,
            }
