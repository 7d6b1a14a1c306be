"""Links between routers as an edge list: a line with two routers for each, as NetworkX and Graph Golf read it."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from planner.errors import InputError, Problem
from planner.model import Plan
from planner.report._ends import require_network
from planner.report._selection import one_network

ENDING = ".edges"


def write(
    plan: Plan,
    path: Path,
    *,
    weight: Literal["none", "run_mm", "stock_mm", "delay_ps"] = "none",
    network: str | None = None,
) -> None:
    """Write ``u v`` or ``u v weight`` for every link, in the order of the plan; routers are numbered from 0.

    Parallel links have a line each. Endpoints are not part of the format.

    Parameters
    ----------
    weight
        Third column: run length, stock length, or delay of the cable; by default none.
    network
        One of several networks, by default the first.

    Raises
    ------
    InputError
        When the plan has no network, none of that name, or no cables to take weights from.
    """
    require_network(plan)
    if weight != "none" and plan.cables is None:
        raise InputError(Problem("weight", "the plan has no cables", "leave it out, or run the study to its end"))
    plan = one_network(plan, network)
    links = plan.topology.links.tolist()
    weights: list[tuple[int, ...]] = [()] * len(links)
    if weight != "none":
        weights = [(value,) for value in getattr(plan.cables, weight)[plan.inventory.links(plan.network)].tolist()]
    with path.open("w", encoding="ascii", newline="") as file:
        for ends, tail in zip(links, weights, strict=True):
            file.write(" ".join(map(str, (*ends, *tail))) + "\n")
