"""Topology of the network."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from planner.core.record import Record, array, value


@dataclass(frozen=True, eq=False)
class Topology(Record, name="topology", network_needs=()):
    """The network as a graph: routers, links, numbered ports, endpoints and groups."""

    family: str = value("name of the family")
    params: dict[str, Any] = value("parameters of the family")
    links: np.ndarray = array("int32", "L,2", "routers at both ends of each link, lower id first")
    link_class: np.ndarray = array("uint8", "L", "index into link_class_names")
    link_class_names: tuple[str, ...] = value("names of link classes: local, global …")
    indptr: np.ndarray = array("int32", "R+1", "start of each router's row in indices and link")
    indices: np.ndarray = array("int32", "A", "neighbor at each port; the position in the row is the port number")
    link: np.ndarray = array("int32", "A", "link at each port")
    endpoint_router: np.ndarray = array("int32", "H", "router of each endpoint, ascending")
    group: np.ndarray = array("int32", "R,G", "group of each router, finest level first")
    group_names: tuple[str, ...] = value("names of the group levels: supernode, cluster …")
    coords: np.ndarray = array("int32", "R,D", "coordinates of each router in the family's address scheme")
    coord_names: tuple[str, ...] = value("names of the coordinates")
    role: np.ndarray = array("uint8", "R", "role of each router, index into role_names")
    role_names: tuple[str, ...] = value("names of the roles: router; or leaf, spine, core …")
    endpoint_names: tuple[str, ...] = value(
        "names of the endpoints in the file of the network, where that does not list them router by router", default=()
    )
    router_names: tuple[str, ...] = value("names of the routers in the file of the network, unless they are numbers", default=())
    complete: bool = value("False if the search for a better network was interrupted", default=True)

    @property
    def router_count(self) -> int:
        return len(self.indptr) - 1

    @property
    def link_count(self) -> int:
        return len(self.links)

    @property
    def endpoint_count(self) -> int:
        return len(self.endpoint_router)

    @property
    def degree(self) -> np.ndarray:
        """Number of links of each router, int32 (R,)."""
        return np.diff(self.indptr)

    @property
    def endpoints_of(self) -> np.ndarray:
        """Number of endpoints of each router, int64 (R,)."""
        return np.bincount(self.endpoint_router, minlength=self.router_count)
