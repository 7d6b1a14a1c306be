"""Which port of which box every cable plugs into."""

from __future__ import annotations

import numpy as np

from planner.model import Placement, Topology


def ports_of(topology: Topology, placement: Placement) -> tuple[np.ndarray, np.ndarray]:
    """Return device and port at both ends of every cable, int64 (W, 2) each.

    Links come first, in link order; a router's links take ports 1 … degree in the order of the
    topology, its endpoints the ports after these. The port of an endpoint is its place in its box.
    """
    routers = topology.router_count
    owner = np.repeat(np.arange(routers), topology.degree)
    number = np.arange(len(owner)) - topology.indptr[owner] + 1
    # Both ends of a link differ, so the owner tells which end a position is.
    side = (topology.links[topology.link, 0] != owner).astype(np.int64)
    link_port = np.zeros((topology.link_count, 2), np.int64)
    link_port[topology.link, side] = number
    router = topology.endpoint_router.astype(np.int64)
    first = np.searchsorted(router, router)
    rank = np.arange(len(router)) - first
    box = np.column_stack([placement.endpoint_cabinet, placement.endpoint_unit])
    endpoint_device = np.column_stack([router, routers + np.arange(len(router))])
    endpoint_port = np.column_stack([topology.degree[router] + rank + 1, _place_in_box(box) + 1])
    device = np.concatenate([topology.links.astype(np.int64), endpoint_device])
    return device, np.concatenate([link_port, endpoint_port])


def _place_in_box(box: np.ndarray) -> np.ndarray:
    """Position of each row among equal rows, in order, int64."""
    order = np.lexsort((np.arange(len(box)), box[:, 1], box[:, 0]))
    ordered = box[order]
    new = np.ones(len(box), bool)
    new[1:] = (ordered[1:] != ordered[:-1]).any(axis=1)
    start = np.maximum.accumulate(np.where(new, np.arange(len(box)), 0))
    place = np.empty(len(box), np.int64)
    place[order] = np.arange(len(box)) - start
    return place
