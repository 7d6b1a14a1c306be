"""Links between routers as adjacency lists, as EvalNet reads them: N M, then the neighbors of each router."""

from __future__ import annotations

from pathlib import Path

from planner.domain.model import Plan
from planner.view.ends import require_network
from planner.view.selection import one_network

ENDING = ".adj"


def write(plan: Plan, path: Path, *, network: str | None = None) -> None:
    """Write the number of routers and links, then a line for each router; numbered from 0, neighbors by port.

    Parameters
    ----------
    network
        One of several networks, by default the first.

    Raises
    ------
    InputError
        When the plan has no network, or none of that name.
    """
    require_network(plan)
    topology = one_network(plan, network).topology
    with path.open("w", encoding="ascii", newline="") as file:
        file.write(f"{topology.router_count} {topology.link_count}\n")
        for router in range(topology.router_count):
            neighbors = topology.indices[topology.indptr[router] : topology.indptr[router + 1]].tolist()
            file.write(" ".join(map(str, neighbors)) + "\n")
