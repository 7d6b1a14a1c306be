"""Cost of endpoint cables at reference units, and of all cables at final rack units."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from planner.design.placement.model.cost import Objective, Offer, cheapest, offers_of
from planner.design.placement.packing import PLAIN, Interior
from planner.domain.model import Catalog, Placement, Topology
from planner.hall.floor import Lengths


@dataclass(frozen=True)
class EndpointCost:
    """Cost of endpoint cables by the slots of their ends, in the unit of the objective; routers and boxes at reference units."""

    catalog: Catalog
    lengths: Lengths
    objective: Objective
    interior: Interior = PLAIN

    @cached_property
    def _offers(self) -> list[Offer]:
        # Endpoint cables follow the rules of links with other parts.
        return offers_of(self.catalog.endpoint_assemblies, self.catalog.labor, self.lengths, self.objective)

    @cached_property
    def inside(self) -> int:
        """Cost of a cable inside a cabinet."""
        catalog, runs = self.catalog, []
        for offer in self._offers:
            ends = (self.interior.reference_unit(catalog), catalog.router_part.units, self._box_unit, catalog.endpoint_part.units)
            across = catalog.router_part.rear != catalog.endpoint_part.rear
            low, height, box, box_height = (np.array([end]) for end in ends)
            length_mm = offer.lengths.inside_mm(low, height, box, box_height, across)
            runs.append(length_mm + offer.lengths.slack_mm(length_mm, False))
        return int(cheapest(self._offers, runs, np.ones(1, bool))[0][0])

    def between(self, slots: np.ndarray) -> np.ndarray:
        """Return the cost of a cable from a router in some slots to a box in every slot, int64 (n, S), in different cabinets.

        Unreachable slots cost as much as five of the longest cables.
        """
        everywhere = np.arange(self.lengths.room.slot_count)
        router, box = np.array(self.catalog.router_part.units), np.array(self.catalog.endpoint_part.units)
        runs = []
        for offer in self._offers:
            own = offer.lengths
            from_mm = own.drop_mm[:, self.catalog.router_part.rear]
            from_mm = from_mm + own.rise_mm(everywhere, np.array(self.interior.reference_unit(self.catalog)), router)
            to_mm = own.drop_mm[:, self.catalog.endpoint_part.rear] + own.rise_mm(everywhere, np.array(self._box_unit), box)
            length_mm = own.distances.rows_mm(slots).astype(np.int64) + from_mm[slots, None] + to_mm
            runs.append(length_mm + own.slack_mm(length_mm, True))
        last = self._offers[-1]
        beyond = 4 * last.cost_of(np.full(1, last.reach_mm), np.zeros(1, bool))
        cost, run = cheapest(self._offers, runs, np.zeros(runs[0].shape, bool))
        return cost + np.where(run > last.reach_mm, beyond, 0)

    @property
    def _box_unit(self) -> int:
        low, high = self.interior.span(self.catalog)
        return low + (high - low + 1 - self.catalog.endpoint_part.units) // 2


def cost_in_place(topology: Topology, catalog: Catalog, lengths: Lengths, objective: Objective, placed: Placement) -> int:
    """Return the cost of all links and endpoint cables over the shortest trays between the final units of their boxes.

    Shared cages and trunks are ignored: each cable counts with its own cage.
    """
    unit, slot = placed.unit.astype(np.int64), placed.slot
    heights = (catalog.router_part.units, catalog.endpoint_part.units)
    counts = [topology.router_count, topology.endpoint_count]
    units = np.repeat(np.array(heights, np.int64), counts)
    rear = np.repeat([catalog.router_part.rear, catalog.endpoint_part.rear], counts)
    box = topology.router_count + np.arange(topology.endpoint_count)
    total = 0
    for parts, ends in (
        (catalog.link_assemblies, topology.links.astype(np.int64)),
        (catalog.endpoint_assemblies, np.column_stack([topology.endpoint_router.astype(np.int64), box])),
    ):
        if not len(ends):
            continue
        offers, (a, b) = offers_of(parts, catalog.labor, lengths, objective), ends.T
        inside, runs = slot[a] == slot[b], []
        for rules in (offer.lengths for offer in offers):
            at_ends = rules.rise_mm(slot[ends], unit[ends], units[ends]) + rules.drop_mm[slot[ends], rear[ends]]
            length_mm = at_ends.sum(axis=1)
            length_mm += rules.distances.between_mm(slot[a], slot[b])
            length_mm = np.where(inside, rules.inside_mm(unit[a], units[a], unit[b], units[b], rear[a] != rear[b]), length_mm)
            runs.append(length_mm + rules.slack_mm(length_mm, ~inside))
        total += int(cheapest(offers, runs, inside)[0].sum())
    return total
