"""Failure domains, and the network that survives each failure."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from planner.core.record import Record, array, value
from planner.domain.model.inventory import Inventory

_NONE = np.zeros(0, np.int64)


@dataclass(frozen=True, eq=False)
class Domain:
    """Equipment that fails together: a cabinet, a power distribution unit, a tray …

    Attributes
    ----------
    kind, name
        Kind of the domain, and its name.
    routers, links, endpoints
        Ids of the equipment, int64; the links and endpoints of a failed router fail with it
        and need not be listed. An endpoint fails with its box or with its cable.
    """

    kind: str
    name: str
    routers: np.ndarray = field(default_factory=_NONE.copy)
    links: np.ndarray = field(default_factory=_NONE.copy)
    endpoints: np.ndarray = field(default_factory=_NONE.copy)

    @classmethod
    def of(
        cls,
        inventory: Inventory,
        kind: str,
        name: str,
        *,
        devices: np.ndarray = _NONE,
        connections: np.ndarray = _NONE,
    ) -> Domain:
        """Return the domain of some devices and connections, as far as they belong to one network."""
        routers = inventory.routers()
        links, endpoints = inventory.links(), inventory.endpoints()
        cut = connections[(connections >= endpoints.start) & (connections < endpoints.stop)] - endpoints.start
        lost = inventory.endpoints_at(devices)
        return cls(
            kind,
            name,
            routers=devices[(devices >= routers.start) & (devices < routers.stop)] - routers.start,
            links=connections[(connections >= links.start) & (connections < links.stop)] - links.start,
            endpoints=np.union1d(lost, cut) if len(lost) and len(cut) else np.append(lost, cut),
        )


@dataclass(frozen=True, eq=False)
class Failures(Record, name="failures", needs=("topology", "inventory", "room", "placement", "cables", "bisection")):
    """The network after the failure of each domain; the first row is the intact network.

    Pairs are ordered pairs of different nodes: every endpoint is a node, except on planes that are not joined, where a node owns
    endpoints in several planes. In networks without endpoints every router is a node.
    """

    routers: int = value("routers of the intact network")
    endpoints: int = value("endpoints of the intact network")
    node: np.ndarray = array("int32", "H", "node of each endpoint, from 0")
    kinds: tuple[str, ...] = value(
        "kinds of domain: none, cabinet, row, zone, hall, tray, tray segment; PDU, feed and others as given"
    )
    kind: np.ndarray = array("uint8", "D", "kind of each domain, index into kinds")
    names: np.ndarray = array("str", "D", "name of each domain")
    routers_lost: np.ndarray = array("int32", "D", "routers in the domain")
    links_lost: np.ndarray = array("int32", "D", "links in the domain and links of failed routers")
    endpoints_lost: np.ndarray = array("int32", "D", "endpoints whose box, cable or router failed")
    components: np.ndarray = array("int32", "D", "connected components of the surviving network")
    largest_routers: np.ndarray = array("int32", "D", "routers of the largest component")
    largest_endpoints: np.ndarray = array("int32", "D", "surviving endpoints at the routers of the largest component")
    pairs_failed: np.ndarray = array("int64", "D", "pairs with a failed node: none of its endpoints is left")
    pairs_disconnected: np.ndarray = array("int64", "D", "pairs of surviving nodes without a path between any of their endpoints")
    diameter: np.ndarray = array("int32", "D", "maximum hops between connected surviving routers; -1 where not computed")
    mean_hops: np.ndarray = array("float64", "D", "mean hops between connected surviving routers; NaN where not computed")
    bisection_lower: np.ndarray = array("int64", "D", "lower bound of the bisection of the survivors; -1 where not computed")
    bisection_upper: np.ndarray = array("int64", "D", "links between the best halves found; -1 where not computed")

    @property
    def nodes(self) -> int:
        """Number of nodes whose pairs are counted."""
        return int(self.node.max()) + 1 if len(self.node) else self.routers

    @property
    def pairs(self) -> int:
        """Pairs of the intact network."""
        return self.nodes * (self.nodes - 1)

    @property
    def lost_percent(self) -> np.ndarray:
        """Share of all pairs that can no longer communicate, float64 (D,)."""
        return 100 * (self.pairs_failed + self.pairs_disconnected) / max(self.pairs, 1)

    @property
    def disconnected_percent(self) -> np.ndarray:
        """Share of all pairs that are disconnected although both nodes survive, float64 (D,)."""
        return 100 * self.pairs_disconnected / max(self.pairs, 1)

    def of(self, kind: str) -> np.ndarray:
        """Return the domains of a kind by lost pairs, then by lost links, largest first, int64."""
        own = np.flatnonzero(self.kind == self.kinds.index(kind)) if kind in self.kinds else np.zeros(0, np.int64)
        lost = self.pairs_failed[own] + self.pairs_disconnected[own]
        return own[np.lexsort((own, -self.links_lost[own].astype(np.int64), -lost))]
