"""The placement problem: what has been packed, which slots will do, and what a link between two slots costs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from planner.model import Placement, Room, Topology
from planner.placement._packing import Packing


@dataclass(frozen=True)
class PlacementProblem:
    """What every placement algorithm gets.

    Attributes
    ----------
    topology, room, packing
        The records before this one.
    slots
        Slots that can carry every cabinet of the packing, ascending, int64 (E,).
    cost
        Cost of a link between two slots, symmetric, int64 (S, S); the diagonal is a link inside a cabinet.
    unit
        Unit of the cost: cents or mm.
    swap_class
        Two routers may change places when they have the same class, int64 (R,).
    """

    topology: Topology
    room: Room
    packing: Packing
    slots: np.ndarray
    cost: np.ndarray
    unit: str
    swap_class: np.ndarray

    def objective(self, cabinet_of: np.ndarray, slot_of: np.ndarray) -> int:
        """Return the cost of all links in full."""
        slot = np.asarray(slot_of)[cabinet_of]
        a, b = self.topology.links.T
        return int(self.cost[slot[a], slot[b]].sum())

    def identity(self) -> np.ndarray:
        """Return the cabinets in order on the usable slots in order, int64 (C,)."""
        return self.slots[: self.packing.cabinet_count]

    def placement(self, cabinet_of: np.ndarray, slot_of: np.ndarray, method: str, evaluations: int, **facts: Any) -> Placement:
        """Return the record of a finished layout; routers keep the units of their place in the cabinet."""
        unit_of, endpoint_cabinet, endpoint_unit = self.packing.stack(cabinet_of)
        return Placement(
            cabinet_of=cabinet_of,
            unit_of=unit_of,
            endpoint_cabinet=endpoint_cabinet,
            endpoint_unit=endpoint_unit,
            slot_of=slot_of,
            method=method,
            unit=self.unit,
            objective=self.objective(cabinet_of, slot_of),
            start_objective=self.objective(self.packing.cabinet_of, self.identity()),
            evaluations=evaluations,
            **facts,
        )
