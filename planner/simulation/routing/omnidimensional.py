"""Omni-dimensional adaptive routing of HyperX: any unaligned dimension at any time, with a budget of misroutes."""

from __future__ import annotations

from typing import Annotated

import numpy as np
from annotated_types import Ge, Le

from planner.errors import InputError, Problem
from planner.kernels.packet.records import routing_function, seen
from planner.kernels.routing import steps
from planner.simulation.network import Network, Routing
from planner.simulation.routing import _targets


def prepare(network: Network, misroutes: Annotated[int, Ge(0), Le(100)] | None = None) -> Routing:
    """Prepare omni-dimensional routing.

    A packet moves inside any dimension in which it is not yet aligned with its target. A hop that does not
    align the dimension is a misroute. Among ports with space it takes the minimum product of packets queued on its
    virtual channel, including itself, and remaining hops, including the next one.

    Parameters
    ----------
    network
        A HyperX or a hypercube.
    misroutes
        Maximum misroutes of a packet; by default one per dimension of more than two routers.

    Returns
    -------
    Routing
        Needs one virtual channel per dimension and per misroute, used in ascending order.

    Raises
    ------
    InputError
        For another family, or when cables are missing.

    References
    ----------
    .. [1] N. McDonald et al., "Practical and efficient incremental adaptive routing for HyperX networks", SC 2019 (OmniWAR).
    """
    topology = network.topology
    _targets.require_family(topology, "omnidimensional", "hyperx", "hypercube", remedy="use minimal or polarized")
    if topology.degree.min() < topology.degree.max():
        problem = "omnidimensional needs all routers of a line linked, and cables are missing"
        raise InputError(Problem("routing", problem, "use minimal or polarized"))
    coords = topology.coords
    dimensions = coords.shape[1]
    # In a dimension of two routers every hop aligns.
    default = int((coords.max(axis=0) > 1).sum())
    budget = default if misroutes is None or default == 0 else misroutes
    next_ = _targets.neighbors(network).astype(np.int64)
    differs = coords[next_] != coords[:, None, :]
    axis = differs.argmax(axis=2)
    place = np.take_along_axis(coords[next_], axis[:, :, None], axis=2)[:, :, 0]
    small = np.concatenate([axis, place, coords], axis=1).astype(np.uint8)
    numbers = np.array([next_.shape[1], dimensions, budget], np.int64)
    return Routing(dimensions + budget, _targets.NOTHING.astype(np.uint32), small, numbers)


@routing_function
def candidates(router, first_queue, channels, p, view):
    """Write the ports inside unaligned dimensions; the label counts misroutes."""
    packet, output, _, small, numbers, rows = seen(view)
    degree = numbers[0]
    target, hops, label = np.int64(packet[p].target_router), np.int64(packet[p].hops), np.int64(packet[p].label)
    unaligned = 0
    for axis in range(numbers[1]):
        if small[router, 2 * degree + axis] != small[target, 2 * degree + axis]:
            unaligned += 1
    count = 0
    for port in range(degree):
        goal = small[target, 2 * degree + small[router, port]]
        if small[router, 2 * degree + small[router, port]] == goal:
            continue
        misroute = 0 if small[router, degree + port] == goal else 1
        if label + misroute > numbers[2]:
            continue
        packets = 1 + steps.occupied(output, first_queue + port * channels + hops, numbers)
        count = steps.offer(rows, count, port, hops, packets * (unaligned + misroute), label + misroute)
    return count
