"""The network that survives a failure."""

from __future__ import annotations

import numpy as np

from planner.domain.model import Domain, Topology


def survivors(topology: Topology, lost: Domain) -> Topology:
    """Return the surviving routers and links, with the endpoints still connected to their router.

    Routers and groups are renumbered in order.

    Examples
    --------
    >>> from planner.network.topology import build
    >>> left = survivors(build("torus", sizes=[6]), Domain("cabinet", "A01", routers=np.array([0, 3])))
    >>> left.router_count, left.links.tolist()
    (4, [[0, 1], [2, 3]])
    """
    if not (len(lost.routers) or len(lost.links) or len(lost.endpoints)):
        return topology
    alive = np.ones(topology.router_count, bool)
    alive[lost.routers] = False
    number = np.cumsum(alive) - 1
    kept = alive[topology.links].all(axis=1)
    kept[lost.links] = False
    ports = kept[topology.link]
    indptr = np.append(0, np.cumsum(ports))[topology.indptr]
    starts = np.append(True, alive)  # the row of a failed router is empty and is dropped
    fed = np.ones(topology.endpoint_count, bool)
    fed[lost.endpoints] = False
    router = topology.endpoint_router[fed]
    groups = [np.unique(column, return_inverse=True)[1] for column in topology.group[alive].T]
    return Topology(
        family=f"survivors of {topology.family}",  # properties of the family no longer hold
        params=topology.params,
        links=number[topology.links[kept]],
        link_class=topology.link_class[kept],
        link_class_names=topology.link_class_names,
        indptr=indptr[starts],
        indices=number[topology.indices[ports]],
        link=(np.cumsum(kept) - 1)[topology.link[ports]],
        endpoint_router=number[router[alive[router]]],
        group=np.column_stack(groups) if groups else np.zeros((int(alive.sum()), 0)),
        group_names=topology.group_names,
        coords=topology.coords[alive],
        coord_names=topology.coord_names,
        role=topology.role[alive],
        role_names=topology.role_names,
    )
