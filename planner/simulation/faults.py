"""Faults: the degraded network and its routing after each failure."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable

import numpy as np

from planner.core.errors import InputError, Problem
from planner.domain.model import Topology
from planner.kernels.packet.records import LINK_FAILED, ROUTER_FAILED
from planner.simulation.case import Fault
from planner.simulation.network import Network, Routing

NEVER = np.iinfo(np.int32).max
"""Failure cycle of cables and routers that do not fail."""


def stages(
    network: Network,
    prepare: Callable[[Network], Routing],
    cable_fails_at: np.ndarray,
    router_fails_at: np.ndarray,
) -> tuple[Network, Routing, tuple[Fault, ...]]:
    """Return the network with reordered ports, its initial routing, and the faults.

    The ports of a router are renumbered so that failing ports come last, the first to fail at the end. The degraded network
    keeps its port numbers, so that any routing can be prepared for it; all are prepared before the run.

    Parameters
    ----------
    network
        The complete network.
    prepare
        Prepares the routing.
    cable_fails_at
        Cycle at which each cable fails, links first, then endpoints: int32 (L+H,); `NEVER` if it does not.
    router_fails_at
        Cycle at which each router fails with all its cables: int32 (R,).

    Raises
    ------
    InputError
        When fewer than two endpoints are left, or the routing cannot be prepared for the degraded network.
    """
    topology = network.topology
    fails_at = _failure_cycles(topology, cable_fails_at, router_fails_at)
    times = np.unique(fails_at[fails_at < NEVER])
    if len(times) == 0:
        return network, prepare(network), ()
    ordered = dataclasses.replace(network, topology=_ordered(topology, fails_at))
    left = [_routing(_left(ordered, fails_at, time), prepare, time) for time in times]
    first = left[0] if times[0] <= 0 else prepare(ordered)
    faults = [
        Fault(int(time), _failed_ports(ordered, fails_at, router_fails_at, time), routing)
        for time, routing in zip(times, left, strict=True)
    ]
    return ordered, first, tuple(faults)


def _failure_cycles(topology: Topology, cable_fails_at: np.ndarray, router_fails_at: np.ndarray) -> np.ndarray:
    """Return the cycle at which each cable fails, by itself or with a router at one end."""
    of_links = router_fails_at[topology.links].min(axis=1, initial=NEVER)
    return np.minimum(cable_fails_at, np.concatenate([of_links, router_fails_at[topology.endpoint_router]]))


def _ordered(topology: Topology, fails_at: np.ndarray) -> Topology:
    router = np.repeat(np.arange(topology.router_count), topology.degree)
    order = np.lexsort([-fails_at[topology.link].astype(np.int64), router])
    return dataclasses.replace(topology, indices=topology.indices[order], link=topology.link[order])


def _left(network: Network, fails_at: np.ndarray, time: int) -> Network:
    """Return the network of the cables that work after cycle `time`; failed routers stay, without cables."""
    topology = network.topology
    works = fails_at > time
    links, endpoints = works[: topology.link_count], works[topology.link_count :]
    if endpoints.sum() < 2:
        raise InputError(Problem("", f"fewer than two endpoints are left after cycle {time}", "fail fewer of them"))
    row = links[topology.link]
    return Network(
        dataclasses.replace(
            topology,
            links=topology.links[links],
            link_class=topology.link_class[links],
            indptr=np.concatenate([[0], np.cumsum(row)])[topology.indptr].astype(np.int32),
            indices=topology.indices[row],
            link=(np.cumsum(links) - 1)[topology.link[row]].astype(np.int32),
            endpoint_router=topology.endpoint_router[endpoints],
        ),
        network.link_cycles[works],
        None if network.rates is None else network.rates[works],
        np.diff(network.first_port),
        network.plane,
    )


def _routing(network: Network, prepare: Callable[[Network], Routing], time: int) -> Routing:
    try:
        return prepare(network)
    except InputError as error:
        raise InputError(
            [
                dataclasses.replace(problem, message=f"{problem.message}, after the faults of cycle {time}")
                for problem in error.problems
            ]
        ) from None


def _failed_ports(network: Network, fails_at: np.ndarray, router_fails_at: np.ndarray, time: int) -> np.ndarray:
    """Return `Fault.failed` at a cycle."""
    topology, end = network.topology, int(network.first_port[-1])
    failed = np.zeros(end + topology.endpoint_count, np.int32)
    links, endpoints = np.split(np.where(fails_at <= time, LINK_FAILED, 0), [topology.link_count])
    failed[network.link_ports] = links[:, None]
    failed[network.endpoint_port] = failed[end:] = endpoints
    router = np.repeat(router_fails_at <= time, np.diff(network.first_port))
    failed[:end][router] = ROUTER_FAILED
    return failed
