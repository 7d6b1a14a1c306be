"""Boxes and sockets of a plan: endpoints of one box share its cages, rows of one cage share a socket."""

from __future__ import annotations

import numpy as np

from planner.model import Plan


def endpoint_boxes(plan: Plan) -> np.ndarray:
    """Return the number of the box of each endpoint, int64 (H,): boxes by cabinet, then by unit from the bottom."""
    cabinet, unit = plan.placement.endpoint_cabinet.astype(np.int64), plan.placement.endpoint_unit.astype(np.int64)
    place = cabinet * (int(unit.max(initial=0)) + 1) + unit
    return np.unique(place, return_inverse=True)[1].ravel()


def box_ports(plan: Plan) -> int:
    """Return the number of ports per cage of an endpoint box: the router's if both have the same connector, else 1."""
    router, endpoint = plan.catalog.router, plan.catalog.endpoint
    return router.ports_per_cage if router.connector == endpoint.connector else 1


def sockets(plan: Plan) -> np.ndarray:
    """Return a number for the cage behind both ends of every row, equal for rows that plug into one cage; int64 (W, 2)."""
    cables, routers = plan.cables, plan.topology.router_count
    box = np.concatenate([np.arange(routers), routers + endpoint_boxes(plan)])
    return box[cables.device] * (int(cables.cage.max(initial=0)) + 1) + cables.cage


def firsts(numbers: np.ndarray) -> np.ndarray:
    """Return where each number occurs first, row by row, bool in the shape of `numbers`."""
    first = np.zeros(numbers.size, bool)
    first[np.unique(numbers.ravel(), return_index=True)[1]] = True
    return first.reshape(numbers.shape)
