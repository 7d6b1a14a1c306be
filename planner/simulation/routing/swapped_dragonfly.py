"""Source-vector routing of swapped Dragonflies, with deflection via a random drawer or the target's cabinet."""

from __future__ import annotations

from typing import Literal

import numpy as np

from planner.errors import InputError, Problem
from planner.kernels.packet.records import routing_function, seen
from planner.kernels.routing import steps
from planner.model import Topology
from planner.simulation.network import Network, Routing
from planner.simulation.routing import _targets

_NONE = 255


def prepare(network: Network, deflect: Literal["never", "random", "cabinet"] = "never") -> Routing:
    """Prepare routing by headers (b; target).

    From (c, d, p) to (c', d', p') a packet makes, counting b down, a local hop to position d' (b = 3), a
    global hop to cabinet c' (2) and a local hop to position p' (1): the source vector (c' - c, p' - d, d' - p). A hop to the
    same router is omitted. Deflected packets first go to a random position D (5) and by a
    global hop to a random cabinet C (4), thus to (C, D, d); or only by a global hop to the target's cabinet (4).

    Parameters
    ----------
    network
        A swapped Dragonfly; subnetworks too.
    deflect
        ``"random"``: every packet via (C, D, d), at most 5 hops. ``"cabinet"``: global–local–global–local, at most 4
        hops. ``"never"``: local–global–local, at most 3.

    Returns
    -------
    Routing
        Needs 2 virtual channels, with deflection 3: the number of preceding global hops of the plan, in the order local 0,
        global 0, local 1, global 1, local 2.

    Raises
    ------
    InputError
        For another family, or when cables are missing.

    Notes
    -----
    The paper's synchronous networks delay a packet by a step where a hop is omitted; here it continues. Between routers of a
    drawer the source vector takes two hops where one would suffice.

    References
    ----------
    .. [1] R. Draper, "The swapped Dragonfly", 2022, sections 8 and 10. The vector and the third router printed for deflection
       are misprints.
    """
    topology = network.topology
    _targets.require_family(topology, "swapped_dragonfly", "swapped_dragonfly", remedy="use minimal")
    cabinet, place = np.unique(topology.coords[:, 0], return_inverse=True), np.unique(topology.coords[:, 1:], return_inverse=True)
    coords = np.column_stack([cabinet[1].reshape(-1), place[1].reshape(-1, 2)])
    cabinets, positions = len(cabinet[0]), len(place[0])
    small = np.full((topology.router_count, positions + cabinets + 3), _NONE, np.uint8)
    router = np.repeat(np.arange(topology.router_count), topology.degree)
    other = topology.indices
    inside = (coords[router, :2] == coords[other, :2]).all(axis=1)
    column = np.where(inside, coords[other, 2], positions + coords[other, 0])
    small[router, column] = np.arange(len(router)) - topology.indptr[router]
    small[:, -3:] = coords
    _require_whole(topology, coords, positions, cabinets)
    start = {"never": 3, "cabinet": 4, "random": 5}[deflect]
    numbers = np.array([positions, cabinets, start], np.int64)
    return Routing(2 + (start > 3), _targets.NOTHING.astype(np.uint32), small, numbers)


def _require_whole(topology: Topology, coords: np.ndarray, positions: int, cabinets: int) -> None:
    # Port 0 of router (c, d, d) is empty.
    expected = positions - 1 + cabinets - (coords[:, 1] == coords[:, 2])
    incomplete = np.flatnonzero(topology.degree != expected)
    if len(incomplete):
        problem = f"source vectors need every cable, and one of router {incomplete[0]} is missing"
        raise InputError(Problem("routing", problem, "use minimal"))


@routing_function
def candidates(router, first_queue, channels, p, view):
    """Write the port of the next hop of the header of packet `p`; the label is b, 0 at the source."""
    packet, _, _, small, numbers, rows = seen(view)
    positions, cabinets, start = numbers[0], numbers[1], numbers[2]
    coords = positions + cabinets
    target = np.int64(packet[p].target_router)
    b = np.int64(packet[p].label)
    if b == 0:
        b = start
    while b > 0:
        if b == 5:
            column = steps.draw(packet, p, 5, positions)
        elif b == 4:
            column = positions + (steps.draw(packet, p, 4, cabinets) if start == 5 else np.int64(small[target, coords]))
        elif b == 3:
            column = np.int64(small[target, coords + 1])
        elif b == 2:
            column = positions + np.int64(small[target, coords])
        else:
            column = np.int64(small[target, coords + 2])
        port = np.int64(small[router, column])
        if port != _NONE:
            crossed = 0 if b > 3 else (1 if start > 3 else 0) + (1 if b == 1 else 0)
            return steps.offer(rows, 0, port, crossed, 0, b - 1)
        b -= 1
    return 0
