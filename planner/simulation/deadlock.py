"""Deadlock check of a case: its routing before and after every fault."""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from planner.core.errors import InputError, Problem
from planner.simulation.case import Case
from planner.simulation.dependencies import STATES, Dependencies, dependencies
from planner.simulation.network import Routing, candidates_of

_KEPT = 64
_NAMED_CHANNELS = 12

results: OrderedDict[str, Dependencies] = OrderedDict()
"""Last results by their inputs: a study is checked before any cable is planned, and simulated afterwards."""


def checked(case: Case) -> tuple[Dependencies, ...]:
    """Return the result for the initial routing of a case and for each routing after a fault, without the edges.

    Raises
    ------
    InputError
        With the channels of a cycle, if the dependencies of a routing have one.
    """
    routings: list[tuple[Routing, np.ndarray | None]] = [(fault.prepared, fault.failed) for fault in case.faults]
    if not case.faults or case.faults[0].cycle > 0:
        routings.insert(0, (case.prepared, None))
    found = tuple(_of_routing(case, prepared, failed, STATES // len(routings)) for prepared, failed in routings)
    for each in found:
        require_none(each, case.routing)
    return found


def require_none(found: Dependencies, routing: str) -> None:
    """Raise InputError with the channels of a cycle, if the dependencies have one."""
    if not found.cycle:
        return
    shown = ", ".join(str(channel) for channel in found.cycle[:_NAMED_CHANNELS])
    more = f" and {len(found.cycle) - _NAMED_CHANNELS} more" if len(found.cycle) > _NAMED_CHANNELS else ""
    problem = f"{routing} has a cyclic channel dependency, links as router>router on virtual channel: {shown}{more}"
    raise InputError(Problem("routing", problem, "use another routing, or allow_deadlock = true to simulate it anyway"))


def _of_routing(case: Case, prepared: Routing, failed: np.ndarray | None, states: int) -> Dependencies:
    sizes = case.packet_phits, case.input_packets, case.output_packets
    digest = hashlib.blake2b(f"{case.routing} {case.channels} {states} {not prepared.by_target and sizes}".encode())
    network = case.network
    for array in _arrays((network.topology.indptr, network.topology.indices, network.first_port, network.endpoint_port)):
        digest.update(array)
    for array in _arrays((network.plane, failed, prepared.tables)):
        digest.update(array)
    key = digest.hexdigest()
    if key not in results:
        candidates = candidates_of(case.routing, prepared)
        found = dependencies(network, prepared, candidates, case.channels, sizes, failed=failed, states=states)
        results[key] = replace(found, edges=found.edges[:0].copy())
    results.move_to_end(key)
    while len(results) > _KEPT:
        results.popitem(last=False)
    return results[key]


def _arrays(record: tuple) -> Iterator[bytes | memoryview]:
    """Yield the content of a record of arrays, numbers and records, with the types and shapes of arrays."""
    for value in record:
        if isinstance(value, tuple):
            yield from _arrays(value)
        elif isinstance(value, np.ndarray):
            yield f"{value.dtype.str}{value.shape}".encode()
            yield np.ascontiguousarray(value).reshape(-1).view(np.uint8).data
        else:
            yield f"{value} ".encode()
