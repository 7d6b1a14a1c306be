"""Exact routing in small rooms, as a CP-SAT model."""

from __future__ import annotations

from typing import Any

import numpy as np

from planner.design.cabling.trays.graph import Demands, TrayGraph
from planner.design.cp_sat import solve

LARGEST = 2000
"""Maximum number of variables, two for each demand and segment."""

WORK = 2.0
"""Limit in deterministic time: the same on every machine, roughly seconds."""

CONFLICTS = 20_000
"""Limit of the solver's conflicts, which is deterministic, too."""

Strands = list[tuple[int, list[int]]]
"""Strands of one demand: cables of each and its segments in order."""

Arc = tuple[int, int]
"""A segment, and the node at which it is entered."""


def is_small(demands: int, segments: int) -> bool:
    """Return whether the model is small enough to be solved."""
    return 0 < 2 * demands * segments <= LARGEST


def shortest(graph: TrayGraph, demands: Demands, routable: np.ndarray) -> tuple[list[Strands] | None, bool]:
    """Return the strands of each demand of `routable` with the smallest total length within all limits, or None; and whether
    that is proven.

    Parameters
    ----------
    routable
        Demands to route; each has a route.
    """
    from ortools.sat.python import cp_model

    model = cp_model.CpModel()
    flow = [_flow_variables(model, graph, demands, demand) for demand in routable.tolist()]
    _limit_loads(model, graph, demands, routable, flow)
    length = graph.length_mm.tolist()
    model.minimize(sum(length[segment] * cables for arcs in flow for (segment, _), cables in arcs.items()))
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    solver.parameters.max_deterministic_time = WORK
    # Small steps of the bound take hardly any deterministic time, but each is a conflict.
    solver.parameters.max_number_of_conflicts = CONFLICTS
    status, interrupted = solve(solver, model)
    if interrupted:
        raise KeyboardInterrupt
    if status not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
        return None, status == cp_model.INFEASIBLE
    taken = [{arc: n for arc, cables in arcs.items() if (n := solver.value(cables))} for arcs in flow]
    strands = [
        _decompose(graph, demands.ends[demand].tolist(), int(demands.cables[demand]), arcs)
        for demand, arcs in zip(routable.tolist(), taken, strict=True)
    ]
    return strands, status == cp_model.OPTIMAL


def _flow_variables(model: Any, graph: TrayGraph, demands: Demands, demand: int) -> dict[Arc, Any]:
    """Return the flow variables of a demand, cables on every segment in both directions, with flow conservation."""
    arcs = {}
    net = [0] * graph.nodes
    cables = int(demands.cables[demand])
    for segment in np.flatnonzero(graph.carries >> demands.medium_class[demand] & 1).tolist():
        a, b = graph.ends[segment].tolist()
        if a != b:
            for tail, head in ((a, b), (b, a)):
                arcs[segment, tail] = amount = model.new_int_var(0, cables, "")
                net[tail] += amount
                net[head] -= amount
    start, goal = demands.ends[demand].tolist()
    for node in range(graph.nodes):
        model.add(net[node] == cables * ((node == start) - (node == goal)))
    return arcs


def _limit_loads(model: Any, graph: TrayGraph, demands: Demands, routable: np.ndarray, flow: list[dict]) -> None:
    """Limit the load of each segment to its room."""
    holds = [0] * len(graph.ends)
    for cable_um2, arcs in zip(demands.cable_um2[routable].tolist(), flow, strict=True):
        for (segment, _), cables in arcs.items():
            holds[segment] += cable_um2 * cables
    for segment in np.flatnonzero(graph.room_um2 >= 0).tolist():
        model.add(holds[segment] <= int(graph.room_um2[segment]))


def _decompose(graph: TrayGraph, ends: list[int], cables: int, left: dict[Arc, int]) -> Strands:
    """Decompose the flow of a demand into routes, those with the smallest number of segments first."""
    (start, goal), strands = ends, []
    while cables:
        before, waiting = {start: (-1, -1)}, [start]
        for node in waiting:
            for segment, tail in left:
                head = int(graph.ends[segment].sum()) - tail
                if tail == node and head not in before:
                    before[head] = segment, tail
                    waiting.append(head)
        path = []
        node = goal
        while node != start:
            path.append(before[node])
            node = before[node][1]
        taken = min(cables, *(left[arc] for arc in path))
        left = {arc: n - taken * (arc in path) for arc, n in left.items() if n > taken or arc not in path}
        strands.append((taken, [segment for segment, _ in reversed(path)]))
        cables -= taken
    return strands
