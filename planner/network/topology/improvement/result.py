"""The network that results from an improvement."""

from __future__ import annotations

from dataclasses import asdict, replace

import numpy as np

from planner.core.progress import Progress, silent
from planner.domain.model import Topology
from planner.network.topology.construction.graph import from_links
from planner.network.topology.construction.limits import require_size
from planner.network.topology.improvement.options import Improve

_PAIR_BYTES = 7
"""Memory per ordered pair of routers: distance, log of changes."""


def improved(topology: Topology, improve: Improve, progress: Progress = silent) -> Topology:
    """Return the best network found by exchanges of links, or `topology` itself if none is better.

    An exchange replaces two links a-b and c-e of one class by a-e and c-b. Routers, endpoints, groups, coordinates and the number
    of links at every router stay, and every port keeps its number and class. The network stays connected, and no link
    becomes parallel to another. The search ends early at the Moore bound. Ctrl-C ends it with the best network so far, marked
    incomplete.

    Raises
    ------
    InputError
        When the network is not connected, too large, or has paths of more than 254 hops.

    References
    ----------
    .. [1] M. Koibuchi, I. Fujiwara, F. Chaix, H. Casanova, "Towards ideal hop counts in interconnection networks with arbitrary
           size", section VI.
    .. [2] "Graph Golf: the order/degree problem competition", National Institute of Informatics.

    Examples
    --------
    >>> from planner.network.topology import build
    >>> petersen = improved(build("jellyfish", routers=10, degree=3), Improve(moves=10_000))
    >>> petersen.family, petersen.params["improve"]["moves"]
    ('improved jellyfish', 10000)
    """
    routers = topology.router_count
    require_size("improve", routers, topology.link_count, scratch_bytes=_PAIR_BYTES * routers * routers)
    # Importing the search loads compiled code.
    from planner.network.topology.improvement.exchange_search import ExchangeSearch

    search = ExchangeSearch(topology, improve)
    complete = True
    try:
        for share in search.steps():
            progress("topology", int(1000 * share), 1000, mean=f"{search.best_mean:.4f}", diameter=search.best_diameter)
    except KeyboardInterrupt:
        complete = False
    better = topology if search.best_score == search.first_score else _exchanged(topology, improve, *search.best)
    return better if complete else replace(better, complete=False)


def _exchanged(topology: Topology, improve: Improve, indices: np.ndarray, twin: np.ndarray) -> Topology:
    """Return the network whose ports lead to `indices`, at the ports `twin`; properties of the family no longer hold."""
    owner = np.repeat(np.arange(topology.router_count), topology.degree)
    first = np.flatnonzero(np.arange(len(twin)) < twin)
    number = np.arange(len(twin)) - topology.indptr[owner]
    return from_links(
        f"improved {topology.family}",
        topology.params | {"improve": asdict(improve)},
        topology.router_count,
        np.column_stack([owner[first], indices[first]]),
        endpoints=topology.endpoints_of,
        link_class=topology.link_class[topology.link[first]],
        link_class_names=topology.link_class_names,
        group=topology.group,
        group_names=topology.group_names,
        coords=topology.coords,
        coord_names=topology.coord_names,
        port_key=np.column_stack([number[first], number[twin[first]]]),
    )
