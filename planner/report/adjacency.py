"""Links between routers as adjacency lists, as EvalNet reads them: N M, then the neighbors of each router."""

from __future__ import annotations

from pathlib import Path

from planner.model import Plan
from planner.report._ends import require_network

ENDING = ".adj"


def write(plan: Plan, path: Path) -> None:
    """Write the number of routers and links, then a line for each router; numbered from 0, neighbors by port.

    Raises
    ------
    InputError
        When the plan has no network.
    """
    require_network(plan)
    network = plan.topology
    with path.open("w", encoding="ascii", newline="") as file:
        file.write(f"{network.router_count} {network.link_count}\n")
        for router in range(network.router_count):
            neighbors = network.indices[network.indptr[router] : network.indptr[router + 1]].tolist()
            file.write(" ".join(map(str, neighbors)) + "\n")
