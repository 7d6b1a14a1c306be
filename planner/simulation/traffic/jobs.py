"""Concurrent jobs: uniform traffic within each job."""

from __future__ import annotations

from typing import Annotated, Literal

import numpy as np
from annotated_types import Ge, MinLen

from planner.domain.model import Topology
from planner.kernels.packet.records import traffic_function
from planner.kernels.random import below
from planner.simulation import jobs


def prepare(
    topology: Topology,
    seed: int,
    ranks: Annotated[tuple[Annotated[int, Ge(2)], ...], MinLen(1)],
    placement: Literal["linear", "random", "groups", "routers"] = "linear",
) -> np.ndarray:
    """Prepare uniform traffic within each job; endpoints without a job are silent.

    Parameters
    ----------
    topology
        The network.
    seed
        Seed of random placements.
    ranks
        Number of endpoints of each job.
    placement
        How jobs are placed, see `planner.simulation.jobs.place`.

    Raises
    ------
    InputError
        When the jobs do not fit.
    """
    placed = jobs.place(topology, ranks, placement, seed)
    count = topology.endpoint_count
    # Place of each endpoint among the members; first and last place of its job; the members.
    table = np.zeros(4 * count, np.int32)
    place, first, end, members = table.reshape(4, count)
    at = 0
    for job in placed:
        members[at : at + len(job)] = job
        place[job] = np.arange(at, at + len(job))
        first[job], end[job] = at, at + len(job)
        at += len(job)
    return table


def rates(table: np.ndarray) -> np.ndarray:
    """Return 1 for endpoints of jobs, 0 for others."""
    _, first, end, _ = table.reshape(4, -1)
    return (end > first).astype(np.float64)


def chances(table: np.ndarray, source: int) -> np.ndarray:
    """Return the probability of each target of a source, float64 (H,)."""
    _, first, end, members = table.reshape(4, -1)
    others = np.bincount(members[first[source] : end[source]], minlength=len(members))
    others[source] = 0
    return others / max(1, others.sum())


@traffic_function
def target(source, table, random):
    """Return another endpoint of the source's job, all equally likely."""
    count = len(table) // 4
    first, end = table[count + source], table[2 * count + source]
    if end == first:
        return source
    drawn = first + below(random, end - first - 1)
    if drawn >= table[source]:
        drawn += 1
    return np.int64(table[3 * count + drawn])
