"""Fewest cabinets, then fewest links between them, by constraint programming; for small networks."""

from __future__ import annotations

from typing import Annotated

import numpy as np
from annotated_types import Gt

from planner import cp_sat
from planner.model import Topology
from planner.placement.packing._capacity import Capacity
from planner.placement.packing._items import Items, items_of
from planner.placement.packing.partition import improved, partition

_LARGEST = 60_000
"""Most variables of a model; beyond, the solver only loses time."""


class Proven(list):
    """Cabinets, as a list of arrays, with the word whether no better packing exists."""

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
    """Find the packing with the fewest cabinets, and of those the one with the fewest links between cabinets.

    The same input gives the same answer: one worker, and a limit in the solver's own deterministic
    time. Networks too large for a model keep the packing the search starts from.

    Parameters
    ----------
    whole
        Routers of equal label stay together, int64 (R,).
    apart
        Sets of routers of which no two may share a cabinet.
    start
        Packing to start from; by default that of `partition`.
    effort
        Deterministic time, about seconds on a common machine.

    Returns
    -------
    Cabinets; `proven` says whether they are known to be the best.

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
    """Return the cabinet of each unit, int64 (U,), no worse than `label`, and whether it is proven best."""
    from ortools.sat.python import cp_model

    most, least = int(label.max()) + 1, capacity.least(items.content)
    pairs = len(items.indices) // 2
    if most == 1:
        return label, True
    if (items.count + pairs) * most > _LARGEST:
        return label, False
    model = cp_model.CpModel()
    stands = [[model.new_bool_var("") for _ in range(most)] for _ in range(items.count)]
    used = [model.new_constant(1) if c < least else model.new_bool_var("") for c in range(most)]
    for row in stands:
        model.add_exactly_one(row)
    # A cabinet bears the number of units before its first at most: most renumberings fall away.
    for unit in range(min(items.count, most)):
        for cabinet in range(unit + 1, most):
            model.add(stands[unit][cabinet] == 0)
    for cabinet in range(most):
        _limits(model, items, capacity, [row[cabinet] for row in stands], used[cabinet])
        if cabinet:
            model.add_implication(used[cabinet], used[cabinet - 1])
    for a in range(items.count):
        for b in items.foe_indices[items.foe_indptr[a] : items.foe_indptr[a + 1]].tolist():
            if a < b:
                for cabinet in range(most):
                    model.add_at_most_one(stands[a][cabinet], stands[b][cabinet])
    inside, worth = _inside(model, items, stands, most)
    # One cabinet outweighs all links.
    dear = int(items.links.sum()) // 2 + 1
    model.maximize(sum(w * x for w, x in zip(worth, inside, strict=True)) - dear * sum(used))
    _hint(model, items, stands, label)
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    solver.parameters.random_seed = seed % (1 << 31)
    solver.parameters.max_deterministic_time = effort
    status, interrupted = cp_sat.solve(solver, model)
    if interrupted:
        raise KeyboardInterrupt
    if status not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
        return label, False
    answer = np.array([[solver.boolean_value(x) for x in row] for row in stands]).argmax(axis=1)
    return min((answer, label), key=lambda x: _rating(items, x)), status == cp_model.OPTIMAL


def _rating(items: Items, label: np.ndarray) -> tuple[int, int]:
    return len(np.unique(label)), -items.inside(label)


def _labels(items: Items, cabinets: list[np.ndarray]) -> np.ndarray:
    label = np.empty(items.count, np.int64)
    of_router = {int(router): number for number, members in enumerate(cabinets) for router in members}
    label[items.unit] = [of_router[router] for router in items.members.tolist()]
    return label


def _limits(model, items: Items, capacity: Capacity, here: list, used) -> None:
    """Every limit of one cabinet; endpoints of its routers share boxes."""
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
    # Rows whose needs are all nothing say nothing about empty cabinets.
    model.add_max_equality(used, here)


def _started(model, count, every: int, items: Items):
    """A variable for how many times `every` are at least begun by a count."""
    times = model.new_int_var(0, int(items.content[:, :2].sum()), "")
    model.add(times * every >= count)
    return times


def _inside(model, items: Items, stands: list[list], most: int) -> tuple[list, list[int]]:
    """A variable for each linked pair and cabinet that holds both, and its links."""
    inside, worth = [], []
    for a in range(items.count):
        row = slice(items.indptr[a], items.indptr[a + 1])
        for b, links in zip(items.indices[row].tolist(), items.links[row].tolist(), strict=True):
            for cabinet in range(most if a < b else 0):
                both = model.new_bool_var("")
                model.add_implication(both, stands[a][cabinet])
                model.add_implication(both, stands[b][cabinet])
                inside.append(both)
                worth.append(links)
    return inside, worth


def _hint(model, items: Items, stands: list[list], label: np.ndarray) -> None:
    """Start from a known packing, its cabinets numbered by their first unit as the model wants."""
    _, first, inverse = np.unique(label, return_index=True, return_inverse=True)
    rank = np.argsort(np.argsort(first))[inverse.ravel()]
    for row, cabinet in zip(stands, rank.tolist(), strict=True):
        for number, variable in enumerate(row):
            model.add_hint(variable, number == cabinet)
