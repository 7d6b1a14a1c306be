"""OTIS (swapped) network over any nucleus: copies of a graph, every two of them joined by one link."""

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
    """Build the swapped network of a nucleus G of n routers and diameter D: n² routers, diameter 2D + 1.

    Router (g, x) has id gn + x; (g, x) and (g, y) are linked as x and y in G, and (g, x) and (x, g)
    are linked for g ≠ x. On the panel the links of the copy come first. Over a complete graph of M
    routers this is the swapped Dragonfly D3(1, M).

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
        When the nucleus is not valid or has more than 1,000 routers.

    References
    ----------
    .. [1] G. Marsden, P. Marchand, P. Harvey, S. Esener, "Optical transpose interconnection system architectures",
           Optics Letters 18(13), 1993.
    .. [2] B. Parhami, "Swapped interconnection networks", J. Parallel and Distributed Computing 65, 2005.

    Examples
    --------
    >>> build("hyperx", {"sizes": [4]}).link_count
    30
    """
    core = build_nucleus(nucleus, nucleus_parameters, 1000)
    n = core.router_count
    require_size("nucleus_parameters", n * n, n * core.link_count + n * n // 2)
    g, x = np.divmod(np.arange(n * n), n)
    local = (np.arange(n)[:, None, None] * n + core.links).reshape(-1, 2)
    swap = np.column_stack([g * n + x, x * n + g])[g < x]
    return from_links(
        "otis",
        {"nucleus": nucleus, "nucleus_parameters": nucleus_parameters, "endpoints_per_router": endpoints_per_router},
        n * n,
        np.concatenate([local, swap]),
        endpoints=endpoints_per_router,
        link_class=np.repeat([0, 1], [len(local), len(swap)]),
        link_class_names=("local", "swap"),
        group=g[:, None],
        group_names=("copy",),
        coords=np.column_stack([g, x]),
        coord_names=("copy", "router"),
        port_key=np.repeat([[0, 0], [1, 1]], [len(local), len(swap)], axis=0),
    )
