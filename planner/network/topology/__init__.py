"""Topologies: one file per family; `build` calls the family that a study names, and improves the network on request."""

from __future__ import annotations

from typing import Any

from planner.core import registry
from planner.core.progress import Progress, silent
from planner.core.reading import arguments, construct
from planner.domain.model import Topology
from planner.network.topology.construction.graph import from_links
from planner.network.topology.construction.limits import require_size
from planner.network.topology.improvement.options import Improve
from planner.network.topology.improvement.result import improved

__all__ = ["Improve", "build", "from_links", "improved", "require_size"]


def build(family: str, improve: Improve | None = None, progress: Progress = silent, **parameters: Any) -> Topology:
    """Build a network of a topology family.

    Parameters
    ----------
    family
        Topology family (see ``planner list topology``), or a dotted module name.
    improve
        Search for a network with fewer hops by exchanges of links, see `improved`, or its options as a dict; by default the
        network stays as the family defines it.
    progress
        Progress callback of that search.
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
    network = family_build(**arguments(family_build, data=parameters, owner=family))
    if isinstance(improve, dict):
        improve = construct(Improve, improve, section="improve")
    return network if improve is None else improved(network, improve, progress)
