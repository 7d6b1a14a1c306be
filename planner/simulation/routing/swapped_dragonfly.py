"""Source-vector routing of swapped Dragonflies, with deflection via a random drawer or the target's cabinet."""

from __future__ import annotations

from typing import Annotated, Literal, NamedTuple

import numpy as np

from planner.core.errors import InputError, Problem
from planner.domain.model import Topology
from planner.kernels.routing import prescribed, steps
from planner.kernels.routing.prescribed import FREE, Prescribed
from planner.kernels.routing.view import NO_CANDIDATE, Here, Packet, offer, routing_function
from planner.simulation.messages import Timetable
from planner.simulation.network import Network, Routing
from planner.simulation.routing.tables import targets

_NONE = 255
_TO_POSITION, _TO_CABINET, _TO_TARGET_POSITION, _TO_TARGET_CABINET, _IN_TARGET_DRAWER = 5, 4, 3, 2, 1
"""Values of b: local hop to a random position, global hop to another cabinet; then the hops of the source vector."""


class Tables(NamedTuple):
    """Tables of source-vector routing."""

    local: Annotated[np.ndarray, np.uint8, 2]
    """Port to each position of the drawer: router, position; 255 if none."""
    across: Annotated[np.ndarray, np.uint8, 2]
    """Port to each cabinet: router, cabinet; 255 if none."""
    coords: Annotated[np.ndarray, np.uint8, 2]
    """Cabinet, drawer and position of each router."""
    start: int
    """Value of b at the source."""
    prescribed: prescribed.Prescribed
    """Paths of a scheduled job, which replace the source vectors; usually none."""


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
    targets.require_family(topology, "swapped_dragonfly", "swapped_dragonfly", remedy="use minimal")
    cabinet, place = np.unique(topology.coords[:, 0], return_inverse=True), np.unique(topology.coords[:, 1:], return_inverse=True)
    coords = np.column_stack([cabinet[1].reshape(-1), place[1].reshape(-1, 2)])
    cabinets, positions = len(cabinet[0]), len(place[0])
    local = np.full((topology.router_count, positions), _NONE, np.uint8)
    across = np.full((topology.router_count, cabinets), _NONE, np.uint8)
    router = np.repeat(np.arange(topology.router_count), topology.degree)
    other = topology.indices
    inside = (coords[router, :2] == coords[other, :2]).all(axis=1)
    port = np.arange(len(router)) - topology.indptr[router]
    local[router[inside], coords[other[inside], 2]] = port[inside]
    across[router[~inside], coords[other[~inside], 0]] = port[~inside]
    _require_whole(topology, coords, positions, cabinets)
    start = {"never": _TO_TARGET_POSITION, "cabinet": _TO_CABINET, "random": _TO_POSITION}[deflect]
    return Routing(2 if deflect == "never" else 3, Tables(local, across, coords.astype(np.uint8), start, _no_paths()))


def prescribe(network: Network, prepared: Routing, timetable: Timetable, routers: np.ndarray) -> Routing:
    """Return the routing for a job with prescribed paths.

    Parameters
    ----------
    network
        A swapped Dragonfly.
    prepared
        The routing of its other packets.
    timetable
        Paths of the job, by ranks.
    routers
        Router of each rank, int (ranks,).

    Returns
    -------
    Routing
        The virtual channel of a hop is the number of preceding global hops, as for source vectors: free of deadlock.

    Raises
    ------
    InputError
        When a path uses a link that does not exist.
    """
    crosses = network.topology.link_class == network.topology.link_class_names.index("global")
    paths = _prescribed_paths(network.topology, timetable, routers, crosses)
    channels = max(prepared.virtual_channels, 1 + int(paths.channel.max(initial=0)))
    return Routing(channels, prepared.tables._replace(prescribed=paths))


def _require_whole(topology: Topology, coords: np.ndarray, positions: int, cabinets: int) -> None:
    # Port 0 of router (c, d, d) is empty.
    expected = positions - 1 + cabinets - (coords[:, 1] == coords[:, 2])
    incomplete = np.flatnonzero(topology.degree != expected)
    if len(incomplete):
        problem = f"source vectors need every cable, and one of router {incomplete[0]} is missing"
        raise InputError(Problem("routing", problem, "use minimal"))


@routing_function
def candidates(here: Here, packet: Packet, tables: Tables, found):
    """Offer the port of the next hop of the packet's header; the label is b, 0 at the source."""
    if len(tables.prescribed.first) > 1:
        return prescribed.follow(found, tables.prescribed, packet)
    local, across, target = tables.local[here.router], tables.across[here.router], tables.coords[packet.target_router]
    deflected = 1 if tables.start > _TO_TARGET_POSITION else 0
    b = packet.label if packet.label > 0 else tables.start
    while b > 0:
        channel = 0 if b > _TO_TARGET_POSITION else deflected
        if b == _TO_POSITION:
            port = local[steps.draw(packet, b, len(local))]
        elif b == _TO_CABINET:
            cabinet = steps.draw(packet, b, len(across)) if tables.start == _TO_POSITION else np.int64(target[0])
            port = across[cabinet]
        elif b == _TO_TARGET_POSITION:
            port = local[target[1]]
        elif b == _TO_TARGET_CABINET:
            port = across[target[0]]
        else:
            port = local[target[2]]
            channel += 1
        b -= 1
        if port != _NONE:
            return offer(found, 0, port, channel, label=b)
    return NO_CANDIDATE


def _no_paths() -> Prescribed:
    """Return the table of no paths: the routing chooses them."""
    return Prescribed(np.zeros(1, np.int64), *(np.zeros(0, np.int32),) * 2, np.zeros(0, np.int64), np.zeros(1, np.int64))


def _prescribed_paths(topology: Topology, timetable: Timetable, routers: np.ndarray, crosses: np.ndarray) -> Prescribed:
    """Return the table of a job's paths; the virtual channel of a hop is the number of earlier hops that cross.

    Parameters
    ----------
    topology
        The network.
    timetable
        Paths of the job, by ranks.
    routers
        Router of each rank, int (ranks,).
    crosses
        Whether each link leads to another group, bool (L,).

    Raises
    ------
    InputError
        When a path uses a link that does not exist.
    """
    source, target = routers[timetable.source].astype(np.int64), routers[timetable.target]
    row = np.repeat(np.arange(topology.router_count), topology.degree)
    key = row * topology.router_count + topology.indices
    order = np.argsort(key, kind="stable")
    wanted = source * topology.router_count + target
    entry = order[np.minimum(np.searchsorted(key[order], wanted), len(order) - 1)]
    absent = np.flatnonzero(key[entry] != wanted)
    if len(absent):
        rank, other = timetable.source[absent[0]], timetable.target[absent[0]]
        problem = f"routers {source[absent[0]]} and {target[absent[0]]} of ranks {rank} and {other} are not connected"
        remedy = "give the motif the network's k and m, one rank per router (ports = endpoints per router), and linear placement"
        raise InputError(Problem("motif", problem, remedy))
    before = np.concatenate([[0], np.cumsum(crosses[topology.link[entry]])])
    message = np.repeat(np.arange(len(timetable.first) - 1), np.diff(timetable.first))
    return Prescribed(
        first=timetable.first.astype(np.int64),
        port=(entry - topology.indptr[source]).astype(np.int32),
        channel=(before[:-1] - before[timetable.first[message]]).astype(np.int32),
        step=timetable.step.astype(np.int64),
        clock=np.full(1, FREE),
    )
