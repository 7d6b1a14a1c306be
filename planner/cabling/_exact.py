"""Small rooms: the shortest ways that keep all limits, as a CP-SAT model."""

from __future__ import annotations

import numpy as np

from planner.cabling._trays import Demands, TrayGraph
from planner.cp_sat import solve

LARGEST = 2000
"""Most variables, two for each demand and segment."""

WORK = 2.0
"""Limit in deterministic time: the same on every machine, about as many seconds."""

CONFLICTS = 20_000
"""Limit of the solver's conflicts, as deterministic."""

Strands = list[tuple[int, list[int]]]
"""Of one demand: cables of each strand and its segments in order."""

Arc = tuple[int, int]
"""A segment, and the node it is entered at."""


def is_small(demands: int, segments: int) -> bool:
    """Whether the model is small enough to be solved."""
    return 0 < 2 * demands * segments <= LARGEST


def shortest(graph: TrayGraph, demands: Demands, routable: np.ndarray) -> tuple[list[Strands] | None, bool]:
    """Return strands of each demand of `routable`, the shortest that keep all limits, or None; and whether that is proven.

    Parameters
    ----------
    routable
        Demands that must be routed; a way joins each.
    """
    from ortools.sat.python import cp_model

    model = cp_model.CpModel()
    flow = [_ways(model, graph, demands, demand) for demand in routable.tolist()]
    _rooms(model, graph, demands, routable, flow)
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
        _parts(graph, *demands.ends[demand].tolist(), int(demands.cables[demand]), arcs)
        for demand, arcs in zip(routable.tolist(), taken, strict=True)
    ]
    return strands, status == cp_model.OPTIMAL


def _ways(model, graph: TrayGraph, demands: Demands, demand: int) -> dict[Arc, object]:
    """Cables of a demand on every segment in both directions: as many leave a node as enter it, but for the ends."""
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


def _rooms(model, graph: TrayGraph, demands: Demands, routable: np.ndarray, flow: list[dict]) -> None:
    """What a segment holds fits into its room."""
    holds = [0] * len(graph.ends)
    for cable_um2, arcs in zip(demands.cable_um2[routable].tolist(), flow, strict=True):
        for (segment, _), cables in arcs.items():
            holds[segment] += cable_um2 * cables
    for segment in np.flatnonzero(graph.room_um2 >= 0).tolist():
        model.add(holds[segment] <= int(graph.room_um2[segment]))


def _parts(graph: TrayGraph, start: int, goal: int, cables: int, left: dict[Arc, int]) -> Strands:
    """Take the flow of a demand apart into ways, those of fewest segments first."""
    strands = []
    while cables:
        before, waiting = {start: (-1, -1)}, [start]
        for node in waiting:
            for segment, tail in left:
                head = int(graph.ends[segment].sum()) - tail
                if tail == node and head not in before:
                    before[head] = segment, tail
                    waiting.append(head)
        way = []
        node = goal
        while node != start:
            way.append(before[node])
            node = before[node][1]
        taken = min(cables, *(left[arc] for arc in way))
        left = {arc: n - taken * (arc in way) for arc, n in left.items() if n > taken or arc not in way}
        strands.append((taken, [segment for segment, _ in reversed(way)]))
        cables -= taken
    return strands
