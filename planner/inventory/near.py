"""Ports attached to the nearest leaf: the leaf of each device is chosen once the content of cabinets is known."""

from __future__ import annotations

import numpy as np

from planner.errors import CheckFailed

UNIT_APART = 1_000
"""Distance of two cabinets of different scalable units, in cabinets."""


def plugged_or_nearest(
    leaf: np.ndarray, device: np.ndarray, wanted: np.ndarray, rack: np.ndarray, rack_unit: np.ndarray
) -> np.ndarray:
    """Return the order of some devices as `nearest`, but that each with a wanted leaf, not -1, stays there while it has ports."""
    order = np.full(len(leaf), -1)
    for one in np.unique(wanted[wanted >= 0]):
        places, own = np.flatnonzero(leaf == one), np.flatnonzero(wanted == one)
        count = min(len(places), len(own))
        order[places[:count]] = own[:count]
    places, own = np.flatnonzero(order < 0), np.setdiff1d(np.arange(len(leaf)), order)
    if len(places):
        order[places] = own[nearest(leaf[places], device[own], rack, rack_unit)]
    return order


def nearest(leaf: np.ndarray, device: np.ndarray, rack: np.ndarray, rack_unit: np.ndarray) -> np.ndarray:
    """Return the order of some devices that brings each to a leaf of its cabinet, else of its scalable unit, else near it.

    The distance of two cabinets is that of their numbers: cabinets of one set and of one unit follow each other, and placement
    keeps them together. Every leaf keeps its number of ports; the sum of all distances is the minimum.

    Parameters
    ----------
    leaf, device
        Router of each port, and the device attached to it so far, int64 (n,).
    rack, rack_unit
        Cabinet of each device of the inventory, int64 (D,), and scalable unit of each cabinet, -1 for none, int64 (C,).

    Returns
    -------
    order
        The device of port n becomes ``device[order[n]]``, int64 (n,).
    """
    from ortools.graph.python import min_cost_flow

    leaves, of_leaf, room = np.unique(leaf, return_inverse=True, return_counts=True)
    racks, of_rack, wanting = np.unique(rack[device], return_inverse=True, return_counts=True)
    home = rack[leaves]
    units, own = rack_unit[racks], rack_unit[home]
    away = np.abs(racks[:, None] - home) + UNIT_APART * ((units[:, None] != own) & (units[:, None] >= 0) & (own >= 0))
    network = min_cost_flow.SimpleMinCostFlow()
    tail, head = (axis.ravel() for axis in np.meshgrid(np.arange(len(racks)), np.arange(len(leaves)), indexing="ij"))
    arcs = network.add_arcs_with_capacity_and_unit_cost(
        tail, len(racks) + head, np.minimum(wanting[tail], room[head]), away.ravel()
    )
    network.set_nodes_supplies(np.arange(len(racks) + len(leaves)), np.concatenate([wanting, -room]))
    if network.solve() != network.OPTIMAL:
        raise CheckFailed("ports and leaves of the rule near differ in number")
    flow = network.flows(arcs).reshape(len(racks), len(leaves))
    # Devices of a cabinet take its leaves in order.
    chosen = np.empty(len(device), np.int64)
    by_rack = np.argsort(of_rack, kind="stable")
    chosen[by_rack] = np.concatenate([np.repeat(np.arange(len(leaves)), row) for row in flow])
    order = np.empty(len(device), np.int64)
    order[np.argsort(of_leaf.ravel(), kind="stable")] = np.argsort(chosen, kind="stable")
    return order
