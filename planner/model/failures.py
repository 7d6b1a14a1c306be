"""What may fail together, and what each loss does to the network."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from planner.record import Record, array, value


@dataclass(frozen=True, eq=False)
class Domain:
    """What one fault takes away: a cabinet, a power distribution unit, a tray …

    Attributes
    ----------
    kind, name
        What it is, and which one.
    routers, links, endpoints
        Ids of what is lost, int64; the links of a lost router and the endpoints behind it go with it
        and need not be named. An endpoint is lost with its box or with its cable.
    """

    kind: str
    name: str
    routers: np.ndarray = field(default_factory=lambda: np.zeros(0, np.int64))
    links: np.ndarray = field(default_factory=lambda: np.zeros(0, np.int64))
    endpoints: np.ndarray = field(default_factory=lambda: np.zeros(0, np.int64))


@dataclass(frozen=True, eq=False)
class Failures(Record):
    """The network after the loss of each failure domain; the first line is the network whole.

    Pairs are ordered pairs of different endpoints; of routers where the network has no endpoints.
    """

    routers: int = value("routers of the whole network")
    endpoints: int = value("endpoints of the whole network")
    kinds: tuple[str, ...] = value(
        "kinds of domain: none, cabinet, row, zone, hall, tray, tray segment; PDU, feed and others as given"
    )
    kind: np.ndarray = array("uint8", "D", "kind of each domain, index into kinds")
    names: np.ndarray = array("str", "D", "name of each domain")
    routers_lost: np.ndarray = array("int32", "D", "routers in the domain")
    links_lost: np.ndarray = array("int32", "D", "links in the domain and links of lost routers")
    endpoints_lost: np.ndarray = array("int32", "D", "endpoints whose box, cable or router is lost")
    components: np.ndarray = array("int32", "D", "connected components of the surviving network")
    largest_routers: np.ndarray = array("int32", "D", "routers of the largest component")
    largest_endpoints: np.ndarray = array("int32", "D", "surviving endpoints at the routers of the largest component")
    pairs_own: np.ndarray = array("int64", "D", "pairs lost because an endpoint of the pair is")
    pairs_parted: np.ndarray = array("int64", "D", "pairs of endpoints left that no way joins")
    diameter: np.ndarray = array("int32", "D", "most hops between joined surviving routers; -1 where not computed")
    mean_hops: np.ndarray = array("float64", "D", "mean hops between different joined surviving routers; NaN where not computed")
    bisection_lower: np.ndarray = array(
        "int64", "D", "no halves of the survivors are joined by fewer links; -1 where not computed"
    )
    bisection_upper: np.ndarray = array("int64", "D", "links between the best halves found; -1 where not computed")

    @property
    def pairs(self) -> int:
        """Pairs of the whole network."""
        ends = self.endpoints or self.routers
        return ends * (ends - 1)

    @property
    def lost_percent(self) -> np.ndarray:
        """Share of all pairs that can no longer talk, float64 (D,)."""
        return 100 * (self.pairs_own + self.pairs_parted) / max(self.pairs, 1)

    @property
    def parted_percent(self) -> np.ndarray:
        """Share of all pairs whose endpoints are left and that no way joins, float64 (D,)."""
        return 100 * self.pairs_parted / max(self.pairs, 1)

    def of(self, kind: str) -> np.ndarray:
        """Return the domains of a kind, most lost pairs first, then most links lost, int64."""
        own = np.flatnonzero(self.kind == self.kinds.index(kind)) if kind in self.kinds else np.zeros(0, np.int64)
        lost = self.pairs_own[own] + self.pairs_parted[own]
        return own[np.lexsort((own, -self.links_lost[own].astype(np.int64), -lost))]
