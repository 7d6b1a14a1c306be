"""Biswapped network over any nucleus: two sets of copies, joined crosswise."""

from __future__ import annotations

from typing import Any

import numpy as np

from planner.domain.model import Topology
from planner.network.topology.construction.graph import from_links
from planner.network.topology.construction.limits import EndpointsPerRouter, require_size
from planner.network.topology.construction.nucleus import build_nucleus
from planner.network.topology.construction.nucleus import embed as embed

EXAMPLE = {"nucleus": "hypercube", "nucleus_parameters": {"dimensions": 2}}
"""A small instance, for tests and pictures."""


def build(nucleus: str, nucleus_parameters: dict[str, Any], endpoints_per_router: EndpointsPerRouter = 1) -> Topology:
    """Build the biswapped network of a nucleus G of n routers and diameter D: 2n² routers, diameter 2D + 2.

    Router (s, g, x), s in {0, 1}, has id sn² + gn + x; copies are linked inside as G, and (0, g, x)
    to (1, x, g). Every router has one link more than in G.

    Parameters
    ----------
    nucleus
        Topology family of the nucleus.
    nucleus_parameters
        Parameters of that family.
    endpoints_per_router
        One by default.

    Raises
    ------
    InputError
        When the nucleus is not valid or has more than 700 routers.

    References
    ----------
    .. [1] W. Xiao, B. Parhami, W. Chen, M. He, W. Wei, "Fully symmetric swapped networks based on bipartite cluster
           connectivity", Information Processing Letters 110, 2010.

    Examples
    --------
    >>> build("hypercube", {"dimensions": 3}).link_count
    256
    """
    core = build_nucleus(nucleus, nucleus_parameters, 700)
    n = core.router_count
    require_size("nucleus_parameters", 2 * n * n, 2 * n * core.link_count + n * n)
    router = np.arange(2 * n * n)
    side, g, x = router // (n * n), router // n % n, router % n
    local = (np.arange(2 * n)[:, None, None] * n + core.links).reshape(-1, 2)
    swap = np.column_stack([router, n * n + x * n + g])[: n * n]
    return from_links(
        "biswapped",
        {"nucleus": nucleus, "nucleus_parameters": nucleus_parameters, "endpoints_per_router": endpoints_per_router},
        len(router),
        np.concatenate([local, swap]),
        endpoints=endpoints_per_router,
        link_class=np.repeat([0, 1], [len(local), len(swap)]),
        link_class_names=("local", "swap"),
        group=np.column_stack([side * n + g, side]),
        group_names=("copy", "side"),
        coords=np.column_stack([side, g, x]),
        coord_names=("side", "copy", "router"),
        port_key=np.repeat([[0, 0], [1, 1]], [len(local), len(swap)], axis=0),
    )
