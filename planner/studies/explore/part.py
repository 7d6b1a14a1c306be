"""A dense part of a network, which is built first where a family has no member of that size."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from annotated_types import Ge, MinLen

from planner.core.errors import Infeasible, InputError, Problem
from planner.domain.model import Topology
from planner.network.growth import phases
from planner.network.topology import build as build_network


def build(
    network: str,
    parameters: dict[str, Any],
    routers: Annotated[tuple[Annotated[int, Ge(1)], ...], MinLen(1)],
    phase: Annotated[int, Ge(0)],
    ports: Literal["use", "reserve"] = "use",
    seed: Annotated[int, Ge(0)] = 1,
) -> Topology:
    """Build the part of a network that is there in one phase.

    Parameters
    ----------
    network
        Topology family of the last phase.
    parameters
        Parameters of the family.
    routers
        Routers of each phase before the last one, ascending.
    phase
        Number of the phase, from 0.
    ports
        ``use``: ports that wait for later routers take temporary links. ``reserve``: they stay free.
    seed
        Seed of ties and of temporary links.

    Raises
    ------
    InputError
        When there is no such phase, or the numbers do not ascend.

    Examples
    --------
    >>> first = build("slimfly", {"q": 5}, routers=(30, 40), phase=0)
    >>> first.router_count, int(first.degree.max())
    (30, 7)
    """
    if phase >= len(routers):
        raise InputError(Problem("phase", f"there is no phase {phase} of {len(routers)}", f"use 0 to {len(routers) - 1}"))
    try:
        return phases(build_network(network, **parameters), routers, ports=ports, seed=seed)[phase]
    except Infeasible as error:
        raise InputError(Problem("routers", str(error), "list them in ascending order")) from None
