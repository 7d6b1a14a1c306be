"""Placement of jobs: the node of every rank."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np

from planner.core import seeds
from planner.core.errors import InputError, Problem
from planner.domain.model import Topology


def place(
    topology: Topology,
    ranks: Sequence[int],
    placement: Literal["linear", "random", "groups", "routers"] = "linear",
    seed: int = 0,
    port: np.ndarray | None = None,
) -> list[np.ndarray]:
    """Return the node of each rank of each job, one rank per node.

    Parameters
    ----------
    topology
        The network.
    ranks
        Ranks of each job; jobs are placed in this order.
    placement
        ``linear``: nodes in ascending order [1]_. ``random``: nodes in random order.
        ``groups``: every job takes complete groups of the finest level, the first free ones, and fills
        them in order. ``routers``: the same with random routers [2]_. When groups or routers run out,
        the last ranks use nodes left over by other jobs.
    seed
        Seed of random placements.
    port
        Endpoints of each node, int64 (N, ports), the first of which decides its group and router; by default every endpoint is a
        node.

    Returns
    -------
    list of ndarray
        int64 (ranks,) for each job; no node twice.

    Raises
    ------
    InputError
        When the jobs have more ranks than there are nodes.

    References
    ----------
    .. [1] K. Lakhotia et al., "PolarStar: expanding the horizon of diameter-3 networks", SPAA 2024, section 10.
    .. [2] S. Young et al., "SpectralFly: Ramanujan graphs as flexible and efficient interconnection networks", IPDPS 2022,
       section VI.

    Examples
    --------
    >>> from planner.network import topology
    >>> [job.tolist() for job in place(topology.build("dragonfly", a=2, h=1, endpoints_per_router=2), (3, 2), "groups")]
    [[0, 1, 2], [4, 5]]
    """
    total, router = sum(ranks), topology.endpoint_router if port is None else topology.endpoint_router[port[:, 0]]
    count = len(router)
    if total > count and port is not None and port.shape[1] > 1:
        problem = f"{total:,} ranks exceed {count:,} nodes of {port.shape[1]} ports"
        raise InputError(Problem("ranks", problem, "use fewer ranks or ports, or attach endpoints"))
    if total > count:
        raise InputError(Problem("ranks", f"{total:,} ranks exceed {count:,} endpoints", "use fewer ranks, or attach endpoints"))
    if min(ranks, default=1) < 1:
        raise InputError(Problem("ranks", "a job has no rank", "give every job at least one rank"))
    random = seeds.stream(seed, "jobs")
    if placement == "groups":
        if not topology.group.shape[1]:
            raise InputError(Problem("placement", f"{topology.family} has no groups", "use linear, random or routers"))
        placed = _whole(ranks, _units(topology.group[router, 0]))
    elif placement == "routers":
        units = _units(router)
        placed = _whole(ranks, [units[number] for number in random.permutation(len(units))])
    else:
        order = random.permutation(count) if placement == "random" else np.arange(count)
        placed = np.split(order[:total], np.cumsum(ranks)[:-1])
    return placed


def _units(unit: np.ndarray) -> list[list[int]]:
    """Return the nodes of each unit that has some."""
    return [np.flatnonzero(unit == number).tolist() for number in np.unique(unit)]


def _whole(ranks: Sequence[int], units: list[list[int]]) -> list[np.ndarray]:
    """Assign complete units to each job, filled in the order of nodes; the last ranks use leftover nodes."""
    jobs: list[list[int]] = []
    for count in ranks:
        job: list[int] = []
        while len(job) < count and units:
            job += units.pop(0)
        jobs.append(sorted(job))
    spare = sorted(node for job, count in zip(jobs, ranks, strict=True) for node in job[count:])
    placed = []
    for job, count in zip(jobs, ranks, strict=True):
        missing = max(0, count - len(job))
        placed.append(np.array(job[:count] + spare[:missing], np.int64))
        spare = spare[missing:]
    return placed
