"""Placement problems small enough for brute force."""

from __future__ import annotations

from itertools import permutations, product
from types import SimpleNamespace

import numpy as np

from planner.design.placement import PlacementProblem

NONE = np.empty(0, np.int32)


def network(count, links):
    """Just what a problem reads of a network."""
    links = np.array(links, np.int64).reshape(-1, 2)
    return SimpleNamespace(
        router_count=count, link_count=len(links), links=links, endpoints_of=np.zeros(count, int), group=np.zeros((count, 0))
    )


def posed(net, cost, xy, start, swap_class, usable=None):
    """A problem with every slot usable unless stated otherwise."""
    slots, xy = np.arange(cost.slot_count), np.asarray(xy)
    room = SimpleNamespace(
        slot_count=cost.slot_count,
        slot_xy=xy,
        slot_node=np.column_stack([slots, slots]),
        shared_trays=True,
        node_xyz=np.column_stack([xy, np.zeros(len(xy), int)]),
        # One tray from slot to slot; bounds hold whatever the costs.
        segments=np.column_stack([slots[:-1], slots[1:]]),
        segment_mm=np.abs(np.diff(xy, axis=0)).sum(axis=1),
    )
    packing = SimpleNamespace(usable=slots if usable is None else usable)
    return PlacementProblem(
        topology=net,
        room=room,
        packing=packing,
        cost=cost,
        swap_class=np.asarray(swap_class),
        fixed=np.zeros(net.router_count, bool),
        start=np.asarray(start),
    )


def brute_force(problem):
    """The minimum objective over all layouts: any with cabinets no fuller than at the start, or the cabinets permuted."""
    slots = problem.room.slot_count
    number, cabinet = np.unique(problem.start, return_inverse=True)
    if problem.cabinets_stay:
        return min(problem.objective(np.array(order)[cabinet]) for order in permutations(range(slots), len(number)))
    fullest = np.bincount(cabinet).max()
    layouts = (np.array(layout) for layout in product(range(slots), repeat=problem.topology.router_count))
    return min(problem.objective(layout) for layout in layouts if np.bincount(layout).max() <= fullest)
