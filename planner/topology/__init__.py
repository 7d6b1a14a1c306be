"""Topologies: one file per family; `build` calls the family that a study names."""

from __future__ import annotations

from typing import Any

from planner import registry
from planner.model import Topology
from planner.reading import arguments
from planner.topology._graph import from_links
from planner.topology._limits import require_size

__all__ = ["build", "from_links", "require_size"]


def build(family: str, **parameters: Any) -> Topology:
    """Build a topology.

    Parameters
    ----------
    family
        Topology family (see ``planner list topology``), or a dotted module name.
    **parameters
        Parameters of the family; see ``planner list topology``.

    Raises
    ------
    InputError
        When there is no such family or its parameters are not valid.

    Examples
    --------
    >>> hoffman_singleton = build("slimfly", q=5)
    >>> hoffman_singleton.router_count, hoffman_singleton.link_count
    (50, 175)
    """
    family_build = registry.function("topology", family)
    return family_build(**arguments(family_build, data=parameters, owner=family))
