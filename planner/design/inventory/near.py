"""Ports attached to the nearest leaf that has a free port: chosen once the content of cabinets is known."""

from __future__ import annotations

import numpy as np

from planner.core.errors import CheckFailed

UNIT_APART = 1_000
"""Distance that two scalable units add to that of the numbers of two cabinets."""

CABINET_APART = 1_000_000
"""Distance that two cabinets add: ports in the cabinet of their device come before all others."""


def nearest(
    device: np.ndarray, plugged: np.ndarray, leaf: np.ndarray, free: np.ndarray, rack: np.ndarray, rack_unit: np.ndarray
) -> np.ndarray:
    """Return the leaf of each port such that the sum of their distances is the minimum; of equal sums the one shared evenly.

    A leaf in the cabinet of the device is at distance 0. The distance of two cabinets is that of their numbers plus
    `CABINET_APART`: cabinets of one set and of one unit follow each other, and placement keeps them together. Leaves of another
    scalable unit are `UNIT_APART` farther.

    Parameters
    ----------
    device
        Device of each port, int64 (n,).
    plugged
        Position of the leaf where each port is plugged already, -1 for none, int64 (n,): it stays while that leaf has ports.
    leaf, free
        Leaves as devices, and the ports of each that may be used, int64 (L,); at least n in all.
    rack, rack_unit
        Cabinet of each device of the inventory, int64 (D,), and scalable unit of each cabinet, -1 for none, int64 (C,).

    Returns
    -------
    chosen
        Position of the leaf of each port, int64 (n,).
    """
    chosen, left = np.full(len(device), -1), free.astype(np.int64)
    for own in np.unique(plugged[plugged >= 0]).tolist():
        stays = np.flatnonzero(plugged == own)[: left[own]]
        chosen[stays] = own
        left[own] -= len(stays)
    open_ports = np.flatnonzero(chosen < 0)
    if len(open_ports):
        chosen[open_ports] = _flow(rack[device[open_ports]], rack[leaf], left, rack_unit)
    return chosen


def _flow(rack: np.ndarray, home: np.ndarray, free: np.ndarray, rack_unit: np.ndarray) -> np.ndarray:
    """Return the leaf of ports in some cabinets, int64 (n,), by a flow of minimum cost from cabinets over leaves to one sink."""
    from ortools.graph.python import min_cost_flow

    racks, of_rack, wanting = np.unique(rack, return_inverse=True, return_counts=True)
    units, own = rack_unit[racks], rack_unit[home]
    away = np.abs(racks[:, None] - home) + UNIT_APART * ((units[:, None] != own) & (units[:, None] >= 0) & (own >= 0))
    away += CABINET_APART * (racks[:, None] != home)
    usable = np.minimum(free, len(rack))
    tail, head = (axis.ravel() for axis in np.meshgrid(np.arange(len(racks)), np.arange(len(home)), indexing="ij"))
    # The k-th port of a leaf costs k, so that leaves at equal distances share ports evenly; all of these cost less than one step.
    place = np.arange(usable.sum()) - np.repeat(np.cumsum(usable) - usable, usable)
    step = 1 + len(rack) * int(usable.max(initial=0))
    network = min_cost_flow.SimpleMinCostFlow()
    arcs = network.add_arcs_with_capacity_and_unit_cost(
        tail, len(racks) + head, np.minimum(wanting[tail], usable[head]), away.ravel() * step
    )
    sink, single = len(racks) + len(home), np.ones(len(place), np.int64)
    network.add_arcs_with_capacity_and_unit_cost(
        len(racks) + np.repeat(np.arange(len(home)), usable), np.full(len(place), sink), single, place
    )
    network.set_nodes_supplies(np.arange(sink + 1), np.concatenate([wanting, np.zeros(len(home), np.int64), [-len(rack)]]))
    if network.solve() != network.OPTIMAL:
        raise CheckFailed("leaves of the rule near have fewer free ports than are attached")
    flow = network.flows(arcs).reshape(len(racks), len(home))
    # Devices of a cabinet take its leaves in order.
    chosen = np.empty(len(rack), np.int64)
    chosen[np.argsort(of_rack.ravel(), kind="stable")] = np.concatenate([np.repeat(np.arange(len(home)), row) for row in flow])
    return chosen
