"""Placement of jobs: the endpoint of every rank."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np

from planner import seeds
from planner.errors import InputError, Problem
from planner.model import Topology


def place(
    topology: Topology,
    ranks: Sequence[int],
    placement: Literal["linear", "random", "groups", "routers"] = "linear",
    seed: int = 0,
    ports: int = 1,
) -> list[np.ndarray]:
    """Return the endpoint of each rank of each job, one rank per endpoint or node.

    Parameters
    ----------
    topology
        The network.
    ranks
        Ranks of each job; jobs are placed in this order.
    placement
        ``linear``: endpoints in ascending order [1]_. ``random``: endpoints in random order.
        ``groups``: every job takes complete groups of the finest level, the first free ones, and fills
        them in order. ``routers``: the same with random routers [2]_. When groups or routers run out,
        the last ranks use endpoints left over by other jobs.
    seed
        Seed of random placements.
    ports
        Ports of a node: that many consecutive endpoints belong to one rank.

    Returns
    -------
    list of ndarray
        int64 (ranks,) for each job, the first endpoint of each rank; no endpoint twice.

    Raises
    ------
    InputError
        When the jobs have more ranks than there are endpoints or nodes, or the ports do not divide the endpoints.

    References
    ----------
    .. [1] K. Lakhotia et al., "PolarStar: expanding the horizon of diameter-3 networks", SPAA 2024, section 10.
    .. [2] S. Young et al., "SpectralFly: Ramanujan graphs as flexible and efficient interconnection networks", IPDPS 2022,
       section VI.

    Examples
    --------
    >>> from planner import topology
    >>> [job.tolist() for job in place(topology.build("dragonfly", a=2, h=1, endpoints_per_router=2), (3, 2), "groups")]
    [[0, 1, 2], [4, 5]]
    """
    total, endpoints = sum(ranks), topology.endpoint_count
    if endpoints % ports:
        problem = f"nodes of {ports} ports do not divide {endpoints:,} endpoints"
        raise InputError(Problem("ports", problem, "use a divisor of the endpoints per router"))
    count, router = endpoints // ports, topology.endpoint_router[::ports]
    if total > count and ports > 1:
        problem = f"{total:,} ranks exceed {count:,} nodes of {ports} ports"
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
    return [node * ports for node in placed]


def _units(unit: np.ndarray) -> list[list[int]]:
    """Return the endpoints of each unit that has some."""
    return [np.flatnonzero(unit == number).tolist() for number in np.unique(unit)]


def _whole(ranks: Sequence[int], units: list[list[int]]) -> list[np.ndarray]:
    """Assign complete units to each job, filled in endpoint order; the last ranks use leftover endpoints."""
    jobs: list[list[int]] = []
    for count in ranks:
        job: list[int] = []
        while len(job) < count and units:
            job += units.pop(0)
        jobs.append(sorted(job))
    spare = sorted(endpoint for job, count in zip(jobs, ranks, strict=True) for endpoint in job[count:])
    placed = []
    for job, count in zip(jobs, ranks, strict=True):
        missing = max(0, count - len(job))
        placed.append(np.array(job[:count] + spare[:missing], np.int64))
        spare = spare[missing:]
    return placed
