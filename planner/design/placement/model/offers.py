"""Assignment of boxes to slots with fixed costs per opened slot, by dynamic slope scaling of minimum cost flows."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from planner.core.errors import CheckFailed
from planner.core.progress import Progress

ROUNDS = 12
"""Maximum number of flows, each with the cabinet price distributed over the boxes of the previous flow."""
CLOSED = 40
"""Maximum number of cabinets tried for closing, emptiest first."""


@dataclass(frozen=True)
class Offers:
    """Candidate slots for the boxes of each router cabinet.

    Attributes
    ----------
    supply, holds
        Boxes of each router cabinet, int64 (C,); capacity of each free slot in boxes, int64 (E,).
    tail, head, cost
        Router cabinet and free slot of each offer, and the cost of the endpoint cables of a box there, int64 (A,).
    """

    supply: np.ndarray
    holds: np.ndarray
    tail: np.ndarray
    head: np.ndarray
    cost: np.ndarray

    def filled(self, boxes_per_offer: np.ndarray) -> np.ndarray:
        """Return the number of boxes in each slot, int64 (E,)."""
        return np.bincount(self.head, boxes_per_offer, minlength=len(self.holds)).astype(np.int64)

    def total(self, boxes_per_offer: np.ndarray, opening: int) -> int:
        """Return the cost of all cables and all opened cabinets."""
        return int((boxes_per_offer * self.cost).sum()) + opening * int((self.filled(boxes_per_offer) > 0).sum())

    def flow(self, cost: np.ndarray, slots: np.ndarray) -> np.ndarray | None:
        """Return the boxes per offer of the minimum cost flow into some slots, bool (E,), as int64 (A,); None if infeasible."""
        from ortools.graph.python import min_cost_flow

        offers = np.flatnonzero(slots[self.head])
        cabinets, count = len(self.supply), len(self.holds)
        tail, head = self.tail[offers], self.head[offers]
        network = min_cost_flow.SimpleMinCostFlow()
        arcs = network.add_arcs_with_capacity_and_unit_cost(
            tail, cabinets + head, np.minimum(self.supply[tail], self.holds[head]), cost[offers]
        )
        sink, inner = cabinets + count, np.arange(count)
        network.add_arcs_with_capacity_and_unit_cost(
            cabinets + inner, np.full(count, sink), self.holds, np.zeros(count, np.int64)
        )
        network.set_nodes_supplies(np.append(np.arange(cabinets), sink), np.append(self.supply, -self.supply.sum()))
        if network.solve() != network.OPTIMAL:
            return None
        boxes_per_offer = np.zeros(len(self.tail), np.int64)
        boxes_per_offer[offers] = network.flows(arcs)
        return boxes_per_offer

    def full_flow(self, share: np.ndarray) -> np.ndarray:
        """Return the boxes per offer of the minimum cost flow into all slots, each with a cost per box, int64 (A,)."""
        boxes_per_offer = self.flow(self.cost + share[self.head], np.ones(len(self.holds), bool))
        if boxes_per_offer is None:
            raise CheckFailed("offers for the boxes of endpoints do not hold all boxes")
        return boxes_per_offer


def assign_boxes(offers: Offers, opening: int, progress: Progress) -> tuple[np.ndarray, bool]:
    """Return the number of boxes per offer, int64 (A,), and False if interrupted.

    The fixed cost of an opened slot makes the problem hard: it is distributed over the boxes of the slot in the previous
    flow, iteratively; finally slots with few boxes are closed if that saves cost.

    Parameters
    ----------
    offers
        Offers for which a flow of all boxes exists.
    opening
        Fixed cost of each slot with boxes.

    Notes
    -----
    Differs from [1]_ in the end: slots with few boxes are closed if that saves cost.

    References
    ----------
    .. [1] D. Kim, P. Pardalos, "A solution approach to the fixed charge network flow problem using a
       dynamic slope scaling procedure", Operations Research Letters 24, 1999.
    """
    share = np.maximum(1, opening // offers.holds)
    best = boxes_per_offer = offers.full_flow(share)
    total = offers.total(best, opening)
    try:
        for number in range(ROUNDS):
            progress("endpoints", number, ROUNDS, objective=total)
            used = offers.filled(boxes_per_offer)
            share = np.where(used > 0, opening // np.maximum(used, 1), share)
            boxes_per_offer = offers.full_flow(share)
            if offers.total(boxes_per_offer, opening) < total:
                best, total = boxes_per_offer, offers.total(boxes_per_offer, opening)
            if (offers.filled(boxes_per_offer) == used).all():
                break
        best, total = _closed(offers, opening, best, total)
    except KeyboardInterrupt:
        return best, False
    progress("endpoints", ROUNDS, ROUNDS, objective=total)
    return best, True


def _closed(offers: Offers, opening: int, best: np.ndarray, total: int) -> tuple[np.ndarray, int]:
    """Close cabinets with few boxes if that saves cost, and reassign all boxes to the open slots."""
    filled = offers.filled(best)
    is_open = filled > 0
    emptiest = np.argsort(filled, kind="stable")[np.count_nonzero(~is_open) :][:CLOSED]
    for closed in [-1, *emptiest.tolist()]:
        left = is_open.copy()
        if closed >= 0:
            left[closed] = False
        if offers.holds[left].sum() < offers.supply.sum():
            continue
        boxes_per_offer = offers.flow(offers.cost, left)
        if boxes_per_offer is not None and ((found := offers.total(boxes_per_offer, opening)) < total or closed < 0):
            best, total, is_open = boxes_per_offer, found, left
    return best, total
