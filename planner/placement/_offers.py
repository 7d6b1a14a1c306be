"""Boxes into slots at least cost, where opening a slot has a price: minimum cost flows with scaled slopes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from planner.progress import Progress

ROUNDS = 12
"""Flows in which the price of a cabinet is spread over the boxes it got before."""
CLOSED = 40
"""Most cabinets that are tried to be done without, the emptiest first."""


@dataclass(frozen=True)
class Offers:
    """Which slots are offered to the boxes of which router cabinet.

    Attributes
    ----------
    supply, holds
        Boxes of each router cabinet, int64 (C,); boxes that each free slot takes, int64 (E,).
    tail, head, cost
        Router cabinet and free slot of each offer, and what the endpoint cables of a box cost there, int64 (A,).
    """

    supply: np.ndarray
    holds: np.ndarray
    tail: np.ndarray
    head: np.ndarray
    cost: np.ndarray

    def filled(self, goes: np.ndarray) -> np.ndarray:
        """Return how many boxes each slot gets, int64 (E,)."""
        return np.bincount(self.head, goes, minlength=len(self.holds)).astype(np.int64)

    def total(self, goes: np.ndarray, opening: int) -> int:
        """Return what all cables and all opened cabinets cost."""
        return int((goes * self.cost).sum()) + opening * int((self.filled(goes) > 0).sum())

    def flow(self, cost: np.ndarray, slots: np.ndarray) -> np.ndarray | None:
        """Return the boxes on each offer in the flow of least cost into some slots, bool (E,), int64 (A,); None without any."""
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
        goes = np.zeros(len(self.tail), np.int64)
        goes[offers] = network.flows(arcs)
        return goes


def housed(offers: Offers, opening: int, progress: Progress) -> tuple[np.ndarray, bool]:
    """Return how many boxes take each offer, int64 (A,), and False when interrupted.

    A slot that is opened costs a fixed price, which makes the problem hard: the price is spread over
    the boxes that the slot got in the flow before, again and again; at last slots with few boxes are
    closed where that saves.

    Parameters
    ----------
    offers
        Some flow of all boxes must exist.
    opening
        Price of each slot that gets a box.

    References
    ----------
    .. [1] D. Kim, P. Pardalos, "A solution approach to the fixed charge network flow problem using a
       dynamic slope scaling procedure", Operations Research Letters 24, 1999.
    """
    everywhere = np.ones(len(offers.holds), bool)
    share = np.maximum(1, opening // offers.holds)
    best = goes = offers.flow(offers.cost + share[offers.head], everywhere)
    total = offers.total(best, opening)
    try:
        for number in range(ROUNDS):
            progress("endpoints", number, ROUNDS, objective=total)
            used = offers.filled(goes)
            share = np.where(used > 0, opening // np.maximum(used, 1), share)
            goes = offers.flow(offers.cost + share[offers.head], everywhere)
            if offers.total(goes, opening) < total:
                best, total = goes, offers.total(goes, opening)
            if (offers.filled(goes) == used).all():
                break
        best, total = _closed(offers, opening, best, total)
    except KeyboardInterrupt:
        return best, False
    progress("endpoints", ROUNDS, ROUNDS, objective=total)
    return best, True


def _closed(offers: Offers, opening: int, best: np.ndarray, total: int) -> tuple[np.ndarray, int]:
    """Do without cabinets of few boxes where that saves; boxes then go where they are cheapest in what is open."""
    filled = offers.filled(best)
    is_open = filled > 0
    emptiest = np.argsort(filled, kind="stable")[np.count_nonzero(~is_open) :][:CLOSED]
    for closed in [-1, *emptiest.tolist()]:
        left = is_open.copy()
        if closed >= 0:
            left[closed] = False
        if offers.holds[left].sum() < offers.supply.sum():
            continue
        goes = offers.flow(offers.cost, left)
        if goes is not None and ((found := offers.total(goes, opening)) < total or closed < 0):
            best, total, is_open = goes, found, left
    return best, total
