"""Shared by the metrics: adjacency matrix, vertex transitivity, degraded networks, parallel work."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import islice
from typing import Any

import numpy as np
from scipy.sparse import csr_array

from planner.core import registry
from planner.core.errors import InputError
from planner.domain.model import Topology


def adjacency(topology: Topology) -> csr_array:
    """Return the symmetric matrix of link counts, float64 (R, R)."""
    size = (topology.router_count, topology.router_count)
    matrix = csr_array((np.ones(len(topology.indices)), topology.indices.copy(), topology.indptr.copy()), shape=size)
    matrix.sum_duplicates()
    return matrix


def is_vertex_transitive(topology: Topology) -> bool:
    """Return whether the network is vertex-transitive, as declared by ``VERTEX_TRANSITIVE = True`` of its family.

    False for networks with missing links or endpoints at only some routers.
    """
    if not topology.router_count or np.ptp(topology.degree) or np.ptp(topology.endpoints_of):
        return False
    return declared(topology, "VERTEX_TRANSITIVE", False)


def declared(topology: Topology, name: str, default: Any) -> Any:
    """Return what the family of a network declares; `default` if nothing, or if there is no such family."""
    try:
        return getattr(registry.load("topology", topology.family), name, default)
    except InputError:
        return default


def without(topology: Topology, failed: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return indptr and indices of the network without the links marked in `failed`, bool (L,)."""
    alive = ~failed[topology.link]
    indptr = np.append(0, np.cumsum(alive))[topology.indptr]
    return indptr.astype(np.int32), topology.indices[alive]


def processors() -> int:
    """Return the number of processors available to this process."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def on_all_cores(work: Callable[..., Any], tasks: Iterable[tuple]) -> Iterator[Any]:
    """Yield ``work(*task)`` in order of the tasks, on all cores; kernels release the GIL.

    Only a few tasks are submitted at a time to bound memory. A single task needs no thread.
    """
    cores = processors()
    tasks = iter(tasks)
    first = list(islice(tasks, cores + 1))
    if len(first) == 1:
        yield work(*first[0])
        return
    with ThreadPoolExecutor(cores) as pool:
        flight = [pool.submit(work, *task) for task in first]
        while flight:
            yield flight.pop(0).result()
            flight += [pool.submit(work, *task) for task in islice(tasks, 1)]
