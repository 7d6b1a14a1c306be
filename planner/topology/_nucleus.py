"""The nucleus of OTIS networks: any family of this folder."""

from __future__ import annotations

from typing import Any

from planner import registry
from planner.errors import InputError
from planner.model import Topology
from planner.reading import arguments
from planner.topology._graph import require
from planner.topology._limits import at_most


def build_nucleus(nucleus: str, parameters: dict[str, Any], max_routers: int) -> Topology:
    """Return the nucleus as a topology of at most `max_routers` routers, without endpoints.

    Raises
    ------
    InputError
        When there is no such family, its parameters are invalid, or it is too large.
    """
    try:
        family = registry.function("topology", nucleus)
    except InputError as error:
        raise error.located(section="nucleus") from None
    with at_most(max_routers):
        made = family(**arguments(family, data=parameters, owner=nucleus, section="nucleus_parameters"))
    # Plug-in families may not check their size.
    require(
        made.router_count <= max_routers,
        "nucleus_parameters",
        f"{made.router_count} routers are too many",
        f"use at most {max_routers}",
    )
    return made
