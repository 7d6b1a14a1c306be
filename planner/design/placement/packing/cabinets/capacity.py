"""Capacity of a cabinet: all limits, and the resources that a content needs."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from planner.core.units import named
from planner.design.placement.packing.cabinets.interior import PLAIN, Interior
from planner.domain.model import Catalog, Topology


def contents(topology: Topology, members: np.ndarray) -> np.ndarray:
    """Return the content of each router: 1 router, its endpoints and its links; int64 (n, 3)."""
    first, last = (np.searchsorted(topology.endpoint_router, members, side=side) for side in ("left", "right"))
    links = (topology.indptr[members + 1] - topology.indptr[members]).astype(np.int64)
    return np.column_stack([np.ones(len(members), np.int64), last - first, links])


@dataclass(frozen=True, kw_only=True)
class Limit:
    """One limit of a cabinet: the allowed amount, and the amounts of an empty cabinet, a router, an endpoint box and a port.

    `per_routers` is an amount per started group of routers and the size of a group: a cable manager for every four routers
    is (its units, 4). `per_boxes` is the same for endpoint boxes. `unit` is that of the amounts, see `planner.core.units.unit`;
    "" for a count.
    """

    allowed: int
    unit: str = ""
    empty: int = 0
    router: int = 0
    box: int = 0
    port: int = 0
    per_routers: tuple[int, int] = (0, 1)
    per_boxes: tuple[int, int] = (0, 1)

    def needed(self, routers: Any, boxes: Any, ports: Any) -> Any:
        """Return the amount needed by numbers or arrays of routers, boxes and ports."""
        some, every = self.per_routers
        others, each = self.per_boxes
        own = self.router * routers + self.box * boxes + self.port * ports + self.empty
        return own + some * -(-routers // every) + others * -(-boxes // each)

    def excess(self, needed: int) -> str:
        """Describe an amount above the limit."""
        stated, allowed = (named(value, self.unit, gap=" ") if self.unit else value for value in (needed, self.allowed))
        return f"{stated}, allowed {allowed}"

    @property
    def row(self) -> tuple[int, ...]:
        """Row of the table for the kernels."""
        return self.router, self.box, self.port, self.empty, self.allowed, *self.per_routers, *self.per_boxes


@dataclass(frozen=True)
class Capacity:
    """Capacity of one cabinet.

    A content is counted in routers, endpoints and ports: link ports of all its routers, as if every
    link left the cabinet.

    Attributes
    ----------
    catalog
        The selected parts.
    power_mw, load_g
        Power limit of the slot, and floor load limit including the cabinet.
    routers
        Maximum number of routers, if the room sets one.
    panel_ports
        Maximum number of link ports, such as those of a patch panel.
    interior
        Arrangement inside the cabinet.
    lost_units
        Rack units that are in use or kept free.
    """

    catalog: Catalog
    power_mw: int
    load_g: int
    routers: int | None = None
    panel_ports: int | None = None
    interior: Interior = PLAIN
    lost_units: int = 0

    @cached_property
    def limits(self) -> dict[str, Limit]:
        """All limits by name."""
        catalog, interior = self.catalog, self.interior
        router, box, cabinet = catalog.router_part, catalog.endpoint_part, catalog.cabinet
        low, high = interior.span(catalog)
        every = interior.routers_per_manager
        units, weight = ((catalog.manager.units, every), (catalog.manager.mass_g, every)) if catalog.manager else ((0, 1), (0, 1))
        pdus_g = interior.pdu_count(catalog) * catalog.pdu.mass_g if catalog.pdu else 0
        mass: dict[str, Any] = {"router": router.mass_g, "box": box.mass_g, "per_routers": weight}
        limits = {
            "rack units": Limit(router=router.units, box=box.units, per_routers=units, allowed=high - low + 1 - self.lost_units),
            "power": Limit(unit="mW", router=router.power_max_mw, box=box.power_max_mw, allowed=self.power_mw),
            "cabinet load": Limit(unit="g", empty=pdus_g, allowed=cabinet.load_g, **mass),
            "floor load": Limit(unit="g", empty=pdus_g + cabinet.mass_g, allowed=self.load_g, **mass),
        }
        if self.routers is not None:
            limits["routers"] = Limit(router=1, allowed=self.routers)
        if self.panel_ports is not None:
            limits["panel ports"] = Limit(port=1, allowed=self.panel_ports)
        return limits | self._pdu_limits()

    def _pdu_limits(self) -> dict[str, Limit]:
        """Return the limits of the PDU with the highest load: the first of feed A, with feed B failed.

        Boxes are assigned to PDUs round-robin, see `planner.domain.model.Supply`. A box with several supplies then draws
        all its power from feed A; boxes with a single supply alternate between the feeds.
        """
        pdu, feeds = self.catalog.pdu, self.interior.feed_count(self.catalog)
        if pdu is None:
            return {}

        def plugged(supplies: int) -> tuple[int, int]:
            """Return the outlets per box on a PDU, and the number of boxes per round of assignment."""
            return -(-supplies // feeds), self.interior.pdus_per_feed * (2 if feeds == 2 and supplies == 1 else 1)

        router, box = self.catalog.router_part, self.catalog.endpoint_part
        (router_outlets, routers), (box_outlets, boxes) = plugged(router.psu_count), plugged(box.psu_count)
        return {
            "PDU power": Limit(
                unit="mW", per_routers=(router.power_max_mw, routers), per_boxes=(box.power_max_mw, boxes), allowed=pdu.limit_mw
            ),
            "PDU outlets": Limit(per_routers=(router_outlets, routers), per_boxes=(box_outlets, boxes), allowed=pdu.outlets),
        }

    @cached_property
    def table(self) -> np.ndarray:
        """One row per limit for the kernels, see `Limit.row`; int64 (J, 9)."""
        return np.array([limit.row for limit in self.limits.values()], np.int64)

    @property
    def per_box(self) -> int:
        """Number of endpoints per box."""
        return self.catalog.endpoint_part.endpoints

    def needs(self, content: np.ndarray) -> dict[str, tuple[np.ndarray, int]]:
        """Return (needed, allowed) of every limit for contents, int64 (…, 3)."""
        routers, endpoints, ports = np.moveaxis(np.asarray(content, np.int64), -1, 0)
        boxes = -(-endpoints // self.per_box)
        return {name: (limit.needed(routers, boxes, ports), limit.allowed) for name, limit in self.limits.items()}

    def fits(self, content: np.ndarray) -> np.ndarray:
        """Return whether contents keep all limits, bool (…)."""
        return np.logical_and.reduce([needed <= allowed for needed, allowed in self.needs(content).values()])

    def share(self, content: np.ndarray) -> np.ndarray:
        """Return the largest utilization of a limit by contents, float64 (…)."""
        shares = [
            (needed - limit.empty) / max(limit.allowed - limit.empty, 1)
            for limit, (needed, _) in zip(self.limits.values(), self.needs(content).values(), strict=True)
        ]
        return np.max(shares, axis=0)

    def max_count(self, content: np.ndarray) -> int:
        """Return the maximum number of items with this content in a cabinet; 0 if not even one fits."""
        low, high = 0, 1
        while self.fits(high * content):
            low, high = high, 2 * high
            if high > 1 << 40:
                return high
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if self.fits(middle * content) else (low, middle)
        return low

    def min_cabinets(self, content: np.ndarray) -> int:
        """Return a lower bound of the number of cabinets for contents (n, 3); exact if all are alike."""
        if not len(content):
            return 0
        if (content == content[0]).all():
            return -(-len(content) // max(self.max_count(content[0]), 1))
        routers, endpoints, ports = content.sum(axis=0).tolist()
        boxes = -(-endpoints // self.per_box)
        needed = [
            -(-(limit.needed(routers, boxes, ports) - limit.empty) // max(limit.allowed - limit.empty, 1))
            for limit in self.limits.values()
        ]
        return max(1, *needed)


def fill(content: np.ndarray, capacity: Capacity, bound: np.ndarray | None = None) -> np.ndarray:
    """Let consecutive items share a cabinet as long as they fit.

    Parameters
    ----------
    content
        Content of each item, int64 (n, 3).
    bound
        First item that may not share a cabinet with each item, int64 (n,); by default n.

    Returns
    -------
    First item of each cabinet, int64 (C,). An item that does not fit alone gets its own cabinet.
    """
    count = len(content)
    total = np.concatenate([np.zeros((1, 3), np.int64), np.cumsum(content, axis=0)])
    first = np.arange(count)
    low = first + 1
    high = np.full(count, count) if bound is None else bound.copy()
    # Needs grow with the number of items: bisect the end of the cabinet that starts at each item, for all at once.
    while (low < high).any():
        middle = (low + high + 1) // 2
        fits = capacity.fits(total[middle] - total[first])
        low, high = np.where(fits, middle, low), np.where(fits, high, np.maximum(middle - 1, low))
    starts, place, end = [], 0, low.tolist()
    while place < count:
        starts.append(place)
        place = end[place]
    return np.array(starts, np.int64)
