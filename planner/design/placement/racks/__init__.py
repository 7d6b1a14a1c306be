"""Placement of cabinets whose content the study fixes."""

from __future__ import annotations

import numpy as np

from planner.core.errors import InputError, Problem
from planner.core.progress import Progress, silent
from planner.design.placement.model.cost import UNITS, Objective
from planner.design.placement.packing import PLAIN, Interior
from planner.design.placement.packing.cabinets.reserve import require_reserve
from planner.design.placement.packing.cabinets.slots import Slots
from planner.design.placement.racks.around import Around
from planner.design.placement.racks.costs import problem_of, with_wishes
from planner.design.placement.racks.problem import RackProblem
from planner.design.placement.racks.search import search, start
from planner.design.placement.racks.units import units_of as units_of
from planner.design.placement.search.cooling import Budget
from planner.domain.model import Catalog, Inventory, Placement
from planner.hall.floor import Lengths

MOVES_PER_CABINET, MIN_MOVES, MAX_MOVES = 100_000, 1_000_000, 20_000_000
"""Default number of moves."""

WORK = 400_000_000
"""Maximum number of products; in larger problems each connection counts with the cheapest pair of slots."""


def place_racks(
    inventory: Inventory,
    catalog: Catalog,
    lengths: Lengths,
    *,
    seed: int,
    progress: Progress = silent,
    objective: Objective = "price",
    interior: Interior = PLAIN,
    moves: int | None = None,
    seconds: float | None = None,
    bounds: bool = True,
    first: np.ndarray | None = None,
    fixed: np.ndarray | None = None,
) -> Placement:
    """Place the cabinets of an inventory so that the cables of all networks together cost the minimum.

    Every connection counts with the parts that join its ports. The cabinets of a scalable unit stay in one row where that is
    possible, and cabinets with a wanted position come as close to it as possible; both are preferred to cheaper cables.

    Parameters
    ----------
    inventory, catalog, lengths, seed, progress
        Supplied by the flow.
    objective, interior, bounds
        As for `planner.design.placement.place`.
    moves
        Number of moves of the search; by default 100,000 for each cabinet, between 1 and 20 million.
    seconds
        Wall time in seconds instead of `moves`; the result is then not reproducible.
    first, fixed
        Initial slot of each cabinet, int64 (C,), and which cabinets stay there, bool (C,). By default in order.

    Raises
    ------
    Infeasible
        When the room has too few slots that carry the cabinets.
    """
    room = lengths.room
    stacked = units_of(inventory, catalog, interior)
    room_slots = Slots.of(room, catalog, interior)
    around = Around(room, inventory, catalog, interior, stacked)
    allowed = around.allowed(_allowed(inventory, catalog, room_slots, interior))
    if first is not None and fixed is not None:
        allowed[fixed] = np.arange(room.slot_count) == first[fixed, None]
    plain, inside = problem_of(inventory, stacked.unit, allowed, lengths, catalog.labor, objective)
    row = room.slot_row.astype(np.int64)
    xy = room.slot_xy.astype(np.int64)
    along = np.where(np.ptp(xy[:, 0]) and room.slot_facing % 180 == 0, xy[:, 1], xy[:, 0])
    problem = with_wishes(plain, inventory, row, along, xy)
    names = _names(inventory)
    if first is None or not problem.allowed[np.arange(len(first)), first].all():
        first = start(problem, names, room_slots.room)
    default = int(np.clip(MOVES_PER_CABINET * problem.cabinet_count, MIN_MOVES, MAX_MOVES))
    budget = Budget(default if moves is None else moves, seconds)
    slot, tried, complete = search(problem, first, budget, seed, progress)
    require_reserve(room, len(slot))
    if (stacked := around.stacked(slot)) is not around.units:
        plain, inside = problem_of(inventory, stacked.unit, allowed, lengths, catalog.labor, objective)
    unit = UNITS[objective] if isinstance(objective, str) else "cents"
    return Placement(
        cabinet=inventory.rack,
        unit=stacked.unit,
        slot_of=slot,
        fixture_kind=stacked.fixture_kind,
        fixture_cabinet=stacked.fixture_cabinet,
        fixture_unit=stacked.fixture_unit,
        **interior.facts(catalog),
        method=f"filled cabinets: {tried:,} moves" + ("" if complete else ", interrupted"),
        objective_unit=unit,
        objective=plain.cost(slot) + inside,
        start_objective=plain.cost(first) + inside,
        evaluations=tried,
        front=np.empty((0, 2), np.int64),
        lower_bound=lower_bound(plain) + inside if bounds else 0,
        bound_method="Gilmore and Lawler" if bounds else "",
        bound_covers=f"all {len(inventory.ends):,} connections, {problem.cabinet_count:,} cabinets filled as given"
        if bounds
        else "",
        complete=complete and seconds is None,
    )


def _names(inventory: Inventory) -> tuple[str, ...]:
    """Return a description of each cabinet by its first device."""
    first = np.unique(inventory.rack, return_index=True)[1]
    return tuple(f"that of {name}" for name in inventory.names[first].tolist())


def _allowed(inventory: Inventory, catalog: Catalog, slots: Slots, interior: Interior) -> np.ndarray:
    """Return whether each slot carries each cabinet by power, load and size, bool (C, S)."""
    count = len(inventory.rack_unit)
    framed = np.ones(count, bool)
    framed[inventory.rack[inventory.of_part("freestanding")]] = False
    power_mw, mass_g = np.zeros(count, np.int64), catalog.cabinet.mass_g * framed
    np.add.at(power_mw, inventory.rack, inventory.of_part("power_max_mw"))
    np.add.at(mass_g, inventory.rack, inventory.of_part("mass_g"))
    if catalog.pdu is not None:
        # PDUs that are nodes are counted as these.
        nodes = np.bincount(inventory.rack[inventory.of_part("id") == catalog.pdu.id], minlength=count)
        mass_g += np.maximum(interior.pdu_count(catalog) * framed - nodes, 0) * catalog.pdu.mass_g
    large = np.tile(slots.large(catalog.cabinet), (count, 1))
    for part in {inventory.parts[number] for number in inventory.part[inventory.of_part("freestanding")]}:
        large[inventory.rack[inventory.of_part("id") == part.id]] = slots.large(part)
    if not large.any():
        raise InputError(Problem("catalog.cabinet", f"no slot of {slots.room} is large enough", "choose a smaller cabinet"))
    return (power_mw[:, None] <= slots.power_mw) & (mass_g[:, None] <= slots.load_g) & large


def lower_bound(problem: RackProblem) -> int:
    """Return a lower bound of the cost of all layouts, by the bound of Gilmore and Lawler for each kind of connection.

    In slot p a cabinet pays at cheapest the scalar product of its numbers of connections to others, largest first, and the costs
    from p to other slots, smallest first, for each kind; every connection counts half at each end. The minimum assignment
    of cabinets to slots with these costs is a lower bound.

    References
    ----------
    .. [1] P. C. Gilmore, "Optimal and suboptimal algorithms for the quadratic assignment problem", SIAM J. 10, 1962.
    .. [2] E. L. Lawler, "The quadratic assignment problem", Management Science 9, 1963.
    """
    from scipy.optimize import linear_sum_assignment

    indptr, _, weight, kind = problem.rows
    slots = problem.slot_count
    if len(weight) * slots > WORK:
        minimum = np.array([table[~np.eye(slots, dtype=bool)].min() for table in problem.table], np.int64)
        return int((problem.weight * minimum[problem.kind]).sum() + problem.bias.min(axis=1).sum())
    # Costs from each slot to all others, ascending, in both directions of a connection; that to itself comes last.
    count = int(np.diff(indptr).max(initial=0))
    cheapest = {number: _ascending(problem.table, number, count) for number in np.unique(kind).tolist()}
    twice = 2 * problem.bias.astype(np.int64)
    for cabinet in range(problem.cabinet_count):
        own = slice(indptr[cabinet], indptr[cabinet + 1])
        for number, costs in cheapest.items():
            some = np.sort(weight[own][kind[own] == number])[::-1]
            twice[cabinet] += costs[:, : len(some)] @ some
    forbidden = int(twice.max(initial=0)) * problem.cabinet_count + 1
    twice = np.where(problem.allowed, twice, forbidden)
    cabinet, slot = linear_sum_assignment(twice)
    return -(-int(twice[cabinet, slot].sum()) // 2)


def _ascending(table: np.ndarray, number: int, count: int) -> np.ndarray:
    costs = (table[number >> 1].T if number & 1 else table[number >> 1]).astype(np.int64)
    costs[np.arange(len(costs)), np.arange(len(costs))] = np.iinfo(np.int64).max
    return np.sort(costs, axis=1)[:, :count]
