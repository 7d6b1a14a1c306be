"""Links between routers as an edge list: a line with two routers for each, as NetworkX and Graph Golf read it."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from planner.core.errors import InputError, Problem
from planner.domain.model import Plan
from planner.view.ends import require_network
from planner.view.selection import WHOLE, Selection, one_network

ENDING = ".edges"


def write(
    plan: Plan,
    path: Path,
    *,
    weight: Literal["none", "run_mm", "stock_mm", "delay_ps"] = "none",
    selection: Selection = WHOLE,
) -> None:
    """Write ``u v`` or ``u v weight`` for every link, in the order of the plan; routers are numbered from 0.

    Parallel links have a line each. Endpoints are not part of the format.

    Parameters
    ----------
    weight
        Third column: run length, stock length, or delay of the cable; by default none.
    selection
        Which links; of several networks by default the first.

    Raises
    ------
    InputError
        When the plan has no network, not the part of the selection, or no cables to take weights or a selection from.
    """
    require_network(plan)
    if weight != "none" and plan.cables is None:
        raise InputError(Problem("weight", "the plan has no cables", "leave it out, or run the study to its end"))
    selection = selection.of_one_network(plan)
    plan = one_network(plan, selection.network)
    chosen = selection.links(plan)
    links = plan.topology.links[chosen].tolist()
    weights: list[tuple[int, ...]] = [()] * len(links)
    if weight != "none":
        weights = [(value,) for value in getattr(plan.cables, weight)[plan.inventory.links(plan.network)][chosen].tolist()]
    with path.open("w", encoding="ascii", newline="") as file:
        for ends, tail in zip(links, weights, strict=True):
            file.write(" ".join(map(str, (*ends, *tail))) + "\n")
