"""The placement problem as a dense quadratic assignment problem."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from planner.core.errors import InputError, Problem
from planner.core.progress import Progress
from planner.design.placement.model.problem import PlacementProblem
from planner.design.qap import Qap, solve
from planner.domain.model import Placement

LARGEST = 1500
"""Maximum number of locations, limited by memory and time for n by n matrices."""


@dataclass(frozen=True, eq=False)
class Dense:
    """Cabinets in slots, or routers in places, as a quadratic assignment problem; the identity is the initial layout.

    Attributes
    ----------
    qap
        Items and locations; its costs are those of `problem.search_cost`, less `constant`.
    constant
        Constant part of the cost of every layout.
    item
        Item of each router, int64 (R,): its cabinet, or itself.
    location_slot
        Slot of each location, int64 (N,).
    whole
        Whether the permutations without forbidden places are all layouts that the problem allows; only then a bound of `qap`
        is a bound of the problem.
    restricted
        Whether some locations are forbidden for some items that are not fixed.
    """

    qap: Qap
    constant: int
    item: np.ndarray
    location_slot: np.ndarray
    whole: bool
    restricted: bool

    def layout(self, permutation: np.ndarray) -> np.ndarray:
        """Return the slot of each router for the location of each item, int64 (R,)."""
        return self.location_slot[np.asarray(permutation)[self.item]]

    def progress(self, progress: Progress) -> Progress:
        """Return a progress callback for searches in `qap` that reports the objective of the placement."""

        def report(stage: str, done: int, total: int, **facts: Any) -> None:
            progress("placement", done, total, **facts | {"objective": facts["objective"] + self.constant})

        return report


def dense(problem: PlacementProblem, largest: int = LARGEST) -> Dense:
    """Return the dense form of a problem.

    If routers or groups stay in their cabinets, items are the cabinets of the initial layout, and locations are all slots;
    dummy items fill the empty slots. Otherwise items are routers, and locations are the router places in the
    slots of the initial layout. Routers may take places of their swap class.

    Parameters
    ----------
    largest
        Maximum number of locations.

    Raises
    ------
    InputError
        When there are too many locations, or routers are placed individually with a group penalty, which is not a
        product of flow and distance.
    """
    whole = problem.cabinets_stay or problem.groups_stay
    # Keep slots that a given layout uses although the packing would not.
    empty = np.setdiff1d(problem.slots, problem.start) if whole else problem.slots[:0]
    slot_of, cabinet = np.unique(problem.start, return_inverse=True)
    location_slot = np.concatenate([slot_of if whole else problem.start, empty]).astype(np.int64)
    _check(problem, whole, len(location_slot), largest)
    item = cabinet.ravel() if whole else np.arange(problem.topology.router_count)
    if whole:
        fixed, allowed = problem.fixed_slots[slot_of], _carried(problem, slot_of, location_slot)
    else:
        fixed, allowed = problem.fixed, problem.swap_class[:, None] == problem.swap_class
    size = len(location_slot)
    flow = np.zeros((size, size), np.int64)
    np.add.at(flow, tuple(item[problem.topology.links.T]), 1)
    distance = problem.search_cost.between(location_slot[:, None], location_slot[None, :])
    constant = _inside(flow, distance) + problem.constant
    if problem.apart_price:
        constant += problem.apart(problem.start)
    forbidden = np.zeros((size, size), bool)
    forbidden[: len(fixed)] = ~allowed & ~fixed[:, None]
    at = np.full(size, -1)
    at[: len(fixed)][fixed] = np.flatnonzero(fixed)
    return Dense(
        qap=Qap(flow, distance, _linear(flow, distance, forbidden), at if fixed.any() else None),
        constant=constant,
        item=item,
        location_slot=location_slot,
        whole=problem.cabinets_stay or (not whole and _one_by_one(problem)),
        restricted=bool(forbidden.any()),
    )


def by_qap(
    problem: PlacementProblem, algorithm: str, seed: int, progress: Progress, moves: int | None, seconds: float | None
) -> Placement:
    """Place by an algorithm of `planner.design.qap`; never worse than the initial or the compact layout."""
    form = dense(problem.starting_at(problem.compact()))
    solution = solve(
        form.qap,
        seed=seed,
        seconds=seconds,
        moves=moves,
        algorithm=algorithm,
        start=np.arange(form.qap.size),
        progress=form.progress(progress),
    )
    layout = better(problem, form.layout(solution.permutation))
    return problem.placement(layout, solution.method, solution.evaluations, complete=solution.complete and seconds is None)


def better(problem: PlacementProblem, layout: np.ndarray) -> np.ndarray:
    """Return the layout, or the initial layout if that is as good."""
    return min(problem.start, layout, key=lambda slot: problem.objective(slot, problem.search_cost))


def _check(problem: PlacementProblem, whole: bool, size: int, largest: int) -> None:
    if size > largest:
        what = "slots" if whole else "routers"
        message = f"takes at most {largest:,} {what}, and there are {size:,}"
        raise InputError(Problem("algorithm", message, "use auto, anneal or multilevel"))
    if problem.apart_price and not whole:
        message = "does not support group_price if routers are placed individually"
        raise InputError(Problem("algorithm", message, "use anneal, or remove group_price"))


def _carried(problem: PlacementProblem, slot_of: np.ndarray, location_slot: np.ndarray) -> np.ndarray:
    """Return whether each slot carries each cabinet, bool (C, N); the initial slot is always allowed."""
    allowed = problem.packing.allowed[problem.demand[slot_of]][:, location_slot]
    allowed[np.arange(len(slot_of)), np.arange(len(slot_of))] = True
    return allowed


def _one_by_one(problem: PlacementProblem) -> bool:
    """Return whether router swaps reach every layout: all routers and cabinets are alike, and all slots are used."""
    filled = np.bincount(problem.start)[np.unique(problem.start)]
    every_slot = len(np.setdiff1d(problem.slots, problem.start)) == 0
    return every_slot and len(np.unique(problem.swap_class)) == 1 and bool((filled == filled[0]).all())


def _inside(flow: np.ndarray, distance: np.ndarray) -> int:
    """Return the minimum cost of links inside cabinets, and subtract it from the distances."""
    minimum = int(distance.diagonal().min())
    constant = minimum * int(flow.trace())
    np.fill_diagonal(distance, distance.diagonal() - minimum)
    return constant


def _linear(flow: np.ndarray, distance: np.ndarray, forbidden: np.ndarray) -> np.ndarray | None:
    """Return a cost of forbidden locations above the whole initial cost; None if nothing is forbidden."""
    if not forbidden.any():
        return None
    # The initial layout is the identity. The sum has the factor that is common to all costs.
    penalty = int((flow * distance).sum()) + int(flow.max()) * int(distance.max())
    return forbidden * max(1, penalty)
