"""The network that a composed family repeats, such as the nucleus of OTIS networks: any family of this folder."""

from __future__ import annotations

from typing import Any

from planner.core import registry
from planner.core.errors import InputError
from planner.core.reading import arguments
from planner.domain.model import Topology
from planner.network.topology.construction.graph import require
from planner.network.topology.construction.limits import at_most


def build_nucleus(nucleus: str, parameters: dict[str, Any], max_routers: int, key: str = "nucleus") -> Topology:
    """Return the network named by the parameters `key` and ``{key}_parameters``, with at most `max_routers` routers.

    Raises
    ------
    InputError
        When there is no such family, its parameters are invalid, or it is too large.
    """
    try:
        family = registry.function("topology", nucleus)
    except InputError as error:
        raise error.located(section=key) from None
    given = arguments(family, data=parameters, owner=nucleus, section=f"{key}_parameters")
    try:
        with at_most(max_routers):
            made = family(**given)
    except InputError as error:
        raise error.located(section=f"{key}_parameters") from None
    # Plug-in families may not check their size.
    require(
        made.router_count <= max_routers,
        f"{key}_parameters",
        f"{made.router_count} routers are too many",
        f"use at most {max_routers}",
    )
    return made
