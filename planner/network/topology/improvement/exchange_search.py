"""Annealing of a network by exchanges of links, for mean hops or diameter."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from planner.core import seeds
from planner.domain.model import Topology
from planner.kernels.graph.bfs import UNREACHED, hop_distances
from planner.kernels.graph.exchanges import Exchange, anneal, diameter, sample
from planner.network.topology.construction.graph import require
from planner.network.topology.improvement.options import Improve

_LEVELS = 256
"""Number of temperatures."""

_QUENCH = 0.95
"""Share of the moves after which no deterioration is accepted."""

_CALL_WORK = 4_000_000
"""Moves times routers of one kernel call, below a second: interrupts are handled between calls."""

_SAMPLES = 200
"""Random exchanges that determine the unit of temperatures."""

_UNREACHED_COST = 1 << 40
"""Cost of a pair without path, above that of any connected network."""

_FAR_COST = 2
"""Additional cost of each hop beyond the wanted diameter."""


class ExchangeSearch:
    """State of a search: the network and its distances, the best network and its score."""

    def __init__(self, topology: Topology, improve: Improve) -> None:
        self._improve = improve
        self._routers = routers = topology.router_count
        self._state = seeds.state(improve.seed, "topology.improve")
        self._run = exchange_network(topology, improve.groups == "kept")
        self._weight = 256 * routers * routers if improve.objective == "diameter" else 0
        total = int(self._run.pairs[:UNREACHED] @ np.arange(UNREACHED))
        self.first_score = total + self._weight * diameter(self._run.pairs)
        self._min_diameter, min_total = moore(topology.degree)
        self._figures = np.array([total, self.first_score, min_total + self._weight * self._min_diameter])
        self.best = self._run.indices.copy(), self._run.twin.copy()
        self._set_cost()

    @property
    def best_score(self) -> int:
        """Sum of hops over ordered pairs, with the objective ``diameter`` plus the weighted diameter."""
        return int(self._figures[1])

    @property
    def best_mean(self) -> float:
        """Mean hops of the best network."""
        total = self.best_score % self._weight if self._weight else self.best_score
        return total / max(1, self._routers * (self._routers - 1))

    @property
    def best_diameter(self) -> int:
        """Diameter of the best network; with the objective ``mean`` that of the current one."""
        return self.best_score // self._weight if self._weight else int(diameter(self._run.pairs))

    def steps(self) -> Iterator[float]:
        """Carry out the search, yielding the share done."""
        moves, hot, cold = self._improve.moves, self._improve.hot, self._improve.cold
        step = int(np.clip(moves // _LEVELS, 1, 1 + _CALL_WORK // self._routers))
        scale, tried = self._mean_change(), 0
        while tried < moves and self._figures[1] > self._figures[2]:
            used = tried / moves
            temperature = hot * scale * (cold / hot) ** (used / _QUENCH) if used < _QUENCH else 0.0
            count = min(step, moves - tried)
            anneal(count, temperature, self._state, self._run, self._weight, self._figures, *self.best)
            self._set_cost()
            tried += count
            yield tried / moves

    def _mean_change(self) -> float:
        """Return the mean absolute cost change of a random exchange that keeps the network connected."""
        changes = np.zeros(_SAMPLES, np.int64)
        sample(changes, self._state, self._run)
        sizes = np.abs(changes[changes != 0])
        sizes = sizes[sizes < _UNREACHED_COST // 2]
        return float(sizes.mean()) if len(sizes) else 0.0

    def _set_cost(self) -> None:
        """Set the cost of a pair by hops; the wanted diameter is one below the best so far, if the Moore bound permits."""
        hops = np.arange(256)
        wanted = max(self._min_diameter, self.best_diameter - 1) if self._weight else 255
        self._run.cost[:] = hops + _FAR_COST * np.maximum(0, hops - wanted)
        self._run.cost[UNREACHED] = _UNREACHED_COST


def exchange_network(topology: Topology, grouped: bool) -> Exchange:
    """Return the arrays of the kernels; with `grouped` exchanges keep the number of links between groups."""
    routers, ports = topology.router_count, len(topology.indices)
    distance = np.empty((routers, routers), np.uint8)
    reached = hop_distances(topology.indptr, topology.indices, distance) >= 0 and not (distance == UNREACHED).any()
    require(reached, "improve", "needs a connected network with paths of at most 254 hops", "remove it")
    ends = np.argsort(topology.link, kind="stable").reshape(-1, 2)
    twin = np.empty(ports, np.int32)
    twin[ends] = ends[:, ::-1]
    return Exchange(
        indptr=topology.indptr.copy(),
        owner=np.repeat(np.arange(routers, dtype=np.int32), topology.degree),
        indices=topology.indices.copy(),
        twin=twin,
        kind=topology.link_class[topology.link].astype(np.int32),
        group=topology.group[:, 0].copy() if grouped and topology.group.size else np.zeros(routers, np.int32),
        distance=distance,
        pairs=np.bincount(distance.ravel(), minlength=256),
        cost=np.zeros(256, np.int64),
        log_start=np.zeros(routers + 1, np.int64),
        log_router=np.empty(routers * routers, np.int32),
        log_hops=np.empty(routers * routers, np.uint8),
        mark=np.zeros(routers, np.uint8),
        queue=np.empty((2, ports + 2), np.int32),
        corner=np.empty((4, routers), np.uint8),
        kept=np.empty((4, routers), np.uint8),
    )


def moore(degree: np.ndarray) -> tuple[int, int]:
    """Return lower bounds of the diameter and of the sum of hops over all ordered pairs of routers.

    Parameters
    ----------
    degree
        Links of each router, int (R,).

    References
    ----------
    .. [1] V. Cerf et al., "A lower bound on the average shortest path length in regular graphs", Networks 4, 1974.

    Examples
    --------
    >>> moore(np.full(10, 3))
    (2, 150)
    """
    routers, largest = len(degree), int(degree.max(initial=0))
    diameter = total = 0
    for links, count in zip(*np.unique(degree, return_counts=True), strict=True):
        left, layer, hops = routers - 1, int(links), 0
        while left > 0 and layer > 0:
            hops += 1
            here = min(left, layer)
            total += hops * here * int(count)
            left -= here
            layer *= largest - 1
        diameter = max(diameter, hops)
    return diameter, total
