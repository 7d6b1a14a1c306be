"""Small rooms: the least that must be over-full, and the shortest ways then, as a CP-SAT model."""

from __future__ import annotations

import numpy as np

from planner.cabling._trays import Pulls, TrayGraph

LARGEST = 2000
"""Most variables, two for each pull and segment."""

WORK = 10.0
"""Limit in deterministic time: the same on every machine, about as many seconds."""

Strands = list[tuple[int, list[int]]]
"""Of one pull: cables of each strand and its segments in order."""

Arc = tuple[int, int]
"""A segment, and the node it is entered at."""


def is_small(pulls: int, segments: int) -> bool:
    """Whether the model is small enough to be solved."""
    return 0 < 2 * pulls * segments <= LARGEST


def shortest(graph: TrayGraph, pulls: Pulls, lays: np.ndarray, over_um2: int) -> tuple[list[Strands] | None, bool]:
    """Return strands of each pull of `lays`, the shortest of those with least over-full, and whether that is proven.

    Parameters
    ----------
    lays
        Pulls that must be laid; a way joins each.
    over_um2
        What is known to be enough over the limits in all; 0 asks for the shortest ways alone.
    """
    from ortools.sat.python import cp_model

    model = cp_model.CpModel()
    flow = [_ways(model, graph, pulls, pull) for pull in lays.tolist()]
    over = _rooms(model, graph, pulls, lays, flow, over_um2)
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    solver.parameters.max_deterministic_time = WORK
    proven = True
    if over_um2:
        model.minimize(sum(over))
        status = solver.solve(model)
        if status not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
            return None, False
        proven = status == cp_model.OPTIMAL
        model.add(sum(over) <= sum(solver.value(amount) for amount in over))
    length = graph.length_mm.tolist()
    model.minimize(sum(length[segment] * cables for arcs in flow for (segment, _), cables in arcs.items()))
    status = solver.solve(model)
    if status not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
        return None, False
    taken = [{arc: n for arc, cables in arcs.items() if (n := solver.value(cables))} for arcs in flow]
    strands = [
        _parts(graph, *pulls.ends[pull].tolist(), int(pulls.cables[pull]), arcs)
        for pull, arcs in zip(lays.tolist(), taken, strict=True)
    ]
    return strands, proven and status == cp_model.OPTIMAL


def _ways(model, graph: TrayGraph, pulls: Pulls, pull: int) -> dict[Arc, object]:
    """Cables of a pull on every segment in both directions: as many leave a node as enter it, but for the ends."""
    arcs = {}
    net = [0] * graph.nodes
    cables = int(pulls.cables[pull])
    for segment in np.flatnonzero(graph.carries >> pulls.way[pull] & 1).tolist():
        a, b = graph.ends[segment].tolist()
        if a != b:
            for tail, head in ((a, b), (b, a)):
                arcs[segment, tail] = amount = model.new_int_var(0, cables, "")
                net[tail] += amount
                net[head] -= amount
    start, goal = pulls.ends[pull].tolist()
    for node in range(graph.nodes):
        model.add(net[node] == cables * ((node == start) - (node == goal)))
    return arcs


def _rooms(model, graph: TrayGraph, pulls: Pulls, lays: np.ndarray, flow: list[dict], over_um2: int) -> list:
    """What a segment holds less what is over-full fits into its room; return what is over-full."""
    over = []
    area = pulls.cable_um2[lays].tolist()
    holds = [0] * len(graph.ends)
    for cable_um2, arcs in zip(area, flow, strict=True):
        for (segment, _), cables in arcs.items():
            holds[segment] += cable_um2 * cables
    for segment in np.flatnonzero(graph.room_um2 >= 0).tolist():
        over.append(model.new_int_var(0, over_um2, ""))
        model.add(holds[segment] - over[-1] <= int(graph.room_um2[segment]))
    return over


def _parts(graph: TrayGraph, start: int, goal: int, cables: int, left: dict[Arc, int]) -> Strands:
    """Take the flow of a pull apart into ways, those of fewest segments first."""
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
