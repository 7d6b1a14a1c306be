"""The input of packing: routers, slots and rules."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from planner.design.placement.model.layout import Layout
from planner.design.placement.packing.cabinets.capacity import Capacity, contents
from planner.design.placement.packing.cabinets.interior import PLAIN, Interior
from planner.design.placement.packing.cabinets.slots import Slots
from planner.domain.model import Catalog, Topology


@dataclass(frozen=True)
class Request:
    """Routers to pack, slots to use, and rules to keep; see `planner.design.placement.packing.fit`."""

    topology: Topology
    catalog: Catalog
    slots: Slots
    members: np.ndarray
    groups: str
    method: str
    panel_ports: int | None
    apart: tuple[tuple[int, ...], ...]
    layout: Layout | None
    seed: int
    interior: Interior = PLAIN

    def capacity(self, slot: int) -> Capacity:
        """Return the capacity of a cabinet in one slot."""
        return self.within(self.slots.power_mw[slot], self.slots.load_g[slot], self.slots.lost_units[slot])

    def within(self, power_mw: int, load_g: int, lost_units: int) -> Capacity:
        """Return the capacity of a cabinet in a slot with these limits."""
        routers, ports = self.slots.routers, self.panel_ports
        return Capacity(self.catalog, int(power_mw), int(load_g), routers, ports, self.interior, int(lost_units))

    @cached_property
    def alike(self) -> bool:
        """Whether all routers have the same content, as far as limits are concerned."""
        kinds = np.unique(contents(self.topology, self.members)[:, : 2 if self.panel_ports is None else 3], axis=0)
        return len(kinds) <= 1

    @property
    def whole_groups(self) -> bool:
        return self.groups == "required" and self.topology.group.shape[1] > 0
