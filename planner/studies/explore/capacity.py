"""Number of endpoints per router that the links of a network carry.

If every endpoint sends at full rate to all others, spread over all shortest paths, the links of a network carry
p · mean hops phits per cycle for each router with p endpoints. The number of endpoints per router is limited so that all links
together suffice, and that the load of no link class exceeds its capacity by more than a quarter.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from math import inf

import numpy as np

from planner.domain.model import Topology
from planner.network.metrics import distances
from planner.network.metrics.load import spread
from planner.network.topology import build
from planner.studies.explore.candidate import CLASS_MARGIN, Candidate

_SOURCES = 128
"""Number of source routers for the load of link classes, evenly among those with endpoints."""


@dataclass(frozen=True)
class Limit:
    """Capacity of the links of a network.

    Attributes
    ----------
    mean_hops
        Mean hops between routers with endpoints.
    by_all, by_class
        Limit of endpoints per router by all links together, and by the link class with the highest load.
    """

    mean_hops: float
    by_all: float
    by_class: float

    @property
    def endpoints(self) -> float:
        """Limit of endpoints per router."""
        return min(self.by_all, CLASS_MARGIN * self.by_class)


def limit_of(topology: Topology) -> Limit:
    """Return the limits of endpoints per router by the links of a network.

    Examples
    --------
    >>> found = limit_of(build("hyperx", sizes=[9, 9, 8]))
    >>> round(found.mean_hops, 4), round(found.by_all, 2), round(found.by_class, 2)
    (2.6569, 8.66, 7.99)
    """
    leaves = np.flatnonzero(topology.endpoints_of)
    mean = distances(topology).endpoint_mean
    if not mean:
        return Limit(0.0, inf, inf)
    return Limit(mean, 2 * topology.link_count / (len(leaves) * mean), _by_class(topology, leaves))


def _by_class(topology: Topology, leaves: np.ndarray) -> float:
    """Return the limit of endpoints per router by the link class with the highest load, over all shortest paths."""
    sources = leaves[np.linspace(0, len(leaves) - 1, min(len(leaves), _SOURCES)).astype(int)]

    def demand(block: np.ndarray) -> np.ndarray:
        rows = np.zeros((len(block), topology.router_count))
        rows[:, leaves] = 1 / (len(leaves) - 1)
        return rows

    load = spread(topology, demand, sources).load.sum(axis=1)
    load_of_class = np.bincount(topology.link_class, load) / len(sources) * len(leaves)
    links_of_class = 2 * np.bincount(topology.link_class)
    used = load_of_class > 0
    return float((links_of_class[used] / load_of_class[used]).min())


def limit_of_candidate(candidate: Candidate) -> Limit:
    """Return the limits of a candidate; each network is built once."""
    return _built(json.dumps(candidate.topology(1), sort_keys=True))


@cache
def _built(section: str) -> Limit:
    return limit_of(build(**json.loads(section)))
