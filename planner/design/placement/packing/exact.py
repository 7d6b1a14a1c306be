"""Minimum number of cabinets, then of links between them, by constraint programming, for small networks."""

from __future__ import annotations

from typing import Annotated, Any

import numpy as np
from annotated_types import Gt

from planner.design import cp_sat
from planner.design.placement.packing.cabinets.capacity import Capacity
from planner.design.placement.packing.cabinets.items import Items, items_of
from planner.design.placement.packing.partition import improved, partition
from planner.domain.model import Topology

_LARGEST = 60_000
"""Maximum number of variables of a model that the solver can handle."""


class Proven(list):
    """List of the routers of each cabinet, with a flag whether it is proven optimal."""

    proven = False


def pack(
    topology: Topology,
    capacity: Capacity,
    members: np.ndarray,
    *,
    seed: int = 0,
    whole: np.ndarray | None = None,
    apart: tuple = (),
    start: list[np.ndarray] | None = None,
    effort: Annotated[float, Gt(0)] = 2.0,
) -> Proven:
    """Minimize the number of cabinets, then the number of links between cabinets.

    The result is deterministic: one worker, and a limit in deterministic solver time. Networks that are
    too large for a model keep the initial packing.

    Parameters
    ----------
    whole
        Routers of equal label stay together, int64 (R,).
    apart
        Sets of routers of which no two may share a cabinet.
    start
        Initial packing; by default that of `partition`.
    effort
        Deterministic time, in units of about a second.

    Returns
    -------
    Cabinets; `proven` is True if they are proven optimal.

    References
    ----------
    .. [1] L. Perron, F. Didier, "CP-SAT", Google OR-Tools, https://developers.google.com/optimization/cp/cp_solver.
    """
    found = Proven()
    if not len(members):
        found.proven = True
        return found
    items = items_of(topology, members, whole, apart)
    label = partition(items, capacity, seed) if start is None else _labels(items, start)
    label = np.unique(improved(items, capacity, label), return_inverse=True)[1].ravel()
    label, found.proven = solve(items, capacity, label, seed, effort)
    found.extend(items.cabinets(label))
    return found


def solve(items: Items, capacity: Capacity, label: np.ndarray, seed: int, effort: float) -> tuple[np.ndarray, bool]:
    """Return the cabinet of each item, int64 (U,), no worse than `label`, and whether it is proven optimal."""
    from ortools.sat.python import cp_model

    count, minimum = int(label.max()) + 1, capacity.min_cabinets(items.content)
    pairs = len(items.indices) // 2
    if count == 1:
        return label, True
    if (items.count + pairs) * count > _LARGEST:
        return label, False
    model = cp_model.CpModel()
    at = [[model.new_bool_var("") for _ in range(count)] for _ in range(items.count)]
    used = [model.new_constant(1) if c < minimum else model.new_bool_var("") for c in range(count)]
    for row in at:
        model.add_exactly_one(row)
    # Symmetry breaking: item n is in one of the first n + 1 cabinets.
    for item in range(min(items.count, count)):
        for cabinet in range(item + 1, count):
            model.add(at[item][cabinet] == 0)
    for cabinet in range(count):
        _limits(model, items, capacity, [row[cabinet] for row in at], used[cabinet])
        if cabinet:
            model.add_implication(used[cabinet], used[cabinet - 1])
    for a in range(items.count):
        for b in items.foe_indices[items.foe_indptr[a] : items.foe_indptr[a + 1]].tolist():
            if a < b:
                for cabinet in range(count):
                    model.add_at_most_one(at[a][cabinet], at[b][cabinet])
    inside, links_inside = _inside(model, items, at, count)
    # One cabinet costs more than all links.
    cabinet_cost = int(items.links.sum()) // 2 + 1
    model.maximize(sum(w * x for w, x in zip(links_inside, inside, strict=True)) - cabinet_cost * sum(used))
    _hint(model, at, label)
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    solver.parameters.random_seed = seed % (1 << 31)
    solver.parameters.max_deterministic_time = effort
    status, interrupted = cp_sat.solve(solver, model)
    if interrupted:
        raise KeyboardInterrupt
    if status not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
        return label, False
    answer = np.array([[solver.boolean_value(x) for x in row] for row in at]).argmax(axis=1)
    return min((answer, label), key=lambda x: _rating(items, x)), status == cp_model.OPTIMAL


def _rating(items: Items, label: np.ndarray) -> tuple[int, int]:
    return len(np.unique(label)), -items.inside(label)


def _labels(items: Items, cabinets: list[np.ndarray]) -> np.ndarray:
    label = np.empty(items.count, np.int64)
    of_router = {int(router): number for number, members in enumerate(cabinets) for router in members}
    label[items.item] = [of_router[router] for router in items.members.tolist()]
    return label


def _limits(model: Any, items: Items, capacity: Capacity, here: list, used: Any) -> None:
    """Add all limits of one cabinet; endpoints of its routers share boxes."""
    routers, endpoints, ports = (sum(int(w) * x for w, x in zip(column, here, strict=True)) for column in items.content.T)
    boxes = model.new_int_var(0, -(-int(items.content[:, 1].sum()) // capacity.per_box), "")
    model.add(boxes * capacity.per_box >= endpoints)
    for limit in capacity.limits.values():
        some, others = (
            amount * _started(model, count, every, items) if amount else 0
            for count, (amount, every) in ((routers, limit.per_routers), (boxes, limit.per_boxes))
        )
        need = limit.router * routers + limit.box * boxes + limit.port * ports + some + others
        model.add(need <= (limit.allowed - limit.empty) * used)
    # Limits without any need do not constrain empty cabinets.
    model.add_max_equality(used, here)


def _started(model: Any, count: Any, every: int, items: Items) -> Any:
    """Return a variable for the number of started groups of size `every`."""
    times = model.new_int_var(0, int(items.content[:, :2].sum()), "")
    model.add(times * every >= count)
    return times


def _inside(model: Any, items: Items, at: list[list], count: int) -> tuple[list, list[int]]:
    """Return a variable per linked pair and cabinet that holds both, and the numbers of links."""
    inside, links_inside = [], []
    for a in range(items.count):
        row = slice(items.indptr[a], items.indptr[a + 1])
        for b, links in zip(items.indices[row].tolist(), items.links[row].tolist(), strict=True):
            for cabinet in range(count if a < b else 0):
                both = model.new_bool_var("")
                model.add_implication(both, at[a][cabinet])
                model.add_implication(both, at[b][cabinet])
                inside.append(both)
                links_inside.append(links)
    return inside, links_inside


def _hint(model: Any, at: list[list], label: np.ndarray) -> None:
    """Add an initial packing as hint, with cabinets numbered by their first item."""
    _, first, inverse = np.unique(label, return_index=True, return_inverse=True)
    rank = np.argsort(np.argsort(first))[inverse.ravel()]
    for row, cabinet in zip(at, rank.tolist(), strict=True):
        for number, variable in enumerate(row):
            model.add_hint(variable, number == cabinet)
