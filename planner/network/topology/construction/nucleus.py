"""The network that a composed family repeats, such as the nucleus of OTIS networks: any family of this folder."""

from __future__ import annotations

from typing import Any

import numpy as np

from planner.core import registry
from planner.core.errors import InputError
from planner.core.reading import arguments
from planner.domain.model import Topology
from planner.network.topology.construction.embedding import same_coordinates
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


def embed(old: Topology, target: Topology) -> np.ndarray | None:
    """Return the router of a larger network for each router of one over a nucleus inside its nucleus, int64 (R,), or None.

    The last two coordinates of both are routers of the nucleus, which may itself have grown.
    """
    if old.family != target.family or old.params["nucleus"] != target.params["nucleus"]:
        return None
    nuclei = [build_nucleus(network.params["nucleus"], network.params["nucleus_parameters"], 1000) for network in (old, target)]
    inner = same_coordinates(*nuclei)
    if inner is None:
        return None
    number = {tuple(place): router for router, place in enumerate(target.coords.tolist())}
    moved = np.column_stack([old.coords[:, :-2], inner[old.coords[:, -2:]]])
    found = [number.get(tuple(place), -1) for place in moved.tolist()]
    return None if -1 in found else np.array(found, np.int64)
