"""Placement of filled cabinets: connections between cabinets by kind, and the slots that carry each cabinet."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np


@dataclass(frozen=True, eq=False)
class RackProblem:
    """Filled cabinets, slots, and the cost of connections between them; C cabinets, S slots, K kinds, E edges.

    Attributes
    ----------
    ends
        Cabinets at both ends of each edge, int64 (E, 2), different.
    weight, kind
        Number of connections of each edge, and their kind, int64 (E,).
    table
        Cost of a connection by kind, slot of its first and slot of its second end, int32 (K, S, S).
    bias
        Cost of each cabinet in each slot, int64 (C, S).
    allowed
        Whether a slot carries a cabinet, bool (C, S).
    run
        Run length of a connection in mm, in the form of `table`: of layouts of equal cost the shorter one is better, and of those
        of equal length the one with less to pull, where an edge counts once.
    """

    ends: np.ndarray
    weight: np.ndarray
    kind: np.ndarray
    table: np.ndarray
    bias: np.ndarray
    allowed: np.ndarray
    run: np.ndarray

    @property
    def cabinet_count(self) -> int:
        return len(self.bias)

    @property
    def slot_count(self) -> int:
        return self.bias.shape[1]

    def cost(self, slot: np.ndarray) -> int:
        """Return the cost of a layout, the slot of each cabinet, int64 (C,)."""
        own = self.bias[np.arange(len(slot)), slot].sum()
        a, b = slot[self.ends].T
        return int(own + (self.weight * self.table[self.kind, a, b]).sum())

    def measures(self, slot: np.ndarray) -> tuple[int, int, int]:
        """Return cost, run length and pulled length in mm of a layout; each decides where those before it are equal.

        The connections of two cabinets of one kind are pulled at once.
        """
        a, b = slot[self.ends].T
        pulls = np.unique(np.column_stack([a, b, self.kind]), axis=0)
        run_mm, pulled_mm = self.weight * self.run[self.kind, a, b], self.run[pulls[:, 2], pulls[:, 0], pulls[:, 1]]
        return self.cost(slot), int(run_mm.sum()), int(pulled_mm.sum())

    def descended(self, slot: np.ndarray, *, by_work: bool = True) -> np.ndarray:
        """Return the layout that moves of single cabinets and exchanges of two lead to, none of which improves it further.

        `by_work` decides between layouts of equal cost and length by what is pulled.
        """
        from planner.kernels.placement import racks as kernel

        slot, rack = slot.astype(np.int64), np.full(self.slot_count, -1)
        rack[slot] = np.arange(len(slot))
        run = (slot, rack, *self.rows, self.table, self.bias, self.allowed.astype(np.uint8))
        kernel.descend(*run, self.run, np.full_like(self.rows[2], by_work), np.zeros_like(self.bias))
        return slot

    @cached_property
    def rows(self) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """Edges of each cabinet in both directions for the kernels, see `planner.kernels.placement.racks`."""
        a, b = self.ends.T
        owner, other = np.concatenate([a, b]), np.concatenate([b, a])
        kind = np.concatenate([2 * self.kind, 2 * self.kind + 1])
        # Edges between the same two cabinets of one kind are one: the bound counts on different neighbors.
        edges, which = np.unique(np.column_stack([owner, other, kind]), axis=0, return_inverse=True)
        weight = np.zeros(len(edges), np.int64)
        np.add.at(weight, which.ravel(), np.tile(self.weight, 2))
        indptr = np.searchsorted(edges[:, 0], np.arange(self.cabinet_count + 1))
        return indptr.astype(np.int64), np.ascontiguousarray(edges[:, 1]), weight, np.ascontiguousarray(edges[:, 2])
