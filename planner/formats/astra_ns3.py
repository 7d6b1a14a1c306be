"""Topology with the delay of every cable for ASTRA-sim with ns-3."""

from __future__ import annotations

from pathlib import Path

from planner.domain.model import Plan
from planner.view.ranks import lines, numbers, ranks
from planner.view.selection import one_network

ENDING = ".astra-ns3.txt"


def write(plan: Plan, path: Path, *, role: str = "node", routers: bool = False, network: str | None = None) -> None:
    """Write the counts of nodes, switches and links, the numbers of the switches, then a line for each link.

    Each endpoint is a rank: by node, then by port. Ranks are numbered from 0, switches after them. Parallel links
    are one line with the sum of their rates.

    Parameters
    ----------
    role
        Role of the devices whose endpoints are ranks.
    routers
        Whether each cable has half the delay of the routers at its ends too: ns-3 has no delay of switches.
    network
        One of several networks, by default the first.

    Raises
    ------
    InputError
        When the plan has no cables, no network of that name, or no device of the role.

    References
    ----------
    .. [1] astra-sim/astra-network-ns3, scratch/common.h (the reader) and scratch/topology (examples).
    """
    plan = one_network(plan, network)
    chosen = ranks(plan, role)
    first, switches = len(chosen), plan.topology.router_count
    links = lines(plan, chosen, numbers(plan, chosen, first), routers)
    with path.open("w", encoding="ascii", newline="") as file:
        file.write(f"{first + switches} {switches} {len(links)}\n")
        file.write(" ".join(map(str, range(first, first + switches))) + "\n")
        file.writelines(links)
