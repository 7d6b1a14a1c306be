"""Leaves alone: routers without links between them, such as management switches that another network joins."""

from __future__ import annotations

from typing import Annotated

import numpy as np
from annotated_types import Ge

from planner.domain.model import Topology
from planner.network.topology.construction.graph import from_links
from planner.network.topology.construction.limits import EndpointsPerRouter, require_size

EXAMPLE = {"leaves": 3, "endpoints_per_leaf": 4}
"""A small instance, for tests and pictures."""

JOINED = False
"""Routers cannot reach each other."""


def build(leaves: Annotated[int, Ge(1)], endpoints_per_leaf: EndpointsPerRouter) -> Topology:
    """Build leaves without links.

    Endpoints reach the other endpoints of their leaf only: distances are 0, and there is nothing to cut.

    Parameters
    ----------
    leaves
        Number of leaves.
    endpoints_per_leaf
        Endpoints of each leaf.

    Raises
    ------
    InputError
        When there are too many leaves.

    References
    ----------
    .. [1] "NVIDIA DGX SuperPOD: next generation scalable infrastructure for AI leadership, reference architecture featuring
           NVIDIA DGX H100", RA-11333-001, 2023 (out-of-band management network).

    Examples
    --------
    >>> network = build(leaves=8, endpoints_per_leaf=42)
    >>> network.link_count, network.endpoint_count
    (0, 336)
    """
    require_size("leaves", leaves, 0, endpoints=leaves * endpoints_per_leaf)
    return from_links(
        "leaves",
        {"leaves": leaves, "endpoints_per_leaf": endpoints_per_leaf},
        leaves,
        np.zeros((0, 2), np.int64),
        endpoints=endpoints_per_leaf,
        coord_names=("leaf",),
        role_names=("leaf",),
    )
