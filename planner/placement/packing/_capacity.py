"""What one cabinet may hold: every limit, and what a content needs of it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from planner.model import Catalog, Topology


def contents(topology: Topology, members: np.ndarray) -> np.ndarray:
    """Return what each of some routers brings into a cabinet: itself, its endpoints, its links; int64 (n, 3)."""
    first, last = (np.searchsorted(topology.endpoint_router, members, side=side) for side in ("left", "right"))
    links = (topology.indptr[members + 1] - topology.indptr[members]).astype(np.int64)
    return np.column_stack([np.ones(len(members), np.int64), last - first, links])


@dataclass(frozen=True)
class Capacity:
    """What one cabinet may hold.

    A content is counted in routers, endpoints and ports: link ports of all its routers together, as
    if every link left the cabinet.

    Attributes
    ----------
    catalog
        The router, endpoint and cabinet in use.
    power_mw, load_g
        What the slot supplies, and what its floor carries, the cabinet included.
    routers
        Most routers, where the room fixes it.
    panel_ports
        Most link ports: those of a patch panel at the cabinet's egress.
    """

    catalog: Catalog
    power_mw: int
    load_g: int
    routers: int | None = None
    panel_ports: int | None = None

    @cached_property
    def _limits(self) -> dict[str, tuple[int, int, int, int, int]]:
        """Name of each limit: need per router, per endpoint box, per port and of the empty cabinet, and what is allowed."""
        router, box, cabinet = self.catalog.router, self.catalog.endpoint, self.catalog.cabinet
        limits = {
            "rack units": (router.units, box.units, 0, 0, cabinet.units),
            "power in mW": (router.power_max_mw, box.power_max_mw, 0, 0, self.power_mw),
            "cabinet load in g": (router.mass_g, box.mass_g, 0, 0, cabinet.load_g),
            "floor load in g": (router.mass_g, box.mass_g, 0, cabinet.mass_g, self.load_g),
        }
        if self.routers is not None:
            limits["routers"] = (1, 0, 0, 0, self.routers)
        if self.panel_ports is not None:
            limits["panel ports"] = (0, 0, 1, 0, self.panel_ports)
        return limits

    @cached_property
    def table(self) -> np.ndarray:
        """One row per limit for the kernels: per router, per box, per port, empty, allowed; int64 (J, 5)."""
        return np.array(list(self._limits.values()), np.int64)

    @property
    def per_box(self) -> int:
        """Endpoints that share a box."""
        return self.catalog.endpoint.endpoints

    def needs(self, content: np.ndarray) -> dict[str, tuple[np.ndarray, int]]:
        """Return (needed, allowed) of every limit for contents, int64 (…, 3)."""
        routers, endpoints, ports = np.moveaxis(np.asarray(content, np.int64), -1, 0)
        boxes = -(-endpoints // self.per_box)
        return {
            name: (routers * router + boxes * box + ports * port + empty, allowed)
            for name, (router, box, port, empty, allowed) in self._limits.items()
        }

    def fits(self, content: np.ndarray) -> np.ndarray:
        """Return whether contents keep every limit, bool (…)."""
        return np.logical_and.reduce([needed <= allowed for needed, allowed in self.needs(content).values()])

    def share(self, content: np.ndarray) -> np.ndarray:
        """Return the largest share of a limit that contents take, float64 (…); 1 for a content that allows nothing more."""
        free = [np.maximum(allowed - self._limits[name][3], 1) for name, (_, allowed) in self.needs(content).items()]
        used = [needed - self._limits[name][3] for name, (needed, _) in self.needs(content).items()]
        return np.max([u / f for u, f in zip(used, free, strict=True)], axis=0)

    def most(self, content: np.ndarray) -> int:
        """Return how many routers (or pieces) of one content share a cabinet; 0 when not even one fits."""
        low, high = 0, 1
        while self.fits(high * content):
            low, high = high, 2 * high
            if high > 1 << 40:
                return high
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if self.fits(middle * content) else (low, middle)
        return low

    def least(self, content: np.ndarray) -> int:
        """Return a number of cabinets below which contents (n, 3) cannot go; the exact one where all are alike."""
        if not len(content):
            return 0
        if (content == content[0]).all():
            return -(-len(content) // max(self.most(content[0]), 1))
        routers, endpoints, ports = content.sum(axis=0).tolist()
        boxes = -(-endpoints // self.per_box)
        needed = [
            -(-(routers * router + boxes * box + ports * port) // max(allowed - empty, 1))
            for router, box, port, empty, allowed in self._limits.values()
        ]
        return max(1, *needed)
