"""The shortest of layouts of equal cost: whole cabinets are moved and exchanged after a search."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from planner.design.placement.model.cost import TABLE_SLOTS, SlotCost
from planner.design.placement.model.problem import PlacementProblem
from planner.design.placement.racks.problem import RackProblem
from planner.domain.model import Placement

_WORK = 2_000_000_000
"""Maximum number of costs that one round over all cabinets and slots may read."""


def shorter(problem: PlacementProblem, placed: Placement) -> Placement:
    """Return a placement with cabinets in slots that lower the cost, at equal cost the run length, at equal length the work.

    The links between two cabinets are pulled at once: the work is the length of the pulls. Stock lengths make many layouts cost
    the same. Large rooms, whose costs between slots are not tabulated, keep the layout.
    """
    # Importing the search loads compiled code.
    from planner.design.placement.search.state import quotient

    cost, slots = problem.search_cost, problem.room.slot_count
    if slots > TABLE_SLOTS or not len(problem.topology.links):
        return placed
    cabinet, slot_of = placed.cabinet[: problem.topology.router_count].astype(np.int64), placed.slot_of.astype(np.int64)
    graph = quotient(problem.topology, cabinet) if (cabinet != cabinet[0]).any() else None
    if graph is None or cost.run is None or graph.nnz * slots > _WORK:
        return placed
    edges = graph.tocoo()
    upper = edges.row < edges.col
    ends = np.column_stack([edges.row[upper], edges.col[upper]]).astype(np.int64)
    run = SlotCost(cost.run, cost.x, cost.y, "mm").full
    known = problem.starting_at(slot_of[cabinet])
    allowed = problem.packing.allowed.astype(bool)[known.demand[slot_of]] & ~problem.fixed_slots
    fixed = problem.fixed_slots[slot_of]
    allowed[fixed] = np.arange(slots) == slot_of[fixed, None]
    racks = RackProblem(
        ends, edges.data[upper].astype(np.int64), np.zeros(len(ends), np.int64), cost.full[None],
        np.zeros((len(slot_of), slots), np.int64), allowed, run[None],
    )  # fmt: skip
    # Where the cost is the length itself, layouts of equal length differ in price, which counts for more than their work.
    better = racks.descended(slot_of, by_work=not np.array_equal(cost.full, run))
    if (better == slot_of).all():
        return placed
    again = problem.placement(better[cabinet], placed.method, placed.evaluations)
    found = ("cabinet", "unit", "slot_of", "fixture_kind", "fixture_cabinet", "fixture_unit", "objective", "too_long")
    return replace(placed, **{name: getattr(again, name) for name in found})
