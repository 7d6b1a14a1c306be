"""Network with the delay of every cable for BookSim's topology anynet."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Annotated

import numpy as np
from annotated_types import Gt, Le

from planner.core.errors import InputError, Problem
from planner.domain.model import Plan
from planner.view.ends import require_network
from planner.view.selection import one_network

ENDING = ".anynet"

_CYCLE_PS = 1000
"""Without a simulation: a nanosecond."""


def write(
    plan: Plan, path: Path, *, cycle_ps: Annotated[int, Gt(0), Le(1_000_000_000)] | None = None, network: str | None = None
) -> None:
    """Write a line for each router: its nodes, then its neighbors, each with the cycles of the cable.

    BookSim takes the delay of a link for one direction, so that every link is listed at both of its routers. Cycles are
    rounded up, with a minimum of one, as in Planner's simulation. Without cables BookSim takes one cycle; for cables
    of nodes it always does, since BookSim reads a number after a node as a link to the router of that number.

    BookSim's routing ``min`` takes the path of the minimum cycles, not that of the minimum hops.

    Parameters
    ----------
    cycle_ps
        Length of a cycle; by default that of the plan's simulation, or a nanosecond without one. With one that is longer than
        every delay all links take one cycle, and BookSim's routing counts hops.
    network
        One of several networks, by default the first.

    Raises
    ------
    InputError
        When the plan has no network, none of that name, or parallel links, of which BookSim would keep only one.

    References
    ----------
    .. [1] N. Jiang et al., "A detailed and flexible cycle-accurate network-on-chip simulator", ISPASS 2013.
    .. [2] booksim/booksim2, src/networks/anynet.cpp (the format).
    """
    require_network(plan)
    plan = one_network(plan, network)
    topology = plan.topology
    _refuse_parallel(topology.links)
    delays = [""] * topology.link_count
    if plan.cables is not None:
        cycle = cycle_ps or (plan.simulation.cycle_ps if plan.simulation is not None else _CYCLE_PS)
        of_links = plan.cables.delay_ps[plan.inventory.links(plan.network)]
        delays = [f" {max(1, -(-delay // cycle))}" for delay in of_links.tolist()]
    # Nodes keep the numbers that they have in the file of the network.
    given = topology.endpoint_names
    number = given if given and all(map(str.isdecimal, given)) else [*map(str, range(topology.endpoint_count))]
    first = np.searchsorted(topology.endpoint_router, np.arange(topology.router_count + 1)).tolist()
    with path.open("w", encoding="ascii", newline="") as file:
        for router in range(topology.router_count):
            ports = range(topology.indptr[router], topology.indptr[router + 1])
            nodes = [f" node {number[node]}" for node in range(first[router], first[router + 1])]
            routers = [f" router {topology.indices[port]}{delays[topology.link[port]]}" for port in ports]
            file.write("".join([f"router {router}", *nodes, *routers, "\n"]))


def _refuse_parallel(links: np.ndarray) -> None:
    (pair, count), *_ = [*Counter(map(tuple, np.sort(links, axis=1).tolist())).most_common(1), ((0, 0), 0)]
    if count > 1:
        message = f"routers {pair[0]} and {pair[1]} share {count} links, and anynet keeps one between two routers"
        raise InputError(Problem("", message, "choose another format"))
